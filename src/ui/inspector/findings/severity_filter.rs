//! The buttons above a list of findings. There is one button per severity, with the number of its findings. A click hides or shows these
//! findings.

use std::collections::BTreeSet;

use egui::{Button, RichText, Role, Ui, WidgetInfo};

use crate::model::finding::Severity;
use crate::numbers;
use crate::ui::style::{icons, theme};

/// Draws the button of a severity. Returns whether it was clicked.
pub fn button_ui(ui: &mut Ui, hidden: &mut BTreeSet<Severity>, severity: Severity, count: usize) -> bool {
    let shown = !hidden.contains(&severity);
    let palette = theme::palette(ui.ctx());
    let (icon, color) = icons::severity_mark(ui, severity);
    let color = if shown { color } else { palette.disabled };
    let mark = RichText::new(icon).font(icons::font(icons::ICON_SIZE)).color(color);
    let number = RichText::new(numbers::grouped(count)).font(theme::number_font()).color(color);
    ui.spacing_mut().icon_spacing = 4.0;
    let response = ui.add(Button::new((mark, number)).selected(shown));
    let label = numbers::counted(count, severity.noun());
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, shown, &label));
    let hint = format!("{label}: click to {}", if shown { "hide" } else { "show" });
    let clicked = response.on_hover_text(hint).clicked();
    if clicked && !hidden.remove(&severity) {
        hidden.insert(severity);
    }
    clicked
}
