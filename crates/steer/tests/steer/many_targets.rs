//! Polls of many clusters: how many requests they take, in which order, and what the admin does for
//! them.

use std::{cell::Cell, collections::BTreeMap};

use spillgate_steer::port::AdminResponse;

use crate::environment::Proxy;

const SECOND: u64 = 1_000;

/// A proxy whose admin interface is a model, which answers one call after another.
struct Site {
    poller: Proxy,
    /// The clusters of the proxy, with the numbers of their hosts.
    clusters: BTreeMap<String, usize>,
    /// How many calls were answered.
    answered: usize,
    /// How many clusters the admin has looked at, for all calls.
    walked: Cell<usize>,
    /// The time in milliseconds of each read of a cluster.
    read: BTreeMap<String, Vec<u64>>,
    /// The most calls without a response at any time.
    most_open: usize,
    now: u64,
}

impl Site {
    /// Polls these clusters every second.
    fn open(names: &[String], hosts: usize) -> Self {
        let quoted: Vec<String> = names.iter().map(|name| format!(r#""{name}""#)).collect();
        let poll = format!(
            r#"{{"poll": [{{"cluster": "admin", "targets": [{}], "interval": "1s"}}]}}"#,
            quoted.join(", ")
        );
        Self {
            poller: Proxy::polling(&poll),
            clusters: names.iter().map(|name| (name.clone(), hosts)).collect(),
            answered: 0,
            walked: Cell::new(0),
            read: BTreeMap::new(),
            most_open: 0,
            now: 0,
        }
    }

    /// Answers the oldest call; `None` if none is open. Returns the size of the response.
    fn answer(&mut self) -> Option<usize> {
        self.most_open = self.most_open.max(self.poller.polls() - self.answered);
        let path = self
            .poller
            .worker
            .calls
            .borrow()
            .get(self.answered)
            .cloned()?;
        let text = self.text(&path);
        let size = text.len();
        // Envoy drops larger responses.
        let too_large = size > 32 << 20;
        let response = AdminResponse {
            call: u32::try_from(self.answered).unwrap(),
            status: (!too_large).then_some(&b"200"[..]),
            body: &text.into_bytes(),
        };
        let (instance, worker) = (&mut self.poller.instance, &self.poller.worker);
        worker.logs(|worker| instance.on_admin_response(worker, &response));
        self.answered += 1;
        Some(size)
    }

    /// Answers the oldest call as a proxy whose admin is unreachable does; `false` if none is open.
    fn refuse(&mut self) -> bool {
        if self.answered == self.poller.polls() {
            return false;
        }
        let response = AdminResponse {
            call: u32::try_from(self.answered).unwrap(),
            status: Some(b"503"),
            body: &Vec::new(),
        };
        let (instance, worker) = (&mut self.poller.instance, &self.poller.worker);
        worker.logs(|worker| instance.on_admin_response(worker, &response));
        self.answered += 1;
        true
    }

    /// The response to a call, as the admin makes it: it looks at every cluster.
    fn text(&mut self, path: &str) -> String {
        let pattern = path
            .strip_prefix("/clusters?filter=%5E")
            .unwrap()
            .strip_suffix("%24")
            .unwrap();
        let list = pattern
            .strip_prefix("%28")
            .map_or(pattern, |of| of.strip_suffix("%29").unwrap());
        let names: Vec<&str> = list.split("%7C").collect();
        self.walked.set(self.walked.get() + self.clusters.len());
        let mut text = String::new();
        for name in names {
            let Some(hosts) = self.clusters.get(name) else {
                continue;
            };
            self.read.entry(name.to_owned()).or_default().push(self.now);
            text.push_str(&format!("{name}::added_via_api::false\n"));
            for host in 0..*hosts {
                let address = format!("10.{}.{}.{}:80", host >> 16, host >> 8 & 255, host & 255);
                text.push_str(&format!("{name}::{address}::health_flags::healthy\n"));
            }
        }
        text
    }

    /// Lets time pass; the admin answers at most `answers` calls in each tenth of a second.
    fn pass(&mut self, milliseconds: u64, answers: usize) {
        for _ in 0..milliseconds / 100 {
            for _ in 0..answers {
                self.answer();
            }
            self.now += 100;
            self.poller.tick_after_ms(100);
        }
    }
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("shop-{number}")).collect()
}

#[test]
fn ten_thousand_clusters_are_read_by_few_requests() {
    let mut site = Site::open(&names(10_000), 1);
    while site.answer().is_some() {}
    assert_eq!(site.read.len(), 10_000, "each without a further tick");
    assert!(site.answered <= 20, "{} requests", site.answered);
    assert_eq!(
        site.poller.worker.metric("spillgate.health.poll_failures"),
        0
    );
    let key = |number: usize| format!("spillgate.3.hosts.admin/shop-{number}");
    let shared = site.poller.worker.shared.borrow();
    assert!((0..10_000).all(|number| !shared[&key(number)].bytes.is_empty()));
}

#[test]
fn the_work_of_the_admin_grows_with_the_number_of_targets() {
    let walked = [1_000, 10_000].map(|count| {
        let mut site = Site::open(&names(count), 1);
        site.pass(10 * SECOND, 100);
        let reads: usize = site.read.values().map(Vec::len).sum();
        assert!(reads >= 9 * count, "{reads} reads of {count} clusters");
        site.walked.get() / reads
    });
    assert!(
        walked.iter().all(|each| *each <= 20),
        "{walked:?} for each read"
    );
}

/// The filter list of each of these clusters is long, so that there are many batches.
fn long_names(count: usize) -> Vec<String> {
    let long = |number: usize| format!("{number:05}{}", "x".repeat(4_000));
    (0..count).map(long).collect()
}

#[test]
fn ticks_are_as_frequent_as_the_requests_of_an_interval_up_to_ten() {
    let period = |names: &[String]| {
        let site = Site::open(names, 1);
        site.poller.worker.ticks.get().0.as_millis()
    };
    assert_eq!(period(&names(100)), 1_000, "one request");
    assert_eq!(period(&long_names(400)), 100, "many requests");
    let each = |interval| {
        format!(r#"{{"cluster": "{interval}", "targets": ["c"], "interval": "{interval}"}}"#)
    };
    let both = format!(r#"{{"poll": [{}, {}]}}"#, each("5s"), each("2s"));
    let ticks = Proxy::polling(&both).worker.ticks.get();
    assert_eq!(ticks.0.as_millis(), 2_000, "the shorter interval");
}

#[test]
fn few_calls_are_open_and_none_waits_longer_than_the_others() {
    let names = long_names(400);
    let mut site = Site::open(&names, 1);
    // One answer in a tenth of a second: an admin that is too slow for the interval.
    let (mut late_since, mut logged_at) = (None, None);
    for _ in 0..600 {
        site.pass(100, 1);
        let worker = &site.poller.worker;
        let calls = worker.calls.borrow();
        // The first batch is asked for again after an interval, but all others come before it.
        if calls[1..].contains(&calls[0]) {
            late_since.get_or_insert(site.now);
        }
        if !worker.log.borrow().is_empty() {
            logged_at.get_or_insert(site.now);
        }
    }
    assert!(site.most_open <= 4, "{} open calls", site.most_open);
    assert_eq!(site.read.len(), 400, "no cluster starves");
    for (name, times) in &site.read {
        let longest = times
            .windows(2)
            .map(|pair| pair[1] - pair[0])
            .max()
            .unwrap_or(u64::MAX);
        assert!(longest <= 8 * SECOND, "{longest} ms for {name:.5}");
    }
    let log = site.poller.worker.log.borrow();
    let cause = "its 400 targets are too many for an interval of 1000 ms";
    assert!(log.len() == 1 && log[0].contains(cause), "{log:?}");
    let (_, late) = log[0].split_once(" are ").unwrap();
    let late: u64 = late.split(' ').next().unwrap().parse().unwrap();
    assert!(late > SECOND, "{log:?}");
    let waited = logged_at.unwrap() - late_since.unwrap();
    assert_eq!(waited, 3 * SECOND + 100, "longer than three intervals");
}

#[test]
fn a_response_that_is_too_large_is_asked_for_in_parts() {
    // About 40 MiB for all of them.
    let mut site = Site::open(&names(200), 5_000);
    while site.answer().is_some() {}
    site.pass(SECOND, 100);
    assert_eq!(site.read.len(), 200);
    let failures = site.poller.worker.metric("spillgate.health.poll_failures");
    assert_eq!(failures, 1, "only the first one");
    let read_parts = |site: &mut Site| {
        let before = site.answered;
        for _ in 0..10 {
            while let Some(size) = site.answer() {
                assert!(size <= 12 << 20, "{size} bytes");
            }
            site.pass(100, 0);
        }
        assert!(site.answered - before >= 4, "not all parts");
    };
    read_parts(&mut site);
    // A failed poll doesn't say that the hosts would fit into a larger part.
    for _ in 0..20 {
        while site.refuse() {}
        site.pass(100, 0);
    }
    read_parts(&mut site);
}

#[test]
fn a_cluster_that_cannot_be_read_does_not_hide_the_others() {
    let mut site = Site::open(&names(100), 1);
    site.clusters.insert("shop-7".into(), 0);
    let path = site.poller.worker.calls.borrow()[0].clone();
    let faulty = site.text(&path) + "shop-7::10.0.0.1:80::weight::none\n";
    site.poller.respond_to_call_with(0, &faulty);
    site.answered = 1;
    let shared = |site: &Site, number: usize| {
        let key = format!("spillgate.3.versions.admin/shop-{number}");
        !site.poller.worker.shared.borrow()[&key].bytes.is_empty()
    };
    assert!(!shared(&site, 1));
    site.pass(SECOND, 10);
    assert!((0..100).all(|number| shared(&site, number)));
}

#[test]
fn a_failed_poll_names_its_clusters_and_those_that_the_response_omits() {
    for (asked, in_response, expected) in [
        (
            1,
            "other::added_via_api::false\n",
            "shop-0 through admin failed; keeping last known state: response omits the cluster",
        ),
        (
            2,
            "shop-0::added_via_api::false\n",
            "shop-0 and 1 more through admin failed; keeping last known state: response omits the \
             cluster: shop-1",
        ),
        (
            4,
            "shop-1::added_via_api::false\n",
            "shop-0 and 3 more through admin failed; keeping last known state: response omits the \
             cluster: shop-0 and 2 more",
        ),
    ] {
        let mut poller = Site::open(&names(asked), 1).poller;
        poller.respond_to_call_with(0, in_response);
        let expected = format!("spillgate: poll of {expected}");
        assert_eq!(*poller.worker.log.borrow(), [expected]);
    }
}

#[test]
fn an_unreachable_admin_is_asked_by_few_calls() {
    let mut site = Site::open(&names(3_000), 1);
    for _ in 0..100 {
        while site.refuse() {}
        site.poller.tick_after_ms(100);
    }
    assert!(
        site.answered <= 40,
        "{} calls in ten seconds",
        site.answered
    );
    let log = site.poller.worker.log.borrow().clone();
    assert!(log.len() <= 3, "{log:?}");
    let cause = "poll of shop-0 and 999 more through admin failed; keeping last known state: status \
                 503: the admin is not reachable, or its cluster allows no further request";
    assert!(log[0].contains(cause), "{log:?}");
}
