//! Tests that disabled actions show the reason in the menus, in the command palette and beside the inspector's check boxes.

use egui::accesskit::Role;
use egui::{PointerButton, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

use sinew::model::Model;
use sinew::session::view::layers::Layer;
use sinew::ui::actions::Action;
use sinew::ui::actions::table::TABLE;
use sinew::ui::context::request::Request;

use crate::common::ui_harness::{Window, harness, walker};
use crate::gestures::{Ui, click, drag, move_to, open};

fn still() -> Model {
    Model { animations: Vec::new(), ..walker() }
}

/// Builds the walker without its mesh and its skin, like an export that contains only motion.
fn motion_only() -> Model {
    let mut model = walker();
    (model.nodes[5].mesh, model.nodes[5].skin) = (None, None);
    (model.skins, model.meshes) = (Vec::new(), Vec::new());
    model
}

#[test]
fn a_file_of_motion_only_plays_and_always_shows_its_skeleton() {
    let mut window = Window::new(motion_only());
    assert_eq!(Action::Skeleton.disabled_reason(&window.context()), Some("Always shown in a file without meshes"));
    assert_eq!(Action::BindPose.disabled_reason(&window.context()), Some("The model has no skins"));
    for action in [Action::PlayPause, Action::InPlace, Action::FootContacts, Action::SelectAll] {
        assert_eq!(action.disabled_reason(&window.context()), None, "{action:?}");
    }
}

#[test]
fn a_disabled_reason_names_what_is_missing() {
    let mut window = Window::new(walker());
    assert_eq!(Action::SelectNone.disabled_reason(&window.context()), Some("No node is selected"));
    assert_eq!(Action::Drawn.disabled_reason(&window.context()), Some("No node is selected"));
    assert_eq!(Action::PlayPause.disabled_reason(&window.context()), None);
    window.view.selection = vec![1];
    assert_eq!(Action::SelectNone.disabled_reason(&window.context()), None);
    // "Body" is neither a joint nor animated, and the joints are below "Root".
    window.view.selection = vec![5];
    for action in [Action::Drawn, Action::Animated, Action::Influence] {
        assert_eq!(action.disabled_reason(&window.context()), Some("No selected node has this switch"), "{action:?}");
    }
    assert_eq!(Action::Geometry.disabled_reason(&window.context()), None);
    assert_eq!(Action::SubtreeDrawn.disabled_reason(&window.context()), Some("No node of the branch has this switch"));
    window.view.selection = vec![0];
    assert_eq!(Action::Drawn.disabled_reason(&window.context()), Some("No selected node has this switch"));
    assert_eq!(Action::SubtreeDrawn.disabled_reason(&window.context()), None);
    window.view.bind_pose = true;
    for action in [Action::PlayPause, Action::NextFrame, Action::NextKey, Action::First] {
        assert_eq!(action.disabled_reason(&window.context()), Some("The bind pose does not move"), "{action:?}");
    }
    let mut window = Window::new(still());
    for action in [Action::PlayPause, Action::NextAnimation, Action::NextKey, Action::MotionTrail, Action::InPlace, Action::FootContacts] {
        assert_eq!(action.disabled_reason(&window.context()), Some("The model has no animations"), "{action:?}");
    }
    window.view.display.trail.shown = true;
    assert_eq!(Action::MotionTrail.disabled_reason(&window.context()), None, "what is on can be switched off");
    assert_eq!(Action::NextCamera.disabled_reason(&window.context()), None);
    let mut model = walker();
    model.nodes[6].camera = None;
    assert_eq!(Action::NextCamera.disabled_reason(&Window::new(model).context()), Some("No node has a camera"));
}

#[test]
fn the_key_of_a_disabled_action_shows_the_reason() {
    let mut window = Window::new(still());
    let (view, playing) = (window.view.clone(), window.transport.is_playing());
    for action in [Action::Faster, Action::MotionTrail, Action::PlayPause, Action::Repeat] {
        let why = window.perform_if_available(action);
        assert_eq!(why, Some(format!("{}: The model has no animations", action.label())));
    }
    assert_eq!((&window.view, window.transport.is_playing()), (&view, playing));
    // With nothing selected, this action fits everything.
    assert_eq!(window.perform_if_available(Action::FrameSelected), None);
    assert!(matches!(&window.requests[..], [Request::Fit { nodes }] if nodes.is_empty()));
    assert_eq!(window.perform_if_available(Action::Undo), Some("Undo: Nothing to undo".into()));
    assert_eq!(window.perform_if_available(Action::Redo), Some("Redo: Nothing to redo".into()));
}

#[test]
fn undo_and_redo_are_performed_in_the_order_of_the_keys_of_a_frame() {
    let mut window = Window::new(walker());
    let on = |window: &Window| (window.view.display.wireframe, window.view.display.xray);
    // No frame ends in between, so these changes have not become steps.
    for (action, expected) in [
        (Action::Wireframe, (true, false)),
        (Action::Undo, (false, false)),
        (Action::Redo, (true, false)),
        (Action::Undo, (false, false)),
        (Action::XRay, (false, true)),
    ] {
        assert_eq!((window.perform_if_available(action), on(&window)), (None, expected), "{action:?}");
    }
    assert_eq!(window.perform_if_available(Action::Redo), Some("Redo: Nothing to redo".into()));
    let messages = ["Undo: wireframe", "Redo: wireframe", "Undo: wireframe"].map(|text| Request::ShowMessage(text.into()));
    assert_eq!(window.requests, messages);
}

#[test]
fn a_motion_trail_needs_a_selected_node_but_can_always_be_switched_off() {
    let mut window = Window::new(walker());
    assert_eq!(window.perform_if_available(Action::MotionTrail), Some("Motion trail: No node is selected".to_owned()));
    assert!(!window.view.display.trail.shown);
    window.view.selection = vec![1];
    assert_eq!(window.perform_if_available(Action::MotionTrail), None);
    assert!(window.view.display.trail.shown);
    window.view.selection.clear();
    assert_eq!(window.perform_if_available(Action::MotionTrail), None);
    assert!(!window.view.display.trail.shown);
}

#[test]
fn the_speed_can_be_changed_for_layers_over_the_rest_pose() {
    let mut window = Window::new(walker());
    window.view.animation = None;
    assert_eq!(Action::Faster.disabled_reason(&window.context()), Some("No animation is selected"));
    window.view.layers = vec![Layer::default()];
    for action in [Action::Slower, Action::Faster, Action::NormalSpeed] {
        assert_eq!(action.disabled_reason(&window.context()), None, "{action:?}");
    }
}

#[test]
fn every_disabled_reason_is_a_short_sentence() {
    for model in [walker(), still(), motion_only(), Model::default()] {
        let mut window = Window::new(model);
        for why in TABLE.iter().filter_map(|entry| entry.action.disabled_reason(&window.context())) {
            assert!((8..40).contains(&why.len()) && why.starts_with(char::is_uppercase), "{why:?}");
        }
    }
}

#[test]
fn hovering_a_disabled_menu_entry_shows_the_reason() {
    // Use a window that is too narrow for the inspector, because the inspector repeats some of the labels.
    let mut ui = harness(900.0, 600.0, 1.0, Window::new(walker()));
    click(&mut ui, "Edit");
    let entry = ui.get_by_role_and_label(Role::MenuItem, "Undo");
    assert!(entry.accesskit_node().is_disabled());
    let middle = entry.rect().center();
    assert!(ui.query_by_label("Nothing to undo").is_none());
    move_to(&mut ui, middle);
    ui.run_steps(10);
    ui.get_by_label("Nothing to undo");
}

#[test]
fn the_palette_shows_the_reason_beside_the_name() {
    let mut ui = open(still());
    ui.state_mut().perform(Action::CommandPalette);
    ui.run();
    ui.get_by_role_and_label(Role::TextInput, "Search commands").type_text("next animation");
    ui.run();
    ui.get_by_role_and_label(Role::ListBoxOption, "Next animation: The model has no animations");
}

#[test]
fn a_click_beside_a_check_box_switches_it_unless_it_is_disabled() {
    let ticked = |model: Model| {
        let mut ui = harness(1280.0, 2800.0, 1.0, Window::new(model));
        for name in ["Wireframe", "In place"] {
            let at = ui.get_by_role_and_label(Role::CheckBox, name).rect().left_center() - vec2(40.0, 0.0);
            drag(&mut ui, PointerButton::Primary, &[at]);
        }
        (ui.state().view.display.wireframe, ui.state().view.in_place)
    };
    assert_eq!(ticked(walker()), (true, true));
    let mut ui = harness(1280.0, 2800.0, 1.0, Window::new(walker()));
    let beside = |ui: &Ui| ui.get_by_role_and_label(Role::CheckBox, "Follow selected").rect().left_center() - vec2(40.0, 0.0);
    let at = beside(&ui);
    drag(&mut ui, PointerButton::Primary, &[at]);
    assert_eq!(ui.state().view.follow, None);
    // A click clears the box, whichever node is selected.
    (ui.state_mut().view.follow, ui.state_mut().view.selection) = (Some(1), vec![3]);
    ui.run();
    let at = beside(&ui);
    drag(&mut ui, PointerButton::Primary, &[at]);
    assert_eq!(ui.state().view.follow, None);
    ui.state_mut().view.selection.clear();
    ui.run();
    let at = beside(&ui);
    move_to(&mut ui, at);
    ui.run_steps(10);
    ui.get_by_label_contains("No node is selected");
}
