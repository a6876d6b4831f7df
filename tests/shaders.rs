//! Parses and validates every shader program with naga, in the form in which it is compiled. No device is needed.

use naga::valid::{Capabilities, ValidationFlags, Validator};
use sinew::model::material::MAX_TEXTURES;
use sinew::model::texture::TextureSlot;
use sinew::render::material::features::ShaderFeatures;
use sinew::render::material::texture_set::TextureSet;
use sinew::render::shaders::{self, PER_SAMPLE, Program};

/// Parses and validates a program. Asserts that it needs nothing beyond what every device offers.
fn valid(name: &str, source: &str) -> naga::Module {
    let module = naga::front::wgsl::parse_str(source).unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(source)));
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    validator.validate(&module).unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(source)));
    within_limits(name, &module);
    module
}

fn count(module: &naga::Module, wanted: fn(&naga::Module, &naga::GlobalVariable) -> bool) -> usize {
    module.global_variables.iter().filter(|(_, variable)| wanted(module, variable)).count()
}

fn textures(module: &naga::Module) -> usize {
    count(module, |module, variable| matches!(module.types[variable.ty].inner, naga::TypeInner::Image { .. }))
}

fn samplers(module: &naga::Module) -> usize {
    count(module, |module, variable| matches!(module.types[variable.ty].inner, naga::TypeInner::Sampler { .. }))
}

fn within_limits(name: &str, module: &naga::Module) {
    // Only fragment shaders read these two variables, and the limit applies to each stage.
    let fragment = |variable: &naga::GlobalVariable| ["lights", "material"].map(Some).contains(&variable.name.as_deref());
    let storage = |variable: &naga::GlobalVariable| matches!(variable.space, naga::AddressSpace::Storage { .. });
    let vertex_storage = module.global_variables.iter().filter(|(_, variable)| storage(variable) && !fragment(variable)).count();
    assert!(vertex_storage <= 8, "{name} has {vertex_storage} storage buffers");
    assert!(textures(module) <= 16, "{name} has {} textures", textures(module));
    assert!(samplers(module) <= 16, "{name} has {} samplers", samplers(module));
}

#[test]
fn every_program_is_valid_and_stays_within_the_limits_of_all_devices() {
    for (program, software) in Program::ALL.into_iter().flat_map(|program| [(program, false), (program, true)]) {
        valid(&format!("{program:?}"), &program.source(software));
    }
}

#[test]
fn every_pair_of_features_makes_a_valid_program() {
    let textures = TextureSet::new([(TextureSlot::BaseColor, 0)]);
    for (name, one) in ShaderFeatures::NAMES {
        for (other_name, other) in ShaderFeatures::NAMES {
            // Dispersion needs a refracted background.
            let needed = if one.with(other).has(ShaderFeatures::DISPERSION) {
                ShaderFeatures::TRANSMISSION.with(ShaderFeatures::VOLUME)
            } else {
                one
            };
            let features = one.with(other).with(needed);
            let module = valid(&format!("{name}, {other_name}"), &shaders::surface(textures, features, false));
            let behind = module.global_variables.iter().any(|(_, variable)| variable.name.as_deref() == Some("backdrop"));
            assert_eq!(behind, features.has(ShaderFeatures::TRANSMISSION), "{name}, {other_name}");
        }
    }
    let all = ShaderFeatures::NAMES.iter().fold(ShaderFeatures::default(), |all, (_, feature)| all.with(*feature));
    valid("all features", &shaders::surface(textures, all, true));
}

#[test]
fn a_program_binds_exactly_the_textures_of_its_set() {
    let all = ShaderFeatures::NAMES.iter().fold(ShaderFeatures::default(), |all, (_, feature)| all.with(*feature));
    let bound = |set: TextureSet| {
        let module = valid("textures", &shaders::surface(set, all, false));
        [textures(&module), samplers(&module)]
    };
    let [frame_textures, frame_samplers] = bound(TextureSet::default());
    let set = |first: usize, count: usize, samplers: usize| {
        let slots = TextureSlot::ALL.into_iter().skip(first).take(count);
        TextureSet::new(slots.enumerate().map(|(rank, slot)| (slot, rank % samplers)))
    };
    for (place, slot) in TextureSlot::ALL.into_iter().enumerate() {
        assert_eq!(bound(set(place, 1, 1)), [frame_textures + 1, frame_samplers + 1], "{slot:?}");
    }
    for (first, count, samplers) in [(0, 5, 1), (0, 12, 1), (0, 12, 12), (8, 12, 3), (5, 2, 2)] {
        assert_eq!(bound(set(first, count, samplers)), [frame_textures + count, frame_samplers + samplers]);
    }
    assert_eq!(set(0, 20, 20).count(), MAX_TEXTURES, "the last ones are left out");
}

#[test]
fn a_texture_set_contains_the_textures_that_it_was_made_of() {
    let made = [(TextureSlot::Normal, 0), (TextureSlot::Emissive, 1), (TextureSlot::Transmission, 0), (TextureSlot::SheenRoughness, 2)];
    let set = TextureSet::new(made);
    assert_eq!(set.iter().collect::<Vec<_>>(), made);
    assert_eq!((set.count(), set.sampler_count()), (4, 3));
    assert!(set.has(TextureSlot::Emissive) && !set.has(TextureSlot::BaseColor));
}

#[test]
fn masks_that_are_shaded_per_sample_make_valid_programs() {
    let textures = TextureSet::new(TextureSlot::ALL.into_iter().take(MAX_TEXTURES).map(|slot| (slot, 0)));
    for set in [TextureSet::default(), textures] {
        let source = shaders::surface(set, ShaderFeatures::default(), true) + PER_SAMPLE;
        let module = naga::front::wgsl::parse_str(&source).unwrap_or_else(|error| panic!("{}", error.emit_to_string(&source)));
        // Shading per sample requires this capability.
        let mut validator = Validator::new(ValidationFlags::all(), Capabilities::MULTISAMPLED_SHADING);
        validator.validate(&module).unwrap_or_else(|error| panic!("{}", error.emit_to_string(&source)));
    }
}
