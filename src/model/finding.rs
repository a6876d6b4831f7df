//! A finding: something in the file that was ignored, repaired, or looks wrong. Loader warnings, validation and checks
//! of animations all speak in this one type; `inspect` prints it and a panel lists it.

use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The Khronos validator's code where it has one (`ACCESSOR_WEIGHTS_NON_NORMALIZED`), else one in its style.
    pub code: &'static str,
    pub severity: Severity,
    /// JSON pointer to the place in the file (`/meshes/3/primitives/0`); empty: the whole file.
    pub pointer: String,
    /// A sentence that says what was found and what was done about it.
    pub message: String,
}

/// From harmless to grave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Info,
    Warning,
    Error,
}
