//! Tests the comparison in the panels: the inspector's section, the lane of the timeline, and the halves of the viewport.

use std::sync::Arc;

use egui::{Event, Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::kittest::Queryable;
use glam::DVec2;
use sinew::compare::counterpart::Layout;
use sinew::compare::{Choices, compare};
use sinew::model::Model;
use sinew::session::camera::screen::ScreenProjection;
use sinew::session::camera::view_camera;
use sinew::session::document::Document;
use sinew::session::pose::solve::{self, Posed};
use sinew::session::view::selection::How;
use sinew::ui::actions::table::Action;
use sinew::ui::context::comparison::{CompareChoices, CompareStatus, OtherKind};
use sinew::ui::context::request::Request;

use crate::common::gltf_builder::hopper;
use crate::common::ui_harness::{Window, harness, walker};
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
        is_shown: true,
    });
    let mut posed = Posed::new(&other.model);
    solve::solve(&other.model, &window.view, 0.0, &mut posed);
    window.other = Some((other, window.view.clone(), posed));
    harness(1280.0, 2800.0, 1.0, window)
}

/// Clicks a place of the window.
fn click_at(ui: &mut Ui, at: Pos2) {
    ui.hover_at(at);
    for pressed in [true, false] {
        ui.event(Event::PointerButton { pos: at, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE });
    }
    ui.run();
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
fn a_click_on_the_half_of_b_asks_for_its_counterpart() {
    let mut ui = open(hopper(0.0), hopper(0.25));
    let half = ui.state().areas.unwrap().other.unwrap();
    let at = half.min + vec2(100.0, 300.0);
    click_at(&mut ui, at);
    let [Request::PickOther(click)] = ui.state().commands[..] else { panic!("{:?}", ui.state().commands) };
    assert_eq!((click.point, click.how, click.is_repeated, click.has_joints), (DVec2::new(100.0, 300.0), How::Only, false, true));
    assert_eq!(click.projection.size, DVec2::new(half.width().into(), half.height().into()));
    assert!(ui.state().view.selection.is_empty());
}

#[test]
fn a_click_beside_a_hits_the_ghost_of_b() {
    let mut ui = open(hopper(0.0), hopper(0.25));
    click(&mut ui, "Overlay");
    ui.state_mut().perform(Action::Skeleton);
    ui.run();
    let viewport = ui.state().areas.unwrap().viewport;
    click_at(&mut ui, viewport.min + vec2(20.0, 20.0));
    let [Request::PickOther(click)] = ui.state().commands[..] else { panic!("{:?}", ui.state().commands) };
    assert!(!click.has_joints && click.how == How::Only);
    // A joint of A goes first.
    let (document, posed) = (&ui.state().document, &ui.state().posed);
    let aspect = f64::from(viewport.aspect_ratio());
    let camera = view_camera::camera(ui.state().subject(), posed, aspect);
    let projection = ScreenProjection { camera, size: DVec2::new(viewport.width().into(), viewport.height().into()) };
    let head = document.model.nodes.iter().position(|node| node.name.as_deref() == Some("Head")).unwrap();
    let place = projection.project(posed.globals[head].translation).unwrap().point;
    click_at(&mut ui, viewport.min + vec2(place.x as f32, place.y as f32));
    assert_eq!((selected(&ui), ui.state().commands.len()), (vec!["Head".to_owned()], 1));
}

#[test]
fn the_playing_animation_is_compared_with_the_next_one_and_then_the_one_after() {
    let mut ui = harness(1280.0, 800.0, 1.0, Window::new(walker()));
    ui.state_mut().perform(Action::CompareAnimation);
    assert_eq!(ui.state().commands, [Request::CompareAnimation(1)]);
    ui.state_mut().view.animation = Some(1);
    ui.state_mut().perform(Action::CompareAnimation);
    assert_eq!(ui.state().commands[1..], [Request::CompareAnimation(0)]);
    ui.state_mut().view.animation = None;
    let reason = ui.state_mut().perform_if_available(Action::CompareAnimation);
    assert_eq!(reason.as_deref(), Some("Compare with another animation: No animation is playing"));
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
