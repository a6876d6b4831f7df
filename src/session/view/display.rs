//! The settings of how a model is drawn, as plain data.

use std::path::PathBuf;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// How the model is drawn. None of these settings changes its pose.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Display {
    /// The quantity that surfaces show.
    pub shading: Shading,
    /// The light of the scene.
    pub lighting: Lighting,
    /// The image-based light.
    pub environment: Environment,
    /// How scene light becomes display colors.
    pub tonemap: Tonemap,
    /// Exposure value: each step doubles the light.
    pub exposure: f32,
    /// Background color in sRGB; the theme's background if `None`.
    pub background: Option<[u8; 3]>,
    /// Whether the skeleton is drawn.
    pub skeleton: bool,
    /// The joints that show their names.
    pub names: JointNames,
    /// The shape that represents a joint.
    pub joint_shape: JointShape,
    /// Whether each joint shows its local axes.
    pub joint_axes: bool,
    /// Whether the body hides the skeleton and the joint axes.
    pub skeleton_depth: Depth,
    /// The motion trails of the selected nodes.
    pub trail: Trail,
    /// The onion skin.
    pub ghosts: Ghosts,
    /// Whether the edges of triangles are drawn over the shaded surface.
    pub wireframe: bool,
    /// Whether the body is translucent and the skeleton shows through it.
    pub xray: bool,
    /// Whether the geometry of the selected nodes has an outline.
    pub outline: bool,
    /// The heat map of skin weights, which replaces the shading.
    #[serde(rename = "weights")]
    pub heat_map: HeatMap,
    /// Whether the ground grid is drawn.
    pub grid: bool,
    /// Whether the world axes are drawn.
    pub axes: bool,
    /// Whether the path of the root is drawn on the ground.
    #[serde(rename = "path")]
    pub ground_path: bool,
    /// Whether the body hides the path and the foot contacts.
    pub path_depth: Depth,
    /// Whether the timeline shows the root's ground speed.
    #[serde(rename = "speed")]
    pub speed_graph: bool,
    /// Whether foot contacts are shown, on the timeline and on the ground.
    pub contacts: bool,
    /// Sensitivity of the contact detection, from 0 (fewest contacts) to 1 (most).
    pub contact_sensitivity: f64,
    /// The shadow of the key light, on the model and on the ground.
    pub shadow: Shadow,
    /// A material variant of the file (KHR_materials_variants), by index; the default materials if `None`.
    pub variant: Option<usize>,
    /// Number of copies of the model on a grid. Each copy plays at its own time.
    pub crowd: u32,
}

impl Display {
    /// The model alone: without grid and shadow.
    pub fn plain() -> Self {
        Self { grid: false, shadow: Shadow::Off, ..Self::default() }
    }
}

impl Default for Display {
    fn default() -> Self {
        Self {
            shading: Shading::Lit,
            lighting: Lighting::Studio,
            environment: Environment::default(),
            tonemap: Tonemap::Neutral,
            exposure: 0.0,
            background: None,
            skeleton: false,
            names: JointNames::None,
            joint_shape: JointShape::Lines,
            joint_axes: false,
            skeleton_depth: Depth::InFront,
            trail: Trail::default(),
            ghosts: Ghosts::default(),
            wireframe: false,
            xray: false,
            outline: true,
            heat_map: HeatMap::Off,
            grid: true,
            axes: false,
            ground_path: false,
            path_depth: Depth::Occluded,
            speed_graph: false,
            contacts: false,
            contact_sensitivity: 0.5,
            shadow: Shadow::Automatic,
            variant: None,
            crowd: 1,
        }
    }
}

impl Display {
    /// Returns whether the skeleton is drawn. X-ray shows it, too.
    pub fn asks_for_skeleton(&self) -> bool {
        self.skeleton || self.xray
    }

