//! Tests the heat map, its probe, the list of weight problems and the geometry column, by label.

use egui::{Modifiers, PointerButton, vec2};
use egui_kittest::kittest::Queryable;

use sinew::model::Model;
use sinew::model::animation::{Animation, Channel, Interpolation, Target};
use sinew::model::mesh::{Influences, UnevenWeights};
use sinew::model::node::NodeIndex;
use sinew::session::camera::view_camera;
use sinew::session::document::Document;
use sinew::session::pick::vertex::Vertex;
use sinew::session::view::ViewCamera;
use sinew::session::view::display::Weights;
use sinew::session::view::joint_switches::{self, Column};
use sinew::ui::actions::keys::Key;
use sinew::ui::actions::{Action, table};
use sinew::ui::context::request::Request;

use crate::common::hand_made;
use crate::common::ui_harness::Window;
use crate::gestures::{Ui, click, click_with, move_to, open, painted_texts, press, selected, source, switch};

#[test]
fn a_key_shows_weights_and_the_legend_names_their_joints() {
    let mut ui = open(hand_made::bending_box());
    assert_eq!(table::find(Key::Char('v'), Modifiers::NONE), Some(Action::Weights));
    ui.state_mut().perform(Action::Weights);
    ui.run();
    ui.get_by_label("Skin weights: one color per joint");
    let tip = source(&ui, "Tip");
    ui.state_mut().view.selection = vec![tip];
    ui.run();
    ui.get_by_label("Skin weights of Tip");
    let base = source(&ui, "Base");
    ui.state_mut().view.selection.push(base);
    ui.run();
    ui.get_by_label("Skin weights of Base and 1 more");
    // No vertex follows the node of the skinned box, so it has no weights.
    let skinned = source(&ui, "Box");
    ui.state_mut().view.selection.push(skinned);
    ui.run();
    ui.get_by_label("Skin weights of Base and 1 more");
    ui.state_mut().perform(Action::AllWeights);
    ui.run();
    assert_eq!(ui.state().view.display.weights, Weights::All);
    ui.get_by_label("Skin weights: one color per joint");
    ui.state_mut().perform(Action::AllWeights);
    ui.run();
    ui.get_by_label("Skin weights of Base and 1 more");
    ui.state_mut().perform(Action::Weights);
    ui.run();
    assert_eq!(ui.state().view.display.weights, Weights::Off);
    assert!(ui.query_by_label_contains("Skin weights:").is_none());
}

#[test]
fn the_colors_of_all_joints_replace_the_weights_of_the_selection() {
    use Action::{AllWeights as ShiftV, Weights as V};
    use Weights::{All, Off, Selection};
    let mut ui = open(hand_made::bending_box());
    let mut after = |actions: &[Action]| {
        ui.state_mut().view.display.weights = Off;
        actions.iter().for_each(|action| ui.state_mut().perform(*action));
        ui.state().view.display.weights
    };
    assert_eq!([after(&[V]), after(&[V, V])], [Selection, Off]);
    assert_eq!([after(&[ShiftV]), after(&[ShiftV, ShiftV])], [All, Off]);
    assert_eq!([after(&[V, ShiftV]), after(&[V, ShiftV, ShiftV])], [All, Selection]);
    assert_eq!([after(&[ShiftV, V]), after(&[ShiftV, V, V])], [Selection, Off]);
    assert_eq!(after(&[V, ShiftV, V, V, ShiftV, ShiftV]), Off, "only the mode before the latest change to all joints is restored");
}

#[test]
fn without_joints_the_legend_describes_meshes() {
    let mut model = hand_made::bending_box();
    model.skins.clear();
    model.nodes.iter_mut().for_each(|node| node.skin = None);
    let mut ui = open(model);
    ui.state_mut().perform(Action::AllWeights);
    ui.run();
    ui.get_by_label("No joints: one color per mesh");
}

