//! Tests the shadow of the key light: it is where geometry puts it, follows its casters, and appears nowhere else.

use glam::{Affine3A, DMat3, DVec3, Mat3, Mat4, Vec3, Vec3A, Vec4, vec3};
use image::RgbaImage;
use sinew::camera::bounds::Bounds;
use sinew::camera::{Camera, Projection};
use sinew::export::picture::picture_options;
use sinew::model::material::{AlphaMode, Material};
use sinew::model::material_layers::{DiffuseTransmission, Transmission};
use sinew::model::mesh::{Influences, MorphTarget, Primitive, Vertices};
use sinew::model::node::NodeIndex;
use sinew::model::skin::Skin;
use sinew::render::actor::Actor;
use sinew::render::device::gpu::Gpu;
use sinew::render::environment::map::EnvironmentMap;
use sinew::render::light::studio::KEY_DIRECTION;
use sinew::render::picture::{Background, Options, Picture, Viewport};
use sinew::render::renderer::Renderer;
use sinew::session::view::display::{Display, Lighting, Shading, Shadow, Tonemap};

use crate::scene::{Scene, Shot, colored, gpu, matrix_rows, quad, texture};

const SIZE: u32 = 256;
const WHITE: [f32; 4] = [1.0; 4];

fn display(shadow: Shadow) -> Display {
    Display { grid: false, tonemap: Tonemap::None, shadow, ..Display::default() }
}

/// Looks straight down at a square of the ground, `meters` wide. -Z is up in the picture.
fn from_above(meters: f64) -> Camera {
    let projection = Projection::Orthographic { ymag: meters / 2.0, xmag: None, depth: meters * 4.0 };
    Camera::look_at(DVec3::Y * meters * 2.0, DVec3::ZERO, DVec3::NEG_Z, projection, 0.0)
}

/// Returns the point of the ground at the center of a pixel.
fn on_ground(x: u32, y: u32, meters: f64) -> DVec3 {
    let across = |i: u32| ((f64::from(i) + 0.5) / f64::from(SIZE) - 0.5) * meters;
    DVec3::new(across(x), 0.0, across(y))
}

/// Returns whether a ray from a point on the ground towards the light hits a box.
fn meets(from: DVec3, bounds: &Bounds, lamp: Vec3) -> bool {
    let inverse = lamp.as_dvec3().recip();
    let (a, b) = ((bounds.min - from) * inverse, (bounds.max - from) * inverse);
    a.min(b).max_element().max(0.0) <= a.max(b).min_element()
}

/// Builds a box whose six sides face outwards.
fn cuboid(bounds: &Bounds) -> Primitive {
    let mut vertices = Vertices::default();
    let mut indices = Vec::new();
    let (middle, half) = (bounds.center().as_vec3(), ((bounds.max - bounds.min) / 2.0).as_vec3());
    for normal in [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z] {
        let across = vec3(normal.y, normal.z, normal.x);
        let up = normal.cross(across);
        let first = vertices.positions.len() as u32;
        vertices.positions.extend([-across - up, across - up, across + up, up - across].map(|corner| middle + half * (normal + corner)));
        vertices.normals.extend([normal; 4]);
        indices.extend([0, 1, 2, 0, 2, 3].map(|i| first + i));
    }
    let source_vertex_count = vertices.positions.len();
    Primitive { vertices: vertices.into(), indices, source_vertex_count, material: Some(0), ..Primitive::default() }
}

fn bounds(min: [f64; 3], max: [f64; 3]) -> Bounds {
    Bounds { min: min.into(), max: max.into() }
}

fn shot(shadow: Shadow, bounds: Bounds, meters: f64) -> Shot {
    Shot {
        size: [SIZE; 2],
        background: Background::Transparent,
        display: display(shadow),
        camera: Some(from_above(meters)),
        bounds,
        ..Shot::default()
    }
}

