//! Tests images of every kind, written here bit by bit where no encoder can write them. They must decode to the original pixels. Also tests
//! how images that are too large are reduced.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use jpeg_encoder::ColorType;
use serde_json::json;
use sinew::asset::image::{ImageError, decode};
use sinew::asset::{self, LoadOptions, Loaded};
use sinew::codec::texels::{DecodeOptions, DecodedImage, Encoding};
use sinew::model::finding::Severity;
use sinew::model::texture::Image;
use sinew::session::document::Document;
use sinew::validate;

use crate::common::gltf_builder::{Gltf, codes, finding, png};
use crate::common::ktx2_encode::random_etc1s;
use crate::common::time_limit::within_half_a_minute;

fn with_images(images: &[Vec<u8>]) -> Gltf {
    let mut gltf = Gltf::new();
    for image in images {
        let view = gltf.view(image);
        gltf.push("images", json!({ "bufferView": view }));
    }
    gltf
}

fn pixels(image: &[u8]) -> Vec<[u8; 4]> {
    let loaded = with_images(&[image.to_vec()]).load().unwrap();
    assert!(loaded.model.findings.is_empty(), "{:?}", loaded.model.findings);
    let [width, height] = loaded.model.images[0].kept_size();
    let image = decode(&loaded.images[0], &DecodeOptions::default()).unwrap();
    assert_eq!(([image.width, image.height], image.levels.len()), ([width, height], 1));
    image.levels[0].as_chunks().0.to_vec()
}

fn crc32(bytes: &[u8]) -> u32 {
    let step = |sum: u32, _| if sum & 1 == 1 { (sum >> 1) ^ 0xEDB8_8320 } else { sum >> 1 };
    !bytes.iter().fold(!0u32, |sum, &byte| (0..8).fold(sum ^ u32::from(byte), step))
}

fn chunk(kind: &[u8; 4], bytes: &[u8]) -> Vec<u8> {
    let body = [&kind[..], bytes].concat();
    [&(bytes.len() as u32).to_be_bytes()[..], &body, &crc32(&body).to_be_bytes()].concat()
}

/// A PNG with these unfiltered rows. In an interlaced image they are the rows of each pass.
struct Png<'a> {
    size: [u32; 2],
    depth: u8,
    /// The PNG color type: 0 gray, 2 RGB, 3 palette, 4 gray and alpha, 6 RGBA.
    color: u8,
    interlaced: bool,
    chunks: Vec<Vec<u8>>,
    rows: &'a [Vec<u8>],
}

impl Png<'_> {
    fn bytes(&self) -> Vec<u8> {
        let size = self.size.map(u32::to_be_bytes).concat();
        let header = [&size[..], &[self.depth, self.color, 0, 0, self.interlaced.into()]].concat();
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        for row in self.rows {
            encoder.write_all(&[0]).unwrap();
            encoder.write_all(row).unwrap();
        }
        let data = chunk(b"IDAT", &encoder.finish().unwrap());
        [b"\x89PNG\r\n\x1a\n".to_vec(), chunk(b"IHDR", &header), self.chunks.concat(), data, chunk(b"IEND", &[])].concat()
    }
}

#[test]
fn a_palette_png_keeps_its_colors_and_alpha() {
    let palette = chunk(b"PLTE", &[255, 0, 0, 0, 255, 0, 0, 0, 255]);
    let alpha = chunk(b"tRNS", &[255, 128]);
    // Each row has three pixels of four bits: 0 1 2, then 2 1 0.
    let rows = [vec![0x01, 0x20], vec![0x21, 0x00]];
    let png = Png { size: [3, 2], depth: 4, color: 3, interlaced: false, chunks: vec![palette, alpha], rows: &rows };
    let [red, green, blue] = [[255, 0, 0, 255], [0, 255, 0, 128], [0, 0, 255, 255]];
    assert_eq!(pixels(&png.bytes()), [red, green, blue, blue, green, red]);
}

