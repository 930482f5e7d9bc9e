//! The client with servers that answer as Envoy does, or as it must not.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

use std::path::Path;
use std::time::Duration;

use spillgate_admin::{AdminClient, AdminLimits, AdminPath};
use spillgate_testkit::{CannedServer, canned_response, fresh_dir};

const CLUSTERS: &str = "c::10.0.0.1:80::health_flags::healthy\n";

fn client(url: &str, limits: AdminLimits) -> AdminClient {
    AdminClient::new(url.parse().unwrap(), limits)
}

/// The error for a server that sends these bytes for /clusters.
fn fault_of(response: &[u8], limits: AdminLimits) -> String {
    let response = response.to_vec();
    let server = CannedServer::tcp(move |_| response.clone()).unwrap();
    let fault = client(&server.url, limits)
        .get(AdminPath::Clusters)
        .unwrap_err();
    fault.to_string()
}

fn fault(response: &[u8]) -> String {
    fault_of(response, AdminLimits::default())
}

#[test]
fn responses_are_text_with_their_url() {
    let server = CannedServer::tcp(|path| match path {
        "/clusters" => canned_response("200 OK", "", CLUSTERS),
        _ => canned_response("200 OK", "", "{\"configs\": []}"),
    })
    .unwrap();
    let client = client(&server.url, AdminLimits::default());
    let clusters = client.get(AdminPath::Clusters).unwrap();
    assert_eq!(clusters.text, CLUSTERS);
    assert_eq!(clusters.name, format!("{}/clusters", server.url));
    let dump = client.get(AdminPath::ConfigDump).unwrap();
    assert_eq!(dump.text, "{\"configs\": []}");
    assert_eq!(
        server.requests(),
        ["GET /clusters", "GET /config_dump?include_eds"]
    );
}

#[test]
fn unix_sockets_are_used_like_addresses() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unix");
    fresh_dir(&folder).unwrap();
    let path = folder.join("admin.sock");
    let server = CannedServer::unix(&path, |_| canned_response("200 OK", "", CLUSTERS)).unwrap();
    let client = client(&server.url, AdminLimits::default());
    for _ in 0..2 {
        assert_eq!(client.get(AdminPath::Clusters).unwrap().text, CLUSTERS);
    }
    assert_eq!(server.requests().len(), 2);

    let missing = format!("unix:{}", folder.join("missing.sock").display());
    let fault = self::client(&missing, AdminLimits::default())
        .get(AdminPath::Clusters)
        .unwrap_err();
    assert_eq!(fault.code, "admin/unreachable", "{fault}");
}

#[test]
fn chunked_responses_are_read_to_their_end() {
    let (one, two) = CLUSTERS.split_at(10);
    let chunked = format!(
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n{one}\r\n{:x}\r\n{two}\r\n0\r\n\r\n",
        one.len(),
        two.len()
    );
    let server = CannedServer::tcp(move |_| chunked.clone().into_bytes()).unwrap();
    let client = client(&server.url, AdminLimits::default());
    assert_eq!(client.get(AdminPath::Clusters).unwrap().text, CLUSTERS);
}

#[test]
fn redirects_are_not_followed() {
    let elsewhere = CannedServer::tcp(|_| canned_response("200 OK", "", CLUSTERS)).unwrap();
    let location = format!("location: {}/clusters\r\n", elsewhere.url);
    let found = fault(&canned_response("302 Found", &location, ""));
    assert!(
        found.starts_with("admin/status: redirects are not followed"),
        "{found}"
    );
    assert!(found.contains("found status 302, location"), "{found}");
    assert_eq!(elsewhere.requests().len(), 0);
}

#[test]
fn other_statuses_are_errors_that_name_the_status() {
    for (status, reason) in [
        ("403 Forbidden", "allow the path in `admin.allow_paths`"),
        ("404 Not Found", "unknown path"),
        ("503 Service Unavailable", "Envoy refused the request"),
    ] {
        let found = fault(&canned_response(status, "", "no"));
        assert!(
            found.starts_with("admin/status: ") && found.contains(reason),
            "{found}"
        );
        assert!(found.contains(&status[..3]), "{found}");
    }
}

