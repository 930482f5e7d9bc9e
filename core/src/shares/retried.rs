//! Shares under retry predicates: a rejected choice is made again, up to a number of attempts.

/// The factors by which further attempts change the shares of one choice.
#[derive(Debug, Clone, Copy)]
pub(super) struct Retried {
    /// For hosts that the predicates accept, and for choices without a host.
    pub(super) accepted: f64,
    /// For rejected hosts: the last attempt takes its host in any case.
    pub(super) rejected: f64,
}

impl Retried {
    /// The factors for independent attempts, each of which is rejected with a probability of
    /// `again`.
    pub(super) fn new(attempts: u32, again: f64) -> Self {
        let (mut rejected, mut accepted) = (1.0, 1.0);
        for _ in 1..attempts {
            rejected *= again;
            accepted += rejected;
        }
        Self { accepted, rejected }
    }

    /// The factor of a host.
    pub(super) const fn factor(&self, is_rejected: bool) -> f64 {
        if is_rejected {
            self.rejected
        } else {
            self.accepted
        }
    }
}
