//! Hosts of a ring with the same hash key.

use alloc::format;

use spillgate_core::{
    model::{PlainCluster, Policy},
    names::Names,
};

use crate::{
    envoy::marks::ClusterMarks,
    node::quote,
    proto::{Path, Report},
};

/// Names hosts with equal entries of a ring: Envoy does not define their order.
pub(super) fn limit_equal_keys(
    plain: &PlainCluster,
    marks: &ClusterMarks,
    path: &Path,
    report: &mut Report,
) {
    if !matches!(plain.policy, Policy::RingHash(_)) {
        return;
    }
    for priority in &plain.priorities {
        let mut keys = Names::default();
        let mut hosts = priority.endpoints.iter().enumerate();
        if let Some(key) = hosts.find_map(|(at, host)| {
            let key = host.hash_key.as_deref().unwrap_or(&host.address);
            let other = priority.endpoints.get(keys.insert(key, at)?)?;
            (other.address != host.address).then_some(key)
        }) {
            let effect = format!(
                "several hosts have the hash key {}; which of them a ring chooses is not modeled",
                quote(key)
            );
            report.limit("config/not-modeled", effect, path, marks.cluster);
            return;
        }
    }
}
