//! Measures the cost of posing per joint: `cargo bench --bench sampling` prints one line per case.
//!
//! The baseline poses the same keys in the straightforward way with glam: a binary search and `Quat::slerp` per channel, then products of
//! `Mat4`. Sinew and the baseline run alternately in the same process and are measured in thread CPU time. Fox, Robot and RiggedSimple come
//! from the folder in `SINEW_SAMPLES`; the generated rigs are always available. `cargo bench --bench sampling -- NAME` runs the cases whose
//! names contain NAME.
//!
//! `scripts/measure/instructions` counts instructions instead of time, and the counts are repeatable. It runs this benchmark under
//! callgrind with `-- count one|eight|baseline NAME FRAMES`.
#![allow(clippy::unwrap_used)] // a benchmark may panic

mod baseline;
#[path = "../common/rigs.rs"]
mod rigs;
#[path = "../common/thread_time.rs"]
mod thread_time;

use std::path::Path;

use sinew::animation::compiled::model::{AnimationContext, CompiledModel};
use sinew::animation::compiled::sample;
use sinew::animation::crowd::CrowdMembers;
use sinew::animation::hierarchy::globals::{self, GlobalMatrices};
use sinew::animation::hierarchy::pose::Pose;
use sinew::animation::hierarchy::skinning::JointMatrix;
use sinew::animation::simd::InstructionSet;
use sinew::asset::{self, LoadOptions};
use sinew::model::Model;

use thread_time::thread_time;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let instructions = InstructionSet::best();
    if let [count, what, name, frames] = &wanted[..]
        && count == "count"
    {
        return counted(what, name, frames.parse().unwrap(), instructions);
    }
    eprintln!("kernel: {}", instructions.name());
    for (name, model) in cases() {
        if !wanted.is_empty() && !wanted.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        let model = model();
        for characters in [1, 1000, 10_000] {
            run(name, &model, characters, instructions);
        }
    }
}

type Case = (&'static str, Box<dyn Fn() -> Model>);

/// Returns the names of all cases, and a function that makes the model of each.
fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = vec![
        ("shared200", Box::new(|| rigs::shared(200, 1800))),
        ("loose200", Box::new(|| rigs::loose(200, 120))),
        ("chain24", Box::new(|| rigs::shared(24, 60))),
    ];
    match std::env::var_os("SINEW_SAMPLES") {
        Some(folder) => {
            for name in ["Fox", "Robot", "RiggedSimple"] {
                let Some(path) = first_model(&Path::new(&folder).join("models").join(name)) else { continue };
                cases.push((name, Box::new(move || asset::load(&path, &LoadOptions::default()).unwrap().model)));
            }
        }
        None => eprintln!("SINEW_SAMPLES is not set: only generated rigs"),
    }
    cases
}

fn first_model(folder: &Path) -> Option<std::path::PathBuf> {
    let is_model = |path: &std::path::PathBuf| path.extension().is_some_and(|end| end == "glb" || end == "gltf");
    let mut found: Vec<_> = std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path())).filter(is_model).collect();
    found.sort();
    found.into_iter().next()
}

/// Returns the animation with the most channels.
fn busiest(model: &Model) -> usize {
    (0..model.animations.len()).max_by_key(|&a| model.animations[a].channels.len()).unwrap()
}

fn joints(model: &Model) -> usize {
    model.skins.iter().map(|skin| skin.joints.len()).sum::<usize>().max(1)
}

