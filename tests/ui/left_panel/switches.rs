//! Tests the switch columns of the node tree.

use egui::{Modifiers, PointerButton, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

use sinew::session::view::joint_switches::Column;
use sinew::ui::actions::Action;

use crate::common::hand_made;
use crate::common::ui_harness::walker;
use crate::gestures::{Ui, click, click_row, click_with, drag, move_to, open, painted_texts, rig, selected, switch};

#[test]
fn the_number_of_changed_switches_ends_before_the_button_that_resets_them() {
    for left_width in [220.0, 300.0, 480.0] {
        let nodes: Vec<_> = (0..40).map(|i| (format!("Joint {i}"), (i > 0).then_some(0))).collect();
        let mut model = hand_made::tree(&nodes);
        hand_made::add_skin(&mut model, &(0..40).collect::<Vec<_>>());
        let mut ui = open(model);
        ui.state_mut().state.preferences.left_width = left_width;
        ui.state_mut().perform(Action::SelectAll);
        ui.state_mut().perform(Action::Animated);
        ui.run_steps(4);
        let reset = ui.get_by_label("Reset all joint switches").rect();
        let texts = painted_texts(&ui).map(|(text, _)| (text.galley.text().to_owned(), text.visual_bounding_rect()));
        let in_row =
            |rect: &egui::Rect| rect.y_range().intersects(reset.y_range()) && rect.right() < reset.center().x && rect.left() < 300.0;
        let badge = texts.filter(|(text, rect)| in_row(rect) && text.starts_with(char::is_numeric)).last();
        let (text, rect) = badge.expect("the number of changed switches");
        assert!(rect.right() < reset.left(), "{left_width}: {text} at {rect:?}, Reset at {reset:?}");
    }
}

#[test]
fn a_click_switches_one_joint_and_reset_reverts_it() {
    let mut ui = open(rig());
    click(&mut ui, "Skin influence: LeftLeg");
    assert_eq!(switch(&ui, "LeftLeg", Column::Influence), (false, false));
    assert_eq!(ui.state().view.switches.len(), 1, "nothing else was touched");
    assert!(selected(&ui).is_empty(), "a switch does not select");
    click(&mut ui, "Animate: RightFoot");
    ui.get_by_label("2 joints changed");
    click(&mut ui, "Visible: Prop");
    ui.get_by_label("3 nodes changed");
    click(&mut ui, "Reset all joint switches");
    assert!(ui.state().view.switches.is_empty());
    assert!(ui.query_by_label("3 nodes changed").is_none());
}

#[test]
fn a_second_click_switches_on_again() {
    let mut ui = open(rig());
    for (label, name, column) in [("Show in overlay: Hips", "Hips", Column::Drawn), ("Visible: Prop", "Prop", Column::Visible)] {
        click(&mut ui, label);
        assert_eq!(switch(&ui, name, column), (false, false));
        // Wait, so that the next click is not part of a double click.
        ui.run_steps(4);
        click(&mut ui, label);
        assert_eq!(switch(&ui, name, column), (true, false));
    }
}

#[test]
fn shift_click_switches_only_the_subtree() {
    let mut ui = open(rig());
    click_with(&mut ui, "Animate: LeftLeg", Modifiers::SHIFT);
    let off = ["Armature", "Hips", "LeftLeg", "LeftFoot", "RightLeg", "RightFoot"].map(|name| !switch(&ui, name, Column::Animated).0);
    assert_eq!(off, [false, false, true, true, false, false]);
    click_with(&mut ui, "Animate: LeftLeg", Modifiers::SHIFT);
    assert!(ui.state().view.switches.is_empty());
}

#[test]
fn alt_click_solos_in_one_column_and_adds_to_other_solos() {
    let mut ui = open(rig());
    click_with(&mut ui, "Show in overlay: LeftLeg", Modifiers::ALT);
    click_with(&mut ui, "Show in overlay: RightLeg", Modifiers::ALT);
    assert_eq!(switch(&ui, "LeftLeg", Column::Drawn), (true, true));
    assert_eq!(switch(&ui, "RightLeg", Column::Drawn), (true, true));
    let drawn = ui.state().posed.effective.drawn.clone();
    assert_eq!(drawn, [false, false, true, false, true, false, false]);
    assert!(ui.state().posed.effective.animated.iter().all(|&on| on), "the other columns do not change");
    click_with(&mut ui, "Show in overlay: LeftLeg", Modifiers::ALT);
    assert_eq!(switch(&ui, "LeftLeg", Column::Drawn), (true, false));
}

#[test]
fn a_drag_down_paints_every_row_it_passes() {
    let mut ui = open(rig());
    let from = ui.get_by_label("Skin influence: LeftLeg").rect().center();
    let to = ui.get_by_label("Skin influence: RightLeg").rect().center();
    // The pointer jumps over the rows in between and leaves the column sideways.
    drag(&mut ui, PointerButton::Primary, &[from, from + vec2(0.0, 8.0), to + vec2(-60.0, 0.0)]);
    let off = ["Hips", "LeftLeg", "LeftFoot", "RightLeg", "RightFoot"].map(|name| !switch(&ui, name, Column::Influence).0);
    assert_eq!(off, [false, true, true, true, false]);
    assert!(ui.state().view.switches.values().all(|node| node.drawn.on && node.animated.on), "one column only");
    // A drag paints the new state of its first row, also over rows that already have it.
    click(&mut ui, "Skin influence: LeftFoot");
    drag(&mut ui, PointerButton::Primary, &[from, from + vec2(0.0, 8.0), to]);
    assert!(ui.state().view.switches.is_empty(), "{:?}", ui.state().view.switches);
}

#[test]
fn the_pointer_stops_painting_when_the_drag_ends() {
    let mut ui = open(rig());
    let from = ui.get_by_label("Show in overlay: Hips").rect().center();
    let to = ui.get_by_label("Show in overlay: LeftFoot").rect().center();
    drag(&mut ui, PointerButton::Primary, &[from, from + vec2(0.0, 8.0)]);
    move_to(&mut ui, to);
    assert_eq!(ui.state().view.switches.len(), 1);
}

#[test]
fn the_influence_of_a_skins_root_cannot_be_switched() {
    let mut ui = open(rig());
    assert!(ui.get_by_label("Skin influence: Hips").accesskit_node().is_disabled());
    click(&mut ui, "Skin influence: Hips");
    assert!(ui.state().view.switches.is_empty());
    assert!(!ui.get_by_label("Skin influence: LeftLeg").accesskit_node().is_disabled());
    assert!(ui.query_by_label("Skin influence: Prop").is_none(), "no joint, no influence");
}

#[test]
fn a_node_that_nothing_animates_has_no_switch_for_it() {
    let mut ui = open(rig());
    assert!(ui.query_by_label("Animate: Prop").is_none());
    click_row(&mut ui, "Prop", Modifiers::NONE);
    ui.state_mut().perform(Action::Animated);
    assert!(ui.state().view.switches.is_empty(), "the key does not change what the tree does not show");
}

#[test]
fn switches_stay_when_another_animation_is_chosen() {
    let mut ui = open(walker());
    click(&mut ui, "Animate: Spine");
    click(&mut ui, "Wave");
    assert_eq!(ui.state().view.animation, Some(1));
    assert_eq!(switch(&ui, "Spine", Column::Animated), (false, false));
    ui.get_by_label("1 joint changed");
}

/// Returns the color of the icon in a switch. `None` if nothing is painted there.
fn icon_color(ui: &Ui, label: &str) -> Option<egui::Color32> {
    let at = ui.get_by_label(label).rect();
    let (icon, _) = painted_texts(ui).find(|(text, _)| at.contains(text.visual_bounding_rect().center()))?;
    let color = icon.galley.job.sections.first()?.format.color;
    Some(if color == egui::Color32::PLACEHOLDER { icon.fallback_color } else { color })
}

#[test]
fn idle_switches_are_faint_and_those_that_are_off_are_amber() {
    let mut ui = open(rig());
    for label in ["Animate: LeftLeg", "Skin influence: LeftLeg", "Show in overlay: LeftLeg", "Visible: Prop"] {
        let idle = icon_color(&ui, label).expect("an idle switch is visible");
        assert!((40..140).contains(&idle.a()), "{label}: {idle:?}");
        click(&mut ui, label);
        // Move the pointer away from the row, because its switches are not faint while the pointer is over it.
        move_to(&mut ui, egui::pos2(700.0, 300.0));
        ui.run_steps(4);
        assert_eq!(icon_color(&ui, label), Some(sinew::ui::style::theme::DARK.warning), "{label}");
    }
}
