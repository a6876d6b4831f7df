//! Tests the layers over the animation.

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers};
use egui_kittest::kittest::{NodeT, Queryable};

use sinew::session::view::Repeat;
use sinew::session::view::layers::{Layer, Mode};
use sinew::session::view::undo::Undo;

use crate::common::ui_harness::walker;
use crate::gestures::{Ui, click, move_to, open, rig, source};

fn add(ui: &mut Ui, animation: &str) {
    click(ui, "Add layer");
    ui.get_by_role_and_label(Role::MenuItem, animation).click();
    ui.run();
}

fn layers(ui: &Ui) -> &[Layer] {
    &ui.state().view.layers
}

#[test]
fn a_layer_can_be_added_weighted_muted_and_removed_with_undo() {
    let mut ui = open(walker());
    let mut undo = Undo::new(&ui.state().view);
    add(&mut ui, "Wave");
    assert_eq!(layers(&ui), [Layer { animation: 1, ..Layer::default() }]);
    undo.settle(&ui.state().view);

    ui.get_by_role_and_label(Role::Slider, "Weight of layer 1, Wave").focus();
    ui.run();
    assert!(ui.state().state.window.list_focused, "arrows belong to the slider");
    ui.key_press(Key::ArrowLeft);
    ui.run();
    let weight = layers(&ui)[0].weight;
    assert!(weight < 1.0 && weight > 0.8, "{weight}");
    undo.settle(&ui.state().view);

    click(&mut ui, "Mute layer 1, Wave");
    assert!(layers(&ui)[0].muted);
    undo.settle(&ui.state().view);
    click(&mut ui, "Remove layer 1, Wave");
    assert!(layers(&ui).is_empty());
    undo.settle(&ui.state().view);

    undo.undo(&mut ui.state_mut().view);
    assert!(layers(&ui)[0].muted);
    ui.run();
    assert!(ui.query_by_label("Unmute layer 1, Wave").is_some());
    undo.undo(&mut ui.state_mut().view);
    undo.undo(&mut ui.state_mut().view);
    assert_eq!(layers(&ui)[0].weight, 1.0);
    undo.undo(&mut ui.state_mut().view);
    assert!(layers(&ui).is_empty());
}

#[test]
fn a_section_with_room_for_its_layers_does_not_scroll() {
    let mut ui = open(walker());
    add(&mut ui, "Wave");
    let place = |ui: &Ui| ui.get_by_label("Mute layer 1, Wave").rect();
    let before = place(&ui);
    move_to(&mut ui, before.center());
    ui.event(Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: egui::vec2(0.0, -50.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    });
    ui.run_steps(20);
    assert_eq!(place(&ui), before);
}

#[test]
fn a_layer_moves_the_model_and_lists_its_contested_targets() {
    let mut ui = open(walker());
    ui.state_mut().transport.head.time = 1.0;
    ui.state_mut().transport.clock = 0.5;
    let hips = |ui: &Ui| ui.state().posed.pose.locals[1].translation.x;
    ui.run();
    assert!((hips(&ui) - 1f32.sin()).abs() < 1e-3);
    add(&mut ui, "Wave");
    assert!((hips(&ui) - 0.5f32.sin()).abs() < 1e-3, "the layer has its own time");
    assert!(ui.query_by_label("1 target also driven by Walk").is_some());
    ui.state_mut().view.layers[0].weight = 0.5;
    ui.run();
    assert!((hips(&ui) - (1f32.sin() + 0.5f32.sin()) / 2.0).abs() < 1e-3);
    click(&mut ui, "No animation");
    assert!(ui.query_by_label("1 target also driven by Walk").is_none());
}

#[test]
fn the_drivers_of_a_target_are_counted_and_named_up_to_a_limit() {
    let mut ui = open(walker());
    let layer = Layer { animation: 1, weight: 0.5, ..Layer::default() };
    for (count, line) in [(2, "1 target also driven by 2 others"), (100, "1 target also driven by at least 100 others")] {
        ui.state_mut().view.layers = vec![layer.clone(); count];
        ui.run();
        assert_eq!(ui.query_all_by_label(line).count(), count);
    }
}

