//! All ways of a request through its plan, each with its part of the requests.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::{Distribution, hosts::HostShares, tally::Tally};
use crate::{
    load::HostClass,
    plan::{Asked, AskedSet, ClusterPlan, Facts, Sets, Window, selections},
    route::HashPolicy,
    snapshot::{ClusterId, ClusterSnapshotKind, HostRef, Snapshot},
    subset::ChosenSubset,
};

/// What is weighed, and what came of it so far.
pub(super) struct Weighing<'a> {
    snapshot: &'a Snapshot,
    facts: &'a Facts<'a>,
    hash: Option<u64>,
    /// Makes the hash of a balancer's own policies.
    own: &'a dyn Fn(&[HashPolicy]) -> Option<u64>,
    wanted: Wanted,
    no_host: f64,
    tally: Tally,
}

/// What of a distribution is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// All of it.
    Shares,
    /// What finds no host; shares of hosts that no hash chooses are left out.
    NoHost,
}

impl<'a> Weighing<'a> {
    pub(super) fn of(
        snapshot: &'a Snapshot,
        facts: &'a Facts<'a>,
        hash: Option<u64>,
        own: &'a dyn Fn(&[HashPolicy]) -> Option<u64>,
    ) -> Self {
        Self {
            snapshot,
            facts,
            hash,
            own,
            wanted: Wanted::Shares,
            no_host: 0.0,
            tally: Tally::default(),
        }
    }

    /// Percent of the requests for a cluster that find no host.
    pub(super) fn no_host(mut self, cluster: ClusterId) -> f64 {
        self.wanted = Wanted::NoHost;
        self.request(cluster);
        self.no_host
    }

    /// Where the requests for a cluster go.
    pub(super) fn all(mut self, cluster: ClusterId) -> Distribution {
        self.request(cluster);
        Distribution {
            no_host: self.no_host,
            shares: self.tally.shares(),
        }
    }

    fn request(&mut self, cluster: ClusterId) {
        match self.snapshot.cluster(cluster).map(|cluster| &cluster.kind) {
            Some(ClusterSnapshotKind::Plain(plain)) => {
                let dropped = f64::from(plain.settings.drop_overload.millionths()) / 10_000.0;
                match plain.serving_step(self.facts.criteria, |_, _, _| {}) {
                    Ok(step) => {
                        self.no_host += dropped;
                        self.cluster(cluster, step, None, 100.0 - dropped);
                    }
                    Err(_) => self.no_host = 100.0,
                }
            }
            Some(ClusterSnapshotKind::Aggregate(aggregate)) => {
                let linearized = aggregate.linearized(self.facts.criteria, |_, _, _| {});
                let Some(linearized) = linearized else {
                    self.no_host = 100.0;
                    return;
                };
                let roll = self.facts.roll(self.hash);
                for window in linearized.with_loads(self.facts, |loads| loads.windows(roll)) {
                    match linearized.line.priorities.get(window.priority) {
                        Some(member) => {
                            let forced = Some((member.number, window.class));
                            self.cluster(member.cluster, linearized.step, forced, window.percent());
                        }
                        None => self.no_host += window.percent(),
                    }
                }
            }
            Some(ClusterSnapshotKind::OriginalDst(_)) | None => self.no_host = 100.0,
        }
    }

    /// `percent` of all requests go to this cluster.
    fn cluster(
        &mut self,
        owner: ClusterId,
        step: Option<ChosenSubset>,
        forced: Option<(usize, HostClass)>,
        percent: f64,
    ) {
        let Some(plain) = self.snapshot.plain(owner) else {
            self.no_host += percent;
            return;
        };
        let plan = ClusterPlan::new(self.snapshot, self.facts, owner, plain, forced);
        let mut left = percent;
        match plain.sets(step) {
            Sets::Whole => left = self.set(&plan, plain.asked_whole(), percent),
            Sets::Step(step) => left = self.subset(&plan, step, percent),
            Sets::Subsets(subsets) => subsets.index.choose(self.facts.criteria, |subset| {
                left = self.subset(&plan, subset, left);
                match left > 0.0 {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                }
            }),
        }
        self.no_host += left;
    }

