//! The statuses of responses that no host has sent.

/// The status of a request that finds no host, or whose cluster does not exist.
pub(crate) const UNAVAILABLE: u16 = 503;
/// The status of a request that no route takes.
pub(crate) const NOT_FOUND: u16 = 404;
