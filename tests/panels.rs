//! The panels of the window by accessible label: animations, the node tree with its switches, the viewport, the inspector.

mod hand_made;
mod ui_window;

use std::time::Instant;

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, TouchPhase, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

use sinew::model::Model;
use sinew::model::finding::{Finding, Severity};
use sinew::model::mesh::MorphTarget;
use sinew::session::switches::{self, Column};
use sinew::session::view::{Shading, ViewCamera};
use sinew::ui::actions::Action;
use sinew::ui::inspector::findings;
use sinew::ui::node_menu;
use sinew::ui::{Command, Failure};

use ui_window::{Window, harness, walker};

type Ui = Harness<'static, Window>;

const CTRL: Modifiers = Modifiers { ctrl: true, command: true, ..Modifiers::NONE };

fn open(model: Model) -> Ui {
    harness(1280.0, 900.0, 1.0, Window::new(model))
}

/// Hips over two legs with feet, and a loose node; a skin has them all but the root "Armature" and "Prop".
fn rig() -> Model {
    let nodes = [
        ("Armature", None),
        ("Hips", Some(0)),
        ("LeftLeg", Some(1)),
        ("LeftFoot", Some(2)),
        ("RightLeg", Some(1)),
        ("RightFoot", Some(4)),
        ("Prop", None),
    ];
    let mut model = hand_made::tree(&nodes.map(|(name, parent)| (name.to_string(), parent)));
    hand_made::add_skin(&mut model, &[1, 2, 3, 4, 5]);
    model
}

fn click(ui: &mut Ui, label: &str) {
    ui.get_by_label(label).click();
    ui.run();
}

fn click_with(ui: &mut Ui, label: &str, modifiers: Modifiers) {
    ui.get_by_label(label).click_modifiers(modifiers);
    ui.run();
}

/// The inspector shows the same names.
fn click_row(ui: &mut Ui, name: &str, modifiers: Modifiers) {
    ui.get_by_role_and_label(Role::TreeItem, name).click_modifiers(modifiers);
    ui.run();
}

fn row_shown(ui: &Ui, name: &str) -> bool {
    ui.query_by_role_and_label(Role::TreeItem, name).is_some()
}

fn source(ui: &Ui, name: &str) -> usize {
    let nodes = &ui.state().document.model.nodes;
    nodes.iter().find(|node| node.name.as_deref() == Some(name)).expect("a node of this name").source
}

/// Own switch: on, and solo.
fn switch(ui: &Ui, name: &str, column: Column) -> (bool, bool) {
    let switch = switches::switch(&ui.state().view.switches, source(ui, name), column);
    (switch.on, switch.solo)
}

fn selected(ui: &Ui) -> Vec<String> {
    let model = &ui.state().document.model;
    let view = &ui.state().view;
    view.selection.iter().map(|&source| model.node(model.node_from_source(source).expect("a node")).label()).collect()
}

fn move_to(ui: &mut Ui, at: Pos2) {
    ui.event(Event::PointerMoved(at));
    ui.run();
}

fn press(ui: &mut Ui, at: Pos2, button: PointerButton, pressed: bool) {
    ui.event(Event::PointerButton { pos: at, button, pressed, modifiers: Modifiers::NONE });
    ui.run();
}

/// Down at the first point, over all the others, up at the last.
fn drag(ui: &mut Ui, button: PointerButton, points: &[Pos2]) {
    move_to(ui, points[0]);
    press(ui, points[0], button, true);
    for point in points {
        move_to(ui, *point);
    }
    press(ui, points[points.len() - 1], button, false);
}

// Switches

#[test]
fn a_click_switches_one_joint_and_reset_takes_it_back() {
    let mut ui = open(rig());
    click(&mut ui, "Influence of LeftLeg");
    assert_eq!(switch(&ui, "LeftLeg", Column::Influence), (false, false));
    assert_eq!(ui.state().view.switches.len(), 1, "nothing else was touched");
    assert!(selected(&ui).is_empty(), "a switch does not select");
    click(&mut ui, "Animation of RightFoot");
    ui.get_by_label("2 joints changed");
    click(&mut ui, "Visibility of Prop");
    ui.get_by_label("3 nodes changed");
    click(&mut ui, "Reset all switches");
    assert!(ui.state().view.switches.is_empty());
    assert!(ui.query_by_label("3 nodes changed").is_none());
}

