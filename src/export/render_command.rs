//! Writes the current view as a `sinew render` command line. Settings that no flag covers go into a view file.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::camera::Orbit;
use crate::compare::counterpart::CompareView;
use crate::session::camera::lens;
use crate::session::document::Document;
use crate::session::inspect::heat_map::{self, HeatMapMode};
use crate::session::locomotion::cache::LocomotionCache;
use crate::session::names::NameStyle;
use crate::session::time::clip::{self, ClipFormat, ClipLength, ClipOptions};
use crate::session::time::moment::Moment;
use crate::session::view::display::Ghosts;
use crate::session::view::display::{Depth, Display, HeatMap, JointNames, JointShape, Lighting};
use crate::session::view::layers::Layer;
use crate::session::view::overlay::{self, Overlay};
use crate::session::view::{Repeat, View, ViewCamera};
use crate::units::LengthUnit;

/// Sine of the pitch beyond which the command also needs the camera's up direction.
const STEEP_PITCH_SINE: f64 = 0.999;

/// The picture or clip that the command draws.
#[derive(Debug, Clone, Copy)]
pub struct RenderCommand<'a> {
    /// Path of the model file, as the command will find it.
    pub file: &'a Path,
    /// The open document.
    pub document: &'a Document,
    /// The view to draw.
    pub view: &'a View,
    /// The comparison that the picture shows.
    pub compared: Option<&'a ComparedFlags>,
    /// Time of a still picture, in seconds.
    pub time: f64,
    /// Options and frame rate of a clip, in frames per second; a still picture if `None`.
    pub clip: Option<(&'a ClipOptions, f64)>,
    /// Width and height, in pixels.
    pub size: [u32; 2],
    /// The theme's background in sRGB, if the command would use another one. A view's own background takes precedence.
    pub background: Option<[u8; 3]>,
    /// Path of the view file, for views that no flags can express.
    pub state: &'a Path,
    /// Name of the file to write.
    pub output: &'a str,
}

/// The second file of a comparison, and the flags for it.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedFlags {
    /// Path of the second file. It is the first file again if two of its animations are compared.
    pub file: PathBuf,
    pub layout: CompareView,
    /// The animation of the second file, if the command would choose a different one by itself.
    pub animation: Option<usize>,
    /// Whether the second animation is stretched to the duration of the first.
    pub stretch: bool,
    /// Seconds by which the second file is ahead.
    pub offset: f64,
}

/// The command as one line for a POSIX shell.
pub fn command_line(command: &RenderCommand) -> String {
    let mut line = format!("sinew render {}", quoted_path(&command.file.to_string_lossy()));
    let mut flag = |name: &str, value: &str| {
        line.push_str(" --");
        line.push_str(name);
        if !value.is_empty() {
            line.push(' ');
            line.push_str(&quoted(value));
        }
    };
    let borrowed = &command.document.model.borrowed;
    for file in borrowed {
        flag("animations", &file.path.to_string_lossy());
    }
    if let Some(compared) = command.compared {
        compare_flags(compared, &mut flag);
    }
    if settings_without_flag(command.view, command.clip.is_some()).is_empty() {
        view_flags(command, &mut flag);
    } else {
        // A view file holds all settings, so no other flag of the view is needed.
        flag("state", &command.state.to_string_lossy());
        if command.clip.is_some_and(|(options, _)| !options.overlays) {
            let kept = overlays(command.view, false);
            flag("overlay", &if kept.is_empty() { "none".to_owned() } else { names(&kept) });
        }
        if repeat(command) != command.view.repeat {
            flag("repeat", &value(repeat(command)));
        }
    }
    match command.clip {
        Some((options, fps)) => clip_flags(options, fps, command.view, &mut flag),
        None => flag("time", &command.time.to_string()),
    }
    let display = &command.view.display;
    // A shown environment is the background, so no color is given then.
    let seen_behind = display.environment.shown && display.lighting == Lighting::Studio;
    match command.background.filter(|_| display.background.is_none() && !seen_behind) {
        _ if is_transparent(command) => flag("transparent", ""),
        Some([red, green, blue]) => flag("background", &format!("{red:02X}{green:02X}{blue:02X}")),
        None => {}
    }
    flag("size", &format!("{}x{}", command.size[0], command.size[1]));
    // Writing to a string cannot fail.
    let _ = write!(line, " -o {}", quoted_path(command.output));
    line
}

/// The view to save for the command of a still picture at this moment. The command sets the layers' clock to the time of the picture. After
/// several passes through the animation, the clock of the window is ahead of this time, so the difference is added to the layers' offsets.
pub fn view_to_save(view: &View, moment: &Moment) -> View {
    let ahead = moment.clock - moment.time;
    let layers = view.layers.iter().map(|layer| Layer { offset: layer.offset + layer.speed * ahead, ..layer.clone() });
    View { layers: layers.collect(), ..view.clone() }
}

