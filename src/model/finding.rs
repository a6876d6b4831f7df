//! A finding: something in the file that was ignored or repaired, or that violates the specification. Loading and validation make
//! findings; `inspect` prints them, and a panel lists them. The checks of motion and rig have their own type.

use serde::Serialize;

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The code of the Khronos glTF Validator (`ACCESSOR_WEIGHTS_NON_NORMALIZED`), or a code in the same style if the validator has none.
    pub code: &'static str,
    /// The severity, as the Khronos glTF Validator uses it.
    pub severity: Severity,
    /// JSON pointer to the location in the file (`/meshes/3/primitives/0`); empty for the whole file.
    pub pointer: String,
    /// Sentences that say what was found and what was done about it.
    pub message: String,
}

/// The severity of a finding, in ascending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// A hint: nothing is wrong, but something could be better.
    Info,
    /// Probably a mistake.
    Warning,
    /// Invalid by the specification, or not usable.
    Error,
}

impl Severity {
    /// All severities, the most severe first.
    pub const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Info];

    /// The severity as a word, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// The severity as a noun that can be counted: "2 infos".
    pub fn noun(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}
