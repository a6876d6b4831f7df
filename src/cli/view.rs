//! Builds the view of a command from `--state` and the flags, which override the saved view.

use std::fmt::Display;
use std::path::Path;

use anyhow::{anyhow, bail};
use serde_json::Value;

use crate::asset::json::typed;
use crate::model::Model;
use crate::numbers::agreeing;
use crate::report::terminal::{self, MAX_MESSAGE_CHARS};
use crate::session::view::selector::{self, Selected, Selector};
use crate::session::view::{View, ViewCamera};

use super::{messages, read_at_most};

/// Maximum size of a saved view, in MiB. A view lists joints and nodes by their indices, so that those of large models have megabytes.
const MAX_MIB: usize = 16;

/// Reads a saved view, or returns the default view if `state` is `None`. Errors if the file cannot be read or is not a view.
pub fn read(state: Option<&Path>) -> anyhow::Result<View> {
    let Some(path) = state else { return Ok(View::default()) };
    let max_bytes = MAX_MIB << 20;
    let json = read_at_most(max_bytes, path, "view")?;
    if json.len() > max_bytes {
        bail!("{} is not a saved view: it has more than {MAX_MIB} MiB", path.display());
    }
    let mut view = parse(&json, path)?;
    // A relative path of a panorama is relative to the folder of the saved view.
    if let (Some(file), Some(folder)) = (&mut view.display.environment.file, path.parent()) {
        *file = folder.join(&*file);
    }
    Ok(view)
}

/// Parses a saved view, and prints a note about keys that no view has, because they may be misspelled. Errors name the key with the fault.
fn parse(json: &[u8], path: &Path) -> anyhow::Result<View> {
    let no_view = |reason: &dyn Display| anyhow!("{} is not a saved view: {reason}", path.display());
    let json: Value = serde_json::from_slice(json).map_err(|error| no_view(&error))?;
    // For serde, an array could be a view, too.
    if !json.is_object() {
        return Err(no_view(&"it is not a JSON object"));
    }
    let view: View = serde_path_to_error::deserialize(&json)
        .map_err(|error| no_view(&format!("{}: {}", error.path(), typed::in_plain_words(&error.inner().to_string()))))?;
    // A saved view has all keys.
    let known = serde_json::from_str(&serde_json::to_string_pretty(&view)?)?;
    let mut unknown = Vec::new();
    list_unknown_keys(&json, &known, "", &mut unknown);
    if !unknown.is_empty() {
        let text =
            format!("{}: {} unknown: {}", path.display(), agreeing(unknown.len(), "this key is", "these keys are"), unknown.join(", "));
        messages::note(terminal::escape(&text, MAX_MESSAGE_CHARS));
    }
    Ok(view)
}

/// Lists the keys of `json` that `known` lacks, each with the keys that lead to it, such as "display.grid". `place` leads to `json`.
fn list_unknown_keys(json: &Value, known: &Value, place: &str, unknown: &mut Vec<String>) {
    let below = |key: &str| if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") };
    match (json, known) {
        (Value::Object(entries), Value::Object(known_entries)) => {
            for (key, value) in entries {
                match known_entries.get(key) {
                    Some(known) => list_unknown_keys(value, known, &below(key), unknown),
                    None => unknown.push(below(key)),
                }
            }
        }
        (Value::Array(elements), Value::Array(known_elements)) => {
            for (index, (element, known)) in elements.iter().zip(known_elements).enumerate() {
                list_unknown_keys(element, known, &below(&index.to_string()), unknown);
            }
        }
        _ => {}
    }
}

/// Sets scene, animation and camera from the flags. Errors if the view refers to an object that the model does not have.
pub fn apply(
    model: &Model,
    view: &mut View,
    scene: Option<usize>,
    animation: Option<&Selector>,
    camera: Option<&Selector>,
) -> anyhow::Result<()> {
    if scene.is_some() {
        view.scene = scene;
    }
    if let Some(selector) = animation {
        view.choose_animation(Some(note_namesakes(selector::animation(model, selector)?, "animation", selector)));
    }
    if let Some(selector) = camera {
        view.camera = ViewCamera::File(note_namesakes(selector::camera(model, selector)?, "camera", selector));
    }
    // The session skips objects that a model does not have. A command fails instead, because its user would not notice that an object is
    // missing.
    if let Some(scene) = view.scene.filter(|&scene| scene >= model.scenes.len()) {
        bail!("no scene {scene}; the file has {}", model.scenes.len());
    }
    if let Some(index) = view.animation.filter(|&index| index >= model.animations.len()) {
        bail!("no animation {index}; the file has {}", model.animations.len());
    }
    for (number, layer) in view.layers.iter().enumerate() {
        if layer.animation >= model.animations.len() {
            bail!("layer {number}: no animation {}; the file has {}", layer.animation, model.animations.len());
        }
    }
    if let ViewCamera::File(index) = view.camera {
        selector::camera(model, &Selector::Index(index))?;
    }
    check_nodes(model, view)
}

/// Errors if the view refers to a node that the model does not have.
fn check_nodes(model: &Model, view: &View) -> anyhow::Result<()> {
    let count = model.nodes.len();
    let selected = view.selection.iter().map(|node| ("selection", node));
    let followed = view.follow.iter().map(|node| ("follow", node));
    let switched = view.switches.keys().map(|node| ("switches", node));
    let morphed = view.morphs.keys().map(|node| ("morphs", node));
    match selected.chain(followed).chain(switched).chain(morphed).find(|(_, node)| **node >= count) {
        Some((key, node)) => bail!("{key}: no node {node}; the file has {count}"),
        None => Ok(()),
    }
}

/// The selected index. Prints a note if several objects have the same name.
pub fn note_namesakes(selected: Selected, what: &str, selector: &Selector) -> usize {
    if let Selector::Name(name) = selector
        && selected.namesakes > 0
    {
        messages::note(format_args!("{} {what}s are named {name:?}; using number {}", selected.namesakes + 1, selected.index));
    }
    selected.index
}
