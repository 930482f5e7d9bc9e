//! The YAML reader: structure, positions, aliases, limits.

use spillgate_config::node::{
    Document, MAXIMUM_ALIAS_VALUES, NodeValue, Scalars, decode, read_yaml, to_json,
};

fn fault(text: &str) -> String {
    read_yaml(text, Scalars::Envoy).unwrap_err().render("a")
}

fn at(document: &Document<'_>, path: &[&str]) -> String {
    let mut node = &document.roots[0];
    for name in path {
        node = match (&node.value, name.parse::<usize>()) {
            (NodeValue::List(items), Ok(index)) => &items[index],
            _ => node.get(name).unwrap(),
        };
    }
    node.position.to_string()
}

#[test]
fn values_have_positions() {
    let document = read_yaml(
        "a:\n  - b\n  - ä: {ö: [1, 2]}\nc: |\n  x\nd: 'q'\n",
        Scalars::Envoy,
    )
    .unwrap();
    assert_eq!(at(&document, &[]), "1:1");
    assert_eq!(at(&document, &["a", "0"]), "2:5");
    assert_eq!(at(&document, &["a", "1"]), "3:5");
    assert_eq!(at(&document, &["a", "1", "ä"]), "3:8");
    assert_eq!(at(&document, &["a", "1", "ä", "ö", "1"]), "3:16");
    assert_eq!(at(&document, &["d"]), "6:4");
}

#[test]
fn several_documents_and_empty_ones() {
    let document = read_yaml(
        "---\na: 1\n---\n---\n# nothing\n---\n[b]\n...\n",
        Scalars::Envoy,
    )
    .unwrap();
    assert_eq!(document.roots.len(), 2);
    assert_eq!(document.roots[1].position.to_string(), "7:1");
    for empty in ["", "# nothing\n", "---\n", "~"] {
        assert_eq!(
            read_yaml(empty, Scalars::Envoy).unwrap().roots.len(),
            0,
            "{empty:?}"
        );
    }
}

/// Envoy drops them, and keeps their anchors.
#[test]
fn entries_with_the_tag_ignore_do_not_count() {
    let text = "!ignore a: {p: &x 1}\n!ignore 'b': 2\nc: {!ignore q: 3, r: *x}\n";
    let document = read_yaml(text, Scalars::Envoy).unwrap();
    let root = &document.roots[0];
    assert_eq!((root.get("a"), root.get("b")), (None, None));
    let inner = root.get("c").unwrap();
    assert_eq!(inner.get("q"), None);
    assert_eq!(inner.get("r").unwrap().value, NodeValue::Int(1));
    let other = read_yaml("!ignored a: 1\nb: !ignore 2\n", Scalars::Envoy).unwrap();
    assert!(other.roots[0].get("a").is_some() && other.roots[0].get("b").is_some());
    // Other tools have no such tag.
    let json = read_yaml("!ignore a: 1\n", Scalars::Json).unwrap();
    assert!(json.roots[0].get("a").is_some());
}

#[test]
fn aliases_are_copied_and_merge_keys_are_not_merged() {
    let document = read_yaml("a: &x {p: 1}\nb: *x\nc: {<<: *x, q: 2}\n", Scalars::Envoy).unwrap();
    let root = &document.roots[0];
    assert_eq!(
        root.get("b").unwrap().get("p").unwrap().value,
        NodeValue::Int(1)
    );
    let merged = root.get("c").unwrap();
    assert!(merged.get("p").is_none());
    assert_eq!(
        merged.get("<<").unwrap().get("p").unwrap().value,
        NodeValue::Int(1)
    );
}

#[test]
fn keys_are_always_strings() {
    let document = read_yaml("~: a\n5: b\nyes: c\n", Scalars::Envoy).unwrap();
    for key in ["null", "5", "yes"] {
        assert!(document.roots[0].get(key).is_some(), "{key}");
    }
}

