//! The Spillgate engine: reproduces Envoy's load-balancing decisions and explains them.
//!
//! The crate is a set of pure functions. It reads no clock and no random numbers, does no I/O and
//! writes no logs; random draws, times and host statistics are arguments. It is `no_std` and runs
//! in the Wasm filter, in the browser and in the CLI. Where Envoy 1.40 is deterministic, the engine
//! chooses the same host; where Envoy draws a random number, the engine has the same distribution.
//!
//! The path of a request:
//!
//! 1. [`model`]: a [`Model`](model::Model) is the checked configuration.
//! 2. [`snapshot`]: [`Snapshot::build`](snapshot::Snapshot::build) compiles it into immutable
//!    tables; [`Snapshot::with_health`](snapshot::Snapshot::with_health) changes host health.
//! 3. [`route`]: a [`RouteTable`](route::RouteTable) selects the cluster, the criteria and the hash
//!    policies.
//! 4. [`decide`]: [`decide`](decide::decide) chooses a host for one request.
//! 5. [`shares`]: [`Snapshot::distribution`](snapshot::Snapshot::distribution) returns the exact
//!    share of each host over many requests.
//! 6. [`why`]: explains a share down to the settings and host counts.
//!
//! The rules themselves are in [`load`] (priorities, panic mode, zones), [`subset`], [`pick`]
//! (policies) and [`plan`] (their order). [`affinity`] adds sealed session tokens, an extension of
//! Spillgate.
//!
//! # Examples
//! P0 has lost half of its hosts, so 30 percent of the requests go to P1.
//! ```
//! use spillgate_core::{model::*, snapshot::Snapshot};
//!
//! let unhealthy = Endpoint {
//!     health: Health::from_status(HealthStatus::Unhealthy),
//!     ..Endpoint::new("10.0.0.2:80")
//! };
//! let shop = PlainCluster {
//!     priorities: vec![
//!         Priority::single_locality(vec![Endpoint::new("10.0.0.1:80"), unhealthy]),
//!         Priority::single_locality(vec![Endpoint::new("10.0.1.1:80")]),
//!     ],
//!     ..PlainCluster::default()
//! };
//! let snapshot = Snapshot::build(&Model::new(vec![Cluster::plain("shop", shop)]).unwrap());
//! let shop = snapshot.cluster_id("shop").unwrap();
//! let shares = snapshot.distribution(shop, None).shares;
//! let shares: Vec<_> = shares.iter().map(|share| (share.priority, share.share)).collect();
//! assert_eq!(shares, [(0, 70.0), (1, 30.0)]);
//! ```
#![no_std]
#![forbid(unsafe_code)]
#![warn(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::alloc_instead_of_core
)]

extern crate alloc;

pub mod affinity;
pub mod decide;
pub mod decimal;
pub mod draw;
pub mod duration;
pub mod hash;
pub mod inspect;
pub mod json;
pub mod load;
pub mod model;
pub mod names;
pub mod order;
pub mod pick;
pub mod plan;
pub mod proto;
pub mod request;
pub mod route;
pub mod shares;
pub mod snapshot;
pub mod subset;
pub mod trace;
pub mod visible;
pub mod why;
