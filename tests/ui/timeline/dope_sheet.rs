//! Tests the dope sheet: rows, filters, keys.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, pos2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use sinew::model::Model;
use sinew::model::animation::{Animation, Channel, Interpolation, Target};
use sinew::model::node::NodeIndex;
use sinew::session::document::Document;
use sinew::session::pose::solve::Posed;
use sinew::ui::actions::Action;
use sinew::ui::context::preferences::{Snap, TimelineRows};
use sinew::ui::context::request::Request;
use sinew::units::UpAxis;

use crate::common::ui_harness::{Window, harness, walker};
use crate::gestures::{CTRL, Ui, click, click_at, drag, move_to, painted_texts, press, window};

/// Builds a dance of two seconds. The hips move linearly and turn by splines. The head's scale has STEP keys and never changes.
fn dancer() -> Model {
    let quarter = std::f32::consts::FRAC_1_SQRT_2;
    let [none, up] = [[0.0; 4], [0.0, 0.0, 0.0, 1.0]];
    let turned = [0.0, quarter, 0.0, quarter];
    let channel = |source, target, key_times, interpolation, components, output: Vec<f32>| Channel {
        source,
        target,
        key_times,
        interpolation,
        output,
        components,
    };
    let (hips, head) = (NodeIndex(1), NodeIndex(3));
    let turns = [none, up, none, none, turned, none].concat();
    let steps = [0.0, 1.0, 0.0, 0.5, 1.0, 0.0, 1.0, 1.0, 0.25];
    Model {
        animations: vec![Animation {
            name: Some("Dance".into()),
            duration: 2.0,
            key_times: vec![vec![0.0, 0.5, 2.0], vec![0.0, 1.0]],
            channels: vec![
                channel(1, Target::Translation(hips), 0, Interpolation::Linear, 3, steps.to_vec()),
                channel(2, Target::Scale(head), 0, Interpolation::Step, 3, vec![1.0; 9]),
                channel(0, Target::Rotation(hips), 1, Interpolation::CubicSpline, 4, turns),
            ],
        }],
        ..walker()
    }
}

fn open(model: Model) -> Ui {
    harness(1280.0, 800.0, 1.0, Window::new(model))
}

fn rows(window: &Ui) -> Vec<String> {
    let mut rows: Vec<_> =
        window.query_all_by_role(Role::Row).map(|row| (row.rect().top(), row.accesskit_node().label().unwrap_or_default())).collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    rows.into_iter().map(|(_, label)| label).collect()
}

/// Returns the position of a key. The tracks are 14 points shorter than the ruler at both ends.
fn key(window: &Ui, row: &str, time: f32) -> Pos2 {
    let ruler = window.get_by_label("Time ruler").rect();
    let row = window.get_by_role_and_label(Role::Row, row).rect();
    pos2(egui::lerp(ruler.left() + 14.0..=ruler.right() - 14.0, time / 2.0), row.center().y)
}

fn selected_keys(window: &Ui) -> Vec<(usize, Vec<usize>)> {
    let keys = &window.state().state.keys;
    keys.channels().map(|(channel, ranges)| (channel, ranges.iter().cloned().flatten().collect())).collect()
}

const HIPS: &str = "Hips: 2 channels";
const TRANSLATION: &str = "Hips translation: LINEAR, 3 keys";
const ROTATION: &str = "Hips rotation: CUBICSPLINE, 2 keys";
const HEAD: &str = "Head: 1 channel";
const SCALE: &str = "Head scale: STEP, 3 keys, constant";

#[test]
fn animated_nodes_and_their_channels_have_rows_in_tree_order() {
    let window = open(dancer());
    assert_eq!(rows(&window), [HIPS, TRANSLATION, ROTATION, HEAD, SCALE]);
}

#[test]
fn a_node_hides_and_shows_its_channels() {
    let mut window = open(dancer());
    click(&mut window, "Hide channels of Hips");
    assert_eq!(rows(&window), [HIPS, HEAD, SCALE]);
    // With Shift, the channels of all descendants are hidden too.
    window.get_by_label("Show channels of Hips").click_modifiers(Modifiers::SHIFT);
    window.run();
    window.get_by_label("Hide channels of Hips").click_modifiers(Modifiers::SHIFT);
    window.run();
    assert_eq!(rows(&window), [HIPS, HEAD]);
}