/// Asserts that a pixel of the ground is in shadow if the ray from it towards the light hits the caster, and in the light if not. Skips
/// pixels that are at most two pixels from the edge of the shadow or from the caster.
fn assert_shadow_of(picture: &RgbaImage, caster: &Bounds, meters: f64, lamp: Vec3, case: &str) {
    let (mut dark, mut light) = (0, 0);
    for y in 2..SIZE - 2 {
        for x in 2..SIZE - 2 {
            let around = || (y - 2..=y + 2).flat_map(|y| (x - 2..=x + 2).map(move |x| on_ground(x, y, meters)));
            let covered = |at: DVec3| (at.x, at.z) == (at.x.clamp(caster.min.x, caster.max.x), at.z.clamp(caster.min.z, caster.max.z));
            if around().any(covered) {
                continue;
            }
            let (shaded, all) = (around().filter(|at| meets(*at, caster, lamp)).count(), around().count());
            let pixel = picture.get_pixel(x, y).0;
            if shaded == 0 {
                assert_eq!(pixel, [0; 4], "{case}: {x}, {y} is in the light");
                light += 1;
            } else if shaded == all {
                assert!(pixel[3] > 60 && pixel[..3] == [0; 3], "{case}: {x}, {y} is in shadow, but {pixel:?}");
                dark += 1;
            }
        }
    }
    assert!(dark > 500 && light > 5000, "{case}: {dark} dark, {light} light");
}

#[test]
fn the_ground_shadow_matches_ray_casting_at_every_model_size() {
    let Some(gpu) = gpu() else { return };
    for scale in [0.02, 1.0, 15.0] {
        let caster = bounds([-scale, 0.0, -0.5 * scale], [0.6 * scale, 2.0 * scale, 0.4 * scale]);
        let scene = Scene::new(vec![colored(WHITE)], vec![cuboid(&caster)]);
        let meters = 10.0 * scale;
        let picture = scene.draw(gpu, &shot(Shadow::On, caster, meters));
        assert_shadow_of(&picture, &caster, meters, KEY_DIRECTION, &format!("{scale} m"));
        let none = scene.draw(gpu, &shot(Shadow::Off, caster, meters));
        let roof = none.pixels().filter(|pixel| pixel.0[3] > 0).count();
        let expected = (1.6 * 0.9 / 100.0 * f64::from(SIZE * SIZE)) as usize;
        assert!(roof.abs_diff(expected) < 200, "without the shadow, only the box is drawn: {roof}");
    }
}

/// A sun with an angular radius of two degrees in a gray sky.
fn sky(direction: Vec3, sun: Vec3) -> Vec3 {
    Vec3::splat(if direction.normalize().dot(sun) > 0.9994 { 800.0 } else { 0.2 })
}

#[test]
fn the_sun_of_a_panorama_casts_the_shadow_and_turns_with_the_panorama() {
    let Some(gpu) = gpu() else { return };
    let sun = vec3(0.7, 0.6, -0.3).normalize();
    let caster = bounds([-1.0, 0.0, -0.5], [0.6, 2.0, 0.4]);
    let scene = Scene::new(vec![colored(WHITE)], vec![cuboid(&caster)]);
    for rotation in [0.0, 75.0, 200.0] {
        let mut shot = shot(Shadow::On, caster, 12.0);
        shot.around = Some(EnvironmentMap::new(256, 2, |d| sky(d, sun)));
        shot.display.environment.rotation = rotation;
        let lamp = Mat3::from_rotation_y(rotation.to_radians()) * sun;
        assert_shadow_of(&scene.draw(gpu, &shot), &caster, 12.0, lamp, &format!("turned by {rotation}"));
        shot.around = Some(EnvironmentMap::new(64, 1, |_| Vec3::splat(0.5)));
        let roof = scene.draw(gpu, &shot).pixels().filter(|pixel| pixel.0[3] > 0).count();
        let expected = (1.6 * 0.9 / 144.0 * f64::from(SIZE * SIZE)) as usize;
        assert!(roof.abs_diff(expected) < 200, "without a sun, only the box is drawn: {roof}");
    }
}

