//! Runs `sinew inspect`: reports what a file contains, what was ignored, and what may be wrong.

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use serde::Serialize;

use crate::asset;
use crate::report;
use crate::validate;

use super::args::{FailOn, InspectArgs};
use super::{about, exit};

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
                print(args, &refusal, report::refusal_to_text)?;
            }
            return Err(about(&args.file)(error));
        }
    };
    loaded.model.findings = validate::merge(std::mem::take(&mut loaded.model.findings), findings);
    loaded.timings.push(check_time);
    let timings: &[_] = if args.timings { &loaded.timings } else { &[] };
    print(args, &report::report(&loaded.model, &file, timings), report::to_text)?;
    let worst = loaded.model.findings.iter().map(|finding| finding.severity).max();
    Ok(if FailOn::fails(args.fail_on, worst) { ExitCode::from(exit::FINDINGS) } else { ExitCode::SUCCESS })
}

/// Prints a report as JSON or as text.
fn print<T: Serialize>(args: &InspectArgs, report: &T, to_text: fn(&T) -> String) -> anyhow::Result<()> {
    let mut stdout = std::io::stdout().lock();
    let printed = if args.json {
        serde_json::to_writer_pretty(&mut stdout, report).map_err(std::io::Error::from).and_then(|()| writeln!(stdout))
    } else {
        stdout.write_all(to_text(report).as_bytes())
    };
    super::check_printed(printed)
}
