//! Finds the value that an error of serde_json is about.
//!
//! serde_json tells only the line and column where it stopped. After most errors, that is the end of the value: of a number with the wrong
//! sign, or of an object without a required property. Where an array or object has the wrong type, it is the beginning of the value. In
//! all other cases, the fault is in the array or object around the position. An array with too many elements has an error of syntax, one
//! character after the beginning of the first surplus element.

use super::end_of_string;

/// An array or object around the current position.
struct Container {
    /// Length of its JSON pointer.
    pointer_len: usize,
    /// Index of its next element. `None` for an object.
    next_index: Option<usize>,
    /// Whether the next string is the key of an object.
    awaits_key: bool,
}

/// Returns the JSON pointer of the faulty value, as in "/nodes/3/mesh". Characters of keys are not escaped. `json` is the parsed text, which
/// must be valid JSON up to the fault.
pub fn pointer(json: &str, error: &serde_json::Error) -> String {
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
                pointer += &serde_json::from_str::<String>(&json[start..position]).unwrap_or_default();
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
            if start == fault && is_container {
                return pointer;
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
            ("{\n  \"name\": \"ä\",\n  \"children\": [\n    { \"name\": \"b\", \"mesh\": 1.5 }\n  ]\n}", "/children/0/mesh"),
        ] {
            let error = serde_json::from_str::<Node>(json).unwrap_err();
            assert_eq!(pointer(json, &error), expected, "{json}: {error}");
        }
    }
}
