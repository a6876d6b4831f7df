//! Prints the messages of commands on stderr.

use std::fmt::Display;
use std::path::Path;

use crate::model::finding::{Finding, Severity};
use crate::numbers::agreeing;
use crate::report::terminal::{self, MAX_MESSAGE_CHARS, print_message};

/// Maximum number of findings that are printed about a file.
const MAX_FINDINGS: usize = 10;

/// Prints an error.
pub fn error(text: impl Display) {
    print_message(format_args!("error: {text}"));
}

/// An error with its chain of causes, safe to print on one line. A cause that the message already contains is left out.
pub fn one_line(error: &anyhow::Error) -> String {
    let join = |message: String, cause: String| if message.contains(&cause) { message } else { message + ": " + &cause };
    let message = error.chain().map(ToString::to_string).reduce(join).unwrap_or_default().replace('\n', " ");
    terminal::escape(&message, MAX_MESSAGE_CHARS)
}

/// Prints a warning: a part of the file is not shown as it should be.
pub fn warning(text: impl Display) {
    print_message(format_args!("warning: {text}"));
}

/// Prints a note: the command does something else than the user may expect.
pub fn note(text: impl Display) {
    print_message(format_args!("note: {text}"));
}

/// Prints the errors and warnings among the findings of a file.
pub fn findings<'a>(file: &Path, findings: impl IntoIterator<Item = &'a Finding>) {
    let file = file.display();
    let severe: Vec<&Finding> = findings.into_iter().filter(|finding| finding.severity >= Severity::Warning).collect();
    for Finding { message, pointer, .. } in severe.iter().take(MAX_FINDINGS) {
        let place = if pointer.is_empty() { String::new() } else { format!(" ({pointer})") };
        warning(terminal::escape(&format!("{file}: {message}{place}"), MAX_MESSAGE_CHARS));
    }
    if severe.len() > MAX_FINDINGS {
        let more = severe.len() - MAX_FINDINGS;
        let text = format!("{more} more {} about {file}; list all with sinew inspect", agreeing(more, "warning", "warnings"));
        note(terminal::escape(&text, MAX_MESSAGE_CHARS));
    }
}
