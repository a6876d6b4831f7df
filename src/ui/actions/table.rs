//! The table that describes all actions, and the lists of actions that menus show. Menus, tooltips and the shortcut page read the table,
//! and [`find`] looks up the action of a key in it. [`crate::ui::perform`] performs the actions.

use egui::Modifiers;

use crate::compare::counterpart::CompareView;
use crate::session::view::ViewCamera;
use crate::session::view::display::GhostSource;
use crate::session::view::display::{Depth, HeatMap, JointNames, Shading};
use crate::session::view::joint_switches::Column;
use crate::ui::commands::nodes::isolate;
use crate::ui::commands::nodes::switches::{GEOMETRY_COLUMNS, Scope};
use crate::ui::commands::trails;
use crate::ui::context::Context;

use super::Action;
use super::availability;
use super::entry::{Category, Entry};
use super::keys::{Key, KeyBinding};

const NONE: Modifiers = Modifiers::NONE;
const SHIFT: Modifiers = Modifiers::SHIFT;
const ALT: Modifiers = Modifiers::ALT;
/// The command modifier: Cmd on macOS, Ctrl on other systems.
const CTRL: Modifiers = Modifiers::COMMAND;
const CTRL_SHIFT: Modifiers = CTRL.plus(SHIFT);

const fn key(modifiers: Modifiers, key: Key) -> KeyBinding {
    KeyBinding { key, modifiers }
}

const fn char(modifiers: Modifiers, char: char) -> KeyBinding {
    key(modifiers, Key::Char(char))
}

const fn entry(action: Action, category: Category, label: &'static str, keys: &'static [KeyBinding]) -> Entry {
    Entry { action, category, label, keys, repeats: false, is_on: None, disabled_reason: None }
}

