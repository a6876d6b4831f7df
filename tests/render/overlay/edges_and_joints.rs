//! Tests edges, the selection outline, x-ray and solid joints by counting pixels.

use glam::{DVec3, Mat4, Vec2, Vec3};
use image::RgbaImage;
use sinew::model::material::{AlphaMode, Material};
use sinew::model::mesh::Primitive;
use sinew::render::annotations::line::Line;
use sinew::render::annotations::skeleton::{Solid, SolidJoint};
use sinew::render::picture::{Background, Resolution};
use sinew::session::view::display::{Depth, Display, Shading};

use crate::common::pixels::count;
use crate::scene::{Scene, Shot, colored, gpu, moved, quad, with};

const WHITE: [u8; 4] = [255; 4];
const BEHIND: [u8; 4] = [10, 20, 30, 255];
const ACCENT: [u8; 4] = [0x38, 0xD1, 0xCF, 0xFF];

fn display(change: impl FnOnce(&mut Display)) -> Display {
    let mut display = Shot::default().display;
    change(&mut display);
    display
}

/// Returns the distance from a pixel's center to a segment.
fn distance(x: u32, y: u32, [a, b]: [[f32; 2]; 2]) -> f32 {
    let (at, a, b) = (Vec2::new(x as f32 + 0.5, y as f32 + 0.5), Vec2::from(a), Vec2::from(b));
    let along = ((at - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
    at.distance(a + (b - a) * along)
}

#[test]
fn the_wireframe_has_exactly_the_edges_of_the_triangles() {
    let Some(gpu) = gpu() else { return };
    // The first quad lies outside the picture. Its vertices come before those of the second one in the same buffer.
    let scene = Scene::new(vec![colored([1.0; 4])], vec![quad(500.0, 0.0, 9.0, 9.0), quad(6.0, 8.0, 52.0, 48.0)]);
    let [left, top, right, bottom] = [6.0, 8.0, 58.0, 56.0];
    let edges = [
        [[left, top], [left, bottom]],
        [[left, bottom], [right, bottom]],
        [[right, bottom], [right, top]],
        [[right, top], [left, top]],
        [[left, top], [right, bottom]],
    ];
    for (points, samples, perspective) in [(1.0, 1, false), (2.0, 1, false), (1.0, 1, true), (1.0, 4, false), (2.0, 4, true)] {
        let shot = Shot { display: display(|d| d.wireframe = true), pixels_per_point: points, samples, perspective, ..Shot::default() };
        let picture = scene.draw(gpu, &shot);
        // The line reaches this far from its middle: half its width, plus the half pixel over which it fades out.
        let reach = 0.75 * points + 0.5;
        let mut lines = 0;
        for (x, y, pixel) in picture.enumerate_pixels() {
            let inside = (6..58).contains(&x) && (8..56).contains(&y);
            let away = edges.iter().map(|edge| distance(x, y, *edge)).fold(f32::INFINITY, f32::min);
            if !inside {
                assert_eq!(pixel.0, BEHIND, "{x}, {y}");
            } else if (away - reach).abs() > 0.1 {
                assert_eq!(pixel.0 != WHITE, away < reach, "{x}, {y} is {away} from an edge, {points} pixels a point: {pixel:?}");
                lines += usize::from(away < reach);
            }
        }
        assert!(lines > 200, "{lines}");
        assert_eq!(count(&scene.draw(gpu, &Shot { samples, perspective, ..Shot::default() }), WHITE), 52 * 48);
    }
}

#[test]
fn edges_are_drawn_over_every_kind_of_surface_and_in_every_mode() {
    let Some(gpu) = gpu() else { return };
    let modes = [AlphaMode::Opaque, AlphaMode::Mask { cutoff: 0.5 }, AlphaMode::Blend];
    for (i, alpha_mode) in modes.into_iter().enumerate() {
        for mirrored in [false, true] {
            let material = Material { alpha_mode, ..colored([1.0; 4]) };
            let mut scene = Scene::new(vec![material], Vec::new());
            let mirror = Mat4::from_translation(Vec3::X * 64.0) * Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0));
            scene.add(quad(8.0, 8.0, 48.0, 48.0), if mirrored { mirror } else { Mat4::IDENTITY });
            for shading in [Shading::Lit, Shading::Clay, Shading::Normals, Shading::Uv, Shading::VertexColors] {
                let draw = |wireframe| {
                    scene.draw(gpu, &Shot { display: display(|d| (d.wireframe, d.shading) = (wireframe, shading)), ..Shot::default() })
                };
                let (without, with) = (draw(false), draw(true));
                let different = without.pixels().zip(with.pixels()).filter(|(a, b)| a != b).count();
                assert!((4 * 47..15 * 48).contains(&different), "material {i}, mirrored {mirrored}, {shading:?}: {different}");
            }
        }
    }
}

