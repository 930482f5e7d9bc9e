//! `--admin`, `--watch`, `capture` and `observe` with servers in place of Envoy's admin interface.

use std::fs;

use serde_json::Value;
use spillgate_testkit::{CannedServer, canned_response};

use crate::{
    canned::{PREDICTED, answers, clusters, restless},
    run::{Ran, scratch, spillgate},
};

/// The hosts and their shares in a split of `shop`.
fn shares(split: &str) -> Vec<(String, f64)> {
    let split: Value = serde_json::from_str(split).unwrap();
    let endpoints = split["clusters"][0]["endpoints"].as_array().unwrap();
    let share = |row: &Value| {
        (
            row["address"].as_str().unwrap().to_owned(),
            row["share"].as_f64().unwrap(),
        )
    };
    endpoints.iter().map(share).collect()
}

const EXAMPLE: &str = "../examples/envoy.yaml";

#[test]
fn every_command_reads_a_running_envoy_as_it_reads_the_file() {
    let server = CannedServer::tcp(answers(|_| clusters(0, &[]))).unwrap();
    let requests = "../examples/requests.jsonl";
    for (command, more) in [
        ("split", vec!["--format", "json"]),
        ("pick", vec![requests, "--listener", "edge"]),
        (
            "explain",
            vec![
                "--path",
                "/cart",
                "--header",
                "x-user: u3",
                "--format",
                "json",
            ],
        ),
        (
            "what-if",
            vec![
                "--cluster",
                "shop",
                "--lose",
                "zone=a:1",
                "--format",
                "json",
            ],
        ),
        ("link", vec!["--cluster", "shop"]),
        ("export", vec!["--to", "csv"]),
    ] {
        let words: &[&str] = if command == "link" {
            &["link", "encode"]
        } else {
            &[command]
        };
        let file = spillgate(&[words, &[EXAMPLE], &more].concat());
        let live = spillgate(&[words, &["--admin", &server.url], &more].concat());
        assert_eq!(
            (file.status, live.status),
            (0, 0),
            "{command}: {} {}",
            file.stderr,
            live.stderr
        );
        // Only the positions in the texts differ.
        let without_places = |text: &str| match serde_json::from_str::<Value>(text) {
            Ok(mut value) if command == "explain" => {
                let steps = value["steps"].as_array_mut().unwrap();
                steps.iter_mut().for_each(|step| step["at"] = Value::Null);
                value.to_string()
            }
            _ => text.to_owned(),
        };
        assert_eq!(
            without_places(&file.stdout),
            without_places(&live.stdout),
            "{command}"
        );
    }
    let lint = spillgate(&["lint", "--admin", &server.url]);
    assert_eq!(lint.status, 0, "{}", lint.stderr);
}

