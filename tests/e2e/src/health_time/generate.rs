//! Random settings and scripts.

use std::iter::once;
use std::time::Duration;

use spillgate_health::check::{ActiveCheck, HealthCheckKind, HttpStatuses};
use spillgate_health::outlier::OutlierDetection;
use spillgate_testkit::models::Dice;

use super::trial::{HealthTrial, SCRIPT, TrialLoad, is_recorded, logs_all};
use crate::scripted::{HostPhase, HostScript, MOST_CHECKS, ScriptedAnswer};

/// A timeout that no answer of a host without a fault exceeds, whatever the load of this machine.
const PATIENT: Duration = Duration::from_secs(30);
/// The delay of late answers; each timeout that can act is far shorter.
const LATE: Duration = Duration::from_millis(1_000);

/// The trial of that number.
#[must_use]
pub fn trial(seed: u64, number: u64) -> HealthTrial {
    let dice = &mut Dice::of(seed, number);
    // Checks, detection, or both.
    let (checked, detected) =
        dice.one(&[(true, false), (false, true), (true, false), (true, true)]);
    let checkers = if checked {
        dice.one(&[1, 1, 1, MOST_CHECKS])
    } else {
        0
    };
    // The order of results of two checkers, or of checks and ejections, is known if all have log entries.
    let loud = checkers > 1 || detected || dice.chance(70);
    let checks: Vec<ActiveCheck> = (0..checkers)
        .map(|number| check(dice, number, loud))
        .collect();
    let outlier = detected.then(|| detection(dice));
    let load = (detected || dice.chance(60)).then(|| TrialLoad {
        pause: ms(dice, 4, 15),
        timeout: ms(dice, 100, 200),
        retries: dice.one(&[0, 0, 1, 2]),
    });
    let can = Faults::of(&checks, outlier.as_ref());
    let hosts = if detected {
        dice.between(3, 7)
    } else {
        dice.between(2, 4)
    };
    HealthTrial {
        number,
        hosts: (0..hosts).map(|_| script(dice, can)).collect(),
        checks,
        outlier,
        panic_threshold: dice.one(&[0, 50, 100]),
        merge_window: None,
        load,
    }
}

/// The trials of these numbers; `one_check` for at most one health check in each.
pub(super) fn trials(
    seed: u64,
    numbers: impl Iterator<Item = u64>,
    one_check: bool,
) -> Vec<HealthTrial> {
    let mut trials: Vec<HealthTrial> = numbers.map(|number| trial(seed, number)).collect();
    for trial in trials.iter_mut().filter(|_| one_check) {
        trial.checks.truncate(1);
    }
    trials
}

/// The faults whose effect is certain, whatever the load of this machine.
#[derive(Debug, Clone, Copy)]
struct Faults {
    /// Hosts can be late to answer checks, and refuse connections.
    silence: bool,
    /// Responses to requests can fail the active check.
    passive: bool,
    /// Hosts can be late to answer requests.
    late: bool,
}

impl Faults {
    fn of(checks: &[ActiveCheck], outlier: Option<&OutlierDetection>) -> Self {
        let loud = checks.iter().all(logs_all);
        Self {
            // Only an entry for each check shows a check that the host did not see.
            silence: loud,
            passive: loud && checks.iter().all(is_recorded) && !checks.is_empty(),
            // With a split, a request counts when it is sent and when it ends.
            late: outlier.is_none_or(|outlier| !outlier.split_external_local_origin_errors),
        }
    }
}

fn ms(dice: &mut Dice, least: usize, most: usize) -> Duration {
    Duration::from_millis(dice.between(least, most) as u64)
}

fn perhaps(dice: &mut Dice, percent: usize, least: usize, most: usize) -> Option<Duration> {
    dice.chance(percent).then(|| ms(dice, least, most))
}

fn check(dice: &mut Dice, number: usize, loud: bool) -> ActiveCheck {
    let statuses = HttpStatuses {
        expected: dice.one(&[
            vec![],
            vec![],
            once(200..300).collect(),
            vec![200..201, 429..430],
        ]),
        retriable: dice.one(&[vec![], once(500..600).collect(), vec![400..500, 503..504]]),
    };
    let kind = if loud && dice.chance(15) {
        HealthCheckKind::Tcp
    } else {
        HealthCheckKind::Http(statuses)
    };
    let timeout = if loud { ms(dice, 50, 150) } else { PATIENT };
    let interval = ms(dice, 50, 200);
    let (failures, successes) = if loud {
        (true, true)
    } else {
        dice.one(&[(false, false), (true, false), (false, true)])
    };
    ActiveCheck {
        name: format!("check-{number}"),
        initial_jitter: perhaps(dice, 25, 1, 200).unwrap_or_default(),
        interval_jitter: perhaps(dice, 25, 1, 100).unwrap_or_default(),
        interval_jitter_percent: dice.one(&[0, 0, 0, 10, 50, 100]),
        reuse_connection: dice.chance(70),
        no_traffic_interval: ms(dice, 50, 250),
        no_traffic_healthy_interval: perhaps(dice, 40, 50, 250),
        unhealthy_interval: perhaps(dice, 40, 50, 300),
        unhealthy_edge_interval: perhaps(dice, 40, 50, 300),
        healthy_edge_interval: perhaps(dice, 40, 50, 300),
        always_log_health_check_failures: failures,
        always_log_health_check_success: successes,
        ..ActiveCheck::new(kind, timeout, interval)
    }
    .with_thresholds(dice.between(1, 4) as u32, dice.between(1, 4) as u32)
}

