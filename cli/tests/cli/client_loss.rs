//! `spillgate what-if --client grpc|both`, and `spillgate convert --client`.

use serde_json::Value;

use crate::{
    convert::{MESH, parsed},
    run::{Ran, assert_golden, spillgate, spillgate_with},
};

/// `half` of the fixture has two of four usable hosts in P0, and two in P1.
fn half(args: &[&str]) -> Ran {
    spillgate(&[&["what-if", "grpc.yaml", "--cluster", "half"], args].concat())
}

fn grpc(args: &[&str]) -> Value {
    let ran = half(&[args, &["--client", "grpc", "--format", "json"]].concat());
    assert!(ran.status < 2, "{}", ran.stderr);
    parsed(&ran.stdout)
}

#[test]
fn a_loss_for_grpc_matches_the_golden_files() {
    let question = [
        "--lose",
        "priority=0:100%",
        "--n-minus",
        "1",
        "--expect",
        "load(P1) <= 10",
    ];
    for (client, golden) in [
        ("grpc", "client-loss-grpc.txt"),
        ("both", "client-loss-both.txt"),
    ] {
        let ran = half(&[&question[..], &["--client", client]].concat());
        assert_eq!((ran.status, ran.stderr.as_str()), (1, ""));
        assert_golden(golden, &ran.stdout);
    }
}

#[test]
fn grpc_has_no_spillover_and_fails_over_as_a_whole() {
    let one = grpc(&[
        "--lose",
        "priority=0:1",
        "--expect",
        "load(P0) >= 100",
        "--expect",
        "no 503",
    ]);
    assert_eq!(one["expectations"][0]["ok"], true);
    assert_eq!(one["after"]["endpoints"], Value::Null);
    assert_eq!(one["after"]["clusters"][0]["endpoints"][0]["share"], 100.0);
    let all = grpc(&[
        "--lose",
        "priority=0:100%",
        "--expect",
        "share(priority=1) >= 100",
    ]);
    assert_eq!(all["expectations"][0]["ok"], true);
    assert_eq!(all["onsets"][0]["what"], "spill");
    // Two of the four hosts are healthy, and they are lost first.
    assert_eq!(all["onsets"][0]["lost"], 2);
}

#[test]
fn what_survives_is_judged_by_the_rules_of_the_client() {
    // Envoy without zone a panics in no priority, too: zone b takes everything.
    let lost = grpc(&["--expect", "survives n-1", "--expect", "survives n-2"]);
    let found = |at: usize| lost["expectations"][at]["value"].as_f64();
    assert_eq!((found(0), found(1)), (Some(0.0), Some(1.0)));
    let ran = spillgate(&[
        "what-if",
        "grpc.yaml",
        "--cluster",
        "down",
        "--expect",
        "no 503",
        "--client",
        "both",
    ]);
    assert_eq!(ran.status, 1);
    let held = |line: &str| {
        ran.stdout
            .lines()
            .find(|of| of.contains(line))
            .map(|of| of.contains("ok"))
    };
    assert_eq!(held("no 503 (Envoy)"), Some(true), "{}", ran.stdout);
    assert_eq!(held("no 503 (gRPC)"), Some(false), "{}", ran.stdout);
}

#[test]
fn nothing_is_expected_of_a_rejected_cluster() {
    let args = [
        "what-if",
        "grpc.yaml",
        "--cluster",
        "gap",
        "--lose",
        "priority=0:1",
    ];
    let ran = spillgate(
        &[
            &args[..],
            &["--client", "grpc", "--expect", "overload < 99"],
        ]
        .concat(),
    );
    assert_eq!(ran.status, 1);
    assert!(
        ran.stdout
            .contains("gRPC rejects it (NACK): errors parsing EDS resource")
    );
    assert!(!ran.stdout.contains("no host"), "{}", ran.stdout);
}

#[test]
fn the_odds_of_success_are_not_known_for_grpc() {
    let ran = half(&["--failed", "priority=0", "--client", "grpc"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("what-if/client"), "{}", ran.stderr);
}

/// A policy whose balancer gRPC has.
fn mesh() -> String {
    let text = std::fs::read_to_string("tests/cli/examples/mesh.yaml")
        .unwrap()
        .replace("      loadBalancer: {type: Maglev}\n", "");
    let (start, rest) = text.split_once("      hashPolicies:").unwrap();
    format!("{start}---{}", rest.split_once("---").unwrap().1)
}

#[test]
fn a_converted_policy_has_the_shares_and_the_errors_of_grpc() {
    let run = |args: &[&str]| spillgate(&[&["convert", MESH], args].concat());
    let ran = run(&["--as", "zone-1", "--client", "grpc"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let rejected = "backend (MAGLEV, gRPC): gRPC rejects it (NACK)";
    assert!(ran.stdout.contains(rejected), "{}", ran.stdout);
    let ran = run(&["--to", "matrix", "--format", "csv", "--client", "grpc"]);
    assert!(ran.stdout.contains("backend,zone-1,,100"), "{}", ran.stdout);
    assert!(
        ran.stderr.contains("client/grpc-rejects: cluster backend"),
        "{}",
        ran.stderr
    );
    let matrix = [
        "convert", "-", "--to", "matrix", "--format", "csv", "--client", "grpc",
    ];
    let ran = spillgate_with(&matrix, mesh().as_bytes());
    let share = ran
        .stdout
        .lines()
        .find_map(|line| line.strip_prefix("backend,zone-1,zone-1,"));
    let share: f64 = share.unwrap().parse().unwrap();
    assert!((share - 100.0).abs() < 1e-9, "{}", ran.stdout);
}

#[test]
fn zones_lose_hosts_under_the_rules_of_the_client() {
    let folder = crate::run::scratch("client-zones");
    let file = folder.join("mesh.yaml");
    std::fs::write(&file, mesh()).unwrap();
    let share = |client: &str| {
        let file = file.display().to_string();
        let args = [
            "what-if",
            &file,
            "--lose",
            "zone=zone-1:2",
            "--cluster",
            "backend",
        ];
        let ran = spillgate(&[&args[..], &["--client", client, "--format", "json"]].concat());
        let json = parsed(&ran.stdout);
        json["after"][0]["rows"][0]["to"]["zone-1"]
            .as_f64()
            .unwrap()
    };
    // One of three hosts is left: Envoy spills over, gRPC does not.
    assert!(share("envoy") < 100.0);
    assert!((share("grpc") - 100.0).abs() < 1e-9);
}
