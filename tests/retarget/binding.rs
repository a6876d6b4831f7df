//! Tests which nodes are paired, and by which rule.

use sinew::model::Model;
use sinew::model::node::NodeIndex;
use sinew::retarget::binding::{Binding, Rule, bind, humanoid};

use crate::common::odd_rigs::{MIXAMO, UNREAL};
use crate::rig::{Bone, figure, model, node, walk};

fn label(model: &Model, node: NodeIndex) -> String {
    model.node(node).label()
}

/// Returns the names of the nodes in each pair, and the rule that paired them.
fn names(source: &Model, target: &Model, binding: &Binding) -> Vec<(String, String, Rule)> {
    binding.pairs.iter().map(|pair| (label(source, pair.source), label(target, pair.target), pair.rule)).collect()
}

fn rig(names: &[&str]) -> Model {
    model(&names.iter().map(|name| Bone::joint(name, None, [0.0; 3])).collect::<Vec<_>>())
}

#[test]
fn the_rules_are_tried_in_order() {
    let source = rig(&["Hips", "old:Spine", "Left Arm", "mixamorig:LeftHand", "Tail", "Ear"]);
    let target = rig(&["Hips", "new:Spine", "leftARM", "hand_l", "Horn", "Ear"]);
    let binding = bind(&source, &target, &[]);
    let expected = [
        ("Hips", "Hips", Rule::Name),
        ("old:Spine", "new:Spine", Rule::Namespace),
        ("Left Arm", "leftARM", Rule::Letters),
        ("mixamorig:LeftHand", "hand_l", Rule::Humanoid),
        ("Ear", "Ear", Rule::Name),
    ];
    assert_eq!(names(&source, &target, &binding), expected.map(|(s, t, rule)| (s.to_owned(), t.to_owned(), rule)));
    assert_eq!(binding.unbound_sources, [node(&source, "Tail")]);
    assert_eq!(binding.unbound_targets, [node(&target, "Horn")]);
}

#[test]
fn the_node_numbers_that_end_all_names_of_a_file_are_ignored() {
    // Sketchfab appends the number of the node to its name. The names before the numbers are those of a game character.
    let numbered = ["_rootJoint", "b_Hip_01", "b_Spine01_02", "b_Neck_03", "b_LeftUpperArm_04", "b_LeftHand_05", "b_RightUpperArm_010"];
    let (source, target) = (rig(&numbered), rig(&["Hips", "Neck", "UpperArm.L", "Hand.L", "UpperArm.R"]));
    let paired = |source: &Model| -> Vec<(String, String)> {
        names(source, &target, &bind(source, &target, &[])).into_iter().map(|(source, target, _)| (source, target)).collect()
    };
    let expected = [
        ("b_Hip_01", "Hips"),
        ("b_Neck_03", "Neck"),
        ("b_LeftUpperArm_04", "UpperArm.L"),
        ("b_LeftHand_05", "Hand.L"),
        ("b_RightUpperArm_010", "UpperArm.R"),
    ];
    assert_eq!(paired(&source), expected.map(|(source, target)| (source.to_owned(), target.to_owned())));
    // Numbers that occur twice are part of the names: they count the joints of a limb.
    let limbs = rig(&["Hip_01", "Tail_01", "Tail_02", "Ear_01", "Ear_02"]);
    assert_eq!(paired(&limbs), []);
}

#[test]
fn equal_names_are_ambiguous_and_stay_unpaired() {
    let source = rig(&["Hips", "Bone", "Bone"]);
    let target = rig(&["Bone", "Hips"]);
    let binding = bind(&source, &target, &[]);
    assert_eq!(binding.pairs.len(), 1);
    assert_eq!(binding.ambiguous_sources, [NodeIndex(1), NodeIndex(2)]);
    assert_eq!(binding.ambiguous_targets, [NodeIndex(0)]);
    assert!(binding.unbound_sources.is_empty() && binding.unbound_targets.is_empty());
}

#[test]
fn a_joint_is_preferred_to_another_node_of_the_same_name() {
    let source = rig(&["Head"]);
    let mesh = Bone { joint: false, ..Bone::joint("Head", None, [0.0; 3]) };
    let target = model(&[mesh, Bone::joint("Head", None, [0.0; 3])]);
    let binding = bind(&source, &target, &[]);
    assert_eq!(binding.pairs[0].target, NodeIndex(1));
    assert!(binding.ambiguous_targets.is_empty());
}

