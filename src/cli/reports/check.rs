//! Runs `sinew check`: reports problems of files that the specification allows, but that will probably not look right in an engine.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;

use crate::asset::LoadOptions;
use crate::check;
use crate::check::report::{self, CheckReport};
use crate::check::settings::{MAX_CONFIG_BYTES, Settings};
use crate::session::document::Document;

use crate::cli::args::CheckArgs;
use crate::cli::{load, read_at_most};

use super::{Examined, ReportOptions};

/// Runs the command. Errors if the configuration cannot be read.
pub fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let mut settings = args.config.as_deref().map_or_else(|| Ok(Settings::default()), read_config)?;
    settings.profile = args.profile.unwrap_or(settings.profile);
    let options = ReportOptions { as_json: args.json, to_text: report::to_text, fail_on: args.fail_on };
    super::run(&args.files, &options, |file| match check(file, &settings) {
        Ok(report) => {
            let worst = report.findings.iter().map(|finding| finding.severity).max();
            Examined { report: Some(report), worst: Ok(worst) }
        }
        Err(error) => Examined { report: None, worst: Err(error) },
    })
}

/// Checks a file. Errors if it cannot be read.
fn check(file: &Path, settings: &Settings) -> anyhow::Result<CheckReport> {
    let loaded = load(file, &LoadOptions::default())?;
    let name = file.display().to_string();
    let document = Document::new(Arc::new(loaded.model), name.clone(), Some(file.to_owned()));
    let findings = check::check(&document, settings, &|_| true).unwrap_or_default();
    Ok(report::report(&name, settings.profile, findings))
}

/// Reads a configuration.
fn read_config(path: &Path) -> anyhow::Result<Settings> {
    let bytes = read_at_most(MAX_CONFIG_BYTES, path, "configuration")?;
    let text = std::str::from_utf8(&bytes).with_context(|| format!("{} is not UTF-8 text", path.display()))?;
    Settings::from_toml(text).with_context(|| path.display().to_string())
}
