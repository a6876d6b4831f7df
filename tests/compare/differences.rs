//! Tests the list of differences other than those of the motion.

use serde_json::json;
use sinew::compare::counterpart::{self, Pair};
use sinew::compare::differences::{Difference, MAX_LISTED};
use sinew::compare::node_pairs::NodePairs;
use sinew::compare::pairing::{self, OtherName};
use sinew::model::{Model, Variant};
use sinew::session::view::View;
use sinew::session::view::display::Display;

use crate::common::gltf_builder::Gltf;
use crate::rig::{Rig, compared};

/// The differences between the rig and the same rig after a change.
fn after(change: impl FnOnce(&mut Gltf)) -> Vec<Difference> {
    let mut changed = Rig::default().gltf();
    change(&mut changed);
    compared(Rig::default().model(), changed.model()).differences
}

fn difference(code: &'static str, message: &str) -> Difference {
    Difference { code, message: message.into(), unlisted: None }
}

fn codes(found: &[Difference]) -> Vec<&'static str> {
    found.iter().map(|difference| difference.code).collect()
}

#[test]
fn a_renamed_node_and_a_moved_rest_pose_are_listed() {
    let found = after(|gltf| gltf.json["nodes"][3]["name"] = json!("Skull"));
    assert_eq!(found, [difference("NODE_RENAMED", "node 3 \"Head\" is node 3 \"Skull\" in B")]);
    let found = after(|gltf| gltf.json["nodes"][3]["translation"] = json!([0, 0.75, 0]));
    assert_eq!(found, [difference("REST_POSE", "node 3 \"Head\" at rest, relative to its parent: translation differs by 0.250")]);
}

