//! Findings as text, compared with golden files.

use std::fs;

use spillgate_lint::Finding;

use super::file;

/// A finding with its changes, one line each.
pub(crate) fn shown(finding: &Finding) -> String {
    let (message, severity) = (finding.message(), finding.severity);
    let (path, fix) = (&finding.path, &finding.fix);
    let mut text = format!("  {severity}: {path}: {message}; {fix}\n");
    for edit in &finding.plan {
        let value = edit.value.as_deref();
        let change = value.map_or_else(|| "removed".to_owned(), |value| format!("= {value}"));
        text += &format!("    {} {change}\n", edit.path);
    }
    text
}

/// Compares a text with a golden file. `SPILLGATE_GOLDEN=write` updates the file.
#[track_caller]
pub(crate) fn assert_golden(name: &str, text: &str) {
    let path = file("crates/lint/tests/lint/golden").join(name);
    if std::env::var_os("SPILLGATE_GOLDEN").is_some_and(|value| value == "write") {
        fs::write(&path, text).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap();
    assert!(kept == text, "{} differs; now:\n{text}", path.display());
}
