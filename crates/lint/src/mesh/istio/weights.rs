//! RANDOM with weighted endpoints.

use alloc::format;

use spillgate_core::model::Policy;

use super::{
    super::{context::MeshContext, random::ignored_weight, rule::MeshRule},
    views::{Applied, localities},
};
use crate::{finding::Severity, sink::Sink};

/// The load balancer is `RANDOM`, and endpoints of a priority have different weights.
///
/// All endpoints of a locality get the same share.
pub(in super::super) static RANDOM: MeshRule = MeshRule {
    id: "istio-random-ignores-weights",
    severity: Severity::Warning,
    summary: "RANDOM ignores the weights of WorkloadEntries and ServiceEntry endpoints",
    check: random,
};

/// Finds weights under RANDOM.
fn random(context: &MeshContext<'_>, sink: &mut Sink) {
    for rule in &context.rules {
        let read = rule.read;
        for part in read.policies() {
            let balancer = part.load_balancer;
            let simple = balancer.and_then(|balancer| balancer.simple.as_deref());
            if simple != Some("RANDOM") {
                continue;
            }
            let applied = Applied {
                setting: balancer.and_then(|balancer| balancer.locality_lb_setting.as_ref()),
                outlier_detection: part.outlier_detection,
            };
            let services = rule.services(&context.services);
            let mut services = services.filter(|service| part.is_for_port(service.port));
            let effect = services.find_map(|service| {
                let from = localities(&service.endpoints)
                    .first()
                    .copied()
                    .unwrap_or_default();
                ignored_weight(&applied.view(from, &service.endpoints, Policy::Random))
            });
            let Some(effect) = effect else { continue };
            let place = read.value_place(&format!("{}.loadBalancer.simple", part.path));
            let cause = "endpoints have different weights, which RANDOM ignores";
            sink.add(&place, cause, effect, "use LEAST_REQUEST or ROUND_ROBIN")
                .set(&place.path, "\"LEAST_REQUEST\"");
        }
    }
}