/// Poses eight characters for a number of frames with only one of the contenders (`what`), so that callgrind counts its instructions.
fn counted(what: &str, name: &str, frames: usize, instructions: InstructionSet) {
    let model = cases().into_iter().find(|(case, _)| *case == name).unwrap().1();
    let animation = busiest(&model);
    let compiled = CompiledModel::with_instructions(&model, instructions);
    let context = compiled.context(&model, animation);
    let frame_times =
        |frame: usize| std::array::from_fn::<f64, 8, _>(|c| (frame as f64 / 60.0 + c as f64 * 0.1) % context.animation.duration);
    // The times of all frames are computed before the first frame. This costs the same in every run, so it cancels out when
    // `scripts/measure/instructions` subtracts the counts of two runs.
    let all: Vec<[f64; 8]> = (0..COUNTED_FRAMES).map(frame_times).collect();
    let times = |frame: usize| all[frame % COUNTED_FRAMES];
    match what {
        "one" => {
            let mut eight: Vec<Character> = (0..8).map(|_| character(context)).collect();
            for frame in 0..frames {
                eight.iter_mut().zip(times(frame)).for_each(|(one, time)| pose_one(context, time, one));
            }
        }
        "eight" => {
            let mut crowd = CrowdMembers::new(context.model, Some(context), vec![glam::Vec3::ZERO; 8], 1);
            (0..frames).for_each(|frame| crowd.pose(context, &times(frame)));
        }
        _ => {
            let base = baseline::Baseline::new(&model, animation);
            let (mut pose, mut palette) = (base.pose(), vec![glam::Mat4::IDENTITY; joints(&model)]);
            (0..frames).for_each(|frame| times(frame).into_iter().for_each(|time| base.pose_at(time, &mut pose, &mut palette)));
        }
    }
    println!("joints={}", joints(&model));
}

/// Number of frames whose times are computed in advance.
const COUNTED_FRAMES: usize = 4096;

struct Character {
    pose: Pose,
    cursors: Vec<u32>,
    globals: GlobalMatrices,
    palette: Vec<JointMatrix>,
}

/// Measures one case and prints its line.
fn run(name: &str, model: &Model, characters: usize, instructions: InstructionSet) {
    let animation = busiest(model);
    let compiled = CompiledModel::with_instructions(model, instructions);
    let context = compiled.context(model, animation);
    let joints = joints(model);
    let base = baseline::Baseline::new(model, animation);
    let [baseline_ns, each_ns, each_seek_ns, crowd_ns, crowd_seek_ns] = nanoseconds_per_joint(context, &base, characters);
    let (core_ns, seek_ns) = if characters >= 8 { (crowd_ns, crowd_seek_ns) } else { (each_ns, each_seek_ns) };
    let max_error = error(context, &base);
    let threads_ratio =
        if characters >= 10_000 { format!(" threads_ratio={:.2}", two_threads(context, characters)) } else { String::new() };
    println!(
        "case={name} characters={characters} joints={joints} baseline_ns={baseline_ns:.2} core_ns={core_ns:.2} ratio={:.2} \
         seek_ns={seek_ns:.2} max_error={max_error:.1e} one_ns={each_ns:.2} one_ratio={:.2}{threads_ratio}",
        baseline_ns / core_ns,
        baseline_ns / each_ns
    );
}

