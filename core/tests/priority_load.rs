//! The loads of priorities: properties, and a second implementation that shares no code.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

use proptest::prelude::*;
use spillgate_core::{
    draw::{Draw, SplitMix64},
    load::{PriorityHealth, PriorityLoad, filled_load, priority_load},
    model::{OverprovisioningFactor, PanicThreshold},
};

fn priority() -> impl Strategy<Value = PriorityHealth> {
    (0_u32..30, 0_u32..30, 0_u32..30, 0_u32..30).prop_map(|(healthy, degraded, down, excluded)| {
        PriorityHealth {
            hosts: healthy + degraded + down,
            healthy,
            degraded,
            // Only unhealthy hosts are excluded here, as for DRAINING.
            excluded: excluded.min(down),
            ..PriorityHealth::default()
        }
    })
}

fn priorities() -> impl Strategy<Value = Vec<PriorityHealth>> {
    prop::collection::vec(priority(), 1..6)
}

fn threshold() -> impl Strategy<Value = PanicThreshold> {
    prop::sample::select(vec![0.0, 1.0, 30.0, 50.0, 99.9, 100.0])
        .prop_map(PanicThreshold::from_percent)
}

fn sum(load: &PriorityLoad) -> u32 {
    load.healthy.iter().sum::<u32>() + load.degraded.iter().sum::<u32>()
}

/// A second implementation of the documented rules, priority by priority.
fn naive(priorities: &[PriorityHealth], threshold: u32) -> (Vec<u32>, Vec<u32>, Vec<bool>) {
    let count = priorities.len();
    let size = |i: usize| priorities[i].hosts - priorities[i].excluded;
    let available = |i: usize, usable: u32| match size(i) {
        0 => 0,
        size => (priorities[i].factor.0 * usable / size).min(100),
    };
    let a: Vec<u32> = (0..count)
        .map(|i| available(i, priorities[i].healthy))
        .collect();
    let d: Vec<u32> = (0..count)
        .map(|i| available(i, priorities[i].degraded))
        .collect();
    let n = (a.iter().sum::<u32>() + d.iter().sum::<u32>()).min(100);
    let in_panic: Vec<bool> = (0..count)
        .map(|i| {
            let usable = priorities[i].healthy + priorities[i].degraded;
            // usable / size < threshold / 100, in whole numbers.
            n < 100 && threshold > 0 && (size(i) == 0 || usable * 100 < threshold * size(i))
        })
        .collect();
    if n == 0 && threshold == 0 {
        let mut healthy = vec![0; count];
        healthy[0] = 100;
        return (healthy, vec![0; count], in_panic);
    }
    if in_panic.iter().all(|&p| p) {
        let all: u32 = priorities.iter().map(|l| l.hosts).sum();
        let mut healthy: Vec<u32> = priorities
            .iter()
            .map(|l| (100 * l.hosts).checked_div(all).unwrap_or(0))
            .collect();
        let first = priorities.iter().position(|l| l.hosts > 0).unwrap_or(0);
        healthy[first] += 100 - healthy.iter().sum::<u32>();
        return (healthy, vec![0; count], in_panic);
    }
    // Distribute percent by percent.
    let mut loads = [vec![0; count], vec![0; count]];
    let mut left = 100;
    for (class, availability) in [&a, &d].into_iter().enumerate() {
        for i in 0..count {
            let claim = (availability[i] * 100).checked_div(n).unwrap_or(0);
            while loads[class][i] < claim && left > 0 {
                loads[class][i] += 1;
                left -= 1;
            }
        }
    }
    if let Some(i) = (0..count).find(|&i| a[i] > 0) {
        loads[0][i] += left;
    } else if let Some(i) = (0..count).find(|&i| d[i] > 0) {
        loads[1][i] += left;
    }
    let [healthy, degraded] = loads;
    (healthy, degraded, in_panic)
}

/// Every state of one to three priorities of twelve hosts under each factor and threshold, without
/// degraded hosts and with three samples of them; 85,644 states.
#[test]
fn every_state_of_three_priorities_matches_the_second_implementation() {
    const HOSTS: u32 = 12;
    let mut draw = SplitMix64::new(12);
    let mut states = 0_u32;
    for count in 1..=3_u32 {
        for number in 0..(HOSTS + 1).pow(count) {
            for factor in [100, 140, 200] {
                for sample in 0..4 {
                    let priorities: Vec<PriorityHealth> = (0..count)
                        .map(|at| {
                            let healthy = number / (HOSTS + 1).pow(at) % (HOSTS + 1);
                            let rest = u64::from(HOSTS - healthy) + 1;
                            let degraded = match sample {
                                0 => 0,
                                _ => (draw.draw() % rest) as u32,
                            };
                            PriorityHealth {
                                hosts: HOSTS,
                                healthy,
                                degraded,
                                factor: OverprovisioningFactor(factor),
                                ..PriorityHealth::default()
                            }
                        })
                        .collect();
                    for threshold in [0, 50, 100] {
                        let percent = PanicThreshold::from_percent(f64::from(threshold));
                        let load = priority_load(&priorities, percent);
                        let second = naive(&priorities, threshold);
                        assert_eq!(
                            (load.healthy, load.degraded, load.panic),
                            second,
                            "{priorities:?} {threshold}"
                        );
                        states += 1;
                    }
                }
            }
        }
    }
    assert_eq!(states, 85_644);
}