    /// Spreads `percent` over a subset; what finds no host comes back.
    fn subset(&mut self, plan: &ClusterPlan<'_>, subset: ChosenSubset, percent: f64) -> f64 {
        match plan.plain.asked(subset) {
            Asked::Set(asked) => self.set(plan, asked, percent),
            Asked::Host { priority, host } => {
                self.tally
                    .give(plan.hosts(priority).host_ref(host), percent);
                0.0
            }
            Asked::Nobody => percent,
        }
    }

    /// Spreads `percent` over a set; what finds no host comes back.
    fn set(&mut self, plan: &ClusterPlan<'_>, asked: AskedSet<'_>, percent: f64) -> f64 {
        let own = &plan.plain.settings.hash_policies;
        let hash = match own.is_empty() {
            true => self.hash,
            false => (self.own)(own),
        };
        if let Some(hash) = hash.filter(|_| plan.uses_table) {
            return match by_hash(plan, asked, hash) {
                Some(host) => {
                    self.tally.give(host, percent);
                    0.0
                }
                None => percent,
            };
        }
        let mut choice = Tally::default();
        let mut none = 0.0;
        for window in plan.with_loads(asked, |loads| loads.windows(None)) {
            none += self.window(plan, asked, &window, &mut choice);
        }
        // What is left by rounding alone is nothing.
        let none = if none < 1e-10 { 0.0 } else { none };
        self.choices(plan, &choice, none, percent)
    }

    /// Adds what one choice gives to each host through a window; what finds none comes back.
    fn window(
        &self,
        plan: &ClusterPlan<'_>,
        asked: AskedSet<'_>,
        window: &Window,
        choice: &mut Tally,
    ) -> f64 {
        let Some(priority) = asked.set.priorities.get(window.priority) else {
            return window.percent();
        };
        let chosen = plan.priority(asked, window.priority, window.class);
        let mut served = 0.0;
        for (source, part) in plan.sources(asked, chosen).parts(window.class) {
            let list = priority.list(source);
            if self.wanted == Wanted::NoHost && !plan.uses_table {
                // Whatever the policy, a list with hosts serves all that comes to it.
                if !list.is_empty() {
                    served += window.percent() * part;
                }
                continue;
            }
            let hosts = HostShares {
                hosts: plan.hosts(window.priority),
                priority,
                list,
            };
            let found = hosts.of_window(window);
            served += found.iter().map(|(_, share)| share * part).sum::<f64>();
            for (host, share) in found {
                choice.give(hosts.hosts.host_ref(host), share * part);
            }
        }
        (window.percent() - served).max(0.0)
    }

    /// Gives `percent` out as one choice does, choosing again where predicates reject.
    fn choices(&mut self, plan: &ClusterPlan<'_>, choice: &Tally, none: f64, percent: f64) -> f64 {
        let most = selections(self.facts);
        // Of the choices, the part that is made again; without predicates none is.
        let again: f64 = match most {
            1 => 0.0,
            _ => choice
                .hosts()
                .filter(|(host, _)| plan.rejects(*host))
                .map(|(_, share)| share / 100.0)
                .sum(),
        };
        let last = libm::pow(again, f64::from(most - 1));
        let rounds: f64 = (0..most)
            .map(|round| libm::pow(again, f64::from(round)))
            .sum();
        for (host, share) in choice.hosts() {
            let factor = match most > 1 && plan.rejects(host) {
                true => last,
                false => rounds,
            };
            self.tally.give(host, share * (percent / 100.0) * factor);
        }
        none * (percent / 100.0) * rounds
    }
}

/// The host that a request hash leads to.
fn by_hash(plan: &ClusterPlan<'_>, asked: AskedSet<'_>, hash: u64) -> Option<HostRef> {
    let (number, _) = plan.with_loads(asked, |loads| loads.choose(hash));
    let (priority, hosts) = (asked.set.priorities.get(number)?, plan.hosts(number));
    let (mut found, mut order) = (None, Vec::new());
    for attempt in 0..selections(plan.facts) {
        let host = hosts.by_table(priority, hash, attempt, &mut order)?;
        let host = hosts.host_ref(host);
        found = Some(host);
        if !plan.rejects(host) {
            break;
        }
    }
    found
}
