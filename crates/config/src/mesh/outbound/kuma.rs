//! What a proxy of Kuma receives.

use alloc::{string::String, vec, vec::Vec};

use spillgate_core::model::LocalInfo;
use spillgate_mesh::{
    Compat,
    kuma::{
        KumaDestination, KumaEffectiveConf, KumaRouteKind, effective_conf, effective_route_conf,
        route_splits,
    },
};

use super::{
    MeshKind, MeshOutbound, OutboundDestination, OutboundRule, OutboundSplit,
    hashing::kuma_hash_policies, kuma_backends::splits, kuma_clusters::KumaClusters, kuma_gateway,
    once::push_once,
};
use crate::{
    Affects, Diagnostic,
    mesh::{KumaDestinationInput, KumaInputs},
    node::quote,
};

/// The clusters and destinations of these inputs.
pub(super) fn outbound(inputs: &KumaInputs, compat: Compat) -> MeshOutbound {
    let mut clusters = KumaClusters::new(inputs, compat);
    let mut warnings = inputs.warnings.clone();
    let destinations = match &inputs.gateway {
        Some(gateway) => kuma_gateway::destinations(gateway, inputs, &mut clusters),
        None => {
            let inputs_of = inputs.destinations.iter();
            let all = inputs_of.map(|input| destination(input, inputs, &mut clusters));
            all.collect()
        }
    };
    warnings.append(&mut clusters.warnings);
    MeshOutbound {
        local: LocalInfo::default(),
        mesh: MeshKind::Kuma,
        zone: inputs.proxy.zone.clone(),
        clusters: clusters.clusters,
        destinations,
        warnings,
    }
}

fn destination(
    input: &KumaDestinationInput,
    inputs: &KumaInputs,
    clusters: &mut KumaClusters<'_>,
) -> OutboundDestination {
    let (policies, proxy) = (&inputs.policies, &inputs.proxy);
    let found = effective_conf(policies, proxy, &input.destination);
    let hashes = |found: Option<KumaEffectiveConf>| {
        let conf = found.map(|found| found.conf).unwrap_or_default();
        kuma_hash_policies(conf.hash_policies_in_use())
    };
    let of_service = hashes(found);
    let mut rules = Vec::new();
    if let Some(warning) = protocol_warning(input, inputs) {
        push_once(&mut clusters.warnings, warning);
    }
    for split in route_splits(&inputs.routes, proxy, &input.destination) {
        let Some(route) = inputs.routes.get(split.route) else {
            continue;
        };
        let to = route.to.get(split.to);
        let rule = to.and_then(|to| to.rules.get(split.rule));
        let matches = rule.map(|rule| rule.matches.clone()).unwrap_or_default();
        if let Some(status) = rule.and_then(|rule| rule.responds) {
            rules.push(OutboundRule::respond(matches, Vec::new(), status));
            continue;
        }
        let own = effective_route_conf(policies, proxy, &route.meta);
        let Some(splits) = splits(route, split.backends, matches.is_empty(), input, clusters)
        else {
            continue;
        };
        rules.push(OutboundRule {
            matches,
            requests: Vec::new(),
            responds: None,
            splits,
            hash_policies: match own {
                Some(own) => hashes(Some(own)),
                None => of_service.clone(),
            },
            ..OutboundRule::default()
        });
    }
    if !rules.iter().any(|rule| rule.matches.is_empty()) {
        rules.push(OutboundRule {
            splits: vec![OutboundSplit::new(clusters.whole(input), 1)],
            hash_policies: of_service,
            ..OutboundRule::default()
        });
    }
    OutboundDestination {
        name: input.cluster.clone(),
        listener: String::new(),
        domains: domains(input, inputs),
        rules,
    }
}

/// MeshHTTPRoutes depend on the protocol of the destination.
fn protocol_warning(input: &KumaDestinationInput, inputs: &KumaInputs) -> Option<Diagnostic> {
    let destination = KumaDestination {
        http: None,
        ..input.destination.clone()
    };
    let splits = route_splits(&inputs.routes, &inputs.proxy, &destination);
    let route = inputs.routes.get(splits.first()?.route)?;
    match (route.kind, input.destination.http) {
        (KumaRouteKind::Tcp, _) | (_, Some(true)) => None,
        (_, Some(false)) => Some(
            Diagnostic::warning(
                "mesh/not-http",
                "Kuma ignores the MeshHTTPRoutes of a destination that does not speak HTTP",
            )
            .found(quote(&input.cluster))
            .expected("kuma.io/protocol or appProtocol: http, http2 or grpc"),
        ),
        (_, None) => Some(Diagnostic::limit(
            "mesh/assumed",
            "assuming that the destinations of MeshHTTPRoutes speak HTTP; without kuma.io/protocol \
             or appProtocol, Kuma ignores these routes",
            Affects::Everything,
        )),
    }
}

/// The cluster name, and the name that the author gave if no other destination has it.
fn domains(input: &KumaDestinationInput, inputs: &KumaInputs) -> Vec<String> {
    let name = |input: &KumaDestinationInput| -> String {
        let meta = &input.destination.meta;
        let shown = meta.labels.get("kuma.io/display-name");
        shown.unwrap_or(&meta.name).clone()
    };
    let own = name(input);
    let others = inputs
        .destinations
        .iter()
        .filter(|other| name(other) == own);
    let mut domains = vec![input.cluster.clone()];
    if others.count() == 1 && own != input.cluster && !own.is_empty() {
        domains.push(own);
    }
    domains
}
