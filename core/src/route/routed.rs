//! A request that goes to a cluster: the cluster, the criteria and the hash for load balancing.

use alloc::{string::String, vec::Vec};
use core::ops::Range;

use super::{
    ChangedHeaders, Connection, Forward, HashPolicy, Headers, RandomNumbers, ReceivedRequest,
    RequestFilter, RetryPolicy, Route, RouteTable, RouteTarget, SessionReading, StatefulSession,
    VirtualHost, WeightedCluster, WeightedClusters,
    filter_run::FilterRun,
    request_hash,
    split::{Split, number},
};
use crate::model::{Metadata, NAMESPACE, OverrideHostSource, Value};

/// A request that goes to a cluster.
#[derive(Debug)]
pub struct Routed<'r, H> {
    /// The matched route.
    pub route: &'r Route,
    /// The connection, with the client address from headers.
    pub connection: Connection<'r>,
    pub(super) table: &'r RouteTable,
    pub(super) host: &'r VirtualHost,
    pub(super) forward: &'r Forward,
    pub(super) filters: &'r [RequestFilter],
    pub(super) received: &'r ReceivedRequest<'r, H>,
    /// The dynamic metadata of the filters in the namespace `envoy.lb`.
    pub(super) dynamic: Metadata,
    pub(super) split: Split<'r>,
    /// The random numbers that lead here.
    pub(super) numbers: RandomNumbers,
}

/// A cluster that a request may go to.
#[derive(Debug, Clone, PartialEq)]
pub struct Destination<'r> {
    /// The cluster name; the cluster need not exist. `None` if the route reads the name from a
    /// header that the request lacks, or if no branch of its matcher has one.
    pub cluster: Option<&'r str>,
    /// The subset criteria: those of the route, overridden key by key by the weighted cluster, then
    /// by dynamic metadata.
    pub criteria: Metadata,
    /// The weight relative to [`Routed::total_weight`].
    pub weight: u32,
    /// The share of the requests of the route that it gets, 0 to 1. It differs from the share of the
    /// weight if routes with fractions have taken some of the random numbers.
    pub share: f64,
    /// The filters of the requests to this cluster.
    filters: &'r [RequestFilter],
    /// The weighted cluster, if it is one.
    pub(super) weighted: Option<&'r WeightedCluster>,
}

/// The request headers as the router forwards them.
pub type RouterHeaders<'r, H> = ChangedHeaders<'r, ReceivedRequest<'r, H>>;

impl<'r, H: Headers> Routed<'r, H> {
    /// Whether a random number selects one of several clusters.
    #[must_use]
    pub const fn is_random(&self) -> bool {
        matches!(self.split, Split::Draw(_))
    }

