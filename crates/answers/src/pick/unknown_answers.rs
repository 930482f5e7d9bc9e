//! Answers to requests whose host is not known, each with the reason.

use std::collections::BTreeSet;

use spillgate_core::{
    route::{Destination, Headers, HostPredicate, Routed},
    snapshot::{ClusterId, HostRef},
};

use super::{
    Answerer, PickOutput, PickRequest, deciding_addresses::of_host, destinations, original_host,
    unknown_original_host,
};
use crate::unknown::{AVOIDED_UNKNOWN, HOSTS_UNKNOWN, PORT_UNKNOWN, TRIED_UNKNOWN, attempts_of};
use crate::unstated::UnstatedAddress;

impl Answerer<'_> {
    /// The first reason for which the host of a request is not known.
    pub(super) fn unknown_host<H: Headers>(
        &mut self,
        request: &PickRequest,
        routed: &Routed<'_, H>,
    ) -> Option<PickOutput> {
        self.unknown_cluster(request, routed)
            .or_else(|| self.unknown_destination(request, routed))
            .or_else(|| self.unknown_priorities(request, routed))
            .or_else(|| self.unknown_tried(request, routed))
            .or_else(|| self.unknown_port(request, routed))
    }

    /// The answer to a request that can reach a cluster whose hosts are not known.
    fn unknown_cluster<H: Headers>(
        &mut self,
        request: &PickRequest,
        routed: &Routed<'_, H>,
    ) -> Option<PickOutput> {
        let attempts = attempts_of(request.attempts());
        let snapshot = self.snapshot;
        let addresses = &self.balancers.addresses;
        let reached = destinations(snapshot, addresses, routed, request, self.now).into_iter();
        let clusters = reached.filter_map(|(to, _)| snapshot.cluster_id(to.cluster?));
        let clusters: Vec<ClusterId> = clusters.collect();
        let mut reached = clusters.iter();
        let unknown = reached.find_map(|&id| self.unknown.reached(snapshot, id, attempts))?;
        self.reached.clusters.extend(clusters);
        Some(not_known(routed, HOSTS_UNKNOWN, Some(unknown.to_owned())))
    }

    /// The answer to a request for an `ORIGINAL_DST` cluster whose host is not known.
    fn unknown_destination<H: Headers>(
        &mut self,
        request: &PickRequest,
        routed: &Routed<'_, H>,
    ) -> Option<PickOutput> {
        let snapshot = self.snapshot;
        let all = destinations(
            snapshot,
            &self.balancers.addresses,
            routed,
            request,
            self.now,
        )
        .into_iter();
        let at = (request.attempts(), self.now);
        let unknown =
            all.filter_map(|(to, _)| unknown_original_host(snapshot, request, routed, &to, at));
        let unknown: Vec<(ClusterId, &str)> = unknown.collect();
        let &(first, why) = unknown.first()?;
        let name = snapshot.cluster(first)?.name.clone();
        let clusters = unknown.into_iter().map(|(cluster, _)| cluster);
        self.reached.clusters.extend(clusters);
        Some(not_known(routed, why, Some(name)))
    }

    /// The answer to a retry whose hash is that of the first attempt, and depends on a port that is not
    /// stated.
    fn unknown_port<H: Headers>(
        &mut self,
        request: &PickRequest,
        routed: &Routed<'_, H>,
    ) -> Option<PickOutput> {
        if request.attempts() == 0 {
            return None;
        }
        let depends = |to: &Destination<'_>| {
            let id = self.snapshot.cluster_id(to.cluster?)?;
            let unstated = of_host(self.snapshot, id, request, routed, to);
            let mut unstated = unstated.iter();
            unstated
                .any(|one| matches!(one, UnstatedAddress::Port { .. }))
                .then_some(id)
        };
        let depending = routed.destinations().find_map(|to| depends(&to))?;
        let name = self.snapshot.cluster(depending)?.name.clone();
        self.reached.clusters.push(depending);
        Some(not_known(routed, PORT_UNKNOWN, Some(name)))
    }

    /// The answer to a retry that avoids tried hosts if an address does not tell which host was tried:
    /// Envoy compares hosts, not their addresses.
    fn unknown_tried<H: Headers>(
        &mut self,
        request: &PickRequest,
        routed: &Routed<'_, H>,
    ) -> Option<PickOutput> {
        let (snapshot, addresses) = (self.snapshot, &self.balancers.addresses);
        let retry = routed.retry();
        if !retry.predicates.contains(&HostPredicate::PreviousHosts) {
            return None;
        }
        let clusters = routed.destinations().filter_map(|to| {
            let id = snapshot.cluster_id(to.cluster?)?;
            Some((id, original_host(snapshot, id, routed, &to)))
        });
        let mut clusters: Vec<(ClusterId, Option<String>)> = clusters.collect();
        clusters.sort();
        clusters.dedup();
        // An aggregate has the hosts of its members.
        let hosts = |of: &[(ClusterId, Option<String>)], address: &String| {
            let hosts = of
                .iter()
                .map(|(id, _)| *id)
                .flat_map(|id| addresses.hosts_in(snapshot, id, address));
            let hosts: BTreeSet<HostRef> = hosts.collect();
            let named = of
                .iter()
                .filter(|(_, named)| named.as_ref() == Some(address));
            hosts.len() + named.count()
        };
        let several = |address: &String| {
            if retry.refreshes_cluster {
                hosts(&clusters, address) > 1
            } else {
                clusters.chunks(1).any(|one| hosts(one, address) > 1)
            }
        };
        if !request.tried.iter().any(several) {
            return None;
        }
        self.reached
            .clusters
            .extend(clusters.into_iter().map(|(id, _)| id));
        Some(not_known(routed, TRIED_UNKNOWN, None))
    }

    /// The answer to a retry that avoids priorities if the override host list served attempts before it:
    /// Envoy counts tried priorities only when it asks its load balancer.
    fn unknown_priorities<H: Headers>(
        &mut self,
        request: &PickRequest,
        routed: &Routed<'_, H>,
    ) -> Option<PickOutput> {
        let (snapshot, addresses) = (self.snapshot, &self.balancers.addresses);
        if request.attempts() < 2 || routed.retry().previous_priorities.is_none() {
            return None;
        }
        let all = destinations(snapshot, addresses, routed, request, self.now);
        let listing = all.into_iter().find_map(|(to, _)| {
            let id = snapshot.cluster_id(to.cluster?)?;
            let sources = snapshot.override_sources(id);
            (!routed.override_host_list(&to, sources).is_empty()).then_some(id)
        })?;
        self.reached.clusters.push(listing);
        Some(not_known(routed, AVOIDED_UNKNOWN, None))
    }
}

fn not_known<H>(routed: &Routed<'_, H>, why: &'static str, cluster: Option<String>) -> PickOutput {
    PickOutput::Unknown {
        route: routed.route.name.clone(),
        why,
        cluster,
    }
}
