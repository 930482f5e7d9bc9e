//! What a scripted host does from when on: whether it listens, and how it answers health checks and requests.

use std::time::Duration;

/// The longest list of health checks of a cluster in a trial.
pub(crate) const MOST_CHECKS: usize = 2;

/// The phases of a host, by their start. The first one starts before Envoy does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostScript(pub Vec<HostPhase>);

/// What a host does from `from` on, until the next phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostPhase {
    /// Since the start of the script.
    pub from: Duration,
    /// Whether nothing listens at the address. Open connections are closed when such a phase starts.
    pub refuses: bool,
    /// The answers to the health checks, by the number of the checker.
    pub checks: [ScriptedAnswer; MOST_CHECKS],
    /// The answers to requests.
    pub requests: ScriptedAnswer,
}

/// How a request is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScriptedAnswer {
    /// With a status.
    Status(u16),
    /// With a status at a rate, and else with 200.
    Sometimes {
        /// How many of 100, at random.
        percent: usize,
        /// The status.
        status: u16,
    },
    /// With 200 and the header `x-envoy-degraded`.
    Degraded,
    /// With a status and the header `x-envoy-immediate-health-check-fail`.
    ImmediateFailure(u16),
    /// With 200 after this time, which is far longer than the timeout.
    Late(Duration),
}

impl ScriptedAnswer {
    /// What hosts without a fault answer.
    pub const FINE: Self = Self::Status(200);

    /// Whether it can take longer than a timeout.
    #[must_use]
    pub const fn is_late(self) -> bool {
        matches!(self, Self::Late(_))
    }
}

impl HostPhase {
    /// Serves everything.
    #[must_use]
    pub const fn fine(from: Duration) -> Self {
        Self {
            from,
            refuses: false,
            checks: [ScriptedAnswer::FINE; MOST_CHECKS],
            requests: ScriptedAnswer::FINE,
        }
    }
}

impl HostScript {
    /// The phase at a time since the start of the script.
    #[must_use]
    pub fn at(&self, time: Duration) -> HostPhase {
        let begun = self.0.iter().rev().find(|phase| phase.from <= time);
        let phase = begun.or(self.0.first());
        phase
            .copied()
            .unwrap_or_else(|| HostPhase::fine(Duration::ZERO))
    }

    /// The starts of phases in which the host begins or stops to listen.
    #[must_use]
    pub fn switches(&self) -> Vec<(Duration, bool)> {
        let mut refuses = self.at(Duration::ZERO).refuses;
        let mut found = Vec::new();
        for phase in &self.0 {
            if phase.refuses != refuses {
                refuses = phase.refuses;
                found.push((phase.from, refuses));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_lasts_until_the_next_one() {
        let second = Duration::from_secs(1);
        let down = HostPhase {
            refuses: true,
            ..HostPhase::fine(second)
        };
        let script = HostScript(vec![
            HostPhase::fine(Duration::ZERO),
            down,
            HostPhase::fine(2 * second),
        ]);
        assert!(!script.at(second / 2).refuses);
        assert!(script.at(second).refuses && script.at(second * 3 / 2).refuses);
        assert!(!script.at(5 * second).refuses);
        assert_eq!(script.switches(), [(second, true), (2 * second, false)]);
    }
}
