//! Tests the orbit of the camera, projection between the world and the picture, rays against posed triangles, posed vertices, and
//! selection, with values worked out by hand.

use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

use glam::{DAffine3, DQuat, DVec2, DVec3, Vec3, Vec3A};
use serde_json::{Value, json};

use sinew::animation::hierarchy::deform::{self, VertexPose};
use sinew::camera::bounds::Bounds;
use sinew::camera::{self, Camera, Orbit, Projection};
use sinew::model::Model;
use sinew::model::camera::{Camera as FileCamera, Projection as FileProjection};
use sinew::model::hierarchy::Trs;
use sinew::model::mesh::{Influences, MorphTarget};
use sinew::model::node::NodeIndex;
use sinew::session::analyses::{Analyses, Subject};
use sinew::session::camera::orbit_controls::{self, StandardView};
use sinew::session::camera::screen::{Ray, ScreenProjection};
use sinew::session::camera::view_camera;
use sinew::session::document::Document;
use sinew::session::pick;
use sinew::session::pose::solve::{self, Posed};
use sinew::session::view::display::{Display, Shading};
use sinew::session::view::joint_switches::{self, Column};
use sinew::session::view::selection::{self, SelectMode};
use sinew::session::view::{View, ViewCamera};

use crate::common::gltf_builder::Gltf;
use crate::common::hand_made;

const BOUNDS: Bounds = Bounds { min: DVec3::new(-1.0, 0.0, -1.0), max: DVec3::new(1.0, 2.0, 1.0) };

fn assert_close(got: DVec3, wanted: DVec3) {
    assert!((got - wanted).length() < 1e-6 * (1.0 + wanted.length()), "{got} is not {wanted}");
}

fn orbit() -> Orbit {
    Orbit { focus: DVec3::new(0.3, 1.0, -0.2), yaw: 0.7, pitch: 0.3, distance: 4.0, ..Orbit::default() }
}

fn projection(orbit: &Orbit) -> ScreenProjection {
    ScreenProjection { camera: orbit.camera(&BOUNDS), size: DVec2::new(800.0, 500.0) }
}

fn axes(camera: &Camera) -> [DVec3; 3] {
    let m = camera.view_from_world.inverse().matrix3;
    [m.x_axis, m.y_axis, m.z_axis]
}

// Orbit

#[test]
fn turning_keeps_the_focus_the_distance_and_the_horizon() {
    let mut orbit = orbit();
    for step in 0..200 {
        orbit = orbit_controls::turn(&orbit, 0.37, if step % 2 == 0 { 0.9 } else { -0.7 });
        assert_close(orbit.focus, DVec3::new(0.3, 1.0, -0.2));
        assert!((orbit.eye().distance(orbit.focus) - 4.0).abs() < 1e-9);
        let [right, up, _] = axes(&orbit.camera(&BOUNDS));
        assert!(right.y.abs() < 1e-12, "the camera rolls: {right}");
        assert!(up.y >= -1e-12, "the camera is upside down: {up}");
    }
}

#[test]
fn turning_stops_straight_above_and_below() {
    assert_eq!(orbit_controls::turn(&orbit(), 0.0, 9.0).pitch, FRAC_PI_2);
    assert_eq!(orbit_controls::turn(&orbit(), 0.0, -9.0).pitch, -FRAC_PI_2);
}

#[test]
fn zooming_keeps_the_point_under_the_pointer() {
    for orthographic in [false, true] {
        let orbit = Orbit { orthographic, ..orbit() };
        let at = DVec2::new(0.31, -0.22);
        // A pan to a point puts the focus there, which gives the point's position in the plane of the focus.
        let place = orbit_controls::pan(&orbit, at).focus;
        let before = projection(&orbit).project(place).unwrap().point;
        let zoomed = orbit_controls::zoom(&orbit, 1.7, at);
        let after = projection(&zoomed).project(place).unwrap().point;
        assert!((before - after).length() < 1e-6, "{before} went to {after}");
        assert!((zoomed.distance - orbit.distance / 1.7).abs() < 1e-9);
        assert_eq!((zoomed.yaw, zoomed.pitch), (orbit.yaw, orbit.pitch));
    }
}

