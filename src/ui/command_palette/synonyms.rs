//! Synonyms of actions and choices: the words that other tools use for them. The palette also finds a command by these words.

use crate::session::view::display::Lighting;
use crate::ui::actions::Action;
use crate::ui::context::preferences::{Snap, ThemeChoice};
use crate::units::{LengthUnit, UpAxis};

use super::choice::Choice;

/// The synonyms of an action, in lower case.
pub fn of_action(action: Action) -> &'static [&'static str] {
    SYNONYMS.iter().find(|(other, _)| *other == action).map_or(&[], |(_, synonyms)| synonyms)
}

/// The synonyms of a choice, in lower case.
pub fn of_choice(choice: Choice) -> &'static [&'static str] {
    match choice {
        Choice::Theme(ThemeChoice::Dark) => &["dark mode", "dark theme"],
        Choice::Theme(ThemeChoice::Light) => &["light mode", "light theme"],
        Choice::Navigation(_) => &["mouse buttons", "camera controls"],
        Choice::LengthUnit(LengthUnit::Centimeters) => &["units", "cm", "centimeters"],
        Choice::LengthUnit(LengthUnit::Meters) => &["units", "m", "meters"],
        Choice::UpAxis(UpAxis::Y) => &["y up"],
        Choice::UpAxis(UpAxis::Z) => &["z up"],
        Choice::Lighting(Lighting::Flat) => &["flat lighting", "camera light"],
        Choice::Lighting(Lighting::None) => &["no lighting", "shadeless"],
        Choice::Tonemap(_) => &["view transform", "tonemap", "color management"],
        Choice::Background(_) => &["backdrop"],
        Choice::Crowd(_) => &["members", "copies", "stress test"],
        Choice::JointShape(_) => &["bone shape"],
        Choice::FocalLength(_) => &["fov", "field of view", "lens", "zoom lens"],
        Choice::JointNames(_) => &["bone names"],
        Choice::CrossFade(_) => &["blend time", "crossfade", "transition"],
        Choice::CheckProfile(_) => &["engine", "target"],
        Choice::Snap(Snap::Nothing) => &["snap off"],
        Choice::Snap(_) => &["snapping", "magnet"],
        _ => &[],
    }
}

/// The synonyms of a camera bookmark, in lower case.
pub const BOOKMARK: &[&str] = &["go to", "saved camera", "saved view"];

