//! `spillgate what-if` about several clusters.

use std::fs;

use serde_json::Value;

use crate::run::{Ran, assert_golden, scratch, spillgate, spillgate_at, spillgate_with};

const CONFIG: &str = "several.yaml";

/// The clusters of the fixture that have hosts, as their users see them.
const ROWS: [&str; 5] = ["search", "cart", "pay", "spare", "shop"];

fn what_if(args: &[&str]) -> Ran {
    spillgate(&[&["what-if", CONFIG], args].concat())
}

fn json(args: &[&str]) -> Value {
    let ran = what_if(&[args, &["--format", "json"]].concat());
    assert!(ran.status < 2, "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

/// The names of the clusters in an answer, in its order.
fn names(answer: &Value) -> Vec<&str> {
    let clusters = answer["clusters"].as_array().unwrap().iter();
    clusters.map(|of| of["name"].as_str().unwrap()).collect()
}

/// The answer about one of several clusters.
fn row<'a>(answer: &'a Value, name: &str) -> &'a Value {
    let mut clusters = answer["clusters"].as_array().unwrap().iter();
    clusters.find(|of| of["name"] == name).unwrap()
}

#[test]
fn tables_match_the_golden_files() {
    let ran = what_if(&["--lose", "zone=a:50%"]);
    assert_eq!(ran.status, 0);
    assert_golden("what_if_rows.txt", &ran.stdout);
    let question = [
        "--n-minus",
        "1",
        "--expect",
        "survives n-1",
        "--expect",
        "no 503",
    ];
    let ran = what_if(&question);
    assert_eq!(ran.status, 1);
    assert_golden("what_if_rows_n_1.txt", &ran.stdout);
    let clusters = ["--cluster", "empty", "--cluster", "search"];
    let question = ["--lose", "zone=b:1", "--expect", "no panic"];
    let question = [&clusters[..], &question, &["--format", "json"]].concat();
    let ran = what_if(&question);
    assert_eq!(ran.status, 1);
    assert_golden("what_if_rows.json", &ran.stdout);
}

