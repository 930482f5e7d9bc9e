//! The rules for mesh documents.

mod catalog;
mod faults;
mod messages;
mod mutants;
mod near_misses;
mod shapes;
mod site;
mod valid;
mod vectors;

use std::fs;

use serde_json::Value;
use spillgate_config::{
    envoy::Format,
    mesh::{MeshDocuments, read},
};
use spillgate_lint::{MeshFinding, lint_mesh};

use crate::common::file;

/// The findings in texts, one for each file.
fn lint_texts(texts: &[(String, Format)]) -> Vec<MeshFinding> {
    let mut documents = MeshDocuments::default();
    for (number, (text, format)) in texts.iter().enumerate() {
        match read(text, *format, number) {
            Ok(own) => documents.append(own),
            Err(faults) => panic!("{faults:#?}\n{text}"),
        }
    }
    lint_mesh(&documents)
}

/// The findings in one document or a list of them.
fn lint_value(value: &Value) -> Vec<MeshFinding> {
    let text = serde_json::to_string_pretty(value).unwrap();
    lint_texts(&[(text, Format::Json)])
}

/// The distinct ids of findings, in order.
fn rules(findings: &[MeshFinding]) -> Vec<&'static str> {
    let mut rules: Vec<_> = findings.iter().map(|found| found.finding.rule).collect();
    rules.sort_unstable();
    rules.dedup();
    rules
}

/// A recorded fault: the file's name, its rule and its documents.
struct Vector {
    name: String,
    rule: String,
    value: Value,
}

/// The files of a folder in `vectors/lint/mesh`; the name, after its number, is the rule's.
fn vectors(folder: &str) -> Vec<Vector> {
    let folder = file("vectors/lint/mesh").join(folder);
    let mut vectors = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            continue;
        }
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let (stem, _) = name.rsplit_once('.').unwrap();
        let number = |c: char| c.is_ascii_digit() || c == '-';
        vectors.push(Vector {
            rule: stem.trim_start_matches(number).to_owned(),
            value: serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap(),
            name,
        });
    }
    vectors.sort_by(|a, b| a.name.cmp(&b.name));
    vectors
}

/// The documents of a vector.
fn documents(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(documents) => documents.clone(),
        document => vec![document.clone()],
    }
}
