//! Tests the comparison in the panels: the inspector's section, the lane of the timeline, and the halves of the viewport.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::epaint::{Primitive, TextShape};
use egui::{Modifiers, MouseWheelUnit, PointerButton, Rect, vec2};
use egui_kittest::kittest::{By, Queryable};
use glam::DVec2;
use sinew::captions::legends::{Legends, comparison, heat_map};
use sinew::compare::counterpart::CompareView;
use sinew::compare::vertices::VertexErrors;
use sinew::model::Model;
use sinew::model::animation::Animation;
use sinew::model::material::Material;
use sinew::model::node::NodeIndex;
use sinew::session::document::Document;
use sinew::session::view::ViewCamera;
use sinew::session::view::selection::SelectMode;
use sinew::ui::actions::Action;
use sinew::ui::command_palette::entry::{self, Entry};
use sinew::ui::context::comparison::{OtherAnimation, OtherMenu, PickTarget};
use sinew::ui::context::preferences::Navigation;
use sinew::ui::context::request::Request;
use sinew::ui::context::window_state::RevealedSection;
use sinew::ui::style::theme;

use crate::common::gltf_builder::hopper;
use crate::common::hand_made;
use crate::common::ui_harness::{Window, harness, walker};
use crate::gestures::{Ui, click, click_at, drag, move_to, painted_texts, press, project, selected, source, wheel};

/// Opens a model beside another one, in a window high enough for the whole inspector.
fn open(a: Model, b: Model) -> Ui {
    open_in([1280.0, 2800.0, 1.0], ["walker.glb", "other.glb"], [a, b])
}

/// Opens a model beside another one, in a window of this width and height in points and this scale.
fn open_in([width, height, scale]: [f32; 3], side_names: [&str; 2], [a, b]: [Model; 2]) -> Ui {
    let mut window = Window::new(a);
    window.compare_with(b, side_names);
    harness(width, height, scale, window)
}

#[test]
fn a_click_on_a_joint_selects_it_and_goes_to_its_worst_moment() {
    let mut ui = open(hopper(0.0), hopper(0.25));
    ui.get_by_label_contains("Largest joint distance: 25.0 cm");
    ui.get_by_label("Matched nodes: 5");
    // The bind pose does not show the distance.
    ui.state_mut().view.bind_pose = true;
    ui.run();
    click(&mut ui, "Foot: 25.0 cm, 0\u{b0}");
    assert_eq!((selected(&ui), ui.state().view.bind_pose), (vec!["Foot".to_owned()], false));
    // After 1.5 s, the foot of B lands 25 cm beside the foot of A.
    assert!((ui.state().transport.time() - 1.5).abs() < 1e-9 && !ui.state().transport.is_playing());
    ui.get_by_label("Joint distance to B: 25.0 cm now, max 25.0 cm");
}

#[test]
fn an_animation_of_b_can_be_chosen_although_none_matches() {
    let mut other = walker();
    other.animations.truncate(1);
    other.animations[0].name = Some("Run".into());
    let mut ui = open(walker(), other);
    ui.state_mut().view.animation = Some(1);
    ui.run();
    ui.get_by_label("B has no matching animation, so it stays in its rest pose.");
    ui.get_by_role_and_label(Role::CheckBox, "Stretch B");
    ui.get_by_role_and_label(Role::SpinButton, "Offset of B");
    click(&mut ui, "Animation of B: None");
    click(&mut ui, "Run");
    let choices = ui.state().comparison.as_ref().unwrap().choices;
    assert_eq!(choices.animation, OtherAnimation::Chosen(0));
    ui.get_by_label("Animation of B: Run");
    assert!(ui.query_by_label_contains("B has no matching animation").is_none());
}

#[test]
fn the_inspector_shows_the_whole_names_of_both_sides() {
    let ui = open_in([1280.0, 2800.0, 1.0], ["A: walker.glb", "B: B: other.glb"], [walker(), walker()]);
    ui.get_by_label("A: A: walker.glb");
    ui.get_by_label("B: B: B: other.glb");
}

