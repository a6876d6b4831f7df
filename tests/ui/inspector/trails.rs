//! Tests the motion trail and the onion skin: their keys, the inspector's section, and the legends over the picture.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Modifiers, PointerButton, vec2};
use egui_kittest::kittest::Queryable;
use glam::{DVec3, Vec3};

use sinew::session::view::display::GhostSource;
use sinew::session::view::display::{Depth, HeatMap};
use sinew::session::view::layers::Layer;
use sinew::ui::actions::keys::Key;
use sinew::ui::actions::{Action, table};
use sinew::ui::context::request::Request;
use sinew::units::LengthUnit;

use crate::common::ui_harness::{Window, harness, walker};
use crate::gestures::{Ui, click, click_at, move_to, painted_texts, press as press_at, project};

/// Opens the walker in a window high enough for the whole inspector.
fn tall() -> Ui {
    harness(1280.0, 2400.0, 1.0, Window::new(walker()))
}

fn press(ui: &mut Ui, modifiers: Modifiers) {
    let action = table::find(Key::Char('t'), modifiers).expect("an action");
    ui.state_mut().perform(action);
    ui.run();
}

fn check(ui: &mut Ui, label: &str) {
    ui.get_by_role_and_label(Role::CheckBox, label).click();
    ui.run();
}

/// Does the work of the application's background thread for the pending requests, and returns their number.
fn sample(ui: &mut Ui) -> usize {
    let (document, analyses) = (&ui.state().document, &ui.state().analyses);
    let wanted = analyses.motions.take_requests();
    for request in &wanted {
        analyses.sample_motion(document, request).expect("to the end");
    }
    ui.run();
    wanted.len()
}

#[test]
fn a_pending_trail_is_reported_and_a_finished_one_has_a_legend() {
    let mut ui = tall();
    assert_eq!(sample(&mut ui), 0, "nothing is worked out that nobody wants");
    press(&mut ui, Modifiers::NONE);
    assert!(ui.state().view.display.trail.shown);
    ui.get_by_label_contains("Select a joint to show its trail");
    // "Hips" sways at 1 m/s at most.
    ui.state_mut().view.selection = vec![1];
    ui.run();
    ui.get_by_label_contains("Calculating...");
    assert!(ui.query_by_label_contains("Speed from").is_none());
    assert_eq!(sample(&mut ui), 1);
    assert!(ui.query_by_label_contains("Calculating...").is_none());
    ui.get_by_label_contains("Speed from 0 to 1.00 meters per second, one dot per");
    ui.state_mut().state.preferences.units.length = LengthUnit::Centimeters;
    ui.run();
    ui.get_by_label_contains("Speed from 0 to 100 centimeters per second, one dot per");
    // Another selection, window or depth needs no new sampling.
    ui.state_mut().view.selection = vec![1, 3];
    ui.run();
    check(&mut ui, "Trail near playhead only");
    assert_eq!((sample(&mut ui), ui.state().view.display.trail.window), (0, Some(0.5)));
    ui.get_by_label("Trail window");
    ui.state_mut().view.animation = None;
    ui.run();
    ui.get_by_label_contains("No motion to show");
    check(&mut ui, "Motion trail");
    assert!(!ui.state().view.display.trail.shown && ui.query_by_label("Trail window").is_none());
}

