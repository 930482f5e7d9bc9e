//! `spillgate token`.
#![allow(clippy::string_slice)]

use std::{collections::BTreeSet, fs, path::PathBuf};

use serde_json::Value;

use crate::run::{Ran, scratch, spillgate, spillgate_in, spillgate_with};

const NOW: &str = "1800000000";

/// A file with keys of these ids, each with its own secret.
fn keys(test: &str, ids: &[u8]) -> PathBuf {
    let list = ids.iter().map(|id| {
        let id = id.to_string();
        let ran = spillgate(&["token", "keygen", "--id", &id]);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        ran.stdout
    });
    let file = scratch(&format!("token-{test}")).join("keys.yaml");
    fs::write(&file, list.collect::<String>()).unwrap();
    file
}

fn mint(keys: &str, now: &str) -> String {
    let ran = spillgate(&[
        "token",
        "mint",
        "--keys",
        keys,
        "--scope",
        "shop.example",
        "--cluster",
        "primary",
        "--host",
        "10.0.0.2:80",
        "--session",
        "c0ffee",
        "--now",
        now,
    ]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert_eq!(ran.stdout.len(), 121);
    ran.stdout.trim_end().to_owned()
}

fn inspect(keys: &str, token: &str, more: &[&str]) -> Ran {
    let args = ["token", "inspect", token, "--keys", keys];
    spillgate(&[&args[..], more].concat())
}

fn ids(list: &str) -> Vec<u64> {
    let list: Value = serde_json::from_str(list).unwrap();
    let list = list.as_array().unwrap().iter();
    list.map(|key| key["id"].as_u64().unwrap()).collect()
}

#[test]
fn keys_are_random() {
    let secrets: BTreeSet<String> = (0..20)
        .map(|_| {
            let ran = spillgate(&["token", "keygen", "--id", "255", "--format", "json"]);
            assert_eq!(ids(&ran.stdout), [255]);
            let list: Value = serde_json::from_str(&ran.stdout).unwrap();
            list[0]["secret"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(secrets.len(), 20);
    assert!(secrets.iter().all(|secret| secret.len() == 44));
}

#[test]
fn a_token_has_the_minted_fields() {
    let keys = keys("says", &[7, 2]);
    let keys = keys.to_str().unwrap();
    let token = mint(keys, NOW);
    assert_eq!(token, mint(keys, NOW));
    let config = [
        "--config",
        "shop.yaml",
        "--scope",
        "shop.example",
        "--now",
        "1800000060",
    ];
    let ran = inspect(keys, &token, &config);
    let expected = "token    valid\n\
                    key      7 (first key, seals new tokens)\n\
                    session  0000000000c0ffee\n\
                    issued   1800000000 (60 s ago)\n\
                    expires  1800003600 (in 3540 s)\n\
                    epoch    0\n\
                    scope    matches\n\
                    host     10.0.0.2:80 of primary\n";
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (0, expected),
        "{}",
        ran.stderr
    );
    // Standard input gives the same output.
    let args = [&["token", "inspect", "-", "--keys", keys][..], &config].concat();
    assert_eq!(
        spillgate_with(&args, format!("{token}\n").as_bytes()).stdout,
        expected
    );
}

#[test]
fn invalid_tokens_have_a_reason() {
    let keys = keys("reasons", &[7]);
    let keys = keys.to_str().unwrap();
    let token = mint(keys, NOW);
    let refused = |token: &str, more: &[&str]| {
        let ran = inspect(keys, token, &[more, &["--format", "json"]].concat());
        let fields: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(
            ran.status,
            i32::from(fields["good"] == false),
            "{}",
            ran.stdout
        );
        fields["refused"].as_str().unwrap_or("good").to_owned()
    };
    assert_eq!(refused(&token, &["--now", NOW]), "good");
    assert_eq!(refused(&token, &["--now", "1800003600"]), "expired");
    assert_eq!(
        refused(&token, &["--now", "1800000100", "--max-life", "100"]),
        "too_old"
    );
    assert_eq!(refused(&token, &["--now", "1799999939"]), "future");
    assert_eq!(
        refused(&token, &["--now", NOW, "--scope", "other.example"]),
        "scope"
    );
    assert_eq!(refused(&token, &["--now", NOW, "--epoch", "1"]), "epoch");
    assert_eq!(refused("hello", &[]), "malformed");
    let mut forged = token.clone();
    let last = forged.pop();
    forged.push(if last == Some('A') { 'B' } else { 'A' });
    assert_eq!(refused(&forged, &[]), "forged");
    let others = self::keys("reasons-others", &[8]);
    assert_eq!(
        refused(&mint(others.to_str().unwrap(), NOW), &[]),
        "unknown_key"
    );
    let ran = inspect(keys, "hello", &[]);
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (1, "token    malformed\n")
    );
}

/// Gateways get a new list at different times. At every step, all gateways open all new tokens.
#[test]
fn rotation_loses_no_session() {
    let first = keys("rotation", &[3]);
    let rotate = |from: &PathBuf, how: &[&str], to: &str| {
        let path = from.to_str().unwrap();
        let ran = spillgate(&[&["token", "rotate", "--keys", path], how].concat());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        assert!(!ran.stderr.is_empty());
        let to = from.with_file_name(to);
        fs::write(&to, ran.stdout).unwrap();
        to
    };
    let added = rotate(&first, &["--add"], "added.yaml");
    let promoted = rotate(&added, &["--promote", "--format", "json"], "promoted.json");
    assert_eq!(ids(&fs::read_to_string(&promoted).unwrap()), [4, 3]);
    let dropped = rotate(
        &promoted,
        &["--keep", "1", "--format", "json"],
        "dropped.json",
    );
    assert_eq!(ids(&fs::read_to_string(&dropped).unwrap()), [4]);

    let steps = [first, added, promoted, dropped].map(|file| file.to_str().unwrap().to_owned());
    let opens = |sealing: &str, opening: &str| {
        let ran = inspect(opening, &mint(sealing, NOW), &["--now", NOW]);
        ran.status == 0
    };
    for pair in steps[..3].windows(2) {
        assert!(
            opens(&pair[0], &pair[1]) && opens(&pair[1], &pair[0]),
            "{pair:?}"
        );
    }
    assert!(opens(&steps[2], &steps[3]) && opens(&steps[3], &steps[2]));
    // Skipping the steps between the first and the last list loses sessions.
    assert!(!opens(&steps[0], &steps[3]) && !opens(&steps[3], &steps[0]));
}

#[test]
fn rotation_at_once_warns_about_several_gateways() {
    let keys = keys("at-once", &[255]);
    let ran = spillgate(&[
        "token",
        "rotate",
        "--keys",
        keys.to_str().unwrap(),
        "--format",
        "json",
    ]);
    assert_eq!(ids(&ran.stdout), [0, 255]);
    assert!(
        ran.stderr.contains("for a single gateway"),
        "{}",
        ran.stderr
    );
    let alone = spillgate(&[
        "token",
        "rotate",
        "--keys",
        keys.to_str().unwrap(),
        "--promote",
    ]);
    assert_eq!(alone.status, 2);
    assert!(alone.stderr.contains("token/one-key"), "{}", alone.stderr);
}

#[test]
fn secrets_are_never_printed() {
    let file = keys("secret", &[1]);
    let text = fs::read_to_string(&file).unwrap();
    let secret = text.split('"').nth(1).unwrap();
    let (start, _) = secret.split_at(16);
    let keys = file.to_str().unwrap();
    let ran = inspect(keys, &mint(keys, NOW), &[]);
    assert!(!ran.stdout.contains(secret) && !ran.stderr.contains(secret));
    // A duplicate secret, and an invalid one.
    for text in [
        text.repeat(2),
        text.chars().take(40).collect(),
        text.replace('=', "x"),
    ] {
        let args = ["token", "rotate", "--keys", "-", "--add"];
        let ran = spillgate_with(&args, text.as_bytes());
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
        assert!(!ran.stderr.contains(start), "{}", ran.stderr);
    }
}

#[test]
fn standard_input_is_not_read_twice() {
    for args in [
        &["token", "inspect", "-", "--keys", "-"][..],
        &["token", "inspect", "-", "--keys", "k", "--config", "-"],
        &["token", "inspect", "AQ", "--keys", "-", "--config", "-"],
    ] {
        let ran = spillgate(args);
        assert_eq!(ran.status, 2);
        assert!(ran.stderr.contains("input/twice"), "{}", ran.stderr);
    }
}

/// An Envoy with our filter, whose token keys are in `SPILLGATE_KEYS`.
const STEERED: &str = r#"
static_resources:
  listeners:
  - name: service
    filter_chains:
    - filters:
      - name: hcm
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          route_config:
            virtual_hosts:
            - {name: all, domains: ["*"], routes: [{match: {prefix: /}, route: {cluster_header: x-spillgate-cluster}}]}
          http_filters:
          - name: spillgate
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.http.wasm.v3.Wasm
              config:
                configuration:
                  "@type": type.googleapis.com/google.protobuf.Struct
                  value:
                    clusters: [{name: shop}]
                    target: shop
                    health: {source: admin, cluster: admin}
                    affinity: {cookie: {}, scope: shop.example, keys_from_env: SPILLGATE_KEYS}
  clusters:
  - name: shop
    load_assignment:
      cluster_name: shop
      endpoints:
      - lb_endpoints:
        - {endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}
        - {endpoint: {address: {socket_address: {address: 10.0.0.2, port_value: 80}}}}
        - {endpoint: {address: {socket_address: {address: 10.0.0.3, port_value: 80}}}}
  - name: admin
    load_assignment:
      cluster_name: admin
      endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 127.0.0.1, port_value: 9901}}}}]}]
