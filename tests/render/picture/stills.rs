//! Tests stills: tiles, sizes, legends and files.

use std::sync::Arc;

use glam::{Affine3A, DVec3, Mat4, Vec3};
use image::RgbaImage;
use sinew::camera::bounds::Bounds;
use sinew::camera::{Camera, Orbit, Projection};
use sinew::colors;
use sinew::export::error::ExportError;
use sinew::export::error::WriteError;
use sinew::export::formats::png;
use sinew::export::still::options::StillOptions;
use sinew::export::still::tiles;
use sinew::model::material::Material;
use sinew::model::mesh::{Primitive, Topology, Vertices};
use sinew::model::node::NodeIndex;
use sinew::model::skin::Skin;
use sinew::render::actor::Actor;
use sinew::render::annotations::line::Line;
use sinew::render::model::GpuModel;
use sinew::render::picture::{Background, Msaa, Resolution};
use sinew::render::renderer::Renderer;
use sinew::session::analyses::{Analyses, Subject};
use sinew::session::document::Document;
use sinew::session::names::NameStyle;
use sinew::session::view::View;
use sinew::session::view::display::{Depth, Display, HeatMap, JointNames, Trail};
use sinew::units::{LengthUnit, Units};

use crate::common::gltf_builder::triangle;
use crate::common::hand_made;
use crate::common::pixels::{count, differ};
use crate::scene::{Scene, Shot, ball, colored, gpu, quad, still};

/// Builds a ball away from the middle, so that tile borders cut it.
fn off_middle() -> Primitive {
    ball(Vec3::new(140.0, -100.0, 0.0), 90.0)
}

#[test]
fn a_picture_drawn_in_tiles_equals_the_one_drawn_at_once() {
    let Some(gpu) = gpu() else { return };
    let scene = Scene::new(vec![Material { roughness_factor: 0.3, ..Material::default() }], vec![off_middle()]);
    let line = Line {
        start: DVec3::new(20.0, -20.0, 0.0),
        end: DVec3::new(290.0, -190.0, 0.0),
        width: 3.0,
        halo_width: 1.0,
        color: [0x38, 0xD1, 0xCF, 0xFF],
        halo: [0, 0, 0, 0xB0],
        depth: Depth::InFront,
    };
    for (supersample, samples) in [(1, 1), (1, 4), (2, 4)] {
        let display = Display { grid: true, axes: true, ..Display::default() };
        let shot = |tile| Shot {
            size: [300, 200],
            perspective: true,
            display: display.clone(),
            lines: vec![line],
            samples,
            resolution: Resolution::Supersampled(supersample),
            tile,
            ..Shot::default()
        };
        let whole = scene.draw(gpu, &shot(2048));
        let tiled = scene.draw(gpu, &shot(128));
        // In tiles, vertices may move by 1/256 of a pixel, so a sample at an edge may have a different result.
        let differences: Vec<i32> = whole.iter().zip(tiled.iter()).map(|(a, b)| (i32::from(*a) - i32::from(*b)).abs()).collect();
        let off = differences.iter().filter(|d| **d > 2).count();
        assert!(off <= 300 * 200 * 4 / 2000, "{off} bytes differ by more than 2, {supersample} supersamples, {samples} samples");
    }
}

