//! The entries of Kuma policies.

use alloc::{collections::BTreeSet, string::String, vec::Vec};

use spillgate_config::mesh::{ReadKumaPolicy, ValuePlace};
use spillgate_mesh::{
    MeshFault, MeshFaultCode,
    kuma::{
        KumaConf, KumaDestination, KumaLoadBalancer, KumaLocalityAwareness, KumaTargetRef, KumaTo,
        kuma_warnings, selects_destination,
    },
};

/// One entry of `to`.
pub(super) struct KumaEntry<'d> {
    read: &'d ReadKumaPolicy,
    index: usize,
    pub(super) to: &'d KumaTo,
    /// Its `loadBalancer`, or the one that it inherits.
    pub(super) load_balancer: Option<&'d KumaLoadBalancer>,
    /// Its `localityAwareness`, or the one that it inherits.
    pub(super) locality: Option<&'d KumaLocalityAwareness>,
}

impl<'d> KumaEntry<'d> {
    /// All entries. An entry inherits a block from the only entry for the whole mesh that has it.
    pub(super) fn all(policies: &'d [ReadKumaPolicy]) -> Vec<Self> {
        let entries = || {
            policies.iter().flat_map(|read| {
                let entries = read.policy.to.iter().enumerate();
                entries.map(move |(index, to)| (read, index, to))
            })
        };
        entries()
            .map(|(read, index, to)| {
                let for_mesh = |(other, _, to): &(&ReadKumaPolicy, usize, &KumaTo)| {
                    to.target_ref.kind == "Mesh"
                        && other.policy.meta.mesh == read.policy.meta.mesh
                        && selects_all_proxies(other.policy.target_ref.as_ref())
                };
                let confs = || entries().filter(for_mesh).map(|(_, _, to)| &to.conf);
                let is_route = to.target_ref.kind == "MeshHTTPRoute";
                Self {
                    read,
                    index,
                    to,
                    load_balancer: to.conf.load_balancer.as_ref().or_else(|| {
                        only(confs().filter_map(|conf| conf.load_balancer.as_ref()))
                            .filter(|_| !is_route)
                    }),
                    locality: to.conf.locality_awareness.as_ref().or_else(|| {
                        only(confs().filter_map(|conf| conf.locality_awareness.as_ref()))
                            .filter(|_| !is_route)
                    }),
                }
            })
            .collect()
    }

    /// Its own configuration.
    pub(super) fn conf(&self) -> &'d KumaConf {
        &self.to.conf
    }

    /// Its mesh.
    pub(super) fn mesh(&self) -> &'d str {
        match self.read.policy.meta.mesh.as_str() {
            "" => "default",
            mesh => mesh,
        }
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

/// Whether a policy configures every proxy of its mesh.
fn selects_all_proxies(target: Option<&KumaTargetRef>) -> bool {
    target.is_none_or(|target| target.kind == "Mesh" && target.proxy_types.is_empty())
}

/// The item, if there is exactly one.
fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.next().is_none().then_some(first)
}
