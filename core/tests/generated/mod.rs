//! Random models: plain clusters of every kind, an aggregate of them, and subset fallback chains.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

use proptest::prelude::*;
use spillgate_core::{
    model::{Metadata, Model},
    snapshot::{HostRef, Snapshot},
};
use spillgate_testkit::models::{Dice, Extent, pair};

/// Up to ten hosts in each of up to two priorities.
pub(crate) const EXTENT: Extent = Extent::few(5);

/// Two clusters, an aggregate of both, and in some cases a local cluster and a chain.
pub(crate) fn clusters() -> impl Strategy<Value = Model> {
    drawn(|dice| {
        if dice.chance(50) {
            pair(dice, 1, EXTENT)
        } else {
            pair(dice, 0, EXTENT)
        }
    })
}

/// As [`clusters`], always with a chain.
pub(crate) fn chained_clusters() -> impl Strategy<Value = Model> {
    drawn(|dice| pair(dice, 1, EXTENT))
}

/// Values for a few keys that hosts and selectors use too.
pub(crate) fn metadata() -> impl Strategy<Value = Metadata> {
    drawn(|dice| dice.metadata(EXTENT))
}

/// A random value from a seed, without shrinking.
fn drawn<T: std::fmt::Debug>(draw: impl Fn(&mut Dice) -> T) -> impl Strategy<Value = T> {
    any::<u64>()
        .no_shrink()
        .prop_map(move |seed| draw(&mut Dice::new(seed)))
}

pub(crate) fn hosts_of(snapshot: &Snapshot) -> Vec<HostRef> {
    let mut hosts = Vec::new();
    for (cluster, _) in snapshot.clusters() {
        if let Some(plain) = snapshot.plain(cluster) {
            for (number, priority) in plain.priorities.iter().enumerate() {
                hosts.extend((0..priority.len()).map(|host| HostRef {
                    cluster,
                    priority: number,
                    host,
                }));
            }
        }
    }
    hosts
}
