//! Makes text for labels: a name from a file that is safe to show on one line, or a text that begins with a capital letter.

use std::borrow::Cow;

/// Maximum number of characters of a label. Longer names lose their middle.
const MAX_CHARS: usize = 255;
/// Replaces unsafe characters. The embedded fonts contain this character.
const REPLACEMENT: char = '\u{b7}';
/// The number of characters that are kept from each end of a longer name.
const KEPT_CHARS: usize = (MAX_CHARS - 1) / 2;

/// A name as text for a label. An object without a name is called by its kind and its index: `node 7`.
pub fn text(name: Option<&str>, kind: &str, index: usize) -> String {
    match name {
        Some(name) if !name.trim().is_empty() => clean(name).into_owned(),
        _ => format!("{kind} {index}"),
    }
}

/// The text with its first letter in upper case. Error messages begin in lower case, because other text may precede them.
pub fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// Replaces each unsafe character of a text with a visible one, and the middle of a very long text with an ellipsis.
pub fn clean(text: &str) -> Cow<'_, str> {
    let is_short = text.len() <= MAX_CHARS || text.char_indices().nth(MAX_CHARS).is_none();
    if is_short && !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let visible = |char: char| if is_unsafe(char) { REPLACEMENT } else { char };
    if is_short {
        return text.chars().map(visible).collect();
    }
    let head_end = text.char_indices().nth(KEPT_CHARS).map_or(text.len(), |(offset, _)| offset);
    let tail_start = text.char_indices().rev().nth(KEPT_CHARS - 1).map_or(0, |(offset, _)| offset);
    text[..head_end].chars().map(visible).chain(['\u{2026}']).chain(text[tail_start..].chars().map(visible)).collect()
}

/// Returns whether a character moves the cursor, ends the line, changes the order of the text around it, or is invisible, so that two
/// names look equal or a name hides text: format characters (U+206A to U+206F), interlinear annotations (U+FFF9 to U+FFFB), and the copies
/// of ASCII called tags (U+E0000 to U+E007F). The flags of regions such as Scotland are written with tags; they become a black flag.
pub fn is_unsafe(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(char, '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn unsafe_characters_become_visible_and_others_stay() {
        assert_eq!(clean("Left\nArm\u{202e}\u{7}\u{200f}x"), "Left\u{b7}Arm\u{b7}\u{b7}\u{b7}x");
        assert_eq!(clean("a\u{206a}b\u{206f}c\u{fff9}d\u{fffb}e\u{e0001}f\u{e007f}g"), "a\u{b7}b\u{b7}c\u{b7}d\u{b7}e\u{b7}f\u{b7}g");
        // The flag of Scotland: a black flag and the tags "gbsct".
        assert_eq!(clean("\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}"), "\u{1f3f4}".to_owned() + &"\u{b7}".repeat(6));
        // The zero-width joiner belongs to emoji and to scripts that join their letters.
        for name in ["", "走る", "\u{645}\u{634}\u{6cc}", "\u{1f468}\u{200d}\u{1f469}", "e\u{301}"] {
            assert_eq!(clean(name), name);
        }
    }

    #[test]
    fn a_very_long_name_keeps_both_ends() {
        let name = format!("Start{}End", "\u{8d70}".repeat(100_000));
        let label = clean(&name);
        assert_eq!(label.chars().count(), 255);
        assert!(label.starts_with("Start") && label.contains('\u{2026}') && label.ends_with("End"));
        let exact = "n".repeat(255);
        assert_eq!(clean(&exact), exact);
    }
}
