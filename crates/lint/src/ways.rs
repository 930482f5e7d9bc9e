//! Paths from routes to clusters.

use alloc::{string::String, vec::Vec};
use core::time::Duration;
use spillgate_core::visible::quoted;

use spillgate_config::envoy::{
    EnvoyConfig,
    facts::{FieldPlace, FilterKind, ListenerFacts, RouteFacts, SpillgateFacts},
};
use spillgate_core::{
    model::{Metadata, NAMESPACE},
    order::sorted,
    route::{
        AppendAction, ClusterName, Forward, HeaderMutation, HeaderMutations, HeaderRule,
        RequestFilter, RouteAction, RouteMetadata, RouteTarget, RuleSource, SplitBy, VirtualHost,
    },
};

/// A route and one of its possible clusters.
#[derive(Clone, Copy)]
pub(crate) struct Way<'c> {
    pub(crate) listener: &'c ListenerFacts,
    pub(crate) virtual_host: &'c VirtualHost,
    pub(crate) route: &'c RouteFacts,
    pub(crate) forward: &'c Forward,
    /// The longest time that the retries of a request can wait.
    pub(crate) retry_waits: Duration,
    /// The metadata of the route that the Spillgate filter reads.
    pub(crate) metadata: &'c RouteMetadata,
    /// The filters that set metadata for its requests.
    pub(crate) filters: &'c [RequestFilter],
    /// The header changes of weighted cluster, route, virtual host and route configuration.
    changes: [Option<&'c HeaderMutations>; 4],
    /// The early header changes of the connection manager.
    early: &'c [HeaderMutation],
    /// The cluster; `None` if a header names it.
    pub(crate) cluster: Option<&'c str>,
    /// The route's criteria, before filters add to them.
    pub(crate) criteria: &'c Metadata,
    /// The place of the criteria.
    metadata_match: Option<&'c FieldPlace>,
    /// Its share of the route's requests, in percent; 100 if conditions of the route choose it.
    pub(crate) share: f64,
}

/// What a route leaves of a header that a client sends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LostHeader {
    /// No value.
    Removed,
    /// One value for all requests.
    Fixed,
}

/// Who changes a header.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LostBy {
    /// The route or one of its parents.
    Route,
    /// A filter, or an early change of the connection manager.
    Filter,
}

/// The types of filters that run programs, which can set any header.
const PROGRAMS: [&str; 3] = [
    "filters.http.golang.",
    "filters.http.lua.",
    "filters.http.wasm.",
];

/// The headers that the connection manager sets, by their first letters.
const GENERATED: [&str; 7] = [
    ":",
    "user-agent",
    "via",
    "x-client-trace-id",
    "x-envoy-",
    "x-forwarded-",
    "x-request-id",
];

/// What is left of a header after a step, if `lost` is left before.
fn after(step: &HeaderMutation, header: &str, lost: Option<LostHeader>) -> Option<LostHeader> {
    use AppendAction::{
        AddIfAbsent, AppendIfExistsOrAdd, OverwriteIfExists, OverwriteIfExistsOrAdd,
    };
    let added = match step {
        HeaderMutation::Remove(name) if name == header => return Some(LostHeader::Removed),
        HeaderMutation::Append(added) if added.name == header => added,
        HeaderMutation::Remove(_) | HeaderMutation::Append(_) => return lost,
    };
    let fixed = added.value.is_fixed().then_some(LostHeader::Fixed);
    match (added.action, lost) {
        (OverwriteIfExists, Some(LostHeader::Removed)) | (AddIfAbsent, Some(LostHeader::Fixed)) => {
            lost
        }
        (AppendIfExistsOrAdd | AddIfAbsent, None) => None,
        (OverwriteIfExistsOrAdd | OverwriteIfExists, _)
        | (AppendIfExistsOrAdd | AddIfAbsent, Some(_)) => fixed,
    }
}

