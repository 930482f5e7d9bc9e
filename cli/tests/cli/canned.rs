//! A server that answers as the admin interface of an Envoy with `examples/envoy.yaml` does.

use std::{
    path::Path,
    sync::{Arc, Mutex},
};

use spillgate_testkit::{CannedServer, canned_response};

/// The responses of Envoy 1.40 with this configuration.
const DUMP: &str = include_str!("canned/config_dump.json");
const CLUSTERS: &str = include_str!("canned/clusters.txt");
/// The counters of the Live screen, as in the routes of the demo.
const LIVE_STATS: &str = "/stats?filter=%5E%28%28wasm%7Cdynamicmodules%29custom%5C.spillgate%5C.%7Cserver%5C.uptime%24%29";
const RUNTIME: &str = r#"{"entries": {}, "layers": []}"#;

/// The requests of each host between two reads, as `spillgate split` predicts them: 70 % of the cluster `shop`
/// on P0, whose Maglev table has almost equal parts.
pub(crate) const PREDICTED: [(&str, u64); 6] = [
    ("10.0.0.1:80", 3_500),
    ("10.0.0.2:80", 3_500),
    ("10.0.0.3:80", 0),
    ("10.0.0.4:80", 0),
    ("10.0.1.1:80", 1_500),
    ("10.0.1.2:80", 1_500),
];

/// The text of /clusters after `reads` intervals with these requests.
pub(crate) fn clusters(reads: u64, requests: &[(&str, u64)]) -> String {
    let line = |line: &str| match line.strip_suffix("::rq_total::0") {
        None => line.to_owned() + "\n",
        Some(host) => {
            let found = requests
                .iter()
                .find(|(address, _)| host.ends_with(&format!("::{address}")));
            format!(
                "{host}::rq_total::{}\n",
                found.map_or(0, |(_, each)| each * reads)
            )
        }
    };
    CLUSTERS.lines().map(line).collect()
}

/// An answer to each path; `text` is that of /clusters at its n-th read, from 0.
pub(crate) fn answers(
    text: impl Fn(u64) -> String + Send + Sync + 'static,
) -> impl Fn(&str) -> Vec<u8> + Send + Sync {
    answers_with(DUMP.to_owned(), text)
}

/// The same of an Envoy whose cluster `shop` has no hash policy.
pub(crate) fn round_robin_answers(
    text: impl Fn(u64) -> String + Send + Sync + 'static,
) -> impl Fn(&str) -> Vec<u8> + Send + Sync {
    assert!(DUMP.contains("\"MAGLEV\""));
    answers_with(DUMP.replace("\"MAGLEV\"", "\"ROUND_ROBIN\""), text)
}

fn answers_with(
    dump: String,
    text: impl Fn(u64) -> String + Send + Sync + 'static,
) -> impl Fn(&str) -> Vec<u8> + Send + Sync {
    let reads = Arc::new(Mutex::new(0));
    move |path| match path {
        "/config_dump?include_eds" => canned_response("200 OK", "", &dump),
        "/clusters" => {
            let mut reads = reads.lock().unwrap();
            *reads += 1;
            canned_response("200 OK", "", &text(*reads - 1))
        }
        "/runtime" => canned_response("200 OK", "", RUNTIME),
        "/clusters?format=json" => canned_response("200 OK", "", "{\"cluster_statuses\": []}"),
        LIVE_STATS => canned_response("200 OK", "", "server.uptime: 5\n"),
        _ => canned_response("404 Not Found", "", ""),
    }
}

/// From a path to a response.
type Answer = Box<dyn Fn(&str) -> Vec<u8> + Send + Sync>;

/// Admin interfaces at sockets in a folder. The hosts of `admin.sock` get the predicted requests between
/// reads. The others fail in different ways.
pub(crate) fn serve_in(folder: &Path) {
    let serve = |name: &str, answer: Answer| {
        CannedServer::unix(&folder.join(name), answer).unwrap();
    };
    serve(
        "admin.sock",
        Box::new(answers(|read| clusters(read, &PREDICTED))),
    );
    serve("restless.sock", Box::new(answers(restless)));
    let fixed = |status: &'static str, body: &'static str| {
        Box::new(move |_: &str| canned_response(status, "", body))
    };
    serve(
        "forbidden.sock",
        fixed("403 Forbidden", "request to path /config_dump not allowed"),
    );
    serve(
        "web.sock",
        fixed("200 OK", "<!doctype html><title>Shop</title>"),
    );
    // The client stops waiting first.
    serve(
        "silent.sock",
        Box::new(|_| {
            std::thread::park();
            Vec::new()
        }),
    );
}

/// Each read finds another weight.
pub(crate) fn restless(read: u64) -> String {
    let text = clusters(read, &PREDICTED);
    match read % 2 {
        0 => text,
        _ => text.replace("10.0.0.1:80::weight::1", "10.0.0.1:80::weight::2"),
    }
}