#[test]
fn lines_and_points_of_a_model_continue_across_tiles() {
    let Some(gpu) = gpu() else { return };
    // Flat and steep lines that cross the tile borders at many places, and points on and beside the borders.
    let place = |i: usize| i as f32 * 4.917 + 0.137;
    let tilt = |i: usize| place(i) + 11.0 + (i as f32 * 0.731).fract() * 9.0;
    let flat = (0..20).flat_map(|i| [Vec3::new(-9.0, -place(i), 0.0), Vec3::new(109.0, -tilt(i), 0.0)]);
    let steep = (0..20).flat_map(|i| [Vec3::new(place(i), 9.0, 0.0), Vec3::new(tilt(i), -109.0, 0.0)]);
    let points = (0..400).map(|i| Vec3::new(place(i % 20), -place(i / 20), 0.0));
    let shapes: [(Topology, Vec<Vec3>); 2] = [(Topology::Lines, flat.chain(steep).collect()), (Topology::Points, points.collect())];
    for (topology, positions) in shapes {
        let indices = (0..positions.len() as u32).collect();
        let vertices = Vertices { positions, ..Vertices::default() }.into();
        let scene =
            Scene::new(vec![colored([1.0; 4])], vec![Primitive { topology, indices, vertices, material: Some(0), ..Primitive::default() }]);
        // The command line frees the vertices of the model before it draws.
        let mut released = scene.model.clone();
        released.meshes[0].primitives[0] = Primitive { material: Some(0), ..Primitive::default() };
        for (supersample, samples) in [(1, 1), (1, 4), (2, 4)] {
            let resolution = Resolution::Supersampled(supersample);
            let draw = |tile| {
                let shot = Shot { size: [100, 100], samples, resolution, ..Shot::default() };
                let mut rgba = vec![0; 100 * 100 * 4];
                scene.staged(gpu, &shot, |renderer, picture, actors| {
                    let actors = [Actor { model: &released, ..actors[0] }];
                    tiles::draw_tiles(gpu, renderer, picture, &actors, &mut rgba, [tile; 2], None).unwrap();
                });
                RgbaImage::from_raw(100, 100, rgba).unwrap()
            };
            // The device rounds the ends of clipped lines, so a few samples differ.
            let off = differ(&draw(2048), &draw(32));
            assert!(off <= 30, "{topology:?}, {supersample} supersamples, {samples} samples: {off} pixels differ");
        }
    }
}

#[test]
fn an_orthographic_orbit_shows_the_whole_grid() {
    let Some(gpu) = gpu() else { return };
    let scene = Scene::new(vec![colored([1.0; 4])], vec![]);
    let bounds = Bounds { min: DVec3::new(-1.0, 0.0, -1.0), max: DVec3::new(1.0, 2.0, 1.0) };
    for (pitch, distance) in [(0.2, 15.0), (0.05, 15.0), (0.05, 3.0), (-0.1, 40.0)] {
        let orbit = Orbit { focus: DVec3::Y, yaw: 0.3, pitch, distance, orthographic: true, ..Orbit::default() };
        let camera = orbit.camera(&bounds);
        let Projection::Orthographic { ymag, xmag, depth } = camera.projection else { panic!("the orbit is orthographic") };
        // The same view with a volume that reaches ten times as far in both directions.
        let deep = Projection::Orthographic { ymag, xmag, depth: 10.0 * depth };
        let eye = camera.eye() + orbit.back() * (4.5 * depth);
        let deep = Camera::look_at(eye, eye - orbit.back(), DVec3::Y, deep, 0.0);
        let draw = |camera| {
            let display = Display { grid: true, axes: false, ..Shot::default().display };
            scene.draw(gpu, &Shot { size: [300, 200], samples: 4, display, bounds, camera: Some(camera), ..Shot::default() })
        };
        let (whole, picture) = (draw(deep), draw(camera));
        assert!(count(&whole, [10, 20, 30, 255]) < 300 * 200 - 1000, "pitch {pitch}, distance {distance}: the grid is not in the picture");
        assert_eq!(differ(&picture, &whole), 0, "pitch {pitch}, distance {distance}");
    }
}

