//! A channel whose curves are shown: its names, colors, the survey of its keys, and its lines as cached meshes.

use std::sync::Arc;

use egui::epaint::{Mesh, TessellationOptions, Tessellator};
use egui::{Color32, Context, Stroke};

use crate::animation::curve::CurveQuantity;
use crate::animation::curve::survey::Survey;
use crate::model::Model;
use crate::model::animation::{Animation, Channel, Target};
use crate::model::node::NodeIndex;
use crate::numbers;
use crate::session::inspect::curves;
use crate::ui::style::theme;

use super::dash::Dash;
use super::hue;
use super::samples::Samples;
use super::value_axis::ValueAxis;

/// A channel of the animation with its curves.
#[derive(Debug, Clone)]
pub struct ShownChannel {
    /// The selected node for which the channel is shown. `None` if the channel drives no node.
    pub node: Option<NodeIndex>,
    /// Index into the animation's channels.
    pub index: usize,
    pub target: Target,
    /// The name of the animated property, such as "Translation".
    pub title: String,
    /// The unit of the channel's values. Empty if they have none.
    pub unit: &'static str,
    /// Number of decimals with which the values are shown.
    pub decimals: usize,
    /// One curve per component.
    pub curves: Vec<Curve>,
    /// Whether the curves belong to the first shown node, which is the active one if it has curves. The curves of other nodes are thinner
    /// and dimmed.
    pub is_primary: bool,
    /// The line style. It distinguishes the curves of different nodes.
    pub dash: Dash,
    /// The ranges of the channel's values. If the channel has many keys, finding the ranges takes several frames.
    pub survey: Survey,
    /// The channel's values at the columns of the plot.
    pub samples: Samples,
}

/// One component of a channel.
#[derive(Debug, Clone)]
pub struct Curve {
    /// The name of the component: "X", "Speed" or the name of a morph target.
    pub name: String,
    tint: Tint,
    /// The line as triangles, and the look that it was made for.
    line: Option<(Look, Arc<Mesh>)>,
}

/// Source of a curve's color.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Tint {
    /// The color of an axis: 0 to 3 for X, Y, Z, W.
    Axis(usize),
    /// A color derived from a number. Each number has a different color.
    Numbered(usize),
    /// The text color.
    Plain,
}

/// The values that determine the triangles of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Look {
    /// Revision of the samples.
    samples: u64,
    axis: ValueAxis,
    color: Color32,
    width: f32,
    pixels_per_point: f32,
}

impl ShownChannel {
    /// Makes at most `max_curves` curves of a channel. `node` is the selected node for which the channel is shown.
    pub fn new(
        model: &Model,
        animation: &Animation,
        index: usize,
        node: Option<NodeIndex>,
        quantity: CurveQuantity,
        max_curves: usize,
    ) -> Self {
        let channel = &animation.channels[index];
        let survey = Survey::new(channel, &animation.key_times[channel.key_times], quantity, max_curves);
        let curve = |part: usize| Curve {
            name: curves::part_name(model, channel, quantity, part),
            tint: match curves::axis(channel, quantity, part) {
                Some(axis) => Tint::Axis(axis),
                None if quantity.has_speed(channel) => Tint::Plain,
                // The index gives each channel with one component a different color.
                None => Tint::Numbered(if channel.components == 1 { index } else { part }),
            },
            line: None,
        };
        Self {
            node,
            index,
            target: channel.target,
            title: curves::title(model, channel.target),
            unit: curves::unit(channel, quantity),
            decimals: curves::decimals(channel, quantity),
            curves: (0..survey.parts()).map(curve).collect(),
            is_primary: false,
            dash: Dash::new(0),
            survey,
            samples: Samples::default(),
        }
    }

    /// The channel and its key times.
    pub fn data<'a>(&self, animation: &'a Animation) -> (&'a Channel, &'a [f32]) {
        let channel = &animation.channels[self.index];
        (channel, &animation.key_times[channel.key_times])
    }

    /// The name of the channel, followed by the name of the curve: "Translation X".
    pub fn curve_title(&self, part: usize) -> String {
        format!("{} {}", self.title, self.curves[part].name)
    }

    /// Formats a value of one of the curves, without its unit.
    pub fn number(&self, value: f64) -> String {
        if value.abs() >= 1e6 {
            return format!("{value:.2e}");
        }
        numbers::fixed(value, self.decimals)
    }

    /// Formats a value with its unit: `0.125 m`, `45.0°`.
    pub fn number_with_unit(&self, value: f64) -> String {
        format!("{}{}", self.number(value), unit_suffix(self.unit))
    }

    /// The color of a curve in the current theme.
    pub fn color(&self, ctx: &Context, part: usize) -> Color32 {
        let palette = theme::palette(ctx);
        match self.curves[part].tint {
            Tint::Axis(axis) => palette.axes[axis],
            Tint::Plain => palette.text,
            Tint::Numbered(number) => hue::numbered(number, palette.panel),
        }
    }

    /// The line of a curve as triangles. It is tessellated again only when its look changes.
    pub fn line(&mut self, ctx: &Context, part: usize, axis: ValueAxis, width: f32) -> Arc<Mesh> {
        let color = if self.is_primary { self.color(ctx, part) } else { self.color(ctx, part).gamma_multiply(0.6) };
        let look = Look { samples: self.samples.revision, axis, color, width, pixels_per_point: ctx.pixels_per_point() };
        let curve = &mut self.curves[part];
        match &curve.line {
            Some((previous_look, mesh)) if *previous_look == look => Arc::clone(mesh),
            _ => {
                let mesh = Arc::new(tessellated(&self.samples, part, look, self.dash));
                curve.line = Some((look, Arc::clone(&mesh)));
                mesh
            }
        }
    }
}

/// The unit as it is written after a number. The degree sign follows without a space.
pub fn unit_suffix(unit: &str) -> String {
    if unit.is_empty() || unit.starts_with('\u{00B0}') { unit.to_owned() } else { format!(" {unit}") }
}

/// Turns the samples of a curve into triangles.
fn tessellated(samples: &Samples, part: usize, look: Look, dash: Dash) -> Mesh {
    let mut mesh = Mesh::default();
    let mut tessellator = Tessellator::new(look.pixels_per_point, TessellationOptions::default(), [1, 1], Vec::new());
    for line in samples.lines(part, &look.axis) {
        for shape in dash.shapes(line, Stroke::new(look.width, look.color)) {
            tessellator.tessellate_shape(shape, &mut mesh);
        }
    }
    mesh
}
