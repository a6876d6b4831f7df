//! `sinew inspect`: what is in a file, what was ignored and what is suspect.

use std::io::Write;
use std::process::ExitCode;

use crate::asset;
use crate::model::finding::Severity;
use crate::report;

use super::args::{FailOn, InspectArgs};
use super::exit;

pub fn run(args: &InspectArgs) -> anyhow::Result<ExitCode> {
    let loaded = asset::load(&args.file, &args.images.load_options())?;
    let timings: &[_] = if args.timings { &loaded.timings } else { &[] };
    let report = report::report(&loaded.model, &args.file.display().to_string(), timings);

    let mut stdout = std::io::stdout().lock();
    let printed = if args.json {
        serde_json::to_writer_pretty(&mut stdout, &report).map_err(std::io::Error::from).and_then(|()| writeln!(stdout))
    } else {
        stdout.write_all(report::to_text(&report).as_bytes())
    };
    super::printed(printed)?;

    let gravest = loaded.model.findings.iter().map(|finding| finding.severity).max();
    let failed = match args.fail_on {
        None => false,
        Some(FailOn::Error) => gravest >= Some(Severity::Error),
        Some(FailOn::Warning) => gravest >= Some(Severity::Warning),
    };
    Ok(if failed { ExitCode::from(exit::FINDINGS) } else { ExitCode::SUCCESS })
}