    /// The cluster that a random number selects. If [`is_random`](Self::is_random) is false, every
    /// number selects the same cluster.
    #[must_use]
    pub fn choose(&self, draw: u64) -> Destination<'r> {
        match self.split {
            Split::One(cluster) => self.whole(cluster),
            Split::Weighted(one) => self.selected(one),
            Split::Draw(clusters) => match clusters.range_at(draw) {
                Some((range, one)) => self.weighted(one, self.share(range, clusters.total())),
                // A total weight of at least 1 always selects a cluster.
                None => Destination {
                    cluster: None,
                    criteria: Metadata::default(),
                    weight: 0,
                    share: 0.0,
                    filters: &[],
                    weighted: None,
                },
            },
        }
    }

    /// All clusters that the request may go to, with their weights.
    pub fn destinations(&self) -> impl Iterator<Item = Destination<'r>> + '_ {
        let (one, several) = match self.split {
            Split::One(cluster) => (Some(self.whole(cluster)), None),
            Split::Weighted(one) => (Some(self.selected(one)), None),
            Split::Draw(clusters) => (None, Some(clusters)),
        };
        let several = several
            .into_iter()
            .flat_map(|clusters| {
                let shares = clusters
                    .ranges()
                    .map(|(range, one)| (self.share(range, clusters.total()), one));
                shares.filter(|(share, _)| *share > 0.0)
            })
            .map(|(share, one)| self.weighted(one, share));
        one.into_iter().chain(several)
    }

    /// The sum of the weights of [`destinations`](Self::destinations), at least 1.
    #[must_use]
    pub const fn total_weight(&self) -> u32 {
        match self.split {
            Split::One(_) | Split::Weighted(_) => 1,
            Split::Draw(clusters) => clusters.total(),
        }
    }

    /// The hash policies of the route.
    #[must_use]
    pub fn hash_policies(&self) -> &'r [HashPolicy] {
        &self.forward.hash_policies
    }

    /// The retry policy of the route.
    #[must_use]
    pub const fn retry(&self) -> &'r RetryPolicy {
        &self.forward.retry
    }

    /// The status of the local reply if the cluster does not exist.
    #[must_use]
    pub const fn cluster_not_found(&self) -> u16 {
        self.forward.cluster_not_found
    }

    /// The request hash; `None` if no hash policy yields one.
    #[must_use]
    pub fn hash(&self, destination: &Destination<'r>) -> Option<u64> {
        let headers = self.headers(destination);
        request_hash(self.hash_policies(), &headers, &self.connection)
    }

    /// The headers that hash policies, override hosts and `ORIGINAL_DST` clusters read: after the
    /// filters, the weighted cluster, the route and its parents.
    #[must_use]
    pub fn headers(&self, destination: &Destination<'r>) -> RouterHeaders<'r, H> {
        let (connection, route) = (&self.connection, self.route);
        let mut headers = self.run(destination, |_, _| {}).headers;
        if let Some(weighted) = destination.weighted {
            let own = &weighted.headers;
            own.apply(&mut headers, connection, &route.name);
            if let Some(host) = &weighted.host_rewrite {
                headers.set(":authority", host.clone().into_bytes());
            }
        }
        let mut scopes = [&route.headers, &self.host.headers, &self.table.headers];
        if self.table.most_specific_header_mutations_wins {
            scopes.reverse();
        }
        for scope in scopes {
            scope.apply(&mut headers, connection, &route.name);
        }
        let matched = &route.matcher.path;
        let rewrite = &self.forward.rewrite;
        rewrite.apply(&mut headers, matched, connection, &route.name);
        headers
    }

    /// The reading of each stateful session filter at `now`, in seconds since the Unix epoch. The
    /// last one that names a host counts.
    #[must_use]
    pub fn sessions(
        &self,
        destination: &Destination<'r>,
        now: u64,
    ) -> Vec<(&'r StatefulSession, SessionReading)> {
        let mut found = Vec::new();
        self.run(destination, |session, headers| {
            found.push((session, session.read(headers, now)));
        });
        found
    }

    /// Runs the filters of a destination.
    fn run(
        &self,
        destination: &Destination<'r>,
        session: impl FnMut(&'r StatefulSession, &RouterHeaders<'r, H>),
    ) -> FilterRun<'r, ReceivedRequest<'r, H>> {
        FilterRun::new(
            destination.filters,
            self.received,
            &self.connection,
            session,
        )
    }

    /// The override host list: the addresses in these sources, in order.
    #[must_use]
    pub fn override_host_list(
        &self,
        destination: &Destination<'r>,
        sources: &[OverrideHostSource],
    ) -> Vec<String> {
        let headers = self.headers(destination);
        let mut addresses = Vec::new();
        let mut add = |text: &[u8]| {
            let parts = text
                .split(|&byte| byte == b',')
                .map(<[u8]>::trim_ascii)
                .filter(|part| !part.is_empty());
            addresses.extend(parts.map(|part| String::from_utf8_lossy(part).into_owned()));
        };
        for source in sources {
            match source {
                OverrideHostSource::Header(name) => add(headers.first(name).unwrap_or_default()),
                OverrideHostSource::Metadata { namespace, path } => {
                    let found = self.run(destination, |_, _| {}).metadata(namespace);
                    if let Some(Value::Text(text)) = found.at(path) {
                        add(text.as_bytes());
                    }
                }
            }
        }
        addresses
    }

    /// The weighted clusters of a route whose retries choose again.
    pub(super) fn refreshed_clusters(&self) -> Option<&'r WeightedClusters> {
        match &self.forward.target {
            RouteTarget::Weighted(clusters) => {
                Some(clusters).filter(|_| self.retry().refreshes_cluster)
            }
            RouteTarget::One(_) | RouteTarget::Chosen(_) | RouteTarget::Matched(_) => None,
        }
    }

    /// The number that chooses one of these weighted clusters; `None` for a random number.
    pub(super) fn number_of(&self, clusters: &WeightedClusters) -> Option<u64> {
        number(clusters, self.forward, self.received, &self.connection)
    }

    /// The cluster of the route.
    fn whole(&self, cluster: Option<&'r str>) -> Destination<'r> {
        Destination {
            cluster,
            criteria: self.forward.criteria.overridden(&self.dynamic),
            weight: 1,
            share: 1.0,
            filters: self.filters,
            weighted: None,
        }
    }

    /// A weighted cluster that receives the request for certain.
    fn selected(&self, one: &'r WeightedCluster) -> Destination<'r> {
        Destination {
            weight: 1,
            ..self.weighted(one, 1.0)
        }
    }

    /// The share of the requests of the route whose number modulo the total weight is in a range.
    fn share(&self, range: Range<u64>, total: u32) -> f64 {
        if self.numbers.is_all() {
            return range.end.saturating_sub(range.start) as f64 / f64::from(total);
        }
        self.numbers.share_of(range, total.into()) / self.numbers.share()
    }

    pub(super) fn weighted(&self, one: &'r WeightedCluster, share: f64) -> Destination<'r> {
        let connection = &self.connection;
        let criteria = match &one.filters {
            None => one.criteria.overridden(&self.dynamic),
            Some(own) => {
                let run = FilterRun::new(own, self.received, connection, |_, _| {});
                one.criteria.overridden(&run.metadata(NAMESPACE))
            }
        };
        Destination {
            cluster: one.cluster.resolve(self.received),
            criteria,
            weight: one.weight,
            share,
            filters: one.filters.as_deref().unwrap_or(self.filters),
            weighted: Some(one),
        }
    }
}