#[test]
fn a_second_click_switches_on_again() {
    let mut ui = open(rig());
    for (label, name, column) in [("Drawing of Hips", "Hips", Column::Drawn), ("Visibility of Prop", "Prop", Column::Visible)] {
        click(&mut ui, label);
        assert_eq!(switch(&ui, name, column), (false, false));
        // Not within the time of a double click.
        ui.run_steps(4);
        click(&mut ui, label);
        assert_eq!(switch(&ui, name, column), (true, false));
    }
}

#[test]
fn shift_click_switches_the_subtree_and_nothing_beside_it() {
    let mut ui = open(rig());
    click_with(&mut ui, "Animation of LeftLeg", Modifiers::SHIFT);
    let off = ["Armature", "Hips", "LeftLeg", "LeftFoot", "RightLeg", "RightFoot"].map(|name| !switch(&ui, name, Column::Animated).0);
    assert_eq!(off, [false, false, true, true, false, false]);
    click_with(&mut ui, "Animation of LeftLeg", Modifiers::SHIFT);
    assert!(ui.state().view.switches.is_empty());
}

#[test]
fn alt_click_solos_in_one_column_and_adds_to_what_is_soloed() {
    let mut ui = open(rig());
    click_with(&mut ui, "Drawing of LeftLeg", Modifiers::ALT);
    click_with(&mut ui, "Drawing of RightLeg", Modifiers::ALT);
    assert_eq!(switch(&ui, "LeftLeg", Column::Drawn), (true, true));
    assert_eq!(switch(&ui, "RightLeg", Column::Drawn), (true, true));
    let drawn = ui.state().posed.effective.drawn.clone();
    assert_eq!(drawn, [false, false, true, false, true, false, false]);
    assert!(ui.state().posed.effective.animated.iter().all(|&on| on), "the other columns do not change");
    click_with(&mut ui, "Drawing of LeftLeg", Modifiers::ALT);
    assert_eq!(switch(&ui, "LeftLeg", Column::Drawn), (true, false));
}

#[test]
fn a_drag_down_paints_every_row_it_passes() {
    let mut ui = open(rig());
    let from = ui.get_by_label("Influence of LeftLeg").rect().center();
    let to = ui.get_by_label("Influence of RightLeg").rect().center();
    // In one leap over the rows between, and off the column to the side.
    drag(&mut ui, PointerButton::Primary, &[from, from + vec2(0.0, 8.0), to + vec2(-60.0, 0.0)]);
    let off = ["Hips", "LeftLeg", "LeftFoot", "RightLeg", "RightFoot"].map(|name| !switch(&ui, name, Column::Influence).0);
    assert_eq!(off, [false, true, true, true, false]);
    assert!(ui.state().view.switches.values().all(|node| node.drawn.on && node.animated.on), "one column only");
    // What is painted is the state of the first, also over those that have it.
    click(&mut ui, "Influence of LeftFoot");
    drag(&mut ui, PointerButton::Primary, &[from, from + vec2(0.0, 8.0), to]);
    assert!(ui.state().view.switches.is_empty(), "{:?}", ui.state().view.switches);
}

#[test]
fn the_pointer_paints_no_more_when_the_drag_is_over() {
    let mut ui = open(rig());
    let from = ui.get_by_label("Drawing of Hips").rect().center();
    let to = ui.get_by_label("Drawing of LeftFoot").rect().center();
    drag(&mut ui, PointerButton::Primary, &[from, from + vec2(0.0, 8.0)]);
    move_to(&mut ui, to);
    assert_eq!(ui.state().view.switches.len(), 1);
}

#[test]
fn the_influence_of_a_skins_root_cannot_be_switched() {
    let mut ui = open(rig());
    assert!(ui.get_by_label("Influence of Hips").accesskit_node().is_disabled());
    click(&mut ui, "Influence of Hips");
    assert!(ui.state().view.switches.is_empty());
    assert!(!ui.get_by_label("Influence of LeftLeg").accesskit_node().is_disabled());
    assert!(ui.query_by_label("Influence of Prop").is_none(), "no joint, no influence");
}

