//! Declares the command line for clap. Scripts rely on its commands and flags. Wrong usage exits with code 2.
//!
//! Doc comments of commands and flags are the texts of `--help`; comments for the reader of the code begin with two slashes.

pub mod parsing;
pub mod render;
pub mod values;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::asset::LoadOptions;
use crate::check::profile::Profile;
use crate::model::finding::Severity;
use crate::render::picture::Msaa;
use crate::session::pose::crowd;
use crate::session::view::selector::Selector;

use render::RenderArgs;
use values::{Size, Vertices, finite, integer, parse_index, parse_msaa, parse_tolerance};

/// A desktop glTF animation viewer. Without a command it opens the window.
#[derive(Debug, Parser)]
#[command(name = "sinew", version, after_help = DOCUMENTATION, args_conflicts_with_subcommands = true, subcommand_precedence_over_arg = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub window: WindowArgs,
}

/// Where the documentation is.
const DOCUMENTATION: &str =
    "Documentation: the folder docs of the source code; packages have it in share/doc/sinew (Linux) or in a folder docs";
/// Exit codes of commands without a code of their own.
const EXIT_CODES: &str = "Exit codes: 0 done, 1 failed, 2 wrong usage";
/// Exit codes of commands with `--fail-on`.
const FAIL_ON_EXIT_CODES: &str =
    "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done, but there is a finding of the severity of --fail-on, or worse";
/// Exit codes of `sinew diff`.
const DIFF_EXIT_CODES: &str =
    "Exit codes: 0 B counts as equal to A, 1 failed, 2 wrong usage, 3 B differs by more than the tolerance, or lacks parts of A";

// The commands that need no window.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Draw a picture or a clip of a file, without a window
    #[command(after_help = EXIT_CODES)]
    Render(Box<RenderArgs>),
    /// Print the pose of a file as JSON: node transforms, morph weights, joint matrices
    #[command(after_help = EXIT_CODES)]
    Pose(PoseArgs),
    /// Print what files contain, what was ignored, and what may be wrong
    #[command(after_help = FAIL_ON_EXIT_CODES)]
    Inspect(InspectArgs),
    /// Print how two files differ: distances between their joints and vertices, and other differences
    #[command(after_help = DIFF_EXIT_CODES)]
    Diff(DiffArgs),
    /// Print problems that the specification allows but that may not look right in an engine
    #[command(after_help = FAIL_ON_EXIT_CODES)]
    Check(CheckArgs),
    /// Measure what a file costs per frame on this machine, on the CPU and the GPU
    #[command(after_help = EXIT_CODES)]
    Bench(BenchArgs),
    /// Open .glb, .gltf and .vrm files with Sinew on a double-click and, on Linux, show their thumbnails (current user)
    #[command(after_help = EXIT_CODES)]
    Register,
    /// Revert what register has done
    #[command(after_help = EXIT_CODES)]
    Unregister,
    /// Draw a small picture of a file for file managers, with a transparent background
    #[command(after_help = EXIT_CODES)]
    Thumbnail(ThumbnailArgs),
    /// Write man pages and shell completions, for packages
    #[command(hide = true)]
    Generate(GenerateArgs),
}

// Arguments of the window.
#[derive(Debug, Args)]
pub struct WindowArgs {
    /// A .glb, .gltf, .vrm or .zip file, or several to step through, or a folder; also the files that belong to them (.bin, textures)
    pub files: Vec<PathBuf>,
    /// Animation to play, by number or name [default: the first]
    #[arg(long, value_name = "A")]
    pub animation: Option<Selector>,
    /// Start time in seconds, on the animation's own timeline
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = finite::<f64>)]
    pub time: Option<f64>,
    /// Start paused
    #[arg(long)]
    pub paused: bool,
    /// Playback speed; negative plays backward
    #[arg(long, value_name = "X", allow_hyphen_values = true, value_parser = finite::<f64>)]
    pub speed: Option<f64>,
    /// Camera of the file to look through, by number or name
    #[arg(long, value_name = "C")]
    pub camera: Option<Selector>,
    /// A view file; flags override it
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,
    /// A file to compare the first one with
    #[arg(long, value_name = "FILE", requires = "files")]
    pub compare: Option<PathBuf>,
    #[command(flatten)]
    pub borrowed: BorrowedArgs,
    #[command(flatten)]
    pub images: ImageArgs,
    /// Graphics adapter to draw with, by a part of its name [default: the one chosen in the settings, or else the most powerful one]
    #[arg(long, value_name = "NAME", conflicts_with = "safe")]
    pub adapter: Option<String>,
    /// Start without settings and without the driver of the graphics card, if Sinew does not start otherwise
    #[arg(long)]
    pub safe: bool,
    /// Print when each step of the start began and ended
    #[arg(long)]
    pub timings: bool,
}

// Flags for animations of other files: window, `render`, `pose`.
#[derive(Debug, Args)]
pub struct BorrowedArgs {
    /// Files whose animations the model can play, too. Their numbers follow those of its own animations. Without another FILE, the last of
    /// several files is the model
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub animations: Vec<PathBuf>,
}

// Limit of decoded images: window, `render`, `inspect`.
#[derive(Debug, Args)]
pub struct ImageArgs {
    /// Limit on the decoded images of a file, in MiB. If they exceed it, the largest are halved [default: 512]
    #[arg(long, value_name = "MIB", allow_negative_numbers = true, value_parser = integer::<1, { u32::MAX }>)]
    pub image_limit: Option<u32>,
}

