//! Tests KHR_animation_pointer with hand-made files: which pointers resolve and which are refused, values worked out by hand, and their
//! effect on weights, visibility, materials, cameras and lights.

use glam::{DVec3, Vec3, Vec4};
use serde_json::{Value, json};
use sinew::model::Model;
use sinew::model::animation::{Interpolation, Target};
use sinew::model::camera::Projection;
use sinew::model::light::LightKind;
use sinew::model::material::Material;
use sinew::model::pointer::{Property, ValueKind};
use sinew::session::pose::solve::{self, Posed};
use sinew::session::view::joint_switches::{self, Column};
use sinew::session::view::layers::{Layer, Mode};
use sinew::session::view::{Repeat, View};

use crate::common::gltf_builder::{self, FLOAT, Gltf, codes, finding, triangle};

/// Adds an animation with one channel that drives `pointer`.
fn point(gltf: &mut Gltf, pointer: &str, interpolation: &str, times: &[f32], output: usize) -> usize {
    let animation = gltf.push("animations", json!({ "channels": [], "samplers": [] }));
    also(gltf, animation, pointer, interpolation, times, output);
    animation
}

/// Adds another channel to `animation`.
fn also(gltf: &mut Gltf, animation: usize, pointer: &str, interpolation: &str, times: &[f32], output: usize) {
    let input = gltf.floats("SCALAR", times);
    let animation = &mut gltf.json["animations"][animation];
    let samplers = animation["samplers"].as_array_mut().unwrap();
    samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
    let sampler = samplers.len() - 1;
    let target = json!({ "path": "pointer", "extensions": { "KHR_animation_pointer": { "pointer": pointer } } });
    animation["channels"].as_array_mut().unwrap().push(json!({ "sampler": sampler, "target": target }));
}

fn posed(model: &Model, time: f64) -> Posed {
    let mut posed = Posed::new(model);
    solve::solve(model, &View { animation: Some(0), ..View::default() }, time, &mut posed);
    posed
}

