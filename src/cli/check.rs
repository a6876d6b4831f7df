//! Runs `sinew check`: reports problems of a file that the specification allows, but that will probably not look right in an engine.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;

use crate::asset::LoadOptions;
use crate::check::settings::{MAX_CONFIG_BYTES, Settings};
use crate::check::{self, report};
use crate::session::document::Document;

use super::args::{CheckArgs, FailOn};
use super::{exit, load, print_report, read_at_most};

/// Runs the command. Errors if the file or the configuration cannot be read.
pub fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let mut settings = args.config.as_deref().map_or_else(|| Ok(Settings::default()), read_config)?;
    settings.profile = args.profile.unwrap_or(settings.profile);
    let loaded = load(&args.file, &LoadOptions::default())?;
    let file = args.file.display().to_string();
    let document = Document::new(Arc::new(loaded.model), file.clone(), Some(args.file.clone()));
    let findings = check::check(&document, &settings, &|_| true).unwrap_or_default();
    let report = report::report(&file, settings.profile, findings);
    print_report(&report, args.json, report::to_text)?;
    let worst = report.findings.iter().map(|finding| finding.severity).max();
    Ok(if FailOn::fails(args.fail_on, worst) { ExitCode::from(exit::FINDINGS) } else { ExitCode::SUCCESS })
}

/// Reads a configuration.
fn read_config(path: &Path) -> anyhow::Result<Settings> {
    let bytes = read_at_most(MAX_CONFIG_BYTES, path, "configuration")?;
    let text = std::str::from_utf8(&bytes).with_context(|| format!("{} is not UTF-8 text", path.display()))?;
    Settings::from_toml(text).with_context(|| path.display().to_string())
}
