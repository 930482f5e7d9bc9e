//! Every recorded fault is found, in every form.

use serde_json::{Value, json};
use spillgate_config::envoy::Format;
use spillgate_lint::{MESH_RULES, MeshFinding, Severity};

use super::{Vector, documents, lint_texts, lint_value, rules, shapes, vectors};
use crate::common::{fix, yaml};

fn assert_found(vector: &Vector, form: &str, findings: &[MeshFinding]) {
    let found = rules(findings);
    let name = &vector.name;
    assert!(
        found.contains(&vector.rule.as_str()),
        "{name} as {form}: {found:?}"
    );
    assert_eq!(found, rules(&lint_value(&vector.value)), "{name} as {form}");
    for MeshFinding { finding, .. } in findings {
        let mut known = MESH_RULES.iter();
        let known = known.find(|known| known.id == finding.rule).unwrap();
        assert_eq!(finding.severity, known.severity);
        assert!(
            !finding.path.is_empty() && finding.position.line > 0,
            "{finding:?}"
        );
        assert!(!finding.cause.is_empty() && !finding.effect.is_empty() && !finding.fix.is_empty());
    }
}

fn reshaped(form: &str, shape: impl Fn(&Value) -> Value) {
    let mut changed = 0;
    for vector in vectors("") {
        let before = documents(&vector.value);
        let after: Vec<Value> = before.iter().map(&shape).collect();
        changed += usize::from(before != after);
        assert_found(&vector, form, &lint_value(&Value::Array(after)));
    }
    assert!(changed > 0, "{form}");
}

#[test]
fn every_mesh_rule_has_a_vector() {
    let vectors = vectors("");
    for rule in MESH_RULES {
        assert!(
            vectors.iter().any(|vector| vector.rule == rule.id),
            "{}",
            rule.id
        );
    }
    for vector in &vectors {
        let known = MESH_RULES.iter().any(|rule| rule.id == vector.rule);
        assert!(known, "{}", vector.name);
    }
}

#[test]
fn as_recorded() {
    for vector in vectors("") {
        assert_found(&vector, "recorded", &lint_value(&vector.value));
    }
}

#[test]
fn as_documents_of_one_yaml_file() {
    for vector in vectors("") {
        let texts: Vec<String> = documents(&vector.value).iter().map(yaml).collect();
        let text = texts.join("---\n");
        assert_found(&vector, "YAML", &lint_texts(&[(text, Format::Yaml)]));
    }
}

#[test]
fn in_several_files() {
    for vector in vectors("") {
        let texts: Vec<(String, Format)> = documents(&vector.value)
            .iter()
            .map(|document| (yaml(document), Format::Yaml))
            .collect();
        let findings = lint_texts(&texts);
        assert_found(&vector, "several files", &findings);
        for MeshFinding { file, finding } in &findings {
            let lines = texts[*file].0.lines().count();
            assert!((finding.position.line as usize) <= lines, "{finding:?}");
        }
    }
}

#[test]
fn as_a_list_of_kubernetes() {
    for vector in vectors("") {
        let items: Vec<Value> = documents(&vector.value)
            .iter()
            .map(shapes::kubernetes)
            .collect();
        // A MeshConfig is no object.
        if items.iter().all(|item| item.get("kind").is_some()) {
            let list = json!({"apiVersion": "v1", "kind": "List", "items": items});
            assert_found(&vector, "List", &lint_value(&list));
        }
    }
}

#[test]
fn in_further_forms() {
    reshaped("Kubernetes", shapes::kubernetes);
    reshaped("decision record", shapes::decision_record);
    reshaped("flat", shapes::flat);
    reshaped("without apiVersion", shapes::without_version);
    reshaped("IstioOperator", shapes::operator);
    reshaped("ConfigMap", shapes::config_map);
}

#[test]
fn a_plan_fixes_its_finding() {
    let mut fixed = 0;
    for vector in vectors("") {
        let before = lint_value(&vector.value);
        for found in before
            .iter()
            .filter(|found| found.finding.rule == vector.rule)
        {
            if found.finding.plan.is_empty() {
                continue;
            }
            let after = lint_value(&fix(&vector.value, &found.finding));
            let remaining = after.iter().find(|other| {
                let (one, other) = (&found.finding, &other.finding);
                one.rule == other.rule && one.path == other.path && one.cause == other.cause
            });
            assert_eq!(remaining, None, "{}", vector.name);
            for new in after
                .iter()
                .filter(|new| new.finding.severity > Severity::Info)
            {
                let known = before
                    .iter()
                    .any(|old| old.finding.rule == new.finding.rule);
                assert!(known, "{}: {new:?}", vector.name);
            }
            fixed += 1;
        }
    }
    assert!(fixed >= 15, "{fixed}");
}
