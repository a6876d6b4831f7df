//! Tests that `docs/view-file.md` lists the keys of a view, with their values and defaults.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, from_str, from_value, to_value};
use sinew::camera::Orbit;
use sinew::session::view::joint_switches::NodeSwitches;
use sinew::session::view::layers::Layer;
use sinew::session::view::retarget::Retarget;
use sinew::session::view::{View, ViewCamera};

/// A key in the tables of the page.
struct Row {
    key: &'static str,
    /// The cell about its values.
    values: &'static str,
    default: Option<&'static str>,
}

/// The parts of a text that are set as code.
fn codes(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

fn rows() -> Vec<Row> {
    let lines = include_str!("../../../docs/view-file.md").lines().filter(|line| line.starts_with("| `"));
    let rows = lines.flat_map(|line| {
        let cells: Vec<&str> = line.split('|').collect();
        let defaults = codes(cells[3]).map(Some).chain(std::iter::repeat(None));
        codes(cells[1]).zip(defaults).map(|(key, default)| Row { key, values: cells[2], default }).collect::<Vec<_>>()
    });
    rows.collect()
}

/// The default view with each kind of camera, and with an entry in each of its lists.
fn views() -> [View; 3] {
    [ViewCamera::Fit, ViewCamera::Orbit(Orbit::default()), ViewCamera::File(0)].map(|camera| View {
        camera,
        layers: vec![Layer::default()],
        switches: [(0, NodeSwitches::default())].into(),
        morphs: [(0, [(0, 0.0)].into())].into(),
        retarget: vec![Retarget { pairs: [("0".into(), None)].into(), ..Retarget::default() }],
        ..View::default()
    })
}

/// Adds each value inside `value` that contains no keys, by its key as the page writes it. Each has its JSON pointer.
fn collect(value: &Value, key: &str, pointer: &str, found: &mut BTreeMap<String, (String, Value)>) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                let shown = if name.parse::<usize>().is_ok() { "N" } else { name };
                let key = if key.is_empty() { shown.to_owned() } else { format!("{key}.{shown}") };
                collect(value, &key, &format!("{pointer}/{name}"), found);
            }
        }
        Value::Array(array) if array.first().is_some_and(Value::is_object) => {
            collect(&array[0], &format!("{key}[]"), &format!("{pointer}/0"), found);
        }
        value => drop(found.insert(key.to_owned(), (pointer.to_owned(), value.clone()))),
    }
}

fn collected(view: &View) -> BTreeMap<String, (String, Value)> {
    let mut found = BTreeMap::new();
    collect(&to_value(view).unwrap(), "", "", &mut found);
    found
}

#[test]
fn the_page_lists_each_key_of_a_view_and_no_other() {
    let keys: BTreeSet<String> = views().iter().flat_map(|view| collected(view).into_keys()).collect();
    let listed: BTreeSet<String> = rows().iter().map(|row| row.key.to_owned()).collect();
    assert_eq!(listed, keys);
}

#[test]
fn the_page_lists_the_default_of_each_key() {
    let number_or_value = |value: Value| value.as_f64().map_or(value, Value::from);
    let defaults = collected(&views()[0]);
    for row in rows() {
        let has_default = !["camera.", "morphs.", "retarget[].pairs."].iter().any(|place| row.key.starts_with(place));
        let default = has_default.then(|| number_or_value(defaults[row.key].1.clone()));
        assert_eq!(row.default.map(|text| number_or_value(from_str(text).unwrap())), default, "{}", row.key);
    }
}

#[test]
fn the_page_lists_each_word_that_a_key_accepts() {
    let (json, values) = (to_value(&views()[0]).unwrap(), collected(&views()[0]));
    let rows: BTreeMap<_, _> = rows().into_iter().map(|row| (row.key, row.values)).collect();
    let mut count = 0;
    for (key, (pointer, _)) in values.iter().filter(|(_, (_, value))| value.is_string()) {
        let mut json = json.clone();
        *json.pointer_mut(pointer).unwrap() = "?".into();
        // The error lists the words: "unknown variant `?`, expected `rest` or `bind`".
        let error = from_value::<View>(json).unwrap_err().to_string();
        for word in codes(&error).filter(|word| *word != "?") {
            assert!(codes(rows[key.as_str()]).any(|code| code == word), "{key}: {word}");
            count += 1;
        }
    }
    assert!(count > 40, "only {count} words were tested");
}