#[test]
fn switches_stay_when_another_animation_is_chosen() {
    let mut ui = open(walker());
    click(&mut ui, "Animation of Spine");
    click(&mut ui, "Wave");
    assert_eq!(ui.state().view.animation, Some(1));
    assert_eq!(switch(&ui, "Spine", Column::Animated), (false, false));
    ui.get_by_label("1 joint changed");
}

// The tree

#[test]
fn clicks_select_toggle_and_take_ranges() {
    let mut ui = open(rig());
    click_row(&mut ui, "LeftLeg", Modifiers::NONE);
    assert_eq!(selected(&ui), ["LeftLeg"]);
    click_row(&mut ui, "RightFoot", Modifiers::SHIFT);
    assert_eq!(selected(&ui), ["LeftLeg", "LeftFoot", "RightLeg", "RightFoot"]);
    // From the same beginning, upwards: the clicked one is the active one.
    click_row(&mut ui, "Hips", Modifiers::SHIFT);
    assert_eq!(selected(&ui), ["LeftLeg", "Hips"]);
    click_row(&mut ui, "Prop", CTRL);
    assert_eq!(selected(&ui), ["LeftLeg", "Hips", "Prop"]);
    click_row(&mut ui, "LeftLeg", CTRL);
    assert_eq!(selected(&ui), ["Hips", "Prop"]);
}

#[test]
fn a_double_click_asks_for_the_camera_on_the_node() {
    let mut ui = open(rig());
    let at = ui.get_by_label("LeftFoot").rect().center();
    // The harness's frames take long.
    ui.ctx.options_mut(|options| options.input_options.max_double_click_delay = 2.0);
    move_to(&mut ui, at);
    for pressed in [true, false, true, false] {
        ui.event(Event::PointerButton { pos: at, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE });
    }
    ui.run();
    let foot = source(&ui, "LeftFoot");
    assert_eq!(ui.state().commands, [Command::Fit { nodes: vec![foot] }]);
}

#[test]
fn a_closed_node_hides_what_is_below_it() {
    let mut ui = open(rig());
    click(&mut ui, "Collapse LeftLeg");
    assert!(ui.query_by_label("LeftFoot").is_none());
    ui.get_by_label("RightFoot");
    click(&mut ui, "Expand LeftLeg");
    ui.get_by_label("LeftFoot");
}

#[test]
fn a_search_shows_what_it_finds_with_what_is_above_it() {
    let mut ui = open(rig());
    ui.state_mut().perform(Action::Search);
    ui.run();
    let search = ui.get_by_role_and_label(Role::TextInput, "Search nodes");
    assert!(search.is_focused(), "Ctrl+F goes to the field");
    search.type_text("tfOO");
    ui.run();
    for (name, shown) in [("LeftFoot", true), ("RightFoot", true), ("Hips", true), ("LeftLeg", true), ("Prop", false)] {
        assert_eq!(row_shown(&ui, name), shown, "{name}");
    }
    ui.key_press(Key::Enter);
    ui.run();
    assert_eq!(selected(&ui), ["LeftFoot"], "Enter takes the first that was found");
    click(&mut ui, "Clear: Search nodes");
    ui.get_by_label("Prop");
    ui.get_by_role_and_label(Role::TextInput, "Search nodes").type_text("nothing like it");
    ui.run();
    ui.get_by_label("No node has this in its name.");
}

#[test]
fn arrows_walk_the_tree_when_it_has_the_keyboard() {
    let mut ui = open(rig());
    click(&mut ui, "LeftLeg");
    assert!(ui.state().state.list_focused);
    let mut key = |key, modifiers, wanted: &[&str]| {
        ui.key_press_modifiers(modifiers, key);
        ui.run();
        assert_eq!(selected(&ui), wanted, "after {key:?}");
    };
    key(Key::ArrowDown, Modifiers::NONE, &["LeftFoot"]);
    key(Key::ArrowDown, Modifiers::SHIFT, &["LeftFoot", "RightLeg"]);
    key(Key::ArrowUp, Modifiers::NONE, &["LeftFoot"]);
    key(Key::ArrowLeft, Modifiers::NONE, &["LeftLeg"]);
    key(Key::ArrowLeft, Modifiers::NONE, &["LeftLeg"]);
    key(Key::ArrowDown, Modifiers::NONE, &["RightLeg"]);
    key(Key::ArrowUp, Modifiers::NONE, &["LeftLeg"]);
    key(Key::ArrowRight, Modifiers::NONE, &["LeftLeg"]);
    key(Key::ArrowRight, Modifiers::NONE, &["LeftFoot"]);
    // The viewport takes the keyboard away.
    let at = ui.state().areas.unwrap().viewport.center() + vec2(200.0, 100.0);
    press(&mut ui, at, PointerButton::Primary, true);
    press(&mut ui, at, PointerButton::Primary, false);
    assert!(!ui.state().state.list_focused);
}

