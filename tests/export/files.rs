//! Writes pictures with the encoders and reads them with independent decoders. Also tests that no other files are left behind.

use std::fs;
use std::path::Path;
use std::process::Command;

use image::codecs::png::PngDecoder;
use image::{AnimationDecoder, Rgba, RgbaImage};
use sinew::export::clip::{self, ClipError, ClipTarget};
use sinew::export::error::ExportError;
use sinew::export::error::WriteError;
use sinew::export::formats::encoder::ExportProgress;
use sinew::export::formats::video;
use sinew::session::time::clip::{Clip, ClipFormat, Frame};

use crate::common::skip::skip_outside_ci;

const SIZE: [u32; 2] = [64, 48];
const FRAMES: usize = 5;

fn clip(fps: f64, is_endless: bool) -> Clip {
    let frames = (0..FRAMES).map(|k| Frame { time: k as f64 / fps, clock: k as f64 / fps, returning: false, turn: k as f64 }).collect();
    Clip { frames, fps, is_endless }
}

/// Draws a shaded ball that moves over a plain background. The third picture equals the second one.
fn picture(k: usize, transparent: bool) -> RgbaImage {
    let center = [12.0 + 8.0 * if k == 2 { 1.0 } else { k as f32 }, 24.0];
    RgbaImage::from_fn(SIZE[0], SIZE[1], |x, y| {
        let (dx, dy) = ((x as f32 - center[0]) / 10.0, (y as f32 - center[1]) / 10.0);
        let height = 1.0 - dx * dx - dy * dy;
        match height > 0.0 {
            true => Rgba([(250.0 * height) as u8, (120.0 + 100.0 * dx) as u8, (120.0 + 100.0 * dy) as u8, 255]),
            false if transparent => Rgba([0; 4]),
            false => Rgba([0x2A, 0x2D, 0x33, 255]),
        }
    })
}

fn write(format: ClipFormat, path: &Path, overwrite: bool, fps: f64, transparent: bool) -> Result<(), ClipError> {
    let target = ClipTarget { format, path: path.to_owned(), overwrite };
    let draw = |frame: &Frame| Ok(picture(frame.turn as usize, transparent));
    clip::write(&clip(fps, true), SIZE, transparent, &target, &ExportProgress::default(), draw)
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_sequence_is_numbered_from_zero_in_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    write(ClipFormat::Sequence, &folder.path().join("out/ball-%03d.png"), false, 24.0, false).unwrap();
    assert_eq!(files(folder.path()), ["out"]);
    let names = ["ball-000.png", "ball-001.png", "ball-002.png", "ball-003.png", "ball-004.png"];
    assert_eq!(files(&folder.path().join("out")), names);
    for (k, name) in names.into_iter().enumerate() {
        assert_eq!(image::open(folder.path().join("out").join(name)).unwrap().into_rgba8(), picture(k, false));
    }
    let again = write(ClipFormat::Sequence, &folder.path().join("out/ball-%03d.png"), false, 24.0, true);
    assert!(matches!(again, Err(ClipError::Write(WriteError::Exists { .. }))), "{again:?}");
    assert_eq!(image::open(folder.path().join("out/ball-000.png")).unwrap().into_rgba8(), picture(0, false));
    write(ClipFormat::Sequence, &folder.path().join("out/ball-%03d.png"), true, 24.0, true).unwrap();
    assert_eq!(image::open(folder.path().join("out/ball-000.png")).unwrap().into_rgba8(), picture(0, true));
    assert_eq!(files(&folder.path().join("out")), names);
}

/// The export fails at the fourth picture, because a folder has its name.
#[test]
fn a_failed_sequence_deletes_only_its_own_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("0.png"), "old").unwrap();
    fs::create_dir(path("3.png")).unwrap();
    fs::write(path("3.png/full"), "").unwrap();
    let failed = write(ClipFormat::Sequence, &path("%d.png"), true, 24.0, false);
    assert!(matches!(failed, Err(ClipError::Write(WriteError::Io { .. }))), "{failed:?}");
    assert_eq!(files(folder.path()), ["0.png", "3.png"]);
}