/// Builds a selected square of 20 pixels.
fn outlined() -> (Scene, Shot) {
    let scene = Scene::new(vec![colored([1.0; 4])], vec![quad(20.0, 20.0, 20.0, 20.0)]);
    (scene, Shot { outlined: vec![true], ..Shot::default() })
}

#[test]
fn the_outline_is_closed_and_two_points_wide() {
    let Some(gpu) = gpu() else { return };
    let (scene, shot) = outlined();
    for (samples, supersample, points) in [(1, 1, 1.0), (4, 1, 1.0), (1, 2, 1.0), (4, 3, 1.0), (1, 1, 2.0), (4, 2, 2.0)] {
        let picture = scene.draw(
            gpu,
            &Shot {
                samples,
                resolution: Resolution::Supersampled(supersample),
                pixels_per_point: points,
                ..Shot { outlined: vec![true], ..Shot::default() }
            },
        );
        let case = format!("{samples} samples, {supersample} supersamples, {points} pixels a point");
        let width = (2.0 * points) as u32;
        assert_eq!(count(&picture, WHITE), 400, "{case}: the square itself is unchanged");
        for i in 20..40 {
            for step in 1..=width {
                for (x, y) in [(i, 20 - step), (i, 39 + step), (20 - step, i), (39 + step, i)] {
                    assert_eq!(picture.get_pixel(x, y).0, ACCENT, "{case}: {x}, {y}");
                }
            }
            let step = width + 1;
            for (x, y) in [(i, 20 - step), (i, 39 + step), (20 - step, i), (39 + step, i)] {
                assert_eq!(picture.get_pixel(x, y).0, BEHIND, "{case}: {x}, {y}");
            }
        }
        let corners = [(19, 19), (40, 19), (19, 40), (40, 40)];
        assert!(corners.iter().all(|&(x, y)| picture.get_pixel(x, y).0[1] > 150), "{case}: closed at its corners");
    }
    assert_eq!(count(&scene.draw(gpu, &Shot { outlined: Vec::new(), ..shot }), BEHIND), 64 * 64 - 400);
}

#[test]
fn the_outline_shows_through_other_objects_and_continues_across_tiles() {
    let Some(gpu) = gpu() else { return };
    let (mut scene, mut shot) = outlined();
    scene.add(moved(quad(0.0, 0.0, 64.0, 64.0), Vec3::Z), Mat4::IDENTITY);
    shot.outlined = vec![true, false];
    let whole = scene.draw(gpu, &shot);
    assert!(count(&whole, ACCENT) >= 4 * 20 * 2);
    for (tile, supersample) in [(16, 1), (20, 1), (24, 2)] {
        let resolution = Resolution::Supersampled(supersample);
        let whole = scene.draw(gpu, &Shot { resolution, outlined: vec![true, false], ..Shot::default() });
        assert_eq!(scene.draw(gpu, &Shot { tile, resolution, outlined: vec![true, false], ..Shot::default() }), whole);
    }
}

#[test]
fn a_picture_as_wide_as_the_largest_texture_has_an_outline() {
    let Some(gpu) = gpu() else { return };
    let (scene, shot) = outlined();
    let wide = gpu.device.limits().max_texture_dimension_2d;
    let picture = scene.draw(gpu, &Shot { size: [wide, 64], tile: wide, ..shot });
    assert!(count(&picture, ACCENT) >= 4 * 20 * 2);
}

