//! Draws one layer: its name, mode, weight and switches, the targets that it shares with other animations, and its details if they are
//! open. Edits change a copy of the layer. At the end, the copy replaces the layer of the view.

use egui::{Align, Layout, Margin, Role, Sense, Slider, TextStyle, Ui, WidgetInfo, vec2};

use crate::captions;
use crate::model::Model;
use crate::numbers;
use crate::session::view::layers::{Layer, Mode};
use crate::ui::actions::availability;
use crate::ui::choices::REPEATS;
use crate::ui::context::Context;
use crate::ui::style::{icons, text, theme};
use crate::ui::widgets::{combo_box, number_field, slider, value_rows};

/// The modes of a layer, with their labels.
const MODES: [(&str, Mode); 2] = [("Override", Mode::Override), ("Additive", Mode::Additive)];
// Widths of controls, in points.
const MODE_WIDTH: f32 = 88.0;
const NUMBER_WIDTH: f32 = 40.0;
/// Minimum and maximum speed of a layer, as factors. At speed 0, the layer's time does not advance.
const SPEEDS: [f64; 2] = [-4.0, 4.0];
/// Maximum number of nodes that the tooltip of a mask names.
const MAX_NAMED_NODES: usize = 8;
/// Maximum offset in either direction, in seconds: one day.
const MAX_OFFSET: f64 = 86_400.0;

/// The targets that a layer shares with other animations, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// "12 targets also driven by Walk" or "12 targets also driven by 2 others".
    pub line: String,
    /// The targets, and the effective share of each animation.
    pub named: String,
}

/// Draws the layer at this position. Returns whether to remove it.
pub fn layer_ui(ui: &mut Ui, conflict: Option<&Conflict>, context: &mut Context, number: usize) -> bool {
    let Some(mut layer) = context.view.layers.get(number).cloned() else { return false };
    let mut removed = false;
    let name = context.layer_name(&layer);
    let title = format!("layer {}, {name}", number + 1);
    // Details that have just been opened are scrolled into view.
    let was_open = context.window.open_layer == Some(number);
    egui::Frame::new().inner_margin(Margin { left: 4, right: 8, top: 0, bottom: 6 }).show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 2.0);
        removed = title_ui(ui, context, &mut layer, number, &name);
        weight_ui(ui, context, &mut layer, &title);
        if let Some(conflict) = conflict {
            conflict_ui(ui, conflict);
        }
        if context.window.open_layer == Some(number) {
            let details = egui::Frame::new().inner_margin(Margin { left: 24, ..Margin::ZERO });
            let shown = details.show(ui, |ui| details_ui(ui, context, &mut layer, &title)).response;
            if !was_open {
                shown.scroll_to_me(None);
            }
        }
    });
    if let Some(stored) = context.view.layers.get_mut(number).filter(|stored| **stored != layer) {
        *stored = layer;
    }
    removed
}

/// Draws the chevron, name, mute button and remove button. Returns whether to remove the layer.
fn title_ui(ui: &mut Ui, context: &mut Context, layer: &mut Layer, number: usize, name: &str) -> bool {
    let (palette, title) = (theme::palette(ui.ctx()), format!("layer {}, {name}", number + 1));
    let mut removed = false;
    ui.horizontal(|ui| {
        let open = context.window.open_layer == Some(number);
        let (icon, verb) = if open { (icons::CHEVRON_DOWN, "Close") } else { (icons::CHEVRON_RIGHT, "Open") };
        if icons::button(ui, icon, &format!("{verb} details of {title}")).on_hover_text("Speed, offset, range, joints").clicked() {
            context.window.open_layer = (!open).then_some(number);
        }
        let font = TextStyle::Body.resolve(ui.style());
        let room = ui.available_width() - 2.0 * (icons::BUTTON_SIDE + 4.0);
        let color = if layer.muted { palette.disabled } else { palette.text };
        let (rect, response) = ui.allocate_exact_size(vec2(room.max(0.0), theme::CONTROL_HEIGHT), Sense::hover());
        let animation = context.document.model.existing_animation(Some(layer.animation));
        let short = animation.map_or(name.to_owned(), |animation| {
            context.document.names.fit_animation(animation, &captions::text::fits(ui.ctx(), &font, room))
        });
        ui.painter().text(rect.left_center(), egui::Align2::LEFT_CENTER, short, font, color);
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("Layer {}: {name}", number + 1)));
        text::tooltip_beside(response, name);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            removed = icons::button(ui, icons::CLOSE, &format!("Remove {title}")).on_hover_text("Remove").clicked();
            let (icon, verb) = if layer.muted { (icons::HIDDEN, "Unmute") } else { (icons::VISIBLE, "Mute") };
            if icons::button(ui, icon, &format!("{verb} {title}")).on_hover_text(verb).clicked() {
                layer.muted = !layer.muted;
            }
        });
    });
    removed
}

/// Draws the mode and the weight.
fn weight_ui(ui: &mut Ui, context: &mut Context, layer: &mut Layer, title: &str) {
    ui.horizontal(|ui| {
        ui.add_space(icons::BUTTON_SIDE);
        combo_box::values_ui(ui, &format!("Mode of {title}"), MODE_WIDTH, &MODES, &mut layer.mode);
        ui.spacing_mut().slider_width = (ui.available_width() - NUMBER_WIDTH - 8.0).max(24.0);
        let slider = Slider::new(&mut layer.weight, 0.0..=1.0).show_value(false);
        let slider = slider::slider_ui(ui, &mut context.window.list_focused, slider);
        slider.accessible_name(format!("Weight of {title}")).on_hover_text("Weight");
        let number = number_field::with_decimals(&mut layer.weight, 2).range(0.0..=1.0).speed(0.005);
        ui.add_sized(vec2(NUMBER_WIDTH, theme::CONTROL_HEIGHT), number).accessible_name(format!("Weight value of {title}"));
    });
}

