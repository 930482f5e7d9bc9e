//! Routes a request: the cluster, the criteria and the hash for load balancing.

use alloc::{string::String, vec::Vec};
use core::ops::Range;

use super::{
    CHOSEN_CLUSTER, ChangedHeaders, Connection, Forward, HashPolicy, Headers, RandomNumbers,
    ReceivedRequest, RequestFilter, RetryPolicy, Route, RouteAction, RouteTable, RouteTarget,
    SessionReading, SplitBy, StatefulSession, VirtualHost, WeightedCluster, WeightedClusters,
    combined, filter_run::FilterRun, matcher::MatchResult, request_hash,
};
use crate::model::{Metadata, NAMESPACE, OverrideHostSource, Value};

/// The result of routing a request.
#[derive(Debug)]
pub enum RouteOutcome<'r, H> {
    /// The request goes to a cluster.
    Forward(Routed<'r, H>),
    /// The route itself answers.
    Respond {
        /// The route.
        route: &'r Route,
        /// The response status.
        status: u16,
    },
    /// The connection manager itself answers.
    Refused {
        /// The response status.
        status: u16,
    },
    /// No route matches.
    NotFound,
    /// A route depends on a field that the engine does not model, so Envoy's behavior is unknown.
    Unknown {
        /// The route.
        route: &'r Route,
        /// The field that is not modeled.
        why: &'static str,
    },
}

/// A request that goes to a cluster.
#[derive(Debug)]
pub struct Routed<'r, H> {
    /// The matched route.
    pub route: &'r Route,
    /// The connection, with the client address from headers.
    pub connection: Connection<'r>,
    table: &'r RouteTable,
    host: &'r VirtualHost,
    forward: &'r Forward,
    filters: &'r [RequestFilter],
    received: &'r ReceivedRequest<'r, H>,
    /// The dynamic metadata of the filters in the namespace `envoy.lb`.
    dynamic: Metadata,
    split: Split<'r>,
    /// The random numbers that lead here.
    numbers: RandomNumbers,
}

