//! The foot contact lanes: one lane per foot, with a bar per contact that shows how far the supporting joint slides. A contact across the
//! loop seam has two bars with the same text. A click on a bar selects the foot and moves the playhead to the start of the bar; a click on
//! a name only selects the foot.

use std::sync::Arc;

use egui::{Align2, CursorIcon, FontId, Label, Rect, Response, Role, Sense, Stroke, StrokeKind, TextStyle, Ui, WidgetInfo, pos2, vec2};
use glam::DVec2;

use crate::captions;
use crate::model::node::NodeIndex;
use crate::numbers::counted;
use crate::session::locomotion::Locomotion;
use crate::session::locomotion::foot_contact::Contact;
use crate::session::view::selection::{self, SelectMode};
use crate::ui::commands::playback;
use crate::ui::context::Context;
use crate::ui::style::{contact_colors, text, theme, time_text};
use crate::ui::timeline::message_ui;
use crate::ui::timeline::time_axis::TimeAxis;
use crate::ui::timeline::track_area::TrackArea;
use crate::units::Units;

// Height of a lane in a model with up to two feet, and in a model with more, in points.
const LANE_HEIGHT: f32 = theme::TREE_ROW_HEIGHT;
const LOW_LANE_HEIGHT: f32 = 18.0;
/// Maximum number of lanes shown without scrolling.
const MAX_SHOWN_LANES: usize = 4;
/// Gap above and below a bar, in points.
const GAP: f32 = 2.0;
/// If a lane has more visible bars than this, its bars are drawn but not clickable.
const MAX_CLICKABLE_CONTACTS: usize = 200;

/// Height of the lanes that are shown without scrolling, in points. 0 if foot contacts are not shown. Without feet, there is one lane for a
/// message.
pub fn height(context: &Context) -> f32 {
    if !context.view.display.contacts {
        return 0.0;
    }
    let feet = context.analyses.locomotion.rig(context.document, context.view).feet.len();
    feet.clamp(1, MAX_SHOWN_LANES) as f32 * lane_height(feet)
}

/// The height of a lane in a model with this number of feet, in points.
fn lane_height(feet: usize) -> f32 {
    if feet > 2 { LOW_LANE_HEIGHT } else { LANE_HEIGHT }
}

/// Draws the lanes.
pub fn contacts_ui(ui: &mut Ui, scrolled: &mut f32, context: &mut Context, locomotion: Option<&Arc<Locomotion>>, area: &TrackArea) {
    let &TrackArea { names, tracks, axis } = area;
    let Some(locomotion) = locomotion else { return message_ui(ui, tracks, "Calculating...") };
    if locomotion.feet.is_empty() {
        return message_ui(ui, tracks, "No feet detected: no joint touches the ground in the rest pose");
    }
    let all = context.analyses.locomotion.contacts(locomotion, context.view);
    let lane_height = lane_height(locomotion.feet.len());
    area.scroll(ui, scrolled, locomotion.feet.len() as f32 * lane_height);
    let offset = *scrolled;
    for (foot, contacts) in all.iter().enumerate() {
        let top = names.top() + foot as f32 * lane_height - offset;
        let lane = |rect: Rect| Rect::from_x_y_ranges(rect.x_range(), top..=top + lane_height).intersect(rect);
        let (name, track) = (lane(names), lane(tracks));
        if name.height() <= 0.0 {
            continue;
        }
        name_ui(ui, context, locomotion, foot, contacts, name);
        FootLane { locomotion, foot, track, axis }.contacts_ui(ui, context, contacts);
        ui.painter().hline(names.left()..=tracks.right(), track.bottom(), ui.visuals().widgets.noninteractive.bg_stroke);
    }
}

/// Draws the name of a foot and its greatest slide.
fn name_ui(ui: &Ui, context: &mut Context, locomotion: &Locomotion, foot: usize, contacts: &[Contact], rect: Rect) {
    let node = &context.document.model.nodes[locomotion.feet[foot].node];
    let (label, source) = (node.label(), node.source);
    let (palette, units) = (theme::palette(ui.ctx()), context.preferences.units);
    let worst = contacts.iter().max_by(|a, b| a.slide.total_cmp(&b.slide));
    let max_slide = worst.map(|contact| units.distance(contact.slide));
    let mut short = max_slide.as_ref().map_or("no contacts".to_owned(), |slide| format!("max slide {slide}"));
    let mut facts = vec![match contacts.len() {
        0 => "no contacts".to_owned(),
        count => counted(count, "contact"),
    }];
    if let Some(max_slide) = &max_slide {
        let total = units.distance(contacts.iter().map(|contact| contact.slide).sum());
        facts.extend([format!("max slide {max_slide}"), format!("total slide {total}")]);
    }
    let response = ui.interact(rect, ui.scope_id().with(("foot", foot)), Sense::click()).on_hover_cursor(CursorIcon::PointingHand);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Foot {label}: {}", facts.join(", "))));
    let painter = ui.painter_at(rect);
    if context.view.selection.contains(&source) {
        painter.rect_filled(rect, 0.0, palette.selection);
    } else if response.hovered() {
        painter.rect_filled(rect, 0.0, palette.hover);
    }
    let (font, small) = (TextStyle::Body.resolve(ui.style()), FontId::proportional(11.0));
    let color = worst.map_or(palette.secondary, |contact| contact_colors::color(palette, contact.severity(locomotion.size)));
    let node = NodeIndex(locomotion.feet[foot].node as u32);
    let width = |text: &str, font: &FontId| painter.layout_no_wrap(text.to_owned(), font.clone(), color).size().x;
    // If the name is long, the words before the number are left out.
    if width(context.node_name(node), &font) + width(&short, &small) + 3.0 * theme::MARGIN > rect.width() {
        short = max_slide.unwrap_or(short);
    }
    let right = pos2(rect.right() - theme::MARGIN, rect.center().y);
    let slide = painter.text(right, Align2::RIGHT_CENTER, short, small, color);
    let left = pos2(rect.left() + theme::MARGIN, rect.center().y);
    let name = context.fit_node_name(node, &captions::text::fits(ui.ctx(), &font, slide.left() - left.x - 8.0));
    painter.text(left, Align2::LEFT_CENTER, name, font, palette.text);
    if response.clicked() {
        selection::select(&mut context.view.selection, source, SelectMode::Only);
    }
    text::tooltip_above(&response, Label::new(format!("{label}\n{}{}", facts.join("\n"), legend(units, locomotion.size))));
}

