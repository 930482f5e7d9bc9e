//! Listeners in front of others: routes to a cluster whose hosts are addresses of a listener.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    vec::Vec,
};

use spillgate_config::envoy::facts::ListenerFacts;

use crate::{context::Context, ways::Way};

/// The routes that lead to listeners, searched once for each listener.
#[derive(Default)]
pub(super) struct Fronts<'w, 'c> {
    /// Each address of a host, and its cluster; `None` before the first search.
    hosts: Option<BTreeSet<(&'c str, &'c str)>>,
    by_listener: BTreeMap<*const ListenerFacts, Vec<&'w Way<'c>>>,
}

impl<'w, 'c> Fronts<'w, 'c> {
    /// The routes of other listeners that lead to this one.
    pub(super) fn of(
        &mut self,
        context: &'w Context<'c>,
        listener: &'c ListenerFacts,
    ) -> &[&'w Way<'c>] {
        let hosts = self.hosts.get_or_insert_with(|| hosts(context));
        let found = self.by_listener.entry(listener);
        found.or_insert_with(|| {
            let mut clusters = BTreeSet::new();
            for own in &listener.addresses {
                let from_own = hosts.range((own.as_str(), "")..);
                let with_own = from_own.take_while(|(host, _)| host.starts_with(own.as_str()));
                clusters.extend(with_own.map(|(_, cluster)| *cluster));
            }
            let ways = clusters.into_iter().flat_map(|name| context.ways_to(name));
            ways.filter(|way| !core::ptr::eq(way.listener, listener))
                .collect()
        })
    }
}

fn hosts<'c>(context: &Context<'c>) -> BTreeSet<(&'c str, &'c str)> {
    let clusters = context.facts.clusters.iter();
    let hosts = clusters.flat_map(|cluster| {
        let endpoints = cluster.localities.iter().flat_map(|of| &of.endpoints);
        endpoints.map(|endpoint| (endpoint.address.as_str(), cluster.name.as_str()))
    });
    hosts.collect()
}
