//! Compares baked poses with an independent computation of `At = As * Rs^-1 * Rt`, over random rigs.

use glam::{DAffine3, DMat3, Quat, Vec3A};
use proptest::prelude::*;
use sinew::model::Model;
use sinew::model::animation::{Interpolation, Target};
use sinew::model::hierarchy::Trs;
use sinew::model::node::NodeIndex;
use sinew::retarget::Settings;
use sinew::retarget::carry::{CarriedFile, carry, with_animations};
use sinew::retarget::method::Method;

use crate::rig::{Bone, animation, channel, globals, model, rolled};

/// Generates a tree of joints in depth-first order. The parent of a joint is the previous joint or one of its ancestors.
fn tree() -> impl Strategy<Value = Vec<Bone>> {
    let joint = (0..4_usize, prop::array::uniform3(-1.0..1.0_f32), rotation());
    prop::collection::vec(joint, 2..12).prop_map(|joints| {
        let mut bones: Vec<Bone> = Vec::new();
        for (at, (up, translation, rotation)) in joints.into_iter().enumerate() {
            let mut parent = at.checked_sub(1);
            for _ in 0..up {
                parent = parent.and_then(|parent| bones[parent].parent).or(parent);
            }
            let mut bone = Bone::joint(&format!("joint {at}"), parent, translation);
            bone.rest = Trs { translation: bone.rest.translation + Vec3A::new(0.0, 1.5, 0.0), rotation, scale: Vec3A::ONE };
            bones.push(bone);
        }
        bones
    })
}

/// Generates a rotation of less than a right angle, so that the target still faces in roughly the same direction as the
/// source.
fn small_rotation() -> impl Strategy<Value = Quat> {
    (rotation(), -0.9..0.9_f32).prop_map(|(axis, angle)| Quat::from_axis_angle(axis * glam::Vec3::Y, angle))
}

fn rotation() -> impl Strategy<Value = Quat> {
    prop::array::uniform4(-1.0..1.0_f32).prop_map(|q| {
        let q = Quat::from_array(q);
        if q.length() > 0.1 { q.normalize() } else { Quat::IDENTITY }
    })
}

/// Returns the rotation of a transform that has no mirroring and no shear.
fn linear(global: &DAffine3) -> DMat3 {
    let m = global.matrix3;
    DMat3::from_cols(m.x_axis.normalize(), m.y_axis.normalize(), m.z_axis.normalize())
}

/// Returns the largest angle between corresponding axes of two rotation matrices, in radians. The angle must be small.
fn angle(a: DMat3, b: DMat3) -> f64 {
    // For small angles the length of the chord is precise, but an arc cosine is not.
    let differences = [a.x_axis - b.x_axis, a.y_axis - b.y_axis, a.z_axis - b.z_axis];
    differences.iter().map(|difference| difference.length()).fold(0.0, f64::max)
}

/// Builds the target: the same joints with other axes and another size, below a rotated and scaled node. An unbound joint is inserted
/// above each joint.
fn target(bones: &[Bone], armature: Quat) -> Model {
    let other = rolled(bones, 1.7);
    let root = Bone { joint: false, ..Bone::joint("Armature", None, [3.0, 0.0, -2.0]) };
    let mut all = vec![Bone { rest: Trs { rotation: armature, scale: Vec3A::splat(0.5), ..root.rest }, ..root }];
    let mut places = Vec::new();
    for (at, bone) in other.into_iter().enumerate() {
        let parent = bone.parent.map_or(0, |parent| places[parent]);
        let between = Trs { rotation: Quat::from_rotation_y(0.3 * at as f32), ..Trs::IDENTITY };
        all.push(Bone { rest: between, parent: Some(parent), ..Bone::joint(&format!("between {at}"), None, [0.0; 3]) });
        // Undo the rotation of the inserted joint, so that the joint below it keeps its global transform.
        let back = between.rotation.inverse();
        let rest = Trs { translation: back * bone.rest.translation, rotation: back * bone.rest.rotation, ..bone.rest };
        all.push(Bone { rest, parent: Some(all.len() - 1), ..bone });
        places.push(all.len() - 1);
    }
    // A model needs its nodes in depth-first order.
    model(&depth_first(all))
}

