//! Weighs all choices of a plan with their share of the requests.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::{Distribution, host_shares::HostShares, retried::Choices, tally::Tally};
use crate::{
    load::HostClass,
    pick::schedule_cycle,
    plan::{ClusterPlan, Facts, PlannedSet, SetTarget, Sets, SourceChoice, Window, selections},
    route::{HashPolicy, ProxyFilter},
    snapshot::{ClusterId, ClusterSnapshotKind, HostRef, HostsSource, Snapshot},
    subset::ChosenSubset,
};

/// Computes the hash of the hash policies in a load-balancing policy, of an aggregate's member or not.
pub(super) type OwnHash<'a> = dyn Fn(&[HashPolicy], bool) -> Option<u64> + 'a;

/// The request, and the sums so far.
pub(super) struct Weighing<'a> {
    snapshot: &'a Snapshot,
    facts: &'a Facts<'a>,
    /// The filter that asks.
    proxy: ProxyFilter,
    hash: Option<u64>,
    own: &'a OwnHash<'a>,
    part: Part,
    no_host: f64,
    tally: Tally,
}

/// The part of a distribution that is computed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// The whole distribution.
    Shares,
    /// Only the requests without a host; shares are omitted unless a hash selects the host.
    NoHost,
}

impl<'a> Weighing<'a> {
    pub(super) fn of(
        snapshot: &'a Snapshot,
        facts: &'a Facts<'a>,
        hash: Option<u64>,
        own: &'a OwnHash<'a>,
    ) -> Self {
        Self {
            snapshot,
            facts,
            proxy: ProxyFilter::Http,
            hash,
            own,
            part: Part::Shares,
            no_host: 0.0,
            tally: Tally::default(),
        }
    }

    /// The same for the requests of another filter.
    pub(super) fn asked_by(self, proxy: ProxyFilter) -> Self {
        Self { proxy, ..self }
    }

    /// The percentage of requests without a host.
    pub(super) fn no_host(mut self, cluster: ClusterId) -> f64 {
        self.part = Part::NoHost;
        self.request(cluster);
        self.no_host
    }

    /// The distribution of the requests for a cluster.
    pub(super) fn all(mut self, cluster: ClusterId) -> Distribution {
        self.request(cluster);
        Distribution {
            no_host: self.no_host,
            shares: self.tally.shares(),
        }
    }

    /// Distributes all requests for a cluster.
    fn request(&mut self, cluster: ClusterId) {
        self.no_host = self.routed(cluster, 100.0, false);
    }

    /// Distributes `percent` of the requests for a cluster; returns the percentage without a host.
    /// Envoy drops requests by the cluster of the route, not by a member of a composite cluster.
    fn routed(&mut self, cluster: ClusterId, percent: f64, is_member: bool) -> f64 {
        match self.snapshot.cluster(cluster).map(|cluster| &cluster.kind) {
            Some(ClusterSnapshotKind::Plain(plain)) => {
                // Envoy drops an HTTP request before its first attempt.
                let dropped = match self.facts.tried {
                    [] if !is_member && self.proxy.is_http() => {
                        let millionths = plain.settings.drop_overload.millionths();
                        percent * f64::from(millionths) / 1_000_000.0
                    }
                    _ => 0.0,
                };
                match plain.serving_step(self.facts.criteria, |_, _, _| {}) {
                    Ok(step) => dropped + self.cluster(cluster, step, None, percent - dropped),
                    Err(_) => percent,
                }
            }
            Some(ClusterSnapshotKind::Aggregate(aggregate)) => {
                let serving = aggregate.serving_priorities(self.facts.criteria, |_, _, _| {});
                let Some(serving) = serving else {
                    return percent;
                };
                let roll = self.facts.roll(self.hash);
                let mut none = 0.0;
                for window in serving.with_loads(self.facts, |loads| loads.windows(roll)) {
                    let part = window.percent() * (percent / 100.0);
                    none += match serving.linearized.priorities.get(window.priority) {
                        Some(member) => {
                            let forced = Some((member.number, window.class));
                            self.cluster(member.cluster, serving.step, forced, part)
                        }
                        None => part,
                    };
                }
                none
            }
            #[cfg(feature = "composite")]
            Some(ClusterSnapshotKind::Composite(composite)) if self.proxy.is_http() => {
                let mut left = percent;
                for member in composite.of_attempt(self.facts.tried.len()) {
                    if left > 0.0 {
                        left = self.routed(member, left, true);
                    }
                }
                left
            }
            // Also a composite cluster without attempts, or in a build without them.
            _ => percent,
        }
    }

