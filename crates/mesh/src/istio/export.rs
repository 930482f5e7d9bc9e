//! Namespaces: which ones use a resource (`exportTo`), and which one a short host name is in.

use alloc::{collections::BTreeSet, format, string::String};

/// Whether proxies in a namespace use a resource of the namespace `own`: `to` has names, `.` for the
/// own namespace, `*` for all; empty means all.
pub(super) fn is_exported(to: &BTreeSet<String>, own: &str, namespace: &str) -> bool {
    let (own, namespace) = (or_default(own), or_default(namespace));
    to.is_empty()
        || to.contains("*")
        || to.contains(namespace)
        || (to.contains(".") && own == namespace)
}

/// A namespace; an empty one means `default`.
pub(super) fn or_default(namespace: &str) -> &str {
    if namespace.is_empty() {
        "default"
    } else {
        namespace
    }
}

/// The domain of the hosts of Kubernetes services.
pub const KUBE_DOMAIN: &str = ".svc.cluster.local";

/// The host of a Kubernetes service.
#[must_use]
pub fn kube_host(name: &str, namespace: &str) -> String {
    format!("{name}.{}{KUBE_DOMAIN}", or_default(namespace))
}

/// A host as Istio reads it: a name without dots is a Kubernetes service in the namespace of the
/// document. A wildcard stays as it is.
#[must_use]
pub fn full_host(host: &str, namespace: &str) -> String {
    if host.contains('.') || host.starts_with('*') {
        host.into()
    } else {
        kube_host(host, namespace)
    }
}
