//! The counters of the filter, from Envoy's `/stats`.

use alloc::{borrow::ToOwned as _, collections::BTreeMap, string::String, vec::Vec};

/// What Envoy puts before the names of the filter's metrics: those of the Wasm filter, and those of the
/// dynamic module.
const PREFIXES: [&str; 2] = ["wasmcustom.spillgate.", "dynamicmodulescustom.spillgate."];

/// The counters of the filter, and how long Envoy has been running.
///
/// `docs/operations.md` describes the metrics.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FilterCounters {
    /// Seconds since Envoy started (`server.uptime`).
    pub uptime: Option<u64>,
    /// The metrics by name, without the prefix. Where both forms of the filter run, these are the sums.
    values: BTreeMap<String, u64>,
}

/// A counter of decisions (`decisions.cluster.C.priority.P.reason.R`).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DecisionCount {
    /// The cluster that owns the chosen priority.
    pub cluster: String,
    /// The chosen priority; `none` for decisions without one.
    pub priority: String,
    /// The serving step of a subset fallback chain, or `none`; empty without a chain.
    pub step: String,
    /// The reason, such as `chosen`.
    pub reason: String,
    /// The decisions.
    pub count: u64,
}

impl FilterCounters {
    /// Reads `/stats` as text. Other lines are ignored, histograms for example.
    ///
    /// # Examples
    /// ```
    /// use spillgate_observe::FilterCounters;
    ///
    /// let stats = "server.uptime: 7\nwasmcustom.spillgate.no_host: 2\n\
    ///     dynamicmodulescustom.spillgate.no_host: 3\n";
    /// let counters = FilterCounters::read(stats);
    /// assert_eq!((counters.uptime, counters.value("no_host")), (Some(7), Some(5)));
    /// ```
    #[must_use]
    pub fn read(stats: &str) -> Self {
        let mut counters = Self::default();
        for line in stats.lines() {
            let Some((name, value)) = line.rsplit_once(": ") else {
                continue;
            };
            let Ok(value) = value.trim_end().parse::<u64>() else {
                continue;
            };
            if name == "server.uptime" {
                counters.uptime = Some(value);
            } else if let Some(name) = PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix))
            {
                let sum = counters.values.entry(name.to_owned()).or_default();
                *sum = sum.saturating_add(value);
            }
        }
        counters
    }

    /// The value of a metric, by its name without the prefix.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<u64> {
        self.values.get(name).copied()
    }

    /// Whether Envoy reports a metric of the filter.
    #[must_use]
    pub fn has_filter(&self) -> bool {
        !self.values.is_empty()
    }

    /// The decisions since an earlier reading, sorted by cluster, priority and reason. The proxy defines a
    /// counter at its first decision, so that a missing one was 0.
    #[must_use]
    pub fn decisions_since(&self, before: &Self) -> Vec<DecisionCount> {
        let decisions = self.values.iter().filter_map(|(name, value)| {
            let count = value.saturating_sub(before.value(name).unwrap_or(0));
            DecisionCount::new(name, count)
        });
        let mut decisions: Vec<_> = decisions.collect();
        decisions.sort();
        decisions
    }

    /// Whether Envoy started after `before`, or another process answers: it runs shorter, or a counter of
    /// decisions is smaller or missing.
    pub(crate) fn is_restarted_since(&self, before: &Self) -> bool {
        let younger = self.uptime.zip(before.uptime);
        let mut counters = before.values.iter();
        younger.is_some_and(|(now, before)| now < before)
            || counters.any(|(name, before)| {
                name.starts_with("decisions.")
                    && self.value(name).is_none_or(|value| value < *before)
            })
    }
}

impl DecisionCount {
    /// The parts of a name, which may contain dots in the name of the cluster.
    fn new(name: &str, count: u64) -> Option<Self> {
        let rest = name.strip_prefix("decisions.cluster.")?;
        let (rest, reason) = rest.rsplit_once(".reason.")?;
        let (rest, step) = match rest.rsplit_once(".step.") {
            Some((rest, step)) if is_number(step) => (rest, step),
            _ => (rest, ""),
        };
        let (cluster, priority) = rest.rsplit_once(".priority.")?;
        is_number(priority).then(|| Self {
            cluster: cluster.to_owned(),
            priority: priority.to_owned(),
            step: step.to_owned(),
            reason: reason.to_owned(),
            count,
        })
    }
}

fn is_number(text: &str) -> bool {
    text == "none" || (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn decisions_have_cluster_priority_step_and_reason() {
        let stats = "wasmcustom.spillgate.decisions.cluster.shop.priority.0.reason.chosen: 7\n\
             wasmcustom.spillgate.decisions.cluster.a.priority.b.step.2.c.priority.none.step.1.reason.no_host: 1\n\
             wasmcustom.spillgate.decisions.cluster.odd: 1\n\
             wasmcustom.spillgate.other: P0(nan,1)\nserver.uptime: 12\ncluster.shop.upstream_rq_total: 9\n";
        let counters = FilterCounters::read(stats);
        assert_eq!(counters.uptime, Some(12));
        assert!(counters.has_filter());
        let decisions = counters.decisions_since(&FilterCounters::default());
        let parts = decisions.iter().map(|one| {
            let DecisionCount {
                cluster,
                priority,
                step,
                reason,
                count,
            } = one;
            (
                cluster.as_str(),
                priority.as_str(),
                step.as_str(),
                reason.as_str(),
                *count,
            )
        });
        assert_eq!(
            parts.collect::<Vec<_>>(),
            vec![
                ("a.priority.b.step.2.c", "none", "1", "no_host", 1),
                ("shop", "0", "", "chosen", 7),
            ]
        );
    }

    #[test]
    fn a_shorter_uptime_or_a_smaller_counter_is_a_restart() {
        let of = |uptime: u64, count: u64| {
            FilterCounters::read(&alloc::format!(
                "server.uptime: {uptime}\nwasmcustom.spillgate.decisions.cluster.c.priority.0.reason.chosen: {count}\n"
            ))
        };
        assert!(!of(10, 5).is_restarted_since(&of(9, 5)));
        assert!(of(3, 9).is_restarted_since(&of(9, 5)));
        assert!(of(10, 4).is_restarted_since(&of(9, 5)));
        let without = FilterCounters::read("server.uptime: 10\n");
        assert!(without.is_restarted_since(&of(9, 5)));
        assert!(!of(10, 5).is_restarted_since(&without));
    }
}
