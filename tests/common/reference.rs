//! The naive reference: sampling, hierarchy and skinning in f64, written from the formulas of the specification. It uses only the data
//! types of `src`, and is slow and obvious on purpose.
#![allow(dead_code)] // each test binary uses only a part

use sinew::model::Model;
use sinew::model::animation::{Channel, Interpolation, Target};
use sinew::model::mesh::Primitive;

/// A matrix as four rows, for column vectors.
pub type Matrix = [[f64; 4]; 4];

pub const IDENTITY: Matrix = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

/// Returns the product `a * b`.
pub fn multiply(a: &Matrix, b: &Matrix) -> Matrix {
    let mut product = [[0.0; 4]; 4];
    for (row, out) in product.iter_mut().enumerate() {
        for (column, cell) in out.iter_mut().enumerate() {
            *cell = (0..4).map(|k| a[row][k] * b[k][column]).sum();
        }
    }
    product
}

/// Transforms a point.
pub fn transform(m: &Matrix, p: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|row| m[row][0] * p[0] + m[row][1] * p[1] + m[row][2] * p[2] + m[row][3])
}

/// Returns a quaternion scaled to length 1.
fn normalized(q: &[f64]) -> Vec<f64> {
    let length = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    q.iter().map(|c| c / length).collect()
}

/// Returns the value of a channel at `t` seconds (glTF 2.0, section 3.11 and appendix C).
pub fn value(times: &[f32], channel: &Channel, t: f64) -> Vec<f64> {
    let n = channel.components;
    let is_rotation = matches!(channel.target, Target::Rotation(_));
    let at = |index: usize| -> Vec<f64> { channel.output[index * n..(index + 1) * n].iter().map(|&v| f64::from(v)).collect() };
    let spline = channel.interpolation == Interpolation::CubicSpline;
    let key = |k: usize| at(if spline { 3 * k + 1 } else { k });
    let finish = |v: Vec<f64>| if is_rotation { normalized(&v) } else { v };

    // Find the last key at or before `t`.
    let mut k = None;
    for (i, &time) in times.iter().enumerate() {
        if f64::from(time) <= t {
            k = Some(i);
        }
    }
    let Some(k) = k else { return finish(key(0)) };
    if k + 1 == times.len() || channel.interpolation == Interpolation::Step {
        return finish(key(k));
    }
    let dt = f64::from(times[k + 1]) - f64::from(times[k]);
    let u = (t - f64::from(times[k])) / dt;
    if spline {
        let (a, b) = (at(3 * k + 2), at(3 * (k + 1)));
        let (v0, v1) = (key(k), key(k + 1));
        let (u2, u3) = (u * u, u * u * u);
        let spline = (0..n).map(|i| {
            (2.0 * u3 - 3.0 * u2 + 1.0) * v0[i] + dt * (u3 - 2.0 * u2 + u) * a[i] + (3.0 * u2 - 2.0 * u3) * v1[i] + dt * (u3 - u2) * b[i]
        });
        return finish(spline.collect());
    }
    if is_rotation {
        let (q0, mut q1) = (normalized(&key(k)), normalized(&key(k + 1)));
        let mut dot: f64 = q0.iter().zip(&q1).map(|(a, b)| a * b).sum();
        if dot < 0.0 {
            q1.iter_mut().for_each(|c| *c = -*c);
            dot = -dot;
        }
        let angle = dot.min(1.0).acos();
        if angle < 1e-7 {
            return q0;
        }
        let (a, b) = (((1.0 - u) * angle).sin() / angle.sin(), (u * angle).sin() / angle.sin());
        return normalized(&(0..4).map(|i| a * q0[i] + b * q1[i]).collect::<Vec<_>>());
    }
    let (v0, v1) = (key(k), key(k + 1));
    (0..n).map(|i| v0[i] + u * (v1[i] - v0[i])).collect()
}

