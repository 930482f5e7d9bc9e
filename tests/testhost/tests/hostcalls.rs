//! The hostcalls a filter lives on, tried with small guests in the text format.

use spillgate_testhost::{
    CalloutReply, FilterRequest, GuestLogLevel, HeaderMap, HostError, Property, Shared, Status,
    TestHost,
};
use std::time::Duration;

const HEADERS: &[u8] = include_bytes!("guests/headers.wat");
const WORLD: &[u8] = include_bytes!("guests/world.wat");

fn configured(wasm: &[u8]) -> TestHost {
    let mut host = TestHost::load(wasm).unwrap();
    assert!(host.configure(b"yes").unwrap().accepted);
    host
}

fn values<'a>(headers: &'a HeaderMap, name: &str) -> Vec<&'a [u8]> {
    headers.values(name).collect()
}

// === headers and requests ===

#[test]
fn headers_are_read_replaced_and_removed() {
    let mut host = configured(HEADERS);
    let request = FilterRequest::get("/")
        .header("X-A", "1")
        .header("x-a", "2")
        .header("x-first", "old")
        .header("x-first", "older")
        .header("x-drop", "1")
        .header("X-Drop", "2");
    let exchange = host.request(request).unwrap();
    let headers = &exchange.request_headers;
    assert_eq!(values(headers, "x-a"), [b"1", b"2"]);
    assert_eq!(values(headers, "x-first"), [b"1"]);
    assert!(!headers.has("x-drop"));
    assert_eq!(headers.text(":path"), Some("/"));
}

#[test]
fn the_request_headers_are_gone_in_the_response_phase() {
    let mut host = configured(HEADERS);
    let exchange = host
        .request(FilterRequest::get("/").header("x-a", "1"))
        .unwrap();
    assert_eq!(exchange.response_headers.text(":status"), Some("200"));
    let bad_argument = (Status::BadArgument as u32).to_string();
    assert_eq!(
        exchange.response_headers.text("x-status"),
        Some(bad_argument.as_str())
    );
}

#[test]
fn a_local_response_passes_through_the_response_phase() {
    let mut host = configured(HEADERS);
    let exchange = host
        .request(FilterRequest::get("/").header("x-stop", "1"))
        .unwrap();
    let local = exchange.local_response.unwrap();
    assert_eq!((local.status, local.body.as_slice()), (503, &b"no"[..]));
    assert_eq!(local.details, "stopped");
    assert_eq!(local.grpc_status, None);
    assert_eq!(exchange.response_headers.text(":status"), Some("503"));
    assert!(exchange.response_headers.has("x-status"));
    assert!(!exchange.paused);
}

#[test]
fn calls_are_counted_for_each_exchange() {
    let mut host = configured(HEADERS);
    host.request(FilterRequest::get("/").header("x-a", "1"))
        .unwrap();
    let exchange = host.request(FilterRequest::get("/")).unwrap();
    assert_eq!(exchange.calls["proxy_increment_metric"], 1);
    assert_eq!(exchange.calls["proxy_remove_header_map_value"], 1);
    // Six look-ups and one whole map in the request, one look-up in the response.
    assert_eq!(exchange.data_calls(), 8);
    assert!(exchange.fuel > 0);
}

#[test]
fn a_pointer_outside_the_memory_is_a_status() {
    let mut host = configured(HEADERS);
    let exchange = host
        .request(FilterRequest::get("/").header("x-wild", "1"))
        .unwrap();
    let status = (Status::InvalidMemoryAccess as u32).to_string();
    assert_eq!(
        exchange.request_headers.text("x-status"),
        Some(status.as_str())
    );
}

// === configurations ===

#[test]
fn a_refused_configuration_leaves_the_old_one_serving() {
    let mut host = configured(HEADERS);
    let refused = host.configure(b"no").unwrap();
    assert!(!refused.accepted);
    assert_eq!(refused.logs.len(), 1);
    assert_eq!(refused.logs[0].message, "no");
    assert_eq!(refused.logs[0].level, GuestLogLevel::Info);
    host.request(FilterRequest::get("/")).unwrap();
    assert_eq!(host.metrics().value("requests"), 1);
}

#[test]
fn a_request_before_any_configuration_is_an_error() {
    let mut host = TestHost::load(HEADERS).unwrap();
    assert!(!host.configure(b"no").unwrap().accepted);
    let error = host.request(FilterRequest::get("/")).unwrap_err();
    assert!(matches!(error, HostError::NotConfigured), "{error}");
}

#[test]
fn lines_below_the_level_are_not_logged() {
    let mut host = configured(HEADERS);
    host.set_log_level(GuestLogLevel::Warn);
    assert!(host.configure(b"yes").unwrap().logs.is_empty());
}

