//! What a cluster reaches in a mesh of several networks, and what that leaves open.

use alloc::{collections::BTreeSet, format, vec::Vec};

use spillgate_mesh::{
    DropReason, MeshAssignment,
    istio::{IstioEndpoint, IstioReachable, IstioResolution, IstioView, NETWORK_LABEL},
};

use super::{istio_clusters::IstioClusters, once::push_once};
use crate::{Affects, Diagnostic, node::quote};

impl IstioClusters<'_> {
    /// The endpoints of a cluster that the proxy reaches: directly, or through gateways.
    pub(super) fn reached(
        &mut self,
        cluster: &str,
        mtls: Option<bool>,
        endpoints: Vec<IstioEndpoint>,
    ) -> IstioReachable {
        let inputs = self.inputs;
        let network = inputs.proxy.labels.get(NETWORK_LABEL);
        let network = network.map_or("", |network| network.as_str());
        let version = inputs.version;
        let found = inputs
            .network_gateways
            .reachable(network, version, mtls, endpoints);
        if !found.without_mtls.is_empty() {
            let warning = Diagnostic::warning(
                "mesh/network-without-mtls",
                format!(
                    "cluster {}: no proxy in another network reaches endpoints without mutual TLS",
                    quote(cluster)
                ),
            );
            push_once(
                &mut self.warnings,
                warning.found(found.without_mtls.join(", ")).expected(
                    "the label security.istio.io/tlsMode: istio, or tls.mode ISTIO_MUTUAL",
                ),
            );
        }
        found
    }

    /// Adds a warning if a gateway replaces endpoints of several localities.
    pub(super) fn note_repeated(
        &mut self,
        cluster: &str,
        reached: &IstioReachable,
        assignment: &MeshAssignment,
    ) {
        let mut addresses: BTreeSet<&str> = BTreeSet::new();
        for dropped in &assignment.dropped {
            let endpoint = reached.endpoints.get(dropped.endpoint);
            if let (DropReason::RepeatedGateway, Some(endpoint)) = (&dropped.reason, endpoint) {
                addresses.insert(&endpoint.host.address);
            }
        }
        if addresses.is_empty() {
            return;
        }
        let addresses: Vec<&str> = addresses.into_iter().collect();
        let message = format!(
            "cluster {}: Istio lists the gateway once for each locality behind it; Envoy keeps the \
             first one, so that the weight of the others is lost (istio/istio#56355)",
            quote(cluster)
        );
        let warning = Diagnostic::warning("mesh/repeated-gateway", message);
        push_once(&mut self.warnings, warning.found(addresses.join(", ")));
    }

    /// Adds the limit of a `failoverPriority` for names in several localities: Istio pairs the labels of
    /// all endpoints with the endpoints of the first locality.
    pub(super) fn note_dns(
        &mut self,
        cluster: &str,
        view: IstioView<'_>,
        endpoints: &[IstioEndpoint],
    ) {
        let setting = view.effective.setting.as_ref();
        let of_setting = setting.filter(|of| of.distribute.is_empty() && view.has_failover());
        let zone_aware = view.effective.zone_aware.as_ref();
        let keys = of_setting
            .map(|of| &of.failover_priority)
            .or(zone_aware.map(|of| &of.failover_priority));
        let localities: BTreeSet<&str> = endpoints.iter().map(|of| of.locality.as_str()).collect();
        if view.resolution == IstioResolution::Dns
            && view.reads_labels()
            && keys.is_some_and(|keys| !keys.is_empty())
            && localities.len() > 1
        {
            self.warnings.push(Diagnostic::limit(
                "mesh/dns-localities",
                "Istio orders DNS endpoints by failoverPriority if all are in one locality; with \
                 several, what proxies receive is not known",
                Affects::Cluster(cluster.into()),
            ));
        }
    }
}
