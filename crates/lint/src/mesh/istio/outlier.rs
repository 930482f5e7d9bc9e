//! Outlier detection that enables failover.

use alloc::format;
use spillgate_core::visible::quoted;

use spillgate_config::mesh::{IstioPolicyPart, IstioServiceInput};
use spillgate_core::model::Policy;
use spillgate_mesh::istio::{IstioEndpoint, parse_locality};

use super::{
    super::{context::MeshContext, rule::MeshRule, targets::RuleAt},
    views::{Applied, assumed, localities},
};
use crate::{figures::percent, finding::Severity, sink::Sink};

/// A DestinationRule has `outlierDetection`, and nothing states whether locality load balancing
/// applies. Istio enables it by default.
///
/// Requests stay in the locality of the proxy while its hosts are healthy.
pub(in super::super) static ENABLES_FAILOVER: MeshRule = MeshRule {
    id: "istio-outlier-enables-failover",
    severity: Severity::Warning,
    summary: "outlierDetection without localityLbSetting also enables locality failover",
    check: enables_failover,
};

/// Finds outlier detection without a locality setting.
fn enables_failover(context: &MeshContext<'_>, sink: &mut Sink) {
    if mesh_states_it(context) {
        return;
    }
    for rule in &context.rules {
        let read = rule.read;
        let parts = read.policies();
        let states = |part: &IstioPolicyPart<'_>| {
            part.load_balancer
                .is_some_and(|balancer| balancer.locality_lb_setting.is_some())
        };
        if parts.iter().any(states) {
            continue;
        }
        for part in &parts {
            let path = format!("{}.outlierDetection", part.path);
            // A subset can inherit it, which is not a second finding.
            if part.outlier_detection.is_some()
                && read.places.found(&path).is_some()
                && rule.has_part(&context.services, part)
            {
                check(context, rule, part, sink);
            }
        }
    }
}

/// Whether the MeshConfig states that locality load balancing is on or off.
pub(super) fn mesh_states_it(context: &MeshContext<'_>) -> bool {
    let config = context.documents.istio.mesh_configs.last();
    config.is_some_and(|read| {
        read.places.found("localityLbSetting").is_some()
            || read.config != spillgate_mesh::istio::IstioMeshConfig::default()
    })
}

fn check(
    context: &MeshContext<'_>,
    rule: &RuleAt<'_>,
    part: &IstioPolicyPart<'_>,
    sink: &mut Sink,
) {
    let read = rule.read;
    let services = rule.services(&context.services);
    let own = |service: &&IstioServiceInput| part.is_for_port(service.port);
    let mut services = services.filter(own).peekable();
    let assumed = assumed(&["region/zone-1", "region/zone-2"]);
    let endpoints: &[IstioEndpoint] = match services.peek() {
        None => &assumed,
        Some(_) => {
            let states =
                |service: &&IstioServiceInput| service.service.traffic_distribution.is_some();
            let several = |service: &&IstioServiceInput| localities(&service.endpoints).len() > 1;
            match services.find(|service| several(service) && !states(service)) {
                Some(service) => &service.endpoints,
                None => return,
            }
        }
    };
    let Some(&from) = localities(endpoints).first() else {
        return;
    };
    let local = parse_locality(from);
    let share = |outlier_detection| {
        let applied = Applied {
            setting: None,
            outlier_detection,
        };
        let sight = applied.view(from, endpoints, Policy::RoundRobin);
        sight.share_of(&sight.shares(), |locality| *locality == local)
    };
    let cause =
        "outlierDetection also enables locality failover, and no localityLbSetting states it";
    let effect = format!(
        "proxies in {} send {} of requests to their own locality, instead of {}",
        quoted(from),
        percent(share(part.outlier_detection)),
        percent(share(None))
    );
    let fix = "set localityLbSetting.enabled: false to use all localities, or true to keep requests local";
    let balancer = format!("{}.loadBalancer", part.path);
    let setting = format!("{balancer}.localityLbSetting");
    let place = read.value_place(&format!("{}.outlierDetection", part.path));
    sink.add(&place, cause, effect, fix)
        .set(read.value_place(&setting).path, "{\"enabled\":true}");
}
