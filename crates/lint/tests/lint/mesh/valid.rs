//! Documents without faults: no error, no warning.

use serde_json::Value;
use spillgate_config::envoy::Format;
use spillgate_lint::{MeshFinding, Severity};

use super::{documents, lint_texts, lint_value, shapes, site::site, vectors};
use crate::common::yaml;

#[track_caller]
fn assert_clean(what: &str, findings: &[MeshFinding]) {
    let faults: Vec<_> = findings
        .iter()
        .filter(|found| found.finding.severity > Severity::Info)
        .collect();
    assert!(faults.is_empty(), "{what}: {faults:#?}");
}

#[test]
fn recorded_documents() {
    let vectors = vectors("valid");
    assert!(vectors.len() >= 25, "{}", vectors.len());
    for vector in vectors {
        assert_clean(&vector.name, &lint_value(&vector.value));
        let documents = documents(&vector.value);
        for shape in [
            shapes::kubernetes,
            shapes::decision_record,
            shapes::flat,
            shapes::without_version,
            shapes::operator,
            shapes::config_map,
        ] {
            let reshaped: Vec<Value> = documents.iter().map(shape).collect();
            assert_clean(&vector.name, &lint_value(&Value::Array(reshaped)));
        }
    }
}

#[test]
fn sensible_meshes() {
    for seed in 0..300 {
        let documents = site(seed);
        let texts: Vec<String> = documents.iter().map(yaml).collect();
        let text = texts.join("---\n");
        assert_clean(
            &format!("seed {seed}\n{text}"),
            &lint_texts(&[(text.clone(), Format::Yaml)]),
        );
    }
}
