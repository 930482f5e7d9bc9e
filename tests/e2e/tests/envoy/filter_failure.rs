//! What clients can do while the filter has failed or is bypassed or disabled.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm;
use spillgate_core::model::Policy;
use spillgate_e2e::config::{
    Bootstrap, CLUSTER_HEADER, HOST_HEADER, SERVED_HEADER, dropping_internal_headers,
    host_list_to_metadata, http_listener, native, plain, priority, steered, to_cluster_by_header,
    wasm,
};
use spillgate_e2e::{
    Client, Envoy, Guest, Need, Port, Workdir, amount, eventually, figure, needed,
};

/// Far longer than Envoy waits before it creates a VM again.
const LIMIT: Duration = Duration::from_secs(20);
/// Traps one after the other, in short and in full form.
const TRAPS: [u64; 2] = [4, 60];
/// The longest recovery in the full form: Envoy waits for a second between two VMs.
const RECOVERY: Duration = Duration::from_millis(1_500);
/// The header that makes the guest trap.
const TRAP: (&str, &str) = ("x-trap", "1");
/// Forged requests that are sent to each.
const FORGED: usize = 60;

/// An Envoy whose filter traps on demand, and hosts at 127.5.0.1 to 3 that everyone may reach; the
/// one at 127.5.9.1 is in a cluster that no request is meant for.
struct Site {
    envoy: Envoy,
    client: Client,
    hosts: Port,
    _service: Port,
}

impl Site {
    fn open(workdir: &Workdir, filter: &Value, drops: bool) -> Result<Self> {
        let (service, hosts) = (Port::lease()?, Port::lease()?);
        let shop = priority("127.5.0", hosts.number(), "hhh")?;
        let shop = plain("shop", Policy::RoundRobin, vec![shop]);
        let private = priority("127.5.9", hosts.number(), "h")?;
        let private = plain("private", Policy::RoundRobin, vec![private]);
        // Whom our filter names, and where it is bypassed, a cluster that is always right.
        let mut named = to_cluster_by_header();
        named["match"]["headers"] = json!([{"name": CLUSTER_HEADER, "present_match": true}]);
        let rest = json!({"match": {"prefix": "/"}, "route": {"cluster": "shop"}});
        let filters = vec![filter.clone(), host_list_to_metadata()];
        let mut listener = http_listener("service", service.number(), &[named, rest], filters);
        if drops {
            listener = dropping_internal_headers(listener);
        }
        let bootstrap = Bootstrap::new()
            .listener(listener)
            .cluster(steered(FilterForm::Wasm, &shop)?)
            .cluster(native(&private)?)
            .hosts_of(&shop)
            .hosts_of(&private);
        Ok(Self {
            envoy: Envoy::start(workdir, &bootstrap)?,
            client: Client::new(service.local()),
            hosts,
            _service: service,
        })
    }

    fn status(&mut self, headers: &[(&str, &str)]) -> Result<u16> {
        Ok(self.client.get("/", headers)?.status)
    }

    /// The hosts that forged headers led to.
    fn forge(&mut self) -> Result<BTreeSet<String>> {
        let victim = format!("127.5.0.3:{}", self.hosts.number());
        let mut served = BTreeSet::new();
        for number in 0..FORGED {
            let mut headers = vec![
                ("X-Spillgate-Host", victim.as_str()),
                (HOST_HEADER, &victim),
            ];
            if number % 2 == 0 {
                headers.push(("X-SPILLGATE-Cluster", "private"));
                headers.push((CLUSTER_HEADER, "private"));
            }
            let answer = self.client.get("/", &headers)?;
            ensure!(answer.status == 200, "{} {}", answer.status, answer.text());
            let host = answer.header(SERVED_HEADER).context("no host served")?;
            served.insert(host.to_owned());
        }
        Ok(served)
    }

    /// Checks that forged headers have no effect: all three hosts serve, and no other.
    fn nothing_steers(&mut self) -> Result<()> {
        let served = self.forge()?;
        let all = [1, 2, 3].map(|host| format!("127.5.0.{host}:{}", self.hosts.number()));
        ensure!(served == all.into(), "{served:?}");
        Ok(())
    }
}