#[test]
fn pointing_at_a_surface_names_its_joints_and_a_click_selects_one() {
    let mut ui = open(hand_made::bending_box());
    let viewport = ui.state().areas.unwrap().viewport;
    move_to(&mut ui, viewport.center());
    assert!(ui.query_by_label_contains("Vertex").is_none(), "only while weights are shown");
    ui.state_mut().perform(Action::Weights);
    let upper = viewport.center() - vec2(0.0, viewport.height() * 0.2);
    for (at, joint) in [(upper, "Tip"), (viewport.center() + vec2(0.0, viewport.height() * 0.2), "Base")] {
        move_to(&mut ui, at);
        ui.get_by_label_contains(&format!(" of Box: {joint} 1.000"));
        press(&mut ui, at, PointerButton::Primary, true);
        press(&mut ui, at, PointerButton::Primary, false);
        assert_eq!(selected(&ui), [joint]);
        // Wait, so that the next click is not part of a double click.
        ui.run_steps(4);
    }
    move_to(&mut ui, viewport.left_center() + vec2(20.0, 0.0));
    assert!(ui.query_by_label_contains("Vertex").is_none(), "nothing is there");
}

/// Builds the box with faults: its first vertex has five joints, the weights of its second sum to 0.9 in the file, and "Idle" moves
/// nothing.
fn faulty() -> Model {
    let mut model = hand_made::tree(&["Box", "Base", "Idle", "A", "B", "C", "D"].map(|name| (name.to_owned(), None)));
    hand_made::add_skin(&mut model, &[1, 2, 3, 4, 5, 6]);
    model.meshes = hand_made::bending_box().meshes;
    let primitive = &mut model.meshes[0].primitives[0];
    let mut vertices = (*primitive.vertices).clone();
    let count = vertices.positions.len();
    let mut influences = Influences { sets: 2, joints: vec![[0; 4]; 2 * count], weights: vec![[0.0; 4]; 2 * count] };
    (0..count).for_each(|vertex| influences.weights[2 * vertex][0] = 1.0);
    influences.joints[..2].copy_from_slice(&[[0, 2, 3, 4], [5, 0, 0, 0]]);
    influences.weights[..2].copy_from_slice(&[[0.4, 0.2, 0.2, 0.1], [0.1, 0.0, 0.0, 0.0]]);
    (vertices.influences, vertices.uneven_weights) = (influences, UnevenWeights { listed: vec![(1, 0.9)], count: 1, zero: 0 });
    primitive.vertices = vertices.into();
    (model.nodes[0].mesh, model.nodes[0].skin, model.nodes[0].rigid_matrix) = (Some(0), Some(0), Some(model.palette_len));
    model.palette_len += 1;
    model
}

fn open_faulty(model: Model) -> Ui {
    let mut ui = open(model);
    ui.state().analyses.find_weight_faults(&ui.state().document);
    // Collapse the sections above the one of weights.
    for section in ["Display", "Selection"] {
        click(&mut ui, section);
        ui.run_steps(8);
    }
    ui
}

#[test]
fn weight_problems_are_listed_and_a_click_goes_to_their_place() {
    let mut ui = open_faulty(faulty());
    for head in ["More than 4 joints per vertex: 1", "Weights do not sum to 1: 1", "Joints without weights: 1"] {
        ui.get_by_label(head);
    }
    click(&mut ui, "Vertex 0 of Box: 5 joints");
    assert_eq!(selected(&ui), ["Base"]);
    assert!(matches!(ui.state().view.camera, ViewCamera::Orbit(orbit) if orbit.focus.distance(glam::DVec3::new(-0.5, 0.0, -0.5)) < 1e-6));
    ui.get_by_label("Vertex 0 of Box: Base 0.400, A 0.200, B 0.200, C 0.100, D 0.100");
    click(&mut ui, "Vertex 1 of Box: sum 0.900");
    ui.get_by_label("Vertex 1 of Box: Base 1.000");
    ui.state_mut().requests.clear();
    click(&mut ui, "Idle: no weights");
    assert_eq!(selected(&ui), ["Idle"]);
    let idle = source(&ui, "Idle");
    assert!(ui.state().requests.contains(&Request::Fit { nodes: vec![idle] }));
}

