//! The results of health checks, as recorded, through the state machine of `spillgate-health`: it must write the
//! very entries of Envoy's event log.
//!
//! What a host answered is from its own record, refused and late checks are from Envoy's. So the load of this machine
//! changes which checks there are, but not what must follow from them.

use std::time::Duration;

use spillgate_core::draw::Draw;
use spillgate_health::check::{
    ActiveCheck, CheckDue, CheckEvents, CheckFailureType, CheckLogEvent, Checker,
    HealthCheckOutcome, HostAtStart,
};

use super::event_log::LoggedCheck;
use super::lateness::Lateness;
use super::trial::{is_recorded, logs_all};
use super::trial_record::TrialRecord;
use crate::scripted::{ReceivedCall, ScriptedAnswer};

/// A time in a log is cut to whole milliseconds.
const CUT: Duration = Duration::from_millis(1);
/// While the first request of a cluster opens a connection, checks can use either kind of interval.
const FIRST_REQUEST: Duration = Duration::from_millis(100);

/// What the replay of a trial found.
#[derive(Debug, Clone, Default)]
pub struct ReplayedChecks {
    /// Checks that were compared.
    pub checks: usize,
    /// Changes of health among their entries.
    pub transitions: usize,
    /// Wrong predictions.
    pub wrong: Vec<String>,
    /// When checks were sent, relative to the prediction.
    pub lateness: Vec<Lateness>,
    /// The finished checks that outlier detection hears of: the host, and whether it passed.
    pub passed: Vec<PassedCheck>,
}

/// A check after which the host is healthy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PassedCheck {
    /// When.
    pub at: Duration,
    /// The host.
    pub host: usize,
}

/// Random draws without jitter: the prediction is the earliest time.
struct NoJitter;

impl Draw for NoJitter {
    fn draw(&mut self) -> u64 {
        0
    }
}

/// The entries of one check in the log.
#[derive(Debug, Clone)]
struct LoggedGroup {
    at: Duration,
    checker: usize,
    entries: Vec<CheckLogEvent>,
}

/// Replays all hosts of a trial.
#[must_use]
pub fn replay_checks(record: &TrialRecord) -> ReplayedChecks {
    let mut found = ReplayedChecks::default();
    for host in 0..record.addresses.len() {
        let mut replay = HostReplay::new(record, host);
        if record.trial.checks.iter().all(logs_all) {
            replay.each_check(&mut found);
        } else {
            replay.each_call(&mut found);
        }
    }
    found.passed.sort_by_key(|passed| passed.at);
    found
}

struct HostReplay<'a> {
    record: &'a TrialRecord,
    host: usize,
    checkers: Vec<Checker>,
    /// The last result of each checker.
    last: Vec<Duration>,
    /// The last call of each checker that has a result: it can be in the same millisecond as its result.
    answered: Vec<Duration>,
}

impl<'a> HostReplay<'a> {
    fn new(record: &'a TrialRecord, host: usize) -> Self {
        let checks = &record.trial.checks;
        let start =
            |check| Checker::new(check, Duration::ZERO, HostAtStart::default(), &mut NoJitter);
        Self {
            record,
            host,
            checkers: checks.iter().map(start).collect(),
            last: vec![Duration::ZERO; checks.len()],
            answered: vec![Duration::ZERO; checks.len()],
        }
    }

    /// With an entry for each check.
    fn each_check(&mut self, found: &mut ReplayedChecks) {
        for group in self.groups() {
            self.group(&group, found);
        }
    }

    /// Without: what the host answered must explain all entries.
    fn each_call(&mut self, found: &mut ReplayedChecks) {
        for checker in 0..self.checkers.len() {
            let calls = self.calls(checker);
            let Some((check, replayed)) = self.of(checker) else {
                continue;
            };
            let (check, mut state) = (check.clone(), *replayed);
            let mut predicted: Vec<CheckLogEvent> = Vec::new();
            for call in calls {
                let at = call.at;
                send(&check, &mut state, at);
                let outcome = outcome(call.answer);
                if let Some(done) = state.on_result(&check, at, &outcome, false, &mut NoJitter) {
                    predicted.extend(self.logged(done.events));
                    if !state.flags().failed_active_hc && done.passed {
                        let host = self.host;
                        found.passed.push(PassedCheck { at, host });
                    }
                }
                found.checks += 1;
            }
            let logged: Vec<CheckLogEvent> =
                self.entries(checker).map(|entry| entry.event).collect();
            // The last answer may have come too late for the log.
            if !predicted.starts_with(&logged) || predicted.len() > logged.len() + 2 {
                found.wrong.push(format!(
                    "host {} checker {checker}: the log has {logged:?}, predicted {predicted:?}",
                    self.host
                ));
            }
            found.transitions += logged.iter().filter(|event| is_transition(event)).count();
        }
    }

