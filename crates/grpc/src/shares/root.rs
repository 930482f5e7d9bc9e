//! The shares in a cluster with its leaves: the first leaf with a usable host gets all requests.

use alloc::{string::String, vec::Vec};

use spillgate_core::model::DropOverload;

use super::LeafShares;
use crate::aggregate::AggregateError;

/// What a client knows of a leaf cluster.
#[derive(Debug, Clone, PartialEq)]
pub enum LeafAnswer {
    /// Its shares.
    Shares {
        /// By priority and host.
        shares: LeafShares,
        /// The requests that it drops first, by its `drop_overloads`.
        drops: DropOverload,
    },
    /// gRPC rejects it (NACK), for this reason: it has no hosts, unless the client keeps an earlier
    /// version of it.
    Rejected(String),
    /// Its shares are not known, for this reason.
    Unknown(String),
}

/// Which leaf of a cluster serves.
#[derive(Debug, Clone, PartialEq)]
pub enum RootShares {
    /// A leaf serves all requests, by its place; the others get nothing.
    Leaf(usize),
    /// No leaf has a usable host, so that all requests fail.
    NoHost,
    /// The cluster is unusable, so that all requests fail.
    Failed(AggregateError),
    /// gRPC rejects its only leaf (NACK).
    Rejected(String),
    /// Not known, for this reason.
    Unknown(String),
}

impl RootShares {
    /// The leaf that serves a cluster with these leaves. `is_leaf` says whether the cluster is itself
    /// its only leaf; an aggregate passes over rejected leaves (A74).
    #[must_use]
    pub fn of(leaves: &[&LeafAnswer], is_leaf: bool) -> Self {
        let mut rejected: Vec<&String> = Vec::new();
        for (place, leaf) in leaves.iter().enumerate() {
            match leaf {
                LeafAnswer::Shares { shares, .. } if shares.used.is_some() => {
                    return Self::Leaf(place);
                }
                LeafAnswer::Shares { .. } => {}
                LeafAnswer::Rejected(why) => rejected.push(why),
                LeafAnswer::Unknown(why) => return Self::Unknown(why.clone()),
            }
        }
        match rejected.first() {
            Some(why) if is_leaf => Self::Rejected((*why).clone()),
            _ => Self::NoHost,
        }
    }
}
