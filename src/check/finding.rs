//! The findings of checks, and the list that collects them. The list is limited, leaves out checks that are switched off, and is sorted at
//! the end.

use serde::Serialize;

use crate::model::finding::Severity;
use crate::model::label;
use crate::numbers;

use super::rule::Rule;
use super::settings::Settings;

/// Maximum number of findings that are listed per check and severity. If there are more, one additional finding tells how many are left
/// out.
const MAX_FINDINGS_PER_RULE: usize = 10;

/// The unit of a measured number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Unit {
    #[serde(rename = "m")]
    Meters,
    #[serde(rename = "s")]
    Seconds,
    #[serde(rename = "degrees")]
    Degrees,
    #[serde(rename = "m/s")]
    MetersPerSecond,
}

/// A probable mistake in a file that the specification allows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckFinding {
    /// The code of the check.
    pub code: &'static str,
    pub severity: Severity,
    /// Sentences about the mistake and its consequences.
    pub message: String,
    /// The affected node, or the worst of several, as an index in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<usize>,
    /// The affected animation, or the worst of several, as an index in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub animation: Option<usize>,
    /// The time in the animation at which the mistake is visible, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// The measured number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// The limit of the value. Depending on the check, it is an upper or a lower limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    /// The unit of value and threshold. `None` for plain numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<Unit>,
    /// JSON pointer to the location in the file; empty for the whole file.
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
            unit: None,
            pointer: String::new(),
            rule,
        }
    }

    /// The ratio of value and threshold, or its reciprocal if that is larger. The distance if the threshold is 0, and for weights, which
    /// are limited by 0 or by 1.
    fn excess(&self) -> f64 {
        let Some((value, threshold)) = self.value.zip(self.threshold) else { return 0.0 };
        if threshold == 0.0 || self.rule == Rule::MorphOutOfRange {
            return (value - threshold).abs();
        }
        let ratio = value / threshold;
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

    /// Adds a finding unless its check is switched off. Numbers that are not finite are left out. The message begins
    /// with a capital letter, even if it begins with the label of an animation without a name.
    pub fn add(&mut self, mut finding: CheckFinding) {
        if self.settings.is_on(finding.rule) {
            finding.value = finding.value.filter(|value| value.is_finite());
            finding.message = label::capitalized(&finding.message);
            self.list.push(finding);
        }
    }

    /// The findings, sorted by severity, by check, and by how far the value exceeds its threshold. For each check and severity, findings
    /// beyond the maximum are replaced by one finding that tells their number.
    pub fn finish(mut self) -> Vec<CheckFinding> {
        let order = |a: &CheckFinding, b: &CheckFinding| {
            b.severity
                .cmp(&a.severity)
                .then(a.rule.cmp(&b.rule))
                .then(b.excess().total_cmp(&a.excess()))
                .then(a.animation.cmp(&b.animation))
        };
        self.list.sort_by(order);
        let mut kept: Vec<CheckFinding> = Vec::new();
        for group in self.list.chunk_by(|a, b| a.rule == b.rule && a.severity == b.severity) {
            kept.extend(group.iter().take(MAX_FINDINGS_PER_RULE).cloned());
            if let Some(omitted) = group.get(MAX_FINDINGS_PER_RULE) {
                let count = group.len() - MAX_FINDINGS_PER_RULE;
                let more = numbers::agreeing(count, "finding of this kind is", "findings of this kind are");
                let message = format!("{count} more {more} less severe and not listed.");
                kept.push(CheckFinding { severity: omitted.severity, ..CheckFinding::new(omitted.rule, message) });
            }
        }
        kept
    }
}
