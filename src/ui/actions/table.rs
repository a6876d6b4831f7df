//! The table of all actions. Keys, menus, tooltips and the shortcut page read it. [`find`] looks up a key, and
//! [`crate::ui::perform`] performs the action.

use egui::Modifiers;

use crate::session::view::ViewCamera;
use crate::session::view::display::GhostSource;
use crate::session::view::display::{Depth, JointNames, Shading, Weights};
use crate::ui::commands::{isolate, trails};
use crate::ui::context::Context;

use super::action::{Action, Category};
use super::availability;
use super::keys::{Binding, Key};

/// The description of an action.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    pub action: Action,
    pub category: Category,
    /// Label in menus, tooltips and the shortcut page.
    pub label: &'static str,
    /// The keys. Menus and tooltips show the first.
    pub keys: &'static [Binding],
    /// Whether holding the key repeats it.
    pub repeats: bool,
    /// Whether the action's switch is on. Menus mark it, and buttons show it.
    pub is_on: Option<fn(&Context) -> bool>,
    /// Why the action is disabled. Menus, buttons and the command palette show the reason.
    pub disabled_reason: Option<fn(&Context) -> Option<&'static str>>,
}

impl Entry {
    // With these, a row of the table reads as one line: the entry, then what is special about it.
    const fn repeating(self) -> Self {
        Self { repeats: true, ..self }
    }

    const fn on(self, is_on: fn(&Context) -> bool) -> Self {
        Self { is_on: Some(is_on), ..self }
    }

    const fn unless(self, disabled_reason: fn(&Context) -> Option<&'static str>) -> Self {
        Self { disabled_reason: Some(disabled_reason), ..self }
    }
}

impl Action {
    /// The row of the action. Rows stand at the number of their action.
    pub fn entry(self) -> &'static Entry {
        &TABLE[self as usize]
    }

    /// Label in menus, tooltips and the shortcut page.
    pub fn label(self) -> &'static str {
        self.entry().label
    }

    /// Whether holding its key repeats it.
    pub fn repeats(self) -> bool {
        self.entry().repeats
    }

    /// Whether the action's switch is on. `None` if it is no switch.
    pub fn is_on(self, context: &Context) -> Option<bool> {
        self.entry().is_on.map(|is_on| is_on(context))
    }

    /// Why the action is disabled. `None` if it is available.
    pub fn disabled_reason(self, context: &Context) -> Option<&'static str> {
        self.entry().disabled_reason.and_then(|reason| reason(context))
    }

    /// Whether typing after the action enters text.
    pub fn takes_text(self) -> bool {
        matches!(self, Self::Commands | Self::Search | Self::Shortcuts)
    }

    /// The first key: "Ctrl+O". Empty if the action has none.
    pub fn shortcut(self) -> String {
        self.entry().keys.first().map(Binding::text).unwrap_or_default()
    }

    /// The tooltip: "Open (Ctrl+O)".
    pub fn tooltip(self) -> String {
        match self.entry().keys.first() {
            Some(binding) => format!("{} ({})", self.label(), binding.text()),
            None => self.label().to_owned(),
        }
    }
}

const NONE: Modifiers = Modifiers::NONE;
const SHIFT: Modifiers = Modifiers::SHIFT;
const ALT: Modifiers = Modifiers::ALT;
/// The command modifier: Cmd on macOS, else Ctrl.
const CTRL: Modifiers = Modifiers::COMMAND;
const CTRL_SHIFT: Modifiers = CTRL.plus(SHIFT);

const fn on(modifiers: Modifiers, key: Key) -> Binding {
    Binding { key, modifiers }
}

const fn char(modifiers: Modifiers, char: char) -> Binding {
    on(modifiers, Key::Char(char))
}

const fn entry(action: Action, category: Category, label: &'static str, keys: &'static [Binding]) -> Entry {
    Entry { action, category, label, keys, repeats: false, is_on: None, disabled_reason: None }
}

