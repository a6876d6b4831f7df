//! The selected keys of the animation: apart from the view, for keys are shown, never edited.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Weak};

use crate::model::Model;
use crate::model::animation::Animation;
use crate::session::document::Document;

/// By channel of the animation: which of its keys, as ranges in ascending order that do not touch.
#[derive(Debug, Clone, Default)]
pub struct KeySelection {
    keys: BTreeMap<usize, Vec<Range<usize>>>,
    /// What they are keys of.
    model: Weak<Model>,
    path: Option<PathBuf>,
    animation: Option<usize>,
}

impl KeySelection {
    /// Another animation or file has none of these keys; the same file read again has those that are still there.
    pub fn follow(&mut self, document: &Document, animation: Option<usize>) {
        let same_model = std::ptr::eq(self.model.as_ptr(), Arc::as_ptr(&document.model));
        if same_model && self.animation == animation {
            return;
        }
        let reloaded = !same_model && self.path.is_some() && self.path == document.path && self.animation == animation;
        match animation.and_then(|a| document.model.animations.get(a)).filter(|_| reloaded) {
            Some(animation) => self.cut(animation),
            None => self.keys.clear(),
        }
        (self.model, self.path, self.animation) = (Arc::downgrade(&document.model), document.path.clone(), animation);
    }

    fn cut(&mut self, animation: &Animation) {
        self.keys.retain(|&channel, ranges| {
            let count = animation.channels.get(channel).map_or(0, |channel| animation.key_times[channel.key_times].len());
            ranges.retain_mut(|range| {
                range.end = range.end.min(count);
                range.start < range.end
            });
            !ranges.is_empty()
        });
    }

    pub fn clear(&mut self) {
        self.keys.clear();
    }

    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub fn count(&self) -> usize {
        self.keys.values().flatten().map(Range::len).sum()
    }

    pub fn contains(&self, channel: usize, key: usize) -> bool {
        self.ranges(channel).iter().any(|range| range.contains(&key))
    }

    pub fn ranges(&self, channel: usize) -> &[Range<usize>] {
        self.keys.get(&channel).map_or(&[], Vec::as_slice)
    }

    /// Channels with selected keys, and which.
    pub fn channels(&self) -> impl Iterator<Item = (usize, &[Range<usize>])> {
        self.keys.iter().map(|(&channel, ranges)| (channel, ranges.as_slice()))
    }

    pub fn add(&mut self, channel: usize, keys: Range<usize>) {
        if keys.is_empty() {
            return;
        }
        let ranges = self.keys.entry(channel).or_default();
        // Those that it overlaps or touches become one with it.
        let first = ranges.partition_point(|range| range.end < keys.start);
        let last = ranges.partition_point(|range| range.start <= keys.end);
        let joined = ranges[first..last].iter().fold(keys, |joined, range| joined.start.min(range.start)..joined.end.max(range.end));
        ranges.splice(first..last, [joined]);
    }

    pub fn remove(&mut self, channel: usize, keys: &Range<usize>) {
        let Some(ranges) = self.keys.get_mut(&channel) else { return };
        let outside = |range: Range<usize>| [range.start..range.end.min(keys.start), range.start.max(keys.end)..range.end];
        *ranges = ranges.drain(..).flat_map(outside).filter(|range| !range.is_empty()).collect();
        if ranges.is_empty() {
            self.keys.remove(&channel);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::KeySelection;

    #[test]
    fn ranges_that_touch_are_one_and_a_hole_makes_two() {
        let mut selection = KeySelection::default();
        for keys in [4..6, 8..9, 0..1, 6..8] {
            selection.add(3, keys);
        }
        assert_eq!(selection.ranges(3), [0..1, 4..9]);
        assert_eq!(selection.count(), 6);
        selection.remove(3, &(5..7));
        assert_eq!(selection.ranges(3), [0..1, 4..5, 7..9]);
        assert!(selection.contains(3, 8) && !selection.contains(3, 5) && !selection.contains(2, 0));
        selection.remove(3, &(0..9));
        assert!(selection.is_empty());
    }
}
