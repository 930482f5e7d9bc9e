//! Chaos: hosts fail, their list and the filter's configuration change all the time, and Envoy
//! restarts. No session is lost but those whose host failed, and no request fails.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use rstest::rstest;
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_e2e::config::{
    Bootstrap, Delivery, admin_cluster, dropping_internal_headers, http_listener, to_chosen_cluster,
};
use spillgate_e2e::sessions::{
    Crowd, EdsHosts, Failures, Visitor, addresses, begun, opened, sticky,
};
use spillgate_e2e::{
    Client, Envoy, Port, Upstream, Workdir, amount, eventually, figure, fresh_secret,
};

/// Far more than a poll and a tick take.
const LIMIT: Duration = Duration::from_secs(30);
/// The time between two steps of the chaos.
const STEP: Duration = Duration::from_secs(1);
/// Steps between two failures, from a failure to the return of the host, between two configurations.
const FAIL_EVERY: u64 = 2;
const RETURNS_AFTER: u64 = 3;
const CONFIGURE_EVERY: u64 = 10;
/// How long every part of the gateway may need to use a host again that came back.
const KNOWN_AFTER: Duration = Duration::from_secs(3);
const HOSTS: usize = 8;

/// How long, how often Envoy restarts, and how many clients.
#[derive(Clone, Copy)]
struct Scale {
    steps: u64,
    restarts: u64,
    sessions: usize,
    connections: usize,
}

#[rstest]
fn chaos_loses_only_sessions_whose_host_failed(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let short = Scale {
        steps: 20,
        restarts: 1,
        sessions: 100,
        connections: 4,
    };
    let full = Scale {
        steps: 3_600,
        restarts: 10,
        sessions: 1_000,
        connections: 16,
    };
    let scale = amount(short, full);
    let workdir = Workdir::in_form("sessions_chaos", form)?;
    let mut site = Site::open(&workdir)?;
    let (visitors, hosts) = begun(&mut Client::new(site.service.local()), scale.sessions)?;
    let mut shares: Vec<Vec<(Visitor, String)>> = vec![Vec::new(); scale.connections];
    for (number, one) in visitors.into_iter().zip(hosts).enumerate() {
        shares[number % scale.connections].push(one);
    }
    let failures = Arc::new(Failures::default());
    let pause = Duration::from_millis(5);
    let crowd = Crowd::start(site.service.local(), shares, pause, &failures);
    let begun = Instant::now();
    let restart_every = scale.steps / (scale.restarts + 1);
    let mut restarts = 0;
    for step in 1..=scale.steps {
        // Steps come at fixed times, however long one takes.
        let due = begun + STEP * step as u32;
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        site.step(step, &failures)?;
        if step % restart_every == 0 && restarts < scale.restarts {
            site.envoy.hot_restart()?;
            restarts += 1;
        }
    }
    let observed = crowd.stop()?;
    println!("{observed:#?}");
    ensure!(
        observed.lost == 0 && observed.failed == 0,
        "{:?}",
        observed.findings
    );
    ensure!(observed.moved > 0 && restarts == scale.restarts);
    site.envoy.check_filter()?;
    figure(format_args!(
        "{} s, {} requests of {} sessions, {} failures of hosts, {restarts} hot restarts: {} sessions left \
         a failed host, 0 others lost, 0 requests failed",
        begun.elapsed().as_secs(),
        observed.requests,
        scale.sessions,
        site.failures,
        observed.moved
    ));
    Ok(())
}

/// Hosts at 127.28.0.x behind an Envoy that polls itself.
struct Site<'w> {
    envoy: Envoy,
    delivery: Delivery<'w>,
    eds: EdsHosts<'w>,
    addresses: Vec<String>,
    hosts: Vec<Upstream>,
    key: String,
    service: Port,
    failures: usize,
    /// Hosts that serve again, and when every part of the gateway knows.
    returned: Vec<(String, Instant)>,
    _port: Port,
}

