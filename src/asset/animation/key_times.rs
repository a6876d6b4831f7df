//! The distinct sets of key times of one animation. Sampling searches each set once for all channels that use it. Exporters rarely
//! share accessors between channels, so sets are compared by content.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use crate::asset::accessor::{AccessorRequest, Integers, NotFinite, Reader};
use crate::asset::error::Problem;
use crate::model::animation::Channel;
use crate::numbers::{agreeing, counted};

/// The input accessor of a sampler.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    pub accessor: usize,
    /// Returns the JSON pointer of the sampler's `input`. Only findings need it.
    pub pointer: &'a dyn Fn() -> String,
    /// Returns the channel, in words for messages.
    pub words: &'a dyn Fn() -> String,
}

/// The keys that an input accessor defines.
#[derive(Debug, Clone)]
pub struct Keys {
    /// Index of their times among the distinct sets.
    pub set: usize,
    /// Number of keys in the file, including those that are not used.
    pub file_count: usize,
    /// Indices of the keys to use, in ascending order of time. `None` if all are used in the file's order.
    pub order: Option<Vec<usize>>,
}

/// Collects the distinct sets of key times, in seconds.
#[derive(Debug, Default)]
pub struct KeyTimes {
    /// The distinct sets, each in ascending order.
    sets: Vec<Vec<f32>>,
    /// The keys of each accessor; `None` if it has no usable key.
    by_accessor: HashMap<usize, Option<Keys>>,
    /// Indices into `sets`, by a hash of the times.
    by_content: HashMap<u64, Vec<usize>>,
}

impl KeyTimes {
    /// The keys of an input accessor. `None`, with a finding, if no time is finite.
    pub fn read(&mut self, reader: &mut Reader, input: Input) -> Result<Option<&Keys>, Problem> {
        let accessor = input.accessor;
        // Several channels may share an input accessor. Read it once, so that its findings are reported once.
        if !self.by_accessor.contains_key(&accessor) {
            let request = AccessorRequest { role: "input", accessor };
            let times = reader.read_floats::<[f32; 1], 1>(request, NotFinite::Keep, Integers::AsDeclared)?.into_flattened();
            let keys = self.add(reader, input, times);
            self.by_accessor.insert(accessor, keys);
        }
        Ok(self.by_accessor[&accessor].as_ref())
    }

    /// Sorts and checks the times, and adds them to the sets.
    fn add(&mut self, reader: &mut Reader, input: Input, mut times: Vec<f32>) -> Option<Keys> {
        let file_count = times.len();
        let Input { accessor, pointer, words } = input;
        let mut order = None;
        let finite = times.iter().filter(|time| time.is_finite()).count();
        // The sort is stable: of keys with equal times, the last one in the file stays last.
        if finite < file_count || !times.is_sorted() {
            let mut kept: Vec<usize> = (0..file_count).filter(|&key| times[key].is_finite()).collect();
            kept.sort_by(|&a, &b| times[a].total_cmp(&times[b]));
            times = kept.iter().map(|&key| times[key]).collect();
            order = Some(kept);
        }
        if finite < file_count {
            let ignored = file_count - finite;
            let are = agreeing(ignored, "is not finite; its key is", "are not finite; their keys are");
            let message = format!("{}: {} {are} ignored.", words(), counted(ignored, "key time"));
            reader.findings.error("ACCESSOR_INVALID_FLOAT", &format!("/accessors/{accessor}"), message);
        }
        let first_time = times.first().copied()?;
        if times.windows(2).any(|pair| pair[0] == pair[1]) || order.as_ref().is_some_and(|order| !order.is_sorted()) {
            let message = format!("{}: key times do not increase strictly; they are sorted, and the last of equal ones is used.", words());
            reader.findings.error("ACCESSOR_ANIMATION_INPUT_NON_INCREASING", &pointer(), message);
        }
        if first_time < 0.0 {
            let message = format!("{}: the first key is at {first_time} s, before the animation begins.", words());
            reader.findings.error("ACCESSOR_ANIMATION_INPUT_NEGATIVE", &pointer(), message);
        }
        Some(Keys { set: self.find_or_add(times), file_count, order })
    }

    /// The index of these times among the distinct sets. They are added if they are new.
    fn find_or_add(&mut self, times: Vec<f32>) -> usize {
        let mut hasher = DefaultHasher::new();
        // Hash the bits, because f32 has no `Hash`. Compare the times themselves below, because hashes may collide.
        bytemuck::cast_slice::<f32, u32>(&times).hash(&mut hasher);
        let same_hash = self.by_content.entry(hasher.finish()).or_default();
        if let Some(&index) = same_hash.iter().find(|&&index| self.sets[index] == times) {
            return index;
        }
        same_hash.push(self.sets.len());
        self.sets.push(times);
        self.sets.len() - 1
    }

    /// Returns the sets that `channels` use, and replaces each channel's index of its set by the index in the result.
    pub fn finish(mut self, channels: &mut [Channel]) -> Vec<Vec<f32>> {
        let mut new_indices: Vec<Option<usize>> = vec![None; self.sets.len()];
        let mut used = Vec::new();
        for channel in channels {
            let set = channel.key_times;
            channel.key_times = *new_indices[set].get_or_insert_with(|| {
                used.push(std::mem::take(&mut self.sets[set]));
                used.len() - 1
            });
        }
        used
    }
}
