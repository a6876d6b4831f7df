//! What each action does: it edits the view, the transport or what the panels remember, or asks the application by a
//! [`Request`]. Keys, menus and buttons all come through [`perform`].

use std::f64::consts::PI;

use crate::camera::Orbit;
use crate::session::camera::orbit_controls::Side;
use crate::session::camera::view_camera;
use crate::session::view::ViewCamera;
use crate::session::view::display::{JointNames, Shading, Weights};
use crate::session::view::joint_switches::Column;

use super::actions::availability::hindrance;
use super::actions::table::Action;
use super::commands::{camera, copy_transforms, isolate, playback, selection, switches};
use super::preferences::TimelineRows;
use super::timeline::{self, layer_strips, locomotion, zoom};
use super::viewport::legends::{heat_map, motion_trail};
use super::{Context, Dialog, Request, UiState};

/// An arrow key turns by 15 degrees, pans by a tenth of the view, + and - zoom by a fifth.
const TURN: f64 = PI / 12.0;
const PAN: f64 = 0.1;
const ZOOM: f64 = 1.25;
/// A step of the scale, and how far it goes.
const SCALE_STEP: f32 = 0.1;
pub const SCALES: [f32; 2] = [0.5, 3.0];

pub fn perform(action: Action, frame: &mut Context) {
    match action {
        Action::Open => frame.commands.push(Request::OpenDialog),
        Action::Reload => frame.commands.push(Request::Reload),
        Action::PreviousFile => step_file(frame, -1),
        Action::NextFile => step_file(frame, 1),
        Action::OpenSample => frame.commands.push(Request::OpenSample),
        Action::OpenEnvironment => frame.commands.push(Request::EnvironmentDialog),
        Action::StudioEnvironment => frame.commands.push(Request::Environment(None)),
        Action::Screenshot => open_dialog(frame, Dialog::Screenshot),
        Action::ScreenshotNow => frame.commands.push(Request::SaveScreenshotNow),
        Action::ExportClip => export_clip(frame),
        Action::CopyCommand => frame.commands.push(Request::CopyCommand { clip: None }),
        Action::SaveView => frame.commands.push(Request::SaveView { path: None }),
        Action::Quit => frame.commands.push(Request::Quit),
        Action::Undo => frame.commands.push(Request::Undo),
        Action::Redo => frame.commands.push(Request::Redo),
        Action::FullScreen => frame.commands.push(Request::ToggleFullScreen),

        Action::PlayPause => playback::toggle(frame),
        Action::PlayBackward => playback::shuttle(frame, -1.0),
        Action::Pause => frame.transport.pause(),
        Action::PlayForward => playback::shuttle(frame, 1.0),
        Action::Slower => playback::change_speed(frame, -0.1),
        Action::Faster => playback::change_speed(frame, 0.1),
        Action::NormalSpeed => frame.view.speed = 1.0,
        Action::PreviousFrame => playback::step(frame, -1),
        Action::NextFrame => playback::step(frame, 1),
        Action::BackTenFrames => playback::step(frame, -10),
        Action::ForwardTenFrames => playback::step(frame, 10),
        Action::First => playback::to_end(frame, false),
        Action::Last => playback::to_end(frame, true),
        Action::PreviousKey => playback::to_key(frame, false),
        Action::NextKey => playback::to_key(frame, true),
        Action::SetIn => playback::set_in(frame),
        Action::SetOut => playback::set_out(frame),
        Action::ClearRange => frame.view.range = None,
        Action::FitTimeline => zoom::fit(frame),
        Action::Repeat => playback::next_repeat(frame),
        Action::PlayInTurn => playback::all_in_turn(frame),
        Action::BindPose => flip(&mut frame.view.bind_pose),
        Action::ResetMorphs => frame.view.morphs.clear(),
        Action::PreviousAnimation => playback::neighbour_animation(frame, -1),
        Action::NextAnimation => playback::neighbour_animation(frame, 1),

        Action::SelectAll => selection::all(frame),
        Action::SelectNone => frame.view.selection.clear(),
        Action::SelectParent => selection::parent(frame, false),
        Action::SelectChild => selection::child(frame, false),
        Action::AddParent => selection::parent(frame, true),
        Action::AddChild => selection::child(frame, true),
        Action::Search => frame.state.focus_search = true,
        Action::CopyValues => copy_transforms::copy_values(frame),

        Action::Drawn => switch(frame, Column::Drawn, false),
        Action::Animated => switch(frame, Column::Animated, false),
        Action::Influence => switch(frame, Column::Influence, false),
        Action::Geometry => geometry(frame, false),
        Action::IsolateGeometry => switches::isolate_geometry(frame),
        Action::Solo => solo(frame, false),
        Action::SubtreeDrawn => switch(frame, Column::Drawn, true),
        Action::SubtreeAnimated => switch(frame, Column::Animated, true),
        Action::SubtreeInfluence => switch(frame, Column::Influence, true),
        Action::SubtreeGeometry => geometry(frame, true),
        Action::SubtreeSolo => solo(frame, true),
        Action::ClearDrawn => switches::clear(frame, Column::Drawn),
        Action::ClearAnimated => switches::clear(frame, Column::Animated),
        Action::ClearInfluence => switches::clear(frame, Column::Influence),
        Action::ClearGeometry => {
            switches::clear(frame, Column::Visible);
            switches::clear(frame, Column::Geometry);
        }
        Action::ClearSolo => switches::clear_solo(frame),
        Action::Isolate => isolate::toggle(frame),
        Action::ResetSwitches => frame.view.switches.clear(),

        Action::FitSelection => camera::fit(frame, frame.view.selection.clone()),
        Action::FitAll => camera::fit(frame, Vec::new()),
        Action::Follow | Action::FocusAndFollow => locomotion::perform(action, frame),
        Action::LookFront => camera::look(frame, Side::Front),
        Action::LookRight => camera::look(frame, Side::Right),
        Action::LookTop => camera::look(frame, Side::Top),
        Action::LookBack => camera::look(frame, Side::Back),
        Action::LookLeft => camera::look(frame, Side::Left),
        Action::LookBottom => camera::look(frame, Side::Bottom),
        Action::OrbitLeft => camera::turn(frame, -TURN, 0.0),
        Action::OrbitRight => camera::turn(frame, TURN, 0.0),
        Action::OrbitUp => camera::turn(frame, 0.0, TURN),
        Action::OrbitDown => camera::turn(frame, 0.0, -TURN),
        Action::PanLeft => camera::pan(frame, -PAN, 0.0),
        Action::PanRight => camera::pan(frame, PAN, 0.0),
        Action::PanUp => camera::pan(frame, 0.0, PAN),
        Action::PanDown => camera::pan(frame, 0.0, -PAN),
        Action::ZoomIn => camera::zoom(frame, ZOOM),
        Action::ZoomOut => camera::zoom(frame, 1.0 / ZOOM),
        Action::Orthographic => camera::steer(frame, |orbit| Orbit { orthographic: !orbit.orthographic, ..*orbit }),
        Action::NextCamera => next_camera(frame),

        Action::ShadeLit => shade(frame, Shading::Lit),
        Action::ShadeBaseColor => shade(frame, Shading::BaseColor),
        Action::ShadeClay => shade(frame, Shading::Clay),
        Action::ShadeNormals => shade(frame, Shading::Normals),
        Action::ShadeTangents => shade(frame, Shading::Tangents),
        Action::ShadeUv => shade(frame, Shading::Uv),
        Action::ShadeVertexColors => shade(frame, Shading::VertexColors),
        Action::Wireframe => flip(&mut frame.view.display.wireframe),
        Action::XRay => flip(&mut frame.view.display.xray),
        Action::Weights => heat_map::toggle(frame, Weights::Selection),
        Action::AllWeights => heat_map::toggle(frame, Weights::All),
        Action::Outline => flip(&mut frame.view.display.outline),
        Action::Skeleton => flip(&mut frame.view.display.skeleton),
        Action::JointAxes => flip(&mut frame.view.display.joint_axes),
        Action::JointNames => joint_names(frame),
        Action::Grid => flip(&mut frame.view.display.grid),
        Action::Axes => flip(&mut frame.view.display.axes),
        Action::MotionTrail | Action::TrailWindow | Action::TrailHidden => motion_trail::perform(action, frame),
        Action::OnionSkin | Action::RestGhost | Action::BindGhost | Action::SkeletonHidden => motion_trail::perform(action, frame),
        Action::InPlace | Action::GroundPath | Action::PathInFront => locomotion::perform(action, frame),
        Action::SpeedGraph | Action::FootContacts => locomotion::perform(action, frame),

        Action::LeftPanel => flip(&mut frame.state.preferences.left_panel),
        Action::Timeline => flip(&mut frame.state.preferences.timeline),
        Action::TimelineRows => next_rows(frame.state),
        Action::Inspector => frame.state.show_inspector(!frame.state.inspector_shown()),
        Action::Performance => performance(frame.state),
        Action::AllPanels => all_panels(frame.state),
        Action::LargerScale => scale(frame.state, frame.state.preferences.scale + SCALE_STEP),
        Action::SmallerScale => scale(frame.state, frame.state.preferences.scale - SCALE_STEP),
        Action::NormalScale => scale(frame.state, 1.0),
        Action::Settings => open_dialog(frame, Dialog::Settings),
        Action::Commands => open_dialog(frame, Dialog::Commands),
        Action::Shortcuts => {
            frame.state.shortcut_search.clear();
            open_dialog(frame, Dialog::Shortcuts);
        }
        Action::About => open_dialog(frame, Dialog::About),
        Action::Back => back(frame),
    }
}

