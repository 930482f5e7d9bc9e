//! The memory of the dynamic module next to an Envoy without a filter.

use std::fs;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm::DynamicModule;
use spillgate_e2e::config::{
    Bootstrap, Unlisted, http_listener, our_filters, steer_cluster, to_cluster,
};
use spillgate_e2e::{Client, Envoy, Port, Upstream, Workdir, figure};

/// Hosts of the cluster; one of them serves.
const HOSTS: usize = 10_000;
/// Threads of Envoy, and connections that reach all of them.
const WORKERS: u32 = 4;
const CONNECTIONS: usize = 64;
/// What the module may need, in MiB.
const MOST: f64 = 20.0;

#[test]
fn ten_thousand_hosts_and_four_workers_need_little_memory() -> Result<()> {
    let without = resident(Filter::Without)?;
    let with = resident(Filter::Module)?;
    let more = with - without;
    figure(format_args!(
        "{HOSTS} hosts, {WORKERS} workers: {with:.1} MiB with the module, {without:.1} MiB without a filter"
    ));
    ensure!(more <= MOST, "{more:.1} MiB more, expected at most {MOST}");
    Ok(())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Filter {
    Without,
    Module,
}

/// The resident memory of an Envoy after requests on every worker, in MiB.
fn resident(filter: Filter) -> Result<f64> {
    let workdir = Workdir::in_form(&format!("module_memory_{filter:?}"), DynamicModule)?;
    let (service, port) = (Port::lease()?, Port::lease()?);
    let host = format!("127.32.0.1:{}", port.number());
    let _host = Upstream::open(&host)?;
    let mut cluster = json!({
        "name": "shop",
        "type": "STATIC",
        "connect_timeout": "1s",
        "load_assignment": {"cluster_name": "shop", "endpoints": endpoints(port.number())},
    });
    let mut filters = Vec::new();
    if filter == Filter::Module {
        steer_cluster(&mut cluster, DynamicModule, Unlisted::Refused);
        let configuration = json!({
            "clusters": [{"name": "shop", "lb_policy": "ROUND_ROBIN"}],
            "target": "shop",
        });
        filters = our_filters(DynamicModule, &configuration)?;
    }
    let route = [to_cluster("/", "shop")];
    let bootstrap = Bootstrap::new()
        .listener(http_listener("service", service.number(), &route, filters))
        .cluster(cluster);
    let envoy = Envoy::with_workers(&workdir, WORKERS, |node, admin| {
        bootstrap.to_json(node, admin)
    })?;
    let mut clients: Vec<Client> = (0..CONNECTIONS)
        .map(|_| Client::new(service.local()))
        .collect();
    for client in &mut clients {
        for _ in 0..10 {
            let status = client.get("/", &[])?.status;
            ensure!(status == 200, "{status}");
        }
    }
    let status = fs::read_to_string(format!("/proc/{}/status", envoy.id()))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes: f64 = line
        .and_then(|line| line.trim().strip_suffix(" kB"))
        .context("no VmRSS")?
        .trim()
        .parse()?;
    Ok(kibibytes / 1024.0)
}

/// One host that serves, and many others in a lower priority.
fn endpoints(port: u16) -> Value {
    let endpoint = |ip: String, port: u16| json!({"endpoint": {"address": {"socket_address": {"address": ip, "port_value": port}}}});
    let others = (1..HOSTS).map(|host| {
        endpoint(
            format!("10.{}.{}.{}", host / 65_536, host / 256 % 256, host % 256),
            80,
        )
    });
    json!([
        {"priority": 0, "lb_endpoints": [endpoint("127.32.0.1".to_owned(), port)]},
        {"priority": 1, "lb_endpoints": others.collect::<Vec<_>>()},
    ])
}
