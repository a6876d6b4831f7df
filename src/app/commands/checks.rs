//! Connects the checks of [`crate::app::workers::analysis::checks`] with the panels: passes requests on, and shows progress and results.

use crate::app::App;
use crate::app::worker_events::{CheckOutcome, ValidationOutcome};
use crate::app::workers::analysis::checks::CheckConditions;

impl App {
    /// Starts or cancels the checks after a frame, and shows their progress.
    pub(crate) fn update_checks(&mut self) {
        let conditions = CheckConditions {
            profile: self.ui.preferences.check_profile,
            is_shown: self.ui.window.shows_checks && self.ui.inspector_shown(),
            is_moving: self.is_moving() || self.workers.load.job().is_some(),
        };
        if let Some(open) = &self.open {
            self.workers.checks.update(open, conditions, self.ui.status.checks.get(&open.document), &self.proxy);
        }
    }

    /// Shows the result of the checks.
    pub(crate) fn checked(&mut self, outcome: CheckOutcome) {
        self.workers.checks.receive(outcome, self.open.as_ref(), &mut self.ui.status.checks);
    }

    /// Shows the result of the validation.
    pub(crate) fn validated(&mut self, outcome: ValidationOutcome) {
        self.workers.checks.receive_validation(outcome, self.open.as_mut(), &mut self.ui.status.checks);
    }

    /// Cancels the checks.
    pub(crate) fn cancel_checks(&mut self) {
        if let Some(open) = &self.open {
            self.workers.checks.cancel(self.ui.status.checks.get(&open.document));
        }
    }

    /// Starts the validation.
    pub(crate) fn validate(&mut self) {
        if let Some(open) = &self.open {
            self.workers.checks.validate(open, self.ui.status.checks.get(&open.document), &self.proxy);
        }
    }

    /// Cancels the validation.
    pub(crate) fn cancel_validation(&mut self) {
        if let Some(open) = &self.open {
            self.workers.checks.cancel_validation(self.ui.status.checks.get(&open.document));
        }
    }
}
