//! What the scripted hosts of a trial do, from its events.

use std::collections::BTreeSet;
use std::time::Duration;

use spillgate_incident::{ErrorAnswers, HostBehavior};

use super::trial::{RequestTrial, TrialEvent};
use crate::scripted::{HostPhase, HostScript, MOST_CHECKS, ScriptedAnswer};

/// How much longer than any timeout a silent host waits.
const SILENT: Duration = Duration::from_millis(400);

impl RequestTrial {
    /// The script of a host. Of several events at a time, the last one counts.
    pub(super) fn host_script(&self, host: usize) -> HostScript {
        let own: Vec<&TrialEvent> = self.events_of(host).collect();
        let mut edges = BTreeSet::from([Duration::ZERO]);
        for event in &own {
            edges.extend([event.from, event.to]);
            if let HostBehavior::Flap(period) = event.behavior {
                let turns = (0..).map(|turn| event.from + period * turn);
                edges.extend(turns.take_while(|at| *at < event.to));
            }
        }
        let phase = |from: Duration| {
            let active = own.iter().rfind(|event| event.behaves_at(from));
            let behavior = active.map(|event| event.behavior);
            self.phase(from, behavior)
        };
        HostScript(edges.into_iter().map(phase).collect())
    }

    fn events_of(&self, host: usize) -> impl Iterator<Item = &TrialEvent> {
        let events = self.events.iter();
        events.filter(move |event| event.hosts.contains(&host))
    }

    fn phase(&self, from: Duration, behavior: Option<HostBehavior>) -> HostPhase {
        let fine = HostPhase::fine(from);
        let all = |answer| HostPhase {
            checks: [answer; MOST_CHECKS],
            requests: answer,
            ..fine
        };
        match behavior {
            Some(HostBehavior::Refuse | HostBehavior::Flap(_)) => HostPhase {
                refuses: true,
                ..fine
            },
            Some(HostBehavior::Errors(ErrorAnswers { part, status })) => HostPhase {
                requests: ScriptedAnswer::Sometimes {
                    percent: (part * 100.0).round() as usize,
                    status,
                },
                ..fine
            },
            Some(HostBehavior::Silent) => all(ScriptedAnswer::Late(self.silence())),
            Some(HostBehavior::Slow(time)) => all(ScriptedAnswer::Late(time)),
            Some(HostBehavior::Degraded) => HostPhase {
                checks: [ScriptedAnswer::Degraded; MOST_CHECKS],
                ..fine
            },
            _ => fine,
        }
    }

    /// Longer than all timeouts.
    fn silence(&self) -> Duration {
        let of_check = self.check.as_ref().map(|check| check.timeout);
        let timeouts = of_check.into_iter().chain([self.retry.timeout]);
        timeouts.max().unwrap_or_default() + SILENT
    }
}

impl TrialEvent {
    /// Whether it decides what its hosts do at a time: a flapping host fails in every other period.
    fn behaves_at(&self, time: Duration) -> bool {
        let passed = time.checked_sub(self.from);
        let Some(passed) = passed.filter(|_| time < self.to) else {
            return false;
        };
        match self.behavior {
            HostBehavior::Flap(period) => {
                let turn = passed.as_nanos().checked_div(period.as_nanos());
                turn.unwrap_or_default().is_multiple_of(2)
            }
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::generate::trial;
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn a_flapping_host_refuses_connections_in_every_other_period() {
        let event = TrialEvent {
            behavior: HostBehavior::Flap(ms(300)),
            hosts: vec![0],
            from: ms(1_000),
            to: ms(2_000),
        };
        let trial = RequestTrial {
            events: vec![event],
            ..trial(1, 0)
        };
        let switches = trial.host_script(0).switches();
        let expected = [(1_000, true), (1_300, false), (1_600, true), (1_900, false)];
        assert_eq!(switches, expected.map(|(at, refuses)| (ms(at), refuses)));
        assert_eq!(trial.host_script(1).switches(), []);
    }
}
