//! Tests the heat map, the weights of joints, the vertex under the pointer, and the checks of weights, with files that are written here.

use std::sync::Arc;

use glam::{DVec2, DVec3, Vec3, Vec4};
use serde_json::json;

use sinew::camera::Orbit;
use sinew::camera::bounds::Bounds;
use sinew::model::Model;
use sinew::model::animation::{Animation, Channel, Interpolation, Target};
use sinew::model::mesh::Influences;
use sinew::model::node::NodeIndex;
use sinew::session::analyses::Analyses;
use sinew::session::camera::screen::ScreenProjection;
use sinew::session::document::Document;
use sinew::session::inspect::heat_map::{self, HeatMapMode};
use sinew::session::inspect::weight_checks;
use sinew::session::pick;
use sinew::session::pick::vertex::{self, Vertex};
use sinew::session::pose::solve::{self, Posed};
use sinew::session::view::View;
use sinew::session::view::display::HeatMap;
use sinew::session::view::joint_switches::{self, Column};

use crate::common::gltf_builder::{Gltf, skinned_triangle};
use crate::common::hand_made;
use crate::common::time_limit::within_half_a_minute;

fn document(model: Model) -> Document {
    Document::new(Arc::new(model), "made.glb".into(), None)
}

fn posed(document: &Document, view: &View, time: f64) -> Posed {
    let mut posed = Posed::new(&document.model);
    solve::solve(&document.model, view, time, &mut posed);
    posed
}

/// Looks from +Z. A point (x, y) of the world is at pixel (400 + 100 x, 250 - 100 y).
fn from_front() -> ScreenProjection {
    let bounds = Bounds { min: DVec3::new(-1.0, 0.0, -1.0), max: DVec3::new(1.0, 2.0, 1.0) };
    let orbit = Orbit { yaw: 0.0, pitch: 0.0, orthographic: true, distance: 2.5 / (17.5f64).to_radians().tan(), ..Orbit::default() };
    ScreenProjection { camera: orbit.camera(&bounds), size: DVec2::new(800.0, 500.0) }
}

fn at(x: f64, y: f64) -> DVec2 {
    DVec2::new(400.0 + 100.0 * x, 250.0 - 100.0 * y)
}

/// Returns the node with a name.
fn named(model: &Model, name: &str) -> NodeIndex {
    model.node_indices().find(|node| model.node(*node).label() == name).unwrap()
}

