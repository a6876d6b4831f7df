//! Tests the inspector's values for joints, the bind pose, morph weights and an isolated subtree.

use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT, Queryable};
use glam::{Affine3A, Quat, Vec3};

use sinew::camera::Orbit;
use sinew::model::Model;
use sinew::model::animation::{Animation, Channel, Interpolation, Target};
use sinew::model::mesh::MorphTarget;
use sinew::model::node::NodeIndex;
use sinew::session::camera::screen::ScreenProjection;
use sinew::session::camera::view_camera;
use sinew::session::pick;
use sinew::session::view::ViewCamera;
use sinew::session::view::display::JointNames;
use sinew::session::view::joint_switches::{self, Column};
use sinew::session::view::morph_overrides;
use sinew::session::view::undo::Undo;
use sinew::ui::actions::Action;
use sinew::ui::context::request::Request;
use sinew::units::{LengthUnit, UpAxis};

use crate::common::hand_made;
use crate::common::ui_harness::{Window, harness, walker};
use crate::gestures::{
    CTRL, Ui, click, click_at, click_row, double_click, drag, move_to, open, painted_texts, press, rig, selected, switch, unfolded,
};

fn perform(ui: &mut Ui, action: Action) {
    ui.state_mut().perform(action);
    ui.run();
}

#[test]
fn height_and_the_distance_between_two_selected_nodes_are_shown() {
    let mut ui = open(rig());
    click_row(&mut ui, "LeftFoot", egui::Modifiers::NONE);
    ui.get_by_label("Height: 3.000 m");
    ui.get_by_label_contains("click a second node");
    assert!(ui.query_by_label_contains("Offset").is_none(), "a single node has no offset");
    click_row(&mut ui, "Hips", CTRL);
    ui.get_by_label("Height: 1.000 m");
    ui.get_by_label("Distance: 2.000 m");
    assert!(ui.query_by_label_contains("click a second node").is_none());
    ui.get_by_label("Offset: 0.000, -2.000, 0.000");
    ui.state_mut().state.preferences.units.length = LengthUnit::Centimeters;
    ui.state_mut().state.preferences.units.up = UpAxis::Z;
    ui.run();
    ui.get_by_label("Distance: 200.0 cm");
    ui.get_by_label("Offset: 0.0, 0.0, -200.0");
    assert_eq!(ui.get_all_by_label("Translation: 0.0, 0.0, 100.0").count(), 3, "local, global, at rest");
}

#[test]
fn one_matrix_is_chosen_shown_and_copied() {
    let mut model = hand_made::bending_box();
    model.hierarchy.rest[2].rotation = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let mut ui = open(model);
    click_row(&mut ui, "Tip", egui::Modifiers::NONE);
    ui.state_mut().transport.head.time = 1.0;
    ui.run();
    ui.get_by_role_and_label(Role::ComboBox, "Matrix: Global").click();
    ui.run();
    click(&mut ui, "Inverse bind, skin 0");
    ui.get_by_label("Matrix, second row: 0.000, 1.000, 0.000, -1.000");
    ui.get_by_role_and_label(Role::ComboBox, "Matrix: Inverse bind, skin 0").click();
    ui.run();
    click(&mut ui, "Joint matrix, skin 0");
    // A quarter turn about the z axis through the point (0, 1, 0): the new x is 1 - y, and the new y is x + 1.
    ui.get_by_label("Matrix, first row: 0.000, -1.000, 0.000, 1.000");
    ui.get_by_label("Matrix, second row: 1.000, 0.000, 0.000, 1.000");
    click(&mut ui, "Copy matrix");
    let Some(Request::CopyText(text)) = ui.state_mut().requests.pop() else { panic!("nothing copied") };
    assert!(text.starts_with("Joint matrix, skin 0\n") && text.lines().count() == 4, "{text}");
    // A node without this matrix shows another one. The choice is kept.
    click_row(&mut ui, "Box", egui::Modifiers::NONE);
    ui.get_by_role_and_label(Role::ComboBox, "Matrix: Global");
    click_row(&mut ui, "Base", egui::Modifiers::NONE);
    ui.get_by_role_and_label(Role::ComboBox, "Matrix: Joint matrix, skin 0");
}

