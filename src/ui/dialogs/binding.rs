//! The binding report: which nodes of another file move which nodes of the model, by which rule, and which have no counterpart. The user
//! can pair and unpair nodes here.

use std::sync::Arc;

use egui::{Align, Button, Layout, Response, ScrollArea, TextStyle, Ui, vec2};

use crate::borrowed::BorrowedFile;
use crate::borrowed::report::BindingReport;
use crate::model::label;
use crate::model::node::NodeIndex;
use crate::numbers::counted;
use crate::retarget::binding::{CounterpartCount, Pair, Rule};
use crate::session::view::retarget::{Retarget, RetargetMethod};
use crate::ui::commands::retarget;
use crate::ui::context::Context;
use crate::ui::style::{text, theme};
use crate::ui::widgets::{combo_box, search_field, single_click};

use super::parts::{self, SCROLL_BAR_WIDTH};

/// Maximum width of the dialog, in points.
pub const WIDTH: f32 = 560.0;
/// Maximum height of the list, in points. A longer list scrolls.
const LIST_HEIGHT: f32 = 320.0;
/// Minimum height of a list that scrolls, in points.
const MIN_LIST_HEIGHT: f32 = 56.0;
/// Part of the window's height that the list cannot use, in points.
const HEIGHT_OUTSIDE: f32 = 240.0;
/// Width of the button of a row, in points.
const BUTTON_WIDTH: f32 = 72.0;

/// State that the dialog keeps between frames, until it is closed.
#[derive(Debug, Clone, Default)]
pub struct BindingState {
    search: String,
    /// The node for which the user is choosing a counterpart, and its file. Both are ignored after the file is read again.
    pairing: Option<(Arc<BorrowedFile>, NodeIndex)>,
    /// The node whose button gets the keyboard focus in the next frame: of the model while a counterpart is chosen, otherwise of the other
    /// file. Without it, Tab would begin at the top of the dialog after each step.
    next_focus: Option<NodeIndex>,
}

impl BindingState {
    /// The node of this file that waits for a counterpart.
    fn pairing(&self, report: &BindingReport) -> Option<NodeIndex> {
        self.pairing.as_ref().filter(|(file, _)| Arc::ptr_eq(file, &report.file)).map(|(_, node)| *node)
    }
}

