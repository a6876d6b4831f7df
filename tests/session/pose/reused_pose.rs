//! Tests that a [`Posed`] that is used again gets the same bits as a new one, whatever it held before.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::json;
use sinew::animation::playback::Playhead;
use sinew::model::Model;
use sinew::session::pose::solve::{self, Posed};
use sinew::session::time::moment::{Fade, FadeSource, Moment};
use sinew::session::view::View;
use sinew::session::view::joint_switches::{NodeSwitches, Switch};
use sinew::session::view::layers::{Layer, Mode};

use crate::common::gltf_builder::Gltf;

/// Nodes of the model: a skinned and morphed body, a chain of three joints, and a stone on the last one.
const BODY: usize = 0;
const HIP: usize = 1;
const KNEE: usize = 2;
const FOOT: usize = 3;
const STONE: usize = 4;
/// Number of animations of the model.
const ANIMATIONS: usize = 3;

/// Builds a model whose animations drive different nodes, some with constant values, and among them visibility, a material and morph
/// weights. `distance` moves the hip away from the origin, in meters.
fn model(distance: f32) -> Model {
    let mut gltf = Gltf::new();
    let positions = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 2.0, 0.0]);
    let deltas = gltf.floats("VEC3", &[0.5; 18]);
    let joints = gltf.u8s("VEC4", &[0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]);
    let weights = gltf.floats("VEC4", &[1.0, 0.0, 0.0, 0.0].repeat(6));
    let attributes = json!({ "POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights });
    let primitive = json!({ "attributes": attributes, "targets": [{ "POSITION": deltas }], "material": 0 });
    gltf.push("materials", json!({ "pbrMetallicRoughness": { "roughnessFactor": 0.25 } }));
    gltf.mesh_node(primitive);
    gltf.json["nodes"][BODY]["skin"] = json!(0);
    gltf.push("nodes", json!({ "children": [KNEE], "translation": [distance, 1, 0] }));
    gltf.push("nodes", json!({ "children": [FOOT], "translation": [0, 1, 0], "rotation": [0, 0, 0.6, 0.8] }));
    gltf.push("nodes", json!({ "children": [STONE], "translation": [0, 1, 0] }));
    let stone = gltf.mesh_node(json!({ "attributes": { "POSITION": positions } }));
    assert_eq!(stone, STONE);
    gltf.json["nodes"][STONE]["extensions"] = json!({ "KHR_node_visibility": { "visible": true } });
    gltf.push("skins", json!({ "joints": [HIP, KNEE, FOOT] }));
    gltf.push("scenes", json!({ "nodes": [BODY, HIP] }));
    gltf.json["extensionsUsed"] = json!(["KHR_node_visibility", "KHR_animation_pointer"]);

    let turned = gltf.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.6, 0.0, 0.0, 0.8]);
    let held = gltf.floats("VEC4", &[0.0, 0.8, 0.0, 0.6].repeat(2));
    let lifted = gltf.floats("VEC3", &[0.0, 1.0, 0.0, 0.0, 3.0, 0.5]);
    let aside = gltf.floats("VEC3", &[2.0, 0.5, 0.0, 2.0, 0.5, 0.0]);
    let away = gltf.floats("VEC3", &[distance, 1.0, 0.0, distance + 3.0, 1.0, 0.0]);
    let grown = gltf.floats("VEC3", &[1.0, 1.0, 1.0, 2.0, 1.5, 1.0]);
    let [morphed, half] = [[0.0, 1.0], [0.5, 0.5]].map(|values| gltf.floats("SCALAR", &values));
    let hidden = gltf.u8s("SCALAR", &[1, 0]);
    gltf.json["accessors"][hidden]["normalized"] = json!(false);
    let times: &[f32] = &[0.0, 1.0];
    gltf.animation(&[
        (HIP, "rotation", "LINEAR", times, turned),
        (KNEE, "translation", "LINEAR", times, aside),
        (BODY, "weights", "LINEAR", times, morphed),
    ]);
    gltf.animation(&[
        (HIP, "translation", "LINEAR", times, away),
        (KNEE, "rotation", "LINEAR", times, held),
        (FOOT, "translation", "STEP", times, lifted),
        (BODY, "weights", "LINEAR", times, half),
    ]);
    let driven = gltf.animation(&[(FOOT, "scale", "LINEAR", times, grown), (HIP, "translation", "STEP", times, aside)]);
    let pointers = [
        ("/nodes/4/extensions/KHR_node_visibility/visible", "STEP", hidden),
        ("/materials/0/pbrMetallicRoughness/roughnessFactor", "LINEAR", half),
    ];
    for (pointer, interpolation, output) in pointers {
        let input = gltf.floats("SCALAR", times);
        let animation = &mut gltf.json["animations"][driven];
        let samplers = animation["samplers"].as_array_mut().unwrap();
        samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
        let sampler = samplers.len() - 1;
        let target = json!({ "path": "pointer", "extensions": { "KHR_animation_pointer": { "pointer": pointer } } });
        animation["channels"].as_array_mut().unwrap().push(json!({ "sampler": sampler, "target": target }));
    }
    let model = gltf.model();
    assert_eq!((model.animations.len(), model.findings.len()), (ANIMATIONS, 0), "{:?}", model.findings);
    model
}

