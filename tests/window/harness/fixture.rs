//! A small model whose pictures show its state: the place of the red square shows the time, and the place of the green square shows whether
//! its joint has influence.

use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine;
use image::RgbaImage;

/// Returns a model of plain nodes and one skin. Its animation lasts one second, at ten frames per second. The red square moves from x = -1
/// to x = 1. The green square follows the joint "Arm", which the animation holds one meter above "Base". In the rest pose both joints are
/// at the same place.
pub fn metronome() -> String {
    let mut bytes: Vec<u8> = Vec::new();
    let mut views: Vec<String> = Vec::new();
    let mut push = |data: Vec<u8>| {
        while !bytes.len().is_multiple_of(4) {
            bytes.push(0);
        }
        views.push(format!(r#"{{"buffer":0,"byteOffset":{},"byteLength":{}}}"#, bytes.len(), data.len()));
        bytes.extend(data);
    };
    let floats = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    push(floats(&[-0.15, -0.15, 0.0, 0.15, -0.15, 0.0, 0.15, 0.15, 0.0, -0.15, 0.15, 0.0]));
    push([0u16, 1, 2, 0, 2, 3].iter().flat_map(|index| index.to_le_bytes()).collect());
    push([1u8, 0, 0, 0].repeat(4));
    push(floats(&[1.0, 0.0, 0.0, 0.0].repeat(4)));
    let times: Vec<f32> = (0..11).map(|frame| frame as f32 / 10.0).collect();
    push(floats(&times));
    push(floats(&times.iter().flat_map(|time| [time * 2.0 - 1.0, -0.6, 0.0]).collect::<Vec<f32>>()));
    push(floats(&[0.0, 1.0, 0.0]));
    push(floats(&[0.0]));
    let data = base64::engine::general_purpose::STANDARD.encode(&bytes);
    let material = |color: &str| {
        format!(
            r#"{{"pbrMetallicRoughness":{{"baseColorFactor":{color}}},"doubleSided":true,"extensions":{{"KHR_materials_unlit":{{}}}}}}"#
        )
    };
    let attributes = r#""POSITION":0"#;
    let skinned = r#""POSITION":0,"JOINTS_0":2,"WEIGHTS_0":3"#;
    let primitive = |attributes: &str, material: u32| {
        format!(r#"{{"primitives":[{{"attributes":{{{attributes}}},"indices":1,"material":{material}}}]}}"#)
    };
    format!(
        r#"{{"asset":{{"version":"2.0"}},"extensionsUsed":["KHR_materials_unlit"],"scene":0,"scenes":[{{"nodes":[0,1,2]}}],
"nodes":[{{"name":"Red","mesh":0,"translation":[-1,-0.6,0]}},{{"name":"Green","mesh":1,"skin":0}},{{"name":"Base","children":[3]}},{{"name":"Arm"}}],
"meshes":[{},{}],"materials":[{},{}],"skins":[{{"joints":[2,3]}}],
"animations":[{{"name":"Tick","channels":[{{"sampler":0,"target":{{"node":0,"path":"translation"}}}},{{"sampler":1,"target":{{"node":3,"path":"translation"}}}}],
"samplers":[{{"input":4,"output":5}},{{"input":7,"output":6,"interpolation":"STEP"}}]}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[-0.15,-0.15,0],"max":[0.15,0.15,0]}},
{{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}},
{{"bufferView":2,"componentType":5121,"count":4,"type":"VEC4"}},
{{"bufferView":3,"componentType":5126,"count":4,"type":"VEC4"}},
{{"bufferView":4,"componentType":5126,"count":11,"type":"SCALAR","min":[0],"max":[1]}},
{{"bufferView":5,"componentType":5126,"count":11,"type":"VEC3"}},
{{"bufferView":6,"componentType":5126,"count":1,"type":"VEC3"}},
{{"bufferView":7,"componentType":5126,"count":1,"type":"SCALAR","min":[0],"max":[0]}}],
"bufferViews":[{}],"buffers":[{{"byteLength":{},"uri":"data:application/octet-stream;base64,{data}"}}]}}"#,
        primitive(attributes, 0),
        primitive(skinned, 1),
        material("[1,0,0,1]"),
        material("[0,1,0,1]"),
        views.join(","),
        bytes.len(),
    )
}

/// Returns the metronome without its animation.
pub fn without_animations() -> String {
    let mut text = metronome();
    let (start, end) = (text.find("\"animations\"").unwrap(), text.find("\"accessors\"").unwrap());
    text.replace_range(start..end, "");
    text
}

/// Writes the metronome with its buffer in `metronome.bin` and its red color in `textures/color.png`.
pub fn in_parts(folder: &Path) -> PathBuf {
    let text = metronome();
    let (before, rest) = text.split_once("data:application/octet-stream;base64,").unwrap();
    let (data, after) = rest.split_once('"').unwrap();
    fs::write(folder.join("metronome.bin"), base64::engine::general_purpose::STANDARD.decode(data).unwrap()).unwrap();
    let gltf = format!("{before}metronome.bin\"{after}")
        .replace(r#""baseColorFactor":[1,0,0,1]"#, r#""baseColorTexture":{"index":0}"#)
        .replacen(r#""POSITION":0"#, r#""POSITION":0,"TEXCOORD_0":8"#, 1)
        .replacen(r#""bufferViews""#, r#""textures":[{"source":0}],"images":[{"uri":"textures/color.png"}],"bufferViews""#, 1)
        .replacen(
            r#""count":1,"type":"SCALAR","min":[0],"max":[0]}"#,
            r#""count":1,"type":"SCALAR","min":[0],"max":[0]},{"bufferView":0,"componentType":5126,"count":4,"type":"VEC2"}"#,
            1,
        );
    fs::create_dir(folder.join("textures")).unwrap();
    color([255, 0, 0, 255], folder);
    let path = folder.join("metronome.gltf");
    fs::write(&path, gltf).unwrap();
    path
}

pub fn color(rgba: [u8; 4], folder: &Path) {
    RgbaImage::from_pixel(64, 64, image::Rgba(rgba)).save(folder.join("textures/color.png")).unwrap();
}
