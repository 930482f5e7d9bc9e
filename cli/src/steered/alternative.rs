//! The possible outcomes of a request in a filter.

/// The outcome of a part of the requests.
#[derive(Debug, Clone, PartialEq)]
pub struct SteeredAlternative {
    /// The part, above 0 and at most 1.
    pub part: f64,
    /// The outcome of this part.
    pub outcome: SteeredOutcome,
}

/// What a filter does with a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SteeredOutcome {
    /// Envoy gets the request with these headers.
    Forward(Vec<(String, String)>),
    /// The filter responds with this status.
    Respond(u16),
}
