//! The settings of the checks: the profile, the limits, and the checks that are switched off. They are read from a TOML file:
//!
//! ```toml
//! profile = "unity"
//! off = ["REDUNDANT_KEYS", "OFF_ORIGIN"]
//!
//! [limits]
//! loop_gap_distance = 0.01
//! ```

use std::collections::BTreeSet;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::profile::Profile;
use super::rule::{LIMITS, Limit, RULES, Rule};

/// Maximum size of a configuration, in bytes.
pub const MAX_CONFIG_BYTES: usize = 1 << 20;

/// The settings of the checks.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    pub profile: Profile,
    /// Checks that are switched off.
    off: BTreeSet<Rule>,
    /// The value of each limit, in the order of [`LIMITS`].
    limits: [f64; LIMITS.len()],
}

/// The reason why a configuration cannot be used. The message names the line and the key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    #[error("line {line}: {message}")]
    Syntax { line: usize, message: String },
    #[error("line {line}: unknown key {key:?}; {hint}")]
    UnknownKey { line: usize, key: String, hint: String },
    #[error("line {line}: {key:?} must be {wanted}")]
    WrongType { line: usize, key: String, wanted: &'static str },
    #[error("line {line}: {key:?} has the unknown value {value:?}; {hint}")]
    UnknownValue { line: usize, key: String, value: String, hint: String },
    #[error("the configuration has more than {MAX_CONFIG_BYTES} bytes")]
    TooLarge,
}

impl Default for Settings {
    fn default() -> Self {
        Self { profile: Profile::default(), off: BTreeSet::new(), limits: LIMITS.map(|entry| entry.default) }
    }
}

impl Settings {
    /// The default settings with a profile.
    pub fn with_profile(profile: Profile) -> Self {
        Self { profile, ..Self::default() }
    }

    /// Returns whether a check is switched on.
    pub fn is_on(&self, rule: Rule) -> bool {
        !self.off.contains(&rule)
    }

    /// The value of a limit.
    pub fn limit(&self, limit: Limit) -> f64 {
        self.limits[limit as usize]
    }

    /// Reads a configuration. Settings that it does not mention keep their defaults. Returns an error if the text is too large, is not
    /// valid TOML, or has an unknown key or an invalid value.
    pub fn from_toml(text: &str) -> Result<Self, ConfigError> {
        if text.len() > MAX_CONFIG_BYTES {
            return Err(ConfigError::TooLarge);
        }
        let lines = Lines(text);
        let table = DeTable::parse(text).map_err(|error| ConfigError::Syntax {
            line: lines.line(error.span().map_or(0, |span| span.start)),
            message: error.message().replace('\n', " "),
        })?;
        let mut settings = Self::default();
        for (key, value) in table.get_ref() {
            let (name, line) = (key.get_ref().as_ref(), lines.line(key.span().start));
            match name {
                "profile" => settings.profile = read_profile(value, line)?,
                "off" => settings.off = read_off(value, &lines)?,
                "limits" => read_limits(value, &lines, line, &mut settings.limits)?,
                _ => {
                    let is_limit = LIMITS.iter().any(|entry| entry.key == name);
                    let hint = if is_limit { "limits belong below [limits]" } else { "the keys are profile, off and limits" };
                    return Err(ConfigError::UnknownKey { line, key: name.to_owned(), hint: hint.to_owned() });
                }
            }
        }
        Ok(settings)
    }
}

/// The text of a configuration. Finds the line of a position.
struct Lines<'a>(&'a str);

impl Lines<'_> {
    /// The line that contains a byte, counted from 1.
    fn line(&self, byte: usize) -> usize {
        1 + self.0.bytes().take(byte).filter(|&byte| byte == b'\n').count()
    }
}

/// Reads the name of a profile.
fn read_profile(value: &Spanned<DeValue>, line: usize) -> Result<Profile, ConfigError> {
    let key = "profile".to_owned();
    let Some(name) = value.get_ref().as_str() else {
        return Err(ConfigError::WrongType { line, key, wanted: "text" });
    };
    Profile::from_name(name).ok_or_else(|| {
        let names: Vec<_> = Profile::ALL.iter().map(|profile| profile.name()).collect();
        ConfigError::UnknownValue { line, key, value: name.to_owned(), hint: format!("the profiles are {}", names.join(", ")) }
    })
}

/// Reads the codes of checks that are switched off.
fn read_off(value: &Spanned<DeValue>, lines: &Lines) -> Result<BTreeSet<Rule>, ConfigError> {
    let wrong_type = |value: &Spanned<DeValue>| ConfigError::WrongType {
        line: lines.line(value.span().start),
        key: "off".to_owned(),
        wanted: "a list of codes, such as [\"REDUNDANT_KEYS\"]",
    };
    let codes = value.get_ref().as_array().ok_or_else(|| wrong_type(value))?;
    let code = |item: &Spanned<DeValue>| {
        let text = item.get_ref().as_str().ok_or_else(|| wrong_type(item))?;
        Rule::from_code(text).ok_or_else(|| ConfigError::UnknownValue {
            line: lines.line(item.span().start),
            key: "off".to_owned(),
            value: text.to_owned(),
            hint: format!("the codes are {}", RULES.map(|entry| entry.code).join(", ")),
        })
    };
    codes.iter().map(code).collect()
}

/// Reads limits by their keys.
fn read_limits(value: &Spanned<DeValue>, lines: &Lines, line: usize, limits: &mut [f64]) -> Result<(), ConfigError> {
    let Some(table) = value.get_ref().as_table() else {
        return Err(ConfigError::WrongType { line, key: "limits".to_owned(), wanted: "a table: [limits]" });
    };
    for (key, value) in table {
        let (name, line) = (key.get_ref().as_ref(), lines.line(key.span().start));
        let Some(entry) = LIMITS.iter().find(|entry| entry.key == name) else {
            let hint = format!("the limits are {}", LIMITS.map(|entry| entry.key).join(", "));
            return Err(ConfigError::UnknownKey { line, key: name.to_owned(), hint });
        };
        let number = number(value.get_ref()).filter(|number| number.is_finite() && *number >= 0.0);
        let wrong_type = ConfigError::WrongType { line, key: name.to_owned(), wanted: "a number of at least 0" };
        limits[entry.limit as usize] = number.ok_or(wrong_type)?;
    }
    Ok(())
}

/// The number of an integer or floating-point value.
fn number(value: &DeValue) -> Option<f64> {
    let text = match value {
        DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str(),
        DeValue::Float(float) => float.as_str(),
        _ => return None,
    };
    text.replace('_', "").parse().ok()
}
