//! Hosts of the first priority fail one by one under load and come back; Envoy's health checks notice,
//! the filter follows, and until then retries walk its host list.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow, ensure};
use rstest::rstest;
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_core::model::Metadata;
use spillgate_core::model::Value as Field;
use spillgate_core::snapshot::Snapshot;
use spillgate_e2e::config::{
    Bootstrap, HOST_HEADER, Unlisted, admin_cluster, dropping_internal_headers, http_listener,
    our_filters, steer_cluster, to_chosen_cluster,
};
use spillgate_e2e::{
    Client, Envoy, Load, Port, Tally, Upstream, Workdir, amount, eventually, figure,
};

/// Far more than a health check, a poll and a tick take.
const LIMIT: Duration = Duration::from_secs(20);
/// The most that a priority's share may be off, in percent.
const TOLERANCE: f64 = 3.0;
/// Hosts of each priority that serve our requests, and others of another version.
const OURS: usize = 4;
const OTHERS: usize = 2;

/// How much load, and for how long.
struct Scale {
    connections: u64,
    /// Hosts of priority 0 that fail and come back.
    killed: usize,
    /// Requests of each stage at least.
    requests: u64,
    /// How long each stage lasts at least.
    stage: Duration,
}

#[rstest]
fn hosts_fail_and_come_back_under_load(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let short = Scale {
        connections: 16,
        killed: 3,
        requests: 3_000,
        stage: Duration::ZERO,
    };
    // Nine stages: all hosts fail and come back.
    let full = Scale {
        connections: 50,
        killed: OURS,
        requests: 5_000,
        stage: Duration::from_secs(7),
    };
    let scale = amount(short, full);
    let workdir = Workdir::in_form("filter_failover", form)?;
    let mut site = Site::open(&workdir)?;
    let begun = Instant::now();
    let load = Load::start(site.service.local(), scale.connections);
    let mut alive = vec![true; OURS];
    site.stage(&load, &scale, &alive, 0)?;
    for dying in 0..scale.killed {
        let cut = site.hosts[dying].kill();
        alive[dying] = false;
        site.stage(&load, &scale, &alive, cut)?;
    }
    for coming in 0..scale.killed {
        site.hosts[coming].revive()?;
        alive[coming] = true;
        site.stage(&load, &scale, &alive, 0)?;
    }
    let rest = load.stop();
    ensure!(rest.failed == 0, "{:?}", rest.failures);
    figure(format_args!(
        "{} requests in {:.0} s over {} connections, {} lost with {} connections that were cut, \
             {} retried",
        site.requests + rest.requests,
        begun.elapsed().as_secs_f64(),
        scale.connections,
        site.lost,
        site.cut,
        site.envoy.stat("cluster.shop.upstream_rq_retry_success")?
    ));
    // Until Envoy noticed, retries found the next host of the list.
    let retried = site.envoy.stat("cluster.shop.upstream_rq_retry_success")?;
    ensure!(retried > 0, "nothing was retried");
    site.envoy.check_filter()?;
    site.envoy
        .check_zero(&["cluster.shop.upstream_rq_retry_overflow"])
}

/// One cluster of two priorities: 127.7.0.x and 127.7.1.x. The first hosts of each are of version v1,
/// which is asked for; the others are of v2 and may get none of it.
struct Site {
    envoy: Envoy,
    /// Those of priority 0 first.
    hosts: Vec<Upstream>,
    service: Port,
    port: Port,
    requests: u64,
    lost: u64,
    cut: usize,
}

