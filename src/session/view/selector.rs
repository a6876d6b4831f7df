//! Parses the index or name by which a user selects an animation, a node, a camera or a variant, and finds this object in the model.
//!
//! A number without leading zeros or signs is the file's own index, and anything else is a name. `name:12` stands for the name "12".

use std::convert::Infallible;
use std::str::FromStr;

use thiserror::Error;

use crate::model::Model;

/// An object of the file, by index or by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selector {
    /// The file's own index.
    Index(usize),
    /// A name, compared exactly.
    Name(String),
}

impl FromStr for Selector {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        // Exporters number names as in "001", which is no index.
        let index = text.parse().ok().filter(|index: &usize| index.to_string() == text);
        Ok(match (text.strip_prefix("name:"), index) {
            (Some(name), _) => Self::Name(name.into()),
            (None, Some(index)) => Self::Index(index),
            (None, None) => Self::Name(text.into()),
        })
    }
}

/// The object that a selector names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Selected {
    /// Index of the object in the file.
    pub index: usize,
    /// Number of other objects with the same name. The selected object is the first of them all.
    pub namesakes: usize,
}

/// Reasons why a selector matches nothing. The messages list the names in the file.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum SelectError {
    #[error("no {what} {index}; {choices}")]
    Index { what: &'static str, index: usize, choices: String },
    #[error("no {what} named {name:?}; {choices}")]
    Name { what: &'static str, name: String, choices: String },
    #[error("camera {0} is not attached to a node")]
    CameraWithoutNode(usize),
}

/// Finds an animation. Returns an error if no animation has the selector's index or name.
pub fn animation(model: &Model, selector: &Selector) -> Result<Selected, SelectError> {
    resolve(selector, "animation", &animation_names(model))
}

/// Finds a node. Returns an error if no node has the selector's index or name.
pub fn node(model: &Model, selector: &Selector) -> Result<Selected, SelectError> {
    let names: Vec<_> = model.node_of_source.iter().map(|node| model.node(*node).name.as_deref()).collect();
    resolve(selector, "node", &names)
}

/// Finds a camera. Returns an error if no camera has the selector's index or name, or if the camera is not attached to a node.
pub fn camera(model: &Model, selector: &Selector) -> Result<Selected, SelectError> {
    let names: Vec<_> = model.cameras.iter().map(|camera| camera.name.as_deref()).collect();
    let selected = resolve(selector, "camera", &names)?;
    if model.nodes.iter().any(|node| node.camera == Some(selected.index)) {
        Ok(selected)
    } else {
        Err(SelectError::CameraWithoutNode(selected.index))
    }
}

/// Finds a material variant. Returns an error if no variant has the selector's index or name.
pub fn variant(model: &Model, selector: &Selector) -> Result<Selected, SelectError> {
    resolve(selector, "variant", &model.variants.iter().map(|variant| variant.name.as_deref()).collect::<Vec<_>>())
}

/// Finds the object of a selector. `names` has the name of every object of the kind, in file order. `what` names the kind in errors.
fn resolve(selector: &Selector, what: &'static str, names: &[Option<&str>]) -> Result<Selected, SelectError> {
    match selector {
        Selector::Index(index) if *index < names.len() => Ok(Selected { index: *index, namesakes: 0 }),
        Selector::Index(index) => Err(SelectError::Index { what, index: *index, choices: list_choices(what, names) }),
        Selector::Name(name) => {
            let mut matching = (0..names.len()).filter(|&i| names[i] == Some(name));
            match matching.next() {
                Some(index) => Ok(Selected { index, namesakes: matching.count() }),
                None => Err(SelectError::Name { what, name: name.clone(), choices: list_choices(what, names) }),
            }
        }
    }
}

/// Lists the indices and names of a model's animations for messages.
pub fn animation_choices(model: &Model) -> String {
    list_choices("animation", &animation_names(model))
}

/// The name of every animation, in file order.
fn animation_names(model: &Model) -> Vec<Option<&str>> {
    model.animations.iter().map(|animation| animation.name.as_deref()).collect()
}

/// Lists the indices and names in the file, as in `the file has 3: 0 "walk", 1 "run", 2`, so that the user can correct the selector.
fn list_choices(what: &str, names: &[Option<&str>]) -> String {
    // A file may have thousands of nodes.
    const SHOWN: usize = 20;
    if names.is_empty() {
        return format!("the file has no {what}s");
    }
    let label = |(index, name): (usize, &Option<&str>)| name.map_or(index.to_string(), |name| format!("{index} {name:?}"));
    let shown: Vec<String> = names.iter().enumerate().take(SHOWN).map(label).collect();
    let more = if names.len() > SHOWN { format!(" and {} more", names.len() - SHOWN) } else { String::new() };
    format!("the file has {}: {}{more}", names.len(), shown.join(", "))
}
