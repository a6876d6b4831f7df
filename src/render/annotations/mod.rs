//! Collects the annotations over the model: skeleton, motion trails, path, foot contacts and outlined nodes. The window uses the results
//! available so far; exported pictures wait for all of them.

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

/// A pose together with the view that it is drawn in.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    pub document: &'a Document,
    pub analyses: &'a Analyses,
    pub view: &'a View,
    /// The pose that is shown.
    pub posed: &'a Posed,
    /// The time of the pose.
    pub moment: Moment,
    pub theme: &'a Theme,
    /// Projection of the picture, in points.
    pub sight: ScreenProjection,
}

/// The drawings over the model.
#[derive(Default)]
pub struct Annotations {
    /// The skeleton, and also the lines of the path and the trails.
    pub skeleton: Skeleton,
    /// Whether each node's mesh is outlined, by node index. Empty if none is.
    pub outlined: Vec<bool>,
    /// The motion that the trail is drawn from, if there is one.
    pub motion: Option<Arc<SampledMotion>>,
}

impl Annotations {
    /// Makes the annotations of a pose. With `wait` it computes missing analyses and blocks. Otherwise it requests them, and leaves out the
    /// annotations that depend on them.
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
        // Trails are drawn over the path, because they show more.
        if let Some(motion) = &motion {
            skeleton.lines.extend(trail::lines(seen, motion));
        }
        Self { skeleton, outlined: skeleton::outlined(document, view), motion }
    }
}
