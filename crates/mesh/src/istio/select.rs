//! Which DestinationRule applies to a service (`destinationRule` in `push_context.go`,
//! `DestinationRule` in `sidecar.go`).

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use super::{
    IstioDestinationRule, IstioMergedRule, IstioProxy, IstioService,
    export::{full_host, is_exported, or_default},
    merge::merged,
};

/// The DestinationRule of a proxy for a service: from the namespace of the proxy, else of the
/// service, else from `root_namespace`. The latter two offer the rules that they export to the
/// namespace of the proxy. Within a namespace, the most specific host decides, even if none of its
/// rules selects the proxy; the rules for that host are merged. Among the merged rules, one whose
/// workload selector matches the proxy wins, else the last one without a selector.
///
/// # Examples
/// ```
/// use spillgate_mesh::istio::*;
///
/// let rule = |host: &str| IstioDestinationRule {
///     namespace: "shop".into(),
///     host: host.into(),
///     ..IstioDestinationRule::default()
/// };
/// let rules = [rule("*.svc.cluster.local"), rule("cart")];
/// let service = IstioService {
///     host: "cart.shop.svc.cluster.local".into(),
///     namespace: "shop".into(),
///     ..IstioService::default()
/// };
/// let found = destination_rule(&rules, &IstioProxy::default(), &service, "istio-system");
/// assert_eq!(found.map(|found| found.from), Some(vec![1]));
/// ```
#[must_use]
pub fn destination_rule(
    rules: &[IstioDestinationRule],
    proxy: &IstioProxy,
    service: &IstioService,
    root_namespace: &str,
) -> Option<IstioMergedRule> {
    let own = or_default(&proxy.namespace);
    let in_root = own == or_default(root_namespace);
    // A proxy of the root namespace finds its public rules there at the end.
    let local = for_host(rules, own, service, |rule| {
        if in_root {
            rule.is_private()
        } else {
            rule.is_for_own_namespace()
        }
    });
    if !local.is_empty() {
        return selected(local, proxy);
    }
    let others = [service.namespace.as_str(), root_namespace];
    others.into_iter().find_map(|namespace| {
        let namespace = or_default(namespace);
        let mut exported = for_host(rules, namespace, service, |rule| !rule.is_private());
        exported.retain(|found| found.rule.is_exported_to(own));
        if exported.is_empty() {
            None
        } else {
            Some(selected(exported, proxy))
        }
    })?
}

/// The merged rules of a namespace for the most specific host.
fn for_host(
    rules: &[IstioDestinationRule],
    namespace: &str,
    service: &IstioService,
    visible: impl Fn(&IstioDestinationRule) -> bool,
) -> Vec<IstioMergedRule> {
    let ranked = rules.iter().enumerate().filter_map(|(at, rule)| {
        let known = or_default(&rule.namespace) == namespace && visible(rule);
        let rank = rule.host_rank(&service.host).filter(|_| known)?;
        Some((rank, (at, rule)))
    });
    let ranked: Vec<_> = ranked.collect();
    let best = ranked.iter().map(|(rank, _)| *rank).max();
    let best = ranked.iter().filter(|(rank, _)| Some(*rank) == best);
    merged(best.map(|(_, found)| *found))
}

/// The rule that selects the workload of the proxy, else the last one for all workloads.
fn selected(mut rules: Vec<IstioMergedRule>, proxy: &IstioProxy) -> Option<IstioMergedRule> {
    let narrow = rules.iter().position(|found| {
        let selector = &found.rule.workload_selector;
        let same = or_default(&found.rule.namespace) == or_default(&proxy.namespace);
        same && !selector.is_empty() && has_labels(selector, &proxy.labels)
    });
    let for_all = |found: &IstioMergedRule| found.rule.workload_selector.is_empty();
    let at = narrow.or_else(|| rules.iter().rposition(for_all))?;
    Some(rules.swap_remove(at))
}

/// Whether `labels` has all labels of a selector.
#[must_use]
pub fn has_labels(selector: &BTreeMap<String, String>, labels: &BTreeMap<String, String>) -> bool {
    let mut wanted = selector.iter();
    wanted.all(|(key, value)| labels.get(key) == Some(value))
}

impl IstioDestinationRule {
    /// Whether the rule is for the host of a service.
    #[must_use]
    pub fn is_for(&self, service_host: &str) -> bool {
        self.host_rank(service_host).is_some()
    }

    /// How specific the host of the rule is for a service; `None` if it is another host. A name
    /// without dots is a Kubernetes service in the namespace of the rule.
    fn host_rank(&self, service_host: &str) -> Option<(bool, usize)> {
        let host = self.host.as_str();
        if let Some(suffix) = host.strip_prefix('*') {
            let matches = service_host.ends_with(suffix);
            return matches.then_some((false, suffix.len()));
        }
        let full = full_host(host, &self.namespace);
        (full == service_host || host == service_host).then_some((true, 0))
    }

    /// Whether proxies in the namespace of the rule use it.
    fn is_for_own_namespace(&self) -> bool {
        self.is_exported_to(&self.namespace)
    }

    /// Whether only proxies in the namespace of the rule use it.
    fn is_private(&self) -> bool {
        let to = self.exports();
        let own = [".", or_default(&self.namespace)];
        to.len() == 1 && own.iter().any(|name| to.contains(*name))
    }

    /// Whether proxies in a namespace, not necessarily that of the rule, use it.
    fn is_exported_to(&self, namespace: &str) -> bool {
        is_exported(&self.exports(), &self.namespace, namespace)
    }
}
