//! Objects that are in the input several times: the last document of each counts.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};

use super::{
    document::DocumentKind as Kind, object::RepeatedObject, place::ValuePlace, read::MeshDocuments,
};
use crate::Diagnostic;

impl MeshDocuments {
    /// Drops all documents of an object but the last one.
    pub(super) fn keep_last(&mut self) {
        let mut last: BTreeMap<&(Kind, String), &ValuePlace> = BTreeMap::new();
        for object in &self.objects {
            last.insert(&object.id, &object.place);
        }
        if last.len() == self.objects.len() {
            return;
        }
        let mut dropped: BTreeSet<ValuePlace> = BTreeSet::new();
        for object in &self.objects {
            if let Some(last) = last.get(&object.id)
                && **last != object.place
            {
                dropped.insert(object.place.clone());
                self.repeated.push(RepeatedObject {
                    name: object.id.1.clone(),
                    ignored: object.place.clone(),
                    last: (*last).clone(),
                });
            }
        }
        let kept = |place: &ValuePlace| !dropped.contains(place);
        self.objects.retain(|of| kept(&of.place));
        #[cfg(feature = "unread")]
        self.unread.retain(|of| kept(&of.place));
        #[cfg(feature = "unread")]
        self.unseen.retain(|of| kept(&of.place));
        let istio = &mut self.istio;
        istio.destination_rules.retain(|of| kept(&of.place));
        istio.mesh_configs.retain(|of| kept(&of.place));
        istio.service_entries.retain(|of| kept(&of.meta.place));
        istio.workload_entries.retain(|of| kept(&of.meta.place));
        istio.virtual_services.retain(|of| kept(&of.place));
        self.gateway_api.retain(|of| kept(&of.meta.place));
        let kube = &mut self.kube;
        kube.services.retain(|of| kept(&of.meta.place));
        kube.endpoint_slices.retain(|of| kept(&of.meta.place));
        kube.pods.retain(|of| kept(&of.meta.place));
        kube.nodes.retain(|of| kept(&of.meta.place));
        kube.namespaces.retain(|of| kept(&of.meta.place));
    }

    /// The warnings about objects with several documents, and about several MeshConfigs: each with the
    /// number of its file.
    pub(super) fn repeated_warnings(&self) -> Vec<(usize, Diagnostic)> {
        let mut found = Vec::new();
        let mut named: BTreeSet<&ValuePlace> = BTreeSet::new();
        let mut add = |message: &str, name: &str, place: &ValuePlace| {
            let warning = Diagnostic::warning("mesh/repeated-object", message)
                .at(place.path.as_str(), place.position);
            found.push((place.file, warning.found(name)));
        };
        for object in &self.repeated {
            add(
                "a later document is the same object: this one does not count",
                &object.name,
                &object.ignored,
            );
            if named.insert(&object.last) {
                add(
                    "the object is in the input several times: this document, the last one, counts",
                    &object.name,
                    &object.last,
                );
            }
        }
        if let Some((_, earlier)) = self.istio.mesh_configs.split_last() {
            for read in earlier {
                add(
                    "the input has several MeshConfigs: the last one counts, this one does not",
                    "MeshConfig",
                    &read.place,
                );
            }
        }
        found
    }
}