    /// Distributes `percent` of all requests within a cluster; returns the percentage without a host.
    fn cluster(
        &mut self,
        owner: ClusterId,
        step: Option<ChosenSubset>,
        forced: Option<(usize, HostClass)>,
        percent: f64,
    ) -> f64 {
        let Some(plain) = self.snapshot.plain(owner) else {
            return percent;
        };
        let plan = ClusterPlan::new(self.snapshot, self.facts, owner, plain, forced);
        let mut left = percent;
        match plain.sets(step) {
            Sets::Whole => left = self.set(&plan, plain.whole_set(), percent),
            Sets::Step(step) => left = self.subset(&plan, step, percent),
            Sets::Subsets(subsets) => subsets.index.choose(self.facts.criteria, |subset| {
                left = self.subset(&plan, subset, left);
                if left > 0.0 {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            }),
        }
        left
    }

    /// Distributes `percent` over a subset; returns the percentage without a host.
    fn subset(&mut self, plan: &ClusterPlan<'_>, subset: ChosenSubset, percent: f64) -> f64 {
        match plan.plain.target(subset) {
            SetTarget::Set(planned) => self.set(plan, planned, percent),
            SetTarget::Host { priority, host } => {
                self.tally
                    .give(plan.hosts(priority).host_ref(host), percent);
                0.0
            }
            SetTarget::Missing => percent,
        }
    }

    /// Distributes `percent` over a set; returns the percentage without a host.
    fn set(&mut self, plan: &ClusterPlan<'_>, planned: PlannedSet<'_>, percent: f64) -> f64 {
        let own = &plan.plain.settings.hash_policies;
        let hash = if own.is_empty() {
            self.hash
        } else {
            (self.own)(own, plan.forced.is_some())
        };
        // A known hash leaves nothing to chance: one host has all requests.
        if let Some(hash) = hash.filter(|_| plan.uses_table) {
            return match by_hash(plan, planned, hash) {
                Some(host) => {
                    self.tally.give(host, percent);
                    0.0
                }
                None => percent,
            };
        }
        // A table handles rejected hosts itself, by the number of the attempt (`table`).
        if !plan.uses_table && selections(self.facts) > 1 {
            return self.again(plan, planned, percent);
        }
        let mut choice = Tally::default();
        let mut none = 0.0;
        for window in plan.with_loads(planned, |loads| loads.windows(None)) {
            none += self.window(plan, planned, &window, &mut choice);
        }
        // Remainders from rounding count as 0.
        let none = if none < 1e-10 { 0.0 } else { none };
        // `choice` is relative to all requests of the set, so that windows and lists add up before one
        // multiplication.
        for (host, share) in choice.hosts() {
            self.tally.give(host, share * (percent / 100.0));
        }
        none * (percent / 100.0)
    }

    /// Adds the shares of one choice in a window; returns the percentage without a host.
    fn window(
        &self,
        plan: &ClusterPlan<'_>,
        planned: PlannedSet<'_>,
        window: &Window,
        choice: &mut Tally,
    ) -> f64 {
        let Some(priority) = planned.set.priorities.get(window.priority) else {
            return window.percent();
        };
        let chosen = plan.priority(planned, window.priority, window.class);
        let mut served = 0.0;
        for (source, part) in plan.sources(planned, chosen).parts(window.class) {
            let list = priority.list(source);
            if self.part == Part::NoHost && !plan.uses_table {
                // With any policy, a list with hosts serves all its requests.
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

    /// Distributes `percent` over a set by up to several choices, while predicates reject the host;
    /// returns the percentage without a host.
    fn again(&mut self, plan: &ClusterPlan<'_>, planned: PlannedSet<'_>, percent: f64) -> f64 {
        let mut choices = Choices::default();
        self.ways(plan, planned, &mut choices);
        if plan.forgets() {
            choices.begin_later();
            self.ways(plan, planned, &mut choices);
        }
        let rejects = |host| plan.rejects(host);
        choices.give(selections(self.facts), percent, &rejects, &mut self.tally)
    }

    /// Adds the ways of a choice of an attempt to find a host.
    fn ways(&self, plan: &ClusterPlan<'_>, planned: PlannedSet<'_>, choices: &mut Choices) {
        let rejects = |host| plan.rejects(host);
        for window in plan.with_loads(planned, |loads| loads.windows(None)) {
            let Some(priority) = planned.set.priorities.get(window.priority) else {
                continue;
            };
            let chosen = plan.priority(planned, window.priority, window.class);
            let part = window.percent() / 100.0;
            let mut listed = |source: HostsSource| {
                let hosts = HostShares {
                    hosts: plan.hosts(window.priority),
                    priority,
                    list: priority.list(source),
                };
                choices.list((window.priority, source), hosts.turn(&window), &rejects)
            };
            match plan.sources(planned, chosen) {
                SourceChoice::ByWeight(weights) => {
                    let weights = weights.iter().copied().enumerate();
                    let positive = weights.filter(|(_, weight)| *weight > 0.0);
                    let (places, weights): (Vec<usize>, Vec<f64>) = positive.unzip();
                    let source = |at: &usize| HostsSource::Locality(window.class, *at);
                    let lists: Vec<usize> = places.iter().map(|at| listed(source(at))).collect();
                    let cycle = schedule_cycle(&weights)
                        .into_iter()
                        .filter_map(|at| lists.get(at).copied());
                    let at = (window.priority, window.class);
                    choices.schedule(at, part, cycle.collect());
                }
                sources => {
                    let parts = sources.parts(window.class).into_iter();
                    let lists: Vec<_> = parts.map(|(source, of)| (listed(source), of)).collect();
                    for (list, of) in lists {
                        choices.way(part * of, list);
                    }
                }
            }
        }
    }
}

/// The host that a request hash selects.
fn by_hash(plan: &ClusterPlan<'_>, planned: PlannedSet<'_>, hash: u64) -> Option<HostRef> {
    let (number, _) = plan.with_loads(planned, |loads| loads.choose(hash));
    let (priority, hosts) = (planned.set.priorities.get(number)?, plan.hosts(number));
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
