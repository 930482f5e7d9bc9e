//! Reasons why a difference can be no error of the model, and why a difference can be missed.

use super::{comparison::Comparison, model::PredictedModel};

/// Below this number, only large differences are visible.
const FEW: u64 = 1_000;

/// The notes about a comparison, one sentence each.
pub(super) fn notes(
    model: &PredictedModel,
    comparison: &Comparison,
    keys: Option<u64>,
) -> Vec<String> {
    let mut notes = Vec::new();
    let with_requests = comparison
        .clusters
        .iter()
        .filter(|cluster| cluster.requests > 0);
    let names: Vec<String> = with_requests
        .clone()
        .map(|cluster| cluster.name.clone())
        .collect();
    if names.is_empty() {
        notes.push("Envoy counted no requests, so nothing was compared. Send requests during the interval.".into());
        return notes;
    }
    for cluster in with_requests
        .clone()
        .filter(|cluster| cluster.requests < FEW)
    {
        let widths = cluster
            .shares()
            .filter_map(|share| share.band.map(|band| band.high - band.low));
        let widest = widths.fold(0.0, f64::max) / 2.0;
        notes.push(format!(
            "{}: {} requests are a small sample: differences below {:.1} percentage points are not visible. \
             Use a longer --interval or more requests.",
            cluster.name,
            cluster.requests,
            widest * 100.0
        ));
    }
    let hashing = model.hashing(&names);
    if !hashing.is_empty() && keys.is_none() {
        notes.push(format!(
            "Requests with one hash key or session reach one host and count as one choice (policy with hashes: {}). \
             If there are fewer keys than requests, state their number with --keys.",
            hashing.join(", ")
        ));
    }
    for cluster in with_requests {
        if !cluster.agrees() {
            notes.push(format!(
                "{}: retries, sessions, subset criteria (--criteria) and routes to a member of an aggregate change \
                 shares too.",
                cluster.name
            ));
        }
        if cluster.no_host > 0.0 {
            notes.push(format!(
                "{}: {:.1} % of the requests are predicted to find no host. No host counts them.",
                cluster.name, cluster.no_host
            ));
        }
    }
    notes
}