#[test]
fn trail_statistics_are_shown_and_link_to_the_fastest_point() {
    let mut ui = tall();
    ui.state_mut().view.selection = vec![1];
    ui.run();
    assert!(ui.query_by_label_contains("Path length").is_none(), "without a trail");
    press(&mut ui, Modifiers::NONE);
    sample(&mut ui);
    // The x coordinate of "Hips" is the sine of the time, in meters. Within 82 frames at 24 per second, the hips turn back once.
    ui.get_by_label("Speed: 1.00 m/s");
    ui.get_by_label("Max speed: 1.00 m/s");
    let end = 82.0f64 / 24.0;
    ui.get_by_label(&format!("Path length: {:.2} m", 2.0 - end.sin()));
    ui.state_mut().view.range = Some([1.0, 2.0]);
    ui.state_mut().transport.head.time = 1.5;
    ui.state_mut().transport.head.playing = true;
    ui.run();
    // In this range too, the hips turn back once. Their speed is the absolute value of the cosine of the time.
    ui.get_by_label(&format!("Path length: {:.1} cm", 100.0 * (2.0 - 1f64.sin() - 2f64.sin())));
    ui.get_by_label_contains("Speed: 0.07");
    click(&mut ui, "Go to max speed: 1.000 s, frame 24");
    let transport = &ui.state().transport;
    assert!((transport.time() - 1.0).abs() < 1e-9 && !transport.is_playing());
    assert_eq!(ui.state().view.selection, [1]);
    ui.state_mut().state.preferences.units.length = LengthUnit::Centimeters;
    ui.run();
    ui.get_by_label_contains("Max speed: 54.");
    click(&mut ui, "Copy speed and path length");
    let [.., Request::CopyText(text)] = ui.state().requests.as_slice() else { panic!("nothing is copied") };
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0] == "Hips (node 1)" && lines[1].starts_with("speed 54.") && lines[1].ends_with(" cm/s at 1 s"), "{text}");
    assert!(lines[2].starts_with("max speed 54.") && lines[3].ends_with(" cm from 1 s to 2 s"), "{text}");
}

#[test]
fn a_trail_dot_shows_its_frame_and_a_click_seeks_without_deselecting() {
    let mut ui = tall();
    press(&mut ui, Modifiers::NONE);
    ui.state_mut().view.selection = vec![3, 1];
    ui.run();
    sample(&mut ui);
    // "Hips" is one meter up, and its x coordinate is the sine of the time. A frame begins at exactly two seconds.
    let at = project(&ui, DVec3::new(2f64.sin(), 1.0, 0.0));
    move_to(&mut ui, at + vec2(3.0, -3.0));
    let speed = 2f64.cos().abs();
    ui.get_by_label(&format!("Hips at 2.000 s, frame 48: {speed:.3} m/s"));
    move_to(&mut ui, at + vec2(0.0, -30.0));
    assert!(ui.query_by_label_contains("Hips at").is_none());
    move_to(&mut ui, at);
    // A double click must not fit the camera to the selection.
    ui.ctx.options_mut(|options| options.input_options.max_double_click_delay = 10.0);
    for pressed in [true, false, true, false] {
        press_at(&mut ui, at, PointerButton::Primary, pressed);
    }
    assert!((ui.state().transport.time() - 2.0).abs() < 1e-9);
    assert_eq!(ui.state().view.selection, [3, 1]);
    assert!(ui.state().requests.is_empty(), "{:?}", ui.state().requests);
}

#[test]
fn the_card_of_a_trail_dot_has_the_name_of_the_tree() {
    let mut model = walker();
    for node in &mut model.nodes[1..5] {
        node.name = node.name.as_ref().map(|name| format!("mixamorig:{name}"));
    }
    let mut ui = harness(1280.0, 2400.0, 1.0, Window::new(model));
    press(&mut ui, Modifiers::NONE);
    ui.state_mut().view.selection = vec![1];
    ui.run();
    sample(&mut ui);
    let at = project(&ui, DVec3::new(2f64.sin(), 1.0, 0.0));
    move_to(&mut ui, at + vec2(3.0, -3.0));
    let card = ui.get_by_label_contains("mixamorig:Hips at 2.000 s").rect();
    let texts: Vec<_> = painted_texts(&ui).filter(|(text, _)| card.contains(text.pos)).map(|(text, _)| text.galley.text()).collect();
    assert!(texts.contains(&"Hips"), "{texts:?}");
}

#[test]
fn dots_behind_the_body_can_be_hovered_only_if_the_body_has_too_many_vertices_to_test() {
    let told = |vertices: usize| {
        let mut model = walker();
        // Put a wall in front of the trail.
        let mut wall = vec![Vec3::new(-2.0, -2.0, 0.3), Vec3::new(2.0, -2.0, 0.3), Vec3::new(0.0, 4.0, 0.3)];
        wall.resize(vertices, wall[0]);
        Arc::make_mut(&mut model.meshes[0].primitives[0].vertices).positions = wall;
        let mut ui = harness(1280.0, 800.0, 1.0, Window::new(model));
        press(&mut ui, Modifiers::NONE);
        let window = ui.state_mut();
        (window.view.selection, window.view.display.trail.depth) = (vec![1], Depth::Occluded);
        window.transport.head.time = 1.5;
        ui.run();
        sample(&mut ui);
        let at = project(&ui, DVec3::Y);
        move_to(&mut ui, at);
        ui.query_by_label_contains("Hips at 0.000 s").is_some()
    };
    assert!(!told(3));
    assert!(told(20_000));
}

