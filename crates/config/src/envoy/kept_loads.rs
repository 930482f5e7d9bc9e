//! Retries that crash Envoy 1.40: `previous_priorities` keeps the loads of one cluster for a retry in another one.
//!
//! With an `update_frequency` above 1, retries between two updates use the loads of the last one
//! (`PreviousPrioritiesRetryPriority::determinePriorityLoad`), also for a cluster with fewer priorities, in which Envoy
//! then takes a priority that does not exist.

use alloc::{format, string::String, vec::Vec};

use spillgate_core::{
    model::{Cluster, ClusterKind, Model},
    route::{ClusterName, Forward, RouteAction, RouteTarget},
};

use super::ListenerConfig;
use crate::{Affects, Diagnostic, node::quote};

/// So many retries after the first update are followed.
const MOST_RETRIES: u32 = 1_000;
/// The code of the limits.
const CODE: &str = "config/retry-crash";

/// A retry in which Envoy can take a priority that does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptLoads<'m> {
    /// The number of the retry, from 3 on: two attempts come before the first update.
    pub retry: u32,
    /// The cluster of the loads, with its number of priorities.
    pub of: (&'m str, usize),
    /// The cluster that the retry asks, with its number of priorities.
    pub asked: (&'m str, usize),
}

impl KeptLoads<'_> {
    /// The cause in one sentence.
    #[must_use]
    pub fn text(&self) -> String {
        format!(
            "between two updates of previous_priorities, retry {} of a request uses the loads of cluster {} in cluster {}, \
             which has fewer priorities ({}, not {})",
            self.retry,
            quote(self.of.0),
            quote(self.asked.0),
            self.asked.1,
            self.of.1
        )
    }
}

/// The first retry of a route that can crash Envoy. Clusters without known hosts have no known priorities.
#[must_use]
pub fn kept_loads<'m>(forward: &Forward, model: &'m Model) -> Option<KeptLoads<'m>> {
    let retry = &forward.retry;
    let frequency = retry.previous_priorities.filter(|every| *every > 1)?;
    if retry.retry_on.is_empty() || retry.retries <= frequency {
        return None;
    }
    let limits = (frequency, retry.retries);
    if retry.refreshes_cluster && matches!(forward.target, RouteTarget::Weighted(_)) {
        return first_crash(&|at| names(&forward.target, at), limits, model);
    }
    let mut first = names(&forward.target, 0).into_iter();
    first.find_map(|name| first_crash(&|_| Vec::from([name]), limits, model))
}

/// Names the routes whose retries can crash Envoy.
pub(super) fn limit_kept_loads(
    model: &Model,
    listeners: &[ListenerConfig],
    findings: &mut Vec<Diagnostic>,
) {
    for (at, listener) in listeners.iter().enumerate() {
        let hosts = &listener.routes.virtual_hosts;
        for route in hosts.iter().flat_map(|host| &host.routes) {
            let RouteAction::Forward(forward) = &route.action else {
                continue;
            };
            let Some(found) = kept_loads(forward, model) else {
                continue;
            };
            let affects = Affects::Route {
                listener: at,
                route: route.id,
            };
            let marks = listener.marks.get(route.id);
            let effect = format!("{}: Envoy 1.40 can crash", found.text());
            findings.push(Diagnostic {
                position: marks.map(|marks| marks.retry_policy.unwrap_or(marks.route)),
                ..Diagnostic::limit(CODE, effect, affects)
            });
        }
    }
}

/// The clusters that an attempt can choose, if each attempt chooses.
fn names(target: &RouteTarget, attempt: usize) -> Vec<&str> {
    let (weighted, one) = match target {
        RouteTarget::Weighted(weighted) => {
            let groups = weighted.by_attempt().take(attempt.saturating_add(1));
            (groups.last().unwrap_or_default(), None)
        }
        // The branch of a request is that of its retries.
        RouteTarget::Matched(matcher) => return matcher.clusters(),
        RouteTarget::One(cluster) => (&[][..], Some(cluster)),
        RouteTarget::Chosen(_) => (&[][..], None),
    };
    let chosen = weighted.iter().filter(|one| one.weight > 0);
    let chosen = chosen.map(|one| &one.cluster).chain(one);
    let names = chosen.filter_map(|cluster| match cluster {
        ClusterName::Name(name) => Some(name.as_str()),
        ClusterName::Header(_) => None,
    });
    names.collect()
}

/// The cluster that a retry asks, with the number of its priorities; of a composite cluster, the member of its number.
/// `None` if it asks for no loads, as hash tables do, or if its hosts are not known.
fn asked<'m>(name: &str, retry: usize, model: &'m Model) -> Option<(&'m str, usize)> {
    let mut cluster = model.cluster(name)?;
    if let ClusterKind::Composite(composite) = &cluster.kind {
        cluster = model.cluster(composite.members.get(retry)?)?;
    }
    let count = match &cluster.kind {
        ClusterKind::Plain(plain) if plain.policy.hashes() => 0,
        ClusterKind::Plain(_) => listed(cluster),
        ClusterKind::Aggregate(aggregate) => {
            let members = aggregate.members.iter();
            let members = members.filter_map(|member| model.cluster(member));
            members.map(listed).sum()
        }
        ClusterKind::Composite(_) | ClusterKind::OriginalDst(_) => 0,
    };
    (count > 0).then_some((cluster.name.as_str(), count))
}

/// The priorities of a cluster up to the last one with hosts: Envoy has no empty ones after it.
fn listed(cluster: &Cluster) -> usize {
    let mut priorities = cluster.priorities().iter();
    let last = priorities.rposition(|priority| !priority.endpoints.is_empty());
    last.map_or(0, |last| last + 1)
}

/// Follows the retries, of which every one with a multiple of the frequency updates the loads.
fn first_crash<'f, 'm>(
    names: &dyn Fn(usize) -> Vec<&'f str>,
    (frequency, retries): (u32, u32),
    model: &'m Model,
) -> Option<KeptLoads<'m>> {
    let mut kept: Option<(&str, usize)> = None;
    for retry in frequency..=retries.min(frequency.saturating_add(MOST_RETRIES)) {
        let updates = retry.is_multiple_of(frequency);
        let mut earlier = kept.take_if(|_| updates);
        let at = usize::try_from(retry).unwrap_or(usize::MAX);
        for name in names(at) {
            match (asked(name, at, model), kept) {
                (Some(asked), of) if updates && of.is_none_or(|of| of.1 < asked.1) => {
                    kept = Some(asked);
                }
                (Some(asked), Some(of)) if !updates && asked.1 < of.1 => {
                    return Some(KeptLoads { retry, of, asked });
                }
                // A retry in a hash table leaves the loads of an earlier update.
                (None, of) if of.map(|of| of.1) < earlier.map(|of| of.1) => kept = earlier.take(),
                _ => {}
            }
        }
    }
    None
}
