//! Endpoints of other networks: the proxy reaches them through the gateways of their networks
//! (`EndpointsByNetworkFilter` in `ep_filters.go`, `NetworkGateways` in `network.go`).

use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    string::String,
    vec::Vec,
};

use spillgate_core::model::Weight;

use super::{IstioEndpoint, IstioResolution, IstioVersion};
use crate::{DropReason, DroppedEndpoint, MeshAssignment, MeshHost};

/// The label with the network of a workload.
pub const NETWORK_LABEL: &str = "topology.istio.io/network";

/// A gateway of a network.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct IstioNetworkGateway {
    /// Its IP address or name.
    pub address: String,
    /// Its port for mutual TLS.
    pub port: u16,
    /// Whether it is a Service of the cluster of the endpoints; such gateways are preferred.
    pub of_cluster: bool,
}

/// The gateways of each network.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IstioNetworkGateways(BTreeMap<String, BTreeSet<IstioNetworkGateway>>);

/// The endpoints that Envoy receives in a mesh of several networks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IstioReachable {
    /// The endpoints that it reaches directly, then gateways: one for each locality with endpoints
    /// behind it.
    pub endpoints: Vec<IstioEndpoint>,
    /// The number of endpoints that it reaches directly.
    pub direct: usize,
    /// The addresses of endpoints behind a gateway that no proxy reaches: mutual TLS is off.
    pub without_mtls: Vec<String>,
}

// === impl IstioNetworkGateways ===

impl IstioNetworkGateways {
    /// Adds a gateway of a network.
    pub fn add(&mut self, network: &str, gateway: IstioNetworkGateway) {
        self.0.entry(network.into()).or_default().insert(gateway);
    }

    /// Whether a network has a gateway.
    #[must_use]
    pub fn has(&self, network: &str) -> bool {
        self.0.contains_key(network)
    }

    /// The addresses of all gateways, by network.
    pub fn addresses(&self) -> impl Iterator<Item = &str> {
        let all = self.0.values().flatten();
        all.map(|gateway| gateway.address.as_str())
    }

    /// The gateways that endpoints of a network use.
    fn of(&self, network: &str) -> Vec<&IstioNetworkGateway> {
        let all = self.0.get(network).into_iter().flatten();
        let own: Vec<_> = all.clone().filter(|gateway| gateway.of_cluster).collect();
        if own.is_empty() { all.collect() } else { own }
    }

    /// The factor of all weights: the least common multiple of the numbers of gateways that share an
    /// endpoint, so that they share it equally.
    fn scale(&self) -> u32 {
        let mut scale: u32 = 1;
        for gateways in self.0.values() {
            let own = gateways.iter().filter(|gateway| gateway.of_cluster).count();
            for count in [gateways.len(), own, gateways.len() - own] {
                let count = u32::try_from(count).unwrap_or(u32::MAX).max(1);
                scale = (scale / divisor(scale, count)).saturating_mul(count);
            }
        }
        scale
    }

    /// What a proxy in a network reaches. `mtls` is the mode of the DestinationRule, if it has one:
    /// whether it is mutual TLS of Istio. Without any gateway, all endpoints are reached directly, as
    /// are those of networks without one. A network that is empty is unknown.
    #[must_use]
    pub fn reachable(
        &self,
        network: &str,
        version: IstioVersion,
        mtls: Option<bool>,
        endpoints: Vec<IstioEndpoint>,
    ) -> IstioReachable {
        let mut found = IstioReachable::default();
        if self.0.is_empty() {
            found.direct = endpoints.len();
            found.endpoints = endpoints;
            return found;
        }
        let scale = self.scale();
        let mut behind: BTreeMap<String, BTreeMap<&IstioNetworkGateway, (String, u32)>> =
            BTreeMap::new();
        for mut endpoint in endpoints {
            let weight = endpoint.host.weight.get().saturating_mul(scale);
            let of = endpoint
                .labels
                .get(NETWORK_LABEL)
                .map_or("", String::as_str);
            let gateways = self.of(of);
            // A proxy of an unknown network counts as one of every network before Istio 1.30.
            let same = of.is_empty()
                || of == network
                || (network.is_empty() && version < IstioVersion::V1_30);
            if same || gateways.is_empty() {
                endpoint.host.weight = Weight::new(weight).unwrap_or_default();
                found.endpoints.push(endpoint);
                continue;
            }
            if !mtls.unwrap_or(endpoint.mtls) {
                found.without_mtls.push(endpoint.host.address);
                continue;
            }
            let count = u32::try_from(gateways.len()).unwrap_or(u32::MAX).max(1);
            let in_locality = behind.entry(endpoint.locality).or_default();
            for gateway in gateways {
                let (_, sum) = in_locality.entry(gateway).or_insert_with(|| (of.into(), 0));
                *sum = sum.saturating_add(weight / count);
            }
        }
        found.direct = found.endpoints.len();
        for (locality, gateways) in behind {
            for (gateway, (of, weight)) in gateways {
                let address = if gateway.address.contains(':') {
                    format!("[{}]:{}", gateway.address, gateway.port)
                } else {
                    format!("{}:{}", gateway.address, gateway.port)
                };
                found.endpoints.push(IstioEndpoint {
                    host: MeshHost {
                        weight: Weight::new(weight.max(1)).unwrap_or_default(),
                        ..MeshHost::new(address)
                    },
                    locality: locality.clone(),
                    // Istio knows no other labels of a gateway.
                    labels: BTreeMap::from([(NETWORK_LABEL.into(), of)]),
                    mtls: true,
                    unready: false,
                });
            }
        }
        found
    }
}

/// The greatest common divisor.
fn divisor(a: u32, b: u32) -> u32 {
    match b {
        0 => a.max(1),
        _ => divisor(b, a % b),
    }
}

// === impl IstioReachable ===

impl IstioReachable {
    /// Drops the repetitions of addresses: in EDS, Envoy keeps an address in the first locality of a
    /// cluster only (`BatchUpdateHelper`), so that the weights of the others are lost; those of gateways
    /// are reported (istio/istio#56355). Names that Envoy resolves may repeat.
    pub fn keep_first(&self, resolution: IstioResolution, assignment: &mut MeshAssignment) {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        for group in &mut assignment.groups {
            group.endpoints.retain(|&at| {
                let is_gateway = at >= self.direct;
                let counts = is_gateway || resolution == IstioResolution::Static;
                let endpoint = self.endpoints.get(at).filter(|_| counts);
                let kept = endpoint.is_none_or(|of| seen.insert(&of.host.address));
                if !kept && is_gateway {
                    assignment.dropped.push(DroppedEndpoint {
                        endpoint: at,
                        reason: DropReason::RepeatedGateway,
                    });
                }
                kept
            });
        }
    }
}