#[test]
fn zooming_never_reaches_zero_or_infinity() {
    let (mut near, mut far) = (orbit(), orbit());
    for _ in 0..10_000 {
        near = orbit_controls::zoom(&near, 1.5, DVec2::new(0.4, 0.1));
        far = orbit_controls::zoom(&far, 0.5, DVec2::new(0.4, 0.1));
    }
    assert!(near.distance > 0.0 && near.focus.is_finite(), "{near:?}");
    assert!(far.distance.is_finite() && far.focus.is_finite(), "{far:?}");
    assert_eq!(orbit_controls::zoom(&orbit(), f64::NAN, DVec2::ZERO), orbit());
}

#[test]
fn standard_views_look_along_their_axis() {
    let wanted = [
        (StandardView::Front, DVec3::Z, DVec3::X),
        (StandardView::Right, DVec3::X, DVec3::NEG_Z),
        (StandardView::Top, DVec3::Y, DVec3::X),
        (StandardView::Back, DVec3::NEG_Z, DVec3::NEG_X),
        (StandardView::Left, DVec3::NEG_X, DVec3::Z),
        (StandardView::Bottom, DVec3::NEG_Y, DVec3::X),
    ];
    for (side, from, right) in wanted {
        let orbit = orbit_controls::look(&orbit(), side);
        assert_close((orbit.eye() - orbit.focus).normalize(), from);
        assert_close(side.direction(), from);
        assert_close(axes(&orbit.camera(&BOUNDS))[0], right);
        assert_close(side.opposite().direction(), -from);
    }
}

#[test]
fn an_orbit_from_a_file_camera_keeps_its_view() {
    let mut model = hand_made::tree(&[("Eye".into(), None), ("Other".into(), None)]);
    model.nodes[0].camera = Some(0);
    let projection = FileProjection::Perspective { yfov: 0.6, aspect_ratio: None, znear: 0.1, zfar: None };
    model.cameras.push(FileCamera { name: None, projection });
    // This camera has yaw and pitch but no roll.
    let rotation = glam::Quat::from_rotation_y(2.1) * glam::Quat::from_rotation_x(-0.4);
    model.hierarchy.rest[0] = Trs { translation: Vec3A::new(-3.0, 2.0, -1.0), rotation, scale: Vec3A::splat(2.0) };
    let view = View { camera: ViewCamera::File(0), ..View::default() };
    let posed = Posed::new(&model);
    let (document, analyses) = document(model, &view);
    let subject = Subject { document: &document, analyses: &analyses, view: &view };
    let before = view_camera::camera(subject, &posed, 1.6);
    let after = orbit_controls::orbit(subject, &posed, 1.6).camera(&BOUNDS);
    for (got, wanted) in axes(&after).into_iter().zip(axes(&before)) {
        assert_close(got, wanted);
    }
    assert_close(after.eye(), before.eye());
    assert!(matches!(after.projection, Projection::Perspective { yfov, .. } if (yfov - 0.6).abs() < 1e-6));
}

