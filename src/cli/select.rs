//! `--animation A` and `--camera C`: a number is the file's own index; anything else is a name; `name:12` is the name "12".

use std::convert::Infallible;
use std::str::FromStr;

use anyhow::bail;

/// How a person names one of many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selector {
    Index(usize),
    Name(String),
}

impl FromStr for Selector {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match (text.strip_prefix("name:"), text.parse()) {
            (Some(name), _) => Self::Name(name.into()),
            (None, Ok(index)) => Self::Index(index),
            (None, Err(_)) => Self::Name(text.into()),
        })
    }
}

/// The index that `selector` means among `names`. `what` ("animation", "camera") is for the error, which tells what there is.
/// The first of several equal names is taken, with a note on stderr.
pub fn resolve(selector: &Selector, what: &str, names: &[Option<String>]) -> anyhow::Result<usize> {
    let there_is = || match names.len() {
        0 => format!("the file has no {what}s"),
        1 => format!("the file has one: {}", label(names, 0)),
        count => {
            let shown: Vec<String> = (0..count.min(20)).map(|i| label(names, i)).collect();
            let more = if count > 20 { format!(" and {} more", count - 20) } else { String::new() };
            format!("the file has {count}: {}{more}", shown.join(", "))
        }
    };
    match selector {
        Selector::Index(index) if *index < names.len() => Ok(*index),
        Selector::Index(index) => bail!("no {what} {index}; {}", there_is()),
        Selector::Name(wanted) => {
            let mut matching = (0..names.len()).filter(|&i| names[i].as_deref() == Some(wanted));
            let Some(first) = matching.next() else { bail!("no {what} named {wanted:?}; {}", there_is()) };
            let others = matching.count();
            if others > 0 {
                eprintln!("note: {} {what}s are named {wanted:?}; taking number {first}", others + 1);
            }
            Ok(first)
        }
    }
}

fn label(names: &[Option<String>], index: usize) -> String {
    match &names[index] {
        Some(name) => format!("{index} {name:?}"),
        None => index.to_string(),
    }
}