#[test]
fn a_click_chooses_an_animation_that_drives_the_node() {
    let mut ui = harness(1280.0, 1200.0, 1.0, Window::new(walker()));
    click(&mut ui, "Head");
    assert!(ui.query_by_label_contains("Show Wave").is_none());
    click(&mut ui, "Hips");
    click(&mut ui, "Animations 2");
    click(&mut ui, "Show Wave: translation");
    assert_eq!(ui.state().view.animation, Some(1));
}

/// Builds the bending box with a rest pose that differs from its bind pose: the tip is turned by 30 degrees and half a meter higher.
fn bent_at_rest() -> Model {
    let mut model = hand_made::bending_box();
    model.hierarchy.rest[2].rotation = Quat::from_rotation_x(30f32.to_radians());
    model.hierarchy.rest[2].translation.y = 1.5;
    model
}

#[test]
fn the_bind_pose_can_be_chosen_and_joints_that_differ_are_listed() {
    let mut ui = harness(1280.0, 2400.0, 1.0, unfolded(Window::new(bent_at_rest())));
    ui.get_by_label("Rest pose: 1 of 2 joints differ");
    click(&mut ui, "Tip: rest pose differs from bind pose by 30.0\u{b0}, 0.500 m");
    assert_eq!(selected(&ui), ["Tip"]);
    ui.get_by_label("Rest vs. bind pose: 30.0\u{b0}, 0.500 m");
    ui.get_by_role_and_label(Role::ListBoxOption, "Bind pose").click();
    ui.run();
    assert!(ui.state().view.bind_pose);
    assert_eq!(ui.get_all_by_label("Translation: 0.000, 1.000, 0.000").count(), 2, "local and global");
    ui.get_by_label("Translation: 0.000, 1.500, 0.000");
    // Switch the bind pose off in the inspector, then end it by choosing an animation.
    click(&mut ui, "Show bind pose");
    assert!(!ui.state().view.bind_pose && ui.state().view.animation == Some(0));
    perform(&mut ui, Action::BindPose);
    assert!(ui.state().view.bind_pose);
    click(&mut ui, "Bend");
    assert!(!ui.state().view.bind_pose);
    let mut unskinned = bent_at_rest();
    unskinned.skins.clear();
    unskinned.nodes.iter_mut().for_each(|node| node.skin = None);
    assert!(open(unskinned).query_by_label_contains("Bind pose").is_none());
}

#[test]
fn joints_that_differ_from_the_bind_pose_have_the_names_of_the_tree() {
    let mut model = walker();
    for node in &mut model.nodes[1..5] {
        node.name = node.name.as_ref().map(|name| format!("mixamorig:{name}"));
    }
    let ui = harness(1280.0, 2400.0, 1.0, Window::new(model));
    let row = ui.get_by_label_contains("mixamorig:Spine: rest pose differs from bind pose").rect();
    let texts = painted_texts(&ui).map(|(text, _)| (text.galley.text(), text.visual_bounding_rect()));
    let name = texts.filter(|(_, rect)| row.contains(rect.left_center())).min_by(|(_, a), (_, b)| a.left().total_cmp(&b.left()));
    assert_eq!(name.map(|(text, _)| text), Some("Spine"));
}

fn morphing() -> Model {
    let mut model = hand_made::bending_box();
    let count = model.meshes[0].primitives[0].vertices.positions.len();
    let target = MorphTarget { positions: vec![Vec3::X; count], ..MorphTarget::default() };
    std::sync::Arc::make_mut(&mut model.meshes[0].primitives[0].vertices).targets = vec![target.clone(), target];
    model.meshes[0].target_count = 2;
    model.meshes[0].target_names = vec!["Smile".into(), "Frown".into()];
    model.rest_weights = vec![0.25, 0.5];
    model.nodes[0].weights = 0..2;
    model
}

