//! The part of a model that the requests of one cluster reach: a question about it needs no other cluster,
//! so the time for all clusters grows with their number.

use std::collections::{BTreeSet, HashMap};

use spillgate_core::model::{Cluster, Model};

/// A model and the places of its clusters.
#[derive(Debug)]
pub(crate) struct ModelParts<'m> {
    model: &'m Model,
    places: HashMap<&'m str, usize>,
}

impl<'m> ModelParts<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        let names = model.clusters().iter().enumerate();
        Self {
            places: names
                .map(|(at, cluster)| (cluster.name.as_str(), at))
                .collect(),
            model,
        }
    }

    /// The place of a cluster in the model.
    pub(crate) fn place(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    /// The cluster with this name.
    pub(crate) fn cluster(&self, name: &str) -> Option<&'m Cluster> {
        let cluster = self.model.clusters().get(self.place(name)?);
        cluster.map(|cluster| &**cluster)
    }

    /// The names of a cluster and of all its members, in configuration order.
    pub(crate) fn members(&self, name: &str) -> Vec<&'m str> {
        let places = self.reached([name]);
        let clusters = places
            .iter()
            .filter_map(|&at| self.model.clusters().get(at));
        clusters.map(|cluster| cluster.name.as_str()).collect()
    }

    /// The part with a cluster, its members and the local cluster, in configuration order, of a model
    /// with the same clusters.
    pub(crate) fn part(&self, model: &Model, name: &str) -> Model {
        self.part_of(model, &[name])
    }

    /// The part with several clusters.
    pub(crate) fn part_of(&self, model: &Model, names: &[&str]) -> Model {
        let local = model.local();
        let places = self.reached(names.iter().copied().chain(local.cluster.as_deref()));
        let clusters = places.iter().filter_map(|&at| model.clusters().get(at));
        // Names and localities are those of a valid model.
        let part = Model::shared(clusters.cloned().collect()).unwrap_or_else(|_| Model::empty());
        part.with_local(local.clone())
            .with_chain(model.chain().clone())
    }

    /// The places of clusters and of all their members.
    fn reached<'n>(&'n self, names: impl IntoIterator<Item = &'n str>) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut open: Vec<&str> = names.into_iter().collect();
        while let Some(name) = open.pop() {
            if let Some(at) = self.place(name)
                && found.insert(at)
                && let Some(cluster) = self.model.clusters().get(at)
            {
                open.extend(cluster.members().iter().map(String::as_str));
            }
        }
        found
    }
}
