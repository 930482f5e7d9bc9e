//! The target cluster of a request.

use spillgate_core::snapshot::ClusterId;

use super::{Next, Steering};
use crate::{
    RouteFacts,
    port::{Side, Stream},
};

impl<S: Stream> Steering<'_, S> {
    /// The target cluster: the one that the route names if `route_settings` allows it, otherwise the
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
                    None => {
                        let unknown = &mut self.worker.decisions.unknown_target;
                        unknown.add(self.stream.plugin());
                    }
                }
            }
        }
        self.worker.target(settings, headers, key)
    }

    /// Lets the proxy choose a host of the cluster: the health of its hosts is unknown.
    pub(super) fn pass_through(&mut self, cluster: ClusterId) -> Next {
        let passed_through = &mut self.worker.decisions.passed_through;
        passed_through.add(self.stream.plugin());
        let cluster = self.serving.snapshot.cluster(cluster);
        let name = cluster.map_or("", |cluster| &cluster.name);
        let header = &self.serving.settings.output.cluster_header;
        if !self.stream.set_header(Side::Request, header, name) {
            self.count_host_failure();
        }
        Next::Forward
    }
}