#[test]
fn a_slider_sets_and_releases_a_morph_weight() {
    // With nothing selected, the sliders are those of the whole model.
    let mut ui = open(morphing());
    let bar = ui.get_by_role_and_label(Role::Slider, "Smile").rect();
    assert!(ui.query_by_label("Reset Smile").is_none());
    let at = egui::pos2(bar.right() - 1.0, bar.center().y);
    drag(&mut ui, egui::PointerButton::Primary, &[at, at]);
    let source = ui.state().document.model.nodes[0].source;
    assert_eq!(morph_overrides::get(&ui.state().view.morphs, source, 0), Some(1.0));
    assert_eq!(ui.state().posed.pose.weights, [1.0, 0.5]);
    ui.get_by_label("1 overridden");
    click(&mut ui, "Reset Smile");
    assert!(ui.state().view.morphs.is_empty());
    morph_overrides::set(&mut ui.state_mut().view.morphs, source, 0, 2.5);
    morph_overrides::set(&mut ui.state_mut().view.morphs, source, 1, -0.5);
    ui.run();
    assert_eq!(ui.get_by_role_and_label(Role::Slider, "Smile").accesskit_node().numeric_value(), Some(2.5), "beyond 1, too");
    click(&mut ui, "Reset all");
    assert_eq!(ui.state().posed.pose.weights, [0.25, 0.5]);
    ui.get_by_role_and_label(Role::Slider, "Smile").focus();
    ui.run();
    assert!(ui.state().state.window.list_focused, "arrows belong to the slider");
    ui.key_press(egui::Key::ArrowRight);
    ui.run();
    assert!(ui.state().posed.pose.weights[0] > 0.25);
}

#[test]
fn the_range_of_a_slider_stays_during_a_drag() {
    let mut ui = open(morphing());
    let source = ui.state().document.model.nodes[0].source;
    morph_overrides::set(&mut ui.state_mut().view.morphs, source, 0, 3.0);
    ui.run();
    let bar = ui.get_by_role_and_label(Role::Slider, "Smile").rect();
    press(&mut ui, bar.center(), egui::PointerButton::Primary, true);
    // Below 2, the range of a slider that is not dragged would end at 2.
    for share in [0.6, 0.5, 0.3] {
        let at = egui::pos2(egui::lerp(bar.x_range(), share), bar.center().y);
        move_to(&mut ui, at);
        let weight = morph_overrides::get(&ui.state().view.morphs, source, 0).unwrap();
        assert!((weight - 3.0 * share).abs() < 0.2, "{weight} at {share}");
        ui.run_steps(3);
        assert_eq!(morph_overrides::get(&ui.state().view.morphs, source, 0), Some(weight), "the pointer rests");
    }
    let at = egui::pos2(egui::lerp(bar.x_range(), 0.3), bar.center().y);
    press(&mut ui, at, egui::PointerButton::Primary, false);
    let weight = morph_overrides::get(&ui.state().view.morphs, source, 0).unwrap();
    assert!((weight - 0.9).abs() < 0.2, "{weight} after the release");
    // The next drag has the range of the new weight.
    click_at(&mut ui, bar.center(), egui::Modifiers::NONE);
    assert_eq!(morph_overrides::get(&ui.state().view.morphs, source, 0), Some(0.5));
}

#[test]
fn a_double_click_on_a_slider_is_one_undo_step() {
    let mut ui = open(morphing());
    let source = ui.state().document.model.nodes[0].source;
    morph_overrides::set(&mut ui.state_mut().view.morphs, source, 0, 0.9);
    ui.run();
    let weight = |ui: &Ui| morph_overrides::get(&ui.state().view.morphs, source, 0);
    // Settle after each step, as the application does.
    let mut undo = Undo::new(&ui.state().view);
    let settle = |ui: &Ui, undo: &mut Undo| {
        if !ui.state().state.window.is_in_gesture(&ui.ctx) {
            undo.settle(&ui.state().view);
        }
    };
    let at = ui.get_by_role_and_label(Role::Slider, "Smile").rect().center();
    ui.ctx.options_mut(|options| options.input_options.max_double_click_delay = 10.0);
    for expected in [Some(0.5), None] {
        click_at(&mut ui, at, egui::Modifiers::NONE);
        settle(&ui, &mut undo);
        assert_eq!(weight(&ui), expected);
    }
    assert_eq!(undo.undo(&mut ui.state_mut().view), Some("morph weights"));
    assert_eq!((weight(&ui), undo.next_undo()), (Some(0.9), None));
    // A single click becomes a step when a second one would be too late.
    ui.run_steps(60);
    click_at(&mut ui, at, egui::Modifiers::NONE);
    settle(&ui, &mut undo);
    assert_eq!(undo.next_undo(), None);
    ui.run_steps(60);
    settle(&ui, &mut undo);
    assert_eq!((weight(&ui), undo.next_undo()), (Some(0.5), Some("morph weights")));
}

