//! Tests every code of the full check of `inspect` with the smallest fault that causes it, and that a sound file has no findings.

use serde_json::json;
use sinew::asset::{self, LoadOptions};
use sinew::model::finding::Finding;
use sinew::validate;

use crate::cases::PRIMITIVE;
use crate::common::gltf_builder::{self, Gltf, glb};
use crate::sound::{self, remove, set};
use crate::{cases, cases_of_data, cases_of_materials, cases_of_types};

fn places(findings: &[Finding]) -> Vec<(&str, &str)> {
    let mut places: Vec<(&str, &str)> = findings.iter().map(|finding| (finding.code, finding.pointer.as_str())).collect();
    places.sort_unstable();
    places
}

#[test]
fn a_valid_document_has_no_findings() {
    assert_eq!(validate::bytes(sound::sound().to_gltf()), []);
    assert_eq!(validate::bytes(sound::sound().to_glb()), []);
}

#[test]
fn every_fault_is_found_at_its_place_and_nothing_else() {
    let mut wrong = Vec::new();
    for (break_it, expected) in all_cases() {
        let mut file = sound::sound();
        break_it(&mut file);
        let found = validate::bytes(file.to_gltf());
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        if places(&found) != expected {
            wrong.push(format!("{expected:?}\n  found {found:?}"));
        }
        for finding in &found {
            assert!(finding.message.ends_with('.') && finding.message.len() > 12, "{finding:?} is not a sentence");
        }
    }
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
}

fn all_cases() -> impl Iterator<Item = cases::Case> {
    use cases_of_types::{DEPENDENCIES, EXTENSIONS, POINTERS, TYPES};
    let values = [TYPES, DEPENDENCIES, EXTENSIONS, POINTERS, cases_of_data::DATA];
    let shapes = [cases::SHAPE, cases::LAYOUT, cases::MESH, cases::HIERARCHY];
    let looks = [cases_of_data::LOOKS, cases_of_materials::TEXTURES];
    shapes.into_iter().chain(values).chain(looks).flatten().copied()
}

