//! Actors to an ordered list of draws: which primitive, with which pipeline, at which instance. Solid ones by pipeline and from
//! the front to the back, blended ones from the back to the front. The winding is decided here, every frame, from the palette.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use crate::animation::skinning::JointMatrix;
use crate::model::material::AlphaMode;

use super::frame;
use super::picture::{Actor, Picture};
use super::pipelines::{self, Alpha, Cull, PointsOrLines, SurfaceKey};
use super::upload::{GpuMaterial, GpuPrimitive};

/// Keep in sync with `Instance` in deform.wgsl.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Instance {
    palette_base: u32,
    weights_base: u32,
    extra_sets: u32,
    morphed: u32,
}

pub(super) struct Draw<'a> {
    pub key: SurfaceKey,
    pub primitive: &'a GpuPrimitive,
    pub material: &'a GpuMaterial,
    pub instance: u32,
    /// Along the view, from the eye.
    distance: f32,
}

#[derive(Default)]
pub(super) struct Draws<'a> {
    pub instances: Vec<Instance>,
    /// Opaque and masked.
    pub solid: Vec<Draw<'a>>,
    pub blended: Vec<Draw<'a>>,
}

/// Which way round triangles come out of their transforms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Winding {
    Kept,
    Mirrored,
    /// Some joints of a skin mirror, others do not.
    Mixed {
        mostly_mirrored: bool,
    },
}

/// `lamps`: whether any light of [`frame::lights`] shines.
pub(super) fn collect<'a>(picture: &Picture, actors: &[Actor<'a>], lamps: bool) -> Draws<'a> {
    let mut draws = Draws::default();
    let (mut palette_base, mut weights_base) = (0, 0);
    let view = picture.camera.view_from_world.matrix3.row(2).as_vec3();
    for actor in actors {
        let mirrors: Vec<bool> = actor.palette.iter().map(mirrors).collect();
        for (node, _) in actor.model.nodes.iter().zip(actor.visible).filter(|(_, visible)| **visible) {
            let Some(primitives) = node.mesh.and_then(|mesh| actor.gpu.meshes.get(mesh)) else { continue };
            for primitive in primitives.iter().filter(|primitive| primitive.index_count > 0) {
                let skin = node.skin.filter(|_| primitive.influences.is_some()).map(|skin| &actor.model.skins[skin]);
                let Some(matrix) = skin.map(|skin| skin.matrices.start).or(node.rigid_matrix) else { continue };
                let winding = match skin {
                    Some(_) => winding(primitive.used_joints.iter().filter_map(|&joint| mirrors.get(matrix + usize::from(joint)))),
                    None => winding(mirrors.get(matrix)),
                };
                let material = &actor.gpu.materials[primitive.material];
                let draw = Draw {
                    key: key(picture, primitive, material, skin.is_some(), winding, lamps),
                    primitive,
                    material,
                    instance: draws.instances.len() as u32,
                    distance: -view.dot(center(actor.palette, primitive, matrix, skin.is_some())),
                };
                draws.instances.push(Instance {
                    palette_base: (palette_base + matrix) as u32,
                    weights_base: (weights_base + node.weights.start) as u32,
                    extra_sets: primitive.extra_sets,
                    morphed: u32::from(primitive.morphed && !node.weights.is_empty()),
                });
                if draw.key.alpha == Alpha::Blend { &mut draws.blended } else { &mut draws.solid }.push(draw);
            }
        }
        palette_base += actor.palette.len();
        weights_base += actor.weights.len();
    }
    draws.solid.sort_by(|a, b| a.key.cmp(&b.key).then(a.distance.total_cmp(&b.distance)));
    draws.blended.sort_by(|a, b| b.distance.total_cmp(&a.distance));
    draws
}

impl<'a> Draw<'a> {
    /// The same with another side left out.
    pub fn culled(&self, cull: Cull) -> SurfaceKey {
        SurfaceKey { cull, ..self.key }
    }
}

fn key(picture: &Picture, primitive: &GpuPrimitive, material: &GpuMaterial, skinned: bool, winding: Winding, lamps: bool) -> SurfaceKey {
    let display = picture.display;
    let points_or_lines = PointsOrLines::from_topology(primitive.topology);
    let lit = display.lighting != crate::session::view::Lighting::None;
    let mixed = matches!(winding, Winding::Mixed { .. });
    let is_surface = points_or_lines.is_none();
    let both_sides = material.double_sided || mixed || !is_surface;
    SurfaceKey {
        alpha: match material.alpha_mode {
            AlphaMode::Opaque => Alpha::Opaque,
            AlphaMode::Mask { .. } => Alpha::Mask,
            AlphaMode::Blend => Alpha::Blend,
        },
        points_or_lines,
        skinned,
        mirrored: matches!(winding, Winding::Mirrored | Winding::Mixed { mostly_mirrored: true }),
        cull: if both_sides { Cull::None } else { Cull::Back },
        textures: material.textures,
        // A line or a point has no side to take a normal from.
        normals: primitive.has_normals || !is_surface,
        tangents: primitive.has_tangents,
        two_sided: is_surface && both_sides,
        unlit: material.unlit || !lit || (!is_surface && !primitive.has_normals),
        studio: frame::studio_shines(picture),
        lamps,
        shading: pipelines::shading_index(display.shading),
        tonemap: pipelines::tonemap_index(display.tonemap),
    }
    .simplified()
}

fn winding<'a>(mirrors: impl IntoIterator<Item = &'a bool>) -> Winding {
    let (mut mirrored, mut all) = (0, 0);
    for mirror in mirrors {
        mirrored += usize::from(*mirror);
        all += 1;
    }
    match mirrored {
        0 => Winding::Kept,
        _ if mirrored == all => Winding::Mirrored,
        _ => Winding::Mixed { mostly_mirrored: mirrored * 2 > all },
    }
}

fn mirrors(matrix: &JointMatrix) -> bool {
    let [x, y, z] = matrix.rows.map(|row| row.truncate().as_dvec3());
    x.dot(y.cross(z)) < 0.0
}

/// About where the primitive is, relative to the anchor: for a skin the mean over the joints that move it.
fn center(palette: &[JointMatrix], primitive: &GpuPrimitive, matrix: usize, skinned: bool) -> Vec3 {
    let moved = |entry: usize| {
        let at = primitive.center.extend(1.0);
        palette.get(entry).map_or(Vec3::ZERO, |m| Vec3::new(m.rows[0].dot(at), m.rows[1].dot(at), m.rows[2].dot(at)))
    };
    if !skinned || primitive.used_joints.is_empty() {
        return moved(matrix);
    }
    let sum: Vec3 = primitive.used_joints.iter().map(|&joint| moved(matrix + usize::from(joint))).sum();
    sum / primitive.used_joints.len() as f32
}