impl Site {
    fn open(workdir: &Workdir) -> Result<Self> {
        let (service, port) = (Port::lease()?, Port::lease()?);
        let number = port.number();
        let hosts = (0..2)
            .flat_map(|priority| {
                (0..OURS + OTHERS).map(move |host| address(priority, host, number))
            })
            .map(|address| Upstream::open(&address))
            .collect::<Result<Vec<_>>>()?;
        let mut route = to_chosen_cluster(workdir.form());
        route["route"]["retry_policy"] = json!({"retry_on": "connect-failure", "num_retries": 2});
        let filters = our_filters(workdir.form(), &configuration(number, &[true; OURS]))?;
        let listener = http_listener("service", service.number(), &[route], filters);
        let bootstrap = Bootstrap::new()
            .listener(dropping_internal_headers(listener))
            .cluster(checked_cluster(workdir.form(), number));
        let poll = json!({"poll": [{"cluster": "admin", "targets": ["shop"], "interval": "0.1s"}]});
        let bootstrap = bootstrap.observing(workdir.form(), &poll)?;
        let envoy = Envoy::start_with(workdir, |node, admin| {
            let bootstrap = bootstrap.cluster(admin_cluster(admin));
            bootstrap.to_json(node, admin)
        })?;
        let site = Self {
            envoy,
            hosts,
            service,
            port,
            requests: 0,
            lost: 0,
            cut: 0,
        };
        // Before the first checks all hosts are unhealthy in Envoy, and therefore in the filter.
        eventually("the first checks", LIMIT, || {
            let healthy = site.envoy.stat("cluster.shop.membership_healthy")?;
            Ok((healthy == site.hosts.len() as u64).then_some(()))
        })?;
        // The second poll from now on is asked after them, and two more take longer than a tick. Without
        // polls, hosts change at once.
        let polls = || site.envoy.stat("spillgate.health.polls");
        let heard = match workdir.form() {
            Wasm => polls()? + 4,
            DynamicModule => 0,
        };
        eventually("the first health", LIMIT, || {
            let served = || {
                Ok::<_, anyhow::Error>(
                    Client::new(site.service.local()).get("/", &[])?.status == 200,
                )
            };
            Ok((polls()? >= heard && served()?).then_some(()))
        })?;
        Ok(site)
    }

    /// Waits until the filter steers by the health that is, then looks at what it does for a
    /// while. Since the last stage no more requests may have failed than connections were cut.
    fn stage(&mut self, load: &Load, scale: &Scale, alive: &[bool], cut: usize) -> Result<()> {
        let number = self.port.number();
        let expected = shares(number, alive)?;
        let what = format!("steering by {alive:?}");
        let mut since = Tally::default();
        eventually(&what, LIMIT, || {
            // The load is one round of all connections at least, so no older request is active.
            wait_for(load, 20 * scale.connections)?;
            let tally = load.take();
            since.failed += tally.failed;
            since.requests += tally.requests;
            since.failures.extend(tally.failures.iter().cloned());
            let hosts = tally.hosts();
            for host in hosts.keys() {
                ensure!(is_ours(host), "{what}: {host} is of another version");
            }
            let stale = hosts.keys().any(|host| !expected.contains_key(*host));
            let missing = expected
                .keys()
                .any(|host| !hosts.contains_key(host.as_str()));
            Ok((!stale && !missing).then_some(()))
        })?;
        ensure!(
            since.failed <= cut as u64,
            "{what}: {} requests failed, {cut} connections were cut: {:?}",
            since.failed,
            since.failures
        );
        let begun = Instant::now();
        let mut stage = Tally::default();
        while begun.elapsed() < scale.stage || stage.requests < scale.requests {
            wait_for(load, scale.requests / 10)?;
            let tally = load.take();
            ensure!(tally.failed == 0, "{what}: {:?}", tally.failures);
            stage.requests += tally.requests;
            for (served, count) in tally.served {
                *stage.served.entry(served).or_default() += count;
            }
        }
        let priority_of = |host: &str| usize::from(host.starts_with("127.7.1."));
        let (mut served, mut split) = ([0.0; 2], [0.0; 2]);
        for (host, count) in stage.hosts() {
            ensure!(
                expected.contains_key(host),
                "{what}: {host} served {count} requests"
            );
            served[priority_of(host)] += 100.0 * count as f64 / stage.requests as f64;
        }
        for (host, share) in &expected {
            split[priority_of(host)] += share;
        }
        println!(
            "{alive:?}: served {served:.1?}, `split` predicts {split:.1?} of {} requests; {} of {} \
             failed on the way",
            stage.requests, since.failed, since.requests
        );
        ensure!(
            (served[0] - split[0]).abs() <= TOLERANCE,
            "{what}: {served:?}, not {split:?}"
        );
        self.requests += stage.requests + since.requests;
        self.lost += since.failed;
        self.cut += cut;
        Ok(())
    }
}