#[test]
fn the_layouts_of_the_comparison_fit_a_narrow_inspector() {
    let mut ui = open_in([640.0, 480.0, 1.0], ["walker.glb", "other.glb"], [walker(), walker()]);
    ui.state_mut().state.preferences.inspector_width = 240.0;
    ui.state_mut().perform(Action::Inspector);
    ui.run_steps(10);
    let inspector = ui.state().areas.unwrap().inspector.expect("an open inspector");
    for layout in ["Side by side", "Overlay", "Difference"] {
        let button =
            ui.get_all_by_role_and_label(Role::Button, layout).map(|button| button.rect()).find(|rect| inspector.intersects(*rect));
        assert!(button.is_some_and(|button| button.right() <= inspector.right()), "{layout}: {button:?} in {inspector:?}");
    }
}

#[test]
fn a_new_comparison_scrolls_the_inspector_to_its_numbers() {
    let mut ui = open_in([1280.0, 700.0, 1.0], ["walker.glb", "other.glb"], [walker(), walker()]);
    let inspector = ui.state().areas.unwrap().inspector.unwrap();
    let top = |ui: &Ui| ui.query_by_label("Comparison").map(|node| node.rect().top());
    let before = top(&ui).expect("the section");
    move_to(&mut ui, inspector.center());
    ui.event(wheel(MouseWheelUnit::Point, vec2(0.0, -900.0), Modifiers::NONE));
    ui.run_steps(20);
    assert!(top(&ui).is_none_or(|top| top < inspector.top() - 100.0));
    ui.state_mut().state.window.revealed_section = Some(RevealedSection::Comparison);
    ui.run_steps(20);
    assert!((top(&ui).expect("the section") - before).abs() < 24.0, "{:?}", top(&ui));
}

#[test]
fn a_joint_of_the_comparison_has_one_tooltip() {
    let mut walking = walker();
    walking.animations[0] = walking.animations[1].clone();
    let mut ui = open(walker(), walking);
    let row = ui.query_all(By::new().predicate(|node| node.role() == Role::Button)).map(|node| node.rect());
    let inspector = ui.state().areas.unwrap().inspector.unwrap();
    let at = row.filter(|rect| inspector.contains_rect(*rect) && rect.width() > 200.0).min_by(|a, b| a.top().total_cmp(&b.top())).unwrap();
    ui.hover_at(at.center());
    ui.run_steps(60);
    assert_eq!(ui.query_all_by_label_contains("largest at").count(), 1);
}

#[test]
fn a_click_on_the_largest_vertex_distance_selects_its_node_and_goes_to_its_time() {
    let mut ui = open(hopper(0.0), hopper(0.25));
    let node = NodeIndex(ui.state().document.model.nodes.iter().position(|node| node.name.as_deref() == Some("Head")).unwrap() as u32);
    let errors =
        VertexErrors { distance_max: 0.125, distance_mean: 0.1, node, primitive: 0, vertex: 7, time: 0.75, compared: 8, skipped: 0 };
    let status = ui.state_mut().comparison.as_mut().unwrap();
    Arc::get_mut(status.found.as_mut().unwrap()).unwrap().vertices = Some(errors);
    ui.run();
    click(&mut ui, "Largest vertex distance: 12.5 cm");
    assert_eq!(selected(&ui), ["Head"]);
    assert!((ui.state().transport.time() - 0.75).abs() < 1e-9 && !ui.state().transport.is_playing());
}

