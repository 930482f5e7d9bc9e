//! The report of a conformance run, and its text form.

use std::fmt;

/// One compared vector or scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// The id of a vector, the name of a file or of a scenario folder.
    pub name: String,
    /// The kind of a vector, the family of a scenario.
    pub family: String,
    /// The path of its file or folder.
    pub source: String,
    /// The differences, one line each; empty if it passed.
    pub faults: Vec<String>,
    /// The reason, if it is listed as pending.
    pub pending: Option<String>,
}

/// All units of a run, in the order of the paths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConformanceReport {
    /// The units.
    pub units: Vec<Unit>,
    /// The units that cannot be replayed on an Envoy: name and reason.
    pub left_out: Vec<(String, String)>,
}

/// The maximum number of printed differences of a unit.
const MOST_FAULTS: usize = 6;

impl ConformanceReport {
    /// The number of passed units, without pending ones.
    #[must_use]
    pub fn passed(&self) -> usize {
        self.count(|unit| unit.pending.is_none() && unit.faults.is_empty())
    }

    /// The number of failed units, without pending ones.
    #[must_use]
    pub fn failed(&self) -> usize {
        self.count(|unit| unit.pending.is_none() && !unit.faults.is_empty())
    }

    /// The number of pending units, passed or failed.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.count(|unit| unit.pending.is_some())
    }

    /// The number of units that match.
    fn count(&self, what: impl Fn(&&Unit) -> bool) -> usize {
        self.units.iter().filter(what).count()
    }
}

impl fmt::Display for ConformanceReport {
    /// Every failed or pending unit, then the totals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for unit in &self.units {
            write!(f, "{unit}")?;
        }
        for (name, reason) in &self.left_out {
            writeln!(f, "not replayed: {name}: {reason}")?;
        }
        write!(f, "{} passed, {} failed", self.passed(), self.failed())?;
        if self.pending() > 0 {
            write!(f, ", {} pending", self.pending())?;
        }
        if !self.left_out.is_empty() {
            write!(f, ", {} not replayed", self.left_out.len())?;
        }
        writeln!(f)
    }
}

impl fmt::Display for Unit {
    /// Empty for a passed unit.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            family,
            source,
            ..
        } = self;
        match (&self.pending, self.faults.is_empty()) {
            (None, true) => return Ok(()),
            (None, false) => writeln!(f, "failed: {name} ({family}, {source})")?,
            (Some(reason), true) => {
                return writeln!(
                    f,
                    "pending, but passed: {name} ({family}, {source}); pending because: {reason}"
                );
            }
            (Some(reason), false) => {
                return writeln!(f, "pending: {name} ({family}): {reason}");
            }
        }
        for fault in self.faults.iter().take(MOST_FAULTS) {
            writeln!(f, "  {fault}")?;
        }
        match self.faults.len().checked_sub(MOST_FAULTS) {
            Some(more) if more > 0 => writeln!(f, "  and {more} more"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(name: &str, faults: &[&str], pending: Option<&str>) -> Unit {
        Unit {
            name: name.into(),
            family: "hash".into(),
            source: "hash.json".into(),
            faults: faults.iter().map(ToString::to_string).collect(),
            pending: pending.map(Into::into),
        }
    }

    #[test]
    fn a_run_without_pending_units_does_not_count_them() {
        let report = ConformanceReport {
            units: vec![unit("a", &[], None)],
            ..ConformanceReport::default()
        };
        assert_eq!(report.to_string(), "1 passed, 0 failed\n");
    }

    #[test]
    fn units_that_cannot_be_replayed_are_listed() {
        let report = ConformanceReport {
            units: vec![unit("a", &[], None)],
            left_out: vec![("b".into(), "configuration has dynamic_resources".into())],
        };
        assert_eq!(
            report.to_string(),
            "not replayed: b: configuration has dynamic_resources\n1 passed, 0 failed, 1 not replayed\n"
        );
    }

    #[test]
    fn failed_and_pending_units_are_listed() {
        let report = ConformanceReport {
            units: vec![
                unit("a", &[], None),
                unit("b", &["hash: expected 1, found 2"], None),
                unit("c", &["some"], Some("unknown policy")),
                unit("d", &[], Some("unknown policy")),
            ],
            ..ConformanceReport::default()
        };
        assert_eq!(
            report.to_string(),
            "failed: b (hash, hash.json)\n  hash: expected 1, found 2\n\
             pending: c (hash): unknown policy\n\
             pending, but passed: d (hash, hash.json); pending because: unknown policy\n\
             1 passed, 1 failed, 2 pending\n"
        );
    }
}
