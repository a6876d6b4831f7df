//! Tests the names that lists show: without the prefix of their skeleton, and shortened so that the parts that differ stay.

use std::sync::Arc;

use sinew::model::Model;
use sinew::model::animation::Animation;
use sinew::model::node::NodeIndex;
use sinew::session::document::Document;
use sinew::session::names::list::{NameList, without_middle};
use sinew::session::names::{NameStyle, Names};

use crate::common::hand_made;

/// Builds nodes from names and parents, and a skin of the `joints`.
fn skinned(nodes: &[(&str, Option<usize>)], joints: &[usize]) -> Model {
    let nodes: Vec<_> = nodes.iter().map(|(name, parent)| ((*name).to_owned(), *parent)).collect();
    let mut model = hand_made::tree(&nodes);
    hand_made::add_skin(&mut model, joints);
    model
}

/// Returns the short names of all nodes.
fn short(model: &Model) -> Vec<String> {
    let names = Names::new(model, &model.joints());
    model.node_indices().map(|node| names.node(node, NameStyle::Short).to_owned()).collect()
}

/// Shortens every name of a list to this many characters.
fn fitted(names: &[&str], width: usize) -> Vec<String> {
    let list = NameList::new(names.iter().map(|name| (*name).to_owned()).collect());
    let fits = |text: &str| text.chars().count() <= width;
    (0..names.len()).map(|name| list.fit(name, 0, &fits)).collect()
}

/// Asserts that all names fit and that no two of them are equal.
fn assert_told_apart(names: &[String], width: usize) {
    for (at, name) in names.iter().enumerate() {
        assert!(name.chars().count() <= width, "{name} is longer than {width}");
        assert!(!names[..at].contains(name), "{name} occurs twice in {names:?}");
    }
}

#[test]
fn a_prefix_that_all_joints_of_a_skin_share_is_left_out() {
    let nodes = [
        ("Armature", None),
        ("mixamorig:Hips", Some(0)),
        ("mixamorig:Spine", Some(1)),
        ("mixamorig:Spine1", Some(2)),
        ("mixamorig:LeftArm", Some(3)),
        ("mixamorig:LeftArm_End", Some(4)),
        ("Sword", Some(4)),
    ];
    let model = skinned(&nodes, &[1, 2, 3, 4]);
    // The last two nodes are not joints of the skin, but children of one.
    assert_eq!(short(&model), ["Armature", "Hips", "Spine", "Spine1", "LeftArm", "LeftArm_End", "Sword"]);
    let names = Names::new(&model, &model.joints());
    assert_eq!(names.node(NodeIndex(1), NameStyle::Full), "mixamorig:Hips");
}

#[test]
fn a_prefix_without_a_separator_ends_before_a_capital_letter() {
    let model = skinned(
        &[("mixamorigHips", None), ("mixamorigHead", Some(0)), ("mixamorigHeadTop", Some(1)), ("mixamorigHand", Some(0))],
        &[0, 1, 2, 3],
    );
    assert_eq!(short(&model), ["Hips", "Head", "HeadTop", "Hand"]);
}

#[test]
fn a_topmost_joint_need_not_have_the_prefix() {
    let nodes = [("_rootJoint", None), ("b_Root_00", Some(0)), ("b_Hip_01", Some(1)), ("b_Spine_02", Some(2))];
    assert_eq!(short(&skinned(&nodes, &[0, 1, 2, 3])), ["_rootJoint", "Root_00", "Hip_01", "Spine_02"]);
    let nodes = [("Bip01", None), ("Bip01 Pelvis", Some(0)), ("Bip01 Spine", Some(1)), ("Bip01 Spine1", Some(2))];
    assert_eq!(short(&skinned(&nodes, &[0, 1, 2, 3])), ["Bip01", "Pelvis", "Spine", "Spine1"]);
}

#[test]
fn a_prefix_stays_if_the_rest_would_be_a_number_or_part_of_a_word() {
    let numbers = [("Bone", None), ("Bone_01", Some(0)), ("Bone_02", Some(1)), ("Bone_03", Some(2))];
    assert_eq!(short(&skinned(&numbers, &[0, 1, 2, 3])), ["Bone", "Bone_01", "Bone_02", "Bone_03"]);
    let words = [("Head", None), ("Left", Some(0)), ("Lower", Some(0)), ("Lid", Some(0)), ("", Some(0))];
    assert_eq!(short(&skinned(&words, &[0, 1, 2, 3])), ["Head", "Left", "Lower", "Lid", "node 0"]);
    let equal = [("a:Hip", None), ("a:Hip", Some(0)), ("a:Hip", Some(1)), ("a:Hip", Some(2))];
    assert_eq!(short(&skinned(&equal, &[0, 1, 2, 3])), ["Hip"; 4]);
}