/// A chain of 100 under each of 50 roots.
fn large() -> Model {
    let mut nodes = Vec::new();
    for root in 0..50 {
        for i in 0..100 {
            nodes.push((format!("n{root}-{i}"), if i == 0 { None } else { Some(nodes.len() - 1) }));
        }
    }
    let mut model = hand_made::tree(&nodes);
    hand_made::add_skin(&mut model, &(0..5000).collect::<Vec<_>>());
    model
}

fn rows(ui: &Ui) -> usize {
    ui.query_all_by_role(Role::TreeItem).count()
}

#[test]
fn of_five_thousand_nodes_only_those_in_sight_are_laid_out() {
    let mut ui = open(large());
    assert!(rows(&ui) > 10 && rows(&ui) < 40, "{} rows", rows(&ui));
    ui.state_mut().view.selection = vec![0];
    ui.run();
    // Its last node, in a chain that was closed at first.
    assert!(row_shown(&ui, "n49-99"));
    assert!(rows(&ui) < 40, "{} rows", rows(&ui));
    let started = Instant::now();
    ui.run_steps(50);
    // Generous: the test machine is slow, and this is no benchmark. Laying out all rows takes seconds.
    assert!(started.elapsed().as_secs_f64() / 50.0 < 0.05, "{:?} for 50 frames", started.elapsed());
}

#[test]
fn choosing_elsewhere_opens_and_scrolls_the_tree_to_the_node() {
    let mut ui = open(large());
    assert!(!row_shown(&ui, "n20-80"));
    ui.state_mut().view.selection = vec![source(&ui, "n20-80")];
    ui.run();
    assert!(row_shown(&ui, "n20-80"));
    assert!(!row_shown(&ui, "n0-0"), "the top has scrolled away");
}

#[test]
fn a_right_click_selects_and_its_menu_switches_and_copies() {
    let mut ui = open(rig());
    ui.get_by_label("LeftFoot").click_secondary();
    ui.run();
    assert_eq!(selected(&ui), ["LeftFoot"]);
    click(&mut ui, "Copy the path");
    assert_eq!(ui.state().commands, [Command::CopyText("Armature/Hips/LeftLeg/LeftFoot".into())]);
    ui.get_by_label("LeftLeg").click_secondary();
    ui.run();
    click(&mut ui, "Influence: the subtree");
    assert!(!switch(&ui, "LeftLeg", Column::Influence).0 && !switch(&ui, "LeftFoot", Column::Influence).0);
}

#[test]
fn a_path_goes_from_the_root_to_the_node() {
    let model = rig();
    assert_eq!(node_menu::path(&model, sinew::model::node::NodeIndex(5)), "Armature/Hips/RightLeg/RightFoot");
}

#[test]
fn another_file_does_not_trip_over_what_was_remembered_of_the_last() {
    let mut ui = open(large());
    click(&mut ui, "n0-3");
    click(&mut ui, "Influence of n0-4");
    let other = Window::new(rig());
    ui.state_mut().document = other.document;
    ui.state_mut().posed = other.posed;
    ui.run();
    assert_eq!(rows(&ui), 7);
    click_with(&mut ui, "Prop", Modifiers::SHIFT);
}

// Animations

