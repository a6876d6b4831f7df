//! Tests that `sinew diff` measures all animations, not only the first.

use serde_json::json;
use sinew::compare::pairing;
use sinew::compare::report::{Excess, Tolerance};
use sinew::compare::text::to_text;

use crate::common::gltf_builder::Gltf;
use crate::rig::{Rig, reported};

/// Adds an animation that lifts the hips to this height for a moment.
fn add_lift(gltf: &mut Gltf, name: &str, height: f32) {
    let lift = gltf.floats("VEC3", &[0.0, 1.0, 0.0, 0.0, height, 0.0, 0.0, 1.0, 0.0]);
    let animation = gltf.animation(&[(1, "translation", "LINEAR", &[0.0, 0.5, 1.0], lift)]);
    gltf.json["animations"][animation]["name"] = json!(name);
}

/// The rig with these animations after its first.
fn with_lifts(lifts: &[(&str, f32)]) -> Gltf {
    let mut gltf = Rig::default().gltf();
    lifts.iter().for_each(|(name, height)| add_lift(&mut gltf, name, *height));
    gltf
}

#[test]
fn a_difference_of_a_later_animation_exceeds_the_tolerance() {
    let a = with_lifts(&[("jump", 2.0), ("wave", 1.5)]);
    // The counterpart of an animation has the same name, at any index.
    let b = with_lifts(&[("wave", 1.5), ("jump", 2.75)]);
    let found = reported(a.model(), b.model(), Tolerance { distance: 0.5, ..Tolerance::default() });
    assert_eq!((found.distance_max, found.vertices.as_ref().unwrap().distance_max), (0.0, 0.0), "the first animations are equal");
    assert_eq!(found.exceeded, [Excess::JointDistance, Excess::VertexDistance]);
    let list = serde_json::to_value(&found.other_animations).unwrap();
    let expected = json!([
        {
            "animation": { "a": 1, "b": 2 }, "name": { "a": "jump", "b": "jump" }, "duration": { "a": 1.0, "b": 1.0 },
            "distance_max": 0.75, "angle_max": 0.0, "vertex_distance_max": 0.75, "bounds_distance_max": null, "within_tolerance": false,
        },
        {
            "animation": { "a": 2, "b": 1 }, "name": { "a": "wave", "b": "wave" }, "duration": { "a": 1.0, "b": 1.0 },
            "distance_max": 0.0, "angle_max": 0.0, "vertex_distance_max": 0.0, "bounds_distance_max": null, "within_tolerance": true,
        },
    ]);
    assert_eq!(list, expected);
    let loose = reported(a.model(), b.model(), Tolerance { distance: 1.0, ..Tolerance::default() });
    assert!(loose.within_tolerance && loose.other_animations.iter().all(|other| other.within_tolerance));
    assert!(to_text(&loose).contains("animations     2 more compared, none beyond the tolerance"));
}

#[test]
fn the_bounds_of_a_mesh_are_compared_in_later_animations_too() {
    let b = || {
        let mut b = with_lifts(&[("jump", 2.75)]);
        let indices = b.u16s("SCALAR", &[0, 2, 1]);
        b.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
        b.model()
    };
    let found = reported(with_lifts(&[("jump", 2.0)]).model(), b(), Tolerance::default());
    assert_eq!((found.bounds_distance_max, found.other_animations[0].bounds_distance_max), (Some(0.0), Some(0.75)));
    assert_eq!(found.exceeded, [Excess::JointDistance, Excess::BoundsDistance]);
}

#[test]
fn a_lost_node_that_only_a_later_animation_drives_exceeds_the_tolerance() {
    let with_prop = |name: &str| {
        let mut gltf = Rig::default().gltf();
        gltf.json["nodes"][0]["children"] = json!([1, 5]);
        gltf.push("nodes", json!({ "name": name }));
        let spin = gltf.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.6, 0.8]);
        let animation = gltf.animation(&[(5, "rotation", "LINEAR", &[0.0, 1.0], spin)]);
        gltf.json["animations"][animation]["name"] = json!("spin");
        // One more node keeps nodes from being paired by their index.
        if name != "Prop" {
            gltf.push("nodes", json!({ "name": "More" }));
        }
        gltf.model()
    };
    assert_eq!(reported(with_prop("Prop"), with_prop("Prop"), Tolerance::default()).exceeded, []);
    assert_eq!(reported(with_prop("Prop"), with_prop("Other"), Tolerance::default()).exceeded, [Excess::LostNode]);
}

#[test]
fn the_text_lists_the_worst_of_many_animations_and_those_beyond_the_tolerance_first() {
    let names: Vec<String> = (1..=30).map(|index| format!("clip{index}")).collect();
    let lifts = |offset: fn(usize) -> f32| -> Vec<(&str, f32)> {
        names.iter().zip(1..).map(|(name, index)| (name.as_str(), 2.0 + offset(index))).collect()
    };
    let a = with_lifts(&lifts(|_| 0.0));
    // Only clip 29 is beyond the tolerance. Of the others, clip 28 differs most.
    let b = with_lifts(&lifts(|index| if index == 30 { 0.0 } else { index as f32 / 32.0 }));
    let text = to_text(&reported(a.model(), b.model(), Tolerance { distance: 28.5 / 32.0, ..Tolerance::default() }));
    assert!(text.contains("animations     30 more compared, 1 beyond the tolerance"), "{text}");
    let start = text.find("other animations, the worst first").unwrap();
    let rows: Vec<&str> = text[start..].lines().skip(1).take(21).collect();
    assert!(rows[0].contains("\"clip29\"") && rows[0].ends_with("beyond the tolerance"), "{text}");
    assert!(rows[1].contains("\"clip28\"") && rows[1].contains("joints 0.875 m") && !rows[1].contains("beyond"), "{text}");
    assert_eq!(rows[20].trim(), "and 10 more (--json lists all)", "{text}");
}

#[test]
fn the_other_animations_are_those_with_a_counterpart_except_the_first_pair() {
    let others = |a: &[(&str, f32)], b: &[(&str, f32)]| {
        pairing::other_animations(&with_lifts(a).model(), &with_lifts(b).model(), [Some(0), Some(0)])
    };
    assert_eq!(others(&[("jump", 1.0), ("lost", 1.0)], &[("new", 1.0), ("jump", 1.0)]), [[1, 2]]);
    assert_eq!(others(&[], &[("jump", 1.0)]), [[0; 2]; 0]);
}
