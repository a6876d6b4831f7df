//! Tests the display settings: their keys, their rows in the inspector, and notes about missing data.

use egui::accesskit::Role;
use egui::{Event, Key as EguiKey, Modifiers};
use egui_kittest::kittest::{NodeT, Queryable};

use sinew::camera::Orbit;
use sinew::model::Variant;
use sinew::model::camera::Camera;
use sinew::model::material::Material;
use sinew::session::view::ViewCamera;
use sinew::session::view::display::{JointNames, Lighting, Shading};
use sinew::ui::actions::Action;
use sinew::ui::actions::keys::Key;
use sinew::ui::actions::table;
use sinew::units::LengthUnit;

use crate::common::ui_harness::{Window, harness, walker};
use crate::gestures::{Ui, click, open};

/// Performs the action of a key, as the application does when no list or field has the focus.
fn press(ui: &mut Ui, key: Key) {
    let action = table::find(key, Modifiers::NONE).expect("an action");
    ui.state_mut().perform(action);
    ui.run();
}

#[test]
fn the_digits_1_to_7_choose_shading_modes_that_are_named_at_the_top() {
    let mut ui = open(walker());
    let modes = [
        ("Lit", Shading::Lit),
        ("Base color", Shading::BaseColor),
        ("Clay", Shading::Clay),
        ("Normals", Shading::Normals),
        ("Tangents", Shading::Tangents),
        ("Texture coordinates", Shading::Uv),
        ("Vertex colors", Shading::VertexColors),
    ];
    for (digit, (label, shading)) in (1u8..).zip(modes) {
        press(&mut ui, Key::Digit(digit));
        assert_eq!(ui.state().view.display.shading, shading);
        ui.get_by_role_and_label(Role::Button, &format!("Shading: {label}"));
        ui.get_by_role_and_label(Role::ComboBox, &format!("Shading: {label}"));
    }
    assert_eq!(table::find(Key::Digit(8), Modifiers::NONE), Some(Action::Weights), "the next digit is no shading");
}

#[test]
fn values_of_the_material_are_shadings_without_keys() {
    let mut model = walker();
    model.materials = vec![Material { ior: 1.2, ..Material::default() }];
    let mut ui = open(model);
    let modes = [
        ("Roughness", Action::ShadeRoughness, Shading::Roughness),
        ("Metallic", Action::ShadeMetallic, Shading::Metallic),
        ("Occlusion", Action::ShadeOcclusion, Shading::Occlusion),
        ("Emissive", Action::ShadeEmissive, Shading::Emissive),
        ("Alpha", Action::ShadeAlpha, Shading::Alpha),
    ];
    for (label, action, shading) in modes {
        assert_eq!(ui.state_mut().perform_if_available(action), None);
        ui.run();
        assert_eq!(ui.state().view.display.shading, shading);
        ui.get_by_role_and_label(Role::Button, &format!("Shading: {label}"));
        ui.get_by_role_and_label(Role::ComboBox, &format!("Shading: {label}"));
    }
    let why = ui.state_mut().perform_if_available(Action::ShadeSpecular);
    assert!(why.is_some_and(|why| why.contains("No material has specular values")));
    ui.state_mut().perform(Action::ShadeSpecular);
    ui.run();
    ui.get_by_label("Missing: specular");
}

#[test]
fn a_typed_rotation_of_the_environment_is_one_change_and_may_be_negative() {
    for (typed, rotation) in [("-45", 315.0), ("nan", 10.0), ("1e40", 10.0)] {
        let mut ui = open(walker());
        ui.state_mut().view.display.environment.rotation = 10.0;
        ui.run();
        ui.get_by_role_and_label(Role::SpinButton, "Environment rotation").click();
        ui.run();
        ui.key_press_modifiers(Modifiers::COMMAND, EguiKey::A);
        for char in typed.chars() {
            ui.event(Event::Text(char.into()));
            ui.run();
            assert_eq!(ui.state().view.display.environment.rotation, 10.0, "nothing changes before the end of {typed}");
        }
        ui.key_press(EguiKey::Enter);
        ui.run();
        assert_eq!(ui.state().view.display.environment.rotation, rotation, "{typed}");
    }
}

