//! Performs actions. The actions of keys, menus and buttons all pass through [`perform`], which runs a command, sends a request or changes
//! the state directly.

use std::f64::consts::PI;

use crate::compare::counterpart::CompareView;
use crate::session::camera::orbit_controls::StandardView;
use crate::session::view::display::GhostSource;
use crate::session::view::display::{HeatMap, Shading};
use crate::session::view::joint_switches::Column;
use crate::session::view::selection::SelectMode;

use super::actions::Action;
use super::commands::camera::{bookmarks, view_presets};
use super::commands::display::{self, flip};
use super::commands::nodes::switches::Scope;
use super::commands::nodes::{isolate, selection, switches};
use super::commands::panel_layout::{self, SCALE_STEP};
use super::commands::playback::Direction;
use super::commands::{camera, checks, copy_keys, locomotion, playback, trails};
use super::context::Context;
use super::context::preferences::{Preferences, TimelineRows};
use super::context::request::{Request, SaveKind};
use super::context::window_state::Dialog;
use super::inspector::morphs;
use super::state::PanelStates;
use super::timeline::scrub::{self, play_or_pause};
use super::timeline::{self, layer_strips, zoom};
use super::viewport;

/// An arrow key turns the camera by this angle, in radians.
const TURN_STEP: f64 = PI / 12.0;
/// An arrow key pans the camera by this fraction of the view's height.
const PAN_STEP: f64 = 0.1;
/// Plus and minus zoom by this factor.
const ZOOM_FACTOR: f64 = 1.25;

