//! The values that menus offer for a setting, as named entries of the palette: "Theme: Dark". The values and their labels come from the
//! tables that the menus use.

use crate::check::profile::Profile;
use crate::numbers::counted;
use crate::session::camera::lens;
use crate::session::names::NameStyle;
use crate::session::view::Repeat;
use crate::session::view::display::{JointNames, JointShape, Lighting, Shadow, Tonemap};
use crate::ui::actions::entry::Category;
use crate::ui::choices;
use crate::ui::commands::camera;
use crate::ui::context::Context;
use crate::ui::context::preferences::{Navigation, RulerUnit, Snap, ThemeChoice};
use crate::units::{LengthUnit, UpAxis};

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
    /// The number of instances in the crowd.
    Crowd(u32),
    JointShape(JointShape),
    JointNames(JointNames),
    /// In millimeters.
    FocalLength(f64),
    NameStyle(NameStyle),
    Repeat(Repeat),
    /// In seconds.
    CrossFade(f64),
    Ruler(RulerUnit),
    Snap(Snap),
    /// The engine that files are checked for.
    CheckProfile(Profile),
}

impl Choice {
    /// All choices and their names.
    pub fn all() -> impl Iterator<Item = (Self, String)> {
        let themes = ThemeChoice::ALL.map(|theme| (Self::Theme(theme), format!("Theme: {}", theme.label())));
        let navigations = Navigation::ALL.map(|navigation| (Self::Navigation(navigation), format!("Navigation: {}", navigation.label())));
        let lengths = LengthUnit::ALL.map(|unit| (Self::LengthUnit(unit), format!("Length unit: {}", unit.label().to_lowercase())));
        let ups = UpAxis::ALL.map(|up| (Self::UpAxis(up), format!("Up axis: {}", up.label())));
        let lightings = choices::LIGHTINGS.map(|(label, lighting)| (Self::Lighting(lighting), format!("Lighting: {label}")));
        let shadows = choices::SHADOWS.map(|(label, shadow)| (Self::Shadow(shadow), format!("Shadow: {label}")));
        let tonemaps = choices::TONEMAPS.map(|(label, tonemap)| (Self::Tonemap(tonemap), format!("Tone mapping: {label}")));
        let backgrounds = choices::BACKGROUNDS.map(|(label, color)| (Self::Background(color), format!("Background: {label}")));
        let crowds = choices::CROWD_SIZES.map(|count| (Self::Crowd(count), format!("Crowd: {}", counted(count as usize, "instance"))));
        let shapes = choices::JOINT_SHAPES.map(|(label, shape)| (Self::JointShape(shape), format!("Joint shape: {label}")));
        let names = choices::JOINT_NAMES.map(|(label, names)| (Self::JointNames(names), format!("Joint names: {label}")));
        let styles = choices::NAME_STYLES.map(|(label, style)| (Self::NameStyle(style), label.to_owned()));
        let focal_lengths = lens::PRESETS.map(|preset| (Self::FocalLength(preset), format!("Focal length: {preset} mm")));
        let repeats = choices::REPEATS.map(|(label, repeat)| (Self::Repeat(repeat), format!("Loop mode: {label}")));
        let fades = choices::CROSS_FADES.map(|(label, seconds)| (Self::CrossFade(seconds), format!("Cross-fade: {label}")));
        let rulers = RulerUnit::ALL.map(|unit| (Self::Ruler(unit), unit.label().to_owned()));
        let snaps = Snap::ALL.map(|snap| (Self::Snap(snap), snap.label().to_owned()));
        let time = repeats.into_iter().chain(fades).chain(rulers).chain(snaps);
        let window = themes.into_iter().chain(navigations).chain(lengths).chain(ups);
        let display =
            lightings.into_iter().chain(shadows).chain(tonemaps).chain(backgrounds).chain(crowds).chain(shapes).chain(names).chain(styles);
        let profiles = Profile::ALL.map(|profile| (Self::CheckProfile(profile), format!("Check profile: {}", profile.entry().label)));
        window.chain(display).chain(focal_lengths).chain(time).chain(profiles)
    }

    /// The section that the choice belongs to.
    pub fn category(self) -> Category {
        match self {
            Self::Theme(_) | Self::Navigation(_) | Self::LengthUnit(_) | Self::UpAxis(_) => Category::Window,
            Self::Lighting(_) | Self::Shadow(_) | Self::Tonemap(_) | Self::Background(_) | Self::Crowd(_) => Category::Display,
            Self::JointShape(_) | Self::JointNames(_) | Self::NameStyle(_) => Category::Display,
            Self::FocalLength(_) => Category::Camera,
            Self::CheckProfile(_) => Category::File,
            Self::Repeat(_) | Self::CrossFade(_) | Self::Ruler(_) | Self::Snap(_) => Category::Time,
        }
    }

    /// Returns whether this value is chosen now.
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
            Self::Crowd(count) => view.display.crowd == count,
            Self::JointShape(shape) => view.display.joint_shape == shape,
            Self::JointNames(names) => view.display.names == names,
            Self::FocalLength(preset) => lens::round_focal_length(camera::yfov(context)) == Some(preset),
            Self::NameStyle(style) => preferences.names == style,
            Self::Repeat(repeat) => view.repeat == repeat,
            Self::CrossFade(seconds) => view.cross_fade == seconds,
            Self::Ruler(unit) => preferences.ruler == unit,
            Self::Snap(snap) => preferences.snap == snap,
            Self::CheckProfile(profile) => preferences.check_profile == profile,
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
            Self::Crowd(count) => view.display.crowd = count,
            Self::JointShape(shape) => view.display.joint_shape = shape,
            Self::JointNames(names) => view.display.names = names,
            Self::FocalLength(preset) => camera::set_focal_length(context, preset),
            Self::NameStyle(style) => preferences.names = style,
            Self::Repeat(repeat) => view.repeat = repeat,
            Self::CrossFade(seconds) => view.cross_fade = seconds,
            Self::Ruler(unit) => preferences.ruler = unit,
            Self::Snap(snap) => preferences.snap = snap,
            Self::CheckProfile(profile) => preferences.check_profile = profile,
        }
    }
}
