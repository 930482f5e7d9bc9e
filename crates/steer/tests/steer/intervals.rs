//! Ages and intervals: clock steps, environments without a monotonic clock.

use crate::environment::{Proxy, cluster};

const POLLER: &str = r#"{"poll": [{"cluster": "admin", "targets": ["c"], "interval": "1s"}]}"#;
const HOST: &str = "10.0.0.1:80";
const HOUR: i64 = 3_600;
const STALE: &str = "spillgate.health.cluster.c.stale";

fn config() -> String {
    let cluster = cluster("c", &[("10.0.0.9:80", "HEALTHY", "1")]);
    format!(
        r#"{{"clusters": [{cluster}], "target": "c", "tick": "0.1s",
            "health": {{"source": "admin", "cluster": "admin", "stale_after": "10s"}}}}"#
    )
}

fn step(proxy: &Proxy, seconds: i64) {
    let now = &proxy.worker.now;
    now.set(now.get().saturating_add_signed(seconds));
}

#[test]
fn steps_of_the_wall_clock_change_no_interval_and_no_age() {
    for seconds in [HOUR, -HOUR] {
        let mut poller = Proxy::polling(POLLER);
        let mut worker = Proxy::serving_with(&poller, &config());
        poller.respond(&[(HOST, "healthy")]);
        worker.tick_after(1);
        step(&poller, seconds);
        step(&worker, seconds);
        for second in 1..=5 {
            let polls = poller.polls();
            poller.tick_after(1);
            assert_eq!(poller.polls(), polls + 1, "{seconds}: {second} s later");
            poller.respond(&[(HOST, "healthy")]);
            worker.tick_after(1);
            assert_eq!(worker.worker.metric(STALE), 0, "{seconds}");
        }
        let age = worker.worker.metric("spillgate.health.cluster.c.age_ms");
        assert!(age <= 1_000, "{seconds}: {age}");
        step(&worker, -seconds);
        worker.tick_after(9);
        assert_eq!(worker.worker.metric(STALE), 0, "{seconds}");
        worker.tick_after(3);
        assert_eq!(worker.worker.metric(STALE), 1, "{seconds}");
    }
}

#[test]
fn a_step_does_not_change_how_often_failures_are_logged() {
    let mut poller = Proxy::polling(POLLER);
    for at in 0..59 {
        match at % 2 {
            0 => poller.fail(poller.polls() - 1),
            _ => poller.respond(&[(HOST, "healthy")]),
        }
        step(&poller, if at % 4 < 2 { HOUR } else { -HOUR });
        poller.tick_after(1);
    }
    assert_eq!(
        poller.worker.log.borrow().len(),
        2,
        "failed, succeeded again"
    );
    poller.respond(&[(HOST, "healthy")]);
    poller.tick_after(3);
    poller.fail(poller.polls() - 1);
    assert_eq!(poller.worker.log.borrow().len(), 3, "again after a minute");
}

#[test]
fn without_a_monotonic_clock_ages_and_intervals_are_counted_in_ticks() {
    let mut poller = Proxy::polling_with(&Proxy::default(), POLLER);
    poller.respond(&[(HOST, "healthy")]);
    let mut worker = Proxy::serving_with(&poller, &config());
    // The clock of each plugin begins at its start, so their times differ.
    for second in 0..20 {
        let polls = poller.polls();
        poller.tick_after(1);
        assert_eq!(poller.polls(), polls + 1, "{second}");
        poller.respond(&[(HOST, "healthy")]);
        step(&worker, -HOUR);
        for _ in 0..10 {
            worker.tick_after_ms(100);
        }
        assert_eq!(worker.worker.metric(STALE), 0, "{second}");
    }
    assert_eq!(worker.polls(), 0, "the poller is alive");
    let mut late = Proxy::serving_with(&poller, &config());
    for _ in 0..89 {
        worker.tick_after_ms(100);
        late.tick_after_ms(100);
    }
    for worker in [&worker, &late] {
        assert_eq!(worker.worker.metric(STALE), 0);
    }
    for worker in [&mut worker, &mut late] {
        for _ in 0..14 {
            worker.tick_after_ms(100);
        }
        assert_eq!(worker.worker.metric(STALE), 1);
        assert!(worker.polls() > 0, "the poller is silent");
    }
}

#[test]
fn a_new_configuration_does_not_make_old_health_current() {
    let mut poller = Proxy::polling(POLLER);
    let mut worker = Proxy::serving_with(&poller, &config());
    poller.respond(&[(HOST, "healthy")]);
    worker.tick_after(1);
    for _ in 0..4 {
        worker.tick_after(3);
        assert!(worker.configure(&config()));
    }
    assert_eq!(worker.worker.metric(STALE), 1, "13 seconds old");
}

#[test]
fn a_failure_is_logged_again_after_exactly_a_minute() {
    for (seconds, messages) in [(59, 2), (60, 3)] {
        let mut poller = Proxy::polling(POLLER);
        poller.fail(0);
        poller.tick_after(1);
        poller.respond(&[(HOST, "healthy")]);
        poller.tick_after(seconds - 1);
        poller.fail(poller.polls() - 1);
        let log = poller.worker.log.borrow();
        assert_eq!(log.len(), messages, "{log:#?}");
    }
}

#[test]
fn refused_polls_are_repeated_after_a_growing_time() {
    let mut poller =
        Proxy::polling(r#"{"poll": [{"cluster": "admin", "targets": ["c"], "interval": "10s"}]}"#);
    poller.respond(&[(HOST, "healthy")]);
    poller.worker.refuses_calls.set(true);
    let sent = |poller: &Proxy| poller.worker.metric("spillgate.health.polls");
    let mut times = Vec::new();
    for tick in 1..=400 {
        let before = sent(&poller);
        poller.tick_after_ms(100);
        if sent(&poller) > before {
            times.push(tick);
        }
    }
    // From a tenth of a second on, each time is twice as long, up to the interval. A tenth of the interval may
    // be missing.
    let waits: Vec<i32> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert_eq!(waits, [1, 1, 1, 1, 6, 22, 54, 90, 90]);
}
