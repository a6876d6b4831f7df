//! The choices that menus offer among several values, as named entries of the palette: "Theme: Dark". Values and labels come from
//! the tables of the menus.

use crate::session::names::NameStyle;
use crate::session::view::Repeat;
use crate::session::view::display::{JointNames, JointShape, Lighting, Shadow, Tonemap};
use crate::ui::actions::action::Category;
use crate::ui::commands::playback;
use crate::ui::context::Context;
use crate::ui::menus::content;
use crate::ui::preferences::{Navigation, RulerUnit, Snap, ThemeChoice};
use crate::ui::style::units::{LengthUnit, UpAxis};

/// A value that the user can choose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Choice {
    Theme(ThemeChoice),
    Navigation(Navigation),
    LengthUnit(LengthUnit),
    UpAxis(UpAxis),
    Lighting(Lighting),
    Shadow(Shadow),
    Tonemap(Tonemap),
    Background(Option<[u8; 3]>),
    JointShape(JointShape),
    JointNames(JointNames),
    NameStyle(NameStyle),
    Repeat(Repeat),
    /// In seconds.
    CrossFade(f64),
    Ruler(RulerUnit),
    Snap(Snap),
}

impl Choice {
    /// All choices and their names.
    pub fn all() -> impl Iterator<Item = (Self, String)> {
        let themes = ThemeChoice::ALL.map(|theme| (Self::Theme(theme), format!("Theme: {}", theme.label())));
        let navigations = Navigation::ALL.map(|navigation| (Self::Navigation(navigation), format!("Navigation: {}", navigation.label())));
        let lengths = LengthUnit::ALL.map(|unit| (Self::LengthUnit(unit), format!("Lengths in {}", unit.label().to_lowercase())));
        let ups = UpAxis::ALL.map(|up| (Self::UpAxis(up), format!("Upwards is {}", up.label())));
        let lightings = content::LIGHTINGS.map(|(label, lighting)| (Self::Lighting(lighting), format!("Light: {label}")));
        let shadows = content::SHADOWS.map(|(label, shadow)| (Self::Shadow(shadow), format!("Shadow: {label}")));
        let tonemaps = content::TONEMAPS.map(|(label, tonemap)| (Self::Tonemap(tonemap), format!("Tone map: {label}")));
        let backgrounds = content::BACKGROUNDS.map(|(label, color)| (Self::Background(color), format!("Background: {label}")));
        let shapes = content::JOINT_SHAPES.map(|(label, shape)| (Self::JointShape(shape), format!("Shape of joints: {label}")));
        let names = content::JOINT_NAMES.map(|(label, names)| (Self::JointNames(names), format!("Names of joints: {label}")));
        let styles = content::NAME_STYLES.map(|(label, style)| (Self::NameStyle(style), label.to_owned()));
        let repeats = playback::REPEATS.map(|repeat| (Self::Repeat(repeat), playback::repeat_label(repeat).to_owned()));
        let fades = content::CROSS_FADES.map(|(label, seconds)| (Self::CrossFade(seconds), format!("Cross-fade: {label}")));
        let rulers = RulerUnit::ALL.map(|unit| (Self::Ruler(unit), format!("Ruler: {}", unit.label().to_lowercase())));
        let snaps = Snap::ALL.map(|snap| (Self::Snap(snap), snap.label().to_owned()));
        let time = repeats.into_iter().chain(fades).chain(rulers).chain(snaps);
        let window = themes.into_iter().chain(navigations).chain(lengths).chain(ups);
        let display = lightings.into_iter().chain(shadows).chain(tonemaps).chain(backgrounds).chain(shapes).chain(names).chain(styles);
        window.chain(display).chain(time)
    }

    /// The section that the choice belongs to.
    pub fn category(self) -> Category {
        match self {
            Self::Theme(_) | Self::Navigation(_) | Self::LengthUnit(_) | Self::UpAxis(_) => Category::Window,
            Self::Lighting(_) | Self::Shadow(_) | Self::Tonemap(_) | Self::Background(_) => Category::Display,
            Self::JointShape(_) | Self::JointNames(_) | Self::NameStyle(_) => Category::Display,
            Self::Repeat(_) | Self::CrossFade(_) | Self::Ruler(_) | Self::Snap(_) => Category::Time,
        }
    }

    /// Whether this value is chosen now.
    pub fn is_on(self, context: &Context) -> bool {
        let (preferences, view) = (&context.preferences, &*context.view);
        match self {
            Self::Theme(theme) => preferences.theme == theme,
            Self::Navigation(navigation) => preferences.navigation == navigation,
            Self::LengthUnit(unit) => preferences.units.length == unit,
            Self::UpAxis(up) => preferences.units.up == up,
            Self::Lighting(lighting) => view.display.lighting == lighting,
            Self::Shadow(shadow) => view.display.shadow == shadow,
            Self::Tonemap(tonemap) => view.display.tonemap == tonemap,
            Self::Background(background) => view.display.background == background,
            Self::JointShape(shape) => view.display.joint_shape == shape,
            Self::JointNames(names) => view.display.names == names,
            Self::NameStyle(style) => preferences.names == style,
            Self::Repeat(repeat) => view.repeat == repeat,
            Self::CrossFade(seconds) => view.cross_fade == seconds,
            Self::Ruler(unit) => preferences.ruler == unit,
            Self::Snap(snap) => preferences.snap == snap,
        }
    }

    /// Sets the value.
    pub fn choose(self, context: &mut Context) {
        let (preferences, view) = (&mut context.preferences, &mut *context.view);
        match self {
            Self::Theme(theme) => preferences.theme = theme,
            Self::Navigation(navigation) => preferences.navigation = navigation,
            Self::LengthUnit(unit) => preferences.units.length = unit,
            Self::UpAxis(up) => preferences.units.up = up,
            Self::Lighting(lighting) => view.display.lighting = lighting,
            Self::Shadow(shadow) => view.display.shadow = shadow,
            Self::Tonemap(tonemap) => view.display.tonemap = tonemap,
            Self::Background(background) => view.display.background = background,
            Self::JointShape(shape) => view.display.joint_shape = shape,
            Self::JointNames(names) => view.display.names = names,
            Self::NameStyle(style) => preferences.names = style,
            Self::Repeat(repeat) => view.repeat = repeat,
            Self::CrossFade(seconds) => view.cross_fade = seconds,
            Self::Ruler(unit) => preferences.ruler = unit,
            Self::Snap(snap) => preferences.snap = snap,
        }
    }
}
