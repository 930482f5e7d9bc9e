//! The documentation says what the catalogue says.

use std::fs;

use spillgate_lint::RULES;

use crate::common::file;

#[test]
fn the_documentation_lists_every_rule() {
    let text = fs::read_to_string(file("docs/lint.md")).unwrap();
    let rows: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("| ["))
        .collect();
    let expected: Vec<String> = RULES
        .iter()
        .map(|rule| {
            format!(
                "| [`{0}`](#{0}) | {1} | {2} |",
                rule.id, rule.severity, rule.summary
            )
        })
        .collect();
    assert_eq!(rows, expected);
    let sections: Vec<&str> = text.split("\n### ").skip(1).collect();
    let titles: Vec<&str> = sections.iter().filter_map(|s| s.lines().next()).collect();
    let ids: Vec<&str> = RULES.iter().map(|rule| rule.id).collect();
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
