//! Tests the names that lists show and the indentation of the tree, on rigs as exporters write them.

use egui::accesskit::Role;
use egui::{Rect, Shape};
use egui_kittest::kittest::Queryable;

use sinew::model::Model;
use sinew::model::animation::{Animation, Channel, Interpolation, Target};
use sinew::model::label;
use sinew::model::node::NodeIndex;
use sinew::session::names::NameStyle;
use sinew::ui::actions::Action;

use crate::common::hand_made;
use crate::common::ui_harness::{Window, harness, walker};
use crate::gestures::{Ui, click, open, painted_texts, source};

/// Builds a skinned rig: a chain with one joint at each level, and beside each of them a twist joint. The names are those of Mixamo, with
/// the numbers that an exporter adds.
fn rig(levels: usize) -> Model {
    let parts = ["Spine", "Neck", "RightShoulder", "RightArm", "RightForeArm", "RightHand", "RightHandIndex"];
    let mut nodes: Vec<(String, Option<usize>)> = vec![("Armature".into(), None)];
    let mut above = 0;
    for level in 1..levels {
        let part = format!("mixamorig:{}{}", parts[level % parts.len()], level / parts.len());
        nodes.push((format!("{part}Twist_{:03}", nodes.len()), Some(above)));
        nodes.push((format!("{part}_{:03}", nodes.len()), Some(above)));
        above = nodes.len() - 1;
    }
    let mut model = hand_made::tree(&nodes);
    hand_made::add_skin(&mut model, &(1..nodes.len()).collect::<Vec<_>>());
    model
}

/// Adds an animation that moves every node.
fn animate_all(model: &mut Model) {
    let channel = |node: usize| Channel {
        source: node,
        target: Target::Translation(NodeIndex(node as u32)),
        key_times: 0,
        interpolation: Interpolation::Linear,
        output: vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
        components: 3,
    };
    let channels = (0..model.nodes.len()).map(channel).collect();
    model.animations = vec![Animation { name: Some("Walk".into()), duration: 1.0, key_times: vec![vec![0.0, 1.0]], channels }];
}

/// Returns every text painted in an area, with its rectangle.
fn painted(ui: &Ui, area: Rect) -> Vec<(String, Rect)> {
    let texts = painted_texts(ui).map(|(text, _)| (text.galley.text().to_owned(), text.visual_bounding_rect()));
    texts.filter(|(_, rect)| area.contains(rect.left_center())).collect()
}

/// Returns the name that is painted in each row of this role, with its rectangle.
fn names(ui: &Ui, role: Role) -> Vec<(String, Rect)> {
    let rows: Vec<Rect> = ui.query_all_by_role(role).map(|row| row.rect()).collect();
    let is_name = |text: &str| text.chars().any(|char| char.is_ascii_alphanumeric());
    let name = |row: Rect| {
        let texts = painted(ui, row).into_iter().filter(|(text, _)| is_name(text));
        texts.min_by(|(_, a), (_, b)| a.left().total_cmp(&b.left()))
    };
    rows.into_iter().filter_map(name).collect()
}

/// Asserts that there are many names, and that no two of them are equal.
fn assert_told_apart(names: &[(String, Rect)]) {
    assert!(names.len() > 8, "only {} names", names.len());
    assert_told_apart_pairwise(names);
}

/// Asserts that no two names are equal.
fn assert_told_apart_pairwise(names: &[(String, Rect)]) {
    for (at, (name, _)) in names.iter().enumerate() {
        assert!(!names[..at].iter().any(|(other, _)| other == name), "{name} occurs twice in {names:?}");
    }
}

#[test]
fn every_level_of_a_deep_rig_stands_to_the_right_of_the_one_above() {
    let mut ui = harness(1280.0, 1400.0, 1.0, Window::new(rig(14)));
    ui.run();
    let shown = names(&ui, Role::TreeItem);
    assert_eq!(shown.len(), 27, "{shown:?}");
    assert_told_apart(&shown);
    assert!(shown.iter().all(|(name, _)| !name.contains("mixamorig")), "{shown:?}");
    let mut lefts: Vec<f32> = shown.iter().map(|(_, place)| place.left()).collect();
    lefts.sort_by(f32::total_cmp);
    lefts.dedup_by(|a, b| (*a - *b).abs() < 3.0);
    assert_eq!(lefts.len(), 14, "a place for each level");
    let steps: Vec<f32> = lefts.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(steps.iter().all(|step| (7.0..15.5).contains(step)), "{steps:?}");
}