#[test]
fn gray_pngs_keep_gray_and_alpha_at_any_bit_depth() {
    let grey =
        |depth, color, rows: &[Vec<u8>]| pixels(&Png { size: [5, 1], depth, color, interlaced: false, chunks: Vec::new(), rows }.bytes());
    let opaque = |values: [u8; 5]| values.map(|value| [value, value, value, 255]);
    assert_eq!(grey(1, 0, &[vec![0b1011_0000]]), opaque([255, 0, 255, 255, 0]));
    assert_eq!(grey(2, 0, &[vec![0b0001_1011, 0b0100_0000]]), opaque([0, 85, 170, 255, 85]));
    assert_eq!(grey(8, 0, &[vec![0, 7, 99, 200, 255]]), opaque([0, 7, 99, 200, 255]));
    let with_alpha = [[9, 1], [8, 2], [7, 3], [6, 4], [5, 255]];
    let expected = with_alpha.map(|[grey, alpha]| [grey, grey, grey, alpha]);
    assert_eq!(grey(8, 4, &[with_alpha.concat()]), expected);
    // Sixteen bits are rounded to eight. Here both bytes of each value are equal, so nothing is lost.
    assert_eq!(grey(16, 4, &[with_alpha.concat().iter().flat_map(|&byte| [byte, byte]).collect()]), expected);
}

#[test]
fn sixteen_bits_of_color_become_eight() {
    let values: [u16; 8] = [0, 0x0101, 0x8080, 0xffff, 0x1234, 0xabcd, 0x7f7f, 0xfefe];
    let row: Vec<u8> = values.iter().flat_map(|value| value.to_be_bytes()).collect();
    let png = Png { size: [2, 1], depth: 16, color: 6, interlaced: false, chunks: Vec::new(), rows: &[row] };
    let rounded = values.map(|value| ((u32::from(value) * 255 + 32767) / 65535) as u8);
    assert_eq!(pixels(&png.bytes()).as_flattened(), rounded);
}

#[test]
fn an_interlaced_png_of_an_odd_size_is_decoded() {
    // The first x and y of each of the seven passes, and their steps in x and y.
    const PASSES: [[usize; 4]; 7] = [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]];
    let (width, height) = (11, 7);
    let color = |x: usize, y: usize| [x as u8 * 20, y as u8 * 30, (x * y) as u8, 255];
    let mut rows = Vec::new();
    for [x, y, dx, dy] in PASSES {
        for y in (y..height).step_by(dy) {
            let row: Vec<u8> = (x..width).step_by(dx).flat_map(|x| color(x, y)[..3].to_vec()).collect();
            rows.extend((!row.is_empty()).then_some(row));
        }
    }
    let png = Png { size: [width as u32, height as u32], depth: 8, color: 2, interlaced: true, chunks: Vec::new(), rows: &rows };
    let expected: Vec<[u8; 4]> = (0..width * height).map(|at| color(at % width, at / width)).collect();
    assert_eq!(pixels(&png.bytes()), expected);
}

fn jpeg(bytes: &[u8], [width, height]: [u16; 2], color: ColorType, progressive: bool) -> Vec<u8> {
    let mut jpeg = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut jpeg, 100);
    encoder.set_progressive(progressive);
    encoder.encode(bytes, width, height, color).unwrap();
    jpeg
}

fn assert_near(found: &[[u8; 4]], expected: &[[u8; 4]]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.iter().zip(expected).all(|(a, b)| a.abs_diff(*b) <= 4), "{found:?} is not {expected:?}");
    }
}