#[test]
fn a_search_finds_rows_by_the_name_of_a_node_or_channel() {
    let mut window = open(dancer());
    for (typed, found) in [("hea", vec![HEAD, SCALE]), ("rotat", vec![HIPS, ROTATION]), ("nothing", vec![])] {
        window.state_mut().state.panels.timeline.sheet.search = typed.into();
        window.run();
        assert_eq!(rows(&window), found, "{typed}");
    }
    // Escape clears the search first.
    window.state_mut().perform(Action::CloseOrDeselect);
    window.run();
    assert_eq!(rows(&window).len(), 5);
}

#[test]
fn the_filter_keeps_only_the_rows_of_selected_nodes() {
    let mut window = open(dancer());
    click(&mut window, "Selected only");
    assert!(rows(&window).is_empty());
    window.state_mut().view.selection = vec![3];
    window.run();
    assert_eq!(rows(&window), [HEAD, SCALE]);
}

#[test]
fn a_click_on_a_row_selects_its_node() {
    let mut window = open(dancer());
    for (row, modifiers, selection) in [(SCALE, Modifiers::NONE, vec![3]), (HIPS, CTRL, vec![3, 1]), (HEAD, CTRL, vec![1])] {
        window.get_by_role_and_label(Role::Row, row).click_modifiers(modifiers);
        window.run();
        assert_eq!(window.state().view.selection, selection, "{row}");
    }
}

#[test]
fn a_click_on_a_key_selects_it_and_seeks_exactly_to_its_time() {
    let mut window = open(dancer());
    window.state_mut().transport.head.playing = true;
    // The click is beside the key's center, but within reach.
    let at = key(&window, TRANSLATION, 0.5) + vec2(3.0, 2.0);
    click_at(&mut window, at, Modifiers::NONE);
    assert_eq!(window.state().transport.time(), 0.5);
    assert!(!window.state().transport.is_playing());
    assert_eq!(selected_keys(&window), [(0, vec![1])]);
    assert!(window.query_by_label("1 key selected").is_some());
    let at = key(&window, ROTATION, 1.0);
    click_at(&mut window, at, CTRL);
    assert_eq!(selected_keys(&window), [(0, vec![1]), (2, vec![1])]);
    click_at(&mut window, at, CTRL);
    assert_eq!(selected_keys(&window), [(0, vec![1])]);
    // The row of a node has the keys of both its channels.
    let at = key(&window, HIPS, 0.0);
    click_at(&mut window, at, Modifiers::NONE);
    assert_eq!(selected_keys(&window), [(0, vec![0]), (2, vec![0])]);
    // Shift selects from one key to another.
    for (time, modifiers) in [(0.0, Modifiers::NONE), (2.0, Modifiers::SHIFT)] {
        let at = key(&window, TRANSLATION, time);
        click_at(&mut window, at, modifiers);
    }
    assert_eq!(selected_keys(&window), [(0, vec![0, 1, 2])]);
    window.state_mut().perform(Action::CloseOrDeselect);
    assert!(selected_keys(&window).is_empty());
}

#[test]
fn a_click_on_a_key_leaves_the_bind_pose() {
    let mut window = open(dancer());
    window.state_mut().view.bind_pose = true;
    window.run();
    let at = key(&window, TRANSLATION, 0.5);
    click_at(&mut window, at, Modifiers::NONE);
    assert_eq!((window.state().view.bind_pose, window.state().transport.time()), (false, 0.5));
}

#[test]
fn the_next_key_belongs_to_the_node_of_the_selected_key() {
    let mut window = open(dancer());
    let at = key(&window, SCALE, 0.5);
    click_at(&mut window, at, Modifiers::NONE);
    window.state_mut().perform(Action::NextKey);
    assert_eq!(window.state().transport.time(), 2.0, "the key at 1 s is not the head's");
    window.state_mut().perform(Action::PreviousKey);
    assert_eq!(window.state().transport.time(), 0.5);
}

