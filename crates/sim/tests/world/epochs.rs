//! Gateways of two epochs alongside each other.

use spillgate_core::affinity::Life;
use spillgate_sim::world::{
    Check, GatewayBehavior, Rates, ScriptedEvent, SteerGateway, WorldEvent, WorldScenario,
    random_scenario, run, run_with,
};

/// A world with only requests and these epochs: seconds, gateway and epoch. Clients send often enough
/// that tokens are renewed, and none expires: a session that starts later than an epoch may end.
fn with_epochs(seed: u64, epochs: &[(u64, Option<usize>, u16)]) -> WorldScenario {
    let mut scenario = random_scenario(seed, 4_000, Rates::REQUESTS).unwrap();
    scenario.gateways = 2;
    scenario.every = 20;
    scenario.sessions.life = Life { ttl: 12, max: 600 };
    let epochs = epochs.iter();
    scenario.script = epochs
        .map(|&(at, gateway, epoch)| ScriptedEvent {
            at: at * 1_000,
            event: WorldEvent::Epoch(gateway, epoch),
            name: format!("epoch {epoch}"),
        })
        .collect();
    scenario
}

/// The tokens that were refused for their epoch, in each phase of all worlds.
fn refused(epochs: &[(u64, Option<usize>, u16)]) -> (Vec<u64>, u64) {
    let (mut refused, mut requests) = (vec![0; epochs.len() + 1], 0);
    for seed in 0..50 {
        let scenario = with_epochs(seed, epochs);
        let outcome = run(&scenario, seed);
        assert_eq!(outcome.violations, [], "seed {seed}");
        for (count, phase) in refused.iter_mut().zip(&outcome.phases) {
            let others = phase.refused.iter().filter(|(why, _)| *why != "epoch");
            assert_eq!(others.count(), 0, "seed {seed}");
            let of_epoch = phase.refused.iter().filter(|(why, _)| *why == "epoch");
            let of_epoch: u64 = of_epoch.map(|(_, count)| count).sum();
            // A request without a host gets no new token, so the client repeats the refused one.
            let failed: u64 = phase.failed.iter().map(|(_, count)| count).sum();
            let most = scenario.clients as u64 + failed;
            assert!(of_epoch <= most, "seed {seed}: {of_epoch} of {most}");
            *count += of_epoch;
            requests += phase.requests;
        }
    }
    (refused, requests)
}

#[test]
fn a_rollout_ends_each_session_at_most_once() {
    let (refused, requests) = refused(&[(20, Some(0), 1), (40, Some(1), 1), (60, None, 1)]);
    assert_eq!(refused[0], 0);
    assert!(refused[1] > 0, "{refused:?}");
    // Only clients that had not yet reached the first gateway.
    assert!(refused[2] < refused[1], "{refused:?}");
    assert!(requests > 10_000);
}

#[test]
fn a_rollback_ends_no_session() {
    let (refused, _) = refused(&[(20, None, 1), (40, Some(0), 0), (60, None, 0)]);
    assert!(refused[1] > 0);
    assert_eq!(refused[2..], [0, 0], "{refused:?}");
}

/// The first gateway requires a higher epoch than the configured one.
struct RevokesEarly;

impl GatewayBehavior for RevokesEarly {
    fn configure(&self, gateway: usize, config: &mut spillgate_config::filter::FilterConfig) {
        if gateway == 0 {
            config.affinity.as_mut().unwrap().epoch += 1;
        }
    }
}

#[test]
fn a_gateway_that_revokes_reached_epochs() {
    let mut found = Vec::new();
    for seed in 0..50 {
        let scenario = with_epochs(seed, &[(20, None, 1)]);
        assert_eq!(run_with(&scenario, &SteerGateway, seed).violations, []);
        let broken = run_with(&scenario, &RevokesEarly, seed);
        found.extend(broken.violations.iter().map(|violation| violation.check));
    }
    assert!(found.contains(&Check::Epoch), "{found:?}");
}