#[test]
fn a_rest_pose_that_is_written_in_another_way_is_no_difference() {
    let mirror = json!([1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, 0.5, 0, 1]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    for (one, other) in [
        (json!({ "translation": [0, 0.1, 0] }), json!({ "translation": [0, 0.100_000_01, 0] })),
        (json!({ "scale": [1, -1, 1], "translation": [0, 0.5, 0] }), json!({ "matrix": mirror })),
        (json!({ "rotation": [0, 0.99, 0, 0] }), json!({ "rotation": [0, 1, 0, 0] })),
        (json!({ "rotation": [0.5994, 0, 0, 0.7992] }), json!({ "rotation": [0.6, 0, 0, 0.8] })),
    ] {
        let file = |transform: &serde_json::Value| {
            let mut gltf = Rig::default().gltf();
            gltf.json["nodes"][3] = transform.clone();
            gltf.json["nodes"][3]["name"] = json!("Head");
            gltf.model()
        };
        let found = compared(file(&one), file(&other)).differences;
        assert_eq!(codes(&found), [""; 0], "{one} {other}: {found:?}");
    }
    let found = after(|gltf| gltf.json["nodes"][3]["scale"] = json!([-1, -1, -1]));
    assert_eq!(found, [difference("REST_POSE", "node 3 \"Head\" at rest, relative to its parent: mirrored")]);
    let found = after(|gltf| gltf.json["nodes"][3]["rotation"] = json!([0, 0, half, half]));
    assert_eq!(found, [difference("REST_POSE", "node 3 \"Head\" at rest, relative to its parent: rotation differs by 90.0 degrees")]);
}

#[test]
fn a_skin_that_lists_a_joint_twice_has_the_same_bind_matrices_as_itself() {
    let file = |y: [f32; 3]| {
        let mut gltf = Rig::default().gltf();
        let matrix = |y: f32| [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, y, 0.0, 1.0];
        let matrices = gltf.floats("MAT4", &y.map(matrix).concat());
        gltf.json["skins"] = json!([{ "joints": [0, 1, 1], "inverseBindMatrices": matrices }]);
        gltf.json["nodes"][4]["skin"] = json!(0);
        let joints = gltf.u16s("VEC4", &[0, 1, 2, 0].repeat(3));
        let weights = gltf.floats("VEC4", &[0.5, 0.25, 0.25, 0.0].repeat(3));
        gltf.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = json!(joints);
        gltf.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
        gltf.model()
    };
    let found = |other| compared(file([0.0, -1.0, -2.0]), file(other)).differences;
    assert_eq!(codes(&found([0.0, -1.0, -2.0])), [""; 0]);
    let changed = found([0.0, -1.0, -2.5]);
    assert_eq!(changed[0].message, "skin 0: 1 inverse bind matrix differs", "{changed:?}");
}

#[test]
fn added_and_reparented_nodes_are_listed() {
    let found = after(|gltf| {
        let hat = gltf.push("nodes", json!({ "name": "Hat" }));
        gltf.json["nodes"][3]["children"] = json!([hat]);
    });
    assert_eq!(codes(&found), ["NODE_ONLY_IN_B"]);
    let found = after(|gltf| {
        gltf.json["nodes"][1]["children"] = json!([2]);
        gltf.json["nodes"][3]["children"] = json!([4]);
    });
    assert_eq!(codes(&found), ["NODE_REPARENTED"]);
    assert_eq!(found[0].message, "node 4 \"Foot\" is below node 1 \"Hips\" in A, below node 3 \"Head\" in B");
}

#[test]
fn skins_geometry_animations_and_materials_are_compared() {
    let found = after(|gltf| gltf.json["skins"] = json!([{ "joints": [0, 1, 2, 3] }, { "joints": [0] }]));
    assert_eq!(codes(&found), ["SKIN_COUNT"]);
    let found = after(|gltf| {
        let positions = gltf.floats("VEC3", &[0.0; 18]);
        gltf.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(positions);
    });
    assert_eq!(codes(&found), ["VERTEX_COUNT"]);
    let found = after(|gltf| {
        let indices = gltf.u16s("SCALAR", &[1, 2, 0]);
        gltf.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
    });
    assert_eq!(codes(&found), ["VERTEX_ORDER"]);
    let found = after(|gltf| gltf.json["animations"][0]["name"] = json!("run"));
    assert_eq!(codes(&found), ["ANIMATION_ONLY_IN_A", "ANIMATION_ONLY_IN_B"]);
    let found = after(|gltf| {
        let times = gltf.floats("SCALAR", &[0.0, 1.0, 3.0]);
        gltf.json["animations"][0]["samplers"][0]["input"] = json!(times);
    });
    assert_eq!(found[0].message, "animation 0 \"walk\" lasts 2.000 s in A, 3.000 s in B");
    let found = after(|gltf| {
        let times = gltf.floats("SCALAR", &[0.0, 1.0, 2.000_1]);
        gltf.json["animations"][0]["samplers"][0]["input"] = json!(times);
    });
    assert_eq!(found[0].message, "animation 0 \"walk\" is 1.0e-4 s longer in B");
    let found = after(|gltf| {
        gltf.push("materials", json!({ "name": "Skin" }));
    });
    assert_eq!(codes(&found), ["MATERIAL_ONLY_IN_B"]);
    let with = |roughness: f64| {
        let mut gltf = Rig::default().gltf();
        gltf.push("materials", json!({ "name": "Skin", "pbrMetallicRoughness": { "roughnessFactor": roughness } }));
        gltf.model()
    };
    assert_eq!(codes(&compared(with(0.5), with(0.25)).differences), ["MATERIAL"]);
    assert_eq!(codes(&compared(with(0.5), with(0.5)).differences), [""; 0]);
}

#[test]
fn another_primitive_mode_is_listed() {
    let file = |mode: u32| {
        let mut gltf = Rig::default().gltf();
        gltf.json["meshes"][0]["primitives"][0]["mode"] = json!(mode);
        gltf.model()
    };
    for (from, to, words) in
        [(4, 0, "triangles in A, of points in B"), (0, 3, "points in A, of lines in B"), (1, 4, "lines in A, of triangles in B")]
    {
        let message = format!("node 4 \"Foot\", primitive 0 consists of {words}");
        assert_eq!(compared(file(from), file(to)).differences, [difference("PRIMITIVE_MODE", &message)]);
    }
    // A strip of one triangle is the same as a list of it.
    assert_eq!(compared(file(4), file(5)).differences, []);
}

#[test]
fn generated_tangents_do_not_change_the_order_of_vertices() {
    let file = |has_normal_texture| Rig::mirrored([0.0, 1.0, 0.0], has_normal_texture).model();
    assert_eq!(file(true).meshes[0].primitives[0].vertices.positions.len(), 6);
    for (a, b, codes_of_list) in [(true, true, &[][..]), (true, false, &["MATERIAL_TEXTURES"]), (false, true, &["MATERIAL_TEXTURES"])] {
        let found = compared(file(a), file(b));
        assert_eq!(codes(&found.differences), codes_of_list);
        assert_eq!(found.vertices.map(|vertices| (vertices.compared, vertices.skipped, vertices.distance_max)), Some((4, 0, 0.0)));
    }
    let mut other_order = Rig::mirrored([0.0, 1.0, 0.0], true);
    let indices = other_order.u16s("SCALAR", &[0, 1, 3, 0, 2, 1]);
    other_order.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
    assert_eq!(codes(&compared(file(true), other_order.model()).differences), ["VERTEX_ORDER"]);
}

#[test]
fn the_properties_of_a_material_are_only_those_in_the_file() {
    let file = |material: serde_json::Value| {
        let mut gltf = Rig::mirrored([0.0, 1.0, 0.0], false);
        gltf.json["materials"][0] = material;
        gltf
    };
    let listed = |a: &Gltf, b: &Gltf| codes(&compared(a.model(), b.model()).differences);
    let plain = file(json!({}));
    let third_set = file(json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0, "texCoord": 2 } } }));
    assert_eq!(listed(&third_set, &plain), ["MATERIAL_TEXTURES"]);
    let anisotropy = |extension| file(json!({ "extensions": { "KHR_materials_anisotropy": extension } }));
    assert_eq!(listed(&anisotropy(json!({})), &plain), [""; 0]);
    assert_eq!(listed(&anisotropy(json!({ "anisotropyStrength": 0.5 })), &plain), ["MATERIAL"]);
}

