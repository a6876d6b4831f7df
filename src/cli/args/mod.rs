//! Declares the command line for clap. Scripts rely on its commands and flags. Wrong usage exits with code 2.
//!
//! Doc comments of commands and flags are the texts of `--help`; comments for the reader of the code begin with two slashes.

pub mod values;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::asset::LoadOptions;
use crate::check::profile::Profile;
use crate::compare::counterpart::Layout;
use crate::model::finding::Severity;
use crate::session::pose::crowd;
use crate::session::view::Repeat;
use crate::session::view::display::{Lighting, Shading, Tonemap};
use crate::session::view::selector::Selector;

use values::{
    Rgb, SheetGrid, Size, Span, Triple, Vertices, finite, parse_focal_length, parse_fps, parse_frames, parse_msaa, parse_tolerance,
    parse_turntable, parse_yfov,
};

/// A desktop glTF animation viewer. Without a command it opens the window.
#[derive(Debug, Parser)]
#[command(name = "sinew", version, args_conflicts_with_subcommands = true, subcommand_precedence_over_arg = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub window: WindowArgs,
}

// The commands that need no window.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Draw a picture or a clip of a file, without a window
    Render(Box<RenderArgs>),
    /// Print the pose of a file as JSON: node transforms, morph weights, joint matrices
    Pose(PoseArgs),
    /// Print what a file contains, what was ignored, and what may be wrong
    Inspect(InspectArgs),
    /// Print how two files differ: how far their joints are apart, and what else is not the same
    Diff(DiffArgs),
    /// Print what the specification allows but what may not look right in an engine
    Check(CheckArgs),
    /// Measure what a file costs per frame on this machine, on the CPU and the GPU
    Bench(BenchArgs),
    /// Open .glb and .gltf files with Sinew on a double-click (current user)
    Register,
    /// Remove the double-click association
    Unregister,
    /// Draw a small picture of a file for file managers, with a transparent background
    Thumbnail(ThumbnailArgs),
    /// Write man pages and shell completions, for packages
    #[command(hide = true)]
    Generate(GenerateArgs),
}

// Arguments of the window.
#[derive(Debug, Args)]
pub struct WindowArgs {
    /// A .glb, .gltf, .vrm or .zip; several to step through, with files that belong to them (.bin, textures)
    pub files: Vec<PathBuf>,
    /// Animation to play, by number or name [default: the first]
    #[arg(long, value_name = "A")]
    pub animation: Option<Selector>,
    /// Start time in seconds, on the animation's own key times
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = finite::<f64>)]
    pub time: Option<f64>,
    /// Start paused
    #[arg(long)]
    pub paused: bool,
    /// Playback speed; negative plays backwards
    #[arg(long, value_name = "X", allow_hyphen_values = true, value_parser = finite::<f64>)]
    pub speed: Option<f64>,
    /// Camera of the file to look through, by number or name
    #[arg(long, value_name = "C")]
    pub camera: Option<Selector>,
    /// A view saved as JSON; flags override it
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,
    /// A file to compare the first one with
    #[arg(long, value_name = "FILE", requires = "files")]
    pub compare: Option<PathBuf>,
    #[command(flatten)]
    pub borrowed: BorrowedArgs,
    #[command(flatten)]
    pub images: ImageArgs,
    /// Graphics adapter to draw with, by a part of its name [default: the one of the settings, else the most powerful one]
    #[arg(long, value_name = "NAME", conflicts_with = "safe")]
    pub adapter: Option<String>,
    /// Start without settings, and avoid the driver of the graphics card: for trouble at the start
    #[arg(long)]
    pub safe: bool,
}

// Arguments of every command that plays animations.
#[derive(Debug, Args)]
pub struct BorrowedArgs {
    /// Files whose animations the model plays too, numbered on after its own
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub animations: Vec<PathBuf>,
}

