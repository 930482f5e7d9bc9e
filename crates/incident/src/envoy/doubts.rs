//! What a simulation does not know about a cluster, in sentences.

use alloc::{format, string::String, vec::Vec};
use core::time::Duration;

use spillgate_config::envoy::{HealthSettings, Thresholds};
use spillgate_core::model::{ClusterKind, Policy};
use spillgate_explain::report::Shares;
use spillgate_health::{check::HealthCheckKind, outlier::OutlierDetection};

use super::sessions;
use crate::{
    report::time_text,
    script::{HostBehavior, HostEvent, IncidentScript},
    setup::{IncidentHealth, IncidentSetup},
    traffic::{CircuitBreaker, Outlook},
};

impl IncidentSetup {
    /// What a simulation of a script does not know about this cluster.
    #[must_use]
    pub fn doubts(&self, script: &IncidentScript) -> Vec<String> {
        let all = [
            ejected(self),
            waiting(self, script),
            active_requests(self, script),
            active_retries(self, script),
            protocol(self, script),
            least_request(self, script),
            turns(self, script),
            timeouts_in_row(self, script),
            timeouts_after_recovery(self, script),
            removed(self, script),
            degraded(self, script),
        ];
        let all = all.into_iter().flatten();
        all.chain(sessions::doubts(self, script)).collect()
    }
}

/// The least part of the requests about which an answer says that it can differ.
const NOTABLE: f64 = 0.01;
/// Envoy's default of `max_requests` and `max_pending_requests` of a circuit breaker.
const MOST_REQUESTS: f64 = 1_024.0;

/// Settings whose effect is not known.
pub(super) fn of_settings(cluster: &str, settings: &HealthSettings, doubts: &mut Vec<String>) {
    for check in &settings.checks {
        if let HealthCheckKind::Custom(name) = &check.settings.kind {
            doubts.push(format!(
                "I don't know when the checks of {cluster} fail, because the extension {name} decides; the answer takes them as checks that need a connection"
            ));
        }
    }
    if settings.checks.is_empty() && settings.outlier_detection.is_none() {
        doubts.push(unnoticed(cluster));
    }
}

/// The doubt about a cluster whose proxy notices no failure.
#[must_use]
pub fn unnoticed(cluster: &str) -> String {
    format!(
        "{cluster} has neither health_checks nor outlier_detection: only its control plane can notice failures, and I don't know when it does"
    )
}

/// The doubt about a cluster whose settings of health are not in the input.
#[must_use]
pub fn unknown_health(cluster: &str) -> String {
    format!(
        "I don't know the health checks and the outlier detection of {cluster}: the input has only its hosts, or a warning names an error in these settings"
    )
}

/// Hosts that are ejected in the input: when they return is not known.
fn ejected(setup: &IncidentSetup) -> Option<String> {
    let snapshot = setup.scene().snapshot();
    let hosts = setup.scene().hosts().iter().filter_map(|at| {
        let priority = snapshot.plain(at.cluster)?.priorities.get(at.priority)?;
        Some(priority.health(at.host))
    });
    let ejected = hosts.filter(|health| health.flags.failed_outlier_check);
    let ejected = ejected.count();
    (ejected > 0).then(|| {
        format!(
            "I don't know when {ejected} hosts return that are ejected in the input; they stay ejected"
        )
    })
}

/// Connections in place of requests.
pub(super) fn connections(cluster: &str, doubts: &mut Vec<String>) {
    let text = format!(
        "I don't know what outlier detection of {cluster} sees: it gets connections of a proxy that is not HTTP. Requests are connections here, and statuses and late answers count as with HTTP"
    );
    if !doubts.contains(&text) {
        doubts.push(text);
    }
}

/// A stated limit of the connections of a proxy that is not HTTP.
#[must_use]
pub fn unmodeled_connections(cluster: &str, limits: &Thresholds) -> Option<String> {
    let most = limits.connections;
    (![Thresholds::DEFAULT_MOST, u32::MAX].contains(&most)).then(|| {
        format!(
            "I don't know how many connections to {cluster} are open: beyond max_connections {most}, Envoy refuses those of a proxy that is not HTTP, also to hosts that work"
        )
    })
}

/// How late a host answers, or the longest time that a request waits for it, in an event.
fn delay(event: &HostEvent, script: &IncidentScript) -> Option<Duration> {
    match event.behavior {
        HostBehavior::Slow(time) => Some(time),
        HostBehavior::Silent => {
            let end = event.span.to.unwrap_or_else(|| script.end());
            Some(end.saturating_sub(event.span.from))
        }
        _ => None,
    }
}

