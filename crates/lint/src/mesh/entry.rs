//! The entries of Kuma policies.

use alloc::{collections::BTreeSet, format, string::String, vec::Vec};

use spillgate_config::mesh::{KumaDestinationInput, KumaInputs, ReadKumaPolicy, ValuePlace};
use spillgate_mesh::{
    MeshFault, MeshFaultCode,
    kuma::{
        KumaConf, KumaDestination, KumaDestinationKind, KumaLoadBalancer, KumaLocalityAwareness,
        KumaOrigin, KumaPolicy, KumaTargetRef, KumaTo, entry_conf, kuma_warnings,
        selects_destination,
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

    /// Whether it configures a destination of these inputs. If they have no destination of the kind
    /// that it names, that is unknown.
    pub(super) fn has_destination(&self, inputs: &[KumaInputs]) -> bool {
        let mut destinations = self.known_destinations(inputs).into_iter().peekable();
        destinations.peek().is_none() || destinations.any(|input| self.selects(&input.destination))
    }

    /// The destinations of its mesh and of the kind that it names.
    pub(super) fn known_destinations<'c>(
        &self,
        inputs: &'c [KumaInputs],
    ) -> Vec<&'c KumaDestinationInput> {
        use KumaDestinationKind::{MeshMultiZoneService, MeshService, ServiceTag};
        let target = self.target();
        let resource = target.labels.is_some() || target.namespace.is_some();
        let kinds: &[KumaDestinationKind] = match target.kind.as_str() {
            "MeshService" if resource || target.section_name.is_some() => &[MeshService],
            "MeshService" => &[MeshService, ServiceTag],
            "MeshMultiZoneService" => &[MeshMultiZoneService],
            _ => &[],
        };
        let own = inputs
            .iter()
            .filter(|inputs| inputs.proxy.meta.mesh() == self.mesh());
        let all = own.flat_map(|inputs| &inputs.destinations);
        all.filter(|input| kinds.contains(&input.destination.kind))
            .collect()
    }

    /// Its `targetRef`.
    pub(super) const fn target(&self) -> &'d KumaTargetRef {
        &self.to.target_ref
    }

    /// The place of its `targetRef`.
    pub(super) fn target_place(&self) -> ValuePlace {
        let path = format!("to[{}].targetRef", self.index);
        // The decision record has an object instead of a list.
        let path = match self.read.places.found(&path) {
            Some(_) => path.as_str(),
            None => "to.targetRef",
        };
        let root = self.read.spec_path.as_str();
        ValuePlace {
            file: self.read.place.file,
            path: match root {
                "" => path.into(),
                root => format!("{root}.{path}"),
            },
            position: self
                .read
                .places
                .position(path)
                .unwrap_or(self.read.place.position),
        }
    }

    /// Whether it configures a destination.
    pub(super) fn selects(&self, destination: &KumaDestination) -> bool {
        selects_destination(&self.read.policy.meta, &self.to.target_ref, destination)
    }
}
