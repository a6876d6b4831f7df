//! Tests the URIs of buffers and images, and the first bytes of images.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use sinew::validate;

use crate::sound::picture;

/// Returns the code and pointer of each finding about an image with this URI, in a folder without other files. The finding that the image
/// is unused is left out.
fn of_image(uri: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("test.gltf");
    let json = json!({"asset": {"version": "2.0"}, "extensionsUsed": ["EXT_texture_webp"], "images": [{ "uri": uri }]});
    std::fs::write(&file, json.to_string()).unwrap();
    let found = validate::file(&file).unwrap();
    let about = found.iter().filter(|finding| finding.code != "UNUSED_OBJECT");
    about.map(|finding| format!("{} {}", finding.code, finding.pointer)).collect()
}

fn data(media_type: &str, bytes: &[u8]) -> String {
    format!("data:{media_type};base64,{}", STANDARD.encode(bytes))
}

/// The message about the invalid URI of an image.
fn message_of(uri: &str) -> String {
    let json = json!({ "asset": { "version": "2.0" }, "images": [{ "uri": uri }] });
    let found = validate::bytes(json.to_string().into_bytes());
    found.iter().find(|finding| finding.code == "INVALID_URI").unwrap().message.clone()
}

#[test]
fn the_message_about_invalid_base64_ends_with_one_period() {
    let message = message_of("data:image/png;base64,AAAA@");
    assert!(message.ends_with('.') && !message.ends_with(".."), "{message}");
}

#[test]
fn uris_that_are_not_well_formed_are_reported() {
    for uri in [":", ":a", "1:2", "1a:b", "a b:c", "\u{e9}:b", "-a:b", "//host:port/x", "http://[::1/x", "http://[zz]/"] {
        assert_eq!(of_image(uri), ["INVALID_URI /images/0/uri"], "{uri}");
    }
    let payload = STANDARD.encode(picture(image::ImageFormat::Png));
    for start in ["data:", "data:;", "data:image/png", "data:image/png;base64"] {
        assert_eq!(of_image(start), ["INVALID_URI /images/0/uri"], "{start}");
    }
    for header in
        ["image/png;", "image", "base64", "a/b/c", "image/png;BASE64", "image/png;foo", "image/png;base64;x=y", "image/png; base64"]
    {
        let uri = format!("data:{header};base64,{payload}");
        assert_eq!(of_image(&uri), ["INVALID_URI /images/0/uri"], "{header}");
    }
    for spaced in [" base64", "base64 "] {
        let message = message_of(&format!("data:image/png;{spaced},{payload}"));
        assert!(message.ends_with("is not a valid URI: there is a space beside \"base64\"."), "{message}");
    }
    for encoded in ["AAAAAB==", "AAAAAAB=", "AAAAAB", "AA AA AA B=", "AAAA%0AA B = =", "AAAAA B=="] {
        let message = message_of(&format!("data:image/png;base64,{encoded}"));
        assert!(message.ends_with("is not a valid URI: the unused bits at the end of its data are not zero."), "{message}");
    }
    for encoded in ["A", "AA=", "====", "@", "AA A"] {
        assert_eq!(of_image(&format!("data:image/png;base64,{encoded}")), ["INVALID_URI /images/0/uri"], "{encoded}");
    }
}

#[test]
fn well_formed_uris_are_not_reported_as_invalid() {
    for uri in ["a.png", "a%20b.png", "a b.png", "a%zz", "\u{e4}.png", "./a.png", "[a].png", "a/b:c.png"] {
        assert_eq!(of_image(uri), ["IO_ERROR /images/0/uri"], "{uri}");
    }
    for uri in ["/a.png", "//host/a.png", "//host:80/a.png", "http://[::1]:80/a.png", "file:a.png", "C:\\a.png", "a.png?size=2", "a#b.png"]
    {
        assert_eq!(of_image(uri), ["NON_RELATIVE_URI /images/0/uri", "IO_ERROR /images/0/uri"], "{uri}");
    }
    let png = picture(image::ImageFormat::Png);
    let none: [&str; 0] = [];
    for media_type in ["image/png", "IMAGE/PNG", "image/png;charset=utf-8"] {
        assert_eq!(of_image(&data(media_type, &png)), none, "{media_type}");
    }
}

#[test]
fn a_data_uri_must_have_the_media_type_of_its_image() {
    let png = picture(image::ImageFormat::Png);
    for media_type in ["", "image/jpeg", "image/gif", "application/octet-stream"] {
        assert_eq!(of_image(&data(media_type, &png)), ["INVALID_URI /images/0/uri"], "{media_type}");
    }
    assert_eq!(of_image(&data("image/png", b"not an image at all")), ["INVALID_URI /images/0/uri"]);
}

#[test]
fn images_that_end_in_their_header_are_reported_as_truncated() {
    // The last number is how many bytes are read. In the PNG they end with the name of the pixel chunk, which begins at byte 33. In the
    // WebP they end with the size of the picture.
    let formats = [("image/png", image::ImageFormat::Png, 41), ("image/webp", image::ImageFormat::WebP, 25)];
    let none: [&str; 0] = [];
    for (media_type, format, header) in formats {
        let image = picture(format);
        assert_eq!(of_image(&data(media_type, &image[..14])), ["IMAGE_UNEXPECTED_EOS /images/0"], "{media_type}");
        assert_eq!(of_image(&data(media_type, &image[..header - 1])), ["IMAGE_UNEXPECTED_EOS /images/0"], "{media_type}");
        assert_eq!(of_image(&data(media_type, &image[..header])), none, "{media_type}");
    }
    let jpeg = picture(image::ImageFormat::Jpeg);
    let frame = jpeg.windows(2).position(|marker| marker == [0xff, 0xc0]).unwrap();
    let end = frame + 2 + usize::from(jpeg[frame + 3]);
    assert_eq!(of_image(&data("image/jpeg", &jpeg[..end - 1])), ["IMAGE_UNEXPECTED_EOS /images/0"]);
    assert_eq!(of_image(&data("image/jpeg", &jpeg[..end])), none);
}

#[test]
fn images_with_a_faulty_header_are_reported() {
    let changed = |format, at: usize, byte: u8| {
        let mut image = picture(format);
        image[at] = byte;
        image
    };
    let invalid = ["IMAGE_DATA_INVALID /images/0"];
    assert_eq!(of_image(&data("image/png", &changed(image::ImageFormat::Png, 11, 12))), invalid, "the length of the PNG's header");
    assert_eq!(of_image(&data("image/webp", &changed(image::ImageFormat::WebP, 15, b'Y'))), invalid, "the kind of the WebP's chunk");
    assert_eq!(of_image(&data("image/jpeg", &changed(image::ImageFormat::Jpeg, 5, 0))), invalid, "the length of the JPEG's first segment");
}

#[test]
fn images_cut_off_at_any_byte_do_not_cause_a_panic() {
    for format in [image::ImageFormat::Png, image::ImageFormat::Jpeg, image::ImageFormat::WebP] {
        let image = picture(format);
        for end in 0..image.len().min(200) {
            let json = json!({"asset": {"version": "2.0"}, "images": [{ "uri": data("image/png", &image[..end]) }]});
            validate::bytes(json.to_string().into_bytes());
        }
    }
}
