//! Tests morphing and skinning in the vertex stage. A compute shader calls the functions of the vertex stage, and the results are compared
//! with a naive deformation in f64. The cases include many morph targets, twelve influences per vertex, and joints that mirror or flatten.

use bytemuck::{Pod, Zeroable};
use glam::{DMat3, DVec3, Mat4, Quat, Vec3, Vec4};
use sinew::animation::hierarchy::skinning::JointMatrix;
use sinew::model::mesh::{Influences, MorphTarget, Primitive, Vertices};
use sinew::render::device::gpu::Gpu;
use sinew::render::model::vertex::{self, OptionalAttributes, Vertex};
use sinew::render::shaders::Program;
use wgpu::util::DeviceExt;

use crate::scene::{gpu, matrix_rows};

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Input {
    position: Vec4,
    normal: Vec4,
    tangent: Vec4,
    joints: [u32; 4],
    weights: [f32; 4],
}

#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Output {
    pub position: Vec4,
    normal: Vec4,
    tangent: Vec4,
}

/// Pseudo-random numbers from -1 to 1, the same ones every time.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    fn vec3(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }
}

const VERTICES: usize = 200;
const TARGETS: usize = 70;
const JOINTS: usize = 300;

fn primitive(noise: &mut Noise, sets: usize) -> Primitive {
    let weights: Vec<[f32; 4]> = (0..VERTICES)
        .flat_map(|_| {
            let raw: Vec<f32> = (0..sets * 4).map(|_| noise.next().abs()).collect();
            let sum: f32 = raw.iter().sum();
            raw.chunks(4).map(|set| [set[0] / sum, set[1] / sum, set[2] / sum, set[3] / sum]).collect::<Vec<_>>()
        })
        .collect();
    let joint = |noise: &mut Noise| ((noise.next() * 0.5 + 0.5) * JOINTS as f32) as u16 % JOINTS as u16;
    let joints = weights.iter().map(|_| [joint(noise), joint(noise), joint(noise), joint(noise)]).collect();
    let targets = (0..TARGETS)
        .map(|i| MorphTarget {
            // Each target moves every second vertex. Some targets have no normals or no tangents.
            positions: (0..VERTICES).map(|v| if v % 2 == i % 2 { noise.vec3() * 0.1 } else { Vec3::ZERO }).collect(),
            normals: if i % 3 == 0 { Vec::new() } else { (0..VERTICES).map(|_| noise.vec3() * 0.05).collect() },
            tangents: if i % 5 == 0 { (0..VERTICES).map(|_| noise.vec3() * 0.05).collect() } else { Vec::new() },
        })
        .collect();
    let vertices = Vertices {
        positions: (0..VERTICES).map(|_| noise.vec3() * 3.0).collect(),
        normals: (0..VERTICES).map(|_| noise.vec3().normalize()).collect(),
        tangents: (0..VERTICES).map(|i| noise.vec3().normalize().extend(if i % 2 == 0 { 1.0 } else { -1.0 })).collect(),
        influences: Influences { sets, joints, weights },
        targets,
        ..Vertices::default()
    };
    Primitive { vertices: vertices.into(), ..Primitive::default() }
}

/// Deforms a vertex as the specification describes: add the deltas, blend the matrices, transform. Returns position, normal and tangent.
fn naive(primitive: &Primitive, palette: &[Mat4], weights: &[f32], vertex: usize) -> [DVec3; 3] {
    let mut position = primitive.vertices.positions[vertex].as_dvec3();
    let mut normal = primitive.vertices.normals[vertex].as_dvec3();
    let mut tangent = primitive.vertices.tangents[vertex].truncate().as_dvec3();
    for (target, &weight) in primitive.vertices.targets.iter().zip(weights) {
        let delta = |values: &[Vec3]| values.get(vertex).map_or(DVec3::ZERO, |v| v.as_dvec3()) * f64::from(weight);
        position += delta(&target.positions);
        normal += delta(&target.normals);
        tangent += delta(&target.tangents);
    }
    let sets = primitive.vertices.influences.sets;
    let (mut linear, mut translation) = (DMat3::ZERO, DVec3::ZERO);
    for i in vertex * sets..(vertex + 1) * sets {
        for k in 0..4 {
            let matrix = palette[usize::from(primitive.vertices.influences.joints[i][k])].as_dmat4();
            let weight = f64::from(primitive.vertices.influences.weights[i][k]);
            linear += DMat3::from_mat4(matrix) * weight;
            translation += matrix.w_axis.truncate() * weight;
        }
    }
    [linear * position + translation, (linear.inverse().transpose() * normal).normalize(), (linear * tangent).normalize()]
}

/// Decodes a packed component as the vertex stage receives it.
fn snorm(component: i16) -> f32 {
    f32::from(component) / 32767.0
}

