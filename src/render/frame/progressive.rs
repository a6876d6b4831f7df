//! Draws a still picture over several frames: first everything but its ghosts, then the ghosts chunk by chunk. Heavy onion skins take 3 to
//! 8 s on software rasterizers and would block the window for as long. The picture before stays on the screen until the new one is
//! complete.

use crate::render::draw_list::DrawList;
use crate::render::draw_list::draw::DrawChunk;
use crate::render::passes::composite;
use crate::render::passes::context::FrameContext;
use crate::render::passes::scene::ScenePass;

/// How much of a picture is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) enum Progress {
    /// Nothing is drawn yet. While something moves, every frame is drawn whole.
    #[default]
    Moving,
    /// Everything before the ghosts is drawn, and one ghost chunk less than this number.
    Started(usize),
    /// The whole picture is drawn.
    Complete,
}

/// Records the next part of a picture: what comes before the ghosts, one chunk of ghosts, or the last chunk with everything after it.
/// Returns the new progress.
pub(crate) fn record(
    progress: Progress,
    scene: &ScenePass,
    frame: &mut FrameContext,
    list: &DrawList,
    ghosts: &[Vec<DrawChunk>],
) -> Progress {
    let done = if let Progress::Started(done) = progress {
        done
    } else {
        scene.record_start(frame, list, wgpu::LoadOp::Clear(composite::clear_color(list.background, list.options.xray)));
        0
    };
    if let Some(chunk) = done.checked_sub(1).and_then(|done| ghosts.get(done)) {
        scene.record_chunk(frame, chunk, wgpu::LoadOp::Load);
    }
    if done < ghosts.len() {
        return Progress::Started(done + 1);
    }
    scene.record_end(frame, list);
    Progress::Complete
}
