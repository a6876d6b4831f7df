//! Writes a report as text: aligned columns, one line per item.

use std::fmt::{Result, Write};

use crate::model::finding::Finding;
use crate::numbers::{self, bytes, counted, grouped};

use super::terminal::{self, MAX_MESSAGE_CHARS, MAX_NAME_CHARS};
use super::{AnimationReport, InspectReport};

/// Writes the report as lines of text.
pub fn write(report: &InspectReport, out: &mut String) -> Result {
    write_summary(report, out)?;
    write_extensions(report, out)?;
    write_images(report, out)?;
    write_variants(report, out)?;
    write_skins(report, out)?;
    write_animations(report, out)?;
    write_findings(&report.findings, out)?;
    write_timings(report, out)
}

/// Writes the file's name, and one line per kind of content.
fn write_summary(report: &InspectReport, out: &mut String) -> Result {
    writeln!(out, "{}", terminal::escape(&report.file, MAX_MESSAGE_CHARS))?;
    let generator =
        report.generator.as_ref().map_or_else(String::new, |generator| format!(", by {}", terminal::escape(generator, MAX_NAME_CHARS)));
    let version = terminal::escape(&report.version, MAX_NAME_CHARS);
    line(out, "format", &format!("glTF {version}, {}{generator}", bytes(report.bytes)))?;
    line(out, "scenes", &format!("{}, {}", grouped(report.scenes), counted(report.nodes, "node")))?;
    let geometry = format!(
        "{}, {}, {}, {}",
        grouped(report.meshes),
        counted(report.primitives, "primitive"),
        counted(report.vertices, "vertex"),
        counted(report.triangles, "triangle")
    );
    line(out, "meshes", &geometry)?;
    if report.instances > 0 {
        let drawn = format!("{}, {} drawn in total", grouped(report.instances), counted(report.drawn_triangles, "triangle"));
        line(out, "instances", &drawn)?;
    }
    line(out, "morph targets", &grouped(report.morph_targets))?;
    line(out, "materials", &format!("{}, {}", grouped(report.materials), counted(report.textures, "texture")))?;
    line(out, "cameras", &format!("{}, {}", grouped(report.cameras), counted(report.lights, "light")))?;
    let memory = format!("{} in RAM, {} on the GPU", bytes(report.memory.cpu_bytes), bytes(report.memory.gpu_bytes));
    line(out, "memory", &memory)
}

/// Writes the table of extensions.
fn write_extensions(report: &InspectReport, out: &mut String) -> Result {
    let rows = report.extensions.iter().map(|extension| {
        let required = if extension.required { "required" } else { "optional" };
        vec![
            terminal::escape(&extension.name, MAX_NAME_CHARS),
            required.into(),
            if extension.supported { String::new() } else { "not supported".into() },
        ]
    });
    section(out, "extensions", rows)
}

/// Writes the table of images.
fn write_images(report: &InspectReport, out: &mut String) -> Result {
    let rows = report.images.iter().enumerate().map(|(index, image)| {
        let kind = if image.kind.is_empty() { "unknown" } else { &image.kind };
        vec![index.to_string(), terminal::escape(kind, MAX_NAME_CHARS), format!("{} x {}", image.width, image.height), bytes(image.bytes)]
    });
    section(out, "images", rows)
}

/// Writes the table of material variants.
fn write_variants(report: &InspectReport, out: &mut String) -> Result {
    let rows = (report.variants.iter())
        .map(|variant| vec![variant.variant.to_string(), name(&variant.name), counted(variant.primitives, "primitive")]);
    section(out, "variants", rows)
}

/// Writes the table of skins.
fn write_skins(report: &InspectReport, out: &mut String) -> Result {
    let rows = report.skins.iter().map(|skin| {
        vec![
            skin.skin.to_string(),
            name(&skin.name),
            counted(skin.joints, "joint"),
            format!("up to {} per vertex", counted(skin.influences, "influence")),
        ]
    });
    section(out, "skins", rows)
}

/// Writes the table of animations.
fn write_animations(report: &InspectReport, out: &mut String) -> Result {
    let rows = report.animations.iter().map(|animation| {
        vec![
            animation.animation.to_string(),
            name(&animation.name),
            format!("{:.3} s", animation.duration),
            counted(animation.channels, "channel"),
            counted(animation.keys, "key"),
            counted(animation.key_times, "set of key times"),
            rate(animation),
            animation.interpolations.join(" "),
            format!("{} for playback", bytes(animation.compiled_bytes)),
        ]
    });
    section(out, "animations", rows)
}

/// The frame rate, with its source unless it is inferred from the animation's own keys: "24 fps".
fn rate(animation: &AnimationReport) -> String {
    let fps = numbers::rate(animation.rate);
    match animation.rate_source {
        "other_animations" => format!("{fps} fps (from other animations)"),
        "assumed" => format!("{fps} fps (assumed)"),
        _ => format!("{fps} fps"),
    }
}

/// Writes the table of timings.
fn write_timings(report: &InspectReport, out: &mut String) -> Result {
    section(out, "timings", report.timings.iter().map(|(step, milliseconds)| vec![(*step).into(), format!("{milliseconds:.2} ms")]))
}

/// Writes one line per finding.
pub fn write_findings(findings: &[Finding], out: &mut String) -> Result {
    let row = |finding: &Finding| {
        let location = if finding.pointer.is_empty() { String::new() } else { format!(" ({})", finding.pointer) };
        vec![
            finding.severity.name().into(),
            finding.code.into(),
            terminal::escape(&format!("{}{location}", finding.message), MAX_MESSAGE_CHARS),
        ]
    };
    section(out, "findings", findings.iter().map(row))
}

/// Writes a label and its value, with the values in one column.
pub fn line(out: &mut String, label: &str, value: &str) -> Result {
    writeln!(out, "  {label:<14} {value}")
}

/// Writes a table with a title and aligned columns. Writes nothing if the table has no rows.
pub fn section(out: &mut String, title: &str, rows: impl Iterator<Item = Vec<String>>) -> Result {
    let rows: Vec<Vec<String>> = rows.collect();
    if rows.is_empty() {
        return Ok(());
    }
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    writeln!(out, "\n{title}")?;
    for row in &rows {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}")).collect();
        writeln!(out, "  {}", cells.join("  ").trim_end())?;
    }
    Ok(())
}

/// A name in quotes, or a dash if there is none.
fn name(name: &Option<String>) -> String {
    name.as_ref().map_or_else(|| "-".into(), |name| terminal::quote(name))
}