pub fn probe(gpu: &Gpu, primitive: &Primitive, palette: &[JointMatrix], weights: &[f32]) -> Vec<Output> {
    let source = [Program::Deform.source(false), include_str!("deform_probe.wgsl").to_owned()].concat();
    let module =
        gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source: wgpu::ShaderSource::Wgsl(source.into()) });
    let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module: &module,
        entry_point: Some("probe"),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let buffer = |contents: &[u8], usage| gpu.device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: None, contents, usage });
    let storage = |contents: &[u8]| buffer(contents, wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC);
    let group = |index, buffers: &[&wgpu::Buffer]| {
        let entries: Vec<_> = buffers
            .iter()
            .zip(0..)
            .map(|(buffer, binding)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
            .collect();
        let layout = pipeline.get_bind_group_layout(index);
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout: &layout, entries: &entries })
    };
    // Pack the influences as the renderer does.
    let extra = vertex::extra_influences(&primitive.vertices.influences);
    let (offsets, deltas) = vertex::morph_deltas(&primitive.vertices, usize::MAX).expect("no limit");
    let inputs: Vec<Input> = (0..primitive.vertices.positions.len())
        .map(|v| {
            let (vertex, optional_attributes) =
                (Vertex::from_vertices(&primitive.vertices, v), OptionalAttributes::from_vertices(&primitive.vertices, v));
            let first = vertex::first_influences(&primitive.vertices.influences, v);
            Input {
                position: vertex.position.extend(1.0),
                normal: Vec4::new(snorm(vertex.normal[0]), snorm(vertex.normal[1]), 0.0, 0.0),
                tangent: Vec4::from(optional_attributes.tangent.map(snorm)),
                joints: first.joints.map(u32::from),
                weights: first.weights.map(|weight| f32::from(weight) / f32::from(vertex::WEIGHT_ONE)),
            }
        })
        .collect();
    // The palette and the weights do not begin at index 0.
    let matrices = [&[JointMatrix { rows: [Vec4::ZERO; 3] }; 3], palette].concat();
    let weights = [&[9.0; 5], weights].concat();
    let instance = [3u32, 5, primitive.vertices.influences.sets as u32 - 1, u32::from(!primitive.vertices.targets.is_empty()), 0, u32::MAX];
    // A binding cannot be empty.
    let extra = if extra.is_empty() { vec![0] } else { extra };
    let offsets = if offsets.is_empty() { vec![0] } else { offsets };
    let deltas = if deltas.is_empty() { vec![vertex::MorphDelta::zeroed()] } else { deltas };

    let outputs = storage(&vec![0; inputs.len() * size_of::<Output>()]);
    let inputs_buffer = storage(bytemuck::cast_slice(&inputs));
    let groups = [
        group(0, &[&inputs_buffer, &outputs]),
        group(
            1,
            &[
                &storage(bytemuck::cast_slice(&matrices)),
                &storage(bytemuck::cast_slice(&weights)),
                &storage(bytemuck::cast_slice(&instance)),
            ],
        ),
        group(
            2,
            &[&storage(bytemuck::cast_slice(&extra)), &storage(bytemuck::cast_slice(&offsets)), &storage(bytemuck::cast_slice(&deltas))],
        ),
    ];
    let readback = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: outputs.size(),
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&pipeline);
        for (index, group) in groups.iter().enumerate() {
            pass.set_bind_group(index as u32, group, &[]);
        }
        pass.dispatch_workgroups(inputs.len() as u32, 1, 1);
    }
    encoder.copy_buffer_to_buffer(&outputs, 0, &readback, 0, outputs.size());
    gpu.queue.submit([encoder.finish()]);
    readback.map_async(wgpu::MapMode::Read, .., |result| result.unwrap());
    gpu.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    bytemuck::pod_collect_to_vec(&readback.get_mapped_range(..).unwrap())
}

