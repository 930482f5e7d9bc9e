//! Clusters of Istio whose requests name their hosts (`convertResolution`, `applyLoadBalancer`).

use alloc::format;

use spillgate_core::model::OriginalDstCluster;
use spillgate_mesh::istio::IstioResolution;

use super::{OutboundChoice, istio_clusters::IstioClusters};
use crate::{Affects, Diagnostic, mesh::IstioServiceInput, node::quote};

impl IstioClusters<'_> {
    /// What chooses the hosts of a service in place of a policy. Gateways balance among the endpoints of
    /// services without resolution; the policy `PASSTHROUGH` applies to them, too.
    pub(super) fn chosen(
        &self,
        service: &IstioServiceInput,
        passes: bool,
    ) -> Option<OutboundChoice> {
        let is_sidecar = self.inputs.gateways.is_empty();
        let of = &service.service;
        if of.resolution == IstioResolution::HostName {
            return Some(OutboundChoice::HostName);
        }
        let original = passes || (of.resolution == IstioResolution::Passthrough && is_sidecar);
        original.then(|| {
            OutboundChoice::OriginalDst(OriginalDstCluster {
                http_header: None,
                upstream_port: of.target_ports.get(&service.port).copied(),
            })
        })
    }

    /// Warns that a cluster has no shares.
    pub(super) fn note_chosen(&mut self, name: &str, of: &OutboundChoice) {
        let warning = match of {
            OutboundChoice::OriginalDst(_) => Diagnostic::warning(
                "mesh/passthrough",
                format!(
                    "requests of {} go to the original destination of their connection (ORIGINAL_DST); \
                     no policy chooses among endpoints, so that they have no shares",
                    quote(name)
                ),
            ),
            OutboundChoice::HostName => Diagnostic::limit(
                "mesh/dynamic-dns",
                format!(
                    "requests of {} go to an address of the host that each of them names \
                     (resolution: DYNAMIC_DNS); their hosts are not known",
                    quote(name)
                ),
                Affects::Cluster(name.into()),
            ),
        };
        self.warnings.push(warning);
    }
}