#[test]
fn the_outline_follows_the_alpha_mask() {
    let Some(gpu) = gpu() else { return };
    // In the first case, the mask removes the square completely. In the other cases, the square is visible; in the
    // second case, it is half transparent.
    for (alpha, alpha_mode, seen) in
        [(0.2, AlphaMode::Mask { cutoff: 0.5 }, false), (0.5, AlphaMode::Blend, true), (0.8, AlphaMode::Mask { cutoff: 0.5 }, true)]
    {
        let material = Material { alpha_mode, ..colored([1.0, 1.0, 1.0, alpha]) };
        let scene = Scene::new(vec![material], vec![quad(20.0, 20.0, 20.0, 20.0)]);
        let picture = scene.draw(gpu, &Shot { outlined: vec![true], ..Shot::default() });
        assert_eq!(count(&picture, ACCENT) > 0, seen, "{alpha_mode:?}");
    }
}

fn line() -> Line {
    let (start, end) = (DVec3::new(4.0, -32.0, -50.0), DVec3::new(60.0, -32.0, -50.0));
    Line { start, end, width: 4.0, halo_width: 0.0, color: [0, 0, 255, 255], halo: [0; 4], depth: Depth::InFront }
}

#[test]
fn a_line_into_the_depth_is_equally_wide_everywhere() {
    let Some(gpu) = gpu() else { return };
    let scene = Scene::new(vec![colored([1.0; 4])], vec![quad(100.0, 100.0, 1.0, 1.0)]);
    let shot = Shot { perspective: true, ..Shot::default() };
    let eye = shot.camera().eye();
    // The point that the picture shows at (x, y) and that is this far from the eye, along the view direction.
    let at = |x: f64, y: f64, distance: f64| eye + (DVec3::new(x, -y, 0.0) - eye) * (distance / eye.z);
    let (start, end) = ([6.0, 20.0], [58.0, 44.0]);
    for [near, far] in [[8.0, 160.0], [1.0, 2000.0], [50.0, 50.0]] {
        let line = Line { start: at(start[0], start[1], near), end: at(end[0], end[1], far), ..line() };
        let picture = scene.draw(gpu, &Shot { lines: vec![line], perspective: true, ..Shot::default() });
        let covered = |x: u32| -> f32 { (0..64).map(|y| (f32::from(picture.get_pixel(x, y).0[2]) - 30.0) / 225.0).sum() };
        // The length of a vertical cut through a line of width 4.
        let (along, down) = (end[0] - start[0], end[1] - start[1]);
        let expected = 4.0 * (f64::hypot(along, down) / along) as f32;
        for x in 10..54 {
            assert!((covered(x) - expected).abs() < 0.2, "{} instead of {expected} pixels in column {x}, from {near} to {far}", covered(x));
        }
    }
}

#[test]
fn x_ray_blends_the_body_once_over_skeleton_and_background() {
    let Some(gpu) = gpu() else { return };
    let facing = |z| moved(with(quad(10.0, 10.0, 44.0, 44.0), |v| v.normals = vec![Vec3::Z; 4]), Vec3::Z * z);
    let linear = |byte: u8| ((f32::from(byte) / 255.0 + 0.055) / 1.055).powf(2.4);
    for (count_of, alpha_mode) in [(1, AlphaMode::Opaque), (3, AlphaMode::Opaque), (1, AlphaMode::Mask { cutoff: 0.5 })] {
        let material = Material { alpha_mode, ..colored([1.0, 0.0, 0.0, 1.0]) };
        let scene = Scene::new(vec![material], (0..count_of).map(|i| facing(i as f32)).collect());
        let shot = Shot { display: display(|d| d.xray = true), lines: vec![line()], ..Shot::default() };
        let picture = scene.draw(gpu, &shot);
        assert_eq!(picture.get_pixel(32, 32).0, [0, 0, 255, 255], "the line behind the body is visible");
        let [r, g, _, _] = picture.get_pixel(32, 20).0;
        // A body that faces the eye has an opacity of a quarter, however many of its surfaces lie behind each other.
        assert!((linear(r) - 0.25).abs() < 0.02 && g > 10 && g <= 20, "{r}, {g}");
    }
}

