//! Examples of losses: the figures of Envoy's documentation, and invalid losses.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod common;

use common::{aggregate, hosts, losses, plain, priority, scene, shop, what_if};
use spillgate_core::model::{Metadata, Model, Policy};
use spillgate_sim::{Effect, Expectation, LoadState, Onset, Scene, Selector, ZoneLoss};

fn loads(state: &LoadState) -> Vec<u32> {
    state.loads().collect()
}

fn onset(lost: usize, what: Effect, priority: usize) -> Onset {
    Onset {
        lost,
        what,
        priority: Some(priority).filter(|_| what != Effect::NoHost),
    }
}

/// Two priorities with ten hosts each; P0 alternates between zones a and b.
fn two_priorities() -> Model {
    let first = [hosts("a+", 5), hosts("b+", 5)].join(" ");
    shop(&[&first, &hosts("c+", 10)])
}

#[test]
fn a_priority_spills_over_when_overprovisioning_does_not_suffice() {
    let scene = scene(&two_priorities());
    let answer = what_if(&scene, &["priority=0:40%"]);
    assert_eq!(answer.lost.len(), 4);
    assert_eq!(loads(&answer.before), [100, 0]);
    // 6 of 10 hosts, times 1.4.
    assert_eq!(loads(&answer.after), [84, 16]);
    // 8 of 10 hosts give 112 %, 7 give 98 %. Without P0, P1 has enough hosts, so no priority is in
    // panic mode.
    assert_eq!(answer.onsets, [onset(3, Effect::Spill, 0)]);
    assert_eq!(answer.panic_margin, None);
    // Six hosts share 84 % instead of ten sharing 100 %.
    assert!((answer.overload.unwrap().factor() - 1.4).abs() < 1e-9);
    let all: Vec<Vec<u32>> = answer.sweep.iter().map(loads).collect();
    assert_eq!(all[2..5], [[100, 0], [98, 2], [84, 16]]);
    assert_eq!(all[10], [0, 100]);
}

#[test]
fn a_single_priority_panics_and_finally_serves_from_failed_hosts() {
    let scene = scene(&shop(&[&hosts("a+", 10)]));
    let answer = what_if(&scene, &["zone=a:3"]);
    // Below 50 %: 4 of 10.
    assert_eq!(answer.onsets, [onset(6, Effect::Panic, 0)]);
    assert_eq!(answer.panic_margin, Some(3));
    assert_eq!(what_if(&scene, &["zone=a:6"]).panic_margin, Some(0));
    assert!((answer.overload.unwrap().factor() - 10.0 / 7.0).abs() < 1e-9);
}

#[test]
fn without_panic_the_last_loss_leaves_no_host() {
    let priorities = vec![priority(0, &hosts("a+", 3))];
    let model = Model::new(vec![plain("shop", Policy::RoundRobin, 0, priorities)]).unwrap();
    let answer = what_if(&scene(&model), &["zone=a:100%"]);
    assert_eq!(answer.after.no_host, 100.0);
    assert_eq!(answer.onsets, [onset(3, Effect::NoHost, 0)]);
    assert_eq!((answer.panic_margin, answer.overload), (None, None));
}

#[test]
fn an_effect_without_a_loss_starts_at_0() {
    let answer = what_if(&scene(&shop(&["a+ a-", "b+ b+"])), &["zone=b:1"]);
    assert_eq!(answer.onsets[0], onset(0, Effect::Spill, 0));
}

#[test]
fn usable_hosts_are_lost_first_each_class_from_the_end() {
    let scene = scene(&shop(&["a+ a+ b+ a-", "a+"]));
    let lost = |texts: &[&str]| -> Vec<(usize, usize)> {
        let lost = scene.lost(&losses(texts)).unwrap();
        lost.iter().map(|host| (host.priority, host.host)).collect()
    };
    assert_eq!(lost(&["zone=a,priority=0:1"]), [(0, 1)]);
    assert_eq!(lost(&["zone=a:2"]), [(0, 1), (1, 0)]);
    // Of three hosts two are usable: half is one. A host that two losses select is lost once.
    assert_eq!(lost(&["zone=a,priority=0:50%"]), [(0, 1)]);
    assert_eq!(lost(&["zone=a,priority=0:100%"]), [(0, 0), (0, 1)]);
    let faults = scene.lost(&losses(&["zone=a,priority=0:3"])).unwrap_err();
    assert_eq!(faults[0].expected, "at most 2, or a percentage");
    assert_eq!(
        lost(&["zone=a,priority=0:1", "host=10.0.0.1:80:1"]),
        [(0, 1)]
    );
    assert_eq!(lost(&["subset.stage=b:100%"]), [(0, 2)]);
    assert_eq!(
        lost(&["locality=eu/b:1", "region=eu,priority=1:1"]),
        [(0, 2), (1, 0)]
    );
    assert_eq!(lost(&["zone=a:0"]), []);
}

