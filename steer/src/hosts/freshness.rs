//! How current the known health of a cluster is.

/// How current the known health of a cluster is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Freshness {
    /// Reported within `stale_after`, or configured.
    Fresh,
    /// The last report is older than `stale_after` and still used (`on_stale: keep`).
    Stale,
    /// Never reported, or stale with `on_stale: pass_through`: the proxy chooses the host.
    Unknown,
}
