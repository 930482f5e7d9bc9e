//! A poller and workers of one Envoy, and an admin interface with prepared responses.

use super::{bytes, wasm};
use serde_json::{Value, json};
use spillgate_testhost::{Callout, CalloutReply, Property, Shared, TestHost};
use std::time::Duration;

pub(crate) const ADMIN: &str = "spillgate_admin";
pub(crate) const SECOND: Duration = Duration::from_secs(1);

/// One Envoy: the VM of the main thread with the poller in it, and the VM of one worker.
pub(crate) struct Envoy {
    pub(crate) main: TestHost,
    pub(crate) worker: TestHost,
}

/// A host of a response: its address, priority and health flags.
pub(crate) type ReportedHost<'a> = (&'a str, u32, &'a str);

impl Envoy {
    /// A poller that polls `targets` every second, and a worker with this configuration.
    pub(crate) fn start(targets: &[&str], configuration: &Value) -> Self {
        let shared = Shared::default();
        let poll =
            json!({"poll": [{"cluster": ADMIN, "targets": targets, "metadata_interval": "10s"}]});
        let main = poller(&shared, &poll);
        let worker = worker(&shared, 1, configuration);
        Self { main, worker }
    }

    /// Advances the clock of both VMs.
    pub(crate) fn advance(&mut self, by: Duration) {
        self.main.advance(by).unwrap();
        self.worker.advance(by).unwrap();
    }

    /// Responds to every open poll of hosts with this text, then advances to the next tick.
    pub(crate) fn respond(&mut self, text: &str) {
        respond_to(&mut self.main, "/clusters", &CalloutReply::new(200, text));
        self.worker.advance(Duration::from_millis(100)).unwrap();
        self.main.advance(Duration::from_millis(100)).unwrap();
    }

    /// Advances to the next poll, and responds with this text.
    pub(crate) fn respond_next(&mut self, text: &str) {
        self.advance(SECOND);
        self.respond(text);
    }

    pub(crate) fn counter(&self, name: &str) -> u64 {
        self.worker.metrics().value(&format!("spillgate.{name}"))
    }
}

/// The VM of the main thread, with a poller of this configuration in it.
pub(crate) fn poller(shared: &Shared, poll: &Value) -> TestHost {
    let mut main = TestHost::load_sharing(&wasm(), shared, 0).unwrap();
    main.add_cluster(ADMIN);
    let id = Property::Value(b"spillgate-poller".to_vec());
    main.set_property(&["plugin_root_id"], id);
    let configured = main.add_root(&bytes(poll)).unwrap();
    assert!(configured.accepted, "{:#?}", configured.logs);
    main
}

/// A worker with this configuration.
pub(crate) fn worker(shared: &Shared, seed: u64, configuration: &Value) -> TestHost {
    let mut worker = TestHost::load_sharing(&wasm(), shared, seed).unwrap();
    worker.add_cluster(ADMIN);
    let configured = worker.configure(&bytes(configuration)).unwrap();
    assert!(configured.accepted, "{:#?}", configured.logs);
    worker
}

/// The path of a call.
pub(crate) fn path(callout: &Callout) -> &str {
    callout.headers.text(":path").unwrap_or_default()
}

/// Responds to every open call whose path has this prefix. Returns the number of calls.
pub(crate) fn respond_to(host: &mut TestHost, prefix: &str, reply: &CalloutReply) -> usize {
    let open: Vec<u32> = host
        .callouts()
        .iter()
        .filter(|callout| path(callout).starts_with(prefix))
        .map(|callout| callout.token)
        .collect();
    for token in &open {
        host.answer(*token, reply.clone()).unwrap();
    }
    open.len()
}

/// The lines of a host of the cluster `shop`, as Envoy 1.40 writes them.
pub(crate) fn all_lines(number: usize, flags: &str, priority: usize) -> String {
    let [_, a, b, c] = u32::try_from(number).unwrap().to_be_bytes();
    let figures = [
        "cx_active::0",
        "cx_connect_fail::0",
        "cx_total::0",
        "rq_active::0",
        "rq_error::0",
        "rq_success::0",
        "rq_timeout::0",
        "rq_total::0",
        "hostname::",
        &format!("health_flags::{flags}"),
        "weight::1",
        "region::eu-central-1",
        &format!("zone::zone-{}", number % 3),
        "sub_zone::",
        "canary::false",
        &format!("priority::{priority}"),
        "success_rate::-1",
        "local_origin_success_rate::-1",
    ];
    let line = |figure: &&str| format!("shop::10.{a}.{b}.{c}:8080::{figure}\n");
    figures.iter().map(line).collect()
}

/// A response of `/clusters` with one cluster, reduced to the fields that the filter reads.
pub(crate) fn clusters(cluster: &str, hosts: &[ReportedHost<'_>]) -> String {
    let mut text = format!("{cluster}::added_via_api::false\n");
    for (address, priority, flags) in hosts {
        for (name, value) in [
            ("rq_active", "0"),
            ("hostname", ""),
            ("health_flags", flags),
            ("weight", "1"),
            ("region", ""),
            ("zone", ""),
            ("sub_zone", ""),
            ("priority", &priority.to_string()),
        ] {
            text.push_str(&format!("{cluster}::{address}::{name}::{value}\n"));
        }
    }
    text
}

/// A configuration whose health comes from the admin.
pub(crate) fn followed(mut configuration: Value) -> Value {
    configuration["health"] = json!({"source": "admin", "cluster": ADMIN});
    configuration
}