#[test]
fn a_failed_sequence_restores_the_files_it_has_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["0.png", "2.png", "4.png"] {
        fs::write(path(name), name).unwrap();
    }
    fs::create_dir(path("3.png")).unwrap();
    let failed = write(ClipFormat::Sequence, &path("%d.png"), true, 24.0, false);
    assert!(matches!(&failed, Err(ClipError::Write(WriteError::Io { path, .. })) if path.ends_with("3.png")), "{failed:?}");
    assert_eq!(files(folder.path()), ["0.png", "2.png", "3.png", "4.png"]);
    for name in ["0.png", "2.png", "4.png"] {
        assert_eq!(fs::read_to_string(path(name)).unwrap(), name);
    }
    fs::remove_dir(path("3.png")).unwrap();
    write(ClipFormat::Sequence, &path("%d.png"), true, 24.0, false).unwrap();
    assert_eq!(files(folder.path()), ["0.png", "1.png", "2.png", "3.png", "4.png"]);
    assert_ne!(fs::read(path("0.png")).unwrap(), b"0.png");
}

#[test]
fn a_folder_that_a_killed_program_left_does_not_prevent_a_sequence() {
    let folder = tempfile::tempdir().unwrap();
    let left = folder.path().join(format!(".0.png.{}.tmp", std::process::id()));
    fs::create_dir(&left).unwrap();
    fs::write(left.join("0.png"), "old").unwrap();
    write(ClipFormat::Sequence, &folder.path().join("%d.png"), false, 24.0, false).unwrap();
    assert_eq!(files(folder.path()), ["0.png", "1.png", "2.png", "3.png", "4.png"]);
}

#[test]
fn an_animated_png_has_exact_frames_with_the_delays_of_the_rate() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ball.png");
    for (fps, milliseconds, transparent) in [(24.0, 1000.0 / 24.0, false), (23.976, 1000.0 / 23.976, true), (0.1, 10_000.0, false)] {
        write(ClipFormat::Apng, &path, true, fps, transparent).unwrap();
        let decoder = PngDecoder::new(std::io::BufReader::new(fs::File::open(&path).unwrap())).unwrap();
        let frames = decoder.apng().unwrap().into_frames().collect_frames().unwrap();
        assert_eq!(frames.len(), FRAMES);
        for (k, frame) in frames.into_iter().enumerate() {
            let (numerator, denominator) = frame.delay().numer_denom_ms();
            let delay = f64::from(numerator) / f64::from(denominator);
            assert!((delay - milliseconds).abs() < 1e-3, "{delay} ms, not {milliseconds}");
            assert!(frame.into_buffer() == picture(k, transparent), "frame {k} differs");
        }
    }
    assert_eq!(files(folder.path()), ["ball.png"]);
}

/// Returns what a viewer shows for each frame, and its delay in hundredths of a second.
fn gif_frames(path: &Path) -> Vec<(RgbaImage, u16)> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(fs::File::open(path).unwrap()).unwrap();
    let mut canvas = RgbaImage::new(decoder.width().into(), decoder.height().into());
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let place = |i: usize| {
            (u32::from(frame.left) + i as u32 % u32::from(frame.width), u32::from(frame.top) + i as u32 / u32::from(frame.width))
        };
        for (i, pixel) in frame.buffer.as_chunks::<4>().0.iter().enumerate().filter(|(_, pixel)| pixel[3] > 0) {
            let (x, y) = place(i);
            canvas.put_pixel(x, y, Rgba(*pixel));
        }
        frames.push((canvas.clone(), frame.delay));
        if frame.dispose == gif::DisposalMethod::Background {
            (0..frame.buffer.len() / 4).map(place).for_each(|(x, y)| canvas.put_pixel(x, y, Rgba([0; 4])));
        }
    }
    frames
}

#[test]
fn every_gif_frame_is_close_to_its_picture_and_the_delays_match_the_rate_on_average() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ball.gif");
    for (fps, delays, transparent) in
        [(24.0, [4, 4, 5, 4, 4], false), (30.0, [3, 4, 3, 3, 4], true), (50.0, [2; 5], false), (0.1, [1000; 5], false)]
    {
        write(ClipFormat::Gif, &path, true, fps, transparent).unwrap();
        let frames = gif_frames(&path);
        assert_eq!(frames.len(), FRAMES);
        for (k, (found, delay)) in frames.into_iter().enumerate() {
            assert_eq!(delay, delays[k], "frame {k} at {fps}");
            let expected = picture(k, transparent);
            let pairs = || found.pixels().zip(expected.pixels());
            assert!(pairs().all(|(a, b)| (a.0[3] == 0) == (b.0[3] == 0)), "frame {k}: other pixels are transparent");
            let opaque = || pairs().filter(|(_, b)| b.0[3] > 0);
            let off: f64 = opaque().flat_map(|(a, b)| (0..3).map(|c| f64::from(a.0[c].abs_diff(b.0[c])))).sum();
            let mean = off / (opaque().count() * 3) as f64;
            assert!(mean < 2.0, "frame {k} is off by {mean}");
            if !transparent {
                let mut plain = opaque().filter(|(_, b)| b.0 == [0x2A, 0x2D, 0x33, 255]);
                assert!(plain.all(|(a, b)| a == b), "the background is speckled");
            }
        }
    }
}

