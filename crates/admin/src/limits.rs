//! The limits of a request.

use std::time::Duration;

use spillgate_config::node::MAXIMUM_BYTES;

/// The limits of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdminLimits {
    /// The time for the whole request: connecting, waiting and reading.
    pub time: Duration,
    /// The size of the response, in bytes.
    pub bytes: usize,
}

impl Default for AdminLimits {
    /// 30 seconds, because Envoy needs seconds to write the dump of 40,000 hosts, and the size that the readers
    /// of configurations accept.
    fn default() -> Self {
        Self {
            time: Duration::from_secs(30),
            bytes: MAXIMUM_BYTES,
        }
    }
}

impl AdminLimits {
    /// The time for the connection. An address that does not answer is reported earlier than a slow response.
    pub(crate) fn connect(&self) -> Duration {
        const CONNECT: Duration = Duration::from_secs(5);
        self.time.min(CONNECT)
    }
}