#[test]
fn deeply_nested_extras_are_not_called_invalid() {
    let text = String::from_utf8(sound::sound().to_gltf()).unwrap();
    for (depth, expected) in [(100, &[][..]), (200, &[("CHECK_INCOMPLETE", "")])] {
        let extras = format!("\"extras\":{{\"deep\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
        let nested = text.replacen('{', &format!("{{{extras},"), 1).into_bytes();
        assert_eq!(places(&validate::bytes(nested)), expected, "{depth}");
    }
}

#[test]
fn numbers_beyond_the_range_of_f64_and_lone_surrogates_are_found_at_their_place() {
    let mut file = sound::sound();
    set(&mut file, "/cameras/0/perspective/znear", json!(0.125));
    let text = String::from_utf8(file.to_gltf()).unwrap();
    for (written, replacement, expected) in cases_of_types::UNWRITABLE {
        assert_eq!(text.matches(written).count(), 1, "{written}");
        let found = validate::bytes(text.replace(written, replacement).into_bytes());
        assert_eq!(places(&found), *expected, "{replacement}");
        assert!(found.iter().all(|finding| finding.message.is_ascii()), "{found:?}");
    }
}

#[test]
fn buffers_are_checked_in_chunks_in_uris_and_in_files() {
    let found = |buffer: &str, bin: Option<&[u8]>| {
        let mut json = format!(r#"{{"asset":{{"version":"2.0"}},"bufferViews":[{{"buffer":0,"byteLength":1}}],"buffers":[{{{buffer}}}]}}"#);
        while json.len() % 4 != 0 {
            json.push(' ');
        }
        let chunks: Vec<(&[u8; 4], &[u8])> = [(b"JSON", json.as_bytes())].into_iter().chain(bin.map(|bin| (b"BIN\0", bin))).collect();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("test.glb");
        std::fs::write(&file, if bin.is_some() { glb(&chunks) } else { json.into_bytes() }).unwrap();
        let found = validate::file(&file).unwrap();
        let of_buffer = found.into_iter().filter(|finding| finding.pointer.starts_with("/buffers"));
        of_buffer.map(|finding| format!("{} {}", finding.code, finding.pointer)).collect::<Vec<String>>()
    };
    let none: [&str; 0] = [];
    assert_eq!(found(r#""byteLength":4"#, Some(b"1234")), none);
    assert_eq!(found(r#""byteLength":4"#, Some(b"12345678")), ["BUFFER_GLB_CHUNK_TOO_BIG /buffers/0"]);
    assert_eq!(found(r#""byteLength":8"#, Some(b"1234")), ["BUFFER_BYTE_LENGTH_MISMATCH /buffers/0"]);
    let text = r#""byteLength":3,"uri":"data:text/plain;base64,AAAA""#;
    assert_eq!(found(text, None), ["BUFFER_DATA_URI_MIME_TYPE_INVALID /buffers/0/uri"]);
    let octets = r#""byteLength":3,"uri":"data:application/octet-stream;base64,AAAA""#;
    assert_eq!(found(octets, None), none);
    assert_eq!(found(octets, Some(b"1234")), ["URI_GLB /buffers/0/uri", "DATA_URI_GLB /buffers/0/uri"]);
    assert_eq!(found(r#""byteLength":3,"uri":"data:;base64,@""#, None), ["INVALID_URI /buffers/0/uri"]);
    assert_eq!(found(r#""byteLength":3,"uri":"there.bin""#, None), ["IO_ERROR /buffers/0/uri"]);
    for place in ["http://127.0.0.1:9/x.bin", "/etc/passwd"] {
        let buffer = format!(r#""byteLength":3,"uri":"{place}""#);
        assert_eq!(found(&buffer, None), ["NON_RELATIVE_URI /buffers/0/uri", "IO_ERROR /buffers/0/uri"]);
    }
    let missing = validate::bytes(glb(&[(b"JSON", br#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":4}]}"#)]));
    assert_eq!(places(&missing)[0], ("BUFFER_MISSING_GLB_DATA", "/buffers/0"));
}

#[test]
fn the_check_of_repeated_references_to_the_same_data_is_bounded() {
    let mut file = Gltf::new();
    let bytes = vec![0; 1 << 20];
    file.accessor(gltf_builder::UNSIGNED_BYTE, "SCALAR", bytes.len(), &bytes);
    let accessor = file.json["accessors"][0].clone();
    for _ in 0..1000 {
        file.push("accessors", accessor.clone());
    }
    let found = validate::bytes(file.to_glb());
    assert_eq!(found.iter().filter(|finding| finding.code == "CHECK_INCOMPLETE").count(), 1);
}

#[test]
fn a_file_that_two_buffers_name_counts_once_towards_the_limit_of_the_check() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("b.bin"), vec![0; 1 << 20]).unwrap();
    let path = folder.path().join("a.gltf");
    for buffers in [1, 2] {
        let mut file = Gltf::new();
        file.json["buffers"] = json!(vec![json!({ "uri": "b.bin", "byteLength": 1 << 20 }); buffers]);
        file.push("bufferViews", json!({ "buffer": 0, "byteLength": 4 }));
        // The check reads at most 64 Mi numbers, and 16 more for each byte of the file: 83,886,080.
        sound::push_sparse(&mut file, 90_000_000, [0, 0]);
        std::fs::write(&path, file.json.to_string()).unwrap();
        let found = validate::file(&path).unwrap();
        assert!(found.iter().any(|finding| finding.code == "CHECK_INCOMPLETE"), "{buffers} buffers: {found:?}");
    }
}

#[test]
fn an_accessor_with_too_many_values_does_not_prevent_the_check_of_others() {
    let mut file = Gltf::new();
    let views = [file.view(&[0; 4]), file.view(&[0; 4])];
    sound::push_sparse(&mut file, 4_000_000_000, views);
    file.floats("SCALAR", &[f32::NAN]);
    let found = validate::bytes(file.to_glb());
    assert!(places(&found).contains(&("ACCESSOR_INVALID_FLOAT", "/accessors/1")), "{found:?}");
    let incomplete = found.iter().find(|finding| finding.code == "CHECK_INCOMPLETE").unwrap();
    assert_eq!(incomplete.message, "The accessors have too many values: not all were checked.");
}

#[test]
fn the_findings_about_missing_tangents_say_how_sinew_gets_them() {
    const ATTRIBUTES: &str = "/meshes/0/primitives/0/attributes";
    let message = |break_it: fn(&mut Gltf)| {
        let mut file = sound::sound();
        break_it(&mut file);
        let found = validate::bytes(file.to_gltf());
        found.into_iter().find(|finding| finding.code.ends_with("_TANGENT_SPACE")).unwrap().message
    };
    let normal_texture = |part: &str| format!("The material has a normal texture, but the primitive has {part}.");
    let generated = message(|file| remove(file, &format!("{ATTRIBUTES}/TANGENT")));
    assert_eq!(generated, normal_texture("no tangents: they are generated by MikkTSpace"));
    let lines = message(|file| {
        remove(file, &format!("{ATTRIBUTES}/TANGENT"));
        set(file, "/meshes/0/primitives/0/mode", json!(1));
    });
    assert_eq!(lines, normal_texture("no tangents: they are computed while drawing"));
    let neither = message(|file| ["NORMAL", "TANGENT"].iter().for_each(|name| remove(file, &format!("{ATTRIBUTES}/{name}"))));
    assert_eq!(neither, lines);
    let without_tex_coords = message(|file| {
        remove(file, &format!("{ATTRIBUTES}/TANGENT"));
        set(file, "/materials/0/normalTexture/texCoord", json!(1));
    });
    assert_eq!(without_tex_coords, lines, "only TEXCOORD_0 is there");
    let without_normals = message(|file| remove(file, &format!("{ATTRIBUTES}/NORMAL")));
    assert_eq!(without_normals, normal_texture("tangents without normals: both are computed while drawing"));
    let coat = message(|file| {
        remove(file, &format!("{ATTRIBUTES}/TANGENT"));
        remove(file, "/materials/0/normalTexture");
        set(file, "/materials/0/extensions", json!({ "KHR_materials_clearcoat": { "clearcoatNormalTexture": { "index": 0 } } }));
        set(file, "/extensionsUsed/-", json!("KHR_materials_clearcoat"));
    });
    let needs = "Without a normal texture, the material needs normals and tangents in the primitive; Sinew computes the missing ones.";
    assert_eq!(coat, needs);
}

#[test]
fn a_number_out_of_its_range_is_reported_with_the_range() {
    let cases = [
        (format!("{PRIMITIVE}/mode"), json!(9), "9 is out of range (expected 0 to 6)."),
        ("/bufferViews/0/byteLength".to_owned(), json!(0), "0 is out of range (expected at least 1)."),
        ("/cameras/0/perspective/yfov".to_owned(), json!(-1), "-1 is out of range (expected above 0)."),
        ("/materials/0/alphaCutoff".to_owned(), json!(-1), "-1 is out of range (expected at least 0)."),
        ("/materials/0/emissiveFactor/1".to_owned(), json!([0.0, 2.0, 0.0]), "2.0 is out of range (expected 0 to 1)."),
    ];
    for (pointer, value, message) in cases {
        let mut file = sound::sound();
        set(&mut file, pointer.trim_end_matches("/1"), value);
        let found = validate::bytes(file.to_gltf());
        assert!(found.iter().any(|finding| finding.pointer == pointer && finding.message == message), "{message}\n{found:?}");
    }
}

#[test]
fn a_number_that_is_too_large_for_any_property_is_reported_as_infinite() {
    let mut file = sound::sound();
    set(&mut file, "/cameras/0/perspective/znear", json!(0.125));
    let text = String::from_utf8(file.to_gltf()).unwrap().replacen(r#""znear":0.125"#, r#""znear":1e999"#, 1);
    let found = validate::bytes(text.into_bytes());
    let message = "1e999 is out of range (expected a finite number).";
    assert!(found.iter().any(|finding| finding.message == message), "{found:?}");
}

#[test]
fn a_number_of_vertices_that_does_not_fit_is_reported_with_the_name_of_the_mode() {
    let mut file = sound::sound();
    set(&mut file, &format!("{PRIMITIVE}/mode"), json!(1));
    let found = validate::bytes(file.to_gltf());
    assert!(found.iter().any(|finding| finding.message == "3 vertices do not fit mode LINES; the excess is ignored."), "{found:?}");
}

#[test]
fn single_elements_in_messages_are_singular() {
    type Change = fn(&mut Gltf);
    let cases: [(Change, &str, &str); 8] = [
        (
            |f| sound::write(f, sound::INDICES, 1, &0u16.to_le_bytes()),
            "ACCESSOR_INDEX_TRIANGLE_DEGENERATE",
            "1 triangle uses a vertex twice; it is invisible.",
        ),
        (
            |f| set(f, "/meshes/0/weights", json!([0.0, 0.0])),
            "MESH_INVALID_WEIGHTS_COUNT",
            "2 weights for 1 morph target: excess ones are ignored, missing ones are 0.",
        ),
        (
            |f| set(f, "/nodes/0/weights", json!([0.0, 0.0])),
            "NODE_WEIGHTS_INVALID",
            "2 weights for 1 morph target: excess ones are ignored, missing ones are 0.",
        ),
        (|f| set(f, "/accessors/9/count", json!(1)), "INVALID_IBM_ACCESSOR_COUNT", "There is 1 inverse bind matrix, but 2 joints."),
        (|f| set(f, "/accessors/0/count", json!(1)), "ACCESSOR_INDEX_OOB", "Index 2 refers to vertex 2, but there is 1 vertex."),
        (
            |f| set(f, "/accessors/3/count", json!(1)),
            "MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT",
            "TEXCOORD_0 has 1 element, but another attribute has 3.",
        ),
        (
            |f| set(f, "/accessors/8/count", json!(1)),
            "MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT",
            "The attribute has 1 element, but the primitive has 3 vertices.",
        ),
        (|f| set(f, "/bufferViews/3/byteLength", json!(1)), "ACCESSOR_TOO_LONG", "The data ends at byte 24, but the view has only 1 byte."),
    ];
    for (break_it, code, message) in cases {
        let mut file = sound::sound();
        break_it(&mut file);
        let found = validate::bytes(file.to_gltf());
        assert!(found.iter().any(|finding| finding.code == code && finding.message == message), "{message}\n{found:?}");
    }
}

#[test]
fn documents_with_ignorable_faults_load_completely() {
    let shown: [fn(&mut Gltf); 5] = [
        |f| set(f, "/nodes/1/name", json!(7)),
        |f| set(f, "/meshes/0/name", json!(["Hair"])),
        |f| remove(f, "/animations/0/channels/0/target"),
        |f| remove(f, "/animations/0/channels/0/sampler"),
        |f| set(f, "/nodes/1/color", json!("red")),
    ];
    for break_it in shown {
        let mut file = sound::sound();
        break_it(&mut file);
        assert!(!validate::bytes(file.to_gltf()).is_empty());
        let model = file.model();
        assert_eq!((model.nodes.len(), model.meshes[0].primitives.len()), (5, 1));
        assert!(model.animations[0].channels.len() >= 2);
    }
}

#[test]
fn a_fault_that_loading_also_finds_is_reported_once() {
    let mut file = sound::sound();
    set(&mut file, "/nodes/2/rotation", json!([0.0, 0.0, 0.0, 0.5]));
    set(&mut file, "/accessors/0/min/0", json!(-1.0));
    set(&mut file, "/scenes/0/nodes/-", json!(0));
    set(&mut file, "/nodes/1/children", json!([2, 2]));
    let merged = validate::merge(file.model().findings, validate::bytes(file.to_glb()));
    let expected = [
        ("ACCESSOR_MIN_MISMATCH", "/accessors/0/min/0"),
        ("DUPLICATE_ELEMENTS", "/nodes/1/children/1"),
        ("DUPLICATE_ELEMENTS", "/scenes/0/nodes/4"),
        ("ROTATION_NON_UNIT", "/nodes/2/rotation"),
    ];
    assert_eq!(places(&merged), expected);
    const TRANSFORM: &str = "/materials/0/normalTexture/extensions/KHR_texture_transform";
    for (pointer, value, code) in [
        ("/skins/0/joints".to_owned(), 5, "TYPE_MISMATCH"),
        ("/skins/0/joints/0".to_owned(), -1, "INVALID_INDEX"),
        ("/animations/0/samplers/0/interpolation".to_owned(), 5, "TYPE_MISMATCH"),
        (format!("{TRANSFORM}/offset"), 5, "TYPE_MISMATCH"),
        (format!("{TRANSFORM}/texCoord"), -1, "VALUE_NOT_IN_RANGE"),
    ] {
        let mut file = sound::sound();
        set(&mut file, "/materials/0/normalTexture/extensions", json!({ "KHR_texture_transform": {} }));
        set(&mut file, "/extensionsUsed/-", json!("KHR_texture_transform"));
        set(&mut file, &pointer, json!(value));
        let merged = validate::merge(file.model().findings, validate::bytes(file.to_glb()));
        let found: Vec<_> = merged.iter().filter(|finding| finding.pointer == pointer).collect();
        assert!(found.len() == 1 && found[0].code == code && found[0].message.contains("is skipped"), "{pointer}: {merged:?}");
    }
}

#[test]
fn a_missing_image_has_the_code_of_the_check_and_the_words_of_loading() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("test.gltf");
    let read = |uri: &str| {
        std::fs::write(&file, json!({"asset": {"version": "2.0"}, "images": [{ "uri": uri }]}).to_string()).unwrap();
        let of_loading = asset::load(&file, &LoadOptions::default()).unwrap().model.findings;
        validate::merge(of_loading, validate::file(&file).unwrap())
    };
    for (uri, code) in [("lost.png", "IO_ERROR"), (":", "INVALID_URI")] {
        let found = read(uri);
        assert_eq!(places(&found), [(code, "/images/0/uri"), ("UNUSED_OBJECT", "/images/0")]);
        assert!(found[0].message.contains("checkerboard"), "{found:?}");
    }
}