#[test]
fn overlays_are_switched_by_key_and_in_the_inspector() {
    let mut ui = open(walker());
    let on = |ui: &Ui| {
        let display = &ui.state().view.display;
        [display.wireframe, display.xray, display.outline, display.skeleton, display.grid, display.joint_axes]
    };
    let rows = [
        ("Wireframe", Some('w')),
        ("X-ray", Some('x')),
        ("Outline", Some('z')),
        ("Skeleton", Some('b')),
        ("Grid", Some('g')),
        ("Joint axes", None),
    ];
    for (i, (label, key)) in rows.into_iter().enumerate() {
        let before = on(&ui);
        ui.get_by_role_and_label(Role::CheckBox, label).click();
        ui.run();
        let switched: Vec<_> = (0..rows.len()).filter(|&row| on(&ui)[row] != before[row]).collect();
        assert_eq!(switched, [i], "{label}");
        match key {
            Some(key) => press(&mut ui, Key::Char(key)),
            None => click(&mut ui, label),
        }
        assert_eq!(on(&ui), before, "{label} is as before");
    }
    for names in [JointNames::All, JointNames::None] {
        press(&mut ui, Key::Char('n'));
        assert_eq!(ui.state().view.display.names, names);
    }
}

#[test]
fn the_inspector_says_which_data_is_missing_where_the_model_is_hatched() {
    let mut ui = open(walker());
    assert!(ui.query_by_label_contains("Missing").is_none());
    for (digit, said) in [(5, "tangents"), (6, "texture coordinates"), (7, "vertex colors")] {
        press(&mut ui, Key::Digit(digit));
        ui.get_by_label(&format!("Missing: {said}"));
    }
    press(&mut ui, Key::Digit(4));
    assert!(ui.query_by_label_contains("Missing").is_none(), "a model without normals has face normals");
}

#[test]
fn the_status_bar_shows_the_size_of_a_ground_cell() {
    let mut ui = open(walker());
    ui.get_by_label("grid 10 cm");
    ui.state_mut().state.preferences.units.length = LengthUnit::Centimeters;
    ui.run();
    ui.get_by_label("grid 10 cm");
    ui.state_mut().view.camera = ViewCamera::Orbit(Orbit { distance: 40.0, ..Orbit::default() });
    ui.run();
    ui.get_by_label("grid 100 cm");
    ui.state_mut().state.preferences.units.length = LengthUnit::Meters;
    ui.run();
    ui.get_by_label("grid 1 m");
    press(&mut ui, Key::Char('g'));
    assert!(ui.query_by_label_contains("grid ").is_none());
}

#[test]
fn the_inspector_says_why_there_can_be_no_shadow() {
    let mut ui = open(walker());
    ui.get_by_role_and_label(Role::ComboBox, "Shadow: Automatic");
    ui.state_mut().state.status.is_environment_sunless = true;
    ui.run();
    assert!(ui.query_by_role_and_label(Role::ComboBox, "Shadow: Automatic").is_none());
    ui.get_by_label("Shadow: Needs an environment with a sun");
    ui.state_mut().view.display.lighting = Lighting::Flat;
    ui.run();
    ui.get_by_label("Shadow: Needs environment lighting");
}

