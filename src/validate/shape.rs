//! The document held against the tables of [`super::schema`]: properties that are missing, unknown, of the wrong type or out of
//! range, indices that lead nowhere, extensions out of their place. What nothing refers to is said at the end. It goes only as
//! deep as the tables do.

use std::collections::{HashMap, HashSet};
use std::fmt::{Display, Write};

use serde_json::{Map, Value};

use crate::asset::error::shortened;
use crate::asset::findings::Findings;
use crate::model::finding::Severity;

use super::read;
use super::schema::{Kind, Property, ROOT, Table};

/// Arrays whose elements something should refer to.
const REFERRED: [&str; 12] =
    ["accessors", "buffers", "bufferViews", "cameras", "images", "materials", "meshes", "nodes", "samplers", "skins", "textures", "lights"];

struct Walk<'a> {
    root: &'a Map<String, Value>,
    findings: &'a mut Findings,
    /// JSON pointer to what is looked at.
    path: String,
    declared: HashSet<&'a str>,
    used: HashMap<&'static str, Vec<bool>>,
    /// Some extension was not looked into: it may refer to anything.
    is_opaque: bool,
}

pub fn check(root: &Map<String, Value>, findings: &mut Findings) {
    let declared = root.get("extensionsUsed").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let used = REFERRED.iter().map(|&array| (array, vec![false; elements(root, array).len()])).collect();
    let mut walk = Walk { root, findings, path: String::new(), declared, used, is_opaque: false };
    walk.object(root, &ROOT);
    walk.unused();
}

fn elements<'a>(root: &'a Map<String, Value>, array: &str) -> &'a [Value] {
    let elements = match array {
        "lights" => root.get("extensions").and_then(|extensions| extensions.get("KHR_lights_punctual")?.get("lights")),
        _ => root.get(array),
    };
    elements.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

