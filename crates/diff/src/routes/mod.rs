//! The routes of two configurations.
//!
//! Routes with the same text are equal by proof, also in another order where no request can match two of them.
//! For other routes, requests are built from the conditions of all routes of both sides and from their edges, and both
//! sides route them: a different outcome is a difference with its example. Without one, the difference stays unproved.

mod answers;
mod chains;
mod comparable;
mod disjoint;
mod edges;
mod effect;
mod example;
mod outcome;
mod places;
mod regex_example;

use std::collections::{BTreeMap, BTreeSet};

use spillgate_config::{
    envoy::{ListenerConfig, ListenerProtocol, SpillgateFilter},
    filter::FilterForm,
    node::to_json,
};
use spillgate_core::route::{Route, RouteTable, VirtualHost};

use self::{
    comparable::comparable,
    disjoint::is_reordering,
    edges::edges,
    effect::RouteClusters,
    example::{ExampleRequest, OTHER_PATHS, examples, examples_of},
    outcome::{Outcome, answer_texts},
    places::Places,
};
use crate::{RouteDiff, RoutesStatus, indexed_side::IndexedSide, renames::Renames};

/// The differences by listener, and the number of listeners whose routes are proved to be equal.
pub(crate) fn diff(
    old: &IndexedSide<'_>,
    new: &IndexedSide<'_>,
    renames: &Renames,
) -> (Vec<RouteDiff>, usize) {
    let mut clusters = RouteClusters::new(old, new, renames);
    let mut found = Vec::new();
    let mut equal = 0;
    for pair in chains::pairs(old.side.listeners, new.side.listeners) {
        let differences = match pair.both() {
            Some((before, after)) => of_listener(pair.listener, before, after, &mut clusters),
            None => vec![pair.one_sided()],
        };
        equal += usize::from(differences.is_empty());
        found.extend(differences.into_iter().map(|of| RouteDiff {
            filter_chain: pair.label(),
            chains: pair.places(),
            ..of
        }));
    }
    // The sort is stable: of the others, the order is that of the configuration.
    let unserved = |of: &RouteDiff| of.effect.as_ref().map_or(0.0, |of| of.unserved.change());
    found.sort_by(|a, b| unserved(b).max(0.0).total_cmp(&unserved(a).max(0.0)));
    (found, equal)
}

fn of_listener(
    name: &str,
    before: &ListenerConfig,
    after: &ListenerConfig,
    clusters: &mut RouteClusters<'_>,
) -> Vec<RouteDiff> {
    let mut found = Vec::new();
    if before.chain.matches != after.chain.matches {
        let what = "the connections of the filter chain (filter_chain_match)";
        found.push(unproved(name, what));
    }
    if before.protocol != after.protocol {
        let what = match after.protocol {
            ListenerProtocol::Redis(_) => "the routes of redis_proxy",
            _ => "the protocol of the listener",
        };
        found.push(unproved(name, what));
        return found;
    }
    let attempts = |of: &ListenerConfig| of.marks.first().map(|mark| mark.connect_attempts);
    if after.protocol == ListenerProtocol::Tcp && attempts(before) != attempts(after) {
        found.push(unproved(name, "max_connect_attempts of tcp_proxy"));
    }
    if !same_filters(&before.spillgate, &after.spillgate) {
        let what = "the configuration of a Spillgate filter";
        found.push(unproved(name, what));
    }
    let named = clusters.name().map(str::to_owned);
    for of in answers::differing(before, after, named.as_deref()) {
        let Some(example) = of.example else {
            let what = format!("the redirect or the direct response of {}", of.matches);
            found.push(unproved(name, &what));
            continue;
        };
        let tables = (&before.routes, &after.routes);
        let (old, new) = clusters.outcomes(tables, &example);
        let (before, after) = answer_texts(&old, &new);
        found.push(RouteDiff {
            listener: name.to_owned(),
            status: RoutesStatus::Changed,
            matches: of.matches,
            before,
            after,
            effect: clusters.effect(&old, &new),
            example,
            ..RouteDiff::default()
        });
    }
    let tables = comparable(&before.routes, &after.routes);
    let listener = ListenerPair {
        name,
        same_frame: frame(&tables.0) == frame(&tables.1),
        old: &tables.0,
        new: &tables.1,
    };
    let hosts = (by_domain(&tables.0), by_domain(&tables.1));
    let domains: BTreeSet<&str> = hosts.0.keys().chain(hosts.1.keys()).copied().collect();
    let mut compared = BTreeSet::new();
    for domain in domains {
        let places = (hosts.0.get(domain).copied(), hosts.1.get(domain).copied());
        // One domain of two virtual hosts that both sides have shows all of their routes.
        if compared.insert(places) {
            found.extend(listener.of_domain(domain, places, clusters));
        }
    }
    found
}

fn unproved(listener: &str, what: &str) -> RouteDiff {
    RouteDiff {
        listener: listener.to_owned(),
        status: RoutesStatus::NoExample,
        matches: what.to_owned(),
        ..RouteDiff::default()
    }
}

/// The routes of a listener on both sides.
struct ListenerPair<'t> {
    name: &'t str,
    old: &'t RouteTable,
    new: &'t RouteTable,
    /// Whether everything that all virtual hosts share is the same.
    same_frame: bool,
}

