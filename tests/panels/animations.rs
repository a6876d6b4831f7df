//! The list of animations.

use egui::Key;
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable;

use super::ui_window::walker;
use super::{click, open};

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
