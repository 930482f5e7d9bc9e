//! What the host may answer: none of it ends the VM.

use crate::common::live::*;
use crate::common::sessions;
use crate::common::*;
use serde_json::{Value, json};
use spillgate_testhost::{
    CalloutReply, Exchange, FilterRequest, HostError, Property, Shared, Status, TestHost,
};

/// The source with the table of statuses.
const CALLS: &str = include_str!("../src/calls.rs");

/// The function and the status of each row of the table.
fn table() -> Vec<(&'static str, Status)> {
    let rows = CALLS
        .lines()
        .filter_map(|line| line.strip_prefix("//! | `"));
    rows.map(|row| {
        let (function, row) = row.split_once("` | `").unwrap();
        let (status, _) = row.split_once("` | ").unwrap();
        let status = match status {
            "Ok" => Status::Ok,
            "NotFound" => Status::NotFound,
            "BadArgument" => Status::BadArgument,
            "SerializationFailure" => Status::SerializationFailure,
            "CasMismatch" => Status::CasMismatch,
            "InternalFailure" => Status::InternalFailure,
            other => panic!("{other} of {function} is not a status"),
        };
        (function, status)
    })
    .collect()
}

/// Whether the filter is loaded with the status, or has a configuration before.
#[derive(Clone, Copy, Debug)]
enum Begin {
    Loaded,
    Serving,
}

/// A VM in which the function answers with this status.
fn host(
    begin: Begin,
    configuration: &Value,
    (function, status): (&str, Status),
) -> Result<TestHost, HostError> {
    let mut host = TestHost::load_sharing(&wasm(), &Shared::default(), 0)?;
    host.add_cluster(ADMIN);
    if matches!(begin, Begin::Loaded) {
        host.answer_with(function, status);
    }
    host.configure(&bytes(configuration))?;
    host.answer_with(function, status);
    match host.reconfigure_in_place(&bytes(configuration)) {
        // Without the bytes of a configuration, the first one was rejected, too.
        Ok(_) | Err(HostError::NotConfigured) => Ok(host),
        Err(error) => Err(error),
    }
}

/// Requests of every kind, polls and their responses.
fn exercise(host: &mut TestHost, token: &str) -> Result<Vec<Exchange>, HostError> {
    let mut exchanges = Vec::new();
    for request in [
        user("u1"),
        FilterRequest::get("/").header(sessions::TOKEN, token),
        FilterRequest::get("/").header("cookie", "spillgate=x"),
    ] {
        let upstream = Property::Value(sessions::A.into());
        host.set_property(&["upstream", "address"], upstream);
        match host.request(request) {
            Err(HostError::NotConfigured) => {}
            exchange => exchanges.push(exchange?),
        }
    }
    for reply in [
        CalloutReply::failed(),
        CalloutReply::new(200, clusters("shop", &[(sessions::A, 0, "healthy")])),
        CalloutReply::new(500, ""),
    ] {
        host.advance(SECOND)?;
        let open: Vec<u32> = host.callouts().iter().map(|call| call.token).collect();
        for token in open {
            host.answer(token, reply.clone())?;
        }
    }
    Ok(exchanges)
}

/// Configurations that use every hostcall.
fn configurations() -> Vec<Value> {
    let mut logged = sessions::healthy(json!({"max_share": 40}));
    logged["access_log"] = json!({"percent": 100, "steps": true});
    logged["criteria"] = json!([{"route_metadata": true}]);
    logged["subset_chain"] = json!([{"keys": ["stage"]}, {"any": true}]);
    let mut down = plain("MAGLEV", &[]);
    down["clusters"] = json!([without_hosts("shop")]);
    vec![
        followed(logged),
        sessions::cookies(json!({"on_lost": {"status": 410}})),
        down,
    ]
}

/// A token that the filter accepts.
fn accepted_token() -> String {
    let mut host = serving(&sessions::healthy(json!({})));
    sessions::token(&sessions::request(&mut host, None)).unwrap()
}

#[test]
fn no_status_of_envoy_ends_the_vm() {
    let token = accepted_token();
    let failures = table().into_iter().filter(|row| row.1 != Status::Ok);
    for answer in failures {
        for configuration in configurations() {
            for begin in [Begin::Loaded, Begin::Serving] {
                let result = host(begin, &configuration, answer)
                    .and_then(|mut host| exercise(&mut host, &token));
                assert!(result.is_ok(), "{answer:?}, {begin:?}: {result:?}");
            }
        }
    }
}

#[test]
fn the_table_has_every_call_of_a_request() {
    let token = accepted_token();
    let listed: Vec<&str> = table().into_iter().map(|row| row.0).collect();
    let none = ("proxy_done", Status::Ok);
    for configuration in configurations() {
        let mut host = host(Begin::Serving, &configuration, none).unwrap();
        for exchange in exercise(&mut host, &token).unwrap() {
            for call in exchange
                .calls
                .keys()
                .filter(|call| call.starts_with("proxy_"))
            {
                assert!(listed.contains(call), "{call} is not in the table");
            }
        }
    }
}

#[test]
fn a_response_after_its_configuration_is_gone_is_ignored() {
    let mut polling = followed(plain("MAGLEV", &[vec![endpoint(sessions::A)]]));
    polling["health"]["poller"] = json!("worker");
    let mut worker = worker(&Shared::default(), 0, &polling);
    worker.advance(SECOND).unwrap();
    let open: Vec<u32> = worker.callouts().iter().map(|call| call.token).collect();
    assert!(!open.is_empty());
    let other = bytes(&plain("MAGLEV", &[vec![endpoint(sessions::A)]]));
    assert!(worker.configure(&other).unwrap().accepted);
    for token in open {
        worker.answer(token, CalloutReply::failed()).unwrap();
    }
    assert_eq!(hosts(&worker.request(user("u1")).unwrap()), [sessions::A]);
}