#[test]
fn a_clip_that_plays_once_is_marked_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let write = |format, name: &str, is_endless| {
        let target = ClipTarget { format, path: folder.path().join(name), overwrite: true };
        clip::write(&clip(24.0, is_endless), SIZE, false, &target, &ExportProgress::default(), |_| Ok(picture(0, false))).unwrap();
        fs::read(&target.path).unwrap()
    };
    let holds = |bytes: &[u8], part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
    assert!(holds(&write(ClipFormat::Gif, "loop.gif", true), b"NETSCAPE2.0"));
    assert!(!holds(&write(ClipFormat::Gif, "once.gif", false), b"NETSCAPE2.0"));
    // The acTL chunk: the number of frames, and the number of plays, where 0 means endless.
    assert!(holds(&write(ClipFormat::Apng, "loop.png", true), b"acTL\0\0\0\x05\0\0\0\0"));
    assert!(holds(&write(ClipFormat::Apng, "once.png", false), b"acTL\0\0\0\x05\0\0\0\x01"));
}

#[test]
fn a_video_shows_every_frame_in_its_colors() {
    if !video::is_ffmpeg_installed() {
        return skip_outside_ci("ffmpeg is not installed");
    }
    let folder = tempfile::tempdir().unwrap();
    for (format, name, transparent, pixels) in [
        (ClipFormat::Mp4, "ball.mp4", false, "rgb24"),
        (ClipFormat::Webm, "ball.webm", false, "rgb24"),
        (ClipFormat::Webm, "clear.webm", true, "rgba"),
    ] {
        let path = folder.path().join(name);
        write(format, &path, false, 24.0, transparent).unwrap();
        // ffmpeg's own VP9 decoder ignores alpha.
        let decoder: &[&str] = if transparent { &["-c:v", "libvpx-vp9"] } else { &[] };
        let mut ffmpeg = Command::new("ffmpeg");
        ffmpeg.args(["-v", "error"]).args(decoder).arg("-i").arg(&path).args(["-f", "rawvideo", "-pix_fmt", pixels, "-"]);
        let raw = ffmpeg.output().unwrap().stdout;
        let channels = if transparent { 4 } else { 3 };
        let bytes = (SIZE[0] * SIZE[1]) as usize * channels;
        assert_eq!(raw.len(), bytes * FRAMES, "{name}");
        for (k, decoded) in raw.chunks(bytes).enumerate() {
            let expected = picture(k, transparent);
            let mut squares = 0.0;
            for (found, expected) in decoded.chunks(channels).zip(expected.pixels()) {
                // The color of transparent pixels does not matter.
                let counted = if expected.0[3] == 0 { 3..channels } else { 0..channels };
                squares += counted.map(|c| (f64::from(found[c]) - f64::from(expected.0[c])).powi(2)).sum::<f64>();
            }
            let psnr = 10.0 * (255.0f64.powi(2) * bytes as f64 / squares).log10();
            assert!(psnr > 30.0, "{name}, frame {k}: {psnr} dB");
        }
    }
    assert_eq!(files(folder.path()), ["ball.mp4", "ball.webm", "clear.webm"]);
    for (format, name) in [(ClipFormat::Mp4, "ball.mp4"), (ClipFormat::Webm, "ball.webm")] {
        let again = folder.path().join(format!("again-{name}"));
        write(format, &again, false, 24.0, false).unwrap();
        assert_eq!(std::fs::read(again).unwrap(), std::fs::read(folder.path().join(name)).unwrap(), "{name} again");
    }
}

