//! The skinning section: lists skin weights that may be mistakes. A click on a line selects the joint and moves the camera to the vertex or
//! joint. The weights are checked in the background when a file is opened.

use egui::{Align2, CursorIcon, Rect, Role, Sense, TextStyle, Ui, WidgetInfo, vec2};

use crate::camera::Orbit;
use crate::model::node::NodeIndex;
use crate::numbers;
use crate::session::camera::view_camera;
use crate::session::inspect::weight_checks::{Faults, Listed};
use crate::session::names::NameStyle;
use crate::session::pick::vertex::{self, Vertex};
use crate::session::pose::solve::Posed;
use crate::session::view::selection::{self, SelectMode};
use crate::ui::commands::camera;
use crate::ui::context::Context;
use crate::ui::context::per_document::PerDocument;
use crate::ui::style::{text, theme};
use crate::ui::widgets::value_rows;

use super::clicked_row::ClickedRow;
use super::list_rows;

/// Maximum distance from the eye to the vertex, as a fraction of the model's radius.
const MAX_EYE_DISTANCE: f64 = 0.8;

/// The lines of the section, and the style of the names in them. The lines are made when the section is first opened, and again when the
/// style changes.
#[derive(Debug, Clone, Default)]
pub struct SkinningState {
    lines: PerDocument<Option<(NameStyle, Vec<Line>)>>,
    /// The line that was just clicked.
    clicked: Option<ClickedRow>,
}

/// A line of the list.
#[derive(Debug, Clone)]
struct Line {
    name: String,
    /// The full name, for the tooltip and for screen readers.
    whole: String,
    value: String,
    target: Option<LineTarget>,
}

/// The vertex or joint that a click on a line shows.
#[derive(Debug, Clone, Copy)]
enum LineTarget {
    Vertex(Vertex),
    Joint(NodeIndex),
}

/// Returns whether the model has a skinned mesh.
pub fn has_weights(context: &Context) -> bool {
    let model = &context.document.model;
    !model.skins.is_empty() && model.nodes.iter().any(|node| node.skin.is_some() && node.mesh.is_some())
}

/// Draws the section.
pub fn skinning_ui(ui: &mut Ui, state: &mut SkinningState, context: &mut Context, posed: &Posed) {
    let cached = state.lines.get(context.document);
    let style = context.preferences.names;
    if cached.as_ref().is_none_or(|(cached_style, _)| *cached_style != style) {
        *cached = context.analyses.known_weight_faults().map(|faults| (style, lines(context, faults)));
    }
    // The lines are taken out of the state while they are drawn, and put back afterwards.
    let Some((_, lines)) = cached.take() else {
        value_rows::note_ui(ui, "Checking weights...");
        return;
    };
    rows_ui(ui, &mut state.clicked, context, posed, &lines);
    *state.lines.get(context.document) = Some((style, lines));
}

/// Draws the visible lines. A click on a line shows its target.
fn rows_ui(ui: &mut Ui, clicked: &mut Option<ClickedRow>, context: &mut Context, posed: &Posed, lines: &[Line]) {
    if lines.is_empty() {
        value_rows::note_ui(ui, "No problems found: at most 4 joints per vertex, weights sum to 1, every joint has weights.");
        return;
    }
    if let Some(clicked) = clicked {
        clicked.keep_in_place(ui, ui.cursor().top() + clicked.index as f32 * theme::INSPECTOR_ROW_HEIGHT);
    }
    list_rows::rows_ui(ui, lines.len(), |ui, i, rect| {
        if line_ui(ui, i, &lines[i], rect) {
            *clicked = Some(ClickedRow::new(i, rect.top()));
            lines[i].target.iter().for_each(|target| go_to(context, posed, *target));
        }
    });
    *clicked = clicked.and_then(|clicked| clicked.next(ui));
}

/// Builds the list of probable mistakes.
fn lines(context: &Context, faults: &Faults) -> Vec<Line> {
    let mut lines = Vec::new();
    // Each kind of mistake has a heading with its number of mistakes, followed by a line for each mistake.
    let head = |lines: &mut Vec<Line>, name: &str, count: usize| {
        if count > 0 {
            lines.push(Line { name: name.to_owned(), whole: name.to_owned(), value: numbers::grouped(count), target: None });
        }
    };
    head(&mut lines, "More than 4 joints per vertex", faults.too_many_joints.count);
    lines.extend(vertex_lines(context, &faults.too_many_joints, |count| format!("{count} joints")));
    head(&mut lines, "Weights do not sum to 1", faults.unnormalized.count);
    lines.extend(vertex_lines(context, &faults.unnormalized, |sum| format!("sum {sum:.3}")));
    head(&mut lines, "Joints without weights", faults.joints_without_weights.len());
    let joint = |&joint: &NodeIndex| {
        let (name, whole) = (context.node_name(joint).to_owned(), context.document.model.node(joint).label());
        Line { name, whole, value: String::new(), target: Some(LineTarget::Joint(joint)) }
    };
    lines.extend(faults.joints_without_weights.iter().map(joint));
    lines
}

