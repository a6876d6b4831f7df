//! Checks a document against the tables of [`crate::validate::schema`]: missing and unknown properties, types, ranges, references, and
//! extensions at the wrong object. Elements that nothing refers to are reported at the end. Only objects in the tables are
//! checked.

use std::collections::{HashMap, HashSet};
use std::fmt::{Display, Write};

use serde_json::{Map, Value};

use crate::asset::error::shortened;
use crate::asset::findings::Findings;
use crate::asset::json::infinite_number;
use crate::model::finding::Severity;

use crate::validate::read;
use crate::validate::schema::ROOT;
use crate::validate::schema::types::{ANY_INTEGER, ObjectSchema, PropertyKind, SchemaProperty};

/// Arrays whose elements are reported if nothing refers to them. "lights" is the array of KHR_lights_punctual.
const REFERENCED_ARRAYS: [&str; 13] = [
    "accessors",
    "buffers",
    "bufferViews",
    "cameras",
    "images",
    "materials",
    "meshes",
    "nodes",
    "samplers",
    "skins",
    "textures",
    "lights",
    "variants",
];

/// Known extensions that have no JSON object and are only listed in extensionsUsed.
const EXTENSIONS_WITHOUT_OBJECTS: [&str; 1] = ["KHR_mesh_quantization"];

/// The state of a walk through the document.
struct Walk<'a> {
    root: &'a Map<String, Value>,
    findings: &'a mut Findings,
    /// JSON pointer to the current value.
    path: String,
    /// Names in `extensionsUsed`.
    declared: HashSet<&'a str>,
    /// For each array of `REFERENCED_ARRAYS`, whether something refers to each element.
    used: HashMap<&'static str, Vec<bool>>,
    /// Whether the file has an extension that is not in the tables. It may refer to any element.
    has_unknown_extension: bool,
}

/// Checks the whole document.
pub fn check(root: &Map<String, Value>, findings: &mut Findings) {
    let declared = root.get("extensionsUsed").and_then(Value::as_array).into_iter().flatten().filter_map(read::text).collect();
    let used = REFERENCED_ARRAYS.iter().map(|&array| (array, vec![false; elements(root, array).len()])).collect();
    let mut walk = Walk { root, findings, path: String::new(), declared, used, has_unknown_extension: false };
    walk.object(root, &ROOT);
    walk.report_unused();
}

/// Arrays that belong to an extension of the document.
const EXTENSION_ARRAYS: [(&str, &str); 2] = [("lights", "KHR_lights_punctual"), ("variants", "KHR_materials_variants")];

/// Returns whether the document has the extension that an array belongs to. True for arrays of the core specification.
fn has_array_owner(root: &Map<String, Value>, array: &str) -> bool {
    let owner = EXTENSION_ARRAYS.iter().find(|(name, _)| *name == array);
    owner.is_none_or(|(_, name)| root.get("extensions").and_then(|extensions| extensions.get(*name)).is_some())
}

/// The elements of an array of the document or of one of its extensions.
fn elements<'a>(root: &'a Map<String, Value>, array: &str) -> &'a [Value] {
    let elements = match EXTENSION_ARRAYS.iter().find(|(name, _)| *name == array) {
        Some((_, extension)) => root.get("extensions").and_then(|extensions| extensions.get(*extension)?.get(array)),
        None => root.get(array),
    };
    elements.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

