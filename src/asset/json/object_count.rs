//! Limits the number of objects and values in the JSON of a file, before memory is allocated for them. An object can be as short as two
//! characters, but takes hundreds of bytes as a type.
//!
//! All limits count the objects of the text, at any depth. So they also bound arrays inside the elements, such as channels and primitives.

use memchr::{memchr, memchr_iter, memmem};

use crate::asset::error::LoadError;

use super::end_of_string;

/// Maximum number of objects in the JSON of a file. A scene of a million nodes, each with a mesh of its own, has about as many. An empty
/// node, mesh or accessor takes less than 1 KB.
pub const MAX_OBJECTS: usize = 4_000_000;
/// Maximum number of objects in a file that needs repairs, which takes up to 2 KB per object.
pub const MAX_REPAIRED_OBJECTS: usize = 2_000_000;
/// Maximum number of values in JSON that is parsed to [`serde_json::Value`], which takes 32 bytes for each.
pub const MAX_VALUES: usize = 32_000_000;
/// Maximum number of objects in the materials of a file, at least 30,000 usual materials. A material takes 2 KB, even if it is empty.
pub const MAX_MATERIAL_OBJECTS: usize = 250_000;

/// Properties of the root whose objects are counted separately, for the error.
const PROPERTIES: [&str; 14] = [
    "accessors",
    "animations",
    "buffers",
    "bufferViews",
    "cameras",
    "extensions",
    "images",
    "materials",
    "meshes",
    "nodes",
    "samplers",
    "scenes",
    "skins",
    "textures",
];

/// Returns an error if the JSON has too many objects. The error names the property with most of them.
pub fn check(json: &[u8]) -> Result<(), LoadError> {
    let needs_count = may_exceed(json, MAX_OBJECTS) || may_exceed(json, MAX_MATERIAL_OBJECTS) && materials_may_exceed(json);
    if !needs_count {
        return Ok(());
    }
    let (all, by_property) = count(json);
    let in_materials = PROPERTIES.iter().zip(by_property).find(|(name, _)| **name == "materials").map_or(0, |(_, count)| count);
    if in_materials > MAX_MATERIAL_OBJECTS {
        let pointer = "/materials".to_owned();
        return Err(LoadError::TooManyObjects {
            count: in_materials,
            pointer,
            max: MAX_MATERIAL_OBJECTS,
            kind: "JSON objects in materials",
        });
    }
    limit(all, &by_property, MAX_OBJECTS, "JSON objects")
}

/// Returns an error if the JSON has too many values to parse it to [`serde_json::Value`]. Nearly every value begins an array or an object,
/// or follows a comma.
pub fn check_values(json: &[u8]) -> Result<(), LoadError> {
    let begins_value = |byte: &u8| matches!(byte, b',' | b'[' | b'{');
    let mut count = json.iter().filter(|byte| begins_value(byte)).count();
    if count > MAX_VALUES {
        // Those in strings begin no values.
        let mut at = 0;
        while let Some(offset) = json[at..].iter().position(|byte| *byte == b'"') {
            let end = end_of_string(json, at + offset);
            count -= json[at + offset..end].iter().filter(|byte| begins_value(byte)).count();
            at = end;
        }
    }
    limit(count, &[], MAX_VALUES, "JSON values")
}

/// Like [`check`], for a file that needs repairs.
pub fn check_repaired(json: &[u8]) -> Result<(), LoadError> {
    check_values(json)?;
    if !may_exceed(json, MAX_REPAIRED_OBJECTS) {
        return Ok(());
    }
    let (all, by_property) = count(json);
    limit(all, &by_property, MAX_REPAIRED_OBJECTS, "JSON objects in a file that needs repairs")
}

/// Returns whether the JSON may have more than `max` objects. Braces in strings are no objects, but counting all braces is fast.
fn may_exceed(json: &[u8], max: usize) -> bool {
    json.len() > 2 * max && memchr_iter(b'{', json).count() > max
}

/// Returns whether a property "materials", at any depth, may have more than [`MAX_MATERIAL_OBJECTS`] objects. Scans only such properties,
/// so it is much faster than [`count`].
fn materials_may_exceed(json: &[u8]) -> bool {
    const NAME: &[u8] = br#""materials""#;
    // The name may be written with an escape. Without any escape, strings are easy to skip.
    if memchr(b'\\', json).is_some() {
        return true;
    }
    let mut rest = json;
    while let Some(start) = memmem::find(rest, NAME) {
        rest = &rest[start + NAME.len()..];
        let (mut objects, mut depth, mut in_string) = (0, 0usize, false);
        // The value ends at the bracket that closes its first one. If it is a string, it ends at its second quote.
        let end = rest.iter().position(|byte| {
            match byte {
                b'"' => in_string = !in_string,
                b'{' | b'[' if !in_string => {
                    objects += usize::from(*byte == b'{');
                    depth += 1;
                }
                b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
                _ => return false,
            }
            depth == 0 && !in_string
        });
        if objects > MAX_MATERIAL_OBJECTS {
            return true;
        }
        rest = &rest[end.unwrap_or(rest.len())..];
    }
    false
}

