//! Decides what a frame draws while its pipelines are still being made: the requested picture, the requested actors with older options, or
//! nothing new.

use std::time::{Duration, Instant};

use crate::render::draw_list::DrawList;
use crate::render::picture::{Background, Msaa, Options};
use crate::render::pipelines::Pipelines;
use crate::render::pipelines::key::SampledKey;

use super::needed_pipelines;

/// Maximum time for which a window waits for pipelines, or shows an older picture. Hostile files can need thousands of pipelines.
const MAX_PIPELINE_WAIT: Duration = Duration::from_secs(10);

/// Everything that the pipelines of a picture depend on, besides its actors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Appearance {
    pub options: Options,
    pub background: Background,
    pub samples: Msaa,
}

/// The state that the choice of a picture keeps from frame to frame.
#[derive(Debug, Default)]
pub(crate) struct PicturePlan {
    /// The last appearance whose pipelines were all made.
    last_ready: Option<Appearance>,
    /// When a window's pictures began to lack pipelines, and the samples of the first of them. `None` if the last one had all.
    incomplete: Option<(Instant, Msaa)>,
}

/// The picture that the caller wants.
pub(crate) struct RequestedPicture<'a> {
    pub list: DrawList<'a>,
    /// The keys of all its pipelines.
    pub needed: Vec<SampledKey>,
    /// Whether the targets hold a picture that may be shown again instead.
    pub can_wait: bool,
}

/// The picture that a frame draws.
pub(crate) struct PlannedPicture<'a> {
    /// `None` if nothing is drawn and the targets keep their content.
    pub list: Option<DrawList<'a>>,
    /// Whether this is not the whole picture as requested.
    pub is_outdated: bool,
    /// Time spent waiting for pipelines.
    pub waited: Duration,
}

impl PicturePlan {
    /// Makes the next picture wait for its pipelines as long as the first one.
    pub fn forget_picture(&mut self) {
        self.incomplete = None;
    }

    /// Chooses what is drawn. Usually this is the requested list. While its pipelines are being made, it is the list that `make_list` makes
    /// with the last appearance whose pipelines were all made. If that is not possible either and the request can wait, nothing is drawn.
    /// After [`MAX_PIPELINE_WAIT`], it is the requested list; draws whose pipelines are missing are then left out.
    pub fn choose<'a>(
        &mut self,
        pipelines: &mut Pipelines,
        requested: RequestedPicture<'a>,
        make_list: impl FnOnce(Appearance) -> DrawList<'a>,
    ) -> PlannedPicture<'a> {
        let RequestedPicture { mut list, needed, can_wait } = requested;
        let appearance = Appearance { options: list.options, background: list.background, samples: list.samples };
        let (mut is_outdated, mut waited) = (!needed_pipelines::are_ready(&needed, pipelines), Duration::ZERO);
        if is_outdated {
            let start = Instant::now();
            // Stills always wait. The first picture of a model in a window waits as well, because there is no older picture to show.
            let mut deadline = None;
            if pipelines.in_background() {
                let limit = self.incomplete.get_or_insert((start, list.samples)).0 + MAX_PIPELINE_WAIT;
                if start < limit {
                    let last_ready = self.last_ready.filter(|last| *last != appearance);
                    let previous = last_ready.map(make_list);
                    let previous = previous.filter(|list| needed_pipelines::are_ready(&needed_pipelines::keys(list), pipelines));
                    if previous.is_some() || can_wait {
                        return PlannedPicture { list: previous, is_outdated, waited };
                    }
                }
                deadline = Some(limit);
            }
            pipelines.wait(deadline);
            waited = start.elapsed();
            is_outdated = !needed_pipelines::are_ready(&needed, pipelines);
        }
        if !is_outdated {
            (self.last_ready, self.incomplete) = (Some(appearance), None);
        } else if let Some((_, samples)) = self.incomplete {
            // The pipelines for another number of samples come later, so the picture would lose what it shows already.
            list.samples = samples;
        }
        PlannedPicture { list: Some(list), is_outdated, waited }
    }
}
