// The vertex stage of everything a file draws. Attributes as src/render/vertex.rs packs them.

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
