//! The outcome of reading a session token.

/// The outcome of reading the session token of a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TokenOutcome {
    /// The request has no token.
    #[default]
    Absent,
    /// The token is accepted.
    Accepted,
    /// The token has no effect. The reason is that of the metric
    /// `spillgate.sessions.refused.reason.R`, such as `expired`.
    Refused(&'static str),
    /// The token was used more often than `affinity.max_requests_per_token` allows. It has no
    /// effect until its window ends.
    Overused,
}