#[test]
fn the_body_hides_lines_whose_depth_is_hidden() {
    let Some(gpu) = gpu() else { return };
    let (blue, width) = ([0, 0, 255, 255], 64 * 4);
    let line = |depth, z: f64| {
        let move_on = DVec3::Z * (z - line().start.z);
        Line { start: line().start + move_on, end: line().end + move_on, depth, ..line() }
    };
    for alpha_mode in [AlphaMode::Opaque, AlphaMode::Mask { cutoff: 0.5 }, AlphaMode::Blend] {
        let material = Material { alpha_mode, ..colored([1.0, 0.0, 0.0, 1.0]) };
        // The quad covers columns 16 to 48.
        let scene = Scene::new(vec![material], vec![quad(16.0, 0.0, 32.0, 64.0)]);
        for samples in [1, 4] {
            let draw = |lines: Vec<Line>, xray| {
                let display = display(|d| d.xray = xray);
                count(&scene.draw(gpu, &Shot { display, lines, samples, ..Shot::default() }), blue)
            };
            let whole = draw(vec![line(Depth::InFront, -50.0)], false);
            assert!(whole > 54 * 4 && whole < width, "{whole}");
            assert_eq!(draw(vec![line(Depth::Occluded, 5.0)], false), whole, "in front of the body");
            let hidden = draw(vec![line(Depth::Occluded, -50.0)], false);
            assert_eq!(whole - hidden, 32 * 4, "behind the body: {alpha_mode:?}, {samples} samples");
            assert_eq!(draw(vec![line(Depth::Occluded, -50.0), line(Depth::InFront, -50.0)], false), whole);
            assert_eq!(draw(vec![line(Depth::Occluded, -50.0)], true), whole, "x-ray shows lines inside the body");
        }
    }
}

#[test]
fn the_body_hides_joints_that_are_solids() {
    let Some(gpu) = gpu() else { return };
    let scene = Scene::new(vec![colored([1.0; 4])], vec![quad(0.0, 0.0, 64.0, 64.0)]);
    let draw = |depth, z: f64| {
        let solid = SolidJoint { start: solid(8.0).start + DVec3::Z * z, end: solid(8.0).end + DVec3::Z * z, ..solid(8.0) };
        let picture =
            scene.draw(gpu, &Shot { display: display(|d| d.skeleton_depth = depth), solid_joints: vec![solid], ..Shot::default() });
        64 * 64 - count(&picture, WHITE)
    };
    let whole = draw(Depth::InFront, 0.0);
    assert!(whole > 300, "{whole}");
    assert_eq!((draw(Depth::Occluded, -40.0), draw(Depth::InFront, -40.0)), (0, whole));
    assert_eq!(draw(Depth::Occluded, 40.0), whole, "it is in front of the body");
}

#[test]
fn the_ground_shows_through_an_x_ray_body() {
    let Some(gpu) = gpu() else { return };
    let scene = Scene::new(vec![colored([1.0, 0.0, 0.0, 1.0])], vec![quad(0.0, 0.0, 64.0, 64.0)]);
    let draw = |xray, axes| scene.draw(gpu, &Shot { display: display(|d| (d.xray, d.axes) = (xray, axes)), ..Shot::default() });
    // The body covers the whole picture. The axes start at its upper left corner.
    assert_eq!(count(&draw(false, false), [255, 0, 0, 255]), 64 * 64);
    assert!(draw(true, true) != draw(true, false));
    // The same holds in front of a visible environment.
    let before_it = |axes| {
        let background = Background::Environment;
        scene.draw(gpu, &Shot { display: display(|d| (d.xray, d.axes) = (true, axes)), background, ..Shot::default() })
    };
    assert!(before_it(true) != before_it(false));
}

fn solid(width: f32) -> SolidJoint {
    let (start, end) = (DVec3::new(10.0, -32.0, 5.0), DVec3::new(60.0, -32.0, 5.0));
    SolidJoint { start, end, solid: Solid::Octahedron, side: DVec3::Y * f64::from(width), color: ACCENT, edge: [0, 0, 0, 255] }
}

/// Returns how many columns and rows the drawing spans.
fn covered(picture: &RgbaImage) -> [u32; 2] {
    let drawn: Vec<_> = picture.enumerate_pixels().filter(|(_, _, pixel)| pixel.0 != BEHIND).collect();
    let span = |of: fn(&(u32, u32, &image::Rgba<u8>)) -> u32| {
        let (low, high) = drawn.iter().map(of).fold((u32::MAX, 0), |(low, high), at| (low.min(at), high.max(at)));
        high + 1 - low
    };
    [span(|at| at.0), span(|at| at.1)]
}