/// Builds a model whose nodes show a mesh with instances, a camera and a light, and changes it.
fn staged(change: fn(&mut Gltf)) -> Model {
    let mut gltf = Rig::default().gltf();
    let offsets = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
    let normals = gltf.floats("VEC3", &[0.0, 0.0, 1.0].repeat(3));
    let tex_coords = gltf.floats("VEC2", &[0.0; 6]);
    gltf.json["extensionsUsed"] = json!(["KHR_lights_punctual", "EXT_mesh_gpu_instancing", "KHR_node_visibility"]);
    gltf.json["extensions"] = json!({ "KHR_lights_punctual": { "lights": [{ "type": "point" }] } });
    gltf.push("cameras", json!({ "type": "perspective", "perspective": { "yfov": 1.0, "znear": 0.1 } }));
    gltf.push("materials", json!({ "name": "Red" }));
    gltf.push("materials", json!({ "name": "Blue" }));
    gltf.push("nodes", json!({ "name": "Stage" }));
    gltf.json["scenes"][0]["nodes"] = json!([0, 5]);
    gltf.json["nodes"][3]["camera"] = json!(0);
    gltf.json["nodes"][3]["extensions"] = json!({ "KHR_lights_punctual": { "light": 0 } });
    gltf.json["nodes"][4]["extensions"] = json!({ "EXT_mesh_gpu_instancing": { "attributes": { "TRANSLATION": offsets } } });
    let primitive = &mut gltf.json["meshes"][0]["primitives"][0];
    primitive["material"] = json!(0);
    primitive["attributes"]["NORMAL"] = json!(normals);
    primitive["attributes"]["TEXCOORD_0"] = json!(tex_coords);
    change(&mut gltf);
    gltf.model()
}

