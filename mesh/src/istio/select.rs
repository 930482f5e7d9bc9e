//! Which DestinationRule applies to a service (`destinationRule` in `push_context.go`).

use alloc::{collections::BTreeMap, format, string::String};

use super::{IstioDestinationRule, IstioProxy, IstioService};

/// The DestinationRule of a proxy for a service: from the namespace of the proxy, else of the
/// service, else from `root_namespace`, whose rules apply to all others. Within a namespace, the most specific host counts, then a rule
/// with a workload selector, then the first one. Its subsets and settings are not merged with those of
/// other rules.
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
/// assert_eq!(found, Some(&rules[1]));
/// ```
#[must_use]
pub fn destination_rule<'a>(
    rules: &'a [IstioDestinationRule],
    proxy: &IstioProxy,
    service: &IstioService,
    root_namespace: &str,
) -> Option<&'a IstioDestinationRule> {
    let namespaces = [&*proxy.namespace, &*service.namespace, root_namespace];
    namespaces.into_iter().find_map(|namespace| {
        let candidates = rules.iter().enumerate().filter_map(|(at, rule)| {
            let selects = has_labels(&rule.workload_selector, &proxy.labels);
            if or_default(&rule.namespace) != or_default(namespace) || !selects {
                return None;
            }
            let host = rule.host_rank(&service.host)?;
            let narrow = !rule.workload_selector.is_empty();
            Some(((host, narrow, core::cmp::Reverse(at)), rule))
        });
        let best = candidates.max_by_key(|(rank, _)| *rank);
        best.map(|(_, rule)| rule)
    })
}

/// Whether `labels` has all labels of a selector.
#[must_use]
pub fn has_labels(selector: &BTreeMap<String, String>, labels: &BTreeMap<String, String>) -> bool {
    let mut wanted = selector.iter();
    wanted.all(|(key, value)| labels.get(key) == Some(value))
}

fn or_default(namespace: &str) -> &str {
    match namespace.is_empty() {
        true => "default",
        false => namespace,
    }
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
        let full = match host.contains('.') {
            true => host.into(),
            false => format!("{host}.{}.svc.cluster.local", or_default(&self.namespace)),
        };
        (full == service_host || host == service_host).then_some((true, 0))
    }
}
