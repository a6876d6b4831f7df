//! The vertex attributes that the textures of a material need: texture coordinates and a tangent space (glTF 2.0, 3.9.2).

use serde_json::{Map, Value};

use crate::validate::context::ValidationContext;
use crate::validate::read;
use crate::validate::schema;
use crate::validate::schema::types::{ObjectSchema, PropertyKind};

/// Textures that need tangents, besides the normal texture: the extension and the property.
const TANGENT_SPACE_TEXTURES: [(&str, &str); 2] =
    [("KHR_materials_anisotropy", "anisotropyTexture"), ("KHR_materials_clearcoat", "clearcoatNormalTexture")];

/// For each of [`TANGENT_SPACE_TEXTURES`], the code of the finding if its texture coordinates differ from those of the normal texture.
const TEX_COORD_CODES: [&str; 2] =
    ["KHR_MATERIALS_ANISOTROPY_ANISOTROPY_TEXTURE_TEXCOORD", "KHR_MATERIALS_CLEARCOAT_CLEARCOAT_NORMAL_TEXTURE_TEXCOORD"];

/// The texture references of a material, in core properties and in extensions that extensionsUsed lists: property name and JSON.
fn textures_of<'a>(context: &ValidationContext, material: &'a Value) -> Vec<(&'static str, &'a Value)> {
    let mut textures = Vec::new();
    collect(context, material, &schema::MATERIAL, &mut textures);
    textures
}

/// Adds the texture references of an object and of the objects in it.
fn collect<'a>(context: &ValidationContext, json: &'a Value, table: &'static ObjectSchema, textures: &mut Vec<(&'static str, &'a Value)>) {
    for property in table.properties {
        let (PropertyKind::Object(inner), Some(value)) = (&property.kind, json.get(property.name).filter(|value| value.is_object())) else {
            continue;
        };
        if property.name.ends_with("Texture") {
            textures.push((property.name, value));
        } else {
            collect(context, value, inner, textures);
        }
    }
    for (name, table) in table.extensions.iter().filter(|(name, _)| context.uses(name)) {
        if let Some(extension) = read::extension(json, name) {
            collect(context, extension, table, textures);
        }
    }
}

/// The textures of a material that need tangents, besides the normal texture: index in [`TANGENT_SPACE_TEXTURES`] and JSON.
fn tangent_space_textures<'a>(context: &ValidationContext, material: &'a Value) -> Vec<(usize, &'a Value)> {
    let used = TANGENT_SPACE_TEXTURES.iter().enumerate().filter(|(_, (extension, _))| context.uses(extension));
    let texture = |(index, (extension, key)): (usize, &(&str, &str))| Some((index, read::extension(material, extension)?.get(key)?));
    used.filter_map(texture).filter(|(_, texture)| texture.is_object()).collect()
}

/// The set of texture coordinates that a texture reference names, 0 by default.
fn tex_coord(info: &Value) -> u64 {
    read::unsigned(info, "texCoord").unwrap_or(0)
}

/// The set that KHR_texture_transform names instead, if it does.
fn replaced_tex_coord(context: &ValidationContext, info: &Value) -> Option<u64> {
    let transform = read::extension(info, "KHR_texture_transform").filter(|_| context.uses("KHR_texture_transform"));
    read::unsigned(transform?, "texCoord")
}

/// Warns if textures that share a tangent space use different texture coordinates.
pub fn check_material(context: &mut ValidationContext, material: &Value, pointer: &str) {
    let Some(normal) = material.get("normalTexture").filter(|info| info.is_object()).map(tex_coord) else { return };
    for (index, _) in tangent_space_textures(context, material).into_iter().filter(|(_, info)| tex_coord(info) != normal) {
        let (extension, key) = TANGENT_SPACE_TEXTURES[index];
        let message = format!("`{key}` and `normalTexture` should use the same texture coordinates, because they share a tangent space.");
        context.warning(TEX_COORD_CODES[index], &format!("{pointer}/extensions/{extension}/{key}"), message);
    }
}

