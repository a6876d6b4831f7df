//! The comparison section. It compares the open document (A) with another one (B). It has the controls for B, the distances and angles of
//! the joints, and the differences that do not depend on time.

use egui::{Button, Checkbox, CursorIcon, Rect, Role, Sense, Ui, WidgetInfo, vec2};

use crate::compare::Comparison;
use crate::compare::counterpart::CompareView;
use crate::compare::differences::{Difference, MAX_LISTED};
use crate::compare::measure::JointError;
use crate::compare::text;
use crate::compare::vertices::VertexErrors;
use crate::model::node::NodeIndex;
use crate::numbers::{self, three_digits};
use crate::session::names::Names;
use crate::session::view::selection::{self, SelectMode};
use crate::ui::actions::Action;
use crate::ui::commands::playback;
use crate::ui::context::Context;
use crate::ui::context::comparison::{CompareChoices, CompareStatus, NO_COUNTERPARTS, NOT_COMPARABLE, OtherAnimation};
use crate::ui::widgets::{combo_box, number_field, value_rows};
use crate::units::Units;

use super::list_rows::{self, Row};

/// The layouts, with the labels and tooltips of their buttons.
const LAYOUTS: [(&str, CompareView, &str); 3] = [
    ("Side by side", CompareView::Side, "A on the left, B on the right, drawn with the same camera"),
    ("Overlay", CompareView::Overlay, "B as a ghost over A"),
    ("Difference", CompareView::Difference, "A, colored by its distance to B"),
];
/// Largest offset, in seconds.
const MAX_OFFSET: f64 = 3600.0;
/// Maximum number of joints in the list while it is folded.
const MAX_FOLDED_JOINTS: usize = 12;
/// Maximum number of unmatched nodes per file in the list while it is folded.
const MAX_FOLDED_UNMATCHED: usize = 4;
/// Maximum number of entries in the list of differences.
const MAX_DIFFERENCES: usize = 40;
/// Space between the parts of the section, in points.
const GAP: f32 = 4.0;

/// Draws the section.
pub fn comparison_ui(ui: &mut Ui, context: &mut Context) {
    let Some(status) = context.comparison.as_deref() else { return };
    let (found, is_measuring, names) = (status.found.clone(), status.is_measuring, status.names.clone());
    let choices = choices_ui(ui, context, status);
    if let Some(status) = context.comparison.as_deref_mut() {
        status.choices = choices;
    }
    match found {
        None if is_measuring => value_rows::note_ui(ui, "Measuring..."),
        None => value_rows::note_ui(ui, "This comparison cannot be measured."),
        Some(found) => {
            if is_measuring {
                value_rows::note_ui(ui, "Measuring...");
            }
            summary_ui(ui, context, &found);
            joints_ui(ui, context, &found);
            unmatched_ui(ui, context, &names, &found);
            differences_ui(ui, &found);
        }
    }
    ui.add_space(GAP);
    ui.horizontal(|ui| {
        for action in [Action::SwapCompared, Action::StopComparing] {
            let reason = action.disabled_reason(context);
            let button = ui.add_enabled(reason.is_none(), Button::new(action.label()));
            if button.on_disabled_hover_text(reason.unwrap_or_default()).clicked() {
                context.actions.push(action);
            }
        }
    });
}

/// Edits the layout, the animation of B, and how times of B map to times of A. Returns the new choices.
fn choices_ui(ui: &mut Ui, context: &Context, status: &CompareStatus) -> CompareChoices {
    let mut choices = status.choices;
    value_rows::text_ui(ui, "A", &status.side_names[0]);
    value_rows::text_ui(ui, "B", &status.side_names[1]);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        for (label, layout, tooltip) in LAYOUTS {
            ui.selectable_value(&mut choices.layout, layout, label).on_hover_text(tooltip);
        }
    });
    if context.document.model.existing_animation(context.view.animation).is_none() {
        return choices;
    }
    let shown = status.other_animation(&context.document.model, context.view);
    if !status.model.animations.is_empty() {
        value_rows::control_ui(ui, "Animation of B", |ui| {
            let chosen = shown.map_or("None", |shown| status.names.animation(shown)).to_owned();
            combo_box::combo_ui(ui, "Animation of B", ui.available_width(), &chosen, |ui| {
                ui.selectable_value(&mut choices.animation, OtherAnimation::Counterpart, "As A");
                for animation in 0..status.model.animations.len() {
                    let label = status.names.animation(animation);
                    ui.selectable_value(&mut choices.animation, OtherAnimation::Chosen(animation), label);
                }
            });
        });
        let timing = &mut choices.timing;
        value_rows::control_ui(ui, "Stretch B", |ui| {
            let stretch = ui.add(Checkbox::without_text(&mut timing.stretch));
            stretch.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, timing.stretch, "Stretch B"));
            stretch.on_hover_text("Stretch B to the duration of A");
        });
        value_rows::control_ui(ui, "Offset of B", |ui| {
            let value =
                number_field::with_decimals(&mut timing.offset, 3).min_decimals(0).speed(0.01).range(-MAX_OFFSET..=MAX_OFFSET).suffix(" s");
            let offset = ui.add(value);
            offset.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, "Offset of B"));
            offset.on_hover_text("Seconds by which B is ahead");
        });
    }
    if shown.is_none() {
        value_rows::note_ui(ui, "B has no matching animation, so it stays in its rest pose.");
    }
    choices
}

