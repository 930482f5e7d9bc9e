//! Lint vectors: configurations that must raise the rule of their name.

use std::path::Path;

use spillgate_config::envoy::{self, Format, ReadOptions};
use spillgate_lint::{RULES, lint};

/// The rule that a file of a folder `lint` is named after: `NN-<rule>.json`, or without a number.
pub(super) fn rule_of(path: &Path) -> Option<&'static str> {
    if path.parent()?.file_name()? != "lint" {
        return None;
    }
    let stem = path.file_stem()?.to_str()?;
    let rule = stem.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
    let mut known = RULES.iter().map(|known| known.id);
    known.find(|id| *id == rule)
}

/// The file's id, and what is wrong if the rule is not raised.
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
                    "{rule} is not raised; found [{}]",
                    found.join(", ")
                )],
            }
        }
    };
    let id = path.file_stem().unwrap_or_default().to_string_lossy();
    (id.into_owned(), faults)
}
