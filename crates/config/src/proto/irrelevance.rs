//! Why a field is not read.

/// Why a field of a message changes no choice of a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Irrelevance {
    /// How bytes travel: sockets, TLS, protocols, buffers.
    Transport,
    /// When something ends, expires or is tried again; answers are about one moment.
    Timing,
    /// What the client receives.
    Response,
    /// Logs, statistics, traces and the names in them.
    Observability,
    /// The process, its memory and its threads.
    Process,
    /// Refuses connections or requests by load or size, whichever host is next.
    Admission,
    /// How configuration, hosts and their health arrive; answers are about what arrived.
    Discovery,
    /// Whether another attempt follows; the attempt is part of the question.
    Attempts,
    /// Only other settings use it, and these are read or named themselves.
    UsedByOthers,
    /// Envoy 1.40 does not use it, or refuses it.
    NotInForce,
    /// Not a setting: a version, a time or a name of the document.
    Document,
}

impl Irrelevance {
    /// Whether such fields can change what happens to a request that has its host.
    #[cfg(feature = "unread")]
    pub(super) const fn concerns_requests(self) -> bool {
        matches!(
            self,
            Self::Admission
                | Self::Attempts
                | Self::Discovery
                | Self::Response
                | Self::Timing
                | Self::Transport
        )
    }
}
