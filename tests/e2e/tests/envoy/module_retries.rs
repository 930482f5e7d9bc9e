//! Which hosts the dynamic module uses for retries, and for requests without known hosts.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::{Result, bail, ensure};
use rstest::rstest;
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm::DynamicModule;
use spillgate_e2e::config::{
    Bootstrap, SERVED_HEADER, any_host, http_listener, our_filters, override_host,
    policy_of_module, to_chosen_cluster,
};
use spillgate_e2e::{Client, Envoy, Port, Responder, Upstream, Workdir};

/// Enough requests to reach every host that Envoy may choose.
const MANY: usize = 60;
/// The request header that selects a tenant.
const TENANT: &str = "x-tenant";
/// The hosts with their tenants. The first two answer 503 at `/failing`.
const TENANTS: [&str; 5] = ["a", "a", "a", "b", "b"];

/// How the filter passes its decision to Envoy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Delivery {
    /// A host list in metadata, for `override_host`.
    List,
    /// Envoy's override host.
    Single,
}

/// Why the first attempts fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Failure {
    Status,
    Connection,
}

#[rstest]
fn retries_stay_within_the_criteria(
    #[values(Delivery::List, Delivery::Single)] delivery: Delivery,
    #[values(Failure::Status, Failure::Connection)] failure: Failure,
) -> Result<()> {
    let workdir = Workdir::in_form(
        &format!("module_retries_{delivery:?}_{failure:?}"),
        DynamicModule,
    )?;
    let mut site = Site::open(&workdir, delivery, ["HEALTHY"; 5])?;
    let path = match failure {
        Failure::Status => "/failing",
        Failure::Connection => {
            for host in &mut site.hosts[..2] {
                host.kill();
            }
            "/"
        }
    };
    let (mut served, mut refused) = (0, 0);
    for _ in 0..MANY {
        let response = site.client.get(path, &[(TENANT, "a")])?;
        match response.status {
            200 => served += 1,
            503 => refused += 1,
            other => bail!("{other} {:?}", response.headers),
        }
    }
    let [_, _, third, others @ ..] = site.asked();
    ensure!(others == [0, 0], "other tenants: {others:?}");
    ensure!(third == served, "{third} requests, {served} responses");
    match delivery {
        // The list has all three hosts, and retries walk it.
        Delivery::List => ensure!(refused == 0, "{refused} of {MANY} were refused"),
        // A retry has no host, unless the first attempt had the third one.
        Delivery::Single => ensure!(served > 0 && refused > 0, "{served} {refused}"),
    }
    site.envoy.check_filter()
}

#[rstest]
fn degraded_and_panicking_subsets_serve_their_own_requests(
    #[values(Delivery::List, Delivery::Single)] delivery: Delivery,
    #[values("DEGRADED", "UNHEALTHY")] status: &'static str,
) -> Result<()> {
    let workdir = Workdir::in_form(
        &format!("module_states_{delivery:?}_{status}"),
        DynamicModule,
    )?;
    let statuses = [status, status, status, "HEALTHY", "HEALTHY"];
    let mut site = Site::open(&workdir, delivery, statuses)?;
    for _ in 0..MANY {
        let response = site.client.get("/", &[(TENANT, "a")])?;
        ensure!(response.status == 200, "{}", response.status);
    }
    let [first, second, third, others @ ..] = site.asked();
    ensure!(others == [0, 0], "other tenants: {others:?}");
    ensure!(
        first > 0 && second > 0 && third > 0,
        "{first}, {second}, {third}"
    );
    site.envoy.check_filter()
}

#[test]
fn a_cluster_with_another_policy_is_reported_and_refused() -> Result<()> {
    let workdir = Workdir::in_form("module_unknown", DynamicModule)?;
    let policy = override_host(&any_host());
    let mut site = Site::with_policy(&workdir, Delivery::List, ["HEALTHY"; 5], &policy)?;
    for _ in 0..MANY {
        let response = site.client.get("/", &[(TENANT, "a")])?;
        ensure!(response.status == 503, "{}", response.status);
    }
    ensure!(site.asked() == [0; 5], "{:?}", site.asked());
    let counted = site.envoy.stat("spillgate.hosts_unknown")?;
    ensure!(counted == MANY as u64, "{counted}");
    let log = site.envoy.log()?;
    let messages = log.matches("spillgate: hosts of shop are unknown").count();
    ensure!(messages == 1, "{messages} messages in\n{log}");
    Ok(())
}

