//! The reasons of a difference. A share is the part of its priority, times the part of its locality
//! there, times its own part there: the reasons are the rules that decide the parts that differ.

use crate::{
    grpc::GrpcCluster,
    split::{ClientNote, NoFigures},
};
use spillgate_core::model::{
    Cluster, ClusterKind, CoarseHealth, HealthFlags, LocalityLb, Model, PlainCluster, Policy,
    Priority,
};
use spillgate_explain::report::{ClusterReport, PriorityReport};
use spillgate_grpc::shares::{HostPicking, LeafPolicy, localities, serves};

use super::reason::DifferenceReason;

/// Both answers about a cluster.
pub(super) struct Both<'b> {
    pub(super) model: &'b Model,
    pub(super) envoy: &'b ClusterReport,
    pub(super) grpc: &'b ClusterReport,
    pub(super) view: Option<GrpcCluster<'b>>,
}

/// Shares of a report, 0 for what it does not have.
pub(super) struct Fractions;

impl Fractions {
    fn row<'r>(
        report: &'r ClusterReport,
        owner: &str,
        number: usize,
    ) -> Option<&'r PriorityReport> {
        let mut rows = report.priorities.iter();
        rows.find(|of| !of.repeated && of.owner == owner && of.row.at.priority == number)
    }

    /// The share of a priority.
    pub(super) fn priority(report: &ClusterReport, owner: &str, number: usize) -> f64 {
        Self::row(report, owner, number).map_or(0.0, PriorityReport::share)
    }

    /// The share of a host.
    pub(super) fn host(report: &ClusterReport, owner: &str, number: usize, host: usize) -> f64 {
        let row = Self::row(report, owner, number);
        let share = row.and_then(|row| row.hosts.get(host));
        share.copied().unwrap_or(0.0)
    }

    /// The share of the locality of a host.
    fn locality(report: &ClusterReport, owner: &str, number: usize, host: usize) -> f64 {
        let row = Self::row(report, owner, number);
        let localities = row.map_or(&[][..], |row| &row.localities);
        let own = localities.iter().find(|of| of.hosts.contains(&host));
        own.map_or(0.0, |of| of.share)
    }
}

/// Whether two parts of wholes differ; not if one of the wholes is nothing.
fn differ((part, whole): (f64, f64), (other, others): (f64, f64)) -> bool {
    whole > 0.0 && others > 0.0 && (part / whole - other / others).abs() > 1e-9
}

/// The priority of a host, with what decides about it.
struct Place<'b> {
    plain: &'b PlainCluster,
    priority: &'b Priority,
    number: usize,
    policy: LeafPolicy,
}

