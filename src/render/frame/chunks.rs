//! Divides large numbers of triangles into chunks that are submitted one by one. A software rasterizer keeps about 100 bytes for every
//! triangle that is submitted but not drawn yet, so without chunks, stills of heavy models would take very much memory.

use std::time::{Duration, Instant};

use crate::render::draw_list::DrawList;
use crate::render::draw_list::draw::{Draw, DrawRange};
use crate::render::passes::composite;
use crate::render::passes::context::FrameContext;
use crate::render::passes::scene::ScenePass;
use crate::render::pipelines::key::SurfaceKey;

/// Chunks end at a multiple of this many indices, so that they hold whole points, lines and triangles.
const INDEX_MULTIPLE: u32 = 6;

/// Records and submits chunks, with at most two in flight. If there are fewer than two chunks, it records nothing and leaves them to the
/// caller. Sets how the next pass must load the scene: [`wgpu::LoadOp::Load`] if the chunks were drawn. Returns the time spent waiting for
/// earlier chunks.
fn record(scene: &ScenePass, frame: &mut FrameContext, chunks: &[Vec<DrawRange>], load: &mut wgpu::LoadOp<wgpu::Color>) -> Duration {
    let (mut in_flight, mut waited) = (None, Duration::ZERO);
    if chunks.len() < 2 {
        return waited;
    }
    for chunk in chunks {
        scene.record_chunk(frame, chunk, *load);
        let next = frame.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("chunk") });
        let submitted = frame.gpu.queue.submit([std::mem::replace(frame.encoder, next).finish()]);
        if let Some(previous) = in_flight.replace(submitted) {
            let start = Instant::now();
            // If the device is lost, there is no work to wait for. The caller reports the loss when it reads the picture back.
            let _ = frame.gpu.device.poll(wgpu::PollType::Wait { submission_index: Some(previous), timeout: None });
            waited += start.elapsed();
        }
        *load = wgpu::LoadOp::Load;
    }
    waited
}

/// Divides draws, in their order, into chunks of at most `max_indices` indices. Each index counts once per instance. A chunk of a draw with
/// very many instances may exceed the limit, because a chunk holds at least [`INDEX_MULTIPLE`] indices of a draw.
pub(crate) fn divide<'d, 'a: 'd>(draws: impl Iterator<Item = (&'d Draw<'a>, SurfaceKey)>, max_indices: u32) -> Vec<Vec<DrawRange<'d, 'a>>> {
    let (mut chunks, mut chunk, mut room) = (Vec::new(), Vec::new(), max_indices);
    for (draw, key) in draws.filter(|(draw, _)| draw.is_in_picture()) {
        let instances = draw.instances.len() as u32;
        let all = &draw.indices;
        let mut start = all.start;
        while start < all.end {
            // A draw that does not fit continues in the next chunk.
            let fit = (room / instances.max(1) / INDEX_MULTIPLE * INDEX_MULTIPLE).max(INDEX_MULTIPLE);
            let end = all.end.min(start.saturating_add(fit));
            chunk.push(DrawRange { draw, key, indices: start..end });
            room = room.saturating_sub((end - start).saturating_mul(instances));
            if room < INDEX_MULTIPLE {
                chunks.push(std::mem::take(&mut chunk));
                room = max_indices;
            }
            start = end;
        }
    }
    if !chunk.is_empty() {
        chunks.push(chunk);
    }
    chunks
}

/// Records the scene in one pass, or in chunks of at most `max_indices` indices. Returns the time spent waiting for earlier chunks.
pub(crate) fn record_scene(scene: &ScenePass, frame: &mut FrameContext, list: &DrawList, max_indices: u32) -> Duration {
    let mut load = wgpu::LoadOp::Clear(composite::clear_color(list.background, list.options.xray));
    let mut waited = record(scene, frame, &divide(list.draws.solid_with_keys(), max_indices), &mut load);
    let ghosts = divide(list.draws.ghosts_with_keys(), max_indices);
    if ghosts.len() > 1 {
        scene.record_start(frame, list, load);
        waited += record(scene, frame, &ghosts, &mut wgpu::LoadOp::Load);
        scene.record_end(frame, list);
    } else {
        scene.record(frame, list, load, ghosts.first().map_or(&[], Vec::as_slice));
    }
    waited
}