/// Shows the largest distances and angles.
fn summary_ui(ui: &mut Ui, context: &mut Context, found: &Comparison) {
    let units = context.preferences.units;
    if found.measured.joints.is_empty() {
        for label in ["Largest joint distance", "Largest joint angle"] {
            value_rows::count_ui(ui, label, NOT_COMPARABLE).on_hover_text(NO_COUNTERPARTS);
        }
    } else {
        largest_ui(ui, units, found);
    }
    match &found.vertices {
        Some(vertices) => vertex_row_ui(ui, context, vertices),
        None => {
            value_rows::count_ui(ui, "Vertices", NOT_COMPARABLE)
                .on_hover_text("The files have different triangles, or list them in a different order");
        }
    }
}

/// Shows the largest distance and angle of all joints.
fn largest_ui(ui: &mut Ui, units: Units, found: &Comparison) {
    let distance = text::small_distance(units, found.measured.distance_max);
    let height = found.height.filter(|height| *height > 0.0 && found.measured.distance_max > 0.0);
    let share = height.map_or(String::new(), |height| format!(" ({} %)", three_digits(found.measured.distance_max / height * 100.0)));
    value_rows::count_ui(ui, "Largest joint distance", &format!("{distance}{share}"))
        .on_hover_text("Between a joint of A and of B, also as a share of the height of A");
    value_rows::count_ui(ui, "Largest joint angle", &degrees(found.measured.angle_max));
}

/// Shows the largest distance of vertices. A click selects the node with this vertex and goes to the time of the distance.
fn vertex_row_ui(ui: &mut Ui, context: &mut Context, vertices: &VertexErrors) {
    let value = text::small_distance(context.preferences.units, vertices.distance_max);
    let row = value_rows::count_ui(ui, "Largest vertex distance", &value).on_hover_text("Between the same vertices of both files");
    let Some(node) = context.document.model.nodes.get(vertices.node.index()).filter(|_| vertices.distance_max > 0.0) else { return };
    let location = format!("Vertex {} of {}, at {:.3} s", vertices.vertex, context.node_name(vertices.node), vertices.time);
    let row = row.interact(Sense::CLICK).on_hover_cursor(CursorIcon::PointingHand).on_hover_text(format!("{location}\nClick to go there"));
    row.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Largest vertex distance: {value}")));
    if row.clicked() {
        go_to(context, node.source, vertices.time);
    }
}

/// Lists the nodes without a counterpart.
fn unmatched_ui(ui: &mut Ui, context: &mut Context, names_of_b: &Names, found: &Comparison) {
    value_rows::count_ui(ui, "Matched nodes", &numbers::grouped(found.measured.joints.len()));
    let only_a: Vec<NodeIndex> = found.node_pairs.only_in_a().collect();
    let only_b: Vec<NodeIndex> = found.node_pairs.only_in_b().collect();
    let names = context.preferences.names;
    list_ui(ui, "Only in A", only_a.len(), |ui, i, rect| {
        let Some(node) = context.document.model.nodes.get(only_a[i].index()) else { return };
        let name = context.node_name(only_a[i]).to_owned();
        let selected = context.view.selection.contains(&node.source);
        let row = Row { name: &name, value: "only in A", selected, details: "", accessible_name: &format!("{name}: only in A") };
        if list_rows::row_ui(ui, rect, ("only in A", i), &row).clicked() {
            selection::select(&mut context.view.selection, node.source, SelectMode::Only);
        }
    });
    list_ui(ui, "Only in B", only_b.len(), |ui, i, rect| {
        let name = names_of_b.node(only_b[i], names);
        let row = Row { name, value: "only in B", selected: false, details: "", accessible_name: &format!("{name}: only in B") };
        list_rows::row_ui(ui, rect, ("only in B", i), &row);
    });
}

