//! Declares the arguments of `sinew render`. As in the module above, doc comments are the texts of `--help`.

use std::path::PathBuf;

use clap::Args;

use crate::compare::counterpart::CompareView;
use crate::render::picture::Msaa;
use crate::session::time::clip::MAX_LOOPS;
use crate::session::view::Repeat;
use crate::session::view::display::{Lighting, Shading, Tonemap};
use crate::session::view::overlay::Overlay;
use crate::session::view::selector::Selector;

use super::values::{
    BEST_GRID, Rgb, SheetGrid, Size, Span, Triple, finite, integer, overlay_parser, parse_focal_length, parse_fps, parse_index, parse_msaa,
    parse_turntable, parse_yfov,
};
use super::{BorrowedArgs, ImageArgs};

// Arguments of `sinew render`.
#[derive(Debug, Args)]
pub struct RenderArgs {
    /// A .glb, .gltf, .vrm or .zip file
    pub file: PathBuf,
    /// More files, for a sheet with a tile per file
    #[arg(value_name = "FILE", requires = "sheet",
          conflicts_with_all = ["compare", "scene", "animation", "animations", "state", "camera", "select", "variant"])]
    pub others: Vec<PathBuf>,
    /// OUT.png, or - for a PNG on the standard output, or a clip: DIR/%04d.png, OUT.gif, OUT.png with --fps, OUT.mp4, OUT.webm; an existing
    /// file is overwritten
    #[arg(short, long = "output", value_name = "OUT")]
    pub output: PathBuf,
    /// Width and height in pixels, at most 16384x16384
    #[arg(long, value_name = "WxH", default_value = "1024x768")]
    pub size: Size,
    /// Contact sheet with a tile per animation; with --animation, a tile per phase; with several files, a tile per file [default: the grid
    /// with the largest tiles]
    #[arg(long, value_name = "COLSxROWS", num_args = 0..=1, default_missing_value = BEST_GRID,
          conflicts_with_all = ["time", "range", "fps", "turntable", "loops"])]
    pub sheet: Option<SheetGrid>,
    /// Scene of the file [default: the file's default scene]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_index)]
    pub scene: Option<usize>,
    /// Animation, by number or name [default: the rest pose]
    #[arg(long, value_name = "A")]
    pub animation: Option<Selector>,
    /// Time in seconds, on the animation's own timeline. A time outside the animation is clamped [default: 0]
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = finite::<f64>)]
    pub time: Option<f64>,
    /// Range of a clip in seconds; either side may be left out [default: the whole animation]
    #[arg(long, value_name = "START..END", allow_hyphen_values = true)]
    pub range: Option<Span>,
    /// Frames per second of a clip; with OUT.png makes an animated PNG [default: the animation's own]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = parse_fps)]
    pub fps: Option<f64>,
    /// Make a clip of this many seconds in which the camera turns once around the model
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, value_parser = parse_turntable)]
    pub turntable: Option<f64>,
    /// What a clip does at the end of the range: start again, stop, or play back and forth [default: loop]
    #[arg(long, value_enum)]
    pub repeat: Option<Repeat>,
    /// Number of times that a clip plays its range, 1 to 1000; ping-pong plays forward and back each time [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true, conflicts_with = "turntable", value_parser = integer::<1, MAX_LOOPS>)]
    pub loops: Option<u32>,
    /// A view file; flags override it
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
    /// Focal length in millimeters on a sensor of 36 x 24 mm, instead of --yfov; needs --eye
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
    #[arg(long, value_name = "1|4", default_value = "4", value_parser = parse_msaa)]
    pub msaa: Msaa,
    /// Supersampling: draw larger by this factor and average
    #[arg(long, value_name = "1..4", default_value_t = 1, value_parser = integer::<1, 4>)]
    pub supersample: u32,
    // `None` stands for the value `none`.
    /// Overlays, separated by commas
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = overlay_parser())]
    pub overlay: Vec<Option<Overlay>>,
    /// Nodes to select, by number or name, separated by commas [default: none]
    #[arg(long, value_name = "NODE,NODE,...", value_delimiter = ',')]
    pub select: Vec<String>,
    /// Lighting [default: studio]
    #[arg(long, value_enum)]
    pub lighting: Option<Lighting>,
    /// A .hdr or .exr panorama that lights the model
    #[arg(long, value_name = "FILE")]
    pub environment: Option<PathBuf>,
    /// Exposure; each step doubles the light
    #[arg(long, value_name = "EV", allow_hyphen_values = true, value_parser = finite::<f32>)]
    pub exposure: Option<f32>,
    /// Tone mapping [default: neutral]
    #[arg(long, value_enum)]
    pub tonemap: Option<Tonemap>,
    /// Shading mode [default: lit]
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

impl RenderArgs {
    /// Returns whether `--overlay` names this overlay.
    pub fn has_overlay(&self, overlay: Overlay) -> bool {
        self.overlay.contains(&Some(overlay))
    }

    /// Returns whether `--overlay none` hides all overlays, even those of a view file.
    pub fn hides_overlays(&self) -> bool {
        self.overlay.contains(&None)
    }
}

// Arguments of `sinew render` for a comparison.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// A second file to compare with; FILE itself to compare two of its animations
    #[arg(long, value_name = "FILE")]
    pub compare: Option<PathBuf>,
    /// How the second file is shown
    #[arg(long, value_enum, value_name = "VIEW", default_value_t = CompareView::Side, requires = "compare")]
    pub compare_view: CompareView,
    /// Animation of the second file, by number or name [default: the counterpart of the first file's animation, by name or number]
    #[arg(long, value_name = "B", requires = "compare")]
    pub compare_animation: Option<Selector>,
    /// Stretch the animation of the second file to the duration of the first
    #[arg(long, requires = "compare")]
    pub compare_stretch: bool,
    /// Seconds by which the second file is ahead
    #[arg(long, value_name = "S", default_value_t = 0.0, requires = "compare", allow_hyphen_values = true, value_parser = finite::<f64>)]
    pub compare_offset: f64,
}