#[test]
fn a_subtree_is_isolated_and_restored() {
    let mut ui = open(rig());
    click_row(&mut ui, "RightFoot", egui::Modifiers::NONE);
    perform(&mut ui, Action::Solo);
    click_row(&mut ui, "LeftLeg", egui::Modifiers::NONE);
    perform(&mut ui, Action::Isolate);
    let soloed = |ui: &Ui| ["Hips", "LeftLeg", "LeftFoot", "RightLeg", "RightFoot"].map(|name| switch(ui, name, Column::Drawn).1);
    assert_eq!(soloed(&ui), [false, true, true, false, false], "it alone, whatever was soloed before");
    assert!(switch(&ui, "LeftFoot", Column::Geometry).1 && !switch(&ui, "Hips", Column::Geometry).1, "with what it carries");
    click_row(&mut ui, "RightLeg", egui::Modifiers::NONE);
    perform(&mut ui, Action::Isolate);
    assert_eq!(soloed(&ui), [false, false, false, true, true]);
    perform(&mut ui, Action::Isolate);
    assert!(ui.state().view.switches.is_empty());
    perform(&mut ui, Action::Isolate);
    perform(&mut ui, Action::SelectNone);
    perform(&mut ui, Action::Isolate);
    assert!(ui.state().view.switches.is_empty(), "Isolate also restores everything with nothing selected");
    // A solo of a node that only another file has does not count as an isolation.
    joint_switches::set(&mut ui.state_mut().view.switches, 999, Column::Drawn, |switch| switch.solo = true);
    assert!(ui.state_mut().perform_if_available(Action::Isolate).is_some(), "there is nothing to restore");
    assert!(joint_switches::switch(&ui.state().view.switches, 999, Column::Drawn).solo);
}

#[test]
fn isolating_a_joint_keeps_its_part_of_a_mesh_that_is_elsewhere_in_the_tree() {
    let mut model = hand_made::tree(&[("Box", None), ("Base", None), ("Tip", Some(1)), ("Tip_end", Some(2))].map(|(n, p)| (n.into(), p)));
    hand_made::add_skin(&mut model, &[1, 2]);
    model.meshes = hand_made::bending_box().meshes;
    (model.nodes[0].mesh, model.nodes[0].skin) = (Some(0), Some(0));
    let mut ui = open(model);
    click_row(&mut ui, "Tip", egui::Modifiers::NONE);
    perform(&mut ui, Action::Isolate);
    assert_eq!(ui.state().posed.shown, [true; 4]);
    let left: Vec<_> = ui.state().posed.visible_indices.values().map(|indices| indices.len()).collect();
    assert!(left.len() == 1 && left[0] > 0, "the upper half of the box is drawn, and not the lower: {left:?}");
    perform(&mut ui, Action::Isolate);
    assert!(ui.state().view.switches.is_empty());
    // If no joint is selected, Isolate solos the nodes in the column Visible.
    click_row(&mut ui, "Box", egui::Modifiers::NONE);
    perform(&mut ui, Action::Isolate);
    assert!(switch(&ui, "Box", Column::Visible).1 && ui.state().posed.visible_indices.is_empty());
    perform(&mut ui, Action::Isolate);
    assert!(ui.state().view.switches.is_empty());
}

