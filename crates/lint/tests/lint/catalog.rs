//! The documentation agrees with the catalog.

use std::fs;

use spillgate_config::envoy::Format;
use spillgate_lint::{MESH_RULES, RULES};
use spillgate_testkit::check_block;

use crate::common::{by_severity, file, lint_text, vectors};

#[test]
fn the_documentation_has_a_table_of_the_rules() {
    let mut table = String::from("| rule | severity | problem |\n|---|---|---|\n");
    for rule in RULES {
        table += &format!(
            "| [`{0}`](#{0}) | {1} | {2} |\n",
            rule.id, rule.severity, rule.summary
        );
    }
    check_block(&file("cli/src/explain_code/rules.md"), "rules", &table);
    let rules = RULES.iter().map(|rule| (rule.id, rule.severity));
    check_block(&file("docs/lint.md"), "rules", &by_severity(rules));
}

#[test]
fn the_documentation_explains_every_rule() {
    let text = fs::read_to_string(file("cli/src/explain_code/rules.md")).unwrap();
    let sections: Vec<&str> = text.split("\n### ").skip(1).collect();
    let titles: Vec<&str> = sections.iter().filter_map(|s| s.lines().next()).collect();
    let mesh = MESH_RULES.iter().map(|rule| rule.id);
    let ids: Vec<&str> = RULES.iter().map(|rule| rule.id).chain(mesh).collect();
    assert_eq!(titles, ids);
    for section in sections {
        for part in ["**Cause.**", "**Effect.**", "**Fix.**", "```"] {
            assert!(section.contains(part), "{part} in {section}");
        }
    }
}

#[test]
fn ids_are_unique_and_in_kebab_case() {
    let mut ids: Vec<&str> = RULES.iter().map(|rule| rule.id).collect();
    for id in &ids {
        assert!(
            id.chars().all(|c| c.is_ascii_lowercase() || c == '-'),
            "{id}"
        );
    }
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), RULES.len());
}

#[test]
fn every_rule_has_an_example_finding() {
    let vectors = vectors();
    for rule in RULES {
        let mut findings = vectors
            .iter()
            .filter(|vector| vector.rule == rule.id)
            .flat_map(|vector| lint_text(&vector.text, Format::guess(&vector.name, &vector.text)));
        assert!(
            findings.any(|finding| finding.rule == rule.id),
            "{} has no example",
            rule.id
        );
    }
}
