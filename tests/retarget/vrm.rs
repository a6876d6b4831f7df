//! Tests that avatars with the joint names of VRoid Studio and VRM pair with motions of Mixamo and of the Unreal mannequin. The expected
//! pairs are written by hand, from the documentation of VRM (humanoid.md), of Mixamo's skeleton and of the mannequin.

use std::collections::BTreeSet;

use sinew::model::Model;
use sinew::retarget::binding::{Rule, bind};

use crate::rig::{Bone, model};

/// A joint as VRoid Studio, VRM 1.0, Mixamo and Unreal name it.
type Names = [&'static str; 4];

/// Joints in the middle of the body.
const MIDDLE: [Names; 6] = [
    ["J_Bip_C_Hips", "hips", "mixamorig:Hips", "pelvis"],
    ["J_Bip_C_Spine", "spine", "mixamorig:Spine", "spine_01"],
    ["J_Bip_C_Chest", "chest", "mixamorig:Spine1", "spine_02"],
    ["J_Bip_C_UpperChest", "upperChest", "mixamorig:Spine2", "spine_03"],
    ["J_Bip_C_Neck", "neck", "mixamorig:Neck", "neck_01"],
    ["J_Bip_C_Head", "head", "mixamorig:Head", "head"],
];

/// Joints of the left side. [`right`] derives the names of the right side from them.
const LEFT: [Names; 23] = [
    ["J_Bip_L_Shoulder", "leftShoulder", "mixamorig:LeftShoulder", "clavicle_l"],
    ["J_Bip_L_UpperArm", "leftUpperArm", "mixamorig:LeftArm", "upperarm_l"],
    ["J_Bip_L_LowerArm", "leftLowerArm", "mixamorig:LeftForeArm", "lowerarm_l"],
    ["J_Bip_L_Hand", "leftHand", "mixamorig:LeftHand", "hand_l"],
    ["J_Bip_L_Thumb1", "leftThumbMetacarpal", "mixamorig:LeftHandThumb1", "thumb_01_l"],
    ["J_Bip_L_Thumb2", "leftThumbProximal", "mixamorig:LeftHandThumb2", "thumb_02_l"],
    ["J_Bip_L_Thumb3", "leftThumbDistal", "mixamorig:LeftHandThumb3", "thumb_03_l"],
    ["J_Bip_L_Index1", "leftIndexProximal", "mixamorig:LeftHandIndex1", "index_01_l"],
    ["J_Bip_L_Index2", "leftIndexIntermediate", "mixamorig:LeftHandIndex2", "index_02_l"],
    ["J_Bip_L_Index3", "leftIndexDistal", "mixamorig:LeftHandIndex3", "index_03_l"],
    ["J_Bip_L_Middle1", "leftMiddleProximal", "mixamorig:LeftHandMiddle1", "middle_01_l"],
    ["J_Bip_L_Middle2", "leftMiddleIntermediate", "mixamorig:LeftHandMiddle2", "middle_02_l"],
    ["J_Bip_L_Middle3", "leftMiddleDistal", "mixamorig:LeftHandMiddle3", "middle_03_l"],
    ["J_Bip_L_Ring1", "leftRingProximal", "mixamorig:LeftHandRing1", "ring_01_l"],
    ["J_Bip_L_Ring2", "leftRingIntermediate", "mixamorig:LeftHandRing2", "ring_02_l"],
    ["J_Bip_L_Ring3", "leftRingDistal", "mixamorig:LeftHandRing3", "ring_03_l"],
    ["J_Bip_L_Little1", "leftLittleProximal", "mixamorig:LeftHandPinky1", "pinky_01_l"],
    ["J_Bip_L_Little2", "leftLittleIntermediate", "mixamorig:LeftHandPinky2", "pinky_02_l"],
    ["J_Bip_L_Little3", "leftLittleDistal", "mixamorig:LeftHandPinky3", "pinky_03_l"],
    ["J_Bip_L_UpperLeg", "leftUpperLeg", "mixamorig:LeftUpLeg", "thigh_l"],
    ["J_Bip_L_LowerLeg", "leftLowerLeg", "mixamorig:LeftLeg", "calf_l"],
    ["J_Bip_L_Foot", "leftFoot", "mixamorig:LeftFoot", "foot_l"],
    ["J_Bip_L_ToeBase", "leftToes", "mixamorig:LeftToeBase", "ball_l"],
];

/// Joints without a counterpart in the other programs. The programs are in the order of [`Names`].
const OTHERS: [&[&str]; 4] = [
    &["J_Adj_L_FaceEye", "J_Adj_R_FaceEye", "J_Sec_L_Bust1", "J_Sec_R_Bust1", "J_Sec_Hair1_01", "J_Sec_L_SkirtFront2_01"],
    &["leftEye", "rightEye", "jaw", "hair_1", "skirt.front.L"],
    &["mixamorig:HeadTop_End", "mixamorig:LeftToe_End", "mixamorig:RightToe_End", "mixamorig:LeftHandThumb4", "mixamorig:RightHandIndex4"],
    &["upperarm_twist_01_l", "lowerarm_twist_01_r", "thigh_twist_01_l", "calf_twist_01_r", "ik_foot_root", "ik_foot_l", "ik_hand_gun"],
];

/// Returns the name of the corresponding joint on the right side.
fn right(left: &str) -> String {
    let sided = [("J_Bip_L_", "J_Bip_R_"), ("mixamorig:Left", "mixamorig:Right"), ("left", "right")];
    match sided.iter().find(|(from, _)| left.starts_with(from)) {
        Some((from, to)) => left.replacen(from, to, 1),
        None => format!("{}_r", left.strip_suffix("_l").unwrap()),
    }
}

/// All joints of both sides and the middle.
fn joints() -> Vec<[String; 4]> {
    let own = |names: &Names| names.map(str::to_owned);
    MIDDLE.iter().map(own).chain(LEFT.iter().flat_map(|names| [own(names), names.map(right)])).collect()
}

/// Builds a skeleton with the joint names of a program. The order of the joints differs from program to program.
fn skeleton(program: usize) -> Model {
    let mut names: Vec<String> = joints().into_iter().map(|names| names[program].clone()).collect();
    names.extend(OTHERS[program].iter().map(|name| (*name).to_owned()));
    names.rotate_left(7 * program);
    model(&names.iter().map(|name| Bone::joint(name, None, [0.0; 3])).collect::<Vec<_>>())
}

#[test]
fn avatars_of_vroid_and_vrm_pair_with_mixamo_and_unreal_joint_by_joint() {
    for (avatar, motion) in [(0, 2), (0, 3), (1, 2), (1, 3)] {
        for (from, to) in [(motion, avatar), (avatar, motion)] {
            let (source, target) = (skeleton(from), skeleton(to));
            let binding = bind(&source, &target, &[]);
            let pairs: BTreeSet<[String; 2]> =
                binding.pairs.iter().map(|pair| [source.node(pair.source).label(), target.node(pair.target).label()]).collect();
            let expected: BTreeSet<_> = joints().into_iter().map(|names| [names[from].clone(), names[to].clone()]).collect();
            let wrong: Vec<_> = pairs.symmetric_difference(&expected).collect();
            assert!(wrong.is_empty(), "from {from} to {to}: {wrong:?}");
            assert_eq!(expected.len(), 52);
            // Only the joints without a counterpart stay unpaired, and no name is ambiguous.
            assert_eq!([binding.unbound_sources.len(), binding.unbound_targets.len()], [OTHERS[from].len(), OTHERS[to].len()]);
            assert!(binding.ambiguous_sources.is_empty() && binding.ambiguous_targets.is_empty());
        }
    }
}

#[test]
fn joints_of_mixamo_and_vroid_pair_by_the_humanoid_rule() {
    let (source, target) = (skeleton(2), skeleton(0));
    assert!(bind(&source, &target, &[]).pairs.iter().all(|pair| pair.rule == Rule::Humanoid));
}