/// One entry for each action, in the order of [`Action`].
#[rustfmt::skip]
pub const TABLE: &[Entry] = &[
    entry(Action::Open, Category::File, "Open...", &[char(CTRL, 'o')]),
    entry(Action::AddAnimations, Category::File, "Add animations from...", &[]),
    entry(Action::Reload, Category::File, "Reload", &[key(NONE, Key::F(5))]).unless(availability::no_file),
    entry(Action::Compare, Category::File, "Compare with...", &[char(CTRL, 'd')]),
    entry(Action::ComparePreviousVersion, Category::File, "Compare with the previous version", &[]).unless(availability::no_previous_version),
    entry(Action::CompareSide, Category::Display, "Comparison side by side", &[]).on_if(|context| availability::is_compared(context, CompareView::Side)).unless(availability::not_comparing),
    entry(Action::CompareOverlay, Category::Display, "Comparison as overlay", &[]).on_if(|context| availability::is_compared(context, CompareView::Overlay)).unless(availability::not_comparing),
    entry(Action::CompareDifference, Category::Display, "Comparison as difference", &[]).on_if(|context| availability::is_compared(context, CompareView::Difference)).unless(availability::not_comparing),
    entry(Action::SwapCompared, Category::File, "Swap A and B", &[]).unless(availability::cannot_swap),
    entry(Action::StopComparing, Category::File, "Stop comparing", &[]).unless(availability::not_comparing),
    entry(Action::PreviousFile, Category::File, "Previous file", &[key(NONE, Key::PageUp)]).unless(availability::single_file),
    entry(Action::NextFile, Category::File, "Next file", &[key(NONE, Key::PageDown)]).unless(availability::single_file),
    entry(Action::OpenSample, Category::File, "Open sample model", &[]).unless(availability::sample_is_open),
    entry(Action::OpenEnvironment, Category::File, "Open environment...", &[]),
    entry(Action::StudioEnvironment, Category::File, "Use studio environment", &[]).unless(availability::studio_light_in_use),
    entry(Action::Screenshot, Category::File, "Screenshot...", &[char(CTRL, 's')]),
    entry(Action::ScreenshotNow, Category::File, "Quick screenshot", &[key(NONE, Key::F(12))]),
    entry(Action::CopyPicture, Category::File, "Copy picture", &[char(CTRL_SHIFT, 's')]),
    entry(Action::ExportClip, Category::File, "Export clip...", &[char(CTRL, 'e')]),
    entry(Action::ExportSheet, Category::File, "Export contact sheet...", &[char(CTRL_SHIFT, 'e')]),
    entry(Action::CopyCommand, Category::File, "Copy render command", &[char(CTRL_SHIFT, 'c')]).unless(availability::no_file),
    entry(Action::SaveView, Category::File, "Save view file...", &[]),
    entry(Action::CheckFile, Category::File, "Run checks", &[]),
    entry(Action::Validate, Category::File, "Run full validation", &[]),
    entry(Action::Quit, Category::File, "Quit", &[char(CTRL, 'q')]),

    entry(Action::PlayPause, Category::Time, "Play or pause", &[key(NONE, Key::Space)]).unless(availability::nothing_plays),
    entry(Action::PlayBackward, Category::Time, "Play backward (again: faster)", &[char(NONE, 'j')]).unless(availability::nothing_plays),
    entry(Action::Pause, Category::Time, "Pause", &[char(NONE, 'k')]).unless(availability::nothing_plays),
    entry(Action::PlayForward, Category::Time, "Play forward (again: faster)", &[char(NONE, 'l')]).unless(availability::nothing_plays),
    entry(Action::Slower, Category::Time, "Decrease speed by 0.1", &[char(SHIFT, 'j')]).repeating().unless(availability::nothing_plays),
    entry(Action::Faster, Category::Time, "Increase speed by 0.1", &[char(SHIFT, 'l')]).repeating().unless(availability::nothing_plays),
    entry(Action::NormalSpeed, Category::Time, "Reset speed to 1x", &[char(SHIFT, 'k')]).unless(availability::nothing_plays),
    entry(Action::PreviousFrame, Category::Time, "Previous frame", &[key(NONE, Key::Left)]).repeating().unless(availability::no_duration),
    entry(Action::NextFrame, Category::Time, "Next frame", &[key(NONE, Key::Right)]).repeating().unless(availability::no_duration),
    entry(Action::BackTenFrames, Category::Time, "Back 10 frames", &[key(SHIFT, Key::Left)]).repeating().unless(availability::no_duration),
    entry(Action::ForwardTenFrames, Category::Time, "Forward 10 frames", &[key(SHIFT, Key::Right)]).repeating().unless(availability::no_duration),
    entry(Action::First, Category::Time, "First frame of range", &[key(NONE, Key::Home)]).unless(availability::no_duration),
    entry(Action::Last, Category::Time, "Last frame of range", &[key(NONE, Key::End)]).unless(availability::no_duration),
    entry(Action::PreviousKey, Category::Time, "Previous key of selection", &[char(NONE, ',')]).repeating().unless(availability::no_duration),
    entry(Action::NextKey, Category::Time, "Next key of selection", &[char(NONE, '.')]).repeating().unless(availability::no_duration),
    entry(Action::SetIn, Category::Time, "Set in point", &[char(NONE, 'i')]).unless(availability::no_duration),
    entry(Action::SetOut, Category::Time, "Set out point", &[char(NONE, 'o')]).unless(availability::no_duration),
    entry(Action::ClearRange, Category::Time, "Clear range", &[char(ALT, 'i')]).unless(availability::no_range),
    entry(Action::FitTimeline, Category::Time, "Zoom to range / all", &[key(SHIFT, Key::Home)]).unless(availability::no_duration),
    entry(Action::Repeat, Category::Time, "Loop mode: loop, once, ping-pong", &[char(NONE, 'r')]).unless(availability::no_duration),
    entry(Action::PlayAllInSequence, Category::Time, "Play all in sequence", &[]).on_if(|context| !context.view.playlist.is_empty()).unless(availability::single_animation),
    entry(Action::BindPose, Category::Time, "Show bind pose", &[]).on_if(|context| context.view.bind_pose).unless(availability::no_skin),
    entry(Action::ResetMorphs, Category::Time, "Reset morph weights", &[]).unless(availability::no_morphs),
    entry(Action::PreviousAnimation, Category::Time, "Previous animation", &[key(ALT, Key::Up)]).unless(availability::no_animation_to_step_to),
    entry(Action::NextAnimation, Category::Time, "Next animation", &[key(ALT, Key::Down)]).unless(availability::no_animation_to_step_to),
    entry(Action::CompareAnimation, Category::Time, "Compare with another animation", &[]).unless(availability::nothing_to_compare),
    entry(Action::BindingReport, Category::Time, "Binding report...", &[]).unless(availability::nothing_borrowed),

    entry(Action::Undo, Category::Selection, "Undo", &[char(CTRL, 'z')]).repeating().unless(availability::nothing_to_undo),
    entry(Action::Redo, Category::Selection, "Redo", &[char(CTRL_SHIFT, 'z'), char(CTRL, 'y')]).repeating().unless(availability::nothing_to_redo),
    entry(Action::SelectAll, Category::Selection, "Select all", &[char(CTRL, 'a')]),
    entry(Action::SelectNone, Category::Selection, "Select none", &[char(CTRL_SHIFT, 'a')]).unless(availability::no_selection),
    entry(Action::SelectParent, Category::Selection, "Select parent", &[key(NONE, Key::Up)]).repeating(),
    entry(Action::SelectChild, Category::Selection, "Select first child", &[key(NONE, Key::Down)]).repeating(),
    entry(Action::AddParent, Category::Selection, "Add parent to selection", &[key(SHIFT, Key::Up)]).repeating(),
    entry(Action::AddChild, Category::Selection, "Add first child to selection", &[key(SHIFT, Key::Down)]).repeating(),
    entry(Action::Search, Category::Selection, "Search nodes", &[char(CTRL, 'f')]),
    entry(Action::CopyValues, Category::Selection, "Copy transforms or keys", &[char(CTRL, 'c')]).unless(availability::nothing_to_copy),

    entry(Action::Drawn, Category::Switches, "Show in overlay", &[char(NONE, 'd')]).unless(|context| availability::no_switch(context, &[Column::Drawn], Scope::Nodes)),
    entry(Action::Animated, Category::Switches, "Animate", &[char(NONE, 'm')]).unless(|context| availability::no_switch(context, &[Column::Animated], Scope::Nodes)),
    entry(Action::Influence, Category::Switches, "Skin influence", &[char(NONE, 'e')]).unless(|context| availability::no_switch(context, &[Column::Influence], Scope::Nodes)),
    entry(Action::Geometry, Category::Switches, "Show mesh", &[char(NONE, 'h')]).unless(|context| availability::no_switch(context, &GEOMETRY_COLUMNS, Scope::Nodes)),
    entry(Action::IsolateGeometry, Category::Switches, "Show only this branch's mesh", &[]).unless(|context| availability::no_switch(context, &GEOMETRY_COLUMNS, Scope::Subtrees)),
    entry(Action::Solo, Category::Switches, "Solo", &[char(NONE, 's')]).unless(availability::no_selection),
    entry(Action::SubtreeDrawn, Category::Switches, "Show branch in overlay", &[char(SHIFT, 'd')]).unless(|context| availability::no_switch(context, &[Column::Drawn], Scope::Subtrees)),
    entry(Action::SubtreeAnimated, Category::Switches, "Animate branch", &[char(SHIFT, 'm')]).unless(|context| availability::no_switch(context, &[Column::Animated], Scope::Subtrees)),
    entry(Action::SubtreeInfluence, Category::Switches, "Skin influence of branch", &[char(SHIFT, 'e')]).unless(|context| availability::no_switch(context, &[Column::Influence], Scope::Subtrees)),
    entry(Action::SubtreeGeometry, Category::Switches, "Show mesh of branch", &[char(SHIFT, 'h')]).unless(|context| availability::no_switch(context, &GEOMETRY_COLUMNS, Scope::Subtrees)),
    entry(Action::SubtreeSolo, Category::Switches, "Solo branch", &[char(SHIFT, 's')]).unless(availability::no_selection),
    entry(Action::ClearDrawn, Category::Switches, "Show all in overlay", &[char(ALT, 'd')]),
    entry(Action::ClearAnimated, Category::Switches, "Animate all", &[char(ALT, 'm')]),
    entry(Action::ClearInfluence, Category::Switches, "Skin influence of all", &[char(ALT, 'e')]),
    entry(Action::ClearGeometry, Category::Switches, "Show all meshes", &[char(ALT, 'h')]),
    entry(Action::ClearSolo, Category::Switches, "Clear all solos", &[char(ALT, 's')]),
    entry(Action::Isolate, Category::Switches, "Isolate branch", &[char(NONE, '/')]).on_if(isolate::is_isolated).unless(availability::nothing_to_isolate),
    entry(Action::ResetSwitches, Category::Switches, "Reset all joint switches", &[key(SHIFT, Key::Backspace)]).unless(availability::no_switches),

    entry(Action::FrameSelected, Category::Camera, "Frame selected", &[char(NONE, 'f')]),
    entry(Action::FrameAll, Category::Camera, "Frame all", &[char(NONE, 'a')]),
    entry(Action::Follow, Category::Camera, "Follow selected", &[char(SHIFT, 'f')]).on_if(|context| context.view.follow.is_some()).unless(availability::nothing_to_follow),
    entry(Action::FrameAndFollow, Category::Camera, "Frame and follow selected", &[]).unless(availability::nothing_to_follow),
    entry(Action::LookFront, Category::Camera, "Front view", &[key(ALT, Key::Digit(1)), key(NONE, Key::Numpad(1))]),
    entry(Action::LookRight, Category::Camera, "Right view", &[key(ALT, Key::Digit(2)), key(NONE, Key::Numpad(3))]),
    entry(Action::LookTop, Category::Camera, "Top view", &[key(ALT, Key::Digit(3)), key(NONE, Key::Numpad(7))]),
    entry(Action::LookBack, Category::Camera, "Back view", &[key(ALT, Key::Digit(4)), key(CTRL, Key::Numpad(1))]),
    entry(Action::LookLeft, Category::Camera, "Left view", &[key(ALT, Key::Digit(5)), key(CTRL, Key::Numpad(3))]),
    entry(Action::LookBottom, Category::Camera, "Bottom view", &[key(ALT, Key::Digit(6)), key(CTRL, Key::Numpad(7))]),
    entry(Action::OrbitLeft, Category::Camera, "Orbit left", &[key(CTRL, Key::Left)]).repeating(),
    entry(Action::OrbitRight, Category::Camera, "Orbit right", &[key(CTRL, Key::Right)]).repeating(),
    entry(Action::OrbitUp, Category::Camera, "Orbit up", &[key(CTRL, Key::Up)]).repeating(),
    entry(Action::OrbitDown, Category::Camera, "Orbit down", &[key(CTRL, Key::Down)]).repeating(),
    entry(Action::PanLeft, Category::Camera, "Pan left", &[key(CTRL_SHIFT, Key::Left)]).repeating(),
    entry(Action::PanRight, Category::Camera, "Pan right", &[key(CTRL_SHIFT, Key::Right)]).repeating(),
    entry(Action::PanUp, Category::Camera, "Pan up", &[key(CTRL_SHIFT, Key::Up)]).repeating(),
    entry(Action::PanDown, Category::Camera, "Pan down", &[key(CTRL_SHIFT, Key::Down)]).repeating(),
    entry(Action::ZoomIn, Category::Camera, "Zoom in", &[char(NONE, '+'), char(NONE, '=')]).repeating(),
    entry(Action::ZoomOut, Category::Camera, "Zoom out", &[char(NONE, '-')]).repeating(),
    entry(Action::Orthographic, Category::Camera, "Orthographic", &[char(NONE, 'p'), key(NONE, Key::Numpad(5))]).on_if(|context| matches!(context.view.camera, ViewCamera::Orbit(orbit) if orbit.orthographic)),
    entry(Action::NextCamera, Category::Camera, "Next camera", &[key(ALT, Key::Digit(0)), key(NONE, Key::Numpad(0))]).unless(availability::no_camera),
    entry(Action::SaveBookmark, Category::Camera, "Save bookmark", &[]).unless(availability::cannot_save_bookmark),
    entry(Action::EditBookmarks, Category::Camera, "Edit bookmarks...", &[]).unless(availability::no_file),
    entry(Action::SavePreset, Category::Camera, "Save as view preset", &[]).unless(availability::too_many_presets),
    entry(Action::EditPresets, Category::Camera, "Edit view presets...", &[]),

    entry(Action::ShadeLit, Category::Display, "Lit", &[key(NONE, Key::Digit(1))]).on_if(|context| availability::is_shaded(context, Shading::Lit)),
    entry(Action::ShadeBaseColor, Category::Display, "Base color", &[key(NONE, Key::Digit(2))]).on_if(|context| availability::is_shaded(context, Shading::BaseColor)),
    entry(Action::ShadeClay, Category::Display, "Clay", &[key(NONE, Key::Digit(3))]).on_if(|context| availability::is_shaded(context, Shading::Clay)),
    entry(Action::ShadeNormals, Category::Display, "Normals", &[key(NONE, Key::Digit(4))]).on_if(|context| availability::is_shaded(context, Shading::Normals)),
    entry(Action::ShadeTangents, Category::Display, "Tangents", &[key(NONE, Key::Digit(5))]).on_if(|context| availability::is_shaded(context, Shading::Tangents)),
    entry(Action::ShadeUv, Category::Display, "Texture coordinates", &[key(NONE, Key::Digit(6))]).on_if(|context| availability::is_shaded(context, Shading::Uv)),
    entry(Action::ShadeVertexColors, Category::Display, "Vertex colors", &[key(NONE, Key::Digit(7))]).on_if(|context| availability::is_shaded(context, Shading::VertexColors)),
    entry(Action::ShadeRoughness, Category::Display, "Roughness", &[]).on_if(|context| availability::is_shaded(context, Shading::Roughness)),
    entry(Action::ShadeMetallic, Category::Display, "Metallic", &[]).on_if(|context| availability::is_shaded(context, Shading::Metallic)),
    entry(Action::ShadeOcclusion, Category::Display, "Occlusion", &[]).on_if(|context| availability::is_shaded(context, Shading::Occlusion)),
    entry(Action::ShadeEmissive, Category::Display, "Emissive", &[]).on_if(|context| availability::is_shaded(context, Shading::Emissive)),
    entry(Action::ShadeAlpha, Category::Display, "Alpha", &[]).on_if(|context| availability::is_shaded(context, Shading::Alpha)),
    entry(Action::ShadeSpecular, Category::Display, "Specular", &[]).on_if(|context| availability::is_shaded(context, Shading::Specular)).unless(availability::no_specular),
    entry(Action::Wireframe, Category::Display, "Wireframe", &[char(NONE, 'w')]).on_if(|context| context.view.display.wireframe),
    entry(Action::XRay, Category::Display, "X-ray", &[char(NONE, 'x')]).on_if(|context| context.view.display.xray),
    entry(Action::Weights, Category::Display, "Skin weights", &[key(NONE, Key::Digit(8)), char(NONE, 'v')]).on_if(|context| context.view.display.heat_map == HeatMap::Selection),
    entry(Action::AllWeights, Category::Display, "Skin weights of all joints", &[char(SHIFT, 'v')]).on_if(|context| context.view.display.heat_map == HeatMap::All),
    entry(Action::Outline, Category::Display, "Outline", &[char(NONE, 'z')]).on_if(|context| context.view.display.outline),
    entry(Action::Skeleton, Category::Display, "Skeleton", &[char(NONE, 'b')]).on_if(availability::is_skeleton_on).unless(availability::only_skeleton),
    entry(Action::JointAxes, Category::Display, "Joint axes", &[]).on_if(|context| context.view.display.joint_axes),
    entry(Action::JointNames, Category::Display, "Joint names", &[char(NONE, 'n')]).on_if(|context| context.view.display.names == JointNames::All),
    entry(Action::Grid, Category::Display, "Grid", &[char(NONE, 'g')]).on_if(|context| context.view.display.grid),
    entry(Action::Axes, Category::Display, "Axes", &[]).on_if(|context| context.view.display.axes),
    entry(Action::MotionTrail, Category::Display, "Motion trail", &[char(NONE, 't')]).on_if(|context| context.view.display.trail.shown).unless(availability::cannot_show_trail),
    entry(Action::TrailWindow, Category::Display, "Trail near playhead only", &[]).on_if(|context| context.view.display.trail.window.is_some()).unless(|context| availability::no_animation_unless(context, context.view.display.trail.window.is_some())),
    entry(Action::TrailOccluded, Category::Display, "Trail occluded by mesh", &[]).on_if(|context| context.view.display.trail.depth == Depth::Occluded),
    entry(Action::OnionSkin, Category::Display, "Onion skin", &[char(SHIFT, 't')]).on_if(|context| context.view.display.ghosts.shown).unless(availability::cannot_show_ghosts),
    entry(Action::RestGhost, Category::Display, "Rest pose ghost", &[]).on_if(|context| trails::is_ghost(context, GhostSource::Rest)),
    entry(Action::BindGhost, Category::Display, "Bind pose ghost", &[]).on_if(|context| trails::is_ghost(context, GhostSource::Bind)).unless(availability::no_skin),
    entry(Action::SkeletonOccluded, Category::Display, "Skeleton occluded by mesh", &[]).on_if(|context| context.view.display.skeleton_depth == Depth::Occluded),
    entry(Action::InPlace, Category::Display, "In place", &[char(NONE, 'q')]).on_if(|context| context.view.in_place).unless(|context| availability::no_animation_unless(context, context.view.in_place)),
    entry(Action::GroundPath, Category::Display, "Root path on ground", &[]).on_if(|context| context.view.display.ground_path).unless(|context| availability::no_animation_unless(context, context.view.display.ground_path)),
    entry(Action::PathInFront, Category::Display, "Path always on top", &[]).on_if(|context| context.view.display.path_depth == Depth::InFront),
    entry(Action::SpeedGraph, Category::Display, "Root speed graph", &[]).on_if(|context| context.view.display.speed_graph).unless(|context| availability::no_animation_unless(context, context.view.display.speed_graph)),
    entry(Action::FootContacts, Category::Display, "Foot contacts", &[]).on_if(|context| context.view.display.contacts).unless(|context| availability::no_animation_unless(context, context.view.display.contacts)),

    entry(Action::LeftPanel, Category::Window, "Animations and nodes", &[key(NONE, Key::F(6))]).on_if(|context| context.preferences.left_panel),
    entry(Action::Timeline, Category::Window, "Timeline", &[key(NONE, Key::F(7))]).on_if(|context| context.preferences.timeline),
    entry(Action::FileStrip, Category::Window, "File strip", &[key(NONE, Key::F(4))]).on_if(|context| context.preferences.file_strip).unless(availability::cannot_show_file_strip),
    entry(Action::TimelineRows, Category::Window, "Timeline rows: dope sheet, curves, none", &[char(NONE, 'c')]).unless(availability::no_animation),
    entry(Action::Inspector, Category::Window, "Inspector", &[key(NONE, Key::F(8))]).on_if(|context| context.window.inspector_shown(context.preferences)),
    entry(Action::Performance, Category::Window, "Performance", &[key(NONE, Key::F(3))]).on_if(|context| context.window.performance_shown(context.preferences)),
    entry(Action::AllPanels, Category::Window, "Show or hide all panels", &[key(NONE, Key::F(9))]),
    entry(Action::FullScreen, Category::Window, "Full screen", &[key(NONE, Key::F(11))]),
    entry(Action::LargerScale, Category::Window, "Increase UI scale", &[char(CTRL, '+'), char(CTRL, '=')]),
    entry(Action::SmallerScale, Category::Window, "Decrease UI scale", &[char(CTRL, '-')]),
    entry(Action::NormalScale, Category::Window, "Reset UI scale", &[key(CTRL, Key::Digit(0))]),
    entry(Action::Settings, Category::Window, "Settings...", &[char(CTRL, ',')]),
    entry(Action::CommandPalette, Category::Window, "Command palette", &[char(CTRL, 'k')]),
    entry(Action::Shortcuts, Category::Window, "Keyboard shortcuts", &[key(NONE, Key::F(1)), char(NONE, '?')]),
    entry(Action::About, Category::Window, "About Sinew", &[]),
    entry(Action::CloseOrDeselect, Category::Window, "Close, cancel or deselect", &[key(NONE, Key::Escape)]),
];

