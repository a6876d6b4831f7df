//! A list of names. A name that does not fit is shortened: parts that it shares with its neighbors and with the whole list are left out
//! first, and parts in which it differs stay.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use unicode_segmentation::UnicodeSegmentation;

use super::parts::{is_number, parts, parts_among};

/// Replaces the parts that are left out.
const ELLIPSIS: char = '\u{2026}';
/// Minimum number of graphemes to which a part beside another one is cut. A part of this length or shorter is shown whole or not at all.
const MIN_CUT_GRAPHEMES: usize = 6;

/// Pairs of words for the two sides of a body.
const SIDES: [[&str; 2]; 5] = [["Left", "Right"], ["left", "right"], ["LEFT", "RIGHT"], ["L", "R"], ["l", "r"]];

/// Names in the order in which they are listed.
#[derive(Debug, Clone, Default)]
pub struct NameList {
    names: Vec<String>,
    /// For the hash of each part, the number of names that have it.
    counts: HashMap<u64, u32>,
    /// For the hash of each name without its numbers, the number of such names.
    without_numbers: HashMap<u64, u32>,
}

impl NameList {
    /// The list of these names. Counts their parts.
    pub fn new(names: Vec<String>) -> Self {
        let (mut counts, mut without_numbers) = (HashMap::new(), HashMap::new());
        let mut hashes = Vec::new();
        for name in &names {
            let parts = parts(name);
            hashes.clear();
            hashes.extend(parts.iter().map(|part| hash(part)));
            hashes.sort_unstable();
            hashes.dedup();
            for &part in &hashes {
                *counts.entry(part).or_default() += 1;
            }
            *without_numbers.entry(hash_without_numbers(&parts)).or_default() += 1;
        }
        Self { names, counts, without_numbers }
    }

    /// A name in full.
    pub fn get(&self, index: usize) -> &str {
        &self.names[index]
    }

    /// The name from the byte `start` on. If `fits` refuses it, parts are left out until `fits` accepts the rest.
    pub fn fit(&self, index: usize, start: usize, fits: &dyn Fn(&str) -> bool) -> String {
        let name = &self.names[index][start..];
        if fits(name) {
            return name.to_owned();
        }
        let neighbors: Vec<&str> =
            [index.checked_sub(1), Some(index + 1)].into_iter().flatten().filter_map(|i| self.names.get(i)).map(String::as_str).collect();
        let parts = parts_among(name, &neighbors);
        // The parts as they are shown.
        let mut words: Vec<String> = parts.iter().map(|&part| part.to_owned()).collect();
        let (mut shown, mut fitted) = (vec![false; parts.len()], None);
        let is_side: Vec<bool> = (0..parts.len()).map(|part| self.is_side(index, start, &parts, part)).collect();
        let mut remaining = self.parts_by_importance(index, &parts, &neighbors, &is_side);
        // A part that all neighbors share does not distinguish names, so it is shown only together with another part.
        let is_common = |part: usize| !is_side[part] && neighbors.iter().all(|neighbor| neighbor.contains(parts[part]));
        let is_beside = |part: usize, shown: &[bool]| (part > 0 && shown[part - 1]) || shown.get(part + 1) == Some(&true);
        while let Some(next) = remaining.iter().position(|&part| fitted.is_none() || !is_common(part) || is_beside(part, &shown)) {
            let part = remaining.remove(next);
            shown[part] = true;
            let text = join(&words, &shown);
            if fits(&text) {
                fitted = Some(text);
            } else if fitted.is_none() {
                return cut_middle(&mut words, &shown, part, 1, fits).unwrap_or_else(|| ELLIPSIS.to_string());
            } else {
                let text = if is_side[part] {
                    // The first letter of a side is enough to tell it from the other side.
                    words[part] = format!("{}{ELLIPSIS}", first_letter(parts[part]));
                    Some(join(&words, &shown)).filter(|text| fits(text))
                } else {
                    cut_middle(&mut words, &shown, part, MIN_CUT_GRAPHEMES, fits)
                };
                shown[part] = text.is_some();
                fitted = text.or(fitted);
            }
        }
        fitted.unwrap_or_default()
    }

