//! Workers that poll while the poller is silent.

use crate::environment::{Proxy, cluster};

const POLLER: &str = r#"{"poll": [{"cluster": "admin", "targets": ["c"], "interval": "1s"}]}"#;
const OLD: &str = "10.0.0.1:80";
const NEW: &str = "10.0.0.2:80";
const STANDBY: &str = "spillgate.health.standby_polls";

fn config() -> String {
    let cluster = cluster("c", &[("10.0.0.9:80", "HEALTHY", "1")]);
    format!(
        r#"{{"clusters": [{cluster}], "target": "c", "tick": "0.1s",
            "health": {{"source": "admin", "cluster": "admin", "interval": "1s"}}}}"#
    )
}

fn host(proxy: &Proxy) -> Option<String> {
    proxy.request(&[]).hosts().map(str::to_owned)
}

/// Ticks workers for this number of tenths of a second, and responds to their polls at the end of
/// each. Returns the number of polls.
fn run(workers: &mut [&mut Proxy], ticks: usize, hosts: &[(&str, &str)]) -> usize {
    let mut polls = 0;
    for _ in 0..ticks {
        for worker in workers.iter_mut() {
            let before = worker.polls();
            worker.tick_after_ms(100);
            for call in before..worker.polls() {
                worker.respond_to_call(call, hosts);
                polls += 1;
            }
        }
    }
    polls
}

/// Lets the poller poll for this number of seconds, and the workers tick.
fn poll(poller: &mut Proxy, workers: &mut [&mut Proxy], seconds: usize) -> usize {
    let mut polls = 0;
    for _ in 0..seconds {
        poller.tick_after_ms(1_000);
        poller.respond(&[(OLD, "healthy")]);
        polls += run(workers, 10, &[]);
    }
    polls
}

#[test]
fn a_worker_replaces_a_dead_poller_within_five_intervals_until_it_is_back() {
    let mut poller = Proxy::polling(POLLER);
    poller.respond(&[(OLD, "healthy")]);
    let mut worker = Proxy::serving_with(&poller, &config());
    assert_eq!(poll(&mut poller, &mut [&mut worker], 5), 0);
    assert_eq!(host(&worker).as_deref(), Some(OLD));
    // The poller fails. Its last poll was a second ago.
    assert_eq!(run(&mut [&mut worker], 19, &[(NEW, "healthy")]), 0);
    let polls = run(&mut [&mut worker], 21, &[(NEW, "healthy")]);
    assert!((1..=2).contains(&polls), "{polls} polls");
    assert_eq!(host(&worker).as_deref(), Some(NEW));
    assert_eq!(worker.worker.metric(STANDBY), polls as u64);
    let more = run(&mut [&mut worker], 200, &[(NEW, "healthy")]);
    assert!((16..=21).contains(&more), "{more} polls in 20 seconds");
    assert_eq!(
        *worker.worker.log.borrow(),
        ["spillgate: the poller of admin is silent; workers poll instead"]
    );

    let mut back = Proxy::polling_with(&worker, POLLER);
    back.respond(&[(OLD, "healthy")]);
    run(&mut [&mut worker], 1, &[]);
    assert_eq!(host(&worker).as_deref(), Some(OLD));
    assert_eq!(poll(&mut back, &mut [&mut worker], 5), 0);
    let log = worker.worker.log.borrow();
    assert_eq!(log[1..], ["spillgate: the poller of admin polls again"]);
}

#[test]
fn workers_poll_if_the_poller_never_starts() {
    let mut worker = Proxy::serving(&config());
    assert_eq!(run(&mut [&mut worker], 29, &[(NEW, "healthy")]), 0);
    assert!(run(&mut [&mut worker], 11, &[(NEW, "healthy")]) > 0);
    assert_eq!(host(&worker).as_deref(), Some(NEW));
}

#[test]
fn workers_poll_a_cluster_that_the_poller_omits() {
    let other = POLLER.replace("\"c\"", "\"other\"");
    let mut poller = Proxy::polling(&other);
    let mut worker = Proxy::serving_with(&poller, &config());
    for _ in 0..5 {
        poller.tick_after_ms(1_000);
        run(&mut [&mut worker], 10, &[(NEW, "healthy")]);
    }
    assert_eq!(host(&worker).as_deref(), Some(NEW));
}

#[test]
fn several_workers_share_their_polls() {
    let first = Proxy::serving(&config());
    let mut others: Vec<Proxy> = (1..8)
        .map(|seed| {
            let mut worker = Proxy::default();
            worker.worker.seed.set(seed);
            worker.worker.share_with(&first.worker);
            assert!(worker.configure(&config()));
            worker
        })
        .collect();
    let mut workers: Vec<&mut Proxy> = others.iter_mut().collect();
    run(&mut workers, 40, &[(NEW, "healthy")]);
    let polls = run(&mut workers, 200, &[(NEW, "healthy")]);
    assert!((18..=32).contains(&polls), "{polls} polls in 20 seconds");
    for worker in workers {
        assert_eq!(host(worker).as_deref(), Some(NEW));
        assert_eq!(worker.worker.metric("spillgate.health.cluster.c.stale"), 0);
    }
}

#[test]
fn a_poller_whose_polls_fail_is_alive() {
    let mut poller = Proxy::polling(POLLER);
    let mut worker = Proxy::serving_with(&poller, &config());
    for second in 0..60 {
        poller.tick_after_ms(1_000);
        // The admin is slow: most polls stay open for a while.
        if second % 5 == 0 {
            poller.fail(poller.polls() - 1);
        }
        assert_eq!(run(&mut [&mut worker], 10, &[]), 0);
    }
    assert_eq!(worker.worker.metric("spillgate.health.cluster.c.stale"), 1);
}

#[test]
fn the_interval_is_that_of_the_poller() {
    let slow = POLLER.replace("1s", "10s");
    let mut poller = Proxy::polling(&slow);
    let mut worker = Proxy::serving_with(&poller, &config());
    for _ in 0..3 {
        poller.respond(&[(OLD, "healthy")]);
        assert_eq!(run(&mut [&mut worker], 100, &[]), 0);
        poller.tick_after_ms(10_000);
    }
    assert_eq!(run(&mut [&mut worker], 299, &[]), 0);
    assert!(run(&mut [&mut worker], 12, &[(NEW, "healthy")]) > 0);
}

#[test]
fn a_poller_that_is_silent_again_within_a_minute_is_logged_once() {
    let mut poller = Proxy::polling(POLLER);
    poller.respond(&[(OLD, "healthy")]);
    let mut worker = Proxy::serving_with(&poller, &config());
    assert_eq!(poll(&mut poller, &mut [&mut worker], 3), 0);
    let silences = |worker: &Proxy| {
        let log = worker.worker.log.borrow();
        log.iter().filter(|line| line.contains("is silent")).count()
    };
    run(&mut [&mut worker], 60, &[(NEW, "healthy")]);
    assert_eq!(silences(&worker), 1);
    let mut back = Proxy::polling_with(&worker, POLLER);
    back.respond(&[(OLD, "healthy")]);
    assert_eq!(poll(&mut back, &mut [&mut worker], 5), 0);
    run(&mut [&mut worker], 100, &[(NEW, "healthy")]);
    assert_eq!(silences(&worker), 1);
    // The pause ends while it is still silent.
    run(&mut [&mut worker], 600, &[(NEW, "healthy")]);
    assert_eq!(silences(&worker), 2);
}
