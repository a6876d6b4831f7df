//! The indentation of the tree's rows, and the width of the tree. The levels of a deep tree are indented less. If the names still do not
//! fit, the tree scrolls sideways. Names may run under the switches, but the beginning of each name has a place beside them.

use egui::{FontId, Rangef, Rect, Stroke, TextStyle, Ui};

use crate::model::node::NodeIndex;
use crate::session::names::NameStyle;
use crate::ui::context::Context;
use crate::ui::style::theme;

use super::rows::TreeRow;

// Widths of the chevron, and of the icon with its gap, in points.
pub const CHEVRON_WIDTH: f32 = 14.0;
pub const ICON_WIDTH: f32 = 18.0;
// Margins left of the chevron and right of the name, in points.
const LEFT_MARGIN: f32 = 4.0;
const RIGHT_MARGIN: f32 = 8.0;
/// Maximum width that the tree reserves for a name, in points. Longer names are shortened where they do not fit.
const MAX_NAME_WIDTH: f32 = 180.0;
/// Width that a name keeps beside the switches, in points. Shorter names keep their width.
pub const MIN_NAME_WIDTH: f32 = 60.0;

/// The widths of the names in a tree, measured once for its rows.
#[derive(Debug, Clone, Default)]
pub struct NameWidths {
    /// The style of the measured names. `None` until they are measured.
    style: Option<NameStyle>,
    /// For each depth, the greatest width of a name, in points.
    widest: Vec<f32>,
}

impl NameWidths {
    /// Measures the names of these rows, unless they are measured already.
    pub fn update(&mut self, ui: &Ui, context: &Context, rows: &[TreeRow]) {
        if self.style.replace(context.preferences.names) == Some(context.preferences.names) {
            return;
        }
        let font = TextStyle::Body.resolve(ui.style());
        let ascii = ui.fonts_mut(|fonts| std::array::from_fn::<f32, 128, _>(|char| fonts.glyph_width(&font, char as u8 as char)));
        self.widest.clear();
        for row in rows {
            let depth = context.document.depths[row.node.index()] as usize;
            self.widest.resize(self.widest.len().max(depth + 1), 0.0);
            let width = name_width(ui, context.node_name(row.node), &font, &ascii);
            self.widest[depth] = self.widest[depth].max(width);
        }
    }

    /// Discards the widths after a change of the rows.
    pub fn clear(&mut self) {
        self.style = None;
    }
}

/// The width of a name, in points. `ascii` has the widths of the ASCII characters.
fn name_width(ui: &Ui, name: &str, font: &FontId, ascii: &[f32; 128]) -> f32 {
    let width = |char: char| match ascii.get(char as usize) {
        Some(width) => *width,
        None => ui.fonts_mut(|fonts| fonts.glyph_width(font, char)),
    };
    let mut sum = 0.0;
    for char in name.chars() {
        sum += width(char);
        if sum > MAX_NAME_WIDTH {
            return MAX_NAME_WIDTH;
        }
    }
    sum
}

/// The indentation of a tree.
#[derive(Debug, Clone, Copy, Default)]
pub struct Indent {
    /// Indentation of a level, in points.
    level: f32,
    /// Width of the rows, in points.
    pub width: f32,
}

impl Indent {
    /// The indentation in a panel of this width: the largest indentation at which all names fit, within limits. If they do not fit, the
    /// rows are so wide that the tree can be scrolled until the longest name ends left of the switches.
    pub fn new(widths: &NameWidths, panel_width: f32, switches_width: f32) -> Self {
        let fixed = LEFT_MARGIN + CHEVRON_WIDTH + ICON_WIDTH + RIGHT_MARGIN;
        let room = |widest: f32| fixed + widest.max(widest.min(MIN_NAME_WIDTH) + switches_width);
        let fitting_level = |(depth, widest): (usize, &f32)| (panel_width - room(*widest)) / depth as f32;
        let fitting = widths.widest.iter().enumerate().skip(1).map(fitting_level).fold(theme::INDENT, f32::min);
        let level = fitting.max(theme::MIN_INDENT);
        let end = |room: &dyn Fn(f32) -> f32| {
            widths.widest.iter().enumerate().map(|(depth, widest)| depth as f32 * level + room(*widest)).fold(0.0, f32::max)
        };
        // Rounding must not make a tree scroll whose names just fit.
        let width = if end(&room) < panel_width + 0.5 { panel_width } else { end(&|widest| fixed + widest + switches_width) };
        Self { level, width }
    }

    /// The left edge of a node's chevron, in points from the left end of its row.
    pub fn left(&self, context: &Context, node: NodeIndex) -> f32 {
        LEFT_MARGIN + context.document.depths[node.index()] as f32 * self.level
    }

    /// The part of a node's row to scroll to: from its parent's level to the middle of a name of maximum width.
    pub fn span(&self, context: &Context, node: NodeIndex) -> Rangef {
        let left = self.left(context, node);
        Rangef::new(left - LEFT_MARGIN - self.level, left + CHEVRON_WIDTH + ICON_WIDTH + MAX_NAME_WIDTH * 0.6)
    }

    /// Draws a line through the row for each ancestor, below the ancestor's chevron. `visible` is the part of the row that can be seen.
    pub fn paint_guides(&self, ui: &Ui, depth: u32, row: Rect, visible: Rect) {
        let first = row.left() + LEFT_MARGIN + CHEVRON_WIDTH / 2.0;
        let from = ((visible.left() - first) / self.level).max(0.0) as u32;
        let line = Stroke::new(1.0, theme::palette(ui.ctx()).divider);
        let lines = (from..depth).map(|ancestor| first + ancestor as f32 * self.level);
        for x in lines.take_while(|x| *x < visible.right()) {
            ui.painter().vline(x.round() + 0.5, row.y_range(), line);
        }
    }
}