/// Builds a skinned triangle. Its first vertex has six joints, its second has weights that sum to 0.8, and its third has one joint. The
/// last of the skin's eight joints moves nothing.
fn faulty() -> Gltf {
    let mut gltf = skinned_triangle();
    let first = gltf.json["nodes"].as_array().unwrap().len();
    for i in 0..6 {
        gltf.push("nodes", json!({ "name": format!("finger{i}") }));
    }
    gltf.json["skins"][0] = json!({ "joints": [1, 2, first, first + 1, first + 2, first + 3, first + 4, first + 5] });
    let joints = [gltf.u8s("VEC4", &[0, 1, 2, 3, 0, 1, 0, 0, 6, 0, 0, 0]), gltf.u8s("VEC4", &[4, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])];
    let first_set = gltf.floats("VEC4", &[0.25, 0.15, 0.25, 0.125, 0.5, 0.3, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    let second_set = gltf.floats("VEC4", &[0.125, 0.1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let attributes = &mut gltf.json["meshes"][0]["primitives"][0]["attributes"];
    for (name, accessor) in [("JOINTS_0", joints[0]), ("JOINTS_1", joints[1]), ("WEIGHTS_0", first_set), ("WEIGHTS_1", second_set)] {
        attributes[name] = json!(accessor);
    }
    gltf
}

#[test]
fn every_weight_problem_is_listed_and_nothing_else() {
    let document = document(faulty().model());
    let faults = weight_checks::faults(&document);
    let node = named(&document.model, &document.model.node(document.model.node_from_source(0).unwrap()).label());
    let vertex = |vertex| Vertex { node, primitive: 0, vertex };
    assert_eq!((faults.too_many_joints.count, &faults.too_many_joints.vertices), (1, &vec![(vertex(0), 6)]));
    assert_eq!(faults.unnormalized.count, 1);
    let (at, sum) = faults.unnormalized.vertices[0];
    assert!(at == vertex(1) && (sum - 0.8).abs() < 1e-6, "{at:?} {sum}");
    assert_eq!(faults.joints_without_weights, [named(&document.model, "finger5")]);
    let sound = self::document(skinned_triangle().model());
    assert_eq!(weight_checks::faults(&sound), weight_checks::Faults::default());
    // The result is computed once and shared by all clones of the analyses.
    let analyses = Analyses::new(&document, &View::default());
    assert_eq!(*analyses.find_weight_faults(&document), faults);
    assert!(std::ptr::eq(analyses.find_weight_faults(&document), analyses.clone().find_weight_faults(&document)));
}

#[test]
fn a_joint_that_moves_a_vertex_twice_counts_once() {
    let mut gltf = faulty();
    // Six of the first vertex's eight influences have a weight: joints 0, 1, 2, 3, 3, 3.
    let joints = gltf.u8s("VEC4", &[3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    gltf.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_1"] = json!(joints);
    assert_eq!(weight_checks::faults(&document(gltf.model())).too_many_joints, weight_checks::Listed::default());
}

#[test]
fn the_joints_of_a_vertex_with_very_many_are_counted() {
    const COUNT: u16 = 65_532;
    const VERTEX_COUNT: usize = 300;
    let mut model = hand_made::bending_box();
    hand_made::add_skin(&mut model, &[1; COUNT as usize]);
    model.nodes[0].skin = Some(1);
    let primitive = &mut model.meshes[0].primitives[0];
    primitive.source_vertex_count = VERTEX_COUNT;
    let of_vertex: Vec<[u16; 4]> = (0..COUNT).step_by(4).map(|joint| [joint, joint + 1, joint + 2, joint + 3]).collect();
    let joints = of_vertex.repeat(VERTEX_COUNT);
    let weights = vec![[1.0 / f32::from(COUNT); 4]; joints.len()];
    let vertices = Arc::get_mut(&mut primitive.vertices).unwrap();
    vertices.positions.resize(VERTEX_COUNT, Vec3::ZERO);
    vertices.influences = Influences { sets: usize::from(COUNT) / 4, joints, weights };
    let document = document(model);
    // Comparing each joint of a vertex with all others takes minutes.
    let faults = within_half_a_minute(move || weight_checks::faults(&document));
    assert_eq!(faults.max_joints.map(|(_, count)| count), Some(usize::from(COUNT)));
}

#[test]
fn the_first_of_many_unnormalized_vertices_are_listed_and_all_are_counted() {
    const COUNT: usize = 2500;
    let mut gltf = skinned_triangle();
    let place: Vec<f32> = (0..3 * COUNT).map(|i| i as f32).collect();
    let attributes = [
        ("POSITION", gltf.floats("VEC3", &place)),
        ("JOINTS_0", gltf.u8s("VEC4", &[0; 4 * COUNT])),
        ("WEIGHTS_0", gltf.floats("VEC4", &[0.125; 4 * COUNT])),
    ];
    gltf.json["meshes"][0]["primitives"] = json!([{ "mode": 0, "attributes": {} }]);
    for (name, accessor) in attributes {
        gltf.json["meshes"][0]["primitives"][0]["attributes"][name] = json!(accessor);
    }
    let document = document(gltf.model());
    let kept = &document.model.meshes[0].primitives[0].vertices.uneven_weights;
    assert_eq!((kept.listed.len(), kept.count), (1000, COUNT));
    let faults = weight_checks::faults(&document);
    assert_eq!((faults.unnormalized.vertices.len(), faults.unnormalized.count), (1000, COUNT));
    assert!(faults.unnormalized.vertices.iter().zip(0u32..).all(|((at, sum), i)| at.vertex == i && *sum == 0.5));
}

#[test]
fn unrelated_changes_do_not_rebuild_visible_indices() {
    let document = document(hand_made::bending_box());
    let source = |name| document.model.node(named(&document.model, name)).source;
    let (mut view, mut posed) = (View::default(), Posed::new(&document.model));
    let left = |view: &View, posed: &mut Posed| {
        solve::solve(&document.model, view, 0.0, posed);
        posed.visible_indices.clone()
    };
    joint_switches::set(&mut view.switches, source("Tip"), Column::Geometry, |switch| switch.on = false);
    let cut = left(&view, &mut posed);
    assert_eq!(cut.len(), 1);
    joint_switches::set(&mut view.switches, source("Tip"), Column::Animated, |switch| switch.on = false);
    joint_switches::set(&mut view.switches, source("Base"), Column::Drawn, |switch| switch.solo = true);
    assert!(Arc::ptr_eq(&cut, &left(&view, &mut posed)));
    joint_switches::set(&mut view.switches, source("Tip"), Column::Geometry, |switch| switch.on = true);
    assert!(left(&view, &mut posed).is_empty());
}

#[test]
fn a_mesh_solo_of_a_node_that_the_model_lacks_hides_nothing() {
    let document = document(hand_made::bending_box());
    let (mut view, mut posed) = (View::default(), Posed::new(&document.model));
    joint_switches::set(&mut view.switches, 99, Column::Geometry, |switch| switch.solo = true);
    solve::solve(&document.model, &view, 0.0, &mut posed);
    assert!(posed.visible_indices.is_empty());
}

#[test]
fn a_joint_that_only_carries_a_rigid_mesh_is_not_idle() {
    let mut gltf = faulty();
    let mesh = gltf.json["meshes"][0].clone();
    let mesh = gltf.push("meshes", mesh);
    let helmet = gltf.push("nodes", json!({ "name": "helmet", "mesh": mesh }));
    let last = gltf.json["nodes"].as_array().unwrap().len() - 2;
    gltf.json["nodes"][last]["children"] = json!([helmet]);
    let document = document(gltf.model());
    assert_eq!(document.owner_joints[named(&document.model, "helmet").index()], Some(named(&document.model, "finger5")));
    assert!(weight_checks::faults(&document).joints_without_weights.is_empty());
}

#[test]
fn a_rigid_mesh_belongs_to_the_node_that_borrowed_animations_move() {
    let mut model = hand_made::tree(&[("arm".into(), None), ("hand".into(), Some(0))]);
    model.animations.clear();
    let before = document(model.clone());
    let target = Target::Rotation(NodeIndex(0));
    let channel =
        Channel { source: 0, target, key_times: 0, interpolation: Interpolation::Step, output: vec![0.0, 0.0, 0.0, 1.0], components: 4 };
    model.animations.push(Animation { key_times: vec![vec![0.0]], channels: vec![channel], ..Animation::default() });
    let after = before.with_animations(Arc::new(model));
    assert_eq!(before.owner_joints, [Some(NodeIndex(0)), Some(NodeIndex(1))]);
    assert_eq!(after.owner_joints, [Some(NodeIndex(0)); 2]);
}

#[test]
fn the_weight_probe_matches_the_accessors() {
    let document = document(faulty().model());
    let posed = posed(&document, &View::default(), 0.0);
    let model = &document.model;
    let node = model.node_from_source(0).unwrap();
    let say = |vertex| {
        let probed = vertex::probe(&document, &posed, Vertex { node, primitive: 0, vertex }).unwrap();
        probed.joints.iter().map(|(joint, weight)| (model.node(*joint).label(), *weight)).collect::<Vec<_>>()
    };
    let wanted = [("hip", 0.25), ("finger0", 0.25), ("knee", 0.15), ("finger1", 0.125), ("finger2", 0.125), ("finger3", 0.1)];
    assert_eq!(say(0), wanted.map(|(name, weight)| (name.to_owned(), weight)));
    // The weights are normalized to sum to 1.
    assert!(say(1).iter().zip([("hip", 0.625), ("knee", 0.375)]).all(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() < 1e-6));
    assert_eq!(say(2), [("finger4".to_owned(), 1.0)]);
    assert_eq!(vertex::probe(&document, &posed, Vertex { node, primitive: 0, vertex: 3 }), None);
    assert_eq!(vertex::probe(&document, &posed, Vertex { node, primitive: 1, vertex: 0 }), None);
}

#[test]
fn the_vertex_nearest_to_the_pointer_is_found_in_the_current_pose() {
    let document = document(hand_made::bending_box());
    let view = View { animation: Some(0), ..View::default() };
    let bent = posed(&document, &view, 1.0);
    let under = |x, y| vertex::vertex_under(&document, &View::default(), &bent, &from_front(), at(x, y));
    // In the rest pose the upper front corners are at x = 0.5 and -0.5, y = 2. They turn about (0, 1) to x = -1, y = 1.5 and 0.5.
    let place = |vertex: Vertex| vertex::position(&document.model, &bent, vertex).unwrap();
    for (x, y) in [(-0.9, 1.4), (-0.9, 0.6)] {
        let found = place(under(x, y).unwrap());
        let wanted = DVec2::new(-1.0, if y > 1.0 { 1.5 } else { 0.5 });
        // Two corners lie one behind the other, so only x and y are compared.
        assert!((found.truncate() - wanted).length() < 1e-6, "{found}");
    }
    assert_eq!(under(0.0, 1.9), None, "nothing is at the rest position");
    // GPU picking may return any corner of the triangle.
    let found = under(-0.9, 1.4).unwrap();
    let hit = pick::meshes_under(&document, &View::default(), &bent, &from_front(), at(-0.9, 1.4))[0];
    for vertex in hit.surface.unwrap().vertices {
        let told = Vertex { node: hit.node, primitive: 0, vertex };
        assert_eq!(vertex::vertex_around(&document, &bent, &from_front(), at(-0.9, 1.4), told), Some(found), "told {vertex}");
    }
}

#[test]
fn heat_shows_the_selection_or_else_a_color_per_joint() {
    let document = document(hand_made::bending_box());
    let view = |weights, selection: &[&str]| {
        let selection = selection.iter().map(|name| document.model.node(named(&document.model, name)).source).collect();
        let mut view = View { selection, ..View::default() };
        view.display.heat_map = weights;
        view
    };
    assert_eq!(heat_map::tints(&document, &view(HeatMap::Off, &["Tip"])), []);
    let heat = |selection: &[&str]| heat_map::tints(&document, &view(HeatMap::Selection, selection));
    // The palette entries are the base, the tip, and the box's own matrix.
    assert_eq!(heat(&["Tip"]), [Vec4::ZERO, Vec4::X, Vec4::ZERO]);
    assert_eq!(heat(&["Tip", "Base"])[..2], [Vec4::X, Vec4::X]);
    let shown = |weights, selection: &[&str]| heat_map::mode(&document, &view(weights, selection));
    assert_eq!(shown(HeatMap::Selection, &[]), Some(HeatMapMode::Colors));
    assert_eq!(shown(HeatMap::All, &["Tip"]), Some(HeatMapMode::Colors));
    // No vertex follows the box's own matrix, so a selection of the box has no heat.
    assert_eq!(shown(HeatMap::Selection, &["Box"]), Some(HeatMapMode::Colors));
    assert_eq!(heat(&["Box", "Tip"]), [Vec4::ZERO, Vec4::X, Vec4::ZERO]);
    let shown_nodes = |selection: &[&str]| heat_map::shown_nodes(&document, &view(HeatMap::Selection, selection));
    assert_eq!(shown_nodes(&["Tip", "Base", "Box"]), ["Tip", "Base"].map(|name| named(&document.model, name)));
    let colors = heat(&["Box"]);
    assert!(colors.iter().all(|tint| tint.w == 1.0) && colors[0] != colors[1], "{colors:?}");
}

#[test]
fn a_primitive_without_influences_has_the_heat_of_its_skinned_node() {
    let mut model = hand_made::bending_box();
    let mut rigid = model.meshes[0].primitives[0].clone();
    Arc::make_mut(&mut rigid.vertices).influences = Influences::default();
    model.meshes[0].primitives.push(rigid);
    let mut view = View { selection: vec![model.node(named(&model, "Box")).source], ..View::default() };
    view.display.heat_map = HeatMap::Selection;
    assert_eq!(heat_map::tints(&document(model), &view), [Vec4::ZERO, Vec4::ZERO, Vec4::X]);
}

#[test]
fn neighboring_joints_have_distinct_colors() {
    for i in 0..200 {
        for step in [1, 2, 3, 4, 5] {
            let [a, b] = [i, i + step].map(|i| heat_map::joint_color(NodeIndex(i)).map(i32::from));
            let apart: i32 = (0..3).map(|channel| (a[channel] - b[channel]).abs()).sum();
            assert!(apart > 60, "joint {i} and the joint {step} indices later: {a:?} {b:?}");
        }
    }
}

#[test]
fn hiding_a_joint_hides_the_triangles_it_alone_moves() {
    let model = hand_made::bending_box();
    let tip = model.node(named(&model, "Tip")).source;
    let document = document(model);
    let primitive = &document.model.meshes[0].primitives[0];
    let indices = |change: &dyn Fn(&mut joint_switches::Switch)| {
        let mut view = View::default();
        joint_switches::set(&mut view.switches, tip, Column::Geometry, change);
        posed(&document, &view, 0.0).indices(NodeIndex(0), 0, primitive).to_vec()
    };
    // The box has rings of four vertices at y = 0, 1 and 2. Only the top ring follows the tip, so its two triangles are the only ones that
    // the tip alone moves.
    let all: Vec<[u32; 3]> = primitive.indices.as_chunks::<3>().0.to_vec();
    let upper = |triangle: &&[u32; 3]| triangle.iter().all(|&vertex| vertex >= 8);
    let flat = |triangles: Vec<&[u32; 3]>| triangles.into_iter().flatten().copied().collect::<Vec<_>>();
    assert_eq!(indices(&|switch| switch.on = false), flat(all.iter().filter(|triangle| !upper(triangle)).collect()));
    assert_eq!(indices(&|switch| switch.solo = true), flat(all.iter().filter(upper).collect()));
    assert_eq!(flat(all.iter().filter(upper).collect()).len(), 6);
    assert_eq!(indices(&|_| {}), primitive.indices);
}

#[test]
fn hidden_geometry_is_neither_picked_nor_measured() {
    let model = hand_made::bending_box();
    let tip = model.node(named(&model, "Base")).source;
    let document = document(model);
    let mut view = View::default();
    let mut analyses = Analyses::new(&document, &view);
    let hit = |document: &Document, view: &View, y| {
        let posed = posed(document, view, 0.0);
        !pick::meshes_under(document, &View::default(), &posed, &from_front(), at(0.0, y)).is_empty()
    };
    analyses.update_bounds(&document, &view);
    assert!(hit(&document, &view, 0.5) && hit(&document, &view, 1.5) && analyses.bounds.min.y.abs() < 1e-6);
    // The base moves the two lower rings, and with them the side triangles of the lower half.
    joint_switches::set(&mut view.switches, tip, Column::Geometry, |switch| switch.on = false);
    analyses.update_bounds(&document, &view);
    assert!(!hit(&document, &view, 0.5) && hit(&document, &view, 1.5));
    assert!((analyses.bounds.min.y - 1.0).abs() < 1e-6, "{:?}", analyses.bounds);
}

#[test]
fn rigid_meshes_are_shown_hidden_and_heated_with_the_joint_above_them() {
    let nodes = [("Base", None), ("Tip", Some(0)), ("Mount", Some(1)), ("Lamp", Some(2)), ("Loose", None)];
    let mut model = hand_made::tree(&nodes.map(|(name, parent)| (name.to_string(), parent)));
    hand_made::add_skin(&mut model, &[0, 1]);
    model.meshes = hand_made::bending_box().meshes;
    for node in [3, 4] {
        (model.nodes[node].mesh, model.nodes[node].rigid_matrix) = (Some(0), Some(model.palette_len));
        model.palette_len += 1;
    }
    let source = |model: &Model, name| model.node(named(model, name)).source;
    let (base, tip, mount) = (source(&model, "Base"), source(&model, "Tip"), source(&model, "Mount"));
    let document = document(model);
    let left = |node: usize, change: &dyn Fn(&mut View)| {
        let mut view = View::default();
        change(&mut view);
        let primitive = &document.model.meshes[0].primitives[0];
        !posed(&document, &view, 0.0).indices(NodeIndex(node as u32), 0, primitive).is_empty()
    };
    let off = |source| move |view: &mut View| joint_switches::set(&mut view.switches, source, Column::Geometry, |switch| switch.on = false);
    let solo =
        |source| move |view: &mut View| joint_switches::set(&mut view.switches, source, Column::Geometry, |switch| switch.solo = true);
    assert_eq!([left(3, &off(tip)), left(4, &off(tip))], [false, true]);
    assert_eq!([left(3, &off(base)), left(4, &off(base))], [true, true], "the nearest joint carries it");
    assert_eq!([left(3, &solo(tip)), left(4, &solo(tip))], [true, false]);
    assert_eq!([left(3, &solo(base)), left(4, &solo(base))], [false, false]);
    // The mesh is hot if the joint or a node between the joint and the mesh is selected.
    let heat = |source| {
        let mut view = View { selection: vec![source], ..View::default() };
        view.display.heat_map = HeatMap::Selection;
        heat_map::tints(&document, &view)[2]
    };
    assert_eq!([heat(tip), heat(mount), heat(base)], [Vec4::X, Vec4::X, Vec4::ZERO]);
    let all = View { selection: document.model.nodes.iter().map(|node| node.source).collect(), ..View::default() };
    assert_eq!(heat_map::shown_nodes(&document, &all), [0, 1, 2, 3, 4].map(NodeIndex), "the base is a joint of the skin");
}
