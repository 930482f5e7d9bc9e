//! Routes a request: the first route that matches it.

use super::{
    Headers, RandomNumbers, ReceivedRequest, RequestFilter, Route, RouteAction, RouteTable, Routed,
    filter_run::FilterRun, matcher::MatchResult, split::split,
};
use crate::model::NAMESPACE;

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
                RouteAction::Forward(_) if received.upgrades => RouteOutcome::Unknown {
                    route,
                    why: "upgrade_configs",
                },
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
