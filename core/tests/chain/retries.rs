//! Retries that leave the serving step.

use super::*;

/// `tenant and version`, then `tenant`, with retries that leave the first step.
fn left() -> Vec<ChainStep> {
    let first = ChainStep {
        retry_next_step: true,
        ..keys(&["tenant", "version"])
    };
    vec![first, keys(&["tenant"])]
}

#[test]
fn a_retry_leaves_the_step_and_stays_within_the_next_one() {
    let all = hosts(&[
        ("a1", Healthy, "tenant=a version=1"),
        ("a2", Healthy, "tenant=a version=1"),
        ("a3", Healthy, "tenant=a version=2"),
        ("a4", Healthy, "tenant=a version=2"),
        ("a5", Unhealthy, "tenant=a version=2"),
        ("b1", Healthy, "tenant=b version=1"),
    ]);
    let snapshot = build(vec![cluster("c", Policy::Random, vec![all])], left());
    let mut seconds = BTreeSet::new();
    for seed in 0..50 {
        let (decision, _) = ask_seeded(&snapshot, "c", "tenant=a version=1", seed);
        let candidates = decision.candidates(&snapshot, 5);
        let list: Vec<&str> = candidates.iter().map(|host| &*host.address).collect();
        assert!(["a1", "a2"].contains(&list[0]), "{list:?}");
        assert!(["a3", "a4"].contains(&list[1]), "{list:?}");
        let all: BTreeSet<&str> = list.iter().copied().collect();
        assert_eq!(all, BTreeSet::from(["a1", "a2", "a3", "a4"]));
        seconds.insert(list[1].to_owned());
    }
    assert_eq!(seconds.len(), 2, "retries spread over the next step");
    // The last step has no next one.
    let (decision, _) = ask_seeded(&snapshot, "c", "tenant=a version=3", 0);
    assert_eq!((step(&decision).unwrap().0, decision.next_step), (1, None));
}

#[test]
fn without_further_hosts_of_the_next_step_a_retry_stays() {
    let all = hosts(&[
        ("a1", Healthy, "tenant=a version=1"),
        ("a2", Healthy, "tenant=a version=1"),
        ("a3", Unhealthy, "tenant=a version=2"),
        ("b1", Healthy, "tenant=b version=1"),
    ]);
    let snapshot = build(vec![cluster("c", Policy::Random, vec![all])], left());
    let (decision, _) = ask_seeded(&snapshot, "c", "tenant=a version=1", 0);
    let candidates = decision.candidates(&snapshot, 3);
    let mut list: Vec<&str> = candidates.iter().map(|host| &*host.address).collect();
    list.sort_unstable();
    assert_eq!(list, ["a1", "a2"]);
}
