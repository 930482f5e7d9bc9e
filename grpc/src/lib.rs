//! gRPC's way with sessions, failover and outliers: the functions of gRFC A75 and its relatives.
//!
//! Nothing here connects, waits or draws: events, times and draws are arguments, and what there is
//! to do comes back. Where released gRPC differs from the texts, the better of the two is built;
//! `docs/grpc.md` lists every difference.
//!
//! - **A37, A74, A75** ([`aggregate`]): an aggregate cluster is the list of its leaves, each with a
//!   balancer of its own; missing ones are skipped, and each root is by itself.
//! - **A56, A115** ([`priority`]): of a list of children, priorities or leaves, the first that connects
//!   in time serves; the others are kept for a while.
//! - **A75, A55, A61** ([`OverrideHosts`]): a session reaches its host in whatever priority it stands,
//!   and keeps its connection while it is in use. `pick` is the picker, `sweep` closes what is idle.
//! - **A75** ([`idle_timeout()`]): how long that is, from the CDS resource.
//! - **A55, A60** ([`GrpcSessionCookie`]): the cookie, which names host and cluster.
//! - **A50, A61, A91** ([`OutlierDetector`]): endpoints that fail more than others get no new
//!   requests for a time; each has one state above all priorities.
//!
//! A host that moved to the next priority keeps its session, while other requests stay in the first:
//!
//! ```
//! use spillgate_core::model::HealthStatus;
//! use spillgate_grpc::{
//!     ChildPick, Connectivity, DEFAULT_STATUSES, GrpcEndpoint, GrpcSessionCookie, OverrideHosts, Pick,
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
//! // Both priorities of the cluster; the child policy has connected the first one's only host.
//! let mut hosts = OverrideHosts::new(DEFAULT_STATUSES, 3_600_000);
//! hosts.update(0, &[endpoint("10.0.0.1:80"), endpoint("10.0.0.2:80")]);
//! hosts.child_created("10.0.0.1:80");
//! hosts.set_state("10.0.0.1:80", Connectivity::Ready);
//! let child = || ChildPick::Complete("10.0.0.1:80".into());
//!
//! // The session's host is connected on demand, and then serves.
//! let picked = hosts.pick(10, Some(&request.address_list), child);
//! assert_eq!(picked, Pick::Queue(Wait::Create("10.0.0.2:80".into())));
//! assert!(hosts.create(10, "10.0.0.2:80"));
//! hosts.set_state("10.0.0.2:80", Connectivity::Ready);
//! let Pick::Override { address, address_list } = hosts.pick(12, Some(&request.address_list), child) else {
//!     panic!("the session moved");
//! };
//! assert_eq!(address, "10.0.0.2:80");
//! assert_eq!(cookie.emit(&request.address_list, &address_list, "shop", false), None);
//!
//! // An hour without use later the connection is closed.
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

pub use connectivity::Connectivity;
pub use cookie::{GrpcSessionCookie, GrpcSessionCookieFault, GrpcSessionRequest};
pub use idle_timeout::{
    HttpProtocolOptions, IdleTimeout, UpstreamConfig, UpstreamConfigFault, idle_timeout,
};
pub use outlier::{CallCounts, OutlierHost, OutlierSweep, outlier_sweep};
pub use outlier_config::{
    FailurePercentage, GrpcOutlierDetection, OutlierReading, OutlierSettings, SuccessRate,
};
pub use outlier_detector::OutlierDetector;
pub use override_host::{ChildPick, Pick, Wait};
pub use ownership::{
    AddressEntry, DEFAULT_STATUSES, GrpcEndpoint, LEAST_WAIT_MS, OverrideHosts, Owner, Released,
    Subchannel, known_statuses,
};
pub use proto_duration::{DurationField, ProtoDuration};
