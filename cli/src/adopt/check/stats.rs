//! The metrics of the filter in `/stats`.

use std::collections::BTreeMap;

use spillgate_admin::local::LocalEnvoy;

/// Older health is not current: a poll takes a second.
const LARGEST_AGE_MS: u64 = 5000;

/// The metrics that a check looks at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct FilterStats {
    /// Decisions of the filter.
    pub(super) decisions: u64,
    /// Requests that the filter answered because its hosts were unknown.
    pub(super) hosts_unknown: u64,
    /// Calls that Envoy refused.
    pub(super) host_failures: u64,
    /// The age of the health of each cluster, in ms.
    pub(super) ages: BTreeMap<String, u64>,
    /// A cluster whose health is not current.
    pub(super) old: Option<String>,
}

impl FilterStats {
    /// Reads them.
    pub(super) fn read(envoy: &LocalEnvoy) -> Result<Self, String> {
        Ok(Self::of(&envoy.ask("/stats?filter=spillgate")?))
    }

    /// Those of a text with one metric a line.
    fn of(text: &str) -> Self {
        let mut stats = Self::default();
        for line in text.lines() {
            let Some((name, value)) = line.rsplit_once(": ") else {
                continue;
            };
            let (Some((_, name)), Ok(value)) =
                (name.split_once("custom.spillgate."), value.parse::<u64>())
            else {
                continue;
            };
            if name.starts_with("decisions.") {
                stats.decisions += value;
            } else if name == "hosts_unknown" {
                stats.hosts_unknown += value;
            } else if name == "host_failures" {
                stats.host_failures += value;
            } else if let Some(cluster) = name.strip_prefix("health.cluster.") {
                let stale = cluster.ends_with(".stale") && value > 0;
                let aged = cluster.strip_suffix(".age_ms");
                if let Some(aged) = aged {
                    stats.ages.insert(aged.to_owned(), value);
                }
                if stale || (aged.is_some() && value > LARGEST_AGE_MS) {
                    stats.old = Some(format!("{cluster}: {value}"));
                }
            }
        }
        stats
    }

    /// The counters since an earlier reading.
    pub(super) fn since(&self, earlier: &Self) -> Self {
        Self {
            decisions: self.decisions.saturating_sub(earlier.decisions),
            hosts_unknown: self.hosts_unknown.saturating_sub(earlier.hosts_unknown),
            host_failures: self.host_failures.saturating_sub(earlier.host_failures),
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_of_both_forms_and_old_health_are_found() {
        let stats = FilterStats::of(
            "wasmcustom.spillgate.decisions.cluster.a.priority.0.reason.chosen: 7\n\
             wasmcustom.spillgate.health.cluster.a.b.age_ms: 12\n\
             wasmcustom.spillgate.health.cluster.a.b.stale: 0\n\
             dynamicmodulescustom.spillgate.decisions.cluster.a.priority.0.reason.session: 2\n\
             cluster.spillgate_admin.upstream_rq_total: 3\n",
        );
        assert_eq!(
            (stats.decisions, stats.ages.len(), &stats.old),
            (9, 1, &None)
        );
        let old = FilterStats::of("wasmcustom.spillgate.health.cluster.a.age_ms: 9000\n");
        assert!(old.old.is_some());
    }
}
