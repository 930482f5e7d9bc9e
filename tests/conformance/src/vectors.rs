//! Vector files: `{"format": "envoy-lb-vectors/1", "vectors": [...]}`,
//! `{"schema": "grpc-<subject>/1", "cases": [...]}`, and `{"format": "locality-vector/1", ...}` with a
//! single vector.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{compare, kinds};

/// A compared vector: its id, its kind and its differences.
pub(super) struct Checked {
    /// The id of the vector.
    pub(super) id: String,
    /// Its kind.
    pub(super) kind: String,
    /// Its differences; empty if it passed.
    pub(super) faults: Vec<String>,
}

/// Files of this format are in folders of vectors, but have no vectors.
const NO_VECTORS: &str = "spillgate-deviations/1";
/// The format of Envoy vectors.
const FORMAT: &str = "envoy-lb-vectors/1";
/// The format of a file with one vector of a service mesh.
const LOCALITY: &str = "locality-vector/1";

/// An entry of an Envoy vector file.
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

/// An entry of a gRPC vector file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    #[serde(rename = "title")]
    _title: Option<Value>,
    #[serde(rename = "basis")]
    _basis: Option<Value>,
    #[serde(rename = "note")]
    _note: Option<Value>,
    input: Value,
    expect: Map<String, Value>,
}

/// A vector of a service mesh, except for its inputs.
#[derive(Deserialize)]
struct LocalityVector {
    id: String,
    kind: String,
    expect: Map<String, Value>,
    /// The only input of some kinds; the other kinds have several.
    input: Option<Value>,
}

/// The fields of a [`LocalityVector`], and its descriptions.
const NO_INPUTS: [&str; 8] = [
    "format", "kind", "id", "title", "source", "note", "notes", "expect",
];

/// The format of a file.
enum Format<'a> {
    Envoy,
    /// gRPC cases with this subject.
    Grpc(&'static str),
    Unknown(&'a str),
}

/// Compares all entries of a file. `stem`, the file name without extension, is the id of an unreadable
/// file.
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
        Err(error) => return whole(format!("invalid JSON: {error}")),
    };
    let name = |key| file.get(key).and_then(Value::as_str);
    let format = name("format").or_else(|| name("schema")).unwrap_or("none");
    if format == NO_VECTORS {
        return Vec::new();
    }
    if format == LOCALITY {
        return vec![check_locality(&file, stem)];
    }
    let format = match kinds::grpc::subject(format) {
        Some(subject) => Format::Grpc(subject),
        None if format == FORMAT => Format::Envoy,
        None => Format::Unknown(format),
    };
    let entries = match format {
        Format::Envoy => file.get("vectors"),
        Format::Grpc(_) => file.get("cases"),
        Format::Unknown(_) => file.get("vectors").or_else(|| file.get("cases")),
    };
    match (entries.and_then(Value::as_array), &format) {
        (Some(entries), _) => entries
            .iter()
            .enumerate()
            .map(|(index, entry)| match format {
                Format::Envoy => check_vector(entry, stem, index),
                Format::Grpc(subject) => check_case(subject, entry, stem, index),
                Format::Unknown(format) => Checked {
                    id: id_of(entry, stem, index),
                    kind: format.into(),
                    faults: vec![unknown_format(format)],
                },
            })
            .collect(),
        (None, Format::Unknown(format)) => whole(unknown_format(format)),
        (None, Format::Envoy) => whole("missing list \"vectors\"".into()),
        (None, Format::Grpc(_)) => whole("missing list \"cases\"".into()),
    }
}

/// Compares one Envoy vector.
fn check_vector(entry: &Value, stem: &str, index: usize) -> Checked {
    match Vector::deserialize(entry) {
        Ok(vector) => {
            let found = kinds::find(&vector.kind, &vector.input, &vector.expect);
            let faults = faults(&vector.kind, &vector.expect, found);
            Checked {
                id: vector.id,
                kind: vector.kind,
                faults,
            }
        }
        Err(error) => unreadable(entry, stem, index, &error),
    }
}

/// Compares one gRPC case.
fn check_case(subject: &str, entry: &Value, stem: &str, index: usize) -> Checked {
    match Case::deserialize(entry) {
        Ok(case) => {
            let found = kinds::grpc::find(subject, &case.input);
            // The prefix separates it from Envoy's kind "aggregate".
            let kind = format!("grpc-{subject}");
            Checked {
                id: case.id,
                faults: faults(&kind, &case.expect, found),
                kind,
            }
        }
        Err(error) => unreadable(entry, stem, index, &error),
    }
}

