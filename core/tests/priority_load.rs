//! The loads of priorities: properties, and a second implementation that shares no code.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

use proptest::prelude::*;
use spillgate_core::{
    draw::{Draw, SplitMix64},
    load::{PriorityHealth, filled_load, priority_load},
    model::{OverprovisioningFactor, PanicThreshold},
};
use spillgate_testkit::{amount, every_case, figure};

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

/// The states of a search, in short and in full form.
struct States {
    /// The most priorities.
    priorities: u32,
    /// The most hosts of each.
    hosts: u32,
    /// Samples of further hosts for each combination of healthy ones.
    samples: u32,
    /// How many states these are.
    count: u64,
}

const STATES: [States; 2] = [
    States {
        priorities: 3,
        hosts: 12,
        samples: 4,
        count: 85_644,
    },
    States {
        priorities: 4,
        hosts: 20,
        samples: 3,
        count: 5_513_508,
    },
];

/// Every number of healthy hosts in each priority, each factor and threshold. The first sample has
/// no other usable hosts, the second has degraded ones, and further ones also have priorities of
/// different sizes and excluded hosts.
#[test]
fn every_state_matches_the_second_implementation() {
    let [short, full] = STATES;
    let states = amount(short, full);
    let each = u64::from(states.hosts) + 1;
    let mut checked = 0;
    for count in 1..=states.priorities {
        checked += every_case(each.pow(count), |number| {
            let mut draw = SplitMix64::new(number << 3 | u64::from(count));
            let mut checked = 0;
            for sample in 0..states.samples {
                let mut priorities: Vec<PriorityHealth> = (0..count)
                    .map(|at| {
                        let healthy = (number / each.pow(at) % each) as u32;
                        sampled(&mut draw, sample, healthy, states.hosts)
                    })
                    .collect();
                for factor in [100, 140, 200] {
                    for priority in &mut priorities {
                        priority.factor = OverprovisioningFactor(factor);
                    }
                    for threshold in [0, 50, 100] {
                        let percent = PanicThreshold::from_percent(f64::from(threshold));
                        let load = priority_load(&priorities, percent);
                        assert_eq!(
                            (load.healthy, load.degraded, load.panic),
                            naive(&priorities, threshold),
                            "{priorities:?} {threshold}"
                        );
                        checked += 1;
                    }
                }
            }
            checked
        });
    }
    assert_eq!(checked, states.count);
    figure(format_args!("{checked} states, 0 differences"));
}

/// A priority with that many healthy hosts, and others by the number of the sample.
fn sampled(draw: &mut SplitMix64, sample: u32, healthy: u32, most: u32) -> PriorityHealth {
    let mut upto = |end: u32| (draw.draw() % (u64::from(end) + 1)) as u32;
    let hosts = match sample {
        0 | 1 => most,
        _ => healthy + upto(most - healthy),
    };
    let degraded = match sample {
        0 => 0,
        _ => upto(hosts - healthy),
    };
    let excluded = match sample {
        0 | 1 => 0,
        _ => upto(hosts - healthy - degraded),
    };
    PriorityHealth {
        hosts,
        healthy,
        degraded,
        excluded,
        ..PriorityHealth::default()
    }
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
    fn a_second_implementation_agrees(priorities in priorities(), threshold in threshold()) {
        let load = priority_load(&priorities, threshold);
        let (healthy, degraded, panic) = naive(&priorities, threshold.percent());
        prop_assert_eq!(load.healthy, healthy);
        prop_assert_eq!(load.degraded, degraded);
        prop_assert_eq!(load.panic, panic);
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
