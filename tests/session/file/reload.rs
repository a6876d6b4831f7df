//! Tests files that change on disk: when they are read again, and which parts of the view are kept.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;
use sinew::asset::file::stamp::{SourceFile, Stamp};
use sinew::asset::{self, LoadOptions};
use sinew::model::finding::{Finding, Severity};
use sinew::model::node::NodeIndex;
use sinew::model::{AnimationFile, Model, Scene};
use sinew::session::file::reload_policy::{REPORT_DELAY, RETRY_DELAY, Reload, SETTLE_DELAY, Step, lost_images};
use sinew::session::file::remap::{ViewRemap, is_same, remap_and_restore, remap_view};
use sinew::session::view::joint_switches::{NodeSwitches, Switch};
use sinew::session::view::layers::Layer;
use sinew::session::view::undo::Undo;
use sinew::session::view::{View, ViewCamera};

use crate::common::gltf_builder::{self, Gltf};

/// File stamps of files with different lengths. A length of 0 stands for a missing file.
struct Disk {
    folder: tempfile::TempDir,
    start: Instant,
}

impl Disk {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), start: Instant::now() }
    }

    fn stamp(&self, length: usize) -> Option<Stamp> {
        if length == 0 {
            return None;
        }
        let path = self.folder.path().join(length.to_string());
        if !path.exists() {
            fs::write(&path, vec![0; length]).unwrap();
        }
        Stamp::at(&path)
    }

    /// Returns the time this many milliseconds after the start.
    fn at(&self, milliseconds: u64) -> Instant {
        self.start + Duration::from_millis(milliseconds)
    }

    fn reload(&self) -> Reload {
        Reload::new(vec![self.stamp(1)])
    }

    /// Reports that the only file has this length at this time.
    fn see(&self, reload: &mut Reload, milliseconds: u64, length: usize) {
        reload.record_stamps(self.at(milliseconds), vec![self.stamp(length)], Vec::new());
    }

    fn step(&self, reload: &mut Reload, milliseconds: u64) -> Step {
        reload.step(self.at(milliseconds))
    }

    fn wait(&self, milliseconds: u64) -> Step {
        Step::Wait(Some(self.at(milliseconds)))
    }
}

fn ms(duration: Duration) -> u64 {
    duration.as_millis() as u64
}

#[test]
fn an_unchanged_file_is_never_read() {
    let disk = Disk::new();
    let mut reload = disk.reload();
    disk.see(&mut reload, 1000, 1);
    assert_eq!(disk.step(&mut reload, 5000), Step::Wait(None));
}

#[test]
fn a_change_is_read_as_soon_as_the_writer_pauses_and_no_sooner() {
    let disk = Disk::new();
    let mut reload = disk.reload();
    disk.see(&mut reload, 1000, 2);
    assert_eq!(disk.step(&mut reload, 1000), disk.wait(1000 + ms(SETTLE_DELAY)));
    // The file is written in pieces, and each piece restarts the wait.
    disk.see(&mut reload, 1100, 3);
    assert_eq!(disk.step(&mut reload, 1000 + ms(SETTLE_DELAY)), disk.wait(1100 + ms(SETTLE_DELAY)));
    assert_eq!(disk.step(&mut reload, 1100 + ms(SETTLE_DELAY)), Step::Read { last: false });
    assert_eq!(disk.step(&mut reload, 9000), Step::Wait(None), "nothing else is due while it is read");
}

#[test]
fn the_wait_for_the_writer_is_at_most_a_quarter_of_a_second() {
    assert!(SETTLE_DELAY <= Duration::from_millis(250), "{SETTLE_DELAY:?}");
}

#[test]
fn an_incomplete_file_is_retried_and_its_error_is_shown_when_writing_has_ended() {
    let disk = Disk::new();
    let mut reload = disk.reload();
    disk.see(&mut reload, 0, 2);
    let (mut now, mut tries) = (ms(SETTLE_DELAY), 0);
    loop {
        let Step::Read { last } = disk.step(&mut reload, now) else { panic!("no attempt at {now}") };
        tries += 1;
        assert_eq!(last, now >= ms(REPORT_DELAY), "at {now}");
        if last {
            break;
        }
        assert!(!reload.failed(disk.at(now)), "the error is reported too early, at {now}");
        let Step::Wait(Some(next)) = disk.step(&mut reload, now) else { panic!("nothing is due after {now}") };
        assert!(next <= disk.at(now) + RETRY_DELAY);
        now = (next - disk.start).as_millis() as u64;
    }
    assert!(tries > 3, "{tries}");
    assert!(reload.failed(disk.at(now)), "the error is reported now");
    assert_eq!(disk.step(&mut reload, 60_000), Step::Wait(None), "the error is reported only once");
}

