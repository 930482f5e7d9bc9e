//! What a request to a host reports to outlier detection.

/// The end of one attempt of a request, as the HTTP router reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestResult {
    /// Response headers arrived.
    Response {
        /// The HTTP status; of gRPC, the HTTP status of its `grpc-status` if that is in the headers.
        status: u16,
        /// Whether they have `x-envoy-degraded`.
        degraded: bool,
    },
    /// The connection was refused, reset or timed out before the request was sent. Without a split, this is a 503.
    ConnectFailure,
    /// The connection was reset after it had opened, before a response. Without a split, this is a 503.
    Reset,
    /// No response before the route's or the attempt's timeout, on an open connection. Without a split, this is a 504.
    /// A timeout before the connection is open reports nothing, so a host that drops packets is found only if
    /// `connect_timeout` is shorter than these timeouts: then it is a [`ConnectFailure`](Self::ConnectFailure).
    Timeout,
}

/// One count of a result: on the counters of responses, or on those of local origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Charge {
    /// A response with this status.
    Status(u16),
    /// A failure without a response.
    LocalFailure,
    /// An open connection.
    LocalSuccess,
}

impl RequestResult {
    /// A response with this status.
    #[must_use]
    pub const fn status(status: u16) -> Self {
        Self::Response {
            status,
            degraded: false,
        }
    }

    /// The counts of this result, in order. With a split, an open connection counts as a local success before its
    /// response or failure.
    pub(super) const fn charges(self, split: bool) -> [Option<Charge>; 2] {
        use Charge::{LocalFailure, LocalSuccess, Status};
        match (self, split) {
            (Self::Response { status, .. }, false) => [Some(Status(status)), None],
            (Self::Response { status, .. }, true) => [Some(LocalSuccess), Some(Status(status))],
            (Self::ConnectFailure | Self::Reset, false) => [Some(Status(503)), None],
            (Self::Timeout, false) => [Some(Status(504)), None],
            (Self::ConnectFailure, true) => [Some(LocalFailure), None],
            (Self::Reset | Self::Timeout, true) => [Some(LocalSuccess), Some(LocalFailure)],
        }
    }

    /// Whether the host reports that it is degraded; only a 2xx response can.
    pub(super) const fn is_degraded(self) -> bool {
        matches!(
            self,
            Self::Response {
                status: 200..300,
                degraded: true
            }
        )
    }
}
