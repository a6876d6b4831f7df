//! Parses the values of flags: sizes, points, colors, times, rates.

use std::ffi::OsStr;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command, ValueEnum};
use glam::DVec3;

use crate::render::picture::Msaa;
use crate::session::MAX_PICTURE_SIDE;
use crate::session::camera::lens;
use crate::session::contact_sheet::Grid;
use crate::session::time::clip;
use crate::session::view::overlay::Overlay;

/// Maximum number of columns and of rows of a contact sheet.
const MAX_GRID_SIDE: u32 = 64;
/// The value of `--sheet` for the grid with the largest tiles, which is also the default.
pub const BEST_GRID: &str = "best";

/// Width and height in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size(pub u32, pub u32);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.parse::<u32>().ok().filter(|n| (1..=MAX_PICTURE_SIDE).contains(n));
        text.split_once('x')
            .and_then(|(width, height)| Some(Self(number(width)?, number(height)?)))
            .ok_or_else(|| format!("expected WIDTHxHEIGHT, each 1 to {MAX_PICTURE_SIDE}, as in 1024x768"))
    }
}

/// Columns and rows of a contact sheet. `None` selects the grid with the largest tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SheetGrid(pub Option<Grid>);

impl FromStr for SheetGrid {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == BEST_GRID {
            return Ok(Self(None));
        }
        let number = |text: &str| text.parse::<u32>().ok().filter(|n| (1..=MAX_GRID_SIDE).contains(n));
        text.split_once('x')
            .and_then(|(columns, rows)| Some(Self(Some(Grid { columns: number(columns)?, rows: number(rows)? }))))
            .ok_or_else(|| format!("expected COLUMNSxROWS, each 1 to {MAX_GRID_SIDE}, as in 4x3"))
    }
}

/// A point or a direction: three numbers separated by commas.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Triple(pub DVec3);

impl FromStr for Triple {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Vec<f64> = text.split(',').map_while(|part| part.trim().parse().ok().filter(|n: &f64| n.is_finite())).collect();
        match numbers[..] {
            [x, y, z] if text.split(',').count() == 3 => Ok(Self(DVec3::new(x, y, z))),
            _ => Err("expected three numbers, as in 0,1.5,-3".into()),
        }
    }
}

/// A time range in seconds. `None` stands for the animation's own start or end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// Start in seconds.
    pub start: Option<f64>,
    /// End in seconds.
    pub end: Option<f64>,
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || "expected seconds as in 0.5..2; either side may be left out".to_owned();
        let (start, end) = text.split_once("..").ok_or_else(expected)?;
        let side = |text: &str| if text.trim().is_empty() { Ok(None) } else { finite(text.trim()).map(Some).map_err(|_| expected()) };
        let span = Self { start: side(start)?, end: side(end)? };
        match (span.start.unwrap_or(0.0), span.end) {
            (start, _) if start < 0.0 => Err("a range cannot start before 0".into()),
            (start, Some(end)) if end < start => Err(format!("{end} is before {start}")),
            _ => Ok(span),
        }
    }
}

/// An sRGB color, as in 2A2D33.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rgb(pub [u8; 3]);

impl FromStr for Rgb {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.strip_prefix('#').unwrap_or(text);
        match u32::from_str_radix(digits, 16) {
            Ok(value) if digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()) => {
                Ok(Self([(value >> 16) as u8, (value >> 8) as u8, value as u8]))
            }
            _ => Err("expected six hexadecimal digits, as in 2A2D33".into()),
        }
    }
}

/// The vertices that `sinew pose` prints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Vertices {
    /// Every vertex.
    All,
    /// These vertices, by index in the file.
    These(Vec<usize>),
}

impl FromStr for Vertices {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "all" {
            return Ok(Self::All);
        }
        let numbers: Result<Vec<usize>, _> = text.split(',').map(|part| part.trim().parse()).collect();
        numbers.map(Self::These).map_err(|_| "expected all, or vertex numbers, as in 0,7,12".into())
    }
}

/// A parser of overlays, for which `none` is `None`.
pub fn overlay_parser() -> impl TypedValueParser<Value = Option<Overlay>> {
    let none = PossibleValue::new("none").help("No overlays, not even those of a view file");
    let names = std::iter::once(none).chain(Overlay::value_variants().iter().filter_map(Overlay::to_possible_value));
    Trimmed(PossibleValuesParser::new(names).map(|name| Overlay::from_str(&name, false).ok()))
}

/// Parses a word of a list as another parser does, but without the blanks around it.
#[derive(Debug, Clone)]
struct Trimmed<P>(P);

impl<P: TypedValueParser> TypedValueParser for Trimmed<P> {
    type Value = P::Value;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<P::Value, clap::Error> {
        self.0.parse_ref(command, argument, value.to_str().map_or(value, |text| OsStr::new(text.trim())))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.0.possible_values()
    }
}

/// Parses a number that is neither infinite nor NaN. It may have spaces around it, as in a list.
pub fn finite<T: FromStr + Copy + Into<f64>>(text: &str) -> Result<T, String> {
    text.trim().parse().ok().filter(|&number: &T| number.into().is_finite()).ok_or_else(|| "expected a number".into())
}

/// Parses a frame rate, in frames per second.
pub fn parse_fps(text: &str) -> Result<f64, String> {
    between(text, clip::RATES, "frames per second")
}

/// Parses the duration of a turntable, in seconds per revolution.
pub fn parse_turntable(text: &str) -> Result<f64, String> {
    between(text, clip::TURNTABLE_DURATIONS, "seconds")
}

/// Parses a number from `min` to `max`. `what` names it in the error.
fn between(text: &str, [min, max]: [f64; 2], what: &str) -> Result<f64, String> {
    finite(text).ok().filter(|number| (min..=max).contains(number)).ok_or_else(|| format!("expected {what}, from {min} to {max}"))
}

/// Parses a vertical field of view, in degrees.
pub fn parse_yfov(text: &str) -> Result<f64, String> {
    finite(text).ok().filter(|degrees| (0.01..180.0).contains(degrees)).ok_or_else(|| "expected degrees, from 0.01 to less than 180".into())
}

/// Parses a focal length, in millimeters.
pub fn parse_focal_length(text: &str) -> Result<f64, String> {
    between(text, lens::FOCAL_LENGTHS, "millimeters")
}

/// Parses a tolerance: a number that is not negative.
pub fn parse_tolerance(text: &str) -> Result<f64, String> {
    finite(text).ok().filter(|number| *number >= 0.0).ok_or_else(|| "expected a number of 0 or more".into())
}

/// Parses a whole number from `MIN` to `MAX`.
pub fn integer<const MIN: u32, const MAX: u32>(text: &str) -> Result<u32, String> {
    text.parse().ok().filter(|number| (MIN..=MAX).contains(number)).ok_or_else(|| format!("expected a whole number from {MIN} to {MAX}"))
}

/// Parses an index of the file.
pub fn parse_index(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "expected a whole number of 0 or more".into())
}

/// Parses the number of samples per pixel.
pub fn parse_msaa(text: &str) -> Result<Msaa, String> {
    match text {
        "1" => Ok(Msaa::One),
        "4" => Ok(Msaa::Four),
        _ => Err("expected 1 or 4".into()),
    }
}
