//! Tests the inspector: values, display, findings.

use std::sync::Arc;

use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT, Queryable};

use glam::Vec3;
use sinew::model::finding::{Finding, Severity};
use sinew::model::material::{AlphaMode, Material};
use sinew::model::material_layers::Clearcoat;
use sinew::model::mesh::MorphTarget;
use sinew::model::node::ExtraProperty;
use sinew::model::texture::Image;
use sinew::model::{Scene, Variant};
use sinew::session::document::Document;
use sinew::session::view::ViewCamera;
use sinew::session::view::display::{JointNames, JointShape, Lighting, Shading};
use sinew::ui::context::check_status::JobState;
use sinew::ui::context::request::Request;
use sinew::ui::context::window_state::RevealedSection;
use sinew::ui::inspector::findings;
use sinew::units::{LengthUnit, Units, UpAxis};

use crate::common::hand_made;
use crate::common::ui_harness::{Window, harness, walker};
use crate::gestures::{Ui, click, move_to, open, painted_texts, press, rig, selected, unfolded, wheel};

#[test]
fn the_inspector_gives_a_hint_if_nothing_is_selected() {
    open(walker()).get_by_label("Select a joint in the tree or the viewport.");
    let mut rigid = walker();
    rigid.skins.clear();
    rigid.nodes.iter_mut().for_each(|node| node.skin = None);
    open(rigid).get_by_label("Select a node in the tree or the viewport.");
}

#[test]
fn the_inspector_shows_live_values_of_the_active_node() {
    let mut ui = open(walker());
    click(&mut ui, "Hips");
    ui.state_mut().transport.head.time = 0.5;
    ui.run();
    ui.get_by_label("Node index: 1");
    ui.get_by_label("Joint index: 0 in skin 0");
    // The x coordinate of the walker's hips is the sine of the time. Their parent is at the origin.
    let wanted = format!("Translation: {:.3}, 1.000, 0.000", 0.5f32.sin());
    assert_eq!(ui.get_all_by_label(&wanted).count(), 2, "local and global");
    ui.get_by_label("Translation: 0.000, 1.000, 0.000");
    click(&mut ui, "Select Spine");
    assert_eq!(selected(&ui), ["Spine"]);
    click(&mut ui, "Select Hips");
    assert_eq!(selected(&ui), ["Hips"]);
}

