//! The effects of losing hosts: when a cluster spills over, panics, or has no host left.
//!
//! Every figure comes from the engine's own snapshots and exact distributions; nothing is sampled
//! or estimated. A sweep evaluates every number of lost hosts. The crate reads no clock, uses no
//! random numbers and prints nothing.
//!
//! A [`LossModel`] evaluates losses of a cluster, and finds the smallest ones with an
//! effect. A [`Scene`] is a cluster and its requests. A [`Loss`] selects hosts, [`Scene::what_if`]
//! evaluates their loss, and an [`Expectation`] checks the result. An [`Addition`] and a [`Setting`] change
//! the configuration first. [`fleet`] sums the loads of all callers.
//!
//! With the feature `world`, `world` simulates session affinity while hosts change, and `scenario`
//! reads its scenario files.
//!
//! Losses are tried instead of predicted by a formula: truncation, degraded and draining hosts and
//! aggregates would break any. This is cheap: mostly a loss only changes counts ([`LossModel`]);
//! where it needs a snapshot, tables have their minimum size, because loads do not depend on it.
//!
//! Only usable hosts can be lost: healthy ones first, then degraded ones, each class from the end of
//! configuration order. A loss of 40 % of hosts of which some failed earlier is 40 % of the others, so
//! the result is the worst case of its size.
#![no_std]
#![forbid(unsafe_code)]
#![warn(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::alloc_instead_of_core
)]

extern crate alloc;

mod adjust;
mod cluster_index;
mod criteria;
mod expect;
mod fault;
mod keys;
mod loss;
mod loss_model;
mod margins;
mod overload;
mod scene;
mod what_if;
mod zones;

pub mod fleet;
/// Parts of short texts, for crates with expectations of their own.
pub mod spec {
    pub use crate::{
        expect::{Comparison, compared, number},
        fault::Piece,
    };
}
#[cfg(feature = "world")]
pub mod scenario;
#[cfg(feature = "world")]
pub mod world;

pub use adjust::{Addition, LocalityPlace, Setting};
pub use cluster_index::ClusterIndex;
pub use criteria::criteria;
pub use expect::{ChangeExpectation, ChangeFigure, Checked, Expectation, TrafficExpectation};
pub use fault::SpecFault;
pub use loss::{Amount, Loss, Selector};
pub use loss_model::LossModel;
pub use margins::{PriorityLoss, Spillover, ZoneMargin};
pub use overload::{Overload, overload};
pub use scene::{Scene, shrink_table};
pub use spillgate_explain::report::{Effect, LoadState, Onset, onsets};
pub use what_if::WhatIf;
pub use zones::{STEPS, Zone, ZoneCell, ZoneFailure, ZoneLoss};
