//! The entries of Kuma policies.

use alloc::{collections::BTreeSet, string::String, vec::Vec};

use spillgate_config::mesh::{ReadKumaPolicy, ValuePlace};
use spillgate_mesh::{
    MeshFault, MeshFaultCode,
    kuma::{
        KumaConf, KumaDestination, KumaLoadBalancer, KumaLocalityAwareness, KumaOrigin, KumaPolicy,
        KumaTo, entry_conf, kuma_warnings, selects_destination,
    },
};

/// One entry of `to`.
pub(super) struct KumaEntry<'d> {
    read: &'d ReadKumaPolicy,
    index: usize,
    to: &'d KumaTo,
    /// Its configuration, merged with the entries for the whole mesh.
    merged: KumaConf,
}

impl<'d> KumaEntry<'d> {
    /// All entries.
    pub(super) fn all(read: &'d [ReadKumaPolicy]) -> Vec<Self> {
        let policies: Vec<KumaPolicy> = read.iter().map(|read| read.policy.clone()).collect();
        let mut entries = Vec::new();
        for (policy, read) in read.iter().enumerate() {
            for (index, to) in read.policy.to.iter().enumerate() {
                let found = entry_conf(&policies, KumaOrigin { policy, to: index });
                entries.push(Self {
                    read,
                    index,
                    to,
                    merged: found.map(|found| found.conf).unwrap_or_default(),
                });
            }
        }
        entries
    }

    /// Its own configuration.
    pub(super) fn conf(&self) -> &'d KumaConf {
        &self.to.conf
    }

    /// The `loadBalancer` that applies with it.
    pub(super) fn load_balancer(&self) -> Option<&KumaLoadBalancer> {
        self.merged.load_balancer.as_ref()
    }

    /// The `localityAwareness` that applies with it.
    pub(super) fn locality(&self) -> Option<&KumaLocalityAwareness> {
        self.merged.locality_awareness.as_ref()
    }

    /// Its mesh.
    pub(super) fn mesh(&self) -> &'d str {
        self.read.policy.meta.mesh()
    }

    /// The place of a value below its `default`.
    pub(super) fn place(&self, path: &str) -> ValuePlace {
        self.read.conf_place(self.index, path)
    }

    /// The warnings of the mesh with this code, about its own configuration.
    pub(super) fn warnings(
        &self,
        code: MeshFaultCode,
        zones: &BTreeSet<String>,
    ) -> impl Iterator<Item = MeshFault> + use<> {
        let found = kuma_warnings(self.conf(), zones).into_iter();
        found.filter(move |fault| fault.code == code)
    }

    /// Whether it configures a destination.
    pub(super) fn selects(&self, destination: &KumaDestination) -> bool {
        selects_destination(&self.read.policy.meta, &self.to.target_ref, destination)
    }
}