#[test]
fn a_shorter_prefix_that_the_topmost_joint_shares_is_used() {
    let nodes = [("m:Neck", None), ("m:RightArm", Some(0)), ("m:RightHand", Some(1)), ("m:RightThumb", Some(2))];
    assert_eq!(short(&skinned(&nodes, &[0, 1, 2, 3])), ["Neck", "RightArm", "RightHand", "RightThumb"]);
}

#[test]
fn two_characters_whose_short_names_would_be_equal_keep_their_prefixes() {
    let character = |prefix: &str, first: usize| {
        ["Hips", "Spine", "Neck", "Head"]
            .map(|name| format!("{prefix}{name}"))
            .into_iter()
            .enumerate()
            .map(|(i, name)| (name, i.checked_sub(1).map(|above| first + above)))
            .collect::<Vec<_>>()
    };
    let mut model = hand_made::tree(&[character("anna:", 0), character("ben:", 4)].concat());
    hand_made::add_skin(&mut model, &[0, 1, 2, 3]);
    hand_made::add_skin(&mut model, &[4, 5, 6, 7]);
    assert_eq!(short(&model)[0], "anna:Hips");
    assert_eq!(short(&model)[7], "ben:Head");
}

#[test]
fn a_file_with_motion_only_has_short_names() {
    let names = ["anim:Hips", "anim:Spine", "anim:Head", "anim:Hand"];
    let nodes: Vec<_> = names.iter().enumerate().map(|(i, name)| ((*name).to_owned(), i.checked_sub(1))).collect();
    let document = Document::new(Arc::new(hand_made::tree(&nodes)), String::new(), None);
    let other = document.with_animations(document.model.clone());
    for document in [&document, &other] {
        let short = document.model.node_indices().map(|node| document.names.node(node, NameStyle::Short));
        assert_eq!(short.collect::<Vec<_>>(), ["Hips", "Spine", "Head", "Hand"]);
    }
}

#[test]
fn a_side_that_is_shortened_to_its_letter_ends_with_an_ellipsis() {
    // "RHand" would read as another name.
    let names = ["RightUpperArm_06", "RightArm_07", "RightHand_08", "LeftUpperArm_09", "LeftArm_10", "LeftHand_11"];
    assert_eq!([8, 9].map(|width| fitted(&names, width)[2].clone()), ["R\u{2026}Hand\u{2026}", "R\u{2026}Hand_08"]);
}

#[test]
fn skins_over_the_same_joints_share_one_prefix() {
    let nodes = [("m:Hips", None), ("m:Head", Some(0)), ("m:HeadTop", Some(1)), ("m:HeadEnd", Some(1)), ("m:Hand", Some(0))];
    let mut model = skinned(&nodes, &[0, 1, 2, 3, 4]);
    // Without the first skin, this one would have the prefix "m:Head".
    hand_made::add_skin(&mut model, &[1, 2, 3]);
    assert_eq!(short(&model), ["Hips", "Head", "HeadTop", "HeadEnd", "Hand"]);
}

/// Returns the names of a rig with 93 joints, 14 levels deep, as an exporter numbers them.
fn mixamo() -> Vec<String> {
    let fingers = ["Thumb", "Index", "Middle", "Ring", "Pinky"];
    let arm = |side: &str| {
        let finger = |finger: &&str| (1..=4).map(|joint| format!("{side}Hand{finger}{joint}")).collect::<Vec<_>>();
        let arm = ["Shoulder", "Arm", "ForeArm", "Hand"].map(|joint| format!("{side}{joint}")).to_vec();
        [arm, fingers.iter().flat_map(finger).collect()].concat()
    };
    let spine = ["Hips", "Spine", "Spine1", "Spine2", "Neck", "Head", "HeadTop_End"].map(str::to_owned).to_vec();
    let leg = |side: &str| ["UpLeg", "Leg", "Foot", "ToeBase", "Toe_End"].map(|joint| format!("{side}{joint}")).to_vec();
    let tail = (1..=28).map(|joint| format!("CapeBack{joint}")).collect();
    let names = [spine, arm("Left"), arm("Right"), leg("Left"), leg("Right"), tail].concat();
    names.iter().enumerate().map(|(i, name)| format!("mixamorig:{name}_{i:03}")).collect()
}

