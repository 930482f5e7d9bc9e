//! `Cluster`: host discovery, and checks across clusters.

mod assignment;
#[cfg(feature = "yaml")]
mod circuit_breakers;
#[cfg(feature = "yaml")]
mod composite;
mod equal_keys;
mod membership;
mod name_check;
mod options;
mod original_dst;
mod read;
mod read_headers;
mod runtime;
mod signals;
mod stated;

pub use name_check::read_model;
pub(crate) use name_check::{build_model, members_exist};
pub(crate) use original_dst::DEFAULT_ORIGINAL_DST_HEADER;
pub(crate) use read::{ReadCluster, check_assignment_name, lone_assignment, read_cluster};
pub(crate) use read_headers::read_headers;
