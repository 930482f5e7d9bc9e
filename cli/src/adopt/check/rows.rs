//! The results of a check, one row each.

use std::fmt;

use serde_json::Value;
use spillgate_explain::format::{plain, plural};

use super::{
    fields::at,
    kinds::RequestKind,
    observe::{Counts, Distribution, REQUESTS, Steered},
    shares::SampleComparison,
};

/// Less than every request is decided if the filter is not in its way.
const DECIDED: f64 = 0.99;

/// A result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Passed,
    Failed,
    /// The configuration has nothing to check.
    Skipped,
}

/// A row of the report.
#[derive(Debug)]
pub(super) struct CheckRow {
    name: &'static str,
    pub(super) verdict: Verdict,
    detail: String,
}

impl fmt::Display for CheckRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match self.verdict {
            Verdict::Passed => "ok",
            Verdict::Failed => "FAILED",
            Verdict::Skipped => "-",
        };
        write!(f, "  {:<18} {verdict:<6}  {}", self.name, self.detail)
    }
}

/// What the rows are about.
pub(super) struct Results<'a> {
    pub(super) kinds: &'a [RequestKind],
    /// The configuration of the filter.
    pub(super) filter: &'a Value,
    /// Why the old configuration is not compared, or what is observed of it.
    pub(super) old: Result<&'a Distribution, &'static str>,
    pub(super) new: &'a Steered,
    /// The lost host, for people.
    pub(super) lost: String,
}