/// Returns the nodes in depth-first order.
fn depth_first(bones: Vec<Bone>) -> Vec<Bone> {
    fn visit(at: usize, parent: Option<usize>, bones: &[Bone], out: &mut Vec<Bone>) {
        out.push(Bone { parent, ..bones[at].clone() });
        let own = out.len() - 1;
        (0..bones.len()).filter(|&child| bones[child].parent == Some(at)).for_each(|child| visit(child, Some(own), bones, out));
    }
    let mut out = Vec::new();
    (0..bones.len()).filter(|&root| bones[root].parent.is_none()).for_each(|root| visit(root, None, &bones, &mut out));
    out
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn every_joint_turns_as_in_the_source(
        bones in tree(),
        armature in small_rotation(),
        turns in prop::collection::vec(prop::array::uniform3(rotation()), 12),
        travel in prop::array::uniform3(-2.0..2.0_f32),
        interpolation in prop::sample::select(vec![Interpolation::Linear, Interpolation::Step]),
    ) {
        // Between rotations half a turn apart both arcs are equally long, so implementations may choose different ones.
        prop_assume!(turns.iter().all(|keys| keys.windows(2).all(|keys| keys[0].dot(keys[1]).abs() > 0.02)));
        let mut source = model(&depth_first(bones.clone()));
        let mut channels: Vec<_> = (0..source.nodes.len()).map(|at| {
            let output = turns[at].iter().flat_map(Quat::to_array).collect();
            channel(Target::Rotation(NodeIndex(at as u32)), interpolation, &[0.0, 0.3 + 0.01 * at as f32, 1.0], output)
        }).collect();
        let root = source.hierarchy.rest[0].translation;
        let output = [root.to_array(), (root + Vec3A::from_array(travel)).to_array()].concat();
        channels.push(channel(Target::Translation(NodeIndex(0)), Interpolation::Linear, &[0.0, 1.0], output));
        source.animations = vec![animation("turns", channels)];
        let target = target(&bones, armature);
        let settings = Settings { method: Some(Method::Rotation), align_rest: false, ..Settings::default() };
        let carried = carry(&source, &target, &settings);
        prop_assert_eq!(carried.binding.pairs.len(), source.nodes.len());
        let (name, path) = ("turns.glb".into(), "turns.glb".into());
        let file = CarriedFile { name, path, animations: carried.animations, ..CarriedFile::default() };
        let played = with_animations(target.clone(), vec![file]);

        let [rest_s, rest_t] = [globals(&source, None, 0.0), globals(&target, None, 0.0)];
        for time in [0.0, 0.2, 0.3357, 0.7, 1.0] {
            let [pose_s, pose_t] = [globals(&source, Some(0), time), globals(&played, Some(0), time)];
            for pair in &carried.binding.pairs {
                let (s, t) = (pair.source.index(), pair.target.index());
                let expected = linear(&pose_s[s]) * linear(&rest_s[s]).transpose() * linear(&rest_t[t]);
                // The bake allows an error of 0.01 degrees per joint. The errors add up along a chain.
                prop_assert!(angle(linear(&pose_t[t]), expected) < 3e-3, "{} at {time}: {}", s, angle(linear(&pose_t[t]), expected));
            }
            // The root travels. Only directions are compared, because distances are scaled by the size of the rig.
            let pair = carried.binding.pairs[0];
            let moved = |pose: &[DAffine3], rest: &[DAffine3], at: usize| pose[at].translation - rest[at].translation;
            let [a, b] = [moved(&pose_s, &rest_s, pair.source.index()), moved(&pose_t, &rest_t, pair.target.index())];
            if a.length() > 0.1 {
                prop_assert!((a.normalize() - b.normalize()).length() < 1e-2, "{a} {b}");
            }
        }
    }
}
