//! The documentation agrees with the catalog.

use std::fs;

use spillgate_lint::{MESH_RULES, RULES};
use spillgate_testkit::check_block;

use super::{lint_value, vectors};
use crate::common::{by_severity, file};

#[test]
fn the_documentation_has_a_table_of_the_mesh_rules() {
    let mut table = String::from("| rule | severity | problem |\n|---|---|---|\n");
    for rule in MESH_RULES {
        table += &format!(
            "| [`{0}`](#{0}) | {1} | {2} |\n",
            rule.id, rule.severity, rule.summary
        );
    }
    check_block(&file("cli/src/explain_code/rules.md"), "mesh rules", &table);
    let rules = MESH_RULES.iter().map(|rule| (rule.id, rule.severity));
    check_block(&file("docs/lint.md"), "mesh rules", &by_severity(rules));
}

#[test]
fn every_mesh_rule_has_an_example_finding() {
    let vectors = vectors("");
    for rule in MESH_RULES {
        let own = vectors.iter().filter(|vector| vector.rule == rule.id);
        let mut findings = own.flat_map(|vector| lint_value(&vector.value));
        assert!(
            findings.any(|found| found.finding.rule == rule.id),
            "{} has no example",
            rule.id
        );
    }
}

#[test]
fn ids_differ_from_those_of_envoy() {
    let mut ids: Vec<&str> = MESH_RULES.iter().map(|rule| rule.id).collect();
    assert!(
        ids.iter()
            .all(|id| id.starts_with("kuma-") || id.starts_with("istio-"))
    );
    ids.extend(RULES.iter().map(|rule| rule.id));
    ids.sort_unstable();
    let count = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), count);
}

/// Documents outside of the catalog's own state the number of its rules.
#[test]
fn the_changelog_counts_the_rules() {
    let count = RULES.len() + MESH_RULES.len();
    let changelog = fs::read_to_string(file("CHANGELOG.md")).unwrap();
    assert!(
        changelog.contains(&format!("`lint`: {count} rules")),
        "{count}"
    );
}
