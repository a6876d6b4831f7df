//! Ranks how well a name matches a query: by its beginning, its words, their initials, or its letters in order.

/// Quality of a match, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// The name begins with the query.
    Beginning,
    /// Each word of the query begins a word of the name.
    Words,
    /// The letters begin words of the name, in order: "fs" for "Fit the selection".
    Initials,
    /// The name contains the query.
    Inside,
    /// The name contains the letters of the query in order.
    Scattered,
}

/// A query. It is compared without regard to case.
#[derive(Debug, Default)]
pub struct Wanted {
    /// The whole query in lower case, its words, and its letters without spaces.
    text: Vec<char>,
    words: Vec<Vec<char>>,
    letters: Vec<char>,
    /// The lower-case name being matched. The buffer is reused for all names.
    name: Vec<char>,
    /// Positions in `name` where words begin.
    starts: Vec<usize>,
}

impl Wanted {
    /// Prepares a query for matching many names.
    pub fn new(text: &str) -> Self {
        let lower = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<Vec<_>>();
        Self {
            text: lower(text.trim()),
            words: text.split_whitespace().map(lower).collect(),
            letters: text.split_whitespace().flat_map(lower).collect(),
            ..Self::default()
        }
    }

    /// Returns whether the query has no letters.
    pub fn is_empty(&self) -> bool {
        self.letters.is_empty()
    }

    /// The quality of the match. `None` if the name does not match.
    pub fn rank(&mut self, name: &str) -> Option<Rank> {
        self.read(name);
        let begins = |start: usize, what: &[char]| self.name[start..].starts_with(what);
        let one_begins = |word: &Vec<char>| self.starts.iter().any(|&start| begins(start, word));
        let initials = || self.starts.iter().map(|&start| self.name[start]);
        match () {
            () if begins(0, &self.text) => Some(Rank::Beginning),
            () if self.words.iter().all(one_begins) => Some(Rank::Words),
            () if is_within(&self.letters, initials()) => Some(Rank::Initials),
            () if self.name.windows(self.text.len().max(1)).any(|part| part == self.text) => Some(Rank::Inside),
            () if is_within(&self.letters, self.name.iter().copied()) => Some(Rank::Scattered),
            () => None,
        }
    }

    /// Converts a name to lower case and finds its words. A word begins after anything but a letter or digit, and as in `LeftHand`
    /// and `Arm2`.
    fn read(&mut self, name: &str) {
        self.name.clear();
        self.starts.clear();
        let mut before = ' ';
        for char in name.chars() {
            let camel = char.is_uppercase() && !before.is_uppercase();
            if char.is_alphanumeric() && (!before.is_alphanumeric() || camel || char.is_numeric() != before.is_numeric()) {
                self.starts.push(self.name.len());
            }
            self.name.extend(char.to_lowercase());
            before = char;
        }
    }
}

/// Returns whether these letters occur in this order.
fn is_within(letters: &[char], mut name: impl Iterator<Item = char>) -> bool {
    letters.iter().all(|&letter| name.any(|char| char == letter))
}
