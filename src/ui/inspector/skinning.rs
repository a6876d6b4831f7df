//! The skin weights section: lists weights that may be mistakes. A click selects the joint, looks at the vertex and shows what
//! moves it. The checks run in the background when a file is opened.

use egui::{Align2, CursorIcon, Rect, Role, Sense, TextStyle, Ui, WidgetInfo, vec2};

use crate::camera::Orbit;
use crate::model::node::NodeIndex;
use crate::numbers;
use crate::session::inspect::weight_checks::{Faults, Listed};
use crate::session::names::NameStyle;
use crate::session::pick::vertex::{self, Vertex};
use crate::session::pose::solve::Posed;
use crate::session::view::selection::{self, How};
use crate::ui::commands::camera;
use crate::ui::context::Context;
use crate::ui::context::per_document::PerDocument;
use crate::ui::style::{text, theme};
use crate::ui::widgets::value_rows;

/// Maximum distance from the eye to the vertex, as a fraction of the model's radius.
const MAX_EYE_DISTANCE: f64 = 0.8;

/// The lines of the section, with the style of their names. They are made when the section is first opened, and when the style changes.
#[derive(Debug, Clone, Default)]
pub struct WeightsState {
    lines: PerDocument<Option<(NameStyle, Vec<Line>)>>,
}

/// A line of the list, and the target of a click on it.
#[derive(Debug, Clone)]
struct Line {
    name: String,
    /// The name with all its parts, for the tooltip and for screen readers.
    whole: String,
    value: String,
    leads_to: Option<LineTarget>,
}

/// The vertex or joint that a click on a line shows.
#[derive(Debug, Clone, Copy)]
enum LineTarget {
    Vertex(Vertex),
    Joint(NodeIndex),
}

/// Returns whether the section has anything to list.
pub fn has_weights(context: &Context) -> bool {
    context.document.model.nodes.iter().any(|node| node.skin.is_some() && node.mesh.is_some())
}

/// Draws the section.
pub fn weights_ui(ui: &mut Ui, state: &mut WeightsState, context: &mut Context, posed: &Posed) {
    let known = state.lines.get(context.document);
    let style = context.preferences.names;
    if known.as_ref().is_none_or(|(of, _)| *of != style) {
        *known = context.analyses.weight_checks().map(|faults| (style, lines(context, faults)));
    }
    // The lines are taken out of the state while they are drawn, since drawing needs the context.
    let Some((_, lines)) = known.take() else {
        value_rows::empty_ui(ui, "Checking weights...");
        return;
    };
    rows_ui(ui, context, posed, &lines);
    *state.lines.get(context.document) = Some((style, lines));
}

/// Draws the visible lines and goes to the one that is clicked.
fn rows_ui(ui: &mut Ui, context: &mut Context, posed: &Posed, lines: &[Line]) {
    if lines.is_empty() {
        value_rows::empty_ui(ui, "No issues found: at most 4 joints per vertex, weights sum to 1, every joint has weights.");
        return;
    }
    let (width, count) = (ui.available_width(), lines.len() as f32);
    let (all, _) = ui.allocate_exact_size(vec2(width, theme::INSPECTOR_ROW * count), Sense::hover());
    let in_sight = ui.clip_rect().y_range();
    let first = ((in_sight.min - all.top()) / theme::INSPECTOR_ROW).max(0.0) as usize;
    // Only the visible lines are drawn, because there may be thousands.
    for (i, line) in lines.iter().enumerate().skip(first) {
        let top = all.top() + i as f32 * theme::INSPECTOR_ROW;
        if top > in_sight.max {
            break;
        }
        let rect = Rect::from_x_y_ranges(all.x_range(), top..=top + theme::INSPECTOR_ROW);
        if line_ui(ui, i, line, rect) {
            line.leads_to.iter().for_each(|place| go_to(context, posed, *place));
        }
    }
}

