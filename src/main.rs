//! Parses, calls the window or a command, prints an error once.

use std::process::ExitCode;

use clap::Parser;
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
    let view = args.state.as_deref().map(|path| sinew::cli::view::read(Some(path))).transpose()?;
    let WindowArgs { files, animation, camera, time, paused, speed, images, .. } = args;
    sinew::app::run(Options { files, animation, camera, time, paused, speed, view, image_limit: images.bytes() })
}
