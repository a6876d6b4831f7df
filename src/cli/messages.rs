//! Prints messages on stderr. A command does its work even if stderr is closed or full, so messages that cannot be printed are dropped.

use std::fmt::Display;
use std::io::{self, Write};

/// Prints an error.
pub fn error(text: impl Display) {
    line(format_args!("error: {text}"));
}

/// Prints a warning: a part of the file is not shown as it should be.
pub fn warning(text: impl Display) {
    line(format_args!("warning: {text}"));
}

/// Prints a note: the command does something else than the user may expect.
pub fn note(text: impl Display) {
    line(format_args!("note: {text}"));
}

/// Prints a line.
pub fn line(text: impl Display) {
    // The line is written as a whole, so that lines of several threads do not mix.
    let _ = io::stderr().write_all(format!("{text}\n").as_bytes());
}
