//! A reader of protobuf's text format, as in `.pb_text` files of Envoy and in tests of gRPC.
//!
//! The text has no types. `shape` makes the tree that JSON of the same message has: repeated fields as
//! lists, maps as objects, wrappers as their value, `Any` with its type, `Struct` as an object. A repeated
//! field that occurs once is a single value, which the readers of messages accept as a list.

mod lexer;
mod parser;
mod shape;
mod strings;

use alloc::{borrow::Cow, vec, vec::Vec};

use self::{
    lexer::{Lexer, is_of_name},
    parser::Parser,
};
use super::{Document, Entry, Key, Node, NodeValue, limits::check_size};
use crate::{Diagnostic, Position};

/// Reads a text of one message. `# proto-message: NAME` in a comment at its start names its type.
///
/// # Errors
/// The first syntax error: `config/textproto-syntax`, `config/too-deep` or `config/too-large`.
pub fn read(text: &str) -> Result<Document<'_>, Diagnostic> {
    check_size(text.len())?;
    let mut parser = Parser::new(Lexer::new(text)?);
    let mut entries = parser.fields(None)?;
    if let Some(name) = stated_type(text) {
        let at = Key {
            name: Cow::Borrowed("@type"),
            position: Position::START,
        };
        let node = Node {
            value: NodeValue::String(Cow::Borrowed(name)),
            position: Position::START,
        };
        entries.insert(0, Entry { key: at, node });
    }
    Ok(Document {
        roots: vec![Node {
            value: NodeValue::Map(entries),
            position: Position::START,
        }],
        warnings: Vec::new(),
    })
}

/// Whether a text looks like protobuf's text format: a line begins with a message (`name {`), the text with
/// two fields on one line or an `Any`, or a comment names the type.
#[must_use]
pub fn is_likely(text: &str) -> bool {
    if stated_type(text).is_some() {
        return true;
    }
    let mut lines = text.lines();
    let first = lines.find(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let Some(first) = first else { return false };
    first.starts_with("[type.googleapis.com/")
        || is_field_after_value(after_name(first))
        || [first].into_iter().chain(lines).any(opens_message)
}

/// Whether a line without indentation is `name {`: in YAML, that is no entry of a map.
fn opens_message(line: &str) -> bool {
    let rest = after_name(line);
    rest.len() < line.len() && rest.trim_start().starts_with('{')
}

/// The rest of a line after the name at its start.
fn after_name(line: &str) -> &str {
    let name = line.bytes().take_while(|byte| is_of_name(*byte)).count();
    line.get(name..).unwrap_or_default()
}

/// `: "x" type: EDS`: a quoted value and another field on one line.
fn is_field_after_value(rest: &str) -> bool {
    let value = rest.strip_prefix(':').map(str::trim_start);
    let Some((_, after)) = value
        .and_then(|value| value.strip_prefix('"'))
        .and_then(|value| value.split_once('"'))
    else {
        return false;
    };
    after
        .trim_start()
        .starts_with(|c: char| c.is_ascii_alphabetic())
}

/// The type of `# proto-message: NAME` in the comments at the start.
fn stated_type(text: &str) -> Option<&str> {
    let comments = text.lines().map(str::trim);
    let mut comments = comments.take_while(|line| line.is_empty() || line.starts_with('#'));
    comments.find_map(|line| {
        let name = line
            .trim_start_matches('#')
            .trim()
            .strip_prefix("proto-message:")?
            .trim();
        name.contains('.').then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use alloc::string::{String, ToString as _};

    use super::*;
    use crate::node::to_json;

    fn json(text: &str) -> String {
        match read(text) {
            Ok(document) => document.roots.first().map(to_json).unwrap_or_default(),
            Err(fault) => fault.render("f"),
        }
    }

    #[test]
    fn fields_messages_and_repeated_fields() {
        let text = "name: \"x\" type: EDS # comment\n ints: 1, ints: [2, -3]; flag: true\n\
                    inner { a: 0x10 } other < b: 1.5f > domains: 'one'";
        let expected = r#"{"name":"x","type":"EDS","ints":[1,2,-3],"flag":true,"inner":{"a":16},"other":{"b":1.5},"domains":["one"]}"#;
        assert_eq!(json(text), expected);
    }

    #[test]
    fn strings_have_escapes_and_are_joined() {
        assert_eq!(
            json(r#"a: "x\ty" 'z\x41\101\u00e9'"#),
            r#"{"a":"x\tyzAA\u00e9"}"#
        );
        assert!(json("a: \"\\q\"").contains("f:1:4: config/textproto-syntax: unknown escape"));
        assert!(json("a: \"x\n\"").contains("string without its end"));
    }

    #[test]
    fn an_any_has_its_type() {
        let text = "typed_config { [type.googleapis.com/a.b.C] { x: 1 } }";
        let expected = r#"{"typed_config":{"@type":"type.googleapis.com/a.b.C","x":1}}"#;
        assert_eq!(json(text), expected);
        assert!(json("# proto-message: a.b.C\nx: 1").starts_with(r#"{"@type":"a.b.C""#));
    }

    #[test]
    fn wrappers_are_their_values_and_percents_are_messages() {
        let text = "load_balancing_weight { value: 3 } healthy_panic_threshold { value: 50 }";
        let expected = r#"{"load_balancing_weight":3,"healthy_panic_threshold":{"value":50}}"#;
        assert_eq!(json(text), expected);
    }

    #[test]
    fn maps_and_structs_are_objects() {
        let text = "filter_metadata { key: \"envoy.lb\" value { fields { key: \"stage\" value { string_value: \"prod\" } }\n\
                    fields { key: \"n\" value { list_value { values { number_value: 1 } } } } } }";
        let expected = r#"{"filter_metadata":{"envoy.lb":{"stage":"prod","n":[1]}}}"#;
        assert_eq!(json(text), expected);
    }

    #[test]
    fn faults_have_their_place() {
        assert_eq!(
            json("a: 1\nb 2"),
            "f:2:3: config/textproto-syntax: unexpected value; found \"2\", expected ':' or a message"
        );
        assert!(json("a {\n b: 1").contains("found the end of the text, expected a field or '}'"));
        let deep = "a{".repeat(200).to_string();
        assert!(json(&deep).contains("config/too-deep"));
    }

    #[test]
    fn the_format_is_recognized_and_yaml_is_not() {
        for text in [
            "name: \"x\" type: EDS",
            "static_resources {\n}",
            "name: \"x\"\neds_cluster_config {\n",
            "# proto-message: a.B\nname: 'x'",
            "[type.googleapis.com/a.B] {}",
        ] {
            assert!(is_likely(text), "{text}");
        }
        for text in [
            "name: \"x\"\ntype: EDS",
            "static_resources: {clusters: []}",
            "a:\n  b {\n",
            "{\"a\": 1}",
            "- {name: x}",
            "{{ template }}",
        ] {
            assert!(!is_likely(text), "{text}");
        }
    }
}