#[test]
fn a_clicked_weight_problem_stays_under_the_pointer_while_the_selection_section_grows() {
    let mut ui = open(faulty());
    ui.state().analyses.find_weight_faults(&ui.state().document);
    click(&mut ui, "Display");
    ui.run_steps(8);
    let line = |ui: &Ui, label: &str| ui.get_by_label(label).rect();
    let at = line(&ui, "Vertex 1 of Box: sum 0.900");
    let below = line(&ui, "Statistics").top();
    click(&mut ui, "Vertex 1 of Box: sum 0.900");
    ui.run_steps(3);
    assert_eq!(selected(&ui), ["Base"]);
    assert_eq!(line(&ui, "Vertex 1 of Box: sum 0.900"), at);
    assert_eq!(line(&ui, "Statistics").top(), below);
}

#[test]
fn a_click_on_a_vertex_frames_it_while_the_camera_follows_a_moved_node() {
    let mut model = faulty();
    // "Idle", which the camera follows, is two meters from its rest position.
    model.animations.push(Animation {
        name: Some("Move".into()),
        duration: 1.0,
        key_times: vec![vec![0.0, 1.0]],
        channels: vec![Channel {
            source: 0,
            target: Target::Translation(NodeIndex(2)),
            key_times: 0,
            interpolation: Interpolation::Step,
            output: vec![2.0, 0.0, 0.0, 2.0, 0.0, 0.0],
            components: 3,
        }],
    });
    let mut ui = open_faulty(model);
    let idle = source(&ui, "Idle");
    ui.state_mut().view.follow = Some(idle);
    click(&mut ui, "Vertex 0 of Box: 5 joints");
    let Window { document, view, posed, .. } = ui.state();
    let ViewCamera::Orbit(orbit) = view.camera else { panic!("{:?} is not moved by the user", view.camera) };
    let focus = view_camera::following(document, view, posed, &orbit).focus;
    assert!(focus.distance(glam::DVec3::new(-0.5, 0.0, -0.5)) < 1e-6, "{focus}");
}

#[test]
fn joints_in_weight_problems_have_the_names_of_the_tree() {
    let mut model = faulty();
    // Put the joints below a common joint, so that they share the prefix of one skeleton.
    model.hierarchy.parents[2..].fill(Some(NodeIndex(1)));
    model.hierarchy.subtree_ends[1] = 7;
    for node in model.nodes.iter_mut().filter(|node| node.name.as_deref() != Some("Box")) {
        node.name = node.name.as_ref().map(|name| format!("mixamorig:{name}"));
    }
    let mut ui = open_faulty(model);
    let painted = |ui: &Ui, wanted: &str| painted_texts(ui).any(|(text, _)| text.galley.text() == wanted && text.pos.x > 980.0);
    ui.get_by_label("mixamorig:Idle: no weights");
    assert!(painted(&ui, "Idle") && !painted(&ui, "mixamorig:Idle"));
    ui.state_mut().state.preferences.names = sinew::session::names::NameStyle::Full;
    ui.run();
    assert!(painted(&ui, "mixamorig:Idle"), "full names are asked for");
}

#[test]
fn a_file_without_weight_problems_is_reported_as_sound() {
    let mut ui = open(hand_made::bending_box());
    for section in ["Display", "Selection"] {
        click(&mut ui, section);
        ui.run_steps(8);
    }
    ui.get_by_label("Checking weights...");
    // Do the work of the thread that loads the file.
    ui.state().analyses.find_weight_faults(&ui.state().document);
    ui.run();
    ui.get_by_label_contains("every joint has weights");
}

