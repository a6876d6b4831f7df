//! Decides when files that changed on disk are read again.
//!
//! Files are read as soon as they have not changed for a short time. If reading fails, it is repeated. Once the files have not changed for
//! a longer time, the error is reported. The module is pure: file stamps and the time are arguments.

use std::time::{Duration, Instant};

use crate::asset::file::stamp::Stamp;
use crate::model::finding::Finding;

/// How long files must be unchanged before they are read, so that their writer is probably done.
pub const SETTLE_DELAY: Duration = Duration::from_millis(150);
/// Delay between two attempts.
pub const RETRY_DELAY: Duration = Duration::from_millis(400);
/// How long files must be unchanged before an error is reported.
pub const REPORT_DELAY: Duration = Duration::from_secs(2);

/// The next step for the files of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Wait until this time, or until a file changes if `None`.
    Wait(Option<Instant>),
    /// Read the files now. `last` means that the files are not expected to change again: show as much as possible, and report errors.
    Read { last: bool },
    /// The model's own file is gone and has not come back.
    Gone,
}

/// The reload state of one model. The model's own file comes first in `files`.
#[derive(Debug, Clone)]
pub struct Reload {
    /// Stamps of the model's files when they were last seen; `None` for a missing file.
    files: Vec<Option<Stamp>>,
    /// Stamps of their folders when they were last seen.
    folders: Vec<Option<Stamp>>,
    /// When the files last changed. `None` if that change needs no further work.
    changed: Option<Instant>,
    /// When to attempt the next read.
    next: Option<Instant>,
    attempt: Option<Attempt>,
    /// Whether the last attempt failed.
    failing: bool,
    reported: bool,
}

/// An attempt to read the files that has not ended yet.
#[derive(Debug, Clone, Copy)]
struct Attempt {
    /// When the attempt began.
    since: Instant,
    /// Whether the attempt is the last one; see [`Step::Read`].
    last: bool,
}

impl Reload {
    /// The state right after a model was read from these files.
    pub fn new(files: Vec<Option<Stamp>>) -> Self {
        Self { files, folders: Vec::new(), changed: None, next: None, attempt: None, failing: false, reported: false }
    }

    /// Records the stamps of the files and of their folders. While the files cannot be read, a change of a folder counts too, because a
    /// missing file may have appeared in it.
    pub fn record_stamps(&mut self, now: Instant, files: Vec<Option<Stamp>>, folders: Vec<Option<Stamp>>) {
        let changed = self.files != files;
        let appeared = self.failing && self.folders != folders;
        if changed {
            self.reported = false;
        }
        if changed || appeared {
            self.changed = Some(now);
            self.next = Some(now + SETTLE_DELAY);
        }
        (self.files, self.folders) = (files, folders);
    }

    /// Returns the next step. After [`Step::Read`] this is [`Step::Wait`], until [`Reload::failed`], [`Reload::postpone`] or
    /// [`Reload::drop_attempt`] is called.
    pub fn step(&mut self, now: Instant) -> Step {
        let (None, Some(changed), Some(next)) = (self.attempt, self.changed, self.next) else { return Step::Wait(None) };
        let done = changed + REPORT_DELAY;
        if self.is_gone() {
            if now < done {
                return Step::Wait(Some(done));
            }
            self.changed = None;
            return Step::Gone;
        }
        if now < next {
            return Step::Wait(Some(next));
        }
        let last = now >= done;
        self.attempt = Some(Attempt { since: now, last });
        Step::Read { last }
    }

    /// Records that the files could not be read. Returns whether to report the error now.
    pub fn failed(&mut self, now: Instant) -> bool {
        let (Some(attempt), Some(changed)) = (self.attempt.take(), self.changed) else { return false };
        self.failing = true;
        if changed > attempt.since {
            // The files have changed since they were read, and that change schedules the next attempt.
            return false;
        }
        if attempt.last {
            self.changed = None;
            return !std::mem::replace(&mut self.reported, true);
        }
        self.next = Some((now + RETRY_DELAY).min(changed + REPORT_DELAY));
        false
    }

    /// Postpones the current attempt, because other work has to be done first.
    pub fn postpone(&mut self, now: Instant) {
        if self.attempt.take().is_some() {
            self.next = Some(now + RETRY_DELAY);
        }
    }

    /// Drops the current attempt, because the user declined it. The next change of the files starts a new attempt.
    pub fn drop_attempt(&mut self) {
        if let Some(attempt) = self.attempt.take()
            && self.changed.is_some_and(|changed| changed <= attempt.since)
        {
            self.changed = None;
        }
    }

    /// Returns whether to poll the files. There may be no notification about a missing file, because it is not watched, and its folder may
    /// be missing, too.
    pub fn needs_polling(&self) -> bool {
        self.failing || self.is_gone()
    }

    /// Returns whether the model's own file is missing.
    fn is_gone(&self) -> bool {
        self.files.first().is_some_and(Option::is_none)
    }
}

/// Returns whether any image that was readable before is not readable now. Another program may still be writing it.
pub fn lost_images(before: &[Finding], after: &[Finding]) -> bool {
    // The findings about an image that cannot be read, cannot be decoded, or is truncated.
    const LOST: [&str; 3] = ["IMAGE_UNAVAILABLE", "IMAGE_DATA_INVALID", "IMAGE_UNEXPECTED_EOS"];
    let bad = |finding: &&Finding| LOST.contains(&finding.code);
    let known = |finding: &Finding| before.iter().any(|other| other.code == finding.code && other.pointer == finding.pointer);
    after.iter().filter(bad).any(|finding| !known(finding))
}