#[test]
fn a_diffuse_plane_under_a_sun_matches_the_integral_over_its_sky() {
    let Some(gpu) = gpu() else { return };
    let sun = vec3(0.5, 0.7, 0.4).normalize();
    let light = |d: Vec3| 0.5 * sky(d, sun);
    let mut up = 0.0;
    let (rings, step) = (1200, std::f64::consts::FRAC_PI_2 / 1200.0);
    for (ring, sector) in (0..rings).flat_map(|ring| (0..4 * rings).map(move |sector| (ring, sector))) {
        let (theta, phi) = ((f64::from(ring) + 0.5) * step, (f64::from(sector) + 0.5) * step);
        let direction = DVec3::new(theta.sin() * phi.cos(), theta.cos(), theta.sin() * phi.sin());
        up += f64::from(light(direction.as_vec3()).x) * theta.cos() * theta.sin() * step * step / std::f64::consts::PI;
    }
    let mut matt = Material { metallic_factor: 0.0, ..Material::default() };
    matt.specular.factor = 0.0;
    let caster = bounds([-2.0, 0.0, -2.0], [2.0, 0.1, 2.0]);
    let scene = Scene::new(vec![matt], vec![cuboid(&caster)]);
    for shadow in [Shadow::On, Shadow::Off] {
        let shot = Shot { around: Some(EnvironmentMap::new(512, 2, light)), ..shot(shadow, caster, 5.0) };
        let byte = f64::from(scene.draw(gpu, &shot).get_pixel(SIZE / 2, SIZE / 2).0[0]) / 255.0;
        let found = ((byte + 0.055) / 1.055).powf(2.4);
        assert!((found / up - 1.0).abs() < 0.02, "{shadow:?}: {found} is not {up}");
    }
}

#[test]
fn the_shadow_follows_a_moved_mirrored_morphed_or_skinned_caster() {
    let Some(gpu) = gpu() else { return };
    let at_rest = bounds([-1.0, 0.0, -0.5], [0.6, 1.5, 0.4]);
    let room = bounds([-3.0, 0.0, -3.0], [3.0, 3.0, 3.0]);
    let draw = |scene: &Scene| scene.draw(gpu, &shot(Shadow::On, room, 14.0));
    let moved = |by: DVec3| Bounds { min: at_rest.min + by, max: at_rest.max + by };

    let mut scene = Scene::new(vec![colored(WHITE)], vec![]);
    scene.add(cuboid(&at_rest), Mat4::from_translation(vec3(1.5, 0.5, 1.0)));
    assert_shadow_of(&draw(&scene), &moved(DVec3::new(1.5, 0.5, 1.0)), 14.0, KEY_DIRECTION, "moved");

    let mut scene = Scene::new(vec![colored(WHITE)], vec![]);
    scene.add(cuboid(&at_rest), Mat4::from_scale(vec3(-1.0, 1.0, 1.0)));
    assert_shadow_of(&draw(&scene), &bounds([-0.6, 0.0, -0.5], [1.0, 1.5, 0.4]), 14.0, KEY_DIRECTION, "mirrored");

    let mut morphing = cuboid(&at_rest);
    let vertices = std::sync::Arc::make_mut(&mut morphing.vertices);
    vertices.targets = vec![MorphTarget { positions: vec![vec3(2.0, 0.0, 0.0); 24], ..MorphTarget::default() }];
    let mut scene = Scene::new(vec![colored(WHITE)], vec![morphing]);
    scene.weights = Some(vec![0.5]);
    assert_shadow_of(&draw(&scene), &moved(DVec3::X), 14.0, KEY_DIRECTION, "morphed");

    let mut skinned = cuboid(&at_rest);
    let vertices = std::sync::Arc::make_mut(&mut skinned.vertices);
    vertices.influences = Influences { sets: 1, joints: vec![[1, 0, 0, 0]; 24], weights: vec![[1.0, 0.0, 0.0, 0.0]; 24] };
    let mut scene = Scene::new(vec![colored(WHITE)], vec![skinned]);
    scene.model.nodes[0].skin = Some(0);
    let joints = vec![NodeIndex(0); 2];
    scene.model.skins.push(Skin { joints, inverse_bind_matrices: vec![Affine3A::IDENTITY; 2], matrices: 1..3, ..Skin::default() });
    scene.model.palette_len = 3;
    scene.palette.extend([Mat4::IDENTITY, Mat4::from_translation(vec3(-1.0, 0.7, 0.0))].map(|matrix| matrix_rows(&matrix)));
    assert_shadow_of(&draw(&scene), &moved(DVec3::new(-1.0, 0.7, 0.0)), 14.0, KEY_DIRECTION, "skinned");
}