#[test]
fn what_nodes_show_is_compared() {
    fn remove(object: &mut serde_json::Value, key: &str) {
        object.as_object_mut().unwrap().remove(key).unwrap();
    }
    let hidden = "the mesh of node 4 \"Foot\" is shown in A, but not in B";
    type Change = fn(&mut Gltf);
    let cases: [(Change, &str, &str); 13] = [
        (|_| {}, "", ""),
        (|gltf| gltf.json["nodes"][4]["extensions"]["KHR_node_visibility"] = json!({ "visible": false }), "MESH_HIDDEN", hidden),
        (|gltf| gltf.json["scenes"][0]["nodes"] = json!([5]), "MESH_HIDDEN", hidden),
        (|gltf| remove(&mut gltf.json["nodes"][4], "extensions"), "INSTANCES", "node 4 \"Foot\" has 2 instances in A, 0 in B"),
        (
            |gltf| {
                let offsets = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 100.0, 0.0, 0.0]);
                gltf.json["nodes"][4]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]["TRANSLATION"] = json!(offsets);
            },
            "INSTANCES",
            "node 4 \"Foot\": 1 instance has another transform in B",
        ),
        (
            |gltf| {
                let offsets = gltf.floats("VEC3", &[0.0; 3 * 1200]);
                gltf.json["nodes"][4]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]["TRANSLATION"] = json!(offsets);
            },
            "INSTANCES",
            "node 4 \"Foot\" has 2 instances in A, 1,200 in B",
        ),
        (|gltf| remove(&mut gltf.json["nodes"][3], "camera"), "CAMERA", "node 3 \"Head\" has a camera only in A"),
        (
            |gltf| gltf.json["cameras"][0]["perspective"]["yfov"] = json!(0.5),
            "CAMERA",
            "the camera of node 3 \"Head\" has other properties in B",
        ),
        (|gltf| remove(&mut gltf.json["nodes"][3], "extensions"), "LIGHT", "node 3 \"Head\" has a light only in A"),
        (
            |gltf| gltf.json["extensions"]["KHR_lights_punctual"]["lights"][0]["intensity"] = json!(5),
            "LIGHT",
            "the light of node 3 \"Head\" has other properties in B",
        ),
        (
            |gltf| remove(&mut gltf.json["meshes"][0]["primitives"][0]["attributes"], "NORMAL"),
            "ATTRIBUTE",
            "node 4 \"Foot\", primitive 0 has normals only in A",
        ),
        (
            |gltf| remove(&mut gltf.json["meshes"][0]["primitives"][0]["attributes"], "TEXCOORD_0"),
            "ATTRIBUTE",
            "node 4 \"Foot\", primitive 0 has texture coordinates only in A",
        ),
        (
            |gltf| gltf.json["meshes"][0]["primitives"][0]["material"] = json!(1),
            "PRIMITIVE_MATERIAL",
            "node 4 \"Foot\", primitive 0 has material 0 \"Red\" in A, material 1 \"Blue\" in B",
        ),
    ];
    for (change, code, message) in cases {
        let found = compared(staged(|_| {}), staged(change)).differences;
        let found: Vec<_> = found.iter().map(|difference| (difference.code, difference.message.as_str())).collect();
        assert_eq!(found, if code.is_empty() { vec![] } else { vec![(code, message)] });
    }
}

#[test]
fn elements_with_equal_names_or_none_are_paired_in_order() {
    let file = |second_name: Option<&str>, seconds: f32| {
        let mut gltf = Rig::default().gltf();
        let first = gltf.json["animations"][0].clone();
        let second = gltf.push("animations", first);
        let times = gltf.floats("SCALAR", &[0.0, 1.0, seconds]);
        gltf.json["animations"][second]["samplers"][0]["input"] = json!(times);
        for roughness in [0.5, 0.25] {
            gltf.push("materials", json!({ "name": "Skin", "pbrMetallicRoughness": { "roughnessFactor": roughness } }));
        }
        for animation in gltf.json["animations"].as_array_mut().unwrap() {
            match second_name {
                Some(name) => animation["name"] = json!(name),
                None => drop(animation.as_object_mut().unwrap().remove("name")),
            }
        }
        gltf.model()
    };
    for name in [Some("walk"), Some(""), None] {
        assert_eq!(codes(&compared(file(name, 3.0), file(name, 3.0)).differences), [""; 0], "{name:?}");
        let found = compared(file(name, 3.0), file(name, 4.0)).differences;
        assert_eq!(codes(&found), ["ANIMATION_DURATION"], "{name:?}");
        assert!(found[0].message.starts_with("animation 1 ") && found[0].message.ends_with(" lasts 3.000 s in A, 4.000 s in B"));
        assert_eq!(pairing::animation(&file(name, 3.0), &file(name, 4.0), 1), Some(1), "{name:?}");
    }

    // The second "walk" of A has no counterpart, wherever the only one of B is.
    let mut fewer = file(Some("walk"), 3.0);
    fewer.animations[0].name = Some("run".into());
    let found = compared(file(Some("walk"), 2.0), fewer.clone()).differences;
    assert_eq!(codes(&found), ["ANIMATION_ONLY_IN_A", "ANIMATION_ONLY_IN_B", "ANIMATION_DURATION"]);
    assert_eq!(found[0].message, "animation 1 \"walk\" is only in A");
    let both = file(Some("walk"), 2.0);
    assert_eq!([0, 1].map(|animation| pairing::animation(&both, &fewer, animation)), [Some(1), None]);
    assert_eq!(pairing::counterparts(&both, &fewer), [Some(1), None]);
}

