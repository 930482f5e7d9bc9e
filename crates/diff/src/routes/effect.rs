//! What the requests of an example experience on both sides: the clusters of its routes, their hosts, and answers of Envoy.

use std::collections::{BTreeMap, BTreeSet};

use spillgate_config::envoy::CONNECTION_CLOSED;
use spillgate_core::{
    model::Metadata,
    route::{Route, RouteTable},
};
use spillgate_sim::Scene;

use super::outcome::{Outcome, RouteResult, Target};
use crate::{
    RouteEffect, ShareDiff, decisions::Compiled, effects::Experience, host_sets::HostMetadata,
    indexed_side::IndexedSide, renames::Renames,
};

/// The clusters of both sides, which examples of all routes ask for.
pub(super) struct RouteClusters<'a> {
    pub(super) old: SideClusters<'a>,
    pub(super) new: SideClusters<'a>,
    /// The old names of clusters, for texts.
    pub(super) renames: &'a Renames,
}

/// The clusters of a side, and what their requests experience.
pub(super) struct SideClusters<'a> {
    side: &'a IndexedSide<'a>,
    known: BTreeMap<(String, String), Option<Destination>>,
}

/// What requests to a cluster, or with an outcome, experience.
#[derive(Debug, Clone, Default)]
struct Destination {
    /// The percentage that Envoy answers with a 5xx status of its own, or by closing the connection.
    unserved: f64,
    /// The priorities in panic mode, each with its cluster.
    panic: BTreeSet<String>,
    /// The percentage that each host gets, and that Envoy answers with each other status.
    hosts: BTreeMap<String, f64>,
}

impl<'a> RouteClusters<'a> {
    pub(super) const fn new(
        old: &'a IndexedSide<'a>,
        new: &'a IndexedSide<'a>,
        renames: &'a Renames,
    ) -> Self {
        Self {
            old: SideClusters::new(old),
            new: SideClusters::new(new),
            renames,
        }
    }

    /// The outcomes of a request on both sides, whose routes these are.
    pub(super) fn outcomes(
        &self,
        tables: (&RouteTable, &RouteTable),
        headers: &[(String, String)],
    ) -> (Vec<Outcome>, Vec<Outcome>) {
        (
            Outcome::of(tables.0, &self.old.side.names, headers),
            Outcome::of(tables.1, &self.new.side.names, headers),
        )
    }

    /// A cluster that both sides have.
    pub(super) fn name(&self) -> Option<&str> {
        let mut names = self.new.side.names.names();
        names.find(|name| self.old.side.names.get(name).is_some())
    }

    /// Whether a route names a cluster that only one side has.
    pub(super) fn is_one_sided(&self, route: &Route) -> bool {
        let exists = |side: &SideClusters<'_>, name| side.side.names.get(name).is_some();
        let mut names = route.clusters();
        names.any(|name| exists(&self.old, name) != exists(&self.new, name))
    }

    /// What a change of the outcomes does; `None` if one of them is not known.
    pub(super) fn effect(&mut self, old: &[Outcome], new: &[Outcome]) -> Option<RouteEffect> {
        let (before, after) = (self.old.of(old)?, self.new.of(new)?);
        let hosts: BTreeSet<&String> = before.hosts.keys().chain(after.hosts.keys()).collect();
        let of = |destination: &Destination, host: &String| {
            destination.hosts.get(host).copied().unwrap_or(0.0)
        };
        let changes = hosts
            .iter()
            .map(|host| (of(&after, host) - of(&before, host)).abs());
        let unserved = ShareDiff {
            name: String::new(),
            before: before.unserved,
            after: after.unserved,
        };
        let moved = (changes.sum::<f64>() + unserved.change().abs()) / 2.0;
        let new_panic = after.panic.difference(&before.panic);
        Some(RouteEffect {
            new_panic: new_panic.cloned().collect(),
            moved: Outcome::choose_alike(old, new).then_some(moved),
            unserved,
        })
    }
}

impl<'a> SideClusters<'a> {
    const fn new(side: &'a IndexedSide<'a>) -> Self {
        Self {
            side,
            known: BTreeMap::new(),
        }
    }

    fn of(&mut self, outcomes: &[Outcome]) -> Option<Destination> {
        let mut found = Destination::default();
        for outcome in outcomes {
            match &outcome.result {
                RouteResult::Unknown(_) => return None,
                RouteResult::NotFound => found.answer(404, outcome.part),
                RouteResult::Respond(status) | RouteResult::Refused(status) => {
                    found.answer(*status, outcome.part);
                }
                RouteResult::Forward(forwarding) => {
                    for target in &forwarding.clusters {
                        let part = outcome.part * target.share;
                        match self.to(target) {
                            Reached::Cluster(destination) => found.add(destination?, part),
                            Reached::Nothing => found.answer(forwarding.cluster_not_found, part),
                        }
                    }
                }
            }
        }
        Some(found)
    }

    fn to(&mut self, target: &Target) -> Reached<'_> {
        let Some(name) = target.cluster.as_deref().filter(|_| target.exists) else {
            return Reached::Nothing;
        };
        let key = (name.to_owned(), target.criteria.to_string());
        let side = self.side;
        let destination = self
            .known
            .entry(key)
            .or_insert_with(|| destination(side, name, &target.criteria));
        Reached::Cluster(destination.as_ref())
    }
}

/// Where a target of a route leads.
enum Reached<'d> {
    /// To a cluster; `None` if its hosts are not known.
    Cluster(Option<&'d Destination>),
    /// To no cluster of the configuration.
    Nothing,
}

fn destination(side: &IndexedSide<'_>, name: &str, criteria: &Metadata) -> Option<Destination> {
    if side.is_unknown(name) || side.takes_hosts_of_requests(name) {
        return None;
    }
    let scene = Scene::new(&side.names.part([name]), name, Metadata::EMPTY)?;
    let found = Experience::of(Compiled::new(&scene, HostMetadata::Ignored), criteria)?;
    let panic = found.panic.into_iter();
    Some(Destination {
        unserved: found.no_host,
        panic: panic.map(|priority| format!("{name} {priority}")).collect(),
        hosts: found.hosts,
    })
}

impl Destination {
    fn add(&mut self, other: &Self, part: f64) {
        self.unserved += other.unserved * part;
        self.panic.extend(other.panic.iter().cloned());
        for (host, share) in &other.hosts {
            *self.hosts.entry(host.clone()).or_default() += share * part;
        }
    }

    /// Envoy answers a part of the requests itself, or closes their connections.
    fn answer(&mut self, status: u16, part: f64) {
        let share = if status >= 500 || status == CONNECTION_CLOSED {
            &mut self.unserved
        } else {
            let answer = format!("status {status}");
            self.hosts.entry(answer).or_default()
        };
        *share += part * 100.0;
    }
}
