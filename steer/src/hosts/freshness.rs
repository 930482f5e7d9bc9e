//! How current the known health of a cluster is.

/// How current the known health of a cluster is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Freshness {
    /// The admin has reported it lately, or it is configured.
    Fresh,
    /// The last report is old and still counts.
    Stale,
    /// Nothing is known, or nothing that may still count: the proxy balances by itself.
    Unknown,
}