#[test]
fn a_joint_is_drawn_as_a_solid_in_front_of_the_model() {
    let Some(gpu) = gpu() else { return };
    let scene = Scene::new(vec![colored([1.0; 4])], vec![]);
    for samples in [1, 4] {
        let picture = scene.draw(gpu, &Shot { solid_joints: vec![solid(8.0)], samples, ..Shot::default() });
        let [columns, rows] = covered(&picture);
        assert!((45..=51).contains(&columns) && (15..=17).contains(&rows), "{columns} columns, {rows} rows, {samples} samples");
    }
    let mut hidden = Scene::new(vec![colored([1.0; 4])], vec![]);
    hidden.add(moved(quad(0.0, 0.0, 64.0, 64.0), Vec3::Z * 100.0), Mat4::IDENTITY);
    let picture = hidden.draw(gpu, &Shot { solid_joints: vec![solid(8.0)], ..Shot::default() });
    assert!(picture.get_pixel(20, 30).0 != WHITE, "the solid is visible through the surface in front of it");
}

#[test]
fn the_faces_of_a_solid_differ_and_its_edges_are_dark() {
    let Some(gpu) = gpu() else { return };
    let scene = Scene::new(vec![], Vec::<Primitive>::new());
    let light = SolidJoint { color: [200, 200, 200, 255], ..solid(12.0) };
    let picture = scene.draw(gpu, &Shot { solid_joints: vec![light], ..Shot::default() });
    // The column with the most drawn pixels crosses both visible faces.
    let column = (0..picture.width()).max_by_key(|&x| (0..picture.height()).filter(|&y| picture.get_pixel(x, y).0 != BEHIND).count());
    let column: Vec<i32> = (0..picture.height())
        .map(|y| picture.get_pixel(column.unwrap() + 4, y).0)
        .filter(|pixel| *pixel != BEHIND)
        .map(|pixel| i32::from(pixel[0]))
        .collect();
    let (upper, lower) = (column[column.len() / 4], column[column.len() * 3 / 4]);
    assert!(upper > lower + 60, "the light comes from above: {upper} and {lower} in {column:?}");
    let (brightest, darkest) = (column.iter().max().unwrap(), column.iter().min().unwrap());
    assert!(*darkest * 3 < *brightest, "the edge between the faces is dark: {column:?}");
}

#[test]
fn the_nearer_of_two_joints_hides_the_other() {
    let Some(gpu) = gpu() else { return };
    let scene = Scene::new(vec![], Vec::<Primitive>::new());
    let red = SolidJoint { color: [255, 0, 0, 255], ..solid(10.0) };
    let nearer = SolidJoint { start: red.start + DVec3::Z * 100.0, end: red.end + DVec3::Z * 100.0, ..solid(10.0) };
    for solid_joints in [vec![red, nearer], vec![nearer, red]] {
        let picture = scene.draw(gpu, &Shot { solid_joints, ..Shot::default() });
        assert!(picture.pixels().all(|pixel| pixel.0[0] <= 100), "no part of the red joint is visible");
    }
}

#[test]
fn a_floor_at_the_height_of_the_ground_hides_the_grid_everywhere() {
    let Some(gpu) = gpu() else { return };
    // The floor is flat at y = 0, above the eye, which looks along it.
    let floor = with(quad(-40.0, 0.0, 140.0, 1.0), |vertices| {
        vertices.positions.iter_mut().for_each(|p| *p = Vec3::new(p.x, 0.0, if p.y < -0.5 { 40.0 } else { -400.0 }));
    });
    let scene = Scene::new(vec![Material { double_sided: true, ..colored([1.0; 4]) }], vec![floor]);
    for (samples, perspective) in [(1, true), (4, true)] {
        let draw =
            |scene: &Scene, grid| scene.draw(gpu, &Shot { display: display(|d| d.grid = grid), samples, perspective, ..Shot::default() });
        let (bare, with_grid) = (draw(&scene, false), draw(&scene, true));
        let grid_alone = draw(&Scene::new(vec![Material::default()], vec![]), true);
        let on_floor = || bare.enumerate_pixels().filter(|(_, _, pixel)| pixel.0 == WHITE).map(|(x, y, _)| (x, y));
        assert!(on_floor().count() > 300, "{}", on_floor().count());
        assert!(on_floor().filter(|&(x, y)| grid_alone.get_pixel(x, y).0 != BEHIND).count() > 30, "the grid is visible without the floor");
        assert!(on_floor().all(|(x, y)| with_grid.get_pixel(x, y).0 == WHITE), "{samples} samples");
    }
}