/// Returns the nanoseconds per joint of five contenders: the baseline while playing, one character at a time while playing and while
/// seeking, and eight characters at once while playing and while seeking.
fn nanoseconds_per_joint(context: AnimationContext, base: &baseline::Baseline, characters: usize) -> [f64; 5] {
    let joints = joints(context.model);
    let duration = context.animation.duration;
    let frames = (2_000_000 / (joints * characters)).clamp(1, 20_000);
    let mut base_palettes = vec![vec![glam::Mat4::IDENTITY; joints]; characters];
    let mut base_pose = base.pose();
    let phase = |character: usize| character as f64 * 0.618_033_988_749_894_9 % 1.0;
    let time = |frame: usize, character: usize| (frame as f64 / 60.0 + phase(character) * duration) % duration.max(1e-9);
    let random = |frame: usize, character: usize| {
        let x = (frame as u64 * 7919 + character as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (x >> 11) as f64 / (1u64 << 53) as f64 * duration
    };

    let mut one: Vec<Character> = (0..characters).map(|_| character(context)).collect();
    let mut crowd = CrowdMembers::new(context.model, Some(context), vec![glam::Vec3::ZERO; characters], 1);

    let mut each = |times: &[f64]| one.iter_mut().zip(times).for_each(|(one, time)| pose_one(context, *time, one));
    let mut eights = |times: &[f64]| crowd.pose(context, times);
    let mut baseline = |times: &[f64]| {
        for (time, palette) in times.iter().zip(&mut base_palettes) {
            base.pose_at(*time, &mut base_pose, palette);
        }
    };
    // The contenders run alternately, so that a busy moment of the machine affects all of them. The median of the rounds is the result.
    let mut results: [Vec<f64>; 5] = Default::default();
    for round in 0..7 {
        // The times are computed in advance, because computing one remainder (`%`) takes as long as posing a few joints.
        let times_of = |time: &dyn Fn(usize, usize) -> f64| -> Vec<f64> {
            let frames = round * frames..(round + 1) * frames;
            frames.flat_map(|frame| (0..characters).map(move |character| (frame, character))).map(|(f, c)| time(f, c)).collect()
        };
        let (played, sought) = (times_of(&time), times_of(&random));
        let per_joint = |f: &mut dyn FnMut(&[f64]), times: &[f64]| {
            measured(|| times.chunks_exact(characters).for_each(&mut *f)) / (frames * characters * joints) as f64
        };
        results[0].push(per_joint(&mut baseline, &played));
        results[1].push(per_joint(&mut each, &played));
        results[2].push(per_joint(&mut each, &sought));
        results[3].push(per_joint(&mut eights, &played));
        results[4].push(per_joint(&mut eights, &sought));
    }
    results.map(median)
}

/// Returns the wall time of posing with one thread, divided by the wall time with two threads.
fn two_threads(context: AnimationContext, characters: usize) -> f64 {
    let times: Vec<f64> = (0..characters).map(|c| c as f64 * 0.618_033_988_749_894_9 % 1.0 * context.animation.duration).collect();
    let crowd = |threads| CrowdMembers::new(context.model, Some(context), vec![glam::Vec3::ZERO; characters], threads);
    let mut crowds = [crowd(1), crowd(2)];
    let mut took: [Vec<f64>; 2] = Default::default();
    for _ in 0..401 {
        for (crowd, took) in crowds.iter_mut().zip(&mut took) {
            let start = std::time::Instant::now();
            crowd.pose(context, &times);
            took.push(start.elapsed().as_secs_f64());
        }
    }
    let [one, two] = took.map(median);
    one / two
}

fn character(context: AnimationContext) -> Character {
    let mut pose = Pose::rest(context.model);
    sample::write_constants(context.model, context.compiled, &mut pose);
    Character {
        pose,
        cursors: vec![0; context.compiled.cursor_count()],
        globals: GlobalMatrices::new(context.schedule),
        palette: vec![JointMatrix::IDENTITY; context.model.palette_len],
    }
}

fn pose_one(context: AnimationContext, time: f64, one: &mut Character) {
    sample::sample(context, time, &mut one.cursors, &mut one.pose);
    globals::compute(context.instructions, context.schedule, &one.pose.locals, &mut one.globals, &mut one.palette);
}

/// Returns the largest difference between the palette and the f64 palette of the baseline. Differences of translations are divided by the
/// size of the model.
fn error(context: AnimationContext, base: &baseline::Baseline) -> f64 {
    let mut one = character(context);
    let mut worst = 0.0f64;
    for i in 0..50 {
        let time = context.animation.duration * (f64::from(i) * 0.618_033_988_749_894_9 % 1.0);
        pose_one(context, time, &mut one);
        let (exact, size) = base.exact(time);
        let got = context.model.skins.iter().flat_map(|skin| &one.palette[skin.matrices.clone()]);
        for (got, exact) in got.zip(&exact) {
            for (row, got) in got.rows.iter().enumerate() {
                for column in 0..4 {
                    let scale = if column == 3 { size } else { 1.0 };
                    worst = worst.max((f64::from(got[column]) - exact.col(column)[row]).abs() / scale);
                }
            }
        }
    }
    worst
}

/// Runs a closure and returns its CPU time on this thread, in nanoseconds.
fn measured(mut work: impl FnMut()) -> f64 {
    let start = thread_time();
    work();
    (thread_time() - start).as_secs_f64() * 1e9
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
