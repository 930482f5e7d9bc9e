//! How soon a change of health steers in the dynamic module, which gets it from Envoy.
//!
//! An Envoy with the module and one that balances by itself read the same endpoints. What the module takes
//! longer is its own part: reading the hosts, publishing them, and the workers' use of them.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm::{self, DynamicModule};

use super::PollFigure;
use super::figure::{median, sorted};
use crate::config::{
    Bootstrap, SERVED_HEADER, Unlisted, http_listener, our_filters, policy_of_module_with,
    to_cluster,
};
use crate::{Client, Envoy, Port, Upstream, Workdir};

const LIMIT: Duration = Duration::from_secs(60);
/// How often the host of the first priority fails and comes back.
const FLIPS: usize = 30;

/// The hosts, and how many milliseconds the module may take longer than Envoy.
const SIZES: [(usize, f64); 2] = [(1_000, 5.0), (10_000, 20.0)];

pub(super) fn measure() -> Result<Vec<PollFigure>> {
    let mut figures = Vec::new();
    for (hosts, limit) in SIZES {
        let mut own = Site::open("own", hosts, None)?;
        let mut module = Site::open("module", hosts, Some(DynamicModule))?;
        let (mut by_envoy, mut by_module) = (Vec::new(), Vec::new());
        for flip in 0..FLIPS {
            by_envoy.push(own.change(flip % 2 == 0)?);
            by_module.push(module.change(flip % 2 == 0)?);
        }
        let without = median(&sorted(&by_envoy)).context("no samples")?;
        let longer = by_module.iter().map(|taken| taken - without).collect();
        figures.push(PollFigure::new(
            format!("a change of health steers in Envoy itself, {hosts} hosts"),
            by_envoy,
        ));
        figures.push(PollFigure {
            limit: Some(limit),
            ..PollFigure::new(
                format!("what the dynamic module takes longer, {hosts} hosts"),
                longer,
            )
        });
    }
    Ok(figures)
}

/// An Envoy with a cluster: one host in each of the first two priorities, all others in a third.
struct Site {
    workdir: Workdir,
    client: Client,
    live: [String; 2],
    count: usize,
    _envoy: Envoy,
    _hosts: Vec<Upstream>,
    _ports: [Port; 2],
}

impl Site {
    fn open(name: &str, count: usize, form: Option<FilterForm>) -> Result<Self> {
        let workdir = Workdir::in_form(&format!("eds_{name}_{count}"), DynamicModule)?;
        let (service, port) = (Port::lease()?, Port::lease()?);
        let live = [1, 2].map(|host| format!("127.0.8.{host}:{}", port.number()));
        let upstreams = live
            .iter()
            .map(|host| Upstream::open(host))
            .collect::<Result<Vec<_>>>()?;
        workdir.write("eds.json", &endpoints(&live, count, true)?)?;
        let mut cluster = json!({
            "name": "shop",
            "type": "EDS",
            "connect_timeout": "1s",
            "common_lb_config": {"update_merge_window": "0s"},
            "eds_cluster_config": {"eds_config": {
                "resource_api_version": "V3",
                "path_config_source": {"path": workdir.path().join("eds.json")},
            }},
        });
        let mut filters = Vec::new();
        if let Some(form) = form {
            cluster["load_balancing_policy"] = policy_of_module_with(Unlisted::Refused);
            filters = our_filters(
                form,
                &json!({
                    "clusters": [{"name": "shop", "lb_policy": "ROUND_ROBIN"}],
                    "target": "shop",
                    "output": {"candidates": 1},
                }),
            )?;
        }
        let route = [to_cluster("/", "shop")];
        let bootstrap = Bootstrap::new()
            .listener(http_listener("service", service.number(), &route, filters))
            .cluster(cluster);
        Ok(Self {
            _envoy: Envoy::start(&workdir, &bootstrap)?,
            client: Client::new(service.local()),
            workdir,
            live,
            count,
            _hosts: upstreams,
            _ports: [service, port],
        })
    }

    /// Milliseconds from the change of the file until a request goes to the other host.
    fn change(&mut self, failed: bool) -> Result<f64> {
        let text = endpoints(&self.live, self.count, !failed)?;
        let expected = self.live[usize::from(failed)].clone();
        self.workdir.write("eds.json", &text)?;
        let start = Instant::now();
        loop {
            let answer = self.client.get("/", &[])?;
            if answer.header(SERVED_HEADER) == Some(&expected) {
                return Ok(start.elapsed().as_secs_f64() * 1e3);
            }
            ensure!(start.elapsed() < LIMIT, "{} still serves", answer.status);
        }
    }
}

/// The endpoints; the host of the first priority is healthy or not.
fn endpoints(live: &[String; 2], count: usize, healthy: bool) -> Result<String> {
    let endpoint = |address: &str, healthy: bool| -> Result<Value> {
        let (ip, port) = address.rsplit_once(':').context("no port")?;
        let port: u16 = port.parse()?;
        Ok(json!({
            "endpoint": {"address": {"socket_address": {"address": ip, "port_value": port}}},
            "health_status": if healthy { "HEALTHY" } else { "UNHEALTHY" },
        }))
    };
    let others = (2..count).map(|host| {
        let address = format!(
            "10.{}.{}.{}:80",
            host / 65_536,
            host / 256 % 256,
            host % 256
        );
        endpoint(&address, true)
    });
    let text = json!({"resources": [{
        "@type": "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment",
        "cluster_name": "shop",
        "endpoints": [
            {"priority": 0, "lb_endpoints": [endpoint(&live[0], healthy)?]},
            {"priority": 1, "lb_endpoints": [endpoint(&live[1], true)?]},
            {"priority": 2, "lb_endpoints": others.collect::<Result<Vec<_>>>()?},
        ],
    }]});
    Ok(text.to_string())
}