// Arguments of every command that reads images.
#[derive(Debug, Args)]
pub struct ImageArgs {
    /// Limit on the decoded images of a file, in MiB; beyond it the largest are halved [default: 512]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..))]
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

// Arguments of `sinew render`.
#[derive(Debug, Args)]
pub struct RenderArgs {
    pub file: PathBuf,
    /// More files, for a sheet with a tile per file
    #[arg(value_name = "FILE", requires = "sheet", conflicts_with = "compare")]
    pub others: Vec<PathBuf>,
    /// OUT.png, or a clip: DIR/%04d.png, OUT.gif, OUT.png with --fps, OUT.mp4, OUT.webm; an existing file is overwritten
    #[arg(short, long = "output", value_name = "OUT")]
    pub output: PathBuf,
    /// Width and height in pixels, at most 16384x16384
    #[arg(long, value_name = "WxH", default_value = "1024x768")]
    pub size: Size,
    /// Contact sheet: a tile per animation, with --animation per phase, with several files per file [default: as many tiles as fit best]
    #[arg(long, value_name = "COLSxROWS", num_args = 0..=1, default_missing_value = "best",
          conflicts_with_all = ["time", "range", "fps", "turntable"])]
    pub sheet: Option<SheetGrid>,
    /// Scene of the file [default: the file's own]
    #[arg(long, value_name = "N")]
    pub scene: Option<usize>,
    /// Animation, by number or name [default: the rest pose]
    #[arg(long, value_name = "A")]
    pub animation: Option<Selector>,
    /// Seconds on the animation's own key times; outside they clamp [default: 0]
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = finite::<f64>)]
    pub time: Option<f64>,
    /// Range of a clip: from A to B seconds; either may be left out [default: the whole animation]
    #[arg(long, value_name = "A..B", allow_hyphen_values = true)]
    pub range: Option<Span>,
    /// Frames per second of a clip; with OUT.png makes an animated PNG [default: the animation's own]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = parse_fps)]
    pub fps: Option<f64>,
    /// Make a clip of this many seconds in which the camera turns once around the model
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, value_parser = parse_turntable)]
    pub turntable: Option<f64>,
    /// Loop mode: what a clip does at the end of the range [default: loop]
    #[arg(long, value_enum)]
    pub repeat: Option<Repeat>,
    /// A view saved as JSON; flags override it
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,
    /// Camera of the file, by number or name [default: fitted to the model]
    #[arg(long, value_name = "C", conflicts_with_all = ["eye", "target", "up", "lens"])]
    pub camera: Option<Selector>,
    /// Camera position; needs --target and --yfov or --focal-length
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, requires_all = ["target", "lens"])]
    pub eye: Option<Triple>,
    /// Point that the camera looks at; needs --eye
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, requires = "eye")]
    pub target: Option<Triple>,
    /// Up direction of the camera; needs --eye [default: 0,1,0]
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, requires = "eye")]
    pub up: Option<Triple>,
    /// Vertical field of view in degrees; needs --eye
    #[arg(long, value_name = "DEGREES", requires = "eye", group = "lens", allow_hyphen_values = true, value_parser = parse_yfov)]
    pub yfov: Option<f64>,
    /// Focal length in millimeters on a sensor of 36 x 24 mm, instead of --yfov; with --eye
    #[arg(long, value_name = "MM", requires = "eye", group = "lens", allow_hyphen_values = true, value_parser = parse_focal_length)]
    pub focal_length: Option<f64>,
    /// Background color, sRGB [default: 2A2D33]
    #[arg(long, value_name = "RRGGBB", conflicts_with = "transparent")]
    pub background: Option<Rgb>,
    /// No background: alpha is coverage
    #[arg(long)]
    pub transparent: bool,
    /// Material variant, by number or name [default: the file's own materials]
    #[arg(long, value_name = "V")]
    pub variant: Option<Selector>,
    /// Samples per pixel
    #[arg(long, value_name = "1|4", default_value_t = 4, value_parser = parse_msaa)]
    pub msaa: u32,
    /// Supersampling: draw larger by this factor and average
    #[arg(long, value_name = "1..4", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=4))]
    pub supersample: u32,
    /// Overlays, separated by commas
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub overlay: Vec<Overlay>,
    /// Nodes to select, by number or name, separated by commas [default: none]
    #[arg(long, value_name = "NODE,NODE,...", value_delimiter = ',')]
    pub select: Vec<Selector>,
    #[arg(long, value_enum)]
    pub lighting: Option<Lighting>,
    /// A .hdr or .exr panorama that lights the model
    #[arg(long, value_name = "FILE")]
    pub environment: Option<PathBuf>,
    /// Exposure; each step doubles the light
    #[arg(long, value_name = "EV", allow_hyphen_values = true, value_parser = finite::<f32>)]
    pub exposure: Option<f32>,
    #[arg(long, value_enum)]
    pub tonemap: Option<Tonemap>,
    #[arg(long, value_enum, value_name = "MODE")]
    pub shading: Option<Shading>,
    #[command(flatten)]
    pub borrowed: BorrowedArgs,
    #[command(flatten)]
    pub images: ImageArgs,
    #[command(flatten)]
    pub compared: CompareArgs,
    /// Print timings on stderr
    #[arg(long)]
    pub timings: bool,
}

