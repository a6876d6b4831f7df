//! Lists the materials of the active node's mesh under the chosen variant: their names, how they are drawn, and their extensions.

use egui::Ui;

use crate::model::material::{AlphaMode, Material};
use crate::model::material_layers::{Anisotropy, Clearcoat, DiffuseTransmission, Iridescence, Sheen, Specular, Transmission, Volume};
use crate::ui::context::Context;
use crate::ui::widgets::value_rows;

/// Maximum number of materials listed. The rest are only counted.
const MAX_MATERIALS: usize = 6;

/// Draws one row per material that the mesh uses, and a second row about how it is drawn.
pub fn materials_ui(ui: &mut Ui, context: &Context, mesh: usize) {
    let model = &context.document.model;
    let mut used = Vec::new();
    for primitive in &model.meshes[mesh].primitives {
        let material = primitive.material_in(context.view.display.variant);
        if !used.contains(&material) {
            used.push(material);
        }
    }
    for (shown, index) in used.iter().take(MAX_MATERIALS).enumerate() {
        let label = if shown == 0 { "Material" } else { "" };
        let Some((index, material)) = index.and_then(|index| Some((index, model.materials.get(index)?))) else {
            value_rows::text_ui(ui, label, "Default material");
            continue;
        };
        let name = material.name.as_ref().filter(|name| !name.is_empty());
        value_rows::text_ui(ui, label, &name.map_or(format!("material {index}"), |name| format!("{name} (material {index})")));
        let traits = traits(material).join(", ");
        if !traits.is_empty() {
            value_rows::further_ui(ui, &traits);
        }
    }
    if used.len() > MAX_MATERIALS {
        value_rows::further_ui(ui, &format!("and {} more", used.len() - MAX_MATERIALS));
    }
}

/// Names the properties that differ from those of the default material.
fn traits(material: &Material) -> Vec<&'static str> {
    let layers = [
        (matches!(material.alpha_mode, AlphaMode::Mask { .. }), "masked"),
        (material.alpha_mode == AlphaMode::Blend, "blended"),
        (material.unlit, "unlit"),
        (material.specular_glossiness.is_some(), "specular-glossiness"),
        (material.transmission != Transmission::default(), "transmission"),
        (material.diffuse_transmission != DiffuseTransmission::default(), "diffuse transmission"),
        (material.volume != Volume::default(), "volume"),
        (material.ior != Material::default().ior, "ior"),
        (material.dispersion > 0.0, "dispersion"),
        (material.clearcoat != Clearcoat::default(), "clearcoat"),
        (material.sheen != Sheen::default(), "sheen"),
        (material.specular != Specular::default(), "specular"),
        (material.iridescence != Iridescence::default(), "iridescence"),
        (material.anisotropy != Anisotropy::default(), "anisotropy"),
        (material.emissive_strength != Material::default().emissive_strength, "emissive strength"),
    ];
    layers.into_iter().filter(|(is_so, _)| *is_so).map(|(_, words)| words).collect()
}
