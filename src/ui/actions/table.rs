//! Everything the window can do by name, in one table: it drives the keys, the menus, the tooltips and the shortcut page.
//! A key press is looked up by [`find`]; [`crate::ui::perform::perform`] does what the action says.

use egui::Modifiers;

use super::keys::{Binding, Key};

/// The headings of the shortcut page, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Category {
    File,
    Time,
    Selection,
    Switches,
    Camera,
    Display,
    Window,
}

impl Category {
    pub const ALL: [Self; 7] = [Self::File, Self::Time, Self::Selection, Self::Switches, Self::Camera, Self::Display, Self::Window];

    pub fn label(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Time => "Time",
            Self::Selection => "Selection",
            Self::Switches => "Joint switches",
            Self::Camera => "Camera",
            Self::Display => "Display",
            Self::Window => "Window",
        }
    }
}

/// In the order of [`TABLE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    Open,
    Reload,
    PreviousFile,
    NextFile,
    OpenSample,
    OpenEnvironment,
    StudioEnvironment,
    Screenshot,
    ScreenshotNow,
    ExportClip,
    CopyCommand,
    SaveView,
    Quit,

    PlayPause,
    PlayBackward,
    Pause,
    PlayForward,
    Slower,
    Faster,
    NormalSpeed,
    PreviousFrame,
    NextFrame,
    BackTenFrames,
    ForwardTenFrames,
    First,
    Last,
    PreviousKey,
    NextKey,
    SetIn,
    SetOut,
    ClearRange,
    FitTimeline,
    Repeat,
    PlayInTurn,
    BindPose,
    ResetMorphs,
    PreviousAnimation,
    NextAnimation,

    Undo,
    Redo,
    SelectAll,
    SelectNone,
    SelectParent,
    SelectChild,
    AddParent,
    AddChild,
    Search,
    CopyValues,

    Drawn,
    Animated,
    Influence,
    Geometry,
    IsolateGeometry,
    Solo,
    SubtreeDrawn,
    SubtreeAnimated,
    SubtreeInfluence,
    SubtreeGeometry,
    SubtreeSolo,
    ClearDrawn,
    ClearAnimated,
    ClearInfluence,
    ClearGeometry,
    ClearSolo,
    Isolate,
    ResetSwitches,

    FitSelection,
    FitAll,
    Follow,
    FocusAndFollow,
    LookFront,
    LookRight,
    LookTop,
    LookBack,
    LookLeft,
    LookBottom,
    OrbitLeft,
    OrbitRight,
    OrbitUp,
    OrbitDown,
    PanLeft,
    PanRight,
    PanUp,
    PanDown,
    ZoomIn,
    ZoomOut,
    Orthographic,
    NextCamera,

    ShadeLit,
    ShadeBaseColor,
    ShadeClay,
    ShadeNormals,
    ShadeTangents,
    ShadeUv,
    ShadeVertexColors,
    Wireframe,
    XRay,
    Weights,
    AllWeights,
    Outline,
    Skeleton,
    JointAxes,
    JointNames,
    Grid,
    Axes,
    MotionTrail,
    TrailWindow,
    TrailHidden,
    OnionSkin,
    RestGhost,
    BindGhost,
    SkeletonHidden,
    InPlace,
    GroundPath,
    PathInFront,
    SpeedGraph,
    FootContacts,

    LeftPanel,
    Timeline,
    TimelineRows,
    Inspector,
    Performance,
    AllPanels,
    FullScreen,
    LargerScale,
    SmallerScale,
    NormalScale,
    Settings,
    Commands,
    Shortcuts,
    About,
    Back,
}

#[derive(Debug, Clone, Copy)]
pub struct Entry {
    pub action: Action,
    pub category: Category,
    /// As in menus, tooltips and the shortcut page.
    pub label: &'static str,
    /// The first is the one that menus and tooltips show.
    pub keys: &'static [Binding],
}

