//! What is worse: no host, panic mode, overload, degraded hosts, spillover.

use crate::{PanicMode, PriorityReport, ScenarioOutcome};

/// Shares below this are shown as 0.
pub(super) const NOTHING: f64 = 0.05;

/// The worst that is true of a result; later variants are worse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ResultSeverity {
    /// The first priority takes all traffic.
    Well,
    /// Later priorities take traffic.
    Spillover,
    /// Degraded hosts take traffic.
    Degraded,
    /// All priorities together are not available for all traffic, and take it.
    Overload,
    /// Hosts take traffic regardless of their health.
    Panic,
    /// Some requests get a 503.
    NoHost,
    /// Requests reach a cluster whose hosts are unknown.
    Unknown,
}

impl ResultSeverity {
    /// The severity of a result.
    pub(super) fn of(outcome: &ScenarioOutcome) -> Self {
        let rows = outcome.priorities();
        let takes =
            |row: &&PriorityReport| row.row.load() > 0 && row.share() >= NOTHING && !row.repeated;
        if outcome.unknown_hosts.is_some() {
            Self::Unknown
        } else if outcome.no_host() >= NOTHING {
            Self::NoHost
        } else if rows.iter().filter(takes).any(in_panic) {
            Self::Panic
        } else if outcome.availability() < 100 {
            Self::Overload
        } else if rows
            .iter()
            .filter(takes)
            .any(|row| row.row.degraded_load > 0)
        {
            Self::Degraded
        } else if rows.iter().skip(1).filter(takes).count() > 0 {
            Self::Spillover
        } else {
            Self::Well
        }
    }

    /// The severity in one or two words.
    pub(super) fn label(self, outcome: &ScenarioOutcome) -> &'static str {
        match self {
            Self::Unknown => "Hosts unknown",
            Self::NoHost if outcome.no_host() - outcome.dropped() < NOTHING => "Dropped",
            Self::NoHost => "No host",
            Self::Panic => "Panic",
            Self::Overload => "Overload",
            Self::Degraded => "Degraded",
            Self::Spillover => "Spillover",
            Self::Well if outcome.is_whole() => "All healthy",
            Self::Well => "No spillover",
        }
    }

    /// Whether requests fail or can fail: hosts serve more than they are available for, or
    /// unhealthy ones serve.
    #[must_use]
    pub const fn is_alarm(self) -> bool {
        matches!(self, Self::NoHost | Self::Panic | Self::Overload)
    }
}

/// Whether the hosts of a priority serve regardless of their health.
pub(super) fn in_panic(row: &PriorityReport) -> bool {
    row.panic != PanicMode::Off
}
