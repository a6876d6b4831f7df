//! Tests the bounds of meshes whose topology differs, which `sinew diff` compares instead of their vertices.

use serde_json::json;
use sinew::compare::report::{DiffReport, Excess, Tolerance};
use sinew::compare::text::to_text;

use crate::common::gltf_builder::Gltf;
use crate::rig::{Rig, reported};

/// A square of two triangles at the foot. The triangles do not share vertices.
const SQUARE: [f32; 18] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0];
/// The corners of the square.
const CORNERS: [f32; 12] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0];
/// The indices of both triangles, if they share corners.
const SHARED: [u16; 6] = [0, 1, 2, 0, 2, 3];

/// A rig with this mesh at its foot.
fn with_mesh(rig: &Rig, positions: &[f32], indices: &[u16]) -> Gltf {
    let mut gltf = rig.gltf();
    let (positions, indices) = (gltf.floats("VEC3", positions), gltf.u16s("SCALAR", indices));
    gltf.json["meshes"][0]["primitives"] = json!([{ "attributes": { "POSITION": positions }, "indices": indices }]);
    gltf
}

/// The report on the square and on another file, with this tolerance of distances.
fn compared_with_square(b: &Gltf, distance: f64) -> DiffReport {
    let square = with_mesh(&Rig::default(), &SQUARE, &[0, 1, 2, 3, 4, 5]);
    reported(square.model(), b.model(), Tolerance { distance, ..Tolerance::default() })
}

#[test]
fn a_mesh_with_merged_vertices_has_the_same_bounds() {
    let found = compared_with_square(&with_mesh(&Rig::default(), &CORNERS, &SHARED), 0.0);
    assert_eq!((found.vertices.is_none(), found.bounds_distance_max), (true, Some(0.0)));
    assert_eq!((found.exceeded.as_slice(), found.differences[0].code), (&[][..], "VERTEX_COUNT"));
    let text = to_text(&found);
    assert!(text.contains("vertices       not compared") && text.contains("bounds         max 0 m, of meshes"), "{text}");
    let same = compared_with_square(&with_mesh(&Rig::default(), &SQUARE, &[0, 1, 2, 3, 4, 5]), 0.0);
    assert_eq!((same.vertices.is_some(), same.bounds_distance_max), (true, None), "vertices of the same topology are measured");
    assert!(!to_text(&same).contains("bounds"));
}

#[test]
fn a_mesh_of_another_size_exceeds_the_tolerance_although_its_topology_differs() {
    let twice = with_mesh(&Rig::default(), &CORNERS.map(|number| number * 2.0), &SHARED);
    let found = compared_with_square(&twice, 0.99);
    assert_eq!((found.bounds_distance_max, found.bounds_node), (Some(1.0), Some(4)));
    assert_eq!((found.exceeded.as_slice(), found.within_tolerance), (&[Excess::BoundsDistance][..], false));
    assert!(to_text(&found).contains("tolerance      exceeded: distance of bounds"));
    assert!(compared_with_square(&twice, 1.01).within_tolerance, "the tolerance covers the difference");
}

#[test]
fn bounds_are_compared_while_the_animation_plays() {
    let higher = Rig { hips: [1.0, 1.5, 1.0], ..Rig::default() };
    let found = compared_with_square(&with_mesh(&higher, &CORNERS, &SHARED), 1.0);
    assert!((found.bounds_distance_max.unwrap() - 0.3).abs() < 1e-6, "{:?}", found.bounds_distance_max);
    assert_eq!((found.bounds_node, found.bounds_time), (Some(4), Some(1.0)));
}

#[test]
fn vertices_that_no_triangle_uses_do_not_count() {
    let unused = [&CORNERS[..], &[9.0, 9.0, 9.0]].concat();
    assert_eq!(compared_with_square(&with_mesh(&Rig::default(), &unused, &SHARED), 0.0).bounds_distance_max, Some(0.0));
}

#[test]
fn a_mesh_with_other_primitives_and_one_at_a_new_child_are_compared_too() {
    let mut split = with_mesh(&Rig::default(), &SQUARE, &[0, 1, 2]);
    let rest = split.u16s("SCALAR", &[3, 4, 5]);
    let mut second = split.json["meshes"][0]["primitives"][0].clone();
    second["indices"] = json!(rest);
    split.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(second);
    assert_eq!(compared_with_square(&split, 0.0).bounds_distance_max, Some(0.0));

    let mut child = with_mesh(&Rig::default(), &CORNERS, &SHARED);
    let node = child.push("nodes", json!({ "mesh": 0, "scale": [1, 3, 1] }));
    child.json["nodes"][4].as_object_mut().unwrap().remove("mesh");
    child.json["nodes"][4]["children"] = json!([node]);
    let found = compared_with_square(&child, 0.5);
    assert_eq!((found.bounds_distance_max, found.exceeded.as_slice()), (Some(2.0), &[Excess::BoundsDistance][..]));
    assert!(found.differences.iter().any(|difference| difference.code == "MESH_MOVED"), "{:?}", found.differences);
}