fn assert_deforms(gpu: &Gpu, sets: usize, scale: impl Fn(&mut Noise) -> Vec3) {
    let mut noise = Noise(sets as u64);
    let primitive = primitive(&mut noise, sets);
    let weights: Vec<f32> = (0..TARGETS).map(|i| if i % 4 == 0 { 0.0 } else { noise.next() * 1.5 }).collect();
    let palette: Vec<Mat4> = (0..JOINTS)
        .map(|_| {
            let axis = noise.vec3().normalize();
            // Keep the rotations close to each other. Otherwise the blended matrix may be almost singular, and its normals are meaningless.
            Mat4::from_scale_rotation_translation(scale(&mut noise), Quat::from_axis_angle(axis, noise.next() * 0.5), noise.vec3() * 2.0)
        })
        .collect();
    let rows: Vec<_> = palette.iter().map(matrix_rows).collect();
    let deformed = probe(gpu, &primitive, &rows, &weights);
    assert_eq!(deformed.len(), VERTICES);
    for (vertex, out) in deformed.iter().enumerate() {
        let [position, normal, tangent] = naive(&primitive, &palette, &weights, vertex);
        // The error is relative to the largest distance from the origin that the vertex would have if one of its joints moved it alone.
        let of_vertex = vertex * sets..(vertex + 1) * sets;
        let joints = primitive.vertices.influences.joints[of_vertex].as_flattened();
        let rest = primitive.vertices.positions[vertex];
        let reach = joints.iter().map(|&joint| f64::from(palette[usize::from(joint)].transform_point3(rest).length())).fold(1.0, f64::max);
        let error = (out.position.truncate().as_dvec3() - position).length() / reach;
        assert!(error < 1e-4, "vertex {vertex}: {} is not {position}", out.position);
        assert!((out.normal.truncate().as_dvec3() - normal).length() < 1e-3, "vertex {vertex}: normal {} is not {normal}", out.normal);
        assert!((out.tangent.truncate().as_dvec3() - tangent).length() < 1e-3, "vertex {vertex}: tangent {} is not {tangent}", out.tangent);
    }
    // The handedness of a tangent flips where the blended matrix mirrors.
    for (vertex, out) in deformed.iter().enumerate() {
        let mut linear = DMat3::ZERO;
        for i in vertex * sets..(vertex + 1) * sets {
            for k in 0..4 {
                let matrix = palette[usize::from(primitive.vertices.influences.joints[i][k])].as_dmat4();
                linear += DMat3::from_mat4(matrix) * f64::from(primitive.vertices.influences.weights[i][k]);
            }
        }
        let turned = if linear.determinant() < 0.0 { -1.0 } else { 1.0 };
        assert_eq!(out.tangent.w, primitive.vertices.tangents[vertex].w * turned, "vertex {vertex}");
    }
}

#[test]
fn the_shader_morphs_and_skins_like_the_reference() {
    let Some(gpu) = gpu() else { return };
    for sets in [1, 2, 3] {
        assert_deforms(gpu, sets, |_| Vec3::ONE);
    }
}

#[test]
fn normals_are_right_under_uneven_scales() {
    let Some(gpu) = gpu() else { return };
    assert_deforms(gpu, 3, |noise| Vec3::new(0.3, 1.0, 4.0) + noise.vec3() * 0.1);
}

#[test]
fn normals_point_outwards_after_a_mirroring_scale() {
    let Some(gpu) = gpu() else { return };
    assert_deforms(gpu, 3, |noise| Vec3::new(-1.0, 1.0, 2.0) + noise.vec3() * 0.1);
    assert_deforms(gpu, 1, |_| Vec3::splat(-2.0));
}

#[test]
fn normals_keep_their_direction_at_tiny_and_huge_scales() {
    let Some(gpu) = gpu() else { return };
    for scale in [1e-9, 1e-4, 1e9] {
        assert_deforms(gpu, 2, |_| Vec3::splat(scale));
    }
}

#[test]
fn a_scale_of_zero_gives_finite_vertices() {
    let Some(gpu) = gpu() else { return };
    let primitive = primitive(&mut Noise(5), 1);
    for matrix in [Mat4::ZERO, Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0))] {
        let deformed = probe(gpu, &primitive, &vec![matrix_rows(&matrix); JOINTS], &[0.0; TARGETS]);
        assert!(deformed.iter().all(|out| out.position.is_finite() && out.normal.is_finite() && out.tangent.is_finite()));
    }
}

#[test]
fn packed_directions_are_within_five_thousandths_of_a_degree() {
    let mut noise = Noise(7);
    let axes = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|axis| [axis, -axis]);
    for direction in axes.chain((0..20_000).map(|_| noise.vec3().normalize())) {
        let [x, y] = vertex::octahedral(direction).map(|component| f64::from(component) / 32767.0);
        // Unfold the octahedron: below the equator the corners of the square are folded in.
        let z = 1.0 - x.abs() - y.abs();
        let (x, y) = if z < 0.0 { ((1.0 - y.abs()).copysign(x), (1.0 - x.abs()).copysign(y)) } else { (x, y) };
        let away = DVec3::new(x, y, z).normalize().angle_between(direction.as_dvec3().normalize()).to_degrees();
        assert!(away < 0.005, "{direction}: {away} degrees away");
    }
}

#[test]
fn packed_weights_keep_their_sum() {
    let mut noise = Noise(11);
    // The weights of a file may sum to a little less or more than 1.
    for sum in [1.0, 0.9991, 1.0009] {
        for _ in 0..10_000 {
            let raw = [0; 4].map(|_| noise.next().abs());
            let scale = sum / raw.iter().sum::<f32>();
            let weights = raw.map(|weight| weight * scale);
            let influences = Influences { sets: 1, joints: vec![[0, 1, 2, 3]], weights: vec![weights] };
            let packed = vertex::first_influences(&influences, 0).weights.map(|weight| f64::from(weight) / f64::from(vertex::WEIGHT_ONE));
            assert!((packed.iter().sum::<f64>() - f64::from(sum)).abs() < 0.8e-5, "{weights:?} became {packed:?}");
            let worst = packed.iter().zip(weights).map(|(packed, weight)| (packed - f64::from(weight)).abs()).fold(0.0, f64::max);
            assert!(worst < 4e-5, "{weights:?} became {packed:?}");
        }
    }
}
