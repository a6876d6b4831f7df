//! The line style of a node's curves. It distinguishes the curves of different nodes, because a color stands for an axis and is the same
//! for all nodes.

use egui::{Pos2, Shape, Stroke};

/// The style of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dash {
    /// The name in the tooltip of the node.
    pub name: &'static str,
    /// Lengths of the dashes in tenths of a point. Empty for a solid line.
    lengths: &'static [u8],
    /// Length of each gap, in tenths of a point.
    gap: u8,
}

/// The styles. The first node has the first style.
const DASHES: [Dash; 4] = [
    Dash { name: "solid", lengths: &[], gap: 0 },
    Dash { name: "dashed", lengths: &[70], gap: 35 },
    Dash { name: "dotted", lengths: &[15], gap: 35 },
    Dash { name: "dash-dotted", lengths: &[80, 15], gap: 35 },
];

impl Dash {
    /// The style of the curves of the shown node with this number. The first node has number 0 and solid lines. The nodes after it cycle
    /// through the other styles.
    pub fn new(number: usize) -> Self {
        match number {
            0 => DASHES[0],
            number => DASHES[1 + (number - 1) % (DASHES.len() - 1)],
        }
    }

    /// The shapes of a line in this style.
    pub fn shapes(self, line: Vec<Pos2>, stroke: Stroke) -> Vec<Shape> {
        if self.lengths.is_empty() {
            return vec![Shape::line(line, stroke)];
        }
        let lengths: Vec<_> = self.lengths.iter().map(|&length| f32::from(length) / 10.0).collect();
        let gaps = vec![f32::from(self.gap) / 10.0; lengths.len()];
        let mut shapes = Vec::new();
        Shape::dashed_line_many_with_offset(&line, stroke, &lengths, &gaps, 0.0, &mut shapes);
        shapes
    }
}
