//! How a gateway deviates from the filter: not at all, unless a test breaks it.

use alloc::{rc::Rc, string::String, vec::Vec};

use spillgate_config::filter::FilterConfig;
use spillgate_core::model::Health;
use spillgate_steer::RouteFacts;

/// What gateways do differently. Each part can be replaced, so that tests can show that the checks
/// notice. Gateways are numbers, from 0.
pub trait Behavior {
    /// Changes the configuration of a gateway.
    fn configure(&self, gateway: usize, config: &mut FilterConfig) {
        let _ = (gateway, config);
    }

    /// Changes a request before a gateway sees it.
    fn receive(&self, gateway: usize, request: &mut SimulatedRequest) {
        let _ = (gateway, request);
    }

    /// The health that a gateway assumes of a host with this one.
    fn health(&self, gateway: usize, health: Health) -> Health {
        let _ = gateway;
        health
    }

    /// Whether a gateway that knows one version of a cluster's hosts takes another one.
    fn takes(&self, gateway: usize, known: u64, other: u64) -> bool {
        let _ = gateway;
        known < other
    }
}

/// A gateway that runs the request path unchanged.
#[derive(Debug, Clone, Copy, Default)]
pub struct SteerGateway;

impl Behavior for SteerGateway {}

/// A request as a gateway receives it.
#[derive(Debug, Clone)]
pub struct SimulatedRequest {
    /// The value of the header that is hashed, if requests have a hash.
    pub user: Option<String>,
    /// The session token that it carries in a cookie.
    pub token: Option<Vec<u8>>,
    /// The metadata of its route, which has the criteria.
    pub route: Rc<RouteFacts>,
}