#[test]
fn the_last_of_duplicate_keys_is_used_with_a_warning() {
    let document = read_yaml("a: 1\nb: 2\na: 3\n", Scalars::Envoy).unwrap();
    assert_eq!(document.roots[0].get("a").unwrap().value, NodeValue::Int(3));
    assert_eq!(document.warnings.len(), 1);
    assert_eq!(document.warnings[0].position.unwrap().to_string(), "3:1");
}

#[test]
fn aliases_cannot_blow_up() {
    let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for n in 1..12 {
        let aliases = vec![format!("*a{}", n - 1); 10].join(", ");
        text.push_str(&format!("a{n}: &a{n} [{aliases}]\n"));
    }
    let fault = fault(&text);
    assert!(fault.contains("config/too-large"), "{fault}");
    assert!(fault.contains(&MAXIMUM_ALIAS_VALUES.to_string()), "{fault}");

    let mut deep = String::from("a0: &a0 [x]\n");
    for n in 1..120 {
        deep.push_str(&format!("a{n}: &a{n} [*a{}]\n", n - 1));
    }
    let fault = read_yaml(&deep, Scalars::Envoy).unwrap_err();
    assert_eq!(fault.code, "config/too-deep");
}

#[test]
fn faults_are_placed_and_explained() {
    for (text, expected) in [
        (
            "a: [1, 2",
            "a:1:9: config/truncated: unexpected end of input; close the list opened at line 1, column 4 (while parsing a flow sequence, expected ',' or ']')",
        ),
        (
            "a:\n  b: \"x\n",
            "a:2:6: config/truncated: unexpected end of input; close the object opened at line 2, column 3 (while scanning a quoted scalar, found unexpected end of stream)",
        ),
        (
            "a: b: c\n",
            "a:1:5: config/yaml-syntax: mapping values are not allowed in this context",
        ),
        (
            "%%\u{1f600}\u{1f600}\0\na: 1\n",
            "a:1:6: config/yaml-syntax: found unprintable character",
        ),
        (
            "a: &x [*x]\n",
            "a:1:8: config/yaml-alias: alias inside the value of its own anchor",
        ),
        (
            "a: *y\n",
            "a:1:4: config/yaml-syntax: while parsing node, found unknown anchor",
        ),
        (
            "? [a]\n: b\n",
            "a:1:3: config/yaml-key: key is not a plain string",
        ),
    ] {
        assert_eq!(fault(text), expected, "{text}");
    }
    let deep = "- ".repeat(101);
    assert_eq!(
        read_yaml(&deep, Scalars::Envoy).unwrap_err().code,
        "config/too-deep"
    );
}

#[test]
fn every_position_is_in_the_text() {
    for (text, line, column) in [
        ("? ", 1, 3),
        ("a: 1\r\n? ", 2, 3),
        ("a: 1\r? ", 2, 3),
        ("a:", 1, 3),
        ("- ", 1, 3),
    ] {
        let document = read_yaml(text, Scalars::Envoy).unwrap();
        let last = match &document.roots[0].value {
            NodeValue::Map(entries) => entries.last().unwrap().node.position,
            NodeValue::List(items) => items.last().unwrap().position,
            other => panic!("{other:?}"),
        };
        assert!(
            (last.line, last.column) <= (line, column),
            "{text:?}: {last:?}"
        );
    }
}

#[test]
fn invalid_utf_8_has_a_position() {
    let fault = decode(b"a: 1\nb: \xc3\xa4\xff\n").unwrap_err();
    assert_eq!(
        fault.render("a"),
        "a:2:5: config/encoding: input is not UTF-8"
    );
    let fault = decode(&vec![b' '; 64 * 1024 * 1024 + 1]).unwrap_err();
    assert_eq!(fault.code, "config/too-large");
}

