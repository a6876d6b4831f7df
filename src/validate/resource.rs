//! What the file brings or names: buffers, compressed views, images. Bytes are fetched here, for the checks that follow; of images
//! only the first ones.

use std::cell::Cell;

use gltf::json;
use serde_json::Value;

use crate::asset::accessor::compressed_view;
use crate::asset::error::{UriProblem, shortened};
use crate::asset::file::buffer::Bytes;
use crate::asset::file::uri::{Extent, Files};
use crate::asset::image;
use crate::codec::meshopt;

use super::subject::Subject;
use super::{image_head, read};

/// So many of an image's bytes tell its kind, and what else is said before its pixels.
const IMAGE_HEAD: u64 = 64 << 10;

/// Fills the subject's buffers: the GLB's chunk, `data:` URIs, files beside this one.
pub fn read_buffers(subject: &mut Subject, bin: Option<Bytes>, files: &mut Files) {
    let most = subject.list("buffers").iter().filter_map(|json| read::unsigned(json, "byteLength")).max().unwrap_or(0);
    for (index, json) in subject.list("buffers").iter().enumerate() {
        let place = format!("/buffers/{index}");
        let uri = read::word(json, "uri");
        let bytes = match uri {
            Some(uri) => fetch(subject, files, uri, most, &place),
            None if index == 0 && subject.is_glb && bin.is_none() => {
                let message = "The buffer has no URI, so that it is the binary chunk of the GLB, which is missing.";
                subject.error("BUFFER_MISSING_GLB_DATA", &place, message);
                None
            }
            None if index == 0 => bin.clone(),
            None => None,
        };
        let wanted = read::unsigned(json, "byteLength").filter(|&wanted| wanted > 0);
        let found = bytes.as_ref().map_or(0, |bytes| bytes.as_slice().len() as u64);
        let part = wanted.and_then(|wanted| bytes.as_ref()?.part(0, wanted));
        if let Some(wanted) = wanted.filter(|_| bytes.is_some()) {
            if part.is_none() {
                let message = format!("The buffer has {found} bytes where byteLength says {wanted}.");
                subject.error("BUFFER_BYTE_LENGTH_MISMATCH", &place, message);
            } else if uri.is_none() && found - wanted > 3 {
                let message = format!("The binary chunk has {found} bytes, the buffer {wanted}; the rest was ignored.");
                subject.warning("BUFFER_GLB_CHUNK_TOO_BIG", &place, message);
            }
        }
        if let Some(said) = uri
            .and_then(media_type)
            .filter(|_| bytes.is_some())
            .filter(|said| !matches!(*said, "application/octet-stream" | "application/gltf-buffer"))
        {
            let message = format!("The data: URI says {:?}; of a buffer it says application/octet-stream.", shortened(said));
            subject.error("BUFFER_DATA_URI_MIME_TYPE_INVALID", &format!("{place}/uri"), message);
        }
        subject.buffers.push(part);
    }
}

/// What a `data:` URI says that it is.
fn media_type(uri: &str) -> Option<&str> {
    uri.strip_prefix("data:")?.split([';', ',']).next()
}

/// The first `most` bytes of what a URI stands for.
fn fetch(subject: &mut Subject, files: &mut Files, uri: &str, most: u64, place: &str) -> Option<Bytes> {
    let place = format!("{place}/uri");
    if subject.is_glb {
        subject.info("URI_GLB", &place, "A GLB that is not whole without another file, or carries data as text.");
        if uri.starts_with("data:") {
            let message = "Data as text, a third larger than in the binary chunk of this GLB.";
            subject.warning("DATA_URI_GLB", &place, message);
        }
    }
    match files.read(uri, Extent::Beginning { now: 0, most }) {
        Ok(bytes) => Some(bytes),
        // The file lies in memory: nothing can be said of files beside it.
        Err(UriProblem::NoFolder(_)) => None,
        Err(problem @ UriProblem::Data(_)) => {
            subject.error("INVALID_URI", &place, sentence(&problem));
            None
        }
        Err(problem) => {
            if matches!(problem, UriProblem::Scheme(_)) || uri.starts_with(['/', '\\']) {
                let message = format!("{:?} is no place beside the file.", shortened(uri));
                subject.warning("NON_RELATIVE_URI", &place, message);
            }
            subject.error("IO_ERROR", &place, sentence(&problem));
            None
        }
    }
}

/// Problems complete "buffer 0: ...".
fn sentence(problem: &UriProblem) -> String {
    let text = problem.to_string();
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).chain(['.']).collect())
}

