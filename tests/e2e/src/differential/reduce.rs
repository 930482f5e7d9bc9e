//! Parts of a JSON value that can be left out.

use std::ops::Range;

use serde_json::Value;

/// A step into a value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Field(String),
    Item(usize),
}

/// Something to leave out.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cut {
    /// Where the object or list is.
    path: Vec<Step>,
    what: Part,
    /// How much text goes.
    pub(super) size: usize,
}

#[derive(Debug, Clone, PartialEq)]
enum Part {
    Field(String),
    Items(Range<usize>),
}

/// Without these a message is something else or nothing.
const NEEDED: &[&str] = &[
    "@type",
    "address",
    "base_interval",
    "cluster",
    "cluster_name",
    "endpoint",
    "lb_endpoints",
    "match",
    "name",
    "port_value",
    "retry_back_off",
    "route",
    "socket_address",
    "type",
    "typed_config",
    "typed_extension_config",
    "connect_timeout",
];

/// Everything that could be left out, the largest parts first.
pub(super) fn cuts(value: &Value) -> Vec<Cut> {
    let mut cuts = Vec::new();
    collect(value, &mut Vec::new(), &mut cuts);
    cuts.sort_by_key(|cut| std::cmp::Reverse(cut.size));
    cuts
}

fn collect(value: &Value, path: &mut Vec<Step>, cuts: &mut Vec<Cut>) {
    let size = |value: &Value| value.to_string().len();
    let mut add = |path: &[Step], what, size| {
        cuts.push(Cut {
            path: path.to_vec(),
            what,
            size,
        });
    };
    match value {
        Value::Array(items) => {
            let sizes: Vec<usize> = items.iter().map(size).collect();
            let mut part = items.len().div_ceil(2);
            while part > 1 {
                for start in (0..items.len()).step_by(part) {
                    let range = start..(start + part).min(items.len());
                    let size = sizes[range.clone()].iter().sum();
                    add(path, Part::Items(range), size);
                }
                part = part.div_ceil(2);
            }
            for (index, size) in sizes.into_iter().enumerate() {
                add(path, Part::Items(index..index + 1), size);
            }
            for (index, item) in items.iter().enumerate() {
                path.push(Step::Item(index));
                collect(item, path, cuts);
                path.pop();
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                if !NEEDED.contains(&name.as_str()) {
                    add(path, Part::Field(name.clone()), size(field));
                }
            }
            for (name, field) in fields {
                path.push(Step::Field(name.clone()));
                collect(field, path, cuts);
                path.pop();
            }
        }
        _ => {}
    }
}

/// The value without these parts. What lies in a part that is gone already is passed over.
pub(super) fn without(value: &Value, cuts: &[Cut]) -> Value {
    let mut value = value.clone();
    let mut cuts: Vec<&Cut> = cuts.iter().collect();
    let start = |cut: &Cut| match &cut.what {
        Part::Items(range) => range.start,
        Part::Field(_) => 0,
    };
    // From the end, so that a removal does not move the parts that are removed next.
    cuts.sort_by(|a, b| b.path.cmp(&a.path).then(start(b).cmp(&start(a))));
    for cut in cuts {
        let target = cut.path.iter().try_fold(&mut value, |at, step| match step {
            Step::Field(name) => at.get_mut(name),
            Step::Item(index) => at.get_mut(index),
        });
        match (target, &cut.what) {
            (Some(Value::Object(fields)), Part::Field(name)) => {
                fields.shift_remove(name);
            }
            (Some(Value::Array(items)), Part::Items(range)) => {
                let end = range.end.min(items.len());
                items.drain(range.start.min(end)..end);
            }
            _ => {}
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_part_can_go_alone() {
        let value = json!({"name": "a", "list": [1, 2], "weight": 3});
        let all: Vec<Value> = cuts(&value)
            .iter()
            .map(|cut| without(&value, std::slice::from_ref(cut)))
            .collect();
        assert_eq!(
            all,
            [
                json!({"name": "a", "weight": 3}),
                json!({"name": "a", "list": [1, 2]}),
                json!({"name": "a", "list": [2], "weight": 3}),
                json!({"name": "a", "list": [1], "weight": 3}),
            ]
        );
    }

    #[test]
    fn several_parts_go_together() {
        let value = json!([[1, 2, 3], [4]]);
        let cuts = cuts(&value);
        assert_eq!(without(&value, &cuts), json!([]));
    }
}