#[test]
fn masked_and_blended_surfaces_cast_shadows_by_their_alpha() {
    let Some(gpu) = gpu() else { return };
    let caster = bounds([-1.0, 0.0, -0.5], [0.6, 1.5, 0.4]);
    // Returns the largest opacity of the shadow on the ground, 0 to 1.
    let darkest = |material: Material| {
        let mut primitive = cuboid(&caster);
        std::sync::Arc::make_mut(&mut primitive.vertices).tex_coords[0] = vec![glam::Vec2::splat(0.5); 24];
        let scene = Scene::new(vec![material], vec![primitive]).image(1, 1, &[[255, 255, 255, 128]]);
        let picture = scene.draw(gpu, &shot(Shadow::On, caster, 10.0));
        let ground = picture.enumerate_pixels().filter(|(x, y, _)| {
            let at = on_ground(*x, *y, 10.0);
            at.z < -0.6 || at.x > 0.7
        });
        ground.map(|(_, _, pixel)| f64::from(pixel.0[3]) / 255.0).fold(0.0, f64::max)
    };
    let textured = |alpha_mode| Material { alpha_mode, base_color_texture: Some(texture()), ..Material::default() };
    let opaque = darkest(textured(AlphaMode::Opaque));
    assert!(opaque > 0.5, "{opaque}");
    assert_eq!(darkest(textured(AlphaMode::Mask { cutoff: 0.4 })), opaque);
    assert_eq!(darkest(textured(AlphaMode::Mask { cutoff: 0.6 })), 0.0);
    let half = darkest(textured(AlphaMode::Blend));
    assert!((half / opaque - 0.5).abs() < 0.1, "{half} of {opaque}");
    assert_eq!(darkest(Material { alpha_mode: AlphaMode::Blend, ..colored([1.0, 1.0, 1.0, 0.0]) }), 0.0);

    // Glass casts a lighter shadow. Only with BLEND does it depend on alpha (glTF 2.0, 3.9.4).
    let glass = |alpha_mode| Material { transmission: Transmission { factor: 1.0, texture: None }, ..textured(alpha_mode) };
    let clear = darkest(Material { base_color_texture: None, ..glass(AlphaMode::Opaque) });
    assert!(clear > 0.2 * opaque && clear < 0.8 * opaque, "{clear} of {opaque}");
    assert_eq!(darkest(glass(AlphaMode::Opaque)), clear);
    assert_eq!(darkest(glass(AlphaMode::Mask { cutoff: 0.4 })), clear);
    assert_eq!(darkest(glass(AlphaMode::Mask { cutoff: 0.6 })), 0.0);
    assert!(darkest(glass(AlphaMode::Blend)) < 0.8 * clear);
}

#[test]
fn light_that_a_leaf_lets_through_is_shaded() {
    let Some(gpu) = gpu() else { return };
    let leaf = DiffuseTransmission { factor: 1.0, ..DiffuseTransmission::default() };
    let leaf = Material { diffuse_transmission: leaf, double_sided: true, metallic_factor: 0.0, ..Material::default() };
    // The leaf is a square of two meters that faces down. The light comes from above, and so does the shadow of the roof.
    let roof = 3.0 * KEY_DIRECTION.as_dvec3() / f64::from(KEY_DIRECTION.y);
    let roof = Bounds { min: roof - DVec3::new(1.5, 0.1, 1.5), max: roof + DVec3::new(1.5, 0.1, 1.5) };
    // Returns the brightness of the middle of the leaf, seen from below.
    let middle = |shadow, has_roof: bool| {
        let mut scene = Scene::new(vec![leaf.clone(), colored(WHITE)], vec![]);
        scene.add(quad(-1.0, -1.0, 2.0, 2.0), Mat4::from_rotation_x(std::f32::consts::FRAC_PI_2));
        if has_roof {
            scene.add(Primitive { material: Some(1), ..cuboid(&roof) }, Mat4::IDENTITY);
        }
        let projection = Projection::Orthographic { ymag: 1.0, xmag: None, depth: 40.0 };
        let camera = Camera::look_at(DVec3::NEG_Y * 20.0, DVec3::ZERO, DVec3::NEG_Z, projection, 0.0);
        let room = bounds([-3.0, 0.0, -3.0], [3.0, 3.5, 3.0]);
        let picture = scene.draw(gpu, &Shot { camera: Some(camera), ..shot(shadow, room, 2.0) });
        picture.get_pixel(SIZE / 2, SIZE / 2).0[0]
    };
    let lit = middle(Shadow::Off, true);
    assert_eq!(middle(Shadow::On, false), lit, "the leaf does not shade itself");
    let shaded = middle(Shadow::On, true);
    assert!(shaded.saturating_add(30) < lit, "{shaded} in the shadow, {lit} without");
}

