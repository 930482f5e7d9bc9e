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
}