#[test]
fn ninety_three_joints_are_told_apart_where_few_characters_fit() {
    let names = mixamo();
    assert_eq!(names.len(), 93);
    let chain: Vec<_> = names.iter().enumerate().map(|(i, name)| (name.clone(), i.min(13).checked_sub(1))).collect();
    let mut model = hand_made::tree(&chain);
    hand_made::add_skin(&mut model, &(0..93).collect::<Vec<_>>());
    let names = Names::new(&model, &model.joints());
    let fits = |text: &str| text.chars().count() <= 17;
    let shown: Vec<_> = model.node_indices().map(|node| names.fit_node(node, NameStyle::Short, &fits)).collect();
    assert_told_apart(&shown, 17);
    // The numbers of the exporter are left out first. The name of a finger and its number stay.
    let at = |name: &str| shown[mixamo().iter().position(|other| other.contains(name)).unwrap()].clone();
    assert_eq!([at("Spine2"), at("LeftForeArm"), at("RightHandIndex3")], ["Spine2_003", "LeftForeArm_009", "RightHandIndex3\u{2026}"]);
}

#[test]
fn animations_with_a_long_common_beginning_and_ending_keep_what_differs() {
    let mut names = Vec::new();
    for gait in ["Walk", "Run", "Sprint", "Crouch"] {
        for way in ["F", "B", "L", "R"] {
            names.extend(["Start", "Loop", "Stop"].map(|phase| format!("A_Locomotion_{gait}_{way}_{phase}_24to30")));
        }
    }
    assert_eq!(names.len(), 48);
    let shown = fitted(&names.iter().map(String::as_str).collect::<Vec<_>>(), 18);
    assert_told_apart(&shown, 18);
    assert_eq!(shown[0], "\u{2026}Walk_F_Start\u{2026}");
}

#[test]
fn the_side_stays_if_the_other_side_has_the_same_name() {
    let arm = |side: &str, first: usize| {
        let joint = |(i, joint): (usize, &str)| format!("b_{side}{joint}_{:02}", first + i);
        ["UpperArm", "ForeArm", "Hand"].into_iter().enumerate().map(joint).collect::<Vec<_>>()
    };
    let names = [vec!["b_Spine_01".to_owned()], arm("Right", 6), arm("Left", 9)].concat();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for width in [12, 14, 16] {
        let shown = fitted(&names, width);
        assert_told_apart(&shown, width);
        assert!(shown[1..4].iter().all(|name| name.contains("Right")) && shown[4..].iter().all(|name| name.contains("Left")), "{shown:?}");
    }
    // A word that has no counterpart is not a side.
    let shown = fitted(&["LegUpperRightScrew", "LegLowerRightScrew", "LegMiddleRightScrew"], 8);
    assert!(!shown.iter().any(|name| name.contains("Right")), "{shown:?}");
}

#[test]
fn words_without_separators_are_divided_where_they_differ() {
    let japanese = [
        "\u{6b69}\u{884c}\u{30eb}\u{30fc}\u{30d7}\u{30a2}\u{30cb}\u{30e1}\u{5de6}",
        "\u{6b69}\u{884c}\u{30eb}\u{30fc}\u{30d7}\u{30a2}\u{30cb}\u{30e1}\u{53f3}",
    ];
    assert_eq!(fitted(&japanese, 3), ["\u{2026}\u{5de6}", "\u{2026}\u{53f3}"]);
    let arabic = [
        "\u{627}\u{644}\u{645}\u{634}\u{64a}\u{627}\u{644}\u{633}\u{631}\u{64a}\u{639}\u{64a}\u{645}\u{64a}\u{646}",
        "\u{627}\u{644}\u{645}\u{634}\u{64a}\u{627}\u{644}\u{633}\u{631}\u{64a}\u{639}\u{64a}\u{633}\u{627}\u{631}",
    ];
    assert_told_apart(&fitted(&arabic, 8), 8);
    let middle = ["aaaaaaaaaaaaoneaaaaaaaaaaaa", "aaaaaaaaaaaatwoaaaaaaaaaaaa"];
    assert_eq!(fitted(&middle, 6), ["\u{2026}one\u{2026}", "\u{2026}two\u{2026}"]);
}

