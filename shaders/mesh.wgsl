// The vertex stage of everything a file draws. Attributes as src/render/vertex.rs packs them.
//
//   group 2   3  storage  places      of a node that shows its mesh many times: where, in its own space, by rows

@group(2) @binding(3) var<storage, read> places: array<mat3x4<f32>>;

struct Attributes {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>,
    // TEXCOORD_0 and TEXCOORD_1.
    @location(3) uv: vec4<f32>,
    @location(4) color: vec4<f32>,
}

struct FirstInfluences {
    @location(5) joints: vec4<u32>,
    @location(6) weights: vec4<f32>,
}

struct Varyings {
    @builtin(position) clip: vec4<f32>,
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>,
    @location(3) uv: vec4<f32>,
    @location(4) color: vec4<f32>,
}

fn varyings(attributes: Attributes, shape: Shape) -> Varyings {
    return Varyings(
        frame.clip_from_anchored * vec4(shape.position, 1.0),
        shape.position,
        shape.normal,
        shape.tangent,
        attributes.uv,
        attributes.color,
    );
}

fn base_shape(attributes: Attributes) -> Shape {
    return Shape(attributes.position, attributes.normal, attributes.tangent);
}

@vertex
fn rigid(attributes: Attributes, @builtin(vertex_index) vertex: u32, @builtin(instance_index) i: u32) -> Varyings {
    let instance = instances[i];
    let shape = morphed(base_shape(attributes), vertex, instance);
    return varyings(attributes, placed(shape, palette[instance.palette_base]));
}

// An affine matrix times another, both by rows.
fn times(outer: mat3x4<f32>, inner: mat3x4<f32>) -> mat3x4<f32> {
    let x = outer[0];
    let y = outer[1];
    let z = outer[2];
    return mat3x4(
        x.x * inner[0] + x.y * inner[1] + x.z * inner[2] + vec4(0.0, 0.0, 0.0, x.w),
        y.x * inner[0] + y.y * inner[1] + y.z * inner[2] + vec4(0.0, 0.0, 0.0, y.w),
        z.x * inner[0] + z.y * inner[1] + z.z * inner[2] + vec4(0.0, 0.0, 0.0, z.w),
    );
}

// Every instance of the page's list at every place: the places of the first, then those of the second...
@vertex
fn instanced(attributes: Attributes, @builtin(vertex_index) vertex: u32, @builtin(instance_index) i: u32) -> Varyings {
    let count = arrayLength(&places);
    let instance = instances[i / count];
    let shape = morphed(base_shape(attributes), vertex, instance);
    return varyings(attributes, placed(shape, times(palette[instance.palette_base], places[i % count])));
}

@vertex
fn skinned(
    attributes: Attributes,
    first: FirstInfluences,
    @builtin(vertex_index) vertex: u32,
    @builtin(instance_index) i: u32,
) -> Varyings {
    let instance = instances[i];
    let shape = morphed(base_shape(attributes), vertex, instance);
    return varyings(attributes, placed(shape, skin_matrix(vertex, instance, first.joints, first.weights)));
}