    /// Returns whether a part names a side, and the list also has the name for the other side, with any numbers. `parts` are those of the
    /// name from the byte `start` on.
    fn is_side(&self, index: usize, start: usize, parts: &[&str], part: usize) -> bool {
        mirrored(parts[part]).is_some_and(|mirrored| {
            let name = [&self.names[index][..start], &parts[..part].concat(), &mirrored, &parts[part + 1..].concat()].concat();
            self.without_numbers.contains_key(&hash_without_numbers(&super::parts::parts(&name)))
        })
    }

    /// The indices of a name's parts, the most important one first. Parts that distinguish the name from the others come first, and numbers
    /// that do not distinguish it come last.
    fn parts_by_importance(&self, index: usize, parts: &[&str], neighbors: &[&str], is_side: &[bool]) -> Vec<usize> {
        let all = super::parts::parts(&self.names[index]);
        let numbers_are_redundant =
            all.iter().any(|part| !is_number(part)) && self.without_numbers.get(&hash_without_numbers(&all)) == Some(&1);
        let last = parts.len().saturating_sub(1);
        let sort_key = |&part: &usize| {
            let text = parts[part];
            // Neighbors are often on the same side. The side distinguishes the name from one farther away.
            let neighbors = if is_side[part] { 0 } else { neighbors.iter().filter(|neighbor| neighbor.contains(text)).count() };
            let count = self.counts.get(&hash(text)).copied().unwrap_or(1);
            // Among equals, the last part is the most important one, then the first part, then the middle.
            let position_rank = if part == 0 { 1 } else { 2 * (last - part) };
            (numbers_are_redundant && is_number(text), neighbors, count, position_rank)
        };
        let mut order: Vec<usize> = (0..parts.len()).collect();
        order.sort_by_key(sort_key);
        order
    }
}

/// The first letter of a part.
fn first_letter(part: &str) -> &str {
    &part[..part.chars().next().map_or(0, char::len_utf8)]
}

/// The same part for the other side of the body: "Right_" for "Left_". `None` if the part names no side.
fn mirrored(part: &str) -> Option<String> {
    let word = part.trim_matches(|char: char| !char.is_alphanumeric());
    let pair = SIDES.into_iter().find(|pair| pair.contains(&word))?;
    Some(part.replacen(word, if pair[0] == word { pair[1] } else { pair[0] }, 1))
}

/// A name's parts, with an ellipsis for those that are not shown. Separators beside an ellipsis are left out, too.
fn join(parts: &[String], shown: &[bool]) -> String {
    let mut text = String::new();
    for (part, &shown) in parts.iter().zip(shown) {
        if shown {
            text.push_str(part);
        } else if !text.ends_with(ELLIPSIS) {
            text.truncate(text.trim_end_matches(['_', '-', '.', ':', '|', '/', ' ']).len());
            text.push(ELLIPSIS);
        }
    }
    text
}

/// Shortens the word of a part that does not fit: keeps as much of its two ends as fits beside the other words, and returns the whole text.
/// `None` if not even `min` graphemes fit.
fn cut_middle(words: &mut [String], shown: &[bool], part: usize, min: usize, fits: &dyn Fn(&str) -> bool) -> Option<String> {
    let word = std::mem::take(&mut words[part]);
    let graphemes: Vec<&str> = word.graphemes(true).collect();
    let mut text = |kept: usize| {
        words[part] = without_middle(&graphemes, kept);
        join(words, shown)
    };
    let kept = most_that_fit(graphemes.len(), |kept| fits(&text(kept)));
    (kept >= min).then(|| text(kept))
}

/// The largest number below `too_many` that fits, found by bisection. 0 fits in any case.
pub fn most_that_fit(too_many: usize, mut fits: impl FnMut(usize) -> bool) -> usize {
    let (mut fitting, mut too_many) = (0, too_many);
    while too_many - fitting > 1 {
        let middle = usize::midpoint(fitting, too_many);
        *if fits(middle) { &mut fitting } else { &mut too_many } = middle;
    }
    fitting
}

/// Keeps this many graphemes, two thirds of them from the end, with an ellipsis in the middle.
pub fn without_middle(graphemes: &[&str], kept: usize) -> String {
    let head = kept.div_ceil(3).min(graphemes.len());
    let tail = graphemes.len().saturating_sub(kept - kept.div_ceil(3)).max(head);
    graphemes[..head].concat() + "\u{2026}" + &graphemes[tail..].concat()
}

/// The hash of a part.
fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// The hash of a name without its numbers.
fn hash_without_numbers(parts: &[&str]) -> u64 {
    hash(&parts.iter().filter(|part| !is_number(part)).copied().collect::<String>())
}
