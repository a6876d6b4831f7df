//! Lists the pipelines that a draw list needs, checks whether they are made, and requests the missing ones.

use crate::render::bind_groups::frame_group::FrameViews;
use crate::render::buffers::arena::BufferRange;
use crate::render::draw_list::DrawList;
use crate::render::draw_list::draw::Draw;
use crate::render::draw_list::key::shadow_caster_key;
use crate::render::passes::context::SharedResources;
use crate::render::passes::overlay::OverlayPass;
use crate::render::passes::scene::ScenePass;
use crate::render::pipelines::Pipelines;
use crate::render::pipelines::key::{Alpha, PipelineKey, Role, SampledKey, tonemap_index};
use crate::render::pipelines::warmup::{PipelineRequest, WarmupDraw};

/// Maximum number of warm-up draws per pipeline. Each warm-up draw binds the textures of a different material, because some drivers compile
/// the pipeline again for other textures.
const MAX_WARMUP_DRAWS: usize = 64;

/// The resources that warm-up draws bind.
pub(crate) struct WarmupBindings<'f> {
    /// Group 0 of the shadow pass.
    pub shadow_group: &'f wgpu::BindGroup,
    pub scene: &'f ScenePass,
    pub overlay: &'f OverlayPass,
    /// The resources of group 0 for a warm-up on a software rasterizer. `None` on other adapters. Also `None` for the first picture,
    /// because the warm-up would delay it.
    pub software_warmup: Option<FrameViews>,
}

/// Returns whether every pipeline is made or has failed.
pub(crate) fn are_ready(keys: &[SampledKey], pipelines: &Pipelines) -> bool {
    keys.iter().all(|key| pipelines.is_ready(*key))
}

/// Returns whether every pipeline has been requested. Each of them may be made, be in progress, or have failed.
pub(crate) fn are_known(keys: &[SampledKey], pipelines: &Pipelines) -> bool {
    keys.iter().all(|key| pipelines.is_known(*key))
}

/// Requests the pipelines that have not been requested yet, each with draws to warm it up.
pub(crate) fn request_missing(list: &DrawList, shared: &mut SharedResources, bindings: &WarmupBindings) {
    let software_warmup = || bindings.software_warmup.clone();
    // A file may need very many pipelines for its surfaces. Those of the passes come first, because nothing can be shown without them.
    let missing: Vec<_> = pass_keys(list).filter(|key| !shared.pipelines.is_known(key.sampled(list.samples))).collect();
    for key in missing {
        let vertices = bindings.scene.vertex_buffer(key).or(bindings.overlay.vertex_buffer(key));
        let with_group = |group: &wgpu::BindGroup| WarmupDraw {
            groups: vec![Some(group.clone())],
            vertices: vec![vertices.map(BufferRange::whole)],
            indices: None,
            instance: 0,
            material: None,
        };
        let draws = shared.frame.group().filter(|_| binds_frame_alone(key)).map(with_group).into_iter().collect();
        shared.pipelines.request(PipelineRequest { key: key.sampled(list.samples), draws, software_warmup: software_warmup() });
    }
    for (key, draws) in missing_surfaces(list, &shared.pipelines) {
        let frame_group = if matches!(key, PipelineKey::ShadowCaster(_)) { Some(bindings.shadow_group) } else { shared.frame.group() };
        let draws = draws.iter().filter_map(|draw| shared.draws.warmup_draw(draw, frame_group)).collect();
        shared.pipelines.request(PipelineRequest { key: key.sampled(list.samples), draws, software_warmup: software_warmup() });
    }
}

/// Lists the missing pipelines of surfaces and shadow casters, each with one draw per material, but at most [`MAX_WARMUP_DRAWS`].
fn missing_surfaces<'l, 'a>(list: &'l DrawList<'a>, pipelines: &Pipelines) -> Vec<(PipelineKey, Vec<&'l Draw<'a>>)> {
    let mut missing: Vec<(PipelineKey, Vec<&Draw>)> = Vec::new();
    let keys = surface_keys(list, list.draws.surfaces()).chain(shadow_keys(list, list.draws.surfaces()));
    for (draw, key) in keys.filter(|(_, key)| !pipelines.is_known(key.sampled(list.samples))) {
        match missing.iter_mut().find(|(known, _)| *known == key) {
            Some((_, draws)) if draws.len() >= MAX_WARMUP_DRAWS => {}
            Some((_, draws)) if draws.iter().any(|known| std::ptr::eq(known.material, draw.material)) => {}
            Some((_, draws)) => draws.push(draw),
            None => missing.push((key, vec![draw])),
        }
    }
    missing
}

