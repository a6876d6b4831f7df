//! Checks the open document in the background: for content that an engine may show incorrectly, and on request for violations of the
//! specification. Heavy files are checked only on request, while nothing plays, or while the Checks section is visible.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use winit::event_loop::EventLoopProxy;

use crate::app::documents::load_job::{self, Source};
use crate::app::documents::open_document::OpenDocument;
use crate::app::ids::LoadJobId;
use crate::app::worker_events::{AppEvent, CheckOutcome, ValidationOutcome};
use crate::cancel::Cancel;
use crate::check::profile::Profile;
use crate::check::settings::Settings;
use crate::check::{self, motion};
use crate::model::finding::Finding;
use crate::session::document::DocumentId;
use crate::ui::context::check_status::{CheckResults, CheckStatus, JobState};
use crate::ui::context::per_document::PerDocument;
use crate::validate;

use crate::app::workers::catch_panic;

/// Maximum work, as estimated by `motion::estimate_work`, of a check that may run while an animation plays. This work takes about a tenth
/// of a second on one core.
const MAX_LIGHT_WORK: usize = 1 << 20;

/// The jobs that check the open document.
#[derive(Default)]
pub struct CheckWorker {
    checking: Option<RunningJob>,
    validating: Option<RunningJob>,
    /// Whether the user requested the checks.
    is_requested: bool,
    /// Document and profile of the checks that were canceled or have failed. Such checks do not start again by themselves.
    ended: Option<(DocumentId, Profile)>,
    /// The document whose work was estimated, and whether the work is light.
    estimate: Option<(DocumentId, bool)>,
    /// The first reading of the file that was validated. Reloads of this file are validated, too.
    validated: Option<DocumentId>,
}

/// A job on a thread.
struct RunningJob {
    /// Id of the load job that has read the file.
    job: LoadJobId,
    /// The id of the document. It changes when animations of other files are added or removed.
    document: DocumentId,
    profile: Profile,
    cancel: Cancel,
    /// The fraction that is done, as the bits of an f32.
    progress: Arc<AtomicU32>,
}

/// The conditions that decide whether the checks start now.
#[derive(Debug, Clone, Copy)]
pub struct CheckConditions {
    pub profile: Profile,
    /// Whether the Checks section is visible.
    pub is_shown: bool,
    /// Whether an animation plays or a file is being loaded. Heavy checks would slow that down.
    pub is_moving: bool,
}

impl RunningJob {
    fn new(open: &OpenDocument, profile: Profile) -> Self {
        Self { job: open.job, document: open.document.id, profile, cancel: Cancel::default(), progress: Arc::default() }
    }

    /// Makes a function that stores the fraction that is done, and returns whether to continue.
    fn reporter(&self) -> impl Fn(f32) -> bool + use<> {
        let (cancel, progress) = (self.cancel.clone(), self.progress.clone());
        move |fraction| {
            progress.store(fraction.to_bits(), Ordering::Relaxed);
            !cancel.is_canceled()
        }
    }

    /// The fraction that is done.
    fn fraction(&self) -> f32 {
        f32::from_bits(self.progress.load(Ordering::Relaxed))
    }
}

impl CheckWorker {
    /// Returns whether a job is running.
    pub fn is_running(&self) -> bool {
        self.checking.is_some() || self.validating.is_some()
    }

    /// Makes the next update start the checks, even if they were canceled before.
    pub fn request(&mut self) {
        (self.is_requested, self.ended) = (true, None);
    }

    /// Cancels the checks. They start again only on request, or for another profile or document.
    pub fn cancel(&mut self, status: &mut CheckStatus) {
        if let Some(running) = &self.checking {
            running.cancel.cancel();
            self.ended = Some((running.document, running.profile));
        }
        (self.is_requested, status.checks) = (false, JobState::Canceled);
    }

    /// Cancels the validation.
    pub fn cancel_validation(&mut self, status: &mut CheckStatus) {
        self.validating.iter().for_each(|running| running.cancel.cancel());
        (self.validated, status.validation) = (None, JobState::Canceled);
    }

