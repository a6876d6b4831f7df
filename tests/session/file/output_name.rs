//! Tests the names of pictures that are written.

use std::sync::Arc;

use sinew::model::Model;
use sinew::model::animation::Animation;
use sinew::session::document::Document;
use sinew::session::file::output_name::picture_name;
use sinew::session::view::View;

#[test]
fn picture_names_contain_only_characters_that_file_systems_allow() {
    // The animation has 24 frames per second.
    let times: Vec<f32> = (0..=24).map(|frame| frame as f32 / 24.0).collect();
    let name = Some("../Run / 2: \u{202E}fast\0".into());
    let animation = Animation { name, duration: 1.0, key_times: vec![times], ..Animation::default() };
    let model = Arc::new(Model { animations: vec![animation], ..Model::default() });
    let name = |file: &str, animation| {
        let document = Document::new(Arc::clone(&model), file.into(), None);
        picture_name(&document, &View { animation, ..View::default() }, 12.4 / 24.0)
    };
    assert_eq!(name("a b?.tar.gltf", Some(0)), "a-b-tar-run-2-fast-0012.png");
    assert_eq!(name("a b?.tar.gltf", None), "a-b-tar-rest.png");
    assert!(name(&"x".repeat(10_000), None).len() < 100);
    // The end of a long name tells it from others.
    let long = format!("{}_Variant_007.glb", "combat_locomotion_".repeat(8));
    let short = name(&long, None);
    assert!(short.starts_with("combat_loc") && short.ends_with("_variant_007-rest.png") && short.len() < 75, "{short}");
    let japanese = name(&format!("{}7.glb", "\u{6b69}".repeat(200)), None);
    assert!(japanese.starts_with('\u{6b69}') && japanese.ends_with("7-rest.png") && japanese.len() <= 99, "{japanese}");
}