#[test]
fn failed_hosts_are_not_lost_again() {
    // In configuration order, the failed hosts would be lost first, without an effect.
    let scene = scene(&shop(&["a+ a+ a~ a- a-"]));
    let answer = what_if(&scene, &["zone=a:2"]);
    let hosts: Vec<usize> = answer.lost.iter().map(|host| host.host).collect();
    assert_eq!(hosts, [0, 1]);
    let healthy: Vec<u32> = answer
        .sweep
        .iter()
        .map(|s| s.priorities[0].health.healthy)
        .collect();
    assert_eq!(healthy, [2, 1, 0, 0]);
    let degraded: Vec<u32> = answer
        .sweep
        .iter()
        .map(|s| s.priorities[0].health.degraded)
        .collect();
    assert_eq!(degraded, [1, 1, 1, 0]);
    let zones = scene.zones();
    let whole = scene.zone_loss_row(&zones[0]);
    // 20 % of the three usable hosts.
    assert_eq!((whole[1].lost, whole[1].effect), (1, Effect::Panic));
    assert_eq!(whole[9].lost, 3);
}

#[test]
fn a_draining_host_that_fails_stays_excluded() {
    // 2 of 2 counted hosts are healthy; if the lost host counted, it would be 2 of 3.
    let scene = scene(&shop(&["a+ a+ bx", "c+"]));
    let draining = scene.select(&Selector::zone("b")).unwrap();
    assert_eq!(
        loads(&scene.load_state(&scene.without(&draining))),
        [100, 0]
    );
}

#[test]
fn a_loss_without_matching_hosts_lists_the_valid_values() {
    let scene = scene(&two_priorities());
    let faults = scene
        .lost(&losses(&["zone=x:1", "zone=a,priority=1:1", "zone=a:6"]))
        .unwrap_err();
    let codes: Vec<_> = faults.iter().map(|fault| fault.code).collect();
    assert_eq!(
        codes,
        ["what-if/no-host", "what-if/no-host", "what-if/too-many"]
    );
    assert_eq!(faults[0].choices, ["a", "b", "c"]);
    assert_eq!((faults[0].column, faults[0].found.as_str()), (6, "\"x\""));
    assert_eq!(faults[1].found, "\"zone=a,priority=1\"");
    assert_eq!(faults[2].expected, "at most 5, or a percentage");
}

#[test]
fn losses_outside_the_sweep_stay_lost() {
    let scene = scene(&two_priorities());
    let lost = scene.lost(&losses(&["zone=a:5"])).unwrap();
    let swept = scene.select(&Selector::zone("b")).unwrap();
    let answer = scene.what_if(&lost, &swept);
    assert_eq!(answer.sweep.len(), 6);
    assert_eq!(loads(&answer.sweep[0]), [70, 30]);
    assert_eq!(loads(&answer.sweep[0]), loads(&answer.after));
    // Swept hosts are restored first: a sweep of the lost hosts starts with no loss.
    let again = scene.what_if(&lost, &lost);
    assert_eq!(again.sweep[0], again.before);
    assert_eq!(again.sweep[5], again.after);
}

