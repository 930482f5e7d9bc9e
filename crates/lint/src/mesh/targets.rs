//! Which DestinationRules apply to which services.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec,
    vec::Vec,
};

use spillgate_config::mesh::{
    IstioDocuments, IstioPolicyPart, IstioServiceInput, ReadDestinationRule,
};
use spillgate_mesh::istio::{
    IstioDestinationRule, IstioProxy, IstioSettingSource, IstioSettings, destination_rule,
};

/// The services of a DestinationRule, by their numbers.
#[derive(Debug, Clone, Default)]
pub(super) struct RuleTargets {
    /// Those whose host the rule names.
    pub(super) named: Vec<usize>,
    /// Those for which a proxy of the input uses the rule.
    pub(super) used: Vec<usize>,
}

/// What applies to the services of the input.
#[derive(Debug, Clone, Default)]
pub(super) struct Targets {
    /// By the number of the rule.
    pub(super) rules: Vec<RuleTargets>,
    /// The services to which the locality setting of the mesh applies.
    pub(super) of_mesh: Vec<usize>,
}

/// A DestinationRule that applies to services of the input; if the input has no services, any rule.
pub(super) struct RuleAt<'d> {
    pub(super) read: &'d ReadDestinationRule,
    /// The numbers of these services.
    pub(super) services: Vec<usize>,
}

impl Targets {
    /// Finds the services of each rule.
    pub(super) fn new(
        istio: &IstioDocuments,
        services: &[IstioServiceInput],
        proxies: &[IstioProxy],
    ) -> Self {
        let rules = &istio.destination_rules;
        let root = root_namespace(istio);
        let views = views(rules, services, proxies);
        let mut targets = Self {
            rules: vec![RuleTargets::default(); rules.len()],
            of_mesh: Vec::new(),
        };
        for (at, input) in services.iter().enumerate() {
            let (mut numbers, mut named) = (Vec::new(), Vec::new());
            for (number, read) in rules.iter().enumerate() {
                if read.rule.is_for(&input.service.host) {
                    numbers.push(number);
                    named.push(read.rule.clone());
                }
            }
            let mut used: BTreeSet<usize> = BTreeSet::new();
            let mut of_mesh = named.is_empty();
            for view in views.iter().filter(|_| !named.is_empty()) {
                let found = destination_rule(&named, view, &input.service, root);
                used.extend(found.iter().flat_map(|found| &found.from));
                of_mesh |= found.is_none_or(|found| {
                    let balancer = found.rule.policy(None, input.port).load_balancer;
                    balancer.is_none_or(|balancer| balancer.locality_lb_setting.is_none())
                });
            }
            if of_mesh && !has_own_setting(input) {
                targets.of_mesh.push(at);
            }
            for (index, number) in numbers.into_iter().enumerate() {
                if let Some(targets) = targets.rules.get_mut(number) {
                    targets.named.push(at);
                    targets.used.extend(used.contains(&index).then_some(at));
                }
            }
        }
        targets
    }
}

/// The namespace whose rules apply to all others.
pub(super) fn root_namespace(istio: &IstioDocuments) -> &str {
    let config = istio.mesh_configs.last();
    config.map_or("istio-system", |read| read.root_namespace.as_str())
}

/// Whether the `trafficDistribution` of a service replaces the setting of the mesh.
fn has_own_setting(input: &IstioServiceInput) -> bool {
    let settings = IstioSettings {
        traffic_distribution: input.service.traffic_distribution.as_deref(),
        ..IstioSettings::default()
    };
    settings.effective().source == IstioSettingSource::Service
}

/// The proxies that may use different rules: by namespace, and by the labels that rules select. If
/// the input has no proxies, one in each namespace that it names.
fn views(
    rules: &[ReadDestinationRule],
    services: &[IstioServiceInput],
    proxies: &[IstioProxy],
) -> Vec<IstioProxy> {
    let rules = || rules.iter().map(|read| &read.rule);
    let mut views: BTreeSet<(&str, BTreeMap<&str, &str>)> = BTreeSet::new();
    if proxies.is_empty() {
        views.insert(("default", BTreeMap::new()));
        for rule in rules() {
            let selector = rule.workload_selector.iter();
            let labels = selector.map(|(key, value)| (key.as_str(), value.as_str()));
            views.insert((&rule.namespace, labels.collect()));
            views.insert((&rule.namespace, BTreeMap::new()));
            let exports = rule.export_to.iter().filter(|name| !is_special(name));
            views.extend(exports.map(|name| (name.as_str(), BTreeMap::new())));
        }
        let of_services = services.iter().map(|input| &input.service.namespace);
        views.extend(of_services.map(|name| (name.as_str(), BTreeMap::new())));
    }
    let keys: BTreeSet<&str> = rules()
        .flat_map(|rule| rule.workload_selector.keys().map(String::as_str))
        .collect();
    let named: BTreeSet<&str> = rules()
        .flat_map(|rule: &IstioDestinationRule| rule.export_to.iter().chain([&rule.namespace]))
        .map(String::as_str)
        .collect();
    let mut other = None;
    for proxy in proxies {
        let namespace = match proxy.namespace.as_str() {
            "" => "default",
            namespace => namespace,
        };
        // Proxies in namespaces that no rule names all use the same rules.
        if !named.contains(namespace) {
            other = Some(namespace);
            continue;
        }
        let labels = proxy
            .labels
            .iter()
            .filter(|(key, _)| keys.contains(key.as_str()))
            .map(|(key, value)| (key.as_str(), value.as_str()));
        views.insert((namespace, labels.collect()));
    }
    views.extend(other.map(|namespace| (namespace, BTreeMap::new())));
    let proxy = |(namespace, labels): (&str, BTreeMap<&str, &str>)| IstioProxy {
        namespace: namespace.into(),
        labels: labels
            .into_iter()
            .map(|(key, value)| (key.into(), value.into()))
            .collect(),
        ..IstioProxy::default()
    };
    views.into_iter().map(proxy).collect()
}

/// Whether an entry of `exportTo` is not a name.
fn is_special(name: &str) -> bool {
    [".", "*", "~"].contains(&name)
}

// === impl RuleAt ===

impl<'d> RuleAt<'d> {
    /// The rules that apply; all of them if the input has no services.
    pub(super) fn all(
        istio: &'d IstioDocuments,
        targets: &Targets,
        services: &[IstioServiceInput],
    ) -> Vec<Self> {
        let rules = istio.destination_rules.iter().zip(&targets.rules);
        let applied = rules.filter(|(_, targets)| services.is_empty() || !targets.used.is_empty());
        applied
            .map(|(read, targets)| Self {
                read,
                services: targets.used.clone(),
            })
            .collect()
    }

    /// Its services.
    pub(super) fn services<'c>(
        &'c self,
        services: &'c [IstioServiceInput],
    ) -> impl Iterator<Item = &'c IstioServiceInput> {
        self.services.iter().filter_map(|&at| services.get(at))
    }

    /// Whether a policy applies to a port of a service.
    pub(super) fn has_part(
        &self,
        services: &[IstioServiceInput],
        part: &IstioPolicyPart<'_>,
    ) -> bool {
        let mut own = self.services(services);
        self.services.is_empty() || own.any(|of| part.is_for_port(of.port))
    }
}
