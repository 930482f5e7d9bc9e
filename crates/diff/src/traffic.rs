//! Who gets the requests on both sides, and the least movement that explains the change.
//!
//! Shares say how many requests a host has before and after, not which ones. So every host keeps as many as it can:
//! only the requests that its new share has no room for move, and they go to the hosts that gain, in proportion to
//! their gains. Where hashes choose the host, more keys can move; [`KeysDiff`](crate::KeysDiff) has them.

use std::collections::BTreeMap;

use spillgate_core::{
    model::Metadata,
    snapshot::{ClusterId, Snapshot},
};
use spillgate_explain::report::LoadState;

use crate::effects::placed;

/// Requests by their owner on both sides, in percent of all requests.
#[derive(Debug, Clone, PartialEq)]
pub struct TrafficChange {
    /// The owners on the old side, in order.
    pub before: Vec<OwnerShare>,
    /// The owners on the new side, in order.
    pub after: Vec<OwnerShare>,
    /// What goes from an old owner to a new one; without flows of nothing.
    pub flows: Vec<TrafficFlow>,
}

/// What owns requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrafficOwner {
    /// The priority that gets them.
    Priority,
    /// The locality of the host that gets them.
    Locality,
}

/// The share of an owner.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnerShare {
    /// Its name; `None` for requests without a host.
    pub name: Option<String>,
    /// Its share of the requests.
    pub share: f64,
}

/// Requests of an old owner that a new one has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrafficFlow {
    /// The place of the old owner in [`TrafficChange::before`].
    pub from: usize,
    /// The place of the new owner in [`TrafficChange::after`].
    pub to: usize,
    /// Requests that stay at their host.
    pub stays: f64,
    /// Requests that another host gets, or that no longer find one.
    pub moves: f64,
}

impl TrafficChange {
    /// The percentage of requests that another host gets, at least.
    #[must_use]
    pub fn moved(&self) -> f64 {
        self.flows.iter().fold(0.0, |sum, flow| sum + flow.moves)
    }
}

/// Flows below this are rounding.
const ROUNDING: f64 = 1e-9;

/// The change of the requests to a cluster with these subset criteria. `None` for an unknown cluster.
#[must_use]
pub fn traffic_change(
    before: (&Snapshot, ClusterId),
    after: (&Snapshot, ClusterId),
    criteria: &Metadata,
    owner: TrafficOwner,
) -> Option<TrafficChange> {
    let mut old = Owners::of(before, criteria, owner)?;
    let mut new = Owners::of(after, criteria, owner)?;
    if old.no_host + new.no_host > ROUNDING {
        old.add_no_host();
        new.add_no_host();
    }
    let mut flows = Flows::default();
    // First what stays at its host with its owner, then what stays at a host with another owner.
    for (address, parts) in &mut old.hosts {
        let Some(own) = new.hosts.get_mut(address) else {
            continue;
        };
        for (from, share) in parts.iter_mut() {
            let name = old.shares.get(*from).map(|owner| &owner.name);
            let same =
                |(to, _): &&mut (usize, f64)| new.shares.get(*to).map(|owner| &owner.name) == name;
            if let Some((to, room)) = own.iter_mut().find(same) {
                let stays = share.min(*room);
                flows.at(*from, *to).0 += stays;
                *share -= stays;
                *room -= stays;
            }
        }
        let (left, room) = (sum(parts), sum(own));
        let largest = left.max(room);
        if left.min(room) > ROUNDING {
            for (from, share) in parts.iter() {
                for (to, room) in own.iter() {
                    flows.at(*from, *to).0 += share * room / largest;
                }
            }
            scale(parts, 1.0 - left.min(room) / left);
            scale(own, 1.0 - left.min(room) / room);
        }
    }
    let (losses, gains) = (old.left(), new.left());
    let all: f64 = gains.values().sum();
    for (from, loss) in &losses {
        for (to, gain) in &gains {
            if all > ROUNDING {
                flows.at(*from, *to).1 += loss * gain / all;
            }
        }
    }
    Some(TrafficChange {
        before: old.shares,
        after: new.shares,
        flows: flows.found(),
    })
}

