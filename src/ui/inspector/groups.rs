//! Groups of rows in the inspector. A click on the title of a group opens or closes it. The preferences remember which groups are open.

use egui::{Rect, Response, Role, Sense, Ui, WidgetInfo, vec2};

use crate::ui::context::Context;
use crate::ui::context::preferences::OpenGroups;
use crate::ui::style::{icons, theme};
use crate::ui::widgets::value_rows;

/// A group of rows with a title.
pub struct Group {
    pub title: &'static str,
    /// Returns the setting that remembers whether the group is open.
    pub state: fn(&mut OpenGroups) -> &mut bool,
    /// Letters above the columns, shown while the group is open. Empty if the group has no columns.
    pub letters: &'static [char],
}

impl Group {
    /// A group without columns.
    pub const fn new(title: &'static str, state: fn(&mut OpenGroups) -> &mut bool) -> Self {
        Self { title, state, letters: &[] }
    }

    /// Draws the head, and the rows if the group is open.
    pub fn show(&self, ui: &mut Ui, context: &mut Context, rows: impl FnOnce(&mut Ui, &mut Context)) {
        let open = (self.state)(&mut context.preferences.open_groups);
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme::INSPECTOR_ROW_HEIGHT), Sense::click());
        if response.clicked() {
            *open = !*open;
        }
        let open = *open;
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, open, format!("Group {}", self.title)));
        self.paint_head(ui, rect, &response, open);
        if open {
            ui.push_id(self.title, |ui| rows(ui, context));
            ui.add_space(4.0);
        }
    }

    /// Paints the chevron, the title and the letters.
    fn paint_head(&self, ui: &Ui, rect: Rect, response: &Response, open: bool) {
        let palette = theme::palette(ui.ctx());
        let is_highlighted = response.hovered() || response.has_focus();
        let color = if is_highlighted { palette.text } else { palette.secondary };
        let icon = if open { icons::CHEVRON_DOWN } else { icons::CHEVRON_RIGHT };
        icons::paint(ui, Rect::from_min_size(rect.min, vec2(12.0, rect.height())), icon, 12.0, color);
        value_rows::paint_sub_head(ui, rect.with_min_x(rect.left() + 16.0), self.title, color);
        if open {
            value_rows::paint_letters(ui, rect, self.letters);
        }
    }
}
