//! Addresses that get another owner: their metadata become unknown with the poll that shows a change.

use crate::{
    environment::{Proxy, cluster},
    metadata::{Site, dump},
};

/// Polls metadata as often as hosts if a worker needs them.
const POLLER: &str = r#"{"poll": [{"cluster": "admin", "targets": ["c"], "interval": "1s"}]}"#;
/// Polls metadata rarely.
const RARELY: &str = r#"{"poll": [{"cluster": "admin", "targets": ["c"], "interval": "1s",
    "metadata_interval": "60s"}]}"#;
const DYNAMIC: &str = "/config_dump?include_eds&resource=dynamic";
const UNKNOWN: &str = "spillgate_hosts_unknown";
const NO_HOST: &str = "spillgate_no_host";
const FIRST: &str = "10.0.0.1:80";

/// The hosts 1 and 2 of the owners a and c.
fn two_owners(poller: &str) -> Site {
    let mut site = Site::polled_by(poller, "");
    site.second(&[1, 2]);
    site.dump(&dump(&[(1, "a"), (2, "c")]));
    assert_eq!(site.serves("a"), FIRST);
    site
}

/// The lines of two hosts with these numbers of requests and connections.
fn lines(totals: [(u64, u64); 2]) -> String {
    let lines = (1..).zip(totals).map(|(host, (requests, connections))| {
        format!(
            "c::10.0.0.{host}:80::cx_total::{connections}\n\
             c::10.0.0.{host}:80::rq_total::{requests}\n\
             c::10.0.0.{host}:80::health_flags::healthy\n"
        )
    });
    lines.collect()
}

/// Polls for metadata so far.
fn metadata_polls(of: &Proxy) -> usize {
    let calls = of.worker.calls.borrow();
    calls
        .iter()
        .filter(|path| path.starts_with("/config_dump"))
        .count()
}

#[test]
fn an_owner_that_changes_in_place_is_known_after_one_poll() {
    let mut site = two_owners(POLLER);
    for _ in 0..3 {
        site.second(&[1, 2]);
        site.dump(&dump(&[(1, "a"), (2, "c")]));
        assert_eq!(site.serves("a"), FIRST);
    }
    let before = metadata_polls(&site.poller);
    site.second(&[1, 2]);
    assert_eq!(
        metadata_polls(&site.poller),
        before + 1,
        "one query that has the cluster"
    );
    site.dump(&dump(&[(1, "c"), (2, "c")]));
    assert_eq!(site.serves("a"), NO_HOST);
}

#[test]
fn a_counter_that_restarts_makes_owners_unknown_at_once() {
    for restarted in [[(0, 1), (7, 1)], [(9, 0), (9, 2)]] {
        let mut site = two_owners(RARELY);
        site.second_with(&lines([(7, 1), (7, 1)]));
        site.second_with(&lines([(8, 2), (7, 1)]));
        assert_eq!(site.serves("a"), FIRST);
        let before = metadata_polls(&site.poller);
        site.second_with(&lines(restarted));
        assert_eq!(site.serves("a"), UNKNOWN, "{restarted:?}");
        assert_eq!(
            metadata_polls(&site.poller),
            before + 1,
            "read again at once"
        );
        site.dump(&dump(&[(1, "c"), (2, "c")]));
        assert_eq!(site.serves("a"), NO_HOST);
        site.second_with(&lines([(10, 3), (10, 3)]));
        assert!(site.serves("c").starts_with(FIRST), "{restarted:?}");
    }
}