/// The bytes of every buffer view that lies in its buffer, decompressed.
pub fn views(subject: &Subject) -> Vec<Option<Bytes>> {
    let available = subject.buffers.iter().flatten().map(|bytes| bytes.as_slice().len() as u64).sum();
    let decoded = Cell::new(0);
    let part = |buffer: usize, offset, length| subject.buffers.get(buffer)?.as_ref()?.part(offset, length);
    let decompress = |json: &Value| {
        let view: json::buffer::View = serde_json::from_value(json.clone()).ok()?;
        let compressed = compressed_view::read(&view)?.ok()?;
        decoded.set(compressed_view::charge(compressed.layout, decoded.get(), available).ok()?);
        let stream = part(compressed.buffer, compressed.byte_offset, compressed.byte_length)?;
        meshopt::decode(compressed.layout, stream.as_slice()).ok().map(Bytes::new)
    };
    let view = |(json, view): (&Value, &super::subject::View)| match view.is_compressed {
        true => decompress(json),
        false => part(view.buffer?, view.offset, view.length),
    };
    subject.list("bufferViews").iter().zip(&subject.views).map(view).collect()
}

/// Images and the textures that use them.
pub fn check_images(subject: &mut Subject, files: &mut Files, views: &[Option<Bytes>]) {
    let mut kinds = Vec::new();
    for (index, json) in subject.list("images").iter().enumerate() {
        kinds.push(check_image(subject, json, files, views, &format!("/images/{index}")));
    }
    for (index, json) in subject.list("textures").iter().enumerate() {
        let Some(kind) = read::index(json, "source").and_then(|image| kinds.get(image).copied()) else { continue };
        // Those of extensions are enabled by them, not here.
        if !matches!(kind, "" | "png" | "jpeg") {
            let message = format!("The image is {kind}; without an extension a texture's source is PNG or JPEG.");
            subject.error("TEXTURE_INVALID_IMAGE_MIME_TYPE", &format!("/textures/{index}/source"), message);
        }
    }
}

/// Returns the kind of image; empty if it cannot be told.
fn check_image(subject: &mut Subject, json: &Value, files: &mut Files, views: &[Option<Bytes>], place: &str) -> &'static str {
    let (uri, has_view) = (read::word(json, "uri"), json.get("bufferView").is_some());
    if json.get("uri").is_some() == has_view {
        subject.error("ONE_OF_MISMATCH", place, "An image has one of uri and bufferView.");
    }
    if has_view && json.get("mimeType").is_none() {
        let message = "An image in a buffer view says its mimeType.";
        subject.error("UNSATISFIED_DEPENDENCY", &format!("{place}/bufferView"), message);
    }
    if let Some(said) = read::word(json, "mimeType").filter(|said| !is_enabled(subject, said.strip_prefix("image/").unwrap_or_default())) {
        let message = format!("{:?} is neither image/jpeg nor image/png, nor enabled by an extension.", shortened(said));
        subject.warning("VALUE_NOT_IN_LIST", &format!("{place}/mimeType"), message);
    }
    let bytes = match uri {
        Some(uri) => fetch(subject, files, uri, IMAGE_HEAD, place),
        None => read::index(json, "bufferView").and_then(|view| views.get(view)?.clone()),
    };
    let Some(bytes) = bytes else { return "" };
    let kind = image::kind(bytes.as_slice());
    if !matches!(kind, "png" | "jpeg" | "webp" | "ktx2") {
        let message = "The image is of no kind that glTF knows; its textures count as white.";
        subject.warning("IMAGE_UNRECOGNIZED_FORMAT", place, message);
        return "";
    }
    let said = read::word(json, "mimeType").or_else(|| media_type(uri?));
    if let Some(said) = said.filter(|said| said.strip_prefix("image/") != Some(kind)) {
        let message = format!("The image is {kind}, not {:?} as the file says.", shortened(said));
        let property = if uri.is_some() { "uri" } else { "bufferView" };
        subject.error("IMAGE_MIME_TYPE_INVALID", &format!("{place}/{property}"), message);
    }
    if image_head::asks_for_more(kind, bytes.as_slice()) {
        let message = "The image has a colour profile, pixels that are not square, or moves: this is not looked at.";
        subject.warning("IMAGE_FEATURES_UNSUPPORTED", place, message);
    }
    if !is_enabled(subject, kind) {
        let message = format!("Images of kind {kind} need an extension, which extensionsUsed does not name.");
        subject.error("IMAGE_NON_ENABLED_MIME_TYPE", place, message);
    }
    kind
}

fn is_enabled(subject: &Subject, kind: &str) -> bool {
    match kind {
        "png" | "jpeg" => true,
        "webp" => subject.uses("EXT_texture_webp"),
        "ktx2" => subject.uses("KHR_texture_basisu"),
        _ => false,
    }
}
