//! Random with weighted endpoints.

use spillgate_core::model::Policy;

use super::{
    super::{context::MeshContext, random::ignored_weight, rule::MeshRule},
    views::policy_of,
};
use crate::{finding::Severity, sink::Sink};

/// The load balancer is `Random`, and endpoints of a priority have different weights: zone ingresses
/// with different numbers of instances.
///
/// All endpoints of the priority get the same share.
pub(in super::super) static RANDOM: MeshRule = MeshRule {
    id: "kuma-random-ignores-weights",
    severity: Severity::Warning,
    summary: "Random ignores endpoint weights, such as the instances behind zone ingresses",
    check: random,
};

/// Finds weights under Random.
fn random(context: &MeshContext<'_>, sink: &mut Sink) {
    for entry in &context.entries {
        let own = entry.conf().load_balancer.as_ref();
        if own.is_none() || policy_of(own) != Policy::Random {
            continue;
        }
        let effect = entry
            .known_views(context)
            .find_map(|sight| ignored_weight(&sight));
        let Some(effect) = effect else { continue };
        let place = entry.place("loadBalancer.type");
        let cause = "endpoints have different weights, which Random ignores";
        sink.add(&place, cause, effect, "use LeastRequest or RoundRobin")
            .set(&place.path, "\"LeastRequest\"");
    }
}
