//! Tests the checks of the scale, unit, axis and position of a rig.

use serde_json::json;
use sinew::check::settings::Settings;

use crate::common::character::{BODY, Character, FRAMES, HIPS, SPINE, character, findings, per_frame};
use crate::common::gltf_builder::Gltf;

/// The character below a node with this transform. The transform does not change the inverse bind matrices.
fn below(transform: serde_json::Value) -> Character {
    let mut below = character();
    let mut armature = json!({ "name": "Armature", "children": [HIPS] });
    armature.as_object_mut().unwrap().extend(transform.as_object().unwrap().clone());
    below.nodes.push(armature);
    below.roots = vec![10, BODY];
    below
}

/// The codes of all findings in the character.
fn codes(character: &Character) -> Vec<&'static str> {
    character.codes()
}

#[test]
fn a_rig_in_centimeters_and_a_tiny_rig_are_reported() {
    let scaled = |scale: f64| below(json!({ "scale": [scale, scale, scale] }));
    // The joints are at heights from 0.05 m to 1.7 m, and the mesh reaches 1.8 m.
    let finding = scaled(100.0).only("UNLIKELY_UNIT");
    assert!((finding.value.unwrap() - 175.0).abs() < 6.0, "{finding:?}");
    assert_eq!(finding.threshold, Some(50.0));
    assert_eq!(codes(&scaled(20.0)), [""; 0]);
    assert_eq!(codes(&scaled(0.02)), ["UNLIKELY_UNIT"]);
    assert_eq!(codes(&scaled(0.05)), [""; 0]);
}

#[test]
fn a_character_on_its_back_or_head_is_reported() {
    let turned = |degrees: f32| {
        let turned = below(json!({ "rotation": crate::common::character::about_x(degrees) }));
        turned.check(&Settings::default()).into_iter().find(|finding| finding.code == "UNLIKELY_AXIS")
    };
    let finding = turned(-90.0).unwrap();
    assert!((finding.value.unwrap() - 90.0).abs() < 0.1 && finding.message.contains("lies on its side, back or front"), "{finding:?}");
    assert!(turned(180.0).unwrap().message.contains("is upside down"));
    assert_eq!(turned(50.0), None);
}

#[test]
fn an_animal_on_four_legs_may_be_long() {
    let mut animal = character();
    // The spine goes forward, the legs go down.
    animal.nodes[1]["translation"] = json!([0.0, 0.0, 0.6]);
    animal.nodes[2]["translation"] = json!([0.0, 0.0, 0.4]);
    assert!(!codes(&animal).contains(&"UNLIKELY_AXIS"));
}

#[test]
fn a_rig_far_from_the_origin_is_reported() {
    let moved = |x: f64| below(json!({ "translation": [x, 0.0, 0.0] }));
    let finding = moved(3.0).only("OFF_ORIGIN");
    assert!((finding.value.unwrap() - 3.0).abs() < 0.01, "{finding:?}");
    assert_eq!(codes(&moved(1.0)), [""; 0]);
}

#[test]
fn a_large_ground_far_from_the_origin_is_no_part_of_the_rig() {
    let mut on_ground = character();
    on_ground.nodes.push(json!({ "name": "Ground", "mesh": 0, "scale": [200.0, 1.0, 1000.0], "translation": [500.0, 0.0, 0.0] }));
    on_ground.nodes.push(json!({ "name": "Tower", "mesh": 0, "scale": [1.0, 100.0, 1.0] }));
    on_ground.roots.extend([10, 11]);
    assert_eq!(codes(&on_ground), [""; 0]);
}