#[test]
fn a_click_on_the_half_of_b_requests_the_counterpart_of_the_node_under_the_pointer() {
    let mut ui = open(hopper(0.0), hopper(0.25));
    let half = ui.state().areas.unwrap().other.unwrap();
    let at = half.min + vec2(100.0, 300.0);
    click_at(&mut ui, at, Modifiers::NONE);
    let [Request::PickOther(pick)] = ui.state().requests[..] else { panic!("{:?}", ui.state().requests) };
    let point = DVec2::new(100.0, 300.0);
    assert_eq!((pick.target, pick.has_joints), (PickTarget::Point { point, mode: SelectMode::Only, is_repeated: false }, true));
    assert_eq!(pick.projection.size, DVec2::new(half.width().into(), half.height().into()));
    assert!(ui.state().view.selection.is_empty());
    click_at(&mut ui, at, Modifiers::NONE);
    let Some(Request::PickOther(again)) = ui.state().requests.last() else { panic!("{:?}", ui.state().requests) };
    assert_eq!(again.target, PickTarget::Point { point, mode: SelectMode::Only, is_repeated: true });
}

#[test]
fn a_box_on_the_half_of_b_requests_the_counterparts_of_the_nodes_in_it() {
    let mut ui = open(hopper(0.0), hopper(0.25));
    ui.state_mut().state.preferences.navigation = Navigation::Blender;
    let half = ui.state().areas.unwrap().other.unwrap();
    let (from, to) = (half.min + vec2(50.0, 60.0), half.min + vec2(250.0, 360.0));
    drag(&mut ui, PointerButton::Primary, &[to, half.center(), from]);
    let [Request::PickOther(pick)] = ui.state().requests[..] else { panic!("{:?}", ui.state().requests) };
    let corners = [DVec2::new(50.0, 60.0), DVec2::new(250.0, 360.0)];
    assert_eq!(pick.target, PickTarget::Box { corners, mode: SelectMode::Only });
    assert_eq!(ui.state().view.camera, ViewCamera::Fit);
}

#[test]
fn the_context_menu_of_b_is_that_of_the_counterpart() {
    let mut ui = open(hopper(0.0), hopper(0.25));
    let at = ui.state().areas.unwrap().other.unwrap().center();
    let open_menu = |ui: &mut Ui| {
        move_to(ui, at);
        press(ui, at, PointerButton::Secondary, true);
        press(ui, at, PointerButton::Secondary, false);
    };
    open_menu(&mut ui);
    let Some(Request::PickOther(pick)) = ui.state().requests.last() else { panic!("{:?}", ui.state().requests) };
    assert!(matches!(pick.target, PickTarget::Menu { .. }), "{pick:?}");
    ui.get_by_label("Finding the counterpart...");
    // Answer as the application does.
    let foot = source(&ui, "Foot");
    ui.state_mut().view.selection = vec![foot];
    ui.state_mut().state.window.other_menu = OtherMenu::Counterparts(vec![foot]);
    ui.run();
    ui.get_by_label("Counterparts in A");
    ui.get_by_label("Copy path");
    // The menu has grown with its contents.
    let is_seen =
        |(text, clip): (&TextShape, Rect)| text.galley.text() == "Copy path" && clip.contains(text.visual_bounding_rect().center());
    assert!(painted_texts(&ui).any(is_seen));
    ui.state_mut().state.window.other_menu = OtherMenu::OnlyInB("Tail".to_owned());
    ui.run();
    ui.get_by_label("Tail has no counterpart in A");
    assert!(ui.query_by_label("Copy path").is_none());
}

#[test]
fn a_click_that_misses_model_a_hits_the_ghost_of_b() {
    let mut ui = open(hopper(0.0), hopper(0.25));
    click(&mut ui, "Overlay");
    ui.state_mut().perform(Action::Skeleton);
    ui.run();
    let viewport = ui.state().areas.unwrap().viewport;
    click_at(&mut ui, viewport.min + vec2(20.0, 20.0), Modifiers::NONE);
    let [Request::PickOther(pick)] = ui.state().requests[..] else { panic!("{:?}", ui.state().requests) };
    assert!(!pick.has_joints && matches!(pick.target, PickTarget::Point { mode: SelectMode::Only, .. }));
    // A joint of A is picked before the ghost of B.
    let head = ui.state().document.model.node_from_source(source(&ui, "Head")).unwrap();
    let at = project(&ui, ui.state().posed.globals[head.index()].translation);
    click_at(&mut ui, at, Modifiers::NONE);
    assert_eq!((selected(&ui), ui.state().requests.len()), (vec!["Head".to_owned()], 1));
}

