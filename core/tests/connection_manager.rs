//! The connection manager: headers of clients, addresses and paths.
#![allow(clippy::unwrap_used)]

use spillgate_core::route::{
    AddressDetection, AddressRange, ClientAddress, Connection, ConnectionManager, HeaderList,
    Headers, PathFragments,
};

/// The values of a header after a connection manager.
fn after(manager: &ConnectionManager, sent: &[(&str, &str)], name: &str) -> Vec<String> {
    let sent = HeaderList(sent);
    let connection = Connection {
        remote: "192.0.2.9:40000",
        local: "192.0.2.1:10000",
        ..Connection::default()
    };
    let request = manager.receive(&sent, connection, &[]);
    let text = |value: &[u8]| String::from_utf8(value.to_vec()).unwrap();
    request.values(name).map(text).collect()
}

#[test]
fn a_port_is_appended_unless_a_trusted_proxy_has_set_it() {
    let manager = |client| ConnectionManager {
        append_x_forwarded_port: true,
        client,
        ..ConnectionManager::default()
    };
    let name = "x-forwarded-port";
    let trusting = manager(ClientAddress::forwarded(0));
    assert_eq!(after(&trusting, &[(name, "443")], name), ["443"]);
    assert_eq!(after(&trusting, &[], name), ["10000"]);
    let edge = manager(ClientAddress::Connection {
        trusted_hops: 0,
        append: true,
    });
    assert_eq!(after(&edge, &[(name, "443")], name), ["10000"]);
}

#[test]
fn only_upgrades_keep_the_headers_of_upgrades() {
    let manager = ConnectionManager::default();
    let sent = [("connection", "upgrade"), ("upgrade", "websocket")];
    assert_eq!(after(&manager, &sent, "upgrade"), ["websocket"]);
    assert_eq!(after(&manager, &sent[1..], "upgrade"), [""; 0]);
}

#[test]
fn fragments_are_refused_in_paths_that_begin_with_a_slash() {
    let refuses = |fragments, path: &str| {
        let manager = ConnectionManager {
            fragments,
            ..ConnectionManager::default()
        };
        manager.refuses_fragment(path.as_bytes())
    };
    assert!(refuses(PathFragments::Reject, "/a#b"));
    assert!(!refuses(PathFragments::Reject, "/a"));
    assert!(!refuses(PathFragments::Reject, "a#b"));
    assert!(!refuses(PathFragments::Remove, "/a#b"));
}

#[test]
fn a_path_keeps_no_control_character() {
    let manager = ConnectionManager {
        normalize_path: true,
        ..ConnectionManager::default()
    };
    let path = |sent| after(&manager, &[(":path", sent)], ":path");
    assert_eq!(path("/a~b"), ["/a~b"]);
    assert_eq!(path("/a\u{7f}b"), ["/a%7Fb"]);
    assert_eq!(path("/a b"), ["/a%20b"]);
}

#[test]
fn several_slashes_become_one_unless_there_is_nothing_else() {
    let manager = ConnectionManager {
        merge_slashes: true,
        ..ConnectionManager::default()
    };
    let path = |sent| after(&manager, &[(":path", sent)], ":path");
    assert_eq!(path("/a//b///"), ["/a/b/"]);
    assert_eq!(
        (path("/"), path("///")),
        (vec!["/".into()], vec!["//".into()])
    );
}

#[test]
fn a_range_has_the_addresses_with_its_first_bits() {
    let contains = |range: &str, length, address: &str| {
        let range = AddressRange {
            address: range.parse().unwrap(),
            length,
        };
        range.contains(address.parse().unwrap())
    };
    assert!(contains("10.1.2.3", 8, "10.255.0.0") && !contains("10.1.2.3", 8, "11.1.2.3"));
    assert!(contains("10.1.2.3", 31, "10.1.2.2") && !contains("10.1.2.3", 31, "10.1.2.1"));
    assert!(contains("10.1.2.3", 32, "10.1.2.3") && !contains("10.1.2.3", 32, "10.1.2.2"));
    assert!(contains("10.1.2.3", 0, "192.0.2.1") && !contains("10.1.2.3", 0, "::1"));
    assert!(contains("2001:db8::", 33, "2001:db8:7fff::1"));
    assert!(!contains("2001:db8::", 33, "2001:db8:8000::1"));
}

#[test]
fn only_a_single_address_can_be_that_of_an_internal_client() {
    let manager = |skip| ConnectionManager {
        client: ClientAddress::Headers(vec![AddressDetection::Hops {
            skip,
            append: false,
        }]),
        internal: vec![AddressRange {
            address: "10.0.0.0".parse().unwrap(),
            length: 8,
        }],
        ..ConnectionManager::default()
    };
    let internal = |skip, forwarded| {
        let sent = [("x-forwarded-for", forwarded)];
        after(&manager(skip), &sent, "x-envoy-internal")
    };
    assert_eq!(internal(0, "10.0.0.1"), ["true"]);
    assert_eq!(internal(0, "10.0.0.1, 10.0.0.2"), [""; 0]);
    assert_eq!(internal(1, "10.0.0.1, 10.0.0.2"), [""; 0]);
}
