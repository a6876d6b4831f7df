//! The layers section below the list of animations: the layers, their weights, and the targets that several animations drive. The section
//! is not shown if the file has no animation.

use std::collections::BTreeMap;

use egui::containers::menu::MenuButton;
use egui::{Align, Button, Layout, Margin, Role, ScrollArea, TextStyle, Ui, WidgetInfo};

use crate::captions;
use crate::model::Model;
use crate::model::animation::Target;
use crate::numbers::counted;
use crate::session::document::Document;
use crate::session::inspect::layer_conflicts::{self, ContestedTarget};
use crate::session::view::View;
use crate::session::view::joint_switches::NodeSwitches;
use crate::session::view::layers::{Layer, Mode};
use crate::ui::context::Context;
use crate::ui::context::per_document::PerDocument;
use crate::ui::style::{text, theme};
use crate::ui::widgets::menu_item;

use super::layer_row::{self, Conflict};

/// Height of the section's title, its margin, and the gap below it, in points.
const HEAD_HEIGHT: f32 = 36.0;
/// Maximum height of the menu and maximum width of a name, in points. Longer lists scroll; longer names are shortened.
const MENU_HEIGHT: f32 = 400.0;
const NAME_WIDTH: f32 = 240.0;
/// Maximum number of contested targets that are named per layer.
const MAX_NAMED_TARGETS: usize = 12;
/// Maximum number of drivers that are named per contested target.
const MAX_NAMED_DRIVERS: usize = 12;
/// Maximum number of other drivers of a layer's targets that are counted.
const MAX_COUNTED_DRIVERS: usize = 100;

/// The settings of the view that decide which animation drives each target: the chosen animation, the layers and the switches.
type ConflictInputs = (Option<usize>, Vec<Layer>, BTreeMap<usize, NodeSwitches>);

/// The state of the section.
#[derive(Debug, Clone, Default)]
pub struct LayersState {
    /// For each layer, the targets that it shares with other animations. `None` if there are no such targets.
    pub conflicts: Vec<Option<Conflict>>,
    /// The inputs that `conflicts` was computed from.
    inputs: PerDocument<Option<ConflictInputs>>,
    /// Height of the rows in the last frame, in points.
    rows_height: f32,
}

impl LayersState {
    /// Height that the section needs, in points.
    pub fn height(&self) -> f32 {
        HEAD_HEIGHT + self.rows_height
    }

    /// Computes the conflicts again if the settings have changed.
    fn update(&mut self, document: &Document, view: &View) {
        let model = &document.model;
        let is_current = |(animation, layers, switches): &ConflictInputs| {
            *animation == view.animation && *layers == view.layers && *switches == view.switches
        };
        let inputs = self.inputs.get(document);
        if inputs.as_ref().is_some_and(is_current) {
            return;
        }
        *inputs = Some((view.animation, view.layers.clone(), view.switches.clone()));
        self.conflicts = conflicts(model, view);
    }
}

/// Describes the targets that each layer shares with other animations. `None` if there are no such targets.
fn conflicts(model: &Model, view: &View) -> Vec<Option<Conflict>> {
    let contested = layer_conflicts::contested_targets(model, view);
    let mut targets_of_layers: Vec<Vec<&ContestedTarget>> = vec![Vec::new(); view.layers.len()];
    for target in &contested {
        for layer in target.drivers.iter().filter_map(|driver| driver.layer) {
            targets_of_layers[layer].push(target);
        }
    }
    // A view has at most this many drivers besides a layer: the other layers and the view's animation.
    let max_others = view.layers.len().min(MAX_COUNTED_DRIVERS);
    let of_layer = |(layer, targets): (usize, &Vec<_>)| conflict(model, targets, layer, max_others);
    targets_of_layers.iter().enumerate().map(of_layer).collect()
}

