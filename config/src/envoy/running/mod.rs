//! Run-time hosts: what a running Envoy reports about a cluster, and a configured cluster with these
//! hosts.

mod matching;
mod message;
mod priorities;
mod replace;
mod settled;
mod status;

pub(crate) use message::read_status;
pub(crate) use priorities::{HostPlace, Priorities, health_of};
pub(crate) use replace::replace_hosts;
pub(crate) use settled::{has_hosts, settle};
pub(crate) use status::MAXIMUM_PRIORITY;
pub use status::{ClusterStatus, HostLocality, HostStatus};