/// A row of the list.
#[derive(Debug, Clone, Copy)]
enum Row {
    /// The heading of a list, and the number of rows below it.
    Head(&'static str, usize),
    Pair(Pair),
    /// A node of the other file without a counterpart, and whether the user has unpaired it.
    Source(NodeIndex, bool),
    /// A node of the model without a counterpart.
    Target(NodeIndex),
}

/// The nodes whose rows differ from the others.
#[derive(Debug, Clone, Copy)]
struct MarkedNodes {
    /// The node of the other file that waits for a counterpart.
    pairing: Option<NodeIndex>,
    /// See [`BindingState::next_focus`].
    focus: Option<NodeIndex>,
}

/// A change that the user makes with the button of a row.
enum RowChange {
    /// Starts choosing a counterpart for a node of the other file. `None` cancels this.
    Choose(Option<NodeIndex>),
    /// Pairs a node of the other file with a node of the model, or leaves it without a counterpart.
    Pair(NodeIndex, Option<NodeIndex>),
    /// Removes the user's pairing of a node of the other file.
    Reset(NodeIndex),
}

/// Draws the report of a file, by its number.
pub fn binding_ui(ui: &mut Ui, state: &mut BindingState, context: &mut Context, file: usize) {
    let reports = Arc::clone(&context.status.borrowed);
    let Some(report) = reports.get(file) else {
        ui.weak("The file was removed");
        return;
    };
    let CounterpartCount { bound, all } = report.binding.moved;
    ui.label(format!("{}: counterparts for {bound} of {}", report.name, counted(all, "animated node")));
    for note in report.notes() {
        let note = label::capitalized(&note);
        ui.label(egui::RichText::new(note).text_style(TextStyle::Small).color(theme::palette(ui.ctx()).warning));
    }
    method_ui(ui, context, file, report);
    search_field::search_ui(ui, &mut state.search, "Search joints");
    let (pairing, focus) = (state.pairing(report), state.next_focus.take());
    let mut change = pairing_ui(ui, report, pairing);
    let by_hand = retarget::of_file(context, file).by_hand(&report.file.model, &context.document.model);
    let rows = rows(report, context, &by_hand, pairing.is_some(), &search_field::query(&state.search));
    ui.spacing_mut().item_spacing.y = 0.0;
    let height = (ui.ctx().content_rect().height() - HEIGHT_OUTSIDE).clamp(MIN_LIST_HEIGHT, LIST_HEIGHT);
    // Each choice of a counterpart begins at the top of the list. Without the minimum, the list would reach its height only after some
    // frames.
    let list = ScrollArea::vertical().id_salt(pairing).max_height(height).min_scrolled_height(height).auto_shrink([false, true]);
    list.show_rows(ui, theme::CONTROL_HEIGHT + 4.0, rows.len(), |ui, shown| {
        for row in &rows[shown] {
            change = row_ui(ui, MarkedNodes { pairing, focus }, context, report, *row).or(change.take());
        }
    });
    match change {
        Some(RowChange::Choose(node)) => {
            // The text that found the node would hide its counterpart, which has another name.
            state.search.clear();
            state.next_focus = match node {
                Some(_) => report.binding.unbound_targets.iter().chain(&report.binding.ambiguous_targets).next().copied(),
                None => pairing,
            };
            state.pairing = node.map(|node| (report.file.clone(), node));
        }
        Some(RowChange::Pair(node, counterpart)) => {
            state.pairing = None;
            state.next_focus = source_after(report, node);
            retarget::pair(context, file, &report.file.model, node, counterpart);
        }
        Some(RowChange::Reset(node)) => retarget::reset(context, file, &report.file.model, node),
        None => {}
    }
}

/// Names the node that waits for a counterpart, and offers to cancel. While no node waits, the line says how to choose a counterpart.
fn pairing_ui(ui: &mut Ui, report: &BindingReport, pairing: Option<NodeIndex>) -> Option<RowChange> {
    let row = Layout::left_to_right(Align::Center);
    ui.allocate_ui_with_layout(vec2(ui.available_width(), theme::CONTROL_HEIGHT), row, |ui| {
        ui.set_min_height(theme::CONTROL_HEIGHT);
        ui.spacing_mut().item_spacing.x = 0.0;
        let Some(node) = pairing else {
            let hint = egui::RichText::new("Pair... chooses a counterpart by hand, Unpair removes one").text_style(TextStyle::Small);
            ui.label(hint.color(theme::palette(ui.ctx()).secondary));
            return None;
        };
        let name = report.file.model.node(node).label();
        let width = ui.available_width() - BUTTON_WIDTH - SCROLL_BAR_WIDTH;
        name_ui(ui, &format!("Choose the joint of the model that {name} moves"), width);
        button_ui(ui, "Cancel", &format!("Cancel {name}")).then_some(RowChange::Choose(None))
    })
    .inner
}

/// Draws the settings: the method, and whether rest poses are aligned.
fn method_ui(ui: &mut Ui, context: &mut Context, file: usize, report: &BindingReport) {
    let Retarget { mut method, mut align_rest, .. } = retarget::of_file(context, file);
    let before = (method, align_rest);
    ui.horizontal(|ui| {
        ui.label("Method");
        let shown = match method {
            RetargetMethod::Auto => format!("Automatic ({})", report.method.label().to_lowercase()),
            other => other.label().to_owned(),
        };
        combo_box::combo_ui(ui, "Method", parts::COMBO_WIDTH, &shown, |ui| {
            for choice in RetargetMethod::ALL {
                ui.selectable_value(&mut method, choice, choice.label());
            }
        });
        let is_used = report.method == crate::retarget::method::Method::Rotation;
        ui.add_enabled(is_used, egui::Checkbox::new(&mut align_rest, "Align rest poses"))
            .on_hover_text("Turn the limbs to the directions of the other file's rest pose first")
            .on_disabled_hover_text("Used only by the rotation method");
    });
    if (method, align_rest) != before {
        retarget::change(context, file, |retarget| (retarget.method, retarget.align_rest) = (method, align_rest));
    }
}

/// The rows that match the search. Each list follows its heading. `by_hand` has the pairs that the user has made. If `is_pairing` is true,
/// the nodes to choose from come first.
fn rows(report: &BindingReport, context: &Context, by_hand: &[(NodeIndex, Option<NodeIndex>)], is_pairing: bool, query: &str) -> Vec<Row> {
    let binding = &report.binding;
    let source = |node: &NodeIndex| search_field::matches(&report.file.model.node(*node).label(), query);
    let target = |node: &NodeIndex| search_field::matches(context.node_name(*node), query);
    let source_row = |node| Row::Source(node, by_hand.contains(&(node, None)));
    let nodes = |list: &[NodeIndex], matches: &dyn Fn(&NodeIndex) -> bool, row: &dyn Fn(NodeIndex) -> Row| -> Vec<Row> {
        list.iter().copied().filter(matches).map(row).collect()
    };
    let pairs = binding.pairs.iter().filter(|pair| source(&pair.source) || target(&pair.target)).copied().map(Row::Pair).collect();
    let mut lists: [(&'static str, Vec<Row>); 5] = [
        ("Only in the other file", nodes(&binding.unbound_sources, &source, &source_row)),
        ("Ambiguous names in the other file", nodes(&binding.ambiguous_sources, &source, &source_row)),
        ("Bound", pairs),
        ("Only in the model", nodes(&binding.unbound_targets, &target, &Row::Target)),
        ("Ambiguous names in the model", nodes(&binding.ambiguous_targets, &target, &Row::Target)),
    ];
    if is_pairing {
        // The last two lists belong to the model.
        lists.rotate_right(2);
    }
    let lists = lists.into_iter().filter(|(_, list)| !list.is_empty());
    lists.flat_map(|(head, list)| std::iter::once(Row::Head(head, list.len())).chain(list)).collect()
}

/// The node without a counterpart that follows this one in the list of the other file.
fn source_after(report: &BindingReport, node: NodeIndex) -> Option<NodeIndex> {
    let sources = || report.binding.unbound_sources.iter().chain(&report.binding.ambiguous_sources).copied();
    sources().skip_while(|&source| source != node).nth(1).or_else(|| sources().find(|&source| source != node))
}

/// Draws a row. Returns the change that the user makes with its button.
fn row_ui(ui: &mut Ui, marked: MarkedNodes, context: &Context, report: &BindingReport, row: Row) -> Option<RowChange> {
    // The focus stays at the button of a node without a counterpart when the rows above it change.
    let id_salt = match row {
        Row::Source(node, _) => ("source", node.index()),
        Row::Target(node) => ("target", node.index()),
        Row::Head(..) | Row::Pair(_) => ("place", ui.next_auto_id().value() as usize),
    };
    ui.push_id(id_salt, |ui| row_content_ui(ui, marked, context, report, row)).inner
}

/// Draws the content of a row.
fn row_content_ui(ui: &mut Ui, marked: MarkedNodes, context: &Context, report: &BindingReport, row: Row) -> Option<RowChange> {
    let MarkedNodes { pairing, focus } = marked;
    let model = &report.file.model;
    let mut change = None;
    ui.horizontal(|ui| {
        ui.set_min_height(theme::CONTROL_HEIGHT + 4.0);
        ui.spacing_mut().item_spacing.x = 0.0;
        let width = ui.available_width() - BUTTON_WIDTH - SCROLL_BAR_WIDTH;
        match row {
            Row::Head(head, count) => {
                ui.label(text::section(ui, &format!("{head} ({count})")));
            }
            Row::Pair(pair) => {
                name_ui(ui, &model.node(pair.source).label(), width * 0.4);
                name_ui(ui, context.node_name(pair.target), width * 0.4);
                name_ui(ui, pair.rule.label(), width * 0.2);
                let (label, step) = match pair.rule {
                    Rule::ByHand => ("Reset", RowChange::Reset(pair.source)),
                    _ => ("Unpair", RowChange::Pair(pair.source, None)),
                };
                change = button_ui(ui, label, &format!("{label} {}", model.node(pair.source).label())).then_some(step);
            }
            Row::Source(node, is_unpaired) => {
                let name = model.node(node).label();
                name_ui(ui, &name, if is_unpaired { width - BUTTON_WIDTH } else { width });
                let reset = is_unpaired && button_ui(ui, "Reset", &format!("Reset {name}"));
                let takes_focus = pairing.is_none() && focus == Some(node);
                let is_chosen = focused_button_ui(ui, "Pair...", &format!("Pair... {name}"), takes_focus);
                let chosen = is_chosen.then_some(RowChange::Choose(Some(node)));
                change = if reset { Some(RowChange::Reset(node)) } else { chosen };
            }
            Row::Target(node) => {
                let name = context.node_name(node);
                name_ui(ui, name, width);
                if let Some(source) = pairing {
                    let is_paired = focused_button_ui(ui, "Pair", &format!("Pair with {name}"), focus == Some(node));
                    change = is_paired.then_some(RowChange::Pair(source, Some(node)));
                }
            }
        }
    });
    change
}

/// Draws a name in a column of this width, in points. A longer name is shortened in the middle.
fn name_ui(ui: &mut Ui, name: &str, width: f32) {
    let font = TextStyle::Body.resolve(ui.style());
    let short = text::elide_middle(ui, name, &font, width - 8.0);
    ui.allocate_ui_with_layout(vec2(width, theme::CONTROL_HEIGHT), Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_width(width);
        ui.label(short);
    });
}

/// Draws the button of a row. Returns whether it was clicked.
fn button_ui(ui: &mut Ui, label: &str, accessible_name: &str) -> bool {
    single_click::clicked_once(&add_button(ui, label, accessible_name))
}

/// Draws the button of a row that gets the keyboard focus if `takes_focus` is true. Returns whether it was clicked.
fn focused_button_ui(ui: &mut Ui, label: &str, accessible_name: &str, takes_focus: bool) -> bool {
    let button = add_button(ui, label, accessible_name);
    if takes_focus {
        button.request_focus();
        button.scroll_to_me(None);
    }
    single_click::clicked_once(&button)
}

/// Adds a button of the size of all buttons of rows.
fn add_button(ui: &mut Ui, label: &str, accessible_name: &str) -> Response {
    ui.add_sized(vec2(BUTTON_WIDTH, theme::CONTROL_HEIGHT), Button::new(label)).accessible_name(accessible_name)
}
