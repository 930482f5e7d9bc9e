//! Failover without outlier detection.

use alloc::format;
use spillgate_core::visible::quoted;

use spillgate_core::model::Policy;
use spillgate_mesh::{
    MeshFaultCode,
    istio::{parse_locality, validate_istio_setting},
};

use super::{
    super::{
        context::MeshContext,
        rule::MeshRule,
        setting::{IstioSettingAt, SettingSource},
    },
    views::{Applied, assumed, localities},
};
use crate::{figures::percent, finding::Severity, sink::Sink};

/// `failover`, `failoverPriority` or `enabled: true` without `outlierDetection`.
///
/// The setting has no effect: all localities have the same priority.
pub(in super::super) static NO_OUTLIER_DETECTION: MeshRule = MeshRule {
    id: "istio-failover-no-outlier-detection",
    severity: Severity::Warning,
    summary: "locality failover without outlierDetection has no effect",
    check: no_outlier_detection,
};

/// Finds settings that need outlier detection.
fn no_outlier_detection(context: &MeshContext<'_>, sink: &mut Sink) {
    for at in &context.settings {
        let SettingSource::Rule(read, part) = &at.source else {
            continue;
        };
        if part.outlier_detection.is_some() || inherited_with_detection(at) {
            continue;
        }
        let mut faults = validate_istio_setting(at.setting, None).into_iter();
        let fault = faults.find(|fault| fault.code == MeshFaultCode::OutlierDetectionMissing);
        let field = match &fault {
            Some(fault) => fault.path.as_str(),
            // Without rules, the setting only enables the default failover.
            None if !at.setting.has_rules() && at.setting.enabled == Some(true) => "enabled",
            None => continue,
        };
        let mut services = at.services(&context.services);
        let several = services.find(|service| localities(&service.endpoints).len() > 1);
        let assumed = assumed(&["region/zone-1", "region/zone-2"]);
        let endpoints = several.map_or(&assumed, |service| &service.endpoints);
        let Some(&from) = localities(endpoints).first() else {
            continue;
        };
        let local = parse_locality(from);
        let applied = Applied {
            setting: Some(at.setting),
            outlier_detection: None,
        };
        let sight = applied.view(from, endpoints, Policy::RoundRobin);
        let share = sight.share_of(&sight.shares(), |locality| *locality == local);
        let cause = format!("{field} has no effect without outlierDetection");
        let effect = format!(
            "all localities have priority 0: proxies in {} send {} of requests to their own \
             locality",
            quoted(from),
            percent(share)
        );
        let detection = read.value_place(&format!("{}.outlierDetection", part.path));
        let fix = "add outlierDetection to the same trafficPolicy";
        sink.add(&at.place(field), cause, effect, fix).set(
            detection.path,
            "{\"consecutive5xxErrors\":5,\"interval\":\"10s\",\"baseEjectionTime\":\"30s\",\
             \"maxEjectionPercent\":100}",
        );
    }
}

/// Whether a subset inherits the setting and has outlier detection of its own.
fn inherited_with_detection(at: &IstioSettingAt<'_>) -> bool {
    let SettingSource::Rule(read, part) = &at.source else {
        return false;
    };
    let whole = part.subset.is_none() && part.port.is_none();
    whole
        && read.policies().iter().any(|other| {
            other.subset.is_some()
                && other.port.is_none()
                && other.load_balancer.is_none()
                && other.outlier_detection.is_some()
        })
}