impl<'w> Site<'w> {
    fn open(workdir: &'w Workdir) -> Result<Self> {
        let (service, port) = (Port::lease()?, Port::lease()?);
        let addresses = addresses("127.28.0", &port, HOSTS);
        let hosts = opened(&addresses)?;
        let eds = EdsHosts::new(workdir, "shop", &addresses)?;
        let delivery = Delivery::new(workdir)?;
        let key = fresh_secret()?;
        delivery.give(&configuration(&addresses, &key, 0).to_string())?;
        let mut route = to_chosen_cluster(workdir.form());
        route["route"]["retry_policy"] =
            json!({"retry_on": "connect-failure,reset", "num_retries": 2});
        let listener = http_listener("service", service.number(), &[route], delivery.filters());
        let poll = json!({"poll": [{"cluster": "admin", "targets": ["shop"], "interval": "0.1s"}]});
        let mut cluster = eds.steered(workdir.form());
        // By default three requests at a time may be retried.
        cluster["circuit_breakers"] = json!({"thresholds": [{"max_retries": 1024}]});
        let bootstrap = Bootstrap::new()
            .listener(dropping_internal_headers(listener))
            .observing(workdir.form(), &poll)?
            .cluster(cluster);
        let envoy = Envoy::restartable(workdir, |node, admin| {
            bootstrap.cluster(admin_cluster(admin)).to_json(node, admin)
        })?;
        eventually("steering by live health", LIMIT, || {
            let served = Client::new(service.local()).get("/", &[])?.status == 200;
            let polls = envoy.stat("spillgate.health.polls")?;
            let polled = workdir.form() == DynamicModule || polls > 2;
            Ok((served && polled).then_some(()))
        })?;
        Ok(Self {
            envoy,
            delivery,
            eds,
            addresses,
            hosts,
            key,
            service,
            failures: 0,
            returned: Vec::new(),
            _port: port,
        })
    }

    /// One second of chaos.
    fn step(&mut self, step: u64, failures: &Failures) -> Result<()> {
        let now = Instant::now();
        self.returned.retain(|(host, known)| {
            let open = *known > now;
            if !open {
                failures.restored(host);
            }
            open
        });
        let place = |step: u64| (step / FAIL_EVERY) as usize % HOSTS;
        if step.is_multiple_of(FAIL_EVERY) {
            let host = place(step);
            failures.fail(&self.addresses[host]);
            // From now on, the end of an earlier failure does not count.
            self.returned
                .retain(|(known, _)| *known != self.addresses[host]);
            self.hosts[host].kill();
            self.failures += 1;
        }
        // The list follows a step later; every step writes it again.
        let failed = step
            .checked_sub(1)
            .filter(|step| step.is_multiple_of(FAIL_EVERY))
            .filter(|step| *step > 0)
            .map(place);
        if let Some(host) = failed {
            let host = &self.addresses[host..=host];
            self.eds.set(host, "UNHEALTHY")?;
        }
        let back = step
            .checked_sub(RETURNS_AFTER)
            .filter(|step| *step > 0 && step.is_multiple_of(FAIL_EVERY));
        if let Some(host) = back.map(place) {
            self.hosts[host].revive()?;
            self.eds.set(&self.addresses[host..=host], "HEALTHY")?;
            let known = Instant::now() + KNOWN_AFTER;
            self.returned.push((self.addresses[host].clone(), known));
        }
        if failed.is_none() && back.is_none() {
            self.eds.set(&[], "HEALTHY")?;
        }
        if step.is_multiple_of(CONFIGURE_EVERY) {
            let configuration = configuration(&self.addresses, &self.key, step);
            self.delivery.give(&configuration.to_string())?;
        }
        Ok(())
    }
}

/// The filter with all hosts, so that it steers before its first poll, in an edition of its own.
fn configuration(addresses: &[String], key: &str, edition: u64) -> Value {
    let endpoints: Vec<Value> = addresses
        .iter()
        .filter_map(|address| {
            let (ip, port) = address.rsplit_once(':')?;
            let port: u16 = port.parse().ok()?;
            Some(json!({
                "endpoint": {"address": {"socket_address": {"address": ip, "port_value": port}}},
            }))
        })
        .collect();
    json!({
        "clusters": [{
            "name": "shop",
            "lb_policy": "ROUND_ROBIN",
            "load_assignment": {
                "cluster_name": "shop", "endpoints": [{"lb_endpoints": endpoints}],
            },
        }],
        "target": "shop",
        "affinity": sticky(&[(1, key)]),
        "health": {"source": "admin", "cluster": "admin"},
        "output": {"candidates": 3},
        "tick": format!("0.{:03}s", 50 + edition % 50),
    })
}
