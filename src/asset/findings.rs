//! Collects the [`Finding`]s about faults that were ignored or repaired while reading. The number of findings per code is limited,
//! because an exporter repeats its mistake thousands of times.

use std::collections::BTreeMap;

use crate::model::finding::{Finding, Severity};
use crate::model::label;

/// Maximum number of findings that are kept per code.
const MAX_FINDINGS_PER_CODE: usize = 50;

/// The findings of a file, in the order in which they were made. `code` names the kind of fault. If the Khronos glTF Validator has a code
/// for it, this code is used. `pointer` is a JSON pointer.
#[derive(Debug, Default)]
pub struct Findings {
    list: Vec<Finding>,
    /// For each code, the number of findings and the gravest severity.
    counts: BTreeMap<&'static str, (usize, Severity)>,
}

// `info`, `warning` and `error` write the first letter in upper case, because messages may begin with a location such as "mesh 0".
impl Findings {
    /// Adds a finding about something that works but is worth knowing.
    pub fn info(&mut self, code: &'static str, pointer: &str, message: impl Into<String>) {
        self.add(Severity::Info, code, pointer, label::capitalized(&message.into()));
    }

    /// Adds a finding about a fault that is invisible or hardly visible.
    pub fn warning(&mut self, code: &'static str, pointer: &str, message: impl Into<String>) {
        self.add(Severity::Warning, code, pointer, label::capitalized(&message.into()));
    }

    /// Adds a finding about a violation of the specification, or about something visible that is missing.
    pub fn error(&mut self, code: &'static str, pointer: &str, message: impl Into<String>) {
        self.add(Severity::Error, code, pointer, label::capitalized(&message.into()));
    }

    /// Adds a finding. Beyond the limit of its code, it is only counted.
    pub fn add(&mut self, severity: Severity, code: &'static str, pointer: &str, message: String) {
        let (count, gravest) = self.counts.entry(code).or_insert((0, severity));
        *count += 1;
        // The summary has the gravest severity, so that a filter by severity does not hide it.
        *gravest = severity.max(*gravest);
        if *count <= MAX_FINDINGS_PER_CODE {
            self.list.push(Finding { code, severity, pointer: pointer.to_owned(), message });
        }
    }

    /// All findings. Each code that exceeded the limit gets one more finding, with the number of findings that were left out.
    pub fn finish(mut self) -> Vec<Finding> {
        for (code, (count, severity)) in self.counts {
            if count > MAX_FINDINGS_PER_CODE {
                let message = format!("{} more of these", count - MAX_FINDINGS_PER_CODE);
                self.list.push(Finding { code, severity, pointer: String::new(), message });
            }
        }
        self.list
    }
}
