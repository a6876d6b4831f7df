//! The background checks of the open document, as the application reports them to the panels.

use crate::check::finding::CheckFinding;
use crate::check::profile::Profile;

/// The states of the checks and of the validation.
#[derive(Debug, Clone, Default)]
pub struct CheckStatus {
    /// The checks for engines.
    pub checks: JobState<CheckResults>,
    /// The full validation. Its findings become findings of the document.
    pub validation: JobState<()>,
}

/// The state of a job over one document.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum JobState<T> {
    /// The job has not started.
    #[default]
    Waiting,
    /// The job is running. The value is the fraction that is done, from 0 to 1.
    Running(f32),
    Done(T),
    /// The user canceled the job.
    Canceled,
    /// The reason why the job failed.
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
    /// The findings of the checks. Empty until the checks are done.
    pub fn findings(&self) -> &[CheckFinding] {
        if let JobState::Done(results) = &self.checks { &results.findings } else { &[] }
    }
}
