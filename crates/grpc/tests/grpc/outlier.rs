//! Random hosts for outlier detection.

use proptest::prelude::*;
use spillgate_core::{
    draw::{Draw, SplitMix64},
    model::HealthStatus,
};
use spillgate_grpc::{
    CallCounts, CallResult, FailurePercentage, GrpcEndpoint, OutlierDetector, OutlierHost,
    OutlierSettings, SuccessRate, outlier_sweep,
};

fn settings() -> impl Strategy<Value = OutlierSettings> {
    let success_rate = (0..3_000_u32, 0..=100_u32, 0..6_u32, 0..40_u32).prop_map(
        |(stdev_factor, enforcement_percentage, minimum_hosts, request_volume)| SuccessRate {
            stdev_factor,
            enforcement_percentage,
            minimum_hosts,
            request_volume,
        },
    );
    let failure_percentage = (0..=100_u32, 0..=100_u32, 0..6_u32, 0..40_u32).prop_map(
        |(threshold, enforcement_percentage, minimum_hosts, request_volume)| FailurePercentage {
            threshold,
            enforcement_percentage,
            minimum_hosts,
            request_volume,
        },
    );
    let percent = prop_oneof![0..=100_u32, prop::sample::select(vec![0, 10, 25, 50, 100])];
    let times = (0..3_000_u64, 0..9_000_u64, percent);
    let rules = (
        prop::option::of(success_rate),
        prop::option::of(failure_percentage),
    );
    (times, rules).prop_map(
        |((base, longest, percent), (success_rate, failure_percentage))| OutlierSettings {
            interval_ms: 1_000,
            base_ejection_time_ms: base,
            max_ejection_time_ms: longest,
            max_ejection_percent: percent,
            success_rate,
            failure_percentage,
        },
    )
}

fn hosts() -> impl Strategy<Value = Vec<OutlierHost>> {
    let counts = (0..60_u64, 0..60_u64).prop_map(|(ok, bad)| CallCounts { ok, bad });
    let ejected = prop::option::of(0..10_000_u64);
    let host =
        (counts, ejected, 0..4_u32).prop_map(|(counts, ejected_at, multiplier)| OutlierHost {
            counts,
            ejected_at,
            multiplier: multiplier + u32::from(ejected_at.is_some()),
        });
    prop::collection::vec(host, 0..12)
}

fn ejected(hosts: &[OutlierHost]) -> usize {
    hosts
        .iter()
        .filter(|host| host.ejected_at.is_some())
        .count()
}

/// The outliers of both algorithms in order, without limits on ejections. Counted in whole
/// numbers instead of fractions; endpoints too close to the threshold are in neither list.
fn outliers(settings: &OutlierSettings, hosts: &[OutlierHost]) -> (Vec<usize>, Vec<usize>) {
    let (mut sure, mut possible) = (Vec::new(), Vec::new());
    if let Some(rule) = settings.success_rate {
        let volume = u64::from(rule.request_volume);
        let rates: Vec<(usize, f64)> = hosts
            .iter()
            .map(|host| host.counts)
            .enumerate()
            .filter(|(_, c)| c.ok + c.bad > 0 && c.ok + c.bad >= volume)
            .map(|(at, c)| (at, c.ok as f64 / (c.ok + c.bad) as f64))
            .collect();
        let n = rates.len() as f64;
        let mean = rates.iter().map(|(_, rate)| rate).sum::<f64>() / n;
        let squares = rates.iter().map(|(_, rate)| rate * rate).sum::<f64>() / n;
        let deviation = (squares - mean * mean).max(0.0).sqrt();
        let threshold = mean - deviation * f64::from(rule.stdev_factor) / 1000.0;
        if rates.len() >= rule.minimum_hosts as usize {
            for (at, rate) in rates {
                if rate < threshold - 1e-6 {
                    sure.push(at);
                }
                if rate < threshold + 1e-6 {
                    possible.push(at);
                }
            }
        }
    }
    if let Some(rule) = settings.failure_percentage {
        let candidates: Vec<(usize, CallCounts)> = hosts
            .iter()
            .map(|host| host.counts)
            .enumerate()
            .filter(|(_, c)| c.volume() > 0 && c.volume() >= rule.request_volume.into())
            .collect();
        if candidates.len() >= rule.minimum_hosts as usize {
            for (at, c) in candidates {
                if c.bad * 100 > u64::from(rule.threshold) * c.volume() {
                    sure.push(at);
                    possible.push(at);
                }
            }
        }
    }
    (sure, possible)
}

