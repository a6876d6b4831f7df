//! Finds the nodes under clicks on B, or in selection boxes, on a background thread, because that can take long for a heavy model. The
//! answers come in the order of the clicks.

use std::sync::mpsc::{self, Sender};

use winit::event_loop::EventLoopProxy;

use crate::app::comparison::open_comparison::OpenComparison;
use crate::app::worker_events::{AppEvent, PickedOther};
use crate::model::node::NodeIndex;
use crate::session::document::Document;
use crate::session::pick;
use crate::session::pose::solve::Posed;
use crate::session::view::View;
use crate::ui::context::comparison::{OtherPick, PickTarget};

use super::catch_panic;

/// Resolves the clicks one after the other.
#[derive(Default)]
pub struct OtherPickWorker {
    /// Leads to the thread, which starts with the first click.
    jobs: Option<Sender<PickJob>>,
}

/// A click or a box, and B as it was shown then.
struct PickJob {
    document: Document,
    view: View,
    posed: Posed,
    pick: OtherPick,
}

impl OtherPickWorker {
    /// Starts finding the nodes under a click or in a box, in the pose of the current frame.
    pub fn start(&mut self, comparison: &OpenComparison, pick: OtherPick, proxy: &EventLoopProxy<AppEvent>) {
        let (subject, posed) = (comparison.subject(), comparison.pose.posed.clone());
        let job = PickJob { document: subject.document.clone(), view: subject.view.clone(), posed, pick };
        let jobs = self.jobs.get_or_insert_with(|| {
            let proxy = proxy.clone();
            in_order(move |job: PickJob| match catch_panic(|| nodes(&job)) {
                Ok(nodes) => {
                    let picked = PickedOther { document: job.document.id, pick: job.pick, nodes };
                    AppEvent::OtherPicked(Box::new(picked)).send(&proxy);
                }
                Err(message) => log::error!("a click could not be resolved: {message}"),
            })
        });
        // The thread ends only with the worker.
        let _ = jobs.send(job);
    }
}

/// Starts a thread that does the jobs in the order in which they are sent. It ends when the sender is dropped.
fn in_order<J: Send + 'static>(work: impl Fn(J) + Send + 'static) -> Sender<J> {
    let (sender, jobs) = mpsc::channel();
    std::thread::spawn(move || jobs.into_iter().for_each(work));
    sender
}

/// The nodes of B under the click, the nearest first, or in the box.
fn nodes(job: &PickJob) -> Vec<NodeIndex> {
    let PickJob { document, view, posed, pick: OtherPick { projection, target, has_joints } } = job;
    match *target {
        PickTarget::Box { corners, .. } => pick::inside(document, view, posed, projection, corners),
        PickTarget::Point { point, .. } | PickTarget::Menu { point } if *has_joints => {
            pick::under(document, view, posed, projection, point)
        }
        PickTarget::Point { point, .. } | PickTarget::Menu { point } => {
            pick::meshes_under(document, view, posed, projection, point).into_iter().map(|hit| hit.node).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_of_a_slow_click_comes_before_that_of_a_later_fast_one() {
        let (answers, answered) = mpsc::channel();
        let jobs = in_order(move |milliseconds: u64| {
            std::thread::sleep(std::time::Duration::from_millis(milliseconds));
            answers.send(milliseconds).unwrap();
        });
        for milliseconds in [50, 0] {
            jobs.send(milliseconds).unwrap();
        }
        drop(jobs);
        assert_eq!(answered.iter().collect::<Vec<_>>(), [50, 0]);
    }
}
