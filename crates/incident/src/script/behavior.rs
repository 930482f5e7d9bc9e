//! How a host behaves while an event concerns it.

use core::time::Duration;

/// What a host does with requests and health checks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum HostBehavior {
    /// It refuses connections, also those of health checks.
    Refuse,
    /// It answers a part of its requests with an error. Its health checks pass.
    Errors(ErrorAnswers),
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

/// The requests that a host answers with an error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ErrorAnswers {
    /// The part of its requests, 0 to 1.
    pub part: f64,
    /// The status, 400 to 599.
    pub status: u16,
}

impl ErrorAnswers {
    /// All requests, with 500.
    pub const ALL: Self = Self {
        part: 1.0,
        status: 500,
    };
}

impl HostBehavior {
    /// All, with the smallest or the whole amount.
    pub(super) const ALL: [Self; 8] = [
        Self::Refuse,
        Self::Errors(ErrorAnswers::ALL),
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

    /// Errors with this status.
    #[must_use]
    pub(super) const fn with_status(self, status: u16) -> Self {
        match self {
            Self::Errors(errors) => Self::Errors(ErrorAnswers { status, ..errors }),
            other => other,
        }
    }

    /// Whether requests that the host gets can fail. A slow host depends on timeouts.
    #[must_use]
    pub const fn can_fail(&self) -> bool {
        !matches!(self, Self::Degraded | Self::Remove | Self::Add)
    }
}
