//! Lines on standard error: what begins to fail, and what works again.

use std::{collections::BTreeMap, io};

use spillgate_answers::input::Faults;

use crate::printed::print_line;

/// What can fail: a target, or what names targets.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Subject {
    /// Where it is written.
    pub(super) place: String,
    /// The label of a target; `None` for a file and for a name of hosts.
    pub(super) label: Option<String>,
}

/// What fails at present. Each failure is one line until it changes.
#[derive(Debug, Default)]
pub(super) struct FailureLog {
    failing: BTreeMap<Subject, &'static str>,
}

impl Subject {
    /// A file, or a name of hosts.
    pub(super) const fn of_place(place: String) -> Self {
        Self { place, label: None }
    }
}

/// The code of the first of some errors.
pub(super) fn first_code(faults: &Faults) -> &'static str {
    let first = faults.located().first();
    first.map_or("config/unusable", |fault| fault.diagnostic.code)
}

impl FailureLog {
    /// The line about a failure; `None` if it is known.
    fn failure(&mut self, subject: Subject, code: &'static str) -> Option<String> {
        let place = subject.place.clone();
        let before = self.failing.insert(subject, code);
        let line = || format!("{place}: reading failed: {code} (spillgate explain-code {code})");
        (before != Some(code)).then(line)
    }

    /// The line about a success; `None` unless it ends a failure.
    fn success(&mut self, subject: &Subject) -> Option<String> {
        let before = self.failing.remove(subject);
        before.map(|_| format!("{}: reading succeeds again", subject.place))
    }

    /// Writes about a failure, unless it is known.
    pub(super) fn fail(&mut self, subject: Subject, code: &'static str) {
        write(self.failure(subject, code));
    }

    /// Writes about the end of a failure.
    pub(super) fn succeed(&mut self, subject: &Subject) {
        write(self.success(subject));
    }

    /// Forgets the failures of what is no longer read.
    pub(super) fn keep(&mut self, is_kept: impl Fn(&Subject) -> bool) {
        self.failing.retain(|subject, _| is_kept(subject));
    }
}

fn write(line: Option<String>) {
    if let Some(line) = line {
        // Nothing reads a closed standard error.
        let _ = print_line(io::stderr(), &line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_one_line_until_it_changes() {
        let mut log = FailureLog::default();
        let subject = |label: &str| Subject {
            place: "targets.txt:3".into(),
            label: Some(label.into()),
        };
        let line = log
            .failure(subject("10.0.0.1:9901"), "admin/timeout")
            .unwrap();
        assert_eq!(
            line,
            "targets.txt:3: reading failed: admin/timeout (spillgate explain-code admin/timeout)"
        );
        assert_eq!(log.failure(subject("10.0.0.1:9901"), "admin/timeout"), None);
        assert!(
            log.failure(subject("10.0.0.1:9901"), "admin/status")
                .is_some()
        );
        assert_eq!(log.success(&subject("10.0.0.2:9901")), None);
        let line = log.success(&subject("10.0.0.1:9901")).unwrap();
        assert_eq!(line, "targets.txt:3: reading succeeds again");
        assert_eq!(log.success(&subject("10.0.0.1:9901")), None);
    }
}