#[test]
fn hovering_a_key_shows_its_time_frame_and_value() {
    let mut window = open(dancer());
    for (row, time, said) in [
        (TRANSLATION, 0.5, "0.500 s, frame 15\nHips translation, LINEAR\n0.500 1.000 0.000"),
        (ROTATION, 1.0, "1.000 s, frame 30\nHips rotation, CUBICSPLINE\n0.000 0.707 0.000 0.707  (0.0\u{B0} 90.0\u{B0} 0.0\u{B0})"),
        (SCALE, 2.0, "2.000 s, frame 60\nHead scale, STEP\n1.000 1.000 1.000"),
    ] {
        let at = key(&window, row, time);
        window.event(Event::PointerMoved(at));
        window.run_steps(60);
        assert!(window.query_by_label(said).is_some(), "{row}");
    }
}

#[test]
fn the_tooltip_of_a_summary_key_lists_the_first_channels_and_counts_the_others() {
    let mut model = dancer();
    let channels = &mut model.animations[0].channels;
    let translation = channels[0].clone();
    channels.extend((3..10).map(|source| Channel { source, ..translation.clone() }));
    let mut window = open(model);
    // The rotation comes after all translations, and has no key here.
    let at = key(&window, "Hips: 9 channels", 0.5);
    window.event(Event::PointerMoved(at));
    window.run_steps(60);
    let lines = "\nHips translation, LINEAR\n0.500 1.000 0.000".repeat(6);
    let said = format!("0.500 s, frame 15{lines}\nand 2 more");
    assert!(window.query_by_label(&said).is_some(), "{said}");
}

#[test]
fn a_drag_over_the_rows_selects_the_keys_in_its_box() {
    let mut window = open(dancer());
    let (from, to) = (key(&window, TRANSLATION, 0.3), key(&window, ROTATION, 1.2));
    drag(&mut window, PointerButton::Primary, &[from, from.lerp(to, 0.5), to]);
    assert_eq!(selected_keys(&window), [(0, vec![1]), (2, vec![1])]);
    assert_eq!(window.state().transport.time(), 0.0, "the drag does not seek");
    // Drag upwards and to the left.
    let (from, to) = (key(&window, SCALE, 2.0) + vec2(6.0, 4.0), key(&window, SCALE, 0.4));
    drag(&mut window, PointerButton::Primary, &[from, from.lerp(to, 0.5), to]);
    assert_eq!(selected_keys(&window), [(1, vec![1, 2])]);
}

#[test]
fn selected_keys_are_copied_with_time_frame_and_numbers() {
    let mut window = open(dancer());
    let (from, to) = (key(&window, TRANSLATION, 0.3), key(&window, ROTATION, 1.2));
    drag(&mut window, PointerButton::Primary, &[from, from.lerp(to, 0.5), to]);
    let at = key(&window, ROTATION, 1.0);
    move_to(&mut window, at);
    press(&mut window, at, PointerButton::Secondary, true);
    press(&mut window, at, PointerButton::Secondary, false);
    click(&mut window, "Copy 2 keys");
    let quarter = std::f32::consts::FRAC_1_SQRT_2;
    let text = format!(
        "Hips translation LINEAR\nseconds\tframe\tx\ty\tz\n0.5\t15\t0.5\t1\t0\nHips rotation CUBICSPLINE\nseconds\tframe\tx\ty\tz\tw\n1\t30\t0\t{quarter}\t0\t{quarter}\n"
    );
    assert_eq!(window.state().requests, [Request::CopyKeys { text: text.clone(), count: 2 }]);
    // The numbers are those of the file, in any units.
    window.state_mut().requests.clear();
    window.state_mut().state.preferences.units.up = UpAxis::Z;
    window.state_mut().perform(Action::CopyValues);
    let text = text.replace("LINEAR", "LINEAR (y up)").replace("CUBICSPLINE", "CUBICSPLINE (y up)");
    assert_eq!(window.state().requests, [Request::CopyKeys { text, count: 2 }]);
    // The button and the menu of a node copy its transforms, although keys are selected.
    let hips = window.get_by_role_and_label(Role::TreeItem, "Hips").rect().center();
    click_at(&mut window, hips, Modifiers::NONE);
    for role in [Role::Button, Role::MenuItem] {
        window.state_mut().requests.clear();
        if role == Role::MenuItem {
            press(&mut window, hips, PointerButton::Secondary, true);
            press(&mut window, hips, PointerButton::Secondary, false);
        } else {
            window.get_by_role_and_label(role, "Copy transforms").scroll_to_me();
            window.run();
        }
        window.get_by_role_and_label(role, "Copy transforms").click();
        window.run();
        let [Request::CopyText(text)] = &window.state().requests[..] else { panic!("{:?}", window.state().requests) };
        assert!(text.starts_with("Hips (node "), "{text}");
    }
}

