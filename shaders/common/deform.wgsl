// Deforms a vertex: first by morph targets, then by its skin (glTF 2.0, sections 3.7.2.2 and 3.7.3.3).
//
//   group 1   0  (palette.wgsl or palette_texels.wgsl)
//             1  storage  weights     morph weights of all crowd members in the page, then tints and heats, if any (heat_map.wgsl)
//             2  storage  instances   one for each crowd member and node with a mesh; each draw uses a range of them
//   group 2   0  storage  influences  influence sets beyond the first, by vertex; each set has 2 words of joints and 4 of weights
//             1  storage  offsets     index of the first delta of each vertex; then the number of deltas
//             2  storage  deltas      morph target deltas, ordered by vertex
//             3  (mesh.wgsl)
//
// Keep in sync with src/render/model/vertex.rs and src/render/buffers/palette_pages.rs.

// Whether the pass needs positions only, no normals and tangents.
override positions_only: bool = false;
// Whether the primitive has morph targets. Software rasterizers run a loop body even when its trip count is zero, so a primitive's pipeline
// contains no code for data that the primitive lacks.
override morphs: bool = true;
// Whether a vertex may have more than four joints.
override extra_influences: bool = true;

// Where the data of one instance begins in the buffers, and what deforms the instance. Keep in sync with `Instance` in
// src/render/buffers/palette_pages.rs.
struct Instance {
    // Index of the skin's first matrix. Without a skin, it is the index of the node's matrix.
    palette_base: u32,
    // Index of the node's first morph weight.
    weights_base: u32,
    // Number of influence sets per vertex beyond the first.
    extra_sets: u32,
    // 1 if morph targets deform the instance, else 0.
    morphed: u32,
    // Index in `weights` of the tint of the matrix at `palette_base`.
    tints_base: u32,
    // Index in `weights` of the heat of vertex 0, or NO_HEATS (heat_map.wgsl).
    heats_base: u32,
}

// The deltas of one morph target for one vertex. All fields are scalars, because vec3 fields would pad the struct from 40 bytes to 64. Keep
// in sync with `MorphDelta` in src/render/model/vertex.rs.
struct MorphDelta {
    morph_target: u32,
    px: f32, py: f32, pz: f32,
    nx: f32, ny: f32, nz: f32,
    tx: f32, ty: f32, tz: f32,
}

@group(1) @binding(1) var<storage, read> weights: array<f32>;
@group(1) @binding(2) var<storage, read> instances: array<Instance>;
@group(2) @binding(0) var<storage, read> influences: array<u32>;
@group(2) @binding(1) var<storage, read> offsets: array<u32>;
@group(2) @binding(2) var<storage, read> deltas: array<MorphDelta>;

// A vertex while it is deformed. The w component of the tangent is its handedness.
struct Shape {
    position: vec3<f32>,
    normal: vec3<f32>,
    tangent: vec4<f32>,
}

// Adds the weighted deltas of all morph targets. Normal and tangent are not of unit length afterwards.
fn morphed(base: Shape, vertex: u32, instance: Instance) -> Shape {
    var shape = base;
    if (!morphs || instance.morphed == 0u) {
        return shape;
    }
    let end = offsets[vertex + 1u];
    for (var i = offsets[vertex]; i < end; i++) {
        let delta = deltas[i];
        let weight = weights[instance.weights_base + delta.morph_target];
        shape.position += weight * vec3(delta.px, delta.py, delta.pz);
        shape.normal += weight * vec3(delta.nx, delta.ny, delta.nz);
        shape.tangent += weight * vec4(delta.tx, delta.ty, delta.tz, 0.0);
    }
    return shape;
}

// Returns the weighted sum of four palette matrices.
fn weighted_matrix(base: u32, joints: vec4<u32>, w: vec4<f32>) -> mat3x4<f32> {
    return palette_matrix(base + joints.x) * w.x + palette_matrix(base + joints.y) * w.y
         + palette_matrix(base + joints.z) * w.z + palette_matrix(base + joints.w) * w.w;
}

// Four joints and their weights.
struct InfluenceSet {
    joints: vec4<u32>,
    weights: vec4<f32>,
}