impl ListenerPair<'_> {
    /// The differences of the routes of a domain, which these virtual hosts have.
    fn of_domain(
        &self,
        domain: &str,
        (old, new): (Option<usize>, Option<usize>),
        clusters: &mut RouteClusters<'_>,
    ) -> Vec<RouteDiff> {
        let old = old.and_then(|place| self.old.virtual_hosts.get(place));
        let new = new.and_then(|place| self.new.virtual_hosts.get(place));
        let mut moved = None;
        if let (Some(old), Some(new)) = (old, new)
            && self.same_frame
            && old.headers == new.headers
        {
            let places = Places::new(&old.routes, &new.routes);
            let one_sided = new.routes.iter().filter(|of| clusters.is_one_sided(of));
            let one_sided: Vec<&Route> = one_sided.collect();
            if one_sided.is_empty() && is_reordering(&old.routes, &new.routes, &places) {
                return Vec::new();
            }
            // The first other route that a request matches is the same on both sides, so only requests that match
            // one of these differ.
            let routes = places.moved(&old.routes, &new.routes).into_iter();
            let routes = routes.chain(one_sided);
            moved = Some(RouteTable {
                virtual_hosts: vec![VirtualHost {
                    name: new.name.clone(),
                    domains: new.domains.clone(),
                    headers: new.headers.clone(),
                    routes: routes.cloned().collect(),
                }],
                ..frame(self.new)
            });
        }
        let hosts = [old, new].into_iter().flatten();
        let routes: Vec<&Route> = hosts.flat_map(|host| &host.routes).collect();
        let cluster = clusters.name().map(str::to_owned);
        let mut found = Differences::default();
        let mut compare = |example: ExampleRequest| {
            let can_differ = |moved: &RouteTable| {
                clusters.outcomes((moved, moved), &example.headers).1 != Outcome::NOT_FOUND
            };
            if moved.as_ref().is_none_or(can_differ) {
                found.extend(self.of_example(domain, example, clusters));
            }
        };
        for example in examples(domain, &routes, cluster.as_deref()) {
            compare(example);
        }
        let differing = moved.as_ref().map_or(routes, |of| {
            of.virtual_hosts.iter().flat_map(|of| &of.routes).collect()
        });
        for route in differing.into_iter().take(MOST_WITH_EDGES) {
            for example in examples_of(domain, route, cluster.as_deref()) {
                for edge in edges(&example, &route.matcher) {
                    compare(edge);
                }
            }
        }
        if found.list.is_empty() {
            return vec![unproved(self.name, &format!("the routes of {domain}"))];
        }
        found.list
    }

    /// The difference that an example request shows.
    fn of_example(
        &self,
        domain: &str,
        example: ExampleRequest,
        clusters: &mut RouteClusters<'_>,
    ) -> Option<RouteDiff> {
        let (old, new) = clusters.outcomes((self.old, self.new), &example.headers);
        let (before, after) = Outcome::texts(&old, &new, clusters.renames)?;
        Some(RouteDiff {
            listener: self.name.to_owned(),
            status: RoutesStatus::Changed,
            matches: format!("{domain} {}", example.matches),
            before,
            after,
            effect: clusters.effect(&old, &new),
            example: example.headers,
            ..RouteDiff::default()
        })
    }
}

/// The number of routes whose edges are compared: each is compared about twenty times.
const MOST_WITH_EDGES: usize = 200;

/// The differences of a domain, each once.
#[derive(Default)]
struct Differences {
    list: Vec<RouteDiff>,
    known: BTreeSet<[String; 3]>,
    known_outcomes: BTreeSet<[String; 2]>,
}

impl Extend<RouteDiff> for Differences {
    fn extend<T: IntoIterator<Item = RouteDiff>>(&mut self, differences: T) {
        for of in differences {
            let outcomes = [of.before.clone(), of.after.clone()];
            let [before, after] = outcomes.clone();
            let new_outcomes = self.known_outcomes.insert(outcomes);
            let is_new = self.known.insert([of.matches.clone(), before, after]);
            if new_outcomes || is_new && !of.matches.ends_with(OTHER_PATHS) {
                self.list.push(of);
            }
        }
    }
}

/// Whether Spillgate filters have the same configuration, wherever it is in the text.
fn same_filters(before: &[SpillgateFilter], after: &[SpillgateFilter]) -> bool {
    let texts = |filters: &[SpillgateFilter]| -> Option<Vec<(String, FilterForm, Vec<String>)>> {
        let each = filters.iter().map(|filter| {
            let document = filter.config.as_ref().ok()?;
            let config = document.roots.iter().map(to_json).collect();
            Some((filter.name.clone(), filter.form, config))
        });
        each.collect()
    };
    let (before, after) = (texts(before), texts(after));
    before.is_some() && before == after
}

/// Everything that all virtual hosts share.
fn frame(table: &RouteTable) -> RouteTable {
    RouteTable {
        virtual_hosts: Vec::new(),
        proxy: table.proxy,
        filters: table.filters.clone(),
        manager: table.manager.clone(),
        internal_only_headers: table.internal_only_headers.clone(),
        headers: table.headers.clone(),
        ..*table
    }
}

/// The places of the virtual hosts by their domains.
fn by_domain(table: &RouteTable) -> BTreeMap<&str, usize> {
    let mut found = BTreeMap::new();
    for (place, host) in table.virtual_hosts.iter().enumerate() {
        for domain in &host.domains {
            found.entry(domain.as_str()).or_insert(place);
        }
    }
    found
}
