//! The entries of the palette: how they are found, their names, and what happens when one is chosen. [`super::search`] ranks the matches;
//! equally good matches are ordered by how recently they were used.

use std::path::PathBuf;

use crate::session::file::file_list;
use crate::session::saved_list::shown_name;
use crate::ui::actions::Action;
use crate::ui::actions::entry::Category;
use crate::ui::actions::table::TABLE;
use crate::ui::commands::camera::bookmarks;
use crate::ui::commands::playback;
use crate::ui::context::Context;
use crate::ui::context::request::Request;

use super::choice::Choice;
use super::search::{Query, Rank};
use super::synonyms;

/// Maximum number of results.
const MAX_RESULTS: usize = 200;

/// Something that the palette can do.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    Action(Action),
    Choice(Choice),
    /// Moves the camera to the bookmark with this number.
    Bookmark(usize),
    /// Plays the animation with this number.
    Animation(usize),
    /// Opens a recent file.
    File(PathBuf),
    /// Selects the node with this source index.
    Node(usize),
}

impl Entry {
    /// The entry's name in the list.
    pub fn label(&self, context: &Context) -> String {
        let model = &context.document.model;
        match self {
            Self::Action(action) => action.label().to_owned(),
            Self::Choice(choice) => Choice::all().find(|(other, _)| other == choice).map_or(String::new(), |(_, label)| label),
            Self::Bookmark(number) => {
                let name = bookmarks::of_file(context).get(*number).map_or("", |bookmark| shown_name(&bookmark.name));
                format!("Camera bookmark {name}")
            }
            Self::Animation(number) => {
                format!("Play {}", model.animations.get(*number).map_or(String::new(), |animation| animation.label(*number)))
            }
            Self::File(path) => format!("Open {}", file_list::distinct_name(path, &context.preferences.recent_files)),
            Self::Node(source) => {
                format!("Select {}", model.node_from_source(*source).map_or(String::new(), |node| model.node(node).label()))
            }
        }
    }

    /// The kind of entry, in words.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Action(action) => action.entry().category.label(),
            Self::Choice(choice) => choice.category().label(),
            Self::Bookmark(_) => Category::Camera.label(),
            Self::Animation(_) => "Animation",
            Self::File(_) => "Recent file",
            Self::Node(_) => "Node",
        }
    }

    /// The keyboard shortcut of an action. Empty for other entries.
    pub fn shortcut(&self) -> String {
        if let Self::Action(action) = self { action.shortcut() } else { String::new() }
    }

    /// Returns whether the entry's switch is on or its value is the current one. `None` if the entry has neither switch nor value.
    pub fn is_on(&self, context: &Context) -> Option<bool> {
        match self {
            Self::Action(action) => action.is_on(context),
            Self::Choice(choice) => Some(choice.is_on(context)),
            Self::Animation(number) => Some(context.view.animation == Some(*number)),
            Self::Bookmark(_) | Self::File(_) | Self::Node(_) => None,
        }
    }

    /// Why the entry cannot be chosen now. `None` if it can.
    pub fn disabled_reason(&self, context: &Context) -> Option<&'static str> {
        if let Self::Action(action) = self { action.disabled_reason(context) } else { None }
    }

    /// Returns whether the entry means the same for every file. Only such entries are remembered as recently used, because the list
    /// outlives the open file.
    pub fn is_file_independent(&self) -> bool {
        matches!(self, Self::Action(_) | Self::Choice(_) | Self::File(_))
    }

    /// Performs the entry.
    pub fn run(self, context: &mut Context) {
        match self {
            Self::Action(action) => context.actions.push(action),
            Self::Choice(choice) => choice.choose(context),
            Self::Bookmark(number) => bookmarks::go_to(context, number),
            Self::Animation(number) => playback::play_animation(context, Some(number)),
            Self::File(path) => context.requests.push(Request::Open(path)),
            Self::Node(source) => context.view.selection = vec![source],
        }
    }
}

