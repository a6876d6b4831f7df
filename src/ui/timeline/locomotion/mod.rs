//! How the model gets along: what its actions do, and between the layers' lanes and the rows of the timeline, on their axis, the
//! speed of what carries it and a lane for each foot.

pub mod contacts;
pub mod speed;

use std::sync::Arc;

use egui::{Align2, FontId, Rect, Ui};

use crate::session::camera::orbit_controls;
use crate::session::locomotion::Locomotion;
use crate::session::locomotion::cache::LocomotionCache;
use crate::session::view::View;
use crate::session::view::display::Depth;
use crate::ui::actions::table::Action;
use crate::ui::commands::camera;
use crate::ui::style::{text, theme};
use crate::ui::{Context, Request};

use super::time_axis::TimeAxis;

pub const ACTIONS: [Action; 5] = [Action::InPlace, Action::GroundPath, Action::PathInFront, Action::SpeedGraph, Action::FootContacts];

pub fn perform(action: Action, frame: &mut Context) {
    let display = &mut frame.view.display;
    match action {
        Action::InPlace => frame.view.in_place = !frame.view.in_place,
        Action::GroundPath => display.path = !display.path,
        Action::PathInFront => {
            display.path_depth = if display.path_depth == Depth::Hidden { Depth::InFront } else { Depth::Hidden };
        }
        Action::SpeedGraph => {
            display.speed = !display.speed;
            frame.state.preferences.timeline |= display.speed;
        }
        Action::FootContacts => {
            display.contacts = !display.contacts;
            frame.state.preferences.timeline |= display.contacts;
        }
        Action::Follow => follow(frame, followed(frame)),
        Action::FocusAndFollow => {
            let (node, selection) = (frame.view.active().or_else(|| root(frame)), frame.view.selection.clone());
            if let Some(node) = node {
                follow(frame, Some(node));
                frame.commands.push(Request::Fit { nodes: if selection.is_empty() { vec![node] } else { selection } });
            }
        }
        _ => {}
    }
}

pub fn is_on(action: Action, view: &View) -> Option<bool> {
    match action {
        Action::InPlace => Some(view.in_place),
        Action::GroundPath => Some(view.display.path),
        Action::PathInFront => Some(view.display.path_depth == Depth::InFront),
        Action::SpeedGraph => Some(view.display.speed),
        Action::FootContacts => Some(view.display.contacts),
        Action::Follow => Some(view.follow.is_some()),
        _ => None,
    }
}

/// What the camera follows once more is asked for: what is selected, else what carries the model; that already: nothing.
fn followed(frame: &Context) -> Option<usize> {
    let wanted = frame.view.active().or_else(|| root(frame).filter(|_| frame.view.follow.is_none()));
    wanted.filter(|&node| frame.view.follow != Some(node))
}

/// Whether there is anything to follow, or to leave off following.
pub fn can_follow(frame: &Context) -> bool {
    frame.view.follow.is_some() || !frame.view.selection.is_empty() || (is_shown(frame.view) && root(frame).is_some())
}

/// The node that carries the model, by the file's index, as far as it is known.
fn root(frame: &Context) -> Option<usize> {
    let root = gait(frame)?.root.as_ref()?.node;
    Some(frame.document.model.nodes[root].source)
}

/// The camera goes along with a node from now on, or with none, and sees the same.
pub fn follow(frame: &mut Context, node: Option<usize>) {
    if node == frame.view.follow {
        return;
    }
    let posed = frame.subject().posed_with_known_roots(frame.transport.moment());
    (frame.view.camera, frame.view.follow) = orbit_controls::follow(frame.subject(), &posed, camera::aspect(frame), node);
}

/// Whether anything that is shown needs it.
pub fn is_shown(view: &View) -> bool {
    view.in_place || view.display.speed || LocomotionCache::is_drawn(view)
}

/// None: it is on its way, and the window draws once more when it is there.
pub fn gait(frame: &Context) -> Option<Arc<Locomotion>> {
    frame.analyses.request_locomotion(frame.document, frame.view, &frame.transport.moment())
}

/// Of all lanes; 0 where there are none.
pub fn height(frame: &Context) -> f32 {
    speed_height(frame) + contacts::height(frame)
}

fn speed_height(frame: &Context) -> f32 {
    if frame.view.display.speed { speed::HEIGHT } else { 0.0 }
}

pub fn lanes_ui(ui: &mut Ui, frame: &mut Context, names: Rect, tracks: Rect, axis: &TimeAxis) {
    let all = names.union(tracks);
    if all.height() <= 0.0 {
        return;
    }
    ui.painter().rect_filled(names, 0.0, theme::palette(ui.ctx()).panel);
    let gait = gait(frame);
    let split = all.top() + speed_height(frame).min(all.height());
    let halves = |rect: Rect| rect.split_top_bottom_at_y(split);
    let ((speed_names, contact_names), (speed_track, contact_tracks)) = (halves(names), halves(tracks));
    if frame.view.display.speed {
        speed::speed_ui(ui, frame, gait.as_ref(), [speed_names, speed_track], axis);
    }
    if frame.view.display.contacts {
        contacts::contacts_ui(ui, frame, gait.as_ref(), [contact_names, contact_tracks], axis);
    }
}

/// Instead of what cannot be shown.
fn said(ui: &Ui, rect: Rect, words: &str) {
    let (color, font) = (theme::palette(ui.ctx()).secondary, FontId::proportional(11.0));
    let short = text::elide_middle(ui, words, &font, rect.width() - 2.0 * theme::MARGIN);
    ui.painter_at(rect).text(rect.center(), Align2::CENTER_CENTER, short, font, color);
}
