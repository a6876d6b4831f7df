// The vertex stage of a file's primitives: one entry point for each way in which a node moves them, with and without optional attributes.
// Keep the attributes in sync with src/render/model/vertex.rs.
//
//   group 2   3  storage  instance_matrices   EXT_mesh_gpu_instancing: from the mesh's space to the node's, by rows

@group(2) @binding(3) var<storage, read> instance_matrices: array<mat3x4<f32>>;

// Whether the primitive has optional attributes. If it has none, shaders use default values for them.
override has_optional_attributes: bool = true;

// Vertex buffer 0. Keep in sync with `Vertex` in src/render/model/vertex.rs.
struct Attributes {
    @location(0) position: vec3<f32>,
    // Normal in octahedral encoding, -1 to 1. `from_octahedron` decodes it.
    @location(1) normal: vec2<f32>,
    @location(2) uv: vec2<f32>,
}

// Vertex buffer 2. Keep in sync with `OptionalAttributes` in src/render/model/vertex.rs.
struct OptionalAttributes {
    @location(3) tangent: vec4<f32>,
    // The second set of texture coordinates.
    @location(4) uv: vec2<f32>,
    @location(5) color: vec4<f32>,
}

// Vertex buffer 1. Keep in sync with `FirstInfluences` in src/render/model/vertex.rs.
struct FirstInfluences {
    @location(6) joints: vec4<u32>,
    // The joint weights, divided by WEIGHT_UNIT.
    @location(7) weights: vec4<f32>,
}

// The packed weight 1 is 65469, which the device reads as 65469 / 65535. Keep in sync with `WEIGHT_ONE` in src/render/model/vertex.rs.
const WEIGHT_UNIT = 65535.0 / 65469.0;

// The input of the fragment stage. Position and directions are in world space, relative to the anchor.
struct Varyings {
    // Invariant, because the passes that draw a surface again compare its depth.
    @invariant @builtin(position) clip: vec4<f32>,
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>,
    // Both sets of texture coordinates.
    @location(3) uv: vec4<f32>,
    @location(4) color: vec4<f32>,
//if volume
    // Scale of the mesh along the normal, for the thickness of volumes.
    @location(5) scale: f32,
//end
//if heat_map
    // Tint of the heat map (heat_map.wgsl).
    @location(6) tint: vec4<f32>,
//end
//if ids
    // Index of one vertex of the triangle, and index of the instance.
    @location(7) @interpolate(flat, either) id: vec2<u32>,
//end
//if mixed_winding
    // -1 where the joints mirror the triangle, else 1.
    @location(8) @interpolate(flat, either) mirror: f32,
//end
}

// Whether the target is the selection mask, which extends beyond the picture by a margin.
override has_margin: bool = false;

// Projects a position to clip space.
fn clip_position(position: vec3<f32>) -> vec4<f32> {
    let clip = frame.clip_from_anchored * vec4(position, 1.0);
    let picture_fraction = frame.target_size / (frame.target_size + 2.0 * frame.margin);
    return vec4(clip.xy * select(vec2(1.0), picture_fraction, has_margin), clip.zw);
}

// Transforms the morphed vertex `local` by `matrix` and fills in its varyings.
fn varyings(attributes: Attributes, optional_attributes: OptionalAttributes, local: Shape, matrix: mat3x4<f32>) -> Varyings {
    let shape = transformed(local, matrix);
    return Varyings(
        clip_position(shape.position),
        shape.position,
        shape.normal,
        shape.tangent,
        vec4(attributes.uv, optional_attributes.uv),
        optional_attributes.color,
//if volume
        // Without normals, the thickness is scaled by the mean of the three axes.
        length(vec4(unit_or_else(select(vec3(0.0), local.normal, has_normals), vec3(0.57735)), 0.0) * matrix),
//end
//if heat_map
        vec4(0.0),
//end
//if ids
        vec2(0u),
//end
//if mixed_winding
        mirror_sign(direction_rows(matrix)),
//end
    );
}

// Returns the vertex color, or white if there is none.
fn vertex_color(in: Varyings) -> vec4<f32> {
    if (has_optional_attributes) {
        return in.color;
    }
    return vec4(1.0);
}

