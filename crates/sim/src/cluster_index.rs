//! The clusters of a model by name, and which of them decide about a request to a cluster.

use alloc::{collections::BTreeSet, string::String, vec::Vec};

use spillgate_core::{
    model::{Cluster, ClusterKind, Model},
    names::Names,
};

/// The clusters of a model by name.
///
/// # Examples
/// ```
/// use spillgate_core::model::{
///     AggregateCluster, Cluster, ClusterKind, Model, PanicThreshold, PlainCluster,
/// };
/// use spillgate_sim::ClusterIndex;
///
/// let plain = |name| Cluster::plain(name, PlainCluster::default());
/// let all = Cluster {
///     name: "all".into(),
///     kind: ClusterKind::Aggregate(AggregateCluster {
///         members: vec!["a".into()],
///         panic_threshold: PanicThreshold::DEFAULT,
///         flatten: false,
///     }),
/// };
/// let model = Model::new(vec![plain("a"), plain("b"), all]).unwrap();
/// let index = ClusterIndex::new(&model);
/// let read: Vec<&str> = index.read_by(["all"]).into_iter().collect();
/// assert_eq!(read, ["a", "all"]);
/// assert_eq!(index.part(["all"]).clusters().len(), 2);
/// ```
#[derive(Debug)]
pub struct ClusterIndex<'m> {
    model: &'m Model,
    places: Names,
}

impl<'m> ClusterIndex<'m> {
    /// The clusters of this model.
    #[must_use]
    pub fn new(model: &'m Model) -> Self {
        let mut places = Names::default();
        for (place, cluster) in model.clusters().iter().enumerate() {
            places.insert(&cluster.name, place);
        }
        Self { model, places }
    }

    /// The cluster of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&'m Cluster> {
        let place = self.places.get(name)?;
        self.model.clusters().get(place).map(|cluster| &**cluster)
    }

    /// The names of all clusters, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.places.iter()
    }

    /// The names of the clusters, and of the others that decisions about them read: the members of an aggregate and
    /// their members, and the cluster of the proxies, on which zone-aware routing depends.
    pub fn read_by<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> BTreeSet<&'m str> {
        let local = self.model.local().cluster.as_deref();
        let mut found = BTreeSet::new();
        let mut open: Vec<&'m Cluster> = names.into_iter().filter_map(|of| self.get(of)).collect();
        while let Some(cluster) = open.pop() {
            if found.insert(cluster.name.as_str()) {
                let members = cluster.members().iter().map(String::as_str);
                let read = members.chain(local.filter(|_| is_zone_aware(cluster)));
                open.extend(read.filter_map(|name| self.get(name)));
            }
        }
        found
    }

    /// A model of these clusters and of those that decisions about them read.
    pub fn part<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Model {
        let read = self.read_by(names).into_iter();
        let mut places: Vec<usize> = read.filter_map(|name| self.places.get(name)).collect();
        places.sort_unstable();
        self.model.part(&places)
    }
}

/// Whether the hosts of the proxies' own cluster matter for a cluster.
fn is_zone_aware(cluster: &Cluster) -> bool {
    match &cluster.kind {
        ClusterKind::Plain(plain) => {
            plain.locality_lb.zone_aware().is_some() && !plain.policy.hashes()
        }
        _ => false,
    }
}
