//! Collects the annotations over the model: skeleton, motion trails, path, foot contacts and outlined nodes. The window uses the analyses
//! that are available so far; exported pictures wait for all analyses.

pub mod line;
pub mod onion_skin;
pub mod path;
pub mod skeleton;
pub mod trail;

use std::sync::Arc;

use crate::colors::Colors;
use crate::session::analyses::Analyses;
use crate::session::camera::screen::ScreenProjection;
use crate::session::document::Document;
use crate::session::locomotion::cache::LocomotionCache;
use crate::session::motion::sampled::SampledMotion;
use crate::session::motion::trail as motion_trail;
use crate::session::pose::solve::Posed;
use crate::session::time::moment::Moment;
use crate::session::view::View;

use line::Line;
use skeleton::{Skeleton, SolidJoint};

/// A pose together with the view that it is drawn in.
#[derive(Clone, Copy)]
pub struct PosedView<'a> {
    pub document: &'a Document,
    pub analyses: &'a Analyses,
    pub view: &'a View,
    /// The pose that is shown.
    pub posed: &'a Posed,
    /// The point in time at which the animation has this pose.
    pub moment: Moment,
    pub theme: &'a Colors,
    /// Projection of the picture, in points.
    pub projection: ScreenProjection,
}

/// The drawings over the model.
#[derive(Default)]
pub struct Annotations {
    /// The lines of the skeleton, the path and the trails, in this order.
    pub lines: Vec<Line>,
    /// The skeleton's joints if they are drawn as solids, else empty.
    pub solid_joints: Vec<SolidJoint>,
    /// Whether the mesh of each node is outlined, by node index. Empty if no mesh is outlined.
    pub outlined: Vec<bool>,
    /// The motion that the trail is drawn from, if there is one.
    pub motion: Option<Arc<SampledMotion>>,
}

impl Annotations {
    /// Makes the annotations of a pose. If `wait` is true, this blocks until missing analyses are computed. Otherwise it only requests
    /// them, and leaves out the annotations that depend on them.
    pub fn new(posed_view: &PosedView, wait: bool) -> Self {
        let PosedView { document, analyses, view, moment, .. } = *posed_view;
        let Skeleton { mut lines, solid_joints } = skeleton::skeleton(posed_view);
        let motion = motion_trail::request(document, view, &moment).and_then(|request| match wait {
            true => analyses.sample_motion(document, &request),
            false => analyses.motions.get_or_request(&request),
        });
        let locomotion = LocomotionCache::is_drawn(view).then(|| match wait {
            true => analyses.compute_locomotion(document, view, &moment),
            false => analyses.request_locomotion(document, view, &moment),
        });
        if let Some(locomotion) = locomotion.flatten() {
            lines.extend(path::lines(posed_view, &locomotion));
        }
        // Trails are drawn over the path, because they also show speed, and dots at regular times.
        if let Some(motion) = &motion {
            lines.extend(trail::lines(posed_view, motion));
        }
        Self { lines, solid_joints, outlined: skeleton::outlined(document, view), motion }
    }
}