#[test]
fn extras_of_the_active_node_are_listed_and_copied_as_json() {
    let mut model = walker();
    let property = |name: &str, json: &str| ExtraProperty { name: Some(name.into()), json: json.into() };
    let hips = model.nodes.iter_mut().find(|node| node.name.as_deref() == Some("Hips")).unwrap();
    hips.extras = vec![property("hp", "1.50"), property("note\n", r#""a \"b\" c""#), property("tags", "[1, 2]")];
    let mut ui = harness(1280.0, 900.0, 1.0, Window::new(model));
    click(&mut ui, "Hips");
    ui.get_by_label("hp: 1.50");
    ui.get_by_label("note\u{b7}: a \"b\" c");
    ui.get_by_label("tags: [1, 2]");
    click(&mut ui, "Copy extras");
    let copied = ui.state().requests.iter().find_map(|request| match request {
        Request::CopyText(text) => serde_json::from_str::<serde_json::Value>(text).ok(),
        _ => None,
    });
    assert_eq!(copied, Some(serde_json::json!({ "hp": 1.5, "note\n": "a \"b\" c", "tags": [1, 2] })));
    click(&mut ui, "Spine");
    assert!(ui.query_by_label("Group Extras").is_none());
}

#[test]
fn every_child_can_be_selected() {
    let names: Vec<_> = (0..300).map(|i| (format!("Bone{i}"), (i > 0).then_some(0))).collect();
    let mut ui = open(hand_made::tree(&names));
    click(&mut ui, "Bone0");
    ui.get_by_label("Select Bone6");
    assert!(ui.query_by_label("Select Bone7").is_none());
    click(&mut ui, "293 more children");
    ui.get_by_label("Select Bone7");
    assert!(ui.query_by_label("Select Bone290").is_none(), "only those in sight are laid out");
    click(&mut ui, "Select Bone9");
    assert_eq!(selected(&ui), ["Bone9"]);
    click(&mut ui, "Select Bone0");
    click(&mut ui, "293 more children");
    assert!(ui.query_by_label("Select Bone7").is_none());
}

#[test]
fn the_numbers_of_a_quaternion_fit_the_narrowest_inspector() {
    let mut model = walker();
    model.hierarchy.rest[1].rotation = glam::Quat::from_xyzw(-0.5123, -0.4876, -0.5123, -0.4871).normalize();
    let mut window = Window::new(model);
    (window.state.preferences.inspector_width, window.view.selection) = (240.0, vec![1]);
    let ui = harness(1280.0, 900.0, 1.0, window);
    let row = ui.get_all_by_label("Quaternion: -0.512, -0.488, -0.512, -0.487").next().unwrap().rect();
    assert!(row.width() < 240.0, "{row:?}");
    let numbers = painted_texts(&ui).filter(|(text, _)| ["-0.512", "-0.488", "-0.487"].contains(&text.galley.text()));
    let places = numbers.map(|(text, clip)| (text.visual_bounding_rect(), clip));
    let texts: Vec<_> = places.filter(|(text, _)| row.contains(text.center())).collect();
    assert_eq!(texts.len(), 4);
    assert!(texts.iter().all(|(text, clip)| clip.contains_rect(*text) && text.left() >= row.left()));
    assert!(texts.windows(2).all(|pair| pair[1].0.left() - pair[0].0.right() >= 4.0), "{texts:?}");
}

#[test]
fn the_columns_of_a_matrix_never_touch() {
    for width in [240.0, 300.0] {
        let mut model = walker();
        model.hierarchy.rest[1].rotation = glam::Quat::from_rotation_x(-0.5748);
        model.hierarchy.rest[1].translation = Vec3::new(-11.359_4, -11.359_4, -1234.567).into();
        let mut window = unfolded(Window::new(model));
        (window.state.preferences.inspector_width, window.view.selection, window.view.animation) = (width, vec![1], None);
        window.state.preferences.units.length = LengthUnit::Centimeters;
        let ui = harness(1280.0, 1400.0, 1.0, window);
        for name in ["first", "second", "third"] {
            let row = ui.get_by_label_contains(&format!("Matrix, {name} row")).rect();
            let texts = painted_texts(&ui).map(|(text, _)| (text.visual_bounding_rect(), text.galley.text()));
            let mut texts: Vec<_> = texts.filter(|(rect, _)| row.contains(rect.center())).collect();
            texts.sort_by(|a, b| a.0.left().total_cmp(&b.0.left()));
            assert_eq!(texts.len(), 4);
            assert!(texts.windows(2).all(|pair| pair[1].0.left() - pair[0].0.right() >= 8.0), "{texts:?}");
            assert!(texts[0].0.left() >= row.left(), "{texts:?}");
        }
    }
}

#[test]
fn morph_weights_are_labeled_with_the_names_of_their_targets() {
    let mut model = hand_made::bending_box();
    let count = model.meshes[0].primitives[0].vertices.positions.len();
    let target = MorphTarget { positions: vec![glam::Vec3::ZERO; count], ..MorphTarget::default() };
    Arc::make_mut(&mut model.meshes[0].primitives[0].vertices).targets = vec![target.clone(), target];
    model.meshes[0].target_count = 2;
    model.meshes[0].target_names = vec!["Smile".into()];
    model.rest_weights = vec![0.25, -0.5];
    model.nodes[0].weights = 0..2;
    let mut ui = harness(1280.0, 1200.0, 1.0, Window::new(model.clone()));
    click(&mut ui, "Box");
    let slider = |name: &str| ui.get_by_role_and_label(Role::Slider, name).accesskit_node().numeric_value();
    assert_eq!((slider("Smile"), slider("target 1")), (Some(0.25), Some(-0.5)));
    // Two nodes have targets of the same names.
    model.rest_weights = vec![0.25, -0.5, 0.75, 0.0];
    (model.nodes[1].mesh, model.nodes[1].weights, model.nodes[1].rigid_matrix) = (Some(0), 2..4, Some(model.palette_len));
    model.palette_len += 1;
    let ui = harness(1280.0, 1200.0, 1.0, Window::new(model));
    let slider = |name: &str| ui.get_by_role_and_label(Role::Slider, name).accesskit_node().numeric_value();
    assert_eq!((slider("Smile of Box"), slider("Smile of Base")), (Some(0.25), Some(0.75)));
}

#[test]
fn many_morph_targets_are_searched_in_a_list_of_limited_height() {
    let mut model = hand_made::bending_box();
    let count = model.meshes[0].primitives[0].vertices.positions.len();
    let target = MorphTarget { positions: vec![glam::Vec3::ZERO; count], ..MorphTarget::default() };
    Arc::make_mut(&mut model.meshes[0].primitives[0].vertices).targets = vec![target; 150];
    model.meshes[0].target_count = 150;
    model.meshes[0].target_names = (0..150).map(|i| format!("Shape {i:03}")).collect();
    model.rest_weights = vec![0.0; 150];
    model.nodes[0].weights = 0..150;
    let mut ui = harness(1280.0, 1200.0, 1.0, Window::new(model.clone()));
    click(&mut ui, "Box");
    let display = ui.get_by_label("Display").rect().top() - ui.get_by_label("Morph targets").rect().top();
    assert!(display < 500.0, "{display}");
    assert!(ui.query_by_role_and_label(Role::Slider, "Shape 137").is_none());
    let search = |ui: &mut Ui, text: &str| {
        ui.get_by_role_and_label(Role::TextInput, "Search morph targets").focus();
        ui.run();
        ui.get_by_role_and_label(Role::TextInput, "Search morph targets").type_text(text);
        ui.run();
    };
    search(&mut ui, "137");
    ui.get_by_role_and_label(Role::Slider, "Shape 137");
    assert!(ui.query_by_role_and_label(Role::Slider, "Shape 000").is_none());
    search(&mut ui, "x");
    assert!(ui.query_by_role_and_label(Role::Slider, "Shape 137").is_none());
    ui.get_by_label("No results");
    // A reload keeps the search, and another file clears it.
    for (path, has_results) in [("/models/walker.glb", false), ("/models/other.glb", true)] {
        ui.state_mut().open(Document::new(model.clone().into(), "walker.glb".into(), Some(path.into())));
        ui.run();
        assert_eq!(ui.query_by_label("No results").is_none(), has_results, "{path}");
    }
}

#[test]
fn a_number_that_is_opened_but_not_changed_keeps_all_its_digits() {
    let mut model = hand_made::bending_box();
    model.rest_weights = vec![0.123_456];
    (model.nodes[0].weights, model.meshes[0].target_count) = (0..1, 1);
    let mut window = Window::new(model);
    (window.view.rate, window.view.speed) = (Some(29.970_03), 0.333);
    let mut ui = harness(1280.0, 1200.0, 1.0, window);
    click(&mut ui, "Box");
    for name in ["target 0, value", "Frames per second", "Speed"] {
        let field = ui.get_by_role_and_label(Role::SpinButton, name);
        field.click();
        ui.run();
        ui.key_press(egui::Key::Enter);
        ui.run();
    }
    let view = &ui.state().view;
    assert!(view.morphs.is_empty(), "{:?}", view.morphs);
    assert_eq!((view.rate, view.speed), (Some(29.970_03), 0.333));
}

#[test]
fn the_statistics_count_textures_rather_than_images() {
    let mut model = walker();
    (model.asset.textures, model.images) = (3, vec![Image::default()]);
    let ui = harness(1280.0, 2000.0, 1.0, Window::new(model));
    ui.get_by_label("Textures: 3");
}

#[test]
fn the_display_can_be_changed_in_the_inspector() {
    let mut ui = open(walker());
    assert!(ui.query_by_label_contains("Variant:").is_none(), "the file has none");
    ui.get_by_role_and_label(Role::ComboBox, "Joint names: None").click();
    ui.run();
    click(&mut ui, "Selected");
    ui.get_by_role_and_label(Role::ComboBox, "Joint shape: Lines").click();
    ui.run();
    click(&mut ui, "Spheres");
    ui.get_by_role_and_label(Role::ComboBox, "Shading: Lit").click();
    ui.run();
    click(&mut ui, "Clay");
    let display = &ui.state().view.display;
    assert_eq!((display.names, display.joint_shape), (JointNames::Selection, JointShape::Spheres));
    assert_eq!(ui.state().view.display.shading, Shading::Clay);
    ui.get_by_role_and_label(Role::ComboBox, "Camera: Free camera").click();
    ui.run();
    click(&mut ui, "Portrait");
    assert_eq!(ui.state().view.camera, ViewCamera::File(0));
    ui.state_mut().view.display.background = Some([1, 2, 3]);
    ui.run();
    click(&mut ui, "Reset background");
    assert_eq!(ui.state().view.display.background, None);
}

#[test]
fn variants_can_be_chosen_and_their_materials_are_named() {
    let mut model = hand_made::bending_box();
    let named = |name: &str| Material { name: Some(name.into()), ..Material::default() };
    let coated = Clearcoat { factor: 1.0, ..Clearcoat::default() };
    model.materials = vec![named("Paint"), Material { alpha_mode: AlphaMode::Blend, clearcoat: coated, ..named("Lacquer") }];
    model.meshes[0].primitives[0].material = Some(0);
    model.meshes[0].primitives[0].variants = vec![(1, 1)];
    model.variants = vec![Variant { name: None }, Variant { name: Some("Glossy".into()) }];
    let mut ui = harness(1280.0, 1200.0, 1.0, Window::new(model));
    click(&mut ui, "Box");
    ui.get_by_label("Material: Paint (material 0)");
    ui.get_by_role_and_label(Role::ComboBox, "Variant: Default").click();
    ui.run();
    ui.get_by_label("variant 0");
    click(&mut ui, "Glossy");
    assert_eq!(ui.state().view.display.variant, Some(1));
    ui.get_by_role_and_label(Role::ComboBox, "Variant: Glossy");
    ui.get_by_label("Material: Lacquer (material 1)");
    ui.get_by_label("Alpha mode: blend");
    ui.get_by_label("Clearcoat: 1.000");
}

#[test]
fn a_click_on_a_finding_selects_its_node_and_all_can_be_copied() {
    let mut model = rig();
    let finding =
        |pointer: &str, severity| Finding { code: "SOMETHING", severity, pointer: pointer.into(), message: format!("At {pointer}.") };
    model.findings = vec![finding("/nodes/3/mesh", Severity::Info), finding("/buffers/0", Severity::Error)];
    let mut ui = open(model);
    ui.state_mut().state.window.revealed_section = Some(RevealedSection::Findings);
    ui.run();
    click(&mut ui, "Copy all");
    let wanted = "error: SOMETHING /buffers/0 At /buffers/0.\ninfo: SOMETHING /nodes/3/mesh At /nodes/3/mesh.\n";
    assert_eq!(ui.state().requests, [Request::CopyText(wanted.into())]);
    click(&mut ui, "info: At /nodes/3/mesh.");
    assert_eq!(ui.state().view.selection, [3]);
}

#[test]
fn json_pointers_are_mapped_to_nodes() {
    let model = hand_made::bending_box();
    for (pointer, node) in [
        ("/nodes/1", Some(1)),
        ("/nodes/9", None),
        ("/meshes/0/primitives/0", Some(model.nodes[0].source)),
        ("/skins/0", Some(model.nodes[1].source)),
        ("/materials/0", model.meshes[0].primitives[0].material.map(|_| model.nodes[0].source)),
        ("/animations/0/channels/0/sampler", Some(model.nodes[2].source)),
        ("/animations/0/channels/9", None),
        ("/animations/0", None),
        ("/nodes", None),
        ("", None),
    ] {
        assert_eq!(findings::node_of(&model, pointer), node, "{pointer}");
    }
}

/// Builds findings: `counts` has the numbers of notes, warnings and errors. The findings are in that order, too.
fn many(counts: [usize; 3]) -> Vec<Finding> {
    let kinds = [Severity::Info, Severity::Warning, Severity::Error];
    let number = |severity, i: usize| Finding {
        code: "SOMETHING",
        severity,
        pointer: format!("/nodes/{}", i % 7),
        message: format!("{severity:?} number {i}."),
    };
    kinds.into_iter().zip(counts).flat_map(|(severity, count)| (0..count).map(move |i| number(severity, i))).collect()
}

fn with_findings(findings: Vec<Finding>) -> Ui {
    let mut model = rig();
    model.findings = findings;
    let mut ui = open(model);
    ui.state_mut().state.window.revealed_section = Some(RevealedSection::Findings);
    ui.run();
    ui
}

#[test]
fn a_closed_section_stays_closed_when_its_count_changes() {
    let mut model = rig();
    model.findings = many([1, 0, 0]);
    // The window is so high that the rows would be drawn if the section opened.
    let mut ui = harness(1280.0, 3000.0, 1.0, Window::new(model));
    ui.get_by_label("info: Info number 0.");
    click(&mut ui, "Findings 1");
    assert!(ui.query_by_label("info: Info number 0.").is_none());
    ui.state_mut().document.findings = many([12, 0, 0]);
    ui.run();
    ui.get_by_label("Findings 12");
    assert!(ui.query_by_label("info: Info number 0.").is_none());
}

#[test]
fn the_most_severe_findings_come_first_and_each_kind_can_be_hidden() {
    let mut ui = with_findings(many([1, 2, 1]));
    let top = |ui: &Ui, label: &str| ui.get_by_label(label).rect().top();
    assert!(top(&ui, "error: Error number 0.") < top(&ui, "warning: Warning number 0."));
    assert!(top(&ui, "warning: Warning number 1.") < top(&ui, "info: Info number 0."));
    click(&mut ui, "2 warnings");
    assert!(ui.query_by_label("warning: Warning number 0.").is_none());
    ui.get_by_label("info: Info number 0.");
    click(&mut ui, "Copy all");
    let listed = "error: SOMETHING /nodes/0 Error number 0.\ninfo: SOMETHING /nodes/0 Info number 0.\n";
    assert_eq!(ui.state().requests, [Request::CopyText(listed.into())], "what is listed, as it is listed");
    click(&mut ui, "1 error");
    click(&mut ui, "1 info");
    ui.get_by_label("All findings are hidden. Use the filters above to show them.");
    click(&mut ui, "1 error");
    ui.get_by_label("error: Error number 0.");
}

#[test]
fn the_rows_of_findings_get_new_heights_after_the_validation_has_changed_them() {
    let mut ui = with_findings(many([2, 0, 0]));
    let tops = |ui: &Ui| [0, 1].map(|i| ui.get_by_label(&format!("info: Info number {i}.")).rect().top());
    let before = tops(&ui);
    let window = ui.state_mut();
    window.document.findings[0].pointer = "/nodes/0/extensions".repeat(8);
    window.state.status.checks.get(&window.document).validation = JobState::Done(());
    ui.run();
    let after = tops(&ui);
    assert!(after[1] - after[0] > before[1] - before[0] + 5.0, "{before:?} {after:?}");
}

#[test]
fn another_document_lists_its_own_findings() {
    let mut ui = with_findings(many([2, 0, 0]));
    let mut model = rig();
    model.findings = many([0, 0, 1]);
    ui.state_mut().open(Window::new(model).document);
    ui.run();
    ui.get_by_label("error: Error number 0.");
    assert!(ui.query_by_label("info: Info number 0.").is_none());
}

#[test]
fn the_size_is_shown_in_the_users_units() {
    // The box is 1 x 2 x 1 meters large.
    let scaled = |factor: f32| {
        let mut model = hand_made::bending_box();
        let vertices = Arc::make_mut(&mut model.meshes[0].primitives[0].vertices);
        vertices.positions.iter_mut().for_each(|position| *position *= factor);
        open(model)
    };
    let mut plain = scaled(1.0);
    plain.get_by_label("Size: 1.00 \u{d7} 2.00 \u{d7} 1.00 m");
    plain.state_mut().state.preferences.units = Units { length: LengthUnit::Centimeters, up: UpAxis::Z };
    plain.run();
    plain.get_by_label("Size: 100 \u{d7} 100 \u{d7} 200 cm");
    scaled(90.0).get_by_label("Size: 90.0 \u{d7} 180 \u{d7} 90.0 m");
}

#[test]
fn the_size_is_that_of_the_shown_scene_if_it_is_finite() {
    let mut model = hand_made::bending_box();
    let roots = model.hierarchy.roots().collect();
    model.scenes = vec![Scene { name: None, roots: Vec::new() }, Scene { name: None, roots }];
    let mut ui = open(model);
    let size = "Size: 1.00 \u{d7} 2.00 \u{d7} 1.00 m";
    assert!(ui.query_by_label(size).is_none(), "the box is in the other scene");
    ui.state_mut().view.scene = Some(1);
    ui.run();
    ui.get_by_label(size);
    let mut model = hand_made::tree(&[("Lamp".to_owned(), None)]);
    model.meshes = hand_made::bending_box().meshes;
    Arc::make_mut(&mut model.meshes[0].primitives[0].vertices).positions.fill(Vec3::NAN);
    (model.nodes[0].mesh, model.nodes[0].rigid_matrix, model.palette_len) = (Some(0), Some(0), 1);
    assert!(open(model).query_by_label_contains("Size: ").is_none(), "no position is finite");
}

#[test]
fn instances_are_counted_if_there_are_any() {
    let mut model = walker();
    open(walker()).get_by_label_contains("Triangles");
    assert!(open(walker()).query_by_label_contains("Instances").is_none());
    model.nodes[5].instances = vec![glam::Affine3A::IDENTITY; 7];
    let ui = open(model);
    ui.get_by_label("Instances: 7");
    ui.get_by_label("Triangles drawn: 7");
}

#[test]
fn only_visible_rows_of_hundreds_of_findings_are_laid_out() {
    let mut ui = with_findings(many([100, 60, 40]));
    let laid_out = |ui: &Ui| ui.query_all_by_label_contains("number").count();
    assert!((5..60).contains(&laid_out(&ui)), "{}", laid_out(&ui));
    ui.get_by_label("error: Error number 0.");
    // Scroll to the end.
    move_to(&mut ui, egui::pos2(1100.0, 500.0));
    for _ in 0..20 {
        ui.event(wheel(egui::MouseWheelUnit::Point, egui::vec2(0.0, -2000.0), egui::Modifiers::NONE));
        ui.run();
    }
    ui.get_by_label("info: Info number 99.");
    assert!((5..60).contains(&laid_out(&ui)), "{}", laid_out(&ui));
}

#[test]
fn a_finding_is_copied_from_its_menu_and_a_long_one_does_not_cover_the_next() {
    let mut findings = many([0, 1, 0]);
    let endless = "no end of it ".repeat(4000);
    let nowhere = Finding {
        code: "ENDLESS",
        severity: Severity::Error,
        pointer: format!("/extensions/{}", "x".repeat(3000)),
        message: endless.clone(),
    };
    findings.push(nowhere);
    let mut ui = with_findings(findings);
    let long = ui.get_by_label(&format!("error: {endless}")).rect();
    assert!(long.height() < 160.0 && long.right() <= 1280.0, "{long:?}");
    let row = ui.get_by_label("warning: Warning number 0.").rect();
    assert!(row.top() >= long.bottom() - 0.1);
    for (entry, text) in [("Copy finding", "warning: SOMETHING /nodes/0 Warning number 0.\n"), ("Copy JSON pointer", "/nodes/0")] {
        move_to(&mut ui, row.center());
        press(&mut ui, row.center(), egui::PointerButton::Secondary, true);
        press(&mut ui, row.center(), egui::PointerButton::Secondary, false);
        click(&mut ui, entry);
        assert_eq!(ui.state().requests.last(), Some(&Request::CopyText(text.into())));
    }
}

#[test]
fn the_count_in_the_status_bar_opens_the_findings() {
    let mut model = rig();
    model.findings = many([3, 2, 1]);
    let mut ui = harness(900.0, 600.0, 2.0, Window::new(model));
    assert!(ui.query_by_label("Copy all").is_none(), "a narrow window has no inspector at first");
    click(&mut ui, "6 findings");
    ui.get_by_label("Copy all");
    ui.get_by_label("error: Error number 0.");
}

#[test]
fn environment_settings_are_shown_if_the_environment_lights_the_model() {
    let mut ui = open(walker());
    ui.state_mut().state.preferences.recent_environments = vec!["/skies/dusk.exr".into()];
    ui.run();
    click(&mut ui, "Environment: Studio");
    click(&mut ui, "dusk.exr");
    assert_eq!(ui.state_mut().requests, [Request::Environment(Some("/skies/dusk.exr".into()))]);
    assert!(ui.query_by_label("Background blur").is_none());
    click(&mut ui, "Environment as background");
    assert!(ui.state().view.display.environment.shown);
    ui.get_by_label("Background blur");
    ui.get_by_label("Environment rotation");
    ui.state_mut().view.display.lighting = Lighting::Flat;
    ui.run();
    assert!(ui.query_by_label("Environment rotation").is_none());
}
