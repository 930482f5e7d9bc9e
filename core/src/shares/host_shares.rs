//! The shares of the hosts of one host list, by policy.

use alloc::vec::Vec;

use super::{
    retried::ListTurn,
    table::{TableChoice, percents},
};
use crate::{
    model::{LeastRequestConfig, Policy, SelectionMethod},
    pick::{choice_shares, gcd, schedule_cycle},
    plan::{PlannedHosts, Window, selections},
    snapshot::{HostList, HostSet},
};

/// A host list and the values that its shares depend on.
pub(super) struct HostShares<'a> {
    pub(super) hosts: PlannedHosts<'a>,
    pub(super) priority: &'a HostSet,
    pub(super) list: HostList<'a>,
}

impl HostShares<'_> {
    /// The share of each host for choices in this window, in percent of all choices.
    pub(super) fn of_window(&self, window: &Window) -> Vec<(usize, f64)> {
        match &self.hosts.plan.plain.settings.policy {
            Policy::Random => self.random(window),
            Policy::LeastRequest(config) => self.least_request(config, window.percent()),
            Policy::RoundRobin | Policy::ClientSideWeightedRoundRobin => {
                self.proportional(window.percent(), |host| self.hosts.weight(host))
            }
            Policy::RingHash(_) | Policy::Maglev(_) | Policy::Rendezvous => {
                let plain = self.hosts.plan.plain;
                let hosts = plain
                    .priorities
                    .get(self.hosts.priority)
                    .map_or(0, |l| l.len());
                let table = self.priority.table.as_ref();
                let rejects = |host| self.hosts.plan.rejects(self.hosts.host_ref(host));
                let choice = table.map(|table| TableChoice {
                    table,
                    hosts,
                    attempts: if self.hosts.plan.uses_table {
                        selections(self.hosts.plan.facts)
                    } else {
                        1
                    },
                    rejects: &rejects,
                });
                let shares = choice
                    .map(|choice| percents(&choice, window.from, window.to))
                    .unwrap_or_default()
                    .into_iter()
                    .enumerate();
                shares.filter(|(_, share)| *share > 0.0).collect()
            }
        }
    }

    /// How the list chooses again and again, for choices in this window.
    pub(super) fn turn(&self, window: &Window) -> ListTurn {
        let settings = &self.hosts.plan.plain.settings;
        let all = self.hosts.plan.plain.priorities.get(self.hosts.priority);
        let scheduled = all.is_some_and(|all| all.scheduled(self.list, settings));
        let turns = |weight: &dyn Fn(usize) -> f64| {
            let weights: Vec<f64> = self.list.iter().map(weight).collect();
            let cycle = schedule_cycle(&weights).into_iter();
            let hosts = cycle.filter_map(|at| self.list.get(at));
            ListTurn::InTurn(hosts.map(|host| self.hosts.host_ref(host)).collect())
        };
        match &settings.policy {
            Policy::RoundRobin | Policy::ClientSideWeightedRoundRobin if scheduled => {
                turns(&|host| self.hosts.weight(host))
            }
            Policy::LeastRequest(config) if scheduled => {
                turns(&|host| self.hosts.biased_weight(host, config))
            }
            Policy::RoundRobin | Policy::ClientSideWeightedRoundRobin => turns(&|_| 1.0),
            _ => {
                let shares = self.of_window(window).into_iter();
                let drawn = shares.map(|(host, share)| {
                    let part = share / window.percent();
                    (self.hosts.host_ref(host), part)
                });
                ListTurn::Drawn(drawn.collect())
            }
        }
    }

    /// `RANDOM` uses one draw for the priority and the host, so both depend on the same residues.
    fn random(&self, window: &Window) -> Vec<(usize, f64)> {
        let len = self.list.len() as u64;
        // The draw modulo 100 chooses the priority and the draw modulo `len` the host. Pairs of residues
        // that differ modulo the common factor never occur together; all others are equally likely
        // (Chinese remainder theorem).
        let shared = gcd(100, len);
        let of_index = |index: u64| {
            let meets = |residue: &u64| residue % shared == index % shared;
            let meeting = (window.from..window.to).filter(meets).count();
            meeting as f64 * shared as f64 / len as f64
        };
        let indices = (0..).map(of_index);
        self.list.iter().zip(indices).collect()
    }

    fn least_request(&self, config: &LeastRequestConfig, percent: f64) -> Vec<(usize, f64)> {
        let plain = self.hosts.plan.plain;
        let all = plain.priorities.get(self.hosts.priority);
        if all.is_some_and(|all| all.scheduled(self.list, &plain.settings)) {
            return self.proportional(percent, |host| self.hosts.biased_weight(host, config));
        }
        let active: Vec<u32> = self
            .list
            .iter()
            .map(|host| self.hosts.active(host))
            .collect();
        let shares = match config.selection {
            // Envoy requires at least two choices.
            SelectionMethod::Choices(count) => choice_shares(&active, count.max(2)),
            SelectionMethod::FullScan => {
                let fewest = active.iter().min();
                let equals = active.iter().filter(|&count| Some(count) == fewest).count();
                let share = |count| {
                    if Some(count) == fewest {
                        1.0 / equals as f64
                    } else {
                        0.0
                    }
                };
                active.iter().map(share).collect()
            }
        };
        let shares = shares.into_iter().map(|share| share * percent);
        self.list.iter().zip(shares).collect()
    }

    fn proportional(&self, percent: f64, weight: impl Fn(usize) -> f64) -> Vec<(usize, f64)> {
        let sum: f64 = self.list.iter().map(&weight).sum();
        let even = 1.0 / self.list.len() as f64;
        let share = |host| if sum > 0.0 { weight(host) / sum } else { even };
        self.list
            .iter()
            .map(|host| (host, percent * share(host)))
            .collect()
    }
}