impl<'c> Way<'c> {
    /// The place of its criteria, or else of the route's action.
    pub(crate) fn criteria_place(&self) -> &'c FieldPlace {
        self.metadata_match.unwrap_or(&self.route.action)
    }

    /// The name of the route in messages.
    pub(crate) fn route_name(&self) -> String {
        match self.route.name.as_str() {
            "" if self.route.is_tcp => String::from("this tcp_proxy"),
            "" => String::from("this route"),
            name => alloc::format!("route {}", quoted(name)),
        }
    }

    /// Whether the route or one of its parents leaves no value of the client in a header.
    pub(crate) fn replaces(&self, header: &str) -> bool {
        let mut changes = self.changes.iter().flatten();
        changes.any(|changes| changes.replaces(header))
    }

    /// Whether the route or one of its parents removes a header before Envoy chooses a host.
    pub(crate) fn removes(&self, header: &str) -> bool {
        let mut changes = self.changes.iter().flatten();
        changes.any(|changes| changes.removed.iter().any(|name| name == header))
    }

    /// The last Spillgate filter of the route, which decides.
    pub(crate) fn steering(&self) -> Option<Steering<'c>> {
        let filters = self.active_filters().filter_map(|(at, kind)| match kind {
            FilterKind::Spillgate(ours) => Some((at, &**ours)),
            _ => None,
        });
        let (at, ours) = filters.last()?;
        let place = &self.listener.filters.get(at)?.place;
        Some(Steering { at, place, ours })
    }

    /// Whether the connection manager adds a header before all filters.
    pub(crate) fn sets_early(&self, header: &str) -> bool {
        let adds = |step: &HeaderMutation| matches!(step, HeaderMutation::Append(added) if added.name == header);
        self.early.iter().any(adds)
    }

    /// What is left of a header without any value of the client; `None` if it may have one, or if that
    /// depends on the order of several changes.
    pub(crate) fn lost(&self, header: &str) -> Option<(LostHeader, LostBy)> {
        let all = || self.changes.iter().flatten();
        let added = all().flat_map(|changes| &changes.added);
        let mut added = added.filter(|added| added.name == header).peekable();
        let removed = all().any(|changes| changes.removed.iter().any(|name| name == header));
        let lost = match added.peek() {
            None if !removed => return self.lost_before(header).map(|lost| (lost, LostBy::Filter)),
            None => Some(LostHeader::Removed),
            Some(_) => {
                let fixed = self.replaces(header) && added.all(|added| added.value.is_fixed());
                (fixed && !removed).then_some(LostHeader::Fixed)
            }
        };
        lost.map(|lost| (lost, LostBy::Route))
    }

    /// What the connection manager and the filters leave of a header, as [`Way::lost`].
    fn lost_before(&self, header: &str) -> Option<LostHeader> {
        let can_set = |kind: &FilterKind| match kind {
            FilterKind::Other { opaque, words } => {
                *opaque
                    || words.contains(header)
                    || PROGRAMS.iter().any(|program| words.contains(program))
            }
            FilterKind::Spillgate(_) => true,
            _ => false,
        };
        if self.active_filters().any(|(_, kind)| can_set(kind)) {
            return None;
        }
        // The connection manager sets headers after the early changes.
        let generated = GENERATED.iter().any(|prefix| header.starts_with(prefix));
        let early = self.early.iter().filter(|_| !generated);
        let mut lost = early.fold(None, |lost, step| after(step, header, lost));
        for filter in self.filters {
            match filter {
                RequestFilter::HeaderMutation(steps) => {
                    lost = steps
                        .iter()
                        .fold(lost, |lost, step| after(step, header, lost));
                }
                RequestFilter::HeaderToMetadata(rules) => {
                    let removes = |rule: &HeaderRule| matches!(&rule.source, RuleSource::Header { name, remove: true } if name == header);
                    if rules.iter().any(removes) {
                        lost = Some(LostHeader::Removed);
                    }
                }
                _ => {}
            }
        }
        lost
    }

    /// Whether the route picks one of several clusters at random.
    pub(crate) fn draws(&self) -> bool {
        let RouteTarget::Weighted(clusters) = &self.forward.target else {
            return false;
        };
        let with_weight = clusters.clusters().iter().filter(|one| one.weight > 0);
        with_weight.count() > 1 && *clusters.by() == SplitBy::Random
    }

    /// Whether the request hash chooses between clusters.
    pub(crate) fn splits_by_hash(&self) -> bool {
        matches!(&self.forward.target, RouteTarget::Weighted(clusters)
            if *clusters.by() == SplitBy::HashPolicy)
    }

    /// The criteria keys that filters may add per request.
    pub(crate) fn added_keys(&self) -> Vec<&'c str> {
        let mut keys: Vec<&str> = Vec::new();
        for filter in self.filters {
            match filter {
                RequestFilter::HeaderToMetadata(rules) => {
                    for rule in rules {
                        let values = rule
                            .on_present
                            .iter()
                            .chain(&rule.on_missing)
                            .filter(|value| *value.namespace == *NAMESPACE);
                        keys.extend(values.map(|value| &*value.key));
                    }
                }
                RequestFilter::SetMetadata(values) => {
                    let values = values.iter().filter(|set| *set.namespace == *NAMESPACE);
                    let fields = values.flat_map(|set| set.value.fields());
                    keys.extend(fields.map(|field| &*field.key));
                }
                RequestFilter::HeaderMutation(_)
                | RequestFilter::StatefulSession(_)
                | RequestFilter::Spillgate(_) => {}
            }
        }
        keys
    }

    /// Whether a filter may add criteria that the configuration does not show.
    pub(crate) fn has_unseen_criteria(&self) -> bool {
        self.active_filters().any(|(_, kind)| match kind {
            FilterKind::Other { opaque, words } => *opaque || words.contains("envoy.lb"),
            _ => false,
        })
    }

    /// The filters that run on this route, with their indexes.
    pub(crate) fn active_filters(&self) -> impl Iterator<Item = (usize, &'c FilterKind)> + use<'c> {
        let active = self
            .route
            .active
            .iter()
            .copied()
            .chain(core::iter::repeat(true));
        let filters = self.listener.filters.iter().zip(active).enumerate();
        filters
            .filter(|(_, (_, active))| *active)
            .map(|(at, (filter, _))| (at, &filter.kind))
    }
}

