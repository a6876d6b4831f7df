// The vertex stage of everything a file draws. Attributes as src/render/vertex.rs packs them.

struct Attributes {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
}

struct Further {
    @location(3) tangent: vec4<f32>,
    // TEXCOORD_1.
    @location(4) uv: vec2<f32>,
    @location(5) color: vec4<f32>,
}

struct FirstInfluences {
    @location(6) joints: vec4<u32>,
    @location(7) weights: vec4<f32>,
}

struct Varyings {
    @builtin(position) clip: vec4<f32>,
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>,
    @location(3) uv: vec4<f32>,
    @location(4) color: vec4<f32>,
}

fn varyings(attributes: Attributes, further: Further, shape: Shape) -> Varyings {
    return Varyings(
        frame.clip_from_anchored * vec4(shape.position, 1.0),
        shape.position,
        shape.normal,
        shape.tangent,
        vec4(attributes.uv, further.uv),
        further.color,
    );
}

fn base_shape(attributes: Attributes, further: Further) -> Shape {
    return Shape(attributes.position, attributes.normal, further.tangent);
}

// Of a primitive that has nothing further.
fn nothing_further(attributes: Attributes) -> Further {
    return Further(vec4(0.0), attributes.uv, vec4(1.0));
}

fn rigid_varyings(attributes: Attributes, further: Further, vertex: u32, instance: Instance) -> Varyings {
    let shape = morphed(base_shape(attributes, further), vertex, instance);
    return varyings(attributes, further, placed(shape, palette[instance.palette_base]));
}

fn skinned_varyings(attributes: Attributes, further: Further, first: FirstInfluences, vertex: u32, instance: Instance) -> Varyings {
    let shape = morphed(base_shape(attributes, further), vertex, instance);
    return varyings(attributes, further, placed(shape, skin_matrix(vertex, instance, first.joints, first.weights)));
}

@vertex
fn rigid(attributes: Attributes, @builtin(vertex_index) vertex: u32, @builtin(instance_index) i: u32) -> Varyings {
    return rigid_varyings(attributes, nothing_further(attributes), vertex, instances[i]);
}

@vertex
fn rigid_further(
    attributes: Attributes,
    further: Further,
    @builtin(vertex_index) vertex: u32,
    @builtin(instance_index) i: u32,
) -> Varyings {
    return rigid_varyings(attributes, further, vertex, instances[i]);
}

@vertex
fn skinned(
    attributes: Attributes,
    first: FirstInfluences,
    @builtin(vertex_index) vertex: u32,
    @builtin(instance_index) i: u32,
) -> Varyings {
    return skinned_varyings(attributes, nothing_further(attributes), first, vertex, instances[i]);
}

@vertex
fn skinned_further(
    attributes: Attributes,
    first: FirstInfluences,
    further: Further,
    @builtin(vertex_index) vertex: u32,
    @builtin(instance_index) i: u32,
) -> Varyings {
    return skinned_varyings(attributes, further, first, vertex, instances[i]);
}
