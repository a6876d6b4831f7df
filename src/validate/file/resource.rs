//! Buffers, compressed views and images (glTF 2.0, 3.6.1 and 3.8.3). Reads the bytes that the later checks use. Only the beginning of each
//! image file is read.

use std::cell::Cell;
use std::collections::HashMap;

use gltf::json;
use serde_json::Value;

use crate::asset::accessor::compressed_view;
use crate::asset::error::{UriProblem, shortened};
use crate::asset::file::buffer;
use crate::asset::file::bytes::Bytes;
use crate::asset::file::uri::{Extent, Files, data_part, media_type};
use crate::asset::image::header::{self, is_media_type};
use crate::codec::meshopt;
use crate::model::label;
use crate::numbers::{counted, grouped};
use crate::validate::context::ValidationContext;
use crate::validate::file::image_header::{self, ImageHeaderError};
use crate::validate::file::uri;
use crate::validate::read;

/// Number of bytes to read of an image. They are enough to detect the kind of the image and, for nearly all images, to check the header.
/// The rest of a longer header is not checked.
const IMAGE_HEADER_BYTES: u64 = 64 << 10;
/// Minimum size of a valid image, in bytes.
const MIN_IMAGE_BYTES: usize = 14;

/// The results of [`check_header`] by the location of the bytes, because images can share them. The bytes are kept, so that no others get
/// the same location.
type Headers = HashMap<(usize, usize), (Bytes, Result<bool, ImageHeaderError>)>;

/// Fills the context's buffers from the binary chunk of a GLB, `data:` URIs and external files.
pub fn read_buffers(context: &mut ValidationContext, bin: Option<Bytes>, files: &mut Files) {
    let max = context.list("buffers").iter().filter_map(|json| read::unsigned(json, "byteLength")).max().unwrap_or(0);
    for (index, json) in context.list("buffers").iter().enumerate() {
        let pointer = format!("/buffers/{index}");
        let uri = read::string(json, "uri");
        let bytes = match uri {
            Some(uri) => read_uri(context, files, uri, max, &pointer),
            None if index == 0 && context.is_glb && bin.is_none() => {
                let message = "The buffer has no URI, but the GLB has no binary chunk.";
                context.error("BUFFER_MISSING_GLB_DATA", &pointer, message);
                None
            }
            None if index == 0 => bin.clone(),
            None => None,
        };
        let declared_bytes = read::unsigned(json, "byteLength").filter(|&bytes| bytes > 0);
        let actual_bytes = bytes.as_ref().map_or(0, |bytes| bytes.as_slice().len() as u64);
        // Buffer views are parts of the range that the buffer declares.
        let declared_range = declared_bytes.and_then(|length| bytes.as_ref()?.part(0, length));
        if let Some(declared_bytes) = declared_bytes.filter(|_| bytes.is_some()) {
            if declared_range.is_none() {
                let (actual, declared) = (counted(actual_bytes as usize, "byte"), grouped(declared_bytes));
                let message = format!("The buffer has {actual}, but its byteLength is {declared}.");
                context.error("BUFFER_BYTE_LENGTH_MISMATCH", &pointer, message);
            // The chunk of a GLB is padded to a multiple of four bytes.
            } else if uri.is_none() && actual_bytes - declared_bytes > 3 {
                let (actual, declared) = (grouped(actual_bytes), grouped(declared_bytes));
                let message = format!("The binary chunk has {actual} bytes, but the buffer has {declared}; the rest is ignored.");
                context.warning("BUFFER_GLB_CHUNK_TOO_BIG", &pointer, message);
            }
        }
        // The specification allows two media types for buffers in `data:` URIs.
        if let Some(declared) = uri
            .and_then(media_type)
            .filter(|_| bytes.is_some())
            .filter(|declared| !matches!(*declared, "application/octet-stream" | "application/gltf-buffer"))
        {
            let message = format!(
                "The media type of the data: URI is {:?} (expected application/octet-stream or application/gltf-buffer).",
                shortened(declared)
            );
            context.error("BUFFER_DATA_URI_MIME_TYPE_INVALID", &format!("{pointer}/uri"), message);
        }
        context.buffers.push(declared_range);
    }
    context.stored_bytes = buffer::stored_bytes(&context.buffers, files);
}

