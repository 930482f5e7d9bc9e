//! DestinationRules that apply to no service.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    string::String,
};
use spillgate_core::visible::quoted;

use spillgate_config::{mesh::ReadDestinationRule, nearest};
use spillgate_mesh::istio::{
    IstioDestinationRule, IstioProxy, IstioService, KUBE_DOMAIN, destination_rule, full_host,
};

use super::super::{
    context::MeshContext,
    names::listed,
    rule::MeshRule,
    targets::{RuleTargets, root_namespace},
};
use crate::{finding::Severity, sink::Sink};

/// The host of a DestinationRule matches no service of the input. Often the name is misspelled, or a
/// short name is in another namespace than the service.
///
/// The rule has no effect. Not reported if the input has no services.
pub(in super::super) static NO_SERVICE: MeshRule = MeshRule {
    id: "istio-rule-no-service",
    severity: Severity::Warning,
    summary: "DestinationRule for a host that no service has",
    check: no_service,
};

/// No proxy of the input uses a DestinationRule: it is in another namespace than the proxies, the
/// service and the root namespace, or `exportTo` or `workloadSelector` excludes all proxies.
///
/// The rule has no effect on these proxies. Not reported if the input has no proxies.
pub(in super::super) static NO_PROXY: MeshRule = MeshRule {
    id: "istio-rule-no-proxy",
    severity: Severity::Warning,
    summary: "DestinationRule that no proxy uses",
    check: no_proxy,
};

/// The rules with their services, if the input has services.
fn rules<'c>(
    context: &'c MeshContext<'_>,
) -> impl Iterator<Item = (&'c ReadDestinationRule, &'c RuleTargets)> {
    let rules = &context.documents.istio.destination_rules;
    let rules = rules.iter().zip(&context.targets.rules);
    rules.filter(|_| !context.services.is_empty())
}

/// Finds hosts without a service.
fn no_service(context: &MeshContext<'_>, sink: &mut Sink) {
    let services = context.services.iter();
    let known: BTreeSet<&str> = services.map(|input| input.service.host.as_str()).collect();
    for (read, _) in rules(context).filter(|(_, targets)| targets.named.is_empty()) {
        let host = read.rule.host.as_str();
        let full = full_host(host, &read.rule.namespace);
        let cause = if full == host {
            format!("no service has the host {}", quoted(&full))
        } else {
            format!(
                "no service has the host {}: short names are in the namespace of the rule",
                quoted(&full)
            )
        };
        let effect = format!(
            "the rule applies to no request; services: {}",
            listed(known.iter().copied())
        );
        let fix = match meant(&full, &known) {
            Some(meant) => format!("did you mean {}?", quoted(meant)),
            None => String::from("write the host of a service, or remove the rule"),
        };
        sink.add(&read.value_place("host"), cause, effect, fix);
    }
}

/// The host that was probably meant: one with a similar name, or the only one with this name in
/// another namespace or domain.
fn meant<'c>(host: &str, known: &BTreeSet<&'c str>) -> Option<&'c str> {
    if host.starts_with('*') {
        return None;
    }
    let short = |host: &'c str| host.strip_suffix(KUBE_DOMAIN).unwrap_or(host);
    let own = host.strip_suffix(KUBE_DOMAIN).unwrap_or(host);
    let near = nearest(own, known.iter().copied().map(short));
    let near = near.and_then(|near| known.iter().find(|host| short(host) == near));
    let name = |host: &str| host.split('.').next().map(String::from);
    let mut same = known.iter().filter(|other| name(other) == name(host));
    let same = same.next().filter(|_| same.next().is_none());
    near.or(same).copied()
}

/// Finds rules that are out of the proxies' sight.
fn no_proxy(context: &MeshContext<'_>, sink: &mut Sink) {
    if context.proxies.is_empty() {
        return;
    }
    let proxies = context.proxies.iter();
    let proxies: BTreeSet<&str> = proxies.map(|proxy| or_default(&proxy.namespace)).collect();
    let root = root_namespace(&context.documents.istio);
    for (read, targets) in rules(context) {
        if targets.named.is_empty() || !targets.used.is_empty() {
            continue;
        }
        let own = namespace(&read.rule);
        let named = targets
            .named
            .iter()
            .filter_map(|&at| context.services.get(at));
        // One service of each namespace is enough.
        let services: BTreeMap<&str, &IstioService> = named
            .map(|input| (or_default(&input.service.namespace), &input.service))
            .collect();
        let rule = core::slice::from_ref(&read.rule);
        let sees = |proxy: &IstioProxy| {
            let mut services = services.values();
            services.any(|service| destination_rule(rule, proxy, service, root).is_some())
        };
        // Rules for more specific hosts, or of the proxies' own namespaces, apply instead.
        if context.proxies.iter().any(sees) {
            continue;
        }
        let offered = own == root || services.contains_key(own) || proxies.contains(own);
        let (field, cause) = if !read.rule.workload_selector.is_empty() {
            let cause = format!(
                "workloadSelector selects no proxy of the input in namespace {}",
                quoted(own)
            );
            ("workloadSelector", cause)
        } else if offered {
            let cause = format!(
                "exportTo excludes the namespaces of all proxies of the input: {}",
                listed(proxies.iter().copied())
            );
            ("exportTo", cause)
        } else {
            let cause = format!(
                "the rule is in namespace {}, which has neither the service nor a proxy of the input",
                quoted(own)
            );
            ("host", cause)
        };
        let effect = format!(
            "the rule applies to no request of these proxies, which use rules of their own namespaces, of the \
             service's ({}) and of {}",
            listed(services.keys().copied()),
            quoted(root)
        );
        let fix = "move the rule to the namespace of the service or of its clients, or correct what it excludes";
        sink.add(&read.value_place(field), cause, effect, fix);
    }
}

fn namespace(rule: &IstioDestinationRule) -> &str {
    or_default(&rule.namespace)
}

fn or_default(namespace: &str) -> &str {
    match namespace {
        "" => "default",
        namespace => namespace,
    }
}