/// Performs an action without checking whether it is available.
pub fn perform(action: Action, panels: &mut PanelStates, context: &mut Context) {
    match action {
        Action::Open => context.requests.push(Request::OpenDialog),
        Action::AddAnimations => context.requests.push(Request::AnimationsDialog),
        Action::Reload => context.requests.push(Request::Reload),
        Action::Compare => context.requests.push(Request::CompareDialog),
        Action::ComparePreviousVersion => context.requests.push(Request::ComparePreviousVersion),
        Action::BindingReport => panel_layout::open_binding_report(context),
        Action::CompareAnimation => display::compare_with_another(context),
        Action::CompareSide => display::compare(context, CompareView::Side),
        Action::CompareOverlay => display::compare(context, CompareView::Overlay),
        Action::CompareDifference => display::compare(context, CompareView::Difference),
        Action::SwapCompared => context.requests.push(Request::SwapCompared),
        Action::StopComparing => context.requests.push(Request::StopComparing),
        Action::PreviousFile => panel_layout::step_file(context, -1),
        Action::NextFile => panel_layout::step_file(context, 1),
        Action::OpenSample => context.requests.push(Request::OpenSample),
        Action::OpenEnvironment => context.requests.push(Request::EnvironmentDialog),
        Action::StudioEnvironment => context.requests.push(Request::Environment(None)),
        Action::Screenshot => panel_layout::open_dialog(context, Dialog::Screenshot),
        Action::ScreenshotNow => context.requests.push(Request::SaveScreenshotNow),
        Action::CopyPicture => context.requests.push(Request::CopyPicture),
        Action::ExportClip => panel_layout::open_clip_dialog(context),
        Action::ExportSheet => panel_layout::open_dialog(context, Dialog::ContactSheet),
        Action::CopyCommand => context.requests.push(Request::CopyCommand { clip: None }),
        Action::SaveView => context.requests.push(Request::Save { kind: SaveKind::View, path: None, overwrite: false }),
        Action::CheckFile => checks::run(context),
        Action::Validate => checks::validate(context),
        Action::Quit => context.requests.push(Request::Quit),
        Action::Undo => {
            let change = context.undo.undo(context.view);
            show_step(context, "Undo", change);
        }
        Action::Redo => {
            let change = context.undo.redo(context.view);
            show_step(context, "Redo", change);
        }
        Action::FullScreen => context.requests.push(Request::ToggleFullScreen),

        Action::PlayPause => play_or_pause(&mut panels.timeline.scrub, context, playback::toggle),
        Action::PlayBackward => play_or_pause(&mut panels.timeline.scrub, context, |context| playback::shuttle(context, -1.0)),
        Action::Pause => play_or_pause(&mut panels.timeline.scrub, context, playback::pause),
        Action::PlayForward => play_or_pause(&mut panels.timeline.scrub, context, |context| playback::shuttle(context, 1.0)),
        Action::Slower => playback::change_speed(context, -0.1),
        Action::Faster => playback::change_speed(context, 0.1),
        Action::NormalSpeed => context.view.speed = 1.0,
        Action::PreviousFrame => playback::step(context, -1),
        Action::NextFrame => playback::step(context, 1),
        Action::BackTenFrames => playback::step(context, -10),
        Action::ForwardTenFrames => playback::step(context, 10),
        Action::First => playback::go_to_end(context, Direction::Backward),
        Action::Last => playback::go_to_end(context, Direction::Forward),
        Action::PreviousKey => playback::go_to_key(context, Direction::Backward),
        Action::NextKey => playback::go_to_key(context, Direction::Forward),
        Action::SetIn => playback::set_in(context),
        Action::SetOut => playback::set_out(context),
        Action::ClearRange => context.view.range = None,
        Action::FitTimeline => zoom::fit(&mut panels.timeline.zoom, context),
        Action::Repeat => playback::next_repeat(context),
        Action::PlayAllInSequence => playback::toggle_playlist_of_all(context),
        Action::BindPose => flip(&mut context.view.bind_pose),
        Action::ResetMorphs => context.view.morphs.clear(),
        Action::PreviousAnimation => playback::step_animation(context, -1),
        Action::NextAnimation => playback::step_animation(context, 1),

        Action::SelectAll => selection::select_all(context),
        Action::SelectNone => context.view.selection.clear(),
        Action::SelectParent => selection::select_parent(context, SelectMode::Only),
        Action::SelectChild => selection::select_child(context, SelectMode::Only),
        Action::AddParent => selection::select_parent(context, SelectMode::Add),
        Action::AddChild => selection::select_child(context, SelectMode::Add),
        Action::Search => panel_layout::search_nodes(context),
        Action::CopyValues => copy_keys::copy_keys_or_transforms(context),

        Action::Drawn => switches::toggle_selected(context, Column::Drawn, Scope::Nodes),
        Action::Animated => switches::toggle_selected(context, Column::Animated, Scope::Nodes),
        Action::Influence => switches::toggle_selected(context, Column::Influence, Scope::Nodes),
        Action::Geometry => switches::toggle_geometry(context, Scope::Nodes),
        Action::IsolateGeometry => switches::isolate_geometry(context),
        Action::Solo => switches::toggle_selected_solo(context, Scope::Nodes),
        Action::SubtreeDrawn => switches::toggle_selected(context, Column::Drawn, Scope::Subtrees),
        Action::SubtreeAnimated => switches::toggle_selected(context, Column::Animated, Scope::Subtrees),
        Action::SubtreeInfluence => switches::toggle_selected(context, Column::Influence, Scope::Subtrees),
        Action::SubtreeGeometry => switches::toggle_geometry(context, Scope::Subtrees),
        Action::SubtreeSolo => switches::toggle_selected_solo(context, Scope::Subtrees),
        Action::ClearDrawn => switches::clear(context, Column::Drawn),
        Action::ClearAnimated => switches::clear(context, Column::Animated),
        Action::ClearInfluence => switches::clear(context, Column::Influence),
        Action::ClearGeometry => switches::clear_geometry(context),
        Action::ClearSolo => switches::clear_solo(context),
        Action::Isolate => isolate::toggle(context),
        Action::ResetSwitches => context.view.switches.clear(),

        Action::FrameSelected => camera::fit(context, context.view.selection.clone()),
        Action::FrameAll => camera::fit(context, Vec::new()),
        Action::Follow => locomotion::toggle_follow(context),
        Action::FrameAndFollow => locomotion::frame_and_follow(context),
        Action::LookFront => camera::look(context, StandardView::Front),
        Action::LookRight => camera::look(context, StandardView::Right),
        Action::LookTop => camera::look(context, StandardView::Top),
        Action::LookBack => camera::look(context, StandardView::Back),
        Action::LookLeft => camera::look(context, StandardView::Left),
        Action::LookBottom => camera::look(context, StandardView::Bottom),
        Action::OrbitLeft => camera::turn(context, -TURN_STEP, 0.0),
        Action::OrbitRight => camera::turn(context, TURN_STEP, 0.0),
        Action::OrbitUp => camera::turn(context, 0.0, TURN_STEP),
        Action::OrbitDown => camera::turn(context, 0.0, -TURN_STEP),
        Action::PanLeft => camera::pan(context, -PAN_STEP, 0.0),
        Action::PanRight => camera::pan(context, PAN_STEP, 0.0),
        Action::PanUp => camera::pan(context, 0.0, PAN_STEP),
        Action::PanDown => camera::pan(context, 0.0, -PAN_STEP),
        Action::ZoomIn => camera::zoom(context, ZOOM_FACTOR),
        Action::ZoomOut => camera::zoom(context, 1.0 / ZOOM_FACTOR),
        Action::Orthographic => camera::toggle_orthographic(context),
        Action::NextCamera => camera::next(context),
        Action::SaveBookmark => bookmarks::save(context),
        Action::EditBookmarks => panel_layout::open_dialog(context, Dialog::Bookmarks),
        Action::SavePreset => view_presets::save(context),
        Action::EditPresets => panel_layout::open_dialog(context, Dialog::ViewPresets),

        Action::ShadeLit => display::shade(context, Shading::Lit),
        Action::ShadeBaseColor => display::shade(context, Shading::BaseColor),
        Action::ShadeClay => display::shade(context, Shading::Clay),
        Action::ShadeNormals => display::shade(context, Shading::Normals),
        Action::ShadeTangents => display::shade(context, Shading::Tangents),
        Action::ShadeUv => display::shade(context, Shading::Uv),
        Action::ShadeVertexColors => display::shade(context, Shading::VertexColors),
        Action::ShadeRoughness => display::shade(context, Shading::Roughness),
        Action::ShadeMetallic => display::shade(context, Shading::Metallic),
        Action::ShadeOcclusion => display::shade(context, Shading::Occlusion),
        Action::ShadeEmissive => display::shade(context, Shading::Emissive),
        Action::ShadeAlpha => display::shade(context, Shading::Alpha),
        Action::ShadeSpecular => display::shade(context, Shading::Specular),
        Action::Wireframe => flip(&mut context.view.display.wireframe),
        Action::XRay => flip(&mut context.view.display.xray),
        Action::Weights => display::toggle_heat_map(context, &mut panels.viewport.heat_map_before_all, HeatMap::Selection),
        Action::AllWeights => display::toggle_heat_map(context, &mut panels.viewport.heat_map_before_all, HeatMap::All),
        Action::Outline => flip(&mut context.view.display.outline),
        Action::Skeleton => flip(&mut context.view.display.skeleton),
        Action::JointAxes => flip(&mut context.view.display.joint_axes),
        Action::JointNames => display::toggle_joint_names(context),
        Action::Grid => flip(&mut context.view.display.grid),
        Action::Axes => flip(&mut context.view.display.axes),
        Action::MotionTrail => flip(&mut context.view.display.trail.shown),
        Action::TrailWindow => trails::toggle_window(context),
        Action::TrailOccluded => trails::toggle_depth(&mut context.view.display.trail.depth),
        Action::OnionSkin => flip(&mut context.view.display.ghosts.shown),
        Action::RestGhost => trails::toggle_ghost(context, GhostSource::Rest),
        Action::BindGhost => trails::toggle_ghost(context, GhostSource::Bind),
        Action::SkeletonOccluded => trails::toggle_depth(&mut context.view.display.skeleton_depth),
        Action::InPlace => flip(&mut context.view.in_place),
        Action::GroundPath => flip(&mut context.view.display.ground_path),
        Action::PathInFront => trails::toggle_depth(&mut context.view.display.path_depth),
        Action::SpeedGraph => locomotion::toggle_speed_graph(context),
        Action::FootContacts => locomotion::toggle_foot_contacts(context),

        Action::LeftPanel => flip(&mut context.preferences.left_panel),
        Action::Timeline => flip(&mut context.preferences.timeline),
        Action::FileStrip => flip(&mut context.preferences.file_strip),
        Action::TimelineRows => panel_layout::next_timeline_rows(context),
        Action::Inspector => panel_layout::toggle_inspector(context),
        Action::Performance => panel_layout::toggle_performance(context),
        Action::AllPanels => panel_layout::toggle_all(context),
        Action::LargerScale => panel_layout::change_scale(context, SCALE_STEP),
        Action::SmallerScale => panel_layout::change_scale(context, -SCALE_STEP),
        Action::NormalScale => panel_layout::reset_scale(context),
        Action::Settings => panel_layout::open_settings(context),
        Action::CommandPalette => panel_layout::open_dialog(context, Dialog::CommandPalette),
        Action::Shortcuts => open_shortcuts(panels, context),
        Action::About => panel_layout::open_dialog(context, Dialog::About),
        Action::CloseOrDeselect => back(panels, context),
    }
}