impl Walk<'_> {
    /// Adds a finding about the current value.
    fn report(&mut self, severity: Severity, code: &'static str, message: String) {
        self.findings.add(severity, code, &self.path, message);
    }

    /// Adds an error about the current value.
    fn error(&mut self, code: &'static str, message: String) {
        self.report(Severity::Error, code, message);
    }

    /// Calls `check` with `path` extended by `step`, which must be escaped.
    fn descend(&mut self, step: impl Display, check: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        // Writing into a String cannot fail.
        let _ = write!(self.path, "/{step}");
        check(self);
        self.path.truncate(length);
    }

    /// Checks the properties of an object: first those in the table, then the others.
    fn object(&mut self, object: &Map<String, Value>, table: &'static ObjectSchema) {
        for SchemaProperty { name, kind, required } in table.properties {
            if let Some(value) = object.get(*name) {
                self.descend(name, |walk| walk.value(value, kind));
            }
            if *required && object.get(*name).is_none_or(Value::is_null) {
                self.error("UNDEFINED_PROPERTY", format!("`{name}` is missing, but required."));
            }
        }
        for (name, value) in object {
            match name.as_str() {
                "extras" if !value.is_object() => {
                    self.descend(name, |walk| walk.report(Severity::Info, "NON_OBJECT_EXTRAS", "Extras should be an object.".into()));
                }
                "extras" => {}
                "extensions" => self.descend(name, |walk| walk.extensions(value, table)),
                known if table.properties.iter().any(|property| property.name == known) => {}
                unknown => {
                    let message = format!("Unknown property {:?}; it is ignored.", shortened(unknown));
                    self.descend(read::escaped(unknown), |walk| walk.report(Severity::Warning, "UNEXPECTED_PROPERTY", message));
                }
            }
        }
    }

    /// Checks the extensions of an object. Unknown extensions may appear anywhere and refer to any element.
    fn extensions(&mut self, value: &Value, table: &'static ObjectSchema) {
        let Value::Object(extensions) = value else { return self.mismatch("an object") };
        for (name, value) in extensions {
            self.descend(read::escaped(name), |walk| {
                if !walk.declared.contains(name.as_str()) {
                    let message = format!("{} is used, but not listed in extensionsUsed.", shortened(name));
                    walk.error("UNDECLARED_EXTENSION", message);
                }
                if !value.is_object() {
                    walk.mismatch("an object");
                }
                match table.extensions.iter().find(|(known, _)| known == name) {
                    Some((_, table)) => walk.object(value.as_object().unwrap_or(&Map::new()), table),
                    None if allows_extension(&ROOT, name) || EXTENSIONS_WITHOUT_OBJECTS.contains(&name.as_str()) => {
                        walk.error("UNEXPECTED_EXTENSION_OBJECT", format!("{name} is not allowed here; it is ignored."));
                    }
                    None => walk.has_unknown_extension = true,
                }
            });
        }
    }

    /// Reports a value of the wrong type. `expected` names the right type.
    fn mismatch(&mut self, expected: &str) {
        self.error("TYPE_MISMATCH", format!("Expected {expected}."));
    }

    /// Checks a value against the type of its property.
    fn value(&mut self, value: &Value, kind: &'static PropertyKind) {
        match kind {
            PropertyKind::Anything => {}
            PropertyKind::Bool if !value.is_boolean() => self.mismatch("true or false"),
            PropertyKind::Text if read::text(value).is_none() => self.mismatch("a string"),
            PropertyKind::Bool | PropertyKind::Text => {}
            PropertyKind::Pointer => match read::text(value) {
                None => self.mismatch("a string"),
                Some(pointer) if is_json_pointer(pointer) => {}
                Some(pointer) => self.error("PATTERN_MISMATCH", format!("{:?} is not a JSON pointer.", shortened(pointer))),
            },
            PropertyKind::Index(array) => self.index(value, array),
            PropertyKind::Integer(..) | PropertyKind::Code(_) => self.integer(value, kind),
            PropertyKind::Number(..) | PropertyKind::Above(_) => self.number(value, kind),
            PropertyKind::Word(words) => match read::text(value) {
                None => self.mismatch("a string"),
                Some(word) if words.contains(&word) => {}
                Some(word) => self.not_in_list(&format!("{:?}", shortened(word)), &words.join(", ")),
            },
            PropertyKind::Object(table) => match value {
                Value::Object(object) => self.object(object, table),
                _ => self.mismatch("an object"),
            },
            PropertyKind::Attributes => self.attributes(value),
            PropertyKind::Indices(_)
            | PropertyKind::Numbers(..)
            | PropertyKind::Words
            | PropertyKind::Objects(_)
            | PropertyKind::Targets => self.array(value, kind),
        }
    }

    /// Reports a value that is none of the allowed values.
    fn not_in_list(&mut self, value: &str, allowed: &str) {
        self.report(Severity::Warning, "VALUE_NOT_IN_LIST", format!("{value} is not allowed (expected one of {allowed})."));
    }

    /// Reports a number out of the range of this kind.
    fn out_of_range(&mut self, value: &Value, kind: &PropertyKind) {
        let expected = match infinite_number::digits(value) {
            Some(_) => "a finite number".to_owned(),
            None => range_text(kind),
        };
        self.error("VALUE_NOT_IN_RANGE", format!("{} is out of range (expected {expected}).", shown_value(value)));
    }

    /// Checks that a reference leads to an element, and remembers the element as used.
    fn index(&mut self, value: &Value, array: &'static str) {
        if is_integral(value) {
            self.element_index(value, array);
        } else {
            self.mismatch("an integer");
        }
    }

    /// Checks an index in an array or among attributes.
    fn element_index(&mut self, value: &Value, array: &'static str) {
        // Integers that are too large for an index are also reported as references to missing elements.
        let is_large = value.as_f64().is_some_and(|number| number > 0.0 && number.fract() == 0.0);
        let Some(index) = read::integer(value).or(is_large.then_some(u64::MAX)) else {
            return self.error("INVALID_INDEX", format!("{} is not a valid index.", shown_value(value)));
        };
        // The elements of other arrays may be unused. Of these arrays, only `scenes` is checked here for missing elements.
        let Some(used) = self.used.get_mut(array) else {
            let scene = usize::try_from(index).ok().and_then(|index| elements(self.root, array).get(index));
            if array == "scenes" && !scene.is_some_and(Value::is_object) {
                self.error("UNRESOLVED_REFERENCE", format!("Scene {index} does not exist."));
            }
            return;
        };
        let list = elements(self.root, array);
        match usize::try_from(index).ok().and_then(|index| used.get_mut(index).filter(|_| list[index].is_object())) {
            Some(used) => *used = true,
            // Another check reports the missing extension.
            None if list.is_empty() && !has_array_owner(self.root, array) => {}
            None => {
                let count = used.len();
                self.error("UNRESOLVED_REFERENCE", format!("Element {index} of {array} does not exist (the file has {count})."));
            }
        }
    }

    /// Checks that an integer is in its range, or in the list of allowed integers.
    fn integer(&mut self, value: &Value, kind: &'static PropertyKind) {
        match (read::integer(value), kind) {
            (Some(number), PropertyKind::Integer(min, max)) if (min..=max).contains(&&number) => {}
            (Some(number), PropertyKind::Code(codes)) if codes.contains(&number) => {}
            _ if infinite_number::digits(value).is_some() => self.out_of_range(value, kind),
            _ if !is_integral(value) => self.mismatch("an integer"),
            (_, PropertyKind::Code(codes)) => {
                let allowed: Vec<String> = codes.iter().map(u64::to_string).collect();
                self.not_in_list(&value.to_string(), &allowed.join(", "));
            }
            _ => self.out_of_range(value, kind),
        }
    }

    /// Checks the range of a number.
    fn number(&mut self, value: &Value, kind: &'static PropertyKind) {
        match (value.as_f64(), kind) {
            (None, _) if infinite_number::digits(value).is_some() => self.out_of_range(value, kind),
            (None, _) => self.mismatch("a number"),
            (Some(number), PropertyKind::Number(min, max)) if !(*min..=*max).contains(&number) => self.out_of_range(value, kind),
            (Some(number), PropertyKind::Above(bound)) if number <= *bound => self.out_of_range(value, kind),
            _ => {}
        }
    }

    /// Checks the accessor index of each attribute. The names are checked with the meshes.
    fn attributes(&mut self, value: &Value) {
        match value {
            Value::Object(attributes) if attributes.is_empty() => self.empty(),
            Value::Object(attributes) => {
                for (name, accessor) in attributes {
                    self.descend(read::escaped(name), |walk| walk.element_index(accessor, "accessors"));
                }
            }
            _ => self.mismatch("an object"),
        }
    }

    /// Reports an empty array or object, which the specification forbids.
    fn empty(&mut self) {
        self.error("EMPTY_ENTITY", "Empty; omit it instead.".into());
    }

    /// Checks an array: its length, then each element.
    fn array(&mut self, value: &Value, kind: &'static PropertyKind) {
        let Value::Array(elements) = value else { return self.mismatch("an array") };
        if elements.is_empty() {
            return self.empty();
        }
        if let PropertyKind::Numbers(lengths @ [first, ..], ..) = kind
            && !lengths.contains(&elements.len())
        {
            return self.error("ARRAY_LENGTH_NOT_IN_LIST", format!("Expected {first} numbers, found {}.", elements.len()));
        }
        self.check_element_types(elements, kind);
        // The elements of a list of references, or of words, must be distinct.
        let mut seen = HashSet::new();
        for (i, element) in elements.iter().enumerate() {
            self.descend(i, |walk| walk.element(element, kind, &mut seen));
        }
    }

    /// Checks the types of elements. These errors are reported for the array as a whole.
    fn check_element_types(&mut self, elements: &[Value], kind: &'static PropertyKind) {
        let is_number = |element: &Value| element.is_number() || infinite_number::digits(element).is_some();
        let (expected, fits) = match kind {
            PropertyKind::Numbers(..) => ("numbers", elements.iter().all(is_number)),
            // In the arrays at the root, `element` reports each element of the wrong type.
            PropertyKind::Objects(_) if self.is_at_root() => return,
            PropertyKind::Objects(_) | PropertyKind::Targets => ("objects", elements.iter().all(Value::is_object)),
            _ => return,
        };
        if !fits {
            self.error("ARRAY_TYPE_MISMATCH", format!("Expected {expected} only."));
        }
    }

    /// Returns whether the current value is a property of the document itself.
    fn is_at_root(&self) -> bool {
        self.path.matches('/').count() == 1
    }

    /// Checks an element of an array. `seen` holds the elements before it.
    fn element(&mut self, element: &Value, kind: &'static PropertyKind, seen: &mut HashSet<String>) {
        match (kind, element) {
            (PropertyKind::Words, _) if read::text(element).is_none() => self.error("ARRAY_TYPE_MISMATCH", "Expected a string.".into()),
            (PropertyKind::Indices(array), _) if read::integer(element).is_none() => self.element_index(element, array),
            (PropertyKind::Indices(_) | PropertyKind::Words, _) if !seen.insert(element.to_string()) => {
                self.error("DUPLICATE_ELEMENTS", format!("{} is listed twice.", shown_value(element)));
            }
            (PropertyKind::Indices(array), _) => self.element_index(element, array),
            (PropertyKind::Numbers(_, min, max), _) => {
                let is_outside = element.as_f64().is_some_and(|number| !(*min..=*max).contains(&number));
                if is_outside || infinite_number::digits(element).is_some() {
                    self.out_of_range(element, kind);
                }
            }
            (PropertyKind::Objects(table), Value::Object(object)) => self.object(object, table),
            (PropertyKind::Objects(_), _) if self.path.matches('/').count() == 2 => self.mismatch("an object"),
            (PropertyKind::Targets, Value::Object(_)) => self.attributes(element),
            _ => {}
        }
    }

    /// Reports elements that nothing refers to. Reports nothing if there is an unknown extension, because the extension may refer to them.
    fn report_unused(&mut self) {
        if self.has_unknown_extension {
            return;
        }
        for array in REFERENCED_ARRAYS {
            let used = self.used.remove(array).unwrap_or_default();
            let owner = EXTENSION_ARRAYS.iter().find(|(name, _)| *name == array);
            let pointer = owner.map_or_else(|| array.to_owned(), |(_, extension)| format!("extensions/{extension}/{array}"));
            let list = elements(self.root, array);
            for i in (0..used.len()).filter(|&i| !used[i] && list[i].is_object()) {
                let message = "Nothing in the file refers to this.".into();
                self.findings.add(Severity::Info, "UNUSED_OBJECT", &format!("/{pointer}/{i}"), message);
            }
        }
    }
}