/// Every action once, in the order of [`Action`].
#[rustfmt::skip]
pub const TABLE: &[Entry] = &[
    entry(Action::Open, Category::File, "Open...", &[char(CTRL, 'o')]),
    entry(Action::Reload, Category::File, "Reload", &[on(NONE, Key::F(5))]).unless(availability::no_file),
    entry(Action::PreviousFile, Category::File, "Previous file", &[on(NONE, Key::PageUp)]).unless(availability::single_file),
    entry(Action::NextFile, Category::File, "Next file", &[on(NONE, Key::PageDown)]).unless(availability::single_file),
    entry(Action::OpenSample, Category::File, "Open the sample model", &[]).unless(availability::sample_is_open),
    entry(Action::OpenEnvironment, Category::File, "Open environment...", &[]),
    entry(Action::StudioEnvironment, Category::File, "Light of the studio", &[]).unless(availability::studio_is_lit),
    entry(Action::Screenshot, Category::File, "Screenshot...", &[char(CTRL, 's')]),
    entry(Action::ScreenshotNow, Category::File, "Screenshot now", &[on(NONE, Key::F(12))]),
    entry(Action::ExportClip, Category::File, "Export clip...", &[char(CTRL, 'e')]),
    entry(Action::CopyCommand, Category::File, "Copy as command", &[char(CTRL_SHIFT, 'c')]).unless(availability::no_file),
    entry(Action::SaveView, Category::File, "Save the view for --state...", &[]),
    entry(Action::Quit, Category::File, "Quit", &[char(CTRL, 'q')]),

    entry(Action::PlayPause, Category::Time, "Play or pause", &[on(NONE, Key::Space)]).unless(availability::nothing_plays),
    entry(Action::PlayBackward, Category::Time, "Play backwards; again: faster", &[char(NONE, 'j')]).unless(availability::nothing_plays),
    entry(Action::Pause, Category::Time, "Pause", &[char(NONE, 'k')]).unless(availability::nothing_plays),
    entry(Action::PlayForward, Category::Time, "Play forwards; again: faster", &[char(NONE, 'l')]).unless(availability::nothing_plays),
    entry(Action::Slower, Category::Time, "Speed down by 0.1", &[char(SHIFT, 'j')]).repeating().unless(availability::nothing_plays),
    entry(Action::Faster, Category::Time, "Speed up by 0.1", &[char(SHIFT, 'l')]).repeating().unless(availability::nothing_plays),
    entry(Action::NormalSpeed, Category::Time, "Normal speed", &[char(SHIFT, 'k')]).unless(availability::nothing_plays),
    entry(Action::PreviousFrame, Category::Time, "Previous frame", &[on(NONE, Key::Left)]).repeating().unless(availability::no_duration),
    entry(Action::NextFrame, Category::Time, "Next frame", &[on(NONE, Key::Right)]).repeating().unless(availability::no_duration),
    entry(Action::BackTenFrames, Category::Time, "Ten frames back", &[on(SHIFT, Key::Left)]).repeating().unless(availability::no_duration),
    entry(Action::ForwardTenFrames, Category::Time, "Ten frames forward", &[on(SHIFT, Key::Right)]).repeating().unless(availability::no_duration),
    entry(Action::First, Category::Time, "First frame of the range", &[on(NONE, Key::Home)]).unless(availability::no_duration),
    entry(Action::Last, Category::Time, "Last frame of the range", &[on(NONE, Key::End)]).unless(availability::no_duration),
    entry(Action::PreviousKey, Category::Time, "Previous key of the selection", &[char(NONE, ',')]).repeating().unless(availability::no_duration),
    entry(Action::NextKey, Category::Time, "Next key of the selection", &[char(NONE, '.')]).repeating().unless(availability::no_duration),
    entry(Action::SetIn, Category::Time, "Set the in point", &[char(NONE, 'i')]).unless(availability::no_duration),
    entry(Action::SetOut, Category::Time, "Set the out point", &[char(NONE, 'o')]).unless(availability::no_duration),
    entry(Action::ClearRange, Category::Time, "Clear the range", &[char(ALT, 'i')]).unless(availability::no_range),
    entry(Action::FitTimeline, Category::Time, "Show the range, or all", &[on(SHIFT, Key::Home)]).unless(availability::no_duration),
    entry(Action::Repeat, Category::Time, "Repeat: loop, once, ping-pong", &[char(NONE, 'r')]).unless(availability::no_duration),
    entry(Action::PlayInTurn, Category::Time, "All animations in turn", &[]).on(|context| !context.view.playlist.is_empty()).unless(availability::single_animation),
    entry(Action::BindPose, Category::Time, "Show the bind pose", &[]).on(|context| context.view.bind_pose).unless(availability::no_skin),
    entry(Action::ResetMorphs, Category::Time, "Reset the morph weights", &[]).unless(availability::no_morphs),
    entry(Action::PreviousAnimation, Category::Time, "Previous animation", &[on(ALT, Key::Up)]).unless(availability::no_other_animation),
    entry(Action::NextAnimation, Category::Time, "Next animation", &[on(ALT, Key::Down)]).unless(availability::no_other_animation),

    entry(Action::Undo, Category::Selection, "Undo", &[char(CTRL, 'z')]).repeating().unless(availability::nothing_to_undo),
    entry(Action::Redo, Category::Selection, "Redo", &[char(CTRL_SHIFT, 'z'), char(CTRL, 'y')]).repeating().unless(availability::nothing_to_redo),
    entry(Action::SelectAll, Category::Selection, "Select all", &[char(CTRL, 'a')]),
    entry(Action::SelectNone, Category::Selection, "Select nothing", &[char(CTRL_SHIFT, 'a')]).unless(availability::no_selection),
    entry(Action::SelectParent, Category::Selection, "Select the parent", &[on(NONE, Key::Up)]).repeating(),
    entry(Action::SelectChild, Category::Selection, "Select the first child", &[on(NONE, Key::Down)]).repeating(),
    entry(Action::AddParent, Category::Selection, "Add the parent", &[on(SHIFT, Key::Up)]).repeating(),
    entry(Action::AddChild, Category::Selection, "Add the first child", &[on(SHIFT, Key::Down)]).repeating(),
    entry(Action::Search, Category::Selection, "Search nodes", &[char(CTRL, 'f')]),
    entry(Action::CopyValues, Category::Selection, "Copy transforms", &[char(CTRL, 'c')]).unless(availability::nothing_to_copy),

    entry(Action::Drawn, Category::Switches, "Drawn", &[char(NONE, 'd')]).unless(availability::no_selection),
    entry(Action::Animated, Category::Switches, "Animated", &[char(NONE, 'm')]).unless(availability::no_selection),
    entry(Action::Influence, Category::Switches, "Influence", &[char(NONE, 'e')]).unless(availability::no_selection),
    entry(Action::Geometry, Category::Switches, "Geometry", &[char(NONE, 'h')]).unless(availability::no_selection),
    entry(Action::IsolateGeometry, Category::Switches, "Geometry: the subtree's alone", &[]).unless(availability::no_selection),
    entry(Action::Solo, Category::Switches, "Solo", &[char(NONE, 's')]).unless(availability::no_selection),
    entry(Action::SubtreeDrawn, Category::Switches, "Drawn: the subtree", &[char(SHIFT, 'd')]).unless(availability::no_selection),
    entry(Action::SubtreeAnimated, Category::Switches, "Animated: the subtree", &[char(SHIFT, 'm')]).unless(availability::no_selection),
    entry(Action::SubtreeInfluence, Category::Switches, "Influence: the subtree", &[char(SHIFT, 'e')]).unless(availability::no_selection),
    entry(Action::SubtreeGeometry, Category::Switches, "Geometry: the subtree", &[char(SHIFT, 'h')]).unless(availability::no_selection),
    entry(Action::SubtreeSolo, Category::Switches, "Solo: the subtree", &[char(SHIFT, 's')]).unless(availability::no_selection),
    entry(Action::ClearDrawn, Category::Switches, "Drawn: on everywhere", &[char(ALT, 'd')]),
    entry(Action::ClearAnimated, Category::Switches, "Animated: on everywhere", &[char(ALT, 'm')]),
    entry(Action::ClearInfluence, Category::Switches, "Influence: on everywhere", &[char(ALT, 'e')]),
    entry(Action::ClearGeometry, Category::Switches, "Geometry: on everywhere", &[char(ALT, 'h')]),
    entry(Action::ClearSolo, Category::Switches, "Solo: off everywhere", &[char(ALT, 's')]),
    entry(Action::Isolate, Category::Switches, "Isolate the subtree; again: show everything", &[char(NONE, '/')]).on(isolate::is_isolated).unless(availability::nothing_to_isolate),
    entry(Action::ResetSwitches, Category::Switches, "Reset all switches", &[on(SHIFT, Key::Backspace)]).unless(availability::no_switches),

    entry(Action::FitSelection, Category::Camera, "Fit the selection", &[char(NONE, 'f')]),
    entry(Action::FitAll, Category::Camera, "Fit everything", &[char(NONE, 'a')]),
    entry(Action::Follow, Category::Camera, "Follow the selection", &[char(SHIFT, 'f')]).on(|context| context.view.follow.is_some()).unless(availability::nothing_to_follow),
    entry(Action::FocusAndFollow, Category::Camera, "Focus on the selection and follow it", &[]).unless(availability::nothing_to_follow),
    entry(Action::LookFront, Category::Camera, "Front", &[on(ALT, Key::Digit(1)), on(NONE, Key::Numpad(1))]),
    entry(Action::LookRight, Category::Camera, "Right", &[on(ALT, Key::Digit(2)), on(NONE, Key::Numpad(3))]),
    entry(Action::LookTop, Category::Camera, "Top", &[on(ALT, Key::Digit(3)), on(NONE, Key::Numpad(7))]),
    entry(Action::LookBack, Category::Camera, "Back", &[on(ALT, Key::Digit(4)), on(CTRL, Key::Numpad(1))]),
    entry(Action::LookLeft, Category::Camera, "Left", &[on(ALT, Key::Digit(5)), on(CTRL, Key::Numpad(3))]),
    entry(Action::LookBottom, Category::Camera, "Bottom", &[on(ALT, Key::Digit(6)), on(CTRL, Key::Numpad(7))]),
    entry(Action::OrbitLeft, Category::Camera, "Orbit left", &[on(CTRL, Key::Left)]).repeating(),
    entry(Action::OrbitRight, Category::Camera, "Orbit right", &[on(CTRL, Key::Right)]).repeating(),
    entry(Action::OrbitUp, Category::Camera, "Orbit up", &[on(CTRL, Key::Up)]).repeating(),
    entry(Action::OrbitDown, Category::Camera, "Orbit down", &[on(CTRL, Key::Down)]).repeating(),
    entry(Action::PanLeft, Category::Camera, "Pan left", &[on(CTRL_SHIFT, Key::Left)]).repeating(),
    entry(Action::PanRight, Category::Camera, "Pan right", &[on(CTRL_SHIFT, Key::Right)]).repeating(),
    entry(Action::PanUp, Category::Camera, "Pan up", &[on(CTRL_SHIFT, Key::Up)]).repeating(),
    entry(Action::PanDown, Category::Camera, "Pan down", &[on(CTRL_SHIFT, Key::Down)]).repeating(),
    entry(Action::ZoomIn, Category::Camera, "Zoom in", &[char(NONE, '+'), char(NONE, '=')]).repeating(),
    entry(Action::ZoomOut, Category::Camera, "Zoom out", &[char(NONE, '-')]).repeating(),
    entry(Action::Orthographic, Category::Camera, "Orthographic", &[char(NONE, 'p'), on(NONE, Key::Numpad(5))]).on(|context| matches!(context.view.camera, ViewCamera::Orbit(orbit) if orbit.orthographic)),
    entry(Action::NextCamera, Category::Camera, "Next camera of the file", &[on(ALT, Key::Digit(0)), on(NONE, Key::Numpad(0))]).unless(availability::no_camera),

    entry(Action::ShadeLit, Category::Display, "Lit", &[on(NONE, Key::Digit(1))]).on(|context| availability::is_shaded(context, Shading::Lit)),
    entry(Action::ShadeBaseColor, Category::Display, "Base colour", &[on(NONE, Key::Digit(2))]).on(|context| availability::is_shaded(context, Shading::BaseColor)),
    entry(Action::ShadeClay, Category::Display, "Clay", &[on(NONE, Key::Digit(3))]).on(|context| availability::is_shaded(context, Shading::Clay)),
    entry(Action::ShadeNormals, Category::Display, "Normals", &[on(NONE, Key::Digit(4))]).on(|context| availability::is_shaded(context, Shading::Normals)),
    entry(Action::ShadeTangents, Category::Display, "Tangents", &[on(NONE, Key::Digit(5))]).on(|context| availability::is_shaded(context, Shading::Tangents)),
    entry(Action::ShadeUv, Category::Display, "Texture coordinates", &[on(NONE, Key::Digit(6))]).on(|context| availability::is_shaded(context, Shading::Uv)),
    entry(Action::ShadeVertexColors, Category::Display, "Vertex colours", &[on(NONE, Key::Digit(7))]).on(|context| availability::is_shaded(context, Shading::VertexColors)),
    entry(Action::ShadeRoughness, Category::Display, "Roughness", &[]).on(|context| availability::is_shaded(context, Shading::Roughness)),
    entry(Action::ShadeMetallic, Category::Display, "Metallic", &[]).on(|context| availability::is_shaded(context, Shading::Metallic)),
    entry(Action::ShadeOcclusion, Category::Display, "Occlusion", &[]).on(|context| availability::is_shaded(context, Shading::Occlusion)),
    entry(Action::ShadeEmissive, Category::Display, "Emissive", &[]).on(|context| availability::is_shaded(context, Shading::Emissive)),
    entry(Action::ShadeAlpha, Category::Display, "Alpha", &[]).on(|context| availability::is_shaded(context, Shading::Alpha)),
    entry(Action::ShadeSpecular, Category::Display, "Specular", &[]).on(|context| availability::is_shaded(context, Shading::Specular)).unless(availability::no_specular),
    entry(Action::Wireframe, Category::Display, "Wireframe", &[char(NONE, 'w')]).on(|context| context.view.display.wireframe),
    entry(Action::XRay, Category::Display, "X-ray", &[char(NONE, 'x')]).on(|context| context.view.display.xray),
    entry(Action::Weights, Category::Display, "Weights", &[on(NONE, Key::Digit(8)), char(NONE, 'v')]).on(|context| context.view.display.weights == Weights::Selection),
    entry(Action::AllWeights, Category::Display, "Weights of all joints", &[char(SHIFT, 'v')]).on(|context| context.view.display.weights == Weights::All),
    entry(Action::Outline, Category::Display, "Outline", &[char(NONE, 'z')]).on(|context| context.view.display.outline),
    entry(Action::Skeleton, Category::Display, "Skeleton", &[char(NONE, 'b')]).on(|context| context.view.display.skeleton),
    entry(Action::JointAxes, Category::Display, "Joint axes", &[]).on(|context| context.view.display.joint_axes),
    entry(Action::JointNames, Category::Display, "Joint names", &[char(NONE, 'n')]).on(|context| context.view.display.names == JointNames::All),
    entry(Action::Grid, Category::Display, "Grid", &[char(NONE, 'g')]).on(|context| context.view.display.grid),
    entry(Action::Axes, Category::Display, "Axes", &[]).on(|context| context.view.display.axes),
    entry(Action::MotionTrail, Category::Display, "Motion trail", &[char(NONE, 't')]).on(|context| context.view.display.trail.shown).unless(|context| availability::no_animation_unless(context, context.view.display.trail.shown)),
    entry(Action::TrailWindow, Category::Display, "Trail near the playhead", &[]).on(|context| context.view.display.trail.window.is_some()).unless(|context| availability::no_animation_unless(context, context.view.display.trail.window.is_some())),
    entry(Action::TrailHidden, Category::Display, "Body hides the trail", &[]).on(|context| context.view.display.trail.depth == Depth::Hidden),
    entry(Action::OnionSkin, Category::Display, "Onion skin", &[char(SHIFT, 't')]).on(|context| context.view.display.ghosts.shown).unless(availability::no_ghosts),
    entry(Action::RestGhost, Category::Display, "Rest pose as a ghost", &[]).on(|context| trails::is_ghost(context, GhostSource::Rest)),
    entry(Action::BindGhost, Category::Display, "Bind pose as a ghost", &[]).on(|context| trails::is_ghost(context, GhostSource::Bind)).unless(availability::no_skin),
    entry(Action::SkeletonHidden, Category::Display, "Body hides the skeleton", &[]).on(|context| context.view.display.skeleton_depth == Depth::Hidden),
    entry(Action::InPlace, Category::Display, "In place", &[char(NONE, 'q')]).on(|context| context.view.in_place).unless(|context| availability::no_animation_unless(context, context.view.in_place)),
    entry(Action::GroundPath, Category::Display, "Path on the ground", &[]).on(|context| context.view.display.path).unless(|context| availability::no_animation_unless(context, context.view.display.path)),
    entry(Action::PathInFront, Category::Display, "Path seen through the body", &[]).on(|context| context.view.display.path_depth == Depth::InFront),
    entry(Action::SpeedGraph, Category::Display, "Speed graph", &[]).on(|context| context.view.display.speed).unless(|context| availability::no_animation_unless(context, context.view.display.speed)),
    entry(Action::FootContacts, Category::Display, "Foot contacts", &[]).on(|context| context.view.display.contacts).unless(|context| availability::no_animation_unless(context, context.view.display.contacts)),

    entry(Action::LeftPanel, Category::Window, "Animations and nodes", &[on(NONE, Key::F(6))]).on(|context| context.preferences.left_panel),
    entry(Action::Timeline, Category::Window, "Timeline", &[on(NONE, Key::F(7))]).on(|context| context.preferences.timeline),
    entry(Action::TimelineRows, Category::Window, "Dope sheet, curves, none", &[char(NONE, 'c')]).unless(availability::no_animation),
    entry(Action::Inspector, Category::Window, "Inspector", &[on(NONE, Key::F(8))]).on(|context| context.window.inspector_shown(context.preferences)),
    entry(Action::Performance, Category::Window, "Performance", &[on(NONE, Key::F(3))]).on(|context| context.window.performance_shown(context.preferences)),
    entry(Action::AllPanels, Category::Window, "All panels", &[on(NONE, Key::F(9))]),
    entry(Action::FullScreen, Category::Window, "Full screen", &[on(NONE, Key::F(11))]),
    entry(Action::LargerScale, Category::Window, "Larger", &[char(CTRL, '+'), char(CTRL, '=')]),
    entry(Action::SmallerScale, Category::Window, "Smaller", &[char(CTRL, '-')]),
    entry(Action::NormalScale, Category::Window, "Normal size", &[on(CTRL, Key::Digit(0))]),
    entry(Action::Settings, Category::Window, "Settings...", &[char(CTRL, ',')]),
    entry(Action::Commands, Category::Window, "Command palette", &[char(CTRL, 'k')]),
    entry(Action::Shortcuts, Category::Window, "Keyboard shortcuts", &[on(NONE, Key::F(1)), char(NONE, '?')]),
    entry(Action::About, Category::Window, "About Sinew", &[]),
    entry(Action::Back, Category::Window, "Back: close, cancel, deselect", &[on(NONE, Key::Escape)]),
];

/// The action of a key outside text fields. `None` if the key has none with these modifiers.
pub fn find(key: Key, modifiers: Modifiers) -> Option<Action> {
    // Shift is ignored for signs, because keyboards differ: "?" matches however it is typed.
    let sign = matches!(key, Key::Char(char) if !char.is_alphabetic());
    let modifiers = if sign { Modifiers { shift: false, ..modifiers } } else { modifiers };
    let pressed = |binding: &Binding| binding.key == key && modifiers.matches_exact(binding.modifiers);
    TABLE.iter().find(|entry| entry.keys.iter().any(pressed)).map(|entry| entry.action)
}
