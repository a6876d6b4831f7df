//! The fonts of the window and of captions: the embedded fonts, then system fonts for the characters that the embedded fonts lack.

use std::collections::BTreeSet;
use std::io::Read;
use std::sync::{Arc, LazyLock};

use egui::{Context, FontData, FontDefinitions, FontFamily, FontId};
use flate2::read::ZlibDecoder;

use crate::model::Model;
use crate::session::document::Document;
use crate::system_fonts::SystemFont;

/// The font family of icons.
pub const ICON_FAMILY: &str = "icons";
/// The font family of titles.
pub const SEMIBOLD_FAMILY: &str = "semibold";

/// Maximum number of characters that are looked up. A file with more characters does not hold real names.
const MAX_CHARACTERS: usize = 20_000;

/// Gives the context the embedded fonts, followed by system fonts for the characters that the embedded fonts lack.
pub fn set_fonts(ctx: &Context, system: &[SystemFont]) {
    let mut fonts = embedded_fonts();
    for SystemFont { name, data } in system {
        fonts.font_data.insert(name.clone(), Arc::clone(data));
        for (_, family) in fonts.families.iter_mut().filter(|(family, _)| **family != FontFamily::Name(ICON_FAMILY.into())) {
            family.push(name.clone());
        }
    }
    ctx.set_fonts(fonts);
}

/// All characters of the file's name and of the texts of its model.
pub fn characters_of(document: &Document) -> BTreeSet<char> {
    let mut characters = characters_of_model(&document.model);
    characters.extend(document.name.chars());
    characters
}

/// All characters of the texts of a model that panels show: the names of its objects, its generator and its copyright.
pub fn characters_of_model(model: &Model) -> BTreeSet<char> {
    let names = model.nodes.iter().map(|node| &node.name);
    let names = names.chain(model.animations.iter().map(|animation| &animation.name));
    let names = names.chain(model.meshes.iter().map(|mesh| &mesh.name)).chain(model.skins.iter().map(|skin| &skin.name));
    let names = names.chain(model.materials.iter().map(|material| &material.name)).chain(model.images.iter().map(|image| &image.name));
    let names = names.chain(model.cameras.iter().map(|camera| &camera.name)).chain(model.lights.iter().map(|light| &light.name));
    let names = names.chain(model.scenes.iter().map(|scene| &scene.name)).chain(model.variants.iter().map(|variant| &variant.name));
    let names = names.chain([&model.asset.generator, &model.asset.copyright]).flatten();
    let targets = model.meshes.iter().flat_map(|mesh| &mesh.target_names);
    names.chain(targets).flat_map(|name| name.chars()).collect()
}

/// The characters that no font of the context has, except ASCII, control characters and spaces; at most 20,000 are looked up.
pub fn missing(ctx: &Context, characters: BTreeSet<char>) -> BTreeSet<char> {
    let shown = characters.into_iter().filter(|char| !char.is_ascii() && !char.is_control() && !char.is_whitespace()).take(MAX_CHARACTERS);
    let font = FontId::proportional(13.0);
    ctx.fonts_mut(|fonts| shown.filter(|&char| !fonts.has_glyph(&font, char)).collect())
}

/// The embedded fonts by name. Their characters are listed in `scripts/subset_fonts.sh`. The fonts of egui would add 1.4 MB to the program,
/// mostly for characters that these fonts or those of the system have.
static EMBEDDED: LazyLock<[(&str, Arc<FontData>); 4]> = LazyLock::new(|| {
    // `build.rs` has compressed the files.
    let compressed: [(&str, &[u8]); 4] = [
        ("Inter", include_bytes!(concat!(env!("OUT_DIR"), "/Inter-Regular.otf.zlib"))),
        ("Inter SemiBold", include_bytes!(concat!(env!("OUT_DIR"), "/Inter-SemiBold.otf.zlib"))),
        ("JetBrains Mono", include_bytes!(concat!(env!("OUT_DIR"), "/JetBrainsMono-Regular.ttf.zlib"))),
        ("Lucide", include_bytes!(concat!(env!("OUT_DIR"), "/Lucide.ttf.zlib"))),
    ];
    compressed.map(|(name, compressed)| {
        let mut bytes = Vec::new();
        ZlibDecoder::new(compressed).read_to_end(&mut bytes).expect("the embedded file is complete");
        (name, Arc::new(FontData::from_owned(bytes)))
    })
});

/// Returns the embedded fonts and their families.
fn embedded_fonts() -> FontDefinitions {
    let mut fonts = FontDefinitions::empty();
    fonts.font_data.extend(EMBEDDED.iter().map(|(name, data)| ((*name).to_owned(), Arc::clone(data))));
    // Inter has characters that the other two lack.
    let families = [
        (FontFamily::Proportional, vec!["Inter"]),
        (FontFamily::Name(SEMIBOLD_FAMILY.into()), vec!["Inter SemiBold", "Inter"]),
        (FontFamily::Monospace, vec!["JetBrains Mono", "Inter"]),
        (FontFamily::Name(ICON_FAMILY.into()), vec!["Lucide"]),
    ];
    fonts.families.extend(families.map(|(family, names)| (family, names.into_iter().map(str::to_owned).collect())));
    fonts
}
