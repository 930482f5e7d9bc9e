//! The hosts that `/clusters` of Envoy's admin reports, as text or JSON, applied to a
//! configuration.
//!
//! A configuration lists the intended hosts; a running Envoy knows the actual hosts, their order
//! and their health. [`read`] parses the response. [`lay_over`] takes membership, health, weights,
//! priorities, localities and resolved addresses from it. Data that `/clusters` omits (metadata,
//! locality weights, policies) stays as configured.
//!
//! The text format is read line by line without copies, so that a proxy can read it often.

mod json;
mod live;
mod observed_health;
mod overlay;
mod published;
mod read;

pub use crate::envoy::running::{
    ClusterStatus, HostLocality, HostStatus, HostTotals, Reported, ReportedParts, read_reported,
    read_text,
};
pub use live::LiveHosts;
pub use observed_health::lay_over_health;
pub use overlay::lay_over;
pub use published::{Published, PublishedParts};
pub use read::read;
