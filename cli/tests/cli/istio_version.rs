//! `--istio-version`: the rules of one version of Istio, named in each answer.

use serde_json::Value;

use crate::run::{Ran, spillgate_with};

/// A service with a ready Pod and one that is not, and a warm-up.
const SHOP: &str = "---
{apiVersion: v1, kind: Service, metadata: {name: shop}, spec: {selector: {app: shop}, ports: [{name: http, port: 80}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: s1, labels: {app: shop, istio-locality: eu.a}}, status: {podIP: 10.0.0.1}}
---
{apiVersion: v1, kind: Pod, metadata: {name: s2, labels: {app: shop, istio-locality: eu.a}}, status: {podIP: 10.0.0.2}}
---
{apiVersion: v1, kind: Pod, metadata: {name: s3, labels: {app: shop, istio-locality: eu.a}}, status: {podIP: 10.0.0.3, conditions: [{type: Ready, status: 'False'}]}}
---
{host: shop, trafficPolicy: {loadBalancer: {simple: ROUND_ROBIN, warmup: {duration: 100s, minimumPercent: 0}}}}
";

fn run(args: &[&str]) -> Ran {
    spillgate_with(args, SHOP.as_bytes())
}

fn json(args: &[&str]) -> Value {
    let ran = run(args);
    assert_eq!(ran.status, 0, "{args:?}: {}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

/// What a gRPC client receives from Istio is another configuration.
#[test]
fn answers_about_grpc_clients_of_istio_name_their_limit() {
    for command in [
        &["split", "-"][..],
        &["explain", "-"],
        &["what-if", "-", "--lose", "zone=eu/a:50%"],
    ] {
        for client in ["grpc", "both"] {
            let ran = run(&[command, &["--as", "eu/a", "--client", client]].concat());
            let named = ran
                .stdout
                .contains("note: Istio sends gRPC clients other clusters");
            assert!(named, "{command:?}: {}", ran.stdout);
        }
    }
}

#[test]
fn every_answer_about_istio_names_its_version() {
    let commands = [
        &["split", "-", "--as", "eu/a", "--format", "json"][..],
        &["explain", "-", "--as", "eu/a", "--format", "json"],
        &[
            "explain", "-", "--as", "eu/a", "--client", "grpc", "--format", "json",
        ],
        &[
            "what-if",
            "-",
            "--as",
            "eu/a",
            "--lose",
            "zone=eu/a:50%",
            "--format",
            "json",
        ],
        &["convert", "-", "--to", "json"],
        &["convert", "-", "--to", "matrix", "--format", "json"],
    ];
    for command in commands {
        for (version, shown) in [(None, "1.31"), (Some("1.29"), "1.29")] {
            let more = version.map(|version| ["--istio-version", version]);
            let args = [command, more.as_ref().map_or(&[][..], |more| more)].concat();
            let answer = json(&args);
            assert_eq!(answer["istio_version"], shown, "{args:?}");
        }
    }
    let texts = [
        &["split", "-", "--as", "eu/a"][..],
        &["explain", "-", "--as", "eu/a"],
        &["what-if", "-", "--as", "eu/a", "--lose", "zone=eu/a:50%"],
        &["lint", "-"],
        &["convert", "-", "--as", "eu/a", "--to", "envoy"],
        &["convert", "-", "--to", "matrix"],
    ];
    for command in texts {
        let ran = run(&[command, &["--istio-version", "1.30"]].concat());
        let line = "by the rules of Istio 1.30 (--istio-version)\n";
        assert!(ran.stderr.ends_with(line), "{command:?}: {}", ran.stderr);
    }
    let report = run(&["convert", "-", "--istio-version", "1.30"]);
    assert!(report.stdout.contains("(Istio 1.30)"), "{}", report.stdout);
}

#[test]
fn the_version_decides_which_hosts_there_are() {
    let hosts = |version| {
        let args = [
            "split",
            "-",
            "--as",
            "eu/a",
            "--format",
            "json",
            "--istio-version",
            version,
        ];
        json(&args)["clusters"][0]["priorities"][0]["hosts"].clone()
    };
    assert_eq!((hosts("1.30"), hosts("1.31")), (2.into(), 3.into()));
}

#[test]
fn other_versions_and_other_documents_are_refused() {
    let unknown = run(&["split", "-", "--as", "eu/a", "--istio-version", "1.27"]);
    assert_eq!(unknown.status, 2);
    assert!(
        unknown.stderr.contains("1.28, 1.29, 1.30, 1.31"),
        "{}",
        unknown.stderr
    );
    let kuma = "---\n{type: Dataplane, name: d, mesh: default, networking: {address: 10.0.0.1, inbound: \
        [{port: 80, tags: {kuma.io/service: a, kuma.io/zone: z1}}]}}";
    let envoy = "static_resources: {clusters: []}";
    for command in [&["split", "-"][..], &["lint", "-"]] {
        let args = [command, &["--istio-version", "1.30"]].concat();
        for (text, code) in [(kuma, "input/not-istio"), (envoy, "input/not-a-mesh")] {
            let ran = spillgate_with(&args, text.as_bytes());
            assert_eq!(ran.status, 2, "{args:?} {text}");
            assert!(ran.stderr.contains(code), "{args:?} {text}: {}", ran.stderr);
        }
    }
    assert!(
        !spillgate_with(&["lint", "-"], kuma.as_bytes())
            .stderr
            .contains("Istio")
    );
}

#[test]
fn a_new_host_gets_fewer_requests_during_the_warm_up() {
    let args = ["split", "-", "--as", "eu/a", "--format", "json"];
    let share = |args: &[&str]| {
        json(args)["clusters"][0]["endpoints"][0]["share"]
            .as_f64()
            .unwrap()
    };
    assert!((share(&args) - 50.0).abs() < 1e-9);
    // A quarter of the window: a weight of 0.25 next to 1.
    let since = [&args[..], &["--since-healthy", "10.0.0.1:80=25s"]].concat();
    assert!((share(&since) - 20.0).abs() < 1e-9, "{}", share(&since));
}
