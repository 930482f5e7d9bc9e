//! Streams that stay open for a long time: they must not keep the hosts of the time when they
//! began.

use crate::common::live::*;
use crate::common::*;
use serde_json::json;
use spillgate_testhost::{FilterResponse, InFlight, Property};

/// The number of streams, and of changes: each stream begins under other hosts.
const STREAMS: usize = 1_000;
/// The number of hosts of each change. All of them together take far more than [`MOST_GROWTH`].
const HOSTS: usize = 60;
/// The maximum growth of the guest's memory: 5 MB.
const MOST_GROWTH: usize = 5_000_000;

/// The hosts after a change: the first always stays, one of the others leaves.
fn hosts_after(change: usize) -> String {
    let addresses: Vec<String> = (0..=HOSTS)
        .filter(|host| *host == 0 || *host != 1 + change % HOSTS)
        .map(|host| format!("10.0.{}.{}:80", host / 250, host % 250 + 1))
        .collect();
    let hosts: Vec<ReportedHost<'_>> = addresses
        .iter()
        .map(|address| (address.as_str(), 0, "healthy"))
        .collect();
    clusters("shop", &hosts)
}

#[test]
fn open_streams_keep_no_hosts() {
    let mut configuration = followed(plain("ROUND_ROBIN", &[healthy(0, 1)]));
    configuration["affinity"] = json!({
        "header": {"name": "x-token"},
        "keys": [{"id": 1, "secret": "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA="}],
    });
    configuration["trace"] = json!({
        "header": TRACE_HEADER,
        "when": {"header": "x-debug", "value": "0123456789abcdef"},
    });
    let mut envoy = Envoy::start(&["shop"], &configuration);
    let mut change = 0;
    let mut change_hosts = |envoy: &mut Envoy| {
        change += 1;
        envoy.respond_next(&hosts_after(change));
        change
    };
    // The first changes fill buffers.
    for _ in 0..20 {
        change_hosts(&mut envoy);
    }
    let rebuilds = envoy.counter("health.rebuilds");
    let before = envoy.worker.memory_bytes();
    let mut open: Vec<InFlight> = Vec::new();
    for stream in 0..STREAMS {
        let request = user(&format!("u{stream}")).header("x-debug", "0123456789abcdef");
        open.push(envoy.worker.begin(request).unwrap());
        change_hosts(&mut envoy);
    }
    let grown = envoy.worker.memory_bytes() - before;
    assert_eq!(
        envoy.counter("health.rebuilds") - rebuilds,
        STREAMS as u64,
        "every change adds or removes hosts"
    );
    assert!(
        grown < MOST_GROWTH,
        "{STREAMS} open streams and as many changes took {grown} bytes"
    );
    // The streams end: each gets a token for the host that responded and is still known.
    let address = Property::Value(b"10.0.0.1:80".to_vec());
    envoy.worker.set_property(&["upstream", "address"], address);
    for stream in open {
        let exchange = envoy
            .worker
            .finish(stream, FilterResponse::new(200))
            .unwrap();
        assert!(exchange.response_headers.text("x-token").is_some());
        let trace = exchange.response_headers.text(TRACE_HEADER).unwrap();
        assert!(trace.contains("10.0."), "{trace}");
    }
    // A host that has left gets no token, so that its client comes back as a new one.
    let begun = envoy.worker.begin(user("last")).unwrap();
    let gone = Property::Value(b"10.9.9.9:80".to_vec());
    envoy.worker.set_property(&["upstream", "address"], gone);
    let exchange = envoy.worker.finish(begun, FilterResponse::new(200));
    assert!(!exchange.unwrap().response_headers.has("x-token"));
}
