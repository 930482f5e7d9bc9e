//! Runs of scenario files, with the answers that the playground reads.

use alloc::{
    format,
    string::{String, ToString as _},
    vec::Vec,
};

use spillgate_codec::import::{
    TimelineAnswer, TimelineHealth, TimelineQuestion, TimelineRecording,
};
use spillgate_core::model::{Cluster, Endpoint, PlainCluster, Priority};

use super::simulation_answer;

const FAILOVER: &str = include_str!("../../../../docs/scenarios/failover.yaml");
const ROTATION: &str = include_str!("../../../../docs/scenarios/rotation.yaml");
const DRAIN: &str = include_str!("../../../../docs/scenarios/rolling-drain.yaml");
const EVERYTHING: &str = include_str!("../../../../docs/scenarios/everything.yaml");

fn ask(text: &str, question: &TimelineQuestion) -> TimelineAnswer {
    let answer = simulation_answer(text.as_bytes(), &question.to_bytes());
    TimelineAnswer::from_bytes(&answer).unwrap()
}

fn recording(text: &str) -> TimelineRecording {
    let answer = ask(text, &TimelineQuestion::default());
    assert_eq!(answer.faults, []);
    answer.recording.unwrap()
}

fn page() -> TimelineQuestion {
    let hosts = |net: &str| {
        (0..3)
            .map(|n| Endpoint::new(format!("10.{net}.0.{n}:80")))
            .collect()
    };
    let shop = PlainCluster {
        priorities: Vec::from(["0", "1"].map(|net| Priority::single_locality(hosts(net)))),
        ..PlainCluster::default()
    };
    TimelineQuestion {
        clusters: Vec::from([Cluster::plain("shop", shop)]),
        ..TimelineQuestion::default()
    }
}

#[test]
fn intervals_add_up_to_the_phases() {
    for text in [FAILOVER, ROTATION, DRAIN, EVERYTHING] {
        let run = recording(text);
        let of = |count: fn(&spillgate_codec::import::TimelineInterval) -> u32| {
            run.intervals
                .iter()
                .map(|i| u64::from(count(i)))
                .sum::<u64>()
        };
        let phases = || run.phases.iter();
        assert_eq!(of(|i| i.kept), phases().map(|p| p.kept).sum::<u64>());
        assert_eq!(of(|i| i.new), phases().map(|p| p.new).sum::<u64>());
        let moved = phases().flat_map(|p| &p.moved).map(|why| why.count);
        assert_eq!(of(|i| i.moved), moved.sum::<u64>());
        let failed = phases().flat_map(|p| &p.failed).map(|why| why.count);
        assert_eq!(of(|i| i.failed), failed.sum::<u64>());
        let hostile = phases().flat_map(|p| &p.hostile).map(|why| why.count);
        assert_eq!(of(|i| i.hostile), hostile.sum::<u64>());
        for interval in &run.intervals {
            let all = interval.hosts.iter().sum::<u32>();
            assert_eq!(all, interval.priorities.iter().sum::<u32>());
            assert_eq!(interval.states.len(), run.hosts.len());
        }
        assert_eq!(run.intervals.len() as u64, run.took / run.width + 1);
    }
}

#[test]
fn a_failing_cluster_gives_its_load_to_the_next_one() {
    let run = recording(FAILOVER);
    assert_eq!(run.priorities, ["primary P0", "secondary P0"]);
    assert_eq!((run.width, run.hosts.len()), (2_000, 5));
    assert_eq!(run.hosts[0].selector, "host=10.0.0.1:80");
    let before = &run.intervals[28];
    assert_eq!(before.priorities[1], 0, "{before:?}");
    assert_eq!(before.states[0].health, TimelineHealth::Healthy);
    // The failure is at 60 s, the start of interval 30; gateways know it a second later.
    assert_eq!(
        run.intervals[30].states[0].health,
        TimelineHealth::Unhealthy
    );
    let after = &run.intervals[32];
    assert_eq!(after.priorities[0], 0, "{after:?}");
    assert!(after.moved > 0 && after.priorities[1] > 0);
    assert_eq!(run.intervals[100].states[3].health, TimelineHealth::Absent);
}

