// Joints as octahedra over the picture: from a joint to where it points, thickest near the joint. One instance each
// (src/render/joints.rs), eight faces of three vertices.

// In the scene colours are linear, over the picture they are bytes.
override in_scene: bool = false;

struct Octahedron {
    // Relative to the anchor.
    @location(0) start: vec3<f32>,
    @location(1) end: vec3<f32>,
    // From the axis to a corner of the square around it.
    @location(2) side: vec3<f32>,
    @location(3) color: vec4<f32>,
    @location(4) edge: vec4<f32>,
}

struct JointVaryings {
    @builtin(position) clip: vec4<f32>,
    // One for each corner of the face.
    @location(0) weights: vec3<f32>,
    @location(1) @interpolate(flat) color: vec4<f32>,
    @location(2) @interpolate(flat) edge: vec4<f32>,
}

// Where the square stands, of the way from the joint to its end.
const WAIST = 0.12;

fn quarter(side: vec3<f32>, up: vec3<f32>, turn: u32) -> vec3<f32> {
    let axis = select(side, up, (turn & 1u) == 1u);
    return select(axis, -axis, (turn & 2u) == 2u);
}

@vertex
fn octahedron(in: Octahedron, @builtin(vertex_index) i: u32) -> JointVaryings {
    let face = i / 3u;
    let along = in.end - in.start;
    let up = cross(normalize(along), in.side);
    let waist = in.start + along * WAIST;
    let tip = select(in.start, in.end, face >= 4u);
    let a = waist + quarter(in.side, up, face % 4u);
    let b = waist + quarter(in.side, up, face % 4u + 1u);
    var corners = array<vec3<f32>, 3>(tip, a, b);
    var weights = array<vec3<f32>, 3>(vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0), vec3(0.0, 0.0, 1.0));
    let across = normalize(cross(a - tip, b - tip));
    let normal = select(across, -across, dot(across, a + b - 2.0 * waist) < 0.0);
    let to_eye = normalize(frame.eye.xyz - waist * frame.eye.w);
    let light = clamp(0.55 + 0.35 * dot(normal, to_eye) + 0.15 * normal.y, 0.0, 1.0);
    return JointVaryings(
        frame.clip_from_anchored * vec4(corners[i % 3u], 1.0),
        weights[i % 3u],
        vec4(in.color.rgb * light, in.color.a),
        in.edge,
    );
}

@fragment
fn joint_color(in: JointVaryings) -> @location(0) vec4<f32> {
    let dx = dpdx(in.weights);
    let dy = dpdy(in.weights);
    let away = abs(in.weights) / max(sqrt(dx * dx + dy * dy), vec3(1e-9));
    let line = clamp(0.5 * frame.pixels_per_point + 0.5 - min(min(away.x, away.y), away.z), 0.0, 1.0);
    var color = mix(in.color, in.edge, line * 0.6);
    if (in_scene) {
        color = vec4(linear_from_srgb(color.rgb), color.a);
    }
    return vec4(color.rgb * color.a, color.a);
}