/// The parts of a view that only a view file can express, in words. `is_clip` tells whether the command writes a clip.
pub fn settings_without_flag(view: &View, is_clip: bool) -> Vec<&'static str> {
    let (display, default) = (&view.display, Display::default());
    // Ghosts and trails show other moments: those of the range, at the frames of the rate. Root path and contacts are sampled at these
    // frames, too, and contacts at the end continue at the start if the whole animation loops.
    let shows_moments = display.ghosts.shown || display.trail.shown;
    let (depends_on_range, depends_on_rate) = (shows_moments || display.contacts, shows_moments || LocomotionCache::is_drawn(view));
    let orthographic = matches!(view.camera, ViewCamera::Orbit(Orbit { orthographic: true, .. }));
    let environment = &display.environment;
    [
        ("the joint switches", !view.switches.is_empty()),
        ("the layers", !view.layers.is_empty()),
        ("the playback range", view.range.is_some() && depends_on_range && !is_clip),
        ("the frame rate", view.rate.is_some() && depends_on_rate),
        ("the skin weights of all joints", display.heat_map == HeatMap::All && !view.selection.is_empty()),
        ("the retargeting", !view.retarget.is_empty()),
        ("the bind pose", view.bind_pose),
        ("the morph weights", !view.morphs.is_empty()),
        ("the orthographic camera", orthographic),
        ("the followed node", view.follow.is_some()),
        ("playing in place", view.in_place),
        ("the crowd", display.crowd != default.crowd),
        ("the joint shape", display.joint_shape != JointShape::Lines && (display.skeleton || display.xray)),
        ("the joint axes", display.joint_axes),
        ("the trail near the playhead", display.trail.shown && display.trail.window.is_some()),
        ("what the mesh occludes", hides(display)),
        ("the onion skin settings", display.ghosts.shown && Ghosts { shown: false, ..display.ghosts } != Ghosts::default()),
        ("the contact sensitivity", display.contacts && display.contact_sensitivity != default.contact_sensitivity),
        ("the names of selected joints", display.names == JointNames::Selection),
        ("the environment rotation and background", environment.shown || environment.rotation != 0.0),
    ]
    .into_iter()
    .filter_map(|(what, is_there)| is_there.then_some(what))
    .collect()
}

/// How the picture of a command differs from that of the window with these preferences, in words. The command always uses short names,
/// meters and the dark theme.
pub fn differences(command: &RenderCommand, names: NameStyle, length: LengthUnit) -> Vec<&'static str> {
    let display = &command.view.display;
    let shown = command.clip.is_none_or(|(options, _)| options.overlays);
    let has_joint_names = match display.names {
        JointNames::None => false,
        JointNames::Selection => !command.view.selection.is_empty(),
        JointNames::All => true,
    };
    // The legend of the heat map names the selected joints.
    let has_names = shown && (has_joint_names || heat_map::mode(command.document, command.view) == Some(HeatMapMode::Heat));
    let shows_distances = command.compared.is_some_and(|compared| compared.layout == CompareView::Difference);
    let has_lengths = shown && display.trail.shown || shows_distances;
    let has_skeleton = shown && command.document.is_motion_only;
    let has_lines = has_skeleton || has_names || overlays(command.view, shown).iter().any(|overlay| *overlay != Overlay::Shadow);
    [
        ("with short names", names == NameStyle::Full && has_names),
        ("with lengths in meters", length == LengthUnit::Centimeters && has_lengths),
        ("in the colors of the dark theme", command.background.is_some() && (has_lines || command.compared.is_some())),
    ]
    .into_iter()
    .filter_map(|(what, is_there)| is_there.then_some(what))
    .collect()
}

/// Returns whether shown lines have a depth setting other than the default: skeleton or trail lines that the mesh hides, or ground lines
/// that it does not hide.
fn hides(display: &Display) -> bool {
    let skeleton = display.skeleton_depth == Depth::Occluded && (display.skeleton || display.joint_axes);
    let path = display.path_depth != Depth::Occluded && (display.ground_path || display.contacts);
    skeleton || path || (display.trail.depth == Depth::Occluded && display.trail.shown)
}

/// Returns whether the command writes a clip with a transparent background.
fn is_transparent(command: &RenderCommand) -> bool {
    command.clip.is_some_and(|(options, _)| options.is_transparent())
}

/// The loop mode of the clip if it has its own, otherwise the view's loop mode.
fn repeat(command: &RenderCommand) -> Repeat {
    command.clip.and_then(|(options, _)| options.repeat).unwrap_or(command.view.repeat)
}

