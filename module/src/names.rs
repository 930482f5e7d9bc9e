//! The names of our entries in the metadata of routes and requests.

/// The namespace of our settings in the metadata of a route, and of our decisions in those of a request.
pub(crate) use spillgate_core::route::CHOICE_NAMESPACE as NAMESPACE;
/// The key of the host list, for `override_host`.
pub(crate) use spillgate_core::route::CHOSEN_HOSTS_KEY as HOSTS;

/// The key of the cluster, for the cluster specifier.
pub(crate) const CLUSTER: &str = "cluster";
/// The key of the cluster of later attempts: the number of attempts before it, a space, its name.
pub(crate) const NEXT_CLUSTER: &str = "next_cluster";