/// Builds one line per suspicious weight.
fn lines(context: &Context, faults: &Faults) -> Vec<Line> {
    let mut lines = Vec::new();
    // Each kind of fault is a heading with the number of faults, then a line per fault.
    let head = |lines: &mut Vec<Line>, name: &str, count: usize| {
        if count > 0 {
            lines.push(Line { name: name.to_owned(), whole: name.to_owned(), value: numbers::grouped(count), leads_to: None });
        }
    };
    head(&mut lines, "More than 4 joints per vertex", faults.many.count);
    lines.extend(vertex_lines(context, &faults.many, |count| format!("{count} joints")));
    head(&mut lines, "Weights do not sum to 1", faults.uneven.count);
    lines.extend(vertex_lines(context, &faults.uneven, |sum| format!("sum {sum:.3}")));
    head(&mut lines, "Joints without weights", faults.idle.len());
    let joint = |&joint: &NodeIndex| {
        let (name, whole) = (context.node_name(joint).to_owned(), context.document.model.node(joint).label());
        Line { name, whole, value: String::new(), leads_to: Some(LineTarget::Joint(joint)) }
    };
    lines.extend(faults.idle.iter().map(joint));
    lines
}

/// One line per vertex, and one about those that are not listed.
fn vertex_lines<T>(context: &Context, listed: &Listed<T>, value: impl Fn(&T) -> String) -> Vec<Line> {
    let line = |(at, what): &(Vertex, T)| Line {
        name: format!("Vertex {} of {}", at.vertex, context.node_name(at.node)),
        whole: format!("Vertex {} of {}", at.vertex, context.document.model.node(at.node).label()),
        value: value(what),
        leads_to: Some(LineTarget::Vertex(*at)),
    };
    let mut lines: Vec<_> = listed.vertices.iter().map(line).collect();
    let more = listed.count - listed.vertices.len();
    if more > 0 {
        let name = format!("and {} more", numbers::grouped(more));
        lines.push(Line { whole: name.clone(), name, value: String::new(), leads_to: None });
    }
    lines
}

/// Draws one line. Returns whether it was clicked.
fn line_ui(ui: &Ui, number: usize, line: &Line, rect: Rect) -> bool {
    let palette = theme::palette(ui.ctx());
    let leads = line.leads_to.is_some();
    let sense = if leads { Sense::CLICK } else { Sense::hover() };
    let response = ui.interact(rect, ui.make_persistent_id(("weights", number)), sense);
    let accessible_name = match (&line.value[..], line.leads_to) {
        (_, Some(LineTarget::Joint(_))) => format!("{}: no weights", line.whole),
        ("", _) => line.whole.clone(),
        (value, _) => format!("{}: {value}", line.whole),
    };
    response.widget_info(|| WidgetInfo::labeled(if leads { Role::Button } else { Role::Label }, true, &accessible_name));
    if leads && (response.contains_pointer() || response.has_focus()) {
        ui.painter().rect_filled(rect, theme::RADIUS, palette.hover);
    }
    let font = TextStyle::Body.resolve(ui.style());
    let indent = if leads { 12.0 } else { 0.0 };
    let (color, faint) = if leads { (palette.text, palette.secondary) } else { (palette.secondary, palette.text) };
    let value = ui.painter().text(rect.right_center(), Align2::RIGHT_CENTER, &line.value, theme::number_font(), faint);
    let short = text::elide_middle(ui, &line.name, &font, rect.width() - indent - value.width() - 8.0);
    ui.painter().text(rect.left_center() + vec2(indent, 0.0), Align2::LEFT_CENTER, short, font, color);
    if !leads {
        return false;
    }
    response.on_hover_cursor(CursorIcon::PointingHand).on_hover_text(format!("{}\nClick to frame it", line.whole)).clicked()
}

/// Selects the joint, or the joint with the greatest weight on the vertex, and looks at it.
fn go_to(context: &mut Context, posed: &Posed, place: LineTarget) {
    let source = |node: NodeIndex| context.document.model.node(node).source;
    match place {
        LineTarget::Joint(joint) => {
            let joint = source(joint);
            selection::select(&mut context.view.selection, joint, How::Only);
            camera::fit(context, vec![joint]);
        }
        LineTarget::Vertex(at) => {
            let Some(probed) = vertex::probe(context.document, posed, at) else { return };
            let heaviest = probed.joints.first().map(|(joint, _)| source(*joint));
            heaviest.iter().for_each(|joint| selection::select(&mut context.view.selection, *joint, How::Only));
            context.window.marked_vertex = Some(at);
            if let Some(place) = probed.position {
                let near = context.analyses.bounds.radius() * MAX_EYE_DISTANCE;
                camera::steer(context, |orbit| Orbit { focus: place, distance: orbit.distance.min(near), ..*orbit });
            }
        }
    }
}
