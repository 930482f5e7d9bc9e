//! Vector files: `{"format": "envoy-lb-vectors/1", "vectors": [...]}`.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{compare, kinds, pending};

/// A vector that was run: its id, its kind, what differed.
pub(super) struct Checked {
    pub(super) id: String,
    pub(super) kind: String,
    pub(super) faults: Vec<String>,
}

/// Files of these formats lie beside vectors and are none.
const NO_VECTORS: [&str; 2] = [pending::FORMAT, "spillgate-deviations/1"];
const FORMAT: &str = "envoy-lb-vectors/1";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vector {
    id: String,
    kind: String,
    #[serde(rename = "source")]
    _source: Option<Value>,
    #[serde(rename = "verified")]
    _verified: Option<Value>,
    #[serde(rename = "note")]
    _note: Option<Value>,
    input: Value,
    expect: Map<String, Value>,
}

/// Runs a file. `stem` is its name without the extension; it stands for a file that is no list.
pub(super) fn check(text: &str, stem: &str) -> Vec<Checked> {
    let whole = |fault: String| {
        vec![Checked {
            id: stem.into(),
            kind: "unknown".into(),
            faults: vec![fault],
        }]
    };
    let file: Value = match serde_json::from_str(text) {
        Ok(file) => file,
        Err(error) => return whole(format!("not JSON: {error}")),
    };
    let name = |key| file.get(key).and_then(Value::as_str);
    let format = name("format").or_else(|| name("schema")).unwrap_or("none");
    if NO_VECTORS.contains(&format) {
        return Vec::new();
    }
    let entries = file.get("vectors").or_else(|| file.get("cases"));
    match entries.and_then(Value::as_array) {
        Some(entries) if format == FORMAT => entries
            .iter()
            .enumerate()
            .map(|(index, entry)| check_entry(entry, stem, index))
            .collect(),
        Some(entries) => entries
            .iter()
            .enumerate()
            .map(|(index, entry)| Checked {
                id: id_of(entry, stem, index),
                kind: format.into(),
                faults: vec![unknown_format(format)],
            })
            .collect(),
        None => whole(unknown_format(format)),
    }
}

fn check_entry(entry: &Value, stem: &str, index: usize) -> Checked {
    let vector: Vector = match Vector::deserialize(entry) {
        Ok(vector) => vector,
        Err(error) => {
            return Checked {
                id: id_of(entry, stem, index),
                kind: "unknown".into(),
                faults: vec![format!("not a vector: {error}")],
            };
        }
    };
    let faults = match kinds::find(&vector.kind, &vector.input, &vector.expect) {
        Ok(_) if vector.expect.is_empty() => vec!["it expects nothing".into()],
        Ok(found) => compare::differences(&vector.expect, &found),
        Err(fault) => vec![fault],
    };
    Checked {
        id: vector.id,
        kind: vector.kind,
        faults,
    }
}

fn id_of(entry: &Value, stem: &str, index: usize) -> String {
    match entry.get("id").and_then(Value::as_str) {
        Some(id) => id.into(),
        None => format!("{stem}[{index}]"),
    }
}

fn unknown_format(format: &str) -> String {
    format!("unknown format {format:?}, expected {FORMAT:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> Vec<String> {
        check(text, "file")
            .into_iter()
            .flat_map(|checked| checked.faults)
            .collect()
    }

    fn hash(rest: &str) -> String {
        format!(
            r#"{{"format": "envoy-lb-vectors/1", "kind": "hash",
                 "vectors": [{{"id": "h", "kind": "hash", "input": {{"text": "a"}}, {rest}}}]}}"#
        )
    }

    #[test]
    fn a_right_vector_passes_and_a_wrong_one_does_not() {
        let right = hash(r#""expect": {"xxh64": "15154266338359012955"}"#);
        assert!(faults(&right).is_empty());
        let wrong = hash(r#""expect": {"xxh64": "15154266338359012956"}"#);
        assert_eq!(
            faults(&wrong),
            [r#"xxh64: expected "15154266338359012956", found "15154266338359012955""#]
        );
    }

    #[test]
    fn what_is_unknown_fails() {
        for text in [
            "[",
            "{}",
            r#"{"schema": "other/1", "cases": [{"id": "x"}]}"#,
            &hash(r#""expect": {}"#),
            &hash(r#""expect": {"md5": "0"}"#),
            &hash(r#""expect": {}, "surprise": 1"#),
            &hash(r#""expect": {"xxh64": "15154266338359012955"}"#)
                .replace(r#""text": "a""#, r#""text": "a", "salt": 1"#),
            &hash(r#""expect": {"xxh64": "1"}"#)
                .replace("\"kind\": \"hash\"", "\"kind\": \"cash\""),
        ] {
            assert_eq!(faults(text).len(), 1, "{text}");
        }
    }
}