    /// Predicted events as this version of Envoy logs them.
    fn logged(&self, events: CheckEvents) -> Vec<CheckLogEvent> {
        let mut events: Vec<CheckLogEvent> = events.iter().collect();
        if !self.record.has_statuses {
            events.iter_mut().for_each(remove_status);
        }
        events
    }

    fn of(&mut self, checker: usize) -> Option<(&'a ActiveCheck, &mut Checker)> {
        let check = self.record.trial.checks.get(checker)?;
        Some((check, self.checkers.get_mut(checker)?))
    }

    fn entries(&self, checker: usize) -> impl Iterator<Item = &'a LoggedCheck> {
        let address = self.record.addresses.get(self.host).copied();
        let log = self.record.checks.get(checker).into_iter().flatten();
        log.filter(move |entry| Some(entry.host) == address)
    }

    fn calls(&self, checker: usize) -> Vec<ReceivedCall> {
        let calls = self.record.calls.get(self.host).into_iter().flatten();
        calls
            .filter(|call| call.checker == Some(checker))
            .copied()
            .collect()
    }

    /// The entries of all checkers, by check and time.
    fn groups(&self) -> Vec<LoggedGroup> {
        let mut groups: Vec<LoggedGroup> = Vec::new();
        for checker in 0..self.checkers.len() {
            let first = groups.len();
            for entry in self.entries(checker) {
                let continues = groups.get(first..).and_then(<[_]>::last);
                let continues = continues.and_then(|group| group.entries.last()).copied();
                let added = match (continues, groups.last_mut()) {
                    (Some(before), Some(group)) if belongs(before, entry.event) => Some(group),
                    _ => None,
                };
                match added {
                    Some(group) => group.entries.push(entry.event),
                    None => groups.push(LoggedGroup {
                        at: entry.at,
                        checker,
                        entries: vec![entry.event],
                    }),
                }
            }
        }
        groups.sort_by_key(|group| group.at);
        groups
    }

    fn group(&mut self, group: &LoggedGroup, found: &mut ReplayedChecks) {
        let (host, record) = (self.host, self.record);
        let times = [&self.last, &self.answered].map(|times| times.get(group.checker).copied());
        let [Some(before), Some(answered)] = times else {
            return;
        };
        // The check that arrived since the last result, if the host saw it.
        let mut calls = self.calls(group.checker).into_iter();
        let call =
            calls.rfind(|call| call.at >= before && call.at > answered && call.at < group.at + CUT);
        // The interval before this check, and the one after it.
        let (earlier, traffic) = (traffic(record, before), traffic(record, group.at));
        let Some((check, state)) = self.of(group.checker) else {
            return;
        };
        let seen = SeenCheck {
            group,
            call,
            last: before,
        };
        let predicted = match predict(check, state, seen, traffic.unwrap_or(true)) {
            Ok(predicted) => predicted,
            Err(what) => {
                found
                    .wrong
                    .push(format!("host {host}: {what}: {group:?}, call {call:?}"));
                return;
            }
        };
        let events = self.logged(predicted.events);
        if events != group.entries {
            found.wrong.push(format!(
                "host {host}: predicted {events:?}, but the log has {group:?}, call {call:?}"
            ));
        }
        found.checks += 1;
        found.transitions += events.iter().filter(|event| is_transition(event)).count();
        if let (Some(late), Some(_)) = (predicted.late, earlier) {
            found.lateness.push(late);
        }
        // The next interval begins, unless the failure came from a request.
        if let Some(last) = self
            .last
            .get_mut(group.checker)
            .filter(|_| !predicted.passive)
        {
            *last = group.at;
            if let (Some(call), Some(answered)) = (call, self.answered.get_mut(group.checker)) {
                *answered = call.at;
            }
        }
        let complete = !self.checkers.iter().any(Checker::is_first);
        let failed = self
            .checkers
            .iter()
            .any(|checker| checker.flags().failed_active_hc);
        let passed = predicted.passed || self.checkers.len() > 1;
        if complete && passed && !failed {
            found.passed.push(PassedCheck { at: group.at, host });
        }
    }
}

/// A check as Envoy and the host saw it.
#[derive(Clone, Copy)]
struct SeenCheck<'a> {
    group: &'a LoggedGroup,
    call: Option<ReceivedCall>,
    /// The time of the result before.
    last: Duration,
}

