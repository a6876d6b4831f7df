//! Poses random rigs with random keys at random times, and compares the poses with the naive f64 reference.

use glam::Quat;
use proptest::prelude::*;
use sinew::model::Model;
use sinew::model::animation::{Channel, Interpolation, Target};
use sinew::model::hierarchy::Trs;
use sinew::model::node::NodeIndex;
use sinew::session::pose::solve::{self, Posed};
use sinew::session::view::View;

use crate::common::reference;
use crate::sampling::{animated, channel, rig};

#[derive(Debug, Clone)]
struct RandomChannel {
    node: u32,
    path: u8,
    interpolation: u8,
    timeline: usize,
    output: Vec<f32>,
}

fn random_model() -> impl Strategy<Value = Model> {
    let parents = prop::collection::vec(any::<prop::sample::Index>(), 1..12);
    let timelines = prop::collection::vec(prop::collection::vec(0.001f32..0.5, 1..8), 1..4);
    let random_channel = (any::<u32>(), 0u8..3, 0u8..3, any::<usize>(), prop::collection::vec(-2f32..2.0, 8 * 3 * 4));
    let channels = prop::collection::vec(random_channel, 0..20);
    let rest = prop::collection::vec(
        (prop::array::uniform3(-2f32..2.0), prop::array::uniform4(-1f32..1.0), prop::array::uniform3(-2f32..2.0)),
        12,
    );
    (parents, timelines, channels, rest).prop_map(|(parents, timelines, channels, rest)| {
        // Any earlier node may be the parent. Posing does not use subtree ranges.
        let parents: Vec<Option<u32>> =
            parents.iter().enumerate().map(|(i, p)| if i == 0 { None } else { Some(p.index(i) as u32) }).collect();
        let mut model = rig(&parents);
        for (node, (t, r, s)) in model.hierarchy.rest.iter_mut().zip(rest) {
            let rotation = Quat::from_array(r);
            let rotation = if rotation.length() < 0.1 { Quat::IDENTITY } else { rotation };
            *node = Trs { translation: t.into(), rotation, scale: s.into() };
        }
        let key_times: Vec<Vec<f32>> = timelines
            .iter()
            .map(|steps| {
                let mut time = -0.001;
                steps
                    .iter()
                    .map(|step| {
                        time += step;
                        time
                    })
                    .collect()
            })
            .collect();
        let channels = channels.into_iter().map(|(node, path, interpolation, timeline, output)| RandomChannel {
            node: node % parents.len() as u32,
            path,
            interpolation,
            timeline: timeline % key_times.len(),
            output,
        });
        let mut made: Vec<Channel> = channels
            .map(|random| {
                let node = NodeIndex(random.node);
                let target = [Target::Translation(node), Target::Rotation(node), Target::Scale(node)][random.path as usize];
                let interpolation = [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline][random.interpolation as usize];
                let components = if random.path == 1 { 4 } else { 3 };
                let groups = key_times[random.timeline].len() * if random.interpolation == 2 { 3 } else { 1 };
                let mut output = random.output[..groups * components].to_vec();
                // Keep the keys of rotations away from zero. Their length is still arbitrary.
                if random.path == 1 {
                    output.chunks_exact_mut(4).for_each(|q| {
                        if q.iter().map(|c| c * c).sum::<f32>() < 0.1 {
                            q[3] = 1.0;
                        }
                    });
                }
                channel(target, random.timeline, interpolation, output)
            })
            .collect();
        let mut seen = std::collections::HashSet::new();
        made.retain(|channel| seen.insert(channel.target));
        made.sort_by_key(|channel| channel.key_times);
        animated(model, key_times, made)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn random_rigs_have_the_poses_of_the_reference(model in random_model(), times in prop::collection::vec(-0.5f64..4.0, 1..6)) {
        let view = View { animation: Some(0), ..View::default() };
        let mut posed = Posed::new(&model);
        for &time in &times {
            // A spline may pass so close to zero that its direction is only rounding noise. Skip such times.
            let noise = model.animations[0].channels.iter().any(|channel| {
                channel.interpolation == Interpolation::CubicSpline && matches!(channel.target, Target::Rotation(_))
                    && raw_length(&model, channel, time) < 0.05
            });
            if noise {
                continue;
            }
            solve::solve(&model, &view, time, &mut posed);
            let want = reference::pose(&model, Some(0), time);
            for node in 0..model.nodes.len() {
                let columns = glam::DMat4::from(posed.globals[node]);
                for row in 0..3 {
                    for column in 0..4 {
                        // Up to twelve scales of up to two are multiplied, so the error is relative to the largest element.
                        let size: f64 = want.globals[node].iter().flatten().fold(1.0, |a: f64, b| a.max(b.abs()));
                        let (got, want) = (columns.row(row)[column], want.globals[node][row][column]);
                        prop_assert!((got - want).abs() <= 3e-6 * size, "node {node} at {time}: {got} is not {want}");
                    }
                }
            }
        }
    }
}

/// Returns the length of the spline's quaternion before it is normalized.
fn raw_length(model: &Model, channel: &Channel, time: f64) -> f64 {
    let as_vector = Channel { target: Target::Weights(NodeIndex(0)), ..channel.clone() };
    let value = reference::value(&model.animations[0].key_times[channel.key_times], &as_vector, time);
    value.iter().map(|c| c * c).sum::<f64>().sqrt()
}