impl Action {
    pub fn entry(self) -> &'static Entry {
        &TABLE[self as usize]
    }

    pub fn label(self) -> &'static str {
        self.entry().label
    }

    /// Whether what is typed after it is text.
    pub fn takes_text(self) -> bool {
        matches!(self, Self::Commands | Self::Search | Self::Shortcuts)
    }

    /// Whether holding its key goes on doing it.
    pub fn repeats(self) -> bool {
        use Action as A;
        let steps =
            [A::Slower, A::Faster, A::PreviousFrame, A::NextFrame, A::BackTenFrames, A::ForwardTenFrames, A::PreviousKey, A::NextKey];
        let moves = [A::OrbitLeft, A::OrbitRight, A::OrbitUp, A::OrbitDown, A::PanLeft, A::PanRight, A::PanUp, A::PanDown];
        let others = [A::ZoomIn, A::ZoomOut, A::SelectParent, A::SelectChild, A::AddParent, A::AddChild, A::Undo, A::Redo];
        steps.contains(&self) || moves.contains(&self) || others.contains(&self)
    }

    /// "Ctrl+O", empty without a key.
    pub fn shortcut(self) -> String {
        self.entry().keys.first().map(Binding::text).unwrap_or_default()
    }

    /// "Open (Ctrl+O)": the tooltip.
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
/// Cmd on macOS.
const CTRL: Modifiers = Modifiers::COMMAND;
const CTRL_SHIFT: Modifiers = CTRL.plus(SHIFT);

const fn on(modifiers: Modifiers, key: Key) -> Binding {
    Binding { key, modifiers }
}

const fn char(modifiers: Modifiers, char: char) -> Binding {
    on(modifiers, Key::Char(char))
}

const fn entry(action: Action, category: Category, label: &'static str, keys: &'static [Binding]) -> Entry {
    Entry { action, category, label, keys }
}