/// Whether an action that switches something has it on: the mark in menus, the state of buttons.
pub fn is_on(action: Action, frame: &Context) -> Option<bool> {
    let display = &frame.view.display;
    let shaded = |shading| Some(display.shading == shading && display.weights == Weights::Off);
    match action {
        Action::ShadeLit => shaded(Shading::Lit),
        Action::ShadeBaseColor => shaded(Shading::BaseColor),
        Action::ShadeClay => shaded(Shading::Clay),
        Action::ShadeNormals => shaded(Shading::Normals),
        Action::ShadeTangents => shaded(Shading::Tangents),
        Action::ShadeUv => shaded(Shading::Uv),
        Action::ShadeVertexColors => shaded(Shading::VertexColors),
        Action::Wireframe => Some(display.wireframe),
        Action::XRay => Some(display.xray),
        Action::Weights => Some(display.weights == Weights::Selection),
        Action::AllWeights => Some(display.weights == Weights::All),
        Action::Outline => Some(display.outline),
        Action::Skeleton => Some(display.skeleton),
        Action::JointAxes => Some(display.joint_axes),
        Action::JointNames => Some(display.names == JointNames::All),
        Action::BindPose => Some(frame.view.bind_pose),
        Action::Isolate => Some(isolate::is_isolated(frame)),
        Action::Grid => Some(display.grid),
        Action::Axes => Some(display.axes),
        Action::MotionTrail | Action::TrailWindow | Action::TrailHidden => motion_trail::is_on(action, display),
        Action::OnionSkin | Action::RestGhost | Action::BindGhost | Action::SkeletonHidden => motion_trail::is_on(action, display),
        Action::InPlace | Action::GroundPath | Action::PathInFront => locomotion::is_on(action, frame.view),
        Action::SpeedGraph | Action::FootContacts | Action::Follow => locomotion::is_on(action, frame.view),
        Action::PlayInTurn => Some(!frame.view.playlist.is_empty()),
        Action::LeftPanel => Some(frame.state.preferences.left_panel),
        Action::Timeline => Some(frame.state.preferences.timeline),
        Action::Inspector => Some(frame.state.inspector_shown()),
        Action::Performance => Some(frame.state.performance_shown()),
        Action::Orthographic => match frame.view.camera {
            ViewCamera::Orbit(orbit) => Some(orbit.orthographic),
            ViewCamera::Fit | ViewCamera::File(_) => Some(false),
        },
        _ => None,
    }
}

