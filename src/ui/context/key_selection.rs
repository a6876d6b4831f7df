//! The selected keys of the animation. They are not part of the view, because selecting keys changes nothing in the picture. After a
//! reload, the keys that still exist stay selected.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use crate::model::Model;
use crate::model::animation::Animation;
use crate::session::document::Document;
use crate::session::inspect::curves::{Address, Addresses};

use super::per_document::{DocumentChange, LastAnimation, LastDocument};

/// Times belong to the same key if they differ by less than this, in seconds. Near one hour, neighboring f32
/// values are already farther apart than this.
pub const KEY_TIME_TOLERANCE: f64 = 1e-6;

/// Selected keys by channel, as ascending ranges that do not touch.
#[derive(Debug, Clone, Default)]
pub struct KeySelection {
    keys: BTreeMap<usize, Vec<Range<usize>>>,
    /// The document and animation that the keys belong to.
    document: LastDocument,
    animation: LastAnimation,
    /// The keys in a form that survives a reload. `None` after keys were added or removed.
    portable: Option<PortableKeys>,
}

/// Selected keys in a form that survives a reload of the file: the target of each channel, and the times of its selected keys, in seconds.
type PortableKeys = Vec<(Address, Vec<f32>)>;

impl KeySelection {
    /// Clears the selection if the animation or the file is another one. A reload keeps the keys that still exist.
    pub fn update(&mut self, document: &Document, animation: Option<usize>) {
        let model = &document.model;
        let change = self.document.update(document);
        let is_other_animation = self.animation.update(model, animation, change);
        let animation = animation.and_then(|animation| model.animations.get(animation));
        if change != DocumentChange::Same || is_other_animation {
            let portable = self.portable.take().filter(|_| !is_other_animation);
            self.keys.clear();
            if let (Some(portable), Some(animation)) = (portable, animation) {
                self.restore(&portable, model, animation);
            }
        }
        if self.portable.is_none() {
            self.portable = animation.map(|animation| self.to_portable(model, animation));
        }
    }

    /// Converts the selected keys to their times and the targets of their channels.
    fn to_portable(&self, model: &Model, animation: &Animation) -> PortableKeys {
        let addresses = Addresses::new(model);
        let portable = |(channel, ranges): (usize, &[Range<usize>])| {
            let channel = animation.channels.get(channel)?;
            let times = ranges.iter().filter_map(|range| animation.key_times[channel.key_times].get(range.clone())).flatten();
            Some((addresses.address(channel.target), times.copied().collect()))
        };
        self.channels().filter_map(portable).collect()
    }

    /// Selects the keys that still exist in a reloaded animation.
    fn restore(&mut self, portable: &PortableKeys, model: &Model, animation: &Animation) {
        let addresses = Addresses::new(model);
        let channels: HashMap<_, _> = animation.channels.iter().map(|channel| addresses.address(channel.target)).zip(0..).collect();
        for (address, selected_times) in portable {
            let Some(&channel) = channels.get(address) else { continue };
            let times = &animation.key_times[animation.channels[channel].key_times];
            for selected in selected_times.iter().map(|&time| f64::from(time)) {
                let key = times.partition_point(|&time| f64::from(time) < selected - KEY_TIME_TOLERANCE);
                if times.get(key).is_some_and(|&time| f64::from(time) <= selected + KEY_TIME_TOLERANCE) {
                    self.add(channel, key..key + 1);
                }
            }
        }
    }

    /// Deselects all keys.
    pub fn clear(&mut self) {
        self.portable = None;
        self.keys.clear();
    }

    /// Returns whether no key is selected.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Number of selected keys.
    pub fn count(&self) -> usize {
        self.keys.values().flatten().map(Range::len).sum()
    }

    /// Returns whether a key of a channel is selected.
    pub fn contains(&self, channel: usize, key: usize) -> bool {
        self.ranges(channel).iter().any(|range| range.contains(&key))
    }

    /// The selected keys of a channel, as ascending ranges.
    pub fn ranges(&self, channel: usize) -> &[Range<usize>] {
        self.keys.get(&channel).map_or(&[], Vec::as_slice)
    }

    /// The channels with selected keys, each with these keys as ascending ranges.
    pub fn channels(&self) -> impl Iterator<Item = (usize, &[Range<usize>])> {
        self.keys.iter().map(|(&channel, ranges)| (channel, ranges.as_slice()))
    }

    /// Selects keys of a channel.
    pub fn add(&mut self, channel: usize, keys: Range<usize>) {
        if keys.is_empty() {
            return;
        }
        self.portable = None;
        let ranges = self.keys.entry(channel).or_default();
        // Merge the ranges that the new one overlaps or touches.
        let first = ranges.partition_point(|range| range.end < keys.start);
        let last = ranges.partition_point(|range| range.start <= keys.end);
        let joined = ranges[first..last].iter().fold(keys, |joined, range| joined.start.min(range.start)..joined.end.max(range.end));
        ranges.splice(first..last, [joined]);
    }

    /// Deselects keys of a channel.
    pub fn remove(&mut self, channel: usize, keys: &Range<usize>) {
        let Some(ranges) = self.keys.get_mut(&channel) else { return };
        self.portable = None;
        // A range keeps the part before the removed keys and the part after them.
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
    fn touching_ranges_are_joined_and_removing_keys_splits_a_range() {
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