#[test]
fn a_right_click_on_an_animation_adds_it_as_a_layer_in_either_mode() {
    let mut ui = open(walker());
    for (label, mode) in [("Add as additive layer", Mode::Additive), ("Add as override layer", Mode::Override)] {
        ui.get_by_role_and_label(Role::ListBoxOption, "Wave").click_secondary();
        ui.run();
        click(&mut ui, label);
        assert_eq!(layers(&ui).last().map(|layer| (layer.animation, layer.mode)), Some((1, mode)));
    }
    assert_eq!(ui.state().view.animation, Some(0), "the animation itself stays");
    // Change the mode in the layer's row.
    click(&mut ui, "Mode of layer 1, Wave: Additive");
    click(&mut ui, "Override");
    assert_eq!(layers(&ui)[0].mode, Mode::Override);
}

#[test]
fn the_details_of_a_layer_set_its_time_and_its_joints() {
    let mut ui = open(walker());
    add(&mut ui, "Wave");
    assert!(ui.query_by_label("Speed of layer 1, Wave").is_none());
    click(&mut ui, "Open details of layer 1, Wave");
    for label in ["Speed", "Offset", "In point", "Out point"] {
        assert!(ui.query_by_label(&format!("{label} of layer 1, Wave")).is_some(), "{label}");
    }
    click(&mut ui, "Loop mode of layer 1, Wave: Loop");
    click(&mut ui, "Ping-pong");
    assert_eq!(layers(&ui)[0].repeat, Repeat::PingPong);
    let spine = source(&ui, "Spine");
    ui.state_mut().view.selection = vec![spine];
    ui.run();
    click(&mut ui, "Limit layer 1, Wave to selected nodes");
    assert_eq!(layers(&ui)[0].mask, Some(vec![spine]));
    ui.get_by_label("1 branch").hover();
    ui.run_steps(30);
    ui.get_by_label("The layer moves these nodes and all nodes below them:\nSpine");
    click(&mut ui, "Apply layer 1, Wave to all nodes");
    assert_eq!(layers(&ui)[0].mask, None);

    ui.state_mut().view.layers[0].mode = Mode::Additive;
    ui.state_mut().transport.clock = 0.25;
    ui.run();
    click(&mut ui, "Reference of layer 1, Wave: Rest pose");
    click(&mut ui, "Current frame, 0.250 s");
    assert_eq!(layers(&ui)[0].reference, Some(0.25));
    click(&mut ui, "Close details of layer 1, Wave");
    assert!(ui.query_by_label("Speed of layer 1, Wave").is_none());
}

#[test]
fn choosing_an_animation_during_playback_fades_for_the_chosen_time() {
    let mut ui = open(walker());
    click(&mut ui, "Animation");
    click(&mut ui, "Cross-fade");
    click(&mut ui, "0.5 s");
    assert_eq!(ui.state().view.cross_fade, 0.5);
    click(&mut ui, "Wave");
    assert_eq!(ui.state().transport.fade, None, "nothing played");
    click(&mut ui, "Walk");
    let fade = ui.state().transport.fade.expect("a fade");
    assert_eq!((fade.sources().map(|source| source.animation).collect::<Vec<_>>(), fade.length), (vec![Some(1)], 0.5));
}

#[test]
fn a_file_without_animations_has_no_layers() {
    let ui = open(rig());
    assert!(ui.query_by_label("Add layer").is_none());
}

#[test]
fn layers_over_the_rest_pose_can_be_played() {
    let mut ui = open(walker());
    click(&mut ui, "No animation");
    ui.state_mut().transport.pause();
    ui.run();
    assert!(ui.get_by_label("Play").accesskit_node().is_disabled());
    add(&mut ui, "Wave");
    click(&mut ui, "Play");
    assert!(ui.state().transport.is_playing());
    assert!(ui.get_by_label("Next frame").accesskit_node().is_disabled(), "the rest pose has no frames");
}
