//! What a run came to, and how it reads.

use std::fmt;

/// One thing that was compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// The id of a vector, the name of a file or of a scenario folder.
    pub name: String,
    /// The kind of a vector, the family of a scenario.
    pub family: String,
    /// Where it stands.
    pub source: String,
    /// What differed, one difference a line; nothing when it passed.
    pub faults: Vec<String>,
    /// Why it is known not to be supported yet.
    pub pending: Option<String>,
}

/// All units of a run, in the order of the paths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConformanceReport {
    /// The units.
    pub units: Vec<Unit>,
    /// What another Envoy cannot be asked about, by name, each with the reason.
    pub left_out: Vec<(String, String)>,
}

/// How many differences of a unit are printed.
const MOST_FAULTS: usize = 6;

impl ConformanceReport {
    /// How many passed, pending ones apart.
    #[must_use]
    pub fn passed(&self) -> usize {
        self.count(|unit| unit.pending.is_none() && unit.faults.is_empty())
    }

    /// How many failed, pending ones apart.
    #[must_use]
    pub fn failed(&self) -> usize {
        self.count(|unit| unit.pending.is_none() && !unit.faults.is_empty())
    }

    /// How many are pending, whether they pass or not.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.count(|unit| unit.pending.is_some())
    }

    fn count(&self, what: impl Fn(&&Unit) -> bool) -> usize {
        self.units.iter().filter(what).count()
    }
}

impl fmt::Display for ConformanceReport {
    /// Every unit that did not simply pass, then the figures.
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
    /// Nothing for a unit that passed.
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
                    "pending, but it passes: {name} ({family}, {source}); listed because: {reason}"
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
    fn a_run_without_pending_units_says_nothing_of_them() {
        let report = ConformanceReport {
            units: vec![unit("a", &[], None)],
            ..ConformanceReport::default()
        };
        assert_eq!(report.to_string(), "1 passed, 0 failed\n");
    }

    #[test]
    fn what_cannot_be_replayed_is_named() {
        let report = ConformanceReport {
            units: vec![unit("a", &[], None)],
            left_out: vec![("b".into(), "it has dynamic_resources".into())],
        };
        assert_eq!(
            report.to_string(),
            "not replayed: b: it has dynamic_resources\n1 passed, 0 failed, 1 not replayed\n"
        );
    }

    #[test]
    fn everything_that_did_not_simply_pass_is_named() {
        let report = ConformanceReport {
            units: vec![
                unit("a", &[], None),
                unit("b", &["hash: expected 1, found 2"], None),
                unit("c", &["some"], Some("no such policy")),
                unit("d", &[], Some("no such policy")),
            ],
            ..ConformanceReport::default()
        };
        assert_eq!(
            report.to_string(),
            "failed: b (hash, hash.json)\n  hash: expected 1, found 2\n\
             pending: c (hash): no such policy\n\
             pending, but it passes: d (hash, hash.json); listed because: no such policy\n\
             1 passed, 1 failed, 2 pending\n"
        );
    }
}
