//! Affinity tags without effect, and weights that Envoy rejects.

use alloc::{collections::BTreeSet, format, string::String, vec::Vec};
use spillgate_core::visible::quoted;

use spillgate_config::nearest;
use spillgate_mesh::{
    MeshFaultCode,
    kuma::{KumaAffinityTag, KumaEndpoint, default_weights},
};

use super::super::{context::MeshContext, entry::KumaEntry, rule::MeshRule};
use crate::{figures::percent, finding::Severity, json, sink::Sink};

/// Two affinity tags have the same key.
///
/// Endpoints join the group of the first one; the second one's weight applies to no endpoint.
pub(in super::super) static DUPLICATE: MeshRule = MeshRule {
    id: "kuma-tag-duplicate",
    severity: Severity::Warning,
    summary: "two affinity tags with the same key",
    check: duplicate,
};

/// No endpoint has the key of an affinity tag, as tag or label. Often the key is misspelled.
///
/// The weight applies to no endpoint; the other groups share its requests.
pub(in super::super) static NO_ENDPOINT: MeshRule = MeshRule {
    id: "kuma-tag-no-endpoint",
    severity: Severity::Warning,
    summary: "affinity tag that no endpoint has",
    check: no_endpoint,
};

/// The weights of the affinity tags exceed 2^32-1. The default weights do with more than 9 tags.
///
/// Envoy rejects the endpoints of the destination.
pub(in super::super) static OVERFLOW: MeshRule = MeshRule {
    id: "kuma-weight-overflow",
    severity: Severity::Error,
    summary: "weights of affinity tags that exceed 4294967295",
    check: overflow,
};

/// The affinity tags of an entry.
fn tags_of<'d>(entry: &KumaEntry<'d>) -> &'d [KumaAffinityTag] {
    let locality = entry.conf().locality_awareness.as_ref();
    let zone = locality.and_then(|locality| locality.local_zone.as_ref());
    zone.and_then(|zone| zone.affinity_tags.as_deref())
        .unwrap_or_default()
}

/// The path of the affinity tags.
const TAGS: &str = "localityAwareness.localZone.affinityTags";

/// Finds repeated keys.
fn duplicate(context: &MeshContext<'_>, sink: &mut Sink) {
    for entry in &context.entries {
        for fault in entry.warnings(MeshFaultCode::DuplicateKey, &context.zones) {
            let Some(tag) = fault.path.strip_suffix(".key") else {
                continue;
            };
            let cause = "an earlier affinity tag has the same key";
            let effect = "endpoints join the group of the earlier tag; this weight applies to none";
            let fix = "remove this tag, or correct its key";
            sink.add(&entry.place(&fault.path), cause, effect, fix)
                .remove(entry.place(tag).path);
        }
    }
}

/// Finds keys that no endpoint has.
fn no_endpoint(context: &MeshContext<'_>, sink: &mut Sink) {
    for entry in &context.entries {
        let tags = tags_of(entry);
        if tags.is_empty() {
            continue;
        }
        let keys = known_keys(context, entry);
        if keys.is_empty() {
            continue;
        }
        let shares = shares(tags);
        for (index, tag) in tags.iter().enumerate() {
            if keys.contains(tag.key.as_str()) {
                continue;
            }
            let place = entry.place(&format!("{TAGS}[{index}].key"));
            let meant = nearest(&tag.key, keys.iter().copied());
            let cause = format!("no endpoint has the tag or label {}", quoted(&tag.key));
            let effect = match shares.get(index) {
                Some(share) => format!(
                    "its {} of requests go to the other groups of the zone",
                    percent(*share)
                ),
                None => String::from("its requests go to the other groups of the zone"),
            };
            let fix = match meant {
                Some(meant) => format!("write {}, or add the tag to endpoints", quoted(meant)),
                None => String::from("add the tag to endpoints, or remove it here"),
            };
            let finding = sink.add(&place, cause, effect, fix);
            if let Some(meant) = meant {
                finding.set(&place.path, json::text(meant));
            }
        }
    }
}

/// The tag and label keys of the endpoints that an entry configures; empty if it has none. The zone
/// is a tag.
fn known_keys<'c>(context: &'c MeshContext<'_>, entry: &KumaEntry<'_>) -> BTreeSet<&'c str> {
    let destinations = context.kuma.iter().flat_map(|inputs| &inputs.destinations);
    let endpoints = destinations
        .filter(|input| entry.selects(&input.destination))
        .flat_map(|input| &input.endpoints);
    let keys = |endpoint: &'c KumaEndpoint| {
        let labels = endpoint.labels.keys();
        let tags = endpoint.tags.keys().chain(labels).map(String::as_str);
        tags.chain(["kuma.io/zone"])
    };
    endpoints.flat_map(keys).collect()
}

/// The share of each group in percent if all groups have endpoints; the rest has weight 1.
fn shares(tags: &[KumaAffinityTag]) -> Vec<f64> {
    let explicit = tags.iter().map(|tag| u32::try_from(tag.weight?).ok());
    let Some(weights) = explicit.collect::<Option<Vec<u32>>>() else {
        let defaults = default_weights(tags.len()).unwrap_or_default();
        return percentages(&defaults);
    };
    percentages(&weights)
}

fn percentages(weights: &[u32]) -> Vec<f64> {
    let sum = weights.iter().copied().map(f64::from).sum::<f64>() + 1.0;
    let share = |weight: &u32| 100.0 * f64::from(*weight) / sum;
    weights.iter().map(share).collect()
}

/// Finds weights above the maximum.
fn overflow(context: &MeshContext<'_>, sink: &mut Sink) {
    for entry in &context.entries {
        let count = tags_of(entry).len();
        for fault in entry.warnings(MeshFaultCode::WeightSumTooLarge, &context.zones) {
            let cause = "the weights of the affinity tags sum to more than 4294967295";
            let effect = "Envoy rejects the endpoints of the destination";
            sink.add(
                &entry.place(&fault.path),
                cause,
                effect,
                "use smaller weights",
            );
        }
        for fault in entry.warnings(MeshFaultCode::TooManyUnweightedTags, &context.zones) {
            let cause = format!("{count} affinity tags have default weights");
            let effect =
                "the largest weight exceeds 4294967295; the result depends on Kuma's processor";
            let fix = "use at most 9 tags, or explicit weights";
            sink.add(&entry.place(&fault.path), cause, effect, fix);
        }
    }
}
