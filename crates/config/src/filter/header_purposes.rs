//! Headers of the filter: each has one purpose, and each criteria key has a header if Envoy selects by headers.

use alloc::vec::Vec;

use spillgate_core::{model::ChainHosts, names::Names};

use super::{AffinityConfig, Carrier, Criterion, Output, TraceConfig};
use crate::{
    node::quote,
    proto::{Message, Report},
};

/// Requires different names for headers with different contents. Otherwise one would overwrite the
/// other, and the secret would be dropped as a client's copy.
pub(super) fn check_header_names_differ(
    message: &Message<'_, '_>,
    output: &Output,
    trace: Option<&TraceConfig>,
    affinity: Option<&AffinityConfig>,
    report: &mut Report,
) {
    let carrier = match affinity.map(|affinity| &affinity.carrier) {
        Some(Carrier::Header(name) | Carrier::Envelope(name)) => Some(("affinity", name)),
        Some(Carrier::Cookie(_)) | None => None,
    };
    let mut seen = Names::default();
    let outputs = [&output.host_header, &output.cluster_header];
    let subset = output.subset_headers.iter().map(|(_, header)| header);
    let traced = trace.map(|trace| [&trace.header, &trace.when.header]);
    let written = outputs
        .into_iter()
        .chain(subset)
        .map(|name| ("output", name));
    let traced = traced.into_iter().flatten().map(|name| ("trace", name));
    for (field, name) in written.chain(traced).chain(carrier) {
        if !seen.add(name) {
            let fault = "header has two purposes";
            message
                .error(field, "config/header-name", fault)
                .found(quote(name))
                .expected("different names in output, trace.header, trace.when.header and affinity")
                .push_to(report);
        }
    }
}

/// Criteria on headers that the filter drops before it decides, or that change with each session.
pub(super) fn check_criteria_headers(
    message: &Message<'_, '_>,
    output: &Output,
    affinity: Option<&AffinityConfig>,
    criteria: &[Criterion],
    report: &mut Report,
) {
    let carrier = match affinity.map(|affinity| &affinity.carrier) {
        Some(Carrier::Header(name) | Carrier::Envelope(name)) => Some(name),
        Some(Carrier::Cookie(_)) | None => None,
    };
    for criterion in criteria {
        if let Criterion::Header { header, .. } = criterion
            && (*header == output.host_header
                || *header == output.cluster_header
                || carrier == Some(header))
        {
            message
                .error("criteria", "config/header-name", "header has two purposes")
                .found(quote(header))
                .expected("a header that neither output nor affinity uses")
                .push_to(report);
        }
    }
}

/// Reports criteria keys without a header: Envoy would not see them and would select wrong hosts.
pub(super) fn check_header_of_each_key<'c>(
    message: &Message<'_, '_>,
    chain: impl Iterator<Item = &'c ChainHosts>,
    criteria: &'c [Criterion],
    output: &Output,
    report: &mut Report,
) {
    let of_steps = chain.flat_map(|hosts| -> Vec<&str> {
        match hosts {
            ChainHosts::Keys(keys) => keys.iter().map(|key| &**key).collect(),
            ChainHosts::Match(wanted) => wanted.fields().iter().map(|f| &*f.key).collect(),
            ChainHosts::Any => Vec::new(),
        }
    });
    let of_criteria = criteria.iter().filter_map(|criterion| match criterion {
        Criterion::Constant { key, .. } | Criterion::Header { key, .. } => Some(&**key),
        Criterion::RouteMetadata => None,
    });
    let mut missing = Names::default();
    for key in of_steps.chain(of_criteria) {
        let has = output.subset_headers.iter().any(|(have, _)| **have == *key);
        if !has && missing.add(key) {
            let fault = "criteria key without a header";
            message
                .error("output", "config/missing", fault)
                .found(quote(key))
                .expected("its header in output.subset_headers")
                .push_to(report);
        }
    }
}
