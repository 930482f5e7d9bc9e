//! The names of our entries in the metadata of routes and requests.

/// The namespace of our settings in the metadata of a route, and of our decisions in those of a request.
pub(crate) const NAMESPACE: &str = "spillgate";
/// The key of the host list, for `override_host`.
pub(crate) const HOSTS: &str = "host";
/// The key of the cluster, for the cluster specifier.
pub(crate) const CLUSTER: &str = "cluster";