// Reads an influence set from the buffer. `extra` is its index, which does not count the first set.
fn extra_influence_set(vertex: u32, instance: Instance, extra: u32) -> InfluenceSet {
    let start = (vertex * instance.extra_sets + extra) * 6u;
    let pair = vec2(influences[start], influences[start + 1u]);
    let w = vec4(influences[start + 2u], influences[start + 3u], influences[start + 4u], influences[start + 5u]);
    return InfluenceSet(vec4(pair.x & 0xffffu, pair.x >> 16u, pair.y & 0xffffu, pair.y >> 16u), bitcast<vec4<f32>>(w));
}

// Returns the weighted sum of the palette matrices of all joints that influence a vertex. The first set is a vertex attribute; further sets
// are read from the buffer.
fn skin_matrix(vertex: u32, instance: Instance, joints: vec4<u32>, first_weights: vec4<f32>) -> mat3x4<f32> {
    var matrix = weighted_matrix(instance.palette_base, joints, first_weights);
    if (!extra_influences) {
        return matrix;
    }
    for (var extra = 0u; extra < instance.extra_sets; extra++) {
        let influence_set = extra_influence_set(vertex, instance, extra);
        matrix += weighted_matrix(instance.palette_base, influence_set.joints, influence_set.weights);
    }
    return matrix;
}

// Decodes a direction from a point on an octahedron that is unfolded to a square, -1 to 1 (Cigolle et al., A Survey of Efficient
// Representations for Independent Unit Vectors, 2014). `octahedral` in src/render/model/vertex.rs encodes it.
fn from_octahedron(point: vec2<f32>) -> vec3<f32> {
    let z = 1.0 - abs(point.x) - abs(point.y);
    let folded = max(-z, 0.0);
    return normalize(vec3(point - select(vec2(-folded), vec2(folded), point >= vec2(0.0)), z));
}

// Normalizes a vector; zero stays zero.
fn unit_or_zero(v: vec3<f32>) -> vec3<f32> {
    let length_squared = dot(v, v);
    return select(vec3(0.0), v * inverseSqrt(length_squared), length_squared > 0.0);
}

// Returns the linear part of an affine matrix, both given by rows, divided by its largest element. Otherwise the cofactors of a tiny or
// huge scale would leave the range of f32. The division does not change the directions that are computed from the matrix.
fn direction_rows(matrix: mat3x4<f32>) -> mat3x3<f32> {
    let largest = max(max(abs(matrix[0].xyz), abs(matrix[1].xyz)), abs(matrix[2].xyz));
    let scale = 1.0 / max(max(largest.x, max(largest.y, largest.z)), 1e-30);
    return mat3x3(matrix[0].xyz * scale, matrix[1].xyz * scale, matrix[2].xyz * scale);
}

// Returns -1 if a matrix mirrors, else 1.
fn mirror_sign(rows: mat3x3<f32>) -> f32 {
    return select(1.0, -1.0, dot(rows[0], cross(rows[1], rows[2])) < 0.0);
}

// Transforms a shape by an affine matrix, which is given by rows. The resulting position is relative to the anchor.
fn transformed(shape: Shape, matrix: mat3x4<f32>) -> Shape {
    if (positions_only) {
        return Shape(vec4(shape.position, 1.0) * matrix, vec3(0.0), vec4(0.0));
    }
    let rows = direction_rows(matrix);
    let x = rows[0];
    let y = rows[1];
    let z = rows[2];
    // Normals transform by the cofactor matrix, which is the inverse transpose times the determinant. It also exists for a scale of 0.
    // If the matrix mirrors, the sign of the normal must be corrected.
    let mirror = mirror_sign(rows);
    let n = shape.normal;
    let normal = vec3(dot(cross(y, z), n), dot(cross(z, x), n), dot(cross(x, y), n)) * mirror;
    let t = shape.tangent.xyz;
    let tangent = vec3(dot(x, t), dot(y, t), dot(z, t));
    return Shape(
        vec4(shape.position, 1.0) * matrix,
        unit_or_zero(normal),
        vec4(unit_or_zero(tangent), shape.tangent.w * mirror),
    );
}
