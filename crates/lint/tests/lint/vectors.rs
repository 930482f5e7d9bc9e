//! Every recorded fault is found, in every shape.

use crate::common::{camel_case, dump, fix, lint_json, lint_text, rules, typed, vectors, yaml};
use serde_json::Value;
use spillgate_config::envoy::Format;
use spillgate_lint::{Finding, RULES, Severity};

/// Rules that are about a classic field.
const CLASSIC: [&str; 2] = ["subset-with-lb-policy", "subset-original-dst"];

fn assert_found(name: &str, shape: &str, rule: &str, findings: &[Finding]) {
    let found = rules(findings);
    assert!(found.contains(&rule), "{name} as {shape}: {found:?}");
    for finding in findings {
        let known = RULES.iter().find(|known| known.id == finding.rule).unwrap();
        assert!(finding.severity <= known.severity, "{finding:?}");
        assert!(
            !finding.path.is_empty() && finding.position.line > 0,
            "{finding:?}"
        );
        assert!(!finding.cause.is_empty() && !finding.effect.is_empty() && !finding.fix.is_empty());
    }
}

/// The vectors that can be reshaped.
fn json_vectors() -> Vec<(String, String, Value)> {
    let vectors = vectors().into_iter();
    vectors
        .filter_map(|vector| Some((vector.name.clone(), vector.rule.clone(), vector.json()?)))
        .collect()
}

#[test]
fn every_rule_has_a_vector() {
    let vectors = vectors();
    for rule in RULES {
        let known = vectors.iter().any(|vector| vector.rule == rule.id);
        assert!(known, "{}", rule.id);
    }
    for vector in &vectors {
        assert!(
            RULES.iter().any(|rule| rule.id == vector.rule),
            "{}",
            vector.name
        );
    }
}

#[test]
fn as_recorded() {
    for vector in vectors() {
        let format = Format::guess(&vector.name, &vector.text);
        let findings = lint_text(&vector.text, format);
        assert_found(&vector.name, "recorded", &vector.rule, &findings);
    }
}

#[test]
fn as_yaml() {
    for (name, rule, value) in json_vectors() {
        let findings = lint_text(&yaml(&value), Format::Yaml);
        assert_found(&name, "YAML", &rule, &findings);
        assert_eq!(rules(&findings), rules(&lint_json(&value)), "{name}");
    }
}

#[test]
fn in_camel_case() {
    for (name, rule, value) in json_vectors() {
        let findings = lint_json(&camel_case(&value));
        assert_found(&name, "camelCase", &rule, &findings);
        assert_eq!(findings.len(), lint_json(&value).len(), "{name}");
    }
}

#[test]
fn in_typed_form() {
    let mut changed = 0;
    for (name, rule, value) in json_vectors() {
        if let Some(value) = typed(&value).filter(|_| !CLASSIC.contains(&rule.as_str())) {
            assert_found(&name, "typed", &rule, &lint_json(&value));
            changed += 1;
        }
    }
    assert!(changed >= 30, "{changed}");
}

#[test]
fn inside_a_config_dump() {
    for (name, rule, value) in json_vectors() {
        let findings = lint_json(&dump(&value));
        assert_found(&name, "config_dump", &rule, &findings);
        assert_eq!(rules(&findings), rules(&lint_json(&value)), "{name}");
    }
}

#[test]
fn clusters_and_routes_on_their_own() {
    // Without a bootstrap, the own location of the proxy and its admin interface are unknown.
    const WHOLE: [&str; 2] = ["zone-aware-no-local-cluster", "steered-poll-blocked"];
    for (name, rule, value) in json_vectors() {
        let resources = &value["static_resources"];
        let lists = [&resources["clusters"], &resources["listeners"]];
        let items = lists.into_iter().flat_map(|list| list.as_array().unwrap());
        let findings = lint_json(&items.cloned().collect());
        if WHOLE.contains(&rule.as_str()) {
            assert!(findings.is_empty(), "{name}: {findings:?}")
        } else {
            assert_found(&name, "list", &rule, &findings)
        }
    }
}

#[test]
fn a_plan_fixes_its_finding() {
    let mut fixed = 0;
    for (name, rule, value) in json_vectors() {
        for finding in lint_json(&value).iter().filter(|f| f.rule == rule) {
            if finding.plan.is_empty() {
                continue;
            }
            let after = lint_json(&fix(&value, finding));
            let same = |f: &&Finding| f.rule == rule && f.path == finding.path;
            assert_eq!(after.iter().find(same), None, "{name}");
            let before = lint_json(&value);
            for new in after.iter().filter(|f| f.severity > Severity::Info) {
                assert!(before.iter().any(|f| f.rule == new.rule), "{name}: {new:?}");
            }
            fixed += 1;
        }
    }
    assert!(fixed >= 30, "{fixed}");
}
