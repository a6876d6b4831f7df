//! Draws a still picture over several frames: first everything before its ghosts, then the ghosts chunk by chunk, then what is drawn over
//! them (blended surfaces, wireframe, lines). Heavy onion skins take 3 to 8 s on software rasterizers and would block the window for as
//! long. The previous picture stays on the screen until the new one is complete.

use crate::render::draw_list::DrawList;
use crate::render::draw_list::draw::DrawRange;
use crate::render::passes::composite;
use crate::render::passes::context::FrameContext;
use crate::render::passes::scene::ScenePass;

/// How much of a picture is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) enum Progress {
    /// Nothing is drawn yet. This includes the time while something moves, because each frame is then drawn in one go.
    #[default]
    NotStarted,
    /// Everything before the ghosts is drawn, and so are the chunks of ghosts before `next_chunk`.
    Started { next_chunk: usize },
    /// The whole picture is drawn.
    Complete,
}

/// Records the next step of a picture and returns the new progress. The first step is everything before the ghosts. Each further step is
/// one chunk of ghosts. The last step also records what is drawn after the ghosts.
pub(crate) fn record(
    progress: Progress,
    scene: &ScenePass,
    frame: &mut FrameContext,
    list: &DrawList,
    ghosts: &[Vec<DrawRange>],
) -> Progress {
    let next_chunk = if let Progress::Started { next_chunk } = progress {
        if let Some(chunk) = ghosts.get(next_chunk) {
            scene.record_chunk(frame, chunk, wgpu::LoadOp::Load);
        }
        next_chunk + 1
    } else {
        scene.record_start(frame, list, wgpu::LoadOp::Clear(composite::clear_color(list.background, list.options.xray)));
        0
    };
    if next_chunk < ghosts.len() {
        return Progress::Started { next_chunk };
    }
    scene.record_end(frame, list);
    Progress::Complete
}
