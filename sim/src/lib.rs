//! What the loss of hosts does to a cluster: what spills, panics and fails, and when.
//!
//! Every figure comes from the engine's own snapshots and distributions; nothing is sampled or
//! estimated. What is exact because it tries every case says so: a sweep loses each number of
//! hosts in turn. The crate reads no clock and no randomness and prints nothing.
//!
//! A [`Scene`] is a cluster and the requests for it. [`Loss`]es name hosts, [`Scene::what_if`]
//! says what becomes of the cluster without them, and [`Expectation`]s hold that against a
//! promise.
//!
//! With the feature `world`, `world` simulates what becomes of sessions while hosts come and go, and
//! `scenario` reads what is simulated.
#![no_std]
#![forbid(unsafe_code)]
#![warn(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::alloc_instead_of_core
)]

extern crate alloc;

mod criteria;
mod expect;
mod fault;
mod keys;
mod loss;
mod overload;
mod scene;
mod what_if;
mod zones;

#[cfg(feature = "world")]
pub mod scenario;
#[cfg(feature = "world")]
pub mod world;

pub use criteria::criteria;
pub use expect::{Checked, Expectation};
pub use fault::SpecFault;
pub use loss::{Amount, Loss, Selector};
pub use overload::{Overload, overload};
pub use scene::Scene;
pub use spillgate_explain::report::{Effect, Knee, LoadState, knees};
pub use what_if::WhatIf;
pub use zones::{STEPS, Zone, ZoneCell, ZoneFailure};
