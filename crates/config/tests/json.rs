//! The JSON reader compared with serde_json: the same texts are accepted, with the same values.

use proptest::prelude::*;
use spillgate_config::{
    Position,
    node::{Node, NodeValue, Writer, read_json, read_lenient_json, to_json},
};

fn arbitrary_json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<u64>().prop_map(Into::into),
        any::<f64>().prop_filter_map("finite", |f| serde_json::Number::from_f64(f)
            .map(Into::into)),
        ".{0,8}".prop_map(Into::into),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
            prop::collection::btree_map(".{0,5}", inner, 0..6)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

fn as_serde(node: &Node<'_>) -> serde_json::Value {
    match &node.value {
        NodeValue::Null => serde_json::Value::Null,
        NodeValue::Bool(value) => (*value).into(),
        NodeValue::Int(value) => (*value).into(),
        NodeValue::Uint(value) => (*value).into(),
        NodeValue::Decimal(text) => text.parse::<f64>().unwrap().into(),
        NodeValue::String(text) => text.as_ref().into(),
        NodeValue::List(items) => items.iter().map(as_serde).collect::<Vec<_>>().into(),
        NodeValue::Map(entries) => serde_json::Value::Object(
            entries
                .iter()
                .map(|entry| (entry.key.name.to_string(), as_serde(&entry.node)))
                .collect(),
        ),
    }
}

/// Every position in the tree, with the expected character.
fn first_characters(node: &Node<'_>, into: &mut Vec<(Position, Vec<char>)>) {
    let characters = match &node.value {
        NodeValue::Null => vec!['n'],
        NodeValue::Bool(true) => vec!['t'],
        NodeValue::Bool(false) => vec!['f'],
        NodeValue::Int(_) | NodeValue::Uint(_) | NodeValue::Decimal(_) => {
            "-0123456789".chars().collect()
        }
        NodeValue::String(_) => vec!['"'],
        NodeValue::List(items) => {
            items.iter().for_each(|item| first_characters(item, into));
            vec!['[']
        }
        NodeValue::Map(entries) => {
            for entry in entries {
                into.push((entry.key.position, vec!['"']));
                first_characters(&entry.node, into);
            }
            vec!['{']
        }
    };
    into.push((node.position, characters));
}

proptest! {
    #[test]
    fn values_and_positions_are_right(json in arbitrary_json(), pretty: bool) {
        let text = if pretty {
            serde_json::to_string_pretty(&json).unwrap()
        } else {
            json.to_string()
        };
        let document = read_json(&text).unwrap();
        prop_assert_eq!(&as_serde(&document.roots[0]), &json);
        let mut places = Vec::new();
        first_characters(&document.roots[0], &mut places);
        let lines: Vec<Vec<char>> = text.split('\n').map(|line| line.chars().collect()).collect();
        for (position, characters) in places {
            let found = lines[position.line as usize - 1][position.column as usize - 1];
            prop_assert!(characters.contains(&found), "{position} {found} in {text}");
        }
    }

    #[test]
    fn the_same_texts_are_json(text in r#"[\[\]{},:"\\a-fntu0-9.eE+ \n-]{0,12}"#) {
        let theirs = serde_json::from_str::<serde_json::Value>(&text);
        let ours = read_json(&text);
        prop_assert_eq!(ours.is_ok(), theirs.is_ok(), "{:?} {:?} {:?}", text, ours, theirs);
    }

    #[test]
    fn truncated_texts_are_reported(json in arbitrary_json(), cut in 0.0..1.0f64) {
        let text = serde_json::json!({ "key": json }).to_string();
        let mut end = (text.len() as f64 * cut) as usize;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let fault = read_json(&text[..end]).unwrap_err();
        prop_assert_eq!(fault.code, "config/truncated", "{} {}", fault, &text[..end]);
    }

    #[test]
    fn output_reads_back(texts in prop::collection::vec(any::<String>(), 0..5), n: u64, i: i64) {
        let mut writer = Writer::new();
        writer.begin_object();
        writer.key("texts");
        writer.begin_list();
        for text in &texts {
            writer.string(text);
        }
        writer.end_list();
        writer.key("n");
        writer.uint(n);
        writer.key("i");
        writer.int(i);
        writer.key("none");
        writer.null();
        writer.key("yes");
        writer.bool(true);
        writer.end_object();
        let json = writer.finish();
        prop_assert!(json.is_ascii());
        let expected = serde_json::json!({"texts": texts, "n": n, "i": i, "none": null, "yes": true});
        prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap(), expected);
    }
}