#[test]
fn transforms_are_copied_in_the_displayed_units() {
    let mut model = hand_made::bending_box();
    model.skins[0].inverse_bind_matrices[0] = Affine3A::from_translation(Vec3::new(0.5, 0.0, 0.0));
    let mut ui = harness(1280.0, 1200.0, 1.0, Window::new(model));
    ui.state_mut().state.preferences.units.length = LengthUnit::Centimeters;
    click_row(&mut ui, "Base", egui::Modifiers::NONE);
    click(&mut ui, "Copy transforms");
    let Some(Request::CopyText(text)) = ui.state_mut().requests.pop() else { panic!("nothing copied") };
    for part in ["Base (node 1, centimeters)\n", "euler XYZ degrees 0 0 0\n", "inverse bind, skin 0\n1 0 0 50\n", "joint matrix, skin 0\n"]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn names_are_shown_for_selected_joints_and_the_joint_under_the_pointer() {
    let mut ui = open(hand_made::bending_box());
    ui.state_mut().view.display.names = JointNames::Selection;
    let seen = |ui: &Ui| {
        let window = ui.state();
        let viewport = window.areas.expect("a frame was laid out").viewport;
        let size = glam::DVec2::new(f64::from(viewport.width()), f64::from(viewport.height()));
        let camera = view_camera::camera(window.subject(), &window.posed, size.x / size.y);
        let projection = ScreenProjection { camera, size };
        let seen = pick::visible_joints(&window.document, &window.view, &window.posed, &projection);
        seen.map(|(node, at, _)| (window.document.model.node(node).label(), at)).collect::<Vec<_>>()
    };
    assert!(seen(&ui).is_empty(), "nothing is selected");
    click_row(&mut ui, "Tip", egui::Modifiers::NONE);
    let [(name, at)] = &seen(&ui)[..] else { panic!("one joint has its name") };
    assert_eq!(name, "Tip");
    // Pointing at a joint shows its name, unless all names are shown anyway.
    let viewport = ui.state().areas.expect("a frame was laid out").viewport;
    let tip = viewport.min + egui::vec2(at.x as f32, at.y as f32);
    click_row(&mut ui, "Base", egui::Modifiers::NONE);
    ui.state_mut().view.display.skeleton = true;
    ui.run();
    assert_eq!(seen(&ui).len(), 2, "the skeleton is there to be pointed at");
    let words = |ui: &Ui| ui.output().shapes.iter().filter(|shape| shows(&shape.shape, "Tip")).count();
    let before = words(&ui);
    move_to(&mut ui, tip);
    assert_eq!(words(&ui), before + 1);
    ui.state_mut().view.display.names = JointNames::None;
    ui.run();
    assert_eq!(words(&ui), before + 1);
}

#[test]
fn names_of_joints_leave_the_axes_free() {
    // A long row of joints that crosses the axes.
    let nodes: Vec<_> = (0..200_usize).map(|i| (format!("joint{i}"), i.checked_sub(1))).collect();
    let mut ui = open(hand_made::tree(&nodes));
    ui.state_mut().view.display.names = JointNames::All;
    let viewport = ui.state().areas.expect("a frame was laid out").viewport;
    let axes = sinew::ui::viewport::gizmo::rect(viewport);
    let mut crossed = 0;
    for pitch in [-1.2, 0.0, 0.6] {
        for x in 0..24 {
            let focus = glam::DVec3::new(-f64::from(x) * 0.4, 100.0, 0.0);
            ui.state_mut().view.camera = ViewCamera::Orbit(Orbit { distance: 12.0, focus, pitch, ..Orbit::default() });
            ui.run();
            let names = crate::gestures::painted_texts(&ui).filter(|(text, _)| text.galley.text().starts_with("joint"));
            let names: Vec<_> =
                names.map(|(text, _)| text.visual_bounding_rect()).filter(|place| viewport.contains(place.center())).collect();
            assert!(!names.iter().any(|place| place.intersects(axes)), "{pitch} {x}: {names:?} {axes:?}");
            crossed += names.iter().filter(|place| place.right() > axes.left()).count();
        }
    }
    assert!(crossed > 0, "no name came near the axes");
}

fn shows(shape: &egui::Shape, text: &str) -> bool {
    match shape {
        egui::Shape::Text(shape) => shape.galley.text() == text,
        egui::Shape::Vec(shapes) => shapes.iter().any(|shape| shows(shape, text)),
        _ => false,
    }
}

#[test]
fn a_morph_target_shows_its_driver_and_a_double_click_releases_it() {
    let mut model = morphing();
    let channel = Channel {
        source: 0,
        target: Target::Weights(NodeIndex(0)),
        key_times: 0,
        interpolation: Interpolation::Linear,
        output: vec![0.5, 0.0],
        components: 2,
    };
    let wave = Animation { name: Some("Wave".into()), duration: 0.0, key_times: vec![vec![0.0]], channels: vec![channel] };
    model.animations = vec![wave];
    let mut ui = open(model);
    let smile = ui.get_by_role_and_label(Role::Slider, "Smile").rect();
    let tooltip = |ui: &mut Ui, words: &str| {
        move_to(ui, egui::pos2(10.0, 10.0));
        move_to(ui, smile.center());
        ui.run_steps(8);
        let tooltip = ui.get_by_label_contains(words).rect();
        assert!(!tooltip.intersects(ui.get_by_role_and_label(Role::Slider, "Frown").rect()), "{tooltip:?}");
    };
    tooltip(&mut ui, "Smile: 0.5\nDriven by Wave");
    ui.state_mut().view.animation = None;
    tooltip(&mut ui, "Smile: 0.25\nDefault weight");
    drag(&mut ui, egui::PointerButton::Primary, &[smile.center(), smile.center()]);
    tooltip(&mut ui, "Overridden.");
    double_click(&mut ui, smile.center());
    assert!(ui.state().view.morphs.is_empty());
}
