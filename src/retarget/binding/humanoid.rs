//! Finds the joint of a humanoid that a name stands for: "mixamorig:LeftForeArm", "lowerarm_l" and "DEF-forearm.L" are the same joint.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use crate::model::node::{NodeIndex, without_namespace};

use super::humanoid_names::{CONVENTIONS, Convention, PREFIXES};

/// Minimum number of joints that are recognized in a humanoid. With fewer, the names are not enough to know their convention.
pub const MIN_JOINTS: usize = 8;
/// Longest name that is analyzed, in bytes. No convention has longer names.
const MAX_NAME_BYTES: usize = 80;

/// A joint of a humanoid, named as in VRM 1.0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Joint {
    /// The name without its side: "hips", "lowerArm", "indexProximal".
    pub name: &'static str,
    /// `None` for joints in the middle.
    pub side: Option<BodySide>,
}

/// The side of the body, from the humanoid's own point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BodySide {
    Left,
    Right,
}

/// A name split into its side and the other words, in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
struct SidedName {
    side: Option<BodySide>,
    /// The name without side, prefix and separators.
    text: String,
}

/// The joints that these names stand for. The convention that recognizes the most joints decides, because some names mean different joints
/// in different conventions ("spine" is the hips in Rigify). A name of other conventions is used if it means the same joint in all of them,
/// unless a name of the chosen convention stands for that joint already.
pub fn joints(nodes: &[(NodeIndex, &str)]) -> Vec<(NodeIndex, Joint)> {
    let is_numbered = is_numbered(nodes);
    let named = nodes.iter().filter_map(|&(node, name)| {
        let (name, _) = without_number(name).filter(|_| is_numbered).unwrap_or((name, 0));
        Some((node, split(name)?))
    });
    let named: Vec<(NodeIndex, SidedName)> = named.collect();
    let joint_count = |convention: &&ConventionNames| {
        let mut joints: Vec<Joint> = named.iter().filter_map(|(_, name)| convention.joint(name)).collect();
        joints.sort_unstable_by_key(|joint| (joint.name, joint.side.map(|side| side as u8)));
        joints.dedup();
        joints.len()
    };
    // The first of equally good conventions is used. `max_by_key` returns the last, so search backward.
    let Some(convention) = conventions().all.iter().rev().max_by_key(joint_count) else { return Vec::new() };
    let by_convention = |name: &SidedName| convention.joint(name);
    let found: HashSet<Joint> = named.iter().filter_map(|(_, name)| by_convention(name)).collect();
    let by_common_name = |name: &SidedName| conventions().common.joint(name).filter(|joint| !found.contains(joint));
    named.iter().filter_map(|(node, name)| Some((*node, by_convention(name).or_else(|| by_common_name(name))?))).collect()
}

/// Returns whether the names end with the numbers of their nodes, as in files from Sketchfab: "LeftArm_07". This is assumed if
/// there are at least five names, at least three quarters of them end with a number, and all numbers are different.
fn is_numbered(nodes: &[(NodeIndex, &str)]) -> bool {
    let mut numbers: Vec<u32> = nodes.iter().filter_map(|(_, name)| Some(without_number(name)?.1)).collect();
    let count = numbers.len();
    numbers.sort_unstable();
    numbers.dedup();
    nodes.len() >= 5 && numbers.len() == count && 4 * count >= 3 * nodes.len()
}

/// Splits "LeftArm_07" into "LeftArm" and 7. `None` if the name does not end with an underscore and a number.
fn without_number(name: &str) -> Option<(&str, u32)> {
    let (name, number) = name.rsplit_once('_')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    Some((name, number.parse().ok().filter(|_| is_number && !name.is_empty())?))
}

/// The joint that a name stands for in all known conventions that have it.
pub fn joint(name: &str) -> Option<Joint> {
    conventions().common.joint(&split(name)?)
}

/// The names of one convention.
struct ConventionNames {
    /// The joint of each name, both without side.
    joints: HashMap<&'static str, &'static str>,
}