#[test]
fn the_shadow_of_a_blended_surface_is_even() {
    let Some(gpu) = gpu() else { return };
    // A plate above a floor. The camera looks straight down, and the light is slanted, so the shadow lies beside the plate.
    let (floor, plate) = (bounds([-4.0, -0.1, -4.0], [4.0, 0.0, 4.0]), bounds([-0.5, 2.5, -0.5], [0.5, 2.55, 0.5]));
    let draw = |alpha: f32| {
        let mut above = cuboid(&plate);
        above.material = Some(1);
        let gray = Material { metallic_factor: 0.0, ..colored([0.3, 0.3, 0.3, 1.0]) };
        let glass = Material { alpha_mode: AlphaMode::Blend, ..colored([1.0, 1.0, 1.0, alpha]) };
        let mut scene = Scene::new(vec![gray, glass], vec![cuboid(&floor)]);
        scene.add(above, Mat4::IDENTITY);
        scene.draw(gpu, &shot(Shadow::On, bounds([-4.0, -0.1, -4.0], [4.0, 2.55, 4.0]), 8.0))
    };
    // The middle half of the shadow, where no lookup reaches beyond its edge.
    let shift = -2.5 * KEY_DIRECTION.as_dvec3() / f64::from(KEY_DIRECTION.y);
    let is_inside = |x: u32, y: u32| {
        let at = on_ground(x, y, 8.0) - shift;
        at.x.abs() < 0.25 && at.z.abs() < 0.25
    };
    let (lit, full) = (draw(0.0), draw(1.0));
    let mut checked = 0;
    for alpha in [0.2f32, 0.4, 0.5, 0.7, 0.9] {
        let picture = draw(alpha);
        let inside: Vec<_> = picture.enumerate_pixels().filter(|(x, y, _)| is_inside(*x, *y)).collect();
        let bytes = || inside.iter().map(|(_, _, pixel)| pixel.0[0]);
        let (darkest, brightest) = (bytes().min().unwrap(), bytes().max().unwrap());
        assert!(brightest - darkest <= 3, "alpha {alpha}: from {darkest} to {brightest}");
        for (x, y, pixel) in inside {
            let [lit, full] = [&lit, &full].map(|picture| picture.get_pixel(x, y).0[0]);
            assert!(full + 20 < lit, "a surface of full alpha casts a dark shadow: {full} {lit}");
            assert!((full..=lit).contains(&pixel.0[0]));
            checked += 1;
        }
    }
    assert!(checked > 500, "{checked}");
}

/// Builds a sphere fine enough that its edges do not matter.
fn ball(radius: f32) -> Primitive {
    let (rings, sectors) = (96u32, 192u32);
    let mut vertices = Vertices::default();
    for i in 0..=rings {
        for j in 0..=sectors {
            let (theta, phi) = (std::f32::consts::PI * i as f32 / rings as f32, std::f32::consts::TAU * j as f32 / sectors as f32);
            let normal = vec3(theta.sin() * phi.sin(), theta.cos(), theta.sin() * phi.cos());
            vertices.positions.push(normal * radius);
            vertices.normals.push(normal);
        }
    }
    let quads = (0..rings).flat_map(|i| (0..sectors).map(move |j| i * (sectors + 1) + j));
    let indices = quads.flat_map(|a| [a, a + sectors + 1, a + 1, a + 1, a + sectors + 1, a + sectors + 2]).collect();
    let source_vertex_count = vertices.positions.len();
    Primitive { vertices: vertices.into(), indices, source_vertex_count, material: Some(0), ..Primitive::default() }
}