#[test]
fn yaml_that_reaches_envoy_as_json_keeps_its_numbers() {
    let text = "[1.0, -2.5e3, .5, 1.2-pre, '1.0', 4294967296, 1e999, nan, 1.0.0, n, off]\n";
    let document = read_yaml(text, Scalars::Json).unwrap();
    let NodeValue::List(items) = &document.roots[0].value else {
        panic!("a list");
    };
    let kinds: Vec<String> = items
        .iter()
        .map(|item| match &item.value {
            NodeValue::Decimal(text) => format!("decimal {text}"),
            NodeValue::Int(value) => format!("int {value}"),
            NodeValue::String(text) => format!("text {text}"),
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(
        kinds,
        [
            "decimal 1.0",
            "decimal -2.5e3",
            "decimal .5",
            "text 1.2-pre",
            "text 1.0",
            "int 4294967296",
            "text 1e999",
            "text nan",
            "text 1.0.0",
            "text n",
            "Bool(false)",
        ]
    );
}

/// Rows measured on yaml-cpp, which Envoy uses.
#[test]
fn tabs_separate_as_in_envoy() {
    for (text, spaces) in [
        ("name:\tvalue\n", "name: value\n"),
        ("name:\t-1\n", "name: -1\n"),
        ("name: \tvalue\n", "name: value\n"),
        ("name\t: value\n", "name: value\n"),
        ("\"a\"\t:\tb\n", "\"a\": b\n"),
        ("name:\t[a,\tb\t]\n", "name: [a, b]\n"),
        ("name:\t|\n  x\n", "name: |\n  x\n"),
        ("a:\n  b:\tc\n  d:\te\n", "a:\n  b: c\n  d: e\n"),
        ("a:\t# x\n  b: c\t# y\n", "a:\n  b: c\n"),
        ("{a:\tb}\n", "{a: b}\n"),
        ("- a\t\n-\tb\n", "- a\n- b\n"),
        ("? a\n:\tb\n", "a: b\n"),
        // Indentation does not count inside of brackets and quotes.
        ("{\n\ta: b\n}\n", "{a: b}\n"),
        ("a: {\n\tb: c\n}\n", "a: {b: c}\n"),
        (
            "a:\n    - x: [\n\t\"b\",\n\t{c: d,\n\t\te: f}\n\t]\n",
            "a: [{x: [b, {c: d, e: f}]}]\n",
        ),
        ("a: [b\n\t,c]\nd: e\n", "a: [b, c]\nd: e\n"),
        ("a: \"x\n\ty\"\n", "a: x y\n"),
        ("a: |\n  \tx\n", "a: \"\\tx\\n\"\n"),
    ] {
        let read = |text| {
            let document = read_yaml(text, Scalars::Envoy).map_err(|fault| fault.render("a"));
            let texts = document.unwrap().roots.iter().map(to_json).collect();
            let texts: Vec<String> = texts;
            texts
        };
        assert_eq!(read(text), read(spaces), "{text:?}");
    }
    let document = read_yaml("a: {\n\tb:\tc,\n\t d: [\n\t\te]\n}\n", Scalars::Envoy).unwrap();
    assert_eq!(at(&document, &["a", "b"]), "2:5");
    assert_eq!(at(&document, &["a", "d", "0"]), "4:3");
}

#[test]
fn a_tab_in_indentation_is_the_fault() {
    for (text, place) in [
        ("a:\n\tb: c\n", "2:1"),
        ("a:\n  b: c\n\td: e\n", "3:1"),
        ("a:\n  b: c\n  \td: e\n", "3:3"),
        ("a: b\n\n\tc\n", "3:1"),
        ("a:\n- b\n\t- c\n", "3:1"),
        ("a: |\n\tx\n", "2:1"),
        ("a: |\n  x\n\ty\n", "3:1"),
        // A tab that is allowed, and one that is not.
        ("a: {\n\tb: c\n}\nd:\n\te: f\n", "5:1"),
    ] {
        assert_eq!(
            fault(text),
            format!(
                "a:{place}: config/yaml-syntax: YAML forbids tabs in indentation; found a tab, expected spaces"
            ),
            "{text:?}"
        );
    }
    // The reason is another one.
    assert_eq!(
        fault("a: {\n\tb: c\n}\nd: e: f\n"),
        "a:4:5: config/yaml-syntax: mapping values are not allowed in this context"
    );
}