#[test]
fn every_change_of_hosts_makes_owners_unknown_at_once() {
    let mut site = two_owners(RARELY);
    for hosts in [&[2][..], &[1, 2], &[2, 1], &[1, 2, 3]] {
        let before = metadata_polls(&site.poller);
        site.second(hosts);
        assert_eq!(site.serves("c"), UNKNOWN, "{hosts:?}");
        assert_eq!(
            metadata_polls(&site.poller),
            before + 1,
            "read again at once"
        );
        site.dump(&dump(
            &hosts.iter().map(|host| (*host, "c")).collect::<Vec<_>>(),
        ));
        assert_ne!(site.serves("c"), UNKNOWN, "{hosts:?}");
    }
    let moved = "c::10.0.0.1:80::zone::z\nc::10.0.0.1:80::health_flags::healthy\n";
    for lines in [moved, "c::10.0.0.1:80::health_flags::healthy\n"] {
        site.second_with(lines);
        assert_eq!(site.serves("c"), UNKNOWN, "{lines}");
        site.dump(&dump(&[(1, "c")]));
        assert_eq!(site.serves("c"), FIRST, "{lines}");
    }
}

#[test]
fn a_failed_poll_of_metadata_is_repeated_with_the_next_poll_of_hosts() {
    let mut site = two_owners(RARELY);
    site.second(&[2]);
    site.poller.respond_to(DYNAMIC, "500", "");
    for _ in 0..3 {
        let before = metadata_polls(&site.poller);
        site.second(&[2]);
        assert_eq!(site.serves("c"), UNKNOWN);
        assert_eq!(metadata_polls(&site.poller), before + 1);
        site.poller.respond_to(DYNAMIC, "500", "");
        assert_eq!(
            metadata_polls(&site.poller),
            before + 1,
            "no repetition at once"
        );
    }
    site.second(&[2]);
    site.dump(&dump(&[(2, "c")]));
    assert_eq!(site.serves("c"), "10.0.0.2:80");
}

#[test]
fn metadata_that_list_a_new_host_before_it_is_published_are_current() {
    let mut site = two_owners(POLLER);
    let three = dump(&[(1, "a"), (2, "c"), (3, "d")]);
    site.second(&[1, 2]);
    site.dump(&dump(&[(1, "a"), (2, "c")]));
    // The query was sent before that for the hosts, and is answered first.
    site.poller.tick_after(1);
    let before = metadata_polls(&site.poller);
    site.dump(&three);
    assert_eq!(site.serves("a"), FIRST);
    let text = "c::10.0.0.1:80::health_flags::healthy\nc::10.0.0.2:80::health_flags::healthy\n\
                c::10.0.0.3:80::health_flags::healthy\n";
    site.poller.respond_to("/clusters", "200", text);
    site.deliver(1);
    assert_eq!(site.serves("d"), "10.0.0.3:80");
    assert_eq!(site.serves("a"), FIRST);
    assert_eq!(metadata_polls(&site.poller), before);
    // The other way round: unknown until the answer arrives.
    site.second(&[1, 2]);
    assert_eq!(site.serves("a"), UNKNOWN);
    site.dump(&dump(&[(1, "a"), (2, "c")]));
    assert_eq!(site.serves("a"), FIRST);
    assert_eq!(metadata_polls(&site.poller), before + 1);
}

#[test]
fn metadata_of_a_query_after_the_last_change_are_current_whatever_they_list() {
    let mut site = Site::polled_by(POLLER, "");
    let first_of_two = dump(&[(1, "a")]);
    site.second(&[1, 2]);
    site.dump(&first_of_two);
    assert_eq!(site.serves("a"), UNKNOWN, "as old as the hosts");
    site.second(&[1, 2]);
    site.dump(&first_of_two);
    assert_eq!(site.serves("a"), FIRST);
}

#[test]
fn metadata_of_the_same_hosts_before_an_absence_are_not_current() {
    let mut site = two_owners(POLLER);
    // This query is open while both changes are seen.
    site.second(&[1, 2]);
    let calls = site.poller.worker.calls.borrow().len();
    let old = calls - 2;
    site.second(&[2]);
    site.second(&[1, 2]);
    assert_eq!(site.serves("a"), UNKNOWN);
    site.poller
        .respond_to_call_with(old, &dump(&[(1, "a"), (2, "c")]));
    site.deliver(0);
    assert_eq!(site.serves("a"), UNKNOWN);
    site.dump(&dump(&[(1, "c"), (2, "c")]));
    assert_eq!(site.serves("a"), NO_HOST);
}

