//! Session affinity, failover and outlier detection of gRPC (gRFC A75 and related ones).
//!
//! The functions perform no input or output: events, times and random numbers are arguments, and the
//! results are actions. If released gRPC differs from its gRFCs, this crate implements the better
//! behavior; `docs/grpc.md` lists every difference.
//!
//! - **A37, A74, A75** ([`aggregate`]): an aggregate cluster is the list of its leaves, each with its
//!   own load-balancing policy. Missing leaves are skipped, and roots are independent.
//! - **A56, A115** ([`priority`]): the first child (priority or leaf) that connects in time gets the
//!   requests; the other children are kept for a while.
//! - **A75, A55, A61** ([`OverrideHosts`]): a session reaches its host in any priority, and its
//!   connection stays open while it is used. `pick` is the picker, `sweep` closes idle connections.
//! - **A75** ([`idle_timeout()`]): the idle timeout in the CDS resource.
//! - **A55, A60** ([`GrpcSessionCookie`]): the session cookie, which names host and cluster.
//! - **A27, A42, A52, A58** ([`shares`]): which host gets which part of the requests of a cluster.
//! - **A50, A61, A91** ([`OutlierDetector`]): endpoints that fail more often than others are
//!   ejected for a time. Each endpoint has one state for all priorities.
//!
//! A host that moved to the next priority keeps its session, while other requests use the first one:
//!
//! ```
//! use spillgate_core::model::HealthStatus;
//! use spillgate_grpc::{
//!     ChildPick, Connectivity, DEFAULT_STATUSES, GrpcEndpoint, GrpcSessionCookie, OverrideHosts, OverrideHostPick,
//!     Wait,
//! };
//!
//! let endpoint = |address: &str| GrpcEndpoint {
//!     addresses: vec![address.into()],
//!     health: HealthStatus::Healthy,
//! };
//! let cookie = GrpcSessionCookie::new("sess", "", None).unwrap();
//! let request = cookie.parse(["sess=MTAuMC4wLjI6ODA7c2hvcA=="], 0);
//! assert_eq!(request.address_list, "10.0.0.2:80");
//! assert_eq!(request.cluster_to_use(&["shop"], "shop"), ("shop", false));
//!
//! // The hosts of both priorities; the child policy has connected the host of P0.
//! let mut hosts = OverrideHosts::new(DEFAULT_STATUSES, 3_600_000);
//! hosts.update(0, &[endpoint("10.0.0.1:80"), endpoint("10.0.0.2:80")]);
//! hosts.child_created("10.0.0.1:80");
//! hosts.set_state("10.0.0.1:80", Connectivity::Ready);
//! let child = || ChildPick::Complete("10.0.0.1:80".into());
//!
//! // The host of the session is connected on demand, then serves the request.
//! let picked = hosts.pick(10, Some(&request.address_list), child);
//! assert_eq!(picked, OverrideHostPick::Queue(Wait::Create("10.0.0.2:80".into())));
//! assert!(hosts.create(10, "10.0.0.2:80"));
//! hosts.set_state("10.0.0.2:80", Connectivity::Ready);
//! let OverrideHostPick::Override { address, address_list } = hosts.pick(12, Some(&request.address_list), child) else {
//!     panic!("the session moved");
//! };
//! assert_eq!(address, "10.0.0.2:80");
//! assert_eq!(cookie.emit(&request.address_list, &address_list, "shop", false), None);
//!
//! // After an hour without use, the connection is closed.
//! assert_eq!(hosts.due(), Some(3_600_000));
//! assert!(hosts.sweep(3_600_000).is_empty());
//! assert_eq!(hosts.sweep(hosts.due().unwrap()), ["10.0.0.2:80"]);
//! ```
#![no_std]
#![forbid(unsafe_code)]
#![warn(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::alloc_instead_of_core
)]

extern crate alloc;

pub mod aggregate;
mod connectivity;
mod cookie;
mod idle_timeout;
mod outlier;
mod outlier_config;
mod outlier_detector;
mod override_host;
mod ownership;
pub mod priority;
mod proto_duration;
pub mod shares;

pub use connectivity::Connectivity;
pub use cookie::{GrpcSessionCookie, GrpcSessionCookieFault, GrpcSessionRequest};
pub use idle_timeout::{
    HttpProtocolOptions, IdleTimeout, UpstreamConfig, UpstreamConfigFault, idle_timeout,
};
pub use outlier::{CallCounts, CallResult, OutlierHost, OutlierSweep, outlier_sweep};
pub use outlier_config::{
    FailurePercentage, GrpcOutlierDetection, OutlierReading, OutlierSettings, SuccessRate,
};
pub use outlier_detector::OutlierDetector;
pub use override_host::{ChildPick, OverrideHostPick, Wait};
pub use ownership::{
    AddressEntry, DEFAULT_STATUSES, GrpcEndpoint, LEAST_WAIT_MS, OverrideHosts, Owner, Released,
    Subchannel, known_statuses,
};
pub use proto_duration::{DurationField, ProtoDuration};
