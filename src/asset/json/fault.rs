//! Parses JSON to types, and finds the value that an error is about.
//!
//! serde_json tells only the line and column where it stopped. After most errors, that is the end of the value: of a number with the wrong
//! sign, or of an object without a required property. Where an array or object has the wrong type, it is the beginning of the value. In
//! most other cases, the fault is in the array or object around the position. An array with too many elements has an error of syntax, one
//! character after the beginning of the first surplus element.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::end_of_string;

/// Why a text does not match its type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// JSON pointer of the faulty value, as in "/nodes/3/mesh". The array or object around it if the parser does not tell more.
    pub pointer: String,
    /// The message of serde, without line and column.
    pub message: String,
}

/// Converts a value to a type. The pointer of a fault is relative to the value.
///
/// The value is written as text and parsed again. Types could also be read from a [`Value`], but the compiler would then generate all of
/// their code twice.
pub fn converted<T: DeserializeOwned>(value: &Value) -> Result<T, Fault> {
    let text = value.to_string();
    serde_json::from_str(&text).map_err(|error| Fault::new(&text, &error))
}

impl Fault {
    /// Finds the fault in a text that is valid JSON. `error` is the error of its parser.
    pub fn new(json: &str, error: &serde_json::Error) -> Self {
        let pointer = pointer(json, error);
        let mut message = error.to_string();
        let position = format!(" at line {} column {}", error.line(), error.column());
        message.truncate(message.strip_suffix(&position).unwrap_or(&message).len());
        if error.is_syntax() {
            let value: Value = serde_json::from_str(json).unwrap_or_default();
            if let Some(elements) = value.pointer(&pointer).and_then(Value::as_array) {
                message = format!("invalid length {}, expected fewer elements in array", elements.len());
            }
        }
        Self { pointer, message }
    }
}

/// An array or object around the current position.
struct Container {
    /// Length of its JSON pointer.
    pointer_len: usize,
    /// Index of its next element. `None` for an object.
    next_index: Option<usize>,
    /// Whether the next string is the key of an object.
    awaits_key: bool,
}

/// Returns the JSON pointer of the faulty value.
fn pointer(json: &str, error: &serde_json::Error) -> String {
    let lines_before: usize = json.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    // Stop at the comma before a surplus element.
    let fault = lines_before + if error.is_syntax() { error.column().saturating_sub(2) } else { error.column() };
    let ends_at_fault = |position| position == fault && !error.is_syntax();
    let is_container = error.to_string().starts_with("invalid type");
    let bytes = json.as_bytes();
    let (mut pointer, mut containers, mut position) = (String::new(), Vec::<Container>::new(), 0);
    while let Some(&byte) = bytes.get(position).filter(|_| position <= fault) {
        if matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b',' | b':') {
            position += 1;
            continue;
        }
        if matches!(byte, b']' | b'}') {
            position += 1;
            let Some(container) = containers.pop() else { break };
            pointer.truncate(container.pointer_len);
            if ends_at_fault(position) {
                return pointer;
            }
            continue;
        }
        let start = position;
        position = match byte {
            b'{' | b'[' => position + 1,
            b'"' => end_of_string(bytes, position),
            _ => bytes[position..].iter().position(|byte| b",]} \t\r\n".contains(byte)).map_or(bytes.len(), |length| position + length),
        };
        if let Some(container) = containers.last_mut() {
            if container.awaits_key {
                pointer.truncate(container.pointer_len);
                pointer += "/";
                let key: String = serde_json::from_str(&json[start..position]).unwrap_or_default();
                pointer += &key.replace('~', "~0").replace('/', "~1");
                container.awaits_key = false;
                continue;
            }
            container.awaits_key = container.next_index.is_none();
            if let Some(index) = &mut container.next_index {
                pointer.truncate(container.pointer_len);
                pointer += &format!("/{index}");
                *index += 1;
            }
        }
        if matches!(byte, b'{' | b'[') {
            if start == fault {
                if is_container {
                    return pointer;
                }
                break;
            }
            let next_index = (byte == b'[').then_some(0);
            containers.push(Container { pointer_len: pointer.len(), next_index, awaits_key: next_index.is_none() });
        } else if ends_at_fault(position) {
            return pointer;
        }
    }
    pointer.truncate(containers.last().map_or(0, |container| container.pointer_len));
    pointer
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[allow(dead_code)] // read only by the parser
    struct Node {
        mesh: Option<u32>,
        #[serde(default)]
        translation: [f32; 3],
        #[serde(default)]
        children: Vec<Node>,
        name: String,
    }

    #[test]
    fn the_pointer_leads_to_the_faulty_value() {
        for (json, expected) in [
            (r#"{"name":"a","mesh":-1}"#, "/mesh"),
            (r#"{"name":"a","mesh":"[0"}"#, "/mesh"),
            (r#"{"name":"a","mesh":{"a":0}}"#, "/mesh"),
            (r#"{"mesh":1}"#, ""),
            ("[]", ""),
            ("7", ""),
            (r#"{"name":"a","name":"b"}"#, ""),
            (r#"{"name":"a","translation":[0,1]}"#, "/translation"),
            (r#"{"name":"a","translation":[0,1,2,3],"mesh":0}"#, "/translation"),
            (r#"{"name":"a","translation":[0,1,2,[3]],"mesh":0}"#, "/translation"),
            (r#"{"name":"a","translation":[0,[1],2]}"#, "/translation/1"),
            (r#"{"name":"a","unknown":[{"a":[1,2]},"\"]"],"children":[{"name":"b"},{"name":"c","mesh":true}]}"#, "/children/1/mesh"),
            (r#"{"name":"a","children":[{"name":"b"},{"mesh":0}]}"#, "/children/1"),
            (r#"{"name":"a","a/b~c":{},"children":[{"name":"b"},5,{"name":"c"}]}"#, "/children/1"),
            ("{\n  \"name\": \"ä\",\n  \"children\": [\n    { \"name\": \"b\", \"mesh\": 1.5 }\n  ]\n}", "/children/0/mesh"),
        ] {
            let error = serde_json::from_str::<Node>(json).unwrap_err();
            let fault = Fault::new(json, &error);
            assert_eq!(fault.pointer, expected, "{json}: {error}");
            assert!(!fault.message.contains("column") && !fault.message.contains("trailing"), "{json}: {}", fault.message);
        }
    }
}
