//! All that is drawn with the model and is no part of it: skeleton, motion trails, path and contacts, and what the line around the
//! selection encloses. The same for the window, which takes what is worked out already, and for pictures, which wait for it.

pub mod line;
pub mod onion_skin;
pub mod path;
pub mod skeleton;
pub mod trail;

use std::sync::Arc;

use crate::session::analyses::Analyses;
use crate::session::camera::screen::ScreenProjection;
use crate::session::document::Document;
use crate::session::locomotion::cache::LocomotionCache;
use crate::session::motion::sampled::SampledMotion;
use crate::session::motion::trail as motion_trail;
use crate::session::pose::solve::Posed;
use crate::session::time::moment::Moment;
use crate::session::view::View;

use line::Theme;
use skeleton::Skeleton;

/// A pose as it is looked at.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    pub document: &'a Document,
    pub analyses: &'a Analyses,
    pub view: &'a View,
    pub posed: &'a Posed,
    pub moment: Moment,
    pub theme: &'a Theme,
    /// Of the picture, in points.
    pub sight: ScreenProjection,
}

#[derive(Default)]
pub struct Annotations {
    /// With the lines of all the others.
    pub skeleton: Skeleton,
    /// By node: whether there is a line around its mesh.
    pub outlined: Vec<bool>,
    /// What the trail is drawn from, where there is one.
    pub motion: Option<Arc<SampledMotion>>,
}

impl Annotations {
    /// `wait`: for what is not worked out yet, which is missing otherwise and wanted.
    pub fn new(seen: &Seen, wait: bool) -> Self {
        let Seen { document, analyses, view, moment, .. } = *seen;
        let mut skeleton = skeleton::skeleton(seen);
        let motion = motion_trail::request(document, view, &moment).and_then(|course| match wait {
            true => analyses.sample_motion(document, &course),
            false => analyses.motions.get_or_request(&course),
        });
        let gait = LocomotionCache::is_drawn(view).then(|| match wait {
            true => analyses.compute_locomotion(document, view, &moment),
            false => analyses.request_locomotion(document, view, &moment),
        });
        if let Some(gait) = gait.flatten() {
            skeleton.lines.extend(path::lines(seen, &gait));
        }
        // Over the path: its colours and dots say more.
        if let Some(motion) = &motion {
            skeleton.lines.extend(trail::lines(seen, motion));
        }
        Self { skeleton, outlined: skeleton::outlined(document, view), motion }
    }
}
