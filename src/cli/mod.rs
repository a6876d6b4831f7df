//! Runs the commands that need no window. Results go to stdout, everything else to stderr.

pub mod args;
pub mod bench;
mod borrow;
pub mod diff;
pub mod generate;
mod json;
pub mod messages;
pub mod pose;
pub mod register;
pub mod render;
pub mod reports;
pub mod thumbnail;
mod upload;
pub mod view;
mod view_limits;
#[cfg(windows)]
pub mod windows_calls;

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, anyhow, bail};
use clap::CommandFactory;
use clap::error::ErrorKind;
use serde::Serialize;

use crate::asset::error::{LoadError, read_reason};
use crate::asset::{self, LoadOptions, Loaded};
use crate::report::terminal::{self, MAX_MESSAGE_CHARS};

use args::{Cli, Command};

/// Exit codes that scripts rely on. 0 is success.
pub mod exit {
    /// The command failed.
    pub const FAILED: u8 = 1;
    /// The arguments are wrong. clap uses this code, too.
    pub const WRONG_USAGE: u8 = 2;
    /// The command succeeded, but there are findings of the severity given with `--fail-on`, or worse, or differences beyond the tolerance.
    pub const FINDINGS: u8 = 3;
}

/// Runs a command. `started` is when the program started.
pub fn run(command: &Command, started: Instant) -> anyhow::Result<ExitCode> {
    match command {
        Command::Render(args) => render::run(args, started).map(|()| ExitCode::SUCCESS),
        Command::Pose(args) => pose::run(args).map(|()| ExitCode::SUCCESS),
        Command::Inspect(args) => reports::inspect::run(args),
        Command::Diff(args) => diff::run(args),
        Command::Check(args) => reports::check::run(args),
        Command::Bench(args) => bench::run(args).map(|()| ExitCode::SUCCESS),
        Command::Register => register::register().and_then(print_line),
        Command::Unregister => register::unregister().and_then(print_line),
        Command::Thumbnail(args) => thumbnail::run(args).map(|()| ExitCode::SUCCESS),
        Command::Generate(args) => generate::run(args).and_then(print_line),
    }
}

/// Prints what clap returns instead of arguments: the help, the version, or a usage error. Returns the exit code of the program.
pub fn print_usage(usage: &clap::Error) -> ExitCode {
    let printed = check_printed(usage.print().and_then(|()| io::stdout().flush()));
    match (usage.use_stderr(), printed) {
        (true, _) => ExitCode::from(exit::WRONG_USAGE),
        (false, Ok(())) => ExitCode::SUCCESS,
        (false, Err(error)) => {
            messages::error(messages::one_line(&error));
            ExitCode::from(exit::FAILED)
        }
    }
}

/// Adds the file to an error that does not name it, so that scripts with several commands show which file failed.
fn about<E: Into<anyhow::Error>>(file: &Path) -> impl FnOnce(E) -> anyhow::Error {
    move |error| {
        let (error, file) = (error.into(), file.display().to_string());
        let is_known = error.downcast_ref::<String>() == Some(&file) || error.downcast_ref().is_some_and(names_file);
        if is_known { error } else { error.context(file) }
    }
}

/// Returns whether the message of an error begins with the path of the file.
fn names_file(error: &LoadError) -> bool {
    matches!(error, LoadError::Read { .. } | LoadError::Folder { .. } | LoadError::NotAFile { .. })
}

/// Reads a model, and prints warnings about the parts of its file that are ignored or repaired. Errors name the file.
fn load(file: &Path, options: &LoadOptions) -> anyhow::Result<Loaded> {
    let loaded = asset::load(file, options).map_err(about(file))?;
    messages::findings(file, &loaded.model.findings);
    Ok(loaded)
}

/// Reads a file of settings or of a view. It reads one byte more than `max_bytes`, so that the caller can refuse a larger file. `what`
/// names the file in the error.
fn read_at_most(max_bytes: usize, path: &Path, what: &str) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(max_bytes as u64 + 1).read_to_end(&mut bytes));
    read.map_err(|error| anyhow!("cannot read the {what} {}: {}", path.display(), read_reason(&error)))?;
    Ok(bytes)
}

/// A path, safe to print on one line of a terminal. Error messages are escaped as a whole, so they contain paths as they are.
fn escaped(path: &Path) -> String {
    terminal::escape(&path.display().to_string(), MAX_MESSAGE_CHARS)
}

/// Ends the program with a usage error that shows the usage of a command, for conflicts between flags that clap cannot check.
fn usage_error(command: &str, message: String) -> ! {
    let mut program = Cli::command();
    // Building tells the commands the name of the program, which their usage begins with.
    program.build();
    let error = match program.find_subcommand_mut(command) {
        Some(command) => command.error(ErrorKind::ArgumentConflict, message),
        None => program.error(ErrorKind::ArgumentConflict, message),
    };
    error.exit()
}

/// Returns whether two paths lead to the same file, directly or through symbolic or hard links. A file that does not exist is not the same
/// as any other, nor is a device or pipe.
fn is_same_file(a: &Path, b: &Path) -> bool {
    // `same_file` opens both, and opening a pipe waits for its other end.
    a.is_file() && b.is_file() && same_file::is_same_file(a, b).unwrap_or(false)
}

/// Returns whether a path ends like that of a folder.
fn ends_with_separator(path: &Path) -> bool {
    path.as_os_str().to_string_lossy().ends_with(std::path::is_separator)
}

/// Errors if an output is the path of a folder: one that exists, or one that ends with a separator.
fn check_is_no_folder(output: &Path) -> anyhow::Result<()> {
    if ends_with_separator(output) || output.is_dir() {
        bail!("{} is a folder: add the name of a file, as in {}", output.display(), output.join("out.png").display());
    }
    Ok(())
}

/// Prints a report on stdout, as JSON or as text.
fn print_report<T: Serialize>(report: &T, as_json: bool, to_text: fn(&T) -> String) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    check_printed(if as_json { json::write_pretty(report, &mut stdout) } else { stdout.write_all(to_text(report).as_bytes()) })
}

/// Converts the result of printing to the result of a command. It is not an error if a reader closes the pipe early (`sinew inspect FILE |
/// head`).
fn check_printed(result: io::Result<()>) -> anyhow::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.context("cannot print the result"),
    }
}

/// Prints a line on stdout.
fn print_line(text: String) -> anyhow::Result<ExitCode> {
    check_printed(writeln!(io::stdout(), "{text}")).map(|()| ExitCode::SUCCESS)
}