/// The clusters that remain possible.
#[derive(Debug, Clone, Copy)]
enum Split<'r> {
    /// The cluster of the route. `None` if the route reads its name from a header that the request
    /// lacks.
    One(Option<&'r str>),
    /// A weighted cluster that the request selects.
    Weighted(&'r WeightedCluster),
    /// Weighted clusters; a random number selects one.
    Draw(&'r WeightedClusters),
}

/// A cluster that a request may go to.
#[derive(Debug, Clone, PartialEq)]
pub struct Destination<'r> {
    /// The cluster name; the cluster need not exist. `None` if the route reads the name from a
    /// header that the request lacks.
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
    weighted: Option<&'r WeightedCluster>,
}

/// The request headers as the router forwards them.
pub type RouterHeaders<'r, H> = ChangedHeaders<'r, ReceivedRequest<'r, H>>;

impl RouteTable {
    /// The first route that matches a request, or that may match it because of a field that is not
    /// modeled.
    #[must_use]
    pub fn route_of<H: Headers>(&self, received: &ReceivedRequest<'_, H>) -> Option<&Route> {
        let parameters = self.path_parameters();
        let routes = self.host_of(received).map(|host| host.routes.as_slice());
        let mut routes = routes.unwrap_or_default().iter();
        routes.find(|route| !matches!(route.matcher.fit(received, parameters), MatchResult::No))
    }

    /// The numbers of the Spillgate filters that apply to a request.
    pub fn spillgate_filters<H: Headers>(
        &self,
        received: &ReceivedRequest<'_, H>,
    ) -> impl Iterator<Item = usize> {
        let filters = self
            .route_of(received)
            .and_then(|route| route.filters.as_ref());
        let filters = filters.unwrap_or(&self.filters).iter();
        filters.filter_map(|filter| match filter {
            RequestFilter::Spillgate(number) => Some(*number),
            _ => None,
        })
    }

    /// Routes a received request. As in Envoy, the route and the weighted cluster are selected before the
    /// HTTP filters run.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::model::Metadata;
    /// use spillgate_core::route::*;
    ///
    /// let forward = Forward {
    ///     target: RouteTarget::One(ClusterName::Name("shop".into())),
    ///     criteria: Metadata::EMPTY,
    ///     hash_policies: vec![],
    ///     rewrite: RequestRewrite::default(),
    ///     retry: RetryPolicy::NONE,
    ///     cluster_not_found: 503,
    /// };
    /// let route = Route {
    ///     id: 0,
    ///     name: "all".into(),
    ///     matcher: RouteMatch::path(PathMatch::Prefix("/".into())),
    ///     action: RouteAction::Forward(forward),
    ///     filters: None,
    ///     headers: HeaderMutations::default(),
    ///     metadata: RouteMetadata::default(),
    /// };
    /// let host = VirtualHost {
    ///     name: "any".into(),
    ///     domains: vec!["*".into()],
    ///     routes: vec![route],
    ///     headers: HeaderMutations::default(),
    /// };
    /// let table = RouteTable { virtual_hosts: vec![host], ..RouteTable::default() };
    ///
    /// let headers = HeaderList(&[(":authority", "shop.example"), (":path", "/cart")]);
    /// let received = table.receive(&headers, Connection::default());
    /// let RouteOutcome::Forward(routed) = table.route(&received) else {
    ///     panic!("the route forwards");
    /// };
    /// assert_eq!(routed.choose(0).cluster, Some("shop"));
    /// ```
    ///
    /// If a route matches only a share of the requests, this is one of several
    /// [`alternatives`](Self::alternatives): the first.
    #[must_use]
    pub fn route<'r, H: Headers>(
        &'r self,
        received: &'r ReceivedRequest<'r, H>,
    ) -> RouteOutcome<'r, H> {
        let mut numbers = RandomNumbers::all();
        self.route_some(received, &mut numbers).1
    }

    /// Routes the requests with random numbers in `rest`: removes those that share an outcome, and
    /// returns them with it.
    pub(super) fn route_some<'r, H: Headers>(
        &'r self,
        received: &'r ReceivedRequest<'r, H>,
        rest: &mut RandomNumbers,
    ) -> (RandomNumbers, RouteOutcome<'r, H>) {
        if let Some(status) = received.refused {
            return (rest.take(None), RouteOutcome::Refused { status });
        }
        let parameters = self.path_parameters();
        let Some(host) = self.host_of(received) else {
            return (rest.take(None), RouteOutcome::NotFound);
        };
        for route in &host.routes {
            let fit = route.matcher.fit(received, parameters);
            if fit == MatchResult::No {
                continue;
            }
            let numbers = rest.take(route.matcher.fraction);
            if numbers.is_empty() {
                continue;
            }
            if let MatchResult::Unknown(why) = fit {
                return (numbers, RouteOutcome::Unknown { route, why });
            }
            let outcome = match &route.action {
                RouteAction::Respond { status } => RouteOutcome::Respond {
                    route,
                    status: *status,
                },
                RouteAction::Unmodeled(why) => RouteOutcome::Unknown { route, why },
                RouteAction::Forward(forward) => {
                    let filters = route.filters.as_ref().unwrap_or(&self.filters);
                    let connection = received.connection;
                    let run = FilterRun::new(filters, received, &connection, |_, _| {});
                    RouteOutcome::Forward(Routed {
                        route,
                        connection,
                        table: self,
                        host,
                        forward,
                        filters,
                        received,
                        dynamic: run.metadata(NAMESPACE),
                        split: split(forward, received, &connection),
                        numbers: numbers.clone(),
                    })
                }
            };
            return (numbers, outcome);
        }
        (rest.take(None), RouteOutcome::NotFound)
    }
}

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
        let several = several.into_iter().flat_map(|clusters| {
            let shares = clusters.ranges();
            let shares = shares.map(|(range, one)| (self.share(range, clusters.total()), one));
            shares.filter(|(share, _)| *share > 0.0)
        });
        let several = several.map(|(share, one)| self.weighted(one, share));
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
            let parts = text.split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
            let parts = parts.filter(|part| !part.is_empty());
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
            RouteTarget::One(_) | RouteTarget::Chosen(_) => None,
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

fn split<'r, H: Headers>(
    forward: &'r Forward,
    headers: &'r H,
    connection: &Connection<'_>,
) -> Split<'r> {
    let clusters = match &forward.target {
        RouteTarget::One(cluster) => return Split::One(cluster.resolve(headers)),
        RouteTarget::Chosen(otherwise) => {
            let chosen = headers.first(CHOSEN_CLUSTER);
            let chosen = chosen.and_then(|chosen| core::str::from_utf8(chosen).ok());
            return Split::One(Some(chosen.unwrap_or(otherwise)));
        }
        RouteTarget::Weighted(clusters) => clusters,
    };
    match number(clusters, forward, headers, connection).and_then(|number| clusters.at(number)) {
        Some(one) => Split::Weighted(one),
        None => Split::Draw(clusters),
    }
}

/// The number that a header or the request hash gives for the choice of a weighted cluster; `None` for a
/// random number.
fn number<H: Headers>(
    clusters: &WeightedClusters,
    forward: &Forward,
    headers: &H,
    connection: &Connection<'_>,
) -> Option<u64> {
    match clusters.by() {
        SplitBy::Random => None,
        SplitBy::Header(name) => only_number(headers, name),
        SplitBy::HashPolicy => combined(&forward.hash_policies, headers, connection, |_| false),
    }
}

/// The integer in a header that occurs once.
fn only_number<H: Headers>(headers: &H, name: &str) -> Option<u64> {
    let mut values = headers.values(name);
    let value = values.next().filter(|_| values.next().is_none())?;
    core::str::from_utf8(value.trim_ascii()).ok()?.parse().ok()
}
