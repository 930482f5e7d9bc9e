//! A change keeps everything else.

use proptest::prelude::*;
use serde_json::json;
use spillgate_adopt::edit::{EditChange, EditStep, EditText};

#[track_caller]
fn changed(text: &str, change: &EditChange) -> String {
    let mut text = EditText::new(text.into()).unwrap();
    text.change(change).unwrap();
    text.text().to_owned()
}

fn key(name: &str) -> Vec<EditStep> {
    vec![EditStep::Key(name.into())]
}

#[test]
fn an_entry_follows_the_last_one_in_its_style() {
    let add = EditChange::AddEntry(key("a"), "c".into(), json!([1]));
    assert_eq!(
        changed("a:\n    b: x # one\n\n# two\nd: 1\n", &add),
        "a:\n    b: x # one\n    c: [1]\n\n# two\nd: 1\n"
    );
    assert_eq!(
        changed("a: {b: x} # one\n", &add),
        "a: {b: x, c: [1]} # one\n"
    );
    assert_eq!(
        changed("{\"a\": {\"b\": \"x\"}}", &add),
        "{\"a\": {\"b\": \"x\", \"c\": [1]}}"
    );
    assert_eq!(changed("a: {}", &add), "a: {c: [1]}");
}

#[test]
fn an_item_goes_above_the_comments_of_the_next_one() {
    let add = EditChange::AddItem(key("a"), 1, json!({"p": 2}));
    assert_eq!(
        changed("a:\n- p: 1\n# last\n- p: 3\n", &add),
        "a:\n- p: 1\n- {p: 2}\n# last\n- p: 3\n"
    );
    assert_eq!(
        changed("a: [{p: 1}, {p: 3}]", &add),
        "a: [{p: 1}, {p: 2}, {p: 3}]"
    );
}

#[test]
fn an_alias_is_replaced_by_its_value_and_the_anchor_stays() {
    let text = "a: &x {p: 1}\nb: *x\n";
    let add = EditChange::AddEntry(key("b"), "m".into(), json!(2));
    assert_eq!(changed(text, &add), "a: &x {p: 1}\nb: {p: 1, m: 2}\n");
    // The value of the alias stays, too.
    let add = EditChange::AddEntry(key("a"), "m".into(), json!(2));
    assert_eq!(changed(text, &add), "a: &x {p: 1, m: 2}\nb: {p: 1}\n");
}

#[test]
fn aliases_of_a_replaced_anchor_keep_their_values() {
    let text = "a:\n  c: &x {p: 1}\nb:\n  c: *x # two\nd: [*x, 2]\ne:\n- *x\n- 3\n";
    let replace = EditChange::ReplaceEntry(key("a"), "c".into(), "c".into(), json!(5));
    assert_eq!(
        changed(text, &replace),
        "a:\n  c: 5\nb:\n  c: {p: 1} # two\nd: [{p: 1}, 2]\ne:\n- {p: 1}\n- 3\n"
    );
    let remove = EditChange::RemoveEntry(Vec::new(), "a".into());
    assert_eq!(
        changed("a: &x 1\nb: *x\nc: &x 2\nd: *x\n", &remove),
        "b: 1\nc: &x 2\nd: *x\n"
    );
}

#[test]
fn line_ends_and_byte_order_marks_stay() {
    let add = EditChange::AddEntry(key("a"), "c".into(), json!({"d": "x".repeat(80)}));
    let long = "x".repeat(80);
    assert_eq!(
        changed("a:\r\n  b: 1\r\nz: 2\r\n", &add),
        format!("a:\r\n  b: 1\r\n  c:\r\n    d: {long}\r\nz: 2\r\n")
    );
    let add = EditChange::AddEntry(Vec::new(), "c".into(), json!(1));
    assert_eq!(changed("\u{feff}a: 1\n", &add), "\u{feff}a: 1\nc: 1\n");
    assert_eq!(
        changed("\u{feff}{\"a\": 1}", &add),
        "\u{feff}{\"a\": 1, \"c\": 1}"
    );
}

#[test]
fn entries_and_items_are_removed_with_their_lines() {
    let text = "a:\n- p: 1 # one\n  m: 2\n- p: 3\n";
    let item = |index| vec![EditStep::Key("a".into()), EditStep::Item(index)];
    assert_eq!(
        changed(text, &EditChange::RemoveEntry(item(0), "m".into())),
        "a:\n- p: 1 # one\n- p: 3\n"
    );
    assert_eq!(
        changed(text, &EditChange::RemoveEntry(item(0), "p".into())),
        "a:\n- m: 2\n- p: 3\n"
    );
    assert_eq!(
        changed(text, &EditChange::RemoveItem(key("a"), 0)),
        "a:\n- p: 3\n"
    );
}

/// Random values of YAML texts.
fn values() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        "[ -~]{0,12}".prop_map(serde_json::Value::from),
        any::<i32>().prop_map(serde_json::Value::from),
        any::<bool>().prop_map(serde_json::Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(serde_json::Value::from),
            prop::collection::btree_map("[a-z]{1,8}", inner, 0..4)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    /// The editor reads the text again, and refuses a text with other values.
    #[test]
    fn every_value_can_be_added(first in values(), second in values()) {
        let mut text = EditText::new("# head\na: {}\nb:\n- x # tail\n".into()).unwrap();
        text.change(&EditChange::AddEntry(Vec::new(), "first".into(), first)).unwrap();
        text.change(&EditChange::AddItem(key("b"), 9, second)).unwrap();
        let kept = text.text().starts_with("# head\na: {}\nb:\n- x # tail\n");
        prop_assert!(kept);
    }
}
