//! `spillgate pick`.

use serde_json::Value;
use spillgate_testkit::repository;

use crate::run::{assert_golden, fixture, scratch, spillgate, spillgate_with};

#[test]
fn every_kind_of_answer_matches_the_golden_file() {
    let ran = spillgate(&["pick", "shop.yaml", "requests.jsonl", "--listener", "edge"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert_golden("pick.jsonl", &ran.stdout);
}

#[test]
fn options_can_be_between_the_files() {
    let after = spillgate(&["pick", "shop.yaml", "requests.jsonl", "--listener", "edge"]);
    let between = spillgate(&["pick", "shop.yaml", "--listener", "edge", "requests.jsonl"]);
    assert_eq!((between.status, &between.stdout), (0, &after.stdout));
    let alone = spillgate(&["pick", "shop.yaml"]);
    alone.assert_error_has("no file with requests");
    let admin = ["--admin", "http://127.0.0.1:1"];
    let both = spillgate(&["pick", "shop.yaml", "requests.jsonl", admin[0], admin[1]]);
    both.assert_error_has("files of a configuration and a running Envoy");
    let running = spillgate(&["pick", "requests.jsonl", admin[0], admin[1]]);
    running.assert_error_has("admin/");
}

#[test]
fn the_arithmetic_of_a_certain_result_is_that_of_explain() {
    let folder = repository().join("cli/tests/cli/examples");
    let [config, requests] = ["envoy.yaml", "requests.jsonl"].map(|name| folder.join(name));
    let [config, requests] = [&config, &requests].map(|path| path.to_str().unwrap());
    let ran = spillgate(&["pick", config, requests, "--arithmetic"]);
    let rows: Vec<Value> = ran
        .stdout
        .lines()
        .map(|row| serde_json::from_str(row).unwrap())
        .collect();
    let mut sentences = 0;
    for (row, user) in rows.iter().zip(["u1", "u3"]) {
        let header = format!("x-user: {user}");
        let explained = spillgate(&["explain", config, "--path", "/cart", "--header", &header]);
        let arithmetic = row["arithmetic"].as_array().unwrap();
        for sentence in arithmetic {
            let sentence = sentence.as_str().unwrap();
            let is_line = |line: &str| line.trim() == sentence;
            assert!(
                explained.stdout.lines().any(is_line),
                "{sentence}\n{}",
                explained.stdout
            );
            sentences += 1;
        }
    }
    assert_eq!(
        rows[1]["arithmetic"][0],
        "hash modulo 100 = 76, not below 70, so P1"
    );
    assert_eq!(sentences, 4);
    // A random number decides.
    assert_eq!(rows[2].get("arithmetic"), None);
    let plain = spillgate(&["pick", config, requests]);
    assert!(!plain.stdout.contains("arithmetic"));
}

/// An aggregate chooses its member, and a member its host, by random numbers that change nothing.
#[test]
fn the_arithmetic_of_a_certain_host_says_that_random_numbers_change_nothing() {
    let member = |name: &str, policy: &str| {
        format!(
            "- {{name: {name}, lb_policy: {policy}, load_assignment: {{cluster_name: {name}, endpoints: [{{lb_endpoints: [{{endpoint: {{address: {{socket_address: {{address: 10.0.0.1, port_value: 80}}}}}}}}]}}]}}}}\n"
        )
    };
    for policy in [
        "MAGLEV",
        "RING_HASH",
        "RANDOM",
        "ROUND_ROBIN",
        "LEAST_REQUEST",
    ] {
        let config = format!(
            "{}{}{}",
            member("a", policy),
            "- {name: all, lb_policy: CLUSTER_PROVIDED, cluster_type: {name: envoy.clusters.aggregate, typed_config: {'@type': type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: [a]}}}\n",
            "- {virtual_hosts: [{name: v, domains: ['*'], routes: [{match: {prefix: /}, route: {cluster: all}}]}]}\n",
        );
        let requests = scratch("pick_aggregate").join("requests.jsonl");
        std::fs::write(&requests, "{\"i\":0,\"path\":\"/\"}\n").unwrap();
        let ran = spillgate_with(
            &["pick", "-", requests.to_str().unwrap(), "--arithmetic"],
            config.as_bytes(),
        );
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{policy}");
        let row: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(row["endpoint"], "10.0.0.1:80", "{row}");
        let arithmetic = row["arithmetic"].as_array().unwrap();
        let has = |part: &str| {
            arithmetic
                .iter()
                .any(|one| one.as_str().unwrap().contains(part))
        };
        assert!(
            has("the load of a P0 is 100, so no number decides"),
            "{row}"
        );
        assert!(
            has("so 10.0.0.1:80")
                || has("weight 1 of 1")
                || has("every choice leads to 10.0.0.1:80"),
            "{row}"
        );
    }
}

#[test]
fn a_warning_of_a_row_does_not_end_the_command() {
    let rows = "{\"i\":0,\"path\":\"/\",\"path\":\"/\"}\n{\"i\":1,\"path\":\"/\"}\n";
    let ran = spillgate_with(
        &["pick", "shop.yaml", "-", "--listener", "inner"],
        rows.as_bytes(),
    );
    assert_eq!((ran.status, ran.stdout.lines().count()), (0, 2));
    assert_eq!(
        ran.stderr,
        "warning: -:1:19: config/repeated-key: duplicate key \"path\", first defined at line 1; using the last one\n"
    );
}

#[test]
fn rows_keep_their_ids_and_order() {
    let rows = "{\"i\":\"z\",\"path\":\"/\"}\n\n{\"i\":18446744073709551615,\"path\":\"/\"}\n";
    let ran = spillgate_with(
        &["pick", "shop.yaml", "-", "--listener", "inner"],
        rows.as_bytes(),
    );
    let answer = r#""status":200,"cluster":"secondary","owner":"secondary","priority":0,"endpoint":"10.1.0.1:80"}"#;
    assert_eq!(
        ran.stdout,
        format!("{{\"i\":\"z\",{answer}\n{{\"i\":18446744073709551615,{answer}\n")
    );
}

#[test]
fn several_listeners_give_a_warning_and_the_first_is_used() {
    let ran = spillgate(&["pick", "shop.yaml", "requests.jsonl"]);
    assert_eq!(ran.status, 0);
    assert!(
        ran.stderr.contains("pick/several-listeners"),
        "{}",
        ran.stderr
    );
    let named = spillgate(&["pick", "shop.yaml", "requests.jsonl", "--listener", "edge"]);
    assert_eq!(ran.stdout, named.stdout);
}

#[test]
fn an_unknown_listener_is_an_error() {
    let ran = spillgate(&["pick", "shop.yaml", "requests.jsonl", "--listener", "inne"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert!(
        ran.stderr.contains("(did you mean inner?)"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_configuration_without_routes_is_an_error() {
    let ran = spillgate_with(&["pick", "-", "requests.jsonl"], b"name: c\n");
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("pick/no-routes"), "{}", ran.stderr);
}

#[test]
fn weighted_clusters_and_unknown_results() {
    let folder = scratch("pick-routes");
    let config = folder.join("envoy.yaml");
    let requests = folder.join("requests.jsonl");
    let cluster = |name: &str, address: &str| {
        format!(
            "- name: {name}\n  load_assignment: {{cluster_name: {name}, endpoints: [{{lb_endpoints: [{{endpoint: {{address: {{socket_address: {{address: {address}, port_value: 80}}}}}}}}]}}]}}\n"
        )
    };
    let yaml = cluster("a", "10.0.0.1")
        + &cluster("b", "10.0.0.2")
        + concat!(
            "- name: r\n  virtual_hosts:\n  - name: v\n    domains: ['*']\n    routes:\n",
            "    - {name: tls, match: {prefix: /tls, tls_context: {}}, route: {cluster: a}}\n",
            "    - {match: {safe_regex: {regex: '/[0-9]+'}}, route: {cluster_header: x-to}}\n",
            "    - match: {prefix: /}\n",
            "      route: {weighted_clusters: {header_name: x-n, clusters: [{name: a, weight: 1}, {name: b, weight: 3}]}}\n",
        );
    std::fs::write(&config, yaml).unwrap();
    let rows = [
        r#"{"i":0,"path":"/tls"}"#,
        r#"{"i":1,"path":"/17?q","headers":[["x-to","b"]]}"#,
        r#"{"i":2,"path":"/17"}"#,
        r#"{"i":3,"path":"/","headers":[["x-n","4"]]}"#,
        r#"{"i":4,"path":"/"}"#,
    ];
    std::fs::write(&requests, rows.join("\n")).unwrap();

    let ran = spillgate(&["pick", config.to_str().unwrap(), requests.to_str().unwrap()]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert_eq!(ran.stderr, "");
    let host = |owner: &str, endpoint: &str, share: f64| {
        format!(
            r#"{{"owner":"{owner}","priority":0,"endpoint":"{endpoint}:80","share":{share:.1}}}"#
        )
    };
    let (a, b) = (host("a", "10.0.0.1", 25.0), host("b", "10.0.0.2", 75.0));
    let expected = [
        concat!(
            r#"{"i":0,"route":"tls","unknown":"tls_context","limits":[{"#,
            r#""path":"[2].virtual_hosts[0].routes[0].match.tls_context","line":10,"effect":"#,
            r#""a match with tls_context is not modeled; requests that reach it have an unknown result"}]}"#
        )
        .to_string(),
        r#"{"i":1,"status":200,"cluster":"b","owner":"b","priority":0,"endpoint":"10.0.0.2:80"}"#
            .to_string(),
        r#"{"i":2,"status":503,"cluster":"","endpoint":null,"reason":"unknown_cluster"}"#
            .to_string(),
        r#"{"i":3,"status":200,"cluster":"a","owner":"a","priority":0,"endpoint":"10.0.0.1:80"}"#
            .to_string(),
        format!(r#"{{"i":4,"status":200,"cluster":"a|b","distribution":[{a},{b}],"no_host":0.0}}"#),
    ];
    assert_eq!(ran.stdout.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn errors_of_both_inputs_are_shown_at_once() {
    let folder = scratch("pick-both");
    let config = folder.join("envoy.yaml");
    let requests = folder.join("requests.jsonl");
    let yaml = fixture("shop.yaml").replace("load_balancing_weight: 3", "load_balancing_weight: 0");
    std::fs::write(&config, yaml).unwrap();
    let rows = "{\"i\":0,\"path\":\"/\",\"session\":1234,\"active\":{\"10.0.0.1\":3}}\n{\"i\":1}\n";
    std::fs::write(&requests, rows).unwrap();

    let ran = spillgate(&["pick", config.to_str().unwrap(), requests.to_str().unwrap()]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(lines.len(), 4, "{}", ran.stderr);
    assert!(
        lines[0].contains("envoy.yaml:66:34: config/value"),
        "{}",
        lines[0]
    );
    assert!(
        lines[1].contains("requests.jsonl:1:29: request/type"),
        "{}",
        lines[1]
    );
    assert!(
        lines[2].contains("requests.jsonl:1:44: request/type"),
        "{}",
        lines[2]
    );
    assert!(
        lines[3].contains("requests.jsonl:2:1: request/missing"),
        "{}",
        lines[3]
    );
}

#[test]
fn standard_input_is_not_read_twice() {
    let ran = spillgate(&["pick", "-", "-"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("input/twice"), "{}", ran.stderr);
}

#[test]
fn shares_of_a_random_answer_sum_up_to_100() {
    let ran = spillgate(&["pick", "shop.yaml", "requests.jsonl", "--listener", "edge"]);
    let random: Vec<Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|row: &Value| row.get("distribution").is_some())
        .collect();
    assert_eq!(random.len(), 2);
    for row in random {
        let shares = row["distribution"].as_array().unwrap().iter();
        let sum: f64 = shares
            .map(|outcome| outcome["share"].as_f64().unwrap())
            .sum();
        assert!(
            (sum + row["no_host"].as_f64().unwrap() - 100.0).abs() < 1e-9,
            "{row}"
        );
    }
}

/// The example `session.yaml` with changed routes.
fn session_rows(from: &str, to: &str, rows: &str) -> Vec<Value> {
    let folder = crate::help::examples(&format!("sessions-{}", from.len() + rows.len()));
    let text = std::fs::read_to_string(folder.join("session.yaml")).unwrap();
    let changed = text.replace(from, to);
    assert!(from.is_empty() || text != changed);
    std::fs::write(folder.join("changed.yaml"), changed).unwrap();
    let config = folder.join("changed.yaml");
    let ran = spillgate_with(&["pick", config.to_str().unwrap(), "-"], rows.as_bytes());
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let lines = ran.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn a_client_keeps_the_session_of_the_first_response() {
    let rows = concat!(
        "{\"i\":0,\"path\":\"/\",\"session\":\"u\"}\n",
        "{\"i\":1,\"path\":\"/\",\"session\":\"other\"}\n",
        "{\"i\":2,\"path\":\"/\",\"session\":\"u\"}\n",
        "{\"i\":3,\"path\":\"/\"}\n",
        "{\"i\":4,\"path\":\"/\",\"session\":\"u\"}\n",
    );
    let answers = session_rows("strict: true", "strict: false", rows);
    let same_as: Vec<&Value> = answers.iter().map(|answer| &answer["same_as"]).collect();
    let none = &Value::Null;
    assert_eq!(same_as, [none, none, &0.into(), none, &0.into()]);
    for answer in &answers {
        assert_eq!(answer["distribution"], answers[0]["distribution"]);
    }
}

#[test]
fn a_session_on_a_draining_host_has_no_same_as() {
    // Under the default panic threshold, all hosts serve, whatever their health.
    let ill = "{socket_address: {address: 10.0.0.1, port_value: 8080}}}\n";
    let to = format!("{ill}          health_status: UNHEALTHY\n");
    let rows = concat!(
        "{\"i\":0,\"path\":\"/\",\"session\":\"u\"}\n",
        "{\"i\":1,\"path\":\"/\",\"session\":\"u\"}\n",
        "{\"i\":2,\"path\":\"/\",\"session\":\"u\"}\n",
    );
    let text = "cluster_name: shop\n";
    let folder = crate::help::examples("session-in-panic");
    let yaml = std::fs::read_to_string(folder.join("session.yaml")).unwrap();
    let threshold = "common_lb_config: {healthy_panic_threshold: {value: 100}}\n";
    let yaml = yaml
        .replace(ill, &to)
        .replace("strict: true", "strict: false")
        .replace(
            "    load_assignment:",
            &format!("    {threshold}    load_assignment:"),
        );
    assert!(yaml.contains(threshold) && yaml.contains(text) && yaml.contains("UNHEALTHY"));
    let config = folder.join("panic.yaml");
    std::fs::write(&config, yaml).unwrap();
    let ran = spillgate_with(&["pick", config.to_str().unwrap(), "-"], rows.as_bytes());
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let answers: Vec<Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let share = |row: usize, endpoint: &str| {
        let outcomes = answers[row]["distribution"].as_array().unwrap();
        let found = outcomes.iter().find(|o| o["endpoint"] == endpoint).unwrap();
        found["share"].as_f64().unwrap()
    };
    for answer in answers.iter().take(3) {
        assert_eq!(answer.get("same_as"), None);
    }
    // First a third each. Then one of three sessions stays, and the others are distributed again.
    let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
    let mut kept = 100.0 / 3.0;
    for row in 0..3 {
        assert!(near(share(row, "10.0.0.2:8080"), kept), "row {row}");
        assert!(
            near(share(row, "10.0.0.1:8080"), (100.0 - kept) / 2.0),
            "row {row}"
        );
        kept += (100.0 - kept) / 3.0;
    }
}

#[test]
fn cookies_in_rows_expire() {
    // 10.0.0.2:8080 with expiry in 1970 and in 2286.
    let rows = concat!(
        "{\"i\":0,\"path\":\"/\",\"headers\":[[\"cookie\",\"sess=Cg0xMC4wLjAuMjo4MDgwEAE=\"]]}\n",
        "{\"i\":1,\"path\":\"/\",\"headers\":[[\"cookie\",\"sess=Cg0xMC4wLjAuMjo4MDgwEIDIr6Al\"]]}\n",
        "{\"i\":2,\"path\":\"/\",\"headers\":[[\"cookie\",\"sess=Cg0xMC4wLjAuOTo4MDgw\"]]}\n",
    );
    let answers = session_rows("", "", rows);
    assert!(answers[0]["distribution"].is_array(), "{}", answers[0]);
    assert_eq!(answers[1]["endpoint"], "10.0.0.2:8080");
    assert_eq!(
        (&answers[2]["status"], &answers[2]["endpoint"]),
        (&503.into(), &Value::Null)
    );
}

/// Envoy 1.40.0 knows neither server name nor protocols of a TLS connection without `tls_inspector`.
#[test]
fn without_an_inspector_a_connection_offers_no_protocols() {
    let proxy = |cluster: &str| {
        format!(
            "filters: [{{name: t, typed_config: {{'@type': type.googleapis.com/envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy, cluster: {cluster}}}}}]"
        )
    };
    let hosts = |cluster: &str, last: u8| {
        format!(
            "- {{name: {cluster}, load_assignment: {{cluster_name: {cluster}, endpoints: [{{lb_endpoints: [{{endpoint: {{address: {{socket_address: {{address: 10.0.0.{last}, port_value: 80}}}}}}}}]}}]}}}}\n"
        )
    };
    let config = format!(
        "{}{}- {{name: l, filter_chains: [{{filter_chain_match: {{application_protocols: [h2]}}, {}}}], default_filter_chain: {{{}}}}}\n",
        hosts("a", 1),
        hosts("d", 2),
        proxy("a"),
        proxy("d"),
    );
    let inspected = config.replace(
        "name: l,",
        "name: l, listener_filters: [{name: t, typed_config: {'@type': type.googleapis.com/envoy.extensions.filters.listener.tls_inspector.v3.TlsInspector}}],",
    );
    let requests = scratch("pick_alpn").join("requests.jsonl");
    let row = "{\"i\":0,\"path\":\"/\",\"sni\":\"foo.example\",\"alpn\":[\"h2\"]}\n";
    std::fs::write(&requests, row).unwrap();
    for (config, cluster) in [(config, "d"), (inspected, "a")] {
        let ran = spillgate_with(
            &["pick", "-", requests.to_str().unwrap()],
            config.as_bytes(),
        );
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(answer["cluster"], cluster, "{answer}");
    }
}