/// One line for each listed vertex, and a line with the number of vertices that are not listed.
fn vertex_lines<T>(context: &Context, listed: &Listed<T>, value: impl Fn(&T) -> String) -> Vec<Line> {
    let line = |(vertex, measure): &(Vertex, T)| Line {
        name: format!("Vertex {} of {}", vertex.vertex, context.node_name(vertex.node)),
        whole: format!("Vertex {} of {}", vertex.vertex, context.document.model.node(vertex.node).label()),
        value: value(measure),
        target: Some(LineTarget::Vertex(*vertex)),
    };
    let mut lines: Vec<_> = listed.vertices.iter().map(line).collect();
    let more = listed.count - listed.vertices.len();
    if more > 0 {
        let name = format!("and {} more", numbers::grouped(more));
        lines.push(Line { whole: name.clone(), name, value: String::new(), target: None });
    }
    lines
}

/// Draws one line. Returns whether it was clicked.
fn line_ui(ui: &Ui, number: usize, line: &Line, rect: Rect) -> bool {
    let palette = theme::palette(ui.ctx());
    let is_link = line.target.is_some();
    let sense = if is_link { Sense::CLICK } else { Sense::hover() };
    let response = ui.interact(rect, ui.make_persistent_id(("weights", number)), sense);
    let accessible_name = match (&line.value[..], line.target) {
        (_, Some(LineTarget::Joint(_))) => format!("{}: no weights", line.whole),
        ("", _) => line.whole.clone(),
        (value, _) => format!("{}: {value}", line.whole),
    };
    response.widget_info(|| WidgetInfo::labeled(if is_link { Role::Button } else { Role::Label }, true, &accessible_name));
    if is_link && (response.contains_pointer() || response.has_focus()) {
        ui.painter().rect_filled(rect, theme::RADIUS, palette.hover);
    }
    let font = TextStyle::Body.resolve(ui.style());
    let indent = if is_link { 12.0 } else { 0.0 };
    let (color, value_color) = if is_link { (palette.text, palette.secondary) } else { (palette.secondary, palette.text) };
    let value = ui.painter().text(rect.right_center(), Align2::RIGHT_CENTER, &line.value, theme::number_font(), value_color);
    let short = text::elide_middle(ui, &line.name, &font, rect.width() - indent - value.width() - 8.0);
    ui.painter().text(rect.left_center() + vec2(indent, 0.0), Align2::LEFT_CENTER, short, font, color);
    if !is_link {
        return false;
    }
    response.on_hover_cursor(CursorIcon::PointingHand).on_hover_text(format!("{}\nClick to frame it", line.whole)).clicked()
}

/// Selects the joint, or the joint with the greatest weight on the vertex, and moves the camera to the target.
fn go_to(context: &mut Context, posed: &Posed, target: LineTarget) {
    let source = |node: NodeIndex| context.document.model.node(node).source;
    match target {
        LineTarget::Joint(joint) => {
            let joint = source(joint);
            selection::select(&mut context.view.selection, joint, SelectMode::Only);
            camera::fit(context, vec![joint]);
        }
        LineTarget::Vertex(vertex) => {
            let Some(probed) = vertex::probe(context.document, posed, vertex) else { return };
            let heaviest = probed.joints.first().map(|(joint, _)| source(*joint));
            heaviest.iter().for_each(|joint| selection::select(&mut context.view.selection, *joint, SelectMode::Only));
            context.window.marked_vertex = Some(vertex);
            if let Some(position) = probed.position {
                let max_distance = context.analyses.bounds.radius() * MAX_EYE_DISTANCE;
                // The view stores the focus relative to the point that the camera follows.
                let focus = position - view_camera::followed(context.document, context.view.follow, posed);
                camera::change_orbit(context, |orbit| Orbit { focus, distance: orbit.distance.min(max_distance), ..*orbit });
            }
        }
    }
}
