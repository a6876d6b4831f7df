//! Parses the command line. Finds FILE also where clap takes it for a value of a flag, and names the right flag for a wrong one.

use std::ffi::OsString;
use std::path::Path;

use anyhow::bail;
use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::report::terminal;
use crate::session::file::file_list;

use super::Cli;
use super::values::BEST_GRID;

/// Flags that do not exist, with the flags that their users mean, by command.
const MISTAKEN_FLAGS: [(&str, &str, &[&str]); 3] = [
    ("render", "--frame", &["--time"]),
    ("pose", "--frame", &["--time", "--times"]),
    ("diff", "--tolerance", &["--tolerance-distance", "--tolerance-angle"]),
];

/// Flags whose values are names in the file, which may look like URLs.
const FLAGS_FOR_NAMES: [&str; 5] = ["--animation", "--camera", "--select", "--variant", "--compare-animation"];

/// Parses the arguments, of which the first one is the name of the program. Errors are safe to print on a terminal.
pub fn parse(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    // An error quotes the arguments. The escaped arguments nearly always give the same error, without control characters. If they give
    // none, the original error is used.
    let escaped = || arguments.iter().map(|argument| terminal::escape(&argument.to_string_lossy(), usize::MAX).into());
    parse_exactly(arguments).map_err(|error| parse_exactly(&escaped().collect::<Vec<_>>()).err().unwrap_or(error))
}

/// Parses the arguments. Errors quote the arguments as they are.
fn parse_exactly(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    let parsed = Cli::try_parse_from(arguments);
    let corrected = match &parsed {
        Ok(cli) if cli.command.is_none() && cli.window.files.is_empty() => with_file_after_animations(arguments),
        Err(error) if lacks_file(error) => with_file_after_animations(arguments),
        Err(error) if error.kind() == ErrorKind::ValueValidation => with_file_after_sheet(arguments),
        _ => None,
    };
    corrected.map_or(parsed, Cli::try_parse_from).map_err(|error| with_right_flags(error, arguments))
}

/// Errors if a URL is given instead of a file, because every command opens files only.
pub fn check_urls(arguments: &[OsString]) -> anyhow::Result<()> {
    let is_url = |argument: &str| ["http://", "https://"].iter().any(|scheme| argument.starts_with(scheme));
    let is_name = |before: &OsString| FLAGS_FOR_NAMES.iter().any(|flag| before == flag);
    for pair in arguments.windows(2).filter(|pair| !is_name(&pair[0])) {
        if let Some(url) = pair[1].to_str().filter(|argument| is_url(argument) && !Path::new(argument).exists()) {
            bail!("cannot open {url}: Sinew opens files only, so download it first");
        }
    }
    Ok(())
}

/// Returns whether the error is that there is no FILE.
fn lacks_file(error: &clap::Error) -> bool {
    let is_missing =
        |missing: &ContextValue| matches!(missing, ContextValue::Strings(names) if names.iter().any(|name| !name.starts_with('-')));
    error.kind() == ErrorKind::MissingRequiredArgument && error.get(ContextKind::InvalidArg).is_some_and(is_missing)
}

/// The arguments with FILE at their end. `--animations` takes all values that follow it, so also the FILE of
/// `--animations walk.glb model.glb`, which is the order that each usage line shows. `None` if the flag never has more than one value.
fn with_file_after_animations(arguments: &[OsString]) -> Option<Vec<OsString>> {
    let is_value = |argument: &&OsString| !argument.as_encoded_bytes().starts_with(b"-");
    let values = |flag: usize| arguments[flag + 1..].iter().take_while(is_value).count();
    let flag = (0..arguments.len()).rfind(|&flag| arguments[flag] == "--animations" && values(flag) > 1)?;
    let mut corrected = arguments.to_vec();
    let file = corrected.remove(flag + values(flag));
    corrected.extend(["--".into(), file]);
    Some(corrected)
}

/// The arguments with the default grid of `--sheet`, so that the model that follows the flag is a FILE and not the grid. `None` if no model
/// follows it.
fn with_file_after_sheet(arguments: &[OsString]) -> Option<Vec<OsString>> {
    let flag = arguments.windows(2).position(|pair| pair[0] == "--sheet" && file_list::is_model(Path::new(&pair[1])))?;
    let mut corrected = arguments.to_vec();
    corrected[flag] = format!("--sheet={BEST_GRID}").into();
    Some(corrected)
}

/// The error about an unknown flag without clap's tip to pass it as a value, because a name that begins with '-' needs an equals sign
/// instead. Names the flags that the user of a mistaken one means.
fn with_right_flags(mut error: clap::Error, arguments: &[OsString]) -> clap::Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    if let Some(ContextValue::StyledStrs(mut tips)) = error.remove(ContextKind::Suggested) {
        tips.retain(|tip| !tip.to_string().starts_with("to pass "));
        if !tips.is_empty() {
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
        }
    }
    let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg) else { return error };
    let is_mistaken = |(command, mistaken, _): &&(&str, &str, _)| arguments.get(1).is_some_and(|word| word == command) && mistaken == flag;
    if let Some((.., right)) = MISTAKEN_FLAGS.iter().find(is_mistaken) {
        error.insert(ContextKind::SuggestedArg, ContextValue::Strings(right.iter().map(ToString::to_string).collect()));
    }
    error
}
