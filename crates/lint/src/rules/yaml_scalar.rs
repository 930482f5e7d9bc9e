//! Metadata scalars that Envoy reads as another type than they look.

use alloc::{format, string::String};

use spillgate_core::{model::SubsetSelector, names::Names};

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
    let mut compared = Names::default();
    for cluster in context.plains() {
        if let Some(subsets) = &cluster.plain.subsets {
            let keys = subsets.selectors.iter().flat_map(SubsetSelector::keys);
            let defaults = subsets.default_subset.fields().iter();
            for key in keys.chain(defaults.map(|field| &field.key)) {
                compared.add(key);
            }
        }
    }
    for scalar in &context.facts.scalars {
        if !compared.contains(&scalar.key) {
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
