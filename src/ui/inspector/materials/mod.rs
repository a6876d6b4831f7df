//! The materials of the active node's mesh under the chosen variant: their factors and textures. Each material can be folded.

pub mod factors;
pub mod textures;

use std::collections::HashSet;

use egui::{Align2, Role, Sense, Ui, WidgetInfo, vec2};

use crate::model::label;
use crate::model::pointer::Property;
use crate::numbers;
use crate::ui::context::Context;
use crate::ui::style::{icons, text, theme};

use crate::ui::widgets::value_rows;

/// Maximum number of materials that are listed. The other materials are only counted.
const MAX_MATERIALS: usize = 16;
/// Width of the chevron before a material's name, in points.
const CHEVRON: f32 = 16.0;

/// The mesh of the active node.
pub fn active_mesh(context: &Context) -> Option<usize> {
    let model = &context.document.model;
    let node = context.view.active().and_then(|source| model.node_from_source(source))?;
    model.node(node).mesh
}

/// The materials that a mesh uses, without duplicates, in the order of its primitives. `None` is the default material.
pub fn used(context: &Context, mesh: usize) -> Vec<Option<usize>> {
    let primitives = context.document.model.meshes.get(mesh).into_iter().flat_map(|mesh| &mesh.primitives);
    let mut seen = HashSet::new();
    primitives.map(|primitive| primitive.material_in(context.view.display.variant)).filter(|&material| seen.insert(material)).collect()
}

/// Draws the materials of a mesh. Initially, only the first one is unfolded.
pub fn materials_ui(ui: &mut Ui, context: &mut Context, mesh: usize, used: &[Option<usize>]) {
    for (shown, &material) in used.iter().take(MAX_MATERIALS).enumerate() {
        ui.push_id((mesh, material), |ui| material_ui(ui, context, mesh, material, shown == 0));
    }
    if used.len() > MAX_MATERIALS {
        value_rows::note_ui(ui, &format!("and {} more", numbers::grouped(used.len() - MAX_MATERIALS)));
    }
}

/// Draws a material: a row that folds it, its factors and its textures.
fn material_ui(ui: &mut Ui, context: &mut Context, mesh: usize, index: Option<usize>, open_at_first: bool) {
    let document = context.document;
    let model = &document.model;
    let Some((index, material)) = index.and_then(|index| Some((index, model.materials.get(index)?))) else {
        value_rows::text_ui(ui, "Material", "default (none in the file)");
        return;
    };
    let name = material.name.as_deref().filter(|name| !name.trim().is_empty());
    let name = name.map_or(format!("material {index}"), |name| format!("{} (material {index})", label::clean(name)));
    if !head_ui(ui, &name, open_at_first) {
        return;
    }
    let is_driven = |property| matches!(property, Property::Material { material, .. } if material == index);
    if model.pointers.iter().any(|pointer| is_driven(pointer.property)) {
        value_rows::note_ui(ui, "Animated. The values below are those without animation.");
    }
    factors::factors_ui(ui, material);
    textures::textures_ui(ui, context, mesh, index);
    ui.add_space(theme::MARGIN);
}

/// Draws the row with the material's name. A click folds or unfolds the material. Returns whether it is unfolded; egui remembers this.
fn head_ui(ui: &mut Ui, name: &str, open_at_first: bool) -> bool {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme::INSPECTOR_ROW_HEIGHT), Sense::click());
    let id = ui.scope_id().with("open");
    let mut open = ui.data(|data| data.get_temp(id).unwrap_or(open_at_first));
    if response.clicked() {
        open = !open;
        ui.data_mut(|data| data.insert_temp(id, open));
    }
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, open, format!("Material: {name}")));
    let palette = theme::palette(ui.ctx());
    let color = if response.hovered() || response.has_focus() { palette.accent } else { palette.text };
    let icon = if open { icons::CHEVRON_DOWN } else { icons::CHEVRON_RIGHT };
    icons::paint(ui, rect.with_max_x(rect.left() + 12.0), icon, 14.0, palette.secondary);
    let font = theme::section_font();
    let short = text::elide_middle(ui, name, &font, rect.width() - CHEVRON);
    ui.painter().text(rect.left_center() + vec2(CHEVRON, 0.0), Align2::LEFT_CENTER, &short, font, color);
    let response = response.on_hover_cursor(egui::CursorIcon::PointingHand);
    if short != name {
        response.on_hover_text(name);
    }
    open
}
