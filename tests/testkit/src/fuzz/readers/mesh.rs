//! Documents of service meshes, and what proxies receive.

use spillgate_config::envoy::Format;
use spillgate_config::mesh::{IstioInputs, KumaInputs, MeshDocuments, PointOfView, read};
use spillgate_mesh::istio::{IstioEndpoint, IstioSettings, IstioView, istio_assignment};
use spillgate_mesh::kuma::{KumaLocalityRules, KumaView, assignment, kuma_differences};
use spillgate_mesh::{Compat, MeshAssignment};

use super::diagnostics::{check, rejected};

/// Documents of Kuma.
pub(in crate::fuzz) fn kuma(text: &str) {
    let Some(documents) = documents(text) else {
        return;
    };
    for view in views(&documents) {
        if let Ok(inputs) = KumaInputs::new(&documents, &view) {
            check(&inputs.warnings, text);
            assign_kuma(&inputs);
        }
    }
}

/// Documents of Istio.
pub(in crate::fuzz) fn istio(text: &str) {
    let Some(documents) = documents(text) else {
        return;
    };
    for view in views(&documents) {
        if let Ok(inputs) = IstioInputs::new(&documents, &view) {
            check(&inputs.warnings, text);
            assign_istio(&inputs);
        }
    }
}

fn documents(text: &str) -> Option<MeshDocuments> {
    let read = |format| match read(text, format, 0) {
        Ok(documents) => {
            check(&documents.warnings, text);
            Some(documents)
        }
        Err(faults) => {
            rejected(&faults, text);
            None
        }
    };
    read(Format::Json).or_else(|| read(Format::Yaml))
}

fn views(documents: &MeshDocuments) -> Vec<PointOfView> {
    vec![
        PointOfView::Zone("z1".into()),
        PointOfView::Zone("us/a/1".into()),
        PointOfView::Name("client".into()),
        PointOfView::Name("s1".into()),
        PointOfView::Documents(documents.clone()),
    ]
}

fn assign_kuma(inputs: &KumaInputs) {
    let confs = inputs.policies.iter().flat_map(|policy| &policy.to);
    for conf in confs {
        let locality = conf.conf.locality_awareness.as_ref();
        // Policies without faults have legal rules, or too many tags without weights.
        let Ok(rules) = KumaLocalityRules::new(locality) else {
            continue;
        };
        for destination in &inputs.destinations {
            let view = KumaView {
                proxy: &inputs.proxy,
                destination: destination.destination.kind,
            };
            let endpoints = &destination.endpoints;
            for compat in [Compat::Kuma, Compat::Madr] {
                complete(
                    &assignment(view, Some(&rules), endpoints, compat),
                    endpoints.len(),
                );
            }
            for difference in kuma_differences(view, Some(&rules), endpoints) {
                assert_ne!(difference.kuma, difference.madr);
                complete(&difference.madr, endpoints.len());
            }
        }
    }
}

fn assign_istio(inputs: &IstioInputs) {
    for service in &inputs.services {
        for rule in &inputs.rules {
            let subsets = rule.subsets.iter().map(|subset| Some(subset.name.as_str()));
            for subset in subsets.chain([None]) {
                let policy = rule.policy(subset, service.port);
                let balancer = policy.load_balancer.as_ref();
                let settings = IstioSettings {
                    mesh: inputs.mesh.locality_lb_setting.as_ref(),
                    destination_rule: balancer.and_then(|lb| lb.locality_lb_setting.as_ref()),
                    mesh_zone_aware: inputs.mesh.zone_aware_lb_setting.as_ref(),
                    rule_zone_aware: balancer.and_then(|lb| lb.zone_aware_lb_setting.as_ref()),
                    traffic_distribution: service.service.traffic_distribution.as_deref(),
                    version: inputs.version,
                };
                let effective = settings.effective();
                let view = IstioView {
                    proxy: &inputs.proxy,
                    effective: &effective,
                    outlier_detection: policy.outlier_detection.as_ref(),
                    resolution: service.service.resolution,
                    sends_unready: false,
                    subset: subset.is_some(),
                    version: inputs.version,
                };
                let endpoints: &[IstioEndpoint] = &service.endpoints;
                complete(&istio_assignment(view, endpoints), endpoints.len());
            }
        }
    }
}

/// Each endpoint is in exactly one group, or dropped.
fn complete(assignment: &MeshAssignment, endpoints: usize) {
    let grouped = assignment.groups.iter().flat_map(|group| &group.endpoints);
    let dropped = assignment.dropped.iter().map(|dropped| &dropped.endpoint);
    let mut all: Vec<usize> = grouped.chain(dropped).copied().collect();
    all.sort_unstable();
    assert_eq!(all, (0..endpoints).collect::<Vec<_>>());
}
