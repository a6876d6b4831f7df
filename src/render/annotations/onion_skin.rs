//! Turns the ghosts of the onion skin into actors: the model at other times or in another pose, each with its own tint.

use glam::Vec4;

use crate::colors::{self, Colors};
use crate::model::Model;
use crate::render::actor::Actor;
use crate::render::device::gpu::Gpu;
use crate::render::model::GpuModel;
use crate::session::pose::onion_skin::{Ghost, GhostPoses};

/// Opacity of the nearest ghost, of the next one, and of all others.
const OPACITIES: [f32; 3] = [0.6, 0.42, 0.28];
/// Maximum number of vertices of all ghosts in a frame on software rasterizers. Each ghost is drawn twice, so each vertex is deformed
/// twice.
const MAX_SOFTWARE_VERTICES: usize = 120_000;

/// Returns one actor per ghost, in the order of `ghosts`. `gpu` is the uploaded `model`.
pub fn actors<'a>(model: &'a Model, gpu: &'a GpuModel, ghosts: &'a GhostPoses, theme: &'a Colors) -> impl Iterator<Item = Actor<'a>> {
    ghosts
        .iter()
        .map(move |ghost| Actor { ghost: Some(tint(&ghost.ghost, theme)), ..Actor::single(model, gpu, &ghost.posed, ghost.palette()) })
}

/// Returns how many of the ghosts are drawn while the picture moves. The ghosts must be ordered by nearness in time. On software
/// rasterizers, drawing more ghosts would block the window.
pub fn count_while_moving(gpu: &Gpu, ghosts: &[Actor]) -> usize {
    let vertices = ghosts.first().map_or(0, Actor::vertex_count).max(1);
    if gpu.is_hardware() { ghosts.len() } else { ghosts.len().min(MAX_SOFTWARE_VERTICES / vertices) }
}

/// Returns the linear color of a ghost, with its opacity as alpha. Ghosts that are more steps away are fainter.
fn tint(ghost: &Ghost, theme: &Colors) -> Vec4 {
    let steps = ghost.step.unsigned_abs().clamp(1, OPACITIES.len() as u32) as usize;
    let opacity = OPACITIES[steps - 1];
    // With linear blending, a dark ghost hides less of a light background than its alpha suggests, so its opacity is raised.
    let opacity = if theme.is_light { 1.0 - (1.0 - opacity).powf(3.0) } else { opacity };
    colors::linear(theme.ghosts[ghost.kind() as usize]).extend(opacity)
}