#[test]
fn the_grid_is_equally_bright_at_every_resolution() {
    let Some(gpu) = gpu() else { return };
    let scene = Scene::new(vec![colored([1.0; 4])], vec![]);
    // Returns the mean light that the grid adds to the background.
    let mean = |resolution, pixels_per_point: f32| {
        let size = [300, 200].map(|points| (points as f32 * pixels_per_point) as u32);
        let projection = Projection::Perspective { yfov: 0.8, aspect_ratio: None, zfar: None };
        let camera = Camera::look_at(DVec3::new(3.0, 4.0, 8.0), DVec3::ZERO, DVec3::Y, projection, 1.0);
        let bounds = Bounds { min: DVec3::new(-1.0, 0.0, -1.0), max: DVec3::splat(1.0) };
        let display = Display { grid: true, ..Shot::default().display };
        let picture =
            scene.draw(gpu, &Shot { size, display, camera: Some(camera), bounds, resolution, pixels_per_point, ..Shot::default() });
        // Lines are mixed with the background as light, not as sRGB.
        let light = |byte: u8| ((f64::from(byte) / 255.0 + 0.055) / 1.055).powf(2.4);
        picture.pixels().map(|pixel| light(pixel.0[0]) - light(10)).sum::<f64>() / f64::from(size[0] * size[1])
    };
    let once = mean(Resolution::FULL, 1.0);
    assert!(once > 0.001, "the grid is visible: {once}");
    for (resolution, pixels_per_point) in [(Resolution::Supersampled(4), 1.0), (Resolution::FULL, 4.0)] {
        let ratio = mean(resolution, pixels_per_point) / once;
        assert!((ratio - 1.0).abs() < 0.1, "{ratio} at {resolution:?}, {pixels_per_point}");
    }
}

fn document() -> Document {
    let scene = Scene::new(vec![colored([1.0, 0.0, 0.0, 1.0])], vec![quad(-1.0, -1.0, 2.0, 2.0)]);
    Document::new(Arc::new(scene.model), "quad".into(), None)
}

fn options(width: u32, height: u32) -> StillOptions {
    StillOptions {
        width,
        height,
        supersample: 1,
        background: Background::Transparent,
        overlays: false,
        theme: colors::DARK,
        names: NameStyle::Full,
        units: Default::default(),
        pixels_per_point: 1.0,
        camera: None,
    }
}

#[test]
fn the_legend_of_a_trail_has_the_unit_of_the_options() {
    let Some(gpu) = gpu() else { return };
    let mut gltf = triangle();
    let output = gltf.floats("VEC3", [[0.0f32; 3], [4.0, 0.0, 0.0]].as_flattened());
    gltf.animation(&[(0, "translation", "LINEAR", &[0.0, 1.0], output)]);
    let document = Document::new(Arc::new(gltf.model()), "triangle".into(), None);
    let gpu_model = GpuModel::new(gpu, &document.model).unwrap();
    let mut renderer = Renderer::new(gpu, wgpu::TextureFormat::Rgba8Unorm, Msaa::One);
    let draw = |renderer: &mut Renderer, shown, length| {
        let display = Display { trail: Trail { shown, ..Trail::default() }, grid: false, ..Display::default() };
        let view = View { animation: Some(0), selection: vec![0], display, ..View::default() };
        let subject = Subject { document: &document, analyses: &Analyses::new(&document, &view), view: &view };
        let units = Units { length, ..Units::default() };
        let options = StillOptions { overlays: true, background: Background::Color([0; 3]), units, ..options(640, 360) };
        still(gpu, renderer, &gpu_model, subject, 0.5, &options).unwrap()
    };
    let [meters, centimeters] = [LengthUnit::Meters, LengthUnit::Centimeters].map(|length| draw(&mut renderer, true, length));
    assert!(meters != centimeters, "the legend writes 4 m/s or 400 cm/s");
    let [meters, centimeters] = [LengthUnit::Meters, LengthUnit::Centimeters].map(|length| draw(&mut renderer, false, length));
    assert!(meters == centimeters, "nothing else depends on the unit");
}