#[test]
fn choosing_an_animation_plays_it_from_its_beginning() {
    let mut ui = open(walker());
    ui.state_mut().transport.head.time = 1.5;
    click(&mut ui, "Wave");
    assert_eq!((ui.state().view.animation, ui.state().transport.time(), ui.state().transport.playing()), (Some(1), 0.0, true));
    assert!(ui.state().state.list_focused);
    ui.key_press(Key::ArrowUp);
    ui.run();
    assert_eq!(ui.state().view.animation, Some(0));
    ui.key_press(Key::ArrowUp);
    ui.run();
    assert_eq!(ui.state().view.animation, None, "above the first stands the rest pose");
    click(&mut ui, "Walk");
    click(&mut ui, "No animation");
    assert_eq!(ui.state().view.animation, None);
}

#[test]
fn many_animations_can_be_searched_and_the_nameless_have_a_number() {
    let mut model = walker();
    let walk = model.animations[0].clone();
    model.animations = (0..40).map(|i| sinew::model::animation::Animation { name: Some(format!("take {i}")), ..walk.clone() }).collect();
    model.animations[37].name = None;
    let mut ui = open(model);
    assert!(ui.query_by_label("take 39").is_none(), "out of sight");
    ui.get_by_role_and_label(Role::TextInput, "Search animations").focus();
    ui.run();
    ui.get_by_role_and_label(Role::TextInput, "Search animations").type_text("37");
    ui.run();
    click(&mut ui, "animation 37");
    assert_eq!(ui.state().view.animation, Some(37));
    assert!(ui.query_by_label("No animation").is_none());
}

// The viewport

#[test]
fn a_click_in_the_viewport_selects_the_mesh_and_an_empty_place_clears() {
    let mut ui = open(hand_made::bending_box());
    let viewport = ui.state().areas.unwrap().viewport;
    let middle = viewport.center();
    press(&mut ui, middle, PointerButton::Primary, true);
    press(&mut ui, middle, PointerButton::Primary, false);
    assert_eq!(selected(&ui), ["Box"]);
    let empty = viewport.left_center() + vec2(20.0, 0.0);
    press(&mut ui, empty, PointerButton::Primary, true);
    press(&mut ui, empty, PointerButton::Primary, false);
    assert!(selected(&ui).is_empty());
}

/// Where a node is seen.
fn seen(ui: &Ui, name: &str) -> Pos2 {
    let window = ui.state();
    let viewport = window.areas.expect("a frame was laid out").viewport;
    let node = window.document.model.node_from_source(source(ui, name)).expect("a node");
    let aspect = f64::from(viewport.aspect_ratio());
    let camera = sinew::session::eye::camera(&window.document.model, &window.view, &window.posed, &window.document.bounds, aspect);
    let clip = camera.clip_from_anchored(glam::DVec3::ZERO, aspect) * window.posed.globals[node.index()].translation.as_vec3().extend(1.0);
    viewport.center() + vec2(clip.x / clip.w, -clip.y / clip.w) * viewport.size() / 2.0
}

#[test]
fn a_click_on_a_joint_selects_it_and_again_what_lies_behind() {
    let mut ui = open(hand_made::bending_box());
    ui.state_mut().view.display.skeleton = true;
    ui.run();
    let tip = seen(&ui, "Tip");
    for wanted in ["Tip", "Box", "Tip"] {
        press(&mut ui, tip, PointerButton::Primary, true);
        press(&mut ui, tip, PointerButton::Primary, false);
        assert_eq!(selected(&ui), [wanted]);
        // Not within the time of a double click.
        ui.run_steps(4);
    }
}

#[test]
fn a_left_drag_orbits_and_a_right_drag_pans() {
    let mut ui = open(hand_made::bending_box());
    let at = ui.state().areas.unwrap().viewport.center();
    let before = sinew::ui::steering::orbit(&ui.state_mut().frame());
    drag(&mut ui, PointerButton::Primary, &[at, at + vec2(30.0, 0.0), at + vec2(90.0, 30.0)]);
    let ViewCamera::Orbit(turned) = ui.state().view.camera else { panic!("not an orbit") };
    // The eye goes to the left and up: the model follows the pointer to the right and down.
    assert!((turned.yaw - before.yaw).sin() < 0.0 && turned.pitch > before.pitch, "{turned:?}");
    assert_eq!((turned.focus, turned.distance), (before.focus, before.distance));
    assert!(selected(&ui).is_empty(), "a drag is no click");
    assert!(ui.state().state.preferences.hint_seen);
    drag(&mut ui, PointerButton::Secondary, &[at, at + vec2(30.0, 0.0), at + vec2(90.0, 30.0)]);
    let ViewCamera::Orbit(panned) = ui.state().view.camera else { panic!("not an orbit") };
    assert_eq!((panned.yaw, panned.pitch, panned.distance), (turned.yaw, turned.pitch, turned.distance));
    assert!(panned.focus != turned.focus);
    assert!(ui.query_by_label("Fit the selection").is_none(), "a drag opens no menu");
}

