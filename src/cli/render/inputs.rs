//! Reads the files to draw, and checks that the output overwrites none of them.

use std::path::Path;
use std::sync::Arc;

use anyhow::bail;

use crate::asset::Loaded;
use crate::asset::error::LoadError;
use crate::asset::file::stamp::SourceFile;
use crate::borrowed::BorrowedFile;
use crate::cli::args::render::RenderArgs;
use crate::cli::{borrow, escaped, is_same_file, load, messages};
use crate::export::formats::sequence::Numbered;
use crate::model::Model;
use crate::report::terminal::{self, MAX_MESSAGE_CHARS};

use super::output::{self, is_stdout};

/// Errors with a message if the output would overwrite a file that the arguments name.
pub fn check_overwrites_no_input(args: &RenderArgs) -> Result<(), String> {
    let optional = [&args.state, &args.environment, &args.compared.compare].into_iter().flatten();
    let mut inputs = std::iter::once(&args.file).chain(&args.others).chain(&args.borrowed.animations).chain(optional);
    match inputs.find(|input| !is_stdout(&args.output) && is_same_file(input, &output::path(args))) {
        Some(input) => Err(format!("-o would overwrite {}, which is read: give another name", escaped(input))),
        None => Ok(()),
    }
}

/// Reads a model to draw. Errors if the output would overwrite a file of the model, such as a texture.
pub fn load_model(args: &RenderArgs, file: &Path) -> anyhow::Result<Loaded> {
    let loaded = load(file, &args.images.load_options())?;
    check_overwrites_none(args, &loaded.files)?;
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
    borrowed.iter().try_for_each(|file| check_overwrites_none(args, &file.files))?;
    Ok(borrowed)
}

/// Errors if the output is one of these files, or a sequence with a frame of the same name.
fn check_overwrites_none(args: &RenderArgs, files: &[SourceFile]) -> anyhow::Result<()> {
    let output = output::path(args);
    if is_stdout(&output) {
        return Ok(());
    }
    let frames = Numbered::parse(&args.output);
    let is_overwritten = |file: &&SourceFile| match &frames {
        Some(frames) => frames.is_frame(&file.path),
        None => is_same_file(&file.path, &output),
    };
    match files.iter().find(is_overwritten) {
        Some(file) => bail!("{} would overwrite {}, a file of the model: give another name", output.display(), file.path.display()),
        None => Ok(()),
    }
}