/// The meanings of the colors, as the end of a tooltip.
fn legend(units: Units, size: f64) -> String {
    let lines = contact_colors::meanings(units, size).map(|(_, color, meaning)| format!("{color}: {meaning}"));
    format!("\n\n{}\n{}", lines.join("\n"), contact_colors::shares())
}

/// The lane of a foot.
struct FootLane<'a> {
    locomotion: &'a Locomotion,
    /// Index into [`Locomotion::feet`].
    foot: usize,
    track: Rect,
    axis: &'a TimeAxis,
}

impl FootLane<'_> {
    /// Draws the bars of the contacts, and handles clicks on them.
    fn contacts_ui(&self, ui: &Ui, context: &mut Context, contacts: &[Contact]) {
        let [from, to] = self.axis.span;
        let parts = contacts.iter().flat_map(|contact| contact.parts.iter().map(move |part| (contact, part)));
        let visible = parts.enumerate().filter(|(_, (_, part))| self.time(part.last) >= from && self.time(part.first) <= to);
        let visible: Vec<_> = visible.collect();
        for &(number, (contact, part)) in &visible {
            let span = self.axis.x(self.time(part.first))..=self.axis.x(self.time(part.last));
            let bar = Rect::from_x_y_ranges(span, self.track.y_range()).shrink2(vec2(0.0, GAP)).intersect(self.track);
            let response = (visible.len() <= MAX_CLICKABLE_CONTACTS).then(|| self.response(ui, context, number, contact, bar));
            self.paint(ui, context, contact, bar, response.as_ref());
            if response.is_some_and(|response| response.clicked()) {
                context.transport.pause();
                playback::seek(context, self.time(part.first));
                let source = context.document.model.nodes[self.locomotion.feet[self.foot].node].source;
                selection::select(&mut context.view.selection, source, SelectMode::Only);
            }
        }
    }

    /// The time of a sample, in seconds.
    fn time(&self, sample: usize) -> f64 {
        self.locomotion.times[sample]
    }

    /// Makes a bar clickable, with a tooltip.
    fn response(&self, ui: &Ui, context: &Context, number: usize, contact: &Contact, bar: Rect) -> Response {
        let response = ui.interact(bar, ui.scope_id().with(("contact", self.foot, number)), Sense::click());
        let name = context.document.model.nodes[self.locomotion.feet[self.foot].node].label();
        let text = |sample: usize| time_text::time_text(context, self.time(sample));
        let ends = contact.parts.first().zip(contact.parts.last()).map_or([0, 0], |(first, last)| [first.first, last.last]);
        let [from, to] = ends.map(text);
        let seam = if contact.parts.len() > 1 { " across the loop seam" } else { "" };
        let units = context.preferences.units;
        let slide = units.distance(contact.slide);
        response
            .widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{name}: contact from {from} to {to}{seam}, slide {slide}")));
        let seconds = contact.seconds(&self.locomotion.times);
        let mut hint = format!(
            "{name}: contact of {seconds:.3} s{seam}\nfrom {from}\nto {to}\nslide {slide}, average {}",
            units.speed(contact.slide / seconds)
        );
        if contact.node != self.locomotion.feet[self.foot].node {
            hint += &format!("\nsupporting joint {}", context.document.model.nodes[contact.node].label());
        }
        if self.locomotion.ground_velocity != DVec2::ZERO {
            hint += &format!("\nground speed {}", units.speed(self.locomotion.ground_velocity.length()));
        }
        hint += &legend(units, self.locomotion.size);
        text::tooltip_above(&response, Label::new(hint));
        response.on_hover_cursor(CursorIcon::PointingHand)
    }

    /// Paints a bar, and the slide if there is space for it.
    fn paint(&self, ui: &Ui, context: &Context, contact: &Contact, bar: Rect, response: Option<&Response>) {
        let (painter, palette) = (ui.painter_at(self.track), theme::palette(ui.ctx()));
        let color = contact_colors::color(palette, contact.severity(self.locomotion.size));
        let is_highlighted = response.is_some_and(|response| response.hovered() || response.has_focus());
        painter.rect_filled(bar, 3.0, color.gamma_multiply(if is_highlighted { 0.55 } else { 0.3 }));
        painter.rect_stroke(bar, 3.0, Stroke::new(1.0, color), StrokeKind::Inside);
        let slide = context.preferences.units.distance(contact.slide);
        let galley = painter.layout_no_wrap(slide, FontId::proportional(11.0), palette.text);
        if galley.size().x + 8.0 < bar.width() {
            painter.galley(bar.center() - galley.size() / 2.0, galley, palette.text);
        }
    }
}
