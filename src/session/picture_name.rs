//! What a picture is called before a person says otherwise: file, animation and frame, `fox-walk-0012.png`.

use crate::animation::playback;

use super::document::Document;
use super::transport;
use super::view::View;

/// Letters of the file's and the animation's name that are kept, so that no file system refuses them.
const LONGEST: usize = 60;

pub fn picture_name(document: &Document, view: &View, time: f64) -> String {
    let file = document.name.rsplit_once('.').map_or(document.name.as_str(), |(stem, _)| stem);
    let animation = view.animation.and_then(|index| Some((index, document.model.animations.get(index)?)));
    let mut parts = vec![plain(file)];
    match animation {
        Some((index, animation)) => {
            let frame = playback::frame_of(time, transport::rate(&document.model, view).fps).floor();
            parts.push(plain(&animation.label(index)));
            parts.push(format!("{frame:04}"));
        }
        None => parts.push("rest".to_owned()),
    }
    parts.retain(|part| !part.is_empty());
    parts.join("-") + ".png"
}

/// Lower case, with a single dash for whatever a file system or a shell could stumble on.
fn plain(name: &str) -> String {
    let mut plain = String::new();
    for char in name.chars().flat_map(char::to_lowercase).take(LONGEST) {
        if char.is_alphanumeric() || char == '_' {
            plain.push(char);
        } else if !plain.is_empty() && !plain.ends_with('-') {
            plain.push('-');
        }
    }
    plain.trim_end_matches('-').to_owned()
}
