//! How a gateway deviates from the filter: not at all, unless a test changes it.

use alloc::{rc::Rc, string::String, vec::Vec};

use spillgate_config::filter::FilterConfig;
use spillgate_core::model::Health;
use spillgate_steer::RouteSettings;

/// How gateways deviate from the filter. Tests implement it to show that the checks detect broken
/// gateways. Gateways are numbered from 0.
pub trait GatewayBehavior {
    /// Changes the configuration of a gateway.
    fn configure(&self, gateway: usize, config: &mut FilterConfig) {
        let _ = (gateway, config);
    }

    /// Changes a request before a gateway sees it.
    fn receive(&self, gateway: usize, request: &mut SimulatedRequest) {
        let _ = (gateway, request);
    }

    /// The health that a gateway uses for a host with this health.
    fn health(&self, gateway: usize, health: Health) -> Health {
        let _ = gateway;
        health
    }

    /// Whether a gateway with the version `known` of a cluster's hosts accepts the version `other`.
    fn accepts_update(&self, gateway: usize, known: u64, other: u64) -> bool {
        let _ = gateway;
        known < other
    }
}

/// Gateways that run the request path unchanged.
#[derive(Debug, Clone, Copy, Default)]
pub struct SteerGateway;

impl GatewayBehavior for SteerGateway {}

/// A request as a gateway receives it.
#[derive(Debug, Clone)]
pub struct SimulatedRequest {
    /// The value of the header that is hashed, if requests have a hash.
    pub user: Option<String>,
    /// The session token in its cookie.
    pub token: Option<Vec<u8>>,
    /// The metadata of its route, with the criteria.
    pub route: Rc<RouteSettings>,
}
