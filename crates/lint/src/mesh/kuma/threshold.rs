//! Failover thresholds that Kuma truncates.

use alloc::format;

use spillgate_mesh::{MeshFaultCode, kuma::KumaThreshold};

use super::super::{
    context::MeshContext,
    rule::MeshRule,
    sight::{SPILL_HOSTS, spill_point},
};
use crate::{finding::Severity, sink::Sink};

/// Kuma truncates 100 / threshold to a whole number before it computes the overprovisioning factor.
///
/// Requests leave the zone earlier than the threshold promises.
pub(in super::super) static TRUNCATED: MeshRule = MeshRule {
    id: "kuma-threshold-truncated",
    severity: Severity::Warning,
    summary: "failoverThreshold that Kuma truncates: requests leave the zone earlier",
    check: truncated,
};

/// Thresholds that Kuma keeps, as JSON.
const EXACT: [(&str, f64); 13] = [
    ("100", 100.0),
    ("50", 50.0),
    ("25", 25.0),
    ("20", 20.0),
    ("\"12.5\"", 12.5),
    ("10", 10.0),
    ("\"6.25\"", 6.25),
    ("5", 5.0),
    ("4", 4.0),
    ("\"2.5\"", 2.5),
    ("2", 2.0),
    ("\"1.25\"", 1.25),
    ("1", 1.0),
];

/// Finds thresholds with a truncated factor.
fn truncated(context: &MeshContext<'_>, sink: &mut Sink) {
    for entry in &context.entries {
        let locality = entry.conf().locality_awareness.as_ref();
        let cross = locality.and_then(|locality| locality.cross_zone.as_ref());
        let percentage = cross.and_then(|cross| cross.failover_threshold.as_ref());
        let Some(Ok(threshold)) = percentage.map(KumaThreshold::new) else {
            continue;
        };
        for fault in entry.warnings(MeshFaultCode::ThresholdTruncated, &context.zones) {
            let place = entry.place(&fault.path);
            let (factor, intended) = (threshold.kuma_factor(), threshold.intended_factor());
            let cause = format!(
                "threshold {} % becomes overprovisioning factor {factor} % instead of {intended} %",
                threshold.percent()
            );
            let lost = |factor| spill_point(Some(factor));
            let effect = match (lost(factor), lost(intended)) {
                (early, promised) if early != promised => format!(
                    "requests leave the zone after {early} of {SPILL_HOSTS} hosts fail, instead of \
                     {promised}"
                ),
                _ => format!(
                    "the effective threshold is {} %",
                    threshold.effective_percent()
                ),
            };
            let distance = |exact: f64| (exact - threshold.percent()).abs();
            let nearest = EXACT
                .iter()
                .min_by(|(_, a), (_, b)| distance(*a).total_cmp(&distance(*b)));
            let Some((json, exact)) = nearest else {
                continue;
            };
            let fix = format!("use a threshold that Kuma keeps, such as {exact}");
            sink.add(&place, cause, effect, fix).set(&place.path, *json);
        }
    }
}
