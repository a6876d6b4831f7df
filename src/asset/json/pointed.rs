//! KHR_animation_pointer in the JSON as it is written: which channels point where, and what is there. Read before the JSON becomes
//! types, which have no place for a pointer and drop what the extensions of materials say.

use std::collections::HashMap;

use serde_json::Value;

/// More numbers than any vector of the object model has.
const MOST_NUMBERS: usize = 4;

/// The pointers of a file and where they lead.
#[derive(Debug, Default)]
pub struct Pointed {
    channels: HashMap<(usize, usize), ChannelPointer>,
    places: HashMap<String, PointedPlace>,
}

/// A channel's target by KHR_animation_pointer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelPointer {
    pub path: String,
    /// The target names a node, too, which it must not.
    pub names_node: bool,
}

/// What the JSON has where a pointer leads.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PointedPlace {
    /// A number, a boolean (1 or 0), or an array of a few numbers.
    pub value: Option<Vec<f32>>,
    /// The object or array that the property would be in is there.
    pub enclosed: bool,
}

impl Pointed {
    pub fn read(root: &Value) -> Self {
        let mut pointed = Self::default();
        for (a, animation) in elements(root, "animations") {
            for (c, channel) in elements(animation, "channels") {
                let Some(target) = channel.get("target").filter(|target| target["path"] == "pointer") else { continue };
                let extension = target.get("extensions").and_then(|extensions| extensions.get("KHR_animation_pointer"));
                let Some(path) = extension.and_then(|extension| extension.get("pointer")).and_then(Value::as_str) else { continue };
                if !pointed.places.contains_key(path) {
                    pointed.places.insert(path.to_owned(), place(root, path));
                }
                let pointer = ChannelPointer { path: path.to_owned(), names_node: target.get("node").is_some() };
                pointed.channels.insert((a, c), pointer);
            }
        }
        pointed
    }

    pub fn channel(&self, animation: usize, channel: usize) -> Option<&ChannelPointer> {
        self.channels.get(&(animation, channel))
    }

    pub fn place(&self, path: &str) -> PointedPlace {
        self.places.get(path).cloned().unwrap_or_default()
    }
}

fn elements<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = (usize, &'a Value)> {
    value.get(key).and_then(Value::as_array).into_iter().flatten().enumerate()
}

fn place(root: &Value, path: &str) -> PointedPlace {
    let parent = path.rsplit_once('/').and_then(|(parent, _)| root.pointer(parent));
    let number = |value: &Value| match value {
        Value::Bool(boolean) => Some(f32::from(u8::from(*boolean))),
        _ => value.as_f64().map(|number| number as f32),
    };
    let numbers = |value: &Value| match value {
        Value::Array(elements) if elements.len() <= MOST_NUMBERS => elements.iter().map(number).collect(),
        Value::Array(_) => None,
        _ => number(value).map(|number| vec![number]),
    };
    PointedPlace {
        value: root.pointer(path).and_then(numbers),
        enclosed: parent.is_some_and(|parent| parent.is_object() || parent.is_array()),
    }
}