#[test]
fn the_playing_animation_is_compared_with_the_next_one_and_the_last_with_the_first() {
    let mut ui = harness(1280.0, 800.0, 1.0, Window::new(walker()));
    ui.state_mut().perform(Action::CompareAnimation);
    assert_eq!(ui.state().requests, [Request::CompareAnimation(1)]);
    ui.state_mut().view.animation = Some(1);
    ui.state_mut().perform(Action::CompareAnimation);
    assert_eq!(ui.state().requests[1..], [Request::CompareAnimation(0)]);
    ui.state_mut().view.animation = None;
    let reason = ui.state_mut().perform_if_available(Action::CompareAnimation);
    assert_eq!(reason.as_deref(), Some("Compare with another animation: No animation is playing"));
}

#[test]
fn both_halves_are_equally_wide_and_other_views_use_the_whole_viewport() {
    // Windows of even and odd width, at several scales.
    for [width, scale] in [[1280.0, 1.0], [1281.0, 1.0], [1280.0, 2.0], [1280.5, 2.0], [1280.0, 1.25]] {
        let mut ui = open_in([width, 800.0, scale], ["a", "b"], [hopper(0.0), hopper(0.25)]);
        let areas = ui.state().areas.unwrap();
        let other = areas.other.unwrap();
        assert!((areas.viewport.size() - other.size()).abs().max_elem() < 1e-3, "{areas:?}");
        let gap = (other.left() - areas.viewport.right()) * scale;
        assert!((0.9..2.1).contains(&gap), "{gap} pixels between {areas:?}");
        ui.state_mut().perform(Action::CompareOverlay);
        ui.run();
        let whole = ui.state().areas.unwrap().viewport;
        assert_eq!((areas.viewport.left(), other.right()), (whole.left(), whole.right()), "{width} x {scale}");
    }
    let mut ui = open(hopper(0.0), hopper(0.25));
    for (button, layout) in [("Overlay", CompareView::Overlay), ("Difference", CompareView::Difference)] {
        click(&mut ui, button);
        let status = ui.state().comparison.clone().unwrap();
        assert_eq!((status.choices.layout, ui.state().areas.unwrap().other), (layout, None));
    }
    click(&mut ui, "Side by side");
    assert!(ui.state().areas.unwrap().other.is_some());
    let version = Document::new(Arc::new(hopper(0.5)), "other.glb".into(), None);
    let found = ui.state().comparison.as_ref().unwrap().found.clone();
    for (found, is_split) in [(found, true), (None, false)] {
        ui.state_mut().comparison.as_mut().unwrap().replace_other(&version, found);
        ui.run();
        assert_eq!(ui.state().areas.unwrap().other.is_some(), is_split, "a version of B has no pose before it is compared");
    }
}

#[test]
fn the_palette_finds_the_views_of_a_comparison_first() {
    let mut ui = open(hopper(0.0), hopper(0.25));
    let views = [
        ("side by side", Action::CompareSide),
        ("overlay", Action::CompareOverlay),
        ("difference", Action::CompareDifference),
        ("binding report", Action::BindingReport),
    ];
    for (words, action) in views {
        let found = entry::find(words, &[], &ui.state_mut().context());
        assert_eq!(found.first(), Some(&Entry::Action(action)), "{words}");
    }
}