#[test]
fn a_progressive_jpeg_decodes_like_a_baseline_one() {
    let color = |x: usize, y: usize| [x as u8 * 14, y as u8 * 27, 128, 255];
    let expected: Vec<[u8; 4]> = (0..17 * 9).map(|at| color(at % 17, at / 17)).collect();
    let rgb: Vec<u8> = expected.iter().flat_map(|color| color[..3].to_vec()).collect();
    let [plain, progressive] = [false, true].map(|progressive| jpeg(&rgb, [17, 9], ColorType::Rgb, progressive));
    let begins = |jpeg: &[u8], frame: u8| jpeg.windows(2).any(|marker| marker == [0xff, frame]);
    assert!(begins(&plain, 0xc0) && begins(&progressive, 0xc2));
    assert_eq!(pixels(&plain), pixels(&progressive));
    assert_near(&pixels(&progressive), &expected);
}

#[test]
fn truncated_jpegs_and_ktx2_files_are_reported() {
    let noise: Vec<u8> = (0..3 * 64 * 64).map(|at: u32| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let mut whole = [false, true].map(|progressive| jpeg(&noise, [64, 64], ColorType::Rgb, progressive));
    // A segment of an application, with a preview that has an end marker of its own.
    for jpeg in &mut whole {
        jpeg.splice(2..2, [0xff, 0xe5, 0, 8, 0xff, 0xda, 0, 2, 0xff, 0xd9]);
    }
    let ktx2 = random_etc1s(false, 7).bytes();
    for whole in whole.iter().chain([&ktx2]) {
        assert_eq!(codes(&with_images(std::slice::from_ref(whole)).model()), [""; 0]);
        let cut = whole[..whole.len() - 20].to_vec();
        assert_eq!(codes(&with_images(&[cut]).model()), ["IMAGE_UNEXPECTED_EOS"]);
        // Bytes after the end do no harm.
        assert_eq!(codes(&with_images(&[[whole, &[0; 9][..]].concat()]).model()), [""; 0]);
    }
}

#[test]
fn gray_and_cmyk_jpegs_keep_their_colors() {
    assert_near(&pixels(&jpeg(&[77; 64], [8, 8], ColorType::Luma, false)), &[[77, 77, 77, 255]; 64]);
    for kind in [ColorType::Cmyk, ColorType::CmykAsYcck] {
        for (cmyk, rgb) in [
            ([0, 255, 255, 0], [255, 0, 0, 255]),
            ([255, 0, 0, 0], [0, 255, 255, 255]),
            ([0, 0, 0, 255], [0, 0, 0, 255]),
            ([0, 0, 0, 0], [255; 4]),
            ([100, 50, 0, 30], [137, 181, 225, 255]),
        ] {
            assert_near(&pixels(&jpeg(&cmyk.repeat(64), [8, 8], kind, false)), &[rgb; 64]);
        }
    }
}

// Images that are too large

/// Writes a file to a separate folder and loads it with a limit in bytes.
fn loaded_within(gltf: &Gltf, limit: Option<u64>) -> Loaded {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("model.glb");
    std::fs::write(&file, gltf.to_glb()).unwrap();
    asset::load(&file, &LoadOptions { image_limit: limit, ..LoadOptions::default() }).unwrap()
}

fn sizes(loaded: &Loaded) -> Vec<[u32; 2]> {
    let decoded: Vec<_> = loaded.images.iter().map(|source| decode(source, &DecodeOptions::default()).unwrap()).collect();
    assert!(decoded.iter().all(DecodedImage::is_complete));
    decoded.iter().map(|image| [image.width, image.height]).collect()
}

#[test]
fn the_largest_images_are_halved_first_if_all_images_together_exceed_the_limit() {
    // The images take 256, 64 and 256 bytes.
    let gltf = with_images(&[png(8, 8, [1; 4]), png(4, 4, [2; 4]), png(8, 8, [3; 4])]);
    for (limit, expected) in [
        (576, [[8, 8], [4, 4], [8, 8]]),
        (575, [[4, 4], [4, 4], [8, 8]]),
        (384, [[4, 4], [4, 4], [8, 8]]),
        (383, [[4, 4], [4, 4], [4, 4]]),
        (191, [[2, 2], [4, 4], [4, 4]]),
        (143, [[2, 2], [2, 2], [4, 4]]),
        // An image is never smaller than one pixel.
        (1, [[1, 1], [1, 1], [1, 1]]),
    ] {
        let loaded = loaded_within(&gltf, Some(limit));
        assert_eq!(sizes(&loaded), expected, "limit {limit}");
        let kept: Vec<_> = loaded.model.images.iter().map(Image::kept_size).collect();
        assert_eq!(kept, expected);
        let halved = expected.iter().zip([[8, 8], [4, 4], [8, 8]]).filter(|(kept, size)| *kept != size).count();
        assert_eq!(codes(&loaded.model), vec!["IMAGE_LIMIT_EXCEEDED"; halved]);
    }
}

#[test]
fn a_finding_says_what_was_reduced_and_how_to_avoid_it() {
    let mut gltf = with_images(&[png(1024, 512, [1; 4]), png(1, 1, [0; 4])]);
    gltf.json["images"][0]["name"] = json!("Wood");
    let loaded = loaded_within(&gltf, Some(1 << 20));
    let told = finding(&loaded.model, "IMAGE_LIMIT_EXCEEDED");
    assert_eq!((told.pointer.as_str(), told.severity), ("/images/0", Severity::Warning));
    assert_eq!(
        told.message,
        r#"Image 0 "Wood" is reduced to 512 x 256 pixels from 1024 x 512: all images take 3 MiB decoded, but the limit is 1 MiB (--image-limit)."#
    );
    assert!(loaded_within(&gltf, None).model.findings.is_empty());
}

#[test]
fn halving_averages_colors_in_linear_light_for_every_pixel_format() {
    let board = |x: u32, y: u32| if (x + y).is_multiple_of(2) { 0 } else { 255 };
    let mut rgb = std::io::Cursor::new(Vec::new());
    image::RgbImage::from_fn(4, 4, |x, y| image::Rgb([board(x, y); 3])).write_to(&mut rgb, image::ImageFormat::Png).unwrap();
    let mut wide = std::io::Cursor::new(Vec::new());
    let sixteen = image::ImageBuffer::<image::Luma<u16>, _>::from_fn(4, 4, |x, y| image::Luma([u16::from(board(x, y)) * 257]));
    sixteen.write_to(&mut wide, image::ImageFormat::Png).unwrap();
    let loaded = loaded_within(&with_images(&[rgb.into_inner(), wide.into_inner()]), Some(2 * 2 * 2 * 4));
    for source in &loaded.images {
        for (encoding, mean) in [(Encoding::Srgb, 188), (Encoding::Linear, 128)] {
            let image = decode(source, &DecodeOptions { encoding, ..DecodeOptions::default() }).unwrap();
            assert_eq!(image, DecodedImage::rgba(2, 2, [mean, mean, mean, 255].repeat(4)));
        }
    }
}

#[test]
fn one_image_over_the_limit_is_halved_if_it_can_be_decoded() {
    let header_says = |width: u16, height: u16| {
        let mut jpeg = jpeg(&[0; 3], [1, 1], ColorType::Rgb, false);
        let frame = jpeg.windows(2).position(|marker| marker == [0xff, 0xc0]).unwrap();
        jpeg[frame + 5..frame + 9].copy_from_slice(&[height.to_be_bytes(), width.to_be_bytes()].concat());
        with_images(&[jpeg])
    };
    // With three bytes per pixel, the image takes 768 MiB. With four, it takes 1 GiB. It is decoded once and halved, whatever the limit
    // is.
    for limit in [None, Some(1 << 40)] {
        let loaded = loaded_within(&header_says(16384, 16384), limit);
        assert_eq!((codes(&loaded.model), loaded.model.images[0].kept_size()), (vec!["IMAGE_LIMIT_EXCEEDED"], [8192, 8192]));
    }
    let loaded = loaded_within(&header_says(16385, 16384), None);
    assert_eq!(
        finding(&loaded.model, "IMAGE_DATA_INVALID").message.split(';').next().unwrap(),
        "Image 0: 16385 x 16384 pixels exceed the limit of 768 MiB for one decoded image"
    );
}

#[test]
fn images_that_would_take_very_long_to_decode_are_left_out() {
    // Each image has 192 megapixels without data.
    let huge = || Png { size: [16_000, 12_000], depth: 8, color: 6, interlaced: false, chunks: Vec::new(), rows: &[] }.bytes();
    let gltf = with_images(&[huge(), huge(), png(4, 4, [7; 4]), huge(), huge(), huge(), huge(), png(4, 4, [8; 4])]);
    for (limit, left_out) in [(None, &["/images/6"][..]), (Some(1 << 30), &[])] {
        let loaded = loaded_within(&gltf, limit);
        let findings = loaded.model.findings.iter().filter(|finding| finding.code == "IMAGE_DECODING_LIMIT_EXCEEDED");
        assert_eq!(findings.map(|finding| finding.pointer.as_str()).collect::<Vec<_>>(), left_out);
        for (index, image) in loaded.model.images.iter().enumerate() {
            assert_eq!(image.width == 0, left_out.contains(&format!("/images/{index}").as_str()), "{index}");
        }
        // A smaller image still fits.
        assert_eq!(decode(&loaded.images[7], &DecodeOptions::default()).unwrap().levels[0][..4], [8; 4]);
    }
    let loaded = loaded_within(&gltf, None);
    let message = &finding(&loaded.model, "IMAGE_DECODING_LIMIT_EXCEEDED").message;
    assert_eq!(
        message,
        "Image 6: with its 16000 x 12000 pixels, the decoded images of this file exceed 4096 MiB; shown as a checkerboard."
    );
}

#[test]
fn bytes_that_are_no_image_or_are_shared_do_not_raise_the_limit_of_decoding() {
    const ZEROS: u64 = 1_000_000;
    // Five of these images leave 455 MB of the limit, which has 64 more for each encoded byte. The sixth image takes 768 MB.
    let huge = || Png { size: [16_000, 12_000], depth: 8, color: 6, interlaced: false, chunks: Vec::new(), rows: &[] }.bytes();
    let mut overlapping = with_images(&[huge(), huge(), huge(), huge(), huge(), huge()]);
    overlapping.bin.resize(overlapping.bin.len() + ZEROS as usize, 0);
    let mut junk = overlapping.clone();
    // Each image reaches to the end of the zeros.
    for view in overlapping.json["bufferViews"].as_array_mut().unwrap() {
        view["byteLength"] = json!(overlapping.bin.len() as u64 - view["byteOffset"].as_u64().unwrap());
    }
    for i in 0..10 {
        let view = json!({ "buffer": 0, "byteOffset": junk.bin.len() as u64 - ZEROS + i, "byteLength": ZEROS - i });
        let view = junk.push("bufferViews", view);
        junk.push("images", json!({ "bufferView": view }));
    }
    for gltf in [overlapping, junk] {
        assert_eq!(finding(&gltf.model(), "IMAGE_DECODING_LIMIT_EXCEEDED").pointer, "/images/5");
    }
}

#[test]
fn an_image_that_many_entries_name_is_searched_once() {
    let chunks = vec![chunk(b"teSt", &[]); 500_000];
    let png = Png { size: [1, 1], depth: 8, color: 0, interlaced: false, chunks, rows: &[vec![0]] }.bytes();
    let mut gltf = with_images(&[png]);
    gltf.json["images"] = json!(vec![gltf.json["images"][0].clone(); 50_000]);
    // To search it for each of them takes minutes.
    within_half_a_minute(move || {
        assert!(gltf.model().findings.is_empty());
        validate::bytes(gltf.to_glb());
    });
}

#[test]
fn images_that_overlap_are_examined_up_to_a_limit() {
    // A JPEG may have any number of bytes 255 before a marker. Each view is a little shorter than the previous one.
    let mut bytes = vec![0xff; 4 << 20];
    bytes[1] = 0xd8;
    let mut gltf = Gltf::new();
    gltf.view(&bytes);
    for image in 0..30 {
        let view = gltf.push("bufferViews", json!({ "buffer": 0, "byteLength": bytes.len() - 4 * image }));
        gltf.push("images", json!({ "bufferView": view }));
    }
    let Loaded { model, images, .. } = gltf.load().unwrap();
    let unread = |image: &usize| model.findings[*image].message.contains("overlap too much");
    // 64 MiB and twice the buffer: 18 images of 4 MiB.
    assert_eq!((model.findings.len(), (0..30).position(|image| unread(&image))), (30, Some(18)), "{:?}", model.findings);
    assert!((18..30).all(|image| unread(&image)));
    // They are not examined again to decode them.
    assert!(matches!(decode(&images[18], &DecodeOptions::default()), Err(ImageError::Missing)));
}

#[test]
fn the_commands_take_the_limit_in_mib() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("model.glb");
    std::fs::write(&file, with_images(&[png(1024, 512, [1; 4])]).to_glb()).unwrap();
    let warnings = |limit: &str| {
        let args = ["inspect", "--json", "--image-limit", limit];
        let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_sinew")).args(args).arg(&file).assert().success();
        let report: serde_json::Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
        let bytes = report["memory"]["gpu_bytes"].as_u64().unwrap();
        let exceeded = |finding: &&serde_json::Value| finding["code"] == "IMAGE_LIMIT_EXCEEDED";
        (report["findings"].as_array().unwrap().iter().filter(exceeded).count(), bytes)
    };
    assert_eq!(warnings("2"), (0, 1024 * 512 * 4 * 4 / 3));
    assert_eq!(warnings("1"), (1, 512 * 256 * 4 * 4 / 3));
}

