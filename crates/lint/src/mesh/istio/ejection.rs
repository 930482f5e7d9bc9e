//! `maxEjectionPercent` that keeps requests on a failed locality.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    string::String,
    vec::Vec,
};
use spillgate_core::visible::quoted;

use spillgate_config::mesh::{IstioPolicyPart, IstioServiceInput};
use spillgate_core::model::Policy;
use spillgate_mesh::{
    MeshHost,
    istio::{
        IstioEffectiveSetting, IstioEndpoint, IstioMeshConfig, IstioOutlierDetection, IstioProxy,
        IstioResolution, IstioSettings, IstioView, has_labels, istio_assignment,
    },
};

use super::{
    super::{context::MeshContext, rule::MeshRule, sight::Sight, targets::RuleAt},
    outlier::mesh_states_it,
};
use crate::{
    ejection::{CappedFailure, EjectionCap},
    finding::Severity,
    sink::Sink,
};

/// `maxEjectionPercent` (default 10, of all hosts of the cluster, rounded down) is less than the
/// hosts of the first priority of some proxies. Reported if the percentage or a `localityLbSetting`
/// is stated.
///
/// If all these hosts fail and stay ready, requests stay on those that are not ejected.
pub(in super::super) static CAP: MeshRule = MeshRule {
    id: "istio-outlier-cap-prevents-failover",
    severity: Severity::Warning,
    summary: "maxEjectionPercent prevents failover from a failed locality, or a part of it",
    check: cap,
};

/// Maximum number of proxies from which a service is examined.
const MAXIMUM_PROXIES: usize = 64;

/// The limit that Istio writes: 0 counts as not set.
fn cap_of(outliers: &IstioOutlierDetection) -> EjectionCap {
    EjectionCap {
        percent: outliers.ejection_limit().min(100),
        always_one: false,
    }
}

/// Finds ejection limits below the size of a priority.
fn cap(context: &MeshContext<'_>, sink: &mut Sink) {
    for rule in &context.rules {
        for part in rule.read.policies() {
            let path = format!("{}.outlierDetection", part.path);
            let Some(outliers) = part.outlier_detection else {
                continue;
            };
            // A subset can inherit it, which is not a second finding.
            if rule.read.places.found(&path).is_none() || !outliers.ejects() {
                continue;
            }
            let cap = cap_of(outliers);
            let Some((from, failure)) = worst(context, rule, &part, cap) else {
                continue;
            };
            let default = match outliers.max_ejection_percent {
                Some(1..) => "",
                _ => " (maxEjectionPercent is 10 by default)",
            };
            let cause = format!("outlierDetection ejects {}{default}", failure.limit(cap));
            let effect = failure.effect(&format!(" from {}", quoted(&from)));
            let fix = "set maxEjectionPercent: 100";
            let place = rule.read.value_place(&path);
            let limit = rule.read.value_place(&format!("{path}.maxEjectionPercent"));
            sink.add(&place, cause, effect, fix).set(limit.path, "100");
        }
    }
}

/// The worst failure of the first service that has one, and the locality of its proxies.
fn worst(
    context: &MeshContext<'_>,
    rule: &RuleAt<'_>,
    part: &IstioPolicyPart<'_>,
    cap: EjectionCap,
) -> Option<(String, CappedFailure)> {
    let mesh = context.documents.istio.mesh_configs.last();
    let default = IstioMeshConfig::default();
    let mesh = mesh.map_or(&default, |read| &read.config);
    for service in rule.services(&context.services) {
        if !part.is_for_port(service.port) || service.service.resolution != IstioResolution::Static
        {
            continue;
        }
        let subset = part.subset.map(|subset| subset.name.as_str());
        let policy = rule.read.rule.policy(subset, service.port);
        // A port can replace the settings.
        if policy.outlier_detection.as_ref() != part.outlier_detection {
            continue;
        }
        let own = policy.load_balancer.as_ref();
        let stated = part
            .outlier_detection
            .is_some_and(|of| of.max_ejection_percent > Some(0))
            || own.is_some_and(|own| own.locality_lb_setting.is_some())
            || mesh_states_it(context)
            || service.service.traffic_distribution.is_some();
        if !stated {
            continue;
        }
        let wanted = part.subset.map(|subset| &subset.labels);
        let version = context.documents.istio_version;
        let endpoints = service
            .received(version, part.outlier_detection)
            .filter(|endpoint| wanted.is_none_or(|wanted| has_labels(wanted, &endpoint.labels)));
        let endpoints: Vec<IstioEndpoint> = endpoints.cloned().collect();
        let effective = IstioSettings {
            mesh: mesh.locality_lb_setting.as_ref(),
            destination_rule: own.and_then(|own| own.locality_lb_setting.as_ref()),
            mesh_zone_aware: mesh.zone_aware_lb_setting.as_ref(),
            rule_zone_aware: own.and_then(|own| own.zone_aware_lb_setting.as_ref()),
            traffic_distribution: service.service.traffic_distribution.as_deref(),
            version,
        }
        .effective();
        let view = |proxy: &IstioProxy| {
            let view = IstioView {
                proxy,
                effective: &effective,
                outlier_detection: part.outlier_detection,
                resolution: service.service.resolution,
                sends_unready: service
                    .service
                    .sends_unready(version, part.outlier_detection),
                subset: subset.is_some(),
                version,
            };
            let hosts: Vec<&MeshHost> = endpoints.iter().map(|endpoint| &endpoint.host).collect();
            let found = istio_assignment(view, &endpoints);
            let zone = quoted(&proxy.locality);
            Sight::new((&proxy.locality, zone), found, &hosts, Policy::RoundRobin)
        };
        // The first one of several with the same share is the last here.
        let proxies = proxies(context, service, &effective).into_iter().rev();
        let failures =
            proxies.filter_map(|proxy| Some((cap.keeps(&view(&proxy).plain)?, proxy.locality)));
        let worst = failures.max_by_key(|(failure, _)| (failure.kept, failure.hosts));
        if let Some((failure, from)) = worst {
            return Some((from, failure));
        }
    }
    None
}

/// The known proxies, by their localities and the labels that the setting compares. The endpoints are
/// proxies, too.
fn proxies(
    context: &MeshContext<'_>,
    service: &IstioServiceInput,
    effective: &IstioEffectiveSetting,
) -> Vec<IstioProxy> {
    let compared = effective
        .setting
        .iter()
        .flat_map(|setting| &setting.failover_priority);
    let keys: BTreeSet<&str> = compared
        .filter_map(|label| label.split('=').next())
        .collect();
    let endpoints = service
        .endpoints
        .iter()
        .map(|endpoint| (&endpoint.locality, &endpoint.labels));
    let proxies = context
        .proxies
        .iter()
        .map(|proxy| (&proxy.locality, &proxy.labels));
    let mut all: BTreeSet<(&str, BTreeMap<String, String>)> = BTreeSet::new();
    for (locality, labels) in endpoints.chain(proxies) {
        if locality.is_empty() || all.len() == MAXIMUM_PROXIES {
            continue;
        }
        // A proxy without any label is an exception in Istio.
        let first = labels.keys().next().filter(|_| !keys.is_empty());
        let kept = labels
            .iter()
            .filter(|(key, _)| keys.contains(key.as_str()) || Some(*key) == first)
            .map(|(key, value)| (key.clone(), value.clone()));
        all.insert((locality, kept.collect()));
    }
    all.into_iter()
        .map(|(locality, labels)| IstioProxy {
            namespace: String::new(),
            locality: locality.into(),
            labels,
        })
        .collect()
}
