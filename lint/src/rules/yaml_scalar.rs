//! Scalars of metadata that are read as another type than they look.

use alloc::{format, string::String};

use spillgate_core::model::PlainCluster;

use crate::{
    context::Context,
    finding::Severity,
    json,
    rule::{Rule, Sink},
};

/// A plain YAML scalar in metadata that subsets compare is read by Envoy as another type than it
/// looks: `no` and `on` are booleans, `017` is 15, `1.5` and `1e3` are texts, whole numbers beyond
/// 32 bits too.
///
/// It does not match what it looks like, in another file or from a control plane.
pub(crate) static SURPRISE: Rule = Rule {
    id: "yaml-scalar-surprise",
    severity: Severity::Warning,
    summary: "a plain YAML scalar that Envoy reads as another type than it looks, where it is compared",
    check: surprise,
};

/// Looks for scalars that Envoy reads as another type than they look.
fn surprise(context: &Context<'_>, sink: &mut Sink<'_>) {
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
        let cause = format!("{}: {written} is {} to Envoy", scalar.key, scalar.read);
        let (effect, fix) = if scalar.is_text {
            let effect = "subsets compare by type: a number in JSON or from a control plane, such \
                          as the same value there, never matches it";
            (effect, format!("put it in quotes: \"{written}\""))
        } else {
            let effect = "subsets compare by type: it does not match what it looks like, a text";
            (effect, format!("put it in quotes: \"{written}\""))
        };
        sink.add(&scalar.place, cause, String::from(effect), fix)
            .set(&scalar.place.path, json::text(written));
    }
}