#[test]
fn several_requests_may_be_active() {
    let mut host = configured(HEADERS);
    let first = host
        .begin(FilterRequest::get("/1").header("x-a", "1"))
        .unwrap();
    let second = host
        .begin(FilterRequest::get("/2").header("x-a", "2"))
        .unwrap();
    let response = spillgate_testhost::FilterResponse::new(204);
    let first = host.finish(first, response.clone()).unwrap();
    let second = host.finish(second, response).unwrap();
    assert_eq!(first.request_headers.text("x-first"), Some("1"));
    assert_eq!(second.request_headers.text("x-first"), Some("2"));
}

// === traps ===

#[test]
fn a_trap_is_an_error_and_ends_the_vm() {
    let mut host = configured(HEADERS);
    let error = host
        .request(FilterRequest::get("/").header("x-trap", "1"))
        .unwrap_err();
    let HostError::Trap {
        during, message, ..
    } = &error
    else {
        panic!("{error}");
    };
    assert_eq!(during, "proxy_on_request_headers");
    assert!(message.contains("unreachable"), "{message}");
    let error = host.request(FilterRequest::get("/")).unwrap_err();
    assert!(matches!(error, HostError::Dead { .. }), "{error}");
}

#[test]
fn an_import_that_is_not_provided_traps_with_its_name() {
    let mut host = configured(HEADERS);
    let error = host
        .request(FilterRequest::get("/").header("x-grpc", "1"))
        .unwrap_err();
    assert!(
        error.to_string().contains("env.proxy_grpc_close"),
        "{error}"
    );
}

#[test]
fn an_endless_loop_ends() {
    let mut host = configured(HEADERS);
    host.set_fuel_limit(1_000_000);
    let error = host
        .request(FilterRequest::get("/").header("x-loop", "1"))
        .unwrap_err();
    assert!(error.to_string().contains("fuel"), "{error}");
}

#[test]
fn a_module_that_is_no_filter_says_what_is_missing() {
    let Err(error) = TestHost::load(b"(module (memory (export \"memory\") 1))") else {
        panic!("it has no allocator");
    };
    assert!(error.to_string().contains("allocator"), "{error}");
    let Err(error) = TestHost::load(b"\0asm, but cut") else {
        panic!("it is no module");
    };
    assert!(matches!(error, HostError::BadModule(_)), "{error}");
}

// === clock, callouts, shared data ===

#[test]
fn ticks_follow_the_clock() {
    let mut host = configured(WORLD);
    let start = host.clock_ns();
    assert_eq!(host.tick_period_ms(), Some(50));
    host.advance(Duration::from_millis(49)).unwrap();
    assert!(!host.metrics().is_defined("clock"));
    host.advance(Duration::from_millis(60)).unwrap();
    assert_eq!(host.metrics().value("clock"), start + 100_000_000);
    assert_eq!(host.clock_ns(), start + 109_000_000);
}

#[test]
fn draws_are_the_same_for_the_same_seed() {
    let draw = |seed| {
        let mut host = TestHost::load_sharing(WORLD, &Shared::default(), seed).unwrap();
        host.configure(b"").unwrap();
        host.advance(Duration::from_millis(50)).unwrap();
        host.metrics().value("draw")
    };
    assert_eq!(draw(1), draw(1));
    assert_ne!(draw(1), draw(2));
}

#[test]
fn a_callout_comes_back_and_its_body_is_shared() {
    let shared = Shared::default();
    let mut host = TestHost::load_sharing(WORLD, &shared, 0).unwrap();
    host.configure(b"").unwrap();
    host.advance(Duration::from_millis(50)).unwrap();
    assert!(host.callouts().is_empty(), "the cluster is unknown yet");
    assert_eq!(
        host.metrics().value("called"),
        u64::from(Status::BadArgument as u32)
    );

    host.add_cluster("admin");
    host.advance(Duration::from_millis(50)).unwrap();
    let callout = host.callouts()[0].clone();
    assert_eq!(callout.cluster, "admin");
    assert_eq!(callout.headers.text(":path"), Some("/x"));
    assert_eq!(callout.timeout_ms, 1000);
    let reply = CalloutReply::new(200, "hosts");
    host.answer(callout.token, reply.clone()).unwrap();
    assert_eq!(shared.value("k").as_deref(), Some(&b"hosts"[..]));
    assert!(matches!(
        host.answer(callout.token, reply),
        Err(HostError::NoSuchCallout(_))
    ));
}

#[test]
fn a_property_answers_what_the_test_says() {
    let mut host = configured(WORLD);
    let mut status = |property: Option<Property>| {
        if let Some(property) = property {
            host.set_property(&["xds", "node"], property);
        }
        host.advance(Duration::from_millis(50)).unwrap();
        host.metrics().value("property")
    };
    assert_eq!(status(None), u64::from(Status::NotFound as u32));
    let value = Property::Value(b"n1".to_vec());
    assert_eq!(status(Some(value)), u64::from(Status::Ok as u32));
    let fails = Property::Fails(Status::SerializationFailure);
    assert_eq!(
        status(Some(fails)),
        u64::from(Status::SerializationFailure as u32)
    );
}
