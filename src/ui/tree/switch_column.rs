//! The switch columns at the right of the tree. A click toggles a switch, and a drag down a column sets all switches that it crosses. Shift
//! includes the subtree, and Alt solos.
//!
//! A switch in its default state is faint until the pointer is over its row, and a long name hides it until the pointer is over the
//! switches. A switch that is off is amber. So changes stand out.

use egui::{Color32, Modifiers, Pos2, Rangef, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use crate::model::node::NodeIndex;
use crate::session::document::Document;
use crate::session::view::joint_switches::{self, Column};
use crate::ui::actions::Action;
use crate::ui::commands::nodes::switches;
use crate::ui::context::Context;
use crate::ui::style::{icons, theme};

use super::state::{Painting, TreeState};

/// Width of a column, in points.
pub const COLUMN_WIDTH: f32 = 22.0;
/// Number of columns: drawn or visible, animated, influence, geometry.
pub const COLUMN_COUNT: usize = 4;
/// Space right of the columns, in points.
const RIGHT_MARGIN: f32 = 4.0;

/// Number of columns of a document, counted from the left. Columns that no node of the document can have are left out.
fn count(document: &Document) -> usize {
    let has_skins = !document.model.skins.is_empty();
    let may_move = document.is_motion_only || !document.model.animations.is_empty();
    if has_skins { COLUMN_COUNT } else { 1 + usize::from(may_move) }
}

/// Width of all columns of a document and the space right of them, in points.
pub fn width(document: &Document) -> f32 {
    count(document) as f32 * COLUMN_WIDTH + RIGHT_MARGIN
}

/// The switch of a node in each column. `None` if the node has no switch in the column.
fn columns(document: &Document, node: NodeIndex) -> [Option<Column>; COLUMN_COUNT] {
    let joint = document.joints[node.index()];
    let skinned = joint && !document.model.skins.is_empty();
    [
        Some(if joint { Column::Drawn } else { Column::Visible }),
        switches::applies(document, node, Column::Animated).then_some(Column::Animated),
        skinned.then_some(Column::Influence),
        skinned.then_some(Column::Geometry),
    ]
}

/// The name of a switch.
fn title(column: Column) -> &'static str {
    match column {
        Column::Drawn => Action::Drawn.label(),
        Column::Animated => Action::Animated.label(),
        Column::Influence => Action::Influence.label(),
        Column::Visible => "Visible",
        Column::Geometry => Action::Geometry.label(),
    }
}

/// The icon of a switch.
fn icon(column: Column) -> char {
    match column {
        Column::Drawn | Column::Visible => icons::VISIBLE,
        Column::Animated => icons::ANIMATED,
        Column::Influence => icons::INFLUENCE,
        Column::Geometry => icons::MESH,
    }
}

/// Draws the icons of the columns above the rows, with tooltips.
pub fn heads_ui(ui: &mut Ui, document: &Document, rect: Rect) {
    const HEADS: [(Column, &str); COLUMN_COUNT] = [
        (Column::Drawn, "Joints: shown in the skeleton overlay. Other nodes: visible, with their whole branch."),
        (Column::Animated, "Moved by the animation. Off: held in the rest pose."),
        (Column::Influence, "Joints: move their vertices. Off: the nearest ancestor with influence moves them."),
        (Column::Geometry, "Joints: show the meshes below them, and the triangles with most of their weight on them."),
    ];
    for (slot, (column, meaning)) in HEADS.into_iter().enumerate().take(count(document)) {
        let (cell, name) = (cell(document, rect, slot), title(column));
        let response = ui.interact(cell, ui.make_persistent_id(name), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, name));
        icons::paint(ui, cell, icon(column), 14.0, theme::palette(ui.ctx()).secondary);
        response.on_hover_text(format!(
            "{name}\n{meaning}\nClick to toggle, drag to set several, Shift+click for the branch, Alt+click to solo."
        ));
    }
}

/// The rectangle of a column in a row. Columns are counted from the left.
pub fn cell(document: &Document, row: Rect, slot: usize) -> Rect {
    let left = row.right() - width(document) + slot as f32 * COLUMN_WIDTH;
    Rect::from_min_max(pos2(left, row.top()), pos2(left + COLUMN_WIDTH, row.bottom()))
}

/// The x coordinate where the first switch begins that is not in its default state. The name of the row ends before it. `None` if all
/// switches are in their default states; the name may then run over them.
pub fn changed_left(context: &Context, tree: &TreeState, node: NodeIndex, row: Rect) -> Option<f32> {
    let is_changed = |column: &Option<Column>| {
        column.is_some_and(|column| {
            switches::applies(context.document, node, column) && state(context, tree, node, column) != SwitchState::DEFAULT
        })
    };
    let slot = columns(context.document, node).iter().position(is_changed)?;
    Some(cell(context.document, row, slot).left())
}

