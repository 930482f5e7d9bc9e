//! Envoy as the host environment of the request path. The calls are in [`crate::calls`] and
//! [`crate::imports`].

use crate::route::Routes;
use crate::{calls, imports};
use proxy_wasm::types::{BufferType, MapType, MetricType};
use spillgate_core::route::Headers as _;
use spillgate_steer::RouteSettings;
use spillgate_steer::port::{
    AdminBody, CallId, CounterName, HeaderBytes, HealthPort, LocalResponse, MetricId, Plugin,
    RouteEnd, ShareOutcome, SharedValue, Side, Stream,
};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

/// The property with the metadata of the route.
const ROUTE: &str = "xds\0route_metadata";
/// The property with the address of the host that Envoy tried last.
const UPSTREAM: &str = "upstream\0address";
/// The property with the cluster that the route of the request leads to, if that cluster exists.
const CLUSTER: &str = "xds\0cluster_name";
/// The property with the origin of the response (`%RESPONSE_CODE_DETAILS%`).
const DETAILS: &str = "response\0code_details";
/// Its value for a response of an upstream host. Every local reply of Envoy has another one.
const VIA_UPSTREAM: &[u8] = b"via_upstream";
/// Its value for Envoy's response on a route to a cluster that does not exist.
const NO_CLUSTER: &[u8] = b"cluster_not_found";
/// Its value, or the start of it, for Envoy's response if its load balancer has no host.
const NO_HOST: &[u8] = b"no_healthy_upstream";
/// The property with the number of attempts.
const ATTEMPTS: &str = "upstream\0request_attempt_count";

/// Envoy, for the present root context.
pub(crate) struct Envoy;

/// The present request, with the cached routes.
pub(crate) struct Exchange<'a> {
    routes: &'a RefCell<Routes>,
    /// The headers that exist in this phase.
    phase: Side,
}

impl<'a> Exchange<'a> {
    /// The request of the present callback.
    pub(crate) const fn new(routes: &'a RefCell<Routes>, phase: Side) -> Self {
        Self { routes, phase }
    }

    /// The headers of this side; `None` in the phase of the other one, where the host has none.
    fn map(&self, side: Side) -> Option<MapType> {
        let map = match side {
            Side::Request => MapType::HttpRequestHeaders,
            Side::Response => MapType::HttpResponseHeaders,
        };
        (side == self.phase).then_some(map)
    }

    /// All headers of this side.
    fn headers(&self, side: Side) -> HeaderBytes {
        let headers = self.map(side).and_then(imports::headers);
        headers.map(HeaderBytes::new).unwrap_or_default()
    }
}

/// The body of the response that has arrived, by its size.
pub(crate) struct CallBody(pub(crate) usize);

impl AdminBody for CallBody {
    fn size(&self) -> usize {
        self.0
    }

    fn window(&self, offset: usize, most: usize) -> Vec<u8> {
        let most = most.min(self.0.saturating_sub(offset));
        calls::window(BufferType::HttpCallResponseBody, offset, most).unwrap_or_default()
    }
}

/// The status of the response that has arrived.
pub(crate) fn call_status() -> Option<Vec<u8>> {
    calls::header(MapType::HttpCallResponseHeaders, ":status")
}

impl Plugin for Envoy {
    fn counter(&self, name: CounterName<'_>) -> Option<MetricId> {
        calls::define_metric(MetricType::Counter, &name.text())
    }

    fn increment(&self, counter: MetricId) {
        calls::increment_metric(counter, 1);
    }

    fn gauge(&self, name: &str) -> Option<MetricId> {
        calls::define_metric(MetricType::Gauge, name)
    }

    fn record(&self, gauge: MetricId, value: u64) {
        calls::record_metric(gauge, value);
    }

    fn wall_clock(&self) -> u64 {
        calls::wall_clock().unwrap_or(0)
    }

    fn monotonic_clock(&self) -> Option<u64> {
        imports::monotonic_clock()
    }

    fn random(&self, bytes: &mut [u8]) -> bool {
        imports::random(bytes)
    }
}

