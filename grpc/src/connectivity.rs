//! The states of a connection.

/// What is known of a subchannel, or of a policy that stands for many
/// (`grpc_connectivity_state`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Connectivity {
    /// Not connected; the next request connects it.
    Idle,
    /// Being connected.
    Connecting,
    /// Connected.
    Ready,
    /// The last attempt failed; another one follows by itself.
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

    /// The name that gRPC writes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Idle => "IDLE",
            Self::Connecting => "CONNECTING",
            Self::Ready => "READY",
            Self::TransientFailure => "TRANSIENT_FAILURE",
        }
    }

    /// The state of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }
}
