//! Samples LINEAR rotations from the file's keys, eight at a time, for animations that are too large to compile. Other channels are simple
//! enough to be sampled one by one.

use crate::animation::keys::interpolate;
use crate::animation::keys::keyframe::{self, Segment};
use crate::animation::simd::lane_access::LaneIndices;
use crate::animation::simd::{Kernel, Simd};
use crate::model::animation::{Animation, Interpolation, Target};
use crate::model::hierarchy::Trs;

use super::evaluate::{self, chunk, gather};
use super::write::write_rotations;

/// Keys up to this magnitude can be normalized in `f32`.
const MAX_MAGNITUDE: f32 = 1e18;
/// The sign of the dot product of two unit quaternions is uncertain in `f32` if the product is smaller than this.
const MIN_CERTAIN_DOT: f32 = 1e-5;

/// Returns whether a channel can be sampled by [`KeyedRotations`].
pub fn is_keyed_rotation(animation: &Animation, channel: usize) -> bool {
    let channel = &animation.channels[channel];
    let is_linear_rotation = matches!(channel.target, Target::Rotation(_)) && channel.interpolation == Interpolation::Linear;
    is_linear_rotation && channel.output.iter().all(|x| x.abs() <= MAX_MAGNITUDE)
}

/// LINEAR rotations and the pose that they are written to.
pub struct KeyedRotations<'a> {
    pub animation: &'a Animation,
    /// Indices of the channels. [`is_keyed_rotation`] is true for each of them.
    pub channels: &'a [usize],
    /// In seconds, on the animation's time axis.
    pub time: f64,
    /// One per channel.
    pub cursors: &'a mut [u32],
    pub locals: &'a mut [Trs],
}

impl Kernel for KeyedRotations<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { animation, channels, time, cursors, locals } = self;
        // Channels are sorted by their key times, so most channels have the same segment as the channel before them.
        let (mut key_times, mut segment) = (usize::MAX, Segment { key: 0, next: 0, u: 0.0, dt: 0.0 });
        for (channels, cursors) in channels.chunks(8).zip(cursors.chunks_mut(8)) {
            let (mut starts, mut ends, mut us, mut targets) = ([&[0.0; 4]; 8], [&[0.0; 4]; 8], [0.0; 8], [0; 8]);
            for lane in 0..8 {
                // Lanes without a channel repeat the last one.
                let index = lane.min(channels.len() - 1);
                let channel = &animation.channels[channels[index]];
                if channel.key_times != key_times {
                    key_times = channel.key_times;
                    segment = keyframe::find(&animation.key_times[key_times], time, &mut cursors[index]);
                }
                (starts[lane], ends[lane]) = (chunk(&channel.output, segment.key * 4), chunk(&channel.output, segment.next * 4));
                us[lane] = segment.u as f32;
                targets[lane] = channel.target.node().map_or(0, |node| node.0);
            }
            let start = gather(s, starts);
            let start = evaluate::normalize(s, start, start);
            // If the end quaternion has length 0, the start is used for it, so nothing rotates.
            let end = evaluate::normalize(s, gather(s, ends), start);
            let mut dots = [0.0; 8];
            s.store(evaluate::dot(s, start, end), &mut dots);
            for (lane, dot) in dots.iter_mut().enumerate().filter(|(_, dot)| dot.abs() < MIN_CERTAIN_DOT) {
                // At half a turn the sign chooses the arc. It must be the one of `interpolate::slerp_ends`.
                let [start, end] = interpolate::unit_keys(starts[lane], ends[lane]);
                *dot = start.dot(end) as f32;
            }
            let rotations = evaluate::slerp_between(s, start, end, s.load(&dots), s.load(&us));
            write_rotations(s, rotations, LaneIndices::new(targets), channels.len(), locals);
        }
    }
}