#[test]
fn an_aggregate_loses_the_hosts_of_its_members() {
    let model = Model::new(vec![
        plain("other", Policy::RoundRobin, 50, vec![priority(9, "a+")]),
        plain(
            "one",
            Policy::RoundRobin,
            50,
            vec![priority(0, "a+ a+ b+ b+")],
        ),
        plain("two", Policy::RoundRobin, 50, vec![priority(1, "a+ b+")]),
        aggregate("shop", 50, &["one", "two"]),
    ])
    .unwrap();
    let scene = Scene::new(&model, "shop", Metadata::EMPTY).unwrap();
    let answer = what_if(&scene, &["cluster=one,zone=b:100%"]);
    assert_eq!(loads(&answer.after), [70, 30]);
    // Hosts of other clusters do not count: zone a has three hosts, not four.
    assert_eq!(scene.select(&Selector::zone("a")).unwrap().len(), 3);
    let holds = |text: &str| {
        let checked = Expectation::parse(text).unwrap().check(&scene, &answer);
        checked.unwrap().ok
    };
    assert!(holds("load(cluster=two) = 30"));
    assert!(holds("load(cluster=one,priority=0) >= 70"));
    assert!(holds("load(P1) < 31"));
    assert!(holds("share(cluster=one,zone=a) = 70"));
    assert!(!holds("share(zone=a) = 70"));
    let fault = Expectation::parse("load(cluster=other) < 1").unwrap();
    assert_eq!(
        fault.check(&scene, &answer).unwrap_err().choices,
        ["one", "two"]
    );
    let fault = Expectation::parse("load(P2) < 1").unwrap();
    assert_eq!(
        fault.check(&scene, &answer).unwrap_err().choices,
        ["P0", "P1"]
    );
}

#[test]
fn expectations_have_values() {
    let scene = scene(&shop(&["a+ a+ a+ a+ b+ b+"]));
    let check = |lost: &[&str], text: &str| {
        let expectation = Expectation::parse(text).unwrap();
        let checked = expectation.check(&scene, &what_if(&scene, lost)).unwrap();
        (checked.ok, checked.value)
    };
    assert_eq!(check(&["zone=a:1"], "no panic"), (true, Some(0.0)));
    assert_eq!(check(&["zone=a:4"], "no panic"), (false, Some(1.0)));
    assert_eq!(check(&["zone=a:4"], "no 503"), (true, Some(0.0)));
    assert_eq!(check(&["zone=a:1"], "panic_margin >= 3"), (true, Some(3.0)));
    assert_eq!(check(&["zone=b:1"], "panic_margin >= 99"), (true, None));
    assert_eq!(check(&["zone=a:1"], "panic_margin > 3"), (false, Some(3.0)));
    assert_eq!(check(&["zone=a:3"], "overload <= 2.0"), (true, Some(2.0)));
    assert_eq!(check(&["zone=a:3"], "overload < 2"), (false, Some(2.0)));
    let (ok, share) = check(&["zone=a:3"], "share(zone=b) <= 66.7");
    assert!(ok && (share.unwrap() - 200.0 / 3.0).abs() < 1e-9);
    // Zone a is more than half of the hosts, zone b less.
    assert_eq!(check(&[], "survives n-1"), (false, Some(1.0)));
    assert_eq!(check(&[], "survives n-2"), (false, Some(1.0)));
}

#[test]
fn zones_fail_alone_and_in_pairs() {
    let scene = scene(&shop(&["a+ a+ b+ b+ c+ c+ d+ d+"]));
    let zones = scene.zones();
    let names: Vec<&str> = zones.iter().map(|zone| zone.zone.as_str()).collect();
    assert_eq!(names, ["a", "b", "c", "d"]);
    let one = scene.failures(&zones, ZoneLoss::Single);
    assert!(one.len() == 4 && one.iter().all(|failure| failure.state.survives()));
    let two = scene.failures(&zones, ZoneLoss::Pairs);
    assert_eq!(two.len(), 6);
    assert_eq!(two[5].zones, [2, 3]);
    assert!(two.iter().all(|failure| failure.state.survives()));
    let cells = scene.zone_loss_row(&zones[0]);
    assert_eq!(cells.len(), 10);
    assert_eq!((cells[4].percent, cells[4].lost), (50, 1));
    assert_eq!(cells[9].effect, Effect::None);
}

#[test]
fn a_reused_sweep_gives_the_same_result() {
    let scene = scene(&shop(&["a+ a+ a- b+ b+ b+", "a+ c+"]));
    let select = |text: &str| scene.select(&Selector::parse(text).unwrap()).unwrap();
    let lost = |text: &str| scene.lost(&losses(&[text])).unwrap();
    let answer = scene.what_if(&lost("zone=a:1"), &select("zone=a"));
    for text in ["zone=a:0", "zone=a:2", "zone=a,priority=0:2", "zone=b:2"] {
        let again = scene.what_if_again(&answer, &lost(text));
        let fresh = scene.what_if(&lost(text), &select("zone=a"));
        assert_eq!(again.sweep, fresh.sweep, "{text}");
        assert_eq!(again.after, fresh.after, "{text}");
        assert_eq!(again.panic_margin, fresh.panic_margin, "{text}");
        assert_eq!(again.overload, fresh.overload, "{text}");
    }
}
