//! Runs `sinew inspect`: reports what a file contains, what was ignored, and what may be wrong.

use std::process::ExitCode;
use std::time::Instant;

use crate::asset;
use crate::report;
use crate::validate;

use super::args::{FailOn, InspectArgs};
use super::{about, exit, print_report};

/// Runs the command. Errors if the file cannot be loaded; its findings are printed nevertheless.
pub fn run(args: &InspectArgs) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    // If the file cannot be read at all, loading it reports the error.
    let findings = validate::file(&args.file).unwrap_or_default();
    let check_time = ("check", start.elapsed());
    let file = args.file.display().to_string();
    let mut loaded = match asset::load(&args.file, &args.images.load_options()) {
        Ok(loaded) => loaded,
        Err(error) => {
            let refusal = report::refusal(&file, &error.to_string(), findings);
            if !refusal.findings.is_empty() {
                print_report(&refusal, args.json, report::refusal_to_text)?;
            }
            return Err(about(&args.file)(error));
        }
    };
    loaded.model.findings = validate::merge(std::mem::take(&mut loaded.model.findings), findings);
    loaded.timings.push(check_time);
    let timings: &[_] = if args.timings { &loaded.timings } else { &[] };
    print_report(&report::report(&loaded.model, &file, timings), args.json, report::to_text)?;
    let worst = loaded.model.findings.iter().map(|finding| finding.severity).max();
    Ok(if FailOn::fails(args.fail_on, worst) { ExitCode::from(exit::FINDINGS) } else { ExitCode::SUCCESS })
}
