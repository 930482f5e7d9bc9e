//! The JSON output of the commands matches the schemas in docs/schemas.

use std::{fs, path::PathBuf};

use clap::{Command, CommandFactory as _};
use serde_json::Value;
use spillgate_testkit::{CannedServer, repository};

use crate::{
    canned::{PREDICTED, answers, clusters},
    run::{scratch, spillgate, vectors},
};

fn folder() -> PathBuf {
    repository().join("docs/schemas")
}

fn schema(command: &str) -> Value {
    let path = folder().join(format!("{command}.schema.json"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    serde_json::from_str(&text).unwrap()
}

/// Checks that the outputs of a command match its schema.
#[track_caller]
fn assert_fits(command: &str, outputs: &[Value]) {
    let schema = schema(command);
    // The answers of what-if contain splits.
    let registry = jsonschema::Registry::new()
        .add("spillgate:/split.schema.json", self::schema("split"))
        .and_then(|registry| registry.prepare())
        .unwrap();
    let validator = jsonschema::options()
        .with_registry(&registry)
        .with_base_uri("spillgate:/it.schema.json")
        .build(&schema)
        .unwrap();
    assert!(!outputs.is_empty());
    for output in outputs {
        let faults: Vec<String> = validator
            .iter_errors(output)
            .map(|fault| format!("{}: {fault}", fault.instance_path()))
            .collect();
        assert!(faults.is_empty(), "{command}: {faults:#?}");
    }
}

fn json(args: &[&str]) -> Value {
    let ran = spillgate(args);
    assert!(ran.status < 2, "{args:?}: {}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

fn lines(args: &[&str]) -> Vec<Value> {
    let ran = spillgate(args);
    assert!(ran.status < 2, "{args:?}: {}", ran.stderr);
    let lines = ran.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

const PLACES: &str = "../../../../crates/config/tests/fixtures/places.yaml";

#[test]
fn splits() {
    let configs = [
        "shop.yaml",
        PLACES,
        "../../../../envoy-config/demo/envoy.yaml",
        "limits.yaml",
        "unknown-hosts.yaml",
    ];
    let splits = configs.map(|config| json(&["split", config, "--format", "json"]));
    assert_fits("split", &splits);
    let clients = ["grpc", "both"]
        .map(|client| json(&["split", "grpc.yaml", "--client", client, "--format", "json"]));
    assert_fits("split", &clients);
}

#[test]
fn differences() {
    let (old, new) = ("../examples/envoy.yaml", "../examples/changed.yaml");
    let compared = |args: &[&str]| json(&[&["diff"], args, &["--format", "json"]].concat());
    assert_fits(
        "diff",
        &[
            compared(&[
                old,
                new,
                "--expect",
                "moved <= 30%",
                "--expect",
                "no route change",
            ]),
            compared(&[new, old]),
            compared(&[old, old]),
            compared(&["shop.yaml", PLACES]),
            compared(&["unknown-hosts.yaml", "limits.yaml"]),
            compared(&["../examples/mesh.yaml", "../examples/mesh.yaml"]),
            compared(&[
                "kuma/shop.yaml",
                "../examples/mesh.yaml",
                "--expect",
                "no new 503",
            ]),
        ],
    );
}

#[test]
fn picks() {
    let picks = ["edge", "inner"].map(|listener| {
        lines(&[
            "pick",
            "shop.yaml",
            "requests.jsonl",
            "--listener",
            listener,
        ])
    });
    let limited = lines(&["pick", "limits.yaml", "requests.jsonl"]);
    assert!(limited.iter().all(|row| row["limits"].is_array()));
    assert_fits("pick", &picks.concat());
    assert_fits("pick", &limited);
    assert_fits(
        "pick",
        &lines(&["pick", "unknown-hosts.yaml", "requests.jsonl"]),
    );
}

#[test]
fn explanations() {
    let mut outputs = Vec::new();
    for path in ["/shop", "/keyed", "/down", "/elsewhere", "/health"] {
        let args = [
            "explain",
            "shop.yaml",
            "--format",
            "json",
            "--listener",
            "edge",
        ];
        outputs.push(json(&[&args[..], &["--path", path]].concat()));
    }
    for path in [
        "/staged",
        "/unserved",
        "/split",
        "/own",
        "/zones",
        "/panic",
        "/dropped",
        "/retried",
    ] {
        let args = [
            "explain",
            PLACES,
            "--format",
            "json",
            "--tried",
            "10.6.0.1:80",
        ];
        outputs.push(json(&[&args[..], &["--path", path]].concat()));
    }
    outputs.push(json(&[
        "explain",
        "limits.yaml",
        "--path",
        "/metadata",
        "--format",
        "json",
    ]));
    let unknown = ["explain", "unknown-hosts.yaml", "--path", "/eds"];
    outputs.push(json(&[&unknown[..], &["--format", "json"]].concat()));
    for cluster in ["half", "down", "zones", "gap", "both"] {
        for client in ["grpc", "both"] {
            let args = ["explain", "grpc.yaml", "--cluster", cluster];
            let more = ["--client", client, "--format", "json"];
            outputs.push(json(&[&args[..], &more].concat()));
        }
    }
    assert_fits("explain", &outputs);
}

#[test]
fn conformance_reports() {
    let vectors = vectors();
    let vectors = vectors.to_str().unwrap();
    let report = json(&["conformance", vectors, "--format", "json"]);
    assert_fits("conformance", &[report]);
}

#[test]
fn findings() {
    let args = ["lint", "lint.yaml", "--format", "json"];
    let planned = json(&[&args[..], &["--fix-plan"]].concat());
    let none = json(&[
        "lint",
        "../../../../envoy-config/demo/envoy.yaml",
        "--format",
        "json",
    ]);
    assert_fits("lint", &[json(&args), planned, none]);
}

#[test]
fn links() {
    let args = ["link", "encode", "shop.yaml", "--format", "json"];
    let with_addresses = json(&[&args[..], &["--include-addresses"]].concat());
    assert_fits("link-encode", &[json(&args), with_addresses]);
}

#[test]
fn tokens() {
    let keys = scratch("schema-tokens").join("keys.yaml");
    let keygen = spillgate(&["token", "keygen"]);
    fs::write(&keys, keygen.stdout).unwrap();
    let keys = ["--keys", keys.to_str().unwrap()];
    let host = [
        "--scope",
        "s",
        "--cluster",
        "primary",
        "--host",
        "10.0.0.2:80",
    ];
    let minted = spillgate(&[&["token", "mint"][..], &keys, &host].concat());
    let inspect = |token: &str, more: &[&str]| {
        let asked = ["token", "inspect", token, "--format", "json"];
        json(&[&asked[..], &keys, more].concat())
    };
    let token = minted.stdout.trim();
    let outputs = [
        inspect(token, &["--config", "shop.yaml", "--scope", "s"]),
        inspect(token, &["--now", "1"]),
        inspect("nonsense", &[]),
    ];
    assert_eq!(outputs[0]["host"], "10.0.0.2:80");
    assert_fits("token-inspect", &outputs);
}

#[test]
fn losses() {
    let config = "../examples/envoy.yaml";
    let json = |args: &[&str]| {
        let asked = ["what-if", config, "--cluster", "shop", "--format", "json"];
        json(&[&asked[..], args].concat())
    };
    let outputs = [
        json(&["--lose", "zone=a:50%", "--expect", "no panic"]),
        json(&["--lose", "zone=a:100%", "--sweep", "zone=b"]),
        json(&["--n-minus", "1"]),
        json(&[
            "--lose",
            "zone=a:50%",
            "--client",
            "grpc",
            "--expect",
            "no 503",
        ]),
        json(&[
            "--lose",
            "zone=a:50%",
            "--client",
            "both",
            "--expect",
            "no 503",
        ]),
    ];
    assert_fits("what-if", &outputs);
    let rejected = |client| {
        let args = [
            "what-if",
            "grpc.yaml",
            "--cluster",
            "gap",
            "--lose",
            "priority=0:1",
            "--client",
            client,
        ];
        self::json(&[&args[..], &["--format", "json"]].concat())
    };
    assert_fits("what-if", &[rejected("grpc"), rejected("both")]);
    let zones = |args: &[&str]| {
        let asked = ["what-if", "../examples/mesh.yaml", "--format", "json"];
        self::json(&[&asked[..], args].concat())
    };
    let outputs = [
        zones(&["--lose", "zone=zone-1:50%", "--expect", "no 503"]),
        zones(&["--n-minus", "2"]),
        zones(&["--n-minus", "1", "--client", "both"]),
    ];
    assert_fits("what-if", &outputs);
}

#[test]
fn observations() {
    let observe = |requests: &'static [(&'static str, u64)]| {
        let answers = answers(move |reads| clusters(reads, requests));
        let server = CannedServer::tcp(answers).unwrap();
        json(&[
            "observe",
            &server.url,
            "--interval",
            "1ms",
            "--format",
            "json",
        ])
    };
    let outputs = [
        observe(&PREDICTED),
        observe(&[("10.0.0.1:80", 9)]),
        observe(&[]),
    ];
    assert_fits("observe", &outputs);
}

#[test]
fn conversions() {
    let json = |args: &[&str]| json(&[&["convert"], args].concat());
    let mesh = "../examples/mesh.yaml";
    let outputs = [
        json(&[mesh, "--to", "json"]),
        json(&[mesh, "--to", "json", "--proxy", "web-1", "--portable"]),
        json(&["../examples/istio.yaml", "--to", "json"]),
        json(&[mesh, "--to", "matrix", "--format", "json"]),
        json(&[mesh, "--to", "json", "--client", "grpc"]),
        json(&["../examples/istio.yaml", "--to", "json", "--client", "both"]),
        json(&[
            mesh, "--to", "matrix", "--format", "json", "--client", "grpc",
        ]),
    ];
    assert_fits("convert", &outputs);
}

#[test]
fn fleets() {
    let config = "../examples/fleet.yaml";
    let file = "../examples/callers.yaml";
    let mesh = "../examples/mesh.yaml";
    let fleets = [
        &[config, "--fleet", file][..],
        &[config, "--rps", "10"],
        &[
            config,
            "--callers",
            "a=2,eu/edge/=1",
            "--rps",
            "1",
            "--n-minus",
            "2",
            "--lost-callers",
            "move",
        ],
        &[mesh, "--cluster", "backend", "--rps", "1"],
        &[
            "limits.yaml",
            "--cluster",
            "shop",
            "--callers",
            "//=1",
            "--rps",
            "1",
        ],
    ];
    let outputs = fleets.map(|args| json(&[&["fleet"], args, &["--format", "json"]].concat()));
    assert_fits("fleet", &outputs);
}

/// What a schema allows is read, with the same result as the options.
#[test]
fn a_file_of_fleet_fits_its_schema() {
    let values = serde_json::json!({
        "callers": {"a": 40, "b": 10},
        "rps": {"a": 10, "b": 5},
        "bytes": 20000,
        "capacity": [100, "subset.size=large:200rps"],
        "cost": ["cross-zone=0.01"],
        "n_minus": 2,
        "lost_callers": "fail",
        "expect": ["utilization <= 80%"],
    });
    let validator = jsonschema::validator_for(&schema("fleet-file")).unwrap();
    assert!(validator.is_valid(&values));
    assert!(!validator.is_valid(&serde_json::json!({"rate": 1})));
    let path = scratch("fleet_schema").join("fleet.json");
    fs::write(&path, values.to_string()).unwrap();
    let config = "../examples/fleet.yaml";
    let of_file = json(&[
        "fleet",
        config,
        "--fleet",
        path.to_str().unwrap(),
        "--format",
        "json",
    ]);
    let of_options = json(&[
        "fleet",
        config,
        "--callers",
        "a=40,b=10",
        "--rps",
        "a=10,b=5",
        "--bytes",
        "20000",
        "--capacity",
        "100",
        "--capacity",
        "subset.size=large:200rps",
        "--cost",
        "cross-zone=0.01",
        "--n-minus",
        "2",
        "--lost-callers",
        "fail",
        "--expect",
        "utilization <= 80%",
        "--format",
        "json",
    ]);
    assert_eq!(of_file, of_options);
}

#[test]
fn incidents() {
    let config = "../examples/incident.yaml";
    let outages = [
        &[config, "../examples/outage.yaml"][..],
        &[config, "--errors", "zone=a:50%@5s..20s", "--runs", "2"],
        &[
            config,
            "--flap",
            "host=10.0.0.1:80:3s@5s..40s",
            "--sweep",
            "unhealthy_threshold=1..3",
            "--runs",
            "2",
        ],
        &[config, "--remove", "zone=a@5s..30s", "--compare", config],
        &["../examples/envoy.yaml", "--degraded", "zone=a@5s.."],
        &[
            "limits.yaml",
            "--cluster",
            "shop",
            "--timeout",
            "priority=0@5s..20s",
        ],
    ];
    let outputs = outages.map(|args| json(&[&["incident"], args, &["--format", "json"]].concat()));
    assert_fits("incident", &outputs);
}

/// What a schema allows is read, with the same result as the options.
#[test]
fn a_script_of_incident_fits_its_schema() {
    let script = serde_json::json!({
        "rps": 200,
        "service_time": "20ms",
        "until": "3m",
        "cluster": "shop",
        "events": [
            {"fail": "zone=a", "from": "10s", "to": 70},
            {"errors": "host=10.0.1.1:80", "rate": "50%", "from": 20},
        ],
        "expect": ["failed <= 50%"],
    });
    let validator = jsonschema::validator_for(&schema("incident-script")).unwrap();
    assert!(validator.is_valid(&script));
    assert!(!validator.is_valid(&serde_json::json!({"rps": 1})));
    let path = scratch("incident_schema").join("script.json");
    fs::write(&path, script.to_string()).unwrap();
    let config = "../examples/incident.yaml";
    let path = path.to_str().unwrap();
    let of_file = json(&["incident", config, path, "--format", "json"]);
    let of_options = json(&[
        "incident",
        config,
        "--cluster",
        "shop",
        "--fail",
        "zone=a@10s..70s",
        "--errors",
        "host=10.0.1.1:80:50%@20s..",
        "--rps",
        "200",
        "--service-time",
        "20ms",
        "--until",
        "3m",
        "--expect",
        "failed <= 50%",
        "--format",
        "json",
    ]);
    assert_eq!(of_file, of_options);
}

#[test]
fn simulations() {
    let scenarios = "../../../../docs/scenarios";
    let outputs = ["failover", "rotation", "everything"].map(|name| {
        let scenario = format!("{scenarios}/{name}.yaml");
        json(&["simulate", &scenario, "--runs", "20", "--format", "json"])
    });
    assert!(outputs.iter().any(|answer| !answer["violation"].is_null()));
    assert_fits("simulate", &outputs);
}

/// The schemas of files that commands read.
const FILES: [&str; 2] = ["fleet-file", "incident-script"];

/// The JSON of these commands is configuration: Envoy's, or keys as in the filter configuration
/// (docs/filter-config.schema.json).
const CONFIGURATION: [&str; 3] = ["link-decode", "token-keygen", "token-rotate"];

#[test]
fn every_command_that_prints_json_has_a_schema() {
    let mut commands = Vec::new();
    collect(&spillgate::Args::command(), "", &mut commands);
    // Its output is always JSON.
    commands.push("pick".to_owned());
    for command in &commands {
        if !CONFIGURATION.contains(&command.as_str()) {
            schema(command);
        }
    }
    for file in fs::read_dir(folder()).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let command = name.strip_suffix(".schema.json").unwrap().to_owned();
        let is_known = commands.contains(&command) || FILES.contains(&command.as_str());
        assert!(is_known, "{name} belongs to no command");
    }
}

/// The names of all commands with a `--format json`.
fn collect(command: &Command, parents: &str, to: &mut Vec<String>) {
    for command in command.get_subcommands() {
        let name = format!("{parents}{}", command.get_name());
        let mut arguments = command.get_arguments();
        let prints_json = arguments.any(|argument| {
            let values = argument.get_possible_values();
            argument.get_id() == "format" && values.iter().any(|value| value.get_name() == "json")
        });
        if prints_json {
            to.push(name.clone());
        }
        collect(command, &format!("{name}-"), to);
    }
}
