//! Tests the comparison in the panels: the inspector's section, the lane of the timeline, and the halves of the viewport.

use std::sync::Arc;

use egui_kittest::kittest::Queryable;
use sinew::compare::counterpart::Layout;
use sinew::compare::{Choices, compare};
use sinew::model::Model;
use sinew::session::document::Document;
use sinew::ui::actions::table::Action;
use sinew::ui::context::comparison::{CompareChoices, CompareStatus, OtherKind};
use sinew::ui::context::request::Request;

use crate::common::gltf_builder::hopper;
use crate::common::ui_harness::{Window, harness};
use crate::gestures::{Ui, click, selected};

/// Opens a model beside another one, in a window high enough for the whole inspector.
fn open(a: Model, b: Model) -> Ui {
    let mut window = Window::new(a);
    let other = Document::new(Arc::new(b), "other.glb".into(), None);
    let choices = Choices { animations: [Some(0); 2], ..Choices::default() };
    let found = compare(&window.document, &other, &choices, &|| true).unwrap();
    window.state.status.comparison = Some(CompareStatus {
        document: window.document.id,
        kind: OtherKind::File,
        titles: ["A: walker.glb".into(), "B: other.glb".into()],
        model: other.model.clone(),
        names: other.names.clone(),
        choices: CompareChoices::default(),
        found: Some(Arc::new(found)),
        is_measuring: false,
    });
    harness(1280.0, 2800.0, 1.0, window)
}

#[test]
fn a_click_on_a_joint_selects_it_and_goes_to_its_worst_moment() {
    let mut ui = open(hopper(0.0), hopper(0.25));
    ui.get_by_label_contains("Largest distance: 25.0 cm");
    ui.get_by_label("Matched nodes: 5");
    click(&mut ui, "Foot: 25.0 cm, 0\u{b0}");
    assert_eq!(selected(&ui), ["Foot"]);
    // The foot lands 25 cm aside after 1.5 s.
    assert!((ui.state().transport.time() - 1.5).abs() < 1e-9 && !ui.state().transport.is_playing());
    ui.get_by_label("Distance to B: 25.0 cm now, max 25.0 cm");
}

#[test]
fn both_halves_are_equally_wide_and_other_views_use_the_whole_viewport() {
    let mut ui = open(hopper(0.0), hopper(0.25));
    let areas = ui.state().areas.unwrap();
    let other = areas.other.unwrap();
    assert_eq!(areas.viewport.size(), other.size());
    assert!(other.left() - areas.viewport.right() <= 1.0 && other.left() > areas.viewport.right());
    for (button, layout) in [("Overlay", Layout::Overlay), ("Difference", Layout::Difference)] {
        click(&mut ui, button);
        let status = ui.state().state.status.comparison.clone().unwrap();
        assert_eq!((status.choices.layout, ui.state().areas.unwrap().other), (layout, None));
    }
    click(&mut ui, "Side by side");
    assert!(ui.state().areas.unwrap().other.is_some());
}

#[test]
fn comparing_is_stopped_by_its_button_and_not_by_escape() {
    let mut ui = open(hopper(0.0), hopper(0.0));
    ui.get_by_label("All joints move alike.");
    ui.state_mut().perform(Action::Back);
    ui.run();
    assert!(ui.state().state.status.comparison.is_some() && ui.state().commands.is_empty());
    click(&mut ui, "Stop comparing");
    assert_eq!(ui.state().commands, [Request::StopComparing]);
}