#[test]
fn an_image_that_cannot_be_read_is_named_by_its_name_or_uri() {
    let mut gltf = with_images(&[png(1, 1, [9; 4]), b"no image".to_vec(), b"no image".to_vec()]);
    gltf.json["images"][1]["name"] = json!("Hose_BaseColor.png");
    gltf.json["images"][2]["name"] = json!(format!("{}\u{202e}", "n".repeat(70)) + &"m".repeat(100_000));
    gltf.push("images", json!({ "uri": "textures/missing%20one.png" }));
    gltf.push("images", json!({ "uri": "data:image/png;base64,AAAA" }));
    let findings = gltf.model().findings;
    let about = |image: usize| &findings.iter().find(|finding| finding.pointer == format!("/images/{image}")).unwrap().message;
    assert!(about(1).starts_with("Image 1 \"Hose_BaseColor.png\": "), "{}", about(1));
    assert!(about(2).starts_with(&format!("Image 2 \"{}\\u{{202e}}mmm", "n".repeat(70))) && about(2).len() < 300, "{}", about(2));
    assert!(about(3).starts_with("Image 3 \"textures/missing%20one.png\": "), "{}", about(3));
    assert!(about(4).starts_with("Image 4: "), "{}", about(4));
}

#[test]
fn an_image_that_cannot_be_decoded_is_named() {
    // The header is valid, but the pixel data is not.
    let mut broken = png(4, 4, [9; 4]);
    let at = broken.windows(4).position(|kind| kind == b"IDAT").unwrap() + 8;
    broken[at..at + 4].fill(0xff);
    let mut gltf = with_images(&[broken]);
    gltf.json["images"][0]["name"] = json!("Hose_BaseColor.png");
    let loaded = gltf.load().unwrap();
    let reason = decode(&loaded.images[0], &DecodeOptions::default()).unwrap_err().to_string();
    let mut document = Document::new(loaded.model.into(), "test".into(), None);
    document.image_done(0, Err(reason));
    let finding = document.findings.last().unwrap();
    assert_eq!(finding.pointer, "/images/0");
    assert!(finding.message.starts_with("Image 0 \"Hose_BaseColor.png\": "), "{}", finding.message);
}