#[test]
fn a_drain_has_its_own_state() {
    let run = recording(DRAIN);
    let states = run.intervals.iter().map(|i| i.states[0].health);
    let states: Vec<TimelineHealth> = states.collect();
    let (drains, gone) = (TimelineHealth::Draining, TimelineHealth::Absent);
    assert_eq!((states[19], states[20]), (TimelineHealth::Healthy, drains));
    assert_eq!((states[34], states[35]), (drains, gone));
    assert_eq!((states[39], states[40]), (gone, TimelineHealth::Healthy));
}

#[test]
fn a_broken_rule_ends_the_recording() {
    let run = recording(ROTATION);
    let broken = run.broken.unwrap();
    assert_eq!((&*broken.check, run.events), ("rotation", 784));
    assert_eq!(run.took, broken.at);
    assert_eq!(run.intervals.len(), 41);
}

#[test]
fn the_seed_of_the_question_wins() {
    let mut question = TimelineQuestion::default();
    let first = ask(FAILOVER, &question).recording.unwrap();
    question.seed = Some(1);
    assert_eq!(ask(FAILOVER, &question).recording.unwrap(), first);
    question.seed = Some(2);
    assert_ne!(ask(FAILOVER, &question).recording.unwrap(), first);
}

#[test]
fn an_event_changes_nothing_before_its_time() {
    let first = recording(FAILOVER);
    let event = "- {at: 90s, hosts: \"host=10.0.1.1:80\", status: UNHEALTHY}\n";
    let changed = recording(&format!("{FAILOVER}{event}"));
    assert_eq!(first.intervals[..45], changed.intervals[..45]);
    assert_ne!(first.intervals[45..], changed.intervals[45..]);
}

#[test]
fn the_clusters_of_the_page_have_a_name() {
    let answer = ask("config: page\ntarget: shop\nsteps: 50", &page());
    let run = answer.recording.unwrap();
    assert_eq!(
        (run.priorities, run.hosts.len()),
        (["P0", "P1"].map(String::from).into(), 6)
    );
    let answer = ask("config: envoy.yaml\ntarget: shop", &page());
    assert_eq!(answer.faults[0].code, "page/no-files");
    assert!(answer.recording.is_none());
}

#[test]
fn another_text_runs_in_the_place_of_a_broken_one() {
    let mut question = page();
    question.otherwise = Some(FAILOVER.into());
    let answer = ask("config: page\ntarget: shipping", &question);
    assert!(answer.is_other && !answer.faults.is_empty());
    assert_eq!(answer.recording.unwrap().hosts.len(), 5);
    let answer = ask("config: page\ntarget: shop", &question);
    assert_eq!((answer.is_other, answer.faults), (false, Vec::new()));
    assert!(answer.recording.is_some());
}

#[test]
fn runs_that_are_too_large_are_refused() {
    for (fields, found) in [
        ("steps: 100001", "100001"),
        ("clients: 100001", "100001"),
        ("gateways: 17", "17"),
    ] {
        let text = format!("config: page\ntarget: shop\n{fields}\n");
        let answer = ask(&text, &page());
        assert!(answer.recording.is_none());
        let fault = &answer.faults[0];
        assert_eq!(
            (&*fault.code, fault.found.as_deref()),
            ("page/too-large", Some(found))
        );
    }
    let answer = ask("drawn: true\nsteps: 200000", &TimelineQuestion::default());
    assert_eq!(answer.faults[0].code.to_string(), "page/too-large");
}

#[test]
fn errors_have_positions() {
    let answer = ask(
        "config: page\ntarget: shop\nevents:\n- {at: 1s, hosts: zone=x, vanish: true}\n",
        &page(),
    );
    let position = answer.faults[0].position.unwrap();
    assert_eq!(position.line, 4);
    for text in [&b"\xff"[..], b"", b"a: [", b"[]"] {
        let answer = simulation_answer(text, b"?");
        let answer = TimelineAnswer::from_bytes(&answer).unwrap();
        assert!(
            answer.recording.is_none() && !answer.faults.is_empty(),
            "{text:?}"
        );
    }
}