/// Describes the targets that a layer shares with other animations. Counts at most `max_others` other drivers. `None` if there are no such
/// targets.
fn conflict(model: &Model, contested: &[&ContestedTarget], layer: usize, max_others: usize) -> Option<Conflict> {
    let name = |index: usize| model.animations.get(index).map_or(String::new(), |animation| animation.label(index));
    // All other drivers of these targets, without duplicates. The key `None` is the view's animation.
    let mut others: BTreeMap<Option<usize>, usize> = BTreeMap::new();
    for driver in contested.iter().flat_map(|contested| &contested.drivers).filter(|driver| driver.layer != Some(layer)) {
        others.insert(driver.layer, driver.animation);
        // If there are many layers, each of them would go through the drivers of all others.
        if others.len() == max_others {
            break;
        }
    }
    let first = name(*others.values().next()?);
    let drivers = match others.len() {
        1 => first,
        MAX_COUNTED_DRIVERS => format!("at least {MAX_COUNTED_DRIVERS} others"),
        count => format!("{count} others"),
    };
    let line = format!("{} also driven by {drivers}", counted(contested.len(), "target"));
    // Name the first targets, each with the share of every driver.
    let named = contested.iter().take(MAX_NAMED_TARGETS).map(|contested| {
        // The layer itself is named first, so that it is named in any case.
        let drivers_where = |is_own: bool| contested.drivers.iter().filter(move |driver| (driver.layer == Some(layer)) == is_own);
        let shares = drivers_where(true).chain(drivers_where(false)).take(MAX_NAMED_DRIVERS).map(|driver| {
            let added = if driver.mode == Mode::Additive { "+ " } else { "" };
            format!("{added}{} {:.0} %", name(driver.animation), driver.share * 100.0)
        });
        let unnamed = contested.drivers.len().saturating_sub(MAX_NAMED_DRIVERS);
        let rest = (unnamed > 0).then(|| format!("and {unnamed} more"));
        let shares = shares.chain(rest).collect::<Vec<_>>().join(", ");
        match contested.target {
            Target::Pointer(pointer) => format!("{}: {shares}", model.pointers[pointer].path),
            target => {
                let node = target.node().map_or(String::new(), |node| model.node(node).label());
                format!("{node} {}: {shares}", target.path())
            }
        }
    });
    let unnamed = contested.len().saturating_sub(MAX_NAMED_TARGETS);
    let last_line = (unnamed > 0).then(|| format!("and {unnamed} more"));
    Some(Conflict { line, named: named.chain(last_line).collect::<Vec<_>>().join("\n") })
}

/// Draws the section. If the user removes a layer, it is removed from the view after all rows are drawn.
pub fn layers_ui(ui: &mut Ui, state: &mut LayersState, context: &mut Context) {
    egui::Frame::new().inner_margin(Margin { left: 8, right: 8, top: 4, bottom: 4 }).show(ui, |ui| head_ui(ui, context));
    state.update(context.document, context.view);
    let layers = context.view.layers.len();
    context.window.open_layer = context.window.open_layer.filter(|&open| open < layers);
    let mut removed = None;
    let rows = |ui: &mut Ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for number in 0..context.view.layers.len() {
            let conflict = state.conflicts.get(number).and_then(Option::as_ref);
            if ui.push_id(number, |ui| layer_row::layer_ui(ui, conflict, context, number)).inner {
                removed = Some(number);
            }
        }
        ui.min_rect().height()
    };
    let height = ScrollArea::vertical().id_salt("layers").auto_shrink(false).show(ui, rows).inner;
    // The next frame gives the section the height of its content.
    if state.rows_height != height {
        state.rows_height = height;
        ui.ctx().request_repaint();
    }
    if let Some(number) = removed {
        context.view.layers.remove(number);
        context.window.open_layer = None;
    }
}

/// Draws the title, the number of layers, and the button that adds a layer.
fn head_ui(ui: &mut Ui, context: &mut Context) {
    ui.horizontal(|ui| {
        ui.set_min_height(theme::CONTROL_HEIGHT);
        ui.label(text::section(ui, "Layers"));
        let count = context.view.layers.len();
        if count > 0 {
            ui.label(text::section_count(ui, count, None));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let (button, _) = MenuButton::from_button(Button::new("Add")).ui(ui, |ui| add_ui(ui, context));
            button.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Add layer"));
            button.on_hover_text("Play another animation on top, overriding or adding to this one");
        });
    });
}

/// Lists every animation of the file. The chosen one becomes a layer.
fn add_ui(ui: &mut Ui, context: &mut Context) {
    let document = context.document;
    let font = TextStyle::Button.resolve(ui.style());
    theme::keep_scroll_bars_visible(ui);
    ScrollArea::vertical().max_height(MENU_HEIGHT).show(ui, |ui| {
        menu_item::rows(ui, |ui| {
            for number in 0..document.model.animations.len() {
                let name = document.names.fit_animation(number, &captions::text::fits(ui.ctx(), &font, NAME_WIDTH));
                if ui.push_id(number, |ui| menu_item::item(ui, &name, "", None)).inner.clicked() {
                    add(context, number, Mode::Override);
                    ui.close();
                }
            }
        });
    });
}

/// Draws the entries for layers in the context menu of an animation.
pub fn animation_menu_ui(ui: &mut Ui, context: &mut Context, animation: usize) {
    menu_item::rows(ui, |ui| {
        for (label, mode) in [("Add as override layer", Mode::Override), ("Add as additive layer", Mode::Additive)] {
            if menu_item::item(ui, label, "", None).clicked() {
                add(context, animation, mode);
                ui.close();
            }
        }
    });
}

/// Adds a layer on top of the others.
fn add(context: &mut Context, animation: usize, mode: Mode) {
    context.view.layers.push(Layer { animation, mode, ..Layer::default() });
}
