//! Detectors against a second implementation that counts every request by itself.

use std::time::Duration;

use proptest::prelude::*;
use spillgate_core::draw::{Draw, SplitMix64};
use spillgate_health::outlier::{
    Detector, EjectionAction, OutlierDetection, OutlierEjectionType as Type, RequestResult,
};

use crate::common::s;

/// A step of a run.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// A host gets this result, so many times.
    Results(usize, RequestResult, u64),
    /// A sweep.
    Sweep,
    /// A check of this host passes.
    Check(usize),
}

/// An ejection with its type or without, or the end of one, of a host.
type Seen = (usize, Option<(Type, bool)>);

const HOSTS: usize = 6;

fn settings() -> impl Strategy<Value = OutlierDetection> {
    let rows = (0_u32..5, 0_u32..5, 0_u32..4);
    let percent = || prop::sample::select(vec![0_u32, 50, 100]);
    let percents = [percent(), percent(), percent(), percent(), percent()];
    let flags = any::<[bool; 3]>();
    let volumes = (1_u32..40, 1_u32..40, 0_u32..6, 0_u32..6);
    (
        rows,
        percents,
        flags,
        volumes,
        (0_u32..101, 0_u32..101, 0_u64..30),
    )
        .prop_map(
            |(rows, percents, flags, volumes, (limit, threshold, jitter))| OutlierDetection {
                consecutive_5xx: rows.0,
                consecutive_gateway_failure: rows.1,
                consecutive_local_origin_failure: rows.2,
                enforcing_consecutive_5xx: percents[0],
                enforcing_consecutive_gateway_failure: percents[1],
                enforcing_consecutive_local_origin_failure: percents[2],
                enforcing_success_rate: percents[3],
                enforcing_local_origin_success_rate: percents[3],
                // One kind of sweep ejects: what Envoy does with both is a test of its own.
                enforcing_failure_percentage: if percents[3] == 0 { percents[4] } else { 0 },
                split_external_local_origin_errors: flags[0],
                always_eject_one_host: flags[1],
                successful_active_health_check_uneject_host: flags[2],
                success_rate_request_volume: volumes.0,
                failure_percentage_request_volume: volumes.1,
                success_rate_minimum_hosts: volumes.2,
                failure_percentage_minimum_hosts: volumes.3,
                success_rate_stdev_factor: 500,
                max_ejection_percent: limit,
                failure_percentage_threshold: threshold,
                base_ejection_time: s(15),
                max_ejection_time: Some(s(40)),
                max_ejection_time_jitter: Duration::from_millis(jitter * 100),
                ..OutlierDetection::default()
            },
        )
}

fn step() -> impl Strategy<Value = Step> {
    let result = prop::sample::select(vec![
        RequestResult::status(200),
        RequestResult::status(404),
        RequestResult::status(500),
        RequestResult::status(503),
        RequestResult::ConnectFailure,
        RequestResult::Reset,
        RequestResult::Timeout,
    ]);
    prop_oneof![
        6 => (0..HOSTS, result, 1_u64..40).prop_map(|(host, result, count)| Step::Results(host, result, count)),
        2 => Just(Step::Sweep),
        1 => (0..HOSTS).prop_map(Step::Check),
    ]
}

fn by_detector(settings: &OutlierDetection, steps: &[Step]) -> Vec<Seen> {
    let mut detector = Detector::new(settings.clone(), s(0), HOSTS);
    let draw = &mut SplitMix64::new(7);
    let mut seen = Vec::new();
    let mut now = s(0);
    for step in steps {
        let events = match *step {
            Step::Results(host, result, count) => {
                detector.on_results(now, host, result, count, draw)
            }
            Step::Sweep => {
                now = detector.next_sweep();
                detector.on_sweep(now, draw)
            }
            Step::Check(host) => detector.on_health_check(now, host).into_iter().collect(),
        };
        seen.extend(events.iter().filter_map(|event| match event.action {
            EjectionAction::Eject { kind, .. } => Some((event.host, Some((kind, true)))),
            EjectionAction::NotEnforced(kind) => Some((event.host, Some((kind, false)))),
            EjectionAction::Uneject => Some((event.host, None)),
            _ => None,
        }));
    }
    seen
}