/// Returns whether the pointer is over a row, even if a switch of the row is under the pointer. Rows touch, and a position on the edge
/// between two rows belongs to the lower one. The margin at the right belongs to the edge of the panel, which can be dragged.
pub fn has_pointer(row: &Response) -> bool {
    let pointer = row.ctx.input(|input| input.pointer.hover_pos());
    let is_inside = |pointer: Pos2| pointer.y < row.rect.bottom() && pointer.x < row.rect.right() - RIGHT_MARGIN;
    row.contains_pointer() && pointer.is_some_and(is_inside)
}

/// Returns whether the pointer is over the switches of a row.
pub fn is_pointed_at(document: &Document, row: &Response) -> bool {
    let pointer = row.ctx.input(|input| input.pointer.hover_pos());
    has_pointer(row) && pointer.is_some_and(|pointer| pointer.x >= cell(document, row.rect, 0).left())
}

/// A row with switches.
#[derive(Clone, Copy)]
pub struct SwitchRow<'a> {
    pub node: NodeIndex,
    /// The visible part of the row.
    pub rect: Rect,
    /// The x coordinate where the name ends. Switches in their default state are not drawn over the name, unless the pointer is over the
    /// switches.
    pub name_end: f32,
    /// The color of the row. It hides the name below a switch.
    pub fill: Color32,
    pub response: &'a Response,
}

/// Draws the switches of one row.
pub fn row_ui(ui: &mut Ui, context: &mut Context, tree: &mut TreeState, row: SwitchRow) {
    for (slot, column) in columns(context.document, row.node).into_iter().enumerate().take(count(context.document)) {
        let cell = cell(context.document, row.rect, slot);
        let covered = row.name_end > cell.left();
        // While the pointer is over the switches, all of them are drawn, with the color of the row behind them.
        if covered && is_pointed_at(context.document, row.response) {
            ui.painter().rect_filled(cell.with_max_x(row.rect.right()), 0.0, row.fill);
        }
        let Some(column) = column else { continue };
        if let Some(painting) = &tree.painting
            && painting.slot == slot
            && row.rect.y_range().intersects(painting.crossed)
        {
            switches::set(context, &[row.node], column, painting.on);
        }
        let look = match (covered, has_pointer(row.response)) {
            (true, _) if !is_pointed_at(context.document, row.response) => Look::Covered,
            (_, true) => Look::Hovered,
            _ => Look::Idle,
        };
        switch_ui(ui, context, tree, SwitchCell { column, slot, cell, look }, row);
    }
}

/// A switch, its rectangle, and how it is drawn.
struct SwitchCell {
    column: Column,
    slot: usize,
    cell: Rect,
    look: Look,
}

/// How a switch in its default state is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    /// The pointer is over the row: an icon.
    Hovered,
    /// A faint icon.
    Idle,
    /// The name covers the switch: no icon.
    Covered,
}

/// Draws a switch, and handles clicks on it and the beginning of a drag.
fn switch_ui(ui: &mut Ui, context: &mut Context, tree: &mut TreeState, switch_cell: SwitchCell, row: SwitchRow) {
    let SwitchCell { column, slot, cell, look } = switch_cell;
    let (node, id) = (row.node, row.response.id.with(("switch", slot)));
    let label = format!("{}: {}", title(column), context.document.model.node(node).label());
    if !switches::applies(context.document, node, column) {
        fixed_ui(ui, id, &label, cell, look);
        return;
    }
    let state = state(context, tree, node, column);
    let response = ui.interact(cell, id, Sense::CLICK | Sense::DRAG);
    response.widget_info(|| WidgetInfo::selected(Role::Switch, true, state.on, &label));
    if look == Look::Covered && state != SwitchState::DEFAULT {
        ui.painter().rect_filled(cell, 0.0, row.fill);
    }
    paint(ui, &response, column, state, look);
    if response.clicked() {
        click(context, node, column, state.on, ui.input(|input| input.modifiers));
    }
    if response.drag_started() {
        let origin = ui.input(|input| input.pointer.press_origin()).map_or(cell.center().y, |origin| origin.y);
        tree.painting = Some(Painting { slot, on: !state.on, y: origin, crossed: Rangef::point(origin) });
        switches::set(context, &[node], column, !state.on);
    }
    response.on_hover_ui(|ui| {
        ui.set_max_width(280.0);
        ui.label(label);
        ui.label(state_text(column, state));
    });
}

/// Switches the node. Alt solos it, Shift includes the subtree.
fn click(context: &mut Context, node: NodeIndex, column: Column, on: bool, modifiers: Modifiers) {
    if modifiers.alt {
        switches::toggle_solo(context, &[node], &[column]);
    } else if modifiers.shift {
        let nodes = switches::with_subtrees(context.document, &[node]);
        switches::set(context, &nodes, column, !on);
    } else {
        switches::set(context, &[node], column, !on);
    }
}