/// Performs an action if it is available. Otherwise returns the action's label and the reason why it is disabled.
pub fn perform_if_available(action: Action, panels: &mut PanelStates, context: &mut Context) -> Option<String> {
    let reason = action.disabled_reason(context);
    if reason.is_none() {
        perform(action, panels, context);
    }
    reason.map(|reason| format!("{}: {reason}", action.label()))
}

/// Tells which change was undone or redone, if there was one.
fn show_step(context: &mut Context, verb: &str, change: Option<&str>) {
    if let Some(change) = change {
        context.requests.push(Request::ShowMessage(format!("{verb}: {change}")));
    }
}

/// Opens the shortcut page with an empty search.
fn open_shortcuts(panels: &mut PanelStates, context: &mut Context) {
    panels.dialogs.shortcut_search.clear();
    panel_layout::open_dialog(context, Dialog::Shortcuts);
}

/// Handles Esc. Each press ends only the first of these that is active: the dialog, a drag, the card of a vertex, loading, an export, a
/// search, the key selection, the node selection. It also takes the keyboard focus from a list. Esc never quits the application.
fn back(panels: &mut PanelStates, context: &mut Context) {
    // egui does not receive this key if it belongs to the table of actions.
    context.window.releases_focus = true;
    if context.window.dialog.take().is_some() {
        return;
    }
    context.preferences.hint_seen = true;
    let timeline = &mut panels.timeline;
    if scrub::cancel(&mut timeline.scrub, context)
        || layer_strips::cancel_drag(&mut timeline.layer_strips, context)
        || timeline.sheet.boxed.take().is_some()
        || viewport::cancel_drag(&mut panels.viewport, context)
        || panels.held_button.cancel(context.view)
    {
        panels.tree.painting = None;
        return;
    }
    if context.window.marked_vertex.take().is_some() {
        return;
    }
    if context.status.loading.is_some() {
        context.requests.push(Request::CancelLoading);
    } else if context.status.exporting.is_some() {
        context.requests.push(Request::CancelExport);
    } else if let Some(search) = shown_search(panels, context) {
        search.clear();
    } else if !context.keys.is_empty() {
        context.keys.clear();
    } else {
        context.view.selection.clear();
    }
}

/// The first search field that is shown and not empty.
fn shown_search<'a>(panels: &'a mut PanelStates, context: &Context) -> Option<&'a mut String> {
    let Preferences { left_panel, timeline, .. } = *context.preferences;
    let sheet = timeline && timeline::rows(context) == TimelineRows::DopeSheet;
    let searches = [
        (left_panel, &mut panels.tree.search),
        (left_panel, &mut panels.animations.search),
        (sheet, &mut panels.timeline.sheet.search),
        (context.file_strip_shown(), &mut panels.file_strip.search),
        (context.inspector_shown() && morphs::has_search(context), &mut panels.inspector.morph_search),
    ];
    searches.into_iter().find(|(is_shown, search)| *is_shown && !search.is_empty()).map(|(_, search)| search)
}
