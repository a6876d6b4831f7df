// Draws an outline of constant width around the mask of the selection, in two steps: `block` finds the blocks of the picture that the
// outline may cross, and `outline_color` draws the outline in them.
//
//   group 0   0  uniform  frame
//   group 1   0  texture  mask       coverage; larger than the picture by frame.margin pixels on every side
//             1  texture  blocks     0: no pixel nearby is covered; 1: all pixels nearby are covered; else a value in between

// Side of a block, in pixels of the picture. Keep in sync with src/render/passes/outline.rs.
const BLOCK = 8;

@group(1) @binding(0) var mask: texture_2d<f32>;
@group(1) @binding(1) var blocks: texture_2d<f32>;

// One triangle that covers the target.
@vertex
fn fullscreen(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {
    return vec4(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

// Width of the line in pixels. Keep in sync with `OUTLINE_WIDTH` in src/render/passes/outline.rs.
fn outline_width() -> f32 {
    return 2.0 * frame.pixels_per_point;
}

// Computes the value of a block: the mean of the lowest and the highest coverage in the block and in a border as wide as the line.
@fragment
fn block(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let reach = i32(ceil(outline_width()));
    let size = vec2<i32>(textureDimensions(mask));
    let start = vec2<i32>(position.xy) * BLOCK + i32(frame.margin) - reach;
    let end = min(start + BLOCK + 2 * reach, size);
    var low = 1.0;
    var high = 0.0;
    for (var y = start.y; y < end.y; y++) {
        for (var x = start.x; x < end.x; x++) {
            let coverage = textureLoad(mask, vec2(x, y), 0).r;
            low = min(low, coverage);
            high = max(high, coverage);
        }
    }
    return vec4((low + high) * 0.5);
}

// Draws the outline outside the covered pixels, premultiplied. Its opacity is the largest coverage of the mask within the line's width.
@fragment
fn outline_color(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = vec2<i32>(position.xy);
    let block_coverage = textureLoad(blocks, pixel / BLOCK, 0).r;
    if (block_coverage < 0.01 || block_coverage > 0.99) {
        discard;
    }
    let width = outline_width();
    let reach = i32(ceil(width));
    let center = pixel + i32(frame.margin);
    var widened_coverage = 0.0;
    for (var y = -reach; y <= reach; y++) {
        for (var x = -reach; x <= reach; x++) {
            let coverage = textureLoad(mask, center + vec2(x, y), 0).r;
            widened_coverage = max(widened_coverage, coverage * clamp(width + 1.0 - length(vec2(f32(x), f32(y))), 0.0, 1.0));
        }
    }
    let alpha = widened_coverage * (1.0 - textureLoad(mask, center, 0).r) * frame.outline.a;
    return vec4(frame.outline.rgb * alpha, alpha);
}
