//! Losses by example: the figures of Envoy's documentation, and what is refused.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod common;

use common::{aggregate, hosts, losses, plain, priority, scene, shop, what_if};
use spillgate_core::model::{Metadata, Model, Policy};
use spillgate_sim::{Effect, Expectation, Knee, LoadState, Scene, Selector};

fn loads(state: &LoadState) -> Vec<u32> {
    state.loads().collect()
}

fn knee(lost: usize, what: Effect, priority: usize) -> Knee {
    Knee {
        lost,
        what,
        priority: Some(priority).filter(|_| what != Effect::NoHost),
    }
}

/// Ten hosts in either of two priorities: zone a and zone b take turns in the first.
fn two_priorities() -> Model {
    let first = [hosts("a+", 5), hosts("b+", 5)].join(" ");
    shop(&[&first, &hosts("c+", 10)])
}

#[test]
fn a_priority_spills_when_it_has_too_few_hosts_for_its_overprovisioning() {
    let scene = scene(&two_priorities());
    let answer = what_if(&scene, &["priority=0:40%"]);
    assert_eq!(answer.lost.len(), 4);
    assert_eq!(loads(&answer.before), [100, 0]);
    // 6 of 10 hosts, times 1.4.
    assert_eq!(loads(&answer.after), [84, 16]);
    // 8 of 10 are 112 %, 7 are 98 %; with none of the first priority the second has all it needs,
    // so nothing panics.
    assert_eq!(answer.knees, [knee(3, Effect::Spill, 0)]);
    assert_eq!(answer.panic_margin, None);
    // Six hosts share 84 % instead of ten sharing 100 %.
    assert!((answer.overload.unwrap().factor() - 1.4).abs() < 1e-9);
    let all: Vec<Vec<u32>> = answer.sweep.iter().map(loads).collect();
    assert_eq!(all[2..5], [[100, 0], [98, 2], [84, 16]]);
    assert_eq!(all[10], [0, 100]);
}

#[test]
fn a_priority_alone_panics_and_at_last_serves_from_dead_hosts() {
    let scene = scene(&shop(&[&hosts("a+", 10)]));
    let answer = what_if(&scene, &["zone=a:3"]);
    // Below 50 %: 4 of 10.
    assert_eq!(answer.knees, [knee(6, Effect::Panic, 0)]);
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
    assert_eq!(answer.knees, [knee(3, Effect::NoHost, 0)]);
    assert_eq!((answer.panic_margin, answer.overload), (None, None));
}

#[test]
fn what_is_so_without_a_loss_begins_at_none() {
    let answer = what_if(&scene(&shop(&["a+ a-", "b+ b+"])), &["zone=b:1"]);
    assert_eq!(answer.knees[0], knee(0, Effect::Spill, 0));
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
    // Half of three hosts is two; a host that two losses name is lost once.
    assert_eq!(lost(&["zone=a,priority=0:50%"]), [(0, 0), (0, 1)]);
    assert_eq!(lost(&["zone=a,priority=0:3"]), [(0, 0), (0, 1), (0, 3)]);
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
fn failed_hosts_are_lost_last_so_that_a_loss_is_the_worst_of_its_size() {
    // Configuration order alone would lose the failed hosts first, and nothing would change.
    let scene = scene(&shop(&["a+ a+ a~ a- a-"]));
    let answer = what_if(&scene, &["zone=a:2"]);
    let hosts: Vec<usize> = answer.lost.iter().map(|host| host.host).collect();
    assert_eq!(hosts, [0, 1]);
    let healthy: Vec<u32> = answer
        .sweep
        .iter()
        .map(|s| s.priorities[0].health.healthy)
        .collect();
    assert_eq!(healthy, [2, 1, 0, 0, 0, 0]);
    let degraded: Vec<u32> = answer
        .sweep
        .iter()
        .map(|s| s.priorities[0].health.degraded)
        .collect();
    assert_eq!(degraded, [1, 1, 1, 0, 0, 0]);
    let zones = scene.zones();
    let whole = scene.cells(&zones[0]);
    assert_eq!((whole[1].lost, whole[1].effect), (1, Effect::Panic));
}

#[test]
fn a_draining_host_that_fails_stays_out_of_the_size() {
    // Two of two counted hosts are healthy; if the lost one counted again it were two of three.
    let scene = scene(&shop(&["a+ a+ bx", "c+"]));
    let answer = what_if(&scene, &["zone=b:1"]);
    assert_eq!(loads(&answer.after), [100, 0]);
}

#[test]
fn what_selects_nothing_is_refused_with_what_there_is() {
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
fn other_losses_stay_while_a_selection_is_swept() {
    let scene = scene(&two_priorities());
    let lost = scene.lost(&losses(&["zone=a:5"])).unwrap();
    let swept = scene.select(&Selector::zone("b")).unwrap();
    let answer = scene.what_if(&lost, &swept);
    assert_eq!(answer.sweep.len(), 6);
    assert_eq!(loads(&answer.sweep[0]), [70, 30]);
    assert_eq!(loads(&answer.sweep[0]), loads(&answer.after));
    // The hosts that are swept come back for it: the sweep of what is lost begins with nothing
    // lost.
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
    // The hosts of other clusters do not count: three of zone a, not four.
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
    let one = scene.failures(&zones, false);
    assert!(one.len() == 4 && one.iter().all(|failure| failure.state.survives()));
    let two = scene.failures(&zones, true);
    assert_eq!(two.len(), 6);
    assert_eq!(two[5].zones, [2, 3]);
    assert!(two.iter().all(|failure| failure.state.survives()));
    let cells = scene.cells(&zones[0]);
    assert_eq!(cells.len(), 10);
    assert_eq!((cells[4].percent, cells[4].lost), (50, 1));
    assert_eq!(cells[9].effect, Effect::None);
}

#[test]
fn another_loss_of_the_same_hosts_is_the_same_answer() {
    let scene = scene(&shop(&["a+ a+ a- b+ b+ b+", "a+ c+"]));
    let select = |text: &str| scene.select(&Selector::parse(text).unwrap()).unwrap();
    let lost = |text: &str| scene.lost(&losses(&[text])).unwrap();
    let answer = scene.what_if(&lost("zone=a:1"), &select("zone=a"));
    for text in ["zone=a:0", "zone=a:3", "zone=a,priority=0:2", "zone=b:2"] {
        let instead = scene.instead(&answer, &lost(text));
        let anew = scene.what_if(&lost(text), &select("zone=a"));
        assert_eq!(instead.sweep, anew.sweep, "{text}");
        assert_eq!(instead.after, anew.after, "{text}");
        assert_eq!(instead.panic_margin, anew.panic_margin, "{text}");
        assert_eq!(instead.overload, anew.overload, "{text}");
    }
}
