//! Limits for the subsets of a cluster.

use alloc::format;

use spillgate_core::model::{PlainCluster, SubsetSelector, Value};

use crate::{
    Diagnostic,
    envoy::marks::ClusterMarks,
    proto::{Path, Report},
};

/// Maximum pairs of a host and a selector in a cluster; building subsets visits each pair.
const MAXIMUM_PAIRS: usize = 100_000_000;
/// Maximum subsets of one selector per host under `list_as_any`. Lists multiply; Envoy has no limit
/// and runs out of memory.
const MAXIMUM_SUBSETS_OF_HOST: usize = 4096;
/// Maximum memberships through lists of all hosts of a cluster.
const MAXIMUM_SUBSETS_OF_CLUSTER: usize = 1_000_000;

/// Reports a cluster with too many subsets.
pub(super) fn check_memberships(
    plain: &PlainCluster,
    path: &Path,
    marks: &ClusterMarks,
    report: &mut Report,
) {
    let Some(subsets) = &plain.subsets else {
        return;
    };
    let hosts: usize = plain
        .priorities
        .iter()
        .map(|priority| priority.endpoints.len())
        .sum();
    let pairs = hosts.saturating_mul(subsets.selectors.len());
    if pairs > MAXIMUM_PAIRS {
        let fault = "too many endpoint-selector pairs";
        Diagnostic::error("config/too-large", fault)
            .at(path.text(), marks.subset)
            .found(format!(
                "{hosts} endpoints, {} selectors",
                subsets.selectors.len()
            ))
            .expected(format!("at most {MAXIMUM_PAIRS} pairs"))
            .push_to(report);
        return;
    }
    if !subsets.list_as_any {
        return;
    }
    let mut total: usize = 0;
    for (number, priority) in plain.priorities.iter().enumerate() {
        for (index, endpoint) in priority.endpoints.iter().enumerate() {
            let mut fields = endpoint.metadata.fields().iter();
            if !fields.any(|field| matches!(field.value, Value::List(_))) {
                continue;
            }
            let mut too_many = false;
            for selector in &subsets.selectors {
                let count = subsets_of(&endpoint.metadata, selector);
                too_many |= count > MAXIMUM_SUBSETS_OF_HOST;
                total = total.saturating_add(count);
            }
            if too_many || total > MAXIMUM_SUBSETS_OF_CLUSTER {
                let mark = marks
                    .priorities
                    .get(number)
                    .and_then(|priority| priority.get(index));
                Diagnostic::error("config/too-large", "metadata lists create too many subsets")
                    .at(path.text(), mark.map(|mark| mark.endpoint))
                    .expected(format!(
                        "at most {MAXIMUM_SUBSETS_OF_HOST} per host and selector, \
                         {MAXIMUM_SUBSETS_OF_CLUSTER} per cluster"
                    ))
                    .push_to(report);
                return;
            }
        }
    }
}

/// The number of subsets of a selector that contain a host with these metadata.
fn subsets_of(metadata: &spillgate_core::model::Metadata, selector: &SubsetSelector) -> usize {
    let mut count: usize = 1;
    for key in selector.keys() {
        count = count.saturating_mul(match metadata.get(key) {
            None => 0,
            Some(Value::List(values)) => values.len(),
            Some(_) => 1,
        });
    }
    count
}