/// Requests that wait for late answers, where circuit breakers are not known.
fn waiting(setup: &IncidentSetup, script: &IncidentScript) -> Option<String> {
    if setup.health().any(|settings| settings.breaker.is_some()) {
        return None;
    }
    let timeouts = setup.timeouts();
    let timeout = [timeouts.route, timeouts.per_try];
    let timeout = timeout.into_iter().flatten().min();
    let scene = setup.scene();
    let shares = Shares::of(&scene.shares(scene.snapshot()));
    let held = script.events.iter().filter_map(|event| {
        let delay = delay(event, script)?;
        let hold = timeout.map_or(delay, |timeout| timeout.min(delay));
        let hosts = scene.select(&event.hosts).ok()?;
        let share = hosts.iter().map(|&host| shares.get(host)).sum::<f64>();
        Some(hold.as_secs_f64() * share / 100.0)
    });
    let held = held.fold(0.0, f64::max);
    let waiting = script.load.highest() * held;
    (waiting >= MOST_REQUESTS).then(|| {
        format!(
            "I don't know the circuit breakers of {}: up to {} requests wait for late answers at the same time, and Envoy refuses those beyond their limits (default 1,024) with 503 (UO)",
            setup.name(),
            libm::round(waiting)
        )
    })
}

/// Circuit breakers that answers within a second can open, if their time is not stated.
fn active_requests(setup: &IncidentSetup, script: &IncidentScript) -> Option<String> {
    let limits = setup.health().filter_map(|settings| settings.breaker);
    let limits = limits.map(CircuitBreaker::first_limit);
    let limit = limits
        .filter(|limit| !limit.is_queue())
        .min_by_key(|limit| limit.active())?;
    let time = f64::from(limit.active()) / script.load.highest();
    let matters = script.service_time.is_none() && time < 1.0 && limit.active() > 0;
    matters.then(|| {
        format!(
            "I don't know how many requests to {} are active, because the service time (the time of answers) is not stated: {} refuses requests with 503 (UO) if answers take more than about {}",
            setup.name(),
            limit.text(),
            time_text(Duration::from_secs_f64(time))
        )
    })
}

/// Requests that wait for late answers, with or without connections of their own.
fn protocol(setup: &IncidentSetup, script: &IncidentScript) -> Option<String> {
    let mut breakers = setup.health().filter_map(|settings| settings.breaker);
    let is_unknown = breakers.any(|breaker| breaker.shares_connections.is_none());
    let late = script
        .events
        .iter()
        .any(|event| delay(event, script).is_some());
    (is_unknown && late).then(|| {
        format!(
            "I don't know the protocol of requests to {}: the answer takes HTTP/1.1; with HTTP/2, max_requests refuses requests to hosts that work, too, while too many wait",
            setup.name()
        )
    })
}

/// The limit of retries at the same time: how many there are depends on their time.
fn active_retries(setup: &IncidentSetup, script: &IncidentScript) -> Option<String> {
    let limits = setup.retry_limits.as_ref()?;
    let mut events = script.events.iter();
    let is_retried = events.any(|event| {
        let outlook = Outlook::new(Some(event.behavior), setup.timeouts(), script.service_time);
        outlook.fails > 0.0 && outlook.kind.is_retried(&setup.retry)
    });
    let is_retried = is_retried && setup.retry.retries > 0 && limits.can_refuse();
    (is_retried && script.service_time.is_none()).then(|| {
        format!(
            "I don't know how many retries to {} are active, because the service time (the time of answers) is not stated: {} prevents more of them if answers take long",
            setup.name(),
            limits.text()
        )
    })
}

/// The choice between hosts by their active requests, which depends on the time of answers.
fn least_request(setup: &IncidentSetup, script: &IncidentScript) -> Option<String> {
    let mut clusters = setup.model().clusters().iter();
    let cluster = clusters.find(|cluster| match &cluster.kind {
        ClusterKind::Plain(plain) => matches!(plain.policy, Policy::LeastRequest(_)),
        _ => false,
    })?;
    let mut behaviors = script.events.iter().map(|event| event.behavior);
    let depends = behaviors.any(|behavior| {
        matches!(
            behavior,
            HostBehavior::Slow(_)
                | HostBehavior::Silent
                | HostBehavior::Refuse
                | HostBehavior::Flap(_)
        )
    });
    depends.then(|| {
        format!(
            "I don't know how many requests wait at each host of {}: LEAST_REQUEST sends fewer requests to hosts that answer late than here, and more to hosts that fail at once",
            cluster.name
        )
    })
}

/// Retries that take turns of other requests: how many of them come between a failure and its retry depends on the number
/// of workers.
fn turns(setup: &IncidentSetup, script: &IncidentScript) -> Option<String> {
    let mut clusters = setup.model().clusters().iter();
    let cluster = clusters.find(|cluster| match &cluster.kind {
        ClusterKind::Plain(plain) => plain.policy == Policy::RoundRobin,
        _ => false,
    })?;
    if setup.retry.retries == 0 {
        return None;
    }
    let scene = setup.scene();
    let shares = Shares::of(&scene.shares(scene.snapshot()));
    let failing = |event: &HostEvent| {
        let outlook = Outlook::new(Some(event.behavior), setup.timeouts(), script.service_time);
        if !outlook.kind.is_retried(&setup.retry) {
            return 0.0;
        }
        // An event without hosts of this cluster does not concern it.
        scene.select(&event.hosts).map_or(0.0, |hosts| {
            let share: f64 = hosts.iter().map(|&host| shares.get(host)).sum();
            share / 100.0 * outlook.fails
        })
    };
    let starts = script.events.iter().map(|event| event.span.from);
    let at_once = starts.map(|start| {
        let active = script.events.iter();
        let active = active.filter(|event| event.span.contains(start));
        active.map(failing).sum::<f64>()
    });
    let mixed = at_once.fold(0.0, f64::max);
    // Each retry takes the turn of a request that would not fail.
    let most = (mixed / (1.0 - mixed)).min(1.0);
    (mixed > 0.0 && most - mixed >= NOTABLE).then(|| {
        format!(
            "I don't know how many workers Envoy has: retries take turns of ROUND_ROBIN in {}. The fewer requests a worker gets, the more of them fail at first (up to {} %, not {} %), and the fewer retries fail again",
            cluster.name,
            libm::round(most * 100.0),
            libm::round(mixed * 100.0)
        )
    })
}

