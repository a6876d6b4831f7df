//! When feet stand: a lane for each foot, with a bar for every contact and how far the foot slides in it. A click on a bar goes to
//! where it begins, a click on a name selects the foot.

use std::sync::Arc;

use egui::{Align2, Color32, CursorIcon, FontId, Rect, Response, Role, Sense, Stroke, StrokeKind, TextStyle, Ui, WidgetInfo, pos2, vec2};
use glam::DVec2;

use crate::session::contact::{Contact, Slide};
use crate::session::gait::Gait;
use crate::session::selection::{self, How};
use crate::ui::theme::Palette;
use crate::ui::time_axis::TimeAxis;
use crate::ui::{Frame, playing, text, theme, transport_row};

use super::{length, said, speed_text};

/// Of up to four feet, and of more.
const ROW: f32 = theme::TREE_ROW;
const LOW_ROW: f32 = 14.0;
/// A lane with more contacts in sight shows them, but they are too close to be pointed at.
const MOST: usize = 200;

/// Of all lanes; 0 where there are none.
pub fn height(frame: &Frame) -> f32 {
    if !frame.view.display.contacts {
        return 0.0;
    }
    let feet = frame.document.gaits.walker(frame.document, frame.view).feet.len();
    feet.max(1) as f32 * row(feet)
}

fn row(feet: usize) -> f32 {
    if feet > 4 { LOW_ROW } else { ROW }
}

pub fn contacts_ui(ui: &mut Ui, frame: &mut Frame, gait: Option<&Arc<Gait>>, [names, tracks]: [Rect; 2], axis: &TimeAxis) {
    let Some(gait) = gait else { return said(ui, tracks, "On its way...") };
    if gait.feet.is_empty() {
        return said(ui, tracks, "No feet were found: nothing of this model comes down to the ground where it rests");
    }
    let standing = frame.document.gaits.standing(gait, frame.view.display.contact_sensitivity);
    let high = row(gait.feet.len());
    for (foot, contacts) in standing.contacts.iter().enumerate() {
        let of_foot = |rect: Rect| Rect::from_min_size(pos2(rect.left(), rect.top() + foot as f32 * high), vec2(rect.width(), high));
        let (name, track) = (of_foot(names).intersect(names), of_foot(tracks).intersect(tracks));
        name_ui(ui, frame, gait, foot, contacts, name);
        let lane = Lane { gait, foot, drift: standing.drift, track, axis };
        lane.contacts_ui(ui, frame, contacts);
        ui.painter().hline(names.left()..=tracks.right(), track.bottom(), ui.visuals().widgets.noninteractive.bg_stroke);
    }
}

/// The foot, and the longest way that it slides.
fn name_ui(ui: &Ui, frame: &mut Frame, gait: &Gait, foot: usize, contacts: &[Contact], rect: Rect) {
    let node = &frame.document.model.nodes[gait.feet[foot].node];
    let (label, source) = (node.label(), node.source);
    let palette = theme::palette(ui.ctx());
    let worst = contacts.iter().max_by(|a, b| a.slide.total_cmp(&b.slide));
    let slides = worst.map_or("never stands".to_owned(), |contact| length(frame, contact.slide));
    let response = ui.interact(rect, ui.scope_id().with(("foot", foot)), Sense::click()).on_hover_cursor(CursorIcon::PointingHand);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Foot {label}: {} contacts, slides {slides}", contacts.len())));
    let painter = ui.painter_at(rect);
    if frame.view.selection.contains(&source) {
        painter.rect_filled(rect, 0.0, palette.selection);
    } else if response.hovered() {
        painter.rect_filled(rect, 0.0, palette.hover);
    }
    let (font, small) = (TextStyle::Body.resolve(ui.style()), FontId::proportional(11.0));
    let color = worst.map_or(palette.secondary, |contact| color(palette, contact, gait.size));
    let at = pos2(rect.right() - theme::MARGIN, rect.center().y);
    let right = painter.text(at, Align2::RIGHT_CENTER, &slides, small, color);
    let left = pos2(rect.left() + theme::MARGIN, rect.center().y);
    let short = text::elide_middle(ui, &label, &font, right.left() - left.x - 8.0);
    painter.text(left, Align2::LEFT_CENTER, short, font, palette.text);
    if response.clicked() {
        selection::select(&mut frame.view.selection, source, How::Only);
    }
    text::tooltip_above(&response, &format!("{label}\n{} contacts; the longest slide is the number", contacts.len()));
}

