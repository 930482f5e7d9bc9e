//! Connectivity states.

/// The state of a subchannel, or of a policy with several subchannels
/// (`grpc_connectivity_state`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Connectivity {
    /// Not connected; the next request starts a connection.
    Idle,
    /// Connecting.
    Connecting,
    /// Connected.
    Ready,
    /// The last attempt failed; gRPC retries on its own.
    TransientFailure,
}

impl Connectivity {
    /// Every state.
    pub const ALL: [Self; 4] = [
        Self::Idle,
        Self::Connecting,
        Self::Ready,
        Self::TransientFailure,
    ];

    /// The name in gRPC.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Idle => "IDLE",
            Self::Connecting => "CONNECTING",
            Self::Ready => "READY",
            Self::TransientFailure => "TRANSIENT_FAILURE",
        }
    }

    /// The state with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }
}
