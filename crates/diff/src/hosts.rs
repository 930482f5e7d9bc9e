//! The hosts of a cluster that differ.

use std::collections::BTreeMap;

use spillgate_config::secret_metadata::without_secrets;
use spillgate_core::model::{Endpoint, Health, Locality, PlainCluster};

use crate::{HostsDiff, report::HostDiff, settings::Settings};

/// A host with its place.
struct Placed<'m> {
    endpoint: &'m Endpoint,
    priority: usize,
    locality: Option<&'m Locality>,
    locality_weight: Option<u32>,
}

/// The hosts of two clusters that differ. Hosts of one address are compared in their order.
pub(crate) fn diff(before: &PlainCluster, after: &PlainCluster) -> HostsDiff {
    let (old, new) = (by_address(before), by_address(after));
    let mut found = HostsDiff::default();
    for (address, hosts) in &new {
        let earlier = old.get(address).map_or(&[][..], Vec::as_slice);
        let more = hosts.len().saturating_sub(earlier.len());
        found
            .added
            .extend(std::iter::repeat_n((*address).to_owned(), more));
        for (before, after) in earlier.iter().zip(hosts) {
            let settings = changes(before, after);
            if !settings.is_empty() {
                found.changed.push(HostDiff {
                    address: (*address).to_owned(),
                    settings,
                });
            }
        }
    }
    for (address, hosts) in &old {
        let later = new.get(address).map_or(0, Vec::len);
        let fewer = hosts.len().saturating_sub(later);
        found
            .removed
            .extend(std::iter::repeat_n((*address).to_owned(), fewer));
    }
    found.reordered = found.is_empty() && before.priorities != after.priorities;
    found
}

fn by_address(plain: &PlainCluster) -> BTreeMap<&str, Vec<Placed<'_>>> {
    let mut found: BTreeMap<&str, Vec<Placed<'_>>> = BTreeMap::new();
    for (number, priority) in plain.priorities.iter().enumerate() {
        for endpoint in &priority.endpoints {
            let locality = priority.localities.get(endpoint.locality);
            found.entry(&endpoint.address).or_default().push(Placed {
                endpoint,
                priority: number,
                locality: locality.map(|locality| &locality.locality),
                locality_weight: locality.and_then(|locality| locality.weight),
            });
        }
    }
    found
}

/// What differs of a host.
fn changes(before: &Placed<'_>, after: &Placed<'_>) -> Vec<crate::SettingDiff> {
    let mut found = Settings::default();
    let priority = |of: &Placed<'_>| format!("P{}", of.priority);
    found.text("priority", priority(before), priority(after));
    let locality = |of: &Placed<'_>| of.locality.map_or_else(String::new, Locality::to_string);
    found.text("locality", locality(before), locality(after));
    let weight = |of: &Placed<'_>| of.locality_weight.map_or("none".into(), |w| w.to_string());
    found.text("locality weight", weight(before), weight(after));
    let weight = |of: &Placed<'_>| of.endpoint.weight.get().to_string();
    found.text("load_balancing_weight", weight(before), weight(after));
    let status = |of: &Placed<'_>| health(of.endpoint.health);
    found.text("health_status", status(before), status(after));
    let key = |of: &Placed<'_>| of.endpoint.hash_key().to_owned();
    found.text("hash_key", key(before), key(after));
    found.value(
        "metadata",
        &before.endpoint.metadata,
        &after.endpoint.metadata,
        |metadata| without_secrets(metadata).to_string(),
    );
    let reported = |of: &Placed<'_>| {
        let reported = of.endpoint.reported_weight;
        reported.map_or("none".into(), |weight| weight.to_string())
    };
    found.text("reported weight", reported(before), reported(after));
    found.found()
}

/// The EDS status with Envoy's flags.
fn health(health: Health) -> String {
    let mut text = String::from(health.status.name());
    for flag in health.flags.names() {
        text.push(' ');
        text.push_str(flag);
    }
    text
}
