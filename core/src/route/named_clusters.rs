//! The clusters that routes name.

use alloc::{string::String, vec::Vec};

use super::{
    BranchTarget, ClusterMatcher, ClusterName, Forward, Route, RouteAction, RouteTarget,
    WeightedClusters,
};

impl Route {
    /// The cluster of a route that forwards to a cluster by name.
    #[must_use]
    pub fn cluster(&self) -> Option<&str> {
        match &self.action {
            RouteAction::Forward(Forward {
                target: RouteTarget::One(ClusterName::Name(name)),
                ..
            }) => Some(name),
            _ => None,
        }
    }

    /// The clusters that the route names, also the one that a dynamic module can replace.
    pub fn clusters(&self) -> impl Iterator<Item = &str> {
        let (weighted, matched) = match &self.action {
            RouteAction::Forward(forward) => match &forward.target {
                RouteTarget::Weighted(clusters) => (Some(clusters), Vec::new()),
                RouteTarget::Matched(matcher) => (None, matcher.clusters()),
                RouteTarget::Chosen(name) => (None, Vec::from([name.as_str()])),
                RouteTarget::One(_) => (None, Vec::new()),
            },
            _ => (None, Vec::new()),
        };
        let several = weighted
            .into_iter()
            .flat_map(WeightedClusters::of_all_attempts);
        let names = several.filter_map(|one| match &one.cluster {
            ClusterName::Name(name) => Some(name.as_str()),
            ClusterName::Header(_) => None,
        });
        self.cluster().into_iter().chain(names).chain(matched)
    }

    /// Changes the names of clusters, also of the one that a dynamic module can replace.
    pub fn rename_clusters(&mut self, change: &mut impl FnMut(&mut String)) {
        let RouteAction::Forward(forward) = &mut self.action else {
            return;
        };
        match &mut forward.target {
            RouteTarget::One(ClusterName::Name(name)) | RouteTarget::Chosen(name) => change(name),
            RouteTarget::One(ClusterName::Header(_)) => {}
            RouteTarget::Weighted(weighted) => weighted.rename(change),
            RouteTarget::Matched(matcher) => matcher.rename(change),
        }
    }
}

impl ClusterMatcher {
    fn rename(&mut self, change: &mut impl FnMut(&mut String)) {
        for branch in &mut self.0 {
            match &mut branch.then {
                BranchTarget::Cluster(name) => change(name),
                BranchTarget::Matcher(matcher) => matcher.rename(change),
            }
        }
    }
}
