//! What the checks find, and the list that collects it: bounded, without checks that are switched off, and sorted at the end.

use serde::Serialize;

use crate::model::finding::Severity;

use super::rule::Rule;
use super::settings::Settings;

/// Findings kept of one check. The last one counts the rest.
const MAX_PER_RULE: usize = 10;

/// Something that the file may hold by the specification, but that probably is a mistake.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckFinding {
    /// The code of the check.
    pub code: &'static str,
    pub severity: Severity,
    /// What was found and what follows from it, for people.
    pub message: String,
    /// The node concerned, or the worst of several, by its index in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<usize>,
    /// The animation concerned, or the worst of several, by its index in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub animation: Option<usize>,
    /// The time of the animation at which it shows, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// The measured number, in the unit of the threshold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// The number that the value must not pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    /// JSON pointer to the place in the file; empty for the whole file.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub pointer: String,
    /// The check.
    #[serde(skip)]
    pub rule: Rule,
}

impl CheckFinding {
    /// A finding about the whole file, with the usual severity of its check.
    pub fn new(rule: Rule, message: String) -> Self {
        let entry = rule.entry();
        Self {
            code: entry.code,
            severity: entry.severity,
            message,
            node: None,
            animation: None,
            time: None,
            value: None,
            threshold: None,
            pointer: String::new(),
            rule,
        }
    }

    /// How far the value is beyond its threshold, on either side of it.
    fn excess(&self) -> f64 {
        let ratio =
            self.value.zip(self.threshold).map_or(0.0, |(value, threshold)| if threshold > 0.0 { value / threshold } else { value });
        if ratio > 0.0 && ratio < 1.0 { 1.0 / ratio } else { ratio }
    }
}

/// Collects findings.
#[derive(Debug)]
pub struct Findings<'a> {
    settings: &'a Settings,
    list: Vec<CheckFinding>,
}

impl<'a> Findings<'a> {
    /// An empty list, which ignores the checks that are switched off.
    pub fn new(settings: &'a Settings) -> Self {
        Self { settings, list: Vec::new() }
    }

    /// Adds a finding unless its check is switched off. Numbers that are not finite are left out.
    pub fn add(&mut self, mut finding: CheckFinding) {
        if self.settings.is_on(finding.rule) {
            finding.value = finding.value.filter(|value| value.is_finite());
            self.list.push(finding);
        }
    }

    /// The findings, the most severe first, then by check, then the worst first. Of each check a few are kept, and a last one counts
    /// the others.
    pub fn finish(mut self) -> Vec<CheckFinding> {
        let key = |a: &CheckFinding, b: &CheckFinding| {
            b.severity
                .cmp(&a.severity)
                .then(a.rule.cmp(&b.rule))
                .then(b.excess().total_cmp(&a.excess()))
                .then(a.animation.cmp(&b.animation))
        };
        self.list.sort_by(key);
        let mut kept: Vec<CheckFinding> = Vec::new();
        for finding in self.list.chunk_by(|a, b| a.rule == b.rule && a.severity == b.severity) {
            kept.extend(finding.iter().take(MAX_PER_RULE).cloned());
            if let Some(first) = finding.get(MAX_PER_RULE) {
                let message = format!("{} more findings of this kind are less severe and not listed.", finding.len() - MAX_PER_RULE);
                kept.push(CheckFinding { severity: first.severity, ..CheckFinding::new(first.rule, message) });
            }
        }
        kept
    }
}

/// The worst of several things with one fault, and their number.
#[derive(Debug, Clone)]
pub struct Worst<T> {
    /// The number of things with the fault.
    pub count: usize,
    /// The worst of them with its value, worst first, at most [`Worst::MAX_KEPT`].
    pub kept: Vec<(f64, T)>,
}

impl<T> Default for Worst<T> {
    fn default() -> Self {
        Self { count: 0, kept: Vec::new() }
    }
}

impl<T> Worst<T> {
    /// Number of things that a message names.
    pub const MAX_KEPT: usize = 3;

    /// Counts a thing. A larger value is worse; of equal ones, the first is.
    pub fn add(&mut self, value: f64, thing: T) {
        self.count += 1;
        let at = self.kept.partition_point(|(other, _)| *other >= value);
        if at < Self::MAX_KEPT {
            self.kept.insert(at, (value, thing));
            self.kept.truncate(Self::MAX_KEPT);
        }
    }

    /// The worst thing and its value.
    pub fn first(&self) -> Option<&(f64, T)> {
        self.kept.first()
    }

    /// The worst things in words, and the number of the others: "LeftFoot 3.1 cm, Hips 2.0 cm and 4 more".
    pub fn words(&self, word: impl Fn(f64, &T) -> String) -> String {
        let words: Vec<String> = self.kept.iter().map(|(value, thing)| word(*value, thing)).collect();
        match self.count - self.kept.len() {
            0 => words.join(", "),
            more => format!("{} and {more} more", words.join(", ")),
        }
    }
}
