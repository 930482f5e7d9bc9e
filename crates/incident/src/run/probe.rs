//! What active health checks of a host find while an event concerns it.

use core::time::Duration;

use spillgate_health::check::{ActiveCheck, HealthCheckKind, HealthCheckOutcome};

use crate::script::HostBehavior;

/// What a check of a host finds.
pub(super) enum Probe {
    /// The answer arrives at once.
    At(HealthCheckOutcome),
    /// The answer arrives after this time.
    After(Duration),
    /// No answer.
    Never,
}

pub(super) fn probe(behavior: Option<HostBehavior>, check: &ActiveCheck) -> Probe {
    if check.kind == HealthCheckKind::Tcp
        && matches!(behavior, Some(HostBehavior::Silent | HostBehavior::Slow(_)))
    {
        return Probe::At(HealthCheckOutcome::Success);
    }
    match behavior {
        Some(HostBehavior::Refuse | HostBehavior::Flap(_)) => {
            Probe::At(HealthCheckOutcome::NetworkFailure)
        }
        Some(HostBehavior::Silent) => Probe::Never,
        Some(HostBehavior::Slow(delay)) if delay >= check.timeout => Probe::Never,
        Some(HostBehavior::Slow(delay)) => Probe::After(delay),
        Some(HostBehavior::Degraded) => Probe::At(passing(check, true)),
        _ => Probe::At(passing(check, false)),
    }
}

/// A result that passes: of an HTTP check with an expected status.
pub(super) fn passing(check: &ActiveCheck, degraded: bool) -> HealthCheckOutcome {
    match &check.kind {
        HealthCheckKind::Http(statuses) => HealthCheckOutcome::Response {
            status: statuses.expected.first().map_or(200, |range| range.start),
            degraded,
            immediate_failure: false,
        },
        _ => HealthCheckOutcome::Success,
    }
}

/// Whether a check of a host with this behavior fails.
pub(crate) fn fails_check(behavior: HostBehavior, check: &ActiveCheck) -> bool {
    match behavior {
        HostBehavior::Refuse | HostBehavior::Flap(_) => true,
        // The connection suffices.
        HostBehavior::Silent | HostBehavior::Slow(_) if check.kind == HealthCheckKind::Tcp => false,
        HostBehavior::Silent => true,
        HostBehavior::Slow(delay) => delay >= check.timeout,
        _ => false,
    }
}
