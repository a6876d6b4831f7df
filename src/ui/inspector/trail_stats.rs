//! The active node's trail in numbers: how fast it is now, how fast it gets and when, and how long its way is.

use std::sync::{Arc, Weak};

use egui::{Align, Layout, Ui};

use crate::model::node::NodeIndex;
use crate::session::motion::sampled::SampledMotion;
use crate::session::motion::trail;
use crate::session::motion::trail_measures::{self, TrailStats};
use crate::session::view::playback_range;
use crate::ui::commands::playback;
use crate::ui::style::{icons, theme};
use crate::ui::timeline::transport_bar;
use crate::ui::{Context, Request};

use super::value_rows;

const COPY: &str = "Copy speed and path";

/// What there is to say at a time.
struct Figures {
    node: NodeIndex,
    time: f64,
    /// Seconds: of all that the way is.
    span: [f64; 2],
    speed: f64,
    way: TrailStats,
}

/// The way that was measured last: a long animation has many moments.
#[derive(Debug, Clone, Default)]
pub struct Measured {
    motion: Weak<SampledMotion>,
    node: usize,
    span: [f64; 2],
    way: Option<TrailStats>,
}

impl Measured {
    fn of(&mut self, motion: &Arc<SampledMotion>, node: usize, span: [f64; 2]) -> Option<TrailStats> {
        if !std::ptr::eq(self.motion.as_ptr(), Arc::as_ptr(motion)) || (self.node, self.span) != (node, span) {
            *self = Self { motion: Arc::downgrade(motion), node, span, way: TrailStats::new(motion, node, span) };
        }
        self.way
    }
}

/// Where there is a trail.
pub fn way_ui(ui: &mut Ui, frame: &mut Context, node: NodeIndex) {
    let Some(figures) = figures(frame, node) else { return };
    let (units, way, over) = (frame.state.preferences.units, figures.way, over(frame, figures.span));
    value_rows::count_ui(ui, "Speed", &units.speed(figures.speed)).on_hover_text("Now, in the colour that the trail has here");
    value_rows::count_ui(ui, "Fastest", &units.speed(way.top)).on_hover_text(&over);
    value_rows::row_ui(ui, "", |ui| {
        fastest_ui(ui, frame, way.top_time);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if icons::button(ui, icons::COPY, COPY).on_hover_text(COPY).clicked() {
                frame.commands.push(Request::CopyText(text(frame, &figures)));
            }
        });
    });
    value_rows::count_ui(ui, "Path length", &units.way(way.distance)).on_hover_text(over);
}

/// None: no trail, or its motion is on its way.
fn figures(frame: &mut Context, node: NodeIndex) -> Option<Figures> {
    let (model, moment) = (&frame.document.model, frame.transport.moment());
    let motion = frame.analyses.motions.get_or_request(&trail::request(frame.document, frame.view, &moment)?)?;
    let time = moment.played_time(model, frame.view);
    let span = playback_range::range_around(model, frame.view, time);
    let speed = trail_measures::speed(&motion, node.index(), time)?;
    Some(Figures { node, time, span, speed, way: frame.state.way.of(&motion, node.index(), span)? })
}

/// When it is the fastest; a click goes there. Layers that play over the rest pose cannot be gone to.
fn fastest_ui(ui: &mut Ui, frame: &mut Context, time: f64) {
    let at = transport_bar::time_text(frame, time);
    if playback_range::duration(&frame.document.model, frame.view) <= 0.0 {
        ui.weak(at);
        return;
    }
    let said = format!("Go to where it is the fastest: {at}");
    if value_rows::said_link_ui(ui, &at, &said, theme::palette(ui.ctx()).accent).on_hover_text("Go there").clicked() {
        playback::seek_along(frame, time);
    }
}

fn over(frame: &Context, [from, to]: [f64; 2]) -> String {
    match playback_range::played_duration(&frame.document.model, frame.view) {
        duration if to - from >= duration => "Over the whole animation".to_owned(),
        _ => format!("Over the range, from {from:.3} s to {to:.3} s"),
    }
}

/// With all digits.
fn text(frame: &Context, figures: &Figures) -> String {
    let (units, node) = (frame.state.preferences.units, frame.document.model.node(figures.node));
    let [speed, top, length] = [figures.speed, figures.way.top, figures.way.distance].map(|metres| (metres * units.per_metre()) as f32);
    let [now, top_time, from, to] = [figures.time, figures.way.top_time, figures.span[0], figures.span[1]].map(|time| time as f32);
    let unit = units.length.symbol();
    format!(
        "{} (node {})\nspeed {speed} {unit}/s at {now} s\nfastest {top} {unit}/s at {top_time} s\npath length {length} {unit} from {from} s to {to} s\n",
        node.label(),
        node.source
    )
}
