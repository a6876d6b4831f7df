//! Reads which joint of a humanoid a name stands for: "mixamorig:LeftForeArm", "lowerarm_l" and "DEF-forearm.L" are the same.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::model::node::{NodeIndex, without_namespace};

use super::humanoid_names::{CONVENTIONS, Convention, PREFIXES};

/// Longest name that is read, in bytes. No convention has longer ones.
const MAX_NAME_BYTES: usize = 80;

/// A joint of a humanoid, named as in VRM 1.0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Joint {
    /// The name without its side: "hips", "lowerArm", "indexProximal".
    pub name: &'static str,
    /// `None` for joints in the middle.
    pub side: Option<BodySide>,
}

/// The side of the body, as the humanoid itself sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BodySide {
    Left,
    Right,
}

/// A name split into its side and the rest, in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
struct SidedName {
    side: Option<BodySide>,
    text: String,
}

/// The joints that these names stand for. The convention that explains most names of the skeleton is asked first, because some names mean
/// different joints in different conventions ("spine" is the hips in Rigify). Names of other conventions count where they mean one joint
/// in all of them, and where no other name stands for that joint.
pub fn joints(nodes: &[(NodeIndex, &str)]) -> Vec<(NodeIndex, Joint)> {
    let named: Vec<(NodeIndex, SidedName)> = nodes.iter().filter_map(|(node, name)| Some((*node, split(name)?))).collect();
    let explained = |convention: &&ConventionNames| {
        let mut found: Vec<Joint> = named.iter().filter_map(|(_, name)| convention.joint(name)).collect();
        found.sort_unstable_by_key(|joint| (joint.name, joint.side.map(|side| side as u8)));
        found.dedup();
        found.len()
    };
    // Among equals the first wins: `max_by_key` would take the last.
    let Some(best) = conventions().by_name.iter().rev().max_by_key(explained) else { return Vec::new() };
    let own = |name: &SidedName| best.joint(name);
    let taken: std::collections::HashSet<Joint> = named.iter().filter_map(|(_, name)| own(name)).collect();
    let other = |name: &SidedName| conventions().common.joint(name).filter(|joint| !taken.contains(joint));
    named.iter().filter_map(|(node, name)| Some((*node, own(name).or_else(|| other(name))?))).collect()
}

/// The joint that a name stands for where its skeleton follows no known convention.
pub fn joint(name: &str) -> Option<Joint> {
    conventions().common.joint(&split(name)?)
}

/// The names of one convention.
struct ConventionNames {
    /// For a name without side: the joint, and whether it has a side.
    joints: HashMap<&'static str, &'static str>,
}

impl ConventionNames {
    /// The joint of a name.
    fn joint(&self, name: &SidedName) -> Option<Joint> {
        let joint = self.joints.get(name.text.as_str()).copied()?;
        (is_sided(joint) == name.side.is_some()).then_some(Joint { name: joint, side: name.side })
    }
}

/// Returns whether a humanoid has the joint on both sides.
fn is_sided(joint: &str) -> bool {
    !matches!(joint, "hips" | "spine" | "chest" | "upperChest" | "neck" | "head" | "jaw")
}

/// The conventions, ready to look up names.
struct Conventions {
    by_name: Vec<ConventionNames>,
    /// The names that stand for one joint in all conventions.
    common: ConventionNames,
}

/// Prepares the table once.
fn conventions() -> &'static Conventions {
    static CACHE: OnceLock<Conventions> = OnceLock::new();
    CACHE.get_or_init(|| {
        let mut common: HashMap<&str, Option<&str>> = HashMap::new();
        for (joint, names) in CONVENTIONS.iter().flat_map(|convention: &Convention| convention.joints) {
            for name in *names {
                common.entry(name).and_modify(|known| *known = known.filter(|known| known == joint)).or_insert(Some(joint));
            }
        }
        let names = |convention: &Convention| {
            let joints = convention.joints.iter().flat_map(|(joint, names)| names.iter().map(move |name| (*name, *joint)));
            ConventionNames { joints: joints.collect() }
        };
        let common = common.into_iter().filter_map(|(name, joint)| Some((name, joint?))).collect();
        Conventions { by_name: CONVENTIONS.iter().map(names).collect(), common: ConventionNames { joints: common } }
    })
}

/// Splits a name into words, takes the side and the prefix of its skeleton out of them, and joins the rest. `None` if nothing remains.
fn split(name: &str) -> Option<SidedName> {
    let name = Some(without_namespace(name)).filter(|name| name.len() <= MAX_NAME_BYTES)?;
    let mut words = words(name);
    let side_of = |word: &str| match word {
        "l" | "left" | "lft" => Some(BodySide::Left),
        "r" | "right" | "rgt" | "rt" => Some(BodySide::Right),
        _ => None,
    };
    let mut side = None;
    // A prefix goes first: in "J_Bip_L_Hand" the J is none of the joint's.
    while words.len() > 1 && PREFIXES.contains(&words[0].as_str()) {
        words.remove(0);
        while words.len() > 1 && words[0].bytes().all(|byte| byte.is_ascii_digit()) {
            words.remove(0);
        }
    }
    if let Some(at) = words.iter().position(|word| side_of(word).is_some()).filter(|_| words.len() > 1) {
        side = side_of(&words.remove(at));
    } else if let Some(word) = words.first_mut() {
        // All in lower case: "leftupleg".
        for (prefix, of) in [("left", BodySide::Left), ("right", BodySide::Right)] {
            if let Some(rest) = word.strip_prefix(prefix).filter(|rest| !rest.is_empty()) {
                (side, *word) = (Some(of), rest.to_owned());
                break;
            }
        }
    }
    let text = words.concat();
    (!text.is_empty()).then_some(SidedName { side, text })
}

/// The words of a name in lower case: split at everything but letters and digits, before a capital after a small letter, and between
/// letters and digits.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before: Option<char> = None;
    for char in name.chars() {
        if !char.is_alphanumeric() {
            before = None;
            continue;
        }
        let starts = before.is_none_or(|before| (before.is_lowercase() && char.is_uppercase()) || before.is_numeric() != char.is_numeric());
        let lower = char.to_lowercase();
        match words.last_mut().filter(|_| !starts) {
            Some(word) => word.extend(lower),
            None => words.push(lower.collect()),
        }
        before = Some(char);
    }
    words
}
