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
mod data;
mod declared;
mod elements;
mod glb;
mod influences;
mod material;
mod mesh;
mod node;
mod read;
mod resource;
mod schema;
mod schema_extensions;
mod schema_types;
mod shape;
mod skin;
mod subject;
mod usage;

use std::path::Path;

use serde_json::Value;

use crate::asset::error::LoadError;
use crate::asset::file::archive;
use crate::asset::file::bytes::Bytes;
use crate::asset::file::glb::GlbParts;
use crate::asset::file::uri::{Files, Folder};
use crate::asset::findings::Findings;
use crate::asset::{MAX_JSON_BYTES, folder_of, read_file, unpack};
use crate::model::finding::{Finding, Severity};

use elements::Budget;
use skin::Skinning;
use subject::Subject;

/// The byte order mark of UTF-8. glTF forbids it (glTF 2.0, 2.7).
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Checks a .gltf or .glb file and the files it references, or the model inside a .zip archive. The order of findings is the
/// order of the checks. Errors only if the file or archive cannot be read; a broken model makes findings.
pub fn file(path: &Path) -> Result<Vec<Finding>, LoadError> {
    let (mut bytes, mut folder) = (read_file(path)?, Folder::At { folder: folder_of(path), beside: &[] });
    if archive::is_archive(&bytes) {
        // Loading reports the findings about the archive.
        (bytes, folder) = unpack(bytes, &mut Findings::default())?;
    }
    Ok(check(Bytes::new(bytes), folder))
}

/// Checks a model in memory. External files are not checked, because there is no folder to find them in.
pub fn bytes(bytes: Vec<u8>) -> Vec<Finding> {
    check(Bytes::new(bytes), Folder::None)
}

/// Runs all checks: the container, the shape of the JSON, what the JSON declares, then the bytes that it describes.
fn check(file: Bytes, folder: Folder) -> Vec<Finding> {
    let mut findings = Findings::default();
    let is_glb = glb::is_glb(file.as_slice());
    let parts = if is_glb { glb::check(file.as_slice(), &mut findings) } else { GlbParts { json: 0..file.as_slice().len(), bin: None } };
    let bytes = file.as_slice().get(parts.json).unwrap_or_default();
    // A file that does not look like JSON gets no findings here: loading says which other format it has.
    let is_json = bytes.trim_ascii_start().starts_with(b"{") || bytes.starts_with(BYTE_ORDER_MARK);
    let Some(root) = is_json.then(|| parse(bytes, &mut findings)).flatten() else { return findings.finish() };
    if let Value::Object(object) = &root {
        shape::check(object, &mut findings);
    }
    let bin = parts.bin.and_then(|bin| file.part(bin.start as u64, bin.len() as u64));
    // These checks look only at the JSON.
    let mut subject = Subject::new(&root, is_glb, findings);
    declared::check(&mut subject);
    accessor::check(&mut subject);
    usage::check(&mut subject);
    mesh::check(&mut subject);
    let skinning = Skinning::new(&root);
    node::check(&mut subject, &skinning);
    skin::check(&mut subject, &skinning);
    animation::check(&mut subject);
    material::check(&mut subject);

    // From here on, bytes are read.
    let mut files = Files::new(folder);
    resource::read_buffers(&mut subject, bin, &mut files);
    let views = resource::views(&subject);
    resource::check_images(&mut subject, &mut files, &views);
    let mut budget = Budget::new(&subject);
    data::check(&mut subject, &views, &mut budget);
    influences::check(&mut subject, &views, &mut budget);
    if budget.is_exhausted() {
        let message = "The file uses the same bytes many times: not all values were checked.";
        subject.info("CHECK_INCOMPLETE", "", message);
    }
    subject.findings.finish()
}

/// The parsed JSON. `None`, with a finding, if it is invalid.
fn parse(bytes: &[u8], findings: &mut Findings) -> Option<Value> {
    let plain = bytes.strip_prefix(BYTE_ORDER_MARK);
    if plain.is_some() {
        let message = "The JSON begins with a byte order mark, which glTF forbids; it is skipped.";
        findings.add(Severity::Error, "INVALID_JSON", "", message.into());
    }
    if bytes.len() as u64 > MAX_JSON_BYTES {
        findings.add(Severity::Error, "INVALID_JSON", "", format!("The JSON has {} bytes, more than the limit.", bytes.len()));
        return None;
    }
    match serde_json::from_slice(plain.unwrap_or(bytes)) {
        Ok(root) => Some(root),
        Err(error) => {
            findings.add(Severity::Error, "INVALID_JSON", "", format!("The JSON is invalid: {error}."));
            None
        }
    }
}

/// Joins the findings of loading and of the check, those of loading first. If both have the same code at the same location, the
/// one of loading is kept, because it tells what was done about the fault.
pub fn merged(of_loading: Vec<Finding>, of_check: Vec<Finding>) -> Vec<Finding> {
    let known: std::collections::HashSet<(&str, &str)> =
        of_loading.iter().map(|finding| (finding.code, finding.pointer.as_str())).collect();
    // Loading reports a missing image at the image, the check at its URI.
    let is_known = |finding: &Finding| match finding.pointer.strip_suffix("/uri").filter(|_| finding.code == "IO_ERROR") {
        Some(image) if known.contains(&("IMAGE_UNAVAILABLE", image)) => true,
        _ => known.contains(&(finding.code, finding.pointer.as_str())),
    };
    let more: Vec<Finding> = of_check.into_iter().filter(|finding| !is_known(finding)).collect();
    of_loading.into_iter().chain(more).collect()
}
