//! The target cluster of a request.

use spillgate_core::snapshot::ClusterId;

use super::{Next, Steering};
use crate::{RouteSettings, port::Stream};

impl<S: Stream> Steering<'_, S> {
    /// The target cluster: the one that the route names if `route_settings` allows it, otherwise
    /// the configured one. `None` if the request passes through.
    pub(super) fn target(
        &mut self,
        headers: &S::Headers,
        route: &RouteSettings,
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
                    None => self.count(|counters| &mut counters.unknown_target),
                }
            }
        }
        self.worker.target(settings, headers, key)
    }

    /// Lets the proxy choose a host of the cluster: the health of its hosts is unknown.
    pub(super) fn pass_through(&mut self, cluster: ClusterId) -> Next {
        self.count(|counters| &mut counters.passed_through);
        let cluster = self.serving.snapshot.cluster(cluster);
        let name = cluster.map_or("", |cluster| &cluster.name);
        let header = &self.serving.settings.output.cluster_header;
        if !self.stream.pass_to(header, name) {
            self.count(|counters| &mut counters.host_failures);
        }
        Next::Forward
    }
}
