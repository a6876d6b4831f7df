//! Ranks how well a name matches a query. Every word of the query must match the beginning of a word of the name, its synonyms or its kind.
//! A name from a file also matches if it contains the whole query.

/// Quality of a match, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// The name begins with the query, or the query is one of its synonyms.
    Beginning,
    /// Each word of the query begins a word of the name.
    Words,
    /// Each word of the query begins a word of the name or of its synonyms.
    Synonym,
    /// Each word of the query begins a word of the name, its synonyms or its kind.
    Kind,
    /// The name contains the query.
    Inside,
}

/// Minimum length of an ASCII query that also matches inside words. Other scripts have no minimum, because some of them write no spaces
/// between words.
const MIN_INSIDE_LETTERS: usize = 3;

/// A query. Matching ignores the difference between upper and lower case.
#[derive(Debug, Default)]
pub struct Query {
    /// The whole query in lower case.
    text: Vec<char>,
    words: Vec<Vec<char>>,
    /// The lower-case name being matched. The buffer is reused for all names.
    name: Vec<char>,
    /// Positions in `name` where words begin.
    starts: Vec<usize>,
}

impl Query {
    /// Prepares a query for matching many names.
    pub fn new(text: &str) -> Self {
        let lower = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<Vec<_>>();
        Self { text: lower(text.trim()), words: text.split_whitespace().map(lower).collect(), ..Self::default() }
    }

    /// Returns whether the query has no words.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The quality of the match. `None` if the name does not match.
    pub fn rank(&mut self, name: &str) -> Option<Rank> {
        self.read(name);
        if self.name.starts_with(&self.text) {
            Some(Rank::Beginning)
        } else if self.all_words_begin() {
            Some(Rank::Words)
        } else {
            None
        }
    }

    /// Like [`Self::rank`], for a command with its kind and its synonyms in lower case.
    pub fn rank_command(&mut self, name: &str, synonyms: &[&str], kind: &str) -> Option<Rank> {
        if synonyms.iter().any(|synonym| synonym.chars().eq(self.text.iter().copied())) {
            return Some(Rank::Beginning);
        }
        if let Some(rank) = self.rank(name) {
            return Some(rank);
        }
        let with_synonyms = format!("{name} {}", synonyms.join(" "));
        self.read(&with_synonyms);
        if self.all_words_begin() {
            return Some(Rank::Synonym);
        }
        self.read(&format!("{kind} {with_synonyms}"));
        self.all_words_begin().then_some(Rank::Kind)
    }

    /// Like [`Self::rank`], for a name from a file. The query may also match inside a word, because such names do not always separate their
    /// words: "lefthand".
    pub fn rank_file_name(&mut self, name: &str) -> Option<Rank> {
        let rank = self.rank(name);
        let is_long = self.text.len() >= MIN_INSIDE_LETTERS || !self.text.iter().all(char::is_ascii);
        let is_inside = || is_long && self.name.windows(self.text.len()).any(|part| part == self.text);
        rank.or_else(|| is_inside().then_some(Rank::Inside))
    }

    /// Returns whether each word of the query begins a word of the name.
    fn all_words_begin(&self) -> bool {
        self.words.iter().all(|word| self.starts.iter().any(|&start| self.name[start..].starts_with(word)))
    }

    /// Converts a name to lower case and finds where its words begin: after a character that is neither letter nor digit, at a capital
    /// letter (`LeftHand`), and between letters and digits (`Arm2`).
    fn read(&mut self, name: &str) {
        self.name.clear();
        self.starts.clear();
        let mut previous = ' ';
        for char in name.chars() {
            let is_capital = char.is_uppercase() && !previous.is_uppercase();
            if char.is_alphanumeric() && (!previous.is_alphanumeric() || is_capital || char.is_numeric() != previous.is_numeric()) {
                self.starts.push(self.name.len());
            }
            self.name.extend(char.to_lowercase());
            previous = char;
        }
    }
}