#[test]
fn a_picture_has_a_legend_of_weights_if_there_is_room() {
    let Some(gpu) = gpu() else { return };
    let document = Document::new(Arc::new(hand_made::bending_box()), "box".into(), None);
    let gpu_model = GpuModel::new(gpu, &document.model).unwrap();
    let mut renderer = Renderer::new(gpu, wgpu::TextureFormat::Rgba8Unorm, Msaa::One);
    let tip = document.model.nodes.iter().find(|node| node.name.as_deref() == Some("Tip")).unwrap().source;
    let mut view = View { selection: vec![tip], ..View::default() };
    (view.display.grid, view.display.axes, view.display.skeleton) = (false, false, false);
    // Returns the numbers of pixels near both end colors of the scale, in the upper left corner.
    let mut ends = |weights, overlays, [width, height]: [u32; 2]| {
        view.display.heat_map = weights;
        let options = StillOptions { overlays, background: Background::Color([0; 3]), ..options(width, height) };
        let subject = Subject { document: &document, analyses: &Analyses::new(&document, &view), view: &view };
        let picture = still(gpu, &mut renderer, &gpu_model, subject, 0.0, &options).unwrap();
        let near = |pixel: &image::Rgba<u8>, color: [u8; 3]| (0..3).all(|i| pixel.0[i].abs_diff(color[i]) < 12);
        [colors::HEAT[0], colors::HEAT[colors::HEAT.len() - 1]].map(|color| {
            let corner = picture.enumerate_pixels().filter(|(x, y, _)| *x < 180 && *y < 50);
            corner.filter(|(_, _, pixel)| near(pixel, color)).count()
        })
    };
    let [low, high] = ends(HeatMap::Selection, true, [640, 360]);
    assert!(low > 8 && high > 8, "{low} {high}");
    assert_eq!(ends(HeatMap::Selection, false, [640, 360]), [0, 0], "there is no legend without overlays");
    // In a small picture the box itself reaches into that corner.
    assert_eq!(ends(HeatMap::Selection, true, [320, 180])[0], 0, "there is no legend where it would hide too much");
    assert_eq!(ends(HeatMap::Off, true, [640, 360]), [0, 0]);
}

#[test]
fn a_still_shows_the_fitted_document_in_either_channel_order() {
    let Some(gpu) = gpu() else { return };
    let view = View { display: Display { grid: false, ..Shot::default().display }, ..View::default() };
    let document = document();
    let gpu_model = GpuModel::new(gpu, &document.model).unwrap();
    let mut pictures = Vec::new();
    for format in [wgpu::TextureFormat::Rgba8Unorm, wgpu::TextureFormat::Bgra8Unorm] {
        let mut renderer = Renderer::new(gpu, format, Msaa::Four);
        let picture = still(
            gpu,
            &mut renderer,
            &gpu_model,
            Subject { document: &document, analyses: &Analyses::new(&document, &view), view: &view },
            0.0,
            &options(120, 90),
        )
        .unwrap();
        assert_eq!(picture.dimensions(), (120, 90));
        let red = picture.pixels().filter(|pixel| pixel.0 == [255, 0, 0, 255]).count();
        assert!(red > 120 * 90 / 5, "only {red} pixels are red");
        assert_eq!(picture.get_pixel(0, 0).0[3], 0);
        pictures.push(picture);
    }
    assert_eq!(pictures[0], pictures[1]);
}

#[test]
fn joint_names_are_drawn_over_the_picture_if_the_view_shows_them() {
    let Some(gpu) = gpu() else { return };
    let mut view = View { display: Display { grid: false, ..Shot::default().display }, ..View::default() };
    let mut scene = Scene::new(vec![colored([1.0, 0.0, 0.0, 1.0])], vec![quad(-1.0, -1.0, 2.0, 2.0)]);
    scene.model.nodes[0].name = Some("elbow".into());
    let (joints, inverse_bind_matrices) = (vec![NodeIndex(0)], vec![Affine3A::IDENTITY]);
    scene.model.skins.push(Skin { joints, inverse_bind_matrices, matrices: 1..2, ..Skin::default() });
    scene.model.palette_len = 2;
    let document = Document::new(Arc::new(scene.model), "quad".into(), None);
    let gpu_model = GpuModel::new(gpu, &document.model).unwrap();
    let mut renderer = Renderer::new(gpu, wgpu::TextureFormat::Rgba8Unorm, Msaa::One);
    let mut draw = |view: &View, overlays, background| {
        let options = StillOptions { overlays, background, ..options(200, 150) };
        still(
            gpu,
            &mut renderer,
            &gpu_model,
            Subject { document: &document, analyses: &Analyses::new(&document, view), view },
            0.0,
            &options,
        )
        .unwrap()
    };
    let bare = draw(&view, true, Background::Transparent);
    view.display.names = JointNames::All;
    assert_eq!(draw(&view, false, Background::Transparent), bare, "without overlays there are no names either");
    for background in [Background::Transparent, Background::Color([10, 20, 30])] {
        let named = draw(&view, true, background);
        // The name is to the right of the joint in the middle, and nowhere else.
        let light = |x, y| named.get_pixel(x, y).0[1] > 120 && named.get_pixel(x, y).0[3] == 255;
        let letters = (0..200).flat_map(|x| (0..150).map(move |y| (x, y))).filter(|&(x, y)| light(x, y)).collect::<Vec<_>>();
        assert!(letters.len() > 20, "only {} pixels are as light as letters", letters.len());
        assert!(letters.iter().all(|&(x, y)| (100..150).contains(&x) && (60..90).contains(&y)), "{letters:?}");
    }
}