    /// The settings that the next run begins with. Those that belong to one file have their defaults, and so do those that search the
    /// file for its root and its feet.
    pub fn remembered(&self) -> Self {
        let unset = Self::default();
        Self {
            environment: if self.environment.file.is_some() { unset.environment } else { self.environment.clone() },
            ground_path: unset.ground_path,
            speed_graph: unset.speed_graph,
            contacts: unset.contacts,
            variant: unset.variant,
            crowd: unset.crowd,
            ..self.clone()
        }
    }

    /// Takes over the settings that differ between `before` and `after`, so that a single change does not bring all others with it.
    pub fn merge_changes(&mut self, before: &Self, after: &Self) {
        macro_rules! merge {
            ($($field:ident),* $(,)?) => {
                // The pattern names all fields, so that none is forgotten.
                let Self { $($field),* } = after;
                $(if *$field != before.$field {
                    self.$field.clone_from($field);
                })*
            };
        }
        merge!(
            shading,
            lighting,
            environment,
            tonemap,
            exposure,
            background,
            skeleton,
            names,
            joint_shape,
            joint_axes,
            skeleton_depth,
            trail,
            ghosts,
            wireframe,
            xray,
            outline,
            heat_map,
            grid,
            axes,
            ground_path,
            path_depth,
            speed_graph,
            contacts,
            contact_sensitivity,
            shadow,
            variant,
            crowd,
        );
    }
}

/// The quantity that surfaces show.
///
/// [`Shading::Roughness`] and all modes after it show a value of the material: the factor times the texture, without light, exposure and
/// tone mapping. A number from 0 to 1 is a gray with this sRGB value, so a byte of the picture is 255 times the number. A color is linear
/// light that is encoded as sRGB, as in [`Shading::BaseColor`]; values above 1 are clamped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Shading {
    #[default]
    Lit,
    BaseColor,
    Clay,
    Normals,
    Tangents,
    Uv,
    VertexColors,
    /// Perceptual roughness, a number. For KHR_materials_pbrSpecularGlossiness it is 1 minus glossiness.
    Roughness,
    /// Metalness, a number. Materials of KHR_materials_pbrSpecularGlossiness have none.
    Metallic,
    /// Occlusion of indirect light with its strength applied, a number: 0 where all light is blocked.
    Occlusion,
    /// Emission with its strength applied, a color.
    Emissive,
    /// Alpha of the base color, a number, whatever the alpha mode. All surfaces are drawn opaque.
    Alpha,
    /// Factor times color of KHR_materials_specular, or the specular color of KHR_materials_pbrSpecularGlossiness.
    Specular,
}

impl Shading {
    /// Returns whether surfaces show light, and so a shadow, exposure and tone mapping.
    pub fn is_lit(self) -> bool {
        matches!(self, Self::Lit | Self::Clay)
    }
}

/// The joints whose skin weights are shown as a heat map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HeatMap {
    #[default]
    Off,
    /// The selected joints together, from cold to hot; every joint in its own color if no selected joint moves vertices.
    Selection,
    /// Every joint in its own color.
    All,
}

/// The joints whose names are shown beside them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JointNames {
    #[default]
    None,
    /// Only selected joints show their names.
    Selection,
    /// Every joint shows its name.
    All,
}

/// How the skeleton shows a joint, from its position to its end. A joint ends at its child joint, or at the mean position of
/// several child joints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JointShape {
    /// A line with a dot at the joint.
    #[default]
    Lines,
    /// An octahedron instead of the line.
    Octahedra,
    /// A ball at the joint, and a spike instead of the line.
    Spheres,
    /// A box instead of the line.
    Boxes,
}

/// Whether the model hides an annotation. X-ray always shows it in front.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Depth {
    #[default]
    InFront,
    /// Parts of the model in front of the annotation hide it.
    #[serde(rename = "hidden")]
    Occluded,
}

/// The light of the scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Lighting {
    /// The built-in studio, or the panorama of --environment.
    #[default]
    Studio,
    /// Headlight: one white directional light from the camera, and ambient light.
    Flat,
    /// Unlit: base color only.
    None,
}

