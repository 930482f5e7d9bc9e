//! Which namespaces use a resource (`exportTo`).

use alloc::{collections::BTreeSet, string::String};

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
    match namespace.is_empty() {
        true => "default",
        false => namespace,
    }
}
