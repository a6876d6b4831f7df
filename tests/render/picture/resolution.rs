//! Tests pictures whose number of MSAA samples, resolution or level of detail changes from frame to frame, and pictures that are shown
//! again without being drawn.

use glam::{DVec3, Mat4, Vec3};
use image::RgbaImage;
use sinew::model::material::AlphaMode;
use sinew::model::mesh::{Primitive, Vertices};
use sinew::render::annotations::line::Line;
use sinew::render::device::gpu::Gpu;
use sinew::render::device::readback;
use sinew::render::environment::EnvironmentLight;
use sinew::render::environment::studio_map::studio_map;
use sinew::render::picture::{Background, Msaa, Picture, Resolution, Viewport};
use sinew::render::renderer::Renderer;
use sinew::session::view::display::{Depth, Display, Lighting};

use crate::common::sphere::{grid_indices, sphere_positions};
use crate::scene::{Scene, Shot, colored, gpu, msaa, quad};

/// Builds two quads with slanted edges, one of them translucent.
fn scene() -> Scene {
    let mut glass = colored([0.2, 0.4, 1.0, 0.5]);
    glass.alpha_mode = AlphaMode::Blend;
    let [mut body, mut pane] = [quad(10.0, 8.0, 20.0, 30.0), quad(30.0, 4.0, 20.0, 50.0)];
    (body.material, pane.material) = (Some(0), Some(1));
    let mut scene = Scene::new(vec![colored([1.0, 0.5, 0.1, 1.0]), glass], Vec::new());
    let slanted = Mat4::from_rotation_z(0.1);
    scene.add(body, slanted);
    scene.add(pane, slanted);
    scene
}

/// Draws one frame with `draw`, which returns whether it drew anything. Returns the pixels of the target, or `None` if nothing was drawn.
fn frame(gpu: &Gpu, [width, height]: [u32; 2], draw: impl FnOnce(&mut wgpu::CommandEncoder, &Viewport) -> bool) -> Option<RgbaImage> {
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let target = texture.create_view(&wgpu::TextureViewDescriptor::default());
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let is_drawn = draw(&mut encoder, &Viewport { target: &target, rect: [0, 0, width, height] });
    let mut rgba = Vec::new();
    readback::read_rows(gpu, encoder, &texture, [width, height], |_, row| rgba.extend_from_slice(row)).unwrap();
    is_drawn.then(|| RgbaImage::from_raw(width, height, rgba).unwrap())
}

#[test]
fn the_number_of_samples_can_change_with_each_picture() {
    let Some(gpu) = gpu() else { return };
    let scene = scene();
    let mut renderer = Renderer::new(gpu, wgpu::TextureFormat::Rgba8Unorm, Msaa::Four);
    let pictures = [1, 4].map(|samples| scene.draw(gpu, &Shot { samples, outlined: vec![true], ..Shot::default() }));
    assert!(pictures[0] != pictures[1]);
    for samples in [4, 1, 4, 4, 1] {
        let shot = Shot { samples, outlined: vec![true], ..Shot::default() };
        let expected = &pictures[usize::from(samples == 4)];
        assert!(scene.draw_again(gpu, &shot, &mut renderer) == *expected, "{samples} samples");
    }
}

/// Interpolates a picture with `factor` pixels per texel along each side. Colors are interpolated in linear light.
fn enlarged(texels: &RgbaImage, factor: u32, [width, height]: [u32; 2]) -> Vec<[f32; 3]> {
    let linear = |byte: u8| {
        let value = f32::from(byte) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    let encoded = |value: f32| 255.0 * if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 };
    let texel = |x: i64, y: i64| {
        let at = [x.clamp(0, i64::from(texels.width()) - 1), y.clamp(0, i64::from(texels.height()) - 1)];
        let [r, g, b, _] = texels.get_pixel(at[0] as u32, at[1] as u32).0;
        Vec3::new(linear(r), linear(g), linear(b))
    };
    let mut pixels = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let [u, v] = [x, y].map(|pixel| (f64::from(pixel) + 0.5) / f64::from(factor) - 0.5);
            let (left, top) = (u.floor() as i64, v.floor() as i64);
            let (right, down) = ((u - u.floor()) as f32, (v - v.floor()) as f32);
            let above = texel(left, top).lerp(texel(left + 1, top), right);
            let below = texel(left, top + 1).lerp(texel(left + 1, top + 1), right);
            pixels.push(above.lerp(below, down).to_array().map(encoded));
        }
    }
    pixels
}