// Returns the vertex before deformation.
fn base_shape(attributes: Attributes, optional_attributes: OptionalAttributes) -> Shape {
    return Shape(attributes.position, from_octahedron(attributes.normal), optional_attributes.tangent);
}

// Returns the optional attributes of a primitive that has none.
fn no_optional_attributes(attributes: Attributes) -> OptionalAttributes {
    return OptionalAttributes(vec4(0.0), attributes.uv, vec4(1.0));
}

// Deforms a vertex of a mesh without skin. `i` is the index of the instance.
fn rigid_varyings(attributes: Attributes, optional_attributes: OptionalAttributes, vertex: u32, i: u32) -> Varyings {
    let instance = instances[i];
    let shape = morphed(base_shape(attributes, optional_attributes), vertex, instance);
    var out = varyings(attributes, optional_attributes, shape, palette_matrix(instance.palette_base));
//if heat_map
    out.tint = vertex_tint(vertex, instance, tint(instance, 0u));
//end
//if ids
    out.id = vec2(vertex, i);
//end
    return out;
}

// Deforms a vertex of a skinned mesh. `i` is the index of the instance.
fn skinned_varyings(
    attributes: Attributes,
    optional_attributes: OptionalAttributes,
    first: FirstInfluences,
    vertex: u32,
    i: u32,
) -> Varyings {
    let instance = instances[i];
    let shape = morphed(base_shape(attributes, optional_attributes), vertex, instance);
    let first_weights = first.weights * WEIGHT_UNIT;
    var out = varyings(attributes, optional_attributes, shape, skin_matrix(vertex, instance, first.joints, first_weights));
//if heat_map
    out.tint = vertex_tint(vertex, instance, skin_tint(vertex, instance, first.joints, first_weights));
//end
//if ids
    out.id = vec2(vertex, i);
//end
    return out;
}

@vertex
fn rigid(attributes: Attributes, @builtin(vertex_index) vertex: u32, @builtin(instance_index) i: u32) -> Varyings {
    return rigid_varyings(attributes, no_optional_attributes(attributes), vertex, i);
}

@vertex
fn rigid_with_optional(
    attributes: Attributes,
    optional_attributes: OptionalAttributes,
    @builtin(vertex_index) vertex: u32,
    @builtin(instance_index) i: u32,
) -> Varyings {
    return rigid_varyings(attributes, optional_attributes, vertex, i);
}

// Multiplies two affine matrices, both given by rows.
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

// Deforms a vertex of a node with EXT_mesh_gpu_instancing. `i` counts all GPU instances of the first crowd member, then those of the
// second, and so on.
fn instanced_varyings(attributes: Attributes, optional_attributes: OptionalAttributes, vertex: u32, i: u32) -> Varyings {
    let count = arrayLength(&instance_matrices);
    let instance = instances[i / count];
    let shape = morphed(base_shape(attributes, optional_attributes), vertex, instance);
    var out = varyings(attributes, optional_attributes, shape, times(palette_matrix(instance.palette_base), instance_matrices[i % count]));
//if heat_map
    out.tint = vertex_tint(vertex, instance, tint(instance, 0u));
//end
//if ids
    out.id = vec2(vertex, i / count);
//end
    return out;
}

@vertex
fn instanced(attributes: Attributes, @builtin(vertex_index) vertex: u32, @builtin(instance_index) i: u32) -> Varyings {
    return instanced_varyings(attributes, no_optional_attributes(attributes), vertex, i);
}

@vertex
fn instanced_with_optional(
    attributes: Attributes,
    optional_attributes: OptionalAttributes,
    @builtin(vertex_index) vertex: u32,
    @builtin(instance_index) i: u32,
) -> Varyings {
    return instanced_varyings(attributes, optional_attributes, vertex, i);
}

@vertex
fn skinned(
    attributes: Attributes,
    first: FirstInfluences,
    @builtin(vertex_index) vertex: u32,
    @builtin(instance_index) i: u32,
) -> Varyings {
    return skinned_varyings(attributes, no_optional_attributes(attributes), first, vertex, i);
}

@vertex
fn skinned_with_optional(
    attributes: Attributes,
    first: FirstInfluences,
    optional_attributes: OptionalAttributes,
    @builtin(vertex_index) vertex: u32,
    @builtin(instance_index) i: u32,
) -> Varyings {
    return skinned_varyings(attributes, optional_attributes, first, vertex, i);
}
