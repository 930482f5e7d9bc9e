//! Bounds on the subsets of a cluster: how many are looked for, and how many lists make.

use alloc::format;

use spillgate_core::model::{PlainCluster, SubsetSelector, Value};

use crate::{
    Diagnostic,
    envoy::marks::ClusterMarks,
    proto::{Path, Report},
};

/// The most pairs of a host and a selector in a cluster; each pair is looked at when subsets are
/// made.
const MAXIMUM_PAIRS: usize = 100_000_000;
/// The most subsets of one selector that a host can be in under `list_as_any`. Lists multiply;
/// Envoy knows no limit and runs out of memory instead.
const MAXIMUM_SUBSETS_OF_HOST: usize = 4096;
/// The most that all hosts of a cluster can be in through lists, together.
const MAXIMUM_SUBSETS_OF_CLUSTER: usize = 1_000_000;

/// Reports a cluster with more subsets than anybody can wait for.
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
        let fault = "too many endpoints and selectors together";
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
                Diagnostic::error(
                    "config/too-large",
                    "lists in the metadata of the endpoints make too many subsets",
                )
                .at(path.text(), mark.map(|mark| mark.endpoint))
                .expected(format!(
                    "at most {MAXIMUM_SUBSETS_OF_HOST} for a host and a selector, \
                         {MAXIMUM_SUBSETS_OF_CLUSTER} for the cluster"
                ))
                .push_to(report);
                return;
            }
        }
    }
}

/// In how many subsets of a selector these metadata are.
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