fn wait_for(load: &Load, more: u64) -> Result<()> {
    let until = load.requests() + more;
    eventually("requests", LIMIT, || {
        Ok((load.requests() >= until).then_some(()))
    })
}

/// Whether it is of version v1.
fn is_ours(host: &str) -> bool {
    let (ip, _) = host.split_once(':').unwrap_or((host, ""));
    let last = ip.rsplit('.').next().and_then(|last| last.parse().ok());
    last.is_some_and(|last: usize| last <= OURS)
}

fn address(priority: usize, host: usize, port: u16) -> String {
    format!("127.7.{priority}.{}:{port}", host + 1)
}

/// The hosts with their versions; those of ours in priority 0 that are not alive are unhealthy.
fn assignment(port: u16, alive: &[bool]) -> Value {
    let endpoint = |priority: usize, host: usize| {
        let version = if host < OURS { "v1" } else { "v2" };
        let failed = priority == 0 && alive.get(host) == Some(&false);
        json!({
            "endpoint": {"address": {"socket_address": {
                "address": format!("127.7.{priority}.{}", host + 1),
                "port_value": port,
            }}},
            "health_status": if failed { "UNHEALTHY" } else { "UNKNOWN" },
            "metadata": {"filter_metadata": {"envoy.lb": {"version": version}}},
        })
    };
    let priority = |priority| {
        let hosts: Vec<Value> = (0..OURS + OTHERS)
            .map(|host| endpoint(priority, host))
            .collect();
        json!({"priority": priority, "lb_endpoints": hosts})
    };
    json!({"cluster_name": "shop", "endpoints": [priority(0), priority(1)]})
}

fn configuration(port: u16, alive: &[bool]) -> Value {
    json!({
        "clusters": [{
            "name": "shop",
            "lb_policy": "ROUND_ROBIN",
            "load_assignment": assignment(port, alive),
        }],
        "target": "shop",
        "criteria": [{"key": "version", "value": "v1"}],
        "subset_chain": [{"keys": ["version"]}],
        "health": {"source": "admin", "cluster": "admin"},
        "output": {"host_header": HOST_HEADER, "candidates": 3},
        "tick": "0.05s",
    })
}

/// The shares of `spillgate split` for that health, in percent by host.
fn shares(port: u16, alive: &[bool]) -> Result<BTreeMap<String, f64>> {
    let text = configuration(port, alive).to_string();
    let config = spillgate_config::filter::read(&text).map_err(|faults| anyhow!("{faults:?}"))?;
    let snapshot = Snapshot::build(&config.model);
    let shop = snapshot.cluster_id("shop").context("no shop")?;
    let criteria = Metadata::new([("version", Field::Text("v1".into()))]);
    let distribution = snapshot.distribution_for(shop, &criteria, None);
    let mut shares = BTreeMap::new();
    for share in &distribution.shares {
        let plain = snapshot.plain(share.owner).context("no hosts")?;
        let host = plain
            .endpoint(share.priority, share.host)
            .context("a share without a host")?;
        if share.share > 0.0 {
            shares.insert(host.address.clone(), share.share);
        }
    }
    Ok(shares)
}

/// The cluster in Envoy: its health checks find failed hosts, and only hosts of the filter's lists
/// serve.
fn checked_cluster(form: FilterForm, port: u16) -> Value {
    let mut cluster = json!({
        "name": "shop",
        "type": "STATIC",
        "connect_timeout": "1s",
        "load_assignment": assignment(port, &[true; OURS]),
        // By default three requests at a time may be retried: a failed host needs more.
        "circuit_breakers": {"thresholds": [{"max_retries": 1024}]},
        "health_checks": [{
            "timeout": "1s",
            "interval": "0.1s",
            "interval_jitter": "0.001s",
            "no_traffic_interval": "0.1s",
            "unhealthy_threshold": 1,
            "healthy_threshold": 1,
            "http_health_check": {"path": "/healthz"},
        }],
    });
    steer_cluster(&mut cluster, form, Unlisted::Refused);
    cluster
}