/// Priorities that are added one by one. Envoy keeps the loads while no priority is available.
fn naive_filled(priorities: &[PriorityHealth], threshold: u32) -> (Vec<u32>, Vec<u32>) {
    let mut kept = (Vec::new(), Vec::new());
    for there in 1..=priorities.len() {
        let (healthy, degraded, panic) = naive(&priorities[..there], threshold);
        kept.0.resize(there, 0);
        kept.1.resize(there, 0);
        let available =
            priority_load(&priorities[..there], PanicThreshold::OFF).normalized_total > 0;
        if available || threshold == 0 || panic.iter().all(|&panic| panic) {
            kept = (healthy, degraded);
        }
    }
    kept
}

proptest! {
    #[test]
    fn priorities_added_one_by_one_keep_their_loads(
        mut priorities in priorities(),
        factor in prop::sample::select(vec![1_u32, 2, 50, 140]),
        threshold in threshold(),
    ) {
        for priority in &mut priorities {
            priority.factor = OverprovisioningFactor(factor);
        }
        let load = filled_load(&priorities, threshold);
        let expected = naive_filled(&priorities, threshold.percent());
        prop_assert_eq!((load.healthy, load.degraded), expected);
    }

    #[test]
    fn loads_sum_up_to_100(priorities in priorities(), threshold in threshold()) {
        prop_assert_eq!(sum(&priority_load(&priorities, threshold)), 100);
    }

    #[test]
    fn a_second_implementation_agrees(priorities in priorities(), threshold in threshold()) {
        let load = priority_load(&priorities, threshold);
        let (healthy, degraded, panic) = naive(&priorities, threshold.percent());
        prop_assert_eq!(load.healthy, healthy);
        prop_assert_eq!(load.degraded, degraded);
        prop_assert_eq!(load.panic, panic);
    }

    /// A recovered host never reduces the load of its priority, as long as health determines the
    /// loads. Leaving total panic, where host counts determine them, may reduce it, as in Envoy.
    #[test]
    fn the_load_of_a_priority_is_monotone_in_its_health(
        priorities in priorities(),
        threshold in threshold(),
        which in any::<prop::sample::Index>(),
    ) {
        let at = which.index(priorities.len());
        let mut healed = priorities.clone();
        let priority = &mut healed[at];
        prop_assume!(priority.healthy + priority.degraded + priority.excluded < priority.hosts);
        priority.healthy += 1;
        let (before, after) = (priority_load(&priorities, threshold), priority_load(&healed, threshold));
        prop_assume!(!before.total_panic && !after.total_panic);
        // Without any usable host, P0 has all requests by default.
        prop_assume!(before.normalized_total > 0);
        // The remainder from rounding goes to the first available priority, so only the load of that
        // priority may shrink by it.
        let slack = priorities.len() as u32;
        prop_assert!(
            before.of_priority(at) <= after.of_priority(at) + slack,
            "{:?} -> {:?}", before, after
        );
    }

    #[test]
    fn the_first_priority_never_loses_load_when_a_host_recovers(priorities in priorities(), threshold in threshold()) {
        let mut healed = priorities.clone();
        let priority = &mut healed[0];
        prop_assume!(priority.healthy + priority.degraded + priority.excluded < priority.hosts);
        priority.healthy += 1;
        let (before, after) = (priority_load(&priorities, threshold), priority_load(&healed, threshold));
        prop_assume!(!before.total_panic && !after.total_panic);
        prop_assume!(before.normalized_total > 0);
        prop_assert!(before.healthy[0] <= after.healthy[0]);
    }

    #[test]
    fn no_input_panics(
        numbers in prop::collection::vec(any::<(u32, u32, u32, u32, u32)>(), 0..6),
        percent in any::<f64>(),
    ) {
        let priorities: Vec<PriorityHealth> = numbers
            .into_iter()
            .map(|(hosts, healthy, degraded, excluded, factor)| PriorityHealth {
                hosts,
                healthy,
                degraded,
                excluded,
                weights: None,
                factor: OverprovisioningFactor(factor),
            })
            .collect();
        let load = priority_load(&priorities, PanicThreshold::from_percent(percent));
        prop_assert_eq!(load.panic.len(), priorities.len());
    }
}