#[test]
fn the_wheel_zooms_over_the_viewport_and_nowhere_else() {
    let mut ui = open(hand_made::bending_box());
    let viewport = ui.state().areas.unwrap().viewport;
    let wheel = Event::MouseWheel {
        unit: MouseWheelUnit::Line,
        delta: vec2(0.0, 1.0),
        phase: TouchPhase::Move,
        source: MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    };
    move_to(&mut ui, viewport.left_center() - vec2(40.0, 0.0));
    ui.event(wheel.clone());
    ui.run();
    assert_eq!(ui.state().view.camera, ViewCamera::Fit);
    let before = sinew::ui::steering::orbit(&ui.state_mut().frame());
    move_to(&mut ui, viewport.center());
    ui.event(wheel);
    ui.run();
    let ViewCamera::Orbit(zoomed) = ui.state().view.camera else { panic!("not an orbit") };
    assert!((zoomed.distance - before.distance / 1.1).abs() < 1e-6);
}

#[test]
fn a_box_selects_the_joints_it_holds() {
    let mut ui = open(hand_made::bending_box());
    ui.state_mut().state.preferences.navigation = sinew::ui::Navigation::Blender;
    ui.state_mut().view.display.skeleton = true;
    ui.run();
    let (base, tip) = (seen(&ui, "Base"), seen(&ui, "Tip"));
    let corners = [tip - vec2(40.0, 40.0), tip, base + vec2(40.0, 40.0)];
    drag(&mut ui, PointerButton::Primary, &corners);
    assert_eq!(selected(&ui), ["Base", "Tip"]);
    assert_eq!(ui.state().view.camera, ViewCamera::Fit);
}

#[test]
fn the_axes_turn_the_camera_and_again_to_the_other_side() {
    let mut ui = open(hand_made::bending_box());
    click(&mut ui, "Look from the front");
    let ViewCamera::Orbit(front) = ui.state().view.camera else { panic!("not an orbit") };
    assert_eq!((front.yaw, front.pitch), (0.0, 0.0));
    click(&mut ui, "Look from the front");
    let ViewCamera::Orbit(back) = ui.state().view.camera else { panic!("not an orbit") };
    assert!((back.yaw - std::f64::consts::PI).abs() < 1e-12);
    assert!(selected(&ui).is_empty(), "the model behind the axes is not clicked");
}

#[test]
fn a_right_click_tells_which_joints_move_the_place() {
    let mut ui = open(hand_made::bending_box());
    let middle = ui.state().areas.unwrap().viewport.center();
    press(&mut ui, middle, PointerButton::Secondary, true);
    press(&mut ui, middle, PointerButton::Secondary, false);
    assert_eq!(selected(&ui), ["Box"]);
    ui.get_by_label("Joints here");
    ui.get_all_by_label("Base").find(|node| node.accesskit_node().role() == Role::MenuItemCheckBox).unwrap().click();
    ui.run();
    assert_eq!(selected(&ui), ["Base"]);
}

#[test]
fn a_failure_stands_above_the_viewport_until_it_is_closed() {
    let mut ui = open(walker());
    let before = ui.state().areas.unwrap().viewport;
    let message = "mesh 3 \"Hair\": POSITION accessor 12 reads 480 bytes past its buffer view";
    ui.state_mut().state.failure = Some(Failure { name: "hair.glb".into(), message: message.into() });
    ui.run();
    assert!(ui.state().areas.unwrap().viewport.top() > before.top());
    ui.get_by_label(message);
    click(&mut ui, "Copy");
    click(&mut ui, "Open another");
    assert_eq!(ui.state().commands, [Command::CopyText(format!("hair.glb: {message}")), Command::OpenDialog]);
    click(&mut ui, "Close the message");
    assert_eq!(ui.state().state.failure, None);
    assert_eq!(ui.state().areas.unwrap().viewport, before);
}