#[test]
fn b_shows_the_material_variant_with_the_name_of_that_of_a() {
    let file = |names: &[&str]| {
        let variant = |name: &&str| Variant { name: (!name.is_empty()).then(|| (*name).to_owned()) };
        Model { variants: names.iter().map(variant).collect(), ..Model::default() }
    };
    let (a, b) = (file(&["red", "blue", "", "red", "green"]), file(&["blue", "red", "", "red"]));
    let counterparts: Vec<_> = (0..6).map(|variant| pairing::variant(&a, &b, variant)).collect();
    assert_eq!(counterparts, [Some(1), Some(0), Some(2), Some(3), None, None]);
    let view = |variant| {
        let view = View { display: Display { variant, ..Display::default() }, ..View::default() };
        counterpart::view(&view, Pair { a: &a, b: &b, node_pairs: &NodePairs::default() }, None).display.variant
    };
    assert_eq!([Some(0), Some(4), None].map(view), [Some(1), None, None]);
}

/// Files with animations of these names; an empty text stands for none.
fn named_animations(names: &[&str]) -> sinew::model::Model {
    let mut gltf = Rig::default().gltf();
    let animation = gltf.json["animations"][0].clone();
    gltf.json["animations"] = json!([]);
    for name in names {
        let index = gltf.push("animations", animation.clone());
        match *name {
            "" => drop(gltf.json["animations"][index].as_object_mut().unwrap().remove("name")),
            name => gltf.json["animations"][index]["name"] = json!(name),
        }
    }
    gltf.model()
}

#[test]
fn an_animation_without_a_name_stands_for_the_one_at_its_index() {
    // The names of A and B, the counterpart in B of each animation of A, and the differences.
    type Case = (&'static [&'static str], &'static [&'static str], &'static [Option<usize>], &'static [&'static str]);
    let cases: [Case; 6] = [
        (&[""], &["A", "B"], &[Some(0)], &["animation 1 \"B\" is only in B"]),
        (&["A", "B"], &["", ""], &[Some(0), Some(1)], &[]),
        (&["", ""], &[""], &[Some(0), None], &["animation 1 is only in A"]),
        // The animation of B belongs to its namesake.
        (&["", "walk"], &["walk"], &[None, Some(0)], &["animation 0 is only in A"]),
        (&["walk"], &["", "walk"], &[Some(1)], &["animation 0 is only in B"]),
        (&["walk"], &["run"], &[None], &["animation 0 \"walk\" is only in A", "animation 0 \"run\" is only in B"]),
    ];
    for (names_a, names_b, expected, messages) in cases {
        let [a, b] = [names_a, names_b].map(named_animations);
        assert_eq!(pairing::counterparts(&a, &b), expected, "{names_a:?} {names_b:?}");
        let each: Vec<_> = (0..names_a.len()).map(|index| pairing::animation(&a, &b, index)).collect();
        assert_eq!(pairing::all_counterparts(&a, &b, OtherName::Allowed), each, "{names_a:?} {names_b:?}");
        let found = compared(a, b).differences;
        assert_eq!(found.iter().map(|difference| &*difference.message).collect::<Vec<_>>(), messages, "{names_a:?} {names_b:?}");
    }
}

