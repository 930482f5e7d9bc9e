//! Run-time hosts: what a running Envoy reports about a cluster, and a configured cluster with these
//! hosts.

mod flags;
mod lines;
mod matching;
mod message;
mod priorities;
mod removed;
mod replace;
mod settled;
mod status;
mod text;

pub(crate) use message::read_status;
#[cfg(feature = "yaml")]
pub(super) use message::{CLUSTER_STATUS, HOST_HEALTH_STATUS, HOST_STATUS, SIMPLE_METRIC};
pub(crate) use priorities::{HostPlace, Priorities, health_of};
pub(crate) use removed::removed_hosts;
pub(crate) use replace::replace_hosts;
pub(crate) use settled::{has_hosts, settle, settle_clusters};
pub use status::{ClusterStatus, HostLocality, HostStatus, HostTotals};
#[cfg(feature = "yaml")]
pub(crate) use text::is_clusters_text;
pub use text::{Reported, ReportedParts, read_reported, read_text};