/// Compares the vector of a service mesh that a file has.
fn check_locality(file: &Value, stem: &str) -> Checked {
    let vector = match LocalityVector::deserialize(file) {
        Ok(vector) => vector,
        Err(error) => return unreadable(file, stem, 0, &error),
    };
    let fields = file.as_object().into_iter().flatten();
    let inputs = fields.filter(|(name, _)| !NO_INPUTS.contains(&name.as_str()));
    let inputs: Map<String, Value> = inputs
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let input = match vector.input {
        Some(input) if inputs.len() == 1 => input,
        _ => Value::Object(inputs),
    };
    let found = kinds::mesh::find(&vector.kind, &input, &vector.expect);
    Checked {
        faults: faults(&vector.kind, &vector.expect, found),
        id: vector.id,
        kind: vector.kind,
    }
}

/// The differences of a result, or its error.
fn faults(
    kind: &str,
    expect: &Map<String, Value>,
    found: Result<Map<String, Value>, String>,
) -> Vec<String> {
    match found {
        Ok(_) if expect.is_empty() => vec!["\"expect\" is empty".into()],
        Ok(found) => compare::differences(kind, expect, &found),
        Err(fault) => vec![fault],
    }
}

/// The result of an invalid entry.
fn unreadable(entry: &Value, stem: &str, index: usize, error: &serde_json::Error) -> Checked {
    Checked {
        id: id_of(entry, stem, index),
        kind: "unknown".into(),
        faults: vec![format!("invalid vector: {error}")],
    }
}

/// The id of an entry, or its index.
fn id_of(entry: &Value, stem: &str, index: usize) -> String {
    match entry.get("id").and_then(Value::as_str) {
        Some(id) => id.into(),
        None => format!("{stem}[{index}]"),
    }
}

/// The error of an unknown format.
fn unknown_format(format: &str) -> String {
    format!("unknown format {format:?}, expected {FORMAT:?} or \"grpc-<subject>/1\"")
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

    fn case(input: &str, expect: &str, rest: &str) -> String {
        format!(
            r#"{{"schema": "grpc-sweep/1", "cases": [{{"id": "s", "title": "t", "basis": "b",
                 "input": {{{input}}}, "expect": {{{expect}}}{rest}}}]}}"#
        )
    }

    fn locality(input: &str, expect: &str, rest: &str) -> String {
        format!(
            r#"{{"format": "locality-vector/1", "kind": "kuma.default-weights", "id": "w", "title": "t",
                 "input": {{{input}}}, "expect": {{{expect}}}{rest}}}"#
        )
    }

    #[test]
    fn percentages_of_meshes_have_few_digits() {
        for (percent, faults_expected) in [("[90.00009, 10]", 0), ("[90.0002, 10]", 1)] {
            let text = locality(r#""tags": 1"#, &format!("\"percent\": {percent}"), "");
            assert_eq!(faults(&text).len(), faults_expected, "{percent}");
        }
    }

    #[test]
    fn a_grpc_case_passes() {
        assert!(faults(&case(r#""events": []"#, r#""owners": {}, "log": []"#, "")).is_empty());
    }

    #[test]
    fn a_correct_vector_passes_and_a_wrong_one_fails() {
        let right = hash(r#""expect": {"xxh64": "15154266338359012955"}"#);
        assert!(faults(&right).is_empty());
        let wrong = hash(r#""expect": {"xxh64": "15154266338359012956"}"#);
        assert_eq!(
            faults(&wrong),
            [r#"xxh64: expected "15154266338359012956", found "15154266338359012955""#]
        );
    }

    #[test]
    fn unknown_formats_fields_and_kinds_fail() {
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
            r#"{"schema": "grpc-other/1", "cases": [{"id": "x"}]}"#,
            r#"{"schema": "grpc-sweep/2", "cases": [{"id": "x"}]}"#,
            r#"{"schema": "grpc-sweep/1", "vectors": []}"#,
            &case(r#""events": [], "salt": 1"#, r#""owners": {}"#, ""),
            &case(
                r#""events": [{"t": 0, "type": "wait", "salt": 1}]"#,
                r#""owners": {}"#,
                "",
            ),
            &case(r#""events": []"#, r#""owners": {}"#, r#", "surprise": 1"#),
            &case(r#""events": []"#, "", ""),
            &case(r#""events": []"#, r#""beds": {}"#, ""),
            &locality(r#""tags": 1"#, r#""rest": 2"#, ""),
            &locality(r#""tags": 1"#, r#""beds": 1"#, ""),
            &locality(r#""tags": 1, "salt": 1"#, r#""rest": 1"#, ""),
            &locality(r#""tags": 1"#, r#""rest": 1"#, r#", "surprise": 1"#),
            &locality(r#""tags": 1"#, r#""rest": 1"#, "").replace("kuma", "juma"),
            &locality(r#""tags": 1"#, "", ""),
        ] {
            assert_eq!(faults(text).len(), 1, "{text}");
        }
    }
}
