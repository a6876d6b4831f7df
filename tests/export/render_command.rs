//! Runs the copied command line and compares its picture with the picture of the view file.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use glam::DVec3;
use image::RgbaImage;
use sinew::asset;
use sinew::camera::Orbit;
use sinew::compare::counterpart::CompareView;
use sinew::export::render_command::{ComparedFlags, RenderCommand, command_line, differences, settings_without_flag, view_to_save};
use sinew::session::camera::lens;
use sinew::session::document::Document;
use sinew::session::file::output_name::clip_name;
use sinew::session::names::NameStyle;
use sinew::session::time::clip::{ClipFormat, ClipOptions};
use sinew::session::time::moment::Moment;
use sinew::session::view::display::Ghosts;
use sinew::session::view::display::Trail;
use sinew::session::view::display::{Display, HeatMap, JointNames, Lighting, Shading, Shadow, Tonemap};
use sinew::session::view::joint_switches::NodeSwitches;
use sinew::session::view::layers::Layer;
use sinew::session::view::{Repeat, View, ViewCamera};
use sinew::units::LengthUnit;

use super::clip_process::{drew, sample};

fn document() -> Document {
    let model = asset::load(Path::new(&sample()), &asset::LoadOptions::default()).unwrap().model;
    Document::new(Arc::new(model), "sample.glb".into(), Some(sample().into()))
}

fn shot<'a>(document: &'a Document, view: &'a View, file: &'a Path, state: &'a Path) -> RenderCommand<'a> {
    RenderCommand {
        file,
        document,
        view,
        compared: None,
        time: 0.4,
        clip: None,
        size: [96, 72],
        background: None,
        state,
        output: "picture.png",
    }
}

/// Runs a command line in a folder and reads the picture that it writes.
fn run(folder: &Path, line: &str) -> Option<RgbaImage> {
    let programs = std::env::var_os("PATH").unwrap_or_default();
    let ours = Path::new(env!("CARGO_BIN_EXE_sinew")).parent().unwrap().to_owned();
    let programs = std::env::join_paths(std::iter::once(ours).chain(std::env::split_paths(&programs))).unwrap();
    let output = Command::new("sh").args(["-c", line]).current_dir(folder).env("PATH", programs).output().unwrap();
    drew(&output).then(|| image::open(folder.join("picture.png")).unwrap().into_rgba8())
}

fn different(line: &RgbaImage, seen: &RgbaImage) -> usize {
    assert_eq!(line.dimensions(), seen.dimensions());
    line.pixels().zip(seen.pixels()).filter(|(a, b)| a != b).count()
}

/// Returns a display without the overlays and shadows that the window shows by default.
fn plain() -> Display {
    Display::plain()
}

