//! The readings that count: those with the same hosts, health and process as the latest one.

use alloc::vec::Vec;

use super::{DecisionCount, EnvoyReading};

/// Readings that are further apart may miss a change and its reversal.
const LONGEST_GAP_MS: u64 = 60_000;

/// Why a window starts where it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowStart {
    /// It has the requested length.
    Length,
    /// It is the first reading.
    FirstReading,
    /// Hosts, weights or health changed, and with them the prediction.
    HostsChanged,
    /// A counter decreased: Envoy or a host restarted.
    CountersReset,
    /// No reading succeeded for a while.
    Gap,
}

/// Two readings, between which hosts, health and processes did not change.
#[derive(Debug, Clone, Copy)]
pub struct ObservedWindow<'r> {
    first: &'r EnvoyReading,
    last: &'r EnvoyReading,
    /// Why it starts there.
    pub start: WindowStart,
}

impl<'r> ObservedWindow<'r> {
    /// The window of these clusters at the end of `readings`, with a length of at least `length_ms` if the
    /// readings and their changes permit. `None` without a reading.
    ///
    /// The reading that shows a change starts a window: requests before it belong to both predictions.
    #[must_use]
    pub fn of(readings: &'r [EnvoyReading], clusters: &[&str], length_ms: u64) -> Option<Self> {
        let (last, before) = readings.split_last()?;
        let (mut first, mut start) = (last, WindowStart::FirstReading);
        for reading in before.iter().rev() {
            if last.at.saturating_sub(first.at) >= length_ms {
                start = WindowStart::Length;
                break;
            }
            if let Some(end) = change(reading, first, clusters) {
                start = end;
                break;
            }
            first = reading;
        }
        Some(Self { first, last, start })
    }

    /// Its length in milliseconds.
    #[must_use]
    pub const fn length_ms(&self) -> u64 {
        self.last.at.saturating_sub(self.first.at)
    }

    /// Seconds since Envoy started, at the end of the window; `None` if Envoy does not report it.
    #[must_use]
    pub fn uptime(&self) -> Option<u64> {
        self.last.filter.as_ref()?.uptime
    }

    /// The requests of each host of a cluster, in the order of the latest reading; `None` if Envoy omits the
    /// cluster.
    #[must_use]
    pub fn requests(&self, cluster: &str) -> Option<Vec<u64>> {
        let (first, last) = (self.first.cluster(cluster)?, self.last.cluster(cluster)?);
        let pairs = last.requests.iter().zip(&first.requests);
        Some(
            pairs
                .map(|(last, first)| last.saturating_sub(*first))
                .collect(),
        )
    }

    /// The decisions of the filter; empty if its counters are not available.
    #[must_use]
    pub fn decisions(&self) -> Vec<DecisionCount> {
        let filters = self.last.filter.as_ref().zip(self.first.filter.as_ref());
        filters.map_or_else(Vec::new, |(last, first)| last.decisions_since(first))
    }
}