#[test]
fn metadata_that_select_no_host_are_not_polled_by_default() {
    let mut poller = Proxy::polling(POLLER);
    let config = format!(
        r#"{{"clusters": [{}], "target": "c", "health": {{"source": "admin", "cluster": "admin"}}}}"#,
        cluster("c", &[("10.0.0.1:80", "HEALTHY", "a")])
    );
    let _proxy = Proxy::serving_with(&poller, &config);
    for _ in 0..5 {
        poller.tick_after(1);
        poller.respond(&[(FIRST, "healthy")]);
    }
    assert_eq!((poller.polls(), metadata_polls(&poller)), (5, 0));
}

#[test]
fn workers_that_poll_share_the_metadata() {
    let config = r#"{"clusters": [{"name": "c", "lb_policy": "ROUND_ROBIN"}], "target": "c",
        "criteria": [{"key": "v", "header": "x-v"}], "subset_chain": [{"keys": ["v"]}],
        "health": {"source": "admin", "cluster": "admin", "poller": "worker"}}"#;
    let mut first = Proxy::serving(config);
    let mut second = Proxy::serving_with(&first, config);
    for _ in 0..20 {
        for worker in [&mut first, &mut second] {
            worker.tick_after_ms(500);
            let open = worker.worker.calls.borrow().clone();
            for (call, path) in open.iter().enumerate() {
                let text = if path.starts_with(DYNAMIC) {
                    dump(&[(1, "a")])
                } else if path.starts_with("/clusters") {
                    "c::10.0.0.1:80::health_flags::healthy\n".to_owned()
                } else {
                    r#"{"configs": []}"#.to_owned()
                };
                worker.respond_to_call_with(call, &text);
            }
        }
    }
    let served = second.request(&[("x-v", "a")]);
    assert_eq!(served.hosts(), Some(FIRST));
    let polls = metadata_polls(&first) + metadata_polls(&second);
    assert!((8..=16).contains(&polls), "{polls} polls in 10 s");
}

#[test]
fn metadata_of_an_older_query_do_not_replace_newer_ones() {
    let config = r#"{"clusters": [{"name": "c", "lb_policy": "ROUND_ROBIN"}], "target": "c",
        "criteria": [{"key": "v", "header": "x-v"}], "subset_chain": [{"keys": ["v"]}],
        "health": {"source": "admin", "cluster": "admin", "poller": "worker"}}"#;
    let mut first = Proxy::serving(config);
    let mut second = Proxy::serving_with(&first, config);
    let dynamic = |of: &Proxy| {
        let calls = of.worker.calls.borrow();
        calls.iter().rposition(|path| path.starts_with(DYNAMIC))
    };
    let hosts = "c::10.0.0.1:80::health_flags::healthy\n";
    for worker in [&mut first, &mut second] {
        worker.respond_to("/clusters", "200", hosts);
        worker.respond_to(DYNAMIC, "200", &dump(&[(1, "c")]));
        worker.respond_to(
            "/config_dump?include_eds&resource=static",
            "200",
            r#"{"configs": []}"#,
        );
    }
    let mut sent = Vec::new();
    // The second query is sent later, and answered first.
    second.worker.pass(1);
    for worker in [&mut first, &mut second] {
        let before = dynamic(worker);
        for _ in 0..50 {
            if dynamic(worker) == before {
                worker.tick_after_ms(100);
                worker.respond_to("/clusters", "200", hosts);
            }
        }
        assert_ne!(dynamic(worker), before);
        sent.push(dynamic(worker).unwrap());
    }
    second.respond_to_call_with(sent[1], &dump(&[(1, "b")]));
    first.respond_to_call_with(sent[0], &dump(&[(1, "a")]));
    for worker in [&mut first, &mut second] {
        worker.tick_after_ms(100);
        let served = worker.request(&[("x-v", "b")]);
        assert_eq!(served.hosts(), Some(FIRST), "{:?}", served.local);
    }
}
