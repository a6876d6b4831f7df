//! Builds a GLB: a binary buffer with its views and accessors, and the JSON.

use glam::DVec3;
use serde_json::{Value, json};

/// A GLB under construction. Meshes, skin and animations add to it; `finish` returns the bytes.
#[derive(Default)]
pub struct Glb {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

#[derive(Clone, Copy)]
pub enum Target {
    Vertices,
    Indices,
    Other,
}

impl Glb {
    /// Adds a buffer view of `bytes`, aligned to four bytes.
    pub fn view(&mut self, bytes: &[u8], target: Target) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let mut view = json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() });
        match target {
            Target::Vertices => view["target"] = json!(34962),
            Target::Indices => view["target"] = json!(34963),
            Target::Other => {}
        }
        self.bytes.extend(bytes);
        self.views.push(view);
        self.views.len() - 1
    }

    fn accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// Adds an accessor of floats: SCALAR, VEC2, VEC3, VEC4 or MAT4 by the length of its rows. `bounds` adds min and max, which
    /// positions and key times require.
    pub fn floats(&mut self, values: &[f64], components: usize, target: Target, bounds: bool) -> usize {
        let view = self.view(&float_bytes(values), target);
        let count = values.len() / components;
        let mut accessor = json!({ "bufferView": view, "componentType": 5126, "count": count, "type": kind(components) });
        if bounds {
            add_bounds(&mut accessor, values, components);
        }
        self.accessor(accessor)
    }

    /// Adds an accessor of bytes or shorts, normalized or not.
    pub fn integers(&mut self, values: &[u16], components: usize, wide: bool, normalized: bool, target: Target) -> usize {
        let bytes: Vec<u8> =
            if wide { values.iter().flat_map(|v| v.to_le_bytes()).collect() } else { values.iter().map(|v| *v as u8).collect() };
        let view = self.view(&bytes, target);
        let component = if wide { 5123 } else { 5121 };
        let mut accessor =
            json!({ "bufferView": view, "componentType": component, "count": values.len() / components, "type": kind(components) });
        if normalized {
            accessor["normalized"] = json!(true);
        }
        self.accessor(accessor)
    }

    /// Adds a sparse accessor of `count` rows, such as a morph target of the face. All rows are zero except those in `rows`.
    pub fn sparse(&mut self, count: usize, rows: &[(u16, DVec3)], bounds: bool) -> usize {
        let mut accessor = json!({ "componentType": 5126, "count": count, "type": "VEC3" });
        let mut values: Vec<f64> = rows.iter().flat_map(|(_, row)| row.to_array()).collect();
        if !rows.is_empty() {
            let indices = self.view(&rows.iter().flat_map(|(index, _)| index.to_le_bytes()).collect::<Vec<_>>(), Target::Other);
            let view = self.view(&float_bytes(&values), Target::Other);
            accessor["sparse"] = json!({
                "count": rows.len(),
                // byteOffset is optional, but VTK rejects files without it.
                "indices": { "bufferView": indices, "byteOffset": 0, "componentType": 5123 },
                "values": { "bufferView": view, "byteOffset": 0 },
            });
        }
        if bounds {
            // Rows that are not listed are zero.
            values.extend([0.0; 3]);
            add_bounds(&mut accessor, &values, 3);
        }
        self.accessor(accessor)
    }

    /// Returns the container: header, JSON chunk, binary chunk.
    pub fn finish(mut self, mut document: Value) -> Vec<u8> {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        document["buffers"] = json!([{ "byteLength": self.bytes.len() }]);
        document["bufferViews"] = Value::Array(self.views);
        document["accessors"] = Value::Array(self.accessors);
        let mut text = document.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let total = 12 + 8 + text.len() + 8 + self.bytes.len();
        let word = |n: usize| (n as u32).to_le_bytes();
        [&b"glTF"[..], &word(2), &word(total), &word(text.len()), b"JSON", &text, &word(self.bytes.len()), b"BIN\0", &self.bytes].concat()
    }
}

fn kind(components: usize) -> &'static str {
    match components {
        1 => "SCALAR",
        2 => "VEC2",
        3 => "VEC3",
        4 => "VEC4",
        _ => "MAT4",
    }
}

/// Rounds to 2^-20 (a micrometer), because the last bits of sines and exponentials differ between machines.
pub fn rounded(x: f64) -> f32 {
    const STEPS: f64 = (1 << 20) as f64;
    // Adding 0 turns -0 into 0.
    ((x * STEPS).round() / STEPS + 0.0) as f32
}

fn float_bytes(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|x| rounded(*x).to_le_bytes()).collect()
}

fn add_bounds(accessor: &mut Value, values: &[f64], components: usize) {
    let fold = |i: usize, pick: fn(f32, f32) -> f32| values.iter().skip(i).step_by(components).map(|x| rounded(*x)).reduce(pick);
    accessor["min"] = (0..components).map(|i| json!(fold(i, f32::min))).collect();
    accessor["max"] = (0..components).map(|i| json!(fold(i, f32::max))).collect();
}