/// An Envoy with the module and one cluster.
struct Site {
    envoy: Envoy,
    client: Client,
    hosts: Vec<Upstream>,
    _ports: [Port; 2],
}

impl Site {
    fn open(workdir: &Workdir, delivery: Delivery, statuses: [&str; 5]) -> Result<Self> {
        let policy = match delivery {
            Delivery::List => override_host(&policy_of_module()),
            Delivery::Single => policy_of_module(),
        };
        Self::with_policy(workdir, delivery, statuses, &policy)
    }

    fn with_policy(
        workdir: &Workdir,
        delivery: Delivery,
        statuses: [&str; 5],
        policy: &Value,
    ) -> Result<Self> {
        let (service, port) = (Port::lease()?, Port::lease()?);
        let configuration = json!({
            "clusters": [{
                "name": "shop",
                "lb_policy": "RANDOM",
                "lb_subset_config": {
                    "fallback_policy": "NO_FALLBACK",
                    "subset_selectors": [{"keys": ["tenant"]}],
                },
            }],
            "target": "shop",
            "criteria": [{"key": "tenant", "header": TENANT}],
            "output": {"candidates": match delivery {
                Delivery::List => 3,
                Delivery::Single => 1,
            }},
        });
        let mut route = to_chosen_cluster(DynamicModule);
        route["route"]["retry_policy"] =
            json!({"retry_on": "5xx,connect-failure", "num_retries": 2});
        let filters = our_filters(DynamicModule, &configuration)?;
        let listener = http_listener("service", service.number(), &[route], filters);
        let bootstrap =
            Bootstrap::new()
                .listener(listener)
                .cluster(cluster(port.number(), statuses, policy));
        let address = |host: usize| format!("127.41.0.{}:{}", host + 1, port.number());
        let hosts = (0..TENANTS.len()).map(|host| match host {
            0 | 1 => {
                let address = address(host).parse()?;
                Upstream::answering(address, Arc::new(Failing(address)))
            }
            _ => Upstream::open(&address(host)),
        });
        Ok(Self {
            hosts: hosts.collect::<Result<_>>()?,
            envoy: Envoy::start(workdir, &bootstrap)?,
            client: Client::new(service.local()),
            _ports: [service, port],
        })
    }

    /// Requests by host.
    fn asked(&self) -> [u64; 5] {
        std::array::from_fn(|host| self.hosts[host].requests())
    }
}

fn cluster(port: u16, statuses: [&str; 5], policy: &Value) -> Value {
    let hosts = TENANTS.iter().zip(statuses).zip(1..);
    let hosts: Vec<Value> = hosts
        .map(|((tenant, status), number)| {
            let address = json!({"address": format!("127.41.0.{number}"), "port_value": port});
            json!({
                "endpoint": {"address": {"socket_address": address}},
                "health_status": status,
                "metadata": {"filter_metadata": {"envoy.lb": {"tenant": tenant}}},
            })
        })
        .collect();
    json!({
        "name": "shop",
        "type": "STATIC",
        "connect_timeout": "2s",
        "common_lb_config": {
            "override_host_status": {"statuses": [
                "UNKNOWN", "HEALTHY", "UNHEALTHY", "DRAINING", "TIMEOUT", "DEGRADED",
            ]},
        },
        "load_balancing_policy": policy,
        "load_assignment": {"cluster_name": "shop", "endpoints": [{"lb_endpoints": hosts}]},
    })
}

/// A host that answers `/failing` with 503.
#[derive(Debug)]
struct Failing(SocketAddr);

impl Responder for Failing {
    fn answer(&self, path: &str, _: bool) -> Vec<u8> {
        let status = if path == "/failing" { 503 } else { 200 };
        let address = self.0;
        format!("HTTP/1.1 {status} x\r\n{SERVED_HEADER}: {address}\r\ncontent-length: 0\r\n\r\n")
            .into_bytes()
    }
}
