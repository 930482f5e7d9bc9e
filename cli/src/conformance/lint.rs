//! Lint vectors: configurations that must trigger the rule in their file name.

use std::path::Path;

use spillgate_config::envoy::{self, Format, ReadOptions};
use spillgate_lint::{RULES, lint};

/// The rule in the name of a file in a folder `lint`: `NN-<rule>.json`, or without a number.
pub(super) fn rule_of(path: &Path) -> Option<&'static str> {
    if path.parent()?.file_name()? != "lint" {
        return None;
    }
    let stem = path.file_stem()?.to_str()?;
    let rule = stem.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
    let mut known = RULES.iter().map(|known| known.id);
    known.find(|id| *id == rule)
}

/// The id of the file, and its errors: unreadable, or the rule does not report a finding.
pub(super) fn check(path: &Path, rule: &str, text: &str) -> (String, Vec<String>) {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let read = envoy::read_for_lint(text, Format::guess(&name, text), &ReadOptions::default());
    let faults = match read {
        Err(faults) => faults.iter().map(ToString::to_string).collect(),
        Ok(config) => {
            let findings = lint(&config);
            let found: Vec<&str> = findings.iter().map(|finding| finding.rule).collect();
            match found.contains(&rule) {
                true => Vec::new(),
                false => vec![format!(
                    "{rule} reports no finding; found [{}]",
                    found.join(", ")
                )],
            }
        }
    };
    let id = path.file_stem().unwrap_or_default().to_string_lossy();
    (id.into_owned(), faults)
}
