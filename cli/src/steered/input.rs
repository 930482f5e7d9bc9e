//! A request for the filters.

/// A request as it reaches the filters.
#[derive(Debug, Clone, Copy)]
pub struct SteeredInput<'a> {
    /// Its headers, names in lowercase.
    pub headers: &'a [(String, String)],
    /// The time, in seconds since the Unix epoch.
    pub now: u64,
    /// The seed of the filter's random choices.
    pub seed: u64,
    /// The number of earlier attempts.
    pub attempt: u32,
    /// The hosts of earlier attempts as `ip:port`, in order, as far as they are known.
    pub tried: &'a [String],
}

impl SteeredInput<'_> {
    /// The number of earlier attempts.
    pub(super) fn attempts(&self) -> usize {
        self.tried.len().max(self.attempt as usize)
    }
}
