//! The steps that lead a request to a cluster.

use spillgate_core::{
    model::Metadata,
    route::{
        ClusterName, Forward, PathMatch, RetryPolicy, Route, RouteAction, RouteMatch,
        RouteMetadata, RouteTable, SplitBy, Target, VirtualHost, WeightedClusters,
    },
    snapshot::Snapshot,
    trace::{Figure, Ground, Step, StepKind},
};

use crate::pick::PickRequest;

/// One request and what it is asked of.
#[derive(Debug)]
pub(super) struct Asked<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) routes: &'a RouteTable,
    /// Whether the routes are the configuration's.
    pub(super) routed: bool,
    pub(super) request: &'a PickRequest,
    /// The time against which cookies expire, in seconds since the Unix epoch.
    pub(super) now: u64,
}

/// Routes that send everything to one cluster.
pub(super) fn direct(cluster: &str) -> RouteTable {
    let route = Route {
        id: 0,
        name: String::new(),
        matcher: RouteMatch::path(PathMatch::Prefix(String::new())),
        action: RouteAction::Forward(Forward {
            target: Target::One(ClusterName::Name(cluster.to_owned())),
            criteria: Metadata::default(),
            hash_policies: Vec::new(),
            retry: RetryPolicy::NONE,
            cluster_not_found: crate::pick::UNAVAILABLE,
        }),
        filters: None,
        metadata: RouteMetadata::default(),
    };
    RouteTable {
        virtual_hosts: vec![VirtualHost {
            name: String::new(),
            domains: vec!["*".to_owned()],
            routes: vec![route],
        }],
        ..RouteTable::default()
    }
}

impl Asked<'_> {
    /// The value of a header, or an empty text.
    pub(super) fn header(&self, name: &str) -> &str {
        let mut headers = self.request.headers.iter();
        headers
            .find(|(have, _)| have == name)
            .map_or("", |(_, value)| value)
    }

    /// The virtual host, where no route of it takes the request.
    pub(super) fn no_route(&self) -> Step {
        let host = self.header(":authority");
        let what = match self.routes.virtual_host(host.as_bytes()) {
            Some(found) => format!("no route of the virtual host {} takes it", found.name),
            None => format!("no virtual host has the domain {host}"),
        };
        step(what, Vec::new())
    }

    /// The route that took the request.
    pub(super) fn route(&self, route: &Route) -> Step {
        let mut hosts = self.routes.virtual_hosts.iter();
        let host = hosts.find(|host| host.routes.iter().any(|have| have.id == route.id));
        let host = host.map_or("", |host| host.name.as_str());
        let conditions = conditions(&route.matcher);
        let name = match route.name.as_str() {
            "" => String::new(),
            name => format!(" {name}"),
        };
        step(
            format!("virtual host {host}, route{name} with {conditions}"),
            vec![
                ("virtual_host", host.into()),
                ("route", route.name.as_str().into()),
            ],
        )
    }
}

fn step(what: String, values: Vec<(&'static str, Figure)>) -> Step {
    Step {
        kind: StepKind::Route,
        what,
        values,
        ground: Ground::RouteMatch,
    }
}

fn conditions(matcher: &RouteMatch) -> String {
    let path = match &matcher.path {
        PathMatch::Prefix(prefix) => format!("prefix {prefix:?}"),
        PathMatch::Exact(path) => format!("path {path:?}"),
        PathMatch::PathSeparatedPrefix(prefix) => format!("path-separated prefix {prefix:?}"),
        PathMatch::Regex(pattern) => format!("regex {:?}", pattern.source()),
        PathMatch::Unmodelled => "a path match that is not modelled".into(),
    };
    let others = matcher.headers.len() + matcher.query_parameters.len() + matcher.cookies.len();
    match others {
        0 => path,
        1 => format!("{path} and one more condition"),
        more => format!("{path} and {more} more conditions"),
    }
}

/// The cluster that came out of a choice, `drawn` where it was by chance; nothing to tell of a
/// route that names its cluster.
pub(super) fn chosen(route: &Route, cluster: &str, drawn: Option<u64>) -> Option<Step> {
    let RouteAction::Forward(forward) = &route.action else {
        return None;
    };
    let (what, values) = match &forward.target {
        Target::One(ClusterName::Name(_)) => return None,
        Target::One(ClusterName::Header(name)) => {
            (format!("{cluster}, which the header {name} names"), vec![])
        }
        Target::Weighted(clusters) => of_weights(clusters, cluster, drawn),
    };
    Some(Step {
        kind: StepKind::Cluster,
        what,
        values,
        ground: Ground::RouteSplit,
    })
}

type Told = (String, Vec<(&'static str, Figure)>);

fn of_weights(clusters: &WeightedClusters, cluster: &str, drawn: Option<u64>) -> Told {
    let by = match (drawn, clusters.by()) {
        (Some(_), _) | (None, SplitBy::Random) => "by chance".to_owned(),
        (None, SplitBy::Header(name)) => format!("by the number in the header {name}"),
        (None, SplitBy::HashPolicy) => "by the request hash".to_owned(),
    };
    let total = clusters.total();
    let weights: Vec<u32> = clusters.clusters().iter().map(|one| one.weight).collect();
    let mut values = vec![
        ("weights", weights.as_slice().into()),
        ("total", total.into()),
    ];
    let roll = drawn.and_then(|number| number.checked_rem(total.into()));
    values.extend(roll.map(|roll| ("roll", roll.into())));
    (format!("{cluster}, a weighted cluster chosen {by}"), values)
}
