//! JSON values as YAML in block style.

use serde_json::Value;

/// The text; strings are quoted, so that every value keeps its type.
pub(crate) fn yaml(value: &Value) -> String {
    let mut out = String::new();
    write(value, 0, &mut out);
    out
}

fn write(value: &Value, indent: usize, out: &mut String) {
    let spaces = " ".repeat(indent);
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            for (name, value) in fields {
                out.push_str(&format!(
                    "{spaces}{}:",
                    serde_json::to_string(name).unwrap()
                ));
                follow(value, indent, out);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for item in items {
                out.push_str(&format!("{spaces}-"));
                follow(item, indent, out);
            }
        }
        scalar => out.push_str(&format!("{spaces}{scalar}\n")),
    }
}

fn follow(value: &Value, indent: usize, out: &mut String) {
    let nested = match value {
        Value::Object(fields) => !fields.is_empty(),
        Value::Array(items) => !items.is_empty(),
        _ => false,
    };
    if nested {
        out.push('\n');
        write(value, indent + 2, out);
    } else {
        out.push_str(&format!(" {value}\n"));
    }
}
