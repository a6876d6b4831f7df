//! Finds the nodes under a click on B, or in a selection box, on a background thread, because that can take long for a heavy model.

use winit::event_loop::EventLoopProxy;

use crate::app::comparison::open_comparison::OpenComparison;
use crate::app::worker_events::{AppEvent, PickedOther};
use crate::session::pick;
use crate::ui::context::comparison::{OtherPick, PickTarget};

use super::{catch_panic, send};

/// Starts finding the nodes under a click or in a box, in the pose of the current frame.
pub fn start(comparison: &OpenComparison, pick: OtherPick, proxy: EventLoopProxy<AppEvent>) {
    let (subject, posed) = (comparison.subject(), comparison.posed().clone());
    let (document, view) = (subject.document.clone(), subject.view.clone());
    std::thread::spawn(move || {
        let OtherPick { projection, target, has_joints } = pick;
        let found = catch_panic(|| match target {
            PickTarget::Box { corners, .. } => pick::inside(&document, &view, &posed, &projection, corners),
            PickTarget::Point { point, .. } | PickTarget::Menu { point } if has_joints => {
                pick::under(&document, &view, &posed, &projection, point)
            }
            PickTarget::Point { point, .. } | PickTarget::Menu { point } => {
                pick::meshes_under(&document, &posed, &projection, point).into_iter().map(|hit| hit.node).collect()
            }
        });
        match found {
            Ok(nodes) => send(&proxy, AppEvent::OtherPicked(Box::new(PickedOther { document: document.id, pick, nodes }))),
            Err(message) => log::error!("a click could not be resolved: {message}"),
        }
    });
}
