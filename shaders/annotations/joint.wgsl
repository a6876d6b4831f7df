// Draws each joint as a solid, one instance per joint: an octahedron that is thickest near the joint, a sphere with a spike, or a box.
// Has no bindings of its own; reads `frame`.

// Whether the target is the scene, which takes linear colors. The overlay takes sRGB.
override in_scene: bool = false;

// An instance; positions are relative to the anchor. Keep in sync with `GpuSolidJoint` in src/render/annotations/skeleton.rs.
struct Joint {
    // Position of the joint.
    @location(0) start: vec3<f32>,
    @location(1) end: vec3<f32>,
    // Vector from the axis (`start` to `end`) to a corner of the square around it. The length of this vector is the radius of a sphere.
    @location(2) side: vec3<f32>,
    @location(3) color: vec4<f32>,
    @location(4) edge: vec4<f32>,
    @location(5) solid: u32,
}

// A corner of a face, or of a sphere's disc.
struct JointVaryings {
    @builtin(position) clip: vec4<f32>,
    // Barycentric coordinates of the face. Each is 0 on one side of the face. If that side is no edge of the solid, 1 is added to the
    // coordinate.
    @location(0) weights: vec3<f32>,
    @location(1) @interpolate(flat) color: vec4<f32>,
    @location(2) @interpolate(flat) edge: vec4<f32>,
    // Position on a sphere's disc, which faces the camera and has radius 1.
    @location(3) disc: vec2<f32>,
    // Whether this is a sphere's disc, which is lit per fragment. The color of a face already includes the light.
    @location(4) @interpolate(flat) is_disc: u32,
}

// Values of `solid`; 0 is the octahedron. Keep in sync with `Solid` in src/render/annotations/skeleton.rs.
const SPHERE = 1u;
const BOX = 2u;

// Position of an octahedron's square, as a fraction of the distance from the joint to its end.
const OCTAHEDRON_SQUARE_POSITION = 0.12;
// Thickness of a box relative to an octahedron.
const BOX_THICKNESS = 0.7;
// Thickness of a sphere's spike relative to the sphere.
const SPIKE_THICKNESS = 0.5;
// Size of the quad that a disc is drawn on, relative to the disc. The margin is for a smooth edge.
const DISC_QUAD_SIZE = 1.2;
// Direction to the light along the camera's right, up and backward axes. The light is at the upper left, in front of the joint.
const TO_LIGHT = vec3(-0.48, 0.72, 0.5);
// Brightness that this light adds to a surface that faces it, and brightness that every surface has.
const DIRECTIONAL_LIGHT = 0.42;
const AMBIENT_LIGHT = 0.7;
// Half the width of an edge, in points, and its opacity, 0 to 1.
const EDGE_HALF_WIDTH = 0.6;
const EDGE_OPACITY = 0.9;
// The edges of a face fade if its height on the screen is less than this, in points. Otherwise they would darken all of a thin joint.
const EDGE_FADE_HEIGHT = 8.0;

// A triangle of a solid.
struct Face {
    corners: array<vec3<f32>, 3>,
    // The corner opposite to the side that is no edge of the solid; 3 if every side is an edge.
    inner: u32,
}

// Returns the light on a surface with this normal, in the camera's axes.
fn light_on(normal: vec3<f32>) -> f32 {
    return clamp(AMBIENT_LIGHT + DIRECTIONAL_LIGHT * dot(normal, TO_LIGHT), 0.0, 1.0);
}

// Returns the right, up and backward axes of a camera that looks straight at a joint.
fn camera_axes(to_eye: vec3<f32>) -> mat3x3<f32> {
    let right = normalize(cross(select(vec3(0.0, 1.0, 0.0), vec3(1.0, 0.0, 0.0), abs(to_eye.y) > 0.99), to_eye));
    return mat3x3(right, cross(to_eye, right), to_eye);
}

// Returns a corner of a square about the origin, whose half diagonals are `side` and `up`. Corners are numbered in order around it.
fn square_corner(side: vec3<f32>, up: vec3<f32>, corner: u32) -> vec3<f32> {
    let axis = select(side, up, (corner & 1u) == 1u);
    return select(axis, -axis, (corner & 2u) == 2u);
}

// Returns a face of a pyramid: its tip and two neighboring corners of its square.
fn pyramid(tip: vec3<f32>, middle: vec3<f32>, side: vec3<f32>, up: vec3<f32>, face: u32) -> Face {
    return Face(array(tip, middle + square_corner(side, up, face), middle + square_corner(side, up, face + 1u)), 3u);
}

// Returns one of the two triangles of a quad.
fn quad_triangle(square: array<vec3<f32>, 4>, second: bool) -> Face {
    if (second) {
        return Face(array(square[0], square[2], square[3]), 2u);
    }
    return Face(array(square[0], square[1], square[2]), 1u);
}