#[test]
fn continuous_writing_is_never_an_error() {
    let disk = Disk::new();
    let mut reload = disk.reload();
    for piece in 0..20 {
        let now = 1000 * piece;
        disk.see(&mut reload, now, 2 + piece as usize);
        assert_eq!(disk.step(&mut reload, now + 200), Step::Read { last: false });
        assert!(!reload.failed(disk.at(now + 250)));
    }
}

#[test]
fn a_file_changed_while_reading_is_read_again() {
    let disk = Disk::new();
    let mut reload = disk.reload();
    disk.see(&mut reload, 0, 2);
    assert_eq!(disk.step(&mut reload, 3000), Step::Read { last: true });
    disk.see(&mut reload, 3050, 3);
    assert!(!reload.failed(disk.at(3100)), "the version that failed has been replaced");
    assert_eq!(disk.step(&mut reload, 3100), disk.wait(3050 + ms(SETTLE_DELAY)));
    assert_eq!(disk.step(&mut reload, 3050 + ms(SETTLE_DELAY)), Step::Read { last: false });
}

#[test]
fn a_deleted_file_is_reported_once_and_read_when_restored() {
    let disk = Disk::new();
    let mut reload = disk.reload();
    disk.see(&mut reload, 0, 0);
    assert!(reload.needs_polling());
    assert_eq!(disk.step(&mut reload, ms(SETTLE_DELAY)), disk.wait(ms(REPORT_DELAY)), "the file may be about to be replaced");
    assert_eq!(disk.step(&mut reload, ms(REPORT_DELAY)), Step::Gone);
    assert_eq!(disk.step(&mut reload, 60_000), Step::Wait(None));
    disk.see(&mut reload, 61_000, 1);
    assert_eq!(disk.step(&mut reload, 61_000 + ms(SETTLE_DELAY)), Step::Read { last: false });
    assert!(!reload.needs_polling());
}

#[test]
fn after_a_change_of_the_folder_reading_is_retried_but_the_same_error_is_not_repeated() {
    let disk = Disk::new();
    let mut reload = disk.reload();
    let see = |reload: &mut Reload, now, folder| reload.record_stamps(disk.at(now), vec![disk.stamp(2)], vec![disk.stamp(folder)]);
    see(&mut reload, 0, 10);
    assert_eq!(disk.step(&mut reload, ms(REPORT_DELAY)), Step::Read { last: true });
    assert!(reload.failed(disk.at(ms(REPORT_DELAY))));
    see(&mut reload, 5000, 11);
    assert_eq!(disk.step(&mut reload, 5000 + ms(REPORT_DELAY)), Step::Read { last: true });
    assert!(!reload.failed(disk.at(5000 + ms(REPORT_DELAY))), "the same error is not repeated");
    // The file itself has changed, so its error is shown.
    reload.record_stamps(disk.at(9000), vec![disk.stamp(3)], vec![disk.stamp(11)]);
    assert_eq!(disk.step(&mut reload, 9000 + ms(REPORT_DELAY)), Step::Read { last: true });
    assert!(reload.failed(disk.at(9000 + ms(REPORT_DELAY))));
}

#[test]
fn unrelated_changes_in_the_folder_of_a_loaded_model_are_ignored() {
    let disk = Disk::new();
    let mut reload = disk.reload();
    for folder in 10..20 {
        reload.record_stamps(disk.at(folder), vec![disk.stamp(1)], vec![disk.stamp(folder as usize)]);
    }
    assert_eq!(disk.step(&mut reload, 9000), Step::Wait(None));
}

#[test]
fn opening_another_file_delays_a_reload_and_escape_drops_it() {
    let disk = Disk::new();
    let mut reload = disk.reload();
    disk.see(&mut reload, 0, 2);
    assert_eq!(disk.step(&mut reload, 500), Step::Read { last: false });
    reload.postpone(disk.at(600));
    assert_eq!(disk.step(&mut reload, 600), disk.wait(600 + ms(RETRY_DELAY)));
    assert_eq!(disk.step(&mut reload, 600 + ms(RETRY_DELAY)), Step::Read { last: false });
    reload.drop_attempt();
    assert_eq!(disk.step(&mut reload, 9000), Step::Wait(None));
    disk.see(&mut reload, 9000, 3);
    assert_eq!(disk.step(&mut reload, 9000 + ms(SETTLE_DELAY)), Step::Read { last: false });
}