#[test]
fn pairs_by_hand_override_the_rules() {
    let source = rig(&["A", "B", "C"]);
    let target = rig(&["A", "B", "C"]);
    let by_hand = [(NodeIndex(0), Some(NodeIndex(1))), (NodeIndex(2), None), (NodeIndex(9), Some(NodeIndex(9)))];
    let binding = bind(&source, &target, &by_hand);
    assert_eq!(names(&source, &target, &binding), [("A".to_owned(), "B".to_owned(), Rule::ByHand)]);
    assert_eq!(binding.unbound_sources, [NodeIndex(1), NodeIndex(2)]);
    assert_eq!(binding.unbound_targets, [NodeIndex(0), NodeIndex(2)]);
}

#[test]
fn the_animated_nodes_are_counted() {
    let mut source = model(&figure(&MIXAMO));
    source.animations = vec![walk(&source)];
    let target = model(&figure(&MIXAMO)[..10]);
    let binding = bind(&source, &target, &[]);
    assert_eq!((binding.moved.bound, binding.moved.all), (10, 19));
}

/// The names of the figure's joints in different programs.
const CONVENTIONS: [(&str, [&str; 19]); 7] = [
    (
        "VRM",
        [
            "hips",
            "spine",
            "chest",
            "neck",
            "head",
            "leftShoulder",
            "leftUpperArm",
            "leftLowerArm",
            "leftHand",
            "rightShoulder",
            "rightUpperArm",
            "rightLowerArm",
            "rightHand",
            "leftUpperLeg",
            "leftLowerLeg",
            "leftFoot",
            "rightUpperLeg",
            "rightLowerLeg",
            "rightFoot",
        ],
    ),
    (
        "VRoid Studio",
        [
            "J_Bip_C_Hips",
            "J_Bip_C_Spine",
            "J_Bip_C_Chest",
            "J_Bip_C_Neck",
            "J_Bip_C_Head",
            "J_Bip_L_Shoulder",
            "J_Bip_L_UpperArm",
            "J_Bip_L_LowerArm",
            "J_Bip_L_Hand",
            "J_Bip_R_Shoulder",
            "J_Bip_R_UpperArm",
            "J_Bip_R_LowerArm",
            "J_Bip_R_Hand",
            "J_Bip_L_UpperLeg",
            "J_Bip_L_LowerLeg",
            "J_Bip_L_Foot",
            "J_Bip_R_UpperLeg",
            "J_Bip_R_LowerLeg",
            "J_Bip_R_Foot",
        ],
    ),
    ("Unreal", UNREAL),
    (
        "Rigify",
        [
            "DEF-spine",
            "DEF-spine.001",
            "DEF-spine.002",
            "DEF-spine.004",
            "DEF-spine.006",
            "DEF-shoulder.L",
            "DEF-upper_arm.L",
            "DEF-forearm.L",
            "DEF-hand.L",
            "DEF-shoulder.R",
            "DEF-upper_arm.R",
            "DEF-forearm.R",
            "DEF-hand.R",
            "DEF-thigh.L",
            "DEF-shin.L",
            "DEF-foot.L",
            "DEF-thigh.R",
            "DEF-shin.R",
            "DEF-foot.R",
        ],
    ),
    (
        "Rigify without prefix",
        [
            "spine",
            "spine.001",
            "spine.002",
            "spine.004",
            "spine.006",
            "shoulder.L",
            "upper_arm.L",
            "forearm.L",
            "hand.L",
            "shoulder.R",
            "upper_arm.R",
            "forearm.R",
            "hand.R",
            "thigh.L",
            "shin.L",
            "foot.L",
            "thigh.R",
            "shin.R",
            "foot.R",
        ],
    ),
    (
        "Biped",
        [
            "Bip01 Pelvis",
            "Bip01 Spine",
            "Bip01 Spine1",
            "Bip01 Neck",
            "Bip01 Head",
            "Bip01 L Clavicle",
            "Bip01 L UpperArm",
            "Bip01 L Forearm",
            "Bip01 L Hand",
            "Bip01 R Clavicle",
            "Bip01 R UpperArm",
            "Bip01 R Forearm",
            "Bip01 R Hand",
            "Bip01 L Thigh",
            "Bip01 L Calf",
            "Bip01 L Foot",
            "Bip01 R Thigh",
            "Bip01 R Calf",
            "Bip01 R Foot",
        ],
    ),
    (
        "Blender",
        [
            "Hips",
            "Spine",
            "Chest",
            "Neck",
            "Head",
            "Shoulder.L",
            "UpperArm.L",
            "LowerArm.L",
            "Hand.L",
            "Shoulder.R",
            "UpperArm.R",
            "LowerArm.R",
            "Hand.R",
            "UpperLeg.L",
            "LowerLeg.L",
            "Foot.L",
            "UpperLeg.R",
            "LowerLeg.R",
            "Foot.R",
        ],
    ),
];