/// One of the animations, or the rest pose.
fn some_animation() -> impl Strategy<Value = Option<usize>> {
    prop::option::weighted(0.8, 0..ANIMATIONS)
}

/// The switches of one node: all on, or one of the columns animated, influence, visible and geometry off or soloed.
fn some_switches() -> impl Strategy<Value = NodeSwitches> {
    (0..8usize, prop::bool::weighted(0.25)).prop_map(|(column, solo)| {
        let mut switches = NodeSwitches::default();
        let switch = if solo { Switch { on: true, solo: true } } else { Switch { on: false, solo: false } };
        match column {
            0 | 1 => switches.animated = switch,
            2 => switches.influence = switch,
            3 => switches.visible = switch,
            4 => switches.geometry = switch,
            _ => {}
        }
        switches
    })
}

fn some_layer() -> impl Strategy<Value = Layer> {
    let masks = prop::option::of(prop::sample::select(vec![vec![HIP], vec![KNEE], vec![BODY, FOOT]]));
    (0..ANIMATIONS, any::<bool>(), prop::option::of(0.0..1.0), 0.0..1.0, masks).prop_map(
        |(animation, additive, reference, weight, mask)| {
            let mode = if additive { Mode::Additive } else { Mode::Override };
            Layer { animation, mode, reference, weight, mask, ..Layer::default() }
        },
    )
}

fn some_view() -> impl Strategy<Value = View> {
    let switches = prop::option::of((HIP..=STONE, some_switches()));
    let morph = prop::option::weighted(0.2, 0.0f32..1.0);
    (some_animation(), switches, prop::collection::vec(some_layer(), 0..3), prop::bool::weighted(0.1), morph).prop_map(
        |(animation, switches, layers, bind_pose, morph)| {
            let morphs = morph.map(|weight| (BODY, BTreeMap::from([(0, weight)]))).into_iter().collect();
            View { animation, switches: switches.into_iter().collect(), layers, bind_pose, morphs, ..View::default() }
        },
    )
}

fn some_moment() -> impl Strategy<Value = Moment> {
    let fade = prop::option::of((some_animation(), 0.0..1.0, 0.0..1.0));
    (0.0..1.0, 0.0..3.0, fade).prop_map(|(time, clock, fade)| Moment {
        clock,
        fade: fade.map(|(animation, time, elapsed)| {
            let head = Playhead { time, returning: false, playing: true };
            Fade { elapsed, ..Fade::new(FadeSource { animation, head, range: [0.0, 1.0], share: 1.0 }, None, 1.0) }
        }),
        ..Moment::from(time)
    })
}

/// Writes all public values of a pose as text. Two floats have the same text only if they have the same bits, or are both NaN.
fn text(posed: &Posed) -> [String; 4] {
    let Posed { pose, globals, joint_transforms, palette, anchor, effective, shown, visible_indices, materials, cameras, lights, .. } =
        posed;
    [
        format!("{pose:?}"),
        format!("{globals:?} {joint_transforms:?} {palette:?} {anchor:?}"),
        format!("{effective:?} {shown:?} {visible_indices:?}"),
        format!("{materials:?} {cameras:?} {lights:?}"),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn a_reused_pose_has_the_same_bits_as_a_new_one(
        is_far in any::<bool>(),
        steps in prop::collection::vec((some_view(), some_moment()), 1..12),
    ) {
        let model = model(if is_far { 1e6 } else { 0.0 });
        let mut reused = Posed::new(&model);
        for (step, (view, moment)) in steps.iter().enumerate() {
            solve::solve(&model, view, *moment, &mut reused);
            let mut new = Posed::with_compiled(&model, reused.compiled.clone());
            solve::solve(&model, view, *moment, &mut new);
            prop_assert_eq!(text(&reused), text(&new), "at step {}", step);
        }
    }
}
