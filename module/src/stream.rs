//! Envoy as the host environment of the request path.

use std::rc::Rc;

use spillgate_steer::{
    RouteSettings,
    port::{LocalResponse, PassedHosts, RouteEnd, Side, Steered, SteeringChoice, Stream},
};

use crate::{
    abi::{HeaderMap, SpecifierHandle, StreamHandle},
    headers::CopiedHeaders,
    metadata,
    names::{CLUSTER, HOSTS, NAMESPACE, NEXT_CLUSTER},
    plugin::Plugin,
    specifier,
};

/// The namespace of subset criteria.
const CRITERIA: &str = "envoy.lb";
/// The origin of a response of an upstream host. Every local reply of Envoy has another one.
const VIA_UPSTREAM: &[u8] = b"via_upstream";
/// The origin of Envoy's response if its load balancer has no host, or the start of it.
const NO_HOST: &[u8] = b"no_healthy_upstream";
/// The origin of Envoy's response on a route to a cluster that does not exist.
const NO_CLUSTER: &[u8] = b"cluster_not_found";

/// A request, inside one of its hooks.
pub(crate) struct Exchange<'hook> {
    envoy: StreamHandle<'hook>,
    pub(crate) plugin: Plugin<'hook>,
}

impl<'hook> Exchange<'hook> {
    /// The request of a hook.
    pub(crate) const fn new(envoy: StreamHandle<'hook>, plugin: Plugin<'hook>) -> Self {
        Self { envoy, plugin }
    }

    /// Routes the request to a cluster. A route with our cluster specifier is asked again; on other
    /// versions of Envoy, a route chooses its cluster by the header.
    fn route_to(&self, header: &str, cluster: &str) -> bool {
        let envoy = self.envoy;
        if envoy.goes_to(cluster) {
            return true;
        }
        if SpecifierHandle::is_supported() {
            envoy.set_metadata(NAMESPACE, CLUSTER, cluster);
            specifier::answering(cluster, || envoy.choose_cluster_again());
            if envoy.goes_to(cluster) {
                return true;
            }
        }
        envoy.set_header(HeaderMap::Request, header, cluster);
        envoy.choose_route_again();
        let routed = envoy.goes_to(cluster);
        if !routed {
            // The upstream host would see it.
            envoy.remove_header(HeaderMap::Request, header);
        }
        routed
    }
}

impl<'hook> Stream for Exchange<'hook> {
    type Headers = CopiedHeaders;
    type Plugin = Plugin<'hook>;

    fn plugin(&self) -> &Plugin<'hook> {
        &self.plugin
    }

    fn request_headers(&mut self) -> CopiedHeaders {
        self.envoy.headers(HeaderMap::Request)
    }

    fn header(&mut self, side: Side, name: &str) -> Option<Vec<u8>> {
        self.envoy.header(map(side), name)
    }

    fn header_values(&mut self, side: Side, name: &str) -> Vec<Vec<u8>> {
        let value = |index| self.envoy.header_at(map(side), name, index);
        (0..).map_while(value).collect()
    }

    fn set_header(&mut self, side: Side, name: &str, value: &str) -> bool {
        self.envoy.set_header(map(side), name, value)
    }

    fn add_header(&mut self, side: Side, name: &str, value: &[u8]) -> bool {
        self.envoy.add_header(map(side), name, value)
    }

    fn remove_header(&mut self, side: Side, name: &str) -> bool {
        self.envoy.remove_header(map(side), name)
    }

    fn respond(&mut self, response: &LocalResponse<'_>) -> bool {
        self.envoy.respond(
            response.status,
            response.headers,
            response.body,
            response.details,
        );
        true
    }

    fn route(&mut self) -> Rc<RouteSettings> {
        let criteria = metadata::of_route(self.envoy, CRITERIA);
        let settings = metadata::of_route(self.envoy, NAMESPACE);
        Rc::new(RouteSettings::of_metadata(criteria, &settings))
    }

    fn upstream_address(&mut self) -> Option<Vec<u8>> {
        self.envoy.upstream_address()
    }

    fn is_upstream_response(&mut self) -> bool {
        let details = self.envoy.response_details();
        details.is_none_or(|details| details == VIA_UPSTREAM)
    }

    fn attempts(&mut self) -> Option<u64> {
        self.envoy.attempts()
    }

    fn has_no_host(&mut self) -> bool {
        let details = self.envoy.response_details();
        details.is_some_and(|details| details.starts_with(NO_HOST) || details == NO_CLUSTER)
    }

    /// Access logs show the value as `%FILTER_STATE(NAME:PLAIN)%`.
    fn store_for_logs(&mut self, name: &str, value: &str) -> bool {
        self.envoy.store(name, value)
    }

    /// A host list goes into the metadata that `override_host` reads around our policy, so that
    /// retries use it too. A single host is Envoy's override host.
    fn steer(&mut self, choice: &SteeringChoice<'_>) -> Steered {
        let hosts = choice.hosts();
        let Some(first) = hosts.first() else {
            return Steered::NoHost;
        };
        let (chosen, passed) = match choice.output.candidates {
            // Envoy uses it only if it is healthy enough.
            1 => (
                self.envoy.set_override_host(&first.address),
                choice.is_watched.then(|| PassedHosts::suggested(first)),
            ),
            _ => {
                let list = SteeringChoice::host_list(&hosts);
                self.envoy.set_metadata(NAMESPACE, HOSTS, &list);
                (true, choice.is_watched.then(|| PassedHosts::listed(list)))
            }
        };
        if let (Some(attempts), Some(next)) =
            (choice.output.attempts_per_cluster, choice.next_owner())
        {
            let next = format!("{attempts} {next}");
            self.envoy.set_metadata(NAMESPACE, NEXT_CLUSTER, &next);
        }
        if self.pass_to(&choice.output.cluster_header, choice.owner()) && chosen {
            Steered::Done(passed)
        } else {
            Steered::Failed
        }
    }

    fn pass_to(&mut self, header: &str, cluster: &str) -> bool {
        self.route_to(header, cluster)
    }

    /// A route that leaves the choice of the cluster to the filter has none yet, so it is asked.
    fn route_end(&mut self, header: &str, cluster: &str) -> RouteEnd {
        if self.envoy.has_cluster() || self.route_to(header, cluster) {
            RouteEnd::Host
        } else {
            RouteEnd::Proxy
        }
    }
}

const fn map(side: Side) -> HeaderMap {
    match side {
        Side::Request => HeaderMap::Request,
        Side::Response => HeaderMap::Response,
    }
}