/// Follows a drag down a column: finds the vertical range crossed since the last frame. It is called before the rows are drawn, because the
/// rows apply the drag. The drag ends in the frame after the release.
pub fn follow_drag(ui: &Ui, painting: &mut Option<Painting>) {
    let Some(drag) = painting else { return };
    let (continues, pointer) = ui.input(|input| {
        let pointer = &input.pointer;
        (pointer.primary_down() || pointer.primary_released(), pointer.interact_pos())
    });
    let Some(Pos2 { y, .. }) = pointer.filter(|_| continues) else {
        *painting = None;
        return;
    };
    drag.crossed = Rangef::new(drag.y.min(y), drag.y.max(y));
    drag.y = y;
}

/// The state of a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SwitchState {
    on: bool,
    solo: bool,
    /// The state that results from this switch, the solos, and the switches of the ancestors.
    effective: bool,
}

impl SwitchState {
    /// The state of a switch that the user has not changed.
    const DEFAULT: Self = Self { on: true, solo: false, effective: true };
}

/// The state of a switch that can be changed.
fn state(context: &Context, tree: &TreeState, node: NodeIndex, column: Column) -> SwitchState {
    let own = joint_switches::switch(&context.view.switches, context.document.model.node(node).source, column);
    let effective = match column {
        Column::Drawn => &tree.effective.drawn,
        Column::Animated => &tree.effective.animated,
        Column::Influence => &tree.effective.influence,
        Column::Visible => &tree.effective.visible,
        Column::Geometry => &tree.effective.geometry,
    }[node.index()];
    SwitchState { on: own.on, solo: own.solo, effective }
}

/// The explanation of a state in the tooltip.
fn state_text(column: Column, state: SwitchState) -> &'static str {
    match (state.on, state.solo, state.effective, column) {
        (false, ..) => "Off",
        (true, true, ..) => "Soloed: off for every node that is not soloed",
        (true, false, true, _) => "On",
        (true, false, false, Column::Visible) => "On, but hidden by a parent, by the file, or by the solo of another node",
        (true, false, false, _) => "On, but another joint is soloed",
    }
}

/// Paints the icon of a switch.
fn paint(ui: &Ui, response: &Response, column: Column, state: SwitchState, look: Look) {
    let (palette, cell) = (theme::palette(ui.ctx()), response.rect);
    let square = Rect::from_center_size(cell.center(), vec2(20.0, 20.0));
    let painter = ui.painter();
    if state.solo {
        painter.rect(square, theme::RADIUS, palette.selection, Stroke::new(1.0, palette.accent), StrokeKind::Inside);
    } else if response.hovered() {
        painter.rect_filled(square, theme::RADIUS, palette.raised);
    }
    let color = match state {
        SwitchState { on: false, .. } => palette.warning,
        SwitchState { solo: true, .. } => palette.accent,
        _ if response.hovered() => palette.text,
        SwitchState { on: true, effective: false, .. } => palette.disabled,
        _ => palette.secondary,
    };
    match state {
        // The eye icon has a crossed-out variant.
        SwitchState { on: false, .. } if matches!(column, Column::Drawn | Column::Visible) => {
            icons::paint(ui, cell, icons::HIDDEN, 14.0, color);
        }
        SwitchState { on: false, .. } => {
            icons::paint(ui, cell, icon(column), 14.0, color);
            let slash = [cell.center() + vec2(-6.0, -6.0), cell.center() + vec2(6.0, 6.0)];
            // A second line in the panel's color sets the slash apart from the icon.
            let offset = vec2(1.2, -1.2);
            painter.line_segment([slash[0] + offset, slash[1] + offset], Stroke::new(1.6, palette.panel));
            painter.line_segment(slash, Stroke::new(1.4, color));
        }
        SwitchState { solo: true, .. } => icons::paint(ui, cell, icon(column), 14.0, color),
        _ if look == Look::Hovered => icons::paint(ui, cell, icon(column), 14.0, color),
        SwitchState { effective: false, .. } => {
            painter.circle_stroke(cell.center(), 3.0, Stroke::new(1.0, palette.outline));
        }
        _ if look == Look::Covered => {}
        _ => icons::paint(ui, cell, icon(column), 14.0, palette.secondary.gamma_multiply(icons::IDLE_OPACITY)),
    }
}

/// Draws a switch that cannot be changed. The tooltip has the reason.
fn fixed_ui(ui: &mut Ui, id: egui::Id, label: &str, cell: Rect, look: Look) {
    let palette = theme::palette(ui.ctx());
    let response = ui.interact(cell, id, Sense::hover());
    response.widget_info(|| WidgetInfo::selected(Role::Switch, false, true, label));
    match look {
        Look::Hovered => icons::paint(ui, cell, icons::LOCK, 12.0, palette.disabled),
        Look::Covered => {}
        Look::Idle => icons::paint(ui, cell, icons::LOCK, 12.0, palette.secondary.gamma_multiply(icons::IDLE_OPACITY)),
    }
    response.on_hover_text(format!("{label}\nCannot be switched off: no ancestor in its skin can move its vertices.\nWhile another joint is soloed, its vertices hold the rest pose."));
}