// The inspector

#[test]
fn the_inspector_says_what_to_do_where_nothing_is_selected() {
    let ui = open(walker());
    ui.get_by_label("Select a joint in the tree or the viewport.");
}

#[test]
fn the_inspector_shows_live_values_of_the_active_node() {
    let mut ui = open(walker());
    click(&mut ui, "Hips");
    ui.state_mut().transport.head.time = 0.5;
    ui.run();
    ui.get_by_label("Index: 1 of 7");
    ui.get_by_label("Joint: 0 of 4 in skin 0");
    // The walker's hips sway by the sine of the time; their parent stands at the origin.
    let wanted = format!("Translation: {:.3}, 1.000, 0.000", 0.5f32.sin());
    assert_eq!(ui.get_all_by_label(&wanted).count(), 2, "local and global");
    ui.get_by_label("Translation: 0.000, 1.000, 0.000");
    click(&mut ui, "Select Spine");
    assert_eq!(selected(&ui), ["Spine"]);
    click(&mut ui, "Select Hips");
    assert_eq!(selected(&ui), ["Hips"]);
}

#[test]
fn morph_weights_are_shown_by_the_names_of_their_targets() {
    let mut model = hand_made::bending_box();
    let count = model.meshes[0].primitives[0].positions.len();
    let target = MorphTarget { positions: vec![glam::Vec3::ZERO; count], ..MorphTarget::default() };
    model.meshes[0].primitives[0].targets = vec![target.clone(), target];
    model.meshes[0].target_count = 2;
    model.meshes[0].target_names = vec!["Smile".into()];
    model.rest_weights = vec![0.25, -0.5];
    model.nodes[0].weights = 0..2;
    let mut ui = open(model);
    click(&mut ui, "Box");
    ui.get_by_label("Smile: 0.250");
    ui.get_by_label("target 1: -0.500");
}

#[test]
fn the_display_can_be_changed_in_the_inspector() {
    let mut ui = open(walker());
    click(&mut ui, "Joint names");
    ui.get_by_role_and_label(Role::ComboBox, "Shading: Lit").click();
    ui.run();
    click(&mut ui, "Clay");
    assert!(ui.state().view.display.names);
    assert_eq!(ui.state().view.display.shading, Shading::Clay);
    ui.get_by_role_and_label(Role::ComboBox, "Camera: Free camera").click();
    ui.run();
    click(&mut ui, "Portrait");
    assert_eq!(ui.state().view.camera, ViewCamera::File(0));
    ui.state_mut().view.display.background = Some([1, 2, 3]);
    ui.run();
    click(&mut ui, "Background of the theme");
    assert_eq!(ui.state().view.display.background, None);
}

#[test]
fn a_finding_leads_to_its_node_and_all_can_be_copied() {
    let mut model = rig();
    let finding =
        |pointer: &str, severity| Finding { code: "SOMETHING", severity, pointer: pointer.into(), message: format!("At {pointer}.") };
    model.findings = vec![finding("/nodes/3/mesh", Severity::Info), finding("/buffers/0", Severity::Error)];
    let mut ui = open(model);
    ui.state_mut().state.reveal_findings = true;
    ui.run();
    click(&mut ui, "Copy all");
    let wanted = "info: SOMETHING /nodes/3/mesh At /nodes/3/mesh.\nerror: SOMETHING /buffers/0 At /buffers/0.\n";
    assert_eq!(ui.state().commands, [Command::CopyText(wanted.into())]);
    click(&mut ui, "info: At /nodes/3/mesh.");
    assert_eq!(ui.state().view.selection, [3]);
}

#[test]
fn pointers_lead_to_the_node_that_shows_the_place() {
    let model = hand_made::bending_box();
    for (pointer, node) in [
        ("/nodes/1", Some(1)),
        ("/nodes/9", None),
        ("/meshes/0/primitives/0", Some(model.nodes[0].source)),
        ("/skins/0", Some(model.nodes[1].source)),
        ("/materials/0", None),
        ("/nodes", None),
        ("", None),
    ] {
        assert_eq!(findings::node_of(&model, pointer), node, "{pointer}");
    }
}