#[test]
fn non_uniform_and_negative_scale_are_reported() {
    let scaled = |node: usize, scale: [f32; 3]| {
        let mut scaled = character();
        scaled.nodes[node]["scale"] = json!(scale);
        scaled
    };
    let found = scaled(SPINE, [1.0, 1.2, 1.0]).check(&Settings::default());
    let finding = found.iter().find(|finding| finding.code == "NON_UNIFORM_SCALE").unwrap();
    assert!((finding.value.unwrap() - 1.2).abs() < 1e-6 && finding.node == Some(SPINE), "{finding:?}");
    // A joint without children shears nothing, and a scale of 1.005 may be a rounding error.
    assert!(!codes(&scaled(2, [1.0, 1.2, 1.0])).contains(&"NON_UNIFORM_SCALE"));
    assert_eq!(codes(&scaled(SPINE, [1.0, 1.005, 1.0])), [""; 0]);
    let mirrored = scaled(2, [-1.0, 1.0, 1.0]);
    assert!(codes(&mirrored).contains(&"NEGATIVE_SCALE"), "{:?}", codes(&mirrored));
    assert!(codes(&scaled(2, [-1.0, -1.0, -1.0])).contains(&"NEGATIVE_SCALE"));
    // Two negative axes are half a turn.
    assert!(!codes(&scaled(2, [-1.0, 1.0, -1.0])).contains(&"NEGATIVE_SCALE"));
    let mut animated = character();
    animated.channels().push(per_frame(2, "scale", |time| [if time > 0.5 { -1.0 } else { 1.0 }, 1.0, 1.0]));
    let found = animated.check(&Settings::default());
    let finding = found.iter().find(|finding| finding.code == "NEGATIVE_SCALE").unwrap();
    assert_eq!((finding.animation, finding.value), (Some(0), Some(-1.0)));
    assert!((finding.time.unwrap() - 13.0 / 24.0).abs() < 1e-6, "{finding:?} of {FRAMES} frames");
    animated.channels()[3] = per_frame(2, "scale", |time| if time > 0.5 { [-1.0, -1.0, 1.0] } else { [1.0; 3] });
    assert!(!codes(&animated).contains(&"NEGATIVE_SCALE"));
}

/// The character, and another one at a distance in meters along x: as a root of the scene, or below a node with the first one, or in no
/// scene.
fn two_characters(first: &Character, distance: f32, place: &str) -> Gltf {
    let mut gltf = first.gltf();
    let offset = first.nodes.len();
    for node in &character().nodes[..9] {
        let mut copy = node.clone();
        for child in copy["children"].as_array_mut().into_iter().flatten() {
            *child = json!(child.as_u64().unwrap() + offset as u64);
        }
        gltf.push("nodes", copy);
    }
    gltf.json["nodes"][offset]["translation"] = json!([distance, 1.0, 0.0]);
    gltf.push("skins", json!({ "joints": (offset..offset + 9).collect::<Vec<_>>() }));
    let world = gltf.push("nodes", json!({ "name": "World", "children": [HIPS, offset] }));
    match place {
        "scene" => gltf.json["scenes"][0]["nodes"] = json!([HIPS, BODY, offset]),
        "world" => gltf.json["scenes"][0]["nodes"] = json!([world, BODY]),
        _ => {}
    }
    if place != "world" {
        gltf.json["nodes"][world].as_object_mut().unwrap().remove("children");
    }
    gltf
}

#[test]
fn the_distance_between_two_rigs_is_not_their_size() {
    let mut first = character();
    // The spine pops, and its translation ends 5 cm from its start.
    first.channels().push(per_frame(SPINE, "translation", |time| {
        let frame = (time * 24.0).round();
        [if frame == 12.0 { 0.2 } else { 0.0 }, 0.3 + 0.05 * time, 0.0]
    }));
    first.clips[0].name = Some("Idle_Loop");
    let alone = first.check(&Settings::default());
    assert_eq!(alone.iter().map(|finding| finding.code).collect::<Vec<_>>(), ["LOOP_GAP", "VELOCITY_SPIKE"]);
    let off = Settings::from_toml("off = [\"REST_FAR_FROM_BIND\", \"JOINT_WITHOUT_WEIGHTS\"]").unwrap();
    for place in ["scene", "world", "none"] {
        for distance in [2.0, 60.0] {
            assert_eq!(findings(&two_characters(&first, distance, place), &off), alone, "{place} {distance}");
        }
    }
}

#[test]
fn a_skin_below_the_joints_of_another_one_is_part_of_its_rig() {
    let popping = |skins: &[&[usize]]| {
        let mut popping = character();
        popping.channels().push(per_frame(SPINE, "translation", |time| [0.0, 0.3, if (time * 24.0).round() == 12.0 { 0.3 } else { 0.0 }]));
        let mut gltf = popping.gltf();
        for joints in skins {
            gltf.push("skins", json!({ "joints": joints }));
        }
        let found = findings(&gltf, &Settings::default());
        found.iter().find(|finding| finding.code == "VELOCITY_SPIKE").unwrap().threshold
    };
    assert!(popping(&[]).is_some());
    assert_eq!(popping(&[&[2], &[1, 2], &[3, 4, 5]]), popping(&[]));
}
