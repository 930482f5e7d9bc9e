//! `spillgate what-if --add` and `--set`: the same figures as those of a configuration that was edited by hand.

use std::fs;

use serde_json::Value;
use spillgate_testkit::repository;

use crate::run::{Ran, spillgate_with};

/// Ten hosts in zone a, then six in zone b and four in zone c.
fn zones() -> String {
    fs::read_to_string(repository().join("envoy-config/zones/envoy.yaml")).unwrap()
}

fn ask(config: &str, args: &[&str]) -> Ran {
    spillgate_with(&[&["what-if", "-"], args].concat(), config.as_bytes())
}

fn json(ran: &Ran) -> Value {
    assert!(ran.status < 2, "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

/// Checks that a question has the figures of an edited configuration: its shares without and with a loss.
#[track_caller]
fn assert_same_as_edited(config: &str, changes: &[&str], edited: &str) {
    assert_ne!(config, edited);
    let changed = json(&ask(config, &[changes, &["--format", "json"]].concat()));
    let split = |text: &str| {
        let ran = spillgate_with(&["split", "-", "--format", "json"], text.as_bytes());
        json(&ran)
    };
    assert_eq!(changed["before"], split(config), "{changes:?}");
    assert_eq!(changed["after"], split(edited), "{changes:?}");
    let loss = ["--lose", "zone=a:40%", "--n-minus", "1", "--format", "json"];
    let changed = json(&ask(config, &[changes, &loss[..]].concat()));
    let edited = json(&ask(edited, &loss));
    for key in [
        "after",
        "lost",
        "onsets",
        "panic_margin",
        "sweep",
        "matrix",
        "n_minus",
    ] {
        assert_eq!(changed[key], edited[key], "{key}: {changes:?}");
    }
}

/// The file with more hosts after the last one of zone b.
fn with_hosts(config: &str, addresses: &[&str]) -> String {
    let last = "address: 10.0.1.6, port_value: 8080";
    let line = config.lines().find(|line| line.contains(last)).unwrap();
    let mut lines = vec![line.to_owned()];
    for address in addresses {
        lines.push(line.replace("10.0.1.6", address));
    }
    config.replace(line, &lines.join("\n"))
}

#[test]
fn added_hosts_are_those_of_an_edited_file() {
    for policy in ["LEAST_REQUEST", "MAGLEV", "RING_HASH"] {
        let config = zones().replace("LEAST_REQUEST", policy);
        let edited = with_hosts(&config, &["10.0.1.7", "10.0.1.8", "10.0.1.9"]);
        assert_same_as_edited(&config, &["--add", "zone=b:3"], &edited);
    }
}

#[test]
fn settings_are_those_of_an_edited_file() {
    let config = zones();
    let replaced = |from: &str, to: &str| {
        assert!(config.contains(from), "{from}");
        config.replace(from, to)
    };
    for (setting, edited) in [
        ("shop.lb_policy=MAGLEV", replaced("LEAST_REQUEST", "MAGLEV")),
        (
            "sh*.overprovisioning_factor=120",
            replaced(
                "      cluster_name: shop\n",
                "      cluster_name: shop\n      policy: {overprovisioning_factor: 120}\n",
            ),
        ),
    ] {
        assert_same_as_edited(&config, &["--set", setting], &edited);
    }
}

#[test]
fn text_and_json_name_the_changes() {
    let config = zones();
    let changes = [
        "--add",
        "zone=b:2",
        "--set",
        "shop.healthy_panic_threshold=80",
        "--set",
        "shop[zone=b].lb_endpoints.load_balancing_weight=4",
    ];
    let ran = ask(&config, &changes);
    assert_eq!(ran.status, 0);
    ran.assert_output_starts(
        "shop with shop.healthy_panic_threshold=80 and \
         shop[zone=b].lb_endpoints.load_balancing_weight=4, gains 2 hosts (zone=b:2): P0 takes 100 %",
    );
    ran.assert_output_has("\nAdded hosts: 10.0.1.7:8080, 10.0.1.8:8080\n");
    let answer = json(&ask(
        &config,
        &[&changes[..], &["--format", "json"]].concat(),
    ));
    assert_eq!(
        answer["added"],
        serde_json::json!(["10.0.1.7:8080", "10.0.1.8:8080"])
    );
    assert_eq!(answer["set"].as_array().unwrap().len(), 2);
    // Added hosts can be lost, too: the last ones first.
    let answer = json(&ask(
        &config,
        &[
            "--add", "zone=b:2", "--lose", "zone=b:1", "--format", "json",
        ],
    ));
    assert_eq!(answer["lost"], serde_json::json!(["10.0.1.8:8080"]));
}

#[test]
fn keys_that_move_to_added_hosts_are_counted() {
    let config = zones().replace("LEAST_REQUEST", "MAGLEV");
    let ask = |args: &[&str]| json(&ask(&config, &[args, &["--format", "json"]].concat()));
    // Zone a has the keys of ten hosts; an eleventh one gets an eleventh of them.
    let moved = &ask(&["--add", "zone=a:1"])["keys_moved"];
    let part = moved["moved"].as_f64().unwrap() / moved["keys"].as_f64().unwrap();
    assert!((part - 1.0 / 11.0).abs() < 0.03, "{moved}");
    // P1 gets no requests.
    assert_eq!(ask(&["--add", "zone=b:1"])["keys_moved"]["moved"], 0);
}

#[test]
fn changes_that_do_not_fit_are_errors() {
    let config = zones();
    for (args, expected) in [
        (&["--add", "priority=1:1"][..], "what-if/several-places"),
        (
            &["--add", "priority=1:1"],
            "cluster=shop,priority=1,locality=eu/c",
        ),
        (&["--add", "zone=x:1"], "what-if/no-host"),
        (
            &["--set", "shop.lb_polcy=MAGLEV"],
            "did you mean lb_policy?",
        ),
        (&["--set", "shop.table_size=65537"], "lb_policy=MAGLEV"),
        (
            &["--set", "shop[zone=a].load_balancing_weight=2"],
            "locality_weighted_lb_config=true",
        ),
        (
            &["--set", "cart.lb_policy=MAGLEV"],
            "what-if/unknown-cluster",
        ),
        (
            &["--set", "shop.lb_policy=MAGLEV", "--client", "grpc"],
            "what-if/client",
        ),
    ] {
        let ran = ask(&config, args);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{args:?}");
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
}