#[test]
fn titles_keep_clear_of_the_axes_at_any_size() {
    let long = "the-baked-walk-of-the-large-dragon-without-its-wings.glb";
    let sizes =
        [[450.0, 300.0, 2.0], [640.0, 480.0, 1.0], [900.0, 600.0, 1.0], [900.0, 600.0, 2.0], [1280.0, 800.0, 1.0], [1920.0, 1080.0, 1.0]];
    for (size, name) in sizes.into_iter().flat_map(|size| ["fox.glb", long].map(|name| (size, name))) {
        let mut ui = open_in(size, [name, "other.glb"], [hopper(0.0), hopper(0.25)]);
        for layout in [Action::CompareSide, Action::CompareOverlay, Action::CompareDifference] {
            ui.state_mut().perform(layout);
            ui.run();
            let label = match layout {
                Action::CompareSide => format!("A: {name}"),
                Action::CompareOverlay => "B: other.glb as a ghost".to_owned(),
                _ => "Distance to B: other.glb".to_owned(),
            };
            let legend = ui.get_by_label(&format!("Comparison: {label}")).rect();
            assert!(ui.state().areas.unwrap().viewport.contains_rect(legend), "{size:?}: {legend:?}");
            for side in ["Front", "Right", "Top", "Back", "Left", "Bottom"] {
                // A viewport that is too small for the axes has none.
                let Some(ball) = ui.query_by_label(&format!("{side} view")).map(|ball| ball.rect()) else {
                    assert!(size[0] < 640.0, "{size:?}: no axes");
                    continue;
                };
                assert!(!ball.intersects(legend), "{size:?} {label}: {ball:?} covers {legend:?}");
            }
        }
    }
}

/// Opens a skinned box beside itself, with the weights of its tip shown.
fn weighted_boxes(size: [f32; 3]) -> Ui {
    let mut ui = open_in(size, ["box.glb", "the-box-of-the-last-export.glb"], [hand_made::bending_box(), hand_made::bending_box()]);
    let tip = source(&ui, "Tip");
    ui.state_mut().view.selection = vec![tip];
    ui.state_mut().perform(Action::Weights);
    ui.run();
    ui
}

#[test]
fn the_legend_of_weights_and_the_title_of_a_comparison_do_not_cover_each_other() {
    for size in [[900.0, 600.0, 1.0], [900.0, 600.0, 2.0], [1280.0, 800.0, 1.0], [1920.0, 1080.0, 1.0]] {
        let mut ui = weighted_boxes(size);
        for layout in [Action::CompareSide, Action::CompareOverlay] {
            ui.state_mut().perform(layout);
            ui.run();
            let title = ui.get_all_by_label_contains("Comparison: ").next().expect("a title").rect();
            let Some(weights) = ui.query_by_label("Skin weights of Tip").map(|legend| legend.rect()) else {
                assert!(size[0] < 1000.0 && layout == Action::CompareSide, "{size:?}: no legend");
                continue;
            };
            assert!(!weights.intersects(title), "{size:?} {layout:?}: {weights:?} covers {title:?}");
            assert!(ui.state().areas.unwrap().viewport.contains_rect(weights));
        }
        ui.state_mut().perform(Action::CompareDifference);
        ui.run();
        assert!(ui.query_by_label_contains("Skin weights of").is_none(), "the colors stand for distances");
    }
}

#[test]
fn in_exported_pictures_the_legend_of_weights_is_below_the_title_of_a_comparison() {
    let ui = weighted_boxes([900.0, 600.0, 1.0]);
    let painter = ui.ctx.layer_painter(egui::LayerId::background());
    let colors = theme::picture_colors(&ui.ctx);
    let title = comparison::Legend { title: "B: the-box-of-the-last-export.glb as a ghost".to_owned(), swatch: None, scale: None };
    let weights = heat_map::Legend { title: "Skin weights of Tip".to_owned(), has_scale: true };
    for (width, is_lower) in [(440.0, true), (1600.0, false)] {
        let picture = Rect::from_min_size(egui::Pos2::ZERO, vec2(width, 340.0));
        let frame = comparison::paint(&painter, colors, picture, &title);
        let legends = Legends { heat_map: Some(weights.clone()), comparison: Some(title.clone()), ..Legends::default() };
        let weights = legends.paint(&painter, colors, picture, None).heat_map.expect("a legend");
        assert!(!weights.intersects(frame), "{weights:?} covers {frame:?}");
        assert_eq!(weights.top() > frame.bottom(), is_lower, "{weights:?} {frame:?}");
    }
}