struct PredictedCheck {
    passed: bool,
    passive: bool,
    events: CheckEvents,
    late: Option<Lateness>,
}

/// What the state machine writes for a check.
fn predict(
    check: &ActiveCheck,
    state: &mut Checker,
    seen: SeenCheck<'_>,
    traffic: bool,
) -> Result<PredictedCheck, &'static str> {
    let SeenCheck { group, call, last } = seen;
    let due = state.next_at();
    let passive = group
        .entries
        .iter()
        .any(|event| failure(*event) == Some(CheckFailureType::Passive));
    if passive {
        let done = state.on_passive_failure(check);
        return Ok(PredictedCheck {
            passed: false,
            passive: true,
            events: done.events,
            late: None,
        });
    }
    let first = state.is_first();
    let failure = group.entries.iter().find_map(|event| failure(*event));
    let started = match (failure, call) {
        (_, Some(call)) => call.at,
        (Some(CheckFailureType::NetworkTimeout), None) => group.at.saturating_sub(check.timeout),
        (_, None) => group.at,
    };
    let late = (!first).then(|| Lateness::new(check, last, due, started));
    send(check, state, started);
    if failure == Some(CheckFailureType::NetworkTimeout) {
        // The interval starts when Envoy noticed it.
        let at = state.next_at().max(group.at);
        let CheckDue::TimedOut(done) = state.on_due(check, at, traffic, &mut NoJitter) else {
            return Err("no timeout is due");
        };
        return Ok(PredictedCheck {
            passed: false,
            passive: false,
            events: done.events,
            late,
        });
    }
    let outcome = match (failure, call) {
        (Some(CheckFailureType::Network), _) => HealthCheckOutcome::NetworkFailure,
        (None, _) if !is_recorded(check) => HealthCheckOutcome::Success,
        (_, Some(call)) if !call.answer.is_late() => outcome(call.answer),
        _ => return Err("a result that the host did not send"),
    };
    let done = state.on_result(check, group.at, &outcome, traffic, &mut NoJitter);
    let done = done.ok_or("no check was active")?;
    Ok(PredictedCheck {
        passed: done.passed,
        passive: false,
        events: done.events,
        late,
    })
}

/// Lets the checker send its check, at this time or when it is due.
fn send(check: &ActiveCheck, state: &mut Checker, at: Duration) {
    let at = at.max(state.next_at());
    state.on_due(check, at, true, &mut NoJitter);
}

/// Whether the cluster has had a connection for a request; `None` if this is about to change.
fn traffic(record: &TrialRecord, at: Duration) -> Option<bool> {
    let Some(first) = record.attempts.first() else {
        return Some(false);
    };
    let (before, after) = (
        at + FIRST_REQUEST < first.sent,
        at > first.end + FIRST_REQUEST,
    );
    (before || after).then_some(after)
}

fn outcome(answer: ScriptedAnswer) -> HealthCheckOutcome {
    let response = |status, degraded, immediate_failure| HealthCheckOutcome::Response {
        status,
        degraded,
        immediate_failure,
    };
    match answer {
        ScriptedAnswer::Status(status) => response(status, false, false),
        ScriptedAnswer::ImmediateFailure(status) => response(status, false, true),
        ScriptedAnswer::Degraded => response(200, true, false),
        ScriptedAnswer::Sometimes { .. } | ScriptedAnswer::Late(_) => response(200, false, false),
    }
}

const fn failure(event: CheckLogEvent) -> Option<CheckFailureType> {
    match event {
        CheckLogEvent::EjectUnhealthy { failure, .. } | CheckLogEvent::Failure { failure, .. } => {
            Some(failure)
        }
        _ => None,
    }
}

const fn remove_status(event: &mut CheckLogEvent) {
    if let CheckLogEvent::EjectUnhealthy { status, .. } | CheckLogEvent::Failure { status, .. } =
        event
    {
        *status = 0;
    }
}

/// Whether an entry is about the same check as the one before.
const fn belongs(before: CheckLogEvent, event: CheckLogEvent) -> bool {
    match event {
        CheckLogEvent::Failure { .. } => matches!(before, CheckLogEvent::EjectUnhealthy { .. }),
        CheckLogEvent::Degraded | CheckLogEvent::NoLongerDegraded => true,
        _ => false,
    }
}

const fn is_transition(event: &CheckLogEvent) -> bool {
    !matches!(
        event,
        CheckLogEvent::Success | CheckLogEvent::Failure { .. }
    )
}
