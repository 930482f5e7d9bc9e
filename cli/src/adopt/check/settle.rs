//! Waits until Envoy and the filter know which hosts serve.

use std::{collections::BTreeMap, time::Duration};

use super::{run::pause, stats::FilterStats};
use spillgate_admin::local::LocalEnvoy;

/// The time between two looks.
const STEP: Duration = Duration::from_millis(100);
/// The most looks. What is missing then shows in the results.
const STEPS: u32 = 150;
/// The first new poll may have begun before Envoy knew.
const POLLS: u32 = 2;

/// Waits until Envoy finds these hosts (`CLUSTER::ADDRESS`) healthy or not, as expected, and the filter has read
/// that.
///
/// # Errors
/// If Envoy does not respond, or the user asks to stop.
pub(super) fn settle(envoy: &LocalEnvoy, expected: &BTreeMap<String, bool>) -> Result<(), String> {
    if expected.is_empty() {
        return Ok(());
    }
    for _ in 0..STEPS {
        if are_known(&envoy.ask("/clusters")?, expected) {
            break;
        }
        pause(STEP)?;
    }
    // The dynamic module does not poll.
    let mut polls = PollCount::new(FilterStats::read(envoy)?.ages);
    for _ in 0..STEPS {
        if polls.has_new() {
            break;
        }
        pause(STEP)?;
        polls.look(FilterStats::read(envoy)?.ages);
    }
    Ok(())
}

/// Whether a text of `/clusters` has each of these hosts as expected: healthy or not.
fn are_known(clusters: &str, expected: &BTreeMap<String, bool>) -> bool {
    let mut found = 0;
    for line in clusters.lines() {
        let mut parts = line.rsplitn(3, "::");
        let (Some(flags), Some("health_flags"), Some(host)) =
            (parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        if let Some(is_healthy) = expected.get(host) {
            if (flags == "healthy") != *is_healthy {
                return false;
            }
            found += 1;
        }
    }
    found >= expected.len()
}

/// New polls of each cluster, as the ages of its health show them.
struct PollCount {
    ages: BTreeMap<String, u64>,
    new: BTreeMap<String, u32>,
}

impl PollCount {
    fn new(ages: BTreeMap<String, u64>) -> Self {
        let new = ages.keys().map(|cluster| (cluster.clone(), 0)).collect();
        Self { ages, new }
    }

    fn look(&mut self, ages: BTreeMap<String, u64>) {
        for (cluster, age) in &ages {
            let is_new = self.ages.get(cluster).is_some_and(|before| age < before);
            if let (true, Some(count)) = (is_new, self.new.get_mut(cluster)) {
                *count += 1;
            }
        }
        self.ages = ages;
    }

    fn has_new(&self) -> bool {
        self.new.values().all(|count| *count >= POLLS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_known_once_all_are_as_expected() {
        let expected = [("a::127.0.0.1:1", true), ("a::127.0.0.1:2", false)]
            .map(|(host, healthy)| (host.to_owned(), healthy));
        let expected = BTreeMap::from(expected);
        let clusters = |first: &str, second: &str| {
            format!(
                "a::127.0.0.1:1::cx_active::1\n\
                 a::127.0.0.1:1::health_flags::{first}\n\
                 a::127.0.0.1:2::health_flags::{second}\n\
                 b::127.0.0.1:2::health_flags::healthy\n"
            )
        };
        let known = |first, second| are_known(&clusters(first, second), &expected);
        assert!(known("healthy", "/failed_active_hc"));
        assert!(!known("healthy", "healthy"));
        assert!(!known(
            "/failed_active_hc/pending_active_hc",
            "/failed_active_hc"
        ));
        assert!(!are_known("", &expected));
    }

    #[test]
    fn a_poll_is_new_when_an_age_falls() {
        let ages = |age| BTreeMap::from([("a".to_owned(), age)]);
        let mut polls = PollCount::new(ages(900));
        for age in [1000, 50, 950, 1050] {
            polls.look(ages(age));
        }
        assert!(!polls.has_new());
        polls.look(ages(20));
        assert!(polls.has_new());
        assert!(PollCount::new(BTreeMap::new()).has_new());
    }
}