#[test]
fn humanoids_of_all_naming_conventions_are_paired_with_one_another() {
    let all: Vec<_> = CONVENTIONS.iter().copied().chain([("Mixamo", MIXAMO)]).collect();
    for (from, source_names) in &all {
        for (to, target_names) in &all {
            let (source, target) = (model(&figure(source_names)), model(&figure(target_names)));
            let binding = bind(&source, &target, &[]);
            let pairs: Vec<_> = binding.pairs.iter().map(|pair| (pair.source, pair.target)).collect();
            let expected: Vec<_> = (0..19).map(|at| (NodeIndex(at), NodeIndex(at))).collect();
            assert_eq!(pairs, expected, "{from} to {to}");
        }
    }
}

#[test]
fn thumbs_with_the_same_names_for_different_joints_are_paired_by_their_joints() {
    let arms = ["Hips", "Spine", "Head", "LeftUpperArm", "LeftLowerArm", "LeftHand", "RightHand"];
    let rig_with = |thumbs: [&str; 3]| rig(&arms.into_iter().chain(thumbs).collect::<Vec<_>>());
    let unity = rig_with(["LeftThumbProximal", "LeftThumbIntermediate", "LeftThumbDistal"]);
    let vrm = rig_with(["leftThumbMetacarpal", "leftThumbProximal", "leftThumbDistal"]);
    for (source, target) in [(&unity, &vrm), (&vrm, &unity), (&unity, &unity), (&vrm, &vrm)] {
        let pairs: Vec<_> = bind(source, target, &[]).pairs.iter().map(|pair| (pair.source, pair.target)).collect();
        assert_eq!(pairs, (0..10).map(|at| (NodeIndex(at), NodeIndex(at))).collect::<Vec<_>>());
    }
    // Few names are not enough to tell the conventions apart.
    let binding = bind(&rig(&["spine", "spine.001"]), &rig(&["Spine", "Chest"]), &[]);
    assert_eq!(binding.pairs.len(), 1);
}

#[test]
fn all_spellings_of_the_body_side_are_recognized() {
    for name in
        ["hand.L", "Hand_L", "hand-l", "LeftHand", "l_hand", "L Hand", "lefthand", "left hand", "HandLeft", "x:Hand.l", "DEF-hand.L"]
    {
        let joint = humanoid::joint(name);
        assert_eq!(joint, Some(humanoid::Joint { name: "hand", side: Some(humanoid::BodySide::Left) }), "{name}");
    }
    for name in ["hand.R", "r_hand", "RightHand", "righthand"] {
        assert_eq!(humanoid::joint(name).unwrap().side, Some(humanoid::BodySide::Right), "{name}");
    }
    for name in ["hand", "L", "left", "", ":", "hips.L", "shelf", "handle_l"] {
        assert_eq!(humanoid::joint(name), None, "{name}");
    }
}

#[test]
fn finger_names_of_mixamo_unreal_and_vrm_mean_the_same_joints() {
    for names in
        [["mixamorig:LeftHandIndex1", "index_01_l", "leftIndexProximal"], ["mixamorig:RightHandPinky3", "pinky_03_r", "rightLittleDistal"]]
    {
        let joints = names.map(|name| humanoid::joint(name).unwrap());
        assert!(joints[0] == joints[1] && joints[1] == joints[2], "{joints:?}");
    }
}
