//! A poller and workers of one Envoy, and an admin that answers what the test says.

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

/// A host of an answer: its address, priority and flags.
pub(crate) type Told<'a> = (&'a str, u32, &'a str);

impl Envoy {
    /// A poller that asks about `targets` every second, and a worker that serves this.
    pub(crate) fn start(targets: &[&str], configuration: &Value) -> Self {
        let shared = Shared::default();
        let poll =
            json!({"poll": [{"cluster": ADMIN, "targets": targets, "metadata_interval": "10s"}]});
        let main = poller(&shared, &poll);
        let worker = worker(&shared, 1, configuration);
        Self { main, worker }
    }

    /// Lets time pass for all.
    pub(crate) fn advance(&mut self, by: Duration) {
        self.main.advance(by).unwrap();
        self.worker.advance(by).unwrap();
    }

    /// Answers every open question about hosts with this text, then lets the worker look.
    pub(crate) fn tell(&mut self, text: &str) {
        answer(&mut self.main, "/clusters", &CalloutReply::new(200, text));
        self.worker.advance(Duration::from_millis(100)).unwrap();
        self.main.advance(Duration::from_millis(100)).unwrap();
    }

    /// A second later, the next poll is answered with this text.
    pub(crate) fn tell_next(&mut self, text: &str) {
        self.advance(SECOND);
        self.tell(text);
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

/// A worker that serves this.
pub(crate) fn worker(shared: &Shared, seed: u64, configuration: &Value) -> TestHost {
    let mut worker = TestHost::load_sharing(&wasm(), shared, seed).unwrap();
    worker.add_cluster(ADMIN);
    let configured = worker.configure(&bytes(configuration)).unwrap();
    assert!(configured.accepted, "{:#?}", configured.logs);
    worker
}

/// The path of a question.
pub(crate) fn path(callout: &Callout) -> &str {
    callout.headers.text(":path").unwrap_or_default()
}

/// Answers every open question whose path begins so.
pub(crate) fn answer(host: &mut TestHost, begins: &str, reply: &CalloutReply) -> usize {
    let open: Vec<u32> = host
        .callouts()
        .iter()
        .filter(|callout| path(callout).starts_with(begins))
        .map(|callout| callout.token)
        .collect();
    for token in &open {
        host.answer(*token, reply.clone()).unwrap();
    }
    open.len()
}

/// `/clusters` about one cluster, shortened to what counts.
pub(crate) fn clusters(cluster: &str, hosts: &[Told<'_>]) -> String {
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
