//! The background checks of the open document, as the application reports them to the panels.

use crate::check::finding::CheckFinding;
use crate::check::profile::Profile;

/// The state of both jobs.
#[derive(Debug, Clone, Default)]
pub struct CheckStatus {
    /// The checks for engines.
    pub checks: JobState<CheckResults>,
    /// The full validation. Its findings are among those of the document.
    pub validation: JobState<()>,
}

/// The state of a job over one document.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum JobState<T> {
    /// It has not started.
    #[default]
    Waiting,
    /// The fraction that is done.
    Running(f32),
    Done(T),
    /// The user cancelled it.
    Cancelled,
    /// Why it failed.
    Failed(String),
}

/// The findings for a profile.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CheckResults {
    pub profile: Profile,
    /// The most severe first.
    pub findings: Vec<CheckFinding>,
}

impl CheckStatus {
    /// The findings of the checks. Empty until they are done.
    pub fn findings(&self) -> &[CheckFinding] {
        if let JobState::Done(results) = &self.checks { &results.findings } else { &[] }
    }
}