impl Results<'_> {
    /// All rows.
    pub(super) fn rows(&self) -> Vec<CheckRow> {
        vec![
            self.shares(),
            self.failure(),
            self.sessions(),
            self.isolation(),
            self.metrics(),
            self.headers(),
        ]
    }

    /// Compares counts of each kind, and names the first kind that `is_wrong`.
    fn compared(
        &self,
        old: &Counts,
        new: &Counts,
        is_wrong: impl Fn(&SampleComparison, &[u64], &[u64]) -> bool,
    ) -> (Verdict, String) {
        let mut largest: f64 = 0.0;
        for ((kind, old), new) in self.kinds.iter().zip(old).zip(new) {
            let compared = SampleComparison::of(old, new);
            largest = largest.max(compared.difference);
            if is_wrong(&compared, old, new) {
                let text = format!(
                    "{}: a share differs by {:.1} points: {} before, {} now",
                    kind.label,
                    compared.difference,
                    shown(old),
                    shown(new)
                );
                return (Verdict::Failed, text);
            }
        }
        let kinds = self.kinds.len();
        let text = format!(
            "{} of requests, {REQUESTS} each; largest difference {largest:.1} points",
            plain(&plural(kinds, "kind"))
        );
        (Verdict::Passed, text)
    }

    fn shares(&self) -> CheckRow {
        let (verdict, detail) = match self.old {
            Err(why) => {
                let counts = &self.new.distribution.healthy;
                let hosts = counts.iter().filter_map(|counts| counts.split_last());
                if hosts.flat_map(|(_, hosts)| hosts).any(|count| *count > 0) {
                    (Verdict::Skipped, why.to_owned())
                } else {
                    (Verdict::Failed, "no request reaches a host".to_owned())
                }
            }
            Ok(old) => {
                let new = &self.new.distribution.healthy;
                self.compared(&old.healthy, new, |compared, _, _| !compared.fits())
            }
        };
        let name = "shares";
        CheckRow {
            name,
            verdict,
            detail,
        }
    }

    /// After a failure, shares are equal, or fewer requests fail than before.
    fn failure(&self) -> CheckRow {
        let (verdict, detail) = match self.old {
            Err(why) => (Verdict::Skipped, why.to_owned()),
            Ok(old) => {
                let new = &self.new.distribution.after;
                self.compared(&old.after, new, |compared, old, new| {
                    !compared.fits() && new.last() >= old.last()
                })
            }
        };
        CheckRow {
            name: "after a failure",
            verdict,
            detail: format!("{} lost: {detail}", self.lost),
        }
    }

    fn sessions(&self) -> CheckRow {
        let tally = &self.new.sessions;
        let (verdict, detail) = match (at(self.filter, &["affinity"]), tally.sessions) {
            (None, _) => (Verdict::Skipped, "no sessions".to_owned()),
            (Some(_), 0) => (Verdict::Failed, "no session began".to_owned()),
            (Some(_), _) if tally.broken.is_empty() => (Verdict::Passed, tally.text()),
            (Some(_), _) => (Verdict::Failed, tally.text()),
        };
        CheckRow {
            name: "sessions kept",
            verdict,
            detail,
        }
    }

    fn isolation(&self) -> CheckRow {
        let restricted = self
            .kinds
            .iter()
            .filter(|kind| kind.allowed.is_some())
            .count();
        let foreign = self.new.seen.pairs.iter().find_map(|(host, kind)| {
            let kind = self.kinds.get(*kind)?;
            let allowed = kind.allowed.as_ref()?;
            (!allowed.contains(host)).then(|| format!("{}: reached host {host}", kind.label))
        });
        let (verdict, detail) = match (restricted, foreign) {
            (_, Some(foreign)) => (Verdict::Failed, foreign),
            (0, None) => (Verdict::Skipped, "no criteria restrict hosts".to_owned()),
            (count, None) => {
                let text =
                    format!("{count} kinds of requests reached hosts of their criteria only");
                (Verdict::Passed, text)
            }
        };
        CheckRow {
            name: "isolation",
            verdict,
            detail,
        }
    }

    fn metrics(&self) -> CheckRow {
        let (stats, sent) = (&self.new.stats, self.new.sent);
        let polls = at(self.filter, &["health", "source"]) == Some(&"admin".into());
        let mut faults = Vec::new();
        if (stats.decisions as f64) < sent as f64 * DECIDED {
            faults.push("the filter does not decide about every request".to_owned());
        }
        if stats.hosts_unknown > 0 {
            faults.push(format!("hosts unknown: {} requests", stats.hosts_unknown));
        }
        if stats.host_failures > 0 {
            faults.push(format!("host_failures: {}", stats.host_failures));
        }
        faults.extend(stats.old.as_ref().map(|old| format!("old health: {old}")));
        if polls && stats.ages.is_empty() {
            faults.push("no age of the health of a cluster".into());
        }
        let mut detail = format!("{} decisions for {sent} requests", stats.decisions);
        for fault in &faults {
            detail.push_str(&format!("; {fault}"));
        }
        CheckRow {
            name: "metrics",
            verdict: if faults.is_empty() {
                Verdict::Passed
            } else {
                Verdict::Failed
            },
            detail,
        }
    }

    fn headers(&self) -> CheckRow {
        let healthy = &self.new.distribution.healthy;
        let (verdict, detail) = match &self.new.seen.internal {
            Some(name) => (Verdict::Failed, format!("a host received {name}")),
            None => {
                let forged = &self.new.forged;
                let (verdict, text) =
                    self.compared(healthy, forged, |compared, _, _| !compared.fits());
                match verdict {
                    Verdict::Failed => (verdict, text),
                    _ => (verdict, "no effect, and no host received them".to_owned()),
                }
            }
        };
        CheckRow {
            name: "forged headers",
            verdict,
            detail,
        }
    }
}

/// Counts, for people: the hosts with requests.
fn shown(counts: &[u64]) -> String {
    let last = counts.len().saturating_sub(1);
    let parts = counts
        .iter()
        .enumerate()
        .filter(|(_, count)| **count > 0)
        .map(|(at, count)| {
            if at == last {
                format!("no host {count}")
            } else {
                format!("host {at} {count}")
            }
        });
    parts.collect::<Vec<_>>().join(", ")
}