#[test]
fn a_lit_sphere_has_no_shadow_acne() {
    let Some(gpu) = gpu() else { return };
    for radius in [0.02f32, 1.0, 15.0] {
        let scene = Scene::new(vec![Material { metallic_factor: 0.0, ..colored([0.5, 0.5, 0.5, 1.0]) }], vec![ball(radius)]);
        let meters = f64::from(radius) * 2.2;
        let around = Bounds { min: DVec3::splat(-f64::from(radius)), max: DVec3::splat(f64::from(radius)) };
        let projection = Projection::Orthographic { ymag: meters / 2.0, xmag: None, depth: meters * 4.0 };
        let eye = DVec3::new(-0.8, 0.3, 0.9).normalize() * meters * 2.0;
        let camera = Camera::look_at(eye, DVec3::ZERO, DVec3::Y, projection, 0.0);
        let draw = |shadow| scene.draw(gpu, &Shot { camera: Some(camera), ..shot(shadow, around, meters) });
        let (on, off) = (draw(Shadow::On), draw(Shadow::Off));
        let world_from_view: DMat3 = camera.view_from_world.inverse().matrix3;
        let mut checked = 0;
        for (x, y, pixel) in on.enumerate_pixels() {
            let at = on_ground(x, y, meters) / f64::from(radius);
            let (right, up) = (at.x, -at.z);
            let square = right * right + up * up;
            if square > 0.95 {
                continue;
            }
            let normal = world_from_view * DVec3::new(right, up, (1.0 - square).sqrt());
            if normal.dot(KEY_DIRECTION.as_dvec3().normalize()) < 0.1 {
                continue;
            }
            checked += 1;
            let off = off.get_pixel(x, y).0;
            let same = pixel.0.iter().zip(off).all(|(on, off)| on.abs_diff(off) <= 1);
            assert!(same, "{radius} m: {x}, {y} is {:?} with the shadow, {off:?} without", pixel.0);
        }
        assert!(checked > 10_000, "{checked}");
    }
}

#[test]
fn only_triangles_whose_vertex_normals_face_away_from_the_light_are_shaded_by_their_own_body() {
    let Some(gpu) = gpu() else { return };
    let light = KEY_DIRECTION.normalize();
    // A steep plane that is visible from above and faces away from the light. A second one shades it, as the other side of a body does.
    let outward = (-vec3(light.x, 0.0, light.z).normalize() + 0.3 * Vec3::Y).normalize();
    assert!(outward.dot(light) < -0.2);
    let across = Vec3::Y.cross(outward).normalize();
    let up = outward.cross(across);
    let towards_light = light.reject_from(outward).normalize();
    let plane = |offset: f32, normal: Vec3| {
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let positions = corners.map(|[x, y]| across * x + up * y - outward * offset).to_vec();
        let (normals, tangents) = (vec![normal; 4], vec![towards_light.extend(1.0); 4]);
        Primitive { vertices: Vertices { positions, normals, tangents, ..Vertices::default() }.into(), ..quad(0.0, 0.0, 1.0, 1.0) }
    };
    // Returns the mean channel of the pixels that the planes cover.
    let draw = |normal, normal_texture, shadow| {
        let material = Material { metallic_factor: 0.0, normal_texture, ..colored([0.5, 0.5, 0.5, 1.0]) };
        // The texture tilts the normals by 72 degrees along the tangents.
        let mut scene = Scene::new(vec![material], vec![plane(0.0, normal)]).image(1, 1, &[[249, 128, 167, 255]]);
        scene.add(plane(0.1, normal), Mat4::IDENTITY);
        let picture = scene.draw(gpu, &shot(shadow, bounds([-1.0; 3], [1.0; 3]), 3.0));
        let covered = || picture.pixels().filter(|pixel| pixel.0[3] == 255);
        assert!(covered().count() > 1000);
        covered().map(|pixel| f64::from(pixel.0[0])).sum::<f64>() / covered().count() as f64
    };
    // Skinning may turn a triangle away from its normals like this.
    let [on, off] = [Shadow::On, Shadow::Off].map(|shadow| draw(light, None, shadow));
    assert!((on - off).abs() < 1.0, "the vertex normals face the light: {on} with shadow, {off} without");
    let [on, off] = [Shadow::On, Shadow::Off].map(|shadow| draw(outward, Some(texture()), shadow));
    assert!(on + 10.0 < off, "only the normal texture faces the light: {on} with shadow, {off} without");
}