impl ImageArgs {
    /// The limit in bytes; `None` for the default.
    pub fn bytes(&self) -> Option<u64> {
        self.image_limit.map(|mib| u64::from(mib) << 20)
    }

    /// The loader's options with this limit.
    pub fn load_options(&self) -> LoadOptions<'static> {
        LoadOptions { image_limit: self.bytes(), ..LoadOptions::default() }
    }
}

// Arguments of `sinew pose`.
#[derive(Debug, Args)]
pub struct PoseArgs {
    /// A .glb, .gltf, .vrm or .zip file
    pub file: PathBuf,
    /// Scene of the file [default: the file's default scene]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_index)]
    pub scene: Option<usize>,
    /// Animation, by number or name [default: the rest pose]
    #[arg(long, value_name = "A")]
    pub animation: Option<Selector>,
    /// Times in seconds, on the animation's own timeline, separated by commas. Times outside the animation are clamped [default: 0]
    #[arg(long, value_name = "S,S,...", allow_hyphen_values = true, value_delimiter = ',', value_parser = finite::<f64>)]
    pub times: Vec<f64>,
    /// A single time in seconds, like --time of render
    #[arg(long, value_name = "S", allow_hyphen_values = true, conflicts_with = "times", value_parser = finite::<f64>)]
    pub time: Option<f64>,
    /// World positions of these vertices of every primitive, or "all"
    #[arg(long, value_name = "all|I,I,...")]
    pub vertices: Option<Vertices>,
    /// A view file; flags override it
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,
    #[command(flatten)]
    pub borrowed: BorrowedArgs,
}

// Arguments of `sinew inspect`.
#[derive(Debug, Args)]
pub struct InspectArgs {
    /// .glb, .gltf, .vrm or .zip files, or folders, which stand for the models in them
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Print JSON; for several files or a folder, an array
    #[arg(long)]
    pub json: bool,
    /// Exit with 3 if there is a finding of this severity or worse
    #[arg(long, value_enum, value_name = "SEVERITY")]
    pub fail_on: Option<FailOn>,
    #[command(flatten)]
    pub images: ImageArgs,
    /// Also print timings
    #[arg(long)]
    pub timings: bool,
}

// Arguments of `sinew diff`.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// The file that B is compared with, for example the original
    pub a: PathBuf,
    /// The other file, for example an optimized export of A
    pub b: PathBuf,
    /// Animation to compare, by number or name; after a colon, that of B if it has another name [default: all, the first one in detail]
    #[arg(long, value_name = "NAME[:NAME]")]
    pub animation: Option<String>,
    /// Scene of A; distances are compared with its height [default: the file's default scene]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_index)]
    pub scene: Option<usize>,
    /// Tolerance of distances, in meters
    #[arg(long, value_name = "M", allow_negative_numbers = true, default_value_t = 0.0, value_parser = parse_tolerance)]
    pub tolerance_distance: f64,
    /// Tolerance of angles, in degrees
    #[arg(long, value_name = "DEG", allow_negative_numbers = true, default_value_t = 0.0, value_parser = parse_tolerance)]
    pub tolerance_angle: f64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

// Arguments of `sinew check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// .glb, .gltf, .vrm or .zip files, or folders, which stand for the models in them
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Print JSON; for several files or a folder, an array
    #[arg(long)]
    pub json: bool,
    /// Exit with 3 if there is a finding of this severity or worse
    #[arg(long, value_enum, value_name = "SEVERITY")]
    pub fail_on: Option<FailOn>,
    /// Engine whose limits and features the file is checked against [default: generic]
    #[arg(long, value_enum, value_name = "NAME")]
    pub profile: Option<Profile>,
    /// Limits and switched-off checks, as TOML; the page checks.md of the documentation lists them
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

// Arguments of `sinew bench`.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// A .glb, .gltf, .vrm or .zip file
    pub file: PathBuf,
    /// Number of instances, on a grid, each at its own time
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 1, value_parser = integer::<1, { crowd::MAX_MEMBERS }>)]
    pub instances: u32,
    /// Number of frames to measure
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 100, value_parser = integer::<1, 1_000_000>)]
    pub frames: u32,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1024x768")]
    pub size: Size,
    /// Samples per pixel
    #[arg(long, value_name = "1|4", default_value = "4", value_parser = parse_msaa)]
    pub msaa: Msaa,
    /// Animation, by number or name [default: the first]
    #[arg(long, value_name = "A")]
    pub animation: Option<Selector>,
    /// Draw the shadow, as the window does
    #[arg(long)]
    pub shadow: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

// Arguments of `sinew thumbnail`.
#[derive(Debug, Args)]
pub struct ThumbnailArgs {
    /// A .glb, .gltf, .vrm or .zip file
    pub file: PathBuf,
    /// A PNG; an existing one is overwritten
    #[arg(value_name = "OUT.png")]
    pub output: PathBuf,
    /// Width and height in pixels
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 256, value_parser = integer::<16, 1024>)]
    pub size: u32,
}

// Arguments of `sinew generate`.
#[derive(Debug, Args)]
pub struct GenerateArgs {
    /// Folder to write to
    pub folder: PathBuf,
}

// Severities of `--fail-on`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum FailOn {
    Error,
    Warning,
}

impl FailOn {
    /// Returns whether the worst finding is as severe as `fail_on`, or worse.
    pub fn fails(fail_on: Option<Self>, worst: Option<Severity>) -> bool {
        let least = fail_on.map(|fail_on| match fail_on {
            Self::Error => Severity::Error,
            Self::Warning => Severity::Warning,
        });
        least.is_some_and(|least| worst >= Some(least))
    }
}
