// Runs the vertex stage's morphing and skinning on every vertex and stores the results. Appended to deform.wgsl.
//
//   group 0   0  storage  inputs    each vertex: position, normal on the octahedron, tangent, first set of joints and weights
//             1  storage  outputs   each vertex: position, normal, tangent

struct Input {
    position: vec4<f32>,
    normal: vec4<f32>,
    tangent: vec4<f32>,
    joints: vec4<u32>,
    weights: vec4<f32>,
}

struct Output {
    position: vec4<f32>,
    normal: vec4<f32>,
    tangent: vec4<f32>,
}

@group(0) @binding(0) var<storage, read> inputs: array<Input>;
@group(0) @binding(1) var<storage, read_write> outputs: array<Output>;

@compute @workgroup_size(1)
fn probe(@builtin(global_invocation_id) id: vec3<u32>) {
    let in = inputs[id.x];
    let instance = instances[0];
    let shape = morphed(Shape(in.position.xyz, from_octahedron(in.normal.xy), in.tangent), id.x, instance);
    let out = transformed(shape, skin_matrix(id.x, instance, in.joints, in.weights));
    outputs[id.x] = Output(vec4(out.position, 1.0), vec4(out.normal, 0.0), out.tangent);
}
