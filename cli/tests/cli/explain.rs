//! `spillgate explain`.

use serde_json::{Value, json};

use crate::run::{assert_golden, fixture, scratch, spillgate, spillgate_with};

/// The explanation of a request to the listener `edge` as JSON.
fn explained(args: &[&str]) -> Value {
    let ran = spillgate(&[&["explain", "shop.yaml", "--format", "json"], args].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{args:?}");
    assert_eq!(ran.stdout.lines().count(), 1);
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn explanations_match_the_golden_files() {
    let stories: [(&str, &[&str]); 4] = [
        (
            "explain-aggregate.txt",
            &["--path", "/shop/cart", "--seed", "1"],
        ),
        (
            "explain-hash.txt",
            &["--path", "/keyed", "--header", "x-user: u1"],
        ),
        ("explain-no-host.txt", &["--path", "/down"]),
        ("explain-no-route.txt", &["--path", "/elsewhere"]),
    ];
    for (golden, args) in stories {
        let ran = spillgate(&[&["explain", "shop.yaml", "--listener", "edge"], args].concat());
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        assert_golden(golden, &ran.stdout);
    }
}

#[test]
fn subsets_weights_and_retries_match_the_golden_file() {
    let config = "../../../../crates/config/tests/fixtures/places.yaml";
    let path = |path: &'static str| ["explain", config, "--path", path, "--format", "json"];
    let tried = [&path("/retried")[..], &["--tried", "10.6.0.1:80"]].concat();
    let mut lines = String::new();
    for args in [
        &path("/staged")[..],
        &path("/split"),
        &path("/zones"),
        &path("/dropped"),
        &tried,
    ] {
        let ran = spillgate(args);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        lines.push_str(&ran.stdout);
    }
    assert_golden("explain.jsonl", &lines);
}

#[test]
fn possible_outcomes_are_those_of_pick() {
    let picked = spillgate(&["pick", "shop.yaml", "requests.jsonl", "--listener", "edge"]);
    let answers = picked.stdout.lines();
    let rows = fixture("requests.jsonl");
    for (row, answer) in rows.lines().zip(answers) {
        let row: Value = serde_json::from_str(row).unwrap();
        let answer: Value = serde_json::from_str(answer).unwrap();
        let mut args = vec!["--listener".to_owned(), "edge".to_owned()];
        for field in ["path", "method", "host", "source", "local"] {
            if let Some(value) = row[field].as_str() {
                args.extend([format!("--{field}"), value.to_owned()]);
            }
        }
        for header in row["headers"].as_array().into_iter().flatten() {
            let (name, value) = (header[0].as_str().unwrap(), header[1].as_str().unwrap());
            args.extend(["--header".to_owned(), format!("{name}: {value}")]);
        }
        if let Some(attempt) = row["attempt"].as_u64() {
            args.extend(["--attempt".to_owned(), attempt.to_string()]);
        }
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let json = explained(&args);
        assert_eq!(json["status"], answer["status"], "{row}");
        let certain = json!([{"owner": answer["owner"], "priority": answer["priority"],
            "endpoint": answer["endpoint"], "share": 100.0}]);
        let expected = match (&answer["distribution"], &answer["endpoint"]) {
            (Value::Array(_), _) => answer["distribution"].clone(),
            (_, Value::String(_)) => certain,
            _ => json!([]),
        };
        let outcomes = json["distribution"].as_array().unwrap();
        let expected = expected.as_array().unwrap();
        assert_eq!(outcomes.len(), expected.len(), "{row}");
        for (outcome, expected) in outcomes.iter().zip(expected) {
            assert_eq!(outcome["endpoint"], expected["endpoint"]);
            assert_eq!(outcome["owner"], expected["owner"]);
            assert_eq!(outcome["priority"], expected["priority"]);
            let share = (expected["share"].as_f64().unwrap() * 100.0).round();
            assert_eq!(outcome["share"].as_f64().unwrap(), share);
        }
    }
}

#[test]
fn seeds_choose_among_the_possible_outcomes() {
    let mut drawn = std::collections::BTreeMap::new();
    for seed in 0..40 {
        let seed = seed.to_string();
        let args = ["--listener", "edge", "--path", "/shop", "--seed", &seed];
        let json = explained(&args);
        assert_eq!(json, explained(&args), "the same seed, the same answer");
        let endpoint = json["endpoint"].as_str().unwrap().to_owned();
        let mut outcomes = json["distribution"].as_array().unwrap().iter();
        assert!(outcomes.any(|outcome| outcome["endpoint"] == *endpoint));
        *drawn.entry(endpoint).or_insert(0) += 1;
    }
    // 17.5, 52.5 and 30 %: 40 seeds choose every host.
    assert_eq!(drawn.len(), 3, "{drawn:?}");
}

#[test]
fn every_setting_has_its_position() {
    let json = explained(&["--listener", "edge", "--path", "/shop"]);
    let text = fixture("shop.yaml");
    let lines: Vec<&str> = text.lines().collect();
    for step in json["steps"].as_array().unwrap() {
        let line = step["at"]["line"].as_u64().unwrap() as usize;
        assert!(!lines[line - 1].trim().is_empty(), "{step}");
    }
    let host = json["steps"].as_array().unwrap().last().unwrap();
    let line = lines[host["at"]["line"].as_u64().unwrap() as usize - 1];
    let endpoint = json["endpoint"]
        .as_str()
        .unwrap()
        .split(':')
        .next()
        .unwrap();
    assert!(line.contains(endpoint), "{line}");
}

#[test]
fn a_cluster_can_be_explained_without_routes() {
    let cluster = b"name: lone\nload_assignment: {cluster_name: lone, endpoints: [{lb_endpoints: \
        [{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}]}]}\n";
    let refused = spillgate_with(&["explain", "-"], cluster);
    assert_eq!((refused.status, refused.stdout.as_str()), (2, ""));
    assert!(
        refused.stderr.contains("--cluster NAME"),
        "{}",
        refused.stderr
    );
    let ran = spillgate_with(&["explain", "-", "--cluster", "lone"], cluster);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(
        ran.stdout.starts_with("GET localhost/ -> 10.0.0.1:80\n"),
        "{}",
        ran.stdout
    );
    let wrong = spillgate_with(&["explain", "-", "--cluster", "alone"], cluster);
    assert!(
        wrong.stderr.contains("(did you mean lone?)"),
        "{}",
        wrong.stderr
    );
}

#[test]
fn session_steps_have_positions() {
    let folder = crate::help::examples("explain-session");
    let config = folder.join("session.yaml");
    let explained_with = |session: &str, more: &[&str]| -> Value {
        let args = ["explain", config.to_str().unwrap(), "--session", session];
        let ran = spillgate(&[&args[..], &["--format", "json"], more].concat());
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        serde_json::from_str(&ran.stdout).unwrap()
    };
    for (session, reason, outcome, line) in [
        // 10.0.0.2, the draining 10.0.0.3, and the unknown 10.0.0.9.
        ("Cg0xMC4wLjAuMjo4MDgw", "session", "kept", 21),
        ("Cg0xMC4wLjAuMzo4MDgw", "no_host", "refused", 31),
        ("Cg0xMC4wLjAuOTo4MDgw", "no_host", "refused", 21),
        ("Cg0xMC4wLjAuMjo4MDgw====", "chosen", "undecodable", 21),
    ] {
        let json = explained_with(session, &[]);
        assert_eq!(json["reason"], reason, "{json}");
        let mut steps = json["steps"].as_array().unwrap().iter();
        let step = steps.find(|step| step["step"] == "session").unwrap();
        assert_eq!(step["values"]["outcome"], outcome, "{step}");
        assert_eq!(step["at"]["line"], line, "{step}");
    }
    // The same cookie before and after its expiry.
    let until_100 = "Cg0xMC4wLjAuMjo4MDgwEGQ=";
    assert_eq!(
        explained_with(until_100, &["--now", "100"])["reason"],
        "session"
    );
    let late = explained_with(until_100, &["--now", "101"]);
    assert_eq!(late["reason"], "chosen");
    assert_eq!(late["steps"][2]["values"]["outcome"], "expired");
}

#[test]
fn errors_do_not_repeat_session_values() {
    let ran = spillgate(&["explain", "shop.yaml", "--session", "c2VjcmV0"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("explain/no-session"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("c2VjcmV0"), "{}", ran.stderr);
}

#[test]
fn arguments_are_checked() {
    for args in [
        ["--header", "x-user"],
        ["--header", ": x"],
        ["--tried", "10.0.0.1"],
        ["--active", "10.0.0.1:80"],
        ["--source", "me"],
        ["--listener", "unknown"],
    ] {
        let ran = spillgate(&[&["explain", "shop.yaml"], &args[..]].concat());
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{args:?}");
    }
}

#[test]
fn settings_that_are_not_modeled_give_an_unknown_result() {
    let folder = scratch("explain-unknown");
    let config = folder.join("envoy.yaml");
    let text = fixture("shop.yaml").replace("{prefix: /down}", "{prefix: /down, dynamic_metadata: [{filter: f, path: [{key: k}], value: {present_match: true}}]}");
    std::fs::write(&config, text).unwrap();
    let config = config.to_str().unwrap();
    let args = ["explain", config, "--listener", "edge", "--path", "/down"];
    let ran = spillgate(&args);
    assert_eq!(ran.status, 0);
    assert!(
        ran.stdout.starts_with("GET localhost/down -> unknown\n"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("dynamic_metadata is not modeled"),
        "{}",
        ran.stdout
    );
    let json = spillgate(&[&args[..], &["--format", "json"]].concat());
    let json: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["reason"], "not_modeled");
    assert_eq!(json["status"], Value::Null);
}

/// The random number of a fraction does not choose the cluster.
#[test]
fn a_cluster_chosen_by_a_header_is_not_random_because_its_route_is() {
    let split = "{weighted_clusters: {header_name: x-n, clusters: [{name: a, weight: 50}, {name: b, weight: 50}]}}";
    let config = format!(
        "- {{name: a}}\n- {{name: b}}\n- name: r\n  virtual_hosts:\n  - name: v\n    domains: ['*']\n    routes:\n\
         \x20   - match: {{prefix: /, runtime_fraction: {{default_value: {{numerator: 50}}}}}}\n      route: {split}\n\
         \x20   - match: {{prefix: /}}\n      route: {split}\n"
    );
    for seed in ["0", "3"] {
        let args = ["explain", "-", "--header", "x-n: 70", "--seed", seed];
        let ran = spillgate_with(&args, config.as_bytes());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let cluster = ran.stdout.split("cluster   ").nth(1).unwrap();
        let step: Vec<&str> = cluster.lines().take(2).map(str::trim).collect();
        assert_eq!(
            step[0],
            "b, a weighted cluster chosen by the number in the header x-n"
        );
        assert_eq!(step[1], "weights [50 50], total 100");
    }
}

/// The host of an explanation without routes.
fn straight(config: &[u8], args: &[&str]) -> Value {
    let all = [
        &["explain", "-", "--cluster", "shop", "--format", "json"],
        args,
    ]
    .concat();
    let ran = spillgate_with(&all, config);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{args:?}");
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn a_request_to_a_cluster_has_criteria_a_key_and_a_session() {
    let host = |at: usize, stage: &str| {
        format!(
            "{{endpoint: {{address: {{socket_address: {{address: 10.0.0.{at}, port_value: 80}}}}}}, \
             metadata: {{filter_metadata: {{envoy.lb: {{stage: {stage}}}}}}}}}"
        )
    };
    let hosts: Vec<String> = (1..=8)
        .map(|at| host(at, if at == 8 { "dev" } else { "prod" }))
        .collect();
    let config = format!(
        "name: shop\nlb_policy: RING_HASH\nlb_subset_config: {{fallback_policy: ANY_ENDPOINT, \
         subset_selectors: [{{keys: [stage]}}]}}\nload_assignment: {{cluster_name: shop, endpoints: \
         [{{lb_endpoints: [{}]}}]}}\n",
        hosts.join(", ")
    );
    let config = config.as_bytes();
    let dev = straight(config, &["--criteria", "stage=dev"]);
    assert_eq!(dev["endpoint"], "10.0.0.8:80");
    // A key makes the choice independent of the seed, and keys differ.
    let of_key = |key: &str, seed: &str| {
        straight(config, &["--hash-key", key, "--seed", seed])["endpoint"].clone()
    };
    assert_eq!(of_key("ann", "1"), of_key("ann", "2"));
    let keys = ["ann", "bob", "eve", "joe"].map(|key| of_key(key, "1"));
    assert!(keys.iter().any(|host| *host != keys[0]), "{keys:?}");
    let session = ["--session-host", "10.0.0.3:80"];
    assert_eq!(straight(config, &session)["endpoint"], "10.0.0.3:80");
    let unknown = ["--session-host", "10.9.9.9:80", "--strict-session"];
    let refused = straight(config, &unknown);
    assert_eq!(refused["status"], 503, "{refused}");
    // The options belong to a request without a route.
    let ran = spillgate(&["explain", "shop.yaml", "--hash-key", "ann"]);
    assert!(
        ran.status != 0 && ran.stderr.contains("--cluster"),
        "{}",
        ran.stderr
    );
}