#[test]
fn the_shadow_map_is_redrawn_only_when_a_caster_or_the_projection_of_the_light_changes() {
    let Some(gpu) = gpu() else { return };
    let caster = bounds([-1.0, 0.0, -0.5], [0.6, 1.5, 0.4]);
    let mut scene = Scene::new(vec![colored(WHITE)], vec![cuboid(&caster)]);
    scene.add(cuboid(&caster), Mat4::from_translation(vec3(2.0, 0.0, 0.0)));
    // Both nodes show the same mesh.
    scene.model.nodes[1].mesh = scene.model.nodes[0].mesh;
    scene.staged(gpu, &shot(Shadow::On, caster, 10.0), |renderer, picture, actors| {
        let texture = target(gpu);
        let mut draw = |picture: &Picture, actors: &[Actor]| draw_map(gpu, renderer, &texture, picture, actors);
        assert_eq!(draw(&picture, actors), 1);
        let other = from_above(20.0);
        let turned = Picture { camera: &other, ..picture };
        assert_eq!((draw(&turned, actors), draw(&picture, actors)), (1, 1), "the camera does not matter");
        let shaded = Options { shading: Shading::Clay, exposure: 1.0, grid: true, ..picture.options };
        assert_eq!(draw(&Picture { options: shaded, ..picture }, actors), 1, "the shading does not matter");
        let mut palette = scene.palette.clone();
        palette[1].rows[0].w += 0.1;
        let moved = [Actor { palettes: &palette, ..actors[0] }];
        assert_eq!((draw(&picture, &moved), draw(&picture, &moved)), (2, 2), "a change of pose matters");
        let hidden = [Actor { palettes: &palette, visible: &[true, false], ..actors[0] }];
        assert_eq!((draw(&picture, &hidden), draw(&picture, &hidden)), (3, 3), "a change of visibility matters");
        let other = [Actor { palettes: &palette, visible: &[false, true], ..actors[0] }];
        assert_eq!((draw(&picture, &other), draw(&picture, &hidden)), (4, 5), "another node with the same mesh matters");
        let wider = Picture { bounds: bounds([-2.0; 3], [2.0; 3]), ..picture };
        assert_eq!((draw(&wider, &hidden), draw(&wider, &hidden)), (6, 6), "the projection of the light matters");
        for without in [
            display(Shadow::Off),
            Display { lighting: Lighting::Flat, ..display(Shadow::On) },
            Display { shading: Shading::Normals, ..display(Shadow::On) },
        ] {
            assert_eq!(draw(&Picture { options: picture_options(&without), ..wider }, &hidden), 6, "{without:?}");
        }
    });
}

#[test]
fn the_shadow_map_is_kept_if_the_camera_reverses_the_order_of_the_draws() {
    let Some(gpu) = gpu() else { return };
    let glass = Material { alpha_mode: AlphaMode::Blend, ..colored([1.0, 1.0, 1.0, 0.5]) };
    // Boxes along the x-axis, each with its own mesh. Every other one is blended.
    let cube = bounds([-0.4; 3], [0.4; 3]);
    let mut scene = Scene::new(vec![colored(WHITE), glass], vec![cuboid(&cube)]);
    for i in 1..6 {
        let primitive = Primitive { material: Some(i % 2), ..cuboid(&cube) };
        scene.add(primitive, Mat4::from_translation(vec3(i as f32, 0.0, 0.0)));
    }
    // Blended instances along the x-axis. Every other one is mirrored.
    scene.add(Primitive { material: Some(1), ..cuboid(&cube) }, Mat4::from_translation(vec3(0.0, 0.0, 2.0)));
    let instance = |i: usize, side: f32| Affine3A { translation: Vec3A::X * i as f32, ..Affine3A::from_scale(vec3(side, 1.0, 1.0)) };
    scene.model.nodes[6].instances = [1.0, -1.0, 1.0, -1.0].into_iter().enumerate().map(|(i, side)| instance(i, side)).collect();
    scene.staged(gpu, &shot(Shadow::On, bounds([-0.4; 3], [5.4, 0.4, 2.4]), 10.0), |renderer, picture, actors| {
        let texture = target(gpu);
        let maps = [DVec3::NEG_X, DVec3::X, DVec3::NEG_X].map(|side| {
            let projection = Projection::Orthographic { ymag: 5.0, xmag: None, depth: 100.0 };
            let camera = Camera::look_at(side * 20.0, DVec3::ZERO, DVec3::Y, projection, 0.0);
            draw_map(gpu, renderer, &texture, &Picture { camera: &camera, ..picture }, actors)
        });
        assert_eq!(maps, [1; 3]);
    });
}

