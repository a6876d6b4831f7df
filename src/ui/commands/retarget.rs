//! Changes how the animations of another file are retargeted to the model: the method, and the nodes that are paired by hand.

use crate::model::Model;
use crate::model::node::NodeIndex;
use crate::numbers;
use crate::session::view::retarget::{MAX_PAIRS, Retarget, node_key};
use crate::ui::context::Context;
use crate::ui::context::request::Request;

/// The user's choices for the file with this number, or the defaults if there are no choices.
pub fn of_file(context: &Context, file: usize) -> Retarget {
    context.view.retarget.get(file).cloned().unwrap_or_default()
}

/// Changes the choices for a file.
pub fn change(context: &mut Context, file: usize, change: impl FnOnce(&mut Retarget)) {
    let retarget = &mut context.view.retarget;
    if retarget.len() <= file {
        retarget.resize(file + 1, Retarget::default());
    }
    change(&mut retarget[file]);
    while retarget.last().is_some_and(|last| *last == Retarget::default()) {
        retarget.pop();
    }
}

/// Pairs a node of the file with a node of the model. If `counterpart` is `None`, the node stays unpaired, even if an automatic rule would
/// pair it. At most [`MAX_PAIRS`] nodes can be paired. `source` is the model of the file.
pub fn pair(context: &mut Context, file: usize, source: &Model, node: NodeIndex, counterpart: Option<NodeIndex>) {
    let key = node_key(source, node);
    let counterpart = counterpart.map(|counterpart| node_key(&context.document.model, counterpart));
    let is_full = |retarget: &Retarget| retarget.pairs.len() >= MAX_PAIRS && !retarget.pairs.contains_key(&key);
    if context.view.retarget.get(file).is_some_and(is_full) {
        let message = format!("At most {} nodes can be paired by hand", numbers::grouped(MAX_PAIRS));
        context.requests.push(Request::ShowMessage(message));
        return;
    }
    change(context, file, |retarget| {
        retarget.pairs.insert(key, counterpart);
    });
}

/// Removes the user's pairing of a node of the file, so that the automatic rules apply to the node again.
pub fn reset(context: &mut Context, file: usize, source: &Model, node: NodeIndex) {
    let key = node_key(source, node);
    change(context, file, |retarget| {
        retarget.pairs.remove(&key);
    });
}