#[derive(Default, Clone)]
struct NaiveHost {
    /// Status of each response since the row of 5xx, of gateway failures, or of local failures started.
    rows: [Vec<bool>; 3],
    interval: [Vec<bool>; 2],
    ejected: Option<Duration>,
    returned: Option<Duration>,
    lasts: Duration,
    multiplier: u32,
}

struct Naive<'a> {
    settings: &'a OutlierDetection,
    hosts: Vec<NaiveHost>,
    draw: SplitMix64,
    now: Duration,
    seen: Vec<Seen>,
}

impl Naive<'_> {
    fn eject(&mut self, host: usize, kind: Type) {
        let ejected = self
            .hosts
            .iter()
            .filter(|host| host.ejected.is_some())
            .count();
        let percent = 100.0 * (ejected + 1) as f64 / HOSTS as f64;
        let allowed = percent <= f64::from(self.settings.max_ejection_percent)
            || self.settings.always_eject_one_host && ejected == 0;
        if !allowed {
            return;
        }
        let enforced = match self.settings.enforcing(kind) {
            0 => false,
            100 => true,
            percent => self.draw.draw() % 100 < u64::from(percent),
        };
        self.seen.push((host, Some((kind, enforced))));
        if !enforced {
            return;
        }
        let jitter = self.settings.max_ejection_time_jitter.as_millis() as u64;
        let jitter = if jitter > 0 {
            self.draw.draw() % (jitter + 1)
        } else {
            0
        };
        let host = &mut self.hosts[host];
        // 15, 30 and 40 s: the fourth multiple is above the limit, and no fifth one is needed.
        if 15 * host.multiplier < 40 + 15 {
            host.multiplier += 1;
        }
        host.ejected = Some(self.now);
        host.lasts = s(u64::from(15 * host.multiplier).min(40)) + Duration::from_millis(jitter);
    }

    fn end(&mut self, index: usize) {
        let host = &mut self.hosts[index];
        host.ejected = None;
        host.returned = Some(self.now);
        host.rows = Default::default();
        self.seen.push((index, None));
    }

    fn fail(&mut self, host: usize, row: usize) {
        let (kind, threshold) = [
            (Type::Consecutive5xx, self.settings.consecutive_5xx),
            (
                Type::ConsecutiveGatewayFailure,
                self.settings.consecutive_gateway_failure,
            ),
            (
                Type::ConsecutiveLocalOriginFailure,
                self.settings.consecutive_local_origin_failure,
            ),
        ][row];
        self.hosts[host].rows[row].push(true);
        let reached = self.hosts[host].rows[row].len() == threshold as usize;
        if reached && self.hosts[host].ejected.is_none() {
            self.eject(host, kind);
            self.hosts[host].rows[row].clear();
        }
    }

    fn respond(&mut self, host: usize, status: u16) {
        let error = status >= 500;
        let gateway = [502, 503, 504].contains(&status);
        self.hosts[host].interval[0].push(!error);
        if gateway {
            self.fail(host, 1);
        } else {
            self.hosts[host].rows[1].clear();
        }
        if error {
            self.fail(host, 0);
        } else {
            self.hosts[host].rows[0].clear();
        }
    }

    fn connected(&mut self, host: usize) {
        self.hosts[host].interval[1].push(true);
        self.hosts[host].rows[2].clear();
    }

    fn disconnected(&mut self, host: usize) {
        self.hosts[host].interval[1].push(false);
        self.fail(host, 2);
    }

    fn request(&mut self, host: usize, result: RequestResult) {
        let split = self.settings.split_external_local_origin_errors;
        if split && result != RequestResult::ConnectFailure {
            self.connected(host);
        }
        match result {
            RequestResult::Response { status, .. } => self.respond(host, status),
            _ if split => self.disconnected(host),
            RequestResult::Timeout => self.respond(host, 504),
            _ => self.respond(host, 503),
        }
    }

    fn sweep(&mut self) {
        self.now += s(10);
        for host in 0..HOSTS {
            let of = &self.hosts[host];
            if of.ejected.is_some_and(|since| since + of.lasts <= self.now) {
                self.end(host);
            }
        }
        for (origin, rate, percent) in [
            (0, Type::SuccessRate, Type::FailurePercentage),
            (
                1,
                Type::SuccessRateLocalOrigin,
                Type::FailurePercentageLocalOrigin,
            ),
        ] {
            let counted = self.counted(origin);
            for host in self.below_threshold(&counted) {
                self.eject(host, rate);
            }
            for host in self.failing(&counted) {
                self.eject(host, percent);
            }
        }
        for host in &mut self.hosts {
            host.interval = Default::default();
            let returned = host.returned.filter(|_| host.ejected.is_none());
            if returned.is_some_and(|at| at + s(10) <= self.now) {
                host.multiplier = host.multiplier.saturating_sub(1);
            }
        }
    }

    /// The hosts that can be found: index, requests, success rate.
    fn counted(&self, origin: usize) -> Vec<(usize, usize, f64)> {
        let hosts = self.hosts.iter().enumerate();
        let hosts = hosts.filter(|(_, host)| host.ejected.is_none());
        hosts
            .filter(|(_, host)| !host.interval[origin].is_empty())
            .map(|(index, host)| {
                let results = &host.interval[origin];
                let good = results.iter().filter(|good| **good).count();
                (
                    index,
                    results.len(),
                    good as f64 * 100.0 / results.len() as f64,
                )
            })
            .collect()
    }

    fn below_threshold(&self, counted: &[(usize, usize, f64)]) -> Vec<usize> {
        let volume = self.settings.success_rate_request_volume as usize;
        let valid: Vec<_> = counted.iter().filter(|host| host.1 >= volume).collect();
        if valid.is_empty() || valid.len() < self.settings.success_rate_minimum_hosts as usize {
            return Vec::new();
        }
        let number = valid.len() as f64;
        let mean = valid.iter().map(|host| host.2).sum::<f64>() / number;
        let squares = valid.iter().map(|host| (host.2 - mean) * (host.2 - mean));
        let threshold = mean - 0.5 * (squares.sum::<f64>() / number).sqrt();
        let below = valid.into_iter().filter(|host| host.2 < threshold);
        below.map(|host| host.0).collect()
    }

    fn failing(&self, counted: &[(usize, usize, f64)]) -> Vec<usize> {
        let volume = self.settings.failure_percentage_request_volume as usize;
        let valid: Vec<_> = counted.iter().filter(|host| host.1 >= volume).collect();
        let fewest = self.settings.failure_percentage_minimum_hosts as usize;
        if valid.is_empty() || valid.len() < fewest {
            return Vec::new();
        }
        let least = f64::from(self.settings.failure_percentage_threshold);
        let failing = valid.into_iter().filter(|host| 100.0 - host.2 >= least);
        failing.map(|host| host.0).collect()
    }
}

fn by_requests(settings: &OutlierDetection, steps: &[Step]) -> Vec<Seen> {
    let mut naive = Naive {
        settings,
        hosts: vec![NaiveHost::default(); HOSTS],
        draw: SplitMix64::new(7),
        now: s(0),
        seen: Vec::new(),
    };
    for step in steps {
        match *step {
            Step::Results(host, result, count) => {
                for _ in 0..count {
                    naive.request(host, result);
                }
            }
            Step::Sweep => naive.sweep(),
            Step::Check(host) => {
                let enabled = settings.successful_active_health_check_uneject_host;
                if enabled && naive.hosts[host].ejected.is_some() {
                    naive.end(host);
                }
            }
        }
    }
    naive.seen
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn every_ejection_and_return_is_that_of_single_requests(
        settings in settings(),
        steps in prop::collection::vec(step(), 1..60),
    ) {
        prop_assert_eq!(by_detector(&settings, &steps), by_requests(&settings, &steps));
    }
}
