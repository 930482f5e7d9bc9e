//! Lint vectors: configurations that must trigger the rule in their file name.

use std::path::Path;

use spillgate_config::{
    Diagnostic,
    envoy::{self, Format, ReadOptions},
    mesh,
};
use spillgate_lint::{MESH_RULES, RULES, lint, lint_mesh};

/// The rule in the name of a file in a folder `lint` or `lint/mesh`: `NN-<rule>.json`, or without a
/// number.
pub(super) fn rule_of(path: &Path) -> Option<&'static str> {
    let folder = path.parent()?;
    let stem = path.file_stem()?.to_str()?;
    let rule = stem.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
    if folder.file_name()? == "mesh" && folder.parent()?.file_name()? == "lint" {
        let mut known = MESH_RULES.iter().map(|known| known.id);
        return known.find(|id| *id == rule);
    }
    if folder.file_name()? != "lint" {
        return None;
    }
    let mut known = RULES.iter().map(|known| known.id);
    known.find(|id| *id == rule)
}

/// The id of the file, and its errors: unreadable, or the rule does not report a finding.
pub(super) fn check(path: &Path, rule: &str, text: &str) -> (String, Vec<String>) {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let format = Format::guess(&name, text);
    let found = if MESH_RULES.iter().any(|known| known.id == rule) {
        in_mesh(text, format)
    } else {
        in_configuration(text, format)
    };
    let faults = match found {
        Err(faults) => faults.iter().map(ToString::to_string).collect(),
        Ok(found) if found.contains(&rule) => Vec::new(),
        Ok(found) => vec![format!(
            "{rule} reports no finding; found [{}]",
            found.join(", ")
        )],
    };
    let id = path.file_stem().unwrap_or_default().to_string_lossy();
    (id.into_owned(), faults)
}

/// The rules that report findings in a configuration.
fn in_configuration(text: &str, format: Format) -> Result<Vec<&'static str>, Vec<Diagnostic>> {
    let config = envoy::read_for_lint(text, format, &ReadOptions::default())?;
    Ok(lint(&config).iter().map(|finding| finding.rule).collect())
}

/// The rules that report findings in the documents of a mesh.
fn in_mesh(text: &str, format: Format) -> Result<Vec<&'static str>, Vec<Diagnostic>> {
    let documents = mesh::read(text, format, 0)?;
    let findings = lint_mesh(&documents);
    Ok(findings.iter().map(|found| found.finding.rule).collect())
}