impl HealthPort for Envoy {
    fn shared(&self, key: &str) -> Option<SharedValue> {
        let (bytes, revision) = calls::shared_data(key)?;
        Some(SharedValue { bytes, revision })
    }

    fn share(&self, key: &str, value: &[u8], revision: Option<u32>) -> ShareOutcome {
        calls::set_shared_data(key, value, revision)
    }

    fn get(&self, cluster: &str, path: &str, timeout: Duration) -> Option<CallId> {
        let headers = [
            (":method", "GET"),
            (":path", path),
            (":authority", "spillgate"),
        ];
        calls::http_call(cluster, &headers, timeout)
    }

    fn tick_every(&self, period: Duration) {
        calls::set_tick_period(period);
    }
}

impl Stream for Exchange<'_> {
    type Headers = HeaderBytes;
    type Plugin = Envoy;

    fn plugin(&self) -> &Envoy {
        &Envoy
    }

    fn request_headers(&mut self) -> HeaderBytes {
        self.headers(Side::Request)
    }

    fn header(&mut self, side: Side, name: &str) -> Option<Vec<u8>> {
        calls::header(self.map(side)?, name)
    }

    /// The host gives the first value only, so further ones cost a copy of all headers.
    fn header_values(&mut self, side: Side, name: &str) -> Vec<Vec<u8>> {
        if self.header(side, name).is_none() {
            return Vec::new();
        }
        let headers = self.headers(side);
        headers.values(name).map(<[u8]>::to_vec).collect()
    }

    fn set_header(&mut self, side: Side, name: &str, value: &str) -> bool {
        let map = self.map(side);
        map.is_some_and(|map| calls::set_header(map, name, value))
    }

    fn add_header(&mut self, side: Side, name: &str, value: &[u8]) -> bool {
        let map = self.map(side);
        map.is_some_and(|map| calls::add_header(map, name, value))
    }

    fn remove_header(&mut self, side: Side, name: &str) -> bool {
        let map = self.map(side);
        map.is_some_and(|map| calls::remove_header(map, name))
    }

    fn respond(&mut self, response: &LocalResponse<'_>) -> bool {
        imports::send_local_response(
            response.status,
            response.details,
            response.body,
            response.headers,
        )
    }

    fn route(&mut self) -> Rc<RouteSettings> {
        match self.routes.try_borrow_mut() {
            Ok(mut routes) => routes.of(calls::property(ROUTE).unwrap_or_default()),
            // Unreachable: callbacks do not nest.
            Err(_) => Rc::default(),
        }
    }

    fn upstream_address(&mut self) -> Option<Vec<u8>> {
        calls::property(UPSTREAM)
    }

    fn attempts(&mut self) -> Option<u64> {
        let count = calls::property(ATTEMPTS)?;
        Some(u64::from_le_bytes(count.try_into().ok()?))
    }

    fn has_no_host(&mut self) -> bool {
        calls::property(DETAILS)
            .is_some_and(|details| details.starts_with(NO_HOST) || details == NO_CLUSTER)
    }

    /// Neither a route that answers itself has a cluster, nor one with `cluster_header` before the header
    /// exists. Envoy shows the route that it chose when the request arrived.
    fn route_end(&mut self, _: &str, _: &str) -> RouteEnd {
        match calls::property(CLUSTER) {
            Some(_) => RouteEnd::Host,
            None => RouteEnd::Unknown,
        }
    }

    fn has_no_cluster(&mut self) -> bool {
        calls::property(DETAILS).is_some_and(|details| details == NO_CLUSTER)
    }

    /// An environment without this property does not distinguish the two.
    fn is_upstream_response(&mut self) -> bool {
        calls::property(DETAILS).is_none_or(|details| details == VIA_UPSTREAM)
    }

    /// Access logs show the value as `%FILTER_STATE(wasm.NAME:PLAIN)%`.
    fn store_for_logs(&mut self, name: &str, value: &str) -> bool {
        calls::set_property(name, value.as_bytes())
    }
}
