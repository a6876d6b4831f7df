//! The full check of `inspect`: errors and warnings of the Khronos glTF Validator, with its codes, as findings.
//!
//! It reads the file again as raw JSON and bytes, so it can also check files that cannot be shown. Opening a file does not run
//! it, because reading all numbers takes time. Every pass is linear; passes over numbers have a budget (`elements`).
//!
//! ```no_run
//! use std::path::Path;
//!
//! for finding in sinew::validate::file(Path::new("fox.glb"))? {
//!     println!("{:?} {} at {}: {}", finding.severity, finding.code, finding.pointer, finding.message);
//! }
//! # Ok::<(), sinew::asset::error::LoadError>(())
//! ```

mod accessor;
mod animation;
mod attribute;
mod context;
mod file;
mod influences;
mod material;
mod mesh;
mod node;
mod node_relations;
mod read;
mod schema;
mod skin;
mod texture;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::asset::error::LoadError;
use crate::asset::file::archive;
use crate::asset::file::bytes::Bytes;
use crate::asset::file::glb::{BYTE_ORDER_MARK, json_text};
use crate::asset::file::uri::{Files, Folder};
use crate::asset::findings::Findings;
use crate::asset::json::document;
use crate::asset::json::infinite_number;
use crate::asset::json::object_count;
use crate::asset::{MAX_FILE_BYTES, MAX_JSON_BYTES, read_file, unpack};
use crate::model::finding::{Finding, Severity};
use crate::paths::folder_of;

use accessor::elements::Budget;
use accessor::{data, usage};
use context::ValidationContext;
use file::glb::{self, Chunks};
use file::resource;
use node_relations::NodeRelations;
use schema::{declared, shape};

/// The format that the extension of a file name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NamedFormat {
    Gltf,
    Glb,
    Other,
}

/// Checks a .gltf or .glb file and the files it references, or the model inside a .zip archive. The findings are in the order of the
/// checks. Returns an error only if the file or the archive cannot be read. A broken model gives findings.
pub fn file(path: &Path) -> Result<Vec<Finding>, LoadError> {
    Ok(file_with_progress(path, &[], &|_| true)?.unwrap_or_default())
}

/// Like [`file()`], but also finds external files among those that were opened together with it, and calls `progress` with the fraction
/// that is done, from 0 to 1. Returns `None` if `progress` returns false.
pub fn file_with_progress(
    path: &Path,
    opened_together: &[PathBuf],
    progress: &dyn Fn(f32) -> bool,
) -> Result<Option<Vec<Finding>>, LoadError> {
    let (mut bytes, mut folder) = (read_file(path, MAX_FILE_BYTES)?, Folder::OnDisk { folder: folder_of(path), opened_together });
    let mut name_format = named_format(path);
    if archive::is_archive(&bytes) {
        // Loading reports the findings about the archive.
        (bytes, folder) = unpack(bytes, &mut Findings::default())?;
        name_format = NamedFormat::Other;
    }
    Ok(check(Bytes::new(bytes), folder, name_format, progress))
}

/// Checks a model in memory. External files are not checked, because there is no folder to find them in.
pub fn bytes(bytes: Vec<u8>) -> Vec<Finding> {
    check(Bytes::new(bytes), Folder::None, NamedFormat::Gltf, &|_| true).unwrap_or_default()
}

/// The format that the extension of a path stands for.
fn named_format(path: &Path) -> NamedFormat {
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("gltf") => NamedFormat::Gltf,
        Some(extension) if extension.eq_ignore_ascii_case("glb") => NamedFormat::Glb,
        _ => NamedFormat::Other,
    }
}

/// Finds the JSON and the binary chunk of a file. The content determines the format. The name determines it only if the content is neither
/// GLB nor JSON.
fn chunks(bytes: &[u8], name_format: NamedFormat, findings: &mut Findings) -> Chunks {
    let is_json = bytes.starts_with(BYTE_ORDER_MARK) || matches!(bytes.trim_ascii_start(), [b'{' | b'[' | b'"', ..]);
    match name_format {
        _ if glb::is_glb(bytes) => glb::check(bytes, findings),
        NamedFormat::Glb if !is_json => glb::check(bytes, findings),
        // A file that does not look like JSON gets no findings here: loading says which other format it has.
        NamedFormat::Other if !is_json => Chunks::default(),
        _ => Chunks { json: Some(0..bytes.len()), bin: None },
    }
}

