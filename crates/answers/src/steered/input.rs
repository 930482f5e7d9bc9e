//! A request for the filters.

use spillgate_core::route::{Connection, HeaderList, ReceivedRequest};

/// A request as it reaches the filters.
#[derive(Debug, Clone, Copy)]
pub struct SteeredInput<'a> {
    /// Its headers as the connection manager passes them on, names in lowercase.
    pub headers: HeaderList<'a, String, String>,
    /// The time, in seconds since the Unix epoch.
    pub now: u64,
    /// The seed of the filter's random choices.
    pub seed: u64,
    /// The number of earlier attempts.
    pub attempt: u32,
    /// The hosts of earlier attempts as `ip:port`, in order, as far as they are known.
    pub tried: &'a [String],
}

impl<'a> SteeredInput<'a> {
    /// The request as routes see it.
    pub(super) fn received(&self) -> ReceivedRequest<'_, HeaderList<'a, String, String>> {
        ReceivedRequest::unchanged(&self.headers, Connection::default())
    }

    /// The number of earlier attempts.
    pub(super) fn attempts(&self) -> usize {
        self.tried.len().max(self.attempt as usize)
    }
}