    /// Starts or cancels the jobs after a frame, and stores their progress in `status`.
    pub fn update(&mut self, open: &OpenDocument, conditions: CheckConditions, status: &mut CheckStatus, proxy: &EventLoopProxy<AppEvent>) {
        self.update_validation(open, status, proxy);
        let key = (open.document.id, conditions.profile);
        if let Some(running) = &self.checking {
            if (running.document, running.profile) != key {
                running.cancel.cancel();
            } else if self.ended != Some(key) {
                status.checks = JobState::Running(running.fraction());
            }
            return;
        }
        if self.have_ended(&status.checks, key) {
            return;
        }
        if self.is_requested || conditions.is_shown || !conditions.is_moving || self.is_light(open) {
            self.start(open, conditions.profile, proxy.clone());
            status.checks = JobState::Running(0.0);
        }
    }

    /// Returns whether the checks are done, were canceled or have failed. A request for checks that are done needs nothing more.
    fn have_ended(&mut self, checks: &JobState<CheckResults>, key: (DocumentId, Profile)) -> bool {
        let are_done = matches!(checks, JobState::Done(results) if results.profile == key.1);
        self.is_requested &= !are_done;
        are_done || self.ended == Some(key)
    }

    /// Returns whether checking the document takes little time.
    fn is_light(&mut self, open: &OpenDocument) -> bool {
        match self.estimate {
            Some((document, is_light)) if document == open.document.id => is_light,
            _ => {
                let is_light = motion::estimate_work(&open.document) <= MAX_LIGHT_WORK;
                self.estimate = Some((open.document.id, is_light));
                is_light
            }
        }
    }

    /// Checks a copy of the document on a thread.
    fn start(&mut self, open: &OpenDocument, profile: Profile, proxy: EventLoopProxy<AppEvent>) {
        let document = open.document.clone();
        let running = RunningJob::new(open, profile);
        let report = running.reporter();
        (self.checking, self.is_requested) = (Some(running), false);
        std::thread::spawn(move || {
            let findings = catch_panic(|| check::check(&document, &Settings::with_profile(profile), &report));
            AppEvent::Checked(Box::new(CheckOutcome { document: document.id, profile, findings })).send(&proxy);
        });
    }

    /// Stores the findings. If document or profile have changed in the meantime, the next frame starts the checks again.
    pub fn receive(&mut self, outcome: CheckOutcome, open: Option<&OpenDocument>, statuses: &mut PerDocument<CheckStatus>) {
        self.checking = None;
        let Some(open) = open.filter(|open| open.document.id == outcome.document) else { return };
        let status = statuses.get(&open.document);
        let key = (outcome.document, outcome.profile);
        match outcome.findings {
            Ok(Some(findings)) if self.ended != Some(key) => {
                status.checks = JobState::Done(CheckResults { profile: outcome.profile, findings });
            }
            Ok(_) if self.ended == Some(key) => status.checks = JobState::Canceled,
            Ok(_) => status.checks = JobState::Waiting,
            Err(message) => {
                self.ended = Some(key);
                status.checks = JobState::Failed(message);
            }
        }
    }

    /// Stores the progress of the validation in `status`. After a reload of a file that was validated, starts the validation again.
    fn update_validation(&mut self, open: &OpenDocument, status: &mut CheckStatus, proxy: &EventLoopProxy<AppEvent>) {
        match &self.validating {
            Some(running) if running.job != open.job => running.cancel.cancel(),
            Some(running) if !running.cancel.is_canceled() => status.validation = JobState::Running(running.fraction()),
            Some(_) => {}
            None if status.validation == JobState::Waiting && self.validated == Some(open.document.first_reading()) => {
                self.validate(open, status, proxy);
            }
            None => {}
        }
    }