/// Draws a picture. Returns the number of shadow maps that the renderer has drawn so far.
fn draw_map(gpu: &Gpu, renderer: &mut Renderer, texture: &wgpu::TextureView, picture: &Picture, actors: &[Actor]) -> u64 {
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    renderer.draw(gpu, &mut encoder, &Viewport { target: texture, rect: [0, 0, SIZE, SIZE] }, picture, actors);
    gpu.queue.submit([encoder.finish()]);
    // A software driver that still draws while the process exits may crash.
    gpu.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    renderer.statistics.shadow_maps
}

fn target(gpu: &Gpu) -> wgpu::TextureView {
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: SIZE, height: SIZE, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

#[test]
fn degenerate_geometry_does_not_sparkle_or_flicker() {
    let Some(gpu) = gpu() else { return };
    let room = bounds([-1.0, 0.0, -1.0], [1.0, 2.0, 1.0]);
    let texel = [200, 60, 255, 255];
    let whole = |change: fn(&mut Vertices)| {
        let mut primitive = ball(1.0);
        let vertices = std::sync::Arc::make_mut(&mut primitive.vertices);
        let uvs = vertices.normals.iter().map(|n| glam::vec2(n.x, n.y));
        vertices.tex_coords[0] = uvs.collect();
        change(vertices);
        primitive
    };
    let cases: [(&str, Primitive); 6] = [
        ("zero normals", whole(|v| v.normals.fill(Vec3::ZERO))),
        ("zero tangents", whole(|v| v.tangents = vec![Vec4::ZERO; v.positions.len()])),
        ("tangents along normals", whole(|v| v.tangents = v.normals.iter().map(|n| n.extend(1.0)).collect())),
        ("one texture coordinate", whole(|v| v.tex_coords[0].fill(glam::Vec2::ZERO))),
        ("mirrored texture coordinates", whole(|v| v.tex_coords[0].iter_mut().for_each(|uv| uv.x = uv.x.abs()))),
        ("no normals", whole(|v| v.normals.clear())),
    ];
    let material = Material {
        metallic_factor: 0.0,
        roughness_factor: 0.4,
        normal_texture: Some(texture()),
        double_sided: true,
        ..colored([0.8, 0.8, 0.8, 1.0])
    };
    for (case, primitive) in cases {
        for scale in [vec3(1.0, 1.0, 1.0), vec3(1.0, 0.0, 1.0), vec3(-1.0, 1.0, 1.0), vec3(1e-20, 1e-20, 1e-20)] {
            let mut scene = Scene::new(vec![material.clone()], vec![]).image(1, 1, &[texel]);
            scene.add(primitive.clone(), Mat4::from_scale(scale));
            let shot = shot(Shadow::On, room, 2.5);
            let picture = scene.draw(gpu, &shot);
            assert_eq!(picture, scene.draw(gpu, &shot), "{case}, scaled by {scale}");
            if scale.y == 1.0 {
                // NaN would be drawn black. Light comes from all directions, so nothing else is black.
                let middle = |x: u32, y: u32| on_ground(x, y, 2.5).length() < 0.9;
                let black = picture.enumerate_pixels().filter(|(x, y, pixel)| middle(*x, *y) && pixel.0[..3].iter().any(|c| *c < 20));
                assert_eq!(black.count(), 0, "{case}, scaled by {scale}");
            }
        }
    }
}