#[test]
fn a_file_stamp_changes_on_writing_truncating_and_replacing_but_not_reading() {
    let folder = tempfile::tempdir().unwrap();
    let (path, other) = (folder.path().join("file"), folder.path().join("other"));
    fs::write(&path, b"first").unwrap();
    let first = Stamp::at(&path);
    fs::read(&path).unwrap();
    assert_eq!(Stamp::at(&path), first);
    fs::write(&path, b"fir").unwrap();
    assert_ne!(Stamp::at(&path), first);
    // The new file has the same length and modification time as the first one, but it is a different file.
    #[cfg(unix)]
    {
        let first = Stamp::at(&path);
        let modified = fs::metadata(&path).unwrap().modified().unwrap();
        fs::write(&other, b"sec").unwrap();
        fs::File::options().write(true).open(&other).unwrap().set_modified(modified).unwrap();
        fs::rename(&other, &path).unwrap();
        assert_ne!(Stamp::at(&path), first);
    }
    fs::remove_file(&path).unwrap();
    assert_eq!(Stamp::at(&path), None);
    let _ = other;
}

#[test]
fn a_model_names_every_file_that_it_was_read_from_and_those_that_are_missing() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let gltf = json!({
        "asset": { "version": "2.0" },
        "buffers": [{ "uri": "one%20two.bin", "byteLength": 4 }],
        "images": [{ "uri": "there.png" }, { "uri": "textures/missing.png" }, { "uri": "data:image/png;base64," }, { "uri": "../out.png" },
            { "uri": "there.png" }],
    });
    fs::write(at("model.gltf"), gltf.to_string()).unwrap();
    fs::write(at("one two.bin"), [0; 4]).unwrap();
    fs::write(at("there.png"), gltf_builder::png(1, 1, [1, 2, 3, 255])).unwrap();
    let loaded = asset::load(&at("model.gltf"), &LoadOptions::default()).unwrap();
    let found: Vec<_> = loaded.files.iter().map(|file| (file.path.file_name().unwrap().to_str().unwrap(), file.stamp)).collect();
    let now = |name: &str| SourceFile::now(&at(name)).stamp;
    let wanted =
        [("model.gltf", now("model.gltf")), ("one two.bin", now("one two.bin")), ("there.png", now("there.png")), ("missing.png", None)];
    assert_eq!(found, wanted);
    assert!(found[..3].iter().all(|(_, stamp)| stamp.is_some()));
    assert!(asset::load_bytes(gltf_builder::triangle().to_glb(), "memory").unwrap().files.is_empty());
    assert!(Path::new(&loaded.files[3].path).ends_with("textures/missing.png"));
}

#[cfg(unix)]
#[test]
fn a_retargeted_link_is_noticed_and_every_link_in_the_chain_is_watched() {
    use sinew::asset::file::stamp::follow_links;
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("v1")).unwrap();
    for (name, color) in [("v1/red.png", [255, 0, 0, 255]), ("v1/blue.png", [0, 0, 255, 255])] {
        fs::write(at(name), gltf_builder::png(1, 1, color)).unwrap();
    }
    symlink("v1", at("textures")).unwrap();
    symlink("red.png", at("v1/now.png")).unwrap();
    let gltf = json!({ "asset": { "version": "2.0" }, "images": [{ "uri": "textures/now.png" }, { "uri": "v1/red.png" }] });
    fs::write(at("model.gltf"), gltf.to_string()).unwrap();
    let loaded = asset::load(&at("model.gltf"), &LoadOptions::default()).unwrap();
    let files: Vec<_> = loaded.files.iter().map(|file| file.path.clone()).collect();
    assert_eq!(files, [at("model.gltf"), at("textures/now.png"), at("v1/red.png")], "both names of the same file are listed");

    let names = follow_links(&files);
    for name in ["textures", "textures/now.png", "textures/red.png", "v1/red.png"] {
        assert!(names.contains(&at(name)), "{name} in {names:?}");
    }
    fs::remove_file(at("v1/now.png")).unwrap();
    symlink("blue.png", at("v1/now.png")).unwrap();
    let changed: Vec<_> = loaded.files.iter().map(|file| Stamp::at(&file.path) != file.stamp).collect();
    assert_eq!(changed, [false, true, false]);

    symlink("b", at("a")).unwrap();
    symlink("a", at("b")).unwrap();
    assert_eq!(follow_links(&[at("a")]).iter().filter(|name| name.starts_with(folder.path())).count(), 2, "a loop of links ends");
}