admin: {}
"#;

#[test]
fn keys_of_a_variable_open_tokens() {
    let list = spillgate(&["token", "keygen", "--format", "json"]).stdout;
    let folder = scratch("token-variable");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (keys, config, filter) = (path("keys.json"), path("envoy.yaml"), path("filter.json"));
    fs::write(&keys, &list).unwrap();
    fs::write(&config, STEERED).unwrap();
    fs::write(
        &filter,
        r#"{"affinity": {"keys_from_env": "SPILLGATE_KEYS"}}"#,
    )
    .unwrap();
    let variables = [("SPILLGATE_KEYS", list.as_str())];

    let mint = [
        "token",
        "mint",
        "--scope",
        "shop.example",
        "--cluster",
        "shop",
    ];
    let mint = [&mint[..], &["--host", "10.0.0.3:80", "--keys", &filter]].concat();
    let minted = spillgate_in(&variables, &mint, b"");
    assert_eq!((minted.status, minted.stderr.as_str()), (0, ""));
    let unset = spillgate(&mint);
    assert!(
        unset
            .stderr
            .contains("environment variable SPILLGATE_KEYS is not set"),
        "{}",
        unset.stderr
    );

    let token = minted.stdout.trim();
    let explain = ["explain", &config, "--session", token, "--format", "json"];
    let with_keys = [&explain[..], &["--keys", &keys]].concat();
    for ran in [
        spillgate_in(&variables, &explain, b""),
        spillgate_with(&with_keys, b""),
    ] {
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        let decision: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(decision["reason"], "session", "{decision}");
        assert_eq!(decision["endpoint"], "10.0.0.3:80");
    }
    let without = spillgate(&explain);
    assert_eq!(without.status, 0, "{}", without.stderr);
    assert!(
        without.stderr.contains("config/unknown-keys"),
        "{}",
        without.stderr
    );
    assert!(!without.stderr.contains(token));
    let decision: Value = serde_json::from_str(&without.stdout).unwrap();
    assert_eq!(decision["reason"], "chosen");
    let broken = [("SPILLGATE_KEYS", &list[..40])];
    let broken = spillgate_in(&broken, &explain[..2], b"");
    assert!(
        broken.stderr.contains("config/filter-rejected"),
        "{}",
        broken.stderr
    );
    assert!(!broken.stderr.contains(&list[30..40]), "{}", broken.stderr);
}