/// Checks a URI and reads it. Of an external file that was not read before, only the first `max` bytes are read. `None`, with a finding, if
/// the URI cannot be read. There is no finding if the model was read from memory and has no folder.
fn read_uri(context: &mut ValidationContext, files: &mut Files, uri: &str, max: u64, pointer: &str) -> Option<Bytes> {
    let pointer = format!("{pointer}/uri");
    if context.is_glb {
        let is_data = data_part(uri).is_some();
        context.info(
            "URI_GLB",
            &pointer,
            if is_data { "The GLB stores data as text." } else { "The GLB is not self-contained: it needs another file." },
        );
        if is_data {
            let message = "Data stored as text takes a third more space than in the binary chunk.";
            context.warning("DATA_URI_GLB", &pointer, message);
        }
    }
    if let Some(fault) = uri::fault(uri) {
        context.error("INVALID_URI", &pointer, format!("{:?} is not a valid URI: {fault}.", shortened(uri)));
        return None;
    }
    if !uri::is_relative(uri) || uri.starts_with('\\') {
        let message = format!("{:?} is not a relative path.", shortened(uri));
        context.warning("NON_RELATIVE_URI", &pointer, message);
    }
    match files.read(uri, Extent::Beginning { min: 0, max }) {
        Ok(bytes) => Some(bytes),
        Err(UriProblem::NoFolder(_)) => None,
        Err(problem @ UriProblem::Data(_)) => {
            context.error("INVALID_URI", &pointer, sentence(&problem));
            None
        }
        Err(problem) => {
            context.error("IO_ERROR", &pointer, sentence(&problem));
            None
        }
    }
}

/// The text of a problem as a full sentence. A capital letter and a period are added, because the text of a problem is made to follow a
/// prefix such as "buffer 0: ". The text that another library gave may end with a period already.
fn sentence(problem: &UriProblem) -> String {
    format!("{}.", label::capitalized(problem.to_string().trim_end_matches('.')))
}

/// The bytes of every buffer view, decompressed. `None` for a view that cannot be read.
pub fn read_views(context: &ValidationContext) -> Vec<Option<Bytes>> {
    let decoded = Cell::new(0);
    let part = |buffer: usize, offset, length| context.buffers.get(buffer)?.as_ref()?.part(offset, length);
    let decompress = |json: &Value| {
        let view: json::buffer::View = serde_json::from_str(&json.to_string()).ok()?;
        let compressed = compressed_view::read(&view)?.ok()?;
        decoded.set(compressed_view::charge(compressed.layout, decoded.get(), context.stored_bytes).ok()?);
        let stream = part(compressed.buffer, compressed.byte_offset, compressed.byte_length)?;
        meshopt::decode(compressed.layout, stream.as_slice()).ok().map(Bytes::new)
    };
    let view = |(json, view): (&Value, &crate::validate::context::View)| match view.is_compressed {
        true => decompress(json),
        false => part(view.buffer?, view.offset, view.length),
    };
    context.list("bufferViews").iter().zip(&context.views).map(view).collect()
}

/// Checks images, and the textures that use them.
pub fn check_images(context: &mut ValidationContext, files: &mut Files, views: &[Option<Bytes>]) {
    let (mut kinds, mut headers) = (Vec::new(), Headers::new());
    for (index, json) in context.list("images").iter().enumerate() {
        let pointer = format!("/images/{index}");
        let bytes = if json.is_object() { read_image(context, json, files, views, &pointer) } else { None };
        kinds.push(bytes.and_then(|bytes| check_image(context, json, &bytes, &mut headers, &pointer)));
    }
    for (index, json) in context.list("textures").iter().enumerate() {
        let Some(source) = read::index(json, "source") else { continue };
        let (Some(kind), Some(image)) = (kinds.get(source), context.list("images").get(source)) else { continue };
        let declared = read::string(image, "mimeType").map(|declared| declared.strip_prefix("image/").unwrap_or(declared));
        // Only the core property is checked, because extensions enable their own formats.
        if let Some(kind) = declared.or(*kind).filter(|kind| !matches!(*kind, "" | "png" | "jpeg")) {
            let message = format!("The image is {:?}; without an extension, a texture needs PNG or JPEG.", shortened(kind));
            context.error("TEXTURE_INVALID_IMAGE_MIME_TYPE", &format!("/textures/{index}/source"), message);
        }
    }
}

/// Checks the properties uri, bufferView and mimeType of an image.
fn check_source(context: &mut ValidationContext, json: &Value, pointer: &str) {
    let has_view = read::index(json, "bufferView").is_some();
    let declared = read::string(json, "mimeType");
    if read::string(json, "uri").is_some() == has_view {
        context.error("ONE_OF_MISMATCH", pointer, "An image must have exactly one of uri and bufferView.");
    }
    if has_view && declared.is_none() {
        let message = "An image in a buffer view must have a mimeType.";
        context.error("UNSATISFIED_DEPENDENCY", &format!("{pointer}/bufferView"), message);
    }
    if let Some(declared) = declared.filter(|declared| !is_enabled(context, declared.strip_prefix("image/").unwrap_or_default())) {
        let message = format!("{:?} is neither image/jpeg nor image/png, nor enabled by an extension.", shortened(declared));
        context.warning("VALUE_NOT_IN_LIST", &format!("{pointer}/mimeType"), message);
    }
}

