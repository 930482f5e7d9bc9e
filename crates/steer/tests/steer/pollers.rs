//! Several pollers that publish to the same shared data.

use std::{cell::RefCell, rc::Rc};

use spillgate_core::draw::{Draw, SplitMix64};

use crate::environment::{Proxy, SharedData, cluster};

const VERSIONS: &str = "spillgate.3.versions.admin/c";
const PIECES: [(&str, usize); 2] = [
    ("spillgate.3.hosts.admin/c", 1),
    ("spillgate.3.active.admin/c", 2),
];

fn config(poller: &str) -> String {
    let cluster = cluster("c", &[("10.0.0.9:80", "HEALTHY", "1")]);
    format!(
        r#"{{"clusters": [{cluster}], "target": "c", "tick": "0.1s",
            "health": {{"source": "admin", "cluster": "admin", "interval": "1s",
                "poller": "{poller}"}}}}"#
    )
}

fn host(proxy: &Proxy) -> Option<String> {
    proxy.request(&[]).hosts().map(str::to_owned)
}

fn numbers(shared: &SharedData, key: &str) -> Vec<u64> {
    let shared = shared.borrow();
    let bytes = shared.get(key).map_or(&[][..], |value| &value.bytes);
    let (numbers, _) = bytes.as_chunks();
    numbers.iter().map(|n| u64::from_le_bytes(*n)).collect()
}

/// Workers that poll, and one that only reads.
struct Site {
    pollers: Vec<Rc<RefCell<Proxy>>>,
    reader: Proxy,
    shared: SharedData,
}

impl Site {
    fn open() -> Self {
        let first = Proxy::serving(&config("worker"));
        let second = Proxy::serving_with(&first, &config("worker"));
        let reader = Proxy::serving_with(&first, &config("shared"));
        let shared = reader.worker.shared.clone();
        let pollers = [first, second].map(|mut proxy| {
            // The poll that a configuration begins with.
            proxy.fail(0);
            Rc::new(RefCell::new(proxy))
        });
        Self {
            pollers: pollers.into(),
            reader,
            shared,
        }
    }

    /// Lets a poller send a poll, and returns its number.
    fn send(&self, poller: usize) -> usize {
        let mut poller = self.pollers[poller].borrow_mut();
        let polls = poller.polls();
        for _ in 0..30 {
            if poller.polls() == polls {
                poller.tick_after_ms(100);
            }
        }
        assert_eq!(poller.polls(), polls + 1);
        polls
    }

    fn respond(&self, poller: usize, call: usize, hosts: &[(&str, &str)]) {
        self.pollers[poller]
            .borrow_mut()
            .respond_to_call(call, hosts);
    }
}

#[test]
fn hosts_that_another_poller_has_replaced_are_published_again() {
    let mut site = Site::open();
    for (poller, found) in [(0, "10.0.0.1:80"), (1, "10.0.0.2:80"), (0, "10.0.0.1:80")] {
        let call = site.send(poller);
        site.respond(poller, call, &[(found, "healthy")]);
        site.reader.tick_after_ms(100);
        assert_eq!(host(&site.reader).as_deref(), Some(found), "{poller}");
    }
}

#[test]
fn equal_hosts_and_requests_are_published_once() {
    let site = Site::open();
    let stored = |site: &Site| PIECES.map(|(key, _)| numbers(&site.shared, key)[0]);
    let mut before = None;
    for poller in [0, 0, 1, 1, 0] {
        let call = site.send(poller);
        site.respond(poller, call, &[("10.0.0.1:80", "healthy")]);
        let after = stored(&site);
        assert_eq!(*before.get_or_insert(after), after, "{poller}");
    }
}

#[test]
fn an_older_response_does_not_replace_a_newer_one() {
    let mut site = Site::open();
    let early = site.send(0);
    let late = site.send(1);
    site.respond(1, late, &[("10.0.0.2:80", "healthy")]);
    let published = numbers(&site.shared, VERSIONS);
    site.respond(0, early, &[("10.0.0.1:80", "healthy")]);
    assert_eq!(numbers(&site.shared, VERSIONS), published);
    site.reader.tick_after_ms(100);
    assert_eq!(host(&site.reader).as_deref(), Some("10.0.0.2:80"));
}

