//! The commands that read a running Envoy, with adopted bootstraps in both forms of the filter.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use anyhow::{Context as _, Result, ensure};
use rstest::rstest;
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_e2e::config::SERVED_HEADER;
use spillgate_e2e::{
    Client, Envoy, EnvoyOptions, Need, Port, Upstream, Workdir, documents, eventually, needed,
    spillgate,
};
use spillgate_testkit::repository;
use std::time::Duration;

/// The variable with the folder of modules.
const MODULES: &str = "ENVOY_DYNAMIC_MODULES_SEARCH_PATH";
/// Longer than the first poll of the filter.
const FIRST_DECISION: Duration = Duration::from_secs(20);

/// A bootstrap: its name, the hosts by IP address, and its admin, service and host ports.
struct Case {
    name: &'static str,
    hosts: &'static [&'static str],
    ports: [&'static str; 3],
}

const CASES: [Case; 3] = [
    Case {
        name: "weighted",
        hosts: &["127.0.1.1", "127.0.1.2", "127.0.2.1"],
        ports: ["29901", "28081", "28090"],
    },
    Case {
        name: "aggregate",
        hosts: &["127.0.0.1"],
        ports: ["29902", "28082", "28090"],
    },
    Case {
        name: "tenants",
        hosts: &["127.0.1.1", "127.0.1.2"],
        ports: ["29903", "28083", "28090"],
    },
];

/// An Envoy with an adopted bootstrap, and its hosts.
struct Adopted {
    envoy: Envoy,
    service: Port,
    _hosts: Vec<Upstream>,
    _ports: [Port; 2],
    workdir: Workdir,
}

impl Adopted {
    fn start(case: &Case, form: FilterForm) -> Result<Self> {
        let workdir = Workdir::in_form(&format!("adopt_live_{}", case.name), form)?;
        let (service, port, far) = (Port::lease()?, Port::lease()?, Port::lease()?);
        let mut hosts = Vec::new();
        for ip in case.hosts {
            hosts.push(Upstream::open(&format!("{ip}:{}", port.number()))?);
        }
        hosts.push(Upstream::open(&format!("127.0.0.1:{}", far.number()))?);
        let (name, file) = match form {
            Wasm => ("wasm", needed(Need::FilterWasm)?),
            DynamicModule => ("module", needed(Need::Module)?),
        };
        let folder = repository().join("crates/adopt/tests/bootstraps");
        let text = fs::read_to_string(folder.join(format!("{}.yaml", case.name)))?
            .replace(case.ports[1], &service.number().to_string())
            .replace(case.ports[2], &port.number().to_string())
            .replace("28091", &far.number().to_string())
            // The commands need the whole admin interface.
            .replace(", allow_paths: [{exact: /ready}]", "");
        let modules = workdir.path().join("modules");
        fs::create_dir_all(&modules)?;
        let variables = [(MODULES, modules.to_str().context("a path")?)];
        let options = EnvoyOptions {
            variables: &variables,
            ..EnvoyOptions::default()
        };
        let envoy = Envoy::start_as(&workdir, options, |node, admin| {
            let source = text.replace(case.ports[0], &admin.to_string());
            let source = workdir.write("source.yaml", &source)?;
            let steered = workdir.path().join("steered.yaml");
            let arguments = [
                "adopt",
                &source.display().to_string(),
                "--form",
                name,
                "--file",
            ];
            let further = [
                &file.display().to_string(),
                "--write",
                &steered.display().to_string(),
            ];
            let done = spillgate([&arguments[..], &further].concat())?;
            let module = done.closing.iter().find_map(|line| {
                let (_, rest) = line.rsplit_once("/lib")?;
                rest.split_once(".so")
                    .map(|(name, _)| format!("lib{name}.so"))
            });
            if let Some(module) = module {
                fs::copy(&file, modules.join(module))?;
            }
            let mut bootstrap = documents(&fs::read_to_string(&steered)?)?.remove(0);
            bootstrap["node"] = json!({"id": node, "cluster": "test"});
            Ok(bootstrap.to_string())
        })?;
        let adopted = Self {
            envoy,
            service,
            _hosts: hosts,
            _ports: [port, far],
            workdir,
        };
        let mut client = Client::new(adopted.service.local());
        eventually("a decision of the filter", FIRST_DECISION, || {
            let answer = client.get("/", &[("x-tenant", "a")])?;
            let decided = adopted.envoy.total("spillgate.decisions.")?;
            Ok((answer.status == 200 && decided > 0).then_some(()))
        })?;
        Ok(adopted)
    }

    fn admin(&self) -> String {
        format!("http://{}", self.envoy.admin_address())
    }

    fn answer(&self, arguments: &[&str]) -> Result<Value> {
        let done = spillgate(arguments.iter().copied())?;
        serde_json::from_str(&done.output).with_context(|| done.output.clone())
    }
}

/// The addresses of hosts with a share, for a cluster of `split`.
fn with_share(split: &Value, cluster: &str) -> Vec<String> {
    let clusters = split["clusters"].as_array().into_iter().flatten();
    let own = clusters.filter(|own| own["name"] == cluster);
    let hosts = own.filter_map(|own| own["endpoints"].as_array()).flatten();
    let served = hosts.filter(|host| host["share"].as_f64() > Some(0.0));
    let address = |host: &Value| host["address"].as_str().map(str::to_owned);
    served.filter_map(address).collect()
}

