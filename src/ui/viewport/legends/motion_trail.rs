//! The legend that explains the colors of motion trails.

use egui::{Align2, FontId, Painter, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::session::camera::screen::ScreenProjection;
use crate::session::document::Document;
use crate::session::motion::sampled::SampledMotion;
use crate::session::motion::{trail, trail_measures};
use crate::session::view::View;
use crate::ui::context::Context;
use crate::ui::style::numbers;
use crate::ui::style::theme::{self, Palette};
use crate::ui::style::units::Units;

use super::plate::{self, BAR};

const ROW: f32 = 15.0;

/// Text of the legend.
pub struct Legend {
    /// Greatest speed, in meters per second.
    top: f64,
    /// Units of the text.
    units: Units,
    frames_between_dots: Option<usize>,
}

impl Legend {
    /// Makes the legend. `None` if the picture is too small.
    pub fn new(document: &Document, view: &View, motion: &SampledMotion, sight: &ScreenProjection, units: Units) -> Option<Self> {
        plate::fits(sight.size).then(|| Self {
            top: trail::top_speed(motion, &trail::nodes(&document.model, view)),
            units,
            frames_between_dots: trail_measures::frames_between(document, view, motion, sight),
        })
    }

    /// Text of a fraction of the greatest speed.
    fn speed(&self, share: f64) -> String {
        numbers::three_digits(self.top * share * self.units.per_metre())
    }

    fn dots(&self) -> String {
        match self.frames_between_dots {
            None if self.top <= 0.0 => "no motion".to_owned(),
            None => "no dots".to_owned(),
            Some(1) => "one dot per frame".to_owned(),
            Some(frames) => format!("one dot per {frames} frames"),
        }
    }
}

/// Draws the legend if there is a trail, and returns its rectangle. `other` is the legend in the other lower corner.
pub fn legend_ui(ui: &mut Ui, context: &Context, viewport: Rect, sight: &ScreenProjection, other: Option<Rect>) -> Option<Rect> {
    let moment = context.transport.moment();
    let course = trail::request(context.document, context.view, &moment)?;
    let motion = context.analyses.motions.get_or_request(&course)?;
    let legend = Legend::new(context.document, context.view, &motion, sight, context.preferences.units)?;
    let plate = plate(viewport, other);
    let response = ui.interact(plate, ui.make_persistent_id("speed legend"), Sense::hover());
    let unit = legend.units.length.label().to_lowercase();
    let accessible_name = format!("Speed from 0 to {} {unit} per second, {}", legend.speed(1.0), legend.dots());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &accessible_name));
    paint(&ui.painter_at(viewport), theme::palette(ui.ctx()), plate, &legend);
    Some(plate)
}

/// Paints the legend. It needs no panels, so screenshots show the same.
pub fn paint(painter: &Painter, palette: &Palette, plate: Rect, legend: &Legend) {
    let font = FontId::proportional(11.0);
    plate::paint_plate(painter, palette, plate);
    let inner = plate::content(plate);
    let text = |at, align: Align2, text: String, color| painter.text(at, align, text, font.clone(), color);
    text(inner.left_top(), Align2::LEFT_TOP, format!("Speed, {}/s", legend.units.length.symbol()), palette.text);
    text(inner.right_top(), Align2::RIGHT_TOP, legend.dots(), palette.secondary);
    let bar = Rect::from_min_size(inner.min + vec2(0.0, ROW + 2.0), vec2(inner.width(), BAR.y));
    painter.add(plate::gradient(bar, &palette.speeds));
    for (share, align) in [(0.0, Align2::LEFT_BOTTOM), (0.5, Align2::CENTER_BOTTOM), (1.0, Align2::RIGHT_BOTTOM)] {
        let at = pos2(bar.left() + share as f32 * bar.width(), inner.bottom());
        text(at, align, legend.speed(share), palette.secondary);
    }
}

/// The legend's rectangle in the lower right corner of a picture.
pub fn plate(picture: Rect, other: Option<Rect>) -> Rect {
    plate::plate_above(picture, Align2::RIGHT_BOTTOM, vec2(BAR.x + 32.0, 2.0 * ROW + BAR.y + 4.0), other)
}
