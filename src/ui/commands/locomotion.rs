//! Commands that make the camera follow a node and that show the model's locomotion.

use std::sync::Arc;

use crate::session::camera::orbit_controls;
use crate::session::locomotion::Locomotion;
use crate::session::locomotion::cache::LocomotionCache;
use crate::session::view::View;
use crate::ui::context::Context;
use crate::ui::context::request::Request;

use super::camera;

/// Toggles the speed graph. Showing it opens the timeline, which contains it.
pub fn toggle_speed_graph(context: &mut Context) {
    let shown = &mut context.view.display.speed_graph;
    *shown = !*shown;
    context.preferences.timeline |= *shown;
}

/// Toggles the foot contacts. Showing them opens the timeline, which also shows them.
pub fn toggle_foot_contacts(context: &mut Context) {
    let shown = &mut context.view.display.contacts;
    *shown = !*shown;
    context.preferences.timeline |= *shown;
}

/// Makes the camera follow the active node or the root, or makes it stop following.
pub fn toggle_follow(context: &mut Context) {
    set_followed(context, next_followed(context));
}

/// Makes the camera follow the active node or the root, and fits the view to the selection.
pub fn frame_and_follow(context: &mut Context) {
    let (node, selection) = (context.view.active().or_else(|| root(context)), context.view.selection.clone());
    if let Some(node) = node {
        set_followed(context, Some(node));
        context.requests.push(Request::Fit { nodes: if selection.is_empty() { vec![node] } else { selection } });
    }
}

/// The node to follow next: the active node, or the root if no node is active. `None` means that the camera stops following. This is so if
/// it already follows the active node, or follows any node while no node is active.
fn next_followed(context: &Context) -> Option<usize> {
    let wanted = context.view.active().or_else(|| root(context).filter(|_| context.view.follow.is_none()));
    wanted.filter(|&node| context.view.follow != Some(node))
}

/// Returns whether there is a node that the camera can follow, or that it already follows.
pub fn can_follow(context: &Context) -> bool {
    context.view.follow.is_some() || !context.view.selection.is_empty() || (is_shown(context.view) && root(context).is_some())
}

/// Source index of the root node, if it is known.
fn root(context: &Context) -> Option<usize> {
    let root = locomotion(context)?.root.as_ref()?.node;
    Some(context.document.model.nodes[root].source)
}

/// Makes the camera follow this node, or stop following. The current picture does not change.
pub fn set_followed(context: &mut Context, node: Option<usize>) {
    if node == context.view.follow {
        return;
    }
    let posed = context.subject().posed_with_known_roots(context.transport.moment());
    (context.view.camera, context.view.follow) = orbit_controls::follow(context.subject(), &posed, camera::aspect(context), node);
}

/// Returns whether the view needs the locomotion analysis.
pub fn is_shown(view: &View) -> bool {
    view.in_place || view.display.speed_graph || LocomotionCache::is_drawn(view)
}

/// The locomotion analysis, or `None` while it is computed. The window redraws when it is ready.
pub fn locomotion(context: &Context) -> Option<Arc<Locomotion>> {
    context.analyses.request_locomotion(context.document, context.view, &context.transport.moment())
}
