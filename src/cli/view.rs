//! Builds the view of a command from `--state` and the flags, which override the view file.

use std::fmt::{self, Display, Formatter};
use std::path::Path;

use anyhow::{anyhow, bail};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::asset::json::fault::Fault;
use crate::asset::json::typed;
use crate::model::Model;
use crate::numbers::{agreeing, grouped};
use crate::report::terminal::{self, MAX_MESSAGE_CHARS};
use crate::session::view::playback_range;
use crate::session::view::selector::{self, Selected, Selector};
use crate::session::view::{View, ViewCamera};

use super::args::values::Span;
use super::{messages, read_at_most, view_limits};

/// Maximum size of a view file, in MiB. A view lists joints and nodes by their indices, so that those of large models have megabytes.
const MAX_MIB: usize = 16;
/// Maximum number of replaced numbers of a view file that are noted one by one.
const MAX_CHANGES: usize = 10;

/// Reads a view file, or returns the default view if `state` is `None`. Errors if the file cannot be read or is not a view.
pub fn read(state: Option<&Path>) -> anyhow::Result<View> {
    let Some(path) = state else { return Ok(View::default()) };
    let max_bytes = MAX_MIB << 20;
    let json = read_at_most(max_bytes, path, "view file")?;
    if json.len() > max_bytes {
        bail!("the view file {} has more than {MAX_MIB} MiB", path.display());
    }
    let mut view = parse(&json, path)?;
    // A relative path of a panorama is relative to the folder of the view file.
    if let (Some(file), Some(folder)) = (&mut view.display.environment.file, path.parent()) {
        *file = folder.join(&*file);
    }
    Ok(view)
}

/// Parses a view file. Prints a note about keys that no view has, because they may be misspelled, and about numbers outside their limits,
/// which are replaced. Errors name the key with the fault.
/// The JSON is read as a stream, so that its unknown parts take no memory.
fn parse(json: &[u8], path: &Path) -> anyhow::Result<View> {
    let unreadable = |reason: String| anyhow!("cannot read the view file {}: {reason}", path.display());
    // Some editors write a byte order mark.
    let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
    // For serde, an array could be a view, too.
    if !json.trim_ascii_start().starts_with(b"{") {
        return Err(unreadable("it is not a JSON object".into()));
    }
    let mut unknown = UnknownKeys::default();
    let mut note = |key: serde_ignored::Path| unknown.add(&key);
    let text = std::str::from_utf8(json).map_err(|_| unreadable("it is not UTF-8".into()))?;
    let mut stream = serde_json::Deserializer::from_str(text);
    let mut view =
        View::deserialize(serde_ignored::Deserializer::new(&mut stream, &mut note)).map_err(|error| unreadable(reason(text, &error)))?;
    stream.end().map_err(|error| unreadable(error.to_string()))?;
    let changes = view_limits::apply(&mut view).map_err(unreadable)?;
    if unknown.count > 0 {
        let text = format!("{}: {} unknown: {unknown}", path.display(), agreeing(unknown.count, "this key is", "these keys are"));
        messages::note(terminal::escape(&text, MAX_MESSAGE_CHARS));
    }
    note_changes(&changes, path);
    Ok(view)
}

/// Prints a note for each number of a view file that is replaced.
fn note_changes(changes: &[String], path: &Path) {
    for change in changes.iter().take(MAX_CHANGES) {
        messages::note(terminal::escape(&format!("{}: {change}", path.display()), MAX_MESSAGE_CHARS));
    }
    if changes.len() > MAX_CHANGES {
        let more = changes.len() - MAX_CHANGES;
        let text = format!("{}: {} more {} replaced", path.display(), grouped(more), agreeing(more, "number is", "numbers are"));
        messages::note(terminal::escape(&text, MAX_MESSAGE_CHARS));
    }
}

/// The message for an error in the text of a view. A syntax error has the line and column, and a value that does not fit has its key.
fn reason(text: &str, error: &serde_json::Error) -> String {
    let Ok(value) = serde_json::from_str::<Value>(text) else { return error.to_string() };
    let Fault { pointer, message } = Fault::new(text, error);
    let message = typed::in_plain_words(&message);
    // Some errors have no position of their own, such as that of a misspelled camera. Then try the keys one by one.
    let is_faulty = |key: &&String| serde_json::from_str::<View>(&json!({ key.as_str(): value[key.as_str()] }).to_string()).is_err();
    let key = match pointer.trim_start_matches('/') {
        "" => value.as_object().and_then(|object| object.keys().find(is_faulty)).cloned().unwrap_or_default(),
        pointer => pointer.replace('/', "."),
    };
    if key.is_empty() { message } else { format!("{key}: {message}") }
}

/// The keys of a file that no view has.
#[derive(Default)]
struct UnknownKeys {
    count: usize,
    /// The first [`Self::MAX_LISTED`], each with the keys that lead to it, such as "display.grid".
    first: Vec<String>,
}

impl UnknownKeys {
    /// Number of keys that are listed.
    const MAX_LISTED: usize = 10;

