//! From the basis of a step of a decision to its position in the input.
//!
//! A decision can have several steps of one kind (a retry chooses priority and host again), so its
//! result cannot tell where each step comes from. Each step names its reason in the model: the
//! threshold of this cluster, this host. The engine stays free of text positions; only this module
//! turns such a reference into a line.

use spillgate_core::{
    model::{ClusterKind, Model, SubsetSelector},
    snapshot::{ClusterId, Snapshot},
    subset::{SetChoice, SubsetReason, SubsetTarget},
    trace::ConfigRef,
};

use super::{ClusterMarks, Marks, RouteMarks};
use crate::Position;

/// The data needed to find the position of a step.
#[derive(Debug, Clone, Copy)]
pub struct ConfigPositions<'c> {
    /// The clusters as read.
    pub model: &'c Model,
    /// The positions of their values.
    pub marks: &'c Marks,
    /// The positions of the route that the request took, if any.
    pub route: Option<&'c RouteMarks>,
}

impl ConfigPositions<'_> {
    /// The position of the value that decides a step. A setting with its default has the position
    /// of its cluster or route.
    ///
    /// `None` if the input has no such value. `snapshot` must be built from the model.
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
            // A reference that this reader does not know yet.
            _ => None,
        }
    }

    /// The selector of a subset, by its index in the input: the first one with the subset's keys.
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
