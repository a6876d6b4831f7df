//! Lists what differs in the content: meshes, animations, materials.

use std::collections::HashMap;

use crate::compare::binding::Binding;
use crate::compare::pairing;
use crate::model::Model;
use crate::model::animation::Animation;
use crate::model::label;
use crate::model::material::Material;
use crate::model::node::NodeIndex;
use crate::model::texture::TextureSlot;

use super::{Differences, name};

/// Vertices, triangles and morph targets of the meshes of bound nodes.
pub(super) fn geometry([a, b]: [&Model; 2], binding: &Binding, found: &mut Differences) {
    for (in_a, in_b) in binding.pairs() {
        let mesh = |model: &Model, node: NodeIndex| {
            model.node(node).mesh.and_then(|mesh| Some((model.meshes.get(mesh)?.primitives.len(), model.meshes[mesh].target_count)))
        };
        match (mesh(a, in_a), mesh(b, in_b)) {
            (Some(_), None) => found.add("MESH_ONLY_IN_A", || format!("{} has a mesh only in A", name(a, in_a))),
            (None, Some(_)) => found.add("MESH_ONLY_IN_B", || format!("{} has a mesh only in B", name(a, in_a))),
            (Some((p, _)), Some((q, _))) if p != q => {
                found.add("PRIMITIVE_COUNT", || format!("{} has {p} primitives in A, {q} in B", name(a, in_a)));
            }
            (Some((_, p)), Some((_, q))) if p != q => {
                found.add("MORPH_TARGET_COUNT", || format!("{} has {p} morph targets in A, {q} in B", name(a, in_a)));
            }
            _ => {}
        }
    }
    for pair in pairing::primitives(a, b, binding) {
        let [p, q] = [pair.a.source_vertex_count, pair.b.source_vertex_count];
        let place = || format!("{}, primitive {}", name(a, pair.nodes[0]), pair.a.source);
        if p != q {
            found.add("VERTEX_COUNT", || format!("{} has {p} vertices in A, {q} in B", place()));
        } else if pair.a.triangle_count() != pair.b.triangle_count() {
            found.add("TRIANGLE_COUNT", || {
                format!("{} has {} triangles in A, {} in B", place(), pair.a.triangle_count(), pair.b.triangle_count())
            });
        } else if !pair.has_same_topology() {
            found.add("VERTEX_ORDER", || format!("{} has its vertices or triangles in another order in B", place()));
        }
    }
}

/// Animations that only one file has, by name.
pub(super) fn listed_animations([a, b]: [&Model; 2], found: &mut Differences) {
    let named = |model: &Model| -> HashMap<String, usize> {
        let mut names = HashMap::new();
        for (index, animation) in model.animations.iter().enumerate() {
            names.entry(animation.name.clone().unwrap_or_default()).or_insert(index);
        }
        names
    };
    let (in_a, in_b) = (named(a), named(b));
    let only = |animation: &Animation, others: &HashMap<String, usize>| !others.contains_key(animation.name.as_deref().unwrap_or_default());
    for (index, animation) in a.animations.iter().enumerate().filter(|(_, animation)| only(animation, &in_b)) {
        found.add("ANIMATION_ONLY_IN_A", || format!("animation {index} {:?} is only in A", animation.label(index)));
    }
    for (index, animation) in b.animations.iter().enumerate().filter(|(_, animation)| only(animation, &in_a)) {
        found.add("ANIMATION_ONLY_IN_B", || format!("animation {index} {:?} is only in B", animation.label(index)));
    }
    for (index, animation) in a.animations.iter().enumerate() {
        let other = in_b.get(animation.name.as_deref().unwrap_or_default()).and_then(|&other| b.animations.get(other));
        if let Some(other) = other.filter(|other| other.duration != animation.duration) {
            let [p, q] = [animation.duration, other.duration];
            found
                .add("ANIMATION_DURATION", || format!("animation {index} {:?} lasts {p:.3} s in A, {q:.3} s in B", animation.label(index)));
        }
    }
}

/// Channels and keys of the two compared animations.
pub(super) fn compared_animations([a, b]: [&Model; 2], [first, second]: [usize; 2], found: &mut Differences) {
    let (Some(in_a), Some(in_b)) = (a.animations.get(first), b.animations.get(second)) else { return };
    let keys = |animation: &Animation| -> usize {
        animation.channels.iter().filter_map(|channel| Some(animation.key_times.get(channel.key_times)?.len())).sum()
    };
    let label = || format!("animation {first} {:?}", in_a.label(first));
    if in_a.channels.len() != in_b.channels.len() {
        found.add("ANIMATION_CHANNELS", || format!("{} has {} channels in A, {} in B", label(), in_a.channels.len(), in_b.channels.len()));
    }
    let [p, q] = [keys(in_a), keys(in_b)];
    if p != q {
        found.add("ANIMATION_KEYS", || format!("{} has {p} keys in A, {q} in B", label()));
    }
}

/// Materials by name, or by index where they have none.
pub(super) fn materials([a, b]: [&Model; 2], found: &mut Differences) {
    let (in_a, in_b) = (named_materials(a), named_materials(b));
    for (index, material) in a.materials.iter().enumerate() {
        let label = || material_label(material, index);
        let Some(other) = in_b.get(&key(material, index)).and_then(|&other| b.materials.get(other)) else {
            found.add("MATERIAL_ONLY_IN_A", || format!("{} is only in A", label()));
            continue;
        };
        if factors(material) != factors(other) {
            found.add("MATERIAL", || format!("{} has other properties in B", label()));
        } else if TextureSlot::ALL.iter().any(|&slot| material.texture(slot).is_some() != other.texture(slot).is_some()) {
            found.add("MATERIAL_TEXTURES", || format!("{} has other textures in B", label()));
        }
    }
    for (index, material) in b.materials.iter().enumerate().filter(|(index, material)| !in_a.contains_key(&key(material, *index))) {
        found.add("MATERIAL_ONLY_IN_B", || format!("{} is only in B", material_label(material, index)));
    }
}

/// Tells materials of one file apart: the name, or the index of a material without one.
fn key(material: &Material, index: usize) -> (&str, usize) {
    match material.name.as_deref() {
        Some(name) if !name.is_empty() => (name, 0),
        _ => ("", index),
    }
}

/// The materials of a file. The first one of a name counts.
fn named_materials(model: &Model) -> HashMap<(&str, usize), usize> {
    let mut named = HashMap::new();
    for (index, material) in model.materials.iter().enumerate() {
        named.entry(key(material, index)).or_insert(index);
    }
    named
}

/// A material as messages name it.
fn material_label(material: &Material, index: usize) -> String {
    match &material.name {
        Some(name) => format!("material {index} {:?}", label::clean(name)),
        None => format!("material {index}"),
    }
}

/// The material without its name and its textures. Textures name images by index, which another export numbers differently.
fn factors(material: &Material) -> Material {
    let mut factors = Material { name: None, ..material.clone() };
    for slot in TextureSlot::ALL {
        if let Some(texture) = factors.slot_mut(slot) {
            *texture = None;
        }
    }
    factors
}
