//! Tests KHR_materials_variants: the material of a primitive in each variant, invalid mappings, the report of `inspect`, and pictures of
//! `sinew render --variant`.

use std::path::Path;

use assert_cmd::Command;
use serde_json::{Value, json};
use sinew::model::Model;

use crate::common::gltf_builder::{self, Gltf, triangle};

/// Builds two triangles, red and green. The variant "Sea" makes both blue, and "Odd" makes the second one blue. The third
/// variant has no name.
fn with_variants() -> Gltf {
    let mut gltf = triangle();
    for (name, color) in [("red", [1, 0, 0, 1]), ("green", [0, 1, 0, 1]), ("blue", [0, 0, 1, 1])] {
        gltf.push("materials", json!({ "name": name, "pbrMetallicRoughness": { "baseColorFactor": color } }));
    }
    gltf.json["extensions"] = json!({ "KHR_materials_variants": { "variants": [{ "name": "Sea" }, { "name": "Odd" }, {}] } });
    gltf.json["extensionsUsed"] = json!(["KHR_materials_variants"]);
    let mappings = |mappings: Value| json!({ "KHR_materials_variants": { "mappings": mappings } });
    let primitives = gltf.json["meshes"][0]["primitives"].as_array_mut().unwrap();
    let mut second = primitives[0].clone();
    primitives[0]["material"] = json!(0);
    primitives[0]["extensions"] = mappings(json!([{ "material": 2, "variants": [0] }]));
    second["material"] = json!(1);
    second["extensions"] = mappings(json!([{ "material": 2, "variants": [1, 0] }]));
    primitives.push(second);
    gltf
}

fn materials(model: &Model, variant: Option<usize>) -> Vec<Option<usize>> {
    model.meshes[0].primitives.iter().map(|primitive| primitive.material_in(variant)).collect()
}

#[test]
fn a_variant_changes_only_the_primitives_that_name_it() {
    let model = with_variants().model();
    assert!(model.findings.is_empty(), "{:?}", model.findings);
    assert_eq!(model.variants.iter().map(|variant| variant.name.as_deref()).collect::<Vec<_>>(), [Some("Sea"), Some("Odd"), None]);
    assert_eq!(materials(&model, None), [Some(0), Some(1)]);
    assert_eq!(materials(&model, Some(0)), [Some(2), Some(2)]);
    assert_eq!(materials(&model, Some(1)), [Some(0), Some(2)]);
    assert_eq!(materials(&model, Some(2)), [Some(0), Some(1)]);
    assert_eq!(materials(&model, Some(3)), [Some(0), Some(1)], "no such variant");
}

#[test]
fn invalid_mappings_are_findings_and_a_variants_first_mapping_is_used() {
    let mut gltf = with_variants();
    gltf.json["meshes"][0]["primitives"][0]["extensions"]["KHR_materials_variants"]["mappings"] = json!([
        { "material": 9, "variants": [0] },
        { "material": 1, "variants": [1, 7, -1, 18446744073709551615u64] },
        { "material": 2, "variants": [1, 2] },
        { "variants": [0] },
        "nonsense",
        { "material": 1 },
    ]);
    let model = gltf.model();
    assert_eq!(model.meshes[0].primitives[0].variants, [(1, 1), (2, 2)]);
    let mut found =
        model.findings.iter().map(|finding| (finding.code, finding.pointer.rsplit_once("mappings/").unwrap().1)).collect::<Vec<_>>();
    found.sort_unstable();
    let unresolved = ["0/material", "1/variants/1", "1/variants/2", "1/variants/3", "3/material", "4/material"];
    let mut expected = vec![("KHR_MATERIALS_VARIANTS_NON_UNIQUE_VARIANT", "2/variants/0")];
    expected.extend(unresolved.map(|place| ("UNRESOLVED_REFERENCE", place)));
    assert_eq!(found, expected);
    gltf.json["extensions"]["KHR_materials_variants"] = json!({ "variants": "many" });
    assert!(gltf.model().variants.is_empty());
}

