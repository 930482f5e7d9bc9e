//! The host that responds, compared with the decision.

use std::sync::Arc;

use spillgate_modulehost::{
    ClusterHosts, FakeEnvoy, HostHeaders, HostRequest, HostRoute, HttpStream, LoadedFilter,
};

const HOSTS: [&str; 3] = ["10.0.0.1:80", "10.0.0.2:80", "10.0.0.3:80"];
const OTHER: &str = "10.9.9.9:80";
const SESSION: &str = "x-session";

fn filter(more: &str) -> Arc<LoadedFilter> {
    let text = format!(
        r#"{{"clusters": [{{"name": "shop", "lb_policy": "ROUND_ROBIN"}}], "target": "shop" {more}}}"#
    );
    LoadedFilter::read(text.as_bytes()).expect("a valid configuration")
}

fn asked(filter: &Arc<LoadedFilter>, request: HostRequest) -> HttpStream {
    let stream = HttpStream::open(filter, request, HostRoute::to("shop"));
    assert!(stream.request_headers(), "the request continues");
    stream
}

/// What a response counts as a decision without effect: by another host, and without a host.
fn counted(more: &str, respond: impl FnOnce(&HttpStream)) -> (u64, u64) {
    let mut envoy = FakeEnvoy::start(0);
    envoy.add_cluster("shop", b"{}", &ClusterHosts::of(&HOSTS));
    let filter = filter(more);
    let stream = asked(&filter, HostRequest::get("/"));
    respond(&stream);
    let count = |reason| stream.counted(&format!("spillgate.decisions.not_followed.{reason}"));
    let counts = (count("other_host"), count("no_host"));
    drop((stream, filter));
    envoy.finish();
    counts
}

#[test]
fn a_host_outside_of_the_list_and_no_host_are_noticed() {
    let other = |stream: &HttpStream| stream.respond(OTHER, HostHeaders::default());
    assert_eq!(counted("", other), (1, 0));
    let messages = spillgate_modulehost::messages();
    let begin = "spillgate: a decision had no effect: of 10.0.0.";
    assert!(messages[0].contains(begin), "{messages:?}");
    assert!(
        messages[0].contains("policy of this module"),
        "{messages:?}"
    );
    for details in ["no_healthy_upstream", "cluster_not_found"] {
        assert_eq!(
            counted("", |stream| stream.respond_locally(details)),
            (0, 1)
        );
    }
}

#[test]
fn retries_and_responses_without_a_host_are_no_fault() {
    let after = |attempts| {
        move |stream: &HttpStream| {
            stream.set_attempts(attempts);
            stream.respond(OTHER, HostHeaders::default());
        }
    };
    assert_eq!(counted("", after(Some(4))), (0, 0));
    assert_eq!(
        counted("", after(None)),
        (0, 0),
        "the version does not tell"
    );
    let single = r#", "output": {"candidates": 1}"#;
    assert_eq!(
        counted(single, after(Some(1))),
        (0, 0),
        "Envoy checks its health"
    );
    for details in [
        "direct_response",
        "upstream_response_timeout",
        "ext_authz_denied",
    ] {
        assert_eq!(
            counted("", |stream| stream.respond_locally(details)),
            (0, 0)
        );
    }
}

#[test]
fn a_session_counts_by_the_host_that_responds() {
    let keys = r#", "affinity": {"header": {"name": "x-session"}, "keys": [{"id": 1,
        "secret": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}]}"#;
    let mut envoy = FakeEnvoy::start(0);
    envoy.add_cluster("shop", b"{}", &ClusterHosts::of(&HOSTS));
    let filter = filter(keys);
    let begun = asked(&filter, HostRequest::get("/"));
    let host = begun.host_list()[0].clone();
    begun.respond(&host, HostHeaders::default());
    let token = begun
        .response()
        .values(SESSION)
        .next()
        .map(<[u8]>::to_vec)
        .expect("a token");
    let resumed = || asked(&filter, HostRequest::get("/").header(SESSION, &token));
    let kept = |stream: &HttpStream| {
        (
            stream.counted("spillgate.sessions.kept"),
            stream.counted("spillgate.sessions.moved.retry"),
        )
    };
    let stays = resumed();
    assert_eq!(kept(&stays), (0, 0), "the response decides");
    stays.respond(&host, HostHeaders::default());
    assert_eq!(kept(&stays), (1, 0));
    let moves = resumed();
    let second = moves.host_list()[1].clone();
    moves.set_attempts(Some(2));
    moves.respond(&second, HostHeaders::default());
    assert_eq!(kept(&moves), (0, 1));
    assert_eq!(moves.response().values(SESSION).count(), 1, "a new token");
    drop((begun, stays, moves, filter));
    envoy.finish();
}