#[test]
#[cfg(unix)]
fn the_copied_command_draws_the_current_view() {
    let folder = tempfile::tempdir().unwrap();
    let (file, state) = (folder.path().join("it's a $model.glb"), folder.path().join("my view.json"));
    fs::copy(sample(), &file).unwrap();
    let orbit = Orbit { focus: DVec3::new(0.1, 0.6, 0.0), yaw: 2.2, pitch: 0.3, distance: 2.75, ..Orbit::default() };
    let lit = Display {
        shading: Shading::Clay,
        lighting: Lighting::Flat,
        exposure: -0.5,
        tonemap: Tonemap::Aces,
        background: Some([1, 2, 3]),
        ..plain()
    };
    let over = Display { skeleton: true, names: JointNames::All, axes: true, wireframe: true, grid: true, shadow: Shadow::On, ..plain() };
    let (trail, ghosts) = (Trail { shown: true, ..Trail::default() }, Ghosts { shown: true, ..Ghosts::default() });
    let traced = Display { trail, ghosts, outline: false, ..plain() };
    let weighed = |heat_map| Display { heat_map, outline: false, ..plain() };
    let walked = Display { ground_path: true, contacts: true, ..plain() };
    let switched = [(3, serde_json::from_str::<NodeSwitches>(r#"{"animated": {"on": false}}"#).unwrap())].into();
    let straight_down = Orbit { pitch: std::f64::consts::FRAC_PI_2, ..orbit };
    let views = [
        // These views have no camera, and flags cover them completely. The command gives the same bytes as the view file.
        (View { animation: Some(0), display: plain(), ..View::default() }, 0),
        (View { animation: Some(1), display: lit, ..View::default() }, 0),
        (View { animation: Some(0), display: over.clone(), ..View::default() }, 0),
        (View { animation: Some(0), selection: vec![1, 2], display: plain(), ..View::default() }, 0),
        (View { animation: Some(0), selection: vec![2], display: Display { outline: false, ..over }, ..View::default() }, 0),
        (View { animation: Some(0), selection: vec![3, 2], display: traced, ..View::default() }, 0),
        (View { selection: vec![8], display: weighed(HeatMap::Selection), ..View::default() }, 0),
        (View { display: weighed(HeatMap::Selection), ..View::default() }, 0),
        (View { selection: vec![8], display: weighed(HeatMap::All), ..View::default() }, 0),
        (View { animation: Some(3), display: walked, ..View::default() }, 0),
        // The camera's angles are computed again from positions, so a few pixels at edges may differ.
        (View { animation: Some(0), camera: ViewCamera::Orbit(orbit), display: plain(), ..View::default() }, 20),
        (View { camera: ViewCamera::Orbit(straight_down), display: plain(), ..View::default() }, 20),
        (View { camera: ViewCamera::Orbit(lens::with_focal_length(&orbit, 85.0)), display: plain(), ..View::default() }, 20),
        // State that no flag covers is read from the view file and gives the same bytes.
        (View { animation: Some(0), camera: ViewCamera::Orbit(Orbit { orthographic: true, ..orbit }), ..View::default() }, 0),
        (View { animation: Some(0), switches: switched, ..View::default() }, 0),
    ];
    for (number, (view, most)) in views.into_iter().enumerate() {
        fs::write(&state, serde_json::to_string(&view).unwrap()).unwrap();
        let document = document();
        let line = command_line(&shot(&document, &view, &file, &state));
        let Some(found) = run(folder.path(), &line) else { return };
        assert_eq!(line.contains("--state"), !settings_without_flag(&view, false).is_empty(), "{line}");
        let seen = format!("sinew render {} --state 'my view.json' --time 0.4 --size 96x72 -o picture.png", sample());
        let seen = run(folder.path(), &seen).unwrap();
        let off = different(&found, &seen);
        assert!(off <= most, "view {number}: {off} pixels differ\n{line}");
    }
}

#[test]
fn state_that_no_flag_covers_requires_a_view_file() {
    let said = |json: serde_json::Value| settings_without_flag(&serde_json::from_value(json).unwrap(), false);
    assert_eq!(said(serde_json::json!({})), [""; 0]);
    assert_eq!(said(serde_json::json!({"layers": [{"animation": 0}], "display": {"crowd": 3}})), ["the layers", "the crowd"]);
    let trail = |trail: &str| said(serde_json::from_str(&format!(r#"{{"display": {{"trail": {{{trail}}}}}}}"#)).unwrap());
    assert_eq!(trail(r#""shown": true, "window": 0.5"#), ["the trail near the playhead"]);
    assert_eq!(trail(r#""shown": true, "depth": "hidden""#), ["what the mesh occludes"]);
    assert_eq!(trail(r#""shown": false, "window": 0.5, "depth": "hidden""#), [""; 0]);
    let ghosts = |step: u32| said(serde_json::json!({"display": {"ghosts": {"shown": true, "step": step}}}));
    assert_eq!((ghosts(4), ghosts(5)), (vec![], vec!["the onion skin settings"]));
    assert_eq!(said(serde_json::json!({"display": {"environment": {"rotation": 90}}})).len(), 1);
    assert_eq!(said(serde_json::json!({"display": {"joint_axes": true}})), ["the joint axes"]);
    assert_eq!(said(serde_json::json!({"follow": 1, "in_place": true})), ["the followed node", "playing in place"]);
    assert_eq!(said(serde_json::json!({"bind_pose": true, "morphs": {"0": {"0": 0.5}}})), ["the bind pose", "the morph weights"]);
    let walked = |depth: &str, sensitivity: f64| {
        said(serde_json::json!({"display": {"contacts": true, "path_depth": depth, "contact_sensitivity": sensitivity}}))
    };
    assert_eq!((walked("hidden", 0.5), walked("in-front", 0.5)), (vec![], vec!["what the mesh occludes"]));
    assert_eq!(walked("hidden", 0.6), ["the contact sensitivity"]);
}

#[test]
fn the_message_says_how_the_picture_of_a_command_differs_from_that_of_the_window() {
    let (document, file, state) = (document(), Path::new("/m/fox.glb"), Path::new("/m/view.json"));
    let background = Some([240; 3]);
    let of_view = |view: View, compared: Option<&ComparedFlags>, clip: Option<(&ClipOptions, f64)>| {
        let command = RenderCommand { background, compared, clip, ..shot(&document, &view, file, state) };
        let plain = RenderCommand { background: None, ..command };
        assert_eq!(differences(&plain, NameStyle::Short, LengthUnit::Meters), [""; 0], "the look of a command");
        differences(&command, NameStyle::Full, LengthUnit::Centimeters)
    };
    let said = |display, compared: Option<&ComparedFlags>, clip: Option<(&ClipOptions, f64)>| {
        of_view(View { display, ..View::default() }, compared, clip)
    };
    let [names, lengths, colors] = ["with short names", "with lengths in meters", "in the colors of the dark theme"];
    assert_eq!(said(plain(), None, None), [""; 0]);
    assert_eq!(said(Display { grid: true, ..plain() }, None, None), [colors]);
    assert_eq!(said(Display { names: JointNames::All, ..plain() }, None, None), [names, colors]);
    // Only selected joints are named, by their marks and in the legend of the heat map.
    let (marks, heat) = (Display { names: JointNames::Selection, ..plain() }, Display { heat_map: HeatMap::Selection, ..plain() });
    assert_eq!((said(marks.clone(), None, None), said(heat.clone(), None, None)), (vec![], vec![colors]));
    let joint = document.model.node(document.model.skins[0].joints[0]).source;
    for display in [marks, heat] {
        assert_eq!(of_view(View { display, selection: vec![joint], ..View::default() }, None, None), [names, colors]);
    }
    let trail = Display { trail: Trail { shown: true, ..Trail::default() }, ..plain() };
    assert_eq!(said(trail.clone(), None, None), [lengths, colors]);
    let without_overlays = ClipOptions { overlays: false, ..ClipOptions::default() };
    assert_eq!(said(trail, None, Some((&without_overlays, 24.0))), [""; 0]);
    let compared = ComparedFlags { file: "b.glb".into(), layout: CompareView::Difference, animation: None, stretch: false, offset: 0.0 };
    assert_eq!(said(plain(), Some(&compared), None), [lengths, colors]);
    assert_eq!(said(plain(), Some(&ComparedFlags { layout: CompareView::Overlay, ..compared }), None), [colors]);
}

#[test]
fn range_loop_mode_and_frame_rate_are_kept_where_the_picture_shows_other_moments() {
    let (document, file, state) = (document(), Path::new("/m/fox.glb"), Path::new("/m/view.json"));
    let options = ClipOptions::default();
    let line = |display: &Display, view: View, is_clip: bool| {
        let view = View { animation: Some(1), display: display.clone(), ..view };
        let beyond = settings_without_flag(&view, is_clip);
        let clip = is_clip.then_some((&options, 24.0));
        (command_line(&RenderCommand { clip, ..shot(&document, &view, file, state) }), beyond)
    };
    let ghosts = Display { ghosts: Ghosts { shown: true, ..Ghosts::default() }, ..plain() };
    let trail = Display { trail: Trail { shown: true, ..Trail::default() }, ..plain() };
    let contacts = Display { contacts: true, ..plain() };
    let (ranged, rated) = (View { range: Some([0.25, 0.5]), ..View::default() }, View { rate: Some(12.0), ..View::default() });
    let [range, rate] = [vec!["the playback range"], vec!["the frame rate"]];
    let path = Display { ground_path: true, ..plain() };
    for (display, has_range, has_rate, has_repeat) in [
        (&ghosts, true, true, true),
        (&trail, true, true, false),
        (&contacts, true, true, true),
        (&path, false, true, false),
        (&plain(), false, false, false),
    ] {
        for is_clip in [false, true] {
            let beyond = |view: &View| line(display, view.clone(), is_clip).1;
            assert_eq!(beyond(&ranged), if has_range && !is_clip { range.clone() } else { vec![] });
            assert_eq!(beyond(&rated), if has_rate { rate.clone() } else { vec![] });
            let (once, _) = line(display, View { repeat: Repeat::Once, ..View::default() }, is_clip);
            assert_eq!(once.contains(" --repeat once "), has_repeat || is_clip, "{once}");
        }
    }
}

#[test]
fn the_command_has_a_focal_length_if_it_is_round_and_a_field_of_view_otherwise() {
    let (document, file, state) = (document(), Path::new("/m/fox.glb"), Path::new("/m/view.json"));
    let line = |orbit: Orbit| {
        let view = View { camera: ViewCamera::Orbit(orbit), display: plain(), ..View::default() };
        command_line(&shot(&document, &view, file, state))
    };
    for (focal_length, flag) in [(35.0, " --focal-length 35 "), (85.0, " --focal-length 85 "), (33.3, " --focal-length 33.3 ")] {
        let line = line(lens::with_focal_length(&Orbit::default(), focal_length));
        assert!(line.contains(flag) && !line.contains("--yfov"), "{line}");
    }
    let line = line(Orbit { yfov: 0.5, ..Orbit::default() });
    assert!(line.contains(" --yfov 28.64788975654116 ") && !line.contains("--focal-length"), "{line}");
}

#[test]
fn a_clip_has_its_own_loop_mode() {
    let (document, file, state) = (document(), Path::new("/m/fox.glb"), Path::new("/m/view.json"));
    let line = |crowd, repeat| {
        let view = View { animation: Some(1), display: Display { crowd, ..plain() }, ..View::default() };
        let options = ClipOptions { repeat, ..ClipOptions::default() };
        command_line(&RenderCommand { clip: Some((&options, 24.0)), output: "fox.gif", ..shot(&document, &view, file, state) })
    };
    for crowd in [1, 3] {
        assert!(!line(crowd, None).contains("--repeat"));
        assert!(line(crowd, Some(Repeat::PingPong)).contains(" --repeat ping-pong "), "{}", line(crowd, Some(Repeat::PingPong)));
    }
}

#[test]
fn the_view_of_a_copied_command_shows_the_layers_at_the_time_of_the_window() {
    let modes = [Repeat::Loop, Repeat::Once, Repeat::PingPong];
    let speeds = [1.0, -0.5, 2.0];
    let layers: Vec<_> =
        modes.into_iter().flat_map(|repeat| speeds.map(|speed| Layer { repeat, speed, offset: 0.3, ..Layer::default() })).collect();
    let view = View { animation: Some(0), layers, ..View::default() };
    // In the sixth pass. The rest pose has no time of its own.
    for moment in [Moment { clock: 10.7, ..0.7.into() }, Moment { clock: 1.9, ..0.0.into() }] {
        let saved = view_to_save(&view, &moment);
        // The command has the same clock and time.
        for (saved, shown) in saved.layers.iter().zip(&view.layers) {
            let [drawn, shown] = [saved.time(1.25, moment.time), shown.time(1.25, moment.clock)];
            assert!((drawn - shown).abs() < 1e-9, "{drawn} and {shown} of {saved:?}");
        }
        assert_eq!(View { layers: view.layers.clone(), ..saved }, view);
    }
}

#[test]
fn a_comparison_has_its_own_flags() {
    let view = View { animation: Some(1), display: plain(), ..View::default() };
    let (document, file, state) = (document(), Path::new("/m/fox.glb"), Path::new("/m/view.json"));
    let line = |compared: &ComparedFlags| command_line(&RenderCommand { compared: Some(compared), ..shot(&document, &view, file, state) });
    let plain =
        ComparedFlags { file: "/m/other fox.glb".into(), layout: CompareView::Overlay, animation: None, stretch: false, offset: 0.0 };
    assert_eq!(
        line(&plain),
        "sinew render /m/fox.glb --compare '/m/other fox.glb' --compare-view overlay --animation 1 --time 0.4 --size 96x72 -o picture.png"
    );
    let timed = line(&ComparedFlags { animation: Some(3), stretch: true, offset: -0.25, ..plain });
    assert!(timed.contains(" --compare-animation 3 --compare-stretch --compare-offset -0.25 "), "{timed}");
}

#[test]
fn a_clip_has_its_own_flags() {
    let view = View { animation: Some(1), range: Some([0.25, 0.75]), display: plain(), ..View::default() };
    let (document, file, state) = (document(), Path::new("/m/fox.glb"), Path::new("/m/view.json"));
    let line = |options: &ClipOptions, output| {
        let rate = options.rate(&document, &view);
        command_line(&RenderCommand { clip: Some((options, rate)), output, ..shot(&document, &view, file, state) })
    };
    let options = ClipOptions { fps: Some(12.5), turntable: Some(3.0), transparent: true, ..ClipOptions::default() };
    assert_eq!(
        line(&options, "fox.gif"),
        "sinew render /m/fox.glb --animation 1 --range 0.25..0.75 --fps 12.5 --turntable 3 --transparent --size 96x72 -o fox.gif"
    );
    let three_times = ClipOptions { loops: 3, ..ClipOptions::default() };
    assert!(line(&three_times, "fox.gif").contains(" --loops 3 "), "{}", line(&three_times, "fox.gif"));
    let still = ClipOptions { format: ClipFormat::Sequence, ..ClipOptions::default() };
    assert_eq!(
        line(&still, "fox run/%04d.png"),
        "sinew render /m/fox.glb --animation 1 --range 0.25..0.75 --size 96x72 -o 'fox run/%04d.png'"
    );
    let ended = View { range: Some([900.0, 901.0]), ..view.clone() };
    let end = document.model.animations[1].duration;
    let shorter = command_line(&RenderCommand { clip: Some((&still, 24.0)), ..shot(&document, &ended, file, state) });
    assert!(shorter.contains(&format!(" --range 0..{end} ")), "the animation ends before the range: {shorter}");
    let apng = ClipOptions { format: ClipFormat::Apng, fps: None, ..ClipOptions::default() };
    assert!(line(&apng, "fox.png").contains(" --fps "), "else it would be a still picture");
}

#[test]
fn a_clip_command_adds_only_what_the_view_file_lacks() {
    let (file, state) = (Path::new("/m/fox.glb"), Path::new("/m/view.json"));
    let line = |shadow, overlays| {
        let display = Display { crowd: 3, skeleton: true, shadow, ..plain() };
        let view = View { animation: Some(1), rate: Some(10.0), display, ..View::default() };
        let document = document();
        let options = ClipOptions { overlays, ..ClipOptions::default() };
        let rate = options.rate(&document, &view);
        command_line(&RenderCommand { clip: Some((&options, rate)), output: "fox.gif", ..shot(&document, &view, file, state) })
    };
    let expected = |overlay: &str| format!("sinew render /m/fox.glb --state /m/view.json{overlay} --fps 10 --size 96x72 -o fox.gif");
    assert_eq!(line(Shadow::On, true), expected(""));
    assert_eq!(line(Shadow::On, false), expected(" --overlay shadow"));
    assert_eq!(line(Shadow::Off, false), expected(" --overlay none"));
}

/// The command turns off overlays that the view file shows.
#[test]
#[cfg(unix)]
fn all_overlays_can_be_turned_off() {
    let folder = tempfile::tempdir().unwrap();
    let draw = |display: Display, overlay: &str| {
        let view = View { animation: Some(0), display, ..View::default() };
        fs::write(folder.path().join("view.json"), serde_json::to_string(&view).unwrap()).unwrap();
        run(folder.path(), &format!("sinew render {} --state view.json {overlay} --size 96x72 -o picture.png", sample()))
    };
    let over = Display { skeleton: true, names: JointNames::All, grid: true, joint_axes: true, ..plain() };
    let Some(shown) = draw(over.clone(), "") else { return };
    let [bare, hidden] = [(plain(), ""), (over, "--overlay none")].map(|(display, overlay)| draw(display, overlay).unwrap());
    assert!(shown != bare && hidden == bare);
}

/// The names of the file and of the animation have eighty characters of four bytes each.
#[test]
fn suggested_names_fit_the_file_system_limit() {
    let view = View { animation: Some(0), ..View::default() };
    let mut model = asset::load(Path::new(&sample()), &asset::LoadOptions::default()).unwrap().model;
    model.animations[0].name = Some("𐐨".repeat(80));
    let document = Document::new(Arc::new(model), format!("a{}.glb", "𐐨".repeat(80)), None);
    let name = clip_name(&document, &view, &ClipOptions { turntable: Some(4.0), ..ClipOptions::default() });
    // There must be room for a number at the end, and for the name of the temporary file.
    assert!(name.len() < 255 - 30 && name.starts_with("a𐐨𐐨") && name.ends_with("𐐨-turntable.gif"), "{name}: {}", name.len());
}