    fn add(&mut self, key: &serde_ignored::Path) {
        self.count += 1;
        if self.first.len() < Self::MAX_LISTED {
            self.first.push(place(key));
        }
    }
}

impl Display for UnknownKeys {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.first.join(", "))?;
        match self.count - self.first.len() {
            0 => Ok(()),
            more => write!(f, " and {} more", grouped(more)),
        }
    }
}

/// The keys and indices that lead to a value, such as "layers.0.mode".
fn place(path: &serde_ignored::Path) -> String {
    use serde_ignored::Path;
    let below = |parent: &Path, key: &str| match place(parent) {
        place if place.is_empty() => key.to_owned(),
        place => format!("{place}.{key}"),
    };
    match path {
        Path::Root => String::new(),
        Path::Seq { parent, index } => below(parent, &index.to_string()),
        Path::Map { parent, key } => below(parent, key),
        Path::Some { parent } | Path::NewtypeStruct { parent } | Path::NewtypeVariant { parent } => place(parent),
    }
}

/// Sets scene, animation and camera from the flags. Errors if the view refers to an object that the model does not have, or to a range
/// after the end of the animation.
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
    if let Some(index) = view.playlist.iter().find(|&&index| index >= model.animations.len()) {
        bail!("playlist: no animation {index}; the file has {}", model.animations.len());
    }
    for (number, layer) in view.layers.iter().enumerate() {
        let Some(animation) = model.animations.get(layer.animation) else {
            bail!("layer {number}: no animation {}; the file has {}", layer.animation, model.animations.len());
        };
        if let Some([start, _]) = layer.range {
            check_start(&format!("layer {number}: the range"), start, animation.duration)?;
        }
    }
    if let Some([start, end]) = view.range.filter(|_| view.animation.is_some()) {
        set_range(model, view, Span { start: Some(start), end: Some(end) }, "the range of the view")?;
    }
    if let ViewCamera::File(index) = view.camera {
        selector::camera(model, &Selector::Index(index))?;
    }
    check_nodes(model, view)
}

/// Sets the view's range, and prints a note if the animation ends before the range does. Errors if the range starts after the end of the
/// animation, or has no end although only layers play. `what` names the range in messages.
pub fn set_range(model: &Model, view: &mut View, span: Span, what: &str) -> anyhow::Result<()> {
    let duration = playback_range::duration(model, view);
    let [start, end] = [span.start.unwrap_or(0.0), span.end.unwrap_or(duration)];
    if view.animation.is_some() {
        check_start(what, start, duration)?;
    }
    if view.animation.is_none() && !view.layers.is_empty() && span.end.is_none() {
        bail!("{what} needs an end, as in {start}..{}: layers over the rest pose have none", start + 1.5);
    }
    // An end that the note would round to the animation's end is not worth a note.
    if view.animation.is_some() && end > duration + 0.0005 {
        messages::note(format_args!("{what} has been cut to the end of the animation, {duration:.3} s"));
    }
    // A range that starts exactly at the end stays empty, although a view would play the whole animation instead.
    view.range = Some([start, if view.animation.is_some() { end.min(duration) } else { end }]);
    Ok(())
}

/// Errors if a range starts after the end of its animation. Both in seconds.
fn check_start(what: &str, start: f64, duration: f64) -> anyhow::Result<()> {
    if start > duration {
        bail!("{what} starts at {start} s, after the end of the animation at {duration:.3} s");
    }
    Ok(())
}

/// Errors if the view refers to a node or a morph target that the model does not have.
fn check_nodes(model: &Model, view: &View) -> anyhow::Result<()> {
    let count = model.nodes.len();
    let selected = view.selection.iter().map(|node| ("selection", node));
    let followed = view.follow.iter().map(|node| ("follow", node));
    let switched = view.switches.keys().map(|node| ("switches", node));
    let morphed = view.morphs.keys().map(|node| ("morphs", node));
    let masked = view.layers.iter().flat_map(|layer| layer.mask.iter().flatten()).map(|node| ("mask", node));
    match selected.chain(followed).chain(switched).chain(morphed).chain(masked).find(|(_, node)| **node >= count) {
        Some((key, node)) => bail!("{key}: no node {node}; the file has {count}"),
        None => check_targets(model, view),
    }
}

/// Errors if the view refers to a morph target that the node does not have.
fn check_targets(model: &Model, view: &View) -> anyhow::Result<()> {
    for (&source, targets) in &view.morphs {
        let count = model.node_from_source(source).map_or(0, |node| model.node(node).weights.len());
        if let Some(target) = targets.keys().find(|&&target| target >= count) {
            bail!("morphs: no morph target {target} of node {source}; it has {count}");
        }
    }
    Ok(())
}

/// Why nothing moves in a view, as a part of a note. `None` if something moves.
pub fn why_still(view: &View) -> Option<&'static str> {
    match view.animation.is_none() && view.layers.is_empty() {
        true => Some("nothing moves"),
        false => view.bind_pose.then_some("the view shows the bind pose"),
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
