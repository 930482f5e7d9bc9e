//! A soak: requests at a fixed rate with sessions, while the filter's configuration changes. Memory
//! stays as it is, and no VM is created.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm;
use spillgate_core::model::{Cluster, Policy};
use spillgate_e2e::config::{
    Bootstrap, Delivery, dropping_internal_headers, http_listener, native, plain, priority,
    steered, to_cluster_by_header,
};
use spillgate_e2e::sessions::{Crowd, Failures, Visitor, begun, sticky};
use spillgate_e2e::{
    Client, Envoy, Port, Workdir, amount, eventually, figure, fresh_secret, resident,
};

/// Far more than a new configuration takes.
const LIMIT: Duration = Duration::from_secs(30);
/// Envoy's number of wasm VMs, and its count of configurations taken. Envoy also tries each new
/// configuration in a VM that it discards.
const ACTIVE: &str = "wasm.envoy.wasm.runtime.v8.active";
const TAKEN: &str = "extension_config_discovery.http_filter.spillgate.update_success";
/// The part of the soak before memory counts: caches and pools fill.
const WARM_UP: f64 = 0.15;
/// The largest slope in the full form, in KiB an hour.
const MOST_SLOPE: f64 = 1_024.0;

/// How much load, for how long.
#[derive(Clone, Copy)]
struct Scale {
    time: Duration,
    reloads: u32,
    connections: usize,
    /// Requests a second of each connection at most.
    rate: u32,
    /// Requests a second of all, at least.
    least: f64,
}

#[test]
fn memory_stays_as_it_is() -> Result<()> {
    let short = Scale {
        time: Duration::from_secs(20),
        reloads: 10,
        connections: 4,
        rate: 50,
        least: 20.0,
    };
    let full = Scale {
        time: Duration::from_secs(7_200),
        reloads: 2_500,
        // A connection waits for the response and then pauses, so it stays below its rate.
        connections: 40,
        rate: 100,
        least: 2_000.0,
    };
    let scale = amount(short, full);
    let workdir = Workdir::new("soak")?;
    let site = Site::open(&workdir)?;
    let (visitors, hosts) = begun(&mut Client::new(site.service.local()), 480)?;
    let mut shares: Vec<Vec<(Visitor, String)>> = vec![Vec::new(); scale.connections];
    for (number, one) in visitors.into_iter().zip(hosts).enumerate() {
        shares[number % scale.connections].push(one);
    }
    let vms = site.envoy.stat(ACTIVE)?;
    let pause = Duration::from_secs(1) / scale.rate;
    let none = Arc::new(Failures::default());
    let crowd = Crowd::start(site.service.local(), shares, pause, &none);
    let begun = Instant::now();
    let mut samples: Vec<(f64, f64)> = Vec::new();
    for reload in 1..=scale.reloads {
        // Reloads come at fixed times, however long one takes.
        let due = begun + scale.time * reload / scale.reloads;
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        site.reload(reload)?;
        samples.push((
            begun.elapsed().as_secs_f64() / 3_600.0,
            resident(site.envoy.id())?,
        ));
    }
    let took = begun.elapsed();
    let observed = crowd.stop()?;
    ensure!(
        observed.failed == 0 && observed.lost == 0,
        "{:?}",
        observed.findings
    );
    eventually("the VMs of before", LIMIT, || {
        Ok((site.envoy.stat(ACTIVE)? == vms).then_some(()))
    })?;
    site.envoy.check_filter()?;
    let rate = observed.requests as f64 / took.as_secs_f64();
    samples.drain(..(samples.len() as f64 * WARM_UP) as usize);
    let slope = slope(&samples).context("too few samples")?;
    let (first, last) = (samples[0].1, samples[samples.len() - 1].1);
    figure(format_args!(
        "{} s, {} requests ({rate:.0} a second), {} reloads, 0 new VMs, 0 failed: resident memory \
         {first:.0} to {last:.0} KiB, slope {slope:.0} KiB an hour",
        took.as_secs(),
        observed.requests,
        scale.reloads
    ));
    ensure!(rate >= scale.least, "only {rate:.0} requests a second");
    // A slope needs more time than the short form has.
    let most = amount(f64::INFINITY, MOST_SLOPE);
    ensure!(slope <= most, "{slope:.0} KiB an hour");
    Ok(())
}

/// Five hosts at 127.29.0.x.
struct Site<'w> {
    envoy: Envoy,
    delivery: Delivery<'w>,
    configuration: Value,
    service: Port,
    _hosts: Port,
}

impl<'w> Site<'w> {
    fn open(workdir: &'w Workdir) -> Result<Self> {
        let (service, hosts) = (Port::lease()?, Port::lease()?);
        let priorities = vec![priority("127.29.0", hosts.number(), "hhhhh")?];
        let cluster: Cluster = plain("shop", Policy::RoundRobin, priorities);
        let key = fresh_secret()?;
        let configuration = json!({
            "clusters": [native(&cluster)?],
            "target": "shop",
            "affinity": sticky(&[(1, &key)]),
        });
        let delivery = Delivery::new(workdir)?;
        delivery.give(&configuration.to_string())?;
        let routes = [to_cluster_by_header()];
        let listener = http_listener("service", service.number(), &routes, delivery.filters());
        let bootstrap = Bootstrap::new()
            .listener(dropping_internal_headers(listener))
            .cluster(steered(FilterForm::Wasm, &cluster)?)
            .hosts_of(&cluster);
        Ok(Self {
            envoy: Envoy::start(workdir, &bootstrap)?,
            delivery,
            configuration,
            service,
            _hosts: hosts,
        })
    }

    /// Gives the filter another configuration, and waits until Envoy has taken it.
    fn reload(&self, number: u32) -> Result<()> {
        let before = self.envoy.stat(TAKEN)?;
        let mut configuration = self.configuration.clone();
        configuration["affinity"]["max_life"] = json!(format!("{}s", 40_000 + number));
        self.delivery.give(&configuration.to_string())?;
        eventually("the new configuration", LIMIT, || {
            Ok((self.envoy.stat(TAKEN)? > before).then_some(()))
        })
    }
}

/// The slope of the line through the samples with the least squares.
fn slope(samples: &[(f64, f64)]) -> Option<f64> {
    let count = samples.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| samples.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|sample| sample.0), mean(|sample| sample.1));
    let above: f64 = samples.iter().map(|(a, b)| (a - x) * (b - y)).sum();
    let below: f64 = samples.iter().map(|(a, _)| (a - x).powi(2)).sum();
    (below > 0.0).then_some(above / below)
}

#[test]
fn a_slope_is_that_of_a_line() -> Result<()> {
    let line: Vec<(f64, f64)> = (0..10)
        .map(|x| (f64::from(x), 5.0 + 3.0 * f64::from(x)))
        .collect();
    let found = slope(&line).context("a slope")?;
    ensure!((found - 3.0).abs() < 1e-9, "{found}");
    Ok(())
}