#[rstest]
fn the_commands_are_right_for_an_adopted_envoy(
    #[values(Wasm, DynamicModule)] form: FilterForm,
    #[values(0, 1, 2)] number: usize,
) -> Result<()> {
    let case = &CASES[number];
    let adopted = Adopted::start(case, form)?;
    let url = adopted.admin();
    let source = adopted.workdir.path().join("source.yaml");
    let source = source.to_str().context("a path")?;
    let before = adopted.answer(&["lint", source, "--format", "json"])?;
    let findings = adopted.answer(&["lint", "--admin", &url, "--format", "json"])?;
    let rules = |findings: &Value| -> Result<Vec<Value>> {
        let findings = findings.as_array().context("no list")?.iter();
        let grave = findings.filter(|one| one["severity"] != "info");
        Ok(grave.map(|one| one["rule"].clone()).collect())
    };
    let known = rules(&before)?;
    let new = rules(&findings)?.iter().any(|rule| !known.contains(rule));
    ensure!(!new, "{findings:#}");

    let (cluster, criteria) = match case.name {
        "weighted" => ("shop-blue", None),
        "aggregate" => ("shop", None),
        _ => ("shop", Some("tenant=a")),
    };
    let mut arguments = vec![
        "split",
        "--admin",
        &url,
        "--cluster",
        cluster,
        "--format",
        "json",
    ];
    arguments.extend(
        criteria
            .iter()
            .flat_map(|criteria| ["--criteria", criteria]),
    );
    let split = adopted.answer(&arguments)?;
    let served = with_share(&split, cluster);
    ensure!(
        served.len() == if case.name == "weighted" { 2 } else { 1 },
        "{split:#}"
    );

    // The host that explain names is the host that answers, where there is one.
    let explained = [
        "explain", "--admin", &url, "--path", "/", "--format", "json",
    ];
    let tenant = ["--header", "x-tenant:a"];
    let explained = adopted.answer(&[&explained[..], &tenant].concat())?;
    let mut client = Client::new(adopted.service.local());
    for _ in 0..20 {
        let answer = client.get("/", &[("x-tenant", "a")])?;
        let host = answer.header(SERVED_HEADER).context("no host")?.to_owned();
        let possible = explained.to_string().contains(&host);
        ensure!(possible, "{host}: {explained:#}");
        let known = served.contains(&host) || case.name == "weighted";
        ensure!(known, "{host} is not in {served:?}");
    }

    let file = adopted.workdir.path().join("captured.json");
    let file = file.to_str().context("a path")?;
    spillgate(["capture", &url, "-o", file])?;
    arguments.splice(1..3, [file]);
    let captured = adopted.answer(&arguments)?;
    ensure!(captured["clusters"] == split["clusters"], "{captured:#}");
    Ok(())
}

#[rstest]
fn observe_has_no_false_alarm_for_an_adopted_envoy(
    #[values(Wasm, DynamicModule)] form: FilterForm,
    #[values(0, 1, 2)] number: usize,
) -> Result<()> {
    let case = &CASES[number];
    let adopted = Adopted::start(case, form)?;
    let url = adopted.admin();
    let stop = AtomicBool::new(false);
    let done = thread::scope(|scope| {
        let requests = scope.spawn(|| -> Result<()> {
            let mut client = Client::new(adopted.service.local());
            while !stop.load(Ordering::Relaxed) {
                // Tenants differ in their number of requests.
                for tenant in ["a", "a", "b"] {
                    client.get("/", &[("x-tenant", tenant)])?;
                }
                thread::sleep(Duration::from_millis(5));
            }
            Ok(())
        });
        let observe = || spillgate(["observe", &url, "--interval", "2s", "--format", "json"]);
        // One of 100 observations that fit is a false alarm by chance.
        let mut done = observe();
        for _ in 0..2 {
            if done.as_ref().is_ok_and(|done| done.negative) {
                done = observe();
            }
        }
        stop.store(true, Ordering::Relaxed);
        requests.join().ok().context("a client panicked")??;
        done
    })?;
    let report: Value = serde_json::from_str(&done.output)?;
    let clusters = report["clusters"].as_array().context("no clusters")?;
    let names: Vec<&str> = clusters
        .iter()
        .filter_map(|own| own["name"].as_str())
        .collect();
    let notes = report["notes"].to_string();
    if case.name == "tenants" {
        ensure!(!names.contains(&"shop"), "{report:#}");
        ensure!(
            notes.contains("--criteria") && notes.contains("x-tenant"),
            "{notes}"
        );
    } else {
        ensure!(!done.negative, "{report:#}");
        let name = if case.name == "weighted" {
            "shop-blue"
        } else {
            "shop"
        };
        ensure!(names.contains(&name), "{report:#}");
    }
    let wrong = clusters.iter().any(|own| own["agrees"] == false);
    ensure!(!wrong, "{report:#}");
    Ok(())
}
