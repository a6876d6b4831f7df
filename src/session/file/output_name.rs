//! Suggests names for pictures and clips from the file, the animation and the frame: `fox-walk-0012.png`, `fox-walk.gif`.

use crate::animation::playback;
use crate::session::contact_sheet::{SheetContent, SheetOptions};
use crate::session::document::Document;
use crate::session::time::clip::{ClipFormat, ClipOptions};
use crate::session::view::View;

/// Maximum number of characters that are taken from the file's name, and from the animation's name.
const MAX_NAME_CHARS: usize = 60;
/// Maximum number of bytes of each name. File systems refuse names over 255 bytes, including the rest of the output name.
const MAX_NAME_BYTES: usize = 90;

/// The suggested name of a still picture at a time, in seconds.
pub fn picture_name(document: &Document, view: &View, time: f64) -> String {
    let mut parts = parts(document, view);
    if document.model.existing_animation(view.animation).is_some() {
        let frame = playback::whole_frame(time, document.rate(view).fps);
        parts.push(format!("{frame:04}"));
    }
    parts.join("-") + ".png"
}

/// The suggested name of a clip. For a sequence it is the name of its folder.
pub fn clip_name(document: &Document, view: &View, options: &ClipOptions) -> String {
    let mut parts = parts(document, view);
    if options.turntable.is_some() {
        parts.push("turntable".into());
    }
    let name = parts.join("-");
    if options.format == ClipFormat::Sequence { name } else { name + "." + options.format.extension() }
}

/// The suggested name of a contact sheet. A sheet of all animations is named after the file alone.
pub fn sheet_name(document: &Document, view: &View, options: &SheetOptions) -> String {
    let mut parts = parts(document, view);
    if options.content(&document.model, view) == SheetContent::Animations {
        parts.truncate(1);
    }
    parts.push("sheet".to_owned());
    parts.join("-") + ".png"
}

/// The names of the file and of the animation, in a plain form.
fn parts(document: &Document, view: &View) -> Vec<String> {
    let file = document.name.rsplit_once('.').map_or(document.name.as_str(), |(stem, _)| stem);
    let animation = view.animation.and_then(|index| Some((index, document.model.animations.get(index)?)));
    let animation = animation.map_or("rest".to_owned(), |(index, animation)| plain(&animation.label(index)));
    [plain(file), animation].into_iter().filter(|part| !part.is_empty()).collect()
}

/// The name in lower case, with a single dash for each run of characters that a file system or a shell may not accept. A long name is
/// shortened.
fn plain(name: &str) -> String {
    let mut plain = String::new();
    for char in name.chars().flat_map(char::to_lowercase) {
        if char.is_alphanumeric() || char == '_' {
            plain.push(char);
        } else if !plain.is_empty() && !plain.ends_with('-') {
            plain.push('-');
        }
    }
    shortened(plain.trim_end_matches('-'))
}

/// The name with a dash in place of its middle if it is too long. The ends of names often tell variants apart.
fn shortened(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    if chars.len() <= MAX_NAME_CHARS && name.len() <= MAX_NAME_BYTES {
        return name.to_owned();
    }
    let cut = |kept: usize| {
        let [head, tail] = [&chars[..kept / 3], &chars[chars.len() - (kept - kept / 3)..]].map(String::from_iter);
        format!("{}-{}", head.trim_end_matches('-'), tail.trim_start_matches('-'))
    };
    let longest = MAX_NAME_CHARS.min(chars.len()) - 1;
    (0..=longest).rev().map(cut).find(|name| name.len() <= MAX_NAME_BYTES).unwrap_or_default()
}