/// As it stands in the menus: undo says what it takes back.
pub fn label(action: Action, frame: &Context) -> String {
    let what = match action {
        Action::Undo => frame.state.next_undo,
        Action::Redo => frame.state.next_redo,
        _ => None,
    };
    what.map_or_else(|| action.label().to_owned(), |what| format!("{}: {what}", action.label()))
}

/// What a key asks for, unless there is nothing to do: then tells why not.
pub fn perform_possible(action: Action, frame: &mut Context) -> Option<String> {
    let why = hindrance(action, frame);
    // What was changed in the same frame can be taken back, and is not known of yet.
    if why.is_none() || matches!(action, Action::Undo | Action::Redo) {
        perform(action, frame);
    }
    why.map(|why| format!("{}: {why}", action.label()))
}

fn flip(value: &mut bool) {
    *value = !*value;
}

/// All of them, or none.
fn joint_names(frame: &mut Context) {
    let names = &mut frame.view.display.names;
    *names = if *names == JointNames::All { JointNames::None } else { JointNames::All };
}

fn open_dialog(frame: &mut Context, dialog: Dialog) {
    frame.state.dialog = Some(dialog);
}

fn export_clip(frame: &mut Context) {
    frame.commands.push(Request::LookForFfmpeg);
    open_dialog(frame, Dialog::Clip);
}