impl Walk<'_> {
    fn say(&mut self, severity: Severity, code: &'static str, message: String) {
        self.findings.add(severity, code, &self.path, message);
    }

    fn error(&mut self, code: &'static str, message: String) {
        self.say(Severity::Error, code, message);
    }

    /// Goes one step further down for the time of `look`.
    fn below(&mut self, step: impl Display, look: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        // Writing into a String cannot fail.
        let _ = write!(self.path, "/{step}");
        look(self);
        self.path.truncate(length);
    }

    fn object(&mut self, object: &Map<String, Value>, table: &'static Table) {
        for Property { name, kind, required } in table.properties {
            match object.get(*name) {
                Some(value) => self.below(name, |walk| walk.value(value, kind)),
                None if *required => self.error("UNDEFINED_PROPERTY", format!("{name} is missing here; it cannot be done without.")),
                None => {}
            }
        }
        for (name, value) in object {
            match name.as_str() {
                "extras" if !value.is_object() => {
                    self.below(name, |walk| walk.say(Severity::Info, "NON_OBJECT_EXTRAS", "Extras are best an object.".into()));
                }
                "extras" => {}
                "extensions" => self.below(name, |walk| walk.extensions(value, table)),
                known if table.properties.iter().any(|property| property.name == known) => {}
                unknown => {
                    let message = format!("Nothing is known of a property {:?} here; it is ignored.", shortened(unknown));
                    self.below(read::escaped(unknown), |walk| walk.say(Severity::Warning, "UNEXPECTED_PROPERTY", message));
                }
            }
        }
    }

    fn extensions(&mut self, value: &Value, table: &'static Table) {
        let Value::Object(extensions) = value else { return self.mismatch("an object") };
        for (name, value) in extensions {
            self.below(read::escaped(name), |walk| {
                if !walk.declared.contains(name.as_str()) {
                    let message = format!("{} is used here, but extensionsUsed does not name it.", shortened(name));
                    walk.error("UNDECLARED_EXTENSION", message);
                }
                match (table.extensions.iter().find(|(known, _)| known == name), value) {
                    (Some((_, table)), Value::Object(object)) => walk.object(object, table),
                    (Some(_), _) => walk.mismatch("an object"),
                    (None, _) if has_place(&ROOT, name) => {
                        walk.error("UNEXPECTED_EXTENSION_OBJECT", format!("{name} has no place here; it is ignored."));
                    }
                    (None, _) => walk.is_opaque = true,
                }
            });
        }
    }

    fn mismatch(&mut self, wanted: &str) {
        self.error("TYPE_MISMATCH", format!("What stands here is not {wanted}."));
    }

    fn value(&mut self, value: &Value, kind: &'static Kind) {
        match kind {
            Kind::Anything => {}
            Kind::Bool if !value.is_boolean() => self.mismatch("true or false"),
            Kind::Text if !value.is_string() => self.mismatch("a string"),
            Kind::Bool | Kind::Text => {}
            Kind::Index(array) => self.index(value, array),
            Kind::Integer(..) | Kind::Code(_) => self.integer(value, kind),
            Kind::Number(..) | Kind::Above(_) => self.number(value, kind),
            Kind::Word(words) => match value.as_str() {
                None => self.mismatch("a string"),
                Some(word) if words.contains(&word) => {}
                Some(word) => self.not_in_list(&format!("{:?}", shortened(word)), &words.join(", ")),
            },
            Kind::Object(table) => match value {
                Value::Object(object) => self.object(object, table),
                _ => self.mismatch("an object"),
            },
            Kind::Attributes => self.attributes(value),
            Kind::Indices(_) | Kind::Numbers(..) | Kind::Words | Kind::Objects(_) | Kind::Targets => self.array(value, kind),
        }
    }

    fn not_in_list(&mut self, found: &str, known: &str) {
        self.say(Severity::Warning, "VALUE_NOT_IN_LIST", format!("{found} is none of {known}."));
    }

    fn out_of_range(&mut self, value: &Value) {
        self.error("VALUE_NOT_IN_RANGE", format!("{value} is out of range."));
    }

    fn index(&mut self, value: &Value, array: &'static str) {
        let Some(index) = read::integer(value) else {
            let is_integer = value.as_f64().is_some_and(|number| number.fract() == 0.0);
            return match is_integer {
                true => self.error("INVALID_INDEX", format!("{value} cannot be an index: these count from 0.")),
                false => self.mismatch("an integer"),
            };
        };
        let Some(used) = self.used.get_mut(array) else {
            if array == "scenes" && index >= elements(self.root, array).len() as u64 {
                self.error("UNRESOLVED_REFERENCE", format!("There is no scene {index}."));
            }
            return;
        };
        match usize::try_from(index).ok().and_then(|index| used.get_mut(index)) {
            Some(used) => *used = true,
            None => {
                let count = used.len();
                self.error("UNRESOLVED_REFERENCE", format!("There is no element {index} in {array}; the file has {count}."));
            }
        }
    }

    fn integer(&mut self, value: &Value, kind: &'static Kind) {
        match (read::integer(value), kind) {
            (Some(number), Kind::Integer(least, most)) if !(least..=most).contains(&&number) => self.out_of_range(value),
            (Some(number), Kind::Code(codes)) if !codes.contains(&number) => {
                let known: Vec<String> = codes.iter().map(u64::to_string).collect();
                self.not_in_list(&number.to_string(), &known.join(", "));
            }
            (Some(_), _) => {}
            (None, _) if value.as_f64().is_some_and(|number| number.fract() == 0.0) => self.out_of_range(value),
            (None, _) => self.mismatch("an integer"),
        }
    }

    fn number(&mut self, value: &Value, kind: &'static Kind) {
        match (value.as_f64(), kind) {
            (None, _) => self.mismatch("a number"),
            (Some(number), Kind::Number(least, most)) if !(*least..=*most).contains(&number) => self.out_of_range(value),
            (Some(number), Kind::Above(bound)) if number <= *bound => self.out_of_range(value),
            _ => {}
        }
    }

    fn attributes(&mut self, value: &Value) {
        match value {
            Value::Object(attributes) if attributes.is_empty() => self.empty(),
            Value::Object(attributes) => {
                for (name, accessor) in attributes {
                    self.below(read::escaped(name), |walk| walk.index(accessor, "accessors"));
                }
            }
            _ => self.mismatch("an object"),
        }
    }

    fn empty(&mut self) {
        self.error("EMPTY_ENTITY", "This is empty; leave it out instead.".into());
    }

    fn array(&mut self, value: &Value, kind: &'static Kind) {
        let Value::Array(elements) = value else { return self.mismatch("an array") };
        match kind {
            Kind::Numbers(lengths @ [first, ..], ..) if !lengths.contains(&elements.len()) => {
                return self.error("ARRAY_LENGTH_NOT_IN_LIST", format!("{} numbers stand here where {first} belong.", elements.len()));
            }
            _ if elements.is_empty() => return self.empty(),
            Kind::Numbers(..) if !elements.iter().all(Value::is_number) => {
                return self.error("ARRAY_TYPE_MISMATCH", "What stands here are not all numbers.".into());
            }
            _ => {}
        }
        let mut seen = HashSet::new();
        for (i, element) in elements.iter().enumerate() {
            self.below(i, |walk| {
                if matches!(kind, Kind::Indices(_) | Kind::Words) && !seen.insert(element.to_string()) {
                    walk.error("DUPLICATE_ELEMENTS", format!("{} stands here a second time.", shortened(&element.to_string())));
                    return;
                }
                match kind {
                    Kind::Indices(array) => walk.index(element, array),
                    Kind::Numbers(_, least, most) if !element.as_f64().is_some_and(|number| (*least..=*most).contains(&number)) => {
                        walk.out_of_range(element);
                    }
                    Kind::Words if !element.is_string() => walk.error("ARRAY_TYPE_MISMATCH", "What stands here is not a string.".into()),
                    Kind::Objects(table) => match element {
                        Value::Object(object) => walk.object(object, table),
                        _ => walk.mismatch("an object"),
                    },
                    Kind::Targets => walk.attributes(element),
                    _ => {}
                }
            });
        }
    }

    /// Says what nothing refers to.
    fn unused(&mut self) {
        if self.is_opaque {
            return;
        }
        for array in REFERRED {
            let used = self.used.remove(array).unwrap_or_default();
            let place = if array == "lights" { "extensions/KHR_lights_punctual/lights" } else { array };
            for i in (0..used.len()).filter(|&i| !used[i]) {
                let message = "Nothing in the file refers to this.".into();
                self.findings.add(Severity::Info, "UNUSED_OBJECT", &format!("/{place}/{i}"), message);
            }
        }
    }
}

/// Whether an extension has a place in this table or below it.
fn has_place(table: &'static Table, name: &str) -> bool {
    table.extensions.iter().any(|(known, _)| *known == name)
        || table.properties.iter().any(|property| match property.kind {
            Kind::Object(table) | Kind::Objects(table) => has_place(table, name),
            _ => false,
        })
}