/// Returns the matrix of a translation, a rotation quaternion (x, y, z, w) and a scale.
pub fn local(translation: &[f64], rotation: &[f64], scale: &[f64]) -> Matrix {
    let q = normalized(rotation);
    let (x, y, z, w) = (q[0], q[1], q[2], q[3]);
    let r = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
        [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
        [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
    ];
    let row = |i: usize| [r[i][0] * scale[0], r[i][1] * scale[1], r[i][2] * scale[2], translation[i]];
    [row(0), row(1), row(2), [0.0, 0.0, 0.0, 1.0]]
}

/// The global matrix of each node, and the morph weights of all nodes.
pub struct ReferencePose {
    pub globals: Vec<Matrix>,
    pub weights: Vec<f64>,
}

/// Computes the pose of `animation` at `t` seconds; `None` is the rest pose. Each global matrix is computed by walking up the ancestors.
pub fn pose(model: &Model, animation: Option<usize>, t: f64) -> ReferencePose {
    let to_f64 = |v: &[f32]| -> Vec<f64> { v.iter().map(|&c| f64::from(c)).collect() };
    let mut trs: Vec<[Vec<f64>; 3]> = model
        .hierarchy
        .rest
        .iter()
        .map(|rest| [to_f64(&rest.translation.to_array()), to_f64(&rest.rotation.to_array()), to_f64(&rest.scale.to_array())])
        .collect();
    let mut weights = to_f64(&model.rest_weights);
    if let Some(animation) = animation {
        let animation = &model.animations[animation];
        for channel in &animation.channels {
            let value = value(&animation.key_times[channel.key_times], channel, t);
            match channel.target {
                Target::Translation(node) => trs[node.index()][0] = value,
                Target::Rotation(node) => trs[node.index()][1] = value,
                Target::Scale(node) => trs[node.index()][2] = value,
                // Pointers drive single properties, which this reference does not compute.
                Target::Pointer(_) => {}
                Target::Weights(node) => weights[model.nodes[node.index()].weights.clone()].copy_from_slice(&value),
            }
        }
    }
    let local_of = |node: usize| match &model.hierarchy.fixed_local[node] {
        Some(m) => {
            let c = m.to_cols_array();
            let row = |i: usize| [0, 3, 6, 9].map(|column| f64::from(c[column + i]));
            [row(0), row(1), row(2), [0.0, 0.0, 0.0, 1.0]]
        }
        None => local(&trs[node][0], &trs[node][1], &trs[node][2]),
    };
    let global = |node: usize| {
        let mut matrix = local_of(node);
        let mut up = model.hierarchy.parents[node];
        while let Some(parent) = up {
            matrix = multiply(&local_of(parent.index()), &matrix);
            up = model.hierarchy.parents[parent.index()];
        }
        matrix
    };
    ReferencePose { globals: (0..model.nodes.len()).map(global).collect(), weights }
}

/// Returns global(joint) * inverse bind matrix for each joint of the skin.
pub fn palette(model: &Model, skin: usize, globals: &[Matrix]) -> Vec<Matrix> {
    let skin = &model.skins[skin];
    let entry = |(joint, inverse): (&sinew::model::node::NodeIndex, &glam::Affine3A)| {
        let c = inverse.to_cols_array();
        let row = |i: usize| [0, 3, 6, 9].map(|column| f64::from(c[column + i]));
        multiply(&globals[joint.index()], &[row(0), row(1), row(2), [0.0, 0.0, 0.0, 1.0]])
    };
    skin.joints.iter().zip(&skin.inverse_bind_matrices).map(entry).collect()
}

/// Returns the world position of a vertex: morphed by the node's weights, then skinned by all influence sets. Without a skin it moves with
/// the node.
pub fn vertex(model: &Model, node: usize, primitive: &Primitive, vertex: usize, pose: &ReferencePose) -> [f64; 3] {
    let mut position = primitive.vertices.positions[vertex].to_array().map(f64::from);
    for (target, weight) in primitive.vertices.targets.iter().zip(&pose.weights[model.nodes[node].weights.clone()]) {
        if let Some(delta) = target.positions.get(vertex) {
            for (place, delta) in position.iter_mut().zip(delta.to_array()) {
                *place += weight * f64::from(delta);
            }
        }
    }
    let sets = primitive.vertices.influences.sets;
    let Some(skin) = model.nodes[node].skin.filter(|_| sets > 0) else { return transform(&pose.globals[node], position) };
    let palette = palette(model, skin, &pose.globals);
    let mut sum = [0.0; 3];
    for set in vertex * sets..(vertex + 1) * sets {
        for (joint, weight) in primitive.vertices.influences.joints[set].iter().zip(&primitive.vertices.influences.weights[set]) {
            let moved = transform(&palette[*joint as usize], position);
            for i in 0..3 {
                sum[i] += f64::from(*weight) * moved[i];
            }
        }
    }
    sum
}
