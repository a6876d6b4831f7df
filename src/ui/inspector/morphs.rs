//! The morph weights section: a slider per morph target. A slider follows the animation until the user sets it. The section lists the
//! targets of the active node. If this node has none, the section lists the targets of the nodes below it. If these have none either, or if
//! no node is active, the section lists the targets of the whole model. Many targets can be searched.

use std::collections::BTreeMap;

use egui::{Align, Label, Layout, ScrollArea, Sense, Slider, SliderClamping, Ui, UiBuilder, vec2};

use crate::model::node::NodeIndex;
use crate::session::inspect::curves;
use crate::session::inspect::morph_drivers;
use crate::session::pose::solve::Posed;
use crate::session::view::morph_overrides;
use crate::ui::actions::Action;
use crate::ui::context::Context;
use crate::ui::style::{icons, text, theme};
use crate::ui::widgets::slider::{self, slider_ui};
use crate::ui::widgets::{number_field, search_field};

use super::node;

// Widths of the number, the name and the slider, in points. The slider gets the remaining width, between two limits.
const NUMBER_WIDTH: f32 = 52.0;
const NAME_WIDTH: f32 = 88.0;
const MIN_SLIDER_WIDTH: f32 = 40.0;
const MAX_SLIDER_WIDTH: f32 = 84.0;
/// Maximum number of targets that are listed without a search field.
const MAX_UNSEARCHED: usize = 12;
/// Maximum height of a list that has a search field, in points. The list scrolls, so that the sections below it stay near.
const MAX_LIST_HEIGHT: f32 = 12.0 * theme::INSPECTOR_ROW_HEIGHT;

/// Returns whether the model has morph targets.
pub fn has_morphs(context: &Context) -> bool {
    !context.document.model.rest_weights.is_empty()
}

/// Returns whether the section has a search field, because it lists many targets.
pub fn has_search(context: &Context) -> bool {
    let targets = nodes(context).into_iter().map(|node| context.document.model.node(node).weights.len());
    targets.sum::<usize>() > MAX_UNSEARCHED
}

/// Draws the section. `search` is the text in its search field.
pub fn morphs_ui(ui: &mut Ui, search: &mut String, context: &mut Context, posed: &Posed) {
    reset_all_ui(ui, context);
    let nodes = nodes(context);
    if !has_search(context) {
        weights_ui(ui, context, posed, &nodes, "");
        return;
    }
    search_field::search_ui(ui, search, "Search morph targets");
    ui.add_space(4.0);
    ScrollArea::vertical().id_salt("morph targets").max_height(MAX_LIST_HEIGHT).auto_shrink([false, true]).show(ui, |ui| {
        weights_ui(ui, context, posed, &nodes, &search_field::query(search));
    });
}

/// Draws the targets of these nodes whose names contain the query, below the names of their nodes.
fn weights_ui(ui: &mut Ui, context: &mut Context, posed: &Posed, nodes: &[NodeIndex], query: &str) {
    let model = &context.document.model;
    let active = context.view.active();
    let mut has_results = false;
    for &node in nodes {
        let data = model.node(node);
        let is_found = |target: &usize| query.is_empty() || search_field::matches(&curves::target_name(model, data.mesh, *target), query);
        let found: Vec<_> = (0..data.weights.len()).filter(is_found).collect();
        if found.is_empty() {
            continue;
        }
        has_results = true;
        ui.push_id(("morphs", node.0), |ui| {
            if Some(data.source) != active {
                node::node_row(ui, context, "Mesh", node);
            }
            for target in found {
                let listed = ListedTarget { node, target, is_only_node: nodes.len() == 1 };
                weight_ui(ui, context, listed, posed.pose.weights[data.weights.start + target]);
            }
        });
    }
    if !has_results {
        ui.weak("No results");
    }
}

/// The nodes whose weights are listed: the active node if it has weights, or the nodes below it that have weights. If there are none, all
/// nodes with weights.
fn nodes(context: &Context) -> Vec<NodeIndex> {
    let model = &context.document.model;
    let active = context.view.active().and_then(|source| model.node_from_source(source));
    let with_weights = |range: std::ops::Range<usize>| -> Vec<NodeIndex> {
        range.filter(|&i| !model.nodes[i].weights.is_empty()).map(|i| NodeIndex(i as u32)).collect()
    };
    let own = active.map(|node| with_weights(node.index()..node.index() + 1)).unwrap_or_default();
    let below = || active.map(|node| with_weights(model.hierarchy.subtree(node))).unwrap_or_default();
    [own]
        .into_iter()
        .chain(std::iter::once_with(below))
        .find(|nodes| !nodes.is_empty())
        .unwrap_or_else(|| with_weights(0..model.nodes.len()))
}

/// Draws the number of weights that the user has set, and the reset button. Both are always drawn, so that no slider moves while it is
/// dragged.
fn reset_all_ui(ui: &mut Ui, context: &mut Context) {
    let count: usize = context.view.morphs.values().map(BTreeMap::len).sum();
    let palette = theme::palette(ui.ctx());
    let color = if count > 0 { palette.accent } else { palette.secondary };
    ui.horizontal(|ui| {
        ui.set_min_height(theme::INSPECTOR_ROW_HEIGHT);
        let text = if count > 0 { format!("{count} overridden") } else { "None overridden".to_owned() };
        ui.label(egui::RichText::new(text).color(color));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let button = ui.add_enabled(count > 0, egui::Button::new("Reset all"));
            let button = button.on_disabled_hover_text(Action::ResetMorphs.disabled_reason(context).unwrap_or_default());
            if button.on_hover_text(Action::ResetMorphs.tooltip()).clicked() {
                context.actions.push(Action::ResetMorphs);
            }
        });
    });
}

