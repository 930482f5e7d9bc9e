//! Settings without effect on an aggregate.

use alloc::format;
use spillgate_core::visible::quoted;

use spillgate_config::envoy::facts::Discovery;

use crate::{context::Context, finding::Severity, rule::Rule, sink::Sink};

/// An aggregate cluster has `circuit_breakers`, `outlier_detection` or `health_checks`.
///
/// It has no hosts of its own; Envoy uses the settings of its members.
pub(crate) static IGNORED: Rule = Rule {
    id: "aggregate-own-settings-ignored",
    severity: Severity::Warning,
    summary: "circuit breakers, outlier detection or health checks on an aggregate",
    check: ignored,
};

/// Finds settings that only the members use.
fn ignored(context: &Context<'_>, sink: &mut Sink) {
    let clusters = context.facts.clusters.iter();
    for cluster in clusters.filter(|cluster| cluster.discovery == Discovery::Aggregate) {
        let signals = &cluster.signals;
        let outliers = signals
            .outlier_detection
            .as_ref()
            .map(|outliers| &outliers.place);
        let settings = [
            ("circuit_breakers", signals.circuit_breakers.as_ref()),
            ("outlier_detection", outliers),
            ("health_checks", signals.health_checks.as_ref()),
        ];
        for (name, place) in settings {
            let Some(place) = place else { continue };
            let cause = format!("aggregate {} has {name}", quoted(&cluster.name));
            let effect = "Envoy ignores it and uses the settings of the members";
            let fix = format!("move {name} to the member clusters");
            sink.add(place, cause, effect, fix).remove(&place.path);
        }
    }
}