#[test]
fn a_primitive_gets_the_tangents_that_a_material_of_a_variant_needs() {
    let mut gltf = with_variants();
    let (normals, tex_coords) = (gltf.floats("VEC3", &[0.0, 0.0, 1.0].repeat(3)), gltf.floats("VEC2", &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]));
    let attributes = &mut gltf.json["meshes"][0]["primitives"][0]["attributes"];
    (attributes["NORMAL"], attributes["TEXCOORD_0"]) = (json!(normals), json!(tex_coords));
    assert!(gltf.model().meshes[0].primitives[0].vertices.tangents.is_empty());
    let view = gltf.view(&gltf_builder::png(1, 1, [255; 4]));
    gltf.push("images", json!({ "bufferView": view, "mimeType": "image/png" }));
    gltf.push("textures", json!({ "source": 0 }));
    // Only the blue material has a normal texture. The first triangle uses it only in a variant.
    gltf.json["materials"][2]["normalTexture"] = json!({ "index": 0 });
    assert_eq!(gltf.model().meshes[0].primitives[0].vertices.tangents.len(), 3);
    gltf.json["materials"][2] = json!({ "extensions": { "KHR_materials_anisotropy": { "anisotropyStrength": 1 } } });
    assert_eq!(gltf.model().meshes[0].primitives[0].vertices.tangents.len(), 3);
}

#[test]
fn inspect_lists_the_variants() {
    let model = with_variants().model();
    let report = sinew::report::report(&model, "it.glb", &[]);
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(
        json["variants"],
        json!([
            { "variant": 0, "name": "Sea", "primitives": 2 },
            { "variant": 1, "name": "Odd", "primitives": 1 },
            { "variant": 2, "name": null, "primitives": 0 },
        ])
    );
    let text = sinew::report::to_text(&report);
    assert!(text.contains("\nvariants\n  0  \"Sea\"  2 primitives\n  1  \"Odd\"  1 primitive\n  2  -      0 primitives\n"), "{text}");
}

/// Renders a picture. Returns its middle pixel, which is on the triangles, and what was written to stderr.
fn render(folder: &Path, args: &[&str]) -> (Option<[u8; 3]>, String) {
    let picture = folder.join("out.png");
    let _ = std::fs::remove_file(&picture);
    let fixed = ["-o", picture.to_str().unwrap(), "--size", "64x64", "--lighting", "none", "--tonemap", "none", "--msaa", "1"];
    let camera = ["--eye", "0.25,0.25,5", "--target", "0.25,0.25,0", "--yfov", "10"];
    let output =
        Command::new(env!("CARGO_BIN_EXE_sinew")).arg("render").arg(folder.join("it.glb")).args(fixed).args(camera).args(args).output();
    let said = String::from_utf8_lossy(&output.unwrap().stderr).into_owned();
    let middle = image::open(&picture).ok().map(|picture| picture.to_rgb8().get_pixel(32, 32).0);
    (middle, said)
}

#[test]
fn render_draws_the_variant_given_by_name_or_number_or_view_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut gltf = with_variants();
    // Keep only the first triangle, because both are in the same place.
    gltf.json["meshes"][0]["primitives"].as_array_mut().unwrap().truncate(1);
    std::fs::write(folder.path().join("it.glb"), gltf.to_glb()).unwrap();
    let state = folder.path().join("view.json");
    std::fs::write(&state, json!({ "display": { "variant": 0 } }).to_string()).unwrap();
    let state = state.to_str().unwrap();
    let (red, blue) = (Some([255, 0, 0]), Some([0, 0, 255]));
    assert_eq!(render(folder.path(), &[]).0, red);
    assert_eq!(render(folder.path(), &["--variant", "Sea"]).0, blue);
    assert_eq!(render(folder.path(), &["--variant", "0"]).0, blue);
    assert_eq!(render(folder.path(), &["--variant", "Odd"]).0, red);
    assert_eq!(render(folder.path(), &["--state", state]).0, blue);
    assert_eq!(render(folder.path(), &["--state", state, "--variant", "1"]).0, red);
    for (wrong, what) in [("name:0", "no variant named \"0\""), ("3", "no variant 3"), ("Snow", "no variant named \"Snow\"")] {
        refused(folder.path(), &["--variant", wrong], what);
    }
    std::fs::write(state, json!({ "display": { "variant": 5 } }).to_string()).unwrap();
    refused(folder.path(), &["--state", state], "no variant 5");
    assert_eq!(render(folder.path(), &["--state", state, "--variant", "Sea"]).0, blue);
}

/// Asserts that there is no picture, and that the message lists the variants.
fn refused(folder: &Path, args: &[&str], what: &str) {
    let (picture, said) = render(folder, args);
    let wanted = format!("it.glb: {what}; the file has 3: 0 \"Sea\", 1 \"Odd\", 2\n");
    // Graphics drivers may write messages before the error.
    assert!(picture.is_none() && said.ends_with(&wanted), "{said}");
}