#[test]
fn comparing_is_stopped_by_its_button_and_not_by_escape() {
    let mut ui = open(hopper(0.0), hopper(0.0));
    ui.get_by_label("All joints move alike.");
    ui.state_mut().perform(Action::CloseOrDeselect);
    ui.run();
    assert!(ui.state().comparison.is_some() && ui.state().requests.is_empty());
    click(&mut ui, "Stop comparing");
    assert_eq!(ui.state().requests, [Request::StopComparing]);
}

#[test]
fn all_that_is_drawn_has_a_position() {
    for moved in [0.0, 0.25] {
        let mut ui = open(hopper(0.0), hopper(moved));
        for layout in [CompareView::Side, CompareView::Overlay, CompareView::Difference] {
            ui.state_mut().comparison.as_mut().unwrap().choices.layout = layout;
            ui.run();
            for shape in &ui.output().shapes {
                for primitive in ui.ctx.tessellate(vec![shape.clone()], 1.0) {
                    let Primitive::Mesh(mesh) = primitive.primitive else { continue };
                    assert!(mesh.vertices.iter().all(|vertex| vertex.pos.is_finite()), "{shape:?}");
                }
            }
        }
    }
}

#[test]
fn files_without_common_nodes_are_not_comparable() {
    // Files with equally many nodes would be matched by the indices of the nodes.
    let mut other = walker();
    for (i, node) in other.nodes.iter_mut().enumerate() {
        node.name = Some(format!("Stranger {i}"));
    }
    let ui = open(hopper(0.0), other);
    ui.get_by_label("Matched nodes: 0");
    ui.get_by_label("Largest joint distance: not comparable");
    ui.get_by_label("Largest joint angle: not comparable");
    let lane = ui.get_by_label("Joint distance to B: not comparable").rect();
    let warning = sinew::ui::style::theme::palette(&ui.ctx).warning;
    let is_curve = |shape: &egui::epaint::ClippedShape| match &shape.shape {
        egui::Shape::Path(path) => {
            path.stroke.color == egui::epaint::ColorMode::Solid(warning) && lane.intersects(path.visual_bounding_rect())
        }
        _ => false,
    };
    assert!(!ui.output().shapes.iter().any(is_curve), "a flat curve would mean that nothing differs");
}

#[test]
fn differences_that_are_not_listed_are_counted_with_their_kind() {
    let mut other = walker();
    other.materials = vec![Material::default(); 30];
    let ui = open(walker(), other.clone());
    ui.get_by_label("Other differences (30):");
    ui.get_by_label("and 10 more (MATERIAL_ONLY_IN_B)");
    // The panel shows 40 entries. The last material and the entry for 10 more follow.
    let animation = other.animations[0].clone();
    other.animations.extend((0..30).map(|i| Animation { name: Some(format!("Extra {i}")), ..animation.clone() }));
    let ui = open(walker(), other);
    ui.get_by_label("Other differences (60):");
    ui.get_by_label("and 10 more (ANIMATION_ONLY_IN_B)");
    assert!(ui.query_by_label("and 10 more (MATERIAL_ONLY_IN_B)").is_none());
    ui.get_by_label("and 11 more; sinew diff lists up to 20 of each kind");
}

#[test]
fn a_comparison_that_cannot_be_measured_says_so() {
    let mut ui = open(walker(), walker());
    for (is_measuring, note) in [(true, "Measuring..."), (false, "This comparison cannot be measured.")] {
        let status = ui.state_mut().comparison.as_mut().unwrap();
        (status.found, status.is_measuring) = (None, is_measuring);
        ui.run_steps(2);
        assert!(ui.query_by_label(note).is_some(), "{note}");
    }
}
