//! Random hosts.

use spillgate_modulehost::{
    ClusterHosts, LentValue, LoadBalancedHost, LocalityText, ReportedHealth,
};

use crate::dice::Dice;

const WEIGHTS: [u32; 5] = [1, 1, 128, 0, u32::MAX];
const NUMBERS: [f64; 4] = [1.0, 0.5, f64::NAN, f64::NEG_INFINITY];

/// The hosts of a cluster.
pub(crate) fn host_set(dice: &mut Dice) -> ClusterHosts {
    let count = if dice.one_in(10) {
        0
    } else {
        1 + dice.below(3)
    };
    let priorities = (0..count).map(|priority| {
        let most = if dice.one_in(40) { 200 } else { 6 };
        let hosts = (0..dice.below(most + 1)).map(|number| host(dice, priority, number));
        hosts.collect()
    });
    let mut hosts = ClusterHosts::in_priorities(priorities.collect());
    if dice.one_in(2) {
        let weights =
            (0..dice.below(4)).map(|_| (0..dice.below(4)).map(|_| weight(dice)).collect());
        hosts.locality_weights = weights.collect();
    }
    hosts
}

/// Other health, other active requests, and sometimes other weights.
pub(crate) fn change(dice: &mut Dice, hosts: &mut ClusterHosts) {
    for host in hosts.priorities.iter_mut().flatten() {
        if dice.one_in(3) {
            host.health = health(dice);
            host.active_requests = dice.below(100) as u64;
        }
        if dice.one_in(20) {
            host.weight = weight(dice);
        }
    }
    if dice.one_in(10) {
        hosts.priorities.reverse();
    }
}

fn host(dice: &mut Dice, priority: usize, number: usize) -> LoadBalancedHost {
    let mut address = match dice.below(40) {
        // A host may appear twice.
        0 => format!("10.0.{priority}.0:80").into_bytes(),
        1 => dice.text(&["[::1]:80", "not an address", "/run/app.sock"]),
        _ => format!("10.0.{priority}.{number}:80").into_bytes(),
    };
    // It separates hosts in the host list. Only the path of a socket could contain it.
    address.retain(|byte| *byte != b',');
    let mut host = LoadBalancedHost::at("").with_health(health(dice));
    host.address = address.into();
    host.weight = if dice.one_in(10) { weight(dice) } else { 1 };
    host.active_requests = if dice.one_in(10) {
        u64::MAX
    } else {
        dice.below(100) as u64
    };
    if dice.one_in(2) {
        host.locality = LocalityText {
            region: dice.text(&["r1", "r2"]).into(),
            zone: dice.text(&["z1", "z2"]).into(),
            sub_zone: Box::default(),
        };
    }
    for key in ["stage", "version", "hash_key"] {
        if !dice.one_in(3) {
            host = host.with(key, field(dice));
        }
    }
    host
}

/// A value in metadata.
pub(crate) fn field(dice: &mut Dice) -> LentValue {
    match dice.below(10) {
        0 => LentValue::Number(NUMBERS[dice.below(NUMBERS.len())]),
        1 => LentValue::Bool(dice.one_in(2)),
        2 => LentValue::Nested,
        3 => LentValue::Text(dice.text(&["prod"]).into()),
        _ => LentValue::from(dice.pick(&["prod", "test"])),
    }
}

fn health(dice: &mut Dice) -> ReportedHealth {
    match dice.below(5) {
        0 => ReportedHealth::Unhealthy,
        1 => ReportedHealth::Degraded,
        _ => ReportedHealth::Healthy,
    }
}

fn weight(dice: &mut Dice) -> u32 {
    WEIGHTS[dice.below(WEIGHTS.len())]
}
