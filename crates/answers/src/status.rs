//! HTTP statuses of responses that Envoy itself sends.

/// There is no response: Envoy closes the connection.
pub const CLOSED: u16 = spillgate_config::envoy::CONNECTION_CLOSED;
/// No host is available, or the cluster does not exist.
pub const UNAVAILABLE: u16 = 503;
/// No route matches.
pub const NOT_FOUND: u16 = 404;