    /// Validates the file of the document on a thread. If a canceled validation has not ended yet, this one starts after it.
    pub fn validate(&mut self, open: &OpenDocument, status: &mut CheckStatus, proxy: &EventLoopProxy<AppEvent>) {
        (self.validated, status.validation) = (Some(open.document.first_reading()), JobState::Running(0.0));
        if self.validating.is_some() {
            return;
        }
        let (job, source, proxy) = (open.job, open.source.clone(), proxy.clone());
        let running = RunningJob::new(open, Profile::default());
        let report = running.reporter();
        self.validating = Some(running);
        std::thread::spawn(move || {
            let findings = catch_panic(|| match &source {
                Source::Sample => Ok(Some(validate::bytes(load_job::sample()))),
                Source::File { path, opened_together } => {
                    validate::file_with_progress(path, opened_together, &report).map_err(|error| error.to_string())
                }
            });
            let findings = findings.and_then(|findings| findings);
            AppEvent::Validated(Box::new(ValidationOutcome { job, findings })).send(&proxy);
        });
    }

    /// Adds the findings of the validation to the document's findings.
    pub fn receive_validation(
        &mut self,
        mut outcome: ValidationOutcome,
        open: Option<&mut OpenDocument>,
        statuses: &mut PerDocument<CheckStatus>,
    ) {
        self.validating = None;
        let Some(open) = open.filter(|open| open.job == outcome.job) else { return };
        let status = statuses.get(&open.document);
        if let Ok(Some(findings)) = &mut outcome.findings
            && status.validation != JobState::Canceled
        {
            open.document.findings = validate::merge(std::mem::take(&mut open.document.findings), std::mem::take(findings));
        }
        status.validation = validation_after(&status.validation, outcome.findings);
    }
}

/// The state after a validation has ended with these findings; `None` if it was canceled. `before` is [`JobState::Canceled`] unless the
/// user requested another validation since.
fn validation_after(before: &JobState<()>, findings: Result<Option<Vec<Finding>>, String>) -> JobState<()> {
    match findings {
        Err(message) => JobState::Failed(message),
        Ok(_) if *before == JobState::Canceled => JobState::Canceled,
        Ok(Some(_)) => JobState::Done(()),
        Ok(None) => JobState::Waiting,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use crate::session::document::Document;

    #[test]
    fn a_validation_that_is_requested_while_a_canceled_one_ends_starts_again() {
        let (canceled, requested_again) = (JobState::Canceled, JobState::Running(0.0));
        assert_eq!(validation_after(&canceled, Ok(None)), JobState::Canceled);
        assert_eq!(validation_after(&canceled, Ok(Some(Vec::new()))), JobState::Canceled);
        assert_eq!(validation_after(&requested_again, Ok(None)), JobState::Waiting);
        // The canceled one had already come to its end.
        assert_eq!(validation_after(&requested_again, Ok(Some(Vec::new()))), JobState::Done(()));
    }

    #[test]
    fn a_request_for_checks_that_are_done_does_not_start_those_of_the_next_file() {
        let document = Document::new(Arc::new(Model::default()), "a.glb".into(), None).id;
        let [chosen, other] = [Profile::default(), Profile::ALL[Profile::ALL.len() - 1]];
        let done = JobState::Done(CheckResults { profile: chosen, findings: Vec::new() });
        let mut worker = CheckWorker::default();
        worker.request();
        assert!(!worker.have_ended(&done, (document, other)) && worker.is_requested, "another profile is not checked yet");
        assert!(worker.have_ended(&done, (document, chosen)) && !worker.is_requested);
    }

    #[test]
    fn jobs_end_if_the_document_was_closed_in_the_meantime() {
        let document = Document::new(Arc::new(Model::default()), "a.glb".into(), None).id;
        let profile = Profile::default();
        let job = LoadJobId::next();
        let running = || Some(RunningJob { job, document, profile, cancel: Cancel::default(), progress: Arc::default() });
        let mut worker = CheckWorker { checking: running(), validating: running(), ..CheckWorker::default() };
        let mut statuses = PerDocument::default();
        worker.receive(CheckOutcome { document, profile, findings: Ok(None) }, None, &mut statuses);
        worker.receive_validation(ValidationOutcome { job, findings: Ok(None) }, None, &mut statuses);
        assert!(!worker.is_running());
    }
}