/// Checks that a primitive has the attributes that its material's textures need. `pointer` leads to the primitive.
pub fn check_primitive(context: &mut ValidationContext, json: &Value, attributes: &Map<String, Value>, pointer: &str) {
    let materials = context.list("materials");
    let index = read::index(json, "material");
    let material = index.and_then(|index| materials.get(index));
    let needs_tangents = material.is_some_and(|material| check_tangents(context, json, material, &format!("{pointer}/material")));
    // If the material does not exist, there is no finding, because the intended material may need tangents.
    if attributes.contains_key("TANGENT") && !needs_tangents && (material.is_some() || index.is_none()) {
        let message = "Tangents have no effect without a normal texture.";
        context.info("UNUSED_MESH_TANGENT", &format!("{pointer}/attributes/TANGENT"), message);
    }
    let sets = (0..).take_while(|set| attributes.contains_key(&format!("TEXCOORD_{set}"))).count() as u64;
    if let Some(index) = index {
        check_tex_coords(context, index, sets, &format!("{pointer}/material"));
    }
    let variants = read::extension(json, "KHR_materials_variants").filter(|_| context.uses("KHR_materials_variants"));
    for (i, mapping) in variants.map_or(&[][..], |variants| read::list(variants, "mappings")).iter().enumerate() {
        let pointer = format!("{pointer}/extensions/KHR_materials_variants/mappings/{i}");
        if context.lacks_root_extension("KHR_materials_variants") {
            let message = "The primitive has variants, but the document has no KHR_materials_variants with a list of them.";
            context.error("UNSATISFIED_DEPENDENCY", &pointer, message);
        }
        if let Some(index) = read::index(mapping, "material") {
            check_tex_coords(context, index, sets, &format!("{pointer}/material"));
        }
    }
}

/// Checks the texture coordinates that a material needs. `sets` is the number of sets of the primitive.
fn check_tex_coords(context: &mut ValidationContext, index: usize, sets: u64, pointer: &str) {
    let Some(material) = context.list("materials").get(index) else { return };
    for (name, info) in textures_of(context, material) {
        for needed in [Some(tex_coord(info)), replaced_tex_coord(context, info)].into_iter().flatten().filter(|needed| *needed >= sets) {
            let message = format!("`{name}` of material {index} needs TEXCOORD_{needed}, which is missing.");
            context.error("MESH_PRIMITIVE_TOO_FEW_TEXCOORDS", pointer, message);
        }
    }
}

/// Checks for tangents in a primitive. Returns whether the material needs them.
fn check_tangents(context: &mut ValidationContext, json: &Value, material: &Value, pointer: &str) -> bool {
    let normal_texture = material.get("normalTexture").filter(|info| info.is_object());
    if normal_texture.is_none() && tangent_space_textures(context, material).is_empty() {
        return false;
    }
    let has = |attribute: &str| json.pointer(&format!("/attributes/{attribute}")).is_some();
    let (has_normals, has_tangents) = (has("NORMAL"), has("TANGENT"));
    if !has_normals || !has_tangents {
        if let Some(info) = normal_texture {
            let is_triangles = read::unsigned(json, "mode").is_none_or(|mode| mode >= 4);
            let set = replaced_tex_coord(context, info).unwrap_or_else(|| tex_coord(info));
            let lacking = match (has_tangents, has_normals && is_triangles && has(&format!("TEXCOORD_{set}"))) {
                (true, _) => "has tangents without normals: both are computed while drawing",
                (false, true) => "has no tangents: they are generated by MikkTSpace",
                (false, false) => "has no tangents: they are computed while drawing",
            };
            let message = format!("The material has a normal texture, but the primitive {lacking}.");
            context.warning("MESH_PRIMITIVE_GENERATED_TANGENT_SPACE", pointer, message);
        } else {
            let message =
                "Without a normal texture, the material needs normals and tangents in the primitive; Sinew computes the missing ones.";
            context.error("MESH_PRIMITIVE_NO_TANGENT_SPACE", pointer, message);
        }
    }
    true
}