/// Builds the dancer as a later export may have it. There is one more animation, channel and key, and the hips and the head have exchanged
/// indices.
fn exported_anew() -> Model {
    let mut model = dancer();
    let (hips, head) = (model.nodes[1].name.take(), model.nodes[3].name.take());
    (model.nodes[1].name, model.nodes[3].name) = (head, hips);
    let dance = &mut model.animations[0];
    for channel in &mut dance.channels {
        channel.target = match channel.target {
            Target::Translation(_) => Target::Translation(NodeIndex(3)),
            Target::Rotation(_) => Target::Rotation(NodeIndex(3)),
            _ => Target::Scale(NodeIndex(1)),
        };
        if channel.key_times == 0 {
            channel.output.extend([1.0; 3]);
        }
    }
    dance.key_times[0].insert(1, 0.25);
    dance.channels.insert(0, Channel { target: Target::Translation(NodeIndex(0)), ..dance.channels[0].clone() });
    model.animations.insert(0, walker().animations[0].clone());
    model
}

fn reload(window: &mut Ui, model: Model, path: &str) {
    let state = window.state_mut();
    state.view.animation = model.animations.iter().position(|animation| animation.name.as_deref() == Some("Dance"));
    state.posed = Posed::new(&model);
    state.open(Document::new(Arc::new(model), "dancer.glb".into(), Some(path.into())));
    window.run();
}

#[test]
fn selected_keys_stay_selected_after_a_reload() {
    let mut window = open(dancer());
    for (row, time, modifiers) in [(TRANSLATION, 0.5, Modifiers::NONE), (SCALE, 2.0, CTRL)] {
        let at = key(&window, row, time);
        click_at(&mut window, at, modifiers);
    }
    assert_eq!(selected_keys(&window), [(0, vec![1]), (1, vec![2])]);
    reload(&mut window, exported_anew(), "/models/walker.glb");
    assert_eq!(selected_keys(&window), [(1, vec![2]), (2, vec![3])]);
    reload(&mut window, dancer(), "/models/walker.glb");
    assert_eq!(selected_keys(&window), [(0, vec![1]), (1, vec![2])]);
    reload(&mut window, dancer(), "/models/other.glb");
    assert!(selected_keys(&window).is_empty());
}

#[test]
fn collapsed_rows_stay_collapsed_only_in_the_same_file() {
    let mut window = open(dancer());
    click(&mut window, "Hide channels of Hips");
    // In the new file, the hips have the index that the head had.
    reload(&mut window, exported_anew(), "/models/walker.glb");
    let shown = rows(&window);
    assert!(shown.contains(&HIPS.to_owned()) && !shown.iter().any(|row| row.starts_with("Hips ")), "{shown:?}");
    assert!(shown.iter().any(|row| row.starts_with("Head scale")), "{shown:?}");
    reload(&mut window, dancer(), "/models/other.glb");
    assert_eq!(rows(&window).len(), 5);
}

#[test]
fn another_animation_has_no_selected_keys() {
    let mut model = dancer();
    model.animations.extend(walker().animations);
    let mut window = open(model);
    let at = key(&window, TRANSLATION, 0.5);
    click_at(&mut window, at, Modifiers::NONE);
    window.state_mut().perform(Action::NextAnimation);
    window.run();
    assert!(selected_keys(&window).is_empty());
    assert_eq!(rows(&window)[0], "Hips: 1 channel");
}