#[test]
fn the_geometry_of_a_joint_is_hidden_and_isolated() {
    let mut ui = open(hand_made::bending_box());
    click(&mut ui, "Show mesh: Tip");
    assert_eq!(switch(&ui, "Tip", Column::Geometry), (false, false));
    assert_eq!(ui.state().posed.visible_indices.len(), 1);
    assert!(ui.query_by_label("Show mesh: Box").is_none(), "a mesh has its own switch");
    ui.run_steps(4);
    click(&mut ui, "Show mesh: Tip");
    click_with(&mut ui, "Show mesh: Tip", Modifiers::ALT);
    assert_eq!(switch(&ui, "Tip", Column::Geometry), (true, true));
    click(&mut ui, "Reset all joint switches");
    assert!(ui.state().posed.visible_indices.is_empty());
    let base = source(&ui, "Base");
    ui.state_mut().view.selection = vec![base];
    ui.state_mut().perform(Action::IsolateGeometry);
    ui.run();
    assert_eq!([switch(&ui, "Base", Column::Geometry).1, switch(&ui, "Tip", Column::Geometry).1], [true, true], "the subtree");
    ui.state_mut().perform(Action::IsolateGeometry);
    assert!(ui.state().view.switches.is_empty(), "isolating again restores everything");
    // A subtree without joints is isolated by the nodes, which replaces the isolation of joints.
    ui.state_mut().perform(Action::IsolateGeometry);
    ui.state_mut().view.selection = vec![source(&ui, "Box")];
    ui.state_mut().perform(Action::IsolateGeometry);
    assert_eq!((switch(&ui, "Box", Column::Visible), ui.state().view.switches.len()), ((true, true), 1));
    ui.state_mut().perform(Action::IsolateGeometry);
    assert!(ui.state().view.switches.is_empty());
}

/// Builds the box with so many vertices that the probe asks the device.
fn heavy() -> Model {
    let mut model = hand_made::bending_box();
    let vertices = std::sync::Arc::make_mut(&mut model.meshes[0].primitives[0].vertices);
    vertices.positions.resize(30_000, vertices.positions[0]);
    vertices.normals.resize(if vertices.normals.is_empty() { 0 } else { 30_000 }, glam::Vec3::Y);
    vertices.influences.joints.resize(30_000, [0; 4]);
    vertices.influences.weights.resize(30_000, [1.0, 0.0, 0.0, 0.0]);
    model
}

#[test]
fn the_probe_is_repeated_after_a_view_or_file_change() {
    let mut ui = open(heavy());
    ui.state_mut().perform(Action::Weights);
    ui.state_mut().state.panels.viewport.picks.begin_frame(true);
    let center = ui.state().areas.unwrap().viewport.center();
    let answer = |ui: &mut Ui| {
        let picks = &mut ui.state_mut().state.panels.viewport.picks;
        assert!(picks.requested().is_some(), "a query is sent");
        picks.await_answer();
        picks.begin_frame(true);
        picks.receive(Some(Vertex { node: NodeIndex(0), primitive: 0, vertex: 9 }));
        ui.run();
        ui.get_by_label_contains("Vertex");
        assert!(ui.state().state.panels.viewport.picks.requested().is_none(), "a query is sent once");
    };
    move_to(&mut ui, center);
    answer(&mut ui);
    let tip = source(&ui, "Tip");
    joint_switches::set(&mut ui.state_mut().view.switches, tip, Column::Animated, |switch| switch.on = false);
    ui.run();
    assert!(ui.query_by_label_contains("Vertex").is_none(), "the answer was about another pose");
    answer(&mut ui);
    ui.state_mut().view.selection = vec![tip];
    ui.run();
    ui.get_by_label_contains("Vertex");
    ui.state_mut().state.window.marked_vertex = Some(Vertex { node: NodeIndex(0), primitive: 0, vertex: 0 });
    ui.state_mut().open(Document::new(heavy().into(), "other.glb".into(), None));
    ui.run();
    assert!(ui.query_by_label_contains("Vertex").is_none(), "the answer was about another file");
    assert!(ui.state().state.window.marked_vertex.is_none() && ui.state().state.panels.viewport.picks.requested().is_some());
}