proptest! {
    #[test]
    fn a_sweep_keeps_to_its_limits(
        settings in settings(),
        before in hosts(),
        now in 10_000..20_000_u64,
        seed in any::<u64>(),
    ) {
        let mut after = before.clone();
        let done = outlier_sweep(&settings, &mut after, now, &mut SplitMix64::new(seed));
        let (_, possible) = outliers(&settings, &before);
        // The ejected endpoints before the sweep, including those whose ejection ends now.
        let (old, new) = (ejected(&before), done.ejected.len());
        let limit = settings.max_ejection_percent as usize * before.len();
        prop_assert!(new == 0 || old + new == 1 || (old + new - 1) * 100 < limit);
        prop_assert!(done.draws as usize >= new);
        for (at, (was, is)) in before.iter().zip(&after).enumerate() {
            let base = settings.base_ejection_time_ms;
            let length = (base * u64::from(was.multiplier)).min(base.max(settings.max_ejection_time_ms));
            let over = was.ejected_at.is_some_and(|since| now > since + length);
            prop_assert_eq!(done.unejected.contains(&at), over);
            let expected = if done.ejected.contains(&at) {
                prop_assert!(possible.contains(&at) && was.ejected_at.is_none());
                (Some(now), was.multiplier + 1)
            } else if over {
                (None, was.multiplier)
            } else if was.ejected_at.is_some() {
                (was.ejected_at, was.multiplier)
            } else {
                (None, was.multiplier.saturating_sub(1))
            };
            prop_assert_eq!((is.ejected_at, is.multiplier), expected);
        }
    }

    #[test]
    fn where_nothing_holds_them_back_all_outliers_go(mut settings in settings(), before in hosts()) {
        settings.max_ejection_percent = 100;
        if let Some(rule) = &mut settings.success_rate {
            rule.enforcement_percentage = 100;
        }
        if let Some(rule) = &mut settings.failure_percentage {
            rule.enforcement_percentage = 100;
        }
        let mut after = before.clone();
        let done = outlier_sweep(&settings, &mut after, 20_000, &mut SplitMix64::new(0));
        let (sure, possible) = outliers(&settings, &before);
        let in_use = |at: &usize| before[*at].ejected_at.is_none();
        for at in sure.iter().filter(|at| in_use(at)) {
            prop_assert!(done.ejected.contains(at));
        }
        for at in &done.ejected {
            prop_assert!(possible.contains(at));
        }
    }
}

fn endpoints(addresses: &[&[&str]]) -> Vec<GrpcEndpoint> {
    let endpoint = |addresses: &&[&str]| GrpcEndpoint {
        addresses: addresses.iter().map(|address| (*address).into()).collect(),
        health: HealthStatus::Healthy,
    };
    addresses.iter().map(endpoint).collect()
}

/// Never ejects at random.
struct Highest;

impl Draw for Highest {
    fn draw(&mut self) -> u64 {
        99
    }
}

fn failures() -> OutlierSettings {
    OutlierSettings {
        max_ejection_percent: 100,
        failure_percentage: Some(FailurePercentage {
            minimum_hosts: 1,
            request_volume: 10,
            ..FailurePercentage::default()
        }),
        ..OutlierSettings::default()
    }
}

#[test]
fn an_endpoint_is_ejected_with_all_its_addresses_and_comes_back_on_time() {
    let mut detector = OutlierDetector::default();
    detector.update(0, Some(failures()), &endpoints(&[&["a", "b"], &["c"]]));
    for _ in 0..10 {
        detector.record("b", CallResult::Failure);
        detector.record("c", CallResult::Success);
    }
    assert_eq!(detector.due(), Some(10_000));
    let swept = detector.sweep(10_000, &mut Highest);
    assert_eq!(swept.ejected, [0]);
    assert!(detector.is_ejected("a") && detector.is_ejected("b") && !detector.is_ejected("c"));

    // The priority of an endpoint and the order of its addresses do not matter.
    detector.update(11_000, Some(failures()), &endpoints(&[&["c"], &["b", "a"]]));
    assert!(detector.is_ejected("a"));
    assert_eq!(detector.due(), Some(20_000));
    for now in [20_000, 30_000, 40_000] {
        assert!(detector.sweep(now, &mut Highest).unejected.is_empty());
    }
    // The ejection began at 10,000 and lasts 30,000: the first sweep after that ends it.
    assert_eq!(detector.sweep(40_001, &mut Highest).unejected, [1]);
    assert!(!detector.is_ejected("a"));
}

#[test]
fn counters_begin_with_the_settings_and_end_with_them() {
    let mut detector = OutlierDetector::default();
    let one = endpoints(&[&["a"]]);
    detector.update(0, None, &one);
    for _ in 0..10 {
        detector.record("a", CallResult::Failure);
    }
    assert_eq!(detector.due(), None);
    detector.update(5_000, Some(failures()), &one);
    assert_eq!(detector.due(), Some(15_000));
    assert!(detector.sweep(15_000, &mut Highest).ejected.is_empty());
    for _ in 0..10 {
        detector.record("a", CallResult::Failure);
    }
    // A shorter interval counts from the last sweep, so this one is overdue.
    let shorter = OutlierSettings {
        interval_ms: 1_000,
        ..failures()
    };
    detector.update(20_000, Some(shorter), &one);
    assert_eq!(detector.due(), Some(16_000));
    assert_eq!(detector.sweep(20_000, &mut Highest).ejected, [0]);
    // The finished interval counts once.
    assert!(detector.sweep(21_000, &mut Highest).ejected.is_empty());
    detector.update(22_000, None, &one);
    assert!(!detector.is_ejected("a"));
    assert_eq!(
        (detector.due(), detector.hosts().next().unwrap().multiplier),
        (None, 0)
    );
}