#[test]
fn arrow_keys_walk_collapse_and_expand_the_rows() {
    let mut window = open(dancer());
    window.get_by_role_and_label(Role::Row, TRANSLATION).click();
    window.run();
    assert!(window.state().state.window.list_focused);
    let walk = |window: &mut Ui, key| {
        window.key_press(key);
        window.run();
    };
    for key in [Key::ArrowDown, Key::ArrowDown] {
        walk(&mut window, key);
    }
    assert_eq!(window.state().view.selection, [3]);
    walk(&mut window, Key::ArrowLeft);
    assert_eq!(rows(&window), [HIPS, TRANSLATION, ROTATION, HEAD]);
    walk(&mut window, Key::ArrowRight);
    assert_eq!(rows(&window).len(), 5);
    // Go from a channel to its node.
    for key in [Key::ArrowUp, Key::ArrowLeft, Key::ArrowLeft] {
        walk(&mut window, key);
    }
    assert_eq!(rows(&window), [HIPS, HEAD, SCALE]);
}

#[test]
fn the_sheet_scrolls_to_a_node_that_is_selected_elsewhere() {
    let mut model = dancer();
    let channel = model.animations[0].channels[0].clone();
    let targets = (0..7).flat_map(|node| [Target::Translation(NodeIndex(node)), Target::Scale(NodeIndex(node))]);
    model.animations[0].channels = targets.map(|target| Channel { target, ..channel.clone() }).collect();
    let mut window = open(model);
    assert!(!rows(&window).iter().any(|row| row.starts_with("Camera")), "{:?}", rows(&window));
    window.state_mut().view.selection = vec![6];
    window.run();
    assert!(rows(&window).contains(&"Camera: 2 channels".to_owned()), "{:?}", rows(&window));
}

#[test]
fn the_action_of_key_c_cycles_through_dope_sheet_curves_and_no_rows() {
    let mut window = window();
    let with_rows = window.state().areas.expect("areas").viewport.height();
    for rows in [TimelineRows::Curves, TimelineRows::None, TimelineRows::DopeSheet] {
        window.state_mut().perform(Action::TimelineRows);
        window.run();
        assert_eq!(window.state().state.preferences.timeline_rows, rows);
        let height = window.state().areas.expect("areas").viewport.height();
        assert_eq!(height - with_rows, if rows == TimelineRows::None { 190.0 } else { 0.0 });
    }
}

#[test]
fn the_timeline_has_less_height_in_a_low_window_and_without_animations() {
    let timeline = |window: &Ui| {
        let areas = window.state().areas.expect("areas");
        areas.status.top() - areas.viewport.bottom()
    };
    assert_eq!(timeline(&harness(1280.0, 720.0, 1.0, Window::new(dancer()))), 260.0);
    assert_eq!(timeline(&harness(1280.0, 600.0, 1.0, Window::new(dancer()))), 140.0);
    let still = Model { animations: Vec::new(), ..walker() };
    assert_eq!(timeline(&harness(1280.0, 720.0, 1.0, Window::new(still))), 36.0);
}

#[test]
fn a_scrub_snaps_as_chosen_and_ctrl_inverts_it() {
    let mut window = open(dancer());
    for (snap, modifiers, from, to) in [
        (Snap::Frames, Modifiers::NONE, 0.61, 0.6),
        (Snap::Frames, CTRL, 0.61, 0.61),
        (Snap::Keys, Modifiers::NONE, 0.61, 0.5),
        (Snap::Keys, CTRL, 0.61, 0.61),
        (Snap::Nothing, Modifiers::NONE, 0.61, 0.61),
        (Snap::Nothing, CTRL, 0.61, 0.6),
    ] {
        window.state_mut().state.preferences.snap = snap;
        let y = window.get_by_label("Time ruler").rect().center().y;
        let at = pos2(key(&window, HIPS, from).x, y);
        click_at(&mut window, at, modifiers);
        let time = window.state().transport.time();
        assert!((time - to).abs() < 2e-3, "{snap:?}, {modifiers:?}: {time}");
    }
    // The head has no key at 1 s.
    window.state_mut().state.preferences.snap = Snap::Keys;
    window.state_mut().view.selection = vec![3];
    let at = pos2(key(&window, HIPS, 1.1).x, window.get_by_label("Time ruler").rect().center().y);
    click_at(&mut window, at, Modifiers::NONE);
    assert_eq!(window.state().transport.time(), 0.5);
}