/// Checks where an image is stored, and reads its beginning. `None` if it cannot be read.
fn read_image(context: &mut ValidationContext, json: &Value, files: &mut Files, views: &[Option<Bytes>], pointer: &str) -> Option<Bytes> {
    check_source(context, json, pointer);
    let bytes = match read::string(json, "uri") {
        Some(uri) => read_uri(context, files, uri, IMAGE_HEADER_BYTES, pointer)?,
        None => views.get(read::index(json, "bufferView")?)?.clone()?,
    };
    bytes.part(0, IMAGE_HEADER_BYTES.min(bytes.len() as u64))
}

/// Checks an image that begins with these bytes. Returns its kind, as the subtype of its media type. `None` if it is unknown or the image
/// is invalid.
fn check_image(context: &mut ValidationContext, json: &Value, bytes: &Bytes, headers: &mut Headers, pointer: &str) -> Option<&'static str> {
    let uri = read::string(json, "uri");
    let known_kind = known_kind(bytes.as_slice());
    if let Some(declared) = uri.and_then(media_type).filter(|declared| known_kind.is_none_or(|kind| !is_media_type(declared, kind))) {
        let actual = known_kind.unwrap_or("of unknown format");
        let message = format!("The media type of the data: URI is {:?}, but the image is {actual}.", shortened(declared));
        context.error("INVALID_URI", &format!("{pointer}/uri"), message);
        return None;
    }
    let Some(kind) = known_kind else {
        let name = read::string(json, "name").filter(|name| !name.is_empty()).or(uri.filter(|uri| data_part(uri).is_none()));
        let image = name.map_or("the image".to_owned(), |name| format!("the image {:?}", shortened(name)));
        let message = format!("The format of {image} is unknown; its textures show a checkerboard.");
        context.warning("IMAGE_UNRECOGNIZED_FORMAT", pointer, message);
        return None;
    };
    let header = || (bytes.clone(), check_header(kind, bytes.as_slice()));
    let has_ignored_features = match headers.entry(bytes.location()).or_insert_with(header).1 {
        Ok(has_ignored_features) => has_ignored_features,
        Err(fault) => {
            report_header(context, fault, pointer);
            return None;
        }
    };
    if let Some(declared) = read::string(json, "mimeType").filter(|declared| !is_media_type(declared, kind)) {
        let message = format!("The image is {kind}, but the file declares {:?}.", shortened(declared));
        let property = if uri.is_some() { "uri" } else { "bufferView" };
        context.error("IMAGE_MIME_TYPE_INVALID", &format!("{pointer}/{property}"), message);
    }
    if has_ignored_features {
        let message = "The color profile, non-square pixels or animation of the image are ignored.";
        context.warning("IMAGE_FEATURES_UNSUPPORTED", pointer, message);
    }
    if !is_enabled(context, kind) {
        let message = format!("The image is {kind}, which needs an extension that extensionsUsed does not list.");
        context.error("IMAGE_NON_ENABLED_MIME_TYPE", pointer, message);
    }
    Some(kind)
}

/// The kind of an image, as the subtype of its media type. `None` if no texture can have such an image.
fn known_kind(bytes: &[u8]) -> Option<&'static str> {
    let kind = header::kind(bytes);
    let is_known = matches!(kind, "png" | "jpeg" | "ktx2") || (kind == "webp" && bytes.get(12..14) == Some(b"VP"));
    (bytes.len() >= MIN_IMAGE_BYTES && is_known).then_some(kind)
}

/// Checks the header of an image. Returns whether it requests features that textures ignore.
fn check_header(kind: &str, bytes: &[u8]) -> Result<bool, ImageHeaderError> {
    match image_header::check(kind, bytes) {
        // The rest of the header may lie in the part of the image that was not read.
        Err(ImageHeaderError::Truncated) if bytes.len() as u64 == IMAGE_HEADER_BYTES => {}
        checked => checked?,
    }
    Ok(image_header::has_ignored_features(kind, bytes))
}

/// Reports a fault of an image's header.
fn report_header(context: &mut ValidationContext, fault: ImageHeaderError, pointer: &str) {
    match fault {
        ImageHeaderError::Truncated => context.error("IMAGE_UNEXPECTED_EOS", pointer, "The image is truncated."),
        ImageHeaderError::Invalid(what) => context.error("IMAGE_DATA_INVALID", pointer, format!("{what}.")),
    }
}

/// Returns whether the core specification or an extension in extensionsUsed allows images of this kind.
fn is_enabled(context: &ValidationContext, kind: &str) -> bool {
    match kind {
        "png" | "jpeg" => true,
        "webp" => context.uses("EXT_texture_webp"),
        "ktx2" => context.uses("KHR_texture_basisu"),
        _ => false,
    }
}
