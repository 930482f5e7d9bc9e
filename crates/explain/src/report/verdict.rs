//! What is worse: no host, panic mode, overload, degraded hosts, spillover.

use spillgate_core::snapshot::Snapshot;

use super::{ClusterReport, PanicMode, PriorityReport};

/// Shares below this are shown as 0, in percent.
pub const NEGLIGIBLE_SHARE: f64 = 0.05;

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

/// A severity, in one or two words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResultVerdict {
    /// The worst that is true.
    pub severity: ResultSeverity,
    /// It in one or two words: `Panic`.
    pub label: &'static str,
}

impl ResultSeverity {
    /// Whether requests fail or can fail: hosts serve more than they are available for, or
    /// unhealthy ones serve.
    #[must_use]
    pub const fn is_alarm(self) -> bool {
        matches!(self, Self::NoHost | Self::Panic | Self::Overload)
    }
}

impl ResultVerdict {
    const WHOLE: Self = Self::new(ResultSeverity::Well, "All healthy");
    const WELL: Self = Self::new(ResultSeverity::Well, "No spillover");
    const SPILLOVER: Self = Self::new(ResultSeverity::Spillover, "Spillover");
    const DEGRADED: Self = Self::new(ResultSeverity::Degraded, "Degraded");
    /// Also that of a scenario without clusters.
    pub const OVERLOAD: Self = Self::new(ResultSeverity::Overload, "Overload");
    const PANIC: Self = Self::new(ResultSeverity::Panic, "Panic");
    const DROPPED: Self = Self::new(ResultSeverity::NoHost, "Dropped");
    const NO_HOST: Self = Self::new(ResultSeverity::NoHost, "No host");
    const UNKNOWN: Self = Self::new(ResultSeverity::Unknown, "Hosts unknown");

    /// All of them, less severe ones first.
    pub const ALL: [Self; 9] = [
        Self::WHOLE,
        Self::WELL,
        Self::SPILLOVER,
        Self::DEGRADED,
        Self::OVERLOAD,
        Self::PANIC,
        Self::DROPPED,
        Self::NO_HOST,
        Self::UNKNOWN,
    ];

    const fn new(severity: ResultSeverity, label: &'static str) -> Self {
        Self { severity, label }
    }

    /// The verdict on a cluster. `unknown_hosts` is the cluster whose hosts are not known, if requests reach it.
    #[must_use]
    pub fn of(report: &ClusterReport, snapshot: &Snapshot, unknown_hosts: Option<&str>) -> Self {
        let rows = &report.priorities;
        let takes = |row: &&PriorityReport| {
            row.row.load() > 0 && row.share() >= NEGLIGIBLE_SHARE && !row.repeated
        };
        if unknown_hosts.is_some() {
            Self::UNKNOWN
        } else if report.no_host >= NEGLIGIBLE_SHARE {
            let other = report.no_host - report.dropped(snapshot);
            if other < NEGLIGIBLE_SHARE {
                Self::DROPPED
            } else {
                Self::NO_HOST
            }
        } else if rows.iter().filter(takes).any(PriorityReport::in_panic_mode) {
            Self::PANIC
        } else if report.totals.availability < 100 {
            Self::OVERLOAD
        } else if rows
            .iter()
            .filter(takes)
            .any(|row| row.row.degraded_load > 0)
        {
            Self::DEGRADED
        } else if rows.iter().skip(1).filter(takes).count() > 0 {
            Self::SPILLOVER
        } else if report.is_whole() {
            Self::WHOLE
        } else {
            Self::WELL
        }
    }
}

impl PriorityReport {
    /// Whether its hosts serve regardless of their health.
    #[must_use]
    pub fn in_panic_mode(&self) -> bool {
        self.panic != PanicMode::Off
    }
}

impl ClusterReport {
    /// The share of the requests that the cluster drops by configuration (`drop_overloads`), in percent.
    #[must_use]
    pub fn dropped(&self, snapshot: &Snapshot) -> f64 {
        let plain = snapshot.plain(self.cluster);
        let millionths = plain.map_or(0, |plain| plain.settings.drop_overload.millionths());
        (f64::from(millionths) / 10_000.0).min(self.no_host)
    }

    /// Whether every host is healthy.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let mut rows = self.priorities.iter();
        rows.all(|row| row.healthy() == row.hosts.len())
    }
}
