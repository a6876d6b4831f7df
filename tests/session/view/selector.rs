//! Tests the choice of animations and variants by name or number.

use sinew::model::animation::Animation;
use sinew::model::{Model, Variant};
use sinew::session::view::View;
use sinew::session::view::selector::{self, SelectError, Selected, Selector};
use sinew::session::view::undo::Undo;

#[test]
fn a_variant_is_chosen_by_name_or_number_and_undone() {
    let variant = |name: &str| Variant { name: Some(name.into()) };
    let model = Model { variants: vec![variant("Beach"), variant("1")], ..Model::default() };
    let chosen = |text: &str| selector::variant(&model, &text.parse().unwrap()).map(|selected| selected.index);
    assert_eq!((chosen("Beach"), chosen("0"), chosen("name:1")), (Ok(0), Ok(0), Ok(1)));
    assert_eq!(chosen("Noon").unwrap_err().to_string(), "no variant named \"Noon\"; the file has 2: 0 \"Beach\", 1 \"1\"");
    assert_eq!(chosen("2").unwrap_err().to_string(), "no variant 2; the file has 2: 0 \"Beach\", 1 \"1\"");
    let mut view = View::default();
    let mut undo = Undo::new(&view);
    view.display.variant = Some(1);
    undo.settle(&view);
    undo.undo(&mut view);
    assert_eq!(view.display.variant, None);
    // A view saved without a variant loads.
    assert_eq!(serde_json::from_str::<View>(r#"{"display":{"crowd":2}}"#).unwrap().display.variant, None);
}

#[test]
fn a_number_is_an_index_and_anything_else_a_name() {
    let animation = |name: Option<&str>| Animation { name: name.map(str::to_owned), ..Animation::default() };
    let names = [Some("walk"), Some("1"), Some("walk"), None, Some("001"), Some("+1")];
    let model = Model { animations: names.map(animation).to_vec(), ..Model::default() };
    let chosen = |text: &str| selector::animation(&model, &text.parse::<Selector>().expect("never fails"));
    assert_eq!(chosen("1"), Ok(Selected { index: 1, namesakes: 0 }));
    assert_eq!(chosen("name:1"), Ok(Selected { index: 1, namesakes: 0 }));
    assert_eq!(chosen("walk"), Ok(Selected { index: 0, namesakes: 1 }), "the first of equal names");
    assert_eq!(chosen("001"), Ok(Selected { index: 4, namesakes: 0 }), "a numbered name");
    assert_eq!(chosen("+1"), Ok(Selected { index: 5, namesakes: 0 }));
    assert!(matches!(chosen("6"), Err(SelectError::Index { index: 6, .. })));
    assert!(chosen("run").expect_err("no such name").to_string().contains("walk"));
}
