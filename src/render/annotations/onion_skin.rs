//! The onion skin as actors: the same model at other times or in another pose, in the colour of that.

use glam::Vec4;

use crate::model::Model;
use crate::render::actor::Actor;
use crate::render::device::gpu::Gpu;
use crate::render::model::GpuModel;
use crate::session::pose::onion_skin::{Ghost, GhostPoses};

use super::line::{self, Theme};

/// How dense the nearest ghost is, the next one, and the furthest.
const DENSITIES: [f32; 3] = [0.6, 0.42, 0.28];
/// Of all ghosts in a frame, where the processor draws. Each of them is deformed twice.
const VERTICES_AT_ONCE: usize = 120_000;

pub fn actors<'a>(model: &'a Model, gpu: &'a GpuModel, haunting: &'a GhostPoses, theme: &'a Theme) -> impl Iterator<Item = Actor<'a>> {
    haunting.iter().map(move |haunted| Actor {
        model,
        gpu,
        count: 1,
        palettes: haunted.palette(),
        weights: &haunted.posed.pose.weights,
        materials: &haunted.posed.materials,
        tints: &[],
        left: &haunted.posed.left,
        visible: &haunted.posed.shown,
        ghost: Some(tint(&haunted.ghost, theme)),
        outlined: &[],
    })
}

/// Of these, the nearest in time first, so many are drawn while something moves: where the processor draws, each would keep the
/// window from going on.
pub fn at_once(gpu: &Gpu, ghosts: &[Actor]) -> usize {
    let vertices = ghosts.first().map_or(0, Actor::vertices).max(1);
    if gpu.is_hardware() { ghosts.len() } else { ghosts.len().min(VERTICES_AT_ONCE / vertices) }
}

fn tint(ghost: &Ghost, theme: &Theme) -> Vec4 {
    let away = ghost.step.unsigned_abs().clamp(1, DENSITIES.len() as u32) as usize;
    let density = DENSITIES[away - 1];
    // Light is blended: what is dark hides less of a light background than it seems.
    let density = if *theme == Theme::LIGHT { 1.0 - (1.0 - density).powf(3.0) } else { density };
    line::linear(theme.ghosts[ghost.kind() as usize]).extend(density)
}