// Arguments of `sinew render` for a comparison.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// A second file to compare with; FILE itself to compare two of its animations
    #[arg(long, value_name = "FILE")]
    pub compare: Option<PathBuf>,
    /// How the second file is shown
    #[arg(long, value_enum, value_name = "VIEW", default_value_t = Layout::Side, requires = "compare")]
    pub compare_view: Layout,
    /// Animation of the second file, by number or name [default: the one that is called like --animation]
    #[arg(long, value_name = "B", requires = "compare")]
    pub compare_animation: Option<Selector>,
    /// Stretch the animation of the second file to the duration of the first
    #[arg(long, requires = "compare")]
    pub compare_stretch: bool,
    /// Seconds by which the second file is ahead
    #[arg(long, value_name = "S", default_value_t = 0.0, requires = "compare", allow_hyphen_values = true, value_parser = finite::<f64>)]
    pub compare_offset: f64,
}

// Arguments of `sinew pose`.
#[derive(Debug, Args)]
pub struct PoseArgs {
    pub file: PathBuf,
    /// Scene of the file [default: the file's own]
    #[arg(long, value_name = "N")]
    pub scene: Option<usize>,
    /// Animation, by number or name [default: the rest pose]
    #[arg(long, value_name = "A")]
    pub animation: Option<Selector>,
    /// Seconds on the animation's own key times, separated by commas; outside they clamp
    #[arg(long, value_name = "S,S,...", allow_hyphen_values = true, value_delimiter = ',', default_value = "0", value_parser = finite::<f64>)]
    pub times: Vec<f64>,
    /// A single time, as for render
    #[arg(long, value_name = "S", allow_hyphen_values = true, conflicts_with = "times", value_parser = finite::<f64>)]
    pub time: Option<f64>,
    /// World positions of these vertices of every primitive, or "all"
    #[arg(long, value_name = "all|I,I,...")]
    pub vertices: Option<Vertices>,
    /// A view saved as JSON; flags override it
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,
    #[command(flatten)]
    pub borrowed: BorrowedArgs,
}

// Arguments of `sinew inspect`.
#[derive(Debug, Args)]
pub struct InspectArgs {
    pub file: PathBuf,
    /// Print JSON
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
    pub a: PathBuf,
    pub b: PathBuf,
    /// Animation of A, by number or name, and that of B if it is another one [default: the first, or the rest pose]
    #[arg(long, value_name = "A[:B]")]
    pub animation: Option<String>,
    /// Scene of A whose height distances are related to [default: the file's own]
    #[arg(long, value_name = "N")]
    pub scene: Option<usize>,
    /// Largest distance in meters that is not a difference
    #[arg(long, value_name = "M", default_value_t = 0.0, value_parser = parse_tolerance)]
    pub tolerance_distance: f64,
    /// Largest angle in degrees that is not a difference
    #[arg(long, value_name = "DEG", default_value_t = 0.0, value_parser = parse_tolerance)]
    pub tolerance_angle: f64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

// Arguments of `sinew check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    pub file: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Exit with 3 if there is a finding of this severity or worse
    #[arg(long, value_enum, value_name = "SEVERITY")]
    pub fail_on: Option<FailOn>,
    /// Engine to compare the file with [default: generic]
    #[arg(long, value_enum, value_name = "NAME")]
    pub profile: Option<Profile>,
    /// Limits and switched-off checks, as TOML (docs/checks.md)
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

// Arguments of `sinew bench`.
#[derive(Debug, Args)]
pub struct BenchArgs {
    pub file: PathBuf,
    /// Number of instances, on a grid, each at its own time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(crowd::MAX_MEMBERS)))]
    pub instances: u32,
    /// Number of frames to measure
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = parse_frames)]
    pub frames: usize,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1024x768")]
    pub size: Size,
    /// Samples per pixel
    #[arg(long, value_name = "1|4", default_value_t = 4, value_parser = parse_msaa)]
    pub msaa: u32,
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
    pub file: PathBuf,
    /// A PNG; an existing file is overwritten
    #[arg(value_name = "OUT.png")]
    pub output: PathBuf,
    /// Width and height in pixels
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(16..=1024))]
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

// Values of `--overlay`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Overlay {
    /// No overlays, not even those of a saved view
    None,
    Skeleton,
    Names,
    Grid,
    Axes,
    /// Shadow on the model and on the ground
    Shadow,
    /// Triangle edges
    Wireframe,
    /// Outline of the selected nodes
    Outline,
    /// Skeleton through a translucent mesh
    Xray,
    /// Motion trails of the selected nodes
    Trail,
    /// Onion skin: ghosts of the frames before and after
    Ghosts,
    /// Path of the root on the ground
    Path,
    /// Foot contacts and slide distances
    Contacts,
    /// Skin weights of the selected joints as a heat map, else one color per joint
    Weights,
}
