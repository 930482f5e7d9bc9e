//! From what a step of a decision rests on to its place in the text.

use spillgate_core::{
    model::{ClusterKind, Model, SubsetSelector},
    snapshot::{ClusterId, Snapshot},
    subset::{SetChoice, SubsetReason, SubsetTarget},
    trace::ConfigRef,
};

use super::{ClusterMarks, Marks, RouteMarks};
use crate::Position;

/// What is needed to point from a step into the text.
#[derive(Debug, Clone, Copy)]
pub struct Places<'c> {
    /// The clusters as they were read.
    pub model: &'c Model,
    /// Where their values stand.
    pub marks: &'c Marks,
    /// Where the values of the route stand that the request took, if it took one.
    pub route: Option<&'c RouteMarks>,
}

impl Places<'_> {
    /// Where the value stands that a step rests on most. A setting that the text leaves to its
    /// default is found where its cluster begins, or its route.
    ///
    /// `None` when the text says nothing about it. `snapshot` must have been built from the model.
    #[must_use]
    pub fn of(&self, snapshot: &Snapshot, config: ConfigRef) -> Option<Position> {
        let marks = |id: ClusterId| self.marks.cluster(&snapshot.cluster(id)?.name);
        let setting = |id, of: fn(&ClusterMarks) -> Option<Position>| {
            let marks = marks(id)?;
            Some(of(marks).unwrap_or(marks.cluster))
        };
        let of_route = |of: fn(&RouteMarks) -> Option<Position>| {
            self.route.map(|route| of(route).unwrap_or(route.route))
        };
        match config {
            ConfigRef::Route(cluster) => match self.route {
                Some(route) => Some(route.route),
                None => setting(cluster, |_| None),
            },
            ConfigRef::RouteMatch => of_route(|_| None),
            ConfigRef::RouteHash => of_route(|route| route.hash_policy),
            ConfigRef::RouteSplit => of_route(|route| route.weighted_clusters),
            ConfigRef::RouteCriteria => {
                of_route(|route| route.metadata_match.or(route.weighted_clusters))
            }
            ConfigRef::RouteRetry => of_route(|route| route.retry_policy),
            ConfigRef::RouteSession => of_route(|route| route.session),
            ConfigRef::OverrideStatuses(cluster) => {
                setting(cluster, |marks| marks.override_host_status)
            }
            ConfigRef::Cluster(cluster) => setting(cluster, |_| None),
            ConfigRef::Members(cluster) => setting(cluster, |marks| marks.members),
            ConfigRef::DropOverload(cluster) => setting(cluster, |marks| marks.drop_overload),
            ConfigRef::ClusterHash(cluster) => setting(cluster, |marks| marks.hash_policy),
            ConfigRef::Subset(cluster, asked) => {
                let selector = asked.and_then(|asked| self.selector(snapshot, cluster, asked));
                let marks = marks(cluster)?;
                let selector = selector.and_then(|at| marks.subset_selectors.get(at).copied());
                Some(selector.or(marks.subset).unwrap_or(marks.cluster))
            }
            ConfigRef::PanicThreshold(cluster) => {
                setting(cluster, |marks| marks.healthy_panic_threshold)
            }
            ConfigRef::OverprovisioningFactor(cluster) => {
                setting(cluster, |marks| marks.overprovisioning_factor)
            }
            ConfigRef::LocalityLb(cluster) => setting(cluster, |marks| marks.locality_lb),
            ConfigRef::Locality {
                cluster,
                priority: number,
                locality,
            } => marks(cluster)?
                .localities
                .get(number)?
                .get(locality)
                .copied(),
            ConfigRef::Policy(cluster) => setting(cluster, |marks| marks.lb_policy),
            ConfigRef::Host(host) => {
                let priority = marks(host.cluster)?.priorities.get(host.priority)?;
                Some(priority.get(host.host)?.endpoint)
            }
            // A reference that is newer than this reader.
            _ => None,
        }
    }

    /// The selector that made a subset, by its place in the text's order: the first one with the
    /// subset's keys.
    fn selector(
        &self,
        snapshot: &Snapshot,
        cluster: ClusterId,
        (choice, reason): (SetChoice, SubsetReason),
    ) -> Option<usize> {
        let target = match choice {
            _ if reason != SubsetReason::Selected => return None,
            SetChoice::Whole | SetChoice::Step { .. } => return None,
            SetChoice::Set(set) => SubsetTarget::Set(set),
            SetChoice::Host { priority, host } => SubsetTarget::Host { priority, host },
        };
        let subsets = snapshot.plain(cluster)?.subsets.as_ref()?;
        let mut entries = subsets.index.entries().iter();
        let criteria = &entries.find(|entry| entry.target == target)?.criteria;
        let name = &snapshot.cluster(cluster)?.name;
        let ClusterKind::Plain(plain) = &self.model.cluster(name)?.kind else {
            return None;
        };
        let keys = || criteria.fields().iter().map(|field| &field.key);
        let makes = |selector: &SubsetSelector| keys().eq(selector.keys());
        plain.subsets.as_ref()?.selectors.iter().position(makes)
    }
}