/// Every action once, in the order of [`Action`].
#[rustfmt::skip]
pub const TABLE: &[Entry] = &[
    entry(Action::Open, Category::File, "Open...", &[char(CTRL, 'o')]),
    entry(Action::Reload, Category::File, "Reload", &[on(NONE, Key::F(5))]),
    entry(Action::PreviousFile, Category::File, "Previous file", &[on(NONE, Key::PageUp)]),
    entry(Action::NextFile, Category::File, "Next file", &[on(NONE, Key::PageDown)]),
    entry(Action::OpenSample, Category::File, "Open the sample model", &[]),
    entry(Action::OpenEnvironment, Category::File, "Open environment...", &[]),
    entry(Action::StudioEnvironment, Category::File, "Light of the studio", &[]),
    entry(Action::Screenshot, Category::File, "Screenshot...", &[char(CTRL, 's')]),
    entry(Action::ScreenshotNow, Category::File, "Screenshot now", &[on(NONE, Key::F(12))]),
    entry(Action::ExportClip, Category::File, "Export clip...", &[char(CTRL, 'e')]),
    entry(Action::CopyCommand, Category::File, "Copy as command", &[char(CTRL_SHIFT, 'c')]),
    entry(Action::SaveView, Category::File, "Save the view for --state...", &[]),
    entry(Action::Quit, Category::File, "Quit", &[char(CTRL, 'q')]),

    entry(Action::PlayPause, Category::Time, "Play or pause", &[on(NONE, Key::Space)]),
    entry(Action::PlayBackward, Category::Time, "Play backwards; again: faster", &[char(NONE, 'j')]),
    entry(Action::Pause, Category::Time, "Pause", &[char(NONE, 'k')]),
    entry(Action::PlayForward, Category::Time, "Play forwards; again: faster", &[char(NONE, 'l')]),
    entry(Action::Slower, Category::Time, "Speed down by 0.1", &[char(SHIFT, 'j')]),
    entry(Action::Faster, Category::Time, "Speed up by 0.1", &[char(SHIFT, 'l')]),
    entry(Action::NormalSpeed, Category::Time, "Normal speed", &[char(SHIFT, 'k')]),
    entry(Action::PreviousFrame, Category::Time, "Previous frame", &[on(NONE, Key::Left)]),
    entry(Action::NextFrame, Category::Time, "Next frame", &[on(NONE, Key::Right)]),
    entry(Action::BackTenFrames, Category::Time, "Ten frames back", &[on(SHIFT, Key::Left)]),
    entry(Action::ForwardTenFrames, Category::Time, "Ten frames forward", &[on(SHIFT, Key::Right)]),
    entry(Action::First, Category::Time, "First frame of the range", &[on(NONE, Key::Home)]),
    entry(Action::Last, Category::Time, "Last frame of the range", &[on(NONE, Key::End)]),
    entry(Action::PreviousKey, Category::Time, "Previous key of the selection", &[char(NONE, ',')]),
    entry(Action::NextKey, Category::Time, "Next key of the selection", &[char(NONE, '.')]),
    entry(Action::SetIn, Category::Time, "Set the in point", &[char(NONE, 'i')]),
    entry(Action::SetOut, Category::Time, "Set the out point", &[char(NONE, 'o')]),
    entry(Action::ClearRange, Category::Time, "Clear the range", &[char(ALT, 'i')]),
    entry(Action::FitTimeline, Category::Time, "Show the range, or all", &[on(SHIFT, Key::Home)]),
    entry(Action::Repeat, Category::Time, "Repeat: loop, once, ping-pong", &[char(NONE, 'r')]),
    entry(Action::PlayInTurn, Category::Time, "All animations in turn", &[]),
    entry(Action::BindPose, Category::Time, "Show the bind pose", &[]),
    entry(Action::ResetMorphs, Category::Time, "Reset the morph weights", &[]),
    entry(Action::PreviousAnimation, Category::Time, "Previous animation", &[on(ALT, Key::Up)]),
    entry(Action::NextAnimation, Category::Time, "Next animation", &[on(ALT, Key::Down)]),

    entry(Action::Undo, Category::Selection, "Undo", &[char(CTRL, 'z')]),
    entry(Action::Redo, Category::Selection, "Redo", &[char(CTRL_SHIFT, 'z'), char(CTRL, 'y')]),
    entry(Action::SelectAll, Category::Selection, "Select all", &[char(CTRL, 'a')]),
    entry(Action::SelectNone, Category::Selection, "Select nothing", &[char(CTRL_SHIFT, 'a')]),
    entry(Action::SelectParent, Category::Selection, "Select the parent", &[on(NONE, Key::Up)]),
    entry(Action::SelectChild, Category::Selection, "Select the first child", &[on(NONE, Key::Down)]),
    entry(Action::AddParent, Category::Selection, "Add the parent", &[on(SHIFT, Key::Up)]),
    entry(Action::AddChild, Category::Selection, "Add the first child", &[on(SHIFT, Key::Down)]),
    entry(Action::Search, Category::Selection, "Search nodes", &[char(CTRL, 'f')]),
    entry(Action::CopyValues, Category::Selection, "Copy transforms", &[char(CTRL, 'c')]),

    entry(Action::Drawn, Category::Switches, "Drawn", &[char(NONE, 'd')]),
    entry(Action::Animated, Category::Switches, "Animated", &[char(NONE, 'm')]),
    entry(Action::Influence, Category::Switches, "Influence", &[char(NONE, 'e')]),
    entry(Action::Geometry, Category::Switches, "Geometry", &[char(NONE, 'h')]),
    entry(Action::IsolateGeometry, Category::Switches, "Geometry: the subtree's alone", &[]),
    entry(Action::Solo, Category::Switches, "Solo", &[char(NONE, 's')]),
    entry(Action::SubtreeDrawn, Category::Switches, "Drawn: the subtree", &[char(SHIFT, 'd')]),
    entry(Action::SubtreeAnimated, Category::Switches, "Animated: the subtree", &[char(SHIFT, 'm')]),
    entry(Action::SubtreeInfluence, Category::Switches, "Influence: the subtree", &[char(SHIFT, 'e')]),
    entry(Action::SubtreeGeometry, Category::Switches, "Geometry: the subtree", &[char(SHIFT, 'h')]),
    entry(Action::SubtreeSolo, Category::Switches, "Solo: the subtree", &[char(SHIFT, 's')]),
    entry(Action::ClearDrawn, Category::Switches, "Drawn: on everywhere", &[char(ALT, 'd')]),
    entry(Action::ClearAnimated, Category::Switches, "Animated: on everywhere", &[char(ALT, 'm')]),
    entry(Action::ClearInfluence, Category::Switches, "Influence: on everywhere", &[char(ALT, 'e')]),
    entry(Action::ClearGeometry, Category::Switches, "Geometry: on everywhere", &[char(ALT, 'h')]),
    entry(Action::ClearSolo, Category::Switches, "Solo: off everywhere", &[char(ALT, 's')]),
    entry(Action::Isolate, Category::Switches, "Isolate the subtree; again: show everything", &[char(NONE, '/')]),
    entry(Action::ResetSwitches, Category::Switches, "Reset all switches", &[on(SHIFT, Key::Backspace)]),

    entry(Action::FitSelection, Category::Camera, "Fit the selection", &[char(NONE, 'f')]),
    entry(Action::FitAll, Category::Camera, "Fit everything", &[char(NONE, 'a')]),
    entry(Action::Follow, Category::Camera, "Follow the selection", &[char(SHIFT, 'f')]),
    entry(Action::FocusAndFollow, Category::Camera, "Focus on the selection and follow it", &[]),
    entry(Action::LookFront, Category::Camera, "Front", &[on(ALT, Key::Digit(1)), on(NONE, Key::Numpad(1))]),
    entry(Action::LookRight, Category::Camera, "Right", &[on(ALT, Key::Digit(2)), on(NONE, Key::Numpad(3))]),
    entry(Action::LookTop, Category::Camera, "Top", &[on(ALT, Key::Digit(3)), on(NONE, Key::Numpad(7))]),
    entry(Action::LookBack, Category::Camera, "Back", &[on(ALT, Key::Digit(4)), on(CTRL, Key::Numpad(1))]),
    entry(Action::LookLeft, Category::Camera, "Left", &[on(ALT, Key::Digit(5)), on(CTRL, Key::Numpad(3))]),
    entry(Action::LookBottom, Category::Camera, "Bottom", &[on(ALT, Key::Digit(6)), on(CTRL, Key::Numpad(7))]),
    entry(Action::OrbitLeft, Category::Camera, "Orbit left", &[on(CTRL, Key::Left)]),
    entry(Action::OrbitRight, Category::Camera, "Orbit right", &[on(CTRL, Key::Right)]),
    entry(Action::OrbitUp, Category::Camera, "Orbit up", &[on(CTRL, Key::Up)]),
    entry(Action::OrbitDown, Category::Camera, "Orbit down", &[on(CTRL, Key::Down)]),
    entry(Action::PanLeft, Category::Camera, "Pan left", &[on(CTRL_SHIFT, Key::Left)]),
    entry(Action::PanRight, Category::Camera, "Pan right", &[on(CTRL_SHIFT, Key::Right)]),
    entry(Action::PanUp, Category::Camera, "Pan up", &[on(CTRL_SHIFT, Key::Up)]),
    entry(Action::PanDown, Category::Camera, "Pan down", &[on(CTRL_SHIFT, Key::Down)]),
    entry(Action::ZoomIn, Category::Camera, "Zoom in", &[char(NONE, '+'), char(NONE, '=')]),
    entry(Action::ZoomOut, Category::Camera, "Zoom out", &[char(NONE, '-')]),
    entry(Action::Orthographic, Category::Camera, "Orthographic", &[char(NONE, 'p'), on(NONE, Key::Numpad(5))]),
    entry(Action::NextCamera, Category::Camera, "Next camera of the file", &[on(ALT, Key::Digit(0)), on(NONE, Key::Numpad(0))]),

    entry(Action::ShadeLit, Category::Display, "Lit", &[on(NONE, Key::Digit(1))]),
    entry(Action::ShadeBaseColor, Category::Display, "Base colour", &[on(NONE, Key::Digit(2))]),
    entry(Action::ShadeClay, Category::Display, "Clay", &[on(NONE, Key::Digit(3))]),
    entry(Action::ShadeNormals, Category::Display, "Normals", &[on(NONE, Key::Digit(4))]),
    entry(Action::ShadeTangents, Category::Display, "Tangents", &[on(NONE, Key::Digit(5))]),
    entry(Action::ShadeUv, Category::Display, "Texture coordinates", &[on(NONE, Key::Digit(6))]),
    entry(Action::ShadeVertexColors, Category::Display, "Vertex colours", &[on(NONE, Key::Digit(7))]),
    entry(Action::Wireframe, Category::Display, "Wireframe", &[char(NONE, 'w')]),
    entry(Action::XRay, Category::Display, "X-ray", &[char(NONE, 'x')]),
    entry(Action::Weights, Category::Display, "Weights", &[on(NONE, Key::Digit(8)), char(NONE, 'v')]),
    entry(Action::AllWeights, Category::Display, "Weights of all joints", &[char(SHIFT, 'v')]),
    entry(Action::Outline, Category::Display, "Outline", &[char(NONE, 'z')]),
    entry(Action::Skeleton, Category::Display, "Skeleton", &[char(NONE, 'b')]),
    entry(Action::JointAxes, Category::Display, "Joint axes", &[]),
    entry(Action::JointNames, Category::Display, "Joint names", &[char(NONE, 'n')]),
    entry(Action::Grid, Category::Display, "Grid", &[char(NONE, 'g')]),
    entry(Action::Axes, Category::Display, "Axes", &[]),
    entry(Action::MotionTrail, Category::Display, "Motion trail", &[char(NONE, 't')]),
    entry(Action::TrailWindow, Category::Display, "Trail near the playhead", &[]),
    entry(Action::TrailHidden, Category::Display, "Body hides the trail", &[]),
    entry(Action::OnionSkin, Category::Display, "Onion skin", &[char(SHIFT, 't')]),
    entry(Action::RestGhost, Category::Display, "Rest pose as a ghost", &[]),
    entry(Action::BindGhost, Category::Display, "Bind pose as a ghost", &[]),
    entry(Action::SkeletonHidden, Category::Display, "Body hides the skeleton", &[]),
    entry(Action::InPlace, Category::Display, "In place", &[char(NONE, 'q')]),
    entry(Action::GroundPath, Category::Display, "Path on the ground", &[]),
    entry(Action::PathInFront, Category::Display, "Path seen through the body", &[]),
    entry(Action::SpeedGraph, Category::Display, "Speed graph", &[]),
    entry(Action::FootContacts, Category::Display, "Foot contacts", &[]),

    entry(Action::LeftPanel, Category::Window, "Animations and nodes", &[on(NONE, Key::F(6))]),
    entry(Action::Timeline, Category::Window, "Timeline", &[on(NONE, Key::F(7))]),
    entry(Action::TimelineRows, Category::Window, "Dope sheet, curves, none", &[char(NONE, 'c')]),
    entry(Action::Inspector, Category::Window, "Inspector", &[on(NONE, Key::F(8))]),
    entry(Action::Performance, Category::Window, "Performance", &[on(NONE, Key::F(3))]),
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

/// What a key does outside text fields.
pub fn find(key: Key, modifiers: Modifiers) -> Option<Action> {
    // Whether a sign needs Shift is the keyboard's business: "?" is meant, not Shift+"/".
    let sign = matches!(key, Key::Char(char) if !char.is_alphabetic());
    let modifiers = if sign { Modifiers { shift: false, ..modifiers } } else { modifiers };
    let pressed = |binding: &Binding| binding.key == key && modifiers.matches_exact(binding.modifiers);
    TABLE.iter().find(|entry| entry.keys.iter().any(pressed)).map(|entry| entry.action)
}