/// Builds a document with many features: a morphed mesh on two nodes, the second of which has its own weights, both kinds of camera, a
/// spot light, a point light, and textures.
fn everything() -> Gltf {
    let mut gltf = triangle();
    let deltas = gltf.floats("VEC3", &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    gltf.json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": deltas }, { "POSITION": deltas }]);
    gltf.json["meshes"][0]["weights"] = json!([0.25, 0.5]);
    gltf.push("nodes", json!({ "mesh": 0, "weights": [0.75, 1.0], "extensions": { "KHR_node_visibility": {} } }));
    gltf.json["scenes"][0]["nodes"] = json!([0, 1]);
    gltf.push("cameras", json!({ "type": "perspective", "perspective": { "yfov": 1, "znear": 0.5 } }));
    gltf.push("cameras", json!({ "type": "orthographic", "orthographic": { "xmag": 2, "ymag": 3, "znear": 0, "zfar": 9 } }));
    let lights = json!([{ "type": "spot", "intensity": 7, "spot": { "outerConeAngle": 0.5 } }, { "type": "point" }]);
    gltf.json["extensions"] = json!({ "KHR_lights_punctual": { "lights": lights }, "EXT_lights_image_based": { "lights": [{}] } });
    let view = gltf.view(&gltf_builder::png(1, 1, [255; 4]));
    gltf.push("images", json!({ "bufferView": view, "mimeType": "image/png" }));
    gltf.push("textures", json!({ "source": 0 }));
    let moved = json!({ "index": 0, "extensions": { "KHR_texture_transform": { "offset": [0.5, 0.25] } } });
    let clearcoat =
        json!({ "clearcoatFactor": 0.5, "clearcoatNormalTexture": { "index": 0, "extensions": { "KHR_texture_transform": {} } } });
    gltf.push(
        "materials",
        json!({
            "pbrMetallicRoughness": { "baseColorFactor": [0.1, 0.2, 0.3, 0.4], "baseColorTexture": moved },
            "normalTexture": { "index": 0, "scale": 2 }, "occlusionTexture": { "index": 0 }, "alphaMode": "MASK",
            "extensions": {
                "KHR_materials_clearcoat": clearcoat, "KHR_materials_transmission": {}, "KHR_materials_volume": {},
                "KHR_materials_emissive_strength": {},
            },
        }),
    );
    gltf
}

fn output(gltf: &mut Gltf, components: usize, keys: usize) -> usize {
    gltf.floats(["", "SCALAR", "VEC2", "VEC3", "VEC4"][components], &vec![0.5; components * keys])
}

#[test]
fn every_family_of_pointers_resolves_to_the_value_at_rest() {
    let rests: [(&str, &[f32]); 25] = [
        ("/nodes/1/weights/1", &[1.0]),
        ("/meshes/0/weights/0", &[0.25]),
        ("/meshes/0/weights/1", &[0.5]),
        ("/meshes/0/weights", &[0.25, 0.5]),
        ("/cameras/0/perspective/yfov", &[1.0]),
        ("/cameras/0/perspective/znear", &[0.5]),
        ("/cameras/1/orthographic/xmag", &[2.0]),
        ("/cameras/1/orthographic/zfar", &[9.0]),
        ("/extensions/KHR_lights_punctual/lights/0/color", &[1.0; 3]),
        ("/extensions/KHR_lights_punctual/lights/0/intensity", &[7.0]),
        ("/extensions/KHR_lights_punctual/lights/0/spot/innerConeAngle", &[0.0]),
        ("/extensions/KHR_lights_punctual/lights/0/spot/outerConeAngle", &[0.5]),
        ("/extensions/EXT_lights_image_based/lights/0/rotation", &[0.0, 0.0, 0.0, 1.0]),
        ("/materials/0/pbrMetallicRoughness/baseColorFactor", &[0.1, 0.2, 0.3, 0.4]),
        ("/materials/0/pbrMetallicRoughness/metallicFactor", &[1.0]),
        ("/materials/0/normalTexture/scale", &[2.0]),
        ("/materials/0/occlusionTexture/strength", &[1.0]),
        ("/materials/0/emissiveFactor", &[0.0; 3]),
        ("/materials/0/alphaCutoff", &[0.5]),
        ("/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset", &[0.5, 0.25]),
        ("/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/rotation", &[0.0]),
        ("/materials/0/extensions/KHR_materials_emissive_strength/emissiveStrength", &[1.0]),
        ("/materials/0/extensions/KHR_materials_clearcoat/clearcoatFactor", &[0.5]),
        ("/materials/0/extensions/KHR_materials_clearcoat/clearcoatNormalTexture/extensions/KHR_texture_transform/scale", &[1.0; 2]),
        ("/materials/0/extensions/KHR_materials_volume/attenuationColor", &[1.0; 3]),
    ];
    for (path, rest) in rests {
        let mut gltf = everything();
        let output = if path == "/meshes/0/weights" { output(&mut gltf, 1, 2) } else { output(&mut gltf, rest.len(), 1) };
        point(&mut gltf, path, "LINEAR", &[0.0], output);
        let model = gltf.model();
        assert!(model.findings.is_empty(), "{path}: {:?}", model.findings);
        assert_eq!((model.pointers.len(), model.rest_pointer_values.as_slice()), (1, rest), "{path}");
        assert_eq!((model.pointers[0].path.as_str(), model.pointers[0].animations.as_slice()), (path, &[0][..]));
        assert_eq!(model.pointers[0].kind, if rest.len() == 1 { ValueKind::Scalar } else { ValueKind::Vector }, "{path}");
        assert_eq!(posed(&model, 0.0).pose.pointer_values, vec![0.5; rest.len()], "{path}");
    }
}

#[test]
fn pointers_to_core_paths_act_like_core_channels() {
    let bytes: [(&str, &str, &[f32]); 4] = [
        ("translation", "VEC3", &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
        ("rotation", "VEC4", &[0.0, 0.0, 0.0, 1.0, 0.6, 0.0, 0.0, 0.8]),
        ("scale", "VEC3", &[1.0, 1.0, 1.0, 2.0, 3.0, 4.0]),
        ("weights", "SCALAR", &[0.0, 1.0, 0.5, 0.25]),
    ];
    for (path, type_, values) in bytes {
        let (mut plain, mut by_pointer) = (everything(), everything());
        let output = plain.floats(type_, values);
        plain.animation(&[(1, path, "LINEAR", &[0.0, 1.0], output)]);
        let output = by_pointer.floats(type_, values);
        point(&mut by_pointer, &format!("/nodes/1/{path}"), "LINEAR", &[0.0, 1.0], output);
        let (plain, by_pointer) = (plain.model(), by_pointer.model());
        assert_eq!(plain.animations[0].channels, by_pointer.animations[0].channels, "{path}");
        assert_eq!(posed(&plain, 0.3).pose.locals, posed(&by_pointer, 0.3).pose.locals, "{path}");
        assert_eq!(posed(&plain, 0.3).pose.weights, posed(&by_pointer, 0.3).pose.weights, "{path}");
        assert!(by_pointer.findings.is_empty() && by_pointer.rest_pointer_values.is_empty());
        assert!(matches!(by_pointer.pointers[0].property, Property::Core(_)));
    }
}

#[test]
fn a_matrix_node_driven_by_pointer_is_decomposed() {
    let mut gltf = triangle();
    gltf.json["nodes"][0]["matrix"] = json!([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1]);
    let output = gltf.floats("VEC3", &[2.0; 3]);
    point(&mut gltf, "/nodes/0/scale", "LINEAR", &[0.0], output);
    let model = gltf.model();
    assert_eq!(codes(&model), ["ANIMATION_CHANNEL_TARGET_NODE_MATRIX"]);
    let global = posed(&model, 0.0).globals[0];
    assert_eq!((global.translation, global.matrix3.x_axis), (DVec3::X * 5.0, DVec3::X * 2.0));
}

#[test]
fn values_between_keys_are_those_of_the_specifications_formulas() {
    for (interpolation, values, expected) in [
        ("STEP", vec![0.0, 0.5, 1.0, 1.0, 0.5, 0.0], [0.0, 0.5, 1.0]),
        ("LINEAR", vec![0.0, 0.5, 1.0, 1.0, 0.5, 0.0], [0.25, 0.5, 0.75]),
        // With zero tangents the spline is 3u^2 - 2u^3, which is 10/64 at u = 1/4.
        (
            "CUBICSPLINE",
            [[0.0; 3], [0.0, 0.5, 1.0], [0.0; 3], [0.0; 3], [1.0, 0.5, 0.0], [0.0; 3]].concat(),
            [10.0 / 64.0, 0.5, 1.0 - 10.0 / 64.0],
        ),
    ] {
        let mut gltf = everything();
        let output = gltf.floats("VEC3", &values);
        point(&mut gltf, "/materials/0/emissiveFactor", interpolation, &[1.0, 3.0], output);
        let model = gltf.model();
        assert_eq!(posed(&model, 1.5).pose.pointer_values, expected, "{interpolation}");
        assert_eq!(posed(&model, 1.5).materials[0].emissive_factor, Vec3::from(expected));
        assert_eq!(posed(&model, 0.0).pose.pointer_values, [0.0, 0.5, 1.0], "before the first key");
        // Without an animation, the values return to rest.
        let mut posed = posed(&model, 1.5);
        solve::solve(&model, &View::default(), 0.0, &mut posed);
        assert_eq!((posed.pose.pointer_values.as_slice(), posed.materials[0].emissive_factor), (&[0.0; 3][..], Vec3::ZERO));
    }
}

#[test]
fn integers_keep_their_value_unless_normalized() {
    let mut gltf = everything();
    let output = gltf.u8s("SCALAR", &[0, 255]);
    point(&mut gltf, "/extensions/KHR_lights_punctual/lights/0/intensity", "LINEAR", &[0.0, 1.0], output);
    assert_eq!(posed(&gltf.model(), 1.0).lights[0].intensity, 255.0);
    gltf.json["accessors"][output]["normalized"] = json!(true);
    assert_eq!(posed(&gltf.model(), 1.0).lights[0].intensity, 1.0);
    // The same holds for weights. In a channel without the extension, integer weights are always normalized.
    let weights = gltf.u8s("SCALAR", &[1, 0, 0, 1]);
    gltf.json["animations"] = json!([]);
    point(&mut gltf, "/nodes/1/weights", "LINEAR", &[0.0, 1.0], weights);
    assert_eq!(posed(&gltf.model(), 0.0).pose.weights, [0.25, 0.5, 1.0, 0.0]);
}

#[test]
fn mesh_weights_drive_nodes_without_own_weights_and_an_index_drives_one_weight() {
    let mut gltf = everything();
    let output = gltf.floats("SCALAR", &[0.0, 0.0, 1.0, 0.5]);
    let animation = point(&mut gltf, "/meshes/0/weights", "LINEAR", &[0.0, 1.0], output);
    let output = gltf.floats("SCALAR", &[0.0, 0.5]);
    also(&mut gltf, animation, "/nodes/1/weights/1", "LINEAR", &[0.0, 1.0], output);
    let model = gltf.model();
    assert!(model.findings.is_empty(), "{:?}", model.findings);
    assert_eq!(posed(&model, 0.5).pose.weights, [0.5, 0.25, 0.75, 0.25]);

    // The weights stay at rest if the animation of both nodes is switched off.
    let mut view = View { animation: Some(0), ..View::default() };
    joint_switches::set(&mut view.switches, 0, Column::Animated, |switch| switch.on = false);
    joint_switches::set(&mut view.switches, 1, Column::Animated, |switch| switch.on = false);
    let mut posed = Posed::new(&model);
    solve::solve(&model, &view, 0.5, &mut posed);
    assert_eq!(posed.pose.weights, [0.25, 0.5, 0.75, 1.0]);
}

/// Two nodes share a mesh. One animation drives the weights of the first node, by a core channel or by a pointer to one weight, and both
/// weights of the mesh.
fn node_and_mesh_weights(node_channel: impl Fn(&mut Gltf)) -> Gltf {
    let mut gltf = everything();
    gltf.push("nodes", json!({ "mesh": 0 }));
    gltf.json["scenes"][0]["nodes"] = json!([0, 1, 2]);
    node_channel(&mut gltf);
    let output = gltf.floats("SCALAR", &[8.0, 10.0, 6.0, 4.0]);
    also(&mut gltf, 0, "/meshes/0/weights", "LINEAR", &[0.0, 1.0], output);
    gltf
}

fn constant_node_weights() -> Gltf {
    node_and_mesh_weights(|gltf| {
        let output = gltf.floats("SCALAR", &[0.125, 0.25, 0.125, 0.25]);
        gltf.animation(&[(0, "weights", "LINEAR", &[0.0, 1.0], output)]);
    })
}

#[test]
fn an_animation_of_a_nodes_weights_takes_precedence_over_one_of_its_meshs_weights() {
    let moving = node_and_mesh_weights(|gltf| {
        let output = gltf.floats("SCALAR", &[0.0, 1.0, 1.0, 0.0]);
        gltf.animation(&[(0, "weights", "LINEAR", &[0.0, 1.0], output)]);
    });
    let one_weight = node_and_mesh_weights(|gltf| {
        let output = gltf.floats("SCALAR", &[0.0, 1.0]);
        point(gltf, "/nodes/0/weights/1", "LINEAR", &[0.0, 1.0], output);
    });
    let own_weights = [(constant_node_weights(), [0.125, 0.25]), (moving, [0.25, 0.75]), (one_weight, [0.25, 0.25])];
    for (gltf, own) in own_weights {
        let model = gltf.model();
        let expected = [own[0], own[1], 0.75, 1.0, 7.5, 8.5];
        assert_eq!(posed(&model, 0.25).pose.weights, expected);

        // A layer does the same. At weight 0 it changes nothing.
        let layer = |mode, weight| Layer { mode, weight, repeat: Repeat::Once, ..Layer::default() };
        let mixed = |layer: Layer, time: f64| {
            let mut posed = Posed::new(&model);
            solve::solve(&model, &View { layers: vec![layer], ..View::default() }, time, &mut posed);
            posed.pose.weights
        };
        assert_eq!(mixed(layer(Mode::Override, 1.0), 0.25), expected);
        let rest = [0.25, 0.5, 0.75, 1.0, 0.25, 0.5];
        let half: Vec<f32> = rest.iter().zip(expected).map(|(rest, value)| (rest + value) / 2.0).collect();
        assert_eq!(mixed(layer(Mode::Override, 0.5), 0.25), half);
        // The reference of the additive layer is its own pose, so it adds nothing.
        let additive = Layer { reference: Some(0.25), ..layer(Mode::Additive, 1.0) };
        assert_eq!(mixed(additive, 0.25), rest);
    }
}

#[test]
fn a_layer_that_drives_a_meshs_weights_blends_with_the_weights_below_it() {
    let mut gltf = everything();
    let (below, above) = (gltf.floats("SCALAR", &[1.0, 2.0]), gltf.floats("SCALAR", &[3.0]));
    gltf.animation(&[(0, "weights", "LINEAR", &[0.0], below)]);
    point(&mut gltf, "/meshes/0/weights/1", "LINEAR", &[0.0], above);
    let model = gltf.model();
    let layer = Layer { animation: 1, weight: 0.5, ..Layer::default() };
    let mut posed = Posed::new(&model);
    solve::solve(&model, &View { animation: Some(0), layers: vec![layer], ..View::default() }, 0.0, &mut posed);
    assert_eq!(posed.pose.weights, [1.0, 2.5, 0.75, 1.0]);
}

#[test]
fn a_layer_drives_a_meshs_weights_only_at_nodes_of_its_mask_that_are_animated() {
    let mut gltf = everything();
    let output = gltf.floats("SCALAR", &[3.0, 4.0]);
    point(&mut gltf, "/meshes/0/weights", "LINEAR", &[0.0], output);
    gltf.push("nodes", json!({ "mesh": 0 }));
    gltf.json["scenes"][0]["nodes"] = json!([0, 1, 2]);
    let model = gltf.model();
    let rest = [0.25, 0.5, 0.75, 1.0, 0.25, 0.5];
    let weights = |mode, mask: Option<Vec<usize>>, off: Option<usize>| {
        let mut view = View { layers: vec![Layer { mode, mask, ..Layer::default() }], ..View::default() };
        if let Some(node) = off {
            joint_switches::set(&mut view.switches, node, Column::Animated, |switch| switch.on = false);
        }
        let mut posed = Posed::new(&model);
        solve::solve(&model, &view, 0.0, &mut posed);
        posed.pose.weights
    };
    for mode in [Mode::Override, Mode::Additive] {
        let driven = weights(mode, None, None);
        assert!(driven[0] != rest[0] && driven[2] == rest[2] && driven[4] == driven[0], "{mode:?}: {driven:?}");
        for only_last in [weights(mode, Some(vec![2]), None), weights(mode, None, Some(0))] {
            assert_eq!(only_last, [&rest[..4], &driven[4..]].concat(), "{mode:?}");
        }
    }
}

#[test]
fn booleans_step_in_every_interpolation() {
    for (interpolation, values) in [("STEP", &[1u8, 0, 1][..]), ("LINEAR", &[1, 0, 1]), ("CUBICSPLINE", &[9, 1, 9, 9, 0, 9, 9, 1, 9])] {
        let mut gltf = everything();
        let output = gltf.u8s("SCALAR", values);
        point(&mut gltf, "/nodes/1/extensions/KHR_node_visibility/visible", interpolation, &[0.0, 1.0, 2.0], output);
        let model = gltf.model();
        let expected: &[&str] = if interpolation == "STEP" { &[] } else { &["ANIMATION_POINTER_INTERPOLATION_INVALID"] };
        assert_eq!(codes(&model), expected, "{interpolation}");
        assert_eq!(model.pointers[0].kind, ValueKind::Boolean);
        let channel = &model.animations[0].channels[0];
        assert_eq!((channel.interpolation, channel.output.as_slice()), (Interpolation::Step, &[1.0, 0.0, 1.0][..]));
        let shown = [0.9, 1.0, 1.9, 2.0].map(|time| posed(&model, time).shown[1]);
        assert_eq!(shown, [true, false, false, true], "{interpolation}");
    }
}

#[test]
fn a_hidden_joint_hides_the_nodes_below_and_still_moves_them() {
    let mut gltf = gltf_builder::skinned_triangle();
    // Node 1 is the hip and node 2 the knee below it. At one second the hip is hidden and moved.
    let (visible, moved) = (gltf.u8s("SCALAR", &[1, 0]), gltf.floats("VEC3", &[0.0, 0.0, 0.0, 3.0, 0.0, 0.0]));
    let animation = point(&mut gltf, "/nodes/1/extensions/KHR_node_visibility/visible", "STEP", &[0.0, 1.0], visible);
    also(&mut gltf, animation, "/nodes/1/translation", "STEP", &[0.0, 1.0], moved);
    let model = gltf.model();
    assert_eq!(codes(&model), ["ANIMATION_POINTER_UNDEFINED"], "the node has no KHR_node_visibility; it is driven all the same");
    let at = |source: usize| model.node_of_source[source].index();
    let mut posed = Posed::new(&model);
    let view = View { animation: Some(0), ..View::default() };
    for (time, shown) in [(0.0, true), (1.0, false), (0.5, true)] {
        solve::solve(&model, &view, time, &mut posed);
        assert_eq!([0, 1, 2].map(|source| posed.shown[at(source)]), [true, shown, shown], "at {time}");
        assert_eq!(posed.globals[at(2)].translation, DVec3::new(if shown { 0.0 } else { 3.0 }, 1.0, 0.0));
        assert_eq!(posed.effective.visible, posed.shown);
    }
    // The switches of the view also hide nodes.
    let mut view = view;
    joint_switches::set(&mut view.switches, 2, Column::Visible, |switch| switch.on = false);
    solve::solve(&model, &view, 0.0, &mut posed);
    assert_eq!([0, 1, 2].map(|source| posed.shown[at(source)]), [true, true, false]);
}

#[test]
fn cameras_and_lights_accept_only_usable_values() {
    let mut gltf = everything();
    let outputs =
        [("/cameras/0/perspective/yfov", [0.5, 4.0]), ("/extensions/KHR_lights_punctual/lights/0/spot/innerConeAngle", [0.25, 9.0])];
    gltf.push("animations", json!({ "channels": [], "samplers": [] }));
    for (path, values) in outputs {
        let output = gltf.floats("SCALAR", &values);
        also(&mut gltf, 0, path, "STEP", &[0.0, 1.0], output);
    }
    let model = gltf.model();
    let lens = |time| posed(&model, time).cameras[0].projection;
    assert_eq!(lens(0.0), Projection::Perspective { yfov: 0.5, aspect_ratio: None, znear: 0.5, zfar: None });
    assert_eq!(lens(1.0), model.cameras[0].projection, "a field of view of four radians is not usable");
    let cone = |time| posed(&model, time).lights[0].kind;
    assert_eq!(cone(0.0), LightKind::Spot { inner_cone_angle: 0.25, outer_cone_angle: 0.5 });
    assert_eq!(cone(1.0), LightKind::Spot { inner_cone_angle: 0.5, outer_cone_angle: 0.5 });
}

#[test]
fn a_reused_pose_restores_the_inner_cone_when_the_outer_cone_opens_again() {
    let mut gltf = everything();
    let light = &mut gltf.json["extensions"]["KHR_lights_punctual"]["lights"][0];
    light["spot"] = json!({ "innerConeAngle": 0.375, "outerConeAngle": 0.5 });
    let output = gltf.floats("SCALAR", &[0.5, 0.125]);
    point(&mut gltf, "/extensions/KHR_lights_punctual/lights/0/spot/outerConeAngle", "STEP", &[0.0, 1.0], output);
    let model = gltf.model();
    let view = View { animation: Some(0), ..View::default() };
    let mut posed = Posed::new(&model);
    for (time, inner, outer) in [(0.0, 0.375, 0.5), (1.0, 0.125, 0.125), (0.0, 0.375, 0.5)] {
        solve::solve(&model, &view, time, &mut posed);
        assert_eq!(posed.lights[0].kind, LightKind::Spot { inner_cone_angle: inner, outer_cone_angle: outer }, "{time}");
    }
}

#[test]
fn an_overshooting_color_is_clamped_to_the_drawable_range() {
    let mut gltf = everything();
    let output = gltf.floats("VEC4", &[-1.0, 2.0, 0.5, 1.0]);
    point(&mut gltf, "/materials/0/pbrMetallicRoughness/baseColorFactor", "STEP", &[0.0], output);
    let posed = posed(&gltf.model(), 0.0);
    assert_eq!(posed.materials[0].base_color_factor, Vec4::new(0.0, 1.0, 0.5, 1.0));
    assert_eq!(posed.pose.pointer_values, [-1.0, 2.0, 0.5, 1.0]);
}

/// A property below the extensions of material 0, the values that drive it, how to read it from the posed material, and the expected
/// values.
type DrivenLayer = (&'static str, &'static [f32], fn(&Material) -> Vec<f32>, &'static [f32]);

#[test]
fn every_material_extension_number_is_animated_and_clamped() {
    let cases: [DrivenLayer; 27] = [
        ("anisotropy/anisotropyStrength", &[0.25], |it| vec![it.anisotropy.strength], &[0.25]),
        ("anisotropy/anisotropyRotation", &[-7.0], |it| vec![it.anisotropy.rotation], &[-7.0]),
        ("clearcoat/clearcoatFactor", &[1.5], |it| vec![it.clearcoat.factor], &[1.0]),
        ("clearcoat/clearcoatRoughnessFactor", &[0.5], |it| vec![it.clearcoat.roughness_factor], &[0.5]),
        ("clearcoat/clearcoatNormalTexture/scale", &[-2.0], |it| vec![it.clearcoat.normal_scale], &[-2.0]),
        ("diffuse_transmission/diffuseTransmissionFactor", &[0.5], |it| vec![it.diffuse_transmission.factor], &[0.5]),
        (
            "diffuse_transmission/diffuseTransmissionColorFactor",
            &[0.25, 0.5, 2.0],
            |it| it.diffuse_transmission.color_factor.to_array().to_vec(),
            &[0.25, 0.5, 1.0],
        ),
        ("dispersion/dispersion", &[3.0], |it| vec![it.dispersion], &[3.0]),
        ("emissive_strength/emissiveStrength", &[3.0], |it| vec![it.emissive_strength], &[3.0]),
        ("ior/ior", &[1.25], |it| vec![it.ior], &[1.25]),
        ("ior/ior", &[0.25], |it| vec![it.ior], &[1.0]),
        ("ior/ior", &[0.0], |it| vec![it.ior], &[0.0]),
        ("iridescence/iridescenceFactor", &[0.5], |it| vec![it.iridescence.factor], &[0.5]),
        ("iridescence/iridescenceIor", &[0.5], |it| vec![it.iridescence.ior], &[1.0]),
        ("iridescence/iridescenceThicknessMinimum", &[50.0], |it| vec![it.iridescence.thickness_minimum], &[50.0]),
        ("iridescence/iridescenceThicknessMaximum", &[1e30], |it| vec![it.iridescence.thickness_maximum], &[1e6]),
        ("sheen/sheenColorFactor", &[0.25, 0.5, 0.75], |it| it.sheen.color_factor.to_array().to_vec(), &[0.25, 0.5, 0.75]),
        ("sheen/sheenRoughnessFactor", &[0.5], |it| vec![it.sheen.roughness_factor], &[0.5]),
        ("specular/specularFactor", &[0.5], |it| vec![it.specular.factor], &[0.5]),
        ("specular/specularColorFactor", &[2.0, 0.5, -1.0], |it| it.specular.color_factor.to_array().to_vec(), &[2.0, 0.5, 0.0]),
        ("transmission/transmissionFactor", &[0.75], |it| vec![it.transmission.factor], &[0.75]),
        ("volume/thicknessFactor", &[4.0], |it| vec![it.volume.thickness_factor], &[4.0]),
        ("volume/attenuationDistance", &[2.0], |it| vec![it.volume.attenuation_distance], &[2.0]),
        ("volume/attenuationDistance", &[0.0], |it| vec![it.volume.attenuation_distance], &[f32::INFINITY]),
        ("volume/attenuationColor", &[0.25, 0.5, 0.75], |it| it.volume.attenuation_color.to_array().to_vec(), &[0.25, 0.5, 0.75]),
        (
            "clearcoat/clearcoatRoughnessTexture/extensions/KHR_texture_transform/offset",
            &[0.25, 0.5],
            |it| it.clearcoat.roughness_texture.as_ref().unwrap().transform.offset.to_array().to_vec(),
            &[0.25, 0.5],
        ),
        (
            "sheen/sheenColorTexture/extensions/KHR_texture_transform/rotation",
            &[2.0],
            |it| vec![it.sheen.color_texture.as_ref().unwrap().transform.rotation],
            &[2.0],
        ),
    ];
    for (path, values, read, expected) in cases {
        let mut gltf = everything();
        let moved = json!({ "index": 0, "extensions": { "KHR_texture_transform": {} } });
        let names = ["anisotropy", "diffuse_transmission", "dispersion", "ior", "iridescence", "specular"];
        let extensions = &mut gltf.json["materials"][0]["extensions"];
        names.iter().for_each(|name| extensions[format!("KHR_materials_{name}")] = json!({}));
        extensions["KHR_materials_sheen"] = json!({ "sheenColorTexture": moved });
        extensions["KHR_materials_clearcoat"]["clearcoatRoughnessTexture"] = moved;
        let output = gltf.floats(["", "SCALAR", "VEC2", "VEC3"][values.len()], values);
        point(&mut gltf, &format!("/materials/0/extensions/KHR_materials_{path}"), "STEP", &[0.0], output);
        let model = gltf.model();
        assert!(matches!(model.pointers[0].property, Property::Material { .. }), "{path}: {:?}", model.pointers[0].property);
        assert_eq!(read(&posed(&model, 0.0).materials[0]), expected, "{path} at {values:?}");
    }
}

#[test]
fn a_specular_glossiness_material_is_animated_by_its_own_properties_only() {
    let glossy = "extensions/KHR_materials_pbrSpecularGlossiness";
    let driven = |path: &str, values: &[f32]| {
        let mut gltf = everything();
        let json = json!({ "diffuseFactor": [0.5, 0.5, 0.5, 1.0], "specularFactor": [0.25, 0.25, 0.25] });
        gltf.json["materials"][0]["extensions"] = json!({ "KHR_materials_pbrSpecularGlossiness": json });
        let output = gltf.floats(["", "SCALAR", "VEC2", "VEC3", "VEC4"][values.len()], values);
        point(&mut gltf, &format!("/materials/0/{path}"), "STEP", &[0.0], output);
        let model = gltf.model();
        let material = posed(&model, 0.0).materials.first().cloned();
        (material, model.pointers[0].property)
    };
    let (material, _) = driven(&format!("{glossy}/diffuseFactor"), &[0.0, 0.25, 1.0, 2.0]);
    assert_eq!(material.unwrap().base_color_factor, Vec4::new(0.0, 0.25, 1.0, 1.0));
    let (material, _) = driven(&format!("{glossy}/specularFactor"), &[0.75, 0.5, 9.0]);
    assert_eq!(material.unwrap().specular_glossiness.unwrap().specular_factor, Vec3::new(0.75, 0.5, 1.0));
    let (material, _) = driven(&format!("{glossy}/glossinessFactor"), &[0.125]);
    assert_eq!(material.unwrap().specular_glossiness.unwrap().glossiness_factor, 0.125);
    // A property of the metallic-roughness model does not drive this material.
    let (material, property) = driven("pbrMetallicRoughness/baseColorFactor", &[1.0, 0.0, 0.0, 1.0]);
    assert!(material.is_none() && property == Property::Other);
}

#[test]
fn pointers_that_lead_nowhere_are_findings_and_the_rest_plays() {
    for path in [
        "",
        "/",
        "nodes/0/translation",
        "/nodes/0",
        "/nodes/2/translation",
        "/nodes/-1/translation",
        "/nodes/00/translation",
        "/nodes/+1/translation",
        "/nodes/99999999999999999999999/translation",
        "/nodes/0/translation/0",
        "/nodes/0/matrix",
        "/nodes/0/weights/2",
        "/nodes.length",
        "/nodes/0/extras/speed",
        "/meshes/1/weights",
        "/meshes/0/weights.length",
        "/materials/1/alphaCutoff",
        "/materials/0/alphaMode",
        "/materials/0/emissiveTexture/extensions/KHR_texture_transform/offset",
        "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/texCoord",
        "/materials/0/extensions/KHR_materials_sheen/sheenRoughnessFactor",
        "/materials/0/extensions/ACME_glow/glow",
        "/cameras/0/perspective/zfar",
        "/cameras/0/orthographic/xmag",
        "/cameras/2/perspective/yfov",
        "/extensions/KHR_lights_punctual/lights/2/color",
        "/extensions/KHR_lights_punctual/lights/1/spot/innerConeAngle",
        "/extensions/KHR_lights_punctual/lights.length",
        "/ünïcode/~0/~1",
    ] {
        let mut gltf = everything();
        let ignored = output(&mut gltf, 1, 1);
        let animation = point(&mut gltf, path, "LINEAR", &[0.0], ignored);
        let good = gltf.floats("SCALAR", &[0.5]);
        also(&mut gltf, animation, "/cameras/0/perspective/yfov", "LINEAR", &[0.0], good);
        let model = gltf.model();
        assert_eq!(codes(&model), ["ANIMATION_POINTER_INVALID"], "{path}");
        let place = "/animations/0/channels/0/target/extensions/KHR_animation_pointer/pointer";
        assert_eq!(finding(&model, "ANIMATION_POINTER_INVALID").pointer, place);
        assert_eq!(model.animations[0].channels.len(), 1, "{path}");
        assert_eq!(posed(&model, 0.0).pose.pointer_values, [0.5], "{path}");
    }
}

#[test]
fn mismatched_outputs_are_findings_and_never_fatal() {
    let path = "/materials/0/pbrMetallicRoughness/baseColorFactor";
    let mut gltf = everything();
    let wrong = [output(&mut gltf, 3, 2), output(&mut gltf, 4, 1), gltf.accessor(FLOAT, "VEC4", 99, &[0; 32]), 9999];
    for wrong in wrong {
        let mut gltf = gltf.clone();
        point(&mut gltf, path, "LINEAR", &[0.0, 1.0], wrong);
        let model = gltf.model();
        assert_eq!(codes(&model), ["ANIMATION_POINTER_OUTPUT_INVALID"], "{:?}", model.findings);
        assert!(model.animations[0].channels.is_empty() && model.pointers[0].animations.is_empty());
        assert_eq!(posed(&model, 0.5).materials[0].base_color_factor, Vec4::new(0.1, 0.2, 0.3, 0.4));
    }
    // If the value of a key is not finite, the value of the key before is used, or the rest value for the first key.
    let mut gltf = everything();
    let output = gltf.floats("SCALAR", &[f32::NAN, 2.0, f32::INFINITY]);
    point(&mut gltf, "/cameras/0/perspective/yfov", "STEP", &[0.0, 1.0, 2.0], output);
    let model = gltf.model();
    assert_eq!(model.animations[0].channels[0].output, [1.0, 2.0, 2.0]);
}

#[test]
fn an_invalid_channel_extension_is_not_a_pointer() {
    for extension in [json!({}), json!({ "pointer": 7 }), json!("pointer"), json!([]), Value::Null] {
        let mut gltf = everything();
        let output = output(&mut gltf, 1, 1);
        point(&mut gltf, "/nodes/0/translation", "LINEAR", &[0.0], output);
        gltf.json["animations"][0]["channels"][0]["target"]["extensions"]["KHR_animation_pointer"] = extension;
        let model = gltf.model();
        assert_eq!(codes(&model), ["ANIMATION_CHANNEL_TARGET_INVALID"]);
        let said = "Animation 0, channel 0 has no pointer in target.extensions.KHR_animation_pointer; it is ignored.";
        assert_eq!(model.findings[0].message, said);
    }
}

#[test]
fn a_channel_with_the_path_pointer_but_without_the_extension_says_that_it_is_missing() {
    for extensions in [None, Some(json!({})), Some(json!({ "ACME_anvil": {} }))] {
        let mut gltf = everything();
        let output = output(&mut gltf, 1, 1);
        point(&mut gltf, "/nodes/0/translation", "LINEAR", &[0.0], output);
        gltf.json["animations"][0]["channels"][0]["target"] = json!({ "path": "pointer" });
        if let Some(extensions) = extensions {
            gltf.json["animations"][0]["channels"][0]["target"]["extensions"] = extensions;
        }
        let model = gltf.model();
        let found = finding(&model, "ANIMATION_CHANNEL_TARGET_INVALID");
        assert_eq!(found.pointer, "/animations/0/channels/0/target");
        let said =
            "Animation 0, channel 0 has the path \"pointer\", but its target has no extensions.KHR_animation_pointer; it is ignored.";
        assert_eq!(found.message, said);
    }
}

#[test]
fn a_target_with_two_channels_is_driven_by_one() {
    // If a channel with a pointer and one without drive the same target, the last one is used.
    let mut gltf = everything();
    let (first, last) = (gltf.floats("VEC3", &[1.0; 3]), gltf.floats("VEC3", &[2.0; 3]));
    gltf.animation(&[(0, "translation", "LINEAR", &[0.0], first)]);
    also(&mut gltf, 0, "/nodes/0/translation", "LINEAR", &[0.0], last);
    let model = gltf.model();
    assert_eq!((codes(&model), model.animations[0].channels.len()), (vec!["ANIMATION_DUPLICATE_TARGETS"], 1));
    assert_eq!(model.animations[0].channels[0].output, [2.0; 3]);

    // If one channel drives an array and a second channel drives one of its elements, the channel of the array is used.
    for (array, element) in [("/nodes/1/weights", "/nodes/1/weights/0"), ("/meshes/0/weights", "/meshes/0/weights/0")] {
        let mut gltf = everything();
        let (one, two) = (gltf.floats("SCALAR", &[1.0]), gltf.floats("SCALAR", &[0.125, 0.25]));
        let animation = point(&mut gltf, element, "LINEAR", &[0.0], one);
        also(&mut gltf, animation, array, "LINEAR", &[0.0], two);
        let model = gltf.model();
        assert_eq!((codes(&model), model.animations[0].channels.len()), (vec!["ANIMATION_DUPLICATE_TARGETS"], 1), "{array}");
        assert!(posed(&model, 0.0).pose.weights.windows(2).any(|pair| pair == [0.125, 0.25]), "{array}");
        let driven = model.pointers.iter().filter(|pointer| !pointer.animations.is_empty());
        assert_eq!(driven.map(|pointer| pointer.path.as_str()).collect::<Vec<_>>(), [array]);
    }
}

#[test]
fn a_pointer_overrides_the_node_and_repeated_pointers_are_merged() {
    let mut gltf = everything();
    let output = gltf.floats("SCALAR", &[0.5]);
    point(&mut gltf, "/materials/0/alphaCutoff", "LINEAR", &[0.0], output);
    point(&mut gltf, "/materials/0/alphaCutoff", "LINEAR", &[0.0], output);
    gltf.json["animations"][1]["channels"][0]["target"]["node"] = json!(0);
    let model = gltf.model();
    assert_eq!(codes(&model), ["KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_NODE"]);
    assert_eq!((model.pointers.len(), model.pointers[0].animations.as_slice()), (1, &[0, 1][..]));
    assert_eq!(model.animations[1].channels[0].target, Target::Pointer(0));
    assert_eq!((Target::Pointer(0).node(), model.target_node(Target::Pointer(0))), (None, None));
}

#[test]
fn a_file_that_requires_the_extension_opens() {
    let mut gltf = everything();
    gltf.json["extensionsUsed"] = json!(["KHR_animation_pointer"]);
    gltf.json["extensionsRequired"] = json!(["KHR_animation_pointer"]);
    assert!(gltf.model().asset.extensions[0].supported);
}

#[test]
fn a_boolean_stored_in_a_type_other_than_bytes_is_read_and_reported() {
    let mut gltf = everything();
    let output = gltf.floats("SCALAR", &[1.0, 0.0]);
    point(&mut gltf, "/nodes/1/extensions/KHR_node_visibility/visible", "STEP", &[0.0, 1.0], output);
    let model = gltf.model();
    assert_eq!(codes(&model), ["ANIMATION_POINTER_OUTPUT_INVALID"]);
    assert!(posed(&model, 0.0).shown[1] && !posed(&model, 1.0).shown[1]);
}
