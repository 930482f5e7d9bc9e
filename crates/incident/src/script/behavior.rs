//! How a host behaves while an event concerns it.

use core::time::Duration;

/// What a host does with requests and health checks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum HostBehavior {
    /// It refuses connections, also those of health checks.
    Refuse,
    /// It answers this part of its requests with 500 (0 to 1). Its health checks pass.
    Errors(f64),
    /// It answers requests and health checks after this time.
    Slow(Duration),
    /// It accepts requests and health checks, and never answers.
    Silent,
    /// Its health checks report it as degraded (`x-envoy-degraded`); requests succeed.
    Degraded,
    /// EDS removes it at the start, and adds it at the end of the span.
    Remove,
    /// It is missing until the start of the span, where EDS adds it.
    Add,
    /// It refuses connections for this time, then works as long, and so on.
    Flap(Duration),
}

impl HostBehavior {
    /// All, with the smallest or the whole amount.
    pub(super) const ALL: [Self; 8] = [
        Self::Refuse,
        Self::Errors(1.0),
        Self::Slow(Duration::ZERO),
        Self::Silent,
        Self::Degraded,
        Self::Remove,
        Self::Add,
        Self::Flap(Duration::ZERO),
    ];

    /// The kind of behavior with this name, for [`HostEvent::parse`](super::HostEvent::parse).
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|of| of.name() == name)
    }

    /// The name of the option and of the field of a script.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Refuse => "fail",
            Self::Errors(_) => "errors",
            Self::Slow(_) => "slow",
            Self::Silent => "timeout",
            Self::Degraded => "degraded",
            Self::Remove => "remove",
            Self::Add => "add",
            Self::Flap(_) => "flap",
        }
    }

    /// Whether requests that the host gets can fail. A slow host depends on timeouts.
    #[must_use]
    pub const fn can_fail(&self) -> bool {
        !matches!(self, Self::Degraded | Self::Remove | Self::Add)
    }
}