/// Adds the flags for the content of the view.
fn view_flags(command: &RenderCommand, flag: &mut impl FnMut(&str, &str)) {
    let (view, display, default) = (command.view, &command.view.display, Display::default());
    if let Some(scene) = view.scene {
        flag("scene", &scene.to_string());
    }
    if let Some(animation) = view.animation {
        flag("animation", &animation.to_string());
    }
    camera_flags(&view.camera, flag);
    if display.shading != default.shading {
        flag("shading", &value(display.shading));
    }
    if display.lighting != default.lighting {
        flag("lighting", &value(display.lighting));
    }
    if let Some(file) = display.environment.file.as_deref().filter(|_| display.lighting == Lighting::Studio) {
        flag("environment", &file.to_string_lossy());
    }
    if display.exposure != default.exposure {
        flag("exposure", &display.exposure.to_string());
    }
    if display.tonemap != default.tonemap {
        flag("tonemap", &value(display.tonemap));
    }
    if let Some(variant) = display.variant {
        flag("variant", &variant.to_string());
    }
    if let Some([red, green, blue]) = display.background.filter(|_| !is_transparent(command)) {
        flag("background", &format!("{red:02X}{green:02X}{blue:02X}"));
    }
    // The selection needs a flag only if the picture shows it.
    let shown = command.clip.is_none_or(|(options, _)| options.overlays);
    if shown && !view.selection.is_empty() && command.document.marks_selection(view) {
        let nodes: Vec<_> = view.selection.iter().map(usize::to_string).collect();
        flag("select", &nodes.join(","));
    }
    let overlays = overlays(view, shown);
    if !overlays.is_empty() {
        flag("overlay", &names(&overlays));
    }
    if command.clip.is_some() && view.range.is_some() {
        // The command refuses a range that starts after the end of the animation.
        let [start, end] = clip::range(&command.document.model, view);
        flag("range", &format!("{start}..{end}"));
    }
    // In a still picture, the loop mode only matters for ghosts and foot contacts.
    let shows_repeat = command.clip.is_some() || display.ghosts.shown || display.contacts;
    if shows_repeat && repeat(command) != Repeat::default() {
        flag("repeat", &value(repeat(command)));
    }
}

/// Adds the flags for a comparison.
fn compare_flags(compared: &ComparedFlags, flag: &mut impl FnMut(&str, &str)) {
    flag("compare", &compared.file.to_string_lossy());
    flag("compare-view", &value(compared.layout));
    if let Some(animation) = compared.animation {
        flag("compare-animation", &animation.to_string());
    }
    if compared.stretch {
        flag("compare-stretch", "");
    }
    if compared.offset != 0.0 {
        flag("compare-offset", &compared.offset.to_string());
    }
}

/// Adds the flags for the camera.
fn camera_flags(camera: &ViewCamera, flag: &mut impl FnMut(&str, &str)) {
    match camera {
        ViewCamera::Fit => {}
        ViewCamera::File(camera) => flag("camera", &camera.to_string()),
        ViewCamera::Orbit(orbit) => {
            let triple = |v: glam::DVec3| format!("{},{},{}", v.x, v.y, v.z);
            flag("eye", &triple(orbit.eye()));
            flag("target", &triple(orbit.focus));
            // Near the poles, eye and target do not determine the up direction.
            if orbit.pitch.sin().abs() > STEEP_PITCH_SINE {
                flag("up", &triple(orbit.up()));
            }
            match lens::round_focal_length(orbit.yfov) {
                Some(focal_length) => flag("focal-length", &focal_length.to_string()),
                None => flag("yfov", &orbit.yfov.to_degrees().to_string()),
            }
        }
    }
}

/// The overlays of the picture. The shadow counts as part of the picture, so it is kept even if overlays are left out (`shown` is false).
fn overlays(view: &View, shown: bool) -> Vec<Overlay> {
    let display = if shown { view.display.clone() } else { overlay::without_overlays(&view.display) };
    let is_visible = |overlay: &Overlay| overlay.is_on(&display) && !(*overlay == Overlay::Outline && view.selection.is_empty());
    Overlay::value_variants().iter().copied().filter(is_visible).collect()
}

/// The value of `--overlay` for these overlays.
fn names(overlays: &[Overlay]) -> String {
    overlays.iter().map(|overlay| value(*overlay)).collect::<Vec<_>>().join(",")
}

/// Adds the flags for a clip's rate and length.
fn clip_flags(options: &ClipOptions, fps: f64, view: &View, flag: &mut impl FnMut(&str, &str)) {
    // The rate also distinguishes an animated PNG from a still one.
    if options.fps.is_some() || view.rate.is_some() || options.format == ClipFormat::Apng {
        flag("fps", &fps.to_string());
    }
    match options.length() {
        ClipLength::Turntable(seconds) => flag("turntable", &seconds.to_string()),
        ClipLength::Loops(loops) if loops != 1 => flag("loops", &loops.to_string()),
        ClipLength::Loops(_) => {}
    }
}

/// The name of an enum's value on the command line.
pub fn value(choice: impl ValueEnum) -> String {
    choice.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// A path as one word of a POSIX shell. A name such as "-a.glb" would be read as a flag, so it gets its folder.
fn quoted_path(path: &str) -> String {
    if path.starts_with('-') { quoted(&format!("./{path}")) } else { quoted(path) }
}

/// The text as one word of a POSIX shell.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./,:=+@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}
