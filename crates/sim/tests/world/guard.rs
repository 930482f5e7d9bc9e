//! Hosts above `max_share`: they recover, and no more sessions move than necessary.

use spillgate_config::{envoy::Format, filter::FilterConfig};
use spillgate_core::decide::OnLost;
use spillgate_sim::{
    scenario::read,
    world::{Check, GatewayBehavior, Plan, WorldScenario, run, run_with},
};
use spillgate_testkit::repository;

/// The documented scenario: all sessions are on one of five healthy hosts from second 50 on.
fn hot_host() -> WorldScenario {
    let folder = repository().join("docs/scenarios");
    let text = std::fs::read_to_string(folder.join("hot-host.yaml")).unwrap();
    let file = read(&text, Format::Yaml, &mut |_| None).unwrap();
    match file.plan {
        Plan::Fixed(scenario) => *scenario,
        Plan::Random { .. } => panic!("a fixed scenario"),
    }
}

/// The sessions that left the hot host, by phase.
fn left(scenario: &WorldScenario, seed: u64) -> Vec<u64> {
    let outcome = run(scenario, seed);
    assert_eq!(outcome.violations, []);
    let phases = outcome.phases.iter().map(|phase| {
        assert_eq!(
            phase.failed.iter().count(),
            0,
            "no request fails: {phase:?}"
        );
        let hot = phase.moved.iter().filter(|(why, _)| *why == "hot");
        hot.map(|(_, count)| count).sum()
    });
    phases.collect()
}

#[test]
fn a_guarded_host_recovers_and_only_the_sessions_above_its_share_move() {
    for seed in 1..=8 {
        let left = left(&hot_host(), seed);
        assert_eq!(left[..3], [0, 0, 0], "no other host is healthy: {left:?}");
        // 60 percent of 400 sessions are above the limit of 40 percent.
        assert!((200..=280).contains(&left[3]), "{left:?}");
        assert_eq!(left[4], 0, "it has recovered: {left:?}");
    }
}

#[test]
fn sessions_that_must_not_move_stay() {
    let mut scenario = hot_host();
    scenario.sessions.on_lost = OnLost::Refuse;
    scenario.script.retain(|event| event.at >= 50_000);
    assert_eq!(left(&scenario, 1).iter().sum::<u64>(), 0);
}

/// Two hosts cannot both be below forty percent: a session must not move again and again.
#[test]
fn a_limit_that_cannot_be_met_moves_no_session_twice() {
    let mut scenario = hot_host();
    scenario.layout = scenario.layout.without(&[2, 3, 4]);
    let all = left(&scenario, 1);
    assert!((100..=200).contains(&all[3]), "half at most: {all:?}");
    assert!(all[4] <= 20, "{all:?}");
}

/// Gateways with another limit than the scenario.
struct OtherLimit(Option<u32>);

impl GatewayBehavior for OtherLimit {
    fn configure(&self, _: usize, config: &mut FilterConfig) {
        config.affinity.as_mut().unwrap().max_share = self.0;
    }
}

#[test]
fn gateways_that_move_no_session_or_too_many() {
    for limit in [None, Some(10), Some(70)] {
        let outcome = run_with(&hot_host(), &OtherLimit(limit), 1);
        let found = outcome.violations.iter().map(|found| found.check);
        assert_eq!(found.collect::<Vec<_>>(), [Check::Guard], "{limit:?}");
    }
}