/// The synonyms of each action, in lower case. Actions without synonyms are not listed.
#[rustfmt::skip]
pub const SYNONYMS: &[(Action, &[&str])] = &[
    (Action::Open, &["load", "import", "browse"]),
    (Action::AddAnimations, &["import animations", "retarget", "borrow", "mixamo"]),
    (Action::BindingReport, &["retargeting", "bone mapping", "joint mapping", "pair joints", "unbound joints"]),
    (Action::Reload, &["refresh", "revert"]),
    (Action::Compare, &["diff", "a/b", "optimizer"]),
    (Action::CompareSide, &["side by side", "split view", "split screen", "two viewports"]),
    (Action::CompareOverlay, &["overlay", "ghost"]),
    (Action::CompareDifference, &["difference", "heat map", "error"]),
    (Action::OpenSample, &["demo", "example"]),
    (Action::OpenEnvironment, &["hdri", "hdr", "exr", "ibl", "skybox", "panorama", "image-based light", "world"]),
    (Action::StudioEnvironment, &["default lighting", "reset environment"]),
    (Action::CopyPicture, &["copy image", "copy screenshot", "clipboard", "paste"]),
    (Action::Screenshot, &["snapshot", "capture", "print screen", "save image", "render image", "photo"]),
    (Action::ExportClip, &["playblast", "movie", "video", "gif", "mp4", "webm", "turntable", "image sequence", "record", "render animation"]),
    (Action::ExportSheet, &["thumbnails", "overview", "storyboard", "grid of animations", "sprite sheet", "phases"]),
    (Action::CopyCommand, &["command line", "cli", "sinew render"]),
    (Action::SaveView, &["save state", "--state"]),
    (Action::CheckFile, &["lint", "quality", "qa", "game engine", "unreal", "unity", "godot", "three.js", "loop gap", "problems", "warnings", "checks"]),
    (Action::Validate, &["validator", "specification", "khronos", "conformance", "inspect", "errors"]),
    (Action::Quit, &["exit", "close window"]),

    (Action::PlayPause, &["start", "stop", "playback"]),
    (Action::PlayBackward, &["reverse", "backwards", "rewind"]),
    (Action::PlayForward, &["forwards", "fast forward"]),
    (Action::Slower, &["slower", "slow motion", "playback speed"]),
    (Action::Faster, &["faster", "playback speed"]),
    (Action::NormalSpeed, &["normal speed", "real time"]),
    (Action::PreviousFrame, &["step back"]),
    (Action::NextFrame, &["step forward"]),
    (Action::First, &["jump to start", "go to start"]),
    (Action::Last, &["jump to end", "go to end"]),
    (Action::PreviousKey, &["previous keyframe"]),
    (Action::NextKey, &["next keyframe"]),
    (Action::SetIn, &["mark in", "start frame", "trim"]),
    (Action::SetOut, &["mark out", "end frame"]),
    (Action::FitTimeline, &["zoom timeline", "fit timeline"]),
    (Action::Repeat, &["repeat", "cycle"]),
    (Action::PlayAllInSequence, &["playlist", "all animations"]),
    (Action::BindPose, &["t-pose", "a-pose", "bind matrices"]),
    (Action::ResetMorphs, &["shape keys", "blend shapes", "blendshapes"]),
    (Action::PreviousAnimation, &["previous clip", "previous take"]),
    (Action::NextAnimation, &["next clip", "next take"]),

    (Action::Undo, &["undo history", "history"]),
    (Action::SelectNone, &["deselect", "clear selection"]),
    (Action::Search, &["find node", "find joint", "find bone", "filter nodes"]),
    (Action::CopyValues, &["copy values", "copy matrix", "copy keys"]),

    (Action::Drawn, &["hide bone", "show bone"]),
    (Action::Animated, &["freeze", "hold rest pose"]),
    (Action::Influence, &["skinning", "skin binding"]),
    (Action::Geometry, &["hide", "visibility", "hide mesh"]),
    (Action::IsolateGeometry, &["hide others"]),
    (Action::Isolate, &["isolate selection", "local view"]),
    (Action::ResetSwitches, &["unhide all", "show everything"]),

    (Action::FrameSelected, &["focus", "fit selection", "zoom to selection", "center view"]),
    (Action::FrameAll, &["zoom to fit", "fit all", "view all", "reset camera", "home view"]),
    (Action::Follow, &["track", "lock camera"]),
    (Action::Orthographic, &["perspective", "projection", "fov", "field of view", "focal length"]),
    (Action::NextCamera, &["look through camera", "active camera", "camera view"]),

    (Action::ShadeLit, &["shaded", "material preview", "pbr"]),
    (Action::ShadeBaseColor, &["albedo", "base color", "diffuse"]),
    (Action::ShadeClay, &["solid", "matcap"]),
    (Action::ShadeNormals, &["surface normals"]),
    (Action::ShadeUv, &["uv", "uvs", "uv map", "uv checker"]),
    (Action::ShadeVertexColors, &["vertex colors", "vertex paint", "color attribute"]),
    (Action::Wireframe, &["topology", "edges", "polygons"]),
    (Action::XRay, &["xray", "opacity", "see through", "transparency"]),
    (Action::Weights, &["heatmap", "heat map", "weights", "weight paint", "vertex groups"]),
    (Action::Outline, &["highlight selection", "silhouette"]),
    (Action::Skeleton, &["bones", "bone", "armature", "rig"]),
    (Action::JointAxes, &["bone axes", "joint orientation"]),
    (Action::JointNames, &["bone names", "labels"]),
    (Action::Grid, &["floor", "ground plane"]),
    (Action::Axes, &["world axes", "origin"]),
    (Action::MotionTrail, &["motion path", "trajectory", "arcs"]),
    (Action::OnionSkin, &["ghosting", "ghosts", "ghost", "onion skinning"]),
    (Action::InPlace, &["remove root motion", "lock root", "treadmill"]),
    (Action::GroundPath, &["root motion", "root trajectory"]),
    (Action::SpeedGraph, &["velocity"]),
    (Action::FootContacts, &["foot sliding", "foot slide", "foot lock", "foot planting", "feet"]),

    (Action::LeftPanel, &["hierarchy", "outliner", "scene tree", "left panel", "layers", "animation layers", "additive", "blend animations"]),
    (Action::TimelineRows, &["graph editor", "curve editor", "f-curves", "fcurves"]),
    (Action::Inspector, &["properties", "details", "right panel", "sidebar"]),
    (Action::Performance, &["fps", "frame rate", "frame time", "profiler"]),
    (Action::FileStrip, &["thumbnails", "filmstrip", "film strip", "folder", "gallery", "browser", "file list"]),
    (Action::AllPanels, &["hide ui", "maximize viewport"]),
    (Action::FullScreen, &["fullscreen"]),
    (Action::LargerScale, &["larger", "font size", "zoom ui"]),
    (Action::SmallerScale, &["smaller"]),
    (Action::NormalScale, &["normal size"]),
    (Action::Settings, &["preferences", "options", "config", "adapter", "graphics adapter", "graphics card", "gpu"]),
    (Action::Shortcuts, &["hotkeys", "keymap", "key bindings", "help"]),
    (Action::About, &["version", "licence", "license", "credits"]),
    (Action::CloseOrDeselect, &["escape"]),
];
