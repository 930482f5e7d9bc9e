//! The configurations of `envoy-config/` with the real Envoy: each README shows what happens.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use rstest::rstest;
use serde_json::Value;
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_e2e::scenario::{
    CommandOutcome, Running, ScenarioFolder, ScenarioPorts, check, steps,
};
use spillgate_e2e::{Client, SIGNIFICANCE, Workdir, chi_square_p, documents, eventually};

/// Every scenario has a test of its own, so that they run side by side.
const TESTED: &[&str] = &[
    "drain",
    "ecds",
    "key-rotation",
    "least-request",
    "mcp",
    "native-subsets",
    "native/sticky-failover",
    "native/subset-canary",
    "native/weighted-split",
    "native/zone-failover",
    "several-workers",
    "sticky-failover",
    "sticky-weighted",
    "subset-canary",
    "two-gateways",
    "unix-pipe-admin",
    "weighted-split",
    "zone-failover",
];

/// Far more than a change takes.
const LIMIT: Duration = Duration::from_secs(20);

#[test]
fn every_scenario_is_tested() -> Result<()> {
    let all = ScenarioFolder::all()?;
    let names: Vec<&str> = all.iter().map(ScenarioFolder::name).collect();
    ensure!(names == TESTED, "there are {names:?}");
    Ok(())
}

/// Apart from metrics, both forms of the filter do the same.
#[test]
fn native_scenarios_show_what_those_of_the_wasm_filter_show() -> Result<()> {
    let shown = |scenario: &ScenarioFolder| {
        let steps = steps(&scenario.readme()?)
            .into_iter()
            .filter(|step| !step.command.contains("/stats"));
        let steps: Vec<_> = steps.map(|step| (step.command, step.output)).collect();
        anyhow::Ok(steps)
    };
    let mut compared = 0;
    for scenario in ScenarioFolder::all()? {
        let Some(wasm) = scenario.name().strip_prefix("native/") else {
            continue;
        };
        let (native, wasm) = (shown(&scenario)?, shown(&ScenarioFolder::named(wasm)?)?);
        let differs = wasm.iter().find(|step| !native.contains(step));
        ensure!(differs.is_none(), "{}: {differs:?}", scenario.name());
        compared += 1;
    }
    ensure!(compared >= 4, "{compared} scenarios");
    Ok(())
}

/// Page, hosts and access to the admin interface of the demo are the same with both forms of the filter.
#[test]
fn both_demos_differ_only_around_the_filter() -> Result<()> {
    let parts = |text: &str| -> Result<Vec<Value>> {
        let bootstrap = documents(text)?.remove(0);
        let named = |kind: &str, name: &str| {
            let all = list(&bootstrap["static_resources"][kind]);
            let found = all.iter().find(|one| one["name"] == name).cloned();
            found.with_context(|| format!("no {name}"))
        };
        Ok(vec![
            bootstrap["node"].clone(),
            bootstrap["admin"].clone(),
            named("listeners", "page")?,
            named("listeners", "hosts")?,
            named("clusters", "admin")?,
        ])
    };
    let wasm = parts(include_str!("../../../../envoy-config/demo/envoy.yaml"))?;
    let native = parts(include_str!(
        "../../../../envoy-config/native/demo/envoy.yaml"
    ))?;
    ensure!(wasm == native, "they differ");
    Ok(())
}

/// Even if the filter fails, clients do not steer, and hosts do not see the internal headers. Around the
/// dynamic module, nothing reads these headers.
#[test]
fn internal_headers_are_dropped_before_the_filter_and_behind_it() -> Result<()> {
    for scenario in ScenarioFolder::all()? {
        let name = scenario.name();
        let mut steered = 0;
        for bootstrap in scenario.bootstraps()? {
            let bootstrap = documents(&bootstrap)?.remove(0);
            if scenario.form() == DynamicModule {
                reads_no_header(name, &bootstrap)?;
            }
            let listeners = bootstrap["static_resources"]["listeners"].as_array();
            for listener in listeners.context("no listeners")? {
                let manager = &listener["filter_chains"][0]["filters"][0]["typed_config"];
                steered += usize::from(match scenario.form() {
                    Wasm => steers_safely(name, manager)?,
                    DynamicModule => steers_without_headers(name, manager)?,
                });
            }
        }
        ensure!(steered > 0, "{name} has no listener with the filter");
    }
    Ok(())
}

