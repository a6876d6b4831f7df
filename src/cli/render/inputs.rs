//! Reads the files to draw, and checks that the output overwrites none of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::bail;

use crate::asset::Loaded;
use crate::asset::error::LoadError;
use crate::borrowed::BorrowedFile;
use crate::cli::args::render::RenderArgs;
use crate::cli::{borrow, escaped, is_same_file, load, messages, view};
use crate::model::Model;
use crate::report::terminal::{self, MAX_MESSAGE_CHARS};
use crate::session::view::View;

use super::output::{self, is_stdout};

/// The phrase for a file of a model in messages.
const MODEL_FILE: &str = "a file of the model";

/// Errors with a message if the output would overwrite a file that the arguments name.
pub fn check_overwrites_no_input(args: &RenderArgs) -> Result<(), String> {
    let optional = [&args.state, &args.environment, &args.compared.compare].into_iter().flatten();
    let mut inputs = std::iter::once(&args.file).chain(&args.others).chain(&args.borrowed.animations).chain(optional);
    match inputs.find(|input| would_overwrite(args, input)) {
        Some(input) => Err(format!("-o would overwrite {}, which is read: give another name", escaped(input))),
        None => Ok(()),
    }
}

/// Reads the view file, if there is one. Errors if the output would overwrite its panorama.
pub fn load_view(args: &RenderArgs) -> anyhow::Result<View> {
    let view = view::read(args.state.as_deref())?;
    check_overwrites_none(args, &view.display.environment.file, "the panorama of the view")?;
    Ok(view)
}

/// Reads a model to draw. Errors if the output would overwrite a file of the model, such as a texture.
pub fn load_model(args: &RenderArgs, file: &Path) -> anyhow::Result<Loaded> {
    let loaded = load(file, &args.images.load_options())?;
    check_overwrites_none(args, loaded.files.iter().map(|file| &file.path), MODEL_FILE)?;
    Ok(loaded)
}

/// Reads a file for a sheet of several files. If its content is broken, prints the error and returns an empty model and the reason. Errors
/// like [`load_model`] in other cases, such as a missing file.
pub fn load_for_tile(args: &RenderArgs, file: &Path) -> anyhow::Result<(Loaded, Option<String>)> {
    let error = match load_model(args, file) {
        Ok(loaded) => return Ok((loaded, None)),
        Err(error) => error,
    };
    let reason = match error.downcast_ref::<LoadError>() {
        None | Some(LoadError::Read { .. } | LoadError::Folder { .. } | LoadError::NotAFile { .. }) => return Err(error),
        Some(reason) => terminal::escape(&reason.to_string(), MAX_MESSAGE_CHARS),
    };
    messages::error(terminal::escape(&format!("{error:#}"), MAX_MESSAGE_CHARS));
    Ok((Loaded { model: Model::default(), images: Vec::new(), files: Vec::new(), timings: Vec::new() }, Some(reason)))
}

/// Reads the files of `--animations`. Errors if the output would overwrite a file that one of them refers to.
pub fn load_animations(args: &RenderArgs) -> anyhow::Result<Vec<Arc<BorrowedFile>>> {
    let borrowed = borrow::read(&args.borrowed.animations)?;
    check_overwrites_none(args, borrowed.iter().flat_map(|file| &file.files).map(|file| &file.path), MODEL_FILE)?;
    Ok(borrowed)
}

/// Errors if the output would overwrite one of these files. `what` says what they are.
fn check_overwrites_none<'f>(args: &RenderArgs, files: impl IntoIterator<Item = &'f PathBuf>, what: &str) -> anyhow::Result<()> {
    match files.into_iter().find(|file| would_overwrite(args, file)) {
        Some(file) => bail!("{} would overwrite {}, {what}: give another name", output::path(args).display(), file.display()),
        None => Ok(()),
    }
}

/// Returns whether the output is this file, or a sequence with a frame of the same name.
fn would_overwrite(args: &RenderArgs, file: &Path) -> bool {
    match output::sequence(args) {
        Some(frames) => frames.is_frame(file),
        None => !is_stdout(&args.output) && is_same_file(file, &output::path(args)),
    }
}
