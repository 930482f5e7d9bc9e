//! The cluster that a request is balanced over.

use spillgate_core::snapshot::ClusterId;

use super::{Next, Steering};
use crate::{
    RouteFacts,
    port::{Side, Stream},
};

impl<S: Stream> Steering<'_, S> {
    /// The cluster that the request is balanced over: the route's, if it may name one, or the
    /// configured one. `None` if the request passes through.
    pub(super) fn target(
        &mut self,
        headers: &S::Headers,
        route: &RouteFacts,
        key: Option<u64>,
    ) -> Option<ClusterId> {
        let settings = &self.serving.settings;
        if settings.route_settings {
            if route.disabled {
                return None;
            }
            if let Some(name) = &route.target {
                match self.serving.snapshot.cluster_id(name) {
                    Some(cluster) => return Some(cluster),
                    None => self.worker.decisions.unknown_target(self.stream.plugin()),
                }
            }
        }
        self.worker.target(settings, headers, key)
    }

    /// Lets the proxy balance a cluster whose hosts are not known.
    pub(super) fn pass_through(&mut self, cluster: ClusterId) -> Next {
        self.worker.decisions.passed_through(self.stream.plugin());
        let cluster = self.serving.snapshot.cluster(cluster);
        let name = cluster.map_or("", |cluster| &cluster.name);
        let header = &self.serving.settings.output.cluster_header;
        if !self.stream.set_header(Side::Request, header, name) {
            self.count_host_failure();
        }
        Next::Forward
    }
}