/// Draws a count and the first rows of a list. The other rows are drawn when the list is unfolded. Draws nothing if the list is empty.
fn list_ui(ui: &mut Ui, label: &str, count: usize, mut row: impl FnMut(&mut Ui, usize, Rect)) {
    if count == 0 {
        return;
    }
    value_rows::count_ui(ui, label, &numbers::grouped(count));
    let first = count.min(MAX_FOLDED_UNMATCHED);
    list_rows::rows_ui(ui, first, &mut row);
    if value_rows::more_ui(ui, label, count - first, "nodes") {
        list_rows::rows_ui(ui, count - first, |ui, i, rect| row(ui, first + i, rect));
    }
}

/// Formats a non-negative angle in degrees with three significant digits.
fn degrees(angle: f64) -> String {
    format!("{}\u{b0}", three_digits(angle))
}

/// Lists the joints, largest distance first. A click selects a joint and goes to the time of its largest distance.
fn joints_ui(ui: &mut Ui, context: &mut Context, found: &Comparison) {
    let differing = found.measured.joints.partition_point(|joint| joint.distance_max > 0.0 || joint.angle_max > 0.0);
    if differing == 0 {
        let reason = if found.measured.joints.is_empty() { NO_COUNTERPARTS } else { "All joints move alike." };
        value_rows::note_ui(ui, reason);
        return;
    }
    let joints = &found.measured.joints[..differing];
    let first = differing.min(MAX_FOLDED_JOINTS);
    list_rows::rows_ui(ui, first, |ui, i, rect| joint_row_ui(ui, context, rect, &joints[i]));
    if value_rows::more_ui(ui, "more joints", differing - first, "joints") {
        list_rows::rows_ui(ui, differing - first, |ui, i, rect| joint_row_ui(ui, context, rect, &joints[first + i]));
    }
}

/// Draws the row of a joint.
fn joint_row_ui(ui: &mut Ui, context: &mut Context, rect: Rect, joint: &JointError) {
    let Some(node) = context.document.model.nodes.get(joint.a.index()) else { return };
    let name = context.node_name(joint.a).to_owned();
    let value = format!("{}, {}", text::small_distance(context.preferences.units, joint.distance_max), degrees(joint.angle_max));
    let accessible_name = format!("{name}: {value}");
    let selected = context.view.selection.contains(&node.source);
    let mean = text::small_distance(context.preferences.units, joint.distance_mean);
    let details = format!("mean {mean}, largest at {:.3} s", joint.time);
    let row = Row { name: &name, value: &value, selected, details: &details, accessible_name: &accessible_name };
    let response = list_rows::row_ui(ui, rect, ("compared", joint.a.index()), &row);
    if response.clicked() {
        go_to(context, node.source, joint.time);
    }
}

/// Selects a node, by its index in the file, and pauses at a time in seconds.
fn go_to(context: &mut Context, node: usize, time: f64) {
    selection::select(&mut context.view.selection, node, SelectMode::Only);
    context.transport.pause();
    playback::seek(context, time);
}

/// Lists the differences that do not depend on time, such as those of meshes and materials.
fn differences_ui(ui: &mut Ui, found: &Comparison) {
    ui.add_space(GAP);
    // Nodes without a counterpart are listed separately, above.
    let is_listed = |difference: &&Difference| !difference.code.starts_with("NODE_ONLY_IN");
    let differences: Vec<_> = found.differences.iter().filter(is_listed).collect();
    if differences.is_empty() {
        value_rows::note_ui(ui, "Nothing else differs.");
        return;
    }
    let count = |differences: &[&Difference]| differences.iter().map(|difference| difference.count()).sum::<usize>();
    value_rows::note_ui(ui, &format!("Other differences ({}):", numbers::grouped(count(&differences))));
    ui.spacing_mut().item_spacing.y = GAP;
    let (shown, others) = differences.split_at(differences.len().min(MAX_DIFFERENCES));
    for difference in shown {
        let message = match difference.unlisted {
            Some(unlisted) => format!("and {} more ({})", numbers::grouped(unlisted), difference.code),
            None => difference.message.clone(),
        };
        ui.add(egui::Label::new(message).wrap()).on_hover_text(difference.code);
    }
    if !others.is_empty() {
        let more = numbers::grouped(count(others));
        value_rows::note_ui(ui, &format!("and {more} more; sinew diff lists up to {MAX_LISTED} of each kind"));
    }
}
