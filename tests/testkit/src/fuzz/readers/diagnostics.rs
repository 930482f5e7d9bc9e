//! Diagnostics: each has a text, and a position inside the input.

use spillgate_config::Diagnostic;

/// Checks the diagnostics of a rejected input.
pub(super) fn rejected(diagnostics: &[Diagnostic], text: &str) {
    assert!(!diagnostics.is_empty(), "rejected without a diagnostic");
    check(diagnostics, text);
}

/// Checks that every diagnostic has a message, a code, and a position inside the text.
pub(super) fn check(diagnostics: &[Diagnostic], text: &str) {
    // YAML ends lines in more ways than the standard library.
    let breaks = |c: char| "\n\r\u{85}\u{2028}\u{2029}".contains(c);
    let lines = text.matches(breaks).count() + 1;
    let columns = text.chars().count() + 1;
    for diagnostic in diagnostics {
        let has_words = !diagnostic.message.is_empty() && diagnostic.code.contains('/');
        let is_inside = diagnostic.position.is_none_or(|position| {
            let (line, column) = (position.line as usize, position.column as usize);
            (1..=lines).contains(&line) && (1..=columns).contains(&column)
        });
        assert!(has_words && is_inside, "{diagnostic:?} of {lines} lines");
    }
}
