//! Tests the embedded sample model: that the committed file is the generator's output, and what it must contain.

#[path = "../../assets/sample/ripple/mod.rs"]
mod ripple;

use gltf::animation::{Interpolation, Property};

static COMMITTED: &[u8] = include_bytes!("../../assets/sample/sample.glb");

/// Returns the committed file, parsed and validated by the `gltf` crate, and its binary chunk.
fn sample() -> (gltf::Document, Vec<u8>) {
    let gltf::Gltf { document, blob } = gltf::Gltf::from_slice(COMMITTED).unwrap();
    (document, blob.unwrap())
}

/// Reads an accessor's floats directly. The sample's float accessors are neither strided nor sparse.
fn floats(accessor: &gltf::Accessor, blob: &[u8]) -> Vec<f32> {
    assert_eq!(accessor.data_type(), gltf::accessor::DataType::F32);
    bytes(accessor, blob).chunks(4).map(|word| f32::from_le_bytes(word.try_into().unwrap())).collect()
}

fn bytes<'a>(accessor: &gltf::Accessor, blob: &'a [u8]) -> &'a [u8] {
    let view = accessor.view().unwrap();
    &blob[view.offset() + accessor.offset()..][..accessor.count() * accessor.size()]
}

/// Returns the values of a channel by key, without the tangents of CUBICSPLINE.
fn values(channel: &gltf::animation::Channel, blob: &[u8]) -> Vec<Vec<f32>> {
    let sampler = channel.sampler();
    let output = floats(&sampler.output(), blob);
    let keys = sampler.input().count();
    let each: Vec<Vec<f32>> = output.chunks(output.len() / keys).map(<[f32]>::to_vec).collect();
    match sampler.interpolation() {
        Interpolation::CubicSpline => each.iter().map(|key| key[key.len() / 3..key.len() / 3 * 2].to_vec()).collect(),
        _ => each,
    }
}

#[test]
fn the_committed_file_equals_the_output_of_the_generator() {
    let made = ripple::glb();
    assert!(made == COMMITTED, "run `cargo run --example make_sample` and commit assets/sample/sample.glb");
}

#[test]
fn the_sample_model_is_at_most_one_mebibyte() {
    assert!(COMMITTED.len() <= 1 << 20, "{} bytes", COMMITTED.len());
}

#[test]
fn the_sample_skin_is_one_tree_of_joints() {
    let (document, _) = sample();
    let skin = document.skins().next().unwrap();
    let joints: Vec<usize> = skin.joints().map(|joint| joint.index()).collect();
    let with_parent: Vec<usize> =
        document.nodes().filter(|node| joints.contains(&node.index())).flat_map(|node| node.children()).map(|node| node.index()).collect();
    let roots = joints.iter().filter(|joint| !with_parent.contains(joint)).count();
    assert!(joints.len() >= 20, "{} joints", joints.len());
    assert_eq!(roots, 1);
}

#[test]
fn the_sample_model_is_on_the_ground_at_a_usual_size() {
    let (document, blob) = sample();
    let skin = document.meshes().next().unwrap();
    let heights: Vec<f32> = skin
        .primitives()
        .flat_map(|primitive| floats(&primitive.get(&gltf::Semantic::Positions).unwrap(), &blob))
        .skip(1)
        .step_by(3)
        .collect();
    let low = heights.iter().copied().fold(f32::INFINITY, f32::min);
    let high = heights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    assert!(low.abs() < 0.002, "the soles are at {low}");
    assert!((0.3..1.0).contains(&high), "it is {high} m tall");
}

#[test]
fn the_weights_of_every_vertex_sum_to_one() {
    let (document, blob) = sample();
    for primitive in document.meshes().flat_map(|mesh| mesh.primitives().collect::<Vec<_>>()) {
        let weights = primitive.get(&gltf::Semantic::Weights(0)).unwrap();
        let joints = primitive.get(&gltf::Semantic::Joints(0)).unwrap();
        assert_eq!((weights.data_type(), weights.normalized()), (gltf::accessor::DataType::U8, true));
        let joint_count = document.skins().next().unwrap().joints().count();
        for (weights, joints) in bytes(&weights, &blob).chunks(4).zip(bytes(&joints, &blob).chunks(4)) {
            assert_eq!(weights.iter().map(|weight| u32::from(*weight)).sum::<u32>(), 255);
            assert!(joints.iter().all(|joint| usize::from(*joint) < joint_count));
            let used: Vec<u8> = joints.iter().zip(weights).filter(|(_, weight)| **weight > 0).map(|(joint, _)| *joint).collect();
            assert!((1..used.len()).all(|i| !used[..i].contains(&used[i])), "a joint is used twice: {used:?}");
        }
    }
}

#[test]
fn the_face_has_named_morph_targets() {
    let (document, _) = sample();
    let mesh = document.meshes().next().unwrap();
    let extras: serde_json::Value = serde_json::from_str(mesh.extras().as_ref().unwrap().get()).unwrap();
    let names = extras["targetNames"].as_array().unwrap().len();
    assert!(names >= 3);
    for primitive in mesh.primitives() {
        assert_eq!(primitive.morph_targets().count(), names);
    }
}

#[test]
fn the_animations_show_all_three_interpolations() {
    let (document, _) = sample();
    assert!(document.animations().count() >= 4);
    for wanted in [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline] {
        let all = |animation: gltf::Animation| animation.samplers().all(|sampler| sampler.interpolation() == wanted);
        assert!(document.animations().any(all), "no animation has only {wanted:?} samplers");
    }
}

#[test]
fn every_rotation_key_is_a_unit_quaternion() {
    let (document, blob) = sample();
    for channel in document.animations().flat_map(|animation| animation.channels().collect::<Vec<_>>()) {
        if channel.target().property() == Property::Rotation {
            for key in values(&channel, &blob) {
                let length = key.iter().map(|x| x * x).sum::<f32>().sqrt();
                assert!((length - 1.0).abs() < 1e-5, "{key:?}");
            }
        }
    }
}

#[test]
fn every_animation_ends_as_it_begins() {
    let (document, blob) = sample();
    for animation in document.animations() {
        let duration = |channel: &gltf::animation::Channel| *floats(&channel.sampler().input(), &blob).last().unwrap();
        let end = animation.channels().map(|channel| duration(&channel)).fold(0.0, f32::max);
        for channel in animation.channels() {
            let keys = values(&channel, &blob);
            let target = channel.target();
            assert_eq!(duration(&channel), end, "{:?}: the durations of the channels differ", animation.name());
            let gap = keys[0].iter().zip(&keys[keys.len() - 1]).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(gap == 0.0, "{:?}: node {} {:?} jumps by {gap}", animation.name(), target.node().index(), target.property());
        }
    }
}
