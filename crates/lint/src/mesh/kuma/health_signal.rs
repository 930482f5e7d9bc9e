//! Failover without a health signal.

use alloc::format;

use spillgate_core::model::HealthStatus;

use super::super::{
    context::MeshContext,
    entry::KumaEntry,
    rule::MeshRule,
    sight::{SPILL_HOSTS, spill_point},
};
use crate::{finding::Severity, sink::Sink};

/// The documents describe a mesh with failover between zones, but contain neither a MeshHealthCheck nor
/// a MeshCircuitBreaker, which can have outlier detection.
///
/// Kuma removes endpoints that are not ready instead of reporting them as unhealthy: requests leave the
/// zone only when it has no endpoint left, whatever the threshold.
pub(in super::super) static NO_SIGNAL: MeshRule = MeshRule {
    id: "kuma-failover-no-health-signal",
    severity: Severity::Info,
    summary: "cross-zone failover without MeshHealthCheck and MeshCircuitBreaker",
    check: no_signal,
};

/// Finds failover rules in a mesh without health checks.
fn no_signal(context: &MeshContext<'_>, sink: &mut Sink) {
    let documents = context.documents;
    let signal = |kind: &str| {
        [
            "MeshHealthCheck",
            "HealthCheck",
            "MeshCircuitBreaker",
            "CircuitBreaker",
        ]
        .contains(&kind)
    };
    // A policy alone does not show the other policies of its mesh.
    let whole = !documents.kuma.dataplanes.is_empty() && context.zones.len() > 1;
    let stated = documents
        .endpoints
        .iter()
        .map(|endpoint| endpoint.host.health);
    let skipped = documents.skipped.iter();
    let read = documents.kuma.health.iter().map(|(kind, _)| kind);
    let mut kinds = skipped.map(|document| document.kind.as_str()).chain(read);
    if !whole || kinds.any(signal) || stated.into_iter().any(is_known) {
        return;
    }
    for entry in &context.entries {
        if !fails_over(entry) {
            continue;
        }
        let locality = entry.conf().locality_awareness.as_ref();
        let cross = locality.and_then(|locality| locality.cross_zone.as_ref());
        let threshold = cross.and_then(|cross| cross.failover_threshold.as_ref());
        let factor = threshold.and_then(|percentage| {
            let threshold = spillgate_mesh::kuma::KumaThreshold::new(percentage).ok()?;
            Some(threshold.kuma_factor())
        });
        let factor = factor.unwrap_or(spillgate_mesh::kuma::DEFAULT_KUMA_FACTOR);
        let lost = spill_point(Some(factor));
        let cause = "the mesh has neither a MeshHealthCheck nor a MeshCircuitBreaker";
        let effect = format!(
            "no host becomes unhealthy: requests stay in the zone until it has no endpoint; with a health \
             signal, they would leave after {lost} of {SPILL_HOSTS} hosts fail"
        );
        let fix = "add a MeshHealthCheck, or a MeshCircuitBreaker with outlierDetection";
        let place = entry.place("localityAwareness.crossZone.failover");
        sink.add(&place, cause, effect, fix);
    }
}

/// Whether the author states the health of an endpoint.
fn is_known(health: HealthStatus) -> bool {
    health != HealthStatus::Unknown
}

/// Whether an entry has a rule that takes zones.
fn fails_over(entry: &KumaEntry<'_>) -> bool {
    let locality = entry.conf().locality_awareness.as_ref();
    let cross = locality.and_then(|locality| locality.cross_zone.as_ref());
    let rules = cross.and_then(|cross| cross.failover.as_deref());
    let mut rules = rules.unwrap_or_default().iter();
    rules.any(|rule| rule.to.kind != "None")
}