#[test]
fn weights_and_health_are_those_of_the_running_envoy() {
    let server = CannedServer::tcp(answers(|_| {
        clusters(0, &[])
            .replace("10.0.0.1:80::weight::1\n", "10.0.0.1:80::weight::3\n")
            .replace(
                "10.0.1.1:80::health_flags::healthy",
                "10.0.1.1:80::health_flags::/failed_active_hc",
            )
    }))
    .unwrap();
    let ran = spillgate(&["split", "--admin", &server.url, "--cluster", "shop-canary"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let ran = spillgate(&[
        "split",
        "--admin",
        &server.url,
        "--cluster",
        "shop",
        "--format",
        "json",
    ]);
    let shares = shares(&ran.stdout);
    let of = |address: &str| shares.iter().find(|(of, _)| of == address).unwrap().1;
    assert!(
        (of("10.0.0.1:80") / of("10.0.0.2:80") - 3.0).abs() < 0.01,
        "{shares:?}"
    );
    assert_eq!(of("10.0.1.1:80"), 0.0);
    assert_eq!(
        server.requests()[..3],
        [
            "GET /config_dump?include_eds",
            "GET /clusters",
            "GET /runtime"
        ]
    );
}

/// The error output of `split` for an admin interface.
fn refused(more: &[&str]) -> String {
    let ran = spillgate(&[&["split", "--admin"], more].concat());
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
    ran.stderr
}

#[test]
fn errors_name_the_url_and_the_remedy() {
    let server = CannedServer::tcp(|path| match path {
        "/clusters" => canned_response("200 OK", "", "shop::10.0.0.1:80::weight::0\n"),
        _ => canned_response("200 OK", "", "{\"configs\": ["),
    })
    .unwrap();
    let found = refused(&[&server.url]);
    let url = &server.url;
    assert!(
        found.contains(&format!("{url}/config_dump?include_eds:1:")),
        "{found}"
    );
    assert!(
        found.contains(&format!("{url}/clusters:1:28: clusters/value")),
        "{found}"
    );

    let found = refused(&["https://127.0.0.1:1"]);
    assert!(
        found.starts_with("--admin: admin/url: TLS is not supported"),
        "{found}"
    );
    let found = refused(&["http://127.0.0.1:1", "--admin-timeout", "soon"]);
    assert!(
        found.starts_with("--admin-timeout: input/time: "),
        "{found}"
    );
    let both = spillgate(&["split", EXAMPLE, "--admin", url]);
    assert_eq!(both.status, 2);
    both.assert_error_has("cannot be used with");
    let root = spillgate(&["split", "--root", ".", "--admin", url]);
    assert_eq!(root.status, 2);
    let with = "'--root <DIR>' cannot be used with '--admin <URL>'";
    root.assert_error_has(with);
    let none = spillgate(&["split"]);
    assert_eq!(none.status, 2);
    let choice = "<CONFIG|--admin <URL>>";
    none.assert_error_has(choice);
}

#[test]
fn values_of_a_newer_envoy_are_warnings() {
    let server = CannedServer::tcp(answers(|_| {
        clusters(0, &[]).replace(
            "10.0.0.1:80::health_flags::healthy",
            "10.0.0.1:80::health_flags::/failed_new_check",
        )
    }))
    .unwrap();
    let ran = spillgate(&["split", "--admin", &server.url]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    ran.assert_error_has("warning: ");
    ran.assert_error_has("failed_new_check");
}

#[test]
fn watch_prints_the_split_and_then_each_change() {
    let server = CannedServer::tcp(answers(|read| match read {
        0 | 1 => clusters(0, &[]),
        2 => clusters(0, &[]).replace(
            "10.0.0.2:80::health_flags::healthy",
            "10.0.0.2:80::health_flags::/failed_active_hc",
        ),
        3 => "no response of Envoy".to_owned(),
        _ => clusters(0, &[]),
    }))
    .unwrap();
    let watch = |more: &[&str]| {
        let args = [
            "split",
            "--admin",
            &server.url,
            "--cluster",
            "shop",
            "--watch",
            "1ms",
        ];
        spillgate(&[&args, more].concat())
    };
    let ran = watch(&["--count", "5"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let (table, changes) = ran
        .stdout
        .split_at(ran.stdout.find("Z shop: ").unwrap() - 8);
    assert!(table.starts_with("shop (MAGLEV)\n"), "{table}");
    let changes: Vec<&str> = changes
        .lines()
        .map(|line| line.split_once("Z ").unwrap().1)
        .collect();
    assert_eq!(
        changes[0],
        "shop: P0: load % 70 -> 35, healthy 2 of 4 -> 1 of 4"
    );
    assert!(
        changes.contains(&"shop: P0: load % 35 -> 70, healthy 1 of 4 -> 2 of 4"),
        "{changes:?}"
    );
    assert!(
        changes
            .iter()
            .any(|line| line.starts_with("shop: 10.0.1.1:80: share % 15.0 -> ")),
        "{changes:?}"
    );
    ran.assert_error_has("admin/response");

    let ran = watch(&["--count", "1", "--format", "json"]);
    let state: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(state["split"]["clusters"][0]["name"], "shop");
    let ran = watch(&["--count", "1", "--format", "csv"]);
    ran.assert_error_has("split/watch");
}

#[test]
fn a_capture_answers_what_the_running_envoy_answers() {
    let folder = scratch("capture");
    let file = folder.join("proxy.json");
    let file = file.to_str().unwrap();
    let failed = |_| {
        clusters(0, &[]).replace(
            "10.0.0.2:80::health_flags::healthy",
            "10.0.0.2:80::health_flags::/failed_active_hc",
        )
    };
    let server = CannedServer::tcp(answers(failed)).unwrap();
    let ran = spillgate(&["capture", &server.url, "-o", file]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    ran.assert_output_has("2 clusters, 7 hosts");
    let captured = fs::read_to_string(file).unwrap();
    assert!(
        !captured.contains("not-in-a-capture") && !captured.contains("9901"),
        "{captured}"
    );
    let live = spillgate(&["split", "--admin", &server.url, "--format", "json"]);
    let kept = spillgate(&["split", file, "--format", "json"]);
    assert_eq!((kept.status, kept.stderr.as_str()), (0, ""));
    assert_eq!(kept.stdout, live.stdout);
    let lint = spillgate(&["lint", file]);
    assert_eq!(lint.status, 0, "{}", lint.stderr);
}

#[test]
fn an_anonymized_capture_has_the_same_shares_without_names_and_addresses() {
    let server = CannedServer::tcp(answers(|_| clusters(0, &[]))).unwrap();
    let ran = spillgate(&["capture", &server.url, "-o", "-", "--anonymize"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    for name in ["shop", "edge", "cart", "10.0.1.", "10.0.2.1"] {
        assert!(
            !ran.stdout.contains(&format!("\"{name}")),
            "{name}: {}",
            ran.stdout
        );
    }
    let folder = scratch("anonymous");
    let file = folder.join("proxy.json");
    fs::write(&file, &ran.stdout).unwrap();
    let kept = spillgate(&["split", file.to_str().unwrap(), "--format", "json"]);
    assert_eq!((kept.status, kept.stderr.as_str()), (0, ""));
    let live = spillgate(&["split", "--admin", &server.url, "--format", "json"]);
    let loads = |split: &str| {
        let split: Value = serde_json::from_str(split).unwrap();
        let priorities = split["clusters"][0]["priorities"].as_array().unwrap();
        priorities
            .iter()
            .map(|row| row["healthy_load"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(loads(&kept.stdout), loads(&live.stdout));
    let explained = spillgate(&[
        "explain",
        file.to_str().unwrap(),
        "--path",
        "/cart",
        "--header",
        "x-user: u3",
    ]);
    assert_eq!(explained.status, 0, "{}", explained.stderr);
    explained.assert_output_has("route     cluster cluster-");
}

#[test]
fn a_capture_that_cannot_be_written_is_an_error() {
    let server = CannedServer::tcp(answers(|_| clusters(0, &[]))).unwrap();
    let ran = spillgate(&["capture", &server.url, "-o", "gone/proxy.json"]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr
            .starts_with("gone/proxy.json: capture/unwritable: "),
        "{}",
        ran.stderr
    );
}

/// Observes hosts that get these requests between two reads.
fn observe(requests: &'static [(&'static str, u64)], more: &[&str]) -> Ran {
    let server = CannedServer::tcp(answers(move |reads| clusters(reads, requests))).unwrap();
    spillgate(&[&["observe", &server.url, "--interval", "10ms"], more].concat())
}

/// As predicted for half the weight of the first host.
const OTHER_WEIGHT: [(&str, u64); 4] = [
    ("10.0.0.1:80", 2_333),
    ("10.0.0.2:80", 4_667),
    ("10.0.1.1:80", 1_500),
    ("10.0.1.2:80", 1_500),
];

#[test]
fn requests_as_predicted_fit() {
    let ran = observe(&PREDICTED, &[]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    ran.assert_output_starts("shop: 10000 requests in ");
    ran.assert_output_has("the prediction fits");
    ran.assert_output_has("count as one choice (policy with hashes: shop)");
}

#[test]
fn another_weight_differs() {
    let ran = observe(&OTHER_WEIGHT, &["--format", "json"]);
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    let compared: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(compared["agrees"], false);
    let shop = &compared["clusters"][0];
    assert_eq!(shop["agrees"], false);
    let verdicts = |of: &str| {
        let rows = shop[of].as_array().unwrap();
        rows.iter()
            .map(|row| row["agrees"].as_bool().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(verdicts("priorities"), [true, true]);
    assert_eq!(
        verdicts("endpoints"),
        [false, false, true, true, true, true]
    );
}

/// The model of a file has its own weights and hosts; health is that of Envoy.
#[test]
fn a_model_of_a_file_is_compared_with_its_own_weights_and_hosts() {
    let folder = scratch("observe");
    let text = fs::read_to_string("tests/cli/examples/envoy.yaml").unwrap();
    let host = "- endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}";
    let heavy = text.replace(host, &format!("{host}\n          load_balancing_weight: 2"));
    let gone = text.replace(host, &host.replace("10.0.0.1", "10.0.0.9"));
    assert!(heavy != text && gone != text);
    for (name, text, status) in [("same", &text, 0), ("heavy", &heavy, 1), ("gone", &gone, 1)] {
        let file = folder.join(format!("{name}.yaml"));
        fs::write(&file, text).unwrap();
        let ran = observe(&PREDICTED, &["--config", file.to_str().unwrap()]);
        assert_eq!(ran.status, status, "{name}: {}{}", ran.stdout, ran.stderr);
        if name == "gone" {
            let line = ran
                .stdout
                .lines()
                .find(|line| line.starts_with(" 10.0.0.1:80"))
                .unwrap();
            assert!(
                line.contains("not in the model") && line.ends_with("differs"),
                "{line}"
            );
        }
    }
}

#[test]
fn small_samples_and_missing_requests_are_stated() {
    const FEW: [(&str, u64); 4] = [
        ("10.0.0.1:80", 4),
        ("10.0.0.2:80", 3),
        ("10.0.1.1:80", 1),
        ("10.0.1.2:80", 2),
    ];
    let ran = observe(&FEW, &[]);
    assert_eq!(ran.status, 0, "{}", ran.stdout);
    ran.assert_output_has("shop: 10 requests are a small sample");
    let ran = observe(&[], &[]);
    assert_eq!(ran.status, 1);
    ran.assert_output_has("Envoy counted no requests");
}

/// 100 keys are 100 choices, however many requests they have.
#[test]
fn few_keys_widen_the_bands() {
    let ran = observe(&OTHER_WEIGHT, &["--keys", "100"]);
    assert_eq!(ran.status, 0, "{}", ran.stdout);
}

#[test]
fn changing_hosts_are_an_error_after_three_attempts() {
    let server = CannedServer::tcp(answers(restless)).unwrap();
    let ran = spillgate(&["observe", &server.url, "--interval", "1ms"]);
    assert_eq!(ran.status, 2, "{}", ran.stdout);
    ran.assert_error_has("observe/changing");
    let dumps = server
        .requests()
        .iter()
        .filter(|path| path.contains("config_dump"))
        .count();
    assert_eq!(dumps, 3);
}

#[test]
fn unknown_clusters_and_intervals_are_errors() {
    let ran = observe(&PREDICTED, &["--cluster", "shap"]);
    assert_eq!(ran.status, 2);
    ran.assert_error_has("observe/unknown-cluster");
    ran.assert_error_has("(did you mean shop?)");
    let ran = spillgate(&["observe", "unix:unused.sock", "--interval", "2h"]);
    assert!(
        ran.stderr.starts_with("--interval: observe/interval: "),
        "{}",
        ran.stderr
    );
}
