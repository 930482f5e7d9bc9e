//! Locality policies of service meshes: from a policy, a proxy and its endpoints to the priority
//! groups that Envoy receives.
//!
//! - [`kuma`]: MeshLoadBalancingStrategy, as the released code applies it or as its decision record
//!   describes it ([`Compat`]).
//! - [`istio`]: `localityLbSetting` of mesh, service and DestinationRule.
//! - [`traffic`]: which zone sends its requests to which zone.
//!
//! The functions perform no input or output. Input types mirror the documents without their text
//! positions: a fault names the path of its field ([`MeshFault::path`]), and the reader of the
//! documents knows the position of each path.
#![no_std]
#![forbid(unsafe_code)]
#![warn(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::alloc_instead_of_core
)]

extern crate alloc;

mod assignment;
mod compat;
mod fault;
mod host;
pub mod istio;
pub mod kuma;
mod model;
mod paths;
pub mod traffic;

pub use assignment::{DropReason, DroppedEndpoint, LocalityGroup, MeshAssignment};
pub use compat::Compat;
pub use fault::{MeshFault, MeshFaultCode, MeshFaultSeverity};
pub use host::MeshHost;
pub use model::{MOST_PRIORITY, plain_cluster, portable};
