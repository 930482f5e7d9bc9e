//! From a request to everything that the balancer needs.

use alloc::{string::String, vec::Vec};

use super::{
    ClusterName, Connection, Forward, HashPolicy, Headers, RequestFilter, RetryPolicy, Route,
    RouteAction, RouteTable, RouteTarget, SessionReading, SplitBy, StatefulSession,
    WeightedCluster, WeightedClusters, combined, dynamic_metadata,
    matcher::MatchResult,
    request_filter::{removes, sessions},
    request_hash,
};
use crate::model::{HostSource, Metadata, NAMESPACE, Value};

/// What becomes of a request.
#[derive(Debug)]
pub enum RouteOutcome<'r, H> {
    /// It goes to a cluster.
    Forward(Routed<'r, H>),
    /// The route answers by itself.
    Respond {
        /// Which route.
        route: &'r Route,
        /// The status.
        status: u16,
    },
    /// No route takes it.
    NotFound,
    /// It reaches a route of which the engine does not have everything: what Envoy would do is
    /// not known.
    Unknown {
        /// Which route.
        route: &'r Route,
        /// The field that is not modelled.
        why: &'static str,
    },
}

/// A request that goes to a cluster.
#[derive(Debug)]
pub struct Routed<'r, H> {
    /// The route that it took.
    pub route: &'r Route,
    /// The connection, with the client that headers tell of.
    pub connection: Connection<'r>,
    forward: &'r Forward,
    filters: &'r [RequestFilter],
    headers: &'r H,
    /// What filters say (`envoy.lb` dynamic metadata).
    dynamic: Metadata,
    split: Split<'r>,
}

/// Between which clusters a choice is left.
#[derive(Debug, Clone, Copy)]
enum Split<'r> {
    /// None: this is the one, with these criteria and its own filters, if it has any.
    One(&'r ClusterName, &'r Metadata, Option<&'r [RequestFilter]>),
    /// These, by a random number.
    Draw(&'r WeightedClusters),
}

/// A cluster that a request may go to.
#[derive(Debug, Clone, PartialEq)]
pub struct Destination<'r> {
    /// Its name, which need not be that of a cluster; `None` where the route takes it from a header
    /// that the request lacks.
    pub cluster: Option<&'r str>,
    /// The criteria for its subsets: the route's, overridden key by key by those of the weighted
    /// cluster, then by dynamic metadata.
    pub criteria: Metadata,
    /// Its share in [`Routed::total_weight`].
    pub weight: u32,
    /// The filters that its requests come through.
    filters: &'r [RequestFilter],
}

/// The headers of a request as the router sees them: without those that filters took away.
#[derive(Debug)]
pub struct RouterHeaders<'r, H> {
    headers: &'r H,
    filters: &'r [RequestFilter],
}

impl RouteTable {
    /// The route that takes a request, or that it reaches without anybody knowing whether it does.
    #[must_use]
    pub fn route_of<H: Headers>(&self, headers: &H) -> Option<&Route> {
        let ignore_parameters = self.ignore_path_parameters_in_path_matching;
        let routes = self.host_of(headers).map(|host| host.routes.as_slice());
        let mut routes = routes.unwrap_or_default().iter();
        routes.find(|route| {
            !matches!(
                route.matcher.fit(headers, ignore_parameters),
                MatchResult::No
            )
        })
    }

    /// The Spillgate filters that a request comes through, by their numbers in the listener.
    pub fn spillgate_filters<H: Headers>(&self, headers: &H) -> impl Iterator<Item = usize> {
        let filters = self
            .route_of(headers)
            .and_then(|route| route.filters.as_ref());
        let filters = filters.unwrap_or(&self.filters).iter();
        filters.filter_map(|filter| match filter {
            RequestFilter::Spillgate(number) => Some(*number),
            _ => None,
        })
    }

    /// What becomes of a request. Its route and its cluster, as far as it is not random, are
    /// settled before the HTTP filters run.
    #[must_use]
    pub fn route<'r, H: Headers>(
        &'r self,
        headers: &'r H,
        connection: Connection<'r>,
    ) -> RouteOutcome<'r, H> {
        let connection = match self.forwarded_for {
            Some(skip) => connection.behind(headers, skip),
            None => connection,
        };
        let ignore_parameters = self.ignore_path_parameters_in_path_matching;
        let routes = self.host_of(headers).map(|host| host.routes.as_slice());
        for route in routes.unwrap_or_default() {
            match route.matcher.fit(headers, ignore_parameters) {
                MatchResult::No => continue,
                MatchResult::Unknown(why) => return RouteOutcome::Unknown { route, why },
                MatchResult::Yes => {}
            }
            return match &route.action {
                RouteAction::Respond { status } => RouteOutcome::Respond {
                    route,
                    status: *status,
                },
                RouteAction::Unmodelled(why) => RouteOutcome::Unknown { route, why },
                RouteAction::Forward(forward) => {
                    let filters = route.filters.as_ref().unwrap_or(&self.filters);
                    RouteOutcome::Forward(Routed {
                        route,
                        connection,
                        forward,
                        filters,
                        headers,
                        dynamic: dynamic_metadata(filters, headers, NAMESPACE),
                        split: split(forward, headers, &connection),
                    })
                }
            };
        }
        RouteOutcome::NotFound
    }
}

impl<'r, H: Headers> Routed<'r, H> {
    /// Whether several clusters may come out.
    #[must_use]
    pub const fn is_random(&self) -> bool {
        matches!(self.split, Split::Draw(_))
    }

