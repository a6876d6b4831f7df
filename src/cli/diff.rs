//! Runs `sinew diff`: prints how two files differ, without a GPU.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{anyhow, bail};

use crate::asset::LoadOptions;
use crate::compare::pairing::{self, ComparedFile, PairingError};
use crate::compare::report::{self, Tolerance};
use crate::compare::{Choices, Comparison, compare, supplement, text, time_map};
use crate::numbers::counted;
use crate::report::terminal;
use crate::session::document::Document;
use crate::session::view::selector::{self, Selector};

use super::args::DiffArgs;
use super::{about, escaped, exit, load, messages, print_report, view};

/// Runs the command. Errors if a file cannot be loaded, or does not have the animation or the scene.
pub fn run(args: &DiffArgs) -> anyhow::Result<ExitCode> {
    let (a, b) = std::thread::scope(|scope| {
        let reading = scope.spawn(|| load_document(&args.a));
        let b = load_document(&args.b);
        (reading.join().map_err(|_| anyhow!("reading {} failed", args.a.display())), b)
    });
    let (a, b) = (a??, b?);
    if let Some(scene) = args.scene.filter(|&scene| scene >= a.model.scenes.len()) {
        bail!("{}: no scene {scene}; the file has {}", args.a.display(), a.model.scenes.len());
    }
    let animations = animations(args, &a, &b)?;
    let choices = Choices { animations, timing: time_map::Timing::default(), scene: args.scene };
    let canceled = || anyhow!("the comparison was canceled");
    let found = compare(&a, &b, &choices, &|| true).ok_or_else(canceled)?;
    // A user who names the animations to compare does not ask about the others.
    let is_named = args.animation.is_some();
    let mut others = if is_named { Vec::new() } else { pairing::other_animations(&a.model, &b.model, animations) };
    let max_others = supplement::max_animations([&a.model, &b.model]);
    if others.len() > max_others {
        let left_out = counted(others.len() - max_others, "animation");
        messages::note(format_args!("{left_out} not compared, because there are too many: compare them with --animation"));
        others.truncate(max_others);
    }
    let supplement = supplement::measure([&a, &b], &found, &others, &|| true).ok_or_else(canceled)?;
    note_unmatched(&found, [&args.a, &args.b]);
    let files = [&args.a, &args.b].map(|file| file.display().to_string());
    let tolerance = Tolerance { distance: args.tolerance_distance, angle: args.tolerance_angle, lost_animations: is_named };
    let report = report::report(&found, &supplement, [&a.model, &b.model], files, tolerance);
    print_report(&report, args.json, text::to_text)?;
    Ok(if report.within_tolerance { ExitCode::SUCCESS } else { ExitCode::from(exit::FINDINGS) })
}

/// Prints a note if no node of A has a counterpart in B.
pub fn note_unmatched(comparison: &Comparison, [a, b]: [&Path; 2]) {
    if comparison.measured.joints.is_empty() && comparison.node_pairs.only_in_a().chain(comparison.node_pairs.only_in_b()).next().is_some()
    {
        messages::note(format_args!("no node of {} has a counterpart in {}", escaped(a), escaped(b)));
    }
}

/// Reads a file and compiles its model.
fn load_document(file: &Path) -> anyhow::Result<Document> {
    let loaded = load(file, &LoadOptions::default())?;
    Ok(Document::new(Arc::new(loaded.model), file.display().to_string(), Some(file.to_owned())))
}

/// The animations that are compared in detail. Errors if a file does not have the one that the user named.
fn animations(args: &DiffArgs, a: &Document, b: &Document) -> anyhow::Result<[Option<usize>; 2]> {
    let Some(text) = &args.animation else {
        let first = pairing::first_animations(&a.model, &b.model);
        if first[0].is_none() && (a.model.animations.len() + b.model.animations.len()) > 0 {
            let without = if a.model.animations.is_empty() { &args.a } else { &args.b };
            messages::note(format_args!("{} has no animations; comparing the rest poses", escaped(without)));
        }
        if let [Some(in_a), Some(in_b)] = first
            && let (Some(name_a), Some(name_b)) = (pairing::name(&a.model, in_a), pairing::name(&b.model, in_b))
            && name_a != name_b
        {
            let [name_a, name_b] = [name_a, name_b].map(terminal::quote);
            messages::note(format_args!("{name_a} has no namesake in B; comparing it with {name_b}, which has the same index"));
        }
        return Ok(first);
    };
    let Ok(selector) = text.parse::<Selector>();
    if let Ok(selected) = selector::animation(&a.model, &selector) {
        view::note_namesakes(selected, "animation", &selector);
    }
    let found = pairing::resolve(text, &a.model, &b.model).map_err(|(side, error)| {
        let hint = match &error {
            PairingError::NoCounterpart { .. } if !b.model.animations.is_empty() => "; choose one with --animation NAME_IN_A:NAME_IN_B",
            _ => "",
        };
        about(if side == ComparedFile::A { &args.a } else { &args.b })(anyhow!("{error}{hint}"))
    })?;
    Ok(found.map(Some))
}