#[test]
fn faults_are_placed_and_explained() {
    let deep = "[".repeat(101);
    let rows = [
        (
            "",
            "a:1:1: config/truncated: unexpected end of input; expected a JSON value",
        ),
        (
            "{\n  \"a\": [1,\n  2",
            "a:3:4: config/truncated: unexpected end of input; close the list opened at line 2, column 8",
        ),
        (
            "{\"ä\": \"ö",
            "a:1:9: config/truncated: unexpected end of input; close the string opened at line 1, column 7",
        ),
        (
            "{\"a\": tr",
            "a:1:9: config/truncated: unexpected end of input; close the object opened at line 1, column 1",
        ),
        ("[1,]", "a:1:3: config/json-syntax: trailing comma"),
        (
            "{\"a\" 1}",
            "a:1:6: config/json-syntax: unexpected character; found '1', expected ':'",
        ),
        (
            "{a: 1}",
            "a:1:2: config/json-syntax: unexpected character; found 'a', expected a key in double quotes",
        ),
        (
            "{} // x",
            "a:1:4: config/json-syntax: comments are not allowed in JSON; found '/', expected end of input",
        ),
        (
            "[NaN]",
            "a:1:2: config/json-syntax: not a JSON value; found \"NaN\", expected a value; strings require double quotes",
        ),
        (
            "[-Infinity]",
            "a:1:3: config/json-syntax: unexpected character; found 'I', expected a digit",
        ),
        (
            "[1e999]",
            "a:1:2: config/json-syntax: number is out of range",
        ),
        (
            "[007]",
            "a:1:2: config/json-syntax: number with a leading zero",
        ),
        (
            "[\"\\ud800\"]",
            "a:1:3: config/json-syntax: unpaired surrogate in a string",
        ),
        (
            "[\"\\x\"]",
            "a:1:3: config/json-syntax: unknown escape in a string",
        ),
        (
            "[\"a\nb\"]",
            "a:1:4: config/json-syntax: unescaped control character in a string",
        ),
        (
            deep.as_str(),
            "a:1:101: config/too-deep: nesting is deeper than 100",
        ),
    ];
    for (text, expected) in rows {
        assert_eq!(read_json(text).unwrap_err().render("a"), expected, "{text}");
    }
}

#[test]
fn the_last_of_duplicate_keys_is_used_with_a_warning() {
    let many: Vec<String> = (0..40).map(|n| format!("\"k{}\": {n}", n % 39)).collect();
    for (text, key, place, last) in [
        ("{\"k0\": 1,\n \"k0\": 2}".to_owned(), "k0", "2:2", 2),
        (format!("{{\n{}}}", many.join(",\n")), "k0", "41:1", 39),
    ] {
        let document = read_json(&text).unwrap();
        assert_eq!(document.warnings.len(), 1);
        assert_eq!(document.warnings[0].position.unwrap().to_string(), place);
        assert_eq!(
            document.roots[0].get(key).unwrap().value,
            NodeValue::Int(last)
        );
    }
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let document = read_json("\u{feff}[1]").unwrap();
    assert_eq!(document.roots[0].position, Position::START);
}

#[test]
fn the_dialect_of_envoy_gets_one_warning() {
    // Envoy 1.40 accepts the first texts and rejects the others (`envoy --mode validate`).
    for (text, warning) in [
        (
            r#"{"a": [1, 2,], "b": {"c": 3,},}"#,
            "1:12: config/json-dialect: trailing comma",
        ),
        (
            "{'a': [1, 2], \"b\": {'c': 3}}",
            "1:2: config/json-dialect: string in single quotes",
        ),
        (
            "{a: [1, 2], b: {c: 3}}",
            "1:2: config/json-dialect: name without quotes",
        ),
    ] {
        let document = read_lenient_json(text).unwrap();
        assert_eq!(to_json(&document.roots[0]), r#"{"a":[1,2],"b":{"c":3}}"#);
        let found: Vec<String> = document.warnings.iter().map(|it| it.render("")).collect();
        assert_eq!(
            found,
            [format!(
                ":{warning}; Envoy accepts it, other programs do not"
            )]
        );
        assert!(read_json(text).is_err());
    }
    let quoted = read_lenient_json(r#"{'a': 'it\'s \u0041 \"b\"'}"#).unwrap();
    assert_eq!(to_json(&quoted.roots[0]), r#"{"a":"it's A \"b\""}"#);
    for text in [
        "{,}",
        "[,]",
        "[1,,]",
        r#"{"a": b}"#,
        "{a-b: 1}",
        "{a.b: 1}",
        "{\"a\": 1 // one\n}",
        r#"{"a": 1 "b": 2}"#,
        r#"{"a": 01}"#,
        r#"{"a": True}"#,
    ] {
        assert!(read_lenient_json(text).is_err(), "{text}");
    }
}
