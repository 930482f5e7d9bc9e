//! HTTP statuses of responses that Envoy itself sends.

/// There is no response: Envoy closes the connection.
pub const CLOSED: u16 = spillgate_config::envoy::CONNECTION_CLOSED;
/// No host is available, or the cluster does not exist.
pub const UNAVAILABLE: u16 = 503;
/// No route matches.
pub const NOT_FOUND: u16 = 404;

/// The `grpc-status` of such a response to a request of gRPC, which has the HTTP status 200 (gRPC,
/// `http-grpc-status-mapping.md`).
#[must_use]
pub const fn grpc_status(status: u16) -> (u8, &'static str) {
    match status {
        400 => (13, "INTERNAL"),
        401 => (16, "UNAUTHENTICATED"),
        403 => (7, "PERMISSION_DENIED"),
        404 => (12, "UNIMPLEMENTED"),
        429 | 502 | 503 | 504 => (14, "UNAVAILABLE"),
        _ => (2, "UNKNOWN"),
    }
}