/// Reads the row of an action in the table.
impl Action {
    pub fn entry(self) -> &'static Entry {
        &TABLE[self as usize]
    }

    pub fn label(self) -> &'static str {
        self.entry().label
    }

    /// The label in menus. The labels of undo and redo include the name of the change.
    pub fn menu_label(self, context: &Context) -> String {
        let change = match self {
            Self::Undo => context.undo.next_undo(),
            Self::Redo => context.undo.next_redo(),
            _ => None,
        };
        change.map_or_else(|| self.label().to_owned(), |change| format!("{}: {change}", self.label()))
    }

    /// Returns whether holding the key repeats the action.
    pub fn repeats(self) -> bool {
        self.entry().repeats
    }

    /// Returns whether the action is on. `None` if the action does not switch a state on and off.
    pub fn is_on(self, context: &Context) -> Option<bool> {
        self.entry().is_on.map(|is_on| is_on(context))
    }

    /// Why the action is disabled. `None` if it is available.
    pub fn disabled_reason(self, context: &Context) -> Option<&'static str> {
        self.entry().disabled_reason.and_then(|reason| reason(context))
    }

    /// Returns whether keys that follow the action enter text, because the action opens a text field.
    pub fn takes_text(self) -> bool {
        matches!(self, Self::CommandPalette | Self::Search | Self::Shortcuts)
    }

    /// The first key: "Ctrl+O". Empty if the action has none.
    pub fn shortcut(self) -> String {
        self.entry().keys.first().map(KeyBinding::text).unwrap_or_default()
    }

    /// The tooltip: "Open (Ctrl+O)".
    pub fn tooltip(self) -> String {
        match self.entry().keys.first() {
            Some(binding) => format!("{} ({})", self.label(), binding.text()),
            None => self.label().to_owned(),
        }
    }
}

