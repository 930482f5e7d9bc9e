//! Metadata scalars that Envoy reads as another type than they look.

use alloc::{format, string::String};

use spillgate_core::model::PlainCluster;

use crate::{context::Context, finding::Severity, json, rule::Rule, sink::Sink};

/// Envoy reads a plain YAML scalar in metadata that subsets compare as another type than it looks:
/// `no` and `on` are Booleans, `017` is 15, and `1.5`, `1e3` and integers beyond 32 bits are
/// strings.
///
/// It does not match the same text in another file or from a control plane.
pub(crate) static SURPRISE: Rule = Rule {
    id: "yaml-scalar-surprise",
    severity: Severity::Warning,
    summary: "subsets compare a plain YAML scalar that Envoy reads as another type",
    check: surprise,
};

/// Finds scalars that Envoy reads as another type than they look.
fn surprise(context: &Context<'_>, sink: &mut Sink) {
    let compared = |plain: &PlainCluster, key: &str| {
        plain.subsets.as_ref().is_some_and(|subsets| {
            let mut selectors = subsets.selectors.iter();
            selectors.any(|selector| selector.keys().iter().any(|known| **known == *key))
                || subsets.default_subset.get(key).is_some()
        })
    };
    for scalar in &context.facts.scalars {
        let mut clusters = context.plains();
        if !clusters.any(|cluster| compared(cluster.plain, &scalar.key)) {
            continue;
        }
        let written = &scalar.written;
        let cause = format!("{}: Envoy reads {written} as {}", scalar.key, scalar.read);
        let (effect, fix) = if scalar.is_text {
            let effect = "it never matches a number from JSON or a control plane";
            (effect, format!("quote it: \"{written}\""))
        } else {
            let effect = "it never matches the string that it looks like";
            (effect, format!("quote it: \"{written}\""))
        };
        sink.add(&scalar.place, cause, String::from(effect), fix)
            .set(&scalar.place.path, json::text(written));
    }
}
