//! Log messages about configurations, and the target of those that requests cause.

use alloc::{format, string::String};

/// The target of the lines that requests can cause, so that an environment can limit them.
pub const REQUESTS: &str = "spillgate requests";

/// What serves after a configuration was rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PreviousConfig {
    /// The previous one.
    Serves,
    /// No configuration served before.
    Absent,
    /// A previous one, if there is one: the environment may try a configuration in a new context, which
    /// knows of no other.
    Unknown,
}

/// The message about an invalid configuration, with one line for each fault.
#[must_use]
pub fn rejected(faults: &[String], previous: PreviousConfig) -> String {
    let serving = match previous {
        PreviousConfig::Serves => "the previous one keeps serving",
        PreviousConfig::Absent => "there is no previous one",
        PreviousConfig::Unknown => "a previous one, if there is one, keeps serving",
    };
    let listed = listed(faults);
    format!("spillgate: configuration rejected; {serving}; {listed}")
}

/// The message about settings without the expected effect, with one line for each; `None` without any.
#[must_use]
pub fn warned(warnings: &[String]) -> Option<String> {
    (!warnings.is_empty()).then(|| format!("spillgate: {}", listed(warnings)))
}

/// All findings, each on its own line.
fn listed(findings: &[String]) -> String {
    let noun = if findings.len() == 1 {
        "finding"
    } else {
        "findings"
    };
    format!("{} {noun}:\n{}", findings.len(), findings.join("\n"))
}

#[cfg(test)]
mod tests {
    use alloc::borrow::ToOwned;

    use super::*;

    #[test]
    fn a_rejection_says_what_serves_and_has_a_line_for_each_fault() {
        let (one, two) = (["a".to_owned()], ["a".to_owned(), "b".to_owned()]);
        assert_eq!(
            rejected(&one, PreviousConfig::Serves),
            "spillgate: configuration rejected; the previous one keeps serving; 1 finding:\na"
        );
        assert_eq!(
            rejected(&two, PreviousConfig::Absent),
            "spillgate: configuration rejected; there is no previous one; 2 findings:\na\nb"
        );
        assert_eq!(
            rejected(&one, PreviousConfig::Unknown),
            "spillgate: configuration rejected; a previous one, if there is one, keeps serving; \
             1 finding:\na"
        );
    }

    #[test]
    fn only_findings_cause_a_warning() {
        assert_eq!(warned(&[]), None);
        let warning = warned(&["a".to_owned()]);
        assert_eq!(warning.as_deref(), Some("spillgate: 1 finding:\na"));
    }
}