/// A target in the list.
#[derive(Debug, Clone, Copy)]
struct ListedTarget {
    node: NodeIndex,
    /// Index of the target in the node's mesh.
    target: usize,
    /// Whether the list has only the targets of this node.
    is_only_node: bool,
}

/// Draws one target: its name, a slider from 0 to 1, a number that may be outside this range, and a reset button if the user has set the
/// weight.
fn weight_ui(ui: &mut Ui, context: &mut Context, listed: ListedTarget, weight: f32) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), theme::INSPECTOR_ROW_HEIGHT), Sense::hover());
    if !ui.is_rect_visible(rect) {
        return;
    }
    let (model, palette) = (&context.document.model, theme::palette(ui.ctx()));
    let ListedTarget { node, target, is_only_node } = listed;
    let data = model.node(node);
    let name = curves::target_name(model, data.mesh, target);
    // The meshes of a face often have targets of the same names.
    let full_name = if is_only_node { name.clone() } else { format!("{name} of {}", data.label()) };
    let set = morph_overrides::get(&context.view.morphs, data.source, target).is_some();
    let mut value = weight;
    // From right to left: the number, the slider, the reset button, and the name in the remaining space.
    let mut row = ui.new_child(UiBuilder::new().id_salt(("weight", target)).max_rect(rect).layout(Layout::right_to_left(Align::Center)));
    row.set_clip_rect(rect.intersect(ui.clip_rect()));
    row.spacing_mut().item_spacing.x = 4.0;
    row.spacing_mut().interact_size.x = NUMBER_WIDTH;
    let drag = row.add(number_field::with_decimals(&mut value, 3).speed(0.01)).accessible_name(format!("{full_name}, value"));
    let other_widths = NUMBER_WIDTH + icons::BUTTON_SIDE + NAME_WIDTH + 16.0;
    row.spacing_mut().slider_width = (rect.width() - other_widths).clamp(MIN_SLIDER_WIDTH, MAX_SLIDER_WIDTH);
    // Only a weight set by the user extends the slider's range. An animated weight would change the range during playback. The range stays
    // during a drag, because the value would jump under the pointer if the range changed.
    let range_id = row.scope_id().with("range");
    let range = row.data(|data| data.get_temp(range_id)).unwrap_or_else(|| {
        let extreme = if set { weight } else { model.rest_weights[data.weights.start + target] };
        [extreme.min(0.0).floor(), extreme.max(1.0).ceil()]
    });
    let slider = Slider::new(&mut value, range[0]..=range[1]).show_value(false).clamping(SliderClamping::Never);
    let slider = slider_ui(&mut row, &mut context.window.list_focused, slider).accessible_name(&full_name);
    if slider.is_pointer_button_down_on() {
        row.data_mut(|data| data.insert_temp(range_id, range));
    } else {
        row.data_mut(|data| data.remove::<[f32; 2]>(range_id));
    }
    if drag.changed() || slider.changed() {
        morph_overrides::set(&mut context.view.morphs, data.source, target, value);
    }
    if slider::handle_double_click(&row, context.window, &slider) {
        morph_overrides::reset(&mut context.view.morphs, data.source, target);
    }
    if !set {
        row.add_space(icons::BUTTON_SIDE + 4.0);
    } else if icons::button(&mut row, icons::RESET, &format!("Reset {full_name}")).on_hover_text("Remove override").clicked() {
        morph_overrides::reset(&mut context.view.morphs, data.source, target);
    }
    let font = egui::TextStyle::Body.resolve(row.style());
    let short = text::elide_middle(&row, &name, &font, row.available_width() - 4.0);
    row.with_layout(Layout::left_to_right(Align::Center), |ui| {
        let color = if set { palette.accent } else { palette.secondary };
        let label = ui.add(Label::new(egui::RichText::new(short).color(color)).selectable(false).sense(Sense::hover()));
        if label.hovered() || slider.hovered() {
            // The tooltip is beside the row, so that it covers neither this row nor the next.
            let hovered = if label.hovered() { label } else { slider };
            text::tooltip_beside(hovered.with_new_rect(rect), &format!("{name}: {weight}\n{}", driver(context, node, target)));
        }
    });
}

/// Describes what drives a weight, and how to override it or remove the override.
fn driver(context: &Context, node: NodeIndex, target: usize) -> String {
    let model = &context.document.model;
    if morph_overrides::get(&context.view.morphs, model.node(node).source, target).is_some() {
        return "Overridden. Double-click the slider to remove the override.".to_owned();
    }
    let names =
        morph_drivers::drivers(model, context.view, node, target).into_iter().map(|animation| model.animations[animation].label(animation));
    let names: Vec<_> = names.collect();
    let driven = if names.is_empty() { "Default weight".to_owned() } else { format!("Driven by {}", names.join(", ")) };
    format!("{driven}. Drag to override.")
}