#[test]
fn a_response_above_the_size_limit_is_refused() {
    let limits = AdminLimits {
        bytes: CLUSTERS.len(),
        ..AdminLimits::default()
    };
    let exact = canned_response("200 OK", "", CLUSTERS);
    let server = CannedServer::tcp(move |_| exact.clone()).unwrap();
    let client = client(&server.url, limits);
    assert_eq!(client.get(AdminPath::Clusters).unwrap().text, CLUSTERS);

    let longer = CLUSTERS.repeat(2);
    let found = fault_of(&canned_response("200 OK", "", &longer), limits);
    assert!(found.starts_with("input/too-large: "), "{found}");
    // A length that is only announced counts as well; without one, the received bytes count.
    let endless = format!("HTTP/1.1 200 OK\r\n\r\n{longer}");
    let found = fault_of(endless.as_bytes(), limits);
    assert!(found.starts_with("input/too-large: "), "{found}");
}

#[test]
fn a_slow_response_is_refused_after_the_time_limit() {
    let limits = AdminLimits {
        time: Duration::from_millis(200),
        ..AdminLimits::default()
    };
    let (hold, held) = std::sync::mpsc::channel::<()>();
    let held = std::sync::Mutex::new(held);
    let server = CannedServer::tcp(move |_| {
        // Ends when the test drops `hold`.
        let _ = held.lock().map(|held| held.recv());
        Vec::new()
    })
    .unwrap();
    let found = client(&server.url, limits)
        .get(AdminPath::Clusters)
        .unwrap_err();
    drop(hold);
    assert_eq!(found.code, "admin/timeout", "{found}");
    assert!(
        found.to_string().contains("no response in 200ms"),
        "{found}"
    );
}

#[test]
fn incomplete_responses_are_refused() {
    let announced = format!("HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{CLUSTERS}");
    let chunked = format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n900\r\n{CLUSTERS}");
    for response in [
        announced.as_str(),
        &chunked,
        "HTTP/1.1 200 OK\r\nconte",
        "",
        "SSH-2.0-x\r\n",
    ] {
        let found = fault(response.as_bytes());
        assert!(
            found.starts_with("admin/response: "),
            "{response:?}: {found}"
        );
    }
}

#[test]
fn responses_of_other_servers_are_refused() {
    let found = fault(&canned_response(
        "200 OK",
        "",
        "<!doctype html><title>shop</title>",
    ));
    assert!(
        found.starts_with("admin/response: response is not from Envoy's admin"),
        "{found}"
    );
    assert!(found.contains("<!doctype html>"), "{found}");
    let found = fault(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n\xff\xfe");
    assert!(found.contains("UTF-8"), "{found}");
}

#[test]
fn an_address_without_a_server_is_unreachable() {
    // The port was just free, and nothing else on this address uses it.
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let fault = client(&format!("http://{port}"), AdminLimits::default()).get(AdminPath::Clusters);
    assert_eq!(fault.unwrap_err().code, "admin/unreachable");
}

/// A proxy would receive the request, and could answer it.
#[test]
fn environment_variables_for_proxies_are_ignored() {
    const CHILD: &str = "SPILLGATE_TEST_ADMIN";
    if let Ok(url) = std::env::var(CHILD) {
        assert_eq!(
            client(&url, AdminLimits::default())
                .get(AdminPath::Clusters)
                .unwrap()
                .text,
            CLUSTERS
        );
        return;
    }
    let proxy = CannedServer::tcp(|_| canned_response("502 Bad Gateway", "", "")).unwrap();
    let server = CannedServer::tcp(|_| canned_response("200 OK", "", CLUSTERS)).unwrap();
    let mut child = std::process::Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "environment_variables_for_proxies_are_ignored"]);
    for name in ["http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"] {
        child.env(name, &proxy.url);
    }
    let output = child.env(CHILD, &server.url).output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    assert_eq!((server.requests().len(), proxy.requests().len()), (1, 0));
}

/// The playground reads the same counters from `spillgate ui` as from the demo, and the same from its own snippet.
#[test]
fn the_counters_of_the_playground_are_those_of_the_demo() {
    let root = spillgate_testkit::repository();
    for file in [
        "envoy-config/demo/envoy.yaml",
        "playground/src/view/screens/live/snippet.yaml",
    ] {
        let text = std::fs::read_to_string(root.join(file)).unwrap();
        let rewrite = format!("prefix_rewrite: '{}'", AdminPath::LiveStats.text());
        assert!(text.contains(&rewrite), "{file}");
    }
    assert!(
        AdminPath::ClustersJson
            .text()
            .starts_with(AdminPath::Clusters.text())
    );
}
