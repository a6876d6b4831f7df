//! Finds the nodes under a click on B, on a background thread, because that can take long for a heavy model.

use winit::event_loop::EventLoopProxy;

use crate::app::comparison::open_comparison::OpenComparison;
use crate::app::worker_events::{AppEvent, PickedOther};
use crate::session::pick;
use crate::ui::context::comparison::OtherClick;

use super::{catch_panic, send};

/// Starts finding the nodes under a click, in the pose of the current frame.
pub fn start(comparison: &OpenComparison, click: OtherClick, proxy: EventLoopProxy<AppEvent>) {
    let (subject, posed) = (comparison.subject(), comparison.posed().clone());
    let (document, view) = (subject.document.clone(), subject.view.clone());
    std::thread::spawn(move || {
        let OtherClick { projection, point, .. } = click;
        let found = catch_panic(|| match click.has_joints {
            true => pick::under(&document, &view, &posed, &projection, point),
            false => pick::meshes_under(&document, &posed, &projection, point).into_iter().map(|hit| hit.node).collect(),
        });
        match found {
            Ok(nodes) => send(&proxy, AppEvent::OtherPicked(Box::new(PickedOther { document: document.id, click, nodes }))),
            Err(message) => log::error!("a click could not be resolved: {message}"),
        }
    });
}