impl ConventionNames {
    /// The joint of a name. `None` if the name is unknown, or if only one of the name and the joint has a side.
    fn joint(&self, name: &SidedName) -> Option<Joint> {
        let joint = self.joints.get(name.text.as_str()).copied()?;
        (is_sided(joint) == name.side.is_some()).then_some(Joint { name: joint, side: name.side })
    }
}

/// Returns whether a humanoid has the joint on both sides.
fn is_sided(joint: &str) -> bool {
    !matches!(joint, "hips" | "spine" | "chest" | "upperChest" | "neck" | "head" | "jaw")
}

/// The conventions, for looking up names.
struct Conventions {
    /// In the order of [`CONVENTIONS`].
    all: Vec<ConventionNames>,
    /// The names that stand for the same joint in all conventions that have them.
    common: ConventionNames,
}

/// Builds the tables on the first call.
fn conventions() -> &'static Conventions {
    static CACHE: OnceLock<Conventions> = OnceLock::new();
    CACHE.get_or_init(|| {
        let mut common: HashMap<&str, Option<&str>> = HashMap::new();
        for (joint, names) in CONVENTIONS.iter().flat_map(|convention: &Convention| convention.joints) {
            for name in *names {
                // A name with two meanings is no common name.
                common.entry(name).and_modify(|other| *other = other.filter(|other| other == joint)).or_insert(Some(joint));
            }
        }
        let names = |convention: &Convention| {
            let joints = convention.joints.iter().flat_map(|(joint, names)| names.iter().map(move |name| (*name, *joint)));
            ConventionNames { joints: joints.collect() }
        };
        let common = common.into_iter().filter_map(|(name, joint)| Some((name, joint?))).collect();
        Conventions { all: CONVENTIONS.iter().map(names).collect(), common: ConventionNames { joints: common } }
    })
}

/// Splits a name into words, removes the side and the prefix of the skeleton, and joins the other words. `None` if nothing remains.
fn split(name: &str) -> Option<SidedName> {
    let name = Some(without_namespace(name)).filter(|name| name.len() <= MAX_NAME_BYTES)?;
    let mut words = words(name);
    let side_of = |word: &str| match word {
        "l" | "left" | "lft" => Some(BodySide::Left),
        "r" | "right" | "rgt" | "rt" => Some(BodySide::Right),
        _ => None,
    };
    let mut side = None;
    // Remove prefixes, such as the words "J" and "Bip" of "J_Bip_L_Hand", and the numbers after them.
    while words.len() > 1 && PREFIXES.contains(&words[0].as_str()) {
        words.remove(0);
        while words.len() > 1 && words[0].bytes().all(|byte| byte.is_ascii_digit()) {
            words.remove(0);
        }
    }
    if let Some(position) = words.iter().position(|word| side_of(word).is_some()).filter(|_| words.len() > 1) {
        side = side_of(&words.remove(position));
    } else if let Some(word) = words.first_mut() {
        // A name without capitals is one word: "leftupleg".
        for (prefix, prefix_side) in [("left", BodySide::Left), ("right", BodySide::Right)] {
            if let Some(joint) = word.strip_prefix(prefix).filter(|joint| !joint.is_empty()) {
                (side, *word) = (Some(prefix_side), joint.to_owned());
                break;
            }
        }
    }
    let text = words.concat();
    (!text.is_empty()).then_some(SidedName { side, text })
}

/// The words of a name in lower case. A word ends before a character that is no letter or digit, before a capital after a small letter,
/// and between letters and digits.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut previous: Option<char> = None;
    for char in name.chars() {
        if !char.is_alphanumeric() {
            previous = None;
            continue;
        }
        let starts_word =
            previous.is_none_or(|previous| (previous.is_lowercase() && char.is_uppercase()) || previous.is_numeric() != char.is_numeric());
        let lower = char.to_lowercase();
        match words.last_mut().filter(|_| !starts_word) {
            Some(word) => word.extend(lower),
            None => words.push(lower.collect()),
        }
        previous = Some(char);
    }
    words
}