/// Timeouts of open connections among the turns of requests: whether two of them follow each other depends on the time
/// between the requests of a host.
fn timeouts_in_row(setup: &IncidentSetup, script: &IncidentScript) -> Option<String> {
    let cluster = in_turn(setup, |outlier| {
        outlier.split_external_local_origin_errors
            && outlier.consecutive_local_origin_failure > 1
            && outlier.enforcing_consecutive_local_origin_failure > 0
    })?;
    let times_out = |event: &HostEvent| {
        let outlook = Outlook::new(Some(event.behavior), setup.timeouts(), script.service_time);
        outlook.kind.is_timeout()
    };
    script.events.iter().any(times_out).then(|| {
        format!(
            "I don't know whether timeouts eject hosts of {} by consecutive_local_origin_failure: only those count that come without a request between them, which the turns of ROUND_ROBIN make rare. The answer has none",
            cluster
        )
    })
}

/// Timeouts of requests that waited while a host was silent for a shorter time, among the turns of requests that it answers.
fn timeouts_after_recovery(setup: &IncidentSetup, script: &IncidentScript) -> Option<String> {
    let cluster = in_turn(setup, |of| {
        let any = of.consecutive_5xx > 1 && of.enforcing_consecutive_5xx > 0;
        let gateway =
            of.consecutive_gateway_failure > 1 && of.enforcing_consecutive_gateway_failure > 0;
        !of.split_external_local_origin_errors && (any || gateway)
    })?;
    let is_short = |event: &HostEvent| {
        let outlook = Outlook::new(Some(event.behavior), setup.timeouts(), script.service_time);
        let span = event.span;
        let lasts = span.to.map(|to| to.saturating_sub(span.from));
        outlook.kind.is_timeout() && lasts.is_some_and(|time| time < outlook.kind.after())
    };
    script.events.iter().any(is_short).then(|| {
        format!(
            "I don't know how many workers Envoy has: requests that wait when a host of {} works again time out among those that it answers. The answer takes them in any order; with one worker, the turns of ROUND_ROBIN bring an answer between any two timeouts, so that no row of them ejects the host",
            cluster
        )
    })
}

/// The first cluster whose requests take turns with such an outlier detection.
fn in_turn(setup: &IncidentSetup, has: impl Fn(&OutlierDetection) -> bool) -> Option<&str> {
    let clusters = setup.scene().snapshot().clusters();
    let mut turning = clusters.filter(|(id, _)| setup.takes_turns(*id));
    let (_, cluster) = turning.find(|(id, _)| {
        let outlier = setup.health.get(id).and_then(|of| of.outlier.as_ref());
        outlier.is_some_and(&has)
    })?;
    Some(cluster.name.as_str())
}

/// Whether an event of a script has a behavior.
fn has(script: &IncidentScript, is: impl Fn(HostBehavior) -> bool) -> bool {
    script.events.iter().any(|event| is(event.behavior))
}

/// Hosts that a control plane removes and that still pass their checks.
fn removed(setup: &IncidentSetup, script: &IncidentScript) -> Option<String> {
    let stay = |settings: &IncidentHealth| {
        !settings.checks.is_empty() && !settings.ignores_health_on_removal
    };
    let applies = has(script, |of| of == HostBehavior::Remove) && setup.health().any(stay);
    applies.then(|| {
        String::from(
            "removed hosts stay in use as long as their health checks pass; ignore_health_on_host_removal makes them leave at once",
        )
    })
}

/// Hosts whose answers say that they are degraded, to checks that do not read it.
fn degraded(setup: &IncidentSetup, script: &IncidentScript) -> Option<String> {
    let reads = |settings: &IncidentHealth| {
        let mut checks = settings.checks.iter();
        checks.any(|check| matches!(check.kind, HealthCheckKind::Http(_)))
            || settings
                .outlier
                .as_ref()
                .is_some_and(|of| of.detect_degraded_hosts)
    };
    let applies = has(script, |of| of == HostBehavior::Degraded) && !setup.health().any(reads);
    applies.then(|| {
        format!(
            "no setting of {} reads x-envoy-degraded: only HTTP health checks and detect_degraded_hosts do, so Envoy does not notice degraded hosts",
            setup.name()
        )
    })
}