/// The requests of one side by owner and host.
struct Owners {
    shares: Vec<OwnerShare>,
    /// The owners of a host with their parts; a host can be in several priorities. Without an address, no host.
    hosts: BTreeMap<Option<String>, Vec<(usize, f64)>>,
    no_host: f64,
}

impl Owners {
    fn of(
        (snapshot, cluster): (&Snapshot, ClusterId),
        criteria: &Metadata,
        owner: TrafficOwner,
    ) -> Option<Self> {
        snapshot.cluster(cluster)?;
        let distribution = snapshot.distribution_for(cluster, criteria, None);
        let mut parts = Vec::new();
        for share in distribution.shares {
            let of = placed(snapshot, cluster, share)?;
            let name = match owner {
                TrafficOwner::Priority => of.priority,
                TrafficOwner::Locality => of.locality,
            };
            parts.push((name, of.address.to_owned(), of.share));
        }
        let mut names = match owner {
            TrafficOwner::Priority => {
                LoadState::of(snapshot, cluster, criteria).names(snapshot, cluster)
            }
            TrafficOwner::Locality => Vec::new(),
        };
        if owner == TrafficOwner::Locality {
            names.extend(parts.iter().map(|(name, ..)| name.clone()));
            names.sort();
        }
        let mut found = Self {
            shares: Vec::new(),
            hosts: BTreeMap::new(),
            no_host: distribution.no_host,
        };
        for name in names {
            found.place(name);
        }
        for (name, address, share) in parts {
            let place = found.place(name);
            found.add(place, Some(address), share);
        }
        Some(found)
    }

    /// The place of an owner; a new one is the last.
    fn place(&mut self, name: String) -> usize {
        let name = Some(name);
        let known = self.shares.iter().position(|owner| owner.name == name);
        known.unwrap_or_else(|| {
            self.shares.push(OwnerShare { name, share: 0.0 });
            self.shares.len() - 1
        })
    }

    fn add(&mut self, owner: usize, address: Option<String>, share: f64) {
        if let Some(of) = self.shares.get_mut(owner) {
            of.share += share;
        }
        let parts = self.hosts.entry(address).or_default();
        match parts.iter_mut().find(|(known, _)| *known == owner) {
            Some((_, part)) => *part += share,
            None => parts.push((owner, share)),
        }
    }

    fn add_no_host(&mut self) {
        self.shares.push(OwnerShare {
            name: None,
            share: 0.0,
        });
        self.add(self.shares.len() - 1, None, self.no_host);
    }

    /// What did not stay, by owner.
    fn left(&self) -> BTreeMap<usize, f64> {
        let mut left = BTreeMap::new();
        for (owner, part) in self.hosts.values().flatten() {
            if *part > ROUNDING {
                *left.entry(*owner).or_insert(0.0) += part;
            }
        }
        left
    }
}

fn sum(parts: &[(usize, f64)]) -> f64 {
    parts.iter().fold(0.0, |sum, (_, part)| sum + part)
}

fn scale(parts: &mut [(usize, f64)], factor: f64) {
    for (_, part) in parts {
        *part *= factor;
    }
}

/// What stays and what moves, by the places of both owners.
#[derive(Default)]
struct Flows(BTreeMap<(usize, usize), (f64, f64)>);

impl Flows {
    fn at(&mut self, from: usize, to: usize) -> &mut (f64, f64) {
        self.0.entry((from, to)).or_default()
    }

    fn found(self) -> Vec<TrafficFlow> {
        let flows = self.0.into_iter();
        let all = flows.map(|((from, to), (stays, moves))| TrafficFlow {
            from,
            to,
            stays,
            moves,
        });
        all.filter(|flow| flow.stays + flow.moves > ROUNDING)
            .collect()
    }
}