#[test]
fn folded_groups_of_the_display_section_stay_folded_after_a_restart() {
    let mut ui = harness(1280.0, 1600.0, 1.0, Window::new(walker()));
    let rows = [("Shading", "Background color"), ("Lighting", "Exposure"), ("Skeleton", "Joint shape: Lines"), ("Overlays", "Grid")];
    for (group, row) in rows {
        assert!(ui.query_by_label(row).is_some(), "{group} is open at first");
        click(&mut ui, &format!("Group {group}"));
        assert!(ui.query_by_label(row).is_none(), "{group} is folded");
        for (other, row) in rows.into_iter().filter(|(other, _)| *other != group) {
            assert!(ui.query_by_label(row).is_some(), "{other} stays open");
        }
        // The settings file brings the state back.
        let settings = serde_json::to_string(&ui.state().state.preferences).unwrap();
        let mut later = Window::new(walker());
        later.state.preferences = serde_json::from_str(&settings).unwrap();
        let later = harness(1280.0, 1600.0, 1.0, later);
        assert!(later.query_by_label(row).is_none(), "{group} is still folded");
        click(&mut ui, &format!("Group {group}"));
        assert!(ui.query_by_label(row).is_some(), "{group} is open again");
    }
}

#[test]
fn a_model_without_joints_has_no_skeleton_group() {
    let mut model = walker();
    model.skins.clear();
    let ui = harness(1280.0, 1600.0, 1.0, Window::new(model));
    assert!(ui.query_by_label("Group Overlays").is_some());
    assert!(ui.query_by_label("Group Skeleton").is_none() && ui.query_by_label("Joint shape: Lines").is_none());
}

#[test]
fn the_long_groups_of_the_selection_are_folded_at_first() {
    let mut ui = harness(1280.0, 800.0, 1.0, Window::new(walker()));
    ui.state_mut().view.selection = vec![1];
    ui.run();
    assert_eq!(ui.query_all_by_label_contains("Translation: ").count(), 1, "the local transform");
    assert!(ui.query_by_label_contains("Matrix, first row").is_none());
    let display = ui.get_by_label("Display").rect();
    assert!(display.bottom() < 776.0, "the display section is in sight: {display:?}");
    for group in ["Global", "Rest"] {
        click(&mut ui, &format!("Group {group}"));
    }
    assert_eq!(ui.query_all_by_label_contains("Translation: ").count(), 3);
}

#[test]
fn only_cameras_that_a_node_carries_are_listed_and_names_of_the_file_are_shown_on_one_line() {
    let mut model = walker();
    model.cameras.push(Camera { name: Some("Spare".into()), ..model.cameras[0].clone() });
    let unsafe_name = || Some(format!("Left\n\u{202e}{}End", "x".repeat(100_000)));
    model.cameras[0].name = unsafe_name();
    model.scenes[0].name = unsafe_name();
    model.scenes.push(model.scenes[0].clone());
    model.variants = vec![Variant { name: unsafe_name() }];
    let mut ui = harness(1280.0, 1600.0, 1.0, Window::new(model));
    ui.get_by(|node| node.role() == Role::ComboBox && node.label().is_some_and(|label| label.starts_with("Scene: Left\u{b7}\u{b7}x")));
    let listed = |ui: &mut Ui, role: Role, list: &str| {
        ui.get_by_role_and_label(role, list).click();
        ui.run();
        assert!(ui.query_by_label("Spare").is_none());
        let choices = ui.query_all_by(|node| node.label().is_some_and(|label| label.starts_with("Left") && label.ends_with("xEnd")));
        let choices: Vec<_> = choices.map(|node| (node.accesskit_node().label().unwrap(), node.rect().width())).collect();
        assert!(!choices.is_empty(), "{list}");
        for (label, width) in choices {
            assert!(label.starts_with("Left\u{b7}\u{b7}x") && width < 400.0, "{list}: {label}, {width} wide");
        }
        ui.key_press(EguiKey::Escape);
        ui.run();
    };
    listed(&mut ui, Role::Button, "Camera: Free camera");
    listed(&mut ui, Role::ComboBox, "Camera: Free camera");
    listed(&mut ui, Role::ComboBox, "Variant: Default");
    ui.state_mut().perform(Action::NextCamera);
    assert_eq!(ui.state().view.camera, ViewCamera::File(0));
    ui.state_mut().perform(Action::NextCamera);
    assert_eq!(ui.state().view.camera, ViewCamera::Fit);
}
