//! What a check finds.

use super::{ActiveCheck, CheckVerdict, HealthCheckKind};

/// The result of one check. A check without a result ends by its timeout ([`Checker::on_due`](super::Checker::on_due)).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HealthCheckOutcome {
    /// The checker's own success: a TCP connection, the expected bytes, `SERVING`. Of an HTTP checker, status 200.
    Success,
    /// An HTTP response. Checkers of other protocols fail.
    Response {
        /// Its status.
        status: u16,
        /// Whether it has the header `x-envoy-degraded`; only a passing response makes the host degraded.
        degraded: bool,
        /// Whether it has the header `x-envoy-immediate-health-check-fail`; a failing response with it also excludes
        /// the host.
        immediate_failure: bool,
    },
    /// A failure that the protocol reports, such as `NOT_SERVING` or an unexpected body.
    Failure,
    /// No connection, a reset, or a closed connection.
    NetworkFailure,
}

impl HealthCheckOutcome {
    /// A response with this status and no headers that matter.
    #[must_use]
    pub const fn status(status: u16) -> Self {
        Self::Response {
            status,
            degraded: false,
            immediate_failure: false,
        }
    }

    /// The verdict of a checker with these settings.
    #[must_use]
    pub fn verdict(&self, check: &ActiveCheck) -> CheckVerdict {
        match (self, &check.kind) {
            (Self::Success, HealthCheckKind::Http(statuses)) => statuses.verdict(200),
            (Self::Success, _) => CheckVerdict::Pass { degraded: false },
            (
                Self::Response {
                    status, degraded, ..
                },
                HealthCheckKind::Http(statuses),
            ) => match statuses.verdict(*status) {
                CheckVerdict::Pass { .. } => CheckVerdict::Pass {
                    degraded: *degraded,
                },
                failed => failed,
            },
            (Self::Response { .. } | Self::Failure, _) => CheckVerdict::Fail,
            (Self::NetworkFailure, _) => CheckVerdict::Network,
        }
    }

    /// Whether it excludes the host if it fails.
    pub(super) const fn excludes(&self) -> bool {
        matches!(
            self,
            Self::Response {
                immediate_failure: true,
                ..
            }
        )
    }

    /// The status in the event log; 0 without a response.
    pub(super) const fn logged_status(&self) -> u16 {
        match self {
            Self::Response { status, .. } => *status,
            _ => 0,
        }
    }
}
