//! What a picture or a clip is called before a person says otherwise: file, animation and frame, `fox-walk-0012.png`,
//! `fox-walk.gif`.

use crate::animation::playback;
use crate::session::document::Document;
use crate::session::time::clip::{ClipFormat, ClipOptions};
use crate::session::view::View;

/// Letters of the file's and the animation's name that are kept.
const LONGEST: usize = 60;
/// And so many bytes: file systems refuse a name of more than 255, with what stands around both.
const MOST_BYTES: usize = 90;

pub fn picture_name(document: &Document, view: &View, time: f64) -> String {
    let mut parts = parts(document, view);
    if view.animation.is_some_and(|animation| animation < document.model.animations.len()) {
        let frame = playback::frame_of(time, document.rate(view).fps).floor();
        parts.push(format!("{frame:04}"));
    }
    parts.join("-") + ".png"
}

/// Of a sequence, its folder's.
pub fn clip_name(document: &Document, view: &View, options: &ClipOptions) -> String {
    let mut parts = parts(document, view);
    if options.turntable.is_some() {
        parts.push("turntable".into());
    }
    let name = parts.join("-");
    if options.format == ClipFormat::Sequence { name } else { name + "." + options.format.extension() }
}

fn parts(document: &Document, view: &View) -> Vec<String> {
    let file = document.name.rsplit_once('.').map_or(document.name.as_str(), |(stem, _)| stem);
    let animation = view.animation.and_then(|index| Some((index, document.model.animations.get(index)?)));
    let animation = animation.map_or("rest".to_owned(), |(index, animation)| plain(&animation.label(index)));
    [plain(file), animation].into_iter().filter(|part| !part.is_empty()).collect()
}

/// Lower case, with a single dash for whatever a file system or a shell could stumble on.
fn plain(name: &str) -> String {
    let mut plain = String::new();
    for char in name.chars().flat_map(char::to_lowercase).take(LONGEST) {
        if plain.len() + char.len_utf8() > MOST_BYTES {
            break;
        }
        if char.is_alphanumeric() || char == '_' {
            plain.push(char);
        } else if !plain.is_empty() && !plain.ends_with('-') {
            plain.push('-');
        }
    }
    plain.trim_end_matches('-').to_owned()
}