#[test]
fn full_names_can_be_chosen_in_the_view_menu() {
    let mut ui = open(rig(4));
    assert!(names(&ui, Role::TreeItem).iter().all(|(name, _)| !name.contains("mixamorig")));
    click(&mut ui, "View");
    click(&mut ui, "Joints");
    click(&mut ui, "Joint names");
    click(&mut ui, "Full names");
    ui.run();
    assert_eq!(ui.state().state.preferences.names, NameStyle::Full);
    assert!(names(&ui, Role::TreeItem).iter().any(|(name, _)| name.starts_with("mixamorig:")));
}

#[test]
fn the_tree_scrolls_sideways_to_a_node_that_is_selected_elsewhere() {
    let mut ui = harness(1280.0, 800.0, 1.0, Window::new(rig(60)));
    let deepest = ui.state().document.depths.iter().enumerate().max_by_key(|(_, depth)| **depth).unwrap().0;
    let node = ui.state().document.model.node(NodeIndex(deepest as u32)).clone();
    ui.state_mut().view.selection = vec![node.source];
    ui.run();
    ui.run();
    let panel = ui.get_by_role_and_label(Role::List, "Nodes").rect();
    let row = ui.get_by_role_and_label(Role::TreeItem, &node.label()).rect();
    assert!(row.left() >= panel.left() && row.right() <= panel.right() + 1.0, "the row is the visible part");
    let (name, place) = painted(&ui, row).into_iter().find(|(text, _)| text.len() > 3).expect("a name");
    assert!(place.left() >= panel.left() && place.right() <= panel.right(), "{name} at {place:?} in {panel:?}");
    // Selecting a shallow node scrolls the tree back.
    let root = ui.state().document.model.node(NodeIndex(0)).source;
    ui.state_mut().view.selection = vec![root];
    ui.run();
    ui.run();
    let row = ui.get_by_role_and_label(Role::TreeItem, "Armature").rect();
    assert_eq!(painted(&ui, row).iter().filter(|(text, _)| text == "Armature").count(), 1);
}

#[test]
fn long_names_of_a_deep_tree_are_shortened_where_the_panel_ends() {
    let nodes: Vec<_> =
        (0..14_usize).map(|i| (format!("character_main_rig_deform_spine_segment_{i:02}_helper"), i.checked_sub(1))).collect();
    let mut ui = open(hand_made::tree(&nodes));
    ui.state_mut().state.preferences.names = sinew::session::names::NameStyle::Full;
    ui.run();
    let panel = ui.get_by_role_and_label(Role::TreeItem, &nodes[0].0).rect();
    let names = names(&ui, Role::TreeItem);
    assert_told_apart(&names);
    for (name, place) in names {
        assert!(
            place.right() <= panel.right() && name.contains('\u{2026}'),
            "{name} ends at {}, the panel at {}",
            place.right(),
            panel.right()
        );
    }
}

#[test]
fn names_run_under_idle_switches_whose_dots_are_hidden() {
    let long = "mixamorig:RightHandIndex3_034";
    let nodes = [("Hips".to_owned(), None), (long.to_owned(), Some(0)), ("Leg".to_owned(), Some(0))];
    let mut model = hand_made::tree(&nodes);
    hand_made::add_skin(&mut model, &[0, 1, 2]);
    let ui = open(model);
    let row = ui.get_by_role_and_label(Role::TreeItem, long).rect();
    let (name, place) = painted(&ui, row).into_iter().find(|(text, _)| text.contains("Index")).unwrap();
    assert_eq!(name, long, "it fits if it runs under the switches");
    let switch = ui.get_by_label(&format!("Show in overlay: {long}")).rect();
    assert!(place.right() > switch.left());
    // No dot is painted over the name.
    let dots = |ui: &Ui| {
        let is_dot = |shape: &Shape| matches!(shape, Shape::Circle(circle) if switch.contains(circle.center));
        ui.output().shapes.iter().filter(|shape| is_dot(&shape.shape)).count()
    };
    assert_eq!(dots(&ui), 0);
}