#[test]
fn fitting_the_timeline_alternates_between_the_range_and_the_whole_animation() {
    let mut window = open(dancer());
    window.state_mut().view.range = Some([0.5, 1.0]);
    let left = |window: &mut Ui| {
        let ruler = window.get_by_label("Time ruler").rect();
        click_at(window, pos2(ruler.left() + 14.0, ruler.center().y), CTRL);
        window.state().transport.time()
    };
    for start in [0.5, 0.0] {
        window.state_mut().perform(Action::FitTimeline);
        window.run();
        assert!((left(&mut window) - start).abs() < 1e-6);
    }
}

#[test]
fn an_animation_with_keys_only_at_0_has_rows() {
    let mut model = dancer();
    let animation = &mut model.animations[0];
    animation.duration = 0.0;
    animation.key_times = vec![vec![0.0]];
    animation.channels.truncate(1);
    animation.channels[0].output = vec![1.0, 2.0, 3.0];
    let window = open(model);
    assert_eq!(rows(&window), ["Hips: 1 channel", "Hips translation: LINEAR, 1 key, constant"]);
}

#[test]
fn a_sheet_without_rows_after_filtering_offers_to_show_all() {
    let mut window = open(dancer());
    let all = rows(&window);
    assert!(window.query_by_label("Show all").is_none());
    click(&mut window, "Selected only");
    assert!(rows(&window).is_empty());
    click(&mut window, "Show all");
    assert_eq!(rows(&window), all);
    window.get_by_role_and_label(Role::TextInput, "Search rows").focus();
    window.run();
    window.event(Event::Text("nothing like it".into()));
    window.run();
    assert!(rows(&window).is_empty());
    click(&mut window, "Show all");
    assert_eq!(rows(&window), all);
}

#[test]
fn a_narrow_search_field_has_a_short_hint() {
    let mut window = harness(1280.0, 720.0, 1.0, Window::new(walker()));
    window.state_mut().state.preferences.timeline_rows = TimelineRows::DopeSheet;
    for (names_width, hint) in [(300.0, "Search rows"), (160.0, "Search")] {
        window.state_mut().state.preferences.names_width = names_width;
        window.run();
        let field = window.get_by_role_and_label(Role::TextInput, "Search rows").rect();
        let hints = painted_texts(&window).filter(|(text, _)| field.contains(text.visual_bounding_rect().center()));
        let hints: Vec<_> = hints.map(|(text, _)| text.galley.text().to_owned()).filter(|text| text.starts_with("Se")).collect();
        assert_eq!(hints, [hint], "{field:?}");
    }
}

#[test]
fn the_search_of_rows_is_left_out_where_it_does_not_fit() {
    for (size, is_shown) in [([1280.0, 720.0], true), ([480.0, 360.0], false)] {
        let mut window = harness(size[0], size[1], 1.0, Window::new(walker()));
        window.state_mut().state.preferences.timeline_rows = TimelineRows::DopeSheet;
        window.run();
        let panel = window.get_by_label("Name column width").rect();
        let search = window.query_by_role_and_label(Role::TextInput, "Search rows").map(|node| node.rect());
        assert_eq!(search.is_some(), is_shown, "{size:?}: {search:?}, {panel:?}");
        window.get_by_label("Selected only");
        // A search that hides rows can be cleared.
        window.state_mut().state.panels.timeline.sheet.search = "Foot".into();
        window.run();
        window.get_by_role_and_label(Role::TextInput, "Search rows");
    }
}
