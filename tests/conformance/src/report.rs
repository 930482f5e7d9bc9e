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
    /// The number of passed units.
    #[must_use]
    pub fn passed(&self) -> usize {
        self.units.len() - self.failed()
    }

    /// The number of failed units.
    #[must_use]
    pub fn failed(&self) -> usize {
        let failed = |unit: &&Unit| !unit.faults.is_empty();
        self.units.iter().filter(failed).count()
    }
}

impl fmt::Display for ConformanceReport {
    /// Every failed unit, then the totals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for unit in &self.units {
            write!(f, "{unit}")?;
        }
        for (name, reason) in &self.left_out {
            writeln!(f, "not replayed: {name}: {reason}")?;
        }
        write!(f, "{} passed, {} failed", self.passed(), self.failed())?;
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
            faults,
        } = self;
        if faults.is_empty() {
            return Ok(());
        }
        writeln!(f, "failed: {name} ({family}, {source})")?;
        for fault in faults.iter().take(MOST_FAULTS) {
            writeln!(f, "  {fault}")?;
        }
        match faults.len().checked_sub(MOST_FAULTS) {
            Some(more) if more > 0 => writeln!(f, "  and {more} more"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(name: &str, faults: &[&str]) -> Unit {
        Unit {
            name: name.into(),
            family: "hash".into(),
            source: "hash.json".into(),
            faults: faults.iter().map(ToString::to_string).collect(),
        }
    }

    #[test]
    fn units_that_cannot_be_replayed_are_listed() {
        let report = ConformanceReport {
            units: vec![unit("a", &[])],
            left_out: vec![("b".into(), "configuration has dynamic_resources".into())],
        };
        assert_eq!(
            report.to_string(),
            "not replayed: b: configuration has dynamic_resources\n1 passed, 0 failed, 1 not replayed\n"
        );
    }

    #[test]
    fn failed_units_are_listed() {
        let report = ConformanceReport {
            units: vec![unit("a", &[]), unit("b", &["hash: expected 1, found 2"])],
            ..ConformanceReport::default()
        };
        assert_eq!(
            report.to_string(),
            "failed: b (hash, hash.json)\n  hash: expected 1, found 2\n\
             1 passed, 1 failed\n"
        );
    }
}