#[test]
fn names_end_before_the_first_switch_that_is_changed() {
    let mut ui = open(rig(4));
    let arm = "mixamorig:RightArm0Twist_005";
    let switch = |ui: &Ui, column: &str| ui.get_by_label(&format!("{column}: {arm}")).rect().left();
    let before = names(&ui, Role::TreeItem);
    assert!(before.iter().any(|(_, place)| place.right() > switch(&ui, "Show in overlay")), "{before:?}");
    // Every switch of the first column is drawn: that of the solo, and those that the solo switches off.
    ui.state_mut().view.selection = vec![source(&ui, arm)];
    ui.state_mut().perform(Action::Solo);
    ui.run();
    let after = names(&ui, Role::TreeItem);
    assert_eq!(after.len(), before.len());
    for ((name, place), (_, old)) in after.iter().zip(&before).skip(1) {
        assert!(place.right() <= switch(&ui, "Show in overlay"), "{name} at {place:?}");
        assert_eq!(place.left(), old.left(), "{name} stays where it is");
    }
    assert_told_apart_pairwise(&after[1..]);
    // A single changed switch shortens only the name of its row, and only as far as necessary.
    ui.state_mut().perform(Action::ClearSolo);
    ui.state_mut().perform(Action::Geometry);
    ui.run();
    let changed = names(&ui, Role::TreeItem);
    assert!(changed[5].1.right() <= switch(&ui, "Show mesh"), "{changed:?}");
    assert_eq!((&changed[..5], &changed[6..]), (&before[..5], &before[6..]));
}

#[test]
fn animations_with_common_beginnings_and_endings_are_told_apart() {
    let mut model = walker();
    let walk = model.animations[0].clone();
    let ways = ["F", "FL", "FR", "L", "R", "B", "BL", "BR"];
    let gaits = ["Walk", "Run", "Sprint", "Crouch", "Prone", "Swim"];
    let name = |i: usize| format!("A_Locomotion_Generic_{}_{}_Masc_24to30", gaits[i / 8], ways[i % 8]);
    model.animations = (0..48).map(|i| Animation { name: Some(name(i)), ..walk.clone() }).collect();
    let mut ui = harness(1280.0, 1600.0, 1.0, Window::new(model));
    ui.run();
    let shown = names(&ui, Role::ListBoxOption);
    assert_told_apart(&shown);
    assert!(shown.iter().any(|(name, _)| name.contains("Run_BL")), "{shown:?}");
}

#[test]
fn the_dope_sheet_shows_short_names() {
    let mut model = rig(14);
    animate_all(&mut model);
    let mut ui = harness(1280.0, 1000.0, 1.0, Window::new(model));
    ui.run();
    let rows: Vec<Rect> = ui.query_all_by_role(Role::Row).map(|row| row.rect()).collect();
    assert!(rows.len() > 4);
    for row in rows {
        for (text, _) in painted(&ui, row) {
            assert!(!text.contains("mixamorig"), "{text}");
        }
    }
}

#[test]
fn control_characters_and_direction_marks_never_reach_the_window() {
    let nasty = ["Left\nArm", "\u{202e}gpj.exe", "\u{0}\u{1b}[31m", "\u{2067}isolated", "tab\there", "Hips"];
    let nodes: Vec<_> = nasty.iter().enumerate().map(|(i, name)| ((*name).to_owned(), i.checked_sub(1))).collect();
    let mut model = hand_made::tree(&nodes);
    hand_made::add_skin(&mut model, &[0, 1, 2, 3, 4, 5]);
    animate_all(&mut model);
    model.animations[0].name = Some("Walk\u{202e}\r\n".into());
    let mut ui = open(model);
    ui.state_mut().view.display.names = sinew::session::view::display::JointNames::All;
    ui.state_mut().view.selection = vec![4];
    ui.run();
    let texts = painted(&ui, Rect::EVERYTHING);
    assert!(texts.iter().any(|(text, _)| text == "Left\u{b7}Arm"), "{texts:?}");
    for (text, _) in texts {
        assert!(!text.replace('\n', "").contains(label::is_unsafe), "{text:?}");
        assert!(!text.contains("\nArm"), "{text:?}");
    }
}

#[test]
fn a_name_of_a_hundred_thousand_characters_is_cut_before_it_is_laid_out() {
    let long = format!("Start{}End", "n".repeat(100_000));
    let nodes: Vec<_> = (0..40).map(|i: usize| (format!("{long}{i}"), i.checked_sub(1))).collect();
    let mut ui = open(hand_made::tree(&nodes));
    ui.state_mut().view.selection = vec![source(&ui, &format!("{long}0"))];
    ui.run();
    let lengths = painted(&ui, Rect::EVERYTHING).into_iter().map(|(text, _)| text.chars().count());
    assert!(lengths.max() < Some(300));
    assert_told_apart(&names(&ui, Role::TreeItem));
}
