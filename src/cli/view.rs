//! Builds the view of a command from `--state` and the flags, which override the saved view.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, bail};

use crate::model::Model;
use crate::session::view::selector::{self, Selected, Selector};
use crate::session::view::{View, ViewCamera};

use super::messages;

/// Maximum size of a saved view, in MiB. A view lists joints and nodes by their indices, so that those of large models have megabytes.
const MAX_MIB: usize = 16;

/// Reads a saved view, or returns the default view if `state` is `None`. Errors if the file cannot be read or is not a view.
pub fn read(state: Option<&Path>) -> anyhow::Result<View> {
    let Some(path) = state else { return Ok(View::default()) };
    let cannot = || format!("cannot read the view {}", path.display());
    let max_bytes = MAX_MIB << 20;
    let mut json = Vec::new();
    // Read one byte more than allowed, so that a larger file is refused.
    File::open(path).with_context(cannot)?.take(max_bytes as u64 + 1).read_to_end(&mut json).with_context(cannot)?;
    if json.len() > max_bytes {
        bail!("{} is not a saved view: it has more than {MAX_MIB} MiB", path.display());
    }
    let mut view: View = serde_json::from_slice(&json).with_context(|| format!("{} is not a saved view", path.display()))?;
    // A relative path of a panorama is relative to the folder of the saved view.
    if let (Some(file), Some(folder)) = (&mut view.display.environment.file, path.parent()) {
        *file = folder.join(&*file);
    }
    Ok(view)
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
        view.choose_animation(Some(note_namesakes(selector::animation(model, selector)?, "animation")));
    }
    if let Some(selector) = camera {
        view.camera = ViewCamera::File(note_namesakes(selector::camera(model, selector)?, "camera"));
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
    Ok(())
}

/// The selected index. Prints a note if several objects have the same name.
pub fn note_namesakes(selected: Selected, what: &str) -> usize {
    if selected.namesakes > 0 {
        messages::note(format_args!("{} {what}s have that name; using number {}", selected.namesakes + 1, selected.index));
    }
    selected.index
}
