//! Floor 6: the commands that need no window. Arguments -> options -> work; results on stdout, everything else on stderr.

pub mod args;
pub mod bench;
pub mod clip;
pub mod inspect;
pub mod mimeapps;
pub mod output;
pub mod pose;
pub mod register;
pub mod render;
pub mod values;
pub mod view;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use clap::CommandFactory;
use clap::error::ErrorKind;

use args::{Cli, Command};

/// Exit codes of the contract; 0 is success, 2 is clap's for usage.
pub mod exit {
    pub const FAILED: u8 = 1;
    /// Done, but there are findings of the asked-for severity or worse.
    pub const FINDINGS: u8 = 3;
}

pub fn run(command: &Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Render(args) => render::run(args).map(|()| ExitCode::SUCCESS),
        Command::Pose(args) => pose::run(args).map(|()| ExitCode::SUCCESS),
        Command::Inspect(args) => inspect::run(args),
        Command::Bench(args) => bench::run(args).map(|()| ExitCode::SUCCESS),
        Command::Register => register::register().and_then(said),
        Command::Unregister => register::unregister().and_then(said),
    }
}

/// An error about a file names it: of several commands in a script it would not be known whose it is.
fn about<E: Into<anyhow::Error>>(file: &Path) -> impl FnOnce(E) -> anyhow::Error {
    move |error| {
        let (error, file) = (error.into(), file.display().to_string());
        if error.to_string().contains(&file) { error } else { error.context(file) }
    }
}

/// Flags that do not go together, where only the command itself can tell.
fn wrong_usage(message: String) -> ! {
    Cli::command().error(ErrorKind::ArgumentConflict, message).exit()
}

/// Printing ends well when the reader has read enough (`sinew inspect FILE | head`).
fn printed(result: io::Result<()>) -> anyhow::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.context("cannot print the result"),
    }
}

fn said(what: String) -> anyhow::Result<ExitCode> {
    printed(writeln!(io::stdout(), "{what}")).map(|()| ExitCode::SUCCESS)
}