#[test]
fn a_jump_to_a_trail_dot_stays_in_the_pass_of_the_trail() {
    let mut ui = tall();
    press(&mut ui, Modifiers::NONE);
    ui.state_mut().view.layers = vec![Layer { animation: 1, weight: 0.0, ..Layer::default() }];
    ui.state_mut().view.selection = vec![1];
    // The second pass: the clock is 2.75 seconds ahead of the time.
    (ui.state_mut().transport.head.time, ui.state_mut().transport.clock) = (0.5, 3.25);
    ui.run();
    sample(&mut ui);
    click_at_dot(&mut ui);
    let transport = ui.state().transport;
    assert!((transport.time() - 2.0).abs() < 1e-9 && (transport.clock - 4.75).abs() < 1e-9, "{transport:?}");
    // In the backward pass, the playhead has already passed the dot, so the jump sets the clock back.
    let transport = &mut ui.state_mut().transport;
    (transport.head.returning, transport.head.time, transport.clock) = (true, 0.5, 3.25);
    ui.run();
    sample(&mut ui);
    click_at_dot(&mut ui);
    let transport = ui.state().transport;
    assert!((transport.clock - 1.75).abs() < 1e-9 && transport.head.returning, "{transport:?}");
}

/// Clicks at the dot of "Hips" at two seconds.
fn click_at_dot(ui: &mut Ui) {
    let at = project(ui, DVec3::new(2f64.sin(), 1.0, 0.0));
    click_at(ui, at, Modifiers::NONE);
}

#[test]
fn the_nearer_of_joint_and_dot_is_picked_and_the_joint_on_a_tie() {
    let mut ui = tall();
    press(&mut ui, Modifiers::NONE);
    ui.state_mut().view.display.skeleton = true;
    ui.state_mut().view.selection = vec![3];
    ui.state_mut().transport.head.time = 0.5;
    // In this range the node moves in one direction only.
    ui.state_mut().view.range = Some([0.0, 1.0]);
    ui.run();
    sample(&mut ui);
    // "Head" is at the dot of the current frame. The dot of another frame is a few points beside it.
    let head = |time: f64| DVec3::new(time.sin(), 1.9, 0.0);
    let (here, there) = (project(&ui, head(0.5)), project(&ui, head(14.0 / 24.0)));
    let apart = here.distance(there);
    assert!((8.0..60.0).contains(&apart), "{apart}");
    for at in [here, here.lerp(there, 0.2)] {
        move_to(&mut ui, at);
        assert!(ui.query_by_label_contains("Head at").is_none(), "{at:?}");
    }
    click_at(&mut ui, there, Modifiers::NONE);
    assert!((ui.state().transport.time() - 14.0 / 24.0).abs() < 1e-9, "{}", ui.state().transport.time());
    assert_eq!(ui.state().view.selection, [3]);
}

#[test]
fn depth_testing_is_chosen_for_trails_and_joints() {
    let mut ui = tall();
    press(&mut ui, Modifiers::NONE);
    for label in ["Trail depth", "Skeleton depth"] {
        ui.get_by_role_and_label(Role::ComboBox, &format!("{label}: Always on top")).click();
        ui.run();
        click(&mut ui, "Occluded by mesh");
        ui.get_by_role_and_label(Role::ComboBox, &format!("{label}: Occluded by mesh"));
    }
    let display = &ui.state().view.display;
    assert_eq!((display.trail.depth, display.skeleton_depth), (Depth::Occluded, Depth::Occluded));
}

#[test]
fn the_numbers_of_the_onion_skin_are_listed_while_it_is_shown() {
    let mut ui = tall();
    let numbers = ["Ghosts before", "Ghosts after", "Frames between ghosts"];
    assert!(numbers.iter().all(|label| ui.query_by_label(label).is_none()));
    press(&mut ui, Modifiers::SHIFT);
    assert!(ui.state().view.display.ghosts.shown);
    for label in numbers {
        ui.get_by_label(label);
    }
    check(&mut ui, "Onion skin");
    assert!(!ui.state().view.display.ghosts.shown);
}

