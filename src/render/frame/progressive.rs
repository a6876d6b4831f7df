//! Draws a still picture over several frames: first all parts that come before the ghosts, then the ghosts chunk by chunk, then the parts
//! that are drawn over the ghosts (blended surfaces, wireframe, lines). Heavy onion skins take 3 to 8 s on software rasterizers and would
//! block the window for that time. The previous picture stays on the screen until the new one is complete.

use crate::render::draw_list::DrawList;
use crate::render::draw_list::draw::DrawRange;
use crate::render::passes::composite;
use crate::render::passes::context::FrameContext;
use crate::render::passes::scene::ScenePass;

/// The progress of drawing a picture.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) enum Progress {
    /// Nothing is drawn yet. This is also the state while the picture moves, because each frame is then drawn all at once.
    #[default]
    NotStarted,
    /// All parts before the ghosts are drawn, and so are the chunks of ghosts before `next_chunk`.
    Started { next_chunk: usize },
    /// The whole picture is drawn.
    Complete,
}

/// Records the next step of a picture and returns the new progress. The first step records all parts before the ghosts. Each further step
/// records one chunk of ghosts. The last step also records the parts after the ghosts.
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