/// Returns whether this is a JSON pointer: empty or beginning with a slash, and with `~` only in `~0` and `~1`.
fn is_json_pointer(text: &str) -> bool {
    let is_escape = |rest: &str| rest.starts_with(['0', '1']);
    (text.is_empty() || text.starts_with('/')) && text.split('~').skip(1).all(is_escape)
}

/// A value as the file has it, shortened for a message.
fn shown_value(value: &Value) -> String {
    infinite_number::digits(value).map_or_else(|| shortened(&value.to_string()), shortened)
}

/// Returns whether this is a number without a fraction.
fn is_integral(value: &Value) -> bool {
    value.as_f64().is_some_and(|number| number.fract() == 0.0)
}

/// Returns whether an extension is allowed in this table or below it. The tables are nested a few levels deep.
fn allows_extension(table: &'static ObjectSchema, name: &str) -> bool {
    table.extensions.iter().any(|(known, _)| *known == name)
        || table.properties.iter().any(|property| match property.kind {
            PropertyKind::Object(table) | PropertyKind::Objects(table) => allows_extension(table, name),
            _ => false,
        })
}

/// The numbers that a kind of property allows, in words that complete "expected ...".
fn range_text(kind: &PropertyKind) -> String {
    match kind {
        PropertyKind::Integer(min, ANY_INTEGER) => format!("at least {min}"),
        PropertyKind::Integer(min, max) => format!("{min} to {max}"),
        PropertyKind::Above(bound) => format!("above {bound}"),
        PropertyKind::Number(min, max) | PropertyKind::Numbers(_, min, max) if min.is_finite() && max.is_finite() => {
            format!("{min} to {max}")
        }
        PropertyKind::Number(min, _) | PropertyKind::Numbers(_, min, _) if min.is_finite() => format!("at least {min}"),
        _ => "a finite number".to_owned(),
    }
}
