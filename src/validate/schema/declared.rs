//! The declared version, and the extensions that the file uses and requires (glTF 2.0 specification, sections 3.2 and 3.12).

use std::collections::HashSet;

use crate::asset::error::shortened;

use crate::validate::context::ValidationContext;
use crate::validate::read;

/// Extensions that must be required if they are used: without them, the data cannot be read.
const ALWAYS_REQUIRED: [&str; 1] = ["KHR_mesh_quantization"];

/// Checks the version, then the lists of extensions.
pub fn check(context: &mut ValidationContext) {
    check_version(context);
    let (used, required) = (context.list("extensionsUsed"), context.list("extensionsRequired"));
    let names = |list: &'static str| context.list(list).iter().filter_map(read::text).collect::<HashSet<_>>();
    let (all_used, all_required) = (names("extensionsUsed"), names("extensionsRequired"));
    for (index, name) in required.iter().enumerate() {
        if let Some(name) = read::text(name).filter(|name| !all_used.contains(name)) {
            let message = format!("{} is required, but not listed in extensionsUsed.", shortened(name));
            context.error("UNUSED_EXTENSION_REQUIRED", &format!("/extensionsRequired/{index}"), message);
        }
    }
    for (index, name) in used.iter().enumerate() {
        let Some(text) = read::text(name) else { continue };
        if ALWAYS_REQUIRED.contains(&text) && !all_required.contains(text) {
            let message = format!("{text} must be listed in extensionsRequired.");
            context.error("NON_REQUIRED_EXTENSION", &format!("/extensionsUsed/{index}"), message);
        }
        if !is_name(text) {
            let message = format!("{:?} is not a valid extension name (expected e.g. KHR_texture_transform).", shortened(text));
            context.warning("INVALID_EXTENSION_NAME_FORMAT", &format!("/extensionsUsed/{index}"), message);
        }
    }
}

/// Returns whether this is a name like KHR_texture_transform: a prefix in capitals, an underscore, and words.
fn is_name(name: &str) -> bool {
    let is_word = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    name.split_once('_').is_some_and(|(vendor, rest)| {
        vendor.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()) && is_word(vendor) && is_word(rest)
    })
}

/// Checks that `version` and `minVersion` are two numbers with a dot between them, that Sinew knows `version`, and that `minVersion` is not
/// later.
fn check_version(context: &mut ValidationContext) {
    let Some(asset) = context.root.get("asset") else { return };
    let mut declared = |key: &str| {
        let text = read::string(asset, key)?;
        let number = |part: &str| if part.bytes().all(|byte| byte.is_ascii_digit()) { part.parse::<u32>().ok() } else { None };
        let version = text.split_once('.').and_then(|(major, minor)| Some((number(major)?, number(minor)?)));
        if version.is_none() {
            let message = format!("`{}` is not a version (expected e.g. 2.0).", shortened(text));
            context.error("PATTERN_MISMATCH", &format!("/asset/{key}"), message);
        }
        version
    };
    let (version, min) = (declared("version"), declared("minVersion"));
    let Some((major, minor)) = version else { return };
    if major != 2 {
        context.error("UNKNOWN_ASSET_MAJOR_VERSION", "/asset/version", format!("The file is glTF {major}.{minor}; Sinew reads 2.0."));
    } else if minor > 0 {
        let message = format!("The file is glTF {major}.{minor}; Sinew knows only 2.0.");
        context.warning("UNKNOWN_ASSET_MINOR_VERSION", "/asset/version", message);
    }
    if let Some((major, minor)) = min.filter(|min| *min > (major, minor)) {
        let message = format!("`minVersion` {major}.{minor} is later than the version itself.");
        context.error("ASSET_MIN_VERSION_GREATER_THAN_VERSION", "/asset/minVersion", message);
    }
}