/// An aggregate is one row; a member has one of its own if a route reaches it directly.
#[test]
fn rows_are_the_clusters_that_requests_reach_directly() {
    let answer = json(&["--lose", "zone=a:1"]);
    let mut found = names(&answer);
    found.sort_unstable();
    let mut expected = [&ROWS[..], &["empty", "later"]].concat();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn each_row_is_the_answer_about_its_cluster_alone() {
    for question in [
        &["--lose", "priority=0:50%", "--n-minus", "1"][..],
        &[
            "--lose",
            "priority=0:1",
            "--lose",
            "priority=0:30%",
            "--expect",
            "overload <= 1.4",
        ],
        &["--sweep", "priority=0", "--expect", "panic_margin >= 2"],
        &[
            "--lose",
            "priority=0:100%",
            "--expect",
            "no 503",
            "--expect",
            "load(P0) > 0",
        ],
        &["--n-minus", "1", "--criteria", "stage=prod"],
        &[
            "--set",
            "*.healthy_panic_threshold=80",
            "--lose",
            "priority=0:1",
        ],
        &["--lose", "priority=0:1", "--failed", "priority=0"],
        &[
            "--lose",
            "priority=0:1",
            "--client",
            "grpc",
            "--expect",
            "no 503",
        ],
        &["--lose", "priority=0:1", "--client", "both"],
    ] {
        let all = json(question);
        for name in ROWS {
            let alone = json(&[question, &["--cluster", name]].concat());
            let mut row = row(&all, name).clone();
            row.as_object_mut().unwrap().shift_remove("name");
            assert_eq!(row, alone, "{name}: {question:?}");
        }
    }
}

/// A cluster that a loss does not select is as before; a number of hosts is at most that of the usable ones.
#[test]
fn a_loss_concerns_the_clusters_that_have_its_hosts() {
    let answer = json(&["--lose", "zone=a:3"]);
    let lost = |name| row(&answer, name)["lost"].as_array().unwrap().len();
    assert_eq!(ROWS.map(lost), [2, 2, 2, 0, 3]);
    let spare = row(&answer, "spare");
    assert_eq!(spare["before"], spare["after"]);
    // A member's hosts are lost in the aggregate that has it, too.
    let answer = json(&["--lose", "cluster=spare:1"]);
    let lost = |name| row(&answer, name)["lost"].as_array().unwrap().len();
    assert_eq!(ROWS.map(lost), [0, 0, 0, 1, 1]);
    for (loss, expected) in [
        ("zone=x:1", "found \"x\", expected one of a, b, c"),
        ("zone=a:9", "what-if/too-many"),
        ("zone=b,cluster=cart:1", "what-if/no-host"),
    ] {
        let ran = what_if(&["--lose", loss]);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{loss}");
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    }
}

#[test]
fn names_and_patterns_choose_clusters() {
    let answer = json(&[
        "--cluster",
        "s*",
        "--cluster",
        "cart",
        "--lose",
        "priority=0:1",
    ]);
    let mut found = names(&answer);
    found.sort_unstable();
    assert_eq!(found, ["cart", "search", "shop", "spare"]);
    // One cluster has the detailed answer.
    let answer = json(&["--cluster", "se?rch", "--lose", "zone=a:1"]);
    assert_eq!(answer["cluster"], "search");
    assert_eq!(answer["lost"].as_array().unwrap().len(), 1);
    let ran = what_if(&["--cluster", "x*", "--cluster", "Cart", "--lose", "zone=a:1"]);
    assert_eq!(ran.status, 2);
    assert_eq!(ran.stderr.matches("what-if/unknown-cluster").count(), 2);
    assert!(ran.stderr.contains("did you mean cart?"), "{}", ran.stderr);
}

/// What is not known fails an expectation, and is named without one.
#[test]
fn clusters_without_figures_are_never_skipped() {
    let ran = what_if(&["--lose", "zone=c:1"]);
    assert_eq!(ran.status, 0);
    ran.assert_output_has("no figures of 1 cluster: no hosts: empty\n");
    ran.assert_output_has(
        "no figures of 1 cluster: hosts are not known from the configuration: later\n",
    );
    let known = &[
        "--cluster",
        "s*",
        "--lose",
        "zone=c:1",
        "--expect",
        "no 503",
    ];
    assert_eq!(what_if(known).status, 0);
    for cluster in ["later", "empty"] {
        let asked = [&known[..], &["--cluster", cluster]].concat();
        assert_eq!(what_if(&asked).status, 1, "{cluster}");
        let answer = json(&asked);
        let expected = &row(&answer, cluster)["expectations"][0];
        assert_eq!(
            (&expected["ok"], &expected["value"]),
            (&false.into(), &Value::Null)
        );
        assert!(expected["reason"].as_str().unwrap().contains("hosts"));
    }
    // If no cluster has figures, there is no answer.
    let ran = what_if(&["--cluster", "later", "--cluster", "empty", "--n-minus", "1"]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("what-if/hosts-unknown"),
        "{}",
        ran.stderr
    );
}

#[test]
fn an_expectation_holds_for_each_cluster_or_the_named_one() {
    let status = |expect: &str| {
        let clusters = [
            "--cluster",
            "search",
            "--cluster",
            "cart",
            "--cluster",
            "shop",
        ];
        what_if(
            &[
                &clusters[..],
                &["--lose", "zone=a:100%", "--expect", expect],
            ]
            .concat(),
        )
        .status
    };
    assert_eq!(status("no 503"), 1, "cart has zone a only");
    assert_eq!(status("load(cluster=search) = 100"), 0);
    assert_eq!(status("load(cluster=spare) = 100"), 0, "a member of shop");
    assert_eq!(
        status("share(cluster=shop) = 100"),
        0,
        "all members of shop"
    );
    assert_eq!(status("load(cluster=cart) = 100"), 0);
    assert_eq!(status("share(cluster=cart) = 100"), 1);
    // A cluster without the hosts gives them nothing.
    assert_eq!(status("share(zone=c) >= 0"), 0);
    assert_eq!(status("share(zone=c) > 0"), 1);
    assert_eq!(status("load(P1) <= 100"), 0);
    // No cluster has them, or the cluster is not in question.
    assert_eq!(status("share(zone=x) >= 0"), 2);
    assert_eq!(status("load(P9) >= 0"), 2);
    assert_eq!(status("load(cluster=pay) >= 0"), 2);
}

/// Without zones, N-1 cannot be checked: the expectation fails.
#[test]
fn a_cluster_without_zones_fails_n_minus_1() {
    let config = fs::read_to_string(crate::run::fixtures().join(CONFIG)).unwrap();
    let config = config.replace(
        "      - locality: {zone: c}\n        lb_endpoints",
        "      - lb_endpoints",
    );
    let ask = |args: &[&str]| {
        let clusters = ["what-if", "-", "--cluster", "search", "--cluster", "spare"];
        spillgate_with(&[&clusters[..], args].concat(), config.as_bytes())
    };
    let ran = ask(&["--expect", "survives n-1"]);
    assert_eq!(ran.status, 1);
    ran.assert_output_has("survives n-1 (not enough zones to lose)");
    let ran = ask(&["--n-minus", "1"]);
    assert_eq!(ran.status, 0);
    ran.assert_output_has("too few zones");
}

#[test]
fn sarif_has_a_result_for_each_cluster_at_its_place() {
    let ran = what_if(&[
        "--lose",
        "zone=a:100%",
        "--expect",
        "no 503",
        "--format",
        "sarif",
    ]);
    assert_eq!(ran.status, 1);
    let log: Value = serde_json::from_str(&ran.stdout).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let text = fs::read_to_string(crate::run::fixtures().join(CONFIG)).unwrap();
    let mut found = Vec::new();
    for result in results {
        let location = &result["locations"][0];
        let name = location["logicalLocations"][0]["fullyQualifiedName"]
            .as_str()
            .unwrap();
        let line = location["physicalLocation"]["region"]["startLine"]
            .as_u64()
            .unwrap();
        let at = text.lines().nth(line as usize - 1).unwrap();
        assert!(at.contains(&format!("name: {name}")), "{at}");
        let message = result["message"]["text"].as_str().unwrap();
        assert!(
            message.starts_with(&format!("{name}: `no 503` does not hold")),
            "{message}"
        );
        found.push(name);
    }
    found.sort_unstable();
    assert_eq!(found, ["cart", "empty", "later"]);
}

/// Clusters with one to four hosts in zone a, and one in zone b.
fn many(count: usize) -> String {
    let mut text = String::new();
    for cluster in 0..count {
        text.push_str(&format!(
            "- name: c{cluster}\n  load_assignment:\n    cluster_name: c{cluster}\n    endpoints:\n"
        ));
        for (zone, hosts) in [("a", cluster % 4 + 1), ("b", 1)] {
            text.push_str(&format!(
                "    - locality: {{zone: {zone}}}\n      lb_endpoints:\n"
            ));
            for host in 0..hosts {
                text.push_str(&format!(
                    "      - endpoint: {{address: {{socket_address: {{address: 10.{}.{}.{host}, port_value: 80}}}}}}\n",
                    cluster / 256,
                    cluster % 256,
                ));
            }
        }
    }
    text
}

#[test]
fn text_has_at_most_a_screen_and_the_worst_first() {
    let folder = scratch("many");
    fs::write(folder.join("many.yaml"), many(40)).unwrap();
    let ask =
        |args: &[&str]| spillgate_at(&folder, &[&["what-if", "many.yaml"], args].concat(), b"");
    let ran = ask(&["--lose", "zone=a:100%"]);
    assert_eq!(ran.stdout.lines().count(), 24, "{}", ran.stdout);
    // With three or four hosts in zone a, the last host is less than half of all.
    ran.assert_output_starts("After the loss: 30 of 40 clusters enter panic mode\n");
    let last = ran.stdout.lines().last().unwrap();
    assert_eq!(last, "21 more rows, none of them worse; --all lists all");
    let all = ask(&["--lose", "zone=a:100%", "--all"]);
    assert_eq!(all.stdout.lines().count(), 44, "{}", all.stdout);
    let panics: Vec<bool> = all
        .stdout
        .lines()
        .skip(4)
        .map(|line| line.contains("P0"))
        .collect();
    assert!(
        panics.is_sorted_by(|one, other| one >= other),
        "{}",
        all.stdout
    );
}
