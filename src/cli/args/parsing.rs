//! Checks the arguments before they are used.

use std::ffi::OsString;
use std::path::Path;

use anyhow::bail;

/// Errors if an argument is a URL, because every command opens files only.
pub fn check_urls(arguments: &[OsString]) -> anyhow::Result<()> {
    let is_url = |argument: &str| ["http://", "https://"].iter().any(|scheme| argument.starts_with(scheme));
    match arguments.iter().filter_map(|argument| argument.to_str()).find(|argument| is_url(argument) && !Path::new(argument).exists()) {
        Some(url) => bail!("cannot open {url}: Sinew opens files only, so download it first"),
        None => Ok(()),
    }
}