fn guest(workdir: &Workdir, failure_policy: &str) -> Result<Value> {
    let module = Guest::Trapping.write(workdir, "trapping.wasm")?;
    Ok(json!({
        "name": "spillgate",
        "typed_config": wasm(&module, "trapping", failure_policy, ""),
    }))
}

#[test]
fn a_bypassed_filter_leaves_nothing_for_clients_to_steer() -> Result<()> {
    let workdir = Workdir::new("filter_fail_open")?;
    let mut site = Site::open(&workdir, &guest(&workdir, "FAIL_OPEN")?, true)?;
    site.nothing_steers()?;
    ensure!(
        site.status(&[TRAP])? == 503,
        "the request that made it trap"
    );
    // Failed for good: the request that would make it trap passes.
    ensure!(site.status(&[TRAP])? == 200, "it was not bypassed");
    site.nothing_steers()
}

#[test]
fn without_the_early_removal_a_bypassed_filter_would_let_clients_steer() -> Result<()> {
    let workdir = Workdir::new("filter_fail_open_bare")?;
    let mut site = Site::open(&workdir, &guest(&workdir, "FAIL_OPEN")?, false)?;
    ensure!(site.status(&[TRAP])? == 503);
    let port = site.hosts.number();
    let victims = ["127.5.0.3", "127.5.9.1"].map(|victim| format!("{victim}:{port}"));
    let served = site.forge()?;
    ensure!(served == victims.into(), "{served:?}");
    Ok(())
}

#[test]
fn a_fresh_filter_serves_after_each_trap() -> Result<()> {
    let workdir = Workdir::new("filter_fail_reload")?;
    let mut site = Site::open(&workdir, &guest(&workdir, "FAIL_RELOAD")?, true)?;
    let [short, full] = TRAPS;
    let traps = amount(short, full);
    let mut slowest = Duration::ZERO;
    for death in 1..=traps {
        let begun = Instant::now();
        ensure!(site.status(&[TRAP])? == 503, "death {death}");
        // At once the first time; a further death within a second is waited for.
        eventually("a fresh VM", LIMIT, || {
            Ok((site.status(&[])? == 200).then_some(()))
        })?;
        slowest = slowest.max(begun.elapsed());
        site.nothing_steers()
            .with_context(|| format!("after trap {death}"))?;
        let reloads = site.envoy.stat("wasm.spillgate.vm_reload_success")?;
        ensure!(reloads == death, "{reloads} reloads after {death} traps");
    }
    figure(format_args!(
        "{traps} traps in a row, the slowest recovery took {:.2} s",
        slowest.as_secs_f64()
    ));
    // In the short form, the machine runs other tests too.
    let limit = amount(LIMIT, RECOVERY);
    ensure!(slowest <= limit, "{slowest:?}");
    Ok(())
}

#[test]
fn a_failed_filter_that_fails_closed_lets_nothing_pass() -> Result<()> {
    let workdir = Workdir::new("filter_fail_closed")?;
    let mut site = Site::open(&workdir, &guest(&workdir, "FAIL_CLOSED")?, true)?;
    site.nothing_steers()?;
    ensure!(site.status(&[TRAP])? == 503);
    for _ in 0..FORGED {
        ensure!(site.status(&[])? == 503, "something passed");
    }
    Ok(())
}

#[test]
fn a_route_without_the_filter_leaves_nothing_for_clients_to_steer() -> Result<()> {
    let workdir = Workdir::new("filter_disabled")?;
    // The module that ships, switched off as a route's FilterConfig does it.
    let mut filter = json!({
        "name": "spillgate",
        "typed_config": wasm(&needed(Need::FilterWasm)?, "spillgate", "FAIL_RELOAD", ONE_CLUSTER),
    });
    filter["disabled"] = json!(true);
    Site::open(&workdir, &filter, true)?.nothing_steers()
}

const ONE_CLUSTER: &str = r#"{
  "clusters": [{"name": "shop", "load_assignment": {"cluster_name": "shop", "endpoints": [
    {"lb_endpoints": [{"endpoint": {"address": {"socket_address": {"address": "127.5.0.1", "port_value": 80}}}}]}
  ]}}],
  "target": "shop"
}"#;
