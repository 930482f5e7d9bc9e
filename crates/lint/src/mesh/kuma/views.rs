//! What proxies receive from an entry: from the endpoints of the documents, or from assumed ones.

use alloc::{collections::BTreeSet, format, string::String, vec::Vec};
use spillgate_core::visible::quoted;

use spillgate_core::model::{MaglevConfig, Policy, RingHashConfig};
use spillgate_mesh::{
    Compat, MeshHost,
    kuma::{
        KumaDestinationKind, KumaEndpoint, KumaLoadBalancer, KumaLocalityRules, KumaProxy,
        KumaView, assignment,
    },
};

use super::super::{context::MeshContext, entry::KumaEntry, sight::Sight};

/// The zone of assumed proxies if the policy names none.
const LOCAL: &str = "the local zone";
/// A zone that no rule names.
const OTHER: &str = "another zone";

/// The policy of a `loadBalancer` with its default settings.
pub(super) fn policy_of(load_balancer: Option<&KumaLoadBalancer>) -> Policy {
    match load_balancer.map(|balancer| balancer.kind.as_str()) {
        Some("RingHash") => Policy::RingHash(RingHashConfig::default()),
        Some("Maglev") => Policy::Maglev(MaglevConfig::default()),
        Some("Random") => Policy::Random,
        _ => Policy::RoundRobin,
    }
}

impl KumaEntry<'_> {
    /// Its legal rules.
    fn rules(&self) -> Option<KumaLocalityRules> {
        KumaLocalityRules::new(self.locality()).ok()
    }

    /// The views from each known zone of each destination with endpoints.
    pub(super) fn known_views(&self, context: &MeshContext<'_>) -> impl Iterator<Item = Sight> {
        let rules = self.rules();
        let inputs = context.kuma.iter();
        let inputs = inputs.filter(|inputs| inputs.proxy.meta.mesh == self.mesh());
        let destinations = inputs.flat_map(|inputs| {
            let destinations = inputs.destinations.iter();
            destinations.map(move |destination| (&inputs.proxy, destination))
        });
        destinations
            .filter(|(_, input)| self.selects(&input.destination) && !input.endpoints.is_empty())
            .filter_map(move |(proxy, input)| {
                let kind = input.destination.kind;
                Some(self.view(proxy, kind, rules.as_ref()?, &input.endpoints, Compat::Kuma))
            })
    }

    /// The views from each zone that the rules name, of one endpoint in each such zone and in
    /// another one.
    pub(super) fn assumed_views(&self, compat: Compat) -> Vec<Sight> {
        let Some(rules) = self.rules() else {
            return Vec::new();
        };
        let failover = self
            .locality()
            .and_then(|locality| locality.cross_zone.as_ref());
        let failover = failover
            .and_then(|cross| cross.failover.as_deref())
            .unwrap_or_default();
        let from: BTreeSet<&str> = failover
            .iter()
            .flat_map(|rule| rule.from_zones.iter().flatten())
            .map(String::as_str)
            .chain([LOCAL])
            .collect();
        let to = failover
            .iter()
            .flat_map(|rule| rule.to.zones.iter().flatten());
        let zones: BTreeSet<&str> = to
            .map(String::as_str)
            .chain([OTHER])
            .chain(from.iter().copied())
            .collect();
        let endpoints: Vec<KumaEndpoint> = zones
            .iter()
            .enumerate()
            .map(|(at, zone)| KumaEndpoint::new(format!("10.0.0.{at}:80"), *zone))
            .collect();
        let kind = KumaDestinationKind::MeshMultiZoneService;
        from.into_iter()
            .map(|zone| self.view(&KumaProxy::new(zone), kind, &rules, &endpoints, compat))
            .collect()
    }

    fn view(
        &self,
        proxy: &KumaProxy,
        destination: KumaDestinationKind,
        rules: &KumaLocalityRules,
        endpoints: &[KumaEndpoint],
        compat: Compat,
    ) -> Sight {
        let view = KumaView { proxy, destination };
        let found = assignment(view, Some(rules), endpoints, compat);
        let hosts: Vec<&MeshHost> = endpoints.iter().map(|endpoint| &endpoint.host).collect();
        let zone = match proxy.zone.as_str() {
            LOCAL => LOCAL.into(),
            zone => format!("zone {}", quoted(zone)),
        };
        Sight::new(
            (&proxy.zone, zone),
            found,
            &hosts,
            policy_of(self.load_balancer()),
        )
    }
}
