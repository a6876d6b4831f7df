//! The program: parses the command line, runs the window or a command, and prints an error once.

#![warn(clippy::print_stderr, clippy::print_stdout)] // see lib.rs

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::CommandFactory;
use clap::error::ErrorKind;
use sinew::app::{Options, error_dialog, memory};
use sinew::cli::args::{Cli, WindowArgs, parsing};
use sinew::cli::messages;
#[cfg(unix)]
use sinew::end_signals;

fn main() -> ExitCode {
    let started = Instant::now();
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off")).init();
    #[cfg(unix)]
    end_signals::turn_size_limit_into_error();
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let cli = match parsing::parse(&arguments) {
        Ok(cli) => cli,
        Err(usage) => return sinew::cli::print_usage(&usage),
    };
    memory::set_up_heaps(if cli.command.is_some() { &memory::COMMAND } else { &memory::WINDOW });
    let shows_errors = cli.command.is_none() && is_started_by_desktop();
    let done = parsing::check_urls(&arguments).and_then(|()| match &cli.command {
        Some(command) => sinew::cli::run(command, started),
        None => window(cli.window, started).map(|()| ExitCode::SUCCESS),
    });
    done.unwrap_or_else(|error| {
        let message = messages::one_line(&error);
        messages::error(&message);
        if shows_errors {
            error_dialog::show("Sinew cannot start", &message);
        }
        ExitCode::from(sinew::cli::exit::FAILED)
    })
}

/// Opens the window with the arguments. Ends the program with a usage error for a mistyped command. `started` is when the program started.
fn window(args: WindowArgs, started: Instant) -> anyhow::Result<()> {
    // A name without a folder and without an extension is a mistyped command, unless a file has this name.
    let is_word = |path: &&PathBuf| path.extension().is_none() && path.components().count() == 1 && !path.exists();
    if let Some(word) = args.files.iter().find(is_word) {
        let message = format!("no such command or file: {:?}", word.display().to_string());
        Cli::command().error(ErrorKind::InvalidSubcommand, message).exit();
    }
    let view = args.state.as_deref().map(|path| sinew::cli::view::read(Some(path))).transpose()?;
    let WindowArgs { files, borrowed, animation, camera, time, paused, speed, compare, images, adapter, safe, timings, .. } = args;
    sinew::app::run(Options {
        files,
        animations: borrowed.animations,
        animation,
        camera,
        time,
        paused,
        speed,
        view,
        compare,
        image_limit: images.bytes(),
        adapter,
        safe,
        timed_since: timings.then_some(started),
    })
}

/// Returns whether a double-click or a menu started the program, so that its output is not visible. Closes the console that Windows opens
/// for a double-click.
fn is_started_by_desktop() -> bool {
    #[cfg(windows)]
    return sinew::cli::windows_calls::close_own_console();
    #[cfg(not(windows))]
    {
        use std::io::IsTerminal;
        let variables = ["GIO_LAUNCHED_DESKTOP_FILE", "DESKTOP_STARTUP_ID", "XDG_ACTIVATION_TOKEN"];
        let has_variable = || variables.iter().any(|name| std::env::var_os(name).is_some());
        !std::io::stderr().is_terminal() && (cfg!(target_os = "macos") || has_variable())
    }
}