#[test]
fn only_images_that_were_readable_before_count_as_missing() {
    let finding = |code, pointer: &str, severity| Finding { code, severity, pointer: pointer.into(), message: String::new() };
    let broken = finding("IMAGE_UNEXPECTED_EOS", "/images/0", Severity::Error);
    let other = finding("IMAGE_UNAVAILABLE", "/images/1", Severity::Error);
    let weights = finding("ACCESSOR_WEIGHTS_NON_NORMALIZED", "/accessors/0", Severity::Error);
    assert!(lost_images(&[], std::slice::from_ref(&broken)));
    assert!(lost_images(std::slice::from_ref(&broken), &[broken.clone(), other.clone()]));
    assert!(!lost_images(std::slice::from_ref(&broken), &[broken.clone(), weights]), "it was broken before");
    assert!(!lost_images(&[broken], &[]));
}

// Tests for the parts of the view that survive a reload.

/// Builds a chain of nodes for each list of names in `chains`, and an animation for each name in `animations`.
fn named(chains: &[&[&str]], animations: &[&str]) -> Model {
    let mut gltf = Gltf::new();
    let mut roots = Vec::new();
    let mut count = 0;
    for chain in chains {
        roots.push(count);
        for (i, name) in chain.iter().enumerate() {
            count += 1;
            let mut node = json!({ "name": name });
            if i + 1 < chain.len() {
                node["children"] = json!([count]);
            }
            gltf.push("nodes", node);
        }
    }
    gltf.push("scenes", json!({ "nodes": roots }));
    let mut model = gltf.model();
    let animation = |name: &&str| sinew::model::animation::Animation { name: Some((*name).into()), ..Default::default() };
    model.animations = animations.iter().map(animation).collect();
    model
}

/// Returns the source index of a node by the names from its root to it, separated by slashes.
fn source(model: &Model, path: &str) -> usize {
    let names = |node: NodeIndex| {
        let ancestors = std::iter::successors(Some(node), |&node| model.hierarchy.parent(node));
        ancestors.map(|node| model.node(node).exact_name()).collect::<Vec<_>>()
    };
    let wanted: Vec<_> = path.rsplit('/').collect();
    model.node(model.node_indices().find(|node| names(*node) == wanted).unwrap()).source
}

#[test]
fn scenes_and_morph_targets_of_a_new_export_are_matched_by_name() {
    let export = |scenes: &[&str], targets: &[&str]| {
        let mut model = gltf_builder::triangle().model();
        model.nodes[0].name = Some("Face".into());
        model.scenes = scenes.iter().map(|name| Scene { name: Some((*name).into()), ..Scene::default() }).collect();
        // The last target has no name.
        model.meshes[0].target_count = targets.len() + 1;
        model.meshes[0].target_names = targets.iter().map(|name| (*name).into()).collect();
        model
    };
    let before = export(&["Set", "Stage"], &["smile", "frown", "blink"]);
    let after = export(&["Lights", "Set", "Stage"], &["blink", "jaw", "smile"]);
    assert!(is_same(&before, &before) && !is_same(&before, &after));
    assert!(!is_same(&before, &export(&["Set", "Stage"], &["smile", "blink", "frown"])));
    assert!(!is_same(&before, &export(&["Stage", "Set"], &["smile", "frown", "blink"])));
    let weights = |weights: &[(usize, f32)]| BTreeMap::from([(0, weights.iter().copied().collect())]);
    let view = View { scene: Some(1), morphs: weights(&[(0, 0.25), (1, 0.5), (2, 0.75), (3, 1.0)]), ..View::default() };
    let view = remap_view(view, &before, &after);
    // "frown" counts as renamed to "jaw", which is new and has its index.
    assert_eq!((view.scene, view.morphs), (Some(2), weights(&[(0, 0.75), (1, 0.5), (2, 0.25), (3, 1.0)])));
    let view = remap_view(View { morphs: weights(&[(0, 0.25), (1, 0.5)]), ..View::default() }, &before, &export(&["Set"], &["blink"]));
    assert_eq!(view.morphs, BTreeMap::new());
}

