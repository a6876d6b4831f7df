//! The values that several panels offer, with their labels.

use crate::session::names::NameStyle;
use crate::session::pose::crowd;
use crate::session::view::Repeat;
use crate::session::view::display::{JointNames, JointShape, Lighting, Shadow, Tonemap};

pub const JOINT_SHAPES: [(&str, JointShape); 4] =
    [("Lines", JointShape::Lines), ("Octahedra", JointShape::Octahedra), ("Spheres", JointShape::Spheres), ("Boxes", JointShape::Boxes)];
pub const JOINT_NAMES: [(&str, JointNames); 3] =
    [("None", JointNames::None), ("Selected", JointNames::Selection), ("All", JointNames::All)];
/// Short names leave out the prefix that all joints of a skeleton share. The chosen style also applies to the names in lists.
pub const NAME_STYLES: [(&str, NameStyle); 2] = [("Short names", NameStyle::Short), ("Full names", NameStyle::Full)];
pub const LIGHTINGS: [(&str, Lighting); 3] = [("Environment", Lighting::Studio), ("Headlight", Lighting::Flat), ("Unlit", Lighting::None)];
pub const SHADOWS: [(&str, Shadow); 3] = [("Automatic", Shadow::Automatic), ("On", Shadow::On), ("Off", Shadow::Off)];
pub const TONEMAPS: [(&str, Tonemap); 4] =
    [("Khronos PBR Neutral", Tonemap::Neutral), ("ACES", Tonemap::Aces), ("AgX", Tonemap::Agx), ("None", Tonemap::None)];
/// The loop modes.
pub const REPEATS: [(&str, Repeat); 3] = [("Loop", Repeat::Loop), ("Once", Repeat::Once), ("Ping-pong", Repeat::PingPong)];
/// Durations of the blend between animations, in seconds.
pub const CROSS_FADES: [(&str, f64); 5] = [("Off", 0.0), ("0.1 s", 0.1), ("0.2 s", 0.2), ("0.5 s", 0.5), ("1 s", 1.0)];
/// Numbers of instances in the crowd.
pub const CROWD_SIZES: [u32; 6] = [1, 10, 100, 1000, 10_000, crowd::MAX_MEMBERS];
pub const BACKGROUNDS: [(&str, Option<[u8; 3]>); 6] = [
    ("Theme default", None),
    ("Black", Some([0, 0, 0])),
    ("Dark gray", Some([46, 46, 46])),
    ("Mid gray", Some([119, 119, 119])),
    ("Light gray", Some([211, 211, 211])),
    ("White", Some([255, 255, 255])),
];

/// Label of the reload switch in the File menu and in the settings.
pub const RELOAD_LABEL: &str = "Reload when file changes";
pub const RELOAD_HINT: &str =
    "Reload when the file, its buffers or its textures change on disk, for example after an export. Keeps animation, time and view.";
