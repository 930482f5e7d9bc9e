//! Golden files.

use std::fs;

use spillgate_testkit::repository;

/// Compares a text with a golden file. `SPILLGATE_GOLDEN=write` updates the file.
#[track_caller]
pub(crate) fn assert_golden(name: &str, text: &str) {
    let path = repository().join("crates/config/tests/golden").join(name);
    if std::env::var_os("SPILLGATE_GOLDEN").is_some_and(|value| value == "write") {
        fs::write(&path, text).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap();
    assert!(
        kept == text,
        "{} differs; run the test with SPILLGATE_GOLDEN=write; now:\n{text}",
        path.display()
    );
}