/// What separates a reading from the next one.
fn change(reading: &EnvoyReading, next: &EnvoyReading, clusters: &[&str]) -> Option<WindowStart> {
    if next.at.saturating_sub(reading.at) > LONGEST_GAP_MS {
        return Some(WindowStart::Gap);
    }
    let filters = next.filter.as_ref().zip(reading.filter.as_ref());
    if filters.is_some_and(|(next, before)| next.is_restarted_since(before)) {
        return Some(WindowStart::CountersReset);
    }
    for name in clusters {
        let (before, after) = (reading.cluster(name), next.cluster(name));
        let (Some(before), Some(after)) = (before, after) else {
            return Some(WindowStart::HostsChanged);
        };
        if !before.has_hosts_of(after) {
            return Some(WindowStart::HostsChanged);
        }
        let mut pairs = before.requests.iter().zip(&after.requests);
        if pairs.any(|(before, after)| after < before) {
            return Some(WindowStart::CountersReset);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::String, vec};

    use super::*;
    use crate::FilterCounters;

    /// A cluster `c` with one host for each counter; the last host has a health of its own.
    fn response(counters: &[u64], last_failed: bool) -> String {
        let hosts = counters.iter().enumerate().map(|(number, count)| {
            let failed = last_failed && number + 1 == counters.len();
            let health = if failed { "UNHEALTHY" } else { "HEALTHY" };
            format!(
                r#"{{"address": {{"socket_address": {{"address": "10.0.0.{number}", "port_value": 80}}}},
                "stats": [{{"name": "rq_total", "value": "{count}"}}, {{"type": "GAUGE", "value": "{count}", "name": "rq_active"}}],
                "health_status": {{"eds_health_status": "{health}"}}, "weight": 1, "locality": {{}}}}"#
            )
        });
        let hosts: Vec<_> = hosts.collect();
        format!(
            r#"{{"cluster_statuses": [{{"name": "c", "host_statuses": [{}]}}]}}"#,
            hosts.join(",")
        )
    }

    fn readings(reads: &[(u64, &[u64], bool)]) -> Vec<EnvoyReading> {
        let mut readings: Vec<EnvoyReading> = Vec::new();
        for (at, counters, failed) in reads {
            let text = response(counters, *failed);
            readings.push(EnvoyReading::new(*at, &text, None, readings.last()).unwrap());
        }
        readings
    }

    fn window(readings: &[EnvoyReading], length: u64) -> (Vec<u64>, u64, WindowStart) {
        let window = ObservedWindow::of(readings, &["c"], length).unwrap();
        (
            window.requests("c").unwrap(),
            window.length_ms(),
            window.start,
        )
    }

    #[test]
    fn requests_are_differences_of_counters() {
        let readings = readings(&[
            (0, &[100, 7], false),
            (1_000, &[110, 8], false),
            (2_000, &[130, 8], false),
        ]);
        assert_eq!(
            window(&readings, 60_000),
            (vec![30, 1], 2_000, WindowStart::FirstReading)
        );
        assert_eq!(
            window(&readings, 1_000),
            (vec![20, 0], 1_000, WindowStart::Length)
        );
        assert_eq!(
            window(&readings[..1], 1_000),
            (vec![0, 0], 0, WindowStart::FirstReading)
        );
        assert!(ObservedWindow::of(&[], &["c"], 1_000).is_none());
    }

    #[test]
    fn a_change_of_health_or_hosts_starts_a_window() {
        let readings = readings(&[
            (0, &[100, 7], false),
            (1_000, &[190, 9], true),
            (2_000, &[200, 9], true),
            (3_000, &[200, 9, 4], true),
        ]);
        assert_eq!(
            window(&readings[..3], 60_000),
            (vec![10, 0], 1_000, WindowStart::HostsChanged)
        );
        assert_eq!(
            window(&readings, 60_000),
            (vec![0, 0, 0], 0, WindowStart::HostsChanged)
        );
    }

    #[test]
    fn a_reset_counter_starts_a_window() {
        let readings = readings(&[
            (0, &[100, 7], false),
            (1_000, &[3, 9], false),
            (2_000, &[5, 9], false),
        ]);
        assert_eq!(
            window(&readings, 60_000),
            (vec![2, 0], 1_000, WindowStart::CountersReset)
        );
    }

    #[test]
    fn a_restart_without_a_smaller_counter_starts_a_window() {
        let mut readings = readings(&[(0, &[0], false), (1_000, &[5], false)]);
        for (reading, uptime) in readings.iter_mut().zip([50, 1]) {
            reading.filter = Some(FilterCounters::read(&format!("server.uptime: {uptime}")));
        }
        assert_eq!(
            window(&readings, 60_000),
            (vec![0], 0, WindowStart::CountersReset)
        );
    }

    #[test]
    fn a_gap_starts_a_window_and_other_clusters_do_not_matter() {
        let mut readings = readings(&[
            (0, &[1], false),
            (70_000, &[9], false),
            (71_000, &[12], false),
        ]);
        assert_eq!(
            window(&readings, 600_000),
            (vec![3], 1_000, WindowStart::Gap)
        );
        readings[1].clusters.clear();
        let window = ObservedWindow::of(&readings, &[], 600_000).unwrap();
        assert_eq!(window.length_ms(), 1_000);
        assert_eq!(window.requests("other"), None);
    }

    #[test]
    fn unchanged_hosts_are_shared_between_readings() {
        let readings = readings(&[(0, &[1], false), (1, &[2], false), (2, &[2], true)]);
        let status = |at: usize| &readings[at].clusters[0].status;
        assert!(alloc::sync::Arc::ptr_eq(status(0), status(1)));
        assert!(!alloc::sync::Arc::ptr_eq(status(1), status(2)));
    }
}
