//! Runs `sinew generate`: writes the man pages and the shell completions that packages install, from the declaration of the command line.

use std::fs;

use anyhow::Context;
use clap::{Arg, Command, CommandFactory};
use clap_complete::Shell;

use crate::export::atomic_file;

use super::args::{Cli, GenerateArgs};
use super::escaped;

/// Shells with completions, and the file name that each expects.
const COMPLETIONS: [(Shell, &str); 3] = [(Shell::Bash, "sinew.bash"), (Shell::Zsh, "_sinew"), (Shell::Fish, "sinew.fish")];

/// Writes `sinew.1`, one page per command (`sinew-render.1`), and the completions into a folder. Returns a message to print.
pub fn run(args: &GenerateArgs) -> anyhow::Result<String> {
    let folder = &args.folder;
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    // The pages would list the command `help`, which has no page.
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let mut files = pages(&command)?;
    for (shell, name) in COMPLETIONS {
        let mut bytes = Vec::new();
        clap_complete::generate(shell, &mut visible_program(), "sinew", &mut bytes);
        files.push((name.to_owned(), bytes));
    }
    let count = files.len();
    for (name, bytes) in files {
        atomic_file::write(&folder.join(name), &bytes, true)?;
    }
    Ok(format!("Wrote {count} files to {}", escaped(folder)))
}

/// The program without the commands that its help hides, which completions would list.
fn visible_program() -> Command {
    let program = Cli::command();
    let commands = program.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
    Command::new("sinew").version(env!("CARGO_PKG_VERSION")).args(program.get_arguments().cloned()).subcommands(commands)
}

/// The man pages of the program and of each command, with their file names.
fn pages(program: &Command) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let commands = program.get_subcommands().filter(|command| !command.is_hide_set());
    let commands = commands.map(|command| (format!("sinew-{}", command.get_name()), command));
    let pages = std::iter::once(("sinew".to_owned(), program)).chain(commands).map(|(name, command)| {
        let mut page = Vec::new();
        let command = command.clone().override_usage(synopsis(command));
        let manual = clap_mangen::Man::new(command).title(name.clone()).source(concat!("Sinew ", env!("CARGO_PKG_VERSION")));
        manual.render(&mut page)?;
        Ok((format!("{name}.1"), page))
    });
    pages.collect()
}

/// The synopsis of a man page, with a line per form. clap_mangen's own synopsis has the flags without their values.
fn synopsis(command: &Command) -> String {
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
    let flag = |argument: &Arg| if argument.is_required_set() { argument.to_string() } else { format!("[{argument}]") };
    let flags = command.get_arguments().filter(|argument| !argument.is_positional()).map(flag);
    let words = std::iter::once(name.to_owned()).chain(flags).chain(command.get_positionals().map(Arg::to_string));
    let line = words.collect::<Vec<_>>().join(" ");
    if command.has_subcommands() { format!("{line}\n{name} <COMMAND>") } else { line }
}
