//! Measures how far each vertex is from its counterpart, for the difference view, on a background thread. Until a result arrives, the view
//! shows the previous one.

use std::sync::Arc;

use glam::{DAffine3, DVec3};
use winit::event_loop::EventLoopProxy;

use crate::animation::hierarchy::deform::VertexPose;
use crate::app::comparison::open_comparison::{CompareKey, OpenComparison};
use crate::app::documents::open_document::OpenDocument;
use crate::app::worker_events::{AppEvent, MeasuredHeats};
use crate::cancel::Cancel;
use crate::compare::heat::{self, HeatSource, PosePair};

use crate::app::workers::catch_panic;

/// Measures one pose at a time.
#[derive(Default)]
pub struct DifferenceWorker {
    /// Cancels the running measurement.
    running: Option<Cancel>,
    /// The last pose that was measured, or is being measured.
    last: Option<MeasuredPose>,
}

/// The input of a measurement: the comparison, and the poses of A and B.
struct MeasuredPose {
    key: CompareKey,
    transforms: [Vec<DAffine3>; 2],
    anchors: [DVec3; 2],
    weights: [Vec<f32>; 2],
}

impl MeasuredPose {
    /// Copies the poses of A and B.
    fn new(key: CompareKey, poses: [VertexPose; 2]) -> Self {
        Self {
            key,
            transforms: poses.map(|pose| pose.transforms.to_vec()),
            anchors: poses.map(|pose| pose.anchor),
            weights: poses.map(|pose| pose.weights.to_vec()),
        }
    }

    /// Returns whether this input equals `key` and `poses`. Numbers are compared by their bits: otherwise a NaN would differ from itself,
    /// and the pose would be measured again in every frame.
    fn has_input(&self, key: &CompareKey, poses: [VertexPose; 2]) -> bool {
        let same = |side: usize| {
            bits(&self.transforms[side]).eq(bits(poses[side].transforms))
                && self.anchors[side] == poses[side].anchor
                && self.weights[side].iter().map(|weight| weight.to_bits()).eq(poses[side].weights.iter().map(|weight| weight.to_bits()))
        };
        self.key == *key && same(0) && same(1)
    }

    /// The poses of A and B.
    fn poses(&self) -> [VertexPose<'_>; 2] {
        [0, 1].map(|side| VertexPose { transforms: &self.transforms[side], anchor: self.anchors[side], weights: &self.weights[side] })
    }
}

/// The bits of the numbers of these transforms.
fn bits(transforms: &[DAffine3]) -> impl Iterator<Item = u64> {
    transforms.iter().flat_map(DAffine3::to_cols_array).map(f64::to_bits)
}

impl DifferenceWorker {
    /// Starts measuring the vertices in the poses of the current frame, unless the last measurement has the same poses. While another
    /// measurement runs, starts nothing: the event at its end requests a new frame.
    pub fn update(&mut self, open: &OpenDocument, comparison: &OpenComparison, proxy: &EventLoopProxy<AppEvent>) {
        // While a reloaded document is compared again, the pairs of nodes may still belong to its previous version.
        let Some((key, found)) = comparison.current(&open.document).filter(|(_, found)| !found.followed.is_empty()) else { return };
        let poses = PosePair { a: &open.pose.posed, b: &comparison.pose.posed }.vertices();
        if self.running.is_some() || self.last.as_ref().is_some_and(|last| last.has_input(key, poses)) {
            return;
        }
        let (cancel, key, found, proxy) = (Cancel::default(), *key, found.clone(), proxy.clone());
        (self.running, self.last) = (Some(cancel.clone()), Some(MeasuredPose::new(key, poses)));
        let (pose, models) = (MeasuredPose::new(key, poses), [open.document.model.clone(), comparison.other.document.model.clone()]);
        std::thread::spawn(move || {
            let source =
                HeatSource { models: models.each_ref().map(|model| &**model), node_pairs: &found.node_pairs, followed: &found.followed };
            let keep_going = || !cancel.is_canceled();
            let heats = catch_panic(|| heat::vertex_heats(source, pose.poses(), found.largest_distance(), &keep_going));
            let heats = heats.unwrap_or_else(|message| {
                log::error!("the distances of vertices could not be measured: {message}");
                None
            });
            AppEvent::HeatsMeasured(Box::new(MeasuredHeats { documents: key.documents, heats })).send(&proxy);
        });
    }

    /// Stores a result in the comparison, unless it was canceled.
    pub fn receive(&mut self, measured: MeasuredHeats, comparison: Option<&mut OpenComparison>) {
        let is_wanted = self.running.take().is_some_and(|running| !running.is_canceled());
        if let (Some(comparison), Some(heats), true) = (comparison, measured.heats, is_wanted) {
            comparison.set_heats(Some((measured.documents, Arc::new(heats))));
        }
    }

    /// Cancels the measurement and forgets the last one.
    pub fn stop(&mut self) {
        self.last = None;
        if let Some(running) = &self.running {
            running.cancel();
        }
    }
}
