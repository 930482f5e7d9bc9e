//! Random clusters, failures and loads.

use std::time::Duration;

use spillgate_health::check::{ActiveCheck, HealthCheckKind, HttpStatuses};
use spillgate_health::outlier::OutlierDetection;
use spillgate_incident::{ErrorAnswers, HostBehavior};
use spillgate_testkit::models::Dice;

use super::trial::{RequestTrial, SCRIPT, TrialEvent, TrialRetry};

/// Far longer than hosts without a fault take, in milliseconds.
const CHECK_TIMEOUT: (usize, usize) = (150, 250);
/// The shortest failure.
const SHORTEST: Duration = Duration::from_millis(500);
/// The delay of answers that no timeout ends.
const EARLY: Duration = Duration::from_millis(20);

/// The trial of that number.
#[must_use]
pub fn trial(seed: u64, number: u64) -> RequestTrial {
    let dice = &mut Dice::of(seed, number);
    let (checked, detected) = dice.one(&[
        (true, false),
        (false, true),
        (true, true),
        (true, true),
        (false, false),
    ]);
    let policy = dice.one(&["RANDOM", "RANDOM", "RANDOM", "ROUND_ROBIN", "LEAST_REQUEST"]);
    let mut priorities = vec![weights(dice, 2, 5)];
    if dice.chance(35) {
        priorities.push(weights(dice, 1, 3));
    }
    let hosts: usize = priorities.iter().map(Vec::len).sum();
    let check = checked.then(|| check(dice));
    let retry = retry(dice, policy);
    let window = ms(dice, 100, 400);
    let merge_window = dice.one(&[None, None, Some(Duration::ZERO), Some(window)]);
    let events = events(dice, (policy, hosts), check.as_ref(), &retry);
    let max_requests = dice.chance(20).then(|| dice.between(6, 30) as u32);
    // The first hosts of sessions are those of the weights, which LEAST_REQUEST only follows roughly.
    let sessions = if policy == "LEAST_REQUEST" || retry.retries > 0 && retry.per_try.is_some() {
        0
    } else {
        dice.one(&[0, 100, 400])
    };
    RequestTrial {
        number,
        policy,
        priorities,
        panic_threshold: dice.one(&[0, 40, 50, 50, 100]),
        merge_window,
        outlier: detected.then(|| detection(dice)),
        check,
        retry,
        rps: dice.between(100, 250) as u32,
        connections: dice.one(&[1, 4]),
        max_requests,
        sessions,
        events,
    }
}

fn weights(dice: &mut Dice, least: usize, most: usize) -> Vec<u32> {
    let equal = dice.chance(60);
    let hosts = dice.between(least, most);
    let weight = |_| if equal { 1 } else { dice.between(1, 3) as u32 };
    (0..hosts).map(weight).collect()
}

fn ms(dice: &mut Dice, least: usize, most: usize) -> Duration {
    Duration::from_millis(dice.between(least, most) as u64)
}

fn perhaps(dice: &mut Dice, percent: usize, least: usize, most: usize) -> Option<Duration> {
    dice.chance(percent).then(|| ms(dice, least, most))
}

fn check(dice: &mut Dice) -> ActiveCheck {
    let kind = if dice.chance(20) {
        HealthCheckKind::Tcp
    } else {
        HealthCheckKind::Http(HttpStatuses::default())
    };
    let interval = ms(dice, 50, 200);
    let timeout = ms(dice, CHECK_TIMEOUT.0, CHECK_TIMEOUT.1);
    ActiveCheck {
        // A phase for each host, as after a long time.
        initial_jitter: interval,
        interval_jitter: perhaps(dice, 25, 1, 50).unwrap_or_default(),
        interval_jitter_percent: dice.one(&[0, 0, 10, 30]),
        reuse_connection: dice.chance(70),
        no_traffic_interval: interval,
        unhealthy_interval: perhaps(dice, 30, 50, 300),
        unhealthy_edge_interval: perhaps(dice, 30, 50, 200),
        healthy_edge_interval: perhaps(dice, 30, 50, 200),
        ..ActiveCheck::new(kind, timeout, interval)
    }
    .with_thresholds(dice.between(1, 3) as u32, dice.between(1, 3) as u32)
}

