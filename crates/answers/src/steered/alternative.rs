//! The possible outcomes of a request in a filter.

/// One possible outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct SteeredAlternative {
    /// Its probability, above 0 and at most 1.
    pub part: f64,
    /// The outcome.
    pub outcome: SteeredOutcome,
}

/// The action of a filter on a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SteeredOutcome {
    /// The filter forwards the request with these headers.
    Forward(Vec<(String, String)>),
    /// The filter responds with this status.
    Respond(u16),
    /// The result is not modeled, for this reason.
    Unknown(&'static str),
}

/// One possible outcome, with the hosts that distinguish it from others.
#[derive(Debug, Clone)]
pub(super) struct ListedAlternative {
    pub(super) alternative: SteeredAlternative,
    /// The first host of the list.
    pub(super) first: Option<String>,
    /// The first one of the next cluster.
    pub(super) next: Option<String>,
}

impl From<SteeredAlternative> for ListedAlternative {
    fn from(alternative: SteeredAlternative) -> Self {
        Self {
            alternative,
            first: None,
            next: None,
        }
    }
}