/// Runs all checks: of the container, the structure of the JSON, the objects that it declares, and the bytes that it describes.
fn check(file: Bytes, folder: Folder, name_format: NamedFormat, progress: &dyn Fn(f32) -> bool) -> Option<Vec<Finding>> {
    progress(0.0).then_some(())?;
    let mut findings = Findings::default();
    let parts = chunks(file.as_slice(), name_format, &mut findings);
    let json = parts.json.and_then(|json| file.as_slice().get(json));
    let Some(root) = json.and_then(|json| parse(json, &mut findings)) else { return Some(findings.finish()) };
    let Value::Object(object) = &root else {
        findings.error("TYPE_MISMATCH", "", "The JSON is not an object.");
        return Some(findings.finish());
    };
    shape::check(object, &mut findings);
    let bin = parts.bin.and_then(|bin| file.part(bin.start as u64, bin.len() as u64));
    progress(0.1).then_some(())?;
    // These checks look only at the JSON.
    let mut context = ValidationContext::new(&root, glb::is_glb(file.as_slice()), findings);
    declared::check(&mut context);
    accessor::check(&mut context);
    usage::check(&mut context);
    mesh::check(&mut context);
    let relations = NodeRelations::new(&root);
    node::check(&mut context, &relations);
    skin::check(&mut context, &relations);
    animation::check(&mut context, &relations);
    material::check(&mut context);

    progress(0.3).then_some(())?;
    // These checks read bytes.
    let mut files = Files::new(folder, u64::MAX);
    resource::read_buffers(&mut context, bin, &mut files);
    let views = resource::read_views(&context);
    resource::check_images(&mut context, &mut files, &views);
    progress(0.5).then_some(())?;
    let mut budget = Budget::new(&context);
    data::check(&mut context, &views, &mut budget);
    progress(0.8).then_some(())?;
    influences::check(&mut context, &views, &mut budget);
    if budget.is_exceeded() {
        let message = "The accessors have too many values: not all were checked.";
        context.info("CHECK_INCOMPLETE", "", message);
    }
    Some(context.findings.finish())
}

/// The parsed JSON. `None`, with a finding, if it is invalid.
fn parse(bytes: &[u8], findings: &mut Findings) -> Option<Value> {
    if bytes.len() as u64 > MAX_JSON_BYTES {
        findings.add(Severity::Error, "INVALID_JSON", "", format!("The JSON has {} bytes, more than the limit.", bytes.len()));
        return None;
    }
    let text = &bytes[json_text(bytes, findings)];
    if let Err(error) = object_count::check(text).and_then(|()| object_count::check_values(text)) {
        findings.add(Severity::Error, "INVALID_JSON", "", format!("{error}."));
        return None;
    }
    match document::parse_value(text, infinite_number::MARK, findings) {
        Ok(root) => Some(root),
        // Deep nesting is valid, and loading skips it in extras, but the parser has a limit.
        Err(error) if error.to_string().starts_with("recursion limit exceeded") => {
            let message = "The JSON is nested more deeply than Sinew can check; its content was not checked.";
            findings.add(Severity::Warning, "CHECK_INCOMPLETE", "", message.into());
            None
        }
        Err(error) => {
            findings.add(Severity::Error, "INVALID_JSON", "", format!("The JSON is invalid: {error}."));
            None
        }
    }
}

/// Joins the findings of loading and those of the check, in this order. If both have the same code at the same location, the finding of
/// loading is kept, because it says how the fault was handled.
pub fn merge(mut load_findings: Vec<Finding>, check_findings: Vec<Finding>) -> Vec<Finding> {
    let codes_by_pointer: HashMap<&str, &'static str> =
        check_findings.iter().filter(|finding| is_read_error(finding)).map(|finding| (finding.pointer.as_str(), finding.code)).collect();
    for finding in load_findings.iter_mut().filter(|finding| finding.code == "IMAGE_UNAVAILABLE") {
        // Loading reports a missing image at the image. The check reports it at the URI of the image, with the reason as the code.
        let uri = format!("{}/uri", finding.pointer);
        if let Some(code) = codes_by_pointer.get(uri.as_str()) {
            (finding.code, finding.pointer) = (code, uri);
        }
    }
    let loaded_keys: HashSet<(&str, &str)> = load_findings.iter().map(|finding| (finding.code, finding.pointer.as_str())).collect();
    let is_loaded = |finding: &Finding| loaded_keys.contains(&(finding.code, finding.pointer.as_str()));
    let new: Vec<Finding> = check_findings.into_iter().filter(|finding| !is_loaded(finding)).collect();
    load_findings.into_iter().chain(new).collect()
}

/// Returns whether this finding says why a URI could not be read.
fn is_read_error(finding: &Finding) -> bool {
    matches!(finding.code, "IO_ERROR" | "INVALID_URI")
}
