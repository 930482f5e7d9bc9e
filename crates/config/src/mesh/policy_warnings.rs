//! Warnings about policies that depend on the documents of all files, or on the version of Istio.

use alloc::{
    collections::BTreeSet,
    string::{String, ToString as _},
    vec::Vec,
};

use spillgate_mesh::kuma::kuma_warnings;

use super::{
    assemble::{KumaInputs, PointOfView},
    read::MeshDocuments,
    version_warnings::version_warnings,
};
use crate::Diagnostic;

impl MeshDocuments {
    /// The zones of Kuma's endpoints and proxies, without the zone that has no name.
    #[must_use]
    pub fn kuma_zones(&self) -> BTreeSet<String> {
        let outside = KumaInputs::new(self, &PointOfView::Zone(String::new()));
        let mut zones: BTreeSet<String> = outside
            .iter()
            .flat_map(KumaInputs::zones)
            .map(String::from)
            .collect();
        let proxies = self.kuma.dataplanes.iter();
        zones.extend(proxies.filter_map(|proxy| proxy.zone()).map(str::to_string));
        zones.retain(|zone| !zone.is_empty());
        zones
    }

    /// The settings that have no effect, or another one than expected: each with the number of its file,
    /// in document order. For Kuma, a zone is unknown if no file has a proxy or an endpoint in it; for
    /// Istio, the version decides; so [`read`](crate::mesh::read) cannot report these warnings.
    #[must_use]
    pub fn policy_warnings(&self) -> Vec<(usize, Diagnostic)> {
        let mut found = version_warnings(self);
        found.extend(self.repeated_warnings());
        found.extend(self.unmatched_routes());
        let policies = &self.kuma.policies;
        if policies.is_empty() {
            return found;
        }
        let zones = self.kuma_zones();
        for read in policies {
            if let Some(warning) = read.unread_gateway(&self.kuma.gateways) {
                found.push((read.place.file, warning));
            }
            for (index, entry) in read.policy.to.iter().enumerate() {
                for fault in kuma_warnings(&entry.conf, &zones) {
                    let diagnostic = read.conf_diagnostic(index, &fault);
                    found.push((read.place.file, diagnostic));
                }
            }
        }
        found
    }
}