// Returns one of the twelve triangles of a box: eight on its long sides, then two at each end.
fn box(joint: Joint, side: vec3<f32>, up: vec3<f32>, face: u32) -> Face {
    let second = (face & 1u) == 1u;
    let a = square_corner(side, up, face / 2u);
    let b = square_corner(side, up, face / 2u + 1u);
    if (face < 8u) {
        return quad_triangle(array(joint.start + a, joint.start + b, joint.end + b, joint.end + a), second);
    }
    let middle = select(joint.start, joint.end, face >= 10u);
    return quad_triangle(array(middle + side, middle + up, middle - side, middle - up), second);
}

// Each instance has 36 vertices, enough for a box. Triangles that a solid does not use collapse to a point.
@vertex
fn solid_joint(in: Joint, @builtin(vertex_index) i: u32) -> JointVaryings {
    let face = i / 3u;
    let along = in.end - in.start;
    let up = cross(normalize(along), in.side);
    let square_center = in.start + along * OCTAHEDRON_SQUARE_POSITION;
    let to_eye = normalize(frame.eye.xyz - square_center * frame.eye.w);
    if (in.solid == SPHERE && (face == 4u || face == 5u)) {
        return sphere(in, to_eye, i - 12u);
    }
    var middle = square_center;
    var shape = Face(array(square_center, square_center, square_center), 3u);
    if (in.solid == BOX) {
        middle = in.start + along * 0.5;
        shape = box(in, in.side * BOX_THICKNESS, up * BOX_THICKNESS, face);
    } else if (in.solid == SPHERE && face < 4u) {
        shape = pyramid(in.end, in.start, in.side * SPIKE_THICKNESS, up * SPIKE_THICKNESS, face);
    } else if (in.solid != SPHERE && face < 8u) {
        shape = pyramid(select(in.start, in.end, face >= 4u), square_center, in.side, up, face % 4u);
    }
    var weights = array<vec3<f32>, 3>(vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0), vec3(0.0, 0.0, 1.0));
    // A corner's weight is 0 on the opposite side. Adding 1 to the weight keeps this side from being drawn as an edge.
    let inner = vec3(f32(shape.inner == 0u), f32(shape.inner == 1u), f32(shape.inner == 2u));
    let a = shape.corners[0];
    let perpendicular = normalize(cross(shape.corners[1] - a, shape.corners[2] - a));
    let outwards = a + shape.corners[1] + shape.corners[2] - 3.0 * middle;
    let normal = select(perpendicular, -perpendicular, dot(perpendicular, outwards) < 0.0);
    let light = light_on(normal * camera_axes(to_eye));
    return JointVaryings(
        frame.clip_from_anchored * vec4(shape.corners[i % 3u], 1.0),
        weights[i % 3u] + inner,
        vec4(in.color.rgb * light, in.color.a),
        in.edge,
        vec2(0.0),
        0u,
    );
}

// Returns a vertex of a sphere's disc. The disc lies in front of the part of the spike that the sphere hides.
fn sphere(in: Joint, to_eye: vec3<f32>, i: u32) -> JointVaryings {
    let radius = length(in.side);
    let axes = camera_axes(to_eye);
    var corners = array<vec2<f32>, 4>(vec2(-1.0, -1.0), vec2(1.0, -1.0), vec2(-1.0, 1.0), vec2(1.0, 1.0));
    let disc = corners[select(i, 6u - i, i >= 3u)] * DISC_QUAD_SIZE;
    let position = in.start + axes * vec3(disc, 1.0) * radius;
    return JointVaryings(
        frame.clip_from_anchored * vec4(position, 1.0),
        vec3(1.0),
        in.color,
        in.edge,
        disc,
        1u,
    );
}

// Shades a face or a disc, and draws its edges.
@fragment
fn joint_color(in: JointVaryings) -> @location(0) vec4<f32> {
    let dx = dpdx(in.weights);
    let dy = dpdy(in.weights);
    // Heights of the face and distances to its edges, in pixels.
    let heights = 1.0 / max(sqrt(dx * dx + dy * dy), vec3(1e-9));
    let edge_distances = abs(in.weights) * heights;
    var to_edge = min(min(edge_distances.x, edge_distances.y), edge_distances.z);
    var height = min(min(heights.x, heights.y), heights.z);
    var color = in.color;
    let radius = length(in.disc);
    let pixel = max(fwidth(radius), 1e-9);
    let to_rim = (1.0 - radius) / pixel;
    if (in.is_disc == 1u) {
        if (to_rim < -0.5) {
            discard;
        }
        let toward_eye = sqrt(max(1.0 - radius * radius, 0.0));
        color = vec4(color.rgb * light_on(vec3(in.disc, toward_eye)), color.a);
        color.a *= clamp(to_rim + 0.5, 0.0, 1.0);
        to_edge = to_rim;
        height = 2.0 / pixel;
    }
    let line = clamp(EDGE_HALF_WIDTH * frame.pixels_per_point + 0.5 - to_edge, 0.0, 1.0);
    let opacity = EDGE_OPACITY * clamp(height / (EDGE_FADE_HEIGHT * frame.pixels_per_point), 0.4, 1.0);
    color = vec4(mix(color.rgb, in.edge.rgb, line * opacity), color.a);
    if (in_scene) {
        color = vec4(linear_from_srgb(color.rgb), color.a);
    }
    return vec4(color.rgb * color.a, color.a);
}
