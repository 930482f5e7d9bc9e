//! Retries that use the loads of a cluster with more priorities: Envoy crashes where `lint` says so, and nowhere else.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use rstest::rstest;
use serde_json::{Value, json};
use spillgate_e2e::config::{Bootstrap, composite, http_listener};
use spillgate_e2e::{Client, Envoy, Port, Workdir, eventually, spillgate};

/// So many requests choose every weighted cluster for each attempt.
const REQUESTS: usize = 200;
/// The time in which a crashed process ends.
const ENDS: Duration = Duration::from_secs(10);

/// The route's clusters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Clusters {
    /// The members of a composite cluster.
    Composite([&'static str; 4]),
    /// Weighted clusters with `refresh_cluster_on_retry`.
    Weighted([&'static str; 2]),
    /// Weighted clusters, of which a request keeps its first one.
    Kept([&'static str; 2]),
}

#[rstest]
#[case::later_member(Clusters::Composite(["one", "one", "two", "one"]), 2, 3, true)]
#[case::empty_priority(Clusters::Composite(["one", "one", "two", "empty"]), 2, 3, true)]
#[case::loads_of_fewer(Clusters::Composite(["one", "one", "three", "empty"]), 2, 3, true)]
#[case::hash_table(Clusters::Composite(["one", "one", "two", "ring"]), 2, 3, false)]
#[case::every_retry(Clusters::Composite(["one", "one", "two", "one"]), 1, 3, false)]
#[case::before_the_update(Clusters::Composite(["one", "two", "one", "one"]), 2, 3, false)]
#[case::too_few_retries(Clusters::Composite(["one", "one", "two", "one"]), 2, 2, false)]
#[case::other_cluster(Clusters::Weighted(["one", "two"]), 2, 3, true)]
#[case::same_cluster(Clusters::Kept(["one", "two"]), 2, 3, false)]
#[case::equal_clusters(Clusters::Weighted(["two", "two"]), 2, 3, false)]
fn envoy_crashes_where_lint_says_so(
    #[case] clusters: Clusters,
    #[case] frequency: u32,
    #[case] retries: u32,
    #[case] crashes: bool,
) -> Result<()> {
    let workdir = Workdir::new(&format!("retry_crash_{clusters:?}_{frequency}_{retries}"))?;
    // No host listens: every attempt fails.
    let (service, host) = (Port::lease()?, Port::lease()?);
    let route = route(clusters, frequency, retries);
    let mut bootstrap = Bootstrap::new();
    for cluster in all_clusters(clusters, host.number()) {
        bootstrap = bootstrap.cluster(cluster);
    }
    let listener = http_listener("front", service.number(), &[route], Vec::new());
    let mut envoy = Envoy::start(&workdir, &bootstrap.listener(listener))?;
    let found = lint(&envoy)?;
    ensure!(found == crashes, "a finding: {found}");
    let address = ([127, 0, 0, 1], service.number()).into();
    for _ in 0..REQUESTS {
        // A crashed Envoy gives no answer.
        if Client::new(address).get("/", &[]).is_err() {
            break;
        }
    }
    if crashes {
        eventually("the crash", ENDS, || Ok((!envoy.is_alive()).then_some(())))
    } else {
        ensure!(envoy.is_alive(), "{}", envoy.log()?);
        Ok(())
    }
}

/// Whether `lint` names the route.
fn lint(envoy: &Envoy) -> Result<bool> {
    let path = envoy.config().display().to_string();
    let done = spillgate(["lint", &path, "--format", "json"])?;
    let answer: Value = serde_json::from_str(&done.output)?;
    let findings = answer.as_array().context("no findings")?;
    let mut rules = findings.iter().map(|finding| &finding["rule"]);
    Ok(rules.any(|rule| rule == "retry-priority-crash"))
}

fn route(clusters: Clusters, frequency: u32, retries: u32) -> Value {
    let weighted = |names: [&str; 2]| {
        let each = [0, 1].map(|at| json!({"name": weighted_name(names, at), "weight": 50}));
        json!({"clusters": each})
    };
    let mut route = match clusters {
        Clusters::Composite(_) => json!({"cluster": "all"}),
        Clusters::Weighted(names) | Clusters::Kept(names) => {
            json!({"weighted_clusters": weighted(names)})
        }
    };
    route["retry_policy"] = json!({
        "retry_on": "connect-failure",
        "num_retries": retries,
        "refresh_cluster_on_retry": matches!(clusters, Clusters::Weighted(_)),
        "retry_back_off": {"base_interval": "0.001s"},
        "retry_priority": {
            "name": "envoy.retry_priorities.previous_priorities",
            "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.retry.priority.previous_priorities.v3.PreviousPrioritiesConfig",
                "update_frequency": frequency,
            },
        },
    });
    json!({"match": {"prefix": "/"}, "route": route})
}

/// Two weighted clusters of the same kind have different names.
fn weighted_name(names: [&str; 2], at: usize) -> String {
    format!("{}-{at}", names[at])
}

/// The clusters by the kinds in their names: all hosts refuse connections.
fn all_clusters(clusters: Clusters, refused: u16) -> Vec<Value> {
    let (mut names, mut all) = (Vec::new(), Vec::new());
    match clusters {
        Clusters::Composite(members) => {
            names.extend(members.map(String::from));
            all.push(composite("all", &members));
        }
        Clusters::Weighted(of) | Clusters::Kept(of) => {
            names.extend([0, 1].map(|at| weighted_name(of, at)));
        }
    }
    names.sort();
    names.dedup();
    all.extend(names.iter().map(|name| cluster(name, refused)));
    all
}

fn cluster(name: &str, refused: u16) -> Value {
    let kind = name.split('-').next().unwrap_or(name);
    let host = json!({"endpoint": {"address": {"socket_address":
        {"address": "127.0.0.1", "port_value": refused}}}});
    let priorities: &[bool] = match kind {
        "two" => &[true, true],
        "three" => &[true, true, true],
        "empty" => &[true, false],
        _ => &[true],
    };
    let entries = priorities.iter().enumerate().map(|(priority, has_host)| {
        let hosts: Vec<&Value> = has_host.then_some(&host).into_iter().collect();
        json!({"priority": priority, "lb_endpoints": hosts})
    });
    json!({
        "name": name,
        "type": "STATIC",
        "connect_timeout": "2s",
        "lb_policy": if kind == "ring" { "RING_HASH" } else { "ROUND_ROBIN" },
        "load_assignment": {"cluster_name": name, "endpoints": entries.collect::<Vec<_>>()},
    })
}