/// The image-based light of [`Lighting::Studio`].
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Environment {
    /// A .hdr or .exr panorama; the built-in studio if `None`. In a view file, the path may be relative to the folder of that view.
    pub file: Option<PathBuf>,
    /// Rotation about Y in degrees, counterclockwise as seen from above.
    pub rotation: f32,
    /// Whether the environment is shown behind the model, in place of [`Display::background`]. A transparent picture, or one with
    /// `--background`, does not show it.
    pub shown: bool,
    /// Blur of the shown environment, from 0 (sharp) to 1 (as the roughest surface reflects it).
    pub blur: f32,
}

/// How scene light becomes display colors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Tonemap {
    /// Khronos PBR Neutral.
    #[default]
    Neutral,
    Aces,
    Agx,
    None,
}

/// Whether the key light casts a shadow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shadow {
    /// On, but on a software rasterizer off for heavy models, and while a picture moves if the shadow takes too long.
    #[default]
    Automatic,
    On,
    Off,
}

/// Settings of the motion trail.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Trail {
    /// Whether the trails are drawn.
    pub shown: bool,
    /// Seconds before and after the playhead that the trail covers; the whole range if `None`.
    pub window: Option<f64>,
    /// Whether the body hides the trails.
    pub depth: Depth,
}

/// Settings of the onion skin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Ghosts {
    /// Whether the ghosts are drawn.
    pub shown: bool,
    /// The poses that the ghosts show.
    #[serde(rename = "of")]
    pub source: GhostSource,
    /// Number of ghosts at earlier times.
    pub before: u32,
    /// Number of ghosts at later times.
    pub after: u32,
    /// Frames from one ghost to the next.
    pub step: u32,
}

impl Default for Ghosts {
    fn default() -> Self {
        Self { shown: false, source: GhostSource::Times, before: 3, after: 3, step: 4 }
    }
}

/// The poses that the ghosts of an onion skin show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GhostSource {
    /// The body at other times.
    #[default]
    Times,
    /// The rest pose.
    Rest,
    /// The bind pose.
    Bind,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_one_file_are_not_remembered() {
        let everywhere = Display { shading: Shading::Clay, skeleton: true, wireframe: true, exposure: 1.5, ..Display::default() };
        let environment = Environment { file: Some("hall.hdr".into()), rotation: 90.0, shown: true, blur: 0.5 };
        let here = Display {
            environment,
            ground_path: true,
            speed_graph: true,
            contacts: true,
            variant: Some(1),
            crowd: 50,
            ..everywhere.clone()
        };
        assert_eq!(here.remembered(), everywhere);
        let turned = Display { environment: Environment { rotation: 90.0, ..Environment::default() }, ..everywhere };
        assert_eq!(turned.remembered(), turned);
    }

    #[test]
    fn only_changed_settings_are_merged() {
        let own = Display { grid: false, exposure: 2.0, skeleton: true, ..Display::default() };
        let before = Display { wireframe: true, crowd: 3, ..Display::default() };
        let trail = Trail { shown: true, ..Trail::default() };
        let after = Display { skeleton: false, exposure: 0.5, wireframe: false, trail, ..before.clone() };
        let mut merged = own.clone();
        merged.merge_changes(&before, &after);
        assert_eq!(merged, Display { exposure: 0.5, trail: after.trail.clone(), ..own.clone() });
        merged.merge_changes(&after, &before);
        assert_eq!(merged, Display { exposure: 0.0, wireframe: true, ..own });
    }

    #[cfg(unix)]
    #[test]
    fn changes_are_merged_although_the_path_of_the_environment_is_not_utf_8() {
        use std::os::unix::ffi::OsStringExt;
        let file = std::ffi::OsString::from_vec(b"\xff.hdr".to_vec());
        let before = Display { environment: Environment { file: Some(file.into()), ..Environment::default() }, ..Display::default() };
        let mut merged = Display::default();
        merged.merge_changes(&before, &Display { xray: true, ..before.clone() });
        assert_eq!(merged, Display { xray: true, ..Display::default() });
    }
}