/// The Spillgate filter that decides about the requests of a route.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Steering<'c> {
    /// Its index among the filters of the listener.
    pub(crate) at: usize,
    pub(crate) place: &'c FieldPlace,
    pub(crate) ours: &'c SpillgateFacts,
}

/// All paths of a configuration, in route order.
pub(crate) fn ways(config: &EnvoyConfig) -> Vec<Way<'_>> {
    let mut found = Vec::new();
    for listener in &config.listeners {
        let Some(facts) = &listener.facts else {
            continue;
        };
        let manager = listener.routes.manager.as_ref();
        let early = manager.map_or(&[][..], |manager| &manager.early);
        let hosts = listener.routes.virtual_hosts.iter();
        for (virtual_host, route) in
            hosts.flat_map(|host| host.routes.iter().map(move |route| (host, route)))
        {
            let RouteAction::Forward(forward) = &route.action else {
                continue;
            };
            let Some(route_facts) = facts.routes.get(route.id) else {
                continue;
            };
            let marks = listener.marks.get(route.id);
            let around = [
                &route.headers,
                &virtual_host.headers,
                &listener.routes.headers,
            ]
            .map(Some);
            let [of_route, of_host, of_table] = around;
            let way = |cluster: Option<_>, criteria, metadata_match, share| Way {
                changes: [None, of_route, of_host, of_table],
                early,
                listener: facts,
                virtual_host,
                route: route_facts,
                forward,
                retry_waits: marks.map_or(Duration::ZERO, |marks| marks.retry_time.waits),
                metadata: &route.metadata,
                filters: route.filters.as_ref().unwrap_or(&listener.routes.filters),
                cluster,
                criteria,
                metadata_match,
                share,
            };
            let own = route_facts.metadata_match.as_ref();
            match &forward.target {
                RouteTarget::One(cluster) => {
                    found.push(way(stated(cluster), &forward.criteria, own, 100.0))
                }
                // The filter chooses the cluster.
                RouteTarget::Chosen(_) => found.push(way(None, &forward.criteria, own, 100.0)),
                RouteTarget::Matched(matcher) => {
                    let mut names = sorted(matcher.clusters(), Ord::cmp);
                    names.dedup();
                    let own_way = |name| way(Some(name), &forward.criteria, own, 100.0);
                    found.extend(names.into_iter().map(own_way));
                }
                RouteTarget::Weighted(clusters) => {
                    let total = f64::from(clusters.total());
                    let entries = clusters.clusters().iter().zip(&route_facts.weighted);
                    for (one, facts) in entries.filter(|(one, _)| one.weight > 0) {
                        let place = facts.metadata_match.as_ref().or(own);
                        let share = 100.0 * f64::from(one.weight) / total;
                        let way = way(stated(&one.cluster), &one.criteria, place, share);
                        found.push(Way {
                            changes: [Some(&one.headers), of_route, of_host, of_table],
                            ..way
                        });
                    }
                }
            }
        }
    }
    found
}

/// The name of a cluster, if the configuration has it.
const fn stated(cluster: &ClusterName) -> Option<&str> {
    match cluster {
        ClusterName::Name(name) => Some(name.as_str()),
        ClusterName::Header(_) => None,
    }
}
