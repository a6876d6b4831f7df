//! When files that changed on disk are read again: as soon as nobody seems to write them any more; again and again while
//! they cannot be read; and when they have been still for long enough and still cannot, it is said. Pure: what is found and
//! what time it is comes from outside.

use std::time::{Duration, Instant};

use crate::asset::file::stamp::Stamp;
use crate::model::finding::Finding;

/// Still for so long, the files are tried: the writer may be done.
pub const SETTLED: Duration = Duration::from_millis(150);
/// From one try to the next.
pub const AGAIN: Duration = Duration::from_millis(400);
/// Still for so long, the files are what they are: what is wrong with them is said.
pub const DONE: Duration = Duration::from_secs(2);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Nothing to do before this; none: before a file is seen to change.
    Wait(Option<Instant>),
    /// Read the files now. `last`: they are as they will be, so take what can be shown and say what is wrong.
    Read { last: bool },
    /// The first file is gone and does not come back for now.
    Gone,
}

/// The files of one model, the model's own first.
#[derive(Debug, Clone)]
pub struct Reload {
    files: Vec<Option<Stamp>>,
    folders: Vec<Option<Stamp>>,
    /// When they last changed, while that leaves something to do.
    changed: Option<Instant>,
    /// When to try next.
    next: Option<Instant>,
    trying: Option<Try>,
    failing: bool,
    told: bool,
}

#[derive(Debug, Clone, Copy)]
struct Try {
    since: Instant,
    last: bool,
}

impl Reload {
    /// The files as the model was read from them.
    pub fn new(files: Vec<Option<Stamp>>) -> Self {
        Self { files, folders: Vec::new(), changed: None, next: None, trying: None, failing: false, told: false }
    }

    /// Looks at the files, and at their folders: while the files cannot be read, one that is missing may appear there.
    pub fn see(&mut self, now: Instant, files: Vec<Option<Stamp>>, folders: Vec<Option<Stamp>>) {
        let changed = self.files != files;
        let appeared = self.failing && self.folders != folders;
        if changed {
            self.told = false;
        }
        if changed || appeared {
            self.changed = Some(now);
            self.next = Some(now + SETTLED);
        }
        (self.files, self.folders) = (files, folders);
    }

    /// What to do now. After [`Step::Read`] it waits for word of what became of it.
    pub fn step(&mut self, now: Instant) -> Step {
        let (None, Some(changed), Some(next)) = (self.trying, self.changed, self.next) else { return Step::Wait(None) };
        let done = changed + DONE;
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
        self.trying = Some(Try { since: now, last });
        Step::Read { last }
    }

    /// The files could not be read. True: it is time to say so.
    pub fn failed(&mut self, now: Instant) -> bool {
        let (Some(tried), Some(changed)) = (self.trying.take(), self.changed) else { return false };
        self.failing = true;
        if changed > tried.since {
            // What was read is no more: the next try follows the change.
            return false;
        }
        if tried.last {
            self.changed = None;
            return !std::mem::replace(&mut self.told, true);
        }
        self.next = Some((now + AGAIN).min(changed + DONE));
        false
    }

    /// Something else has to be done first.
    pub fn later(&mut self, now: Instant) {
        if self.trying.take().is_some() {
            self.next = Some(now + AGAIN);
        }
    }

    /// A person wants none of it, until the files change once more.
    pub fn dropped(&mut self) {
        if let Some(tried) = self.trying.take()
            && self.changed.is_some_and(|changed| changed <= tried.since)
        {
            self.changed = None;
        }
    }

    /// Whether to look at the files now and then, since nothing may tell of what is awaited: the file's folder may be gone with
    /// it, and a file that is missing is none that is watched.
    pub fn is_anxious(&self) -> bool {
        self.failing || self.is_gone()
    }

    fn is_gone(&self) -> bool {
        self.files.first().is_some_and(Option::is_none)
    }
}

/// Whether images that could be shown cannot be any more: one of them may be just being written.
pub fn lost_images(before: &[Finding], after: &[Finding]) -> bool {
    const LOST: [&str; 3] = ["IMAGE_UNAVAILABLE", "IMAGE_DATA_INVALID", "IMAGE_UNEXPECTED_EOS"];
    let bad = |finding: &&Finding| LOST.contains(&finding.code);
    let known = |finding: &Finding| before.iter().any(|other| other.code == finding.code && other.pointer == finding.pointer);
    after.iter().filter(bad).any(|finding| !known(finding))
}