#[test]
fn a_ghost_in_another_pose_is_chosen_in_the_inspector_and_by_actions() {
    let mut ui = tall();
    let ghosts = |ui: &Ui| (ui.state().view.display.ghosts.shown, ui.state().view.display.ghosts.source);
    press(&mut ui, Modifiers::SHIFT);
    ui.get_by_role_and_label(Role::ComboBox, "Ghost pose: Nearby frames").click();
    ui.run();
    ui.get_by_role_and_label(Role::Button, "Bind pose").click();
    ui.run();
    assert_eq!(ghosts(&ui), (true, GhostSource::Bind));
    assert!(ui.query_by_label("Ghosts before").is_none());
    for (action, expected) in [
        (Action::RestGhost, (true, GhostSource::Rest)),
        (Action::BindGhost, (true, GhostSource::Bind)),
        (Action::BindGhost, (false, GhostSource::Times)),
        (Action::RestGhost, (true, GhostSource::Rest)),
    ] {
        ui.state_mut().perform(action);
        ui.run();
        assert_eq!(ghosts(&ui), expected);
    }
    ui.get_by_role_and_label(Role::ComboBox, "Ghost pose: Rest pose");
}

#[test]
fn deferred_ghosts_are_reported() {
    let mut ui = tall();
    press(&mut ui, Modifiers::SHIFT);
    for (drawn, words) in [(None, None), (Some(2), Some("2 during playback")), (Some(0), Some("Drawn while paused"))] {
        ui.state_mut().state.status.ghosts_drawn = drawn;
        ui.run();
        for label in ["2 during playback", "Drawn while paused"] {
            assert_eq!(ui.query_by_label_contains(label).is_some(), words == Some(label), "{drawn:?}");
        }
    }
}

#[test]
fn the_colors_of_ghosts_are_explained_over_the_picture() {
    let mut ui = tall();
    let legend = |ui: &Ui, words: &str| ui.query_by_label(&format!("Onion skin: {words}")).is_some();
    press(&mut ui, Modifiers::SHIFT);
    assert!(legend(&ui, "before, after, every 4 frames"));
    ui.state_mut().view.display.ghosts.before = 0;
    ui.run();
    assert!(legend(&ui, "after, every 4 frames"));
    // The legend shows the distance between the drawn ghosts, which is limited to 1000 frames.
    ui.state_mut().view.display.ghosts.step = 5000;
    ui.run();
    assert!(legend(&ui, "after, every 1,000 frames"));
    for (source, words) in [(GhostSource::Rest, "rest pose"), (GhostSource::Bind, "bind pose")] {
        ui.state_mut().view.display.ghosts.source = source;
        ui.run();
        assert!(legend(&ui, words));
    }
    ui.state_mut().view.bind_pose = true;
    ui.run();
    assert!(ui.query_by_label_contains("Onion skin: ").is_none(), "there is no onion skin");
    ui.state_mut().view.display.ghosts.source = GhostSource::Rest;
    ui.state_mut().view.display.crowd = 4;
    ui.run();
    ui.get_by_label_contains("First instance only");
}

#[test]
fn legends_are_stacked_in_a_narrow_picture() {
    for (width, beside) in [(1280.0, true), (900.0, false)] {
        let mut window = Window::new(walker());
        (window.state.window.inspector_when_narrow, window.view.selection, window.view.follow) = (true, vec![1], Some(1));
        (window.view.display.trail.shown, window.view.display.ghosts.shown) = (true, true);
        window.view.display.heat_map = HeatMap::Selection;
        let mut ui = harness(width, 700.0, 1.0, window);
        sample(&mut ui);
        let viewport = ui.state().areas.unwrap().viewport;
        assert_eq!(viewport.width() < 400.0, !beside, "{viewport:?}");
        let labels = ["Speed from", "Onion skin: ", "Skin weights of Hips", "Following Hips"];
        let plates = labels.map(|label| ui.get_by_label_contains(label).rect());
        for (i, plate) in plates.iter().enumerate() {
            assert!(viewport.contains_rect(*plate), "{plate:?}");
            assert!(plates[..i].iter().all(|other| !other.intersects(*plate)), "{plates:?}");
        }
        assert_eq!(plates[0].bottom() == plates[1].bottom(), beside);
    }
}
