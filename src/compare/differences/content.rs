//! Lists the differences of meshes, animations and materials.

use crate::compare::node_pairs::NodePairs;
use crate::compare::pairing::{self, PrimitivePair, Topologies};
use crate::model::Model;
use crate::model::animation::Animation;
use crate::model::label;
use crate::model::material::Material;
use crate::model::mesh::Vertices;
use crate::model::node::NodeIndex;
use crate::model::texture::TextureSlot;
use crate::numbers::{counted, grouped, three_digits};

use super::{Differences, name};

/// Adds differences between the meshes of paired nodes: primitives, morph targets, vertices and triangles.
pub(super) fn compare_geometry([a, b]: [&Model; 2], node_pairs: &NodePairs, differences: &mut Differences) {
    for (in_a, in_b) in node_pairs.pairs() {
        let mesh = |model: &Model, node: NodeIndex| {
            model.node(node).mesh.and_then(|mesh| Some((model.meshes.get(mesh)?.primitives.len(), model.meshes[mesh].target_count)))
        };
        match (mesh(a, in_a), mesh(b, in_b)) {
            (Some(_), None) if !pairing::mesh_nodes(b, node_pairs, in_b).is_empty() => {
                differences.add("MESH_MOVED", || format!("the mesh of {} is at a new child in B", name(a, in_a)));
            }
            (Some(_), None) => differences.add("MESH_ONLY_IN_A", || format!("{} has a mesh only in A", name(a, in_a))),
            (None, Some(_)) => differences.add("MESH_ONLY_IN_B", || format!("{} has a mesh only in B", name(a, in_a))),
            (Some((p, _)), Some((q, _))) if p != q => {
                differences
                    .add("PRIMITIVE_COUNT", || format!("{} has {} in A, {} in B", name(a, in_a), counted(p, "primitive"), grouped(q)));
            }
            (Some((_, p)), Some((_, q))) if p != q => {
                differences.add("MORPH_TARGET_COUNT", || {
                    format!("{} has {} in A, {} in B", name(a, in_a), counted(p, "morph target"), grouped(q))
                });
            }
            _ => {}
        }
    }
    let mut topologies = Topologies::default();
    for pair in pairing::primitives(a, b, node_pairs) {
        let [p, q] = [pair.a.source_vertex_count, pair.b.source_vertex_count];
        let primitive = || primitive_name(a, &pair);
        if pair.a.topology != pair.b.topology {
            differences.add("PRIMITIVE_MODE", || {
                let [p, q] = [pair.a, pair.b].map(|primitive| primitive.topology.elements());
                format!("{} consists of {p} in A, of {q} in B", primitive())
            });
        } else if p != q {
            differences.add("VERTEX_COUNT", || format!("{} has {} in A, {} in B", primitive(), counted(p, "vertex"), grouped(q)));
        } else if pair.a.triangle_count() != pair.b.triangle_count() {
            differences.add("TRIANGLE_COUNT", || {
                let [p, q] = [pair.a.triangle_count(), pair.b.triangle_count()];
                format!("{} has {} in A, {} in B", primitive(), counted(p, "triangle"), grouped(q))
            });
        } else if !topologies.are_same(&pair) {
            differences.add("VERTEX_ORDER", || format!("{} has its vertices or triangles in another order in B", primitive()));
        }
    }
}

/// Adds primitives whose vertices have an attribute in only one file.
pub(super) fn compare_attributes([a, b]: [&Model; 2], node_pairs: &NodePairs, differences: &mut Differences) {
    // Tangents are left out, because loading generates them.
    let attributes = |vertices: &Vertices| {
        let [first, second] = &vertices.tex_coords;
        [
            ("normals", !vertices.normals.is_empty()),
            ("texture coordinates", !first.is_empty()),
            ("a second set of texture coordinates", !second.is_empty()),
            ("colors", !vertices.colors.is_empty()),
            ("joint weights", vertices.influences.sets > 0),
        ]
    };
    for pair in pairing::primitives(a, b, node_pairs) {
        for ((what, in_a), (_, in_b)) in attributes(&pair.a.vertices).into_iter().zip(attributes(&pair.b.vertices)) {
            if in_a != in_b {
                let file = if in_a { "A" } else { "B" };
                differences.add("ATTRIBUTE", || format!("{} has {what} only in {file}", primitive_name(a, &pair)));
            }
        }
    }
}

/// A primitive of A in messages.
fn primitive_name(a: &Model, pair: &PrimitivePair) -> String {
    format!("{}, primitive {}", name(a, pair.nodes[0]), pair.a.source)
}

