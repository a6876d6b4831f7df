//! Every shader program, concatenated as it is compiled, through naga's parser and validator. No device is needed.

use sinew::render::shaders::{PER_SAMPLE, Program};

#[test]
fn every_program_is_valid_wgsl() {
    for program in Program::ALL {
        let source = program.source();
        let module = naga::front::wgsl::parse_str(&source).unwrap_or_else(|error| panic!("{program:?}: {}", error.emit_to_string(&source)));
        // Nothing beyond what every device has.
        let mut validator = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::empty());
        validator.validate(&module).unwrap_or_else(|error| panic!("{program:?}: {}", error.emit_to_string(&source)));
    }
}

#[test]
fn what_is_shaded_by_sample_is_valid_where_there_is_such_a_thing() {
    let source = Program::Surface.source() + PER_SAMPLE;
    let module = naga::front::wgsl::parse_str(&source).unwrap_or_else(|error| panic!("{}", error.emit_to_string(&source)));
    let mut validator = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::MULTISAMPLED_SHADING);
    validator.validate(&module).unwrap_or_else(|error| panic!("{}", error.emit_to_string(&source)));
}

#[test]
fn no_stage_binds_more_storage_buffers_or_textures_than_every_device_has() {
    for program in Program::ALL {
        let source = program.source();
        let module = naga::front::wgsl::parse_str(&source).unwrap();
        let count = |wanted: fn(&naga::Module, &naga::GlobalVariable) -> bool| {
            module.global_variables.iter().filter(|(_, variable)| wanted(&module, variable)).count()
        };
        let storage = count(|_, variable| matches!(variable.space, naga::AddressSpace::Storage { .. }));
        let textures = count(|module, variable| matches!(module.types[variable.ty].inner, naga::TypeInner::Image { .. }));
        assert!(storage <= 8, "{program:?} has {storage} storage buffers");
        assert!(textures <= 16, "{program:?} has {textures} textures");
    }
}
