//! Parses, calls the window or a command, prints an error once.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use sinew::app::Options;
use sinew::cli::args::{Cli, WindowArgs};

fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off")).init();
    let cli = Cli::parse();
    let done = match &cli.command {
        Some(command) => sinew::cli::run(command),
        None => window(cli.window).map(|()| ExitCode::SUCCESS),
    };
    done.unwrap_or_else(|error| {
        // The whole chain of causes on one line; some say their cause themselves.
        let said =
            error.chain().map(ToString::to_string).reduce(|said, cause| if said.contains(&cause) { said } else { said + ": " + &cause });
        eprintln!("error: {}", said.unwrap_or_default().replace('\n', " "));
        ExitCode::from(sinew::cli::exit::FAILED)
    })
}

fn window(args: WindowArgs) -> anyhow::Result<()> {
    // A bare word that is no file is a command that was mistyped.
    let is_word = |path: &&PathBuf| path.extension().is_none() && path.components().count() == 1 && !path.exists();
    if let Some(word) = args.files.iter().find(is_word) {
        let message = format!("there is neither a command nor a file {:?}", word.display().to_string());
        Cli::command().error(ErrorKind::InvalidSubcommand, message).exit();
    }
    let view = args.state.as_deref().map(|path| sinew::cli::view::read(Some(path))).transpose()?;
    let WindowArgs { files, animation, camera, time, paused, speed, images, .. } = args;
    sinew::app::run(Options { files, animation, camera, time, paused, speed, view, image_limit: images.bytes() })
}