/// Adds animations that occur in only one file, and animations with different durations.
pub(super) fn compare_animation_lists([a, b]: [&Model; 2], differences: &mut Differences) {
    let [in_b, in_a] = [pairing::counterparts(a, b), pairing::counterparts(b, a)];
    let missing =
        |counterparts: &[Option<usize>]| (0..counterparts.len()).filter(|&index| counterparts[index].is_none()).collect::<Vec<_>>();
    for index in missing(&in_b) {
        differences.add("ANIMATION_ONLY_IN_A", || format!("{} is only in A", animation_label(a, index)));
    }
    for index in missing(&in_a) {
        differences.add("ANIMATION_ONLY_IN_B", || format!("{} is only in B", animation_label(b, index)));
    }
    for (index, animation) in a.animations.iter().enumerate() {
        let other = in_b[index].map(|other| &b.animations[other]);
        if let Some(other) = other.filter(|other| other.duration != animation.duration) {
            let [p, q] = [animation.duration, other.duration];
            differences.add("ANIMATION_DURATION", || {
                let (label, [in_a, in_b]) = (animation_label(a, index), [p, q].map(|duration| format!("{duration:.3}")));
                if in_a == in_b {
                    let longer = if p > q { "A" } else { "B" };
                    return format!("{label} is {} s longer in {longer}", three_digits((p - q).abs()));
                }
                format!("{label} lasts {in_a} s in A, {in_b} s in B")
            });
        }
    }
}

/// An animation in messages: its number, and its name if it has one.
fn animation_label(model: &Model, index: usize) -> String {
    let label = model.animations[index].label(index);
    match &model.animations[index].name {
        Some(name) if !name.trim().is_empty() => format!("animation {index} {label:?}"),
        _ => label,
    }
}

/// Adds differences between the numbers of channels and keys of the two compared animations.
pub(super) fn compare_keys([a, b]: [&Model; 2], [first, second]: [usize; 2], differences: &mut Differences) {
    let (Some(in_a), Some(in_b)) = (a.animations.get(first), b.animations.get(second)) else { return };
    let keys = |animation: &Animation| -> usize {
        animation.channels.iter().filter_map(|channel| Some(animation.key_times.get(channel.key_times)?.len())).sum()
    };
    let label = || animation_label(a, first);
    if in_a.channels.len() != in_b.channels.len() {
        let [p, q] = [in_a, in_b].map(|animation| animation.channels.len());
        differences.add("ANIMATION_CHANNELS", || format!("{} has {} in A, {} in B", label(), counted(p, "channel"), grouped(q)));
    }
    let [p, q] = [keys(in_a), keys(in_b)];
    if p != q {
        differences.add("ANIMATION_KEYS", || format!("{} has {} in A, {} in B", label(), counted(p, "key"), grouped(q)));
    }
}

/// Adds differences between the materials of both files. They are matched by name, or by index if they have no name.
pub(super) fn compare_materials([a, b]: [&Model; 2], differences: &mut Differences) {
    let [keys_a, keys_b] = [a, b].map(material_keys);
    let [in_a, in_b] = [&keys_a, &keys_b].map(|keys| pairing::indices(keys));
    for (index, material) in a.materials.iter().enumerate() {
        let label = || material_label(material, index);
        let Some(other) = in_b.get(&keys_a[index]).map(|&other| &b.materials[other]) else {
            differences.add("MATERIAL_ONLY_IN_A", || format!("{} is only in A", label()));
            continue;
        };
        if factors(material) != factors(other) {
            differences.add("MATERIAL", || format!("{} has other properties in B", label()));
        } else if TextureSlot::ALL.iter().any(|&slot| material.texture(slot).is_some() != other.texture(slot).is_some()) {
            differences.add("MATERIAL_TEXTURES", || format!("{} has other textures in B", label()));
        }
    }
    for (index, material) in b.materials.iter().enumerate().filter(|(index, _)| !in_a.contains_key(&keys_b[*index])) {
        differences.add("MATERIAL_ONLY_IN_B", || format!("{} is only in B", material_label(material, index)));
    }
}

/// Adds primitives that have another material in B.
pub(super) fn compare_primitive_materials([a, b]: [&Model; 2], node_pairs: &NodePairs, differences: &mut Differences) {
    let [keys_a, keys_b] = [a, b].map(material_keys);
    for pair in pairing::primitives(a, b, node_pairs) {
        let [p, q] = [pair.a.material, pair.b.material];
        if p.map(|index| keys_a[index]) != q.map(|index| keys_b[index]) {
            let label = |model: &Model, material: Option<usize>| {
                material.map_or_else(|| "the default material".to_owned(), |index| material_label(&model.materials[index], index))
            };
            differences
                .add("PRIMITIVE_MATERIAL", || format!("{} has {} in A, {} in B", primitive_name(a, &pair), label(a, p), label(b, q)));
        }
    }
}

/// The keys by which the materials of two files are matched.
fn material_keys(model: &Model) -> Vec<(&str, usize)> {
    pairing::keys(model.materials.iter().map(|material| material.name.as_deref()))
}

/// The name of a material in messages.
fn material_label(material: &Material, index: usize) -> String {
    match &material.name {
        Some(name) => format!("material {index} {:?}", label::clean(name)),
        None => format!("material {index}"),
    }
}

/// The material without its name, its textures and what loading derives from them. Textures refer to images by index, which may differ in
/// another export.
fn factors(material: &Material) -> Material {
    let mut factors = Material { name: None, tex_coords: Material::default().tex_coords, ..material.clone() };
    // An anisotropy without values changes nothing, and animations are not compared here.
    (factors.anisotropy.is_used, factors.specular.is_animated) = (false, false);
    for slot in TextureSlot::ALL {
        if let Some(texture) = factors.slot_mut(slot) {
            *texture = None;
        }
    }
    factors
}