#[test]
fn a_long_word_that_does_not_fit_whole_is_cut_beside_its_number() {
    let names = [
        "attackcombinationheavywithtwohandedsword_01",
        "attackcombinationheavywithtwohandedsword_02",
        "locomotionwalkingforwardinjuredleftlegslow_01",
        "locomotionwalkingforwardinjuredleftlegslow_02",
    ];
    for width in [12, 20, 28, 40] {
        assert_told_apart(&fitted(&names, width), width);
    }
    let shown = fitted(&names, 20);
    assert_eq!(shown[0], "attack\u{2026}andedsword_01");
    assert_eq!(shown[3], "locomo\u{2026}eftlegslow_02");
    // A number needs nearly the whole row.
    assert_eq!(fitted(&names, 6), ["\u{2026}01", "\u{2026}02", "\u{2026}01", "\u{2026}02"]);
}

#[test]
fn a_grapheme_is_never_cut() {
    // A family of three people, joined, and letters with combining accents.
    let family = "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}";
    let accents = "e\u{301}".repeat(12);
    for name in [family.repeat(6), accents] {
        let whole = if name.starts_with('e') { "e\u{301}" } else { family };
        for width in 1..name.chars().count() {
            for shown in fitted(&[&name, &format!("{name}x")], width) {
                let rest = shown.replace(whole, "").replace(['\u{2026}', 'x'], "");
                assert_eq!(rest, "", "of {shown} in {width}");
            }
        }
    }
}

#[test]
fn any_name_fits_any_width_of_at_least_one_character() {
    let long = "n".repeat(100_000);
    let many = "Ab_".repeat(40_000);
    let names = ["", "", "a", "_", "__", "1", "1_2", "\u{2026}", "same", "same", &long, &many, "a\nb\u{202e}c", "_1A"];
    let labels: Vec<String> = names.iter().map(|name| sinew::model::label::clean(name).into_owned()).collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    for width in [0, 1, 2, 3, 5, 8, 40] {
        for (shown, name) in fitted(&labels, width).iter().zip(&labels) {
            assert!(shown.chars().count() <= width.max(1), "{shown} for {width}");
            assert!(name.chars().count() > width || shown == name);
            assert!(!shown.contains(['\n', '\u{202e}']));
        }
    }
}

#[test]
fn names_of_animations_are_labels() {
    let named = |name: Option<&str>| Animation { name: name.map(str::to_owned), ..Animation::default() };
    let model = Model { animations: vec![named(None), named(Some(" ")), named(Some("Walk\u{202e}"))], ..Model::default() };
    let names = Names::new(&model, &[]);
    assert_eq!([names.animation(0), names.animation(1), names.animation(2)], ["animation 0", "animation 1", "Walk\u{b7}"]);
}

#[test]
fn a_side_that_does_not_fit_is_shown_by_its_first_letter() {
    let names = [
        "LeftUpperArm_10",
        "LeftForeArm_09",
        "LeftHand_011",
        "RightUpperArm_06",
        "RightForeArm_07",
        "RightHand_08",
        "LeftFoot02_018",
        "RightFoot02_022",
    ];
    for width in [8, 9, 10, 11, 12] {
        let shown = fitted(&names, width);
        assert_told_apart(&shown, width);
        for (name, shown) in names.iter().zip(&shown) {
            assert!(shown.starts_with(&name[..1]), "{name} became {shown} in {width} characters");
        }
    }
}

#[test]
fn shortened_names_keep_more_of_their_end() {
    let without_middle = |text: &str, kept| without_middle(&text.split("").filter(|char| !char.is_empty()).collect::<Vec<_>>(), kept);
    assert_eq!(without_middle("mixamorig:LeftForeArm", 12), "mixa\u{2026}tForeArm");
    assert_eq!(without_middle("\u{6b69}\u{304f}\u{4eba}\u{3005}", 2), "\u{6b69}\u{2026}\u{3005}");
    assert_eq!(without_middle("any", 0), "\u{2026}");
}
