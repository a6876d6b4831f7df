//! Tests undo and redo of changes to the view.

use sinew::session::view::joint_switches::{self, Column};
use sinew::session::view::layers::Layer;
use sinew::session::view::undo::Undo;
use sinew::session::view::{Repeat, View, ViewCamera};

#[test]
fn undo_reverts_switches_and_display_but_neither_camera_nor_animation() {
    let mut view = View::default();
    let mut undo = Undo::new(&view);
    joint_switches::set(&mut view.switches, 3, Column::Influence, |switch| switch.on = false);
    undo.settle(&view);
    view.display.skeleton = true;
    undo.settle(&view);
    view.camera = ViewCamera::File(1);
    view.animation = Some(4);
    undo.settle(&view);

    undo.undo(&mut view);
    assert!(!view.display.skeleton && !view.switches.is_empty());
    assert_eq!((view.camera, view.animation), (ViewCamera::File(1), Some(4)));
    undo.undo(&mut view);
    assert!(view.switches.is_empty() && undo.next_undo().is_none());
    undo.redo(&mut view);
    undo.redo(&mut view);
    assert!(view.display.skeleton && !view.switches.is_empty() && undo.next_redo().is_none());
}

#[test]
fn undo_reverts_ranges_one_by_one() {
    let mut view = View { range: Some([0.5, 2.0]), ..View::default() };
    let mut undo = Undo::new(&view);
    view.range = Some([1.0, 2.0]);
    undo.settle(&view);
    view.range = None;
    undo.settle(&view);
    for range in [Some([1.0, 2.0]), Some([0.5, 2.0])] {
        undo.undo(&mut view);
        assert_eq!(view.range, range);
    }
    undo.redo(&mut view);
    assert_eq!(view.range, Some([1.0, 2.0]));
}

#[test]
fn selections_in_a_row_are_one_step_and_a_new_choice_ends_redo() {
    let mut view = View::default();
    let mut undo = Undo::new(&view);
    for node in [1, 2, 3] {
        view.selection = vec![node];
        undo.settle(&view);
    }
    undo.undo(&mut view);
    assert!(view.selection.is_empty() && undo.next_undo().is_none());
    view.display.grid = false;
    undo.settle(&view);
    assert!(undo.next_redo().is_none());
}

#[test]
fn undo_reverts_loop_mode_frame_rate_and_cross_fade() {
    let mut view = View::default();
    let mut undo = Undo::new(&view);
    view.repeat = Repeat::Once;
    undo.settle(&view);
    view.rate = Some(12.0);
    undo.settle(&view);
    view.cross_fade = 0.5;
    undo.settle(&view);
    let changed = view.clone();
    for name in ["cross-fade", "frame rate", "loop mode"] {
        assert_eq!(undo.undo(&mut view), Some(name));
    }
    assert_eq!(view, View::default());
    for _ in 0..3 {
        undo.redo(&mut view);
    }
    assert_eq!(view, changed);
}

#[test]
fn a_selection_that_a_click_has_cleared_or_replaced_comes_back() {
    for lost in [vec![], vec![9], vec![1, 3]] {
        let mut view = View::default();
        let mut undo = Undo::new(&view);
        view.display.wireframe = true;
        undo.settle(&view);
        for selection in [vec![1], vec![1, 2], vec![1, 2, 3], lost] {
            view.selection = selection;
            undo.settle(&view);
            undo.settle(&view);
        }
        for selection in [vec![1, 2, 3], vec![]] {
            assert_eq!(undo.undo(&mut view), Some("selection"));
            assert_eq!((&view.selection, view.display.wireframe), (&selection, true));
        }
        assert_eq!(undo.next_undo(), Some("wireframe"));
    }
}

#[test]
fn undo_never_gives_a_range_to_another_animation() {
    let mut view = View { animation: Some(0), ..View::default() };
    let mut undo = Undo::new(&view);
    view.range = Some([0.5, 1.0]);
    undo.settle(&view);
    view.choose_animation(Some(1));
    undo.settle(&view);
    undo.undo(&mut view);
    assert_eq!((view.animation, view.range), (Some(1), None));
}

#[test]
fn undo_reverts_layers() {
    let mut view = View::default();
    let mut undo = Undo::new(&view);
    view.layers.push(Layer::default());
    undo.settle(&view);
    view.layers[0].weight = 0.5;
    view.speed = 2.0;
    undo.settle(&view);
    undo.undo(&mut view);
    assert_eq!((view.layers[0].weight, view.speed), (1.0, 2.0), "the speed is not undone");
    undo.undo(&mut view);
    assert!(view.layers.is_empty());
}

#[test]
fn a_change_of_the_application_is_no_step_and_hides_none() {
    let with_file = |file: Option<&str>| {
        let mut view = View::default();
        view.display.environment.file = file.map(Into::into);
        view
    };
    let mut view = with_file(Some("a.hdr"));
    let mut undo = Undo::new(&view);
    view.display.grid = false;
    undo.settle(&view);
    view.display.environment.file = None;
    undo.settle(&view);
    assert_eq!((undo.undo(&mut view), &view.display.environment.file), (Some("lighting"), &Some("a.hdr".into())));
    // The panorama cannot be read any more, so the studio stays.
    let replace = |view: &mut View| view.display.environment.file = None;
    replace(&mut view);
    undo.amend(replace);
    undo.settle(&view);
    assert_eq!((undo.next_undo(), undo.next_redo()), (Some("grid"), None), "the studio light is no step any more");
    undo.undo(&mut view);
    assert_eq!((undo.next_undo(), undo.next_redo(), view), (None, Some("grid"), with_file(None)));
}

#[test]
fn a_change_of_the_application_leaves_a_choice_that_is_not_settled_yet() {
    let mut view = View::default();
    view.display.crowd = 500;
    let mut undo = Undo::new(&view);
    view.display.crowd = 2;
    undo.settle(&view);
    undo.undo(&mut view);
    // The memory has room for 100 members.
    let limit = |view: &mut View| view.display.crowd = view.display.crowd.min(100);
    limit(&mut view);
    undo.amend(limit);
    undo.settle(&view);
    assert_eq!((view.display.crowd, undo.next_undo(), undo.next_redo()), (100, None, Some("instances")));
    view.display.crowd = 50;
    undo.amend(limit);
    undo.settle(&view);
    assert_eq!((undo.undo(&mut view), view.display.crowd), (Some("instances"), 100));
}