/// Returns an error if the number of all objects exceeds `max`.
fn limit(all: usize, by_property: &[usize], max: usize, kind: &'static str) -> Result<(), LoadError> {
    if all <= max {
        return Ok(());
    }
    let most = PROPERTIES.iter().zip(by_property).max_by_key(|(_, count)| **count).filter(|(_, count)| **count > all / 2);
    Err(LoadError::TooManyObjects { count: all, pointer: most.map_or(String::new(), |(name, _)| format!("/{name}")), max, kind })
}

/// Counts all objects, and the objects in each of [`PROPERTIES`].
fn count(json: &[u8]) -> (usize, [usize; PROPERTIES.len()]) {
    let (mut all, mut by_property) = (0, [0; PROPERTIES.len()]);
    // The nesting depth, the property that the last string directly in the root names, and the property that contains the position.
    let (mut depth, mut last, mut property) = (0usize, None, None);
    let mut at = 0;
    while let Some(&byte) = json.get(at) {
        match byte {
            b'"' => {
                let end = end_of_string(json, at);
                if depth == 1 {
                    last = named_property(&json[at..end]);
                }
                at = end - 1;
            }
            b'{' | b'[' => {
                if depth == 1 {
                    property = last;
                }
                if byte == b'{' {
                    all += 1;
                    property.into_iter().for_each(|property| by_property[property] += 1);
                }
                depth += 1;
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    (all, by_property)
}

/// Returns the index in [`PROPERTIES`] of the property that a string, with its quotes, names.
fn named_property(string: &[u8]) -> Option<usize> {
    let decoded: String;
    let name = if memchr(b'\\', string).is_some() {
        decoded = serde_json::from_slice(string).ok()?;
        decoded.as_bytes()
    } else {
        string.strip_prefix(b"\"")?.strip_suffix(b"\"")?
    };
    PROPERTIES.iter().position(|property| property.as_bytes() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_counted_by_property_and_not_in_strings() {
        let json =
            br#"{"asset":{"version":"{{\"{"},"nodes":[{},{"extras":{"nodes":[{}]}}, {"name":"\\"}],"meshes":[{"nodes":{}}],"scene":0}"#;
        let (all, by_property) = count(json);
        let of = |name: &str| by_property[PROPERTIES.iter().position(|property| *property == name).unwrap()];
        assert_eq!((all, of("nodes"), of("meshes"), of("scenes")), (9, 5, 2, 0));
    }

    #[test]
    fn as_many_objects_as_the_limits_allow_are_accepted() {
        // The root and the asset are objects, too. Braces in strings are not.
        let with = |array: &str, count: usize| {
            let strings = "{".repeat(1000);
            format!(r#"{{"asset":{{"generator":"{strings}"}},"{array}":[{}]}}"#, vec!["{}"; count].join(",")).into_bytes()
        };
        for (array, count, check) in [
            ("nodes", MAX_OBJECTS - 2, check as fn(&[u8]) -> Result<(), LoadError>),
            ("materials", MAX_MATERIAL_OBJECTS, check),
            ("nodes", MAX_REPAIRED_OBJECTS - 2, check_repaired),
        ] {
            assert!(check(&with(array, count)).is_ok(), "{array}");
            assert!(check(&with(array, count + 1)).is_err(), "{array}");
        }
    }

    #[test]
    fn materials_are_counted_wherever_they_are_and_however_their_name_is_written() {
        let materials = |count: usize| vec!["{}"; count].join(",");
        let refused = |json: String| check(json.as_bytes()).is_err();
        let nodes = materials(MAX_MATERIAL_OBJECTS);
        for name in ["materials", r"mat\u0065rials", r"\u006daterials"] {
            for (count, is_refused) in [(MAX_MATERIAL_OBJECTS, false), (MAX_MATERIAL_OBJECTS + 1, true)] {
                let json = format!(r#"{{"scene":"materials","nodes":[{nodes}],"x":["materials",{{}}],"{name}":[{}]}}"#, materials(count));
                assert_eq!(refused(json), is_refused, "{count} in {name}");
            }
        }
        // Materials in the extras of a material belong to the materials of the file.
        let [half, rest] = [MAX_MATERIAL_OBJECTS / 2, MAX_MATERIAL_OBJECTS / 2 - 1].map(materials);
        assert!(refused(format!(r#"{{"materials":[{half},{{"extras":{{"materials":[{rest}]}}}}]}}"#)));
    }

    #[test]
    fn values_are_counted_outside_strings() {
        let with = |zeros: usize| format!(r#"{{"name":"{}","extras":[{}0]}}"#, ",[".repeat(1000), "0,".repeat(zeros)).into_bytes();
        // The root, the array and the comma before it count, too.
        assert!(check_values(&with(MAX_VALUES - 3)).is_ok());
        let refusal = check_values(&with(MAX_VALUES - 2)).unwrap_err().to_string();
        assert_eq!(refusal, "32,000,001 JSON values; at most 32,000,000 are supported");
        assert!(check_repaired(&with(MAX_VALUES)).is_err());
    }

    #[test]
    fn broken_json_is_counted_without_a_panic() {
        for json in ["", "\"", "\"\\", "{\"nodes", "]]}}[{", "{\"nodes\":[{\"\\"] {
            count(json.as_bytes());
        }
    }
}