fn detection(dice: &mut Dice) -> OutlierDetection {
    let base = ms(dice, 100, 800);
    let enforcing = [0, 50, 100, 100];
    OutlierDetection {
        consecutive_5xx: dice.between(0, 7) as u32,
        interval: ms(dice, 300, 600),
        base_ejection_time: base,
        max_ejection_percent: dice.one(&[10, 20, 34, 50, 67, 100, 100, 100]),
        enforcing_consecutive_5xx: dice.one(&enforcing),
        enforcing_success_rate: dice.one(&enforcing),
        success_rate_minimum_hosts: dice.one(&[1, 2, 3, 5]),
        success_rate_request_volume: dice.one(&[1, 3, 10]),
        success_rate_stdev_factor: dice.one(&[0, 500, 1_000, 1_900]),
        consecutive_gateway_failure: dice.between(0, 6) as u32,
        enforcing_consecutive_gateway_failure: dice.one(&enforcing),
        split_external_local_origin_errors: dice.chance(40),
        consecutive_local_origin_failure: dice.between(0, 5) as u32,
        enforcing_consecutive_local_origin_failure: dice.one(&enforcing),
        enforcing_local_origin_success_rate: dice.one(&enforcing),
        failure_percentage_threshold: dice.one(&[0, 10, 30, 50, 85, 100]),
        enforcing_failure_percentage: dice.one(&[0, 0, 50, 100]),
        enforcing_failure_percentage_local_origin: dice.one(&[0, 0, 50, 100]),
        failure_percentage_minimum_hosts: dice.one(&[1, 3, 5]),
        failure_percentage_request_volume: dice.one(&[1, 3, 10]),
        max_ejection_time: dice.chance(50).then(|| base * dice.between(1, 4) as u32),
        max_ejection_time_jitter: perhaps(dice, 25, 10, 300).unwrap_or_default(),
        successful_active_health_check_uneject_host: dice.chance(70),
        always_eject_one_host: dice.chance(30),
        detect_degraded_hosts: dice.chance(20),
    }
}

/// Phases that start at random; the last one is long enough to see its effect.
fn script(dice: &mut Dice, can: Faults) -> HostScript {
    let last = SCRIPT.as_millis() as usize * 4 / 5;
    let mut starts: Vec<Duration> = (0..dice.between(1, 4))
        .map(|_| ms(dice, 500, last))
        .collect();
    starts.sort_unstable();
    let mut phases = vec![one_of(dice, can, Duration::ZERO, 80)];
    phases.extend(starts.into_iter().map(|from| one_of(dice, can, from, 30)));
    HostScript(phases)
}

/// A phase without faults, or else a random one.
fn one_of(dice: &mut Dice, can: Faults, from: Duration, fine: usize) -> HostPhase {
    if dice.chance(fine) {
        HostPhase::fine(from)
    } else {
        phase(dice, can, from)
    }
}

fn phase(dice: &mut Dice, can: Faults, from: Duration) -> HostPhase {
    let mut checks = [ScriptedAnswer::FINE; MOST_CHECKS];
    for answer in &mut checks {
        if dice.chance(50) {
            *answer = check_answer(dice, can);
        }
    }
    let requests = if dice.chance(50) {
        request_answer(dice, can)
    } else {
        ScriptedAnswer::FINE
    };
    HostPhase {
        from,
        refuses: can.silence && dice.chance(20),
        checks,
        requests,
    }
}

fn check_answer(dice: &mut Dice, can: Faults) -> ScriptedAnswer {
    let status = dice.one(&[503, 500, 429, 404, 201]);
    match dice.below(6) {
        0 | 1 => ScriptedAnswer::Status(status),
        2 => ScriptedAnswer::Sometimes {
            percent: dice.between(20, 80),
            status,
        },
        3 => ScriptedAnswer::Degraded,
        4 if can.silence => ScriptedAnswer::Late(LATE),
        _ => ScriptedAnswer::ImmediateFailure(status),
    }
}

fn request_answer(dice: &mut Dice, can: Faults) -> ScriptedAnswer {
    let status = dice.one(&[500, 501, 502, 503, 504, 404]);
    match dice.below(8) {
        0..3 => ScriptedAnswer::Status(status),
        3..5 => ScriptedAnswer::Sometimes {
            percent: dice.between(10, 90),
            status,
        },
        5 => ScriptedAnswer::Degraded,
        6 if can.late => ScriptedAnswer::Late(LATE),
        7 if can.passive => ScriptedAnswer::ImmediateFailure(status),
        _ => ScriptedAnswer::Status(status),
    }
}