/// Draws a line about the targets that other animations also drive. Its tooltip lists them.
fn conflict_ui(ui: &mut Ui, conflict: &Conflict) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 18.0), Sense::hover());
    let palette = theme::palette(ui.ctx());
    let font = TextStyle::Small.resolve(ui.style());
    let left = rect.left() + icons::BUTTON_SIDE + 4.0;
    let (_, place) = rect.split_left_right_at_x(left);
    let short = text::elide_middle(ui, &conflict.line, &font, place.width());
    ui.painter().text(place.left_center(), egui::Align2::LEFT_CENTER, short, font, palette.secondary);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &conflict.line));
    text::tooltip_beside(response, &format!("{}\n{}", conflict.line, conflict.named));
}

/// Draws the details: speed, offset, loop mode, range, reference and joints.
fn details_ui(ui: &mut Ui, context: &Context, layer: &mut Layer, title: &str) {
    let duration = context.document.model.animation_duration(Some(layer.animation));
    value_rows::control_ui(ui, "Speed", |ui| {
        let value = number_field::with_decimals(&mut layer.speed, 2).range(SPEEDS[0]..=SPEEDS[1]).speed(0.01).suffix("x");
        ui.add(value).accessible_name(format!("Speed of {title}")).on_hover_text("Multiplies the playback speed; negative plays backward");
    });
    value_rows::control_ui(ui, "Offset", |ui| {
        let range = -MAX_OFFSET..=MAX_OFFSET;
        let value = number_field::with_decimals(&mut layer.offset, 3).range(range).speed(0.01).suffix(" s");
        ui.add(value).accessible_name(format!("Offset of {title}")).on_hover_text("Time in the layer at playback time 0");
    });
    value_rows::control_ui(ui, "Loop mode", |ui| {
        let width = ui.available_width();
        combo_box::values_ui(ui, &format!("Loop mode of {title}"), width, &REPEATS, &mut layer.repeat);
    });
    value_rows::control_ui(ui, "Range", |ui| range_ui(ui, layer, duration, title));
    if layer.mode == Mode::Additive {
        value_rows::control_ui(ui, "Reference", |ui| reference_ui(ui, context, layer, duration, title));
    }
    value_rows::control_ui(ui, "Joints", |ui| mask_ui(ui, context, layer, title));
}

/// Edits the in and out points. A range that covers the whole animation is stored as `None`.
fn range_ui(ui: &mut Ui, layer: &mut Layer, duration: f64, title: &str) {
    let [mut start, mut end] = layer.range_within(duration);
    let field = |ui: &mut Ui, value: &mut f64, range: [f64; 2], point: &str| {
        let value = number_field::with_decimals(value, 3).range(range[0]..=range[1]).speed(0.01).suffix(" s");
        ui.add(value).accessible_name(format!("{point} point of {title}")).on_hover_text(format!("{point} point in seconds")).changed()
    };
    // Both fields must be drawn. `||` would skip the second field after a change of the first.
    if field(ui, &mut start, [0.0, end], "In") | field(ui, &mut end, [start, duration], "Out") {
        layer.range = Some([start, end]).filter(|&range| range != [0.0, duration]);
    }
}

/// Picks the reference of an additive layer: the rest pose, or a frame of the layer's own animation.
fn reference_ui(ui: &mut Ui, context: &Context, layer: &mut Layer, duration: f64, title: &str) {
    let current_time = layer.time(duration, context.transport.moment().clock);
    let shown = layer.reference.map_or("Rest pose".to_owned(), |time| format!("{time:.3} s"));
    combo_box::combo_ui(ui, &format!("Reference of {title}"), ui.available_width(), &shown, |ui| {
        ui.selectable_value(&mut layer.reference, None, "Rest pose");
        if ui.selectable_label(layer.reference.is_some(), format!("Current frame, {current_time:.3} s")).clicked() {
            layer.reference = Some(current_time);
        }
    });
}

/// Picks the nodes that the layer moves: the selected subtrees, or all nodes.
fn mask_ui(ui: &mut Ui, context: &Context, layer: &mut Layer, title: &str) {
    match &layer.mask {
        None => ui.label("All"),
        Some(mask) => ui.label(numbers::counted(mask.len(), "branch")).on_hover_text(masked_text(&context.document.model, mask)),
    };
    let selected = context.view.selection.len();
    let button = ui.add_enabled(selected > 0, egui::Button::new("Selected"));
    button.widget_info(|| WidgetInfo::labeled(Role::Button, selected > 0, format!("Limit {title} to selected nodes")));
    let button = button.on_disabled_hover_text(availability::no_selection(context).unwrap_or_default());
    if button.on_hover_text("Limit to the selected nodes and their branches").clicked() {
        layer.mask = Some(context.view.selection.clone());
    }
    let clear = format!("Apply {title} to all nodes");
    if layer.mask.is_some() && icons::button(ui, icons::RESET, &clear).on_hover_text("Apply to all nodes").clicked() {
        layer.mask = None;
    }
}

/// The tooltip of a mask: the names of the first nodes.
fn masked_text(model: &Model, mask: &[usize]) -> String {
    let names = mask.iter().take(MAX_NAMED_NODES).map(|&source| {
        let node = model.node_from_source(source);
        node.map_or_else(|| format!("node {source}"), |node| model.node(node).label())
    });
    let more = mask.len().checked_sub(MAX_NAMED_NODES + 1).map(|more| format!("and {} more", more + 1));
    let names: Vec<_> = names.chain(more).collect();
    format!("The layer moves these nodes and all nodes below them:\n{}", names.join("\n"))
}
