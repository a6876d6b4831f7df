//! Finds the pointers of KHR_animation_pointer in the raw JSON, and the values that they lead to. This happens before the JSON is
//! converted to types, because these hold neither pointers nor the properties of material extensions.

use std::collections::HashMap;

use serde_json::Value;

/// Maximum length of an array value. No vector of the object model is longer.
const MAX_NUMBERS: usize = 4;

/// The animation pointers of a file, and the values that they lead to.
#[derive(Debug, Default)]
pub struct RawPointers {
    /// The pointer of each channel whose path is "pointer", by the indices of animation and channel, or the fault of the channel if it has
    /// no pointer.
    channels: HashMap<(usize, usize), Result<ChannelPointer, &'static str>>,
    /// The value that each JSON pointer leads to. A pointer that leads to no value also has an entry.
    values: HashMap<String, RawValue>,
}

/// The pointer of a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelPointer {
    /// The JSON pointer, as the file has it.
    pub path: String,
    /// Whether the target also has a node, which the extension forbids.
    pub has_node: bool,
}

/// The value in the JSON that a pointer leads to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RawValue {
    /// A number, a boolean (1 or 0), or an array of at most four numbers. `None` if there is no value, or one of another type.
    pub value: Option<Vec<f32>>,
    /// Whether the enclosing object or array exists.
    pub has_parent: bool,
}

impl RawPointers {
    /// Finds the pointers of all channels, and the values that they lead to.
    pub fn read(root: &Value) -> Self {
        let mut pointers = Self::default();
        for (animation_index, animation) in elements(root, "animations") {
            for (channel_index, channel) in elements(animation, "channels") {
                let Some(target) = channel.get("target").filter(|target| target["path"] == "pointer") else { continue };
                let pointer = channel_pointer(target);
                if let Ok(ChannelPointer { path, .. }) = &pointer
                    && !pointers.values.contains_key(path)
                {
                    pointers.values.insert(path.clone(), read_value(root, path));
                }
                pointers.channels.insert((animation_index, channel_index), pointer);
            }
        }
        pointers
    }

    /// The pointer of a channel, or its fault if it has none. `None` if the path of the channel is not "pointer".
    pub fn channel(&self, animation: usize, channel: usize) -> Option<Result<&ChannelPointer, &'static str>> {
        self.channels.get(&(animation, channel)).map(|pointer| pointer.as_ref().map_err(|fault| *fault))
    }

    /// The value that a pointer leads to. Empty if no channel has this pointer.
    pub fn value(&self, path: &str) -> RawValue {
        self.values.get(path).cloned().unwrap_or_default()
    }
}

/// The pointer of a target whose path is "pointer". An error is the fault of the channel.
fn channel_pointer(target: &Value) -> Result<ChannelPointer, &'static str> {
    let extension = target.get("extensions").and_then(|extensions| extensions.get("KHR_animation_pointer"));
    let extension = extension.ok_or("has the path \"pointer\", but its target has no extensions.KHR_animation_pointer")?;
    let path = extension.get("pointer").and_then(Value::as_str).ok_or("has no pointer in target.extensions.KHR_animation_pointer")?;
    Ok(ChannelPointer { path: path.to_owned(), has_node: target.get("node").is_some() })
}

/// The elements of an array property, with their indices.
fn elements<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = (usize, &'a Value)> {
    value.get(key).and_then(Value::as_array).into_iter().flatten().enumerate()
}

/// The value at a JSON pointer, as numbers.
fn read_value(root: &Value, path: &str) -> RawValue {
    let parent = path.rsplit_once('/').and_then(|(parent, _)| root.pointer(parent));
    let number = |value: &Value| match value {
        Value::Bool(boolean) => Some(f32::from(u8::from(*boolean))),
        _ => value.as_f64().map(|number| number as f32),
    };
    let numbers = |value: &Value| match value {
        Value::Array(elements) if elements.len() <= MAX_NUMBERS => elements.iter().map(number).collect(),
        Value::Array(_) => None,
        _ => number(value).map(|number| vec![number]),
    };
    RawValue {
        value: root.pointer(path).and_then(numbers),
        has_parent: parent.is_some_and(|parent| parent.is_object() || parent.is_array()),
    }
}
