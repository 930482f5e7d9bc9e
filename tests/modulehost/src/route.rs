//! The route of a request.

use std::sync::Arc;

use crate::{
    metadata::{LentFields, LentValue},
    specifier::ClusterSpecifier,
};

/// A route.
#[derive(Debug, Clone)]
pub struct HostRoute {
    pub(crate) cluster: RouteCluster,
    /// All requests of the route read the same texts.
    pub(crate) metadata: Arc<LentFields>,
}

/// How a route chooses the cluster.
#[derive(Debug, Clone)]
pub enum RouteCluster {
    /// Always this one.
    Named(String),
    /// The cluster that this request header names.
    Header(String),
    /// The answer of our cluster specifier.
    Specifier(Arc<ClusterSpecifier>),
    /// None: a redirect or a direct response.
    Absent,
}

impl HostRoute {
    /// A route to one cluster.
    #[must_use]
    pub fn to(cluster: &str) -> Self {
        Self::by(RouteCluster::Named(cluster.to_owned()))
    }

    /// A route that chooses its cluster.
    #[must_use]
    pub fn by(cluster: RouteCluster) -> Self {
        Self {
            cluster,
            metadata: Arc::default(),
        }
    }

    /// How the route chooses the cluster.
    #[must_use]
    pub const fn cluster(&self) -> &RouteCluster {
        &self.cluster
    }

    /// The route with a value in its metadata.
    #[must_use]
    pub fn with(mut self, namespace: &str, key: &str, value: impl Into<LentValue>) -> Self {
        Arc::make_mut(&mut self.metadata).set(namespace, key, value.into());
        self
    }
}
