//! DestinationRule documents.

use alloc::{string::String, vec::Vec};

use spillgate_mesh::istio::{IstioDestinationRule, IstioSubset};

use super::traffic_policy::read_traffic_policy;
use crate::{
    mesh::{
        document::{MeshDocument, ResourceMeta},
        place::{ValuePlace, ValuePlaces},
        value::TextMap,
    },
    proto::{Message, Report, Schema},
};

static DESTINATION_RULE: Schema = Schema::new(
    "DestinationRule",
    "host trafficPolicy subsets workloadSelector",
)
.not_modeled("exportTo")
.ignored("apiVersion kind metadata status spec");
static SUBSET: Schema = Schema::new("subset", "name labels trafficPolicy");

/// A DestinationRule and the positions of its values.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadDestinationRule {
    /// The rule.
    pub rule: IstioDestinationRule,
    /// The place of the document.
    pub place: ValuePlace,
    /// The path of its `spec` in the file.
    pub spec_path: String,
    /// The positions of the values below `spec`.
    pub places: ValuePlaces,
}

/// Reads a DestinationRule.
pub(crate) fn read_destination_rule(
    document: &MeshDocument<'_, '_>,
    report: &mut Report,
) -> Option<ReadDestinationRule> {
    let meta = ResourceMeta::read(document, report);
    let path = document.spec_path.clone();
    let spec = Message::open(document.spec, path, &DESTINATION_RULE, report)?;
    let host = spec.required_string("host", report);
    let mut subsets = Vec::new();
    for (path, node) in spec.items("subsets", report) {
        if let Some(subset) = Message::open(node, path, &SUBSET, report) {
            subsets.push(IstioSubset {
                name: subset
                    .required_string("name", report)
                    .unwrap_or_default()
                    .into(),
                labels: subset.text_map("labels", report),
                traffic_policy: read_traffic_policy(&subset, report),
            });
        }
    }
    let selector = spec.object("workloadSelector", "workloadSelector", report);
    Some(ReadDestinationRule {
        place: meta.place.clone(),
        spec_path: document.spec_path.text(),
        places: ValuePlaces::of(document.spec),
        rule: IstioDestinationRule {
            name: meta.name,
            namespace: meta.namespace,
            host: host.unwrap_or_default().into(),
            traffic_policy: read_traffic_policy(&spec, report),
            subsets,
            workload_selector: selector
                .map_or_else(TextMap::new, |s| s.text_map("matchLabels", report)),
        },
    })
}
