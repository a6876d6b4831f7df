//! The output of `sinew check`: serialized as JSON for tools, or as lines of text for people.

use std::fmt::Write;

use serde::Serialize;

use crate::model::finding::Severity;
use crate::numbers;
use crate::report::terminal::{self, MAX_MESSAGE_CHARS};
use crate::report::text;

use super::finding::CheckFinding;
use super::profile::Profile;

/// The result of the checks. Names and meaning of the fields are stable while `schema` is 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckReport {
    /// Version of this format: 1.
    pub schema: u32,
    /// The file's name, as given.
    pub file: String,
    /// The profile that the file was compared with.
    pub profile: &'static str,
    /// The findings, the most severe first.
    pub findings: Vec<CheckFinding>,
}

/// The report on a file.
pub fn report(file: &str, profile: Profile, findings: Vec<CheckFinding>) -> CheckReport {
    CheckReport { schema: 1, file: file.to_owned(), profile: profile.name(), findings }
}

/// The report as lines of text.
pub fn to_text(report: &CheckReport) -> String {
    let mut out = String::new();
    // Writing into a String cannot fail.
    let _ = write(report, &mut out);
    out
}

/// Writes the file's name, the counts and the findings.
fn write(report: &CheckReport, out: &mut String) -> std::fmt::Result {
    writeln!(out, "{}", terminal::escape(&report.file, MAX_MESSAGE_CHARS))?;
    text::line(out, "profile", report.profile)?;
    text::line(out, "result", &counts(&report.findings))?;
    let row = |finding: &CheckFinding| {
        vec![finding.severity.name().to_owned(), finding.code.to_owned(), terminal::escape(&finding.message, MAX_MESSAGE_CHARS)]
    };
    text::section(out, "findings", report.findings.iter().map(row))
}

/// The number of findings of each severity in words: "1 error, 2 warnings, 3 infos".
pub fn counts(findings: &[CheckFinding]) -> String {
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let parts = Severity::ALL.map(|severity| (count(severity), severity.noun())).into_iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, noun)| numbers::counted(count, noun)).collect();
    if parts.is_empty() { "no problems".to_owned() } else { parts.join(", ") }
}