/// Whether a connection manager has the filter; an error where it lets steering headers in or out.
fn steers_safely(name: &str, manager: &Value) -> Result<bool> {
    let filters = manager["http_filters"].as_array().context("no filters")?;
    if !filters.iter().any(|filter| filter["name"] == "spillgate") {
        return Ok(false);
    }
    let early = &manager["early_header_mutation_extensions"][0]["typed_config"]["mutations"];
    for header in ["x-spillgate-host", "x-spillgate-cluster"] {
        ensure!(drops(early, header), "{name}: {header} is let in");
    }
    for route in list(&manager["route_config"]["virtual_hosts"][0]["routes"]) {
        let removed = list(&route["request_headers_to_remove"]);
        let removed = removed.iter().any(|header| header == "x-spillgate-cluster");
        ensure!(
            removed,
            "{name}: a host sees the cluster of {}",
            route["match"]
        );
    }
    let moved = filters
        .iter()
        .find(|filter| filter["name"] == "envoy.filters.http.header_to_metadata")
        .with_context(|| format!("{name}: nothing moves our headers"))?;
    for rule in list(&moved["typed_config"]["request_rules"]) {
        ensure!(
            rule["remove"] == true,
            "{name}: a host sees {}",
            rule["header"]
        );
    }
    Ok(true)
}

/// Whether a connection manager has the dynamic module; an error where a header could steer requests.
fn steers_without_headers(name: &str, manager: &Value) -> Result<bool> {
    let filters = list(&manager["http_filters"]);
    if !filters.iter().any(|filter| filter["name"] == "spillgate") {
        return Ok(false);
    }
    let text = manager.to_string();
    for header_reader in ["cluster_header", "header_to_metadata", "stateful_session"] {
        ensure!(
            !text.contains(header_reader),
            "{name}: {header_reader} reads headers of clients"
        );
    }
    Ok(true)
}

/// An error where a cluster takes hosts from a header.
fn reads_no_header(name: &str, bootstrap: &Value) -> Result<()> {
    for cluster in list(&bootstrap["static_resources"]["clusters"]) {
        for policy in list(&cluster["load_balancing_policy"]["policies"]) {
            let policy = &policy["typed_extension_config"]["typed_config"];
            for source in list(&policy["override_host_sources"]) {
                ensure!(
                    source["header"].is_null() && source["metadata"]["key"] == "spillgate",
                    "{name}: {} takes hosts from {source}",
                    cluster["name"]
                );
            }
        }
    }
    Ok(())
}

