//! `spillgate explain-code`.

use std::fs;

use spillgate_testkit::repository;

use crate::run::{Ran, spillgate};

fn explained(code: &str) -> Ran {
    spillgate(&["explain-code", code])
}

#[test]
fn a_code_has_its_meaning_an_example_and_a_message() {
    let ran = explained("config/eds");
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    ran.assert_output_starts(
        "config/eds (error): `eds_cluster_config` on a cluster of another type\n\nexample  ",
    );
    ran.assert_output_has("ONE: a load_assignment with one endpoint\nmessage  ");
    // Tables escape bars.
    let bars = explained("mesh/all-dropped");
    assert!(!bars.stdout.contains("\\|"), "{}", bars.stdout);
}

#[test]
fn a_rule_has_its_whole_section() {
    let ran = explained("subset-selector-no-host");
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    ran.assert_output_starts(
        "subset-selector-no-host (error): no host has all keys of a selector\n\nCause. ",
    );
    ran.assert_output_has("\nFix. ");
    ran.assert_output_has(
        "\n      subset_selectors: [{keys: [stge]}]   # hosts have the key stage\n",
    );
    for markdown in ["###", "**", "```"] {
        assert!(!ran.stdout.contains(markdown), "{}", ran.stdout);
    }
}

#[test]
fn an_unknown_code_is_an_error_with_the_nearest_one() {
    let ran = explained("config/edss");
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    ran.assert_error_has(
        "CODE: code/unknown: no message or lint rule has this code; found \"config/edss\"",
    );
    ran.assert_error_has("(did you mean config/eds?)");
}

/// Every code of the page, and every rule, has an explanation with its own meaning.
#[test]
fn all_codes_and_rules_are_explained() {
    let mut codes = 0;
    for page in ["codes.md", "rules.md"] {
        let text =
            fs::read_to_string(repository().join("cli/src/explain_code").join(page)).unwrap();
        for line in text
            .lines()
            .filter(|line| line.starts_with("| `") || line.starts_with("| [`"))
        {
            let code = line.split('`').nth(1).unwrap();
            let ran = explained(code);
            assert_eq!(ran.status, 0, "{code}: {}", ran.stderr);
            assert!(
                ran.stdout.starts_with(&format!("{code} (")),
                "{code}: {}",
                ran.stdout
            );
            codes += 1;
        }
    }
    assert!(codes > 300, "{codes}");
}