#[test]
fn a_picture_with_reduced_resolution_equals_an_enlarged_smaller_picture() {
    let Some(gpu) = gpu() else { return };
    for factor in [2, 3] {
        let size = [64 * factor, 64 * factor];
        let shot = |size, resolution, pixels_per_point| Shot { size, resolution, pixels_per_point, ..Shot::default() };
        // The camera shows 64 units, one per texel.
        let small = scene().draw(gpu, &shot([64, 64], Resolution::FULL, 1.0));
        let camera = Some(shot([64, 64], Resolution::FULL, 1.0).camera());
        let reduced = scene().draw(gpu, &Shot { camera, ..shot(size, Resolution::Reduced(factor), factor as f32) });
        assert_eq!(reduced.dimensions(), (size[0], size[1]));
        for (pixel, expected) in reduced.pixels().zip(enlarged(&small, factor, size)) {
            let off = pixel.0.iter().zip(expected).map(|(byte, expected)| (f32::from(*byte) - expected).abs()).fold(0.0, f32::max);
            assert!(off <= 1.0, "{factor}: {pixel:?}, not {expected:?}");
        }
    }
}

#[test]
fn a_reduced_picture_fills_sizes_that_the_factor_does_not_divide() {
    let Some(gpu) = gpu() else { return };
    let line = Line {
        start: DVec3::new(0.0, -20.0, 1.0),
        end: DVec3::new(64.0, -20.0, 1.0),
        width: 4.0,
        halo_width: 0.0,
        color: [255; 4],
        halo: [0; 4],
        depth: Depth::InFront,
    };
    let shot = Shot { size: [63, 61], resolution: Resolution::Reduced(2), lines: vec![line], ..Shot::default() };
    let picture = scene().draw(gpu, &shot);
    let background = [10, 20, 30, 255];
    assert_eq!(picture.get_pixel(62, 60).0, background);
    assert_eq!(picture.get_pixel(62, 0).0, background);
    assert!(picture.pixels().filter(|pixel| pixel.0 == [255; 4]).count() > 60, "the overlay is enlarged as well");
}

#[test]
fn a_picture_is_repeated_byte_for_byte_without_being_drawn() {
    let Some(gpu) = gpu() else { return };
    for (samples, background, resolution) in [
        (4, Background::Color([10, 20, 30]), Resolution::FULL),
        (1, Background::Color([10, 20, 30]), Resolution::Reduced(2)),
        (4, Background::Transparent, Resolution::FULL),
    ] {
        let shot = Shot { samples, background, resolution, outlined: vec![true], ..Shot::default() };
        scene().staged(gpu, &shot, |renderer, picture, actors| {
            let repeat = |renderer: &mut Renderer, picture: &Picture| {
                frame(gpu, shot.size, |encoder, viewport| renderer.repeat(gpu, encoder, viewport, picture))
            };
            assert!(repeat(renderer, &picture).is_none(), "nothing was drawn yet");
            let drawn = frame(gpu, shot.size, |encoder, viewport| {
                renderer.draw(gpu, encoder, viewport, &picture, actors);
                true
            });
            assert!(drawn.is_some());
            assert!(repeat(renderer, &picture) == drawn);
            assert!(repeat(renderer, &picture) == drawn);
            // After each of these changes, a new picture is needed.
            renderer.samples = msaa(5 - samples);
            assert!(repeat(renderer, &picture).is_none(), "another number of samples");
            renderer.samples = msaa(samples);
            assert!(repeat(renderer, &Picture { resolution: Resolution::Supersampled(2), ..picture }).is_none(), "another resolution");
            renderer.set_environment(EnvironmentLight::new(gpu, &studio_map()));
            assert!(repeat(renderer, &picture).is_none(), "another environment");
        });
    }
}

/// Builds a sphere of 478,800 triangles that fills a picture of 200 x 200 pixels.
fn fine_sphere() -> Scene {
    let (rows, columns) = (400, 601);
    let positions = sphere_positions(rows, columns).into_iter().map(|position| 90.0 * position + Vec3::new(100.0, -100.0, 0.0));
    let vertices = Vertices { positions: positions.collect(), ..Vertices::default() };
    let indices = grid_indices(rows, columns);
    Scene::new(Vec::new(), vec![Primitive { vertices: vertices.into(), indices, ..Primitive::default() }])
}

#[test]
fn simplified_meshes_look_like_full_ones_and_the_wireframe_shows_full_ones() {
    let Some(gpu) = gpu() else { return };
    let scene = fine_sphere();
    let draw = |is_simplified: bool, display: Display| {
        let shot = Shot { size: [200, 200], is_simplified, display, ..Shot::default() };
        scene.draw(gpu, &shot)
    };
    let display = Display { lighting: Lighting::Studio, grid: false, ..Display::default() };
    let [full, simplified] = [false, true].map(|is_simplified| draw(is_simplified, display.clone()));
    assert!(full != simplified, "the mesh is simplified");
    let differences = full.iter().zip(simplified.iter()).map(|(a, b)| a.abs_diff(*b));
    let far = differences.filter(|difference| *difference > 24).count();
    assert!(far < 200 * 200 * 4 / 200, "{far} of 160,000 values differ by more than 24");
    let wireframe = Display { wireframe: true, ..display };
    let [full, simplified] = [false, true].map(|is_simplified| draw(is_simplified, wireframe.clone()));
    assert!(full == simplified, "the wireframe shows the full mesh");
}