fn detection(dice: &mut Dice) -> OutlierDetection {
    let base = ms(dice, 300, 1_500);
    let enforcing = [0, 50, 100, 100];
    OutlierDetection {
        consecutive_5xx: dice.one(&[0, 2, 3, 5, 8]),
        interval: ms(dice, 300, 600),
        base_ejection_time: base,
        max_ejection_percent: dice.one(&[10, 34, 50, 67, 100, 100]),
        enforcing_consecutive_5xx: dice.one(&enforcing),
        enforcing_success_rate: dice.one(&enforcing),
        success_rate_minimum_hosts: dice.one(&[2, 3, 5]),
        success_rate_request_volume: dice.one(&[3, 8]),
        success_rate_stdev_factor: dice.one(&[500, 1_000, 1_900]),
        consecutive_gateway_failure: dice.one(&[0, 2, 4]),
        enforcing_consecutive_gateway_failure: dice.one(&enforcing),
        split_external_local_origin_errors: dice.chance(30),
        consecutive_local_origin_failure: dice.one(&[0, 2, 4]),
        enforcing_consecutive_local_origin_failure: dice.one(&enforcing),
        failure_percentage_threshold: dice.one(&[20, 50, 85]),
        enforcing_failure_percentage: dice.one(&[0, 0, 100]),
        enforcing_failure_percentage_local_origin: dice.one(&[0, 0, 100]),
        failure_percentage_minimum_hosts: dice.one(&[1, 3]),
        failure_percentage_request_volume: dice.one(&[3, 8]),
        max_ejection_time: dice.chance(30).then(|| base * 2),
        max_ejection_time_jitter: perhaps(dice, 20, 10, 300).unwrap_or_default(),
        successful_active_health_check_uneject_host: dice.chance(60),
        always_eject_one_host: dice.chance(30),
        ..OutlierDetection::default()
    }
}

fn retry(dice: &mut Dice, policy: &str) -> TrialRetry {
    let conditions = [
        "5xx",
        "5xx",
        "connect-failure",
        "gateway-error",
        "reset",
        "5xx,retriable-4xx",
        "connect-failure,reset",
    ];
    TrialRetry {
        // With other policies, retries depend on the number of workers, and on the time of answers.
        retries: if policy == "RANDOM" {
            dice.one(&[0, 1, 1, 2, 3])
        } else {
            0
        },
        on: dice.one(&conditions),
        avoids_previous: dice.chance(40),
        per_try: perhaps(dice, 40, 80, 150),
        // Longer than all attempts with their waits.
        timeout: ms(dice, 800, 1_000),
    }
}

fn events(
    dice: &mut Dice,
    (policy, hosts): (&str, usize),
    check: Option<&ActiveCheck>,
    retry: &TrialRetry,
) -> Vec<TrialEvent> {
    let mut events = Vec::<TrialEvent>::new();
    // All phases of checks and sweeps are as likely.
    let mut from = ms(dice, 1_500, 2_100);
    for _ in 0..dice.one(&[1, 1, 2, 3]) {
        // A host that refuses connections resets the requests that wait for its answer.
        let last = events.last().map(|event| event.behavior);
        if last.is_some_and(|last| matches!(last, HostBehavior::Silent | HostBehavior::Slow(_))) {
            from += retry.timeout;
        }
        if from + SHORTEST > SCRIPT {
            break;
        }
        let to = (from + ms(dice, 800, 2_500)).min(SCRIPT);
        let mut concerned: Vec<usize> = (0..hosts).filter(|_| dice.chance(35)).collect();
        if concerned.is_empty() {
            concerned.push(dice.below(hosts));
        }
        events.push(TrialEvent {
            behavior: behavior(dice, policy, check, retry),
            hosts: concerned,
            from,
            to,
        });
        from = to + ms(dice, 0, 800);
    }
    events
}

fn behavior(
    dice: &mut Dice,
    policy: &str,
    check: Option<&ActiveCheck>,
    retry: &TrialRetry,
) -> HostBehavior {
    let errors = HostBehavior::Errors(ErrorAnswers {
        part: dice.one(&[0.2, 0.5, 0.8, 1.0, 1.0]),
        status: dice.one(&[500, 500, 502, 503, 504, 505, 409, 429]),
    });
    let is_http = check.is_some_and(|check| check.kind != HealthCheckKind::Tcp);
    // The choice of LEAST_REQUEST depends on the time of answers.
    if policy == "LEAST_REQUEST" {
        return errors;
    }
    match dice.below(12) {
        10.. => HostBehavior::Remove,
        0..4 => HostBehavior::Refuse,
        4..6 => errors,
        6 => HostBehavior::Silent,
        7 => {
            // Before all timeouts, or after them.
            let late = retry.timeout + ms(dice, 200, 400);
            HostBehavior::Slow(dice.one(&[EARLY, late]))
        }
        8 => HostBehavior::Flap(ms(dice, 300, 700)),
        _ if is_http => HostBehavior::Degraded,
        _ => errors,
    }
}
