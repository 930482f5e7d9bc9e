//! Default subsets without hosts.

use alloc::{format, vec::Vec};
use spillgate_core::visible::quoted;

use spillgate_config::{nearest, secret_metadata::without_secrets};
use spillgate_core::model::{Metadata, SelectorFallback, SubsetConfig, SubsetFallback, Value};

use crate::{
    context::{Context, Plain},
    figures::fate,
    finding::Severity,
    json,
    rule::Rule,
    sink::Sink,
};

/// `DEFAULT_SUBSET` is a fallback, and no host has all values of `default_subset`.
///
/// All requests that fall back get 503.
pub(crate) static EMPTY: Rule = Rule {
    id: "subset-default-empty",
    severity: Severity::Error,
    summary: "default_subset matches no host",
    check: empty,
};

/// Finds default subsets without hosts.
fn empty(context: &Context<'_>, sink: &mut Sink) {
    for cluster in context.plains().filter(|cluster| cluster.hosts() > 0) {
        let Some(subsets) = &cluster.plain.subsets else {
            continue;
        };
        let wanted = &subsets.default_subset;
        let fits = |metadata: &Metadata| in_subset(metadata, wanted, subsets.list_as_any);
        if falls_back(subsets) && !wanted.is_empty() && !cluster.metadata().any(fits) {
            report(context, &cluster, wanted, sink);
        }
    }
}

/// Whether some requests use the default subset.
fn falls_back(subsets: &SubsetConfig) -> bool {
    let mut selectors = subsets.selectors.iter();
    subsets.fallback == SubsetFallback::DefaultSubset
        || selectors.any(|selector| *selector.fallback() == SelectorFallback::DefaultSubset)
}

/// Whether a host has these values.
pub(super) fn in_subset(metadata: &Metadata, wanted: &Metadata, list_as_any: bool) -> bool {
    wanted
        .fields()
        .iter()
        .all(|field| match metadata.get(&field.key) {
            Some(Value::List(values)) if list_as_any => values.contains(&field.value),
            Some(value) => *value == field.value,
            None => false,
        })
}

/// Reports the default subset, with the share of requests that find no host.
fn report(context: &Context<'_>, cluster: &Plain<'_>, wanted: &Metadata, sink: &mut Sink) {
    let facts = cluster.facts.policy.subsets();
    let place = facts.and_then(|facts| facts.default_subset.as_ref());
    let Some(place) = place.or(facts.map(|facts| &facts.place)) else {
        return;
    };
    let shown = without_secrets(wanted);
    let cause = format!("no host of cluster {} has {shown}", quoted(cluster.name()));
    let found = context.distribution(cluster.name(), &Metadata::EMPTY);
    let effect = format!(
        "requests that fall back to the default subset get {}",
        fate(&found, cluster.hosts())
    );
    let meant = meant(cluster, wanted);
    let fix = match &meant {
        Some(meant) => format!("change it to {}", without_secrets(meant)),
        None => format!("use values that hosts have, or add {shown} to hosts"),
    };
    let finding = sink.add(place, cause, effect, fix);
    if let Some(meant) = meant {
        finding.set(&place.path, json::metadata(&meant));
    }
}

/// The nearest values that hosts have, if a host then is in the subset.
fn meant(cluster: &Plain<'_>, wanted: &Metadata) -> Option<Metadata> {
    let mut fields = Vec::new();
    for field in wanted.fields() {
        let known = || {
            cluster
                .metadata()
                .filter_map(|metadata| metadata.get(&field.key))
        };
        let value = if known().any(|value| *value == field.value) {
            field.value.clone()
        } else {
            let texts = known().filter_map(|value| match value {
                Value::Text(text) => Some(&**text),
                _ => None,
            });
            match &field.value {
                Value::Text(text) => Value::Text(nearest(text, texts)?.into()),
                _ => return None,
            }
        };
        fields.push((field.key.clone(), value));
    }
    let meant = Metadata::new(fields);
    let mut hosts = cluster.metadata();
    hosts
        .any(|metadata| in_subset(metadata, &meant, false))
        .then_some(meant)
}
