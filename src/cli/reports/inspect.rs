//! Runs `sinew inspect`: reports what files contain, what was ignored, and what may be wrong.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use serde::Serialize;

use crate::asset;
use crate::report::{self, InspectReport, Refusal};
use crate::validate;

use crate::cli::about;
use crate::cli::args::InspectArgs;

use super::{Examined, ReportOptions};

/// The report on a file.
#[derive(Serialize)]
#[serde(untagged)]
enum Inspection {
    /// The file can be shown.
    Shown(Box<InspectReport>),
    /// The file cannot be shown.
    Refused(Refusal),
}

impl Inspection {
    /// The report as lines of text.
    fn to_text(&self) -> String {
        match self {
            Self::Shown(report) => report::to_text(report),
            Self::Refused(refusal) => report::refusal_to_text(refusal),
        }
    }
}

/// Runs the command.
pub fn run(args: &InspectArgs) -> anyhow::Result<ExitCode> {
    let options = ReportOptions { as_json: args.json, to_text: Inspection::to_text, fail_on: args.fail_on };
    super::run(&args.files, &options, |file| inspect(args, file))
}

/// Inspects a file. If it cannot be loaded, its findings are reported nevertheless.
fn inspect(args: &InspectArgs, file: &Path) -> Examined<Inspection> {
    let start = Instant::now();
    // If the file cannot be read at all, loading it reports the error.
    let findings = validate::file(file).unwrap_or_default();
    let check_time = ("check", start.elapsed());
    let name = file.display().to_string();
    let mut loaded = match asset::load(file, &args.images.load_options()) {
        Ok(loaded) => loaded,
        Err(error) => {
            let refusal = report::refusal(&name, &error.to_string(), findings);
            let report = (!refusal.findings.is_empty()).then_some(Inspection::Refused(refusal));
            return Examined { report, worst: Err(about(file)(error)) };
        }
    };
    loaded.model.findings = validate::merge(std::mem::take(&mut loaded.model.findings), findings);
    loaded.timings.push(check_time);
    let timings: &[_] = if args.timings { &loaded.timings } else { &[] };
    let report = Inspection::Shown(Box::new(report::report(&loaded.model, &name, timings)));
    Examined { report: Some(report), worst: Ok(loaded.model.findings.iter().map(|finding| finding.severity).max()) }
}
