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
        let power = |exponent: u32| libm::pow(again, f64::from(exponent));
        let accepted = (0..attempts).map(power).sum();
        Self {
            accepted,
            rejected: match attempts {
                0 | 1 => accepted,
                more => power(more - 1),
            },
        }
    }
}
