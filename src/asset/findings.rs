//! What was ignored or repaired while reading, collected into [`Finding`]s. Of one code only so many are kept: a broken
//! exporter makes the same mistake ten thousand times.

use std::collections::BTreeMap;

use crate::model::finding::{Finding, Severity};

const MOST_OF_A_CODE: usize = 50;

#[derive(Debug, Default)]
pub struct Findings {
    list: Vec<Finding>,
    counts: BTreeMap<&'static str, (usize, Severity)>,
}

impl Findings {
    pub fn info(&mut self, code: &'static str, pointer: &str, message: impl Into<String>) {
        self.add(Severity::Info, code, pointer, message.into());
    }

    pub fn warning(&mut self, code: &'static str, pointer: &str, message: impl Into<String>) {
        self.add(Severity::Warning, code, pointer, message.into());
    }

    /// The specification forbids it, or something that should be seen is not shown.
    pub fn error(&mut self, code: &'static str, pointer: &str, message: impl Into<String>) {
        self.add(Severity::Error, code, pointer, message.into());
    }

    pub fn add(&mut self, severity: Severity, code: &'static str, pointer: &str, message: String) {
        let (count, gravest) = self.counts.entry(code).or_insert((0, severity));
        *count += 1;
        *gravest = severity.max(*gravest);
        if *count <= MOST_OF_A_CODE {
            self.list.push(Finding { code, severity, pointer: pointer.to_owned(), message });
        }
    }

    /// All that was found, with a last line for each code that came too often.
    pub fn finish(mut self) -> Vec<Finding> {
        for (code, (count, severity)) in self.counts {
            if count > MOST_OF_A_CODE {
                let message = format!("{} more of these", count - MOST_OF_A_CODE);
                self.list.push(Finding { code, severity, pointer: String::new(), message });
            }
        }
        self.list
    }
}