impl Both<'_> {
    /// The reasons if a priority's share differs.
    pub(super) fn of_priority(
        &self,
        note: &ClientNote,
        owner: &str,
        number: usize,
    ) -> Vec<DifferenceReason> {
        match &note.no_figures {
            Some(without) => vec![without_figures(without)],
            None => self.priority_reasons(owner, number),
        }
    }

    /// The reasons if the requests without a host differ and no other share does.
    pub(super) fn of_all(&self, note: &ClientNote) -> Vec<DifferenceReason> {
        match &note.no_figures {
            Some(without) => vec![without_figures(without)],
            None => vec![DifferenceReason::Drops],
        }
    }

    /// The reasons if a host's share differs.
    pub(super) fn of_host(
        &self,
        note: &ClientNote,
        owner: &str,
        number: usize,
        host: usize,
    ) -> Vec<DifferenceReason> {
        if let Some(without) = &note.no_figures {
            return vec![without_figures(without)];
        }
        let both = |share: &dyn Fn(&ClusterReport) -> f64| (share(self.envoy), share(self.grpc));
        let priority = both(&|report| Fractions::priority(report, owner, number));
        let locality = both(&|report| Fractions::locality(report, owner, number, host));
        let own = both(&|report| Fractions::host(report, owner, number, host));
        let mut reasons = Vec::new();
        if (priority.0 - priority.1).abs() > 1e-9 {
            reasons.extend(self.priority_reasons(owner, number));
        }
        if let Some(place) = self.place(owner, number) {
            if differ((locality.0, priority.0), (locality.1, priority.1)) {
                reasons.extend(self.locality_reasons(&place, owner));
            }
            if differ((own.0, locality.0), (own.1, locality.1)) {
                reasons.extend(self.host_reasons(&place, owner));
            }
        }
        reasons.sort_unstable();
        reasons.dedup();
        if reasons.is_empty() {
            vec![DifferenceReason::Policy]
        } else {
            reasons
        }
    }

    fn place(&self, owner: &str, number: usize) -> Option<Place<'_>> {
        let plain = plain(self.model.cluster(owner)?)?;
        let leaves = self.view.as_ref().map_or(&[][..], |view| &view.leaves);
        let leaf = leaves.iter().find(|leaf| leaf.name == owner);
        Some(Place {
            plain,
            priority: plain.priorities.get(number)?,
            number,
            policy: leaf.map_or(LeafPolicy::ROUND_ROBIN, |leaf| leaf.policy),
        })
    }

    /// What decides which priority gets requests: all priorities count.
    fn priority_reasons(&self, owner: &str, number: usize) -> Vec<DifferenceReason> {
        let mut reasons = Vec::new();
        let rows = || self.envoy.priorities.iter();
        let loaded = || rows().filter(|of| of.share() > 0.0);
        if Fractions::row(self.envoy, owner, number).is_none() {
            reasons.push(DifferenceReason::Flattened);
        }
        if loaded().any(|of| of.row.in_panic_mode()) {
            reasons.push(DifferenceReason::Panic);
        }
        if loaded().any(|of| of.row.degraded_load > 0) {
            reasons.push(DifferenceReason::Degraded);
        }
        if self.has_subset() {
            reasons.push(DifferenceReason::Subset);
        }
        let owners = rows().chain(&self.grpc.priorities);
        let places: Vec<Place<'_>> = owners
            .filter_map(|of| self.place(&of.owner, of.row.at.priority))
            .collect();
        if places.iter().any(|of| skips_hosts(of.priority)) {
            reasons.push(DifferenceReason::UnweightedLocality);
        }
        if places.iter().any(|of| has_own_health(of.priority)) {
            reasons.push(DifferenceReason::OwnHealth);
        }
        let dropped = places
            .iter()
            .any(|of| of.plain.drop_overload.millionths() > 0);
        if self.envoy.has_members() && dropped {
            reasons.push(DifferenceReason::Drops);
        }
        let spread = loaded().count() > 1;
        if spread || reasons.is_empty() {
            reasons.push(DifferenceReason::Spillover);
        }
        reasons
    }

    /// What decides the parts of localities in a priority.
    fn locality_reasons(&self, of: &Place<'_>, owner: &str) -> Vec<DifferenceReason> {
        let mut reasons = self.health_reasons(of, owner);
        if skips_hosts(of.priority) {
            reasons.push(DifferenceReason::UnweightedLocality);
        }
        let local = self.model.local();
        let (zones, weighted) = match of.plain.locality_lb {
            LocalityLb::Weighted => (false, true),
            LocalityLb::ZoneAware(_) => (local.cluster.is_some() && of.number == 0, false),
        };
        if zones && !of.plain.policy.hashes() {
            reasons.push(DifferenceReason::ZoneAware);
        }
        let is_ring = matches!(of.policy.picking, HostPicking::RingHash(_));
        if weighted != of.policy.by_locality && !is_ring {
            reasons.push(DifferenceReason::LocalityWeights);
        }
        if weighted && of.priority.endpoints.iter().any(|host| !serves(host)) {
            reasons.push(DifferenceReason::LocalityHealth);
        }
        if !weighted && has_weights(of.priority) && !is_ring {
            reasons.push(DifferenceReason::HostWeights);
        }
        reasons.extend(policy_reasons(of));
        reasons
    }

    /// What decides the parts of hosts in a locality.
    fn host_reasons(&self, of: &Place<'_>, owner: &str) -> Vec<DifferenceReason> {
        let mut reasons = self.health_reasons(of, owner);
        let is_ring = matches!(of.policy.picking, HostPicking::RingHash(_));
        if has_weights(of.priority) && !is_ring {
            reasons.push(DifferenceReason::HostWeights);
        }
        if of.plain.slow_start.is_some() && !of.plain.healthy_for.is_empty() {
            reasons.push(DifferenceReason::SlowStart);
        }
        reasons.extend(policy_reasons(of));
        reasons
    }

    /// The rules by which the two use other hosts of a priority.
    fn health_reasons(&self, of: &Place<'_>, owner: &str) -> Vec<DifferenceReason> {
        let mut reasons = Vec::new();
        let row = Fractions::row(self.envoy, owner, of.number);
        if row.is_some_and(|row| row.row.in_panic_mode()) {
            reasons.push(DifferenceReason::Panic);
        }
        if row.is_some_and(|row| row.row.degraded_load > 0) {
            reasons.push(DifferenceReason::Degraded);
        }
        if self.has_subset() {
            reasons.push(DifferenceReason::Subset);
        }
        if has_own_health(of.priority) {
            reasons.push(DifferenceReason::OwnHealth);
        }
        reasons
    }

    fn has_subset(&self) -> bool {
        let of_members = self.envoy.priorities.iter();
        let mut plains = of_members.filter_map(|of| plain(self.model.cluster(&of.owner)?));
        self.envoy.subset.is_some() || plains.any(|plain| plain.subsets.is_some())
    }
}

fn plain(cluster: &Cluster) -> Option<&PlainCluster> {
    match &cluster.kind {
        ClusterKind::Plain(plain) => Some(plain),
        _ => None,
    }
}

const fn without_figures(why: &NoFigures) -> DifferenceReason {
    match why {
        NoFigures::Rejected(_) => DifferenceReason::Rejected,
        NoFigures::Unknown(_) => DifferenceReason::NotKnown,
    }
}

/// Whether gRPC skips hosts because their locality has no weight.
fn skips_hosts(priority: &Priority) -> bool {
    let weighted: Vec<usize> = localities(priority).map(|(at, _)| at).collect();
    let mut hosts = priority.endpoints.iter();
    hosts.any(|host| !weighted.contains(&host.locality))
}

/// Whether Envoy and gRPC judge a host differently because of flags that only Envoy has.
fn has_own_health(priority: &Priority) -> bool {
    let mut hosts = priority.endpoints.iter();
    hosts.any(|host| {
        let healthy = host.health.coarse() == CoarseHealth::Healthy;
        host.health.flags != HealthFlags::default() && healthy != serves(host)
    })
}

fn has_weights(priority: &Priority) -> bool {
    let mut weights = priority.endpoints.iter().map(|host| host.weight);
    let first = weights.next();
    weights.any(|weight| Some(weight) != first)
}

fn policy_reasons(of: &Place<'_>) -> Option<DifferenceReason> {
    match (of.policy.picking, &of.plain.policy) {
        (HostPicking::RingHash(_), Policy::RingHash(_)) => Some(DifferenceReason::Ring),
        (HostPicking::PickFirst { .. }, _) => Some(DifferenceReason::PickFirst),
        (HostPicking::RoundRobin, Policy::RoundRobin) => None,
        _ => Some(DifferenceReason::Policy),
    }
}
