//! Tests the checks against the profiles of engines.

use serde_json::json;
use sinew::check::finding::CheckFinding;
use sinew::check::profile::{PROFILES, Profile};
use sinew::check::settings::Settings;
use sinew::model::finding::Severity;

use crate::common::character::{BODY, Character, character};

/// The findings of a profile.
fn of(character: &Character, profile: Profile) -> Vec<CheckFinding> {
    let found = character.check(&Settings::with_profile(profile));
    found.into_iter().filter(|finding| finding.code.starts_with("PROFILE")).collect()
}

/// The codes of the findings of a profile.
fn codes(character: &Character, profile: Profile) -> Vec<&'static str> {
    of(character, profile).iter().map(|finding| finding.code).collect()
}

#[test]
fn the_table_is_in_the_order_of_the_profiles() {
    assert!(PROFILES.iter().zip(Profile::ALL).all(|(entry, profile)| entry.profile == profile));
    assert!(Profile::ALL.into_iter().all(|profile| Profile::from_name(profile.name()) == Some(profile)));
}

#[test]
fn a_clean_character_suits_every_profile() {
    for profile in Profile::ALL {
        assert_eq!(of(&character(), profile), [], "{profile:?}");
    }
}

#[test]
fn influences_beyond_the_profile_are_errors() {
    let mut many = character();
    for vertex in &mut many.influences {
        vertex.push([(0, 0.0); 4]);
    }
    for joint in 0..6u16 {
        many.influences[0][usize::from(joint) / 4][usize::from(joint) % 4] = (joint, 1.0 / 6.0);
    }
    assert_eq!(codes(&many, Profile::Three), ["PROFILE_INFLUENCES"]);
    assert_eq!(codes(&many, Profile::Unity), ["PROFILE_INFLUENCES"]);
    let finding = &of(&many, Profile::Unity)[0];
    assert_eq!((finding.severity, finding.value, finding.threshold), (Severity::Error, Some(6.0), Some(4.0)));
    for profile in [Profile::Generic, Profile::Unreal, Profile::Godot] {
        assert_eq!(codes(&many, profile), [""; 0], "{profile:?}");
    }
}

#[test]
fn any_weight_in_the_second_set_is_an_error_for_three() {
    let mut second = character();
    for vertex in &mut second.influences {
        vertex.push([(0, 0.0); 4]);
    }
    assert_eq!(codes(&second, Profile::Three), [""; 0]);
    for vertex in 3..6 {
        second.influences[vertex].swap(0, 1);
    }
    let finding = &of(&second, Profile::Three)[0];
    assert_eq!((finding.code, finding.node, finding.value), ("PROFILE_INFLUENCES", Some(BODY), Some(3.0)));
    assert!(finding.message.contains("reads only JOINTS_0"), "{}", finding.message);
    assert_eq!(codes(&second, Profile::Unity), [""; 0]);
}

#[test]
fn a_skin_with_too_many_joints_is_reported() {
    let mut wide = character();
    for joint in 0..250 {
        wide.nodes.push(json!({ "name": format!("Feather{joint}") }));
        wide.joints.push(10 + joint);
        wide.roots.push(10 + joint);
        wide.bound.push([0.0; 3]);
    }
    let finding = &of(&wide, Profile::Unreal)[0];
    assert_eq!((finding.code, finding.value, finding.pointer.as_str()), ("PROFILE_JOINTS", Some(259.0), "/skins/0/joints"));
    assert_eq!(codes(&wide, Profile::Godot), [""; 0]);
}

#[test]
fn names_that_an_import_changes_are_reported() {
    let mut named = character();
    named.nodes[2]["name"] = json!("Head.001");
    let found = of(&named, Profile::Three);
    assert_eq!((found.len(), found[0].code, found[0].severity, found[0].node), (1, "PROFILE_NAMES", Severity::Info, Some(2)));
    // three.js replaces all white space.
    for space in [' ', '\t', '\u{A0}', '\u{FEFF}'] {
        named.nodes[2]["name"] = json!(format!("Head{space}1"));
        let found = of(&named, Profile::Three);
        assert!(found.len() == 1 && found[0].message.contains("does not keep spaces in it"), "{space:?}: {found:?}");
    }
    named.nodes[2]["name"] = json!("Head.001");
    // Godot keeps dots in the names of joints, but not in those of other nodes. It keeps no colons in either.
    assert_eq!(codes(&named, Profile::Godot), [""; 0]);
    named.nodes.push(json!({ "name": "Prop.001" }));
    named.roots.push(named.nodes.len() - 1);
    let found = of(&named, Profile::Godot);
    assert_eq!((found.len(), found[0].node), (1, Some(named.nodes.len() - 1)));
    named.nodes[1]["name"] = json!("mixamorig:Spine");
    let found = of(&named, Profile::Godot);
    assert!(found[0].message.contains("2 node names") && found[0].message.contains(". :"), "{}", found[0].message);
    for profile in [Profile::Generic, Profile::Unreal, Profile::Unity] {
        assert_eq!(codes(&named, profile), [""; 0], "{profile:?}");
    }
}

#[test]
fn equal_names_of_joints_suit_every_profile() {
    // Imports make names unique by themselves.
    let mut equal = character();
    equal.nodes[2]["name"] = json!("Spine");
    for profile in Profile::ALL {
        assert_eq!(codes(&equal, profile), [""; 0], "{profile:?}");
    }
}

#[test]
fn a_rig_in_centimeters_is_scaled_twice_by_unreal() {
    let mut large = character();
    large.nodes.push(json!({ "name": "Armature", "scale": [100.0, 100.0, 100.0], "children": [0] }));
    large.roots = vec![10, 9];
    assert_eq!(codes(&large, Profile::Unreal), ["PROFILE_UNIT"]);
    assert_eq!(codes(&large, Profile::Unity), [""; 0]);
}

#[test]
fn required_extensions_that_a_profile_lacks_are_errors() {
    let mut quantized = character();
    quantized.required = vec!["KHR_mesh_quantization"];
    assert_eq!(codes(&quantized, Profile::Godot), ["PROFILE_EXTENSION"]);
    for profile in [Profile::Generic, Profile::Unreal, Profile::Unity, Profile::Three] {
        assert_eq!(codes(&quantized, profile), [""; 0], "{profile:?}");
    }
}