fn color(palette: &Palette, contact: &Contact, size: f64) -> Color32 {
    match contact.slide(size) {
        Slide::Unseen => palette.good,
        Slide::Slight => palette.warning,
        Slide::Plain => palette.error,
    }
}

struct Lane<'a> {
    gait: &'a Gait,
    foot: usize,
    drift: DVec2,
    track: Rect,
    axis: &'a TimeAxis,
}

impl Lane<'_> {
    fn contacts_ui(&self, ui: &Ui, frame: &mut Frame, contacts: &[Contact]) {
        let time = |moment: usize| self.gait.times[moment];
        let [from, to] = self.axis.span;
        let seen = contacts.iter().enumerate().filter(|(_, contact)| time(contact.last) >= from && time(contact.first) <= to);
        let seen: Vec<_> = seen.collect();
        for &(number, contact) in &seen {
            let span = self.axis.x(time(contact.first))..=self.axis.x(time(contact.last));
            let bar = Rect::from_x_y_ranges(span, self.track.y_range()).shrink2(vec2(0.0, 3.0)).intersect(self.track);
            let response = (seen.len() <= MOST).then(|| self.response(ui, frame, (number, contact), bar));
            self.paint(ui, frame, contact, bar, response.as_ref());
            if response.is_some_and(|response| response.clicked()) {
                frame.transport.pause();
                playing::seek(frame, time(contact.first));
                let source = frame.document.model.nodes[self.gait.feet[self.foot].node].source;
                selection::select(&mut frame.view.selection, source, How::Only);
            }
        }
    }

    fn response(&self, ui: &Ui, frame: &Frame, (number, contact): (usize, &Contact), bar: Rect) -> Response {
        let response = ui.interact(bar, ui.scope_id().with(("contact", self.foot, number)), Sense::click());
        let name = frame.document.model.nodes[self.gait.feet[self.foot].node].label();
        let [from, to] = [contact.first, contact.last].map(|moment| transport_row::time_text(frame, self.gait.times[moment]));
        let slide = length(frame, contact.slide);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{name} stands from {from} to {to}, slides {slide}")));
        let seconds = self.gait.times[contact.last] - self.gait.times[contact.first];
        let mut about = format!(
            "{name} stands {seconds:.3} s\nfrom {from}\nto {to}\nslides {slide}, {} on average",
            speed_text(frame, contact.slide / seconds)
        );
        if self.drift != DVec2::ZERO {
            about += &format!("\nover ground that runs at {}", speed_text(frame, self.drift.length()));
        }
        text::tooltip_above(&response, &about);
        response.on_hover_cursor(CursorIcon::PointingHand)
    }

    fn paint(&self, ui: &Ui, frame: &Frame, contact: &Contact, bar: Rect, response: Option<&Response>) {
        let (painter, palette) = (ui.painter_at(self.track), theme::palette(ui.ctx()));
        let color = color(palette, contact, self.gait.size);
        let hot = response.is_some_and(|response| response.hovered() || response.has_focus());
        painter.rect_filled(bar, 3.0, color.gamma_multiply(if hot { 0.55 } else { 0.3 }));
        painter.rect_stroke(bar, 3.0, Stroke::new(1.0, color), StrokeKind::Inside);
        let galley = painter.layout_no_wrap(length(frame, contact.slide), FontId::proportional(11.0), palette.text);
        if galley.size().x + 8.0 < bar.width() {
            painter.galley(bar.center() - galley.size() / 2.0, galley, palette.text);
        }
    }
}