#[test]
fn empty_and_too_large_pictures_are_refused() {
    let Some(gpu) = gpu() else { return };
    let view = View::default();
    let document = document();
    let gpu_model = GpuModel::new(gpu, &document.model).unwrap();
    let mut renderer = Renderer::new(gpu, wgpu::TextureFormat::Rgba8Unorm, Msaa::One);
    for (width, height) in [(0, 10), (10, 0), (16385, 1), (u32::MAX, u32::MAX)] {
        let result = still(
            gpu,
            &mut renderer,
            &gpu_model,
            Subject { document: &document, analyses: &Analyses::new(&document, &view), view: &view },
            0.0,
            &options(width, height),
        );
        assert!(matches!(result, Err(ExportError::Size { .. })));
    }
}

#[test]
fn a_wide_picture_is_made_of_tiles() {
    let Some(gpu) = gpu() else { return };
    let mut scene = Scene::new(vec![colored([1.0, 0.0, 0.0, 1.0])], vec![]);
    scene.add(quad(0.0, 0.0, 5000.0, 4.0), Mat4::IDENTITY);
    let picture = scene.draw(gpu, &Shot { size: [5000, 6], ..Shot::default() });
    assert_eq!(picture.pixels().filter(|pixel| pixel.0 == [255, 0, 0, 255]).count(), 20000);
}

#[test]
fn a_png_is_written_completely_and_overwrites_only_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.png");
    let first = RgbaImage::from_fn(5, 4, |x, y| image::Rgba([x as u8 * 50, y as u8 * 60, 7, 128]));
    png::write_png(&first, &path, false).unwrap();
    assert_eq!(image::open(&path).unwrap().into_rgba8(), first);

    let second = RgbaImage::new(2, 2);
    assert!(matches!(png::write_png(&second, &path, false), Err(WriteError::Exists { .. })));
    assert_eq!(image::open(&path).unwrap().into_rgba8(), first);
    png::write_png(&second, &path, true).unwrap();
    assert_eq!(image::open(&path).unwrap().into_rgba8(), second);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no other file remains");
    assert!(matches!(png::write_png(&second, &folder.path().join("none/picture.png"), true), Err(WriteError::Io { .. })));
}

/// Writes to a device that is always full.
#[test]
#[cfg(target_os = "linux")]
fn on_a_full_disk_no_new_picture_is_left_and_the_old_one_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.png");
    let full = || std::os::unix::fs::symlink("/dev/full", folder.path().join(format!(".picture.png.{}.tmp", std::process::id()))).unwrap();
    let files = || std::fs::read_dir(folder.path()).unwrap().count();
    let said =
        |overwrite| match png::write_png(&RgbaImage::from_fn(300, 300, |x, y| image::Rgba([x as u8, y as u8, 7, 8])), &path, overwrite) {
            Err(WriteError::Io { reason, .. }) => reason.kind(),
            other => panic!("{other:?}"),
        };
    full();
    assert_eq!(said(false), std::io::ErrorKind::StorageFull);
    assert_eq!(files(), 0);
    let old = RgbaImage::new(2, 2);
    png::write_png(&old, &path, false).unwrap();
    full();
    assert_eq!(said(true), std::io::ErrorKind::StorageFull);
    assert_eq!(files(), 1);
    assert_eq!(image::open(&path).unwrap().into_rgba8(), old);
}
