//! Collects items with the same fault for one message: counts all, and keeps the worst few.

/// Nodes, channels or other items with the same fault.
#[derive(Debug, Clone)]
pub struct Worst<T> {
    /// Number of all items.
    pub count: usize,
    /// The worst items with their values, the worst first. At most [`Worst::MAX_KEPT`].
    pub kept: Vec<(f64, T)>,
}

impl<T> Default for Worst<T> {
    fn default() -> Self {
        Self { count: 0, kept: Vec::new() }
    }
}

impl<T> Worst<T> {
    /// Maximum number of items that a message names.
    pub const MAX_KEPT: usize = 3;

    /// Adds an item. A larger value is worse. Of items with equal values, the one that was added first counts as the worst.
    pub fn add(&mut self, value: f64, item: T) {
        self.count += 1;
        let position = self.kept.partition_point(|(other, _)| *other >= value);
        if position < Self::MAX_KEPT {
            self.kept.insert(position, (value, item));
            self.kept.truncate(Self::MAX_KEPT);
        }
    }

    /// The worst item and its value.
    pub fn first(&self) -> Option<&(f64, T)> {
        self.kept.first()
    }

    /// The worst items in words, and the number of the others: "LeftFoot 3.1 cm, Hips 2.0 cm and 4 more".
    pub fn words(&self, word: impl Fn(f64, &T) -> String) -> String {
        let words: Vec<String> = self.kept.iter().map(|(value, item)| word(*value, item)).collect();
        match self.count - self.kept.len() {
            0 => words.join(", "),
            more => format!("{} and {more} more", words.join(", ")),
        }
    }
}
