//! Runs the commands that report on one or several files: prints the reports one by one, and chooses the exit code.

pub mod check;
pub mod inspect;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::anyhow;
use serde::Serialize;

use crate::model::finding::Severity;
use crate::session::file::folder;

use super::args::FailOn;
use super::{check_printed, exit, json, messages};

/// The result of examining a file.
pub struct Examined<R> {
    /// The report. `None` if there is nothing to report on, because the file cannot be read.
    pub report: Option<R>,
    /// The severity of the worst finding, or the reason why the command failed.
    pub worst: anyhow::Result<Option<Severity>>,
}

/// How the reports are printed, and when the command fails.
pub struct ReportOptions<R> {
    /// Whether the reports are JSON. Several reports are one array.
    pub as_json: bool,
    /// Writes a report as text. Several texts are separated by empty lines.
    pub to_text: fn(&R) -> String,
    /// The severity of findings for which the exit code is [`exit::FINDINGS`].
    pub fail_on: Option<FailOn>,
}

/// Examines the files, and the models in the folders, and prints each report as soon as it is ready. An error about a file is printed, too,
/// and the next files follow. If a reader closes the pipe early, the remaining files still count for the exit code.
pub fn run<R: Serialize>(
    paths: &[PathBuf],
    options: &ReportOptions<R>,
    mut examine: impl FnMut(&Path) -> Examined<R>,
) -> anyhow::Result<ExitCode> {
    let is_list = paths.len() > 1 || paths.iter().any(|path| path.is_dir());
    let is_array = options.as_json && is_list;
    let (mut printed, mut has_failed, mut worst) = (0, false, None);
    for file in paths.iter().flat_map(|path| models(path)) {
        let failed = |error| Examined { report: None, worst: Err(error) };
        let examined = file.map_or_else(failed, |file| examine(&file));
        if let Some(report) = examined.report {
            let separator = match (options.as_json, printed) {
                (true, 0) if is_array => "[\n",
                (true, 1..) => ",\n",
                (false, 1..) => "\n",
                _ => "",
            };
            check_printed(print(&report, separator, options))?;
            printed += 1;
        }
        match examined.worst {
            Ok(severity) => worst = worst.max(severity),
            Err(error) => {
                messages::error(messages::one_line(&error));
                has_failed = true;
            }
        }
    }
    if is_array {
        check_printed(io::stdout().write_all(if printed == 0 { b"[]\n" } else { b"]\n" }))?;
    }
    Ok(if has_failed {
        ExitCode::from(exit::FAILED)
    } else if FailOn::fails(options.fail_on, worst) {
        ExitCode::from(exit::FINDINGS)
    } else {
        ExitCode::SUCCESS
    })
}

/// The files that a path stands for: itself, or the models in a folder.
fn models(path: &Path) -> Vec<anyhow::Result<PathBuf>> {
    if !path.is_dir() {
        return vec![Ok(path.to_owned())];
    }
    match folder::models(path) {
        Ok(list) => list.models.iter().map(|model| Ok(model.path.clone())).collect(),
        Err(message) => vec![Err(anyhow!(message))],
    }
}

/// Prints a report on stdout, after a separator.
fn print<R: Serialize>(report: &R, separator: &str, options: &ReportOptions<R>) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(separator.as_bytes())?;
    if options.as_json { json::write_pretty(report, &mut stdout) } else { stdout.write_all((options.to_text)(report).as_bytes()) }
}
