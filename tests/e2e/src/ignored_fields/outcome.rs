//! Which hosts the requests of one Envoy reached.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result};

use crate::chi_square_p;

/// Clusters whose policy starts at a random host. Of the cluster `override`, this is what follows an unusable host.
const RANDOM: [&str; 5] = ["rr", "subset", "override", "aggregate", "first"];

/// The attempts of every request.
#[derive(Debug, Default)]
pub(super) struct AblationOutcome {
    /// By request: its cluster, and the hosts of its attempts and the status where the choice is deterministic.
    pub(super) certain: BTreeMap<usize, String>,
    /// By cluster and host: the attempts, where the choice is random.
    random: BTreeMap<(String, String), u64>,
}

impl AblationOutcome {
    /// From the access logs of the gateway (number, cluster, host, status) and of the hosts (number, own address).
    pub(super) fn of(gateway: &str, hosts: &str) -> Result<Self> {
        let mut attempts: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for line in hosts.lines() {
            let (number, host) = line.split_once(' ').context("a line of the hosts' log")?;
            attempts.entry(number).or_default().push(host);
        }
        let mut outcome = Self::default();
        for line in gateway.lines() {
            let mut parts = line.split(' ');
            let number = parts.next().context("a request without a number")?;
            let cluster = parts.next().context("a request without a cluster")?;
            let hosts = attempts.get(number).map_or(&[][..], Vec::as_slice);
            let certain = if RANDOM.contains(&cluster) {
                for host in hosts {
                    let place = (cluster.to_owned(), (*host).to_owned());
                    *outcome.random.entry(place).or_default() += 1;
                }
                cluster.to_owned()
            } else {
                format!("{line} {}", hosts.join(" "))
            };
            outcome.certain.insert(number.parse()?, certain);
        }
        Ok(outcome)
    }

    /// The number of requests.
    pub(super) fn requests(&self) -> usize {
        self.certain.len()
    }

    /// Adds the random choices of another run.
    pub(super) fn add_random(&mut self, other: &Self) {
        for (place, count) in &other.random {
            *self.random.entry(place.clone()).or_default() += count;
        }
    }

    /// The number of random choices.
    pub(super) fn random_choices(&self) -> u64 {
        self.random.values().sum()
    }

    /// The probability of each cluster's shares in this and the other run, if both have the same ones.
    pub(super) fn probabilities(&self, other: &Self) -> Result<Vec<(String, f64)>> {
        let clusters: BTreeSet<&String> = self.random.keys().map(|(cluster, _)| cluster).collect();
        let mut found = Vec::new();
        for cluster in clusters {
            let places = self.random.keys().chain(other.random.keys());
            let places: BTreeSet<_> = places.filter(|(of, _)| of == cluster).collect();
            let counts: Vec<(u64, u64)> = places
                .iter()
                .map(|place| {
                    let count = |outcome: &Self| outcome.random.get(*place).copied().unwrap_or(0);
                    (count(self), count(other))
                })
                .collect();
            let all: u64 = counts.iter().map(|(own, others)| own + others).sum();
            let own: u64 = counts.iter().map(|(own, _)| own).sum();
            // The table of both runs: in each row, a host has the share that it has in both together.
            let cells = counts.iter().flat_map(|&(count, others)| {
                let share = (count + others) as f64 / all as f64 / all as f64 * 100.0;
                [
                    (count, share * own as f64),
                    (others, share * (all - own) as f64),
                ]
            });
            let cells: Vec<(u64, f64)> = cells.collect();
            found.push((cluster.clone(), chi_square_p(&cells)?));
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_choices_are_compared_by_their_shares() -> Result<()> {
        let run = |hosts: [usize; 2]| {
            let (mut gateway, mut log) = (String::new(), String::new());
            let all = (0..hosts[0]).map(|_| "a").chain((0..hosts[1]).map(|_| "b"));
            for (number, host) in all.enumerate() {
                gateway += &format!("{number} rr {host} 200\n");
                log += &format!("{number} {host}\n");
            }
            AblationOutcome::of(&gateway, &log)
        };
        let p = |a, b| run(a)?.probabilities(&run(b)?).map(|p| p[0].1);
        assert!(p([500, 500], [510, 490])? > 0.1);
        assert!(p([500, 500], [600, 400])? < 1e-3);
        assert_eq!(run([5, 0])?.requests(), 5);
        Ok(())
    }
}