/// The lists of actions that menus show, from top to bottom. `menus/content.rs` places each list in a menu.
#[rustfmt::skip]
pub mod menu {
    use super::Action;

    pub const OPEN: &[Action] = &[Action::Open, Action::AddAnimations];
    pub const RELOAD: &[Action] = &[Action::Reload];
    pub const COMPARE: &[Action] = &[Action::Compare, Action::ComparePreviousVersion];
    pub const COMPARISON: &[Action] = &[
        Action::CompareSide, Action::CompareOverlay, Action::CompareDifference, Action::SwapCompared, Action::StopComparing,
    ];
    pub const OTHER_FILES: &[Action] = &[Action::PreviousFile, Action::NextFile, Action::OpenSample];
    pub const ENVIRONMENT: &[Action] = &[Action::OpenEnvironment, Action::StudioEnvironment];
    pub const EXPORT: &[Action] = &[Action::Screenshot, Action::ScreenshotNow, Action::CopyPicture, Action::ExportClip, Action::ExportSheet, Action::CopyCommand, Action::SaveView];
    pub const CHECK: &[Action] = &[Action::CheckFile, Action::Validate];
    pub const QUIT: &[Action] = &[Action::Settings, Action::Quit];

    pub const UNDO: &[Action] = &[Action::Undo, Action::Redo];
    pub const SELECT: &[Action] = &[Action::SelectAll, Action::SelectNone];
    pub const FIND: &[Action] = &[Action::Search, Action::CopyValues];
    pub const SHADINGS: &[Action] = &[
        Action::ShadeLit, Action::ShadeBaseColor, Action::ShadeClay, Action::ShadeNormals, Action::ShadeTangents, Action::ShadeUv,
        Action::ShadeVertexColors, Action::ShadeRoughness, Action::ShadeMetallic, Action::ShadeOcclusion, Action::ShadeEmissive,
        Action::ShadeAlpha, Action::ShadeSpecular, Action::Weights, Action::AllWeights,
    ];
    /// Overlays and other display options.
    pub const OVERLAYS: &[Action] = &[Action::Wireframe, Action::XRay, Action::Outline, Action::Skeleton, Action::Grid, Action::Axes];
    pub const TRAIL_AND_ONION_SKIN: &[Action] = &[
        Action::MotionTrail, Action::TrailWindow, Action::TrailOccluded, Action::OnionSkin, Action::RestGhost, Action::BindGhost,
    ];
    pub const ROOT_MOTION: &[Action] = &[
        Action::InPlace, Action::GroundPath, Action::PathInFront, Action::SpeedGraph, Action::FootContacts,
    ];
    pub const JOINTS: &[Action] = &[Action::JointAxes, Action::SkeletonOccluded, Action::Isolate];
    pub const FRAME: &[Action] = &[Action::FrameSelected, Action::FrameAll];
    pub const PANELS: &[Action] = &[
        Action::LeftPanel, Action::Timeline, Action::TimelineRows, Action::Inspector, Action::FileStrip, Action::Performance,
        Action::AllPanels,
    ];
    pub const FULL_SCREEN: &[Action] = &[Action::FullScreen];
    pub const SCALE: &[Action] = &[Action::LargerScale, Action::SmallerScale, Action::NormalScale];

