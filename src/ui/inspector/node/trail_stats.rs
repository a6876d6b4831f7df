//! Shows the active node's trail in numbers: the current speed, the maximum speed and its time, and the length of the path.

use std::sync::{Arc, Weak};

use egui::{Align, Layout, Ui};

use crate::model::node::NodeIndex;
use crate::session::motion::sampled::SampledMotion;
use crate::session::motion::trail;
use crate::session::motion::trail_measures::{self, TrailStats};
use crate::session::view::playback_range;
use crate::ui::commands::playback;
use crate::ui::context::Context;
use crate::ui::context::request::Request;
use crate::ui::style::time_text;
use crate::ui::style::{icons, theme};
use crate::ui::widgets::value_rows;

/// Label of the copy button.
const COPY_LABEL: &str = "Copy speed and path length";

/// The numbers of the trail. Times are in seconds, lengths in meters, speeds in meters per second.
struct Figures {
    node: NodeIndex,
    time: f64,
    /// Start and end of the whole path, in seconds.
    span: [f64; 2],
    speed: f64,
    stats: TrailStats,
}

/// The last measured path. It is kept between frames, because a long animation has many samples.
#[derive(Debug, Clone, Default)]
pub struct MeasuredTrail {
    motion: Weak<SampledMotion>,
    node: usize,
    span: [f64; 2],
    stats: Option<TrailStats>,
}

impl MeasuredTrail {
    /// The measures of a node's path over this span of time, in seconds. `None` if there is no path.
    fn stats(&mut self, motion: &Arc<SampledMotion>, node: usize, span: [f64; 2]) -> Option<TrailStats> {
        if !std::ptr::eq(self.motion.as_ptr(), Arc::as_ptr(motion)) || (self.node, self.span) != (node, span) {
            *self = Self { motion: Arc::downgrade(motion), node, span, stats: TrailStats::new(motion, node, span) };
        }
        self.stats
    }
}

/// Draws the rows. They appear only if there is a trail.
pub fn trail_stats_ui(ui: &mut Ui, measured: &mut MeasuredTrail, context: &mut Context, node: NodeIndex) {
    let Some(figures) = figures(measured, context, node) else { return };
    let (units, stats, range_hint) = (context.preferences.units, figures.stats, range_hint(context, figures.span));
    value_rows::count_ui(ui, "Speed", &units.speed(figures.speed)).on_hover_text("Current speed");
    value_rows::count_ui(ui, "Max speed", &units.speed(stats.top)).on_hover_text(&range_hint);
    value_rows::row_ui(ui, "", |ui| {
        fastest_ui(ui, context, stats.top_time);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if icons::button(ui, icons::COPY, COPY_LABEL).on_hover_text(COPY_LABEL).clicked() {
                context.requests.push(Request::CopyText(text(context, &figures)));
            }
        });
    });
    value_rows::count_ui(ui, "Path length", &units.distance(stats.distance)).on_hover_text(range_hint);
}

/// The numbers of the trail. `None` if there is no trail, or if its motion is still being sampled.
fn figures(measured: &mut MeasuredTrail, context: &Context, node: NodeIndex) -> Option<Figures> {
    let (model, moment) = (&context.document.model, context.transport.moment());
    let motion = context.analyses.motions.get_or_request(&trail::request(context.document, context.view, &moment)?)?;
    let time = moment.played_time(model, context.view);
    let span = playback_range::range_around(model, context.view, time);
    let speed = trail_measures::speed(&motion, node.index(), time)?;
    Some(Figures { node, time, span, speed, stats: measured.stats(&motion, node.index(), span)? })
}

/// Draws the time of the maximum speed. A click moves the playhead to this time. While only layers play over the rest pose, the time is not
/// a link.
fn fastest_ui(ui: &mut Ui, context: &mut Context, time: f64) {
    let label = time_text::time_text(context, time);
    if playback_range::duration(&context.document.model, context.view) <= 0.0 {
        ui.weak(label);
        return;
    }
    let accessible_name = format!("Go to max speed: {label}");
    if value_rows::named_link_ui(ui, &label, &accessible_name, theme::palette(ui.ctx()).accent).on_hover_text("Go to this time").clicked() {
        context.transport.pause();
        playback::seek(context, time);
    }
}

/// Describes the time range of the measured path.
fn range_hint(context: &Context, [from, to]: [f64; 2]) -> String {
    match playback_range::played_duration(&context.document.model, context.view) {
        duration if to - from >= duration => "Over the whole animation".to_owned(),
        _ => format!("Over the range, from {from:.3} s to {to:.3} s"),
    }
}

/// The text for the clipboard, with all digits.
fn text(context: &Context, figures: &Figures) -> String {
    let (units, node) = (context.preferences.units, context.document.model.node(figures.node));
    let [speed, top, length] = [figures.speed, figures.stats.top, figures.stats.distance].map(|meters| (meters * units.per_meter()) as f32);
    let [time, top_time, from, to] = [figures.time, figures.stats.top_time, figures.span[0], figures.span[1]].map(|time| time as f32);
    let unit = units.length.symbol();
    format!(
        "{} (node {})\nspeed {speed} {unit}/s at {time} s\nmax speed {top} {unit}/s at {top_time} s\npath length {length} {unit} from {from} s to {to} s\n",
        node.label(),
        node.source
    )
}