#[test]
fn a_canceled_or_failed_export_leaves_no_files_and_keeps_existing_ones() {
    for format in ClipFormat::ALL.into_iter().filter(|format| video::is_ffmpeg_installed() || !format.is_video()) {
        for there in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let name = if format == ClipFormat::Sequence { "out-%04d.png" } else { "out" };
            let first = folder.path().join("out-0000.png");
            let path = folder.path().join(name);
            let old = if format == ClipFormat::Sequence { &first } else { &path };
            if there {
                fs::write(old, "old").unwrap();
            }
            let target = ClipTarget { format, path: path.clone(), overwrite: there };
            let progress = ExportProgress::default();
            let canceled = clip::write(&clip(24.0, true), SIZE, false, &target, &progress, |frame| {
                if frame.turn > 2.0 {
                    progress.cancel();
                }
                Ok(picture(frame.turn as usize, false))
            });
            assert!(matches!(canceled, Err(ClipError::Canceled)), "{format:?}: {canceled:?}");
            let failed = clip::write(&clip(24.0, true), SIZE, false, &target, &ExportProgress::default(), |frame| match frame.turn > 2.0 {
                true => Err(ExportError::Draw("the device failed".into())),
                false => Ok(picture(frame.turn as usize, false)),
            });
            assert!(matches!(failed, Err(ClipError::Draw(_))), "{format:?}: {failed:?}");
            let left = files(folder.path());
            assert_eq!(left.len(), usize::from(there), "{format:?}: {left:?}");
            assert!(!there || fs::read(old).unwrap() == b"old");
        }
    }
}

#[test]
fn an_unwritable_path_is_reported_and_left_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let no_folder = folder.path().join("file");
    fs::write(&no_folder, "a file").unwrap();
    for format in ClipFormat::ALL.into_iter().filter(|format| video::is_ffmpeg_installed() || !format.is_video()) {
        let name = if format == ClipFormat::Sequence { "out-%04d.png" } else { "out" };
        for overwrite in [false, true] {
            let said = write(format, &no_folder.join(name), overwrite, 24.0, false).unwrap_err().to_string();
            assert!(said.contains("file"), "{format:?}: {said}");
        }
    }
    assert_eq!((files(folder.path()), fs::read(&no_folder).unwrap()), (vec!["file".to_owned()], b"a file".to_vec()));
}

#[test]
fn a_missing_folder_is_named_in_plain_words_for_every_format_of_one_file() {
    let folder = tempfile::tempdir().unwrap();
    for format in ClipFormat::ALL.into_iter().filter(|format| *format != ClipFormat::Sequence) {
        let said = write(format, &folder.path().join("missing/out"), true, 24.0, false).unwrap_err().to_string();
        assert!(said.ends_with("its folder does not exist"), "{format:?}: {said}");
    }
    assert_eq!(files(folder.path()).len(), 0);
}

/// The temporary file is a link to a device that is always full.
#[test]
#[cfg(target_os = "linux")]
fn on_a_full_disk_no_clip_is_left() {
    for format in [ClipFormat::Gif, ClipFormat::Apng] {
        let folder = tempfile::tempdir().unwrap();
        let temporary = folder.path().join(format!(".out.{}.tmp", std::process::id()));
        std::os::unix::fs::symlink("/dev/full", temporary).unwrap();
        let failed = write(format, &folder.path().join("out"), false, 24.0, false);
        let Err(ClipError::Write(WriteError::Io { reason, .. })) = &failed else { panic!("{format:?}: {failed:?}") };
        assert_eq!(reason.kind(), std::io::ErrorKind::StorageFull);
        assert_eq!(files(folder.path()), [""; 0]);
    }
}

/// As above, for the format whose file ffmpeg writes. Without a flag for it, ffmpeg would report success.
#[test]
#[cfg(target_os = "linux")]
fn on_a_full_disk_a_video_is_not_reported_as_written() {
    if !video::is_ffmpeg_installed() {
        return skip_outside_ci("ffmpeg is not installed");
    }
    let folder = tempfile::tempdir().unwrap();
    let temporary = folder.path().join(format!(".out.webm.{}.tmp", std::process::id()));
    std::os::unix::fs::symlink("/dev/full", temporary).unwrap();
    let failed = write(ClipFormat::Webm, &folder.path().join("out.webm"), false, 24.0, false);
    let Err(ClipError::Write(WriteError::Ffmpeg { message, .. })) = &failed else { panic!("{failed:?}") };
    assert!(message.contains("No space left on device"), "{message}");
    assert_eq!(files(folder.path()), [""; 0]);
}