/// The entries that match the text, best first. Without text, returns the recently used entries (`used`) except files that are no longer in
/// the list of recent files, then all actions except the one that opens the palette.
pub fn find(text: &str, used: &[Entry], context: &Context) -> Vec<Entry> {
    let actions = TABLE.iter().map(|entry| entry.action).filter(|action| *action != Action::CommandPalette);
    let mut query = Query::new(text);
    if query.is_empty() {
        let unused = actions.map(Entry::Action).filter(|action| !used.contains(action));
        let is_listed = |entry: &&Entry| !matches!(entry, Entry::File(path) if !context.preferences.recent_files.contains(path));
        return used.iter().filter(is_listed).cloned().chain(unused).collect();
    }
    let mut matches = Matches { ranked: Vec::new(), used };
    for action in actions {
        let label = action.label();
        let rank = query.rank_command(label, synonyms::of_action(action), action.entry().category.label());
        matches.add(rank, label, Entry::Action(action));
    }
    for (choice, label) in Choice::all() {
        let rank = query.rank_command(&label, synonyms::of_choice(choice), choice.category().label());
        matches.add(rank, &label, Entry::Choice(choice));
    }
    for number in 0..bookmarks::of_file(context).len() {
        let entry = Entry::Bookmark(number);
        let label = entry.label(context);
        matches.add(query.rank_command(&label, synonyms::BOOKMARK, entry.kind()), &label, entry);
    }
    let model = &context.document.model;
    let mut play = NameQuery::new(text, "play");
    for (number, animation) in model.animations.iter().enumerate() {
        let name = animation.label(number);
        matches.add(play.rank(&name), &name, Entry::Animation(number));
    }
    let mut open = NameQuery::new(text, "open");
    for path in &context.preferences.recent_files {
        let name = file_list::distinct_name(path, &context.preferences.recent_files);
        matches.add(open.rank(&name), &name, Entry::File(path.clone()));
    }
    let mut select = NameQuery::new(text, "select");
    for node in &model.nodes {
        // Node names are not copied, because there may be a hundred thousand nodes.
        let nameless = node.name.as_deref().is_none_or(str::is_empty).then(|| node.label());
        let name = nameless.as_deref().or(node.name.as_deref()).unwrap_or_default();
        matches.add(select.rank(name), name, Entry::Node(node.source));
    }
    matches.best(context)
}

/// A query for animations, files or nodes by name. The name may follow a verb: "play walk" finds the animation "Walk".
struct NameQuery {
    /// The whole text.
    whole: Query,
    /// The text after the verb. `None` if the text does not begin with the verb.
    after_verb: Option<Query>,
}

impl NameQuery {
    /// Prepares a query for entries whose label begins with this verb.
    fn new(text: &str, verb: &str) -> Self {
        let text = text.trim();
        let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        // One letter without a name after it does not count as a verb. Otherwise it would match all animations, files or nodes.
        let is_verb = verb.starts_with(&first.to_lowercase()) && (first.len() > 1 || !rest.is_empty());
        Self { whole: Query::new(text), after_verb: is_verb.then(|| Query::new(rest)) }
    }

    /// The quality of the match. If only the text after the verb matches, the rank is at best [`Rank::Words`].
    fn rank(&mut self, name: &str) -> Option<Rank> {
        let after_verb = |query: &mut Query| Some(query.rank_file_name(name)?.max(Rank::Words));
        self.whole.rank_file_name(name).or_else(|| self.after_verb.as_mut().and_then(after_verb))
    }
}

/// The sort key, lowest first: quality of the match, last use, kind, length of the name, position.
type Key = (Rank, usize, u8, usize, usize);

/// Collects the matches.
struct Matches<'a> {
    ranked: Vec<(Key, Entry)>,
    used: &'a [Entry],
}

impl Matches<'_> {
    /// Adds an entry if it matches, that is, if it has a rank.
    fn add(&mut self, rank: Option<Rank>, label: &str, entry: Entry) {
        let Some(rank) = rank else { return };
        let used = self.used.iter().position(|used| *used == entry).unwrap_or(usize::MAX);
        let kind = match entry {
            Entry::Action(_) => 0,
            Entry::Choice(_) => 1,
            Entry::Bookmark(_) => 2,
            Entry::Animation(_) => 3,
            Entry::File(_) => 4,
            Entry::Node(_) => 5,
        };
        // Animations stay in file order.
        let length = if matches!(entry, Entry::Animation(_)) { 0 } else { label.len() };
        self.ranked.push(((rank, used, kind, length, self.ranked.len()), entry));
    }

    /// The best matches in order.
    fn best(mut self, context: &Context) -> Vec<Entry> {
        // Drop most matches before sorting: there may be a hundred thousand nodes.
        if self.ranked.len() > MAX_RESULTS {
            self.ranked.select_nth_unstable_by_key(MAX_RESULTS, |(key, _)| *key);
            self.ranked.truncate(MAX_RESULTS);
        }
        // A disabled good match comes after the enabled good matches, but before weak matches.
        self.ranked.sort_by_cached_key(|(key, entry)| (key.0 > Rank::Synonym, entry.disabled_reason(context).is_some(), *key));
        self.ranked.into_iter().map(|(_, entry)| entry).collect()
    }
}
