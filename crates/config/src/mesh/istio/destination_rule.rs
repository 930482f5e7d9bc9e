//! DestinationRule documents.

use alloc::{format, string::String, vec::Vec};

use spillgate_mesh::istio::{
    IstioDestinationRule, IstioLoadBalancer, IstioOutlierDetection, IstioSubset,
    IstioTrafficPolicy, validate_istio_setting,
};

use super::{locality_lb::setting_fault, traffic_policy::read_traffic_policy};
use crate::{
    Diagnostic,
    mesh::{
        document::{MeshDocument, ResourceMeta},
        place::{ValuePlace, ValuePlaces},
        rule::push_rule_faults,
        value::TextMap,
    },
    proto::{Irrelevance, Message, Report, Schema},
};

pub(super) static DESTINATION_RULE: Schema = Schema::new(
    "DestinationRule",
    "host trafficPolicy subsets workloadSelector exportTo",
)
.ignored(&[(
    Irrelevance::Document,
    "apiVersion kind metadata status spec",
)])
.of("DestinationRule");
pub(super) static SUBSET: Schema =
    Schema::new("subset", "name labels trafficPolicy").of("DestinationRule.subsets");

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
    let read_before = report.findings_so_far();
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
    let read = ReadDestinationRule {
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
            export_to: spec.texts("exportTo", report).into_iter().collect(),
            created: meta.created,
        },
    };
    push_rule_faults(read.faults(), read_before, report);
    Some(read)
}

/// One traffic policy of a DestinationRule: of all requests, of a subset, or of a port.
#[derive(Debug, Clone, PartialEq)]
pub struct IstioPolicyPart<'r> {
    /// Its path below `spec`.
    pub path: String,
    /// Its subset.
    pub subset: Option<&'r IstioSubset>,
    /// Its port.
    pub port: Option<u16>,
    /// Its own `loadBalancer`.
    pub load_balancer: Option<&'r IstioLoadBalancer>,
    /// Its `outlierDetection`, or the one that it inherits. A port has no other settings than its
    /// own; a subset without outlier detection has that of the rule.
    pub outlier_detection: Option<&'r IstioOutlierDetection>,
    /// The ports that have settings of their own instead (`portLevelSettings`).
    pub replaced: Vec<u16>,
}

impl IstioPolicyPart<'_> {
    /// Whether it applies to a port of the host.
    #[must_use]
    pub fn is_for_port(&self, port: u16) -> bool {
        self.port.is_none_or(|own| own == port) && !self.replaced.contains(&port)
    }
}

impl ReadDestinationRule {
    /// The traffic policies, in document order of their kinds: the rule, its ports, its subsets with
    /// their ports.
    #[must_use]
    pub fn policies(&self) -> Vec<IstioPolicyPart<'_>> {
        let mut parts = Vec::new();
        let whole = self.rule.traffic_policy.as_ref();
        if let Some(policy) = whole {
            add_parts(policy, (None, None), "trafficPolicy", &mut parts);
        }
        for (index, subset) in self.rule.subsets.iter().enumerate() {
            if let Some(policy) = &subset.traffic_policy {
                let inherited = whole.and_then(|whole| whole.outlier_detection.as_ref());
                let path = format!("subsets[{index}].trafficPolicy");
                add_parts(policy, (Some(subset), inherited), &path, &mut parts);
            }
        }
        parts
    }

    /// The place of the value at a path below `spec`; the position is that of the nearest value that
    /// contains it.
    #[must_use]
    pub fn value_place(&self, path: &str) -> ValuePlace {
        self.places.place(self.place.file, &self.spec_path, path)
    }

    /// The faults of its settings.
    fn faults(&self) -> Vec<Diagnostic> {
        let mut faults = Vec::new();
        for part in self.policies() {
            let setting = part
                .load_balancer
                .and_then(|balancer| balancer.locality_lb_setting.as_ref());
            let path = format!("{}.loadBalancer.localityLbSetting", part.path);
            let found =
                setting.map(|setting| validate_istio_setting(setting, part.outlier_detection));
            for fault in found.into_iter().flatten() {
                faults.push(setting_fault(&fault, &self.spec_path, &self.places, &path));
            }
        }
        faults
    }
}

fn add_parts<'r>(
    policy: &'r IstioTrafficPolicy,
    (subset, inherited): (Option<&'r IstioSubset>, Option<&'r IstioOutlierDetection>),
    path: &str,
    parts: &mut Vec<IstioPolicyPart<'r>>,
) {
    parts.push(IstioPolicyPart {
        path: path.into(),
        subset,
        port: None,
        load_balancer: policy.load_balancer.as_ref(),
        outlier_detection: policy.outlier_detection.as_ref().or(inherited),
        replaced: policy.ports.iter().map(|of| of.port).collect(),
    });
    for (index, port) in policy.ports.iter().enumerate() {
        parts.push(IstioPolicyPart {
            path: format!("{path}.portLevelSettings[{index}]"),
            subset,
            port: Some(port.port),
            load_balancer: port.load_balancer.as_ref(),
            outlier_detection: port.outlier_detection.as_ref(),
            replaced: Vec::new(),
        });
    }
}
