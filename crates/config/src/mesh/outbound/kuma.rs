//! What a proxy of Kuma receives.

use alloc::{borrow::ToOwned as _, format, string::String, vec, vec::Vec};

use spillgate_core::model::LocalInfo;
use spillgate_mesh::{
    Compat,
    kuma::{
        KumaDestination, KumaDestinationKind, KumaEffectiveConf, KumaRouteKind, effective_conf,
        effective_route_conf, route_splits,
    },
};

#[cfg(feature = "health")]
use super::kuma_health::add_over_time;
use super::{
    MeshKind, MeshOutbound, OutboundDestination, OutboundRule, OutboundSplit,
    hashing::kuma_hash_policies, kuma_backends::splits, kuma_balancer::rejected,
    kuma_clusters::KumaClusters, kuma_gateway, once::push_once,
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
    let mut has_empty = false;
    let mut hashes = |found: Option<KumaEffectiveConf>| {
        let conf = found.map(|found| found.conf).unwrap_or_default();
        let policies = conf.hash_policies_in_use();
        has_empty |= policies.iter().any(|policy| policy.kind == "SourceIP");
        kuma_hash_policies(policies)
    };
    let mut of_service = hashes(found);
    match input.destination.http {
        // Kuma sets hash policies in routes of HTTP only.
        Some(false) => of_service.clear(),
        None if !of_service.is_empty() => push_once(
            &mut clusters.warnings,
            Diagnostic::limit(
                "mesh/assumed",
                "assuming that destinations with hash policies speak HTTP; without kuma.io/protocol or \
                 appProtocol, Kuma takes them as TCP, which hashes nothing",
                Affects::Everything,
            ),
        ),
        _ => {}
    }
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
        // Kuma applies policies of routes to resources only, not to values of `kuma.io/service`.
        let is_resource = input.destination.kind != KumaDestinationKind::ServiceTag;
        let own = effective_route_conf(policies, proxy, &route.meta).filter(|_| is_resource);
        let Some(splits) = splits(route, split.backends, matches.is_empty(), input, clusters)
        else {
            continue;
        };
        #[cfg_attr(not(feature = "health"), allow(unused_mut))]
        let mut rule = OutboundRule {
            matches,
            requests: Vec::new(),
            responds: None,
            splits,
            hash_policies: match own {
                Some(own) => hashes(Some(own)),
                None => of_service.clone(),
            },
            ..OutboundRule::default()
        };
        #[cfg(feature = "health")]
        add_over_time(&mut rule, (inputs, proxy), input, Some(&route.meta));
        rules.push(rule);
    }
    if !rules.iter().any(|rule| rule.matches.is_empty()) {
        #[cfg_attr(not(feature = "health"), allow(unused_mut))]
        let mut rule = OutboundRule {
            splits: vec![OutboundSplit::new(clusters.whole(input), 1)],
            hash_policies: of_service,
            ..OutboundRule::default()
        };
        #[cfg(feature = "health")]
        add_over_time(&mut rule, (inputs, proxy), input, None);
        rules.push(rule);
    }
    if has_empty {
        let found = "SourceIP".into();
        push_once(
            &mut clusters.warnings,
            rejected(
                "Kuma writes a hash policy without a source, which Envoy rejects; it is left out",
                found,
                "Connection",
            ),
        );
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

/// The cluster name, and the names by which clients reach it, as far as no other destination has them. Kuma has a
/// listener for each destination, which serves every host: the name selects it here.
fn domains(input: &KumaDestinationInput, inputs: &KumaInputs) -> Vec<String> {
    let mut domains = vec![input.cluster.clone()];
    for name in names(input) {
        let of_others = inputs.destinations.iter().filter(|other| {
            other.cluster != input.cluster
                && (other.cluster == name || names(other).contains(&name))
        });
        if of_others.count() == 0 && !name.is_empty() && !domains.contains(&name) {
            domains.push(name);
        }
    }
    domains
}

/// The names of a destination: that of its author, the one of Kuma's DNS, and that of its Service.
fn names(input: &KumaDestinationInput) -> Vec<String> {
    let meta = &input.destination.meta;
    let own = meta.display_name();
    let mut names = vec![own.to_owned()];
    if input.destination.kind == KumaDestinationKind::ServiceTag {
        names.push(format!("{own}.mesh"));
        names.push(format!("{}.mesh", own.replace('_', ".")));
    }
    let mut parts = own.split('_');
    let service = match (parts.next(), parts.next(), parts.next()) {
        (Some(name), Some(namespace), Some("svc")) => Some((name, namespace)),
        _ => meta.namespace().map(|namespace| (own, namespace)),
    };
    let of_service =
        service.filter(|_| input.destination.kind != KumaDestinationKind::MeshMultiZoneService);
    if let Some((name, namespace)) = of_service {
        names.push(format!("{name}.{namespace}"));
        names.push(format!("{name}.{namespace}.svc.cluster.local"));
    }
    names
}