#[test]
fn the_scale_of_its_node_does_not_turn_a_file_camera() {
    // The camera turns a quarter about +Y in a parent that turns a quarter about +X: its back is +X, its top is +Z.
    let mut model = hand_made::tree(&[("Parent".into(), None), ("Eye".into(), Some(0))]);
    model.nodes[1].camera = Some(0);
    let projection = FileProjection::Perspective { yfov: 0.6, aspect_ratio: None, znear: 0.1, zfar: None };
    model.cameras.push(FileCamera { name: None, projection });
    let quarter = FRAC_PI_2 as f32;
    model.hierarchy.rest[0].rotation = glam::Quat::from_rotation_x(quarter);
    let view = View { camera: ViewCamera::File(0), ..View::default() };
    for scale in [[1.0; 3], [2.0, 3.0, 4.0], [-1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [1.0, 1.0, -1.0], [-1.0; 3], [0.0; 3], [1.0, 1.0, 0.0]] {
        let rotation = glam::Quat::from_rotation_y(quarter);
        model.hierarchy.rest[1] = Trs { translation: Vec3A::new(1.0, 2.0, 3.0), rotation, scale: scale.into() };
        let posed = Posed::new(&model);
        let (document, analyses) = document(model.clone(), &view);
        let camera = view_camera::camera(Subject { document: &document, analyses: &analyses, view: &view }, &posed, 1.6);
        let [right, up, back] = axes(&camera);
        assert_close(back, DVec3::X);
        assert_close(up, DVec3::Z);
        assert_close(right, DVec3::Y);
        assert_close(camera.eye(), DVec3::new(1.0, -3.0, 2.0));
    }
}

#[test]
fn a_target_far_behind_the_model_does_not_cut_the_model_off() {
    let eye = DVec3::new(0.0, 1.0, 0.5);
    let near = |target_distance: f64, eye: DVec3| camera::near(eye, eye + DVec3::NEG_Z * target_distance, &BOUNDS);
    // Inside the bounds, the far side of the sphere around them is the center's distance and the radius away.
    assert!((near(1e5, eye) - (0.5 + 3f64.sqrt()) * 1e-3).abs() < 1e-12);
    assert_eq!(near(0.2, eye), 0.2e-3);
    // Outside, the plane is at a twentieth of the distance to the sphere, however far the target is.
    let outside = DVec3::new(0.0, 1.0, 9.0);
    for distance in [9.0, 1e4, 1e9] {
        assert!((near(distance, outside) - (9.0 - 3f64.sqrt()) / 20.0).abs() < 1e-12, "{distance}");
    }
}

#[test]
fn an_orbit_from_the_fitted_camera_is_the_fitted_camera() {
    let model = hand_made::bending_box();
    let (view, posed) = (View::default(), Posed::new(&model));
    let (document, analyses) = document(model, &view);
    let subject = Subject { document: &document, analyses: &analyses, view: &view };
    let orbit = orbit_controls::orbit(subject, &posed, 1.6);
    assert_eq!(orbit.camera(&BOUNDS), view_camera::camera(subject, &posed, 1.6));
}

fn document(model: Model, view: &View) -> (Document, Analyses) {
    let document = Document::new(Arc::new(model), String::new(), None);
    let mut analyses = Analyses::new(&document, view);
    analyses.bounds = BOUNDS;
    (document, analyses)
}

// Projection

#[test]
fn a_ray_passes_through_the_point_under_its_pixel() {
    for orthographic in [false, true] {
        let projection = projection(&Orbit { orthographic, ..orbit() });
        for world in [DVec3::new(0.5, 1.5, 0.5), DVec3::new(-0.7, 0.2, 0.1), DVec3::new(0.0, 1.0, -0.9)] {
            let seen = projection.project(world).unwrap();
            let ray = projection.ray(seen.point);
            let along = ray.direction.dot(world - ray.origin);
            assert!(along > 0.0);
            assert_close(ray.origin + ray.direction * along, world);
        }
    }
}

#[test]
fn projection_matches_the_renderer() {
    let projection = projection(&orbit());
    let world = DVec3::new(0.4, 1.7, 0.6);
    let clip = projection.camera.clip_from_anchored(DVec3::ZERO, 800.0 / 500.0) * world.as_vec3().extend(1.0);
    let wanted = DVec2::new(f64::from(clip.x / clip.w) + 1.0, 1.0 - f64::from(clip.y / clip.w)) / 2.0 * projection.size;
    let seen = projection.project(world).unwrap();
    assert!((seen.point - wanted).length() < 1e-2, "{} is not {wanted}", seen.point);
    assert!((seen.depth - f64::from(clip.w)).abs() < 1e-4);
}

#[test]
fn points_behind_the_camera_are_not_projected() {
    let projection = projection(&orbit());
    assert!(projection.project(orbit().eye() + orbit().back()).is_none());
    assert!(projection.project(orbit().eye()).is_none());
    assert!(projection.project(DVec3::NAN).is_none());
}

// Vertices

#[test]
fn vertices_are_morphed_then_skinned_by_all_sets() {
    let mut model = hand_made::bending_box();
    let primitive = &mut model.meshes[0].primitives[0];
    // Vertex 4 gets half its weight from the base and half, in a second set, from the tip. A morph target raises it.
    let count = primitive.vertices.positions.len();
    let mut influences = Influences { sets: 2, ..Influences::default() };
    for vertex in 0..count {
        let joint = primitive.vertices.influences.joints[vertex][0];
        influences.joints.extend([[joint, 0, 0, 0], [1, 0, 0, 0]]);
        influences.weights.extend(if vertex == 4 { [[0.5, 0.0, 0.0, 0.0]; 2] } else { [[1.0, 0.0, 0.0, 0.0], [0.0; 4]] });
    }
    Arc::make_mut(&mut primitive.vertices).influences = influences;
    let mut deltas = vec![Vec3::ZERO; count];
    deltas[4] = Vec3::new(0.0, 2.0, 0.0);
    Arc::make_mut(&mut primitive.vertices).targets = vec![MorphTarget { positions: deltas, ..MorphTarget::default() }];
    model.rest_weights = vec![0.25];
    model.nodes[0].weights = 0..1;
    let (base, tip) = (DAffine3::from_translation(DVec3::X), DAffine3::from_rotation_z(PI) * DAffine3::from_translation(DVec3::Y));
    let transforms = [base, tip, DAffine3::from_scale(DVec3::splat(99.0))];
    let primitive = &model.meshes[0].primitives[0];
    let pose = VertexPose { transforms: &transforms, anchor: DVec3::ZERO, weights: &[0.25] };
    let positions = deform::positions(&model, NodeIndex(0), primitive, pose, [0, 4, 8].into_iter());
    let morphed = DVec3::new(-0.5, 1.5, -0.5);
    assert_close(positions[0], DVec3::new(0.5, 0.0, -0.5));
    assert_close(positions[1], (morphed + DVec3::X) * 0.5 + DQuat::from_rotation_z(PI) * (morphed + DVec3::Y) * 0.5);
    assert_close(positions[2], DQuat::from_rotation_z(PI) * DVec3::new(-0.5, 3.0, -0.5));
}

#[test]
fn without_a_skin_vertices_follow_their_node() {
    let mut model = hand_made::bending_box();
    model.nodes[0].skin = None;
    let transforms = [DAffine3::IDENTITY, DAffine3::IDENTITY, DAffine3::from_scale(DVec3::splat(3.0))];
    let primitive = &model.meshes[0].primitives[0];
    let pose = VertexPose { transforms: &transforms, anchor: DVec3::ZERO, weights: &[] };
    let positions = deform::positions(&model, NodeIndex(0), primitive, pose, std::iter::once(8));
    assert_close(positions[0], DVec3::new(-1.5, 6.0, -1.5));
}

// Picking

struct Scene {
    document: Document,
    view: View,
    posed: Posed,
}

fn posed(model: Model, view: View, time: f64) -> Scene {
    let document = Document::new(Arc::new(model), "box.glb".into(), None);
    let mut posed = Posed::new(&document.model);
    solve::solve(&document.model, &view, time, &mut posed);
    Scene { document, view, posed }
}

/// Poses the box bent by its animation. Its upper half lies at x from -2 to -1 and y from 0.5 to 1.5.
fn bent() -> Scene {
    posed(hand_made::bending_box(), View { animation: Some(0), ..View::default() }, 1.0)
}

/// Looks from +Z. A point (x, y) of the world is at pixel (400 + 100 x, 250 - 100 y).
fn from_front() -> ScreenProjection {
    let orbit = Orbit { yaw: 0.0, pitch: 0.0, orthographic: true, distance: 2.5 / (17.5f64).to_radians().tan(), ..Orbit::default() };
    ScreenProjection { camera: orbit.camera(&BOUNDS), size: DVec2::new(800.0, 500.0) }
}

fn at(x: f64, y: f64) -> DVec2 {
    DVec2::new(400.0 + 100.0 * x, 250.0 - 100.0 * y)
}

#[test]
fn a_skinned_box_is_hit_in_its_current_pose() {
    let Scene { document, posed, .. } = bent();
    let hits = |x, y| pick::meshes_under(&document, &View::default(), &posed, &from_front(), at(x, y));
    assert_eq!(hits(-0.9, 1.2).len(), 1, "the upper half lies at the side");
    assert_eq!(hits(0.0, 1.9).len(), 0, "nothing is at the rest position of the upper half");
    assert_eq!(hits(0.0, 0.5).len(), 1);
    let rest = self::posed(hand_made::bending_box(), View::default(), 0.0);
    assert_eq!(pick::meshes_under(&rest.document, &View::default(), &rest.posed, &from_front(), at(0.0, 1.9)).len(), 1);
}

#[test]
fn the_nearest_triangle_is_hit_at_the_point_under_the_pointer() {
    let Scene { document, posed, .. } = bent();
    let projection = from_front();
    let hit = pick::meshes_under(&document, &View::default(), &posed, &projection, at(0.1, 0.4))[0];
    let surface = hit.surface.unwrap();
    let primitive = &document.model.meshes[0].primitives[0];
    let vertices = surface.vertices.iter().map(|&vertex| vertex as usize);
    let corners = deform::positions(&document.model, hit.node, primitive, posed.vertex_pose(), vertices);
    let place: DVec3 = corners.iter().zip(surface.weights).map(|(corner, weight)| *corner * weight).sum();
    // This is the front of the box, not its back at z = -0.5.
    assert_close(place, DVec3::new(0.1, 0.4, 0.5));
    assert!((hit.depth - projection.project(place).unwrap().depth).abs() < 1e-9);
}

#[test]
fn a_hit_lists_its_joints_with_weights() {
    let Scene { document, posed, .. } = bent();
    // The point lies between a ring of the base and a ring of the tip, a quarter of the way up.
    let rest = self::posed(hand_made::bending_box(), View::default(), 0.0);
    let hit = pick::meshes_under(&rest.document, &View::default(), &rest.posed, &from_front(), at(0.0, 1.25))[0];
    let joints = pick::joints_at(&rest.document.model, &hit);
    assert_eq!(joints.iter().map(|(joint, _)| joint.0).collect::<Vec<_>>(), [1, 2]);
    assert!((joints[0].1 - 0.75).abs() < 1e-6 && (joints[1].1 - 0.25).abs() < 1e-6, "{joints:?}");
    // Only the base moves this triangle of the bent box.
    let hit = pick::meshes_under(&document, &View::default(), &posed, &from_front(), at(0.4, 0.2))[0];
    assert_eq!(pick::joints_at(&document.model, &hit), [(NodeIndex(1), 1.0)]);
}

#[test]
fn a_mesh_with_a_joint_without_influence_is_picked_where_it_is_drawn() {
    let mut view = View { animation: Some(0), ..View::default() };
    let model = hand_made::bending_box();
    let tip = model.nodes[2].source;
    joint_switches::set(&mut view.switches, tip, Column::Influence, |switch| switch.on = false);
    let Scene { document, posed, .. } = posed(model, view, 1.0);
    let hits = |x, y| pick::meshes_under(&document, &View::default(), &posed, &from_front(), at(x, y)).len();
    // The base's matrix moves every vertex, so the box stands upright.
    assert_eq!((hits(0.0, 1.9), hits(-0.9, 1.2)), (1, 0));
}

#[test]
fn a_skinned_surface_is_picked_on_the_side_that_is_drawn() {
    // The first triangle is symmetric about x = 0, so mirroring leaves it in place. The second one lies below the picture.
    let triangle = [-1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let below = triangle.map(|coordinate| coordinate - 20.0);
    let hits = |scales: [f32; 2], indices: [u16; 3]| {
        let mut gltf = Gltf::new();
        let positions = gltf.floats("VEC3", &[triangle, below].concat());
        let joints = gltf.u8s("VEC4", &[[0; 12], [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]].concat());
        let weights = gltf.floats("VEC4", &[1.0, 0.0, 0.0, 0.0].repeat(6));
        let indices = gltf.u16s("SCALAR", &[indices, [3, 4, 5]].concat());
        let attributes = json!({ "POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights });
        gltf.mesh_node(json!({ "attributes": attributes, "indices": indices }));
        gltf.json["nodes"][0]["skin"] = json!(0);
        for x in scales {
            gltf.push("nodes", json!({ "scale": [x, 1.0, 1.0] }));
        }
        gltf.push("skins", json!({ "joints": [1, 2] }));
        gltf.push("scenes", json!({ "nodes": [0, 1, 2] }));
        let Scene { document, posed, .. } = posed(gltf.model(), View::default(), 0.0);
        pick::meshes_under(&document, &View::default(), &posed, &from_front(), at(0.0, 0.5)).len()
    };
    let (front, back) = ([0, 1, 2], [0, 2, 1]);
    assert_eq!((hits([1.0, 1.0], front), hits([1.0, 1.0], back)), (1, 0));
    assert_eq!((hits([-1.0, -1.0], front), hits([-1.0, -1.0], back)), (1, 0), "all joints mirror");
    assert_eq!((hits([1.0, -1.0], front), hits([1.0, -1.0], back)), (1, 1), "both sides are drawn where only some joints mirror");
}

#[test]
fn surfaces_that_are_too_transparent_to_be_seen_are_not_picked() {
    let hits_in = |shading: Shading, alpha: f64, mode: Value| {
        let mut gltf = Gltf::new();
        let mut material = mode;
        material["pbrMetallicRoughness"] = json!({ "baseColorFactor": [1.0, 1.0, 1.0, alpha] });
        gltf.push("materials", material);
        let positions = gltf.floats("VEC3", &[-1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        gltf.mesh_node(json!({ "attributes": { "POSITION": positions } }));
        gltf.mesh_node(json!({ "attributes": { "POSITION": positions }, "material": 0 }));
        gltf.json["nodes"][1]["translation"] = json!([0.0, 0.0, 0.5]);
        gltf.push("scenes", json!({ "nodes": [0, 1] }));
        let view = View { display: Display { shading, ..Display::default() }, ..View::default() };
        let Scene { document, posed, .. } = posed(gltf.model(), view.clone(), 0.0);
        let found = pick::meshes_under(&document, &view, &posed, &from_front(), at(0.0, 0.5));
        found.iter().map(|hit| document.model.node(hit.node).source).collect::<Vec<_>>()
    };
    let hits = |alpha, mode| hits_in(Shading::Lit, alpha, mode);
    assert_eq!(hits(0.0, json!({})), [1, 0]);
    let mask = || json!({ "alphaMode": "MASK", "alphaCutoff": 0.7 });
    assert_eq!((hits(0.69, mask()), hits(0.71, mask())), (vec![0], vec![1, 0]));
    assert_eq!(hits_in(Shading::Alpha, 0.0, mask()), [1, 0], "this mode draws alpha as a color");
    let blend = || json!({ "alphaMode": "BLEND" });
    assert_eq!((hits(0.09, blend()), hits(0.11, blend())), (vec![0], vec![1, 0]));
}

#[test]
fn invisible_nodes_are_not_picked() {
    let mut view = View::default();
    let model = hand_made::bending_box();
    joint_switches::set(&mut view.switches, model.nodes[0].source, Column::Visible, |switch| switch.on = false);
    let Scene { document, view, posed } = posed(model, view, 0.0);
    assert!(pick::under(&document, &view, &posed, &from_front(), at(0.0, 0.5)).is_empty());
}

#[test]
fn shown_joints_are_picked_before_meshes() {
    let mut scene = bent();
    let found = |scene: &Scene, point| pick::under(&scene.document, &scene.view, &scene.posed, &from_front(), point);
    let tip = at(0.0, 1.0) + DVec2::new(4.0, 3.0);
    assert_eq!(found(&scene, tip), [NodeIndex(0)], "joints that are not shown are not picked");
    scene.view.display.skeleton = true;
    assert_eq!(found(&scene, tip), [NodeIndex(2), NodeIndex(0)]);
    assert_eq!(found(&scene, at(0.0, 1.0) + DVec2::new(11.0, 0.0)), [NodeIndex(0)], "the joint is out of reach");
    let source = scene.document.model.nodes[2].source;
    joint_switches::set(&mut scene.view.switches, source, Column::Drawn, |switch| switch.on = false);
    solve::solve(&scene.document.model, &scene.view, 1.0, &mut scene.posed);
    assert_eq!(found(&scene, tip), [NodeIndex(0)], "joints that are switched off are not picked");
}

#[test]
fn a_second_click_picks_the_next_node_behind() {
    let found = [NodeIndex(4), NodeIndex(7), NodeIndex(2)];
    assert_eq!(pick::next_behind(&found, None), Some(NodeIndex(4)));
    assert_eq!(pick::next_behind(&found, Some(NodeIndex(4))), Some(NodeIndex(7)));
    assert_eq!(pick::next_behind(&found, Some(NodeIndex(2))), Some(NodeIndex(4)));
    assert_eq!(pick::next_behind(&found, Some(NodeIndex(9))), Some(NodeIndex(4)));
    assert_eq!(pick::next_behind(&[], Some(NodeIndex(9))), None);
}

#[test]
fn box_selection_selects_shown_joints_or_else_meshes() {
    let mut scene = bent();
    let inside = |scene: &Scene, a, b| pick::inside(&scene.document, &scene.view, &scene.posed, &from_front(), [a, b]);
    let whole = [DVec2::ZERO, DVec2::new(800.0, 500.0)];
    assert_eq!(inside(&scene, whole[0], whole[1]), [NodeIndex(0)]);
    scene.view.display.skeleton = true;
    assert_eq!(inside(&scene, whole[0], whole[1]), [NodeIndex(1), NodeIndex(2)]);
    assert_eq!(inside(&scene, at(-0.2, 1.2), at(0.2, 0.8)), [NodeIndex(2)]);
    // A joint that belongs to no skin of the scene, and is in none, is not shown.
    let mut model = hand_made::bending_box();
    hand_made::add_skin(&mut model, &[0]);
    model.scenes[0].roots = vec![NodeIndex(1)];
    let scene = posed(model, scene.view, 1.0);
    assert_eq!(inside(&scene, whole[0], whole[1]), [NodeIndex(1), NodeIndex(2)]);
}

#[test]
fn a_ray_hits_triangles_from_the_sides_that_are_drawn() {
    let triangle = [DVec3::ZERO, DVec3::X, DVec3::Y];
    let from = |z: f64| Ray { origin: DVec3::new(0.25, 0.25, z), direction: DVec3::Z * -z.signum() };
    assert_eq!(pick::triangle_hit(&from(2.0), triangle, Some(1.0)), Some((2.0, [0.5, 0.25, 0.25])), "from its front");
    assert_eq!(pick::triangle_hit(&from(-2.0), triangle, Some(1.0)), None, "from its back");
    assert!(pick::triangle_hit(&from(-2.0), triangle, None).is_some(), "from its back, both sides drawn");
    assert!(pick::triangle_hit(&from(-2.0), triangle, Some(-1.0)).is_some(), "from its back, mirrored");
    let beside = Ray { origin: DVec3::new(0.6, 0.6, 2.0), direction: DVec3::NEG_Z };
    assert_eq!(pick::triangle_hit(&beside, triangle, None), None);
    let flat = [DVec3::ZERO, DVec3::X, DVec3::X * 2.0];
    assert_eq!(pick::triangle_hit(&from(2.0), flat, None), None);
    assert_eq!(pick::triangle_hit(&from(2.0), [DVec3::NAN; 3], None), None);
}

// Selection

#[test]
fn clicks_select_add_and_toggle_and_the_last_is_active() {
    let mut selected = vec![3, 5];
    selection::select(&mut selected, 8, SelectMode::Add);
    assert_eq!(selected, [3, 5, 8]);
    selection::select(&mut selected, 3, SelectMode::Add);
    assert_eq!(selected, [5, 8, 3]);
    selection::select(&mut selected, 8, SelectMode::Toggle);
    assert_eq!(selected, [5, 3]);
    selection::select(&mut selected, 8, SelectMode::Toggle);
    assert_eq!(selected, [5, 3, 8]);
    selection::select(&mut selected, 1, SelectMode::Only);
    assert_eq!(selected, [1]);
    selection::select_all(&mut selected, &[4, 1], SelectMode::Add);
    assert_eq!(selected, [4, 1]);
}

#[test]
fn only_joints_with_no_joint_of_their_skin_above_them_have_a_fixed_influence() {
    // The first skin has two chains: from A to D, and E, which is below Root, a node that is not a joint. The second skin begins at B,
    // within the first chain.
    let nodes = [("A", None), ("B", Some(0)), ("C", Some(1)), ("Between", Some(2)), ("D", Some(3)), ("Root", None), ("E", Some(5))];
    let mut model = hand_made::tree(&nodes.map(|(name, parent)| (name.to_string(), parent)));
    hand_made::add_skin(&mut model, &[4, 2, 0, 1, 6]);
    assert_eq!(joint_switches::fixed_influences(&model), [true, false, false, false, false, false, true]);
    hand_made::add_skin(&mut model, &[1, 4]);
    assert_eq!(joint_switches::fixed_influences(&model), [true, true, false, false, false, false, true]);
}