#[test]
fn nodes_and_animations_of_a_new_export_are_matched_by_name() {
    let before = named(&[&["Armature", "Hips", "Leg"], &["Prop"]], &["Walk", "Run"]);
    let after = named(&[&["Sun"], &["Prop"], &["Armature", "Hips", "Leg"]], &["Attack", "Run", "Walk"]);
    let (hips, leg, prop) = (source(&before, "Armature/Hips"), source(&before, "Armature/Hips/Leg"), source(&before, "Prop"));
    let off = NodeSwitches { influence: Switch { on: false, solo: false }, ..NodeSwitches::default() };
    let view = View {
        animation: Some(1),
        layers: vec![Layer { animation: 0, mask: Some(vec![leg]), ..Layer::default() }],
        selection: vec![prop, leg],
        switches: [(hips, off)].into(),
        speed: 0.5,
        ..View::default()
    };
    let found = remap_view(view.clone(), &before, &after);
    let leg_after = source(&after, "Armature/Hips/Leg");
    assert_eq!(found.animation, Some(1), "Run");
    assert_eq!((found.layers[0].animation, found.layers[0].mask.clone()), (2, Some(vec![leg_after])));
    assert_eq!(found.selection, [source(&after, "Prop"), leg_after]);
    assert_eq!(found.switches, [(source(&after, "Armature/Hips"), off)].into());
    assert_eq!(found.speed, 0.5);
    assert!(!is_same(&before, &after) && is_same(&before, &before));
    assert_eq!(remap_view(view.clone(), &before, &before), view, "the same model changes nothing");
}

#[test]
fn undo_steps_are_carried_over_to_a_new_export() {
    let before = named(&[&["Armature", "Hips"], &["Prop"]], &["Walk", "Run", "Jump"]);
    let after = named(&[&["Sun"], &["Prop"], &["Armature", "Hips"]], &["Attack", "Walk"]);
    let layer = |animation| Layer { animation, ..Layer::default() };
    let mut view = View { selection: vec![source(&before, "Prop")], layers: vec![layer(0)], ..View::default() };
    let mut undo = Undo::new(&view);
    view.layers.push(layer(2));
    undo.settle(&view);
    view.selection = vec![];
    undo.settle(&view);
    let views = ViewRemap::new(&before, &after);
    view = views.apply(view);
    views.apply_to_history(&mut undo, &view, true);
    undo.settle(&view);
    // The step of the layer "Jump", which is gone, has no effect any more.
    assert_eq!(undo.undo(&mut view), Some("selection"));
    assert_eq!((view.selection, view.layers), (vec![source(&after, "Prop")], vec![layer(1)]));
    assert_eq!(undo.next_undo(), None);
}

#[test]
fn a_moved_node_is_found_by_its_name_if_the_name_is_unique() {
    let before = named(&[&["A", "Hand"], &["B", "Foot"], &["C", "Foot"]], &[]);
    let after = named(&[&["A"], &["B"], &["C"], &["D", "Hand"], &["E", "Foot"]], &[]);
    let view = View { selection: vec![source(&before, "A/Hand"), source(&before, "B/Foot")], ..View::default() };
    assert_eq!(remap_view(view, &before, &after).selection, [source(&after, "D/Hand")], "the name Foot is ambiguous");
}

#[test]
fn removed_nodes_are_dropped_and_renamed_animations_keep_their_index() {
    let before = named(&[&["A"], &["B"]], &["Walk", "Run", "Jump"]);
    let after = named(&[&["A"]], &["Walk", "Sprint"]);
    let playing = |animation| View { animation: Some(animation), selection: vec![1], camera: ViewCamera::File(0), ..View::default() };
    let carry = |animation| remap_view(playing(animation), &before, &after);
    assert_eq!(carry(0).animation, Some(0));
    assert_eq!(carry(1).animation, Some(1), "Run became Sprint");
    assert_eq!(carry(2).animation, None);
    assert_eq!(carry(0).selection, Vec::<usize>::new());
    assert_eq!(carry(0).camera, ViewCamera::Fit);
}

#[test]
fn an_animation_of_a_removed_file_does_not_become_one_of_another_file() {
    // Walk is the model's own animation, and a file lends the other one.
    let lent = |file: &str, name: &str| {
        let borrowed = vec![AnimationFile { path: file.into(), animations: 1..2, ..AnimationFile::default() }];
        Model { borrowed, ..named(&[&["Hips"]], &["Walk", name]) }
    };
    let before = lent("run.glb", "Run");
    let carry = |animation, after: &Model| {
        let view = View { animation: Some(animation), layers: vec![Layer { animation, ..Layer::default() }], ..View::default() };
        let view = remap_view(view, &before, after);
        (view.animation, view.layers.iter().map(|layer| layer.animation).collect::<Vec<_>>())
    };
    assert_eq!(carry(1, &lent("jump.glb", "Jump")), (None, vec![]));
    assert_eq!(carry(0, &lent("jump.glb", "Jump")), (Some(0), vec![0]));
    assert_eq!(carry(1, &lent("run.glb", "Sprint")), (Some(1), vec![1]), "renamed in its file");
    assert_eq!(carry(1, &named(&[&["Hips"]], &["Walk", "Sprint"])), (None, vec![]), "an animation of the model itself");
}