    pub const ANIMATION: &[Action] = &[
        Action::PreviousAnimation, Action::NextAnimation, Action::PlayAllInSequence, Action::CompareAnimation, Action::BindingReport, Action::BindPose,
        Action::ResetMorphs,
    ];
    pub const PLAYBACK: &[Action] = &[
        Action::PlayPause, Action::PreviousFrame, Action::NextFrame, Action::First, Action::Last, Action::PreviousKey, Action::NextKey,
    ];
    pub const SPEED: &[Action] = &[Action::Slower, Action::Faster, Action::NormalSpeed];
    pub const RANGE: &[Action] = &[Action::SetIn, Action::SetOut, Action::ClearRange, Action::FitTimeline];

    pub const SIDES: &[Action] = &[
        Action::LookFront, Action::LookBack, Action::LookRight, Action::LookLeft, Action::LookTop, Action::LookBottom,
    ];
    pub const FOLLOW: &[Action] = &[Action::Follow, Action::FrameAndFollow];
    pub const CAMERA: &[Action] = &[Action::Orthographic, Action::NextCamera];

    pub const HELP: &[Action] = &[Action::CommandPalette, Action::Shortcuts, Action::About];
}

/// Returns the action of a key that is pressed outside text fields.
pub fn find(key: Key, modifiers: Modifiers) -> Option<Action> {
    // Shift is ignored for symbols, because some keyboard layouts need it to type a symbol such as "?" and others do not.
    let sign = matches!(key, Key::Char(char) if !char.is_alphabetic());
    let modifiers = if sign { Modifiers { shift: false, ..modifiers } } else { modifiers };
    let pressed = |binding: &KeyBinding| binding.key == key && modifiers.matches_exact(binding.modifiers);
    TABLE.iter().find(|entry| entry.keys.iter().any(pressed)).map(|entry| entry.action)
}
