//! The inspector: values, display, findings.

use egui::accesskit::Role;
use egui_kittest::kittest::Queryable;

use sinew::model::finding::{Finding, Severity};
use sinew::model::mesh::MorphTarget;
use sinew::session::view::{Shading, ViewCamera};
use sinew::ui::Command;
use sinew::ui::inspector::findings;

use super::ui_window::walker;
use super::{click, hand_made, open, rig, selected};

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
    ui.get_by_label("Index: 1 (0 to 6)");
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