#[test]
fn animations_that_one_export_lacks_are_resumed_when_a_later_one_has_them() {
    let whole = named(&[&["Hips", "Leg"]], &["Walk", "Run", "Wave"]);
    let slip = named(&[&["Hips", "Leg"]], &["Walk"]);
    let again = named(&[&["Sun"], &["Hips", "Leg"]], &["Wave", "Walk", "Run"]);
    let leg = source(&whole, "Hips/Leg");
    let layers = vec![Layer { animation: 2, mask: Some(vec![leg]), ..Layer::default() }];
    let view = View { animation: Some(1), layers, speed: 0.5, ..View::default() };

    let (rest, missed) = remap_and_restore(None, &view, 0.25, &whole, &slip);
    assert_eq!((rest.animation, rest.layers.len(), rest.speed), (None, 0, 0.5));
    let (still, missed) = remap_and_restore(missed, &rest, 0.0, &slip, &slip);
    assert_eq!((still.animation, missed.as_ref().map(|missed| missed.time)), (None, Some(0.25)), "the time at which it disappeared");
    // Unrelated settings may change in between.
    let faster = View { speed: 2.0, ..still.clone() };
    let (back, missed) = remap_and_restore(missed, &faster, 0.0, &slip, &again);
    assert_eq!((back.animation, back.speed), (Some(2), 2.0), "Run");
    assert_eq!((back.layers[0].animation, back.layers[0].mask.clone()), (0, Some(vec![source(&again, "Hips/Leg")])), "Wave");
    assert!(missed.is_none());

    let (rest, missed) = remap_and_restore(None, &view, 0.25, &whole, &slip);
    let chosen = View { animation: Some(0), ..rest };
    let (kept, missed) = remap_and_restore(missed, &chosen, 0.0, &slip, &again);
    assert_eq!((kept.animation, missed.is_none()), (Some(1), true), "the user chose Walk");
}

#[test]
fn undo_steps_stay_while_an_export_lacks_animations() {
    let whole = named(&[&["Hips", "Leg"]], &["Walk", "Run", "Wave"]);
    let slip = named(&[&["Hips", "Leg"]], &["Walk"]);
    let layer = |animation| Layer { animation, ..Layer::default() };
    let mut view = View { animation: Some(1), layers: vec![layer(2)], ..View::default() };
    let mut undo = Undo::new(&view);
    view.layers.push(layer(0));
    undo.settle(&view);
    view.display.wireframe = true;
    undo.settle(&view);
    let mut lost = None;
    for (before, after) in [(&whole, &slip), (&slip, &whole)] {
        (view, lost) = remap_and_restore(lost, &view, 0.0, before, after);
        ViewRemap::new(before, after).apply_to_history(&mut undo, &view, false);
        undo.settle(&view);
    }
    assert_eq!((view.animation, &view.layers, view.display.wireframe), (Some(1), &vec![layer(2), layer(0)], true));
    assert_eq!((undo.undo(&mut view), view.display.wireframe), (Some("wireframe"), false));
    assert_eq!((view.animation, view.layers.len(), undo.next_undo()), (Some(1), 2, None), "the layers are not reverted");
}

#[test]
fn a_variant_is_found_again_by_name() {
    let of = |names: &[&str]| {
        let variant = |name: &&str| sinew::model::Variant { name: Some((*name).into()) };
        Model { variants: names.iter().map(variant).collect(), ..Model::default() }
    };
    let (before, after) = (of(&["Beach", "Midnight"]), of(&["Midnight", "Street"]));
    let mut view = View::default();
    view.display.variant = Some(1);
    assert_eq!(remap_view(view.clone(), &before, &after).display.variant, Some(0));
    assert_eq!(remap_view(view.clone(), &before, &of(&["Beach"])).display.variant, None);
    assert_eq!(remap_view(view, &before, &before).display.variant, Some(1));
    assert!(!is_same(&before, &after) && is_same(&before, &before));
}