    /// The cluster that a random number chooses; where [`is_random`](Self::is_random) is false,
    /// any number gives the same.
    #[must_use]
    pub fn choose(&self, draw: u64) -> Destination<'r> {
        match self.split {
            Split::One(cluster, criteria, filters) => {
                self.destination(cluster, criteria, 1, filters)
            }
            Split::Draw(clusters) => match clusters.at(draw) {
                Some(one) => self.weighted(one),
                // A total of at least 1 always falls somewhere.
                None => Destination {
                    cluster: None,
                    criteria: Metadata::default(),
                    weight: 0,
                    filters: &[],
                },
            },
        }
    }

    /// All clusters that may come out, with their weights.
    pub fn destinations(&self) -> impl Iterator<Item = Destination<'r>> + '_ {
        let (one, several) = match self.split {
            Split::One(cluster, criteria, filters) => {
                let one = self.destination(cluster, criteria, 1, filters);
                (Some(one), &[][..])
            }
            Split::Draw(clusters) => (None, clusters.clusters()),
        };
        let several = several.iter().filter(|one| one.weight > 0);
        one.into_iter().chain(several.map(|one| self.weighted(one)))
    }

    /// The sum of the weights of [`destinations`](Self::destinations), at least 1.
    #[must_use]
    pub const fn total_weight(&self) -> u32 {
        match self.split {
            Split::One(..) => 1,
            Split::Draw(clusters) => clusters.total(),
        }
    }

    /// How the request hash is made.
    #[must_use]
    pub fn hash_policies(&self) -> &'r [HashPolicy] {
        &self.forward.hash_policies
    }

    /// What retries do to the choice of a host.
    #[must_use]
    pub const fn retry(&self) -> &'r RetryPolicy {
        &self.forward.retry
    }

    /// The status of the answer when the cluster does not exist.
    #[must_use]
    pub const fn cluster_not_found(&self) -> u16 {
        self.forward.cluster_not_found
    }

    /// The request hash, if there is one.
    #[must_use]
    pub fn hash(&self, destination: &Destination<'r>) -> Option<u64> {
        let headers = self.headers(destination);
        request_hash(self.hash_policies(), &headers, &self.connection)
    }

    /// The headers that hash policies look at.
    #[must_use]
    pub const fn headers(&self, destination: &Destination<'r>) -> RouterHeaders<'r, H> {
        RouterHeaders {
            headers: self.headers,
            filters: destination.filters,
        }
    }

    /// What each filter that keeps sessions makes of the request, at `now`, in seconds since the
    /// Unix epoch: the last one that names a host has the last word.
    #[must_use]
    pub fn sessions(
        &self,
        destination: &Destination<'r>,
        now: u64,
    ) -> Vec<(&'r StatefulSession, SessionReading)> {
        sessions(destination.filters, self.headers, now)
    }

    /// The addresses that the request names in these places, in their order.
    #[must_use]
    pub fn named_hosts(
        &self,
        destination: &Destination<'r>,
        sources: &[HostSource],
    ) -> Vec<String> {
        let headers = self.headers(destination);
        let mut named = Vec::new();
        let mut add = |text: &[u8]| {
            let parts = text.split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
            let parts = parts.filter(|part| !part.is_empty());
            named.extend(parts.map(|part| String::from_utf8_lossy(part).into_owned()));
        };
        for source in sources {
            match source {
                HostSource::Header(name) => add(headers.first(name).unwrap_or_default()),
                HostSource::Metadata { namespace, path } => {
                    let filters = destination.filters;
                    let found = dynamic_metadata(filters, self.headers, namespace);
                    if let Some(Value::Text(text)) = found.at(path) {
                        add(text.as_bytes());
                    }
                }
            }
        }
        named
    }

    fn weighted(&self, one: &'r WeightedCluster) -> Destination<'r> {
        let filters = one.filters.as_deref();
        self.destination(&one.cluster, &one.criteria, one.weight, filters)
    }

    fn destination(
        &self,
        cluster: &'r ClusterName,
        criteria: &Metadata,
        weight: u32,
        filters: Option<&'r [RequestFilter]>,
    ) -> Destination<'r> {
        let criteria = match filters {
            None => criteria.overridden(&self.dynamic),
            Some(own) => criteria.overridden(&dynamic_metadata(own, self.headers, NAMESPACE)),
        };
        Destination {
            cluster: cluster.resolve(self.headers),
            criteria,
            weight,
            filters: filters.unwrap_or(self.filters),
        }
    }
}

fn split<'r, H: Headers>(
    forward: &'r Forward,
    headers: &H,
    connection: &Connection<'_>,
) -> Split<'r> {
    let clusters = match &forward.target {
        RouteTarget::One(cluster) => return Split::One(cluster, &forward.criteria, None),
        RouteTarget::Weighted(clusters) => clusters,
    };
    let number = match clusters.by() {
        SplitBy::Random => None,
        SplitBy::Header(name) => only_number(headers, name),
        SplitBy::HashPolicy => combined(&forward.hash_policies, headers, connection, |_| false),
    };
    match number.and_then(|number| clusters.at(number)) {
        Some(one) => Split::One(&one.cluster, &one.criteria, one.filters.as_deref()),
        None => Split::Draw(clusters),
    }
}

/// The number in a header that stands once.
fn only_number<H: Headers>(headers: &H, name: &str) -> Option<u64> {
    let mut values = headers.values(name);
    let value = values.next().filter(|_| values.next().is_none())?;
    core::str::from_utf8(value.trim_ascii()).ok()?.parse().ok()
}

impl<H: Headers> Headers for RouterHeaders<'_, H> {
    fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a [u8]> + 'a {
        let gone = removes(self.filters, name);
        self.headers.values(name).filter(move |_| !gone)
    }
}