/// Whether a header is taken away, or gets a value of ours in the place of the client's.
fn drops(mutations: &Value, header: &str) -> bool {
    list(mutations).iter().any(|mutation| {
        let append = &mutation["append"];
        mutation["remove"] == header
            || (append["header"]["key"] == header
                && append["append_action"] == "OVERWRITE_IF_EXISTS_OR_ADD")
    })
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Neither the repository nor a file that others may read contains one.
#[test]
fn secrets_are_made_at_the_start() -> Result<()> {
    let (mut with_keys, mut with_variables) = (0, 0);
    for scenario in ScenarioFolder::all()? {
        let name = scenario.name();
        let ports = ScenarioPorts::free(&scenario.bootstraps()?)?;
        let workdir = Workdir::new(&format!("scenario-{}-secrets", name.replace('/', "-")))?;
        scenario.copy(workdir.path(), &ports)?;
        for entry in fs::read_dir(workdir.path())? {
            let path = entry?.path();
            let text = fs::read_to_string(&path)?;
            ensure!(!text.contains("${"), "{} has a gap", path.display());
            with_variables += usize::from(text.contains("keys_from_env"));
            let keys = text.lines().filter(|line| line.contains("secret: \""));
            if keys.count() > 0 {
                with_keys += 1;
                let mode = fs::metadata(&path)?.permissions().mode();
                ensure!(mode & 0o077 == 0, "{}: {mode:o}", path.display());
            }
        }
        let raw = fs::read_dir(scenario.folder())?;
        for entry in raw {
            let path = entry?.path();
            let text = fs::read_to_string(&path)?;
            let literal = |line: &&str| line.contains("secret: \"") && !line.contains("\"${");
            let found = text.lines().find(literal);
            ensure!(found.is_none(), "{} has a secret", path.display());
        }
    }
    ensure!(with_keys >= 1, "no file has keys");
    ensure!(
        with_variables >= 5,
        "only {with_variables} files name a variable"
    );
    Ok(())
}

#[test]
fn a_filter_from_a_file_changes_without_a_lost_request() -> Result<()> {
    as_its_readme_says("ecds").map(drop)
}

#[test]
fn sessions_outlast_a_drain() -> Result<()> {
    as_its_readme_says("drain").map(drop)
}

#[test]
fn sessions_outlast_a_new_key() -> Result<()> {
    as_its_readme_says("key-rotation").map(drop)
}

#[test]
fn servers_see_their_own_sessions_only() -> Result<()> {
    as_its_readme_says("mcp").map(drop)
}

#[rstest]
fn sessions_outlast_a_failover_and_do_not_return(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    in_form("sticky-failover", form).map(drop)
}

#[test]
fn sessions_stay_on_their_side_of_a_split() -> Result<()> {
    as_its_readme_says("sticky-weighted").map(drop)
}

#[test]
fn gateways_agree_about_sessions() -> Result<()> {
    as_its_readme_says("two-gateways").map(drop)
}

#[test]
fn slow_requests_spread_and_broken_ones_are_forgotten() -> Result<()> {
    as_its_readme_says("least-request").map(drop)
}

#[test]
fn the_filter_chooses_the_subset_and_envoy_the_host() -> Result<()> {
    as_its_readme_says("native-subsets").map(drop)
}

#[test]
fn all_workers_agree() -> Result<()> {
    as_its_readme_says("several-workers").map(drop)
}

#[test]
fn health_is_read_through_a_pipe_and_by_workers() -> Result<()> {
    as_its_readme_says("unix-pipe-admin").map(drop)
}

#[rstest]
fn users_stay_on_their_side_of_a_split(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    const USERS: u64 = 7_000;
    let held = in_form("weighted-split", form)?;
    let mut client = held.running.client(18081)?;
    let mut green = 0;
    for user in 0..USERS {
        let answer = client.get(&format!("/?user=number-{user}"), &[])?;
        green += u64::from(answer.text().contains("127.0.2."));
    }
    let p = chi_square_p(&[(green, 30.0), (USERS - green, 70.0)])?;
    ensure!(
        p > SIGNIFICANCE,
        "{green} of {USERS} have probability {p:e} for 30 %"
    );
    Ok(())
}

#[rstest]
fn a_zone_fails_over_and_retries_walk_the_list(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    in_form("zone-failover", form).map(drop)
}

#[rstest]
fn a_failed_canary_costs_no_request(#[values(Wasm, DynamicModule)] form: FilterForm) -> Result<()> {
    const REQUESTS: u64 = 5_600;
    let held = in_form("subset-canary", form)?;
    let mut client = held.running.client(18081)?;
    let canary = canaries(&mut client, REQUESTS)?;
    let p = chi_square_p(&[(canary, 5.0), (REQUESTS - canary, 95.0)])?;
    ensure!(
        p > SIGNIFICANCE,
        "{canary} of {REQUESTS} have probability {p:e} for 5 %"
    );

    let kill = "sed -i -E '/127.0.1.[56]/s/: HEALTHY/: UNHEALTHY/' eds-shop.yaml";
    held.running.shell(kill)?;
    eventually("the end of the canaries", LIMIT, || {
        let answer = client.get("/", &[("x-stage", "canary")])?;
        Ok((!is_canary(&answer.text())).then_some(()))
    })?;
    // One in twenty is still for the canary stage, and every one is answered by another step.
    let canary = canaries(&mut client, 1_000)?;
    ensure!(canary == 0, "{canary} requests went to failed canaries");
    Ok(())
}

/// How many of that many requests canaries answer; every answer must be 200.
fn canaries(client: &mut Client, requests: u64) -> Result<u64> {
    let mut canaries = 0;
    for number in 0..requests {
        let answer = client.get("/", &[])?;
        ensure!(answer.status == 200, "request {number}: {}", answer.status);
        canaries += u64::from(is_canary(&answer.text()));
    }
    Ok(canaries)
}

fn is_canary(answer: &str) -> bool {
    ["127.0.1.5:", "127.0.1.6:"]
        .iter()
        .any(|host| answer.contains(host))
}

/// A scenario that has run its README's commands, whose outputs were those that it shows.
struct Held {
    running: Running,
    _workdir: Workdir,
}

fn in_form(name: &str, form: FilterForm) -> Result<Held> {
    match form {
        Wasm => as_its_readme_says(name),
        DynamicModule => as_its_readme_says(&format!("native/{name}")),
    }
}

fn as_its_readme_says(name: &str) -> Result<Held> {
    let scenario = ScenarioFolder::named(name)?;
    let ports = ScenarioPorts::free(&scenario.bootstraps()?)?;
    let workdir = Workdir::new(&format!("scenario-{}", name.replace('/', "-")))?;
    let mut running = Running::start(&scenario, workdir.path(), ports)?;
    let outcomes = check(&scenario, &mut running, |_| ())?;
    let faults: Vec<String> = outcomes.iter().filter_map(difference).collect();
    ensure!(
        faults.is_empty(),
        "envoy-config/{name}/README.md:\n{}\nEnvoy's log ends with:\n{}",
        faults.join("\n"),
        running.log_end()
    );
    Ok(Held {
        running,
        _workdir: workdir,
    })
}

fn difference(outcome: &CommandOutcome) -> Option<String> {
    let fault = outcome.fault.as_ref()?;
    Some(format!("$ {}\n{fault}", outcome.command))
}
