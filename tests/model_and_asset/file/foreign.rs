//! Tests that files which are not glTF 2.0 are identified, and that the error tells what to do.

use serde_json::json;
use sinew::asset;

use crate::common::gltf_builder::triangle;

const BLENDER: &str = "File > Export > glTF 2.0";

fn refusal(bytes: &[u8]) -> String {
    asset::load_bytes(bytes.to_vec(), "test").err().unwrap().to_string()
}

#[test]
fn other_formats_are_named_with_advice_on_conversion() {
    let mut stl = vec![b'x'; 80];
    stl.extend(2u32.to_le_bytes());
    stl.extend([0; 100]);
    let solid = [b"solid of revolution ", &stl[20..]].concat();
    for (bytes, name, advice) in [
        (&b"Kaydara FBX Binary  \0\x1a\0"[..], "an FBX file", BLENDER),
        (b"; FBX 7.4.0 project file\n", "an FBX file (text)", BLENDER),
        (b"FBXHeaderExtension:  {\n", "an FBX file (text)", BLENDER),
        (b"# made by hand\nmtllib a.mtl\nv 0 0 0\n", "an OBJ file", BLENDER),
        (b"\n\nv 0 0 0\nv 1 0 0\n", "an OBJ file", BLENDER),
        (b"newmtl red\n", "the material list of an OBJ file", "open the model that uses it"),
        (b"BLENDER-v404REND", "a Blender file", BLENDER),
        (b"\x28\xb5\x2f\xfd\0\0", "a Zstandard archive", "Blender file saved with compression"),
        (b"\x1f\x8b\x08\0", "a gzip archive", "unpack it"),
        (b"PXR-USDC\0\x08", "a USD file", BLENDER),
        (b"#usda 1.0\n", "a USD file (text)", BLENDER),
        (b"<?xml version=\"1.0\"?>\n<COLLADA xmlns=\"...\">", "a COLLADA file", BLENDER),
        (b"\xef\xbb\xbf<?xml version=\"1.0\"?>\n<COLLADA/>", "a COLLADA file", BLENDER),
        (b"<?xml version=\"1.0\"?><X3D/>", "an X3D file", BLENDER),
        (b"<?xml version=\"1.0\"?><note/>", "an XML file", BLENDER),
        (b"solid cube\n facet normal 0 0 1\n", "an STL file", BLENDER),
        (&stl, "an STL file", BLENDER),
        (&solid, "an STL file", BLENDER),
        (b"ply\nformat ascii 1.0\n", "a PLY file", BLENDER),
        (b"ply\r\nformat ascii 1.0\r\n", "a PLY file", BLENDER),
        (b"HIERARCHY\nROOT Hips\n", "a BVH motion file", BLENDER),
        (b"Ogawa\xff", "an Alembic file", BLENDER),
        (b"\x89PNG\r\n\x1a\n", "a PNG picture", "open the model that uses it"),
    ] {
        let said = refusal(bytes);
        assert!(said.starts_with(&format!("this is {name}")) && said.contains(advice) && !said.contains('\n'), "{name}: {said}");
    }
}

#[test]
fn a_file_that_is_not_a_model_is_identified() {
    let lfs = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n";
    assert!(refusal(lfs).contains("a Git LFS pointer") && refusal(lfs).contains("git lfs pull"));
    let annex = b"/annex/objects/SHA256E-s12--ab.glb\n";
    assert!(refusal(annex).contains("git annex get"));
    for page in
        [&b"<!DOCTYPE html>\n<html>"[..], b"\n\n  <!doctype HTML>", b"<html lang=en><svg/>", b"<?xml version=\"1.0\"?><html xmlns=\"x\">"]
    {
        assert!(refusal(page).contains("a web page (HTML)"), "{}", refusal(page));
    }
}

#[test]
fn a_buffer_that_is_a_git_lfs_pointer_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let mut gltf = triangle();
    gltf.json["buffers"] = json!([{ "byteLength": 100_000, "uri": "b.bin" }]);
    let file = folder.path().join("model.gltf");
    std::fs::write(&file, gltf.to_gltf()).unwrap();
    for (bytes, said) in [
        (&b"version https://git-lfs.github.com/spec/v1\noid"[..], "run `git lfs pull`"),
        (b"short", "has 5 bytes, but its byteLength is 100,000"),
    ] {
        std::fs::write(folder.path().join("b.bin"), bytes).unwrap();
        let error = asset::load(&file, &asset::LoadOptions::default()).err().unwrap().to_string();
        assert!(error.contains("buffer 0: \"b.bin\"") && error.contains(said), "{error}");
    }
}

#[test]
fn gltf_1_is_recognized_as_json_and_as_binary() {
    let with_version = json!({ "asset": { "version": "1.0" }, "meshes": {} }).to_string();
    let without = json!({ "meshes": { "cube": {} }, "nodes": {} }).to_string();
    for json in [with_version, without] {
        let said = refusal(json.as_bytes());
        assert!(said.starts_with("this is a glTF 1.0 file") && said.contains("gltf-pipeline -i old.gltf -o new.gltf"), "{said}");
    }
    let mut binary = b"glTF".to_vec();
    for word in [1u32, 24, 4, 0] {
        binary.extend(word.to_le_bytes());
    }
    binary.extend(b"{}  ");
    let said = refusal(&binary);
    assert!(said.starts_with("this is a binary glTF 1.0 file") && said.contains("old.glb"), "{said}");
}

#[test]
fn unknown_files_are_described_by_their_first_bytes() {
    let said = refusal(b"\x01\x02hello\xffworld and more");
    assert!(said.contains("neither .gltf (JSON) nor .glb") && said.contains(r"\x01\x02hello\xffworl"), "{said}");
}

#[test]
fn a_gltf_that_mentions_other_formats_is_a_gltf() {
    for word in ["<html", "FBXHeaderExtension:", "<COLLADA", "v 0 0 0", "facet", "HIERARCHY"] {
        let mut gltf = triangle();
        gltf.json["asset"]["generator"] = json!(word);
        assert!(asset::load_bytes(gltf.to_gltf(), "test").is_ok(), "{word}");
    }
    let mut indented = b"\n\t ".to_vec();
    indented.extend(triangle().to_gltf());
    assert!(asset::load_bytes(indented, "test").is_ok());
}

#[test]
fn an_avatar_opens_as_gltf_and_reports_what_is_ignored() {
    for (names, missed) in [
        (&["VRM", "KHR_materials_unlit"][..], &["VRM 0", "spring bones, expressions", "look-at", "MToon"][..]),
        (
            &["VRMC_vrm", "VRMC_springBone", "VRMC_materials_mtoon", "VRMC_node_constraint"],
            &["VRM 1", "look-at", "spring bones", "MToon", "constraints"],
        ),
    ] {
        let mut gltf = triangle();
        gltf.json["extensionsUsed"] = json!(names);
        gltf.json["extensionsRequired"] = json!(names);
        // The loader does not read the data of these extensions, so invalid data has no effect.
        gltf.json["extensions"] = json!({ names[0]: { "humanoid": { "node": 1_000_000 }, "meta": 5 } });
        let model = gltf.model();
        let said: String = model.findings.iter().map(|finding| format!("{:?} {}\n", finding.severity, finding.message)).collect();
        assert!(missed.iter().all(|word| said.contains(word)), "{said}");
        assert!(said.lines().all(|line| line.starts_with("Info")), "{said}");
        assert_eq!(model.meshes.len(), 1);
    }
}
