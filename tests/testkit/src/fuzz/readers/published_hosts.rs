//! The state of hosts in shared data, which another version of the filter may have written.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::Duration;

use spillgate_config::filter::{self, FilterConfig};
use spillgate_core::snapshot::Snapshot;
use spillgate_steer::port::{AdminResponse, CallId, HealthPort, Plugin, ShareOutcome, SharedValue};
use spillgate_steer::{Balancing, CompiledConfig, Configuration, PluginInstance};

/// The clusters of the seed.
const CLUSTERS: [&str; 2] = ["ring", "subset"];

/// A proxy without metrics and log: shared data, and the number of calls.
#[derive(Default)]
struct Proxy {
    shared: RefCell<BTreeMap<String, Vec<u8>>>,
    calls: Cell<CallId>,
}

static CONFIG: LazyLock<FilterConfig> = LazyLock::new(|| {
    let text = include_str!("../../../seeds/live.json");
    filter::read(text).expect("a legal configuration")
});

/// The shared data after a poll of both clusters.
static POLLED: LazyLock<BTreeMap<String, Vec<u8>>> = LazyLock::new(|| {
    let proxy = Proxy::default();
    let mut poller = PluginInstance::default();
    let targets = CLUSTERS.map(|name| format!("\"{name}\"")).join(",");
    let poll = format!(r#"{{"poll": [{{"cluster": "admin", "targets": [{targets}]}}]}}"#);
    let poll = filter::read_poller(&poll).expect("a legal configuration");
    poller.configure(&proxy, Ok(Configuration::Poll(poll)));
    let text = include_str!("../../../seeds/clusters.txt");
    let response = AdminResponse {
        call: 0,
        status: Some(b"200"),
        body: &text.as_bytes().to_vec(),
    };
    poller.on_admin_response(&proxy, &response);
    proxy.shared.into_inner()
});

/// The shared data after a poll: the values in the order of their keys, each after its length in
/// two bytes.
pub(in crate::fuzz) fn seeds() -> Vec<Vec<u8>> {
    let pieces = POLLED.values().map(|value| {
        let length = (value.len() as u16).to_le_bytes();
        [length.as_slice(), value].concat()
    });
    vec![pieces.collect::<Vec<_>>().concat()]
}

/// Applies the input as shared data: a worker starts with it, and meets it after a legal state.
pub(in crate::fuzz) fn read(input: &[u8]) {
    let proxy = Proxy::default();
    proxy.put(input);
    let started = Balancing::begin(&proxy, CompiledConfig::new(CONFIG.clone()), None);
    check(started.snapshot());
    *proxy.shared.borrow_mut() = POLLED.clone();
    let mut running = Balancing::begin(&proxy, CompiledConfig::new(CONFIG.clone()), None);
    let hosts = hosts(running.snapshot());
    assert_eq!(hosts, [2, 1], "the hosts of the seed");
    proxy.put(input);
    running.tick(&proxy);
    check(running.snapshot());
}

/// Every cluster can be asked for its shares, which add up.
fn check(snapshot: &Snapshot) {
    for (id, cluster) in snapshot.clusters() {
        let found = snapshot.distribution(id, Some(7));
        let sum: f64 = found.shares.iter().map(|share| share.share).sum();
        assert!(
            (sum + found.no_host - 100.0).abs() < 1e-6,
            "{}: {sum}",
            cluster.name
        );
    }
}

/// The number of hosts of each cluster.
fn hosts(snapshot: &Snapshot) -> Vec<usize> {
    let plain = snapshot.clusters().filter_map(|(id, _)| snapshot.plain(id));
    let hosts = plain.map(|plain| {
        let priorities = plain.priorities.iter();
        priorities
            .map(|priority| priority.configured.endpoints.len())
            .sum()
    });
    hosts.collect()
}

impl Proxy {
    /// Replaces the values of the legal state by those of an input.
    fn put(&self, mut input: &[u8]) {
        let mut shared = self.shared.borrow_mut();
        for key in POLLED.keys() {
            let Some((length, rest)) = input.split_first_chunk() else {
                return;
            };
            let length = usize::from(u16::from_le_bytes(*length)).min(rest.len());
            let (value, after) = rest.split_at(length);
            shared.insert(key.clone(), value.to_vec());
            input = after;
        }
    }
}

impl Plugin for Proxy {
    fn wall_clock(&self) -> u64 {
        1_800_000_000_000_000_000
    }

    fn monotonic_clock(&self) -> Option<u64> {
        Some(5_000_000_000_000)
    }

    fn random(&self, bytes: &mut [u8]) -> bool {
        bytes.fill(7);
        true
    }
}

impl HealthPort for Proxy {
    fn shared(&self, key: &str) -> Option<SharedValue> {
        let shared = self.shared.borrow();
        shared.get(key).map(|bytes| SharedValue {
            bytes: bytes.clone(),
            // There is only one poller, so no write can conflict.
            revision: 1,
        })
    }

    fn share(&self, key: &str, value: &[u8], _: Option<u32>) -> ShareOutcome {
        let mut shared = self.shared.borrow_mut();
        shared.insert(key.to_owned(), value.to_vec());
        ShareOutcome::Stored
    }

    fn get(&self, _: &str, _: &str, _: Duration) -> Option<CallId> {
        Some(self.calls.replace(self.calls.get() + 1))
    }
}