#[test]
fn pollers_that_publish_at_the_same_time_leave_consistent_data() {
    let mut draw = SplitMix64::new(1);
    let mut pick = |count: u64| draw.draw() % count;
    for round in 0..300 {
        let mut site = Site::open();
        let mut versions = vec![0; 5];
        for _ in 0..6 {
            let truth = [
                (
                    "10.0.0.1:80",
                    ["healthy", "/failed_active_hc"][pick(2) as usize],
                ),
                (["10.0.0.2:80", "10.0.0.3:80"][pick(2) as usize], "healthy"),
            ];
            let calls = [site.send(0), site.send(1)];
            let first = pick(2) as usize;
            let second = 1 - first;
            // The second poller publishes while the first one writes a piece.
            let prefix = [
                "spillgate.3.hosts",
                "spillgate.3.active",
                "spillgate.3.versions",
            ][pick(3) as usize];
            let other = site.pollers[second].clone();
            let older = [("10.0.0.4:80", "healthy")];
            let response = if pick(2) == 0 {
                truth.to_vec()
            } else {
                older.to_vec()
            };
            let interrupt = Box::new(move || {
                other.borrow_mut().respond_to_call(calls[second], &response);
            });
            let poller = site.pollers[first].borrow();
            poller.worker.interrupted.set(Some((prefix, interrupt)));
            let refuses = pick(4) == 0;
            let protected = [
                "spillgate.3.hosts",
                "spillgate.3.active",
                "spillgate.3.versions",
            ];
            let protected = protected[pick(3) as usize];
            poller
                .worker
                .write_protected
                .set(refuses.then_some(protected));
            drop(poller);
            site.respond(first, calls[first], &truth);
            let poller = site.pollers[first].borrow();
            if let Some((_, late)) = poller.worker.interrupted.take() {
                late();
            }
            poller.worker.write_protected.set(None);
            drop(poller);

            let announced = numbers(&site.shared, VERSIONS);
            let pairs = announced.iter().zip(&versions);
            assert!(
                pairs.clone().all(|(new, old)| new >= old),
                "{round}: {announced:?} after {versions:?}"
            );
            if announced.is_empty() {
                continue;
            }
            versions = announced;
            for (piece, at) in PIECES {
                // The health version is the second number of the hosts.
                let stored = numbers(&site.shared, piece)[at % 2];
                assert!(stored >= versions[at], "{round}: {piece}");
            }
            site.reader.tick_after_ms(100);
        }
        let last = [("10.0.0.7:80", "healthy")];
        for poller in [0, 1] {
            let call = site.send(poller);
            site.respond(poller, call, &last);
        }
        site.reader.tick_after_ms(100);
        assert_eq!(
            host(&site.reader).as_deref(),
            Some("10.0.0.7:80"),
            "{round}"
        );
    }
}

#[test]
fn another_poller_announces_data_that_was_only_stored() {
    let mut site = Site::open();
    let call = site.send(0);
    site.respond(0, call, &[("10.0.0.1:80", "healthy")]);
    site.reader.tick_after_ms(100);
    let call = site.send(0);
    let failing = site.pollers[0].clone();
    let versions = Some("spillgate.3.versions");
    failing.borrow().worker.write_protected.set(versions);
    site.respond(0, call, &[("10.0.0.2:80", "healthy")]);
    site.reader.tick_after_ms(100);
    assert_eq!(host(&site.reader).as_deref(), Some("10.0.0.1:80"));
    let call = site.send(1);
    site.respond(1, call, &[("10.0.0.2:80", "healthy")]);
    site.reader.tick_after_ms(100);
    assert_eq!(host(&site.reader).as_deref(), Some("10.0.0.2:80"));
}
