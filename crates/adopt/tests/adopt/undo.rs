//! The way back, from the result alone.

use spillgate_adopt::{EditText, adopt, undo};

use crate::common::{AGGREGATE, TENANTS, WEIGHTED, module, wasm};

/// Checks that the way back has the values of the original.
#[track_caller]
fn check(text: &str) {
    for options in [wasm(), module()] {
        let original = [EditText::new(text.into()).unwrap()];
        let there = adopt(&original, &options).unwrap().texts;
        let steered = [EditText::new(there[0].clone()).unwrap()];
        let back = undo(&steered, None).unwrap().unwrap();
        let back = EditText::new(back[0].clone()).unwrap();
        assert_eq!(back.value(), original[0].value(), "{}", back.text());
    }
}

#[test]
fn the_result_says_what_was_there_before() {
    for text in [WEIGHTED, AGGREGATE, TENANTS] {
        check(text);
    }
    let admin = "admin:\n  address:\n    socket_address: {address: 127.0.0.1, port_value: 29901}\n";
    check(&WEIGHTED.replace(admin, ""));
    let tags = "stats_config: {stats_tags: [{tag_name: a, fixed_value: b}]}\n";
    check(&format!("{tags}{WEIGHTED}"));
}

#[test]
fn settings_of_routes_are_taken_back() {
    let last = "              - match: {prefix: /}\n";
    let route = "              - match: {prefix: /a}\n                metadata: {filter_metadata: {mine: {b: 1}}}\n                \
        route: {cluster: shop-green}\n              - match: {prefix: /b}\n                route: {cluster: shop-blue}\n";
    check(&WEIGHTED.replacen(last, &format!("{route}{last}"), 1));
    let route = "              - match: {prefix: /a}\n                \
        route: {cluster: shop, metadata_match: {filter_metadata: {envoy.lb: {tenant: a}}}}\n";
    check(&TENANTS.replacen(last, &format!("{route}{last}"), 1));
}

#[test]
fn sessions_are_given_back() {
    let session = r#"http_filters:
          - name: envoy.filters.http.stateful_session
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.http.stateful_session.v3.StatefulSession
              session_state:
                name: envoy.http.stateful_session.cookie
                typed_config:
                  "@type": type.googleapis.com/envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState
                  cookie: {name: sid, ttl: 120s, path: /}
              strict: true
"#;
    check(&WEIGHTED.replace("http_filters:\n", session));
    let free = session.replace("              strict: true\n", "");
    check(&WEIGHTED.replace("http_filters:\n", &free));
}

#[test]
fn what_is_not_known_is_refused() {
    let text = [EditText::new(WEIGHTED.into()).unwrap()];
    assert_eq!(undo(&text, None).unwrap(), None);
    let mut options = wasm();
    options.chain = vec![vec!["tenant".into()]];
    let text = [EditText::new(TENANTS.into()).unwrap()];
    let there = adopt(&text, &options).unwrap().texts;
    let fault = undo(&[EditText::new(there[0].clone()).unwrap()], None).unwrap_err();
    assert_eq!(fault[0].expected.as_deref(), Some("the original files"));
}
