//! Loads of priorities: their sum, and the effect of a host that recovers.

use spillgate_core::{
    load::{PriorityHealth, PriorityLoad, priority_load},
    model::{OverprovisioningFactor, PanicThreshold},
};
use spillgate_testkit::{amount, every_case, figure, models::Dice};

use super::SHORT;

/// One to five random priorities and a panic threshold.
fn state(number: u64, seed: u64) -> (Vec<PriorityHealth>, PanicThreshold, Dice) {
    let mut dice = Dice::of(seed, number);
    let factor = OverprovisioningFactor(dice.one(&[100, 140, 140, 200]));
    let priorities = (0..dice.between(1, 5))
        .map(|_| priority(&mut dice, factor))
        .collect();
    let percent = dice.one(&[0.0, 1.0, 30.0, 50.0, 99.9, 100.0]);
    (priorities, PanicThreshold::from_percent(percent), dice)
}

fn priority(dice: &mut Dice, factor: OverprovisioningFactor) -> PriorityHealth {
    let [healthy, degraded, down] = [30, 30, 30].map(|end| dice.below(end) as u32);
    PriorityHealth {
        hosts: healthy + degraded + down,
        healthy,
        degraded,
        // Only unhealthy hosts are excluded, as for DRAINING.
        excluded: dice.below(down as usize + 1) as u32,
        factor,
        ..PriorityHealth::default()
    }
}

/// The loads before and after an unhealthy host of a priority recovers, if it has one.
fn recovered(
    priorities: &[PriorityHealth],
    threshold: PanicThreshold,
    at: usize,
) -> Option<(PriorityLoad, PriorityLoad)> {
    let mut healed = priorities.to_vec();
    let priority = &mut healed[at];
    if priority.healthy + priority.degraded + priority.excluded >= priority.hosts {
        return None;
    }
    priority.healthy += 1;
    let before = priority_load(priorities, threshold);
    let after = priority_load(&healed, threshold);
    // In total panic, host counts determine the loads, as in Envoy; and without any usable host, P0
    // has all requests.
    let health_decides = !before.total_panic && !after.total_panic && before.normalized_total > 0;
    health_decides.then_some((before, after))
}

#[test]
fn loads_sum_up_to_100() {
    let count = amount(SHORT, 40_000_000);
    let checked = every_case(count, |number| {
        let (priorities, threshold, _) = state(number, 1);
        let load = priority_load(&priorities, threshold);
        let sum = load.healthy.iter().sum::<u32>() + load.degraded.iter().sum::<u32>();
        assert_eq!(sum, 100, "{priorities:?} {threshold:?}");
        1
    });
    assert_eq!(checked, count);
    figure(format_args!("{checked} sums of loads"));
}

/// A recovered host never reduces the load of its priority.
#[test]
fn the_load_of_a_priority_is_monotone_in_its_health() {
    let count = amount(SHORT, 40_000_000);
    let checked = every_case(count, |number| {
        let (priorities, threshold, mut dice) = state(number, 2);
        let at = dice.below(priorities.len());
        let Some((before, after)) = recovered(&priorities, threshold, at) else {
            return 0;
        };
        // The remainder from rounding goes to the first available priority, so only the load of that
        // priority may shrink by it.
        let slack = priorities.len() as u32;
        assert!(
            before.of_priority(at) <= after.of_priority(at) + slack,
            "{priorities:?} {threshold:?}: {before:?} -> {after:?}"
        );
        1
    });
    assert!(checked > count / 2, "{checked}");
    figure(format_args!("{checked} recoveries in any priority"));
}

#[test]
fn p0_never_loses_load_when_its_host_recovers() {
    let count = amount(SHORT, 30_000_000);
    let checked = every_case(count, |number| {
        let (priorities, threshold, _) = state(number, 3);
        let Some((before, after)) = recovered(&priorities, threshold, 0) else {
            return 0;
        };
        assert!(
            before.healthy[0] <= after.healthy[0],
            "{priorities:?} {threshold:?}: {before:?} -> {after:?}"
        );
        1
    });
    assert!(checked > count / 2, "{checked}");
    figure(format_args!("{checked} recoveries in P0"));
}
