//! Clusters of a route split: each destination of a rule has its own load assignment.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use super::{
    KumaEndpoint, KumaLocalityRules, KumaView,
    assign::{Selected, assign},
    reading::Reading,
};
use crate::{Compat, MeshAssignment};

/// The tag with the name of the zone.
const ZONE_TAG: &str = "kuma.io/zone";

/// The positions of the endpoints that have all these tags. `kuma.io/zone` is
/// [`KumaEndpoint::zone`].
#[must_use]
pub fn select_endpoints(endpoints: &[KumaEndpoint], tags: &BTreeMap<String, String>) -> Vec<usize> {
    let has = |endpoint: &KumaEndpoint, key: &str, value: &String| match key {
        ZONE_TAG => endpoint.zone == *value,
        _ => endpoint.tags.get(key) == Some(value),
    };
    let selected = endpoints.iter().enumerate().filter(|(_, endpoint)| {
        let mut tags = tags.iter();
        tags.all(|(key, value)| has(endpoint, key, value))
    });
    selected.map(|(at, _)| at).collect()
}

/// The assignment of one cluster of a split: the policy of the destination applies to the endpoints
/// at these positions alone. If it drops all of them, the cluster keeps its share of the requests
/// and answers 503.
#[must_use]
pub fn split_assignment(
    view: KumaView<'_>,
    rules: Option<&KumaLocalityRules>,
    endpoints: &[KumaEndpoint],
    selected: &[usize],
    compat: Compat,
) -> MeshAssignment {
    let selected = Selected {
        endpoints,
        positions: Some(selected),
    };
    assign(view, rules, selected, Reading::All(compat))
}