fn step_file(frame: &mut Context, by: isize) {
    if frame.state.files > 1 {
        frame.commands.push(Request::StepFile(by));
    }
}

fn switch(frame: &mut Context, column: Column, subtree: bool) {
    let nodes = switched(frame, subtree);
    switches::toggle(frame, &nodes, column);
}

/// Weights are a shading, too: another takes their place.
fn shade(frame: &mut Context, shading: Shading) {
    (frame.view.display.shading, frame.view.display.weights) = (shading, Weights::Off);
}

/// What joints carry, and the meshes of all other nodes.
fn geometry(frame: &mut Context, subtree: bool) {
    switch(frame, Column::Visible, subtree);
    switch(frame, Column::Geometry, subtree);
}

/// Solo of the column that shows and hides: the overlay's for joints, the node's own for others.
fn solo(frame: &mut Context, subtree: bool) {
    let nodes = switched(frame, subtree);
    switches::toggle_solo(frame, &nodes, Column::Drawn);
    switches::toggle_solo(frame, &nodes, Column::Visible);
}

fn switched(frame: &Context, subtree: bool) -> Vec<crate::model::node::NodeIndex> {
    let nodes = switches::selected(frame);
    if subtree { switches::with_subtrees(frame.document, &nodes) } else { nodes }
}

/// Through the cameras that stand somewhere, then back to the free one.
fn next_camera(frame: &mut Context) {
    let model = &frame.document.model;
    let first = match frame.view.camera {
        ViewCamera::File(camera) => camera + 1,
        ViewCamera::Fit | ViewCamera::Orbit(_) => 0,
    };
    let next = (first..model.cameras.len()).find(|&camera| view_camera::camera_node(model, frame.view, camera).is_some());
    frame.view.camera = next.map_or(ViewCamera::Fit, ViewCamera::File);
}

/// Of a collapsed timeline the rows come back as they were.
fn next_rows(state: &mut UiState) {
    let rows = &mut state.preferences.timeline_rows;
    match rows {
        _ if !state.preferences.timeline => state.preferences.timeline = true,
        TimelineRows::Sheet => *rows = TimelineRows::Curves,
        TimelineRows::Curves => *rows = TimelineRows::None,
        TimelineRows::None => *rows = TimelineRows::Sheet,
    }
}

/// Away with all of them, or back with all.
fn all_panels(state: &mut UiState) {
    let show = !(state.preferences.left_panel || state.preferences.timeline || state.inspector_shown());
    state.preferences.left_panel = show;
    state.preferences.timeline = show;
    state.show_inspector(show);
}

/// A section of the inspector: shown where it can be seen, with the inspector if that is collapsed.
fn performance(state: &mut UiState) {
    let show = !state.performance_shown();
    state.preferences.performance = show;
    if show {
        state.show_inspector(true);
    }
}

fn scale(state: &mut UiState, scale: f32) {
    state.preferences.scale = ((scale / SCALE_STEP).round() * SCALE_STEP).clamp(SCALES[0], SCALES[1]);
}

/// Escape, one thing a press: the dialog, a drag, loading, what is searched, the selected keys, the selected nodes. Never quits.
fn back(frame: &mut Context) {
    if frame.state.dialog.take().is_some() {
        return;
    }
    frame.state.preferences.hint_seen = true;
    if timeline::cancel_scrub(frame) || layer_strips::cancel_drag(frame) || frame.state.sheet.boxed.take().is_some() {
        return;
    }
    if frame.state.loading.is_some() {
        frame.commands.push(Request::CancelLoading);
    } else if frame.state.tree.is_searching() {
        frame.state.tree.search.clear();
    } else if !frame.state.sheet.search.is_empty() {
        frame.state.sheet.search.clear();
    } else if !frame.state.keys.is_empty() {
        frame.state.keys.clear();
    } else {
        frame.view.selection.clear();
    }
}