#[test]
fn an_animation_is_shown_beside_one_of_another_name_only_if_neither_has_a_namesake() {
    let [a, b] = [named_animations(&["walk", "swim", "idle"]), named_animations(&["walk", "idle"])];
    assert_eq!([0, 1, 2].map(|animation| pairing::animation(&a, &b, animation)), [Some(0), None, Some(1)]);
    let [taken, renamed] = [named_animations(&["Take 001"]), named_animations(&["walk"])];
    assert_eq!(pairing::animation(&taken, &renamed, 0), Some(0), "an export often changes the name");
    // Without a choice, the first pair is shown.
    let first_lacks = named_animations(&["idle", "walk"]);
    assert_eq!(pairing::first_animations(&named_animations(&["swim", "walk"]), &first_lacks), [Some(0), Some(0)], "neither has a namesake");
    assert_eq!(pairing::first_animations(&named_animations(&["swim", "walk"]), &named_animations(&["walk"])), [Some(1), Some(0)]);
    assert_eq!(pairing::first_animations(&a, &named_animations(&[])), [None, None]);
}

#[test]
fn a_chosen_animation_is_compared_with_one_without_a_name_in_both_directions() {
    let [unnamed, named] = [named_animations(&["", ""]), named_animations(&["A", "B"])];
    for (a, b) in [(&unnamed, &named), (&named, &unnamed)] {
        assert_eq!(pairing::resolve("1", a, b), Ok([1, 1]));
    }
    assert_eq!(pairing::resolve("B", &named, &unnamed), Ok([1, 1]));
    assert!(pairing::resolve("B", &named, &named_animations(&["", "run"])).is_err());
}

#[test]
fn an_unknown_animation_before_a_colon_is_named_in_the_error() {
    let model = named_animations(&["Walk", "Run"]);
    let error = |text: &str| pairing::resolve(text, &model, &model).unwrap_err().1.to_string();
    for (text, expected) in [
        ("7:1", "no animation 7; the file has 2: 0 \"Walk\", 1 \"Run\""),
        ("Foo:Run", "no animation named \"Foo\"; the file has 2: 0 \"Walk\", 1 \"Run\""),
        ("Walk:Foo", "no animation named \"Foo\"; the file has 2: 0 \"Walk\", 1 \"Run\""),
        ("Foo:Bar", "no animation named \"Foo:Bar\"; the file has 2: 0 \"Walk\", 1 \"Run\""),
    ] {
        assert_eq!(error(text), expected, "{text}");
    }
}

#[test]
fn different_inverse_bind_matrices_are_counted() {
    let with = |shift: f32| {
        let mut gltf = crate::common::gltf_builder::skinned_triangle();
        let mut matrices = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0].repeat(2);
        matrices[13] = shift;
        let matrices = gltf.floats("MAT4", &matrices);
        gltf.json["skins"][0]["inverseBindMatrices"] = json!(matrices);
        gltf.model()
    };
    let found = compared(with(0.0), with(0.5)).differences;
    assert_eq!(found, [difference("BIND_MATRIX", "skin 0: 1 inverse bind matrix differs")]);
}

#[test]
fn long_lists_end_with_the_number_of_omitted_entries() {
    let found = after(|gltf| {
        let children: Vec<_> = (0..MAX_LISTED + 7).map(|i| gltf.push("nodes", json!({ "name": format!("extra {i}") }))).collect();
        gltf.json["nodes"][3]["children"] = json!(children);
    });
    assert_eq!(found.len(), MAX_LISTED + 1);
    assert_eq!(found.last().unwrap(), &Difference { unlisted: Some(7), ..difference("NODE_ONLY_IN_B", "and 7 more") });
    assert_eq!(found.iter().map(Difference::count).sum::<usize>(), MAX_LISTED + 7);
}

#[test]
fn names_in_messages_are_short_and_safe() {
    let found = after(|gltf| gltf.json["nodes"][3]["name"] = json!(format!("\u{1b}[31m{}\n\u{202e}", "n".repeat(1 << 20))));
    assert_eq!(codes(&found), ["NODE_RENAMED"]);
    assert!(found[0].message.len() < 2000 && !found[0].message.contains(['\u{1b}', '\n', '\u{202e}']), "{:?}", found[0].message);
}
