//! JSON, indented.

use alloc::string::String;

use super::{
    text::{Spelling, flow, inline, nests, new_line, room},
    tree::Tree,
};
use crate::node::Writer;

struct Json;

impl Spelling for Json {
    fn key(name: &str, out: &mut String) {
        Self::text(name, out);
    }

    fn text(text: &str, out: &mut String) {
        let mut writer = Writer::new();
        writer.string(text);
        out.push_str(&writer.finish());
    }
}

/// The text of a value, on several lines.
pub(crate) fn to_json(tree: &Tree) -> String {
    let mut out = String::new();
    write(tree, 0, &mut out);
    out.push('\n');
    out
}

/// The text of a value on one line.
pub(super) fn to_json_line(tree: &Tree) -> String {
    let mut out = String::new();
    flow::<Json>(tree, usize::MAX, &mut out);
    out
}

fn write(tree: &Tree, indent: usize, out: &mut String) {
    if !nests(tree) {
        flow::<Json>(tree, usize::MAX, out);
        return;
    }
    if indent > 0
        && let Some(line) = inline::<Json>(tree, room(indent))
    {
        out.push_str(&line);
        return;
    }
    let inner = indent + 2;
    let comma = |at: usize, out: &mut String| {
        if at > 0 {
            out.push(',');
        }
        new_line(inner, out);
    };
    match tree {
        Tree::List(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                comma(at, out);
                write(item, inner, out);
            }
            new_line(indent, out);
            out.push(']');
        }
        Tree::Map(fields) => {
            out.push('{');
            for (at, (name, value)) in fields.iter().enumerate() {
                comma(at, out);
                Json::key(name, out);
                out.push_str(": ");
                write(value, inner, out);
            }
            new_line(indent, out);
            out.push('}');
        }
        _ => {}
    }
}
