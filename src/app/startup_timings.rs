//! Records when each step of the start begins and ends, for `--timings`. The main thread adds its steps with [`StartupTimings::lap`]. The
//! threads that read and upload the first file send their steps with it, so steps of different threads can overlap. The table is printed
//! once the first file is drawn with all of its images.

use std::fmt::Write;
use std::time::{Duration, Instant};

use crate::session::document::{Document, ImageState};

/// Parts of a step that are farther apart than this are shown as separate steps.
const MAX_PAUSE: Duration = Duration::from_millis(20);
/// Names of the steps that are frames.
const FIRST_FRAME: &str = "first frame";
const FRAME_WITH_IMAGES: &str = "frame with all images";

/// A step of the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Name of the step, as printed.
    pub name: &'static str,
    /// When the step began.
    pub start: Instant,
    /// When the step ended.
    pub end: Instant,
}

impl Step {
    /// A step that ends now.
    pub fn since(name: &'static str, start: Instant) -> Self {
        Self { name, start, end: Instant::now() }
    }
}

/// The steps of the start so far.
#[derive(Debug)]
pub struct StartupTimings {
    /// When `main` began.
    started: Instant,
    /// When the main thread ended its last step.
    last_end: Instant,
    steps: Vec<Step>,
}

impl StartupTimings {
    /// Timings without steps. `started` is when `main` began.
    pub fn new(started: Instant) -> Self {
        Self { started, last_end: started, steps: Vec::new() }
    }

    /// Adds a step of the main thread, which lasted from the end of its last step until now.
    pub fn lap(&mut self, name: &'static str) {
        let step = Step::since(name, self.last_end);
        self.last_end = step.end;
        self.steps.push(step);
    }

    /// Adds steps of other threads.
    pub fn add(&mut self, steps: &[Step]) {
        self.steps.extend_from_slice(steps);
    }

    /// Adds a part of a step. Several parts may run at once, on any threads. Parts with the same name become one step, unless they are far
    /// apart in time.
    pub fn add_part(&mut self, part: Step) {
        let is_near = |step: &&mut Step| step.name == part.name && part.start <= step.end + MAX_PAUSE && step.start <= part.end + MAX_PAUSE;
        match self.steps.iter_mut().find(is_near) {
            Some(step) => (step.start, step.end) = (step.start.min(part.start), step.end.max(part.end)),
            None => self.steps.push(part),
        }
    }

    /// Adds a frame that shows the first file. Returns the table of all steps if the file was drawn with all of its images: then the start
    /// is over.
    pub fn frame_drawn(&mut self, start: Instant, document: &Document) -> Option<String> {
        let is_complete = !document.image_states.contains(&ImageState::Pending);
        let is_first = !self.steps.iter().any(|step| step.name == FIRST_FRAME);
        if is_first {
            self.steps.push(Step::since(FIRST_FRAME, start));
        } else if is_complete {
            self.steps.push(Step::since(FRAME_WITH_IMAGES, start));
        }
        is_complete.then(|| self.table())
    }

    /// The steps in the order in which they began: when each began and ended, in milliseconds since `main` began.
    fn table(&self) -> String {
        let mut steps = self.steps.clone();
        steps.sort_by_key(|step| step.start);
        let mut table = format!("{:22} {:>8} {:>8} {:>8}\n", "milliseconds", "start", "end", "duration");
        let since_start = |time: Instant| time.saturating_duration_since(self.started).as_secs_f64() * 1000.0;
        for Step { name, start, end } in steps {
            let [start, end] = [start, end].map(since_start);
            // Writing to a string cannot fail.
            let _ = writeln!(table, "{name:22} {start:8.1} {end:8.1} {:8.1}", end - start);
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::model::Model;
    use crate::model::texture::Image;

    use super::*;

    #[test]
    fn prints_the_steps_in_the_order_of_their_starts() {
        let started = Instant::now();
        let at = |milliseconds| started + Duration::from_millis(milliseconds);
        let mut timings = StartupTimings::new(started);
        timings.add(&[Step { name: "upload", start: at(7), end: at(12) }, Step { name: "read", start: at(3), end: at(7) }]);
        let table = timings.table();
        let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows[1..], [vec!["read", "3.0", "7.0", "4.0"], vec!["upload", "7.0", "12.0", "5.0"]]);
    }

    #[test]
    fn parts_that_are_near_in_time_are_one_step() {
        let started = Instant::now();
        let part =
            |name, start, end| Step { name, start: started + Duration::from_millis(start), end: started + Duration::from_millis(end) };
        let mut timings = StartupTimings::new(started);
        let parts = [part("decode", 5, 9), part("decode", 3, 6), part("upload", 9, 10), part("decode", 20, 30), part("decode", 90, 95)];
        parts.into_iter().for_each(|part| timings.add_part(part));
        assert_eq!(timings.steps, [part("decode", 3, 30), part("upload", 9, 10), part("decode", 90, 95)]);
    }

    #[test]
    fn ends_with_the_first_frame_that_has_all_images() {
        let model = Model { images: vec![Image::default()], ..Model::default() };
        let mut document = Document::new(Arc::new(model), "a".into(), None);
        let mut timings = StartupTimings::new(Instant::now());
        assert_eq!(timings.frame_drawn(Instant::now(), &document), None);
        document.image_done(0, Ok(()));
        let table = timings.frame_drawn(Instant::now(), &document).unwrap();
        assert!(table.contains("\nfirst frame ") && table.contains("\nframe with all images "), "{table}");
    }
}
