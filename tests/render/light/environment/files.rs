//! Tests panoramas from valid and hostile .hdr and .exr files. All files are made here.

use std::io::Cursor;
use std::path::Path;

use glam::{Vec3, vec3};
use image::{ImageBuffer, ImageFormat, Rgb};
use sinew::asset::file::panorama::{Panorama, PanoramaError};

const WIDTH: u32 = 64;

/// Encodes a panorama. `light` returns the light of a pixel.
fn bytes(format: ImageFormat, light: impl Fn(u32, u32) -> [f32; 3]) -> Vec<u8> {
    let image: ImageBuffer<Rgb<f32>, Vec<f32>> = ImageBuffer::from_fn(WIDTH, WIDTH / 2, |x, y| Rgb(light(x, y)));
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn columns(x: u32, _: u32) -> [f32; 3] {
    match x {
        31 | 32 => [8.0, 0.25, 0.25],
        47 | 48 => [0.25, 4.0, 0.25],
        _ => [0.25; 3],
    }
}

fn read(bytes: &[u8]) -> Result<Panorama, PanoramaError> {
    Panorama::from_bytes(bytes, Path::new("a.hdr"))
}

#[test]
fn the_middle_of_a_panorama_is_at_minus_z_and_the_column_at_three_quarters_at_plus_x() {
    for format in [ImageFormat::Hdr, ImageFormat::OpenExr] {
        let panorama = read(&bytes(format, columns)).unwrap();
        assert_eq!((panorama.width, panorama.height), (64, 32));
        let close = |direction: Vec3, light: Vec3| {
            let found = panorama.radiance(direction);
            assert!((found - light).abs().max_element() < 0.05, "{format:?} towards {direction}: {found} is not {light}");
        };
        close(Vec3::NEG_Z, vec3(8.0, 0.25, 0.25));
        close(Vec3::X, vec3(0.25, 4.0, 0.25));
        close(Vec3::Z, Vec3::splat(0.25));
        close(Vec3::NEG_X, Vec3::splat(0.25));
    }
}

#[test]
fn invalid_light_values_are_clamped() {
    let odd = |x: u32, y: u32| match (x + y) % 4 {
        0 => [f32::NAN, 1.0, 1.0],
        1 => [-5.0, 1.0, 1.0],
        2 => [f32::INFINITY, 1.0, 1.0],
        _ => [1.0; 3],
    };
    let panorama = read(&bytes(ImageFormat::OpenExr, odd)).unwrap();
    assert!(panorama.texels.iter().all(|light| light.is_finite() && light.min_element() >= 0.0 && light.max_element() <= 1e6));
}

#[test]
fn a_wide_panorama_is_halved_and_keeps_its_light() {
    // The file has only a header, and run-length codes for 8192 x 4096 pixels of one color.
    let mut bytes = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4096 +X 8192\n".to_vec();
    for _ in 0..4096 {
        bytes.extend([2, 2, 32, 0]);
        for value in [128u8, 64, 32, 129] {
            let (whole, rest) = (8192 / 127, 8192 % 127);
            (0..whole).for_each(|_| bytes.extend([128 + 127, value]));
            bytes.extend([128 + rest as u8, value]);
        }
    }
    let panorama = read(&bytes).unwrap();
    assert_eq!((panorama.width, panorama.height), (4096, 2048));
    assert!(panorama.texels.iter().all(|light| light.distance(vec3(1.0, 0.5, 0.25)) < 0.02));
}

#[test]
fn oversized_headers_are_refused_before_allocating() {
    for (size, expected) in [
        ("-Y 2000000000 +X 4000000000", "pixels"),
        ("-Y 60000 +X 120000", "pixels"),
        ("-Y 16384 +X 16384", "pixels"),
        ("-Y 8192 +X 16384", "limit of 8192 x 4096"),
        ("-Y 64 +X 64", "twice as wide as high"),
        ("-Y 0 +X 0", ""),
        ("-Y -5 +X 7", ""),
        ("", ""),
    ] {
        let message = read(format!("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n{size}\n").as_bytes()).unwrap_err().to_string();
        assert!(message.starts_with("a.hdr: "), "{message}");
        assert!(message.contains(expected) || message.contains("limit") || message.contains("broken"), "{size}: {message}");
    }
}

/// Decoders allocate memory for the data window of an EXR file, but report the size of its display window.
#[test]
fn an_exr_file_with_a_huge_data_window_is_refused_before_allocating() {
    let whole = bytes(ImageFormat::OpenExr, columns);
    let name = b"dataWindow\0box2i\0";
    let value = whole.windows(name.len()).position(|found| found == name).unwrap() + name.len() + 4;
    for (right, bottom) in [(1 << 29, 15), (63, 1 << 20), (16383, 8191)] {
        let mut huge = whole.clone();
        let corners = [0i32, 0, right, bottom].map(i32::to_le_bytes);
        huge[value..value + 16].copy_from_slice(corners.as_flattened());
        let error = read(&huge).unwrap_err();
        // The file is stored in tiles, which may be higher than the data window.
        let is_named = |width, height| width == right as u32 + 1 && height > bottom as u32;
        assert!(matches!(error, PanoramaError::Size { width, height, .. } if is_named(width, height)), "{error}");
    }
}

#[test]
fn truncated_and_mutated_files_give_an_error_or_a_panorama() {
    for format in [ImageFormat::Hdr, ImageFormat::OpenExr] {
        let whole = bytes(format, columns);
        for length in (0..whole.len()).step_by(whole.len() / 40) {
            assert!(read(&whole[..length]).is_err(), "{format:?} of {length} bytes");
        }
        let mut random = 1u32;
        for _ in 0..300 {
            let mut scrambled = whole.clone();
            for _ in 0..3 {
                random = random.wrapping_mul(1664525).wrapping_add(1013904223);
                let at = random as usize % scrambled.len();
                scrambled[at] = (random >> 24) as u8;
            }
            // A changed file may give any panorama or an error, but it must not cause a panic or excessive memory use.
            if let Ok(panorama) = read(&scrambled) {
                assert!(panorama.texels.iter().all(|light| light.is_finite()));
            }
        }
    }
}

#[test]
fn other_file_formats_and_missing_files_have_their_own_errors() {
    assert!(matches!(read(b"\x89PNG\r\n\x1a\n"), Err(PanoramaError::Kind { .. })));
    assert!(matches!(read(b""), Err(PanoramaError::Kind { .. })));
    assert!(matches!(Panorama::read(Path::new("not-there.exr")), Err(PanoramaError::Read { .. })));
}
