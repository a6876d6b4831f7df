//! Writes the samplers and channels of one animation. What does not move gets two keys, or no channel if it stays at rest.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::super::glb::{Glb, Target, rounded};

pub struct Writer<'a> {
    glb: &'a mut Glb,
    interpolation: &'static str,
    /// Accessors of the key times written so far, by the bits of the times.
    times: BTreeMap<Vec<u32>, usize>,
    samplers: Vec<Value>,
    channels: Vec<Value>,
}

impl<'a> Writer<'a> {
    pub fn new(glb: &'a mut Glb, interpolation: &'static str) -> Self {
        Self { glb, interpolation, times: BTreeMap::new(), samplers: Vec::new(), channels: Vec::new() }
    }

    /// Adds a channel. `keys`: in-tangent, value and out-tangent per key. `rest`: the value of the node without the channel.
    pub fn channel(&mut self, node: usize, path: &str, times: &[f64], keys: Vec<[Vec<f64>; 3]>, rest: Option<&[f64]>) {
        let cubic = self.interpolation == "CUBICSPLINE";
        let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 2e-6);
        let flat = |tangent: &[f64]| tangent.iter().all(|x| x.abs() < 1e-6);
        let first = &keys[0][1];
        let still = keys.iter().all(|[before, value, after]| near(value, first) && (!cubic || flat(before) && flat(after)));
        if still && rest.is_some_and(|rest| near(first, rest)) {
            return;
        }
        let chosen: Vec<usize> = if still { vec![0, keys.len() - 1] } else { (0..keys.len()).collect() };
        let times: Vec<f64> = chosen.iter().map(|&i| times[i]).collect();
        let output: Vec<f64> = chosen.iter().flat_map(|&i| if cubic { keys[i].concat() } else { keys[i][1].clone() }).collect();
        let components = match path {
            "weights" => 1,
            "rotation" => 4,
            _ => 3,
        };
        let input = self.input(&times);
        let output = self.glb.floats(&output, components, Target::Other, false);
        self.channels.push(json!({ "sampler": self.samplers.len(), "target": { "node": node, "path": path } }));
        self.samplers.push(json!({ "input": input, "interpolation": self.interpolation, "output": output }));
    }

    /// Returns the accessor of key times. Equal ones share an accessor.
    fn input(&mut self, times: &[f64]) -> usize {
        let bits = times.iter().map(|time| rounded(*time).to_bits()).collect();
        *self.times.entry(bits).or_insert_with(|| self.glb.floats(times, 1, Target::Other, true))
    }

    pub fn finish(self, name: &str) -> Value {
        json!({ "name": name, "channels": self.channels, "samplers": self.samplers })
    }
}
