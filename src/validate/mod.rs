//! `inspect`'s full check: what the specification's validator calls an error or a warning, by its own codes, as findings. It reads
//! the file once more, as plain JSON and plain bytes, and so can speak of files that cannot be shown, too. Opening a file does
//! none of this: the passes over all numbers take time. Every pass is linear, and those over numbers have a budget (`elements`).

mod accessor;
mod animation;
mod attribute;
mod data;
mod declared;
mod elements;
mod glb;
mod image_head;
mod influences;
mod material;
mod mesh;
mod node;
mod read;
mod resource;
mod schema;
mod schema_extensions;
mod shape;
mod skin;
mod subject;
mod usage;

use std::path::Path;

use serde_json::Value;

use crate::asset::error::LoadError;
use crate::asset::file::archive;
use crate::asset::file::buffer::Bytes;
use crate::asset::file::glb::Parts;
use crate::asset::file::uri::{Files, Folder};
use crate::asset::findings::Findings;
use crate::asset::{MOST_JSON_BYTES, folder_of, read_file, unpack};
use crate::model::finding::{Finding, Severity};

use elements::Budget;
use skin::Skinning;
use subject::Subject;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Checks a .gltf or .glb and what it names beside it, or the one in a .zip and what it names there.
pub fn file(path: &Path) -> Result<Vec<Finding>, LoadError> {
    let (mut bytes, mut folder) = (read_file(path)?, Folder::At { folder: folder_of(path), beside: &[] });
    if archive::is_archive(&bytes) {
        // What is to be said of the archive, loading says.
        (bytes, folder) = unpack(bytes, &mut Findings::default())?;
    }
    Ok(check(Bytes::new(bytes), folder))
}

/// Checks a file that lies in memory: of files beside it nothing is said.
pub fn bytes(bytes: Vec<u8>) -> Vec<Finding> {
    check(Bytes::new(bytes), Folder::None)
}

fn check(file: Bytes, folder: Folder) -> Vec<Finding> {
    let mut findings = Findings::default();
    let is_glb = glb::is_glb(file.as_slice());
    let parts = if is_glb { glb::check(file.as_slice(), &mut findings) } else { Parts { json: 0..file.as_slice().len(), bin: None } };
    let bytes = file.as_slice().get(parts.json).unwrap_or_default();
    // Of files that are something else loading says what they are.
    let is_json = bytes.trim_ascii_start().starts_with(b"{") || bytes.starts_with(BYTE_ORDER_MARK);
    let Some(root) = is_json.then(|| parse(bytes, &mut findings)).flatten() else { return findings.finish() };
    if let Value::Object(object) = &root {
        shape::check(object, &mut findings);
    }
    let bin = parts.bin.and_then(|bin| file.part(bin.start as u64, bin.len() as u64));
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

    let mut files = Files::new(folder);
    resource::read_buffers(&mut subject, bin, &mut files);
    let views = resource::views(&subject);
    resource::check_images(&mut subject, &mut files, &views);
    let mut budget = Budget::new(&subject);
    data::check(&mut subject, &views, &mut budget);
    influences::check(&mut subject, &views, &mut budget);
    if budget.is_exhausted() {
        let message = "The file uses the same bytes again and again: not all of its numbers were checked.";
        subject.info("CHECK_INCOMPLETE", "", message);
    }
    subject.findings.finish()
}

/// The JSON, if it is some.
fn parse(bytes: &[u8], findings: &mut Findings) -> Option<Value> {
    let plain = bytes.strip_prefix(BYTE_ORDER_MARK);
    if plain.is_some() {
        let message = "The JSON begins with a byte order mark, which glTF forbids; it was skipped.";
        findings.add(Severity::Error, "INVALID_JSON", "", message.into());
    }
    if bytes.len() as u64 > MOST_JSON_BYTES {
        findings.add(Severity::Error, "INVALID_JSON", "", format!("The JSON has {} bytes, more than are read.", bytes.len()));
        return None;
    }
    match serde_json::from_slice(plain.unwrap_or(bytes)) {
        Ok(root) => Some(root),
        Err(error) => {
            findings.add(Severity::Error, "INVALID_JSON", "", format!("The JSON cannot be read: {error}."));
            None
        }
    }
}

/// The findings of loading and of the check as one list. Of the same code at the same place loading's stand: they say what was done
/// about it.
pub fn merged(of_loading: Vec<Finding>, of_check: Vec<Finding>) -> Vec<Finding> {
    let known: std::collections::HashSet<(&str, &str)> =
        of_loading.iter().map(|finding| (finding.code, finding.pointer.as_str())).collect();
    // Loading knows a missing image by the image, the validator by its URI.
    let is_known = |finding: &Finding| match finding.pointer.strip_suffix("/uri").filter(|_| finding.code == "IO_ERROR") {
        Some(image) if known.contains(&("IMAGE_UNAVAILABLE", image)) => true,
        _ => known.contains(&(finding.code, finding.pointer.as_str())),
    };
    let more: Vec<Finding> = of_check.into_iter().filter(|finding| !is_known(finding)).collect();
    of_loading.into_iter().chain(more).collect()
}