/// Returns whether a pipeline binds only the frame's bind group, so that a warm-up draw needs no other groups.
fn binds_frame_alone(key: PipelineKey) -> bool {
    !matches!(
        key,
        PipelineKey::Composite | PipelineKey::Backdrop(_) | PipelineKey::BackdropMip | PipelineKey::Outline | PipelineKey::OutlineBlocks
    )
}

/// Lists all pipelines of the list. A key may occur more than once.
pub(crate) fn keys(list: &DrawList) -> Vec<SampledKey> {
    let mut keys: Vec<SampledKey> = Vec::new();
    // Neighboring surfaces often need the same pipelines. One of them is enough.
    let runs = |draws| <[Draw]>::chunk_by(draws, |a, b| need_same_pipelines(list, a, b)).map(|run| &run[0]);
    let surfaces = runs(&list.draws.solid).chain(runs(&list.draws.blended));
    for key in pass_keys(list).chain(surface_keys(list, surfaces.clone()).chain(shadow_keys(list, surfaces)).map(|(_, key)| key)) {
        let key = key.sampled(list.samples);
        // Outlines and ghosts repeat their keys.
        if keys.last() != Some(&key) {
            keys.push(key);
        }
    }
    keys
}

/// Returns whether two surfaces need the same pipelines.
fn need_same_pipelines(list: &DrawList, a: &Draw, b: &Draw) -> bool {
    // Solid surfaces need no pipeline apart from that of their key.
    let shades_alike = a.key == b.key && (a.key.alpha != Alpha::Blend || a.keys().eq(b.keys()));
    shades_alike && (list.shadow.is_none() || shadow_caster_key(a) == shadow_caster_key(b))
}

/// Lists the pipelines that draw something other than primitives of a file.
fn pass_keys(list: &DrawList) -> impl Iterator<Item = PipelineKey> {
    let under = list.options.xray;
    let overlay = list.overlay();
    let tonemap = tonemap_index(list.options.tonemap);
    let single = [
        Some(PipelineKey::Composite),
        list.shows_environment().then_some(PipelineKey::Background { tonemap, under }),
        list.shadow.is_some().then_some(PipelineKey::Ground),
        list.options.grid.then_some(PipelineKey::Grid { under }),
        (list.axes > 0).then_some(PipelineKey::SceneLines { under }),
        (list.scene_lines.len() > list.axes).then_some(PipelineKey::SceneLines { under: false }),
        (overlay.lines > 0).then_some(PipelineKey::OverlayLines),
        (!list.solid_joints.is_empty()).then_some(PipelineKey::SolidJoints { in_scene: list.has_solid_joints_in_scene() }),
    ];
    let backdrop = list.draws.has_transmission.then_some([PipelineKey::Backdrop(tonemap), PipelineKey::BackdropMip]);
    let outline = overlay.outline.then_some([PipelineKey::OutlineBlocks, PipelineKey::Outline]);
    single.into_iter().flatten().chain([backdrop, outline].into_iter().flatten().flatten())
}

/// Lists the pipelines that shade surfaces or draw their edges, and the pipelines of outlines and ghosts. `surfaces` are surfaces of the
/// list.
fn surface_keys<'l, 'a>(
    list: &'l DrawList<'a>,
    surfaces: impl Iterator<Item = &'l Draw<'a>> + Clone,
) -> impl Iterator<Item = (&'l Draw<'a>, PipelineKey)> {
    let draws = &list.draws;
    let shaded = surfaces.clone().flat_map(|draw| draw.keys().map(move |key| (draw, key)));
    let edged = surfaces.filter(|draw| list.options.wireframe && draw.key.points_or_lines.is_none());
    let edged = edged.map(|draw| (draw, draw.key_for(Role::Wireframe)));
    let outlined = draws.outlined.iter().map(|draw| (draw, draw.key_for(Role::OutlineMask)));
    let all = shaded.chain(edged).chain(outlined).chain(draws.ghosts_with_keys());
    all.map(|(draw, key)| (draw, PipelineKey::Surface(key)))
}

/// Lists the pipelines that draw the shadows of surfaces.
fn shadow_keys<'l, 'a>(
    list: &'l DrawList<'a>,
    surfaces: impl Iterator<Item = &'l Draw<'a>>,
) -> impl Iterator<Item = (&'l Draw<'a>, PipelineKey)> {
    let casters = surfaces.filter(|_| list.shadow.is_some());
    casters.filter_map(|draw| Some((draw, PipelineKey::ShadowCaster(shadow_caster_key(draw)?))))
}
