//! A board of many vertices, on which picking runs on the GPU.

use base64::Engine;
use glam::Vec3;

/// Vertices per side. With so many, picking runs on the GPU.
const SIDE: usize = 150;

/// Returns a board of many vertices. Its left half follows the joint "Left" and its right half the joint "Right", which the animation
/// raises and lowers once per second.
pub fn board() -> String {
    let side = SIDE as u32;
    let mut bytes: Vec<u8> = Vec::new();
    let mut views = Vec::new();
    let mut push = |data: Vec<u8>| {
        views.push(format!(r#"{{"buffer":0,"byteOffset":{},"byteLength":{}}}"#, bytes.len(), data.len()));
        bytes.extend(data);
    };
    let place = |i: u32| Vec3::new((i % side) as f32, (i / side) as f32, 0.0) / (side - 1) as f32 * 2.0 - Vec3::new(1.0, 1.0, 0.0);
    let floats = |values: Vec<f32>| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    push(floats((0..side * side).flat_map(|i| place(i).to_array()).collect()));
    push((0..side * side).flat_map(|i| [u8::from(place(i).x > 0.0), 0, 0, 0]).collect());
    push(floats((0..side * side).flat_map(|_| [1.0, 0.0, 0.0, 0.0]).collect()));
    let quads = (0..side - 1).flat_map(|y| (0..side - 1).map(move |x| y * side + x));
    let indices: Vec<u32> = quads.flat_map(|v| [v, v + 1, v + side, v + side, v + 1, v + side + 1]).collect();
    let count = indices.len();
    push(indices.iter().flat_map(|index| index.to_le_bytes()).collect());
    push(floats(vec![0.0, 0.5, 1.0]));
    push(floats(vec![0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0]));
    let data = base64::engine::general_purpose::STANDARD.encode(&bytes);
    let vertices = SIDE * SIDE;
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0,1,2]}}],
"nodes":[{{"name":"Board","mesh":0,"skin":0}},{{"name":"Left"}},{{"name":"Right"}}],"skins":[{{"joints":[1,2]}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2}},"indices":3}}]}}],
"animations":[{{"channels":[{{"sampler":0,"target":{{"node":2,"path":"translation"}}}}],"samplers":[{{"input":4,"output":5}}]}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":{vertices},"type":"VEC3","min":[-1,-1,0],"max":[1,1,0]}},
{{"bufferView":1,"componentType":5121,"count":{vertices},"type":"VEC4"}},
{{"bufferView":2,"componentType":5126,"count":{vertices},"type":"VEC4"}},
{{"bufferView":3,"componentType":5125,"count":{count},"type":"SCALAR"}},
{{"bufferView":4,"componentType":5126,"count":3,"type":"SCALAR","min":[0],"max":[1]}},
{{"bufferView":5,"componentType":5126,"count":3,"type":"VEC3"}}],
"bufferViews":[{}],"buffers":[{{"byteLength":{},"uri":"data:application/octet-stream;base64,{data}"}}]}}"#,
        views.join(","),
        bytes.len(),
    )
}
