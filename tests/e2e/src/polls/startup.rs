//! How soon the filter steers after Envoy has started.

use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow, ensure};
use serde_json::json;

use super::PollFigure;
use crate::config::{
    Bootstrap, Unlisted, admin_cluster, dropping_internal_headers, eds, http_listener, our_filters,
    poller, to_cluster_by_header,
};
use crate::{Client, Envoy, Port, Upstream, Workdir};
use spillgate_config::filter::FilterForm;

const LIMIT: Duration = Duration::from_secs(30);
/// The default poll interval.
const INTERVAL: Duration = Duration::from_secs(1);
/// The number of starts.
const STARTS: usize = 7;
/// The header that the filter adds to the response of a steered request.
const TRACE: &str = "x-spillgate-trace";
const SECRET: [(&str, &str); 1] = [("x-spillgate-debug", "only-this-measurement")];

/// Where the filter has its hosts from before the first poll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstHosts {
    /// Only the shared poller knows them.
    Polled,
    /// Every worker polls.
    PolledByWorkers,
    /// They are in the filter's configuration.
    Configured,
}

/// When Envoy first answered a request, and when the filter first steered one, since the start of
/// Envoy.
#[derive(Debug)]
pub struct FirstRequests {
    /// The first response of any status.
    pub answered: Duration,
    /// The first request whose host the filter chose.
    pub steered: Duration,
}

/// Measures with the default intervals, with and without hosts in the filter's configuration.
pub(super) fn measure() -> Result<Vec<PollFigure>> {
    let mut figures = Vec::new();
    for (hosts, name) in [
        (FirstHosts::Polled, "hosts from the poller"),
        (
            FirstHosts::PolledByWorkers,
            "hosts from polls of the workers",
        ),
        (FirstHosts::Configured, "hosts in the configuration"),
    ] {
        let starts: Vec<FirstRequests> = (0..STARTS)
            .map(|_| start(hosts, INTERVAL))
            .collect::<Result<_>>()?;
        let milliseconds = |of: fn(&FirstRequests) -> Duration| {
            let samples = starts.iter().map(|start| of(start).as_secs_f64() * 1e3);
            samples.collect::<Vec<f64>>()
        };
        let figure = |what: &str, samples| PollFigure {
            name: format!("{what}, {name}"),
            samples,
            limit: None,
            ratio: None,
        };
        figures.push(figure(
            "from the start of Envoy to the first steered request",
            milliseconds(|start| start.steered),
        ));
        figures.push(figure(
            "from the first answer to the first steered request",
            milliseconds(|start| start.steered.saturating_sub(start.answered)),
        ));
    }
    Ok(figures)
}

/// Starts an Envoy with this poll interval and waits until the filter steers.
///
/// # Errors
/// When Envoy does not start, or no request is steered in half a minute.
pub fn start(hosts: FirstHosts, interval: Duration) -> Result<FirstRequests> {
    let workdir = Workdir::new("polls-startup")?;
    let port = Port::lease()?;
    let upstream = Upstream::open(&format!("127.0.9.1:{}", port.number()))?;
    let address = upstream.address();
    let endpoints = json!([{"lb_endpoints": [{"endpoint": {"address": {"socket_address":
        {"address": address.ip().to_string(), "port_value": address.port()}}}}]}]);
    let assignment = json!({"cluster_name": "shop", "endpoints": endpoints});
    let mut resource = assignment.clone();
    resource["@type"] = json!("type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment");
    let discovery = json!({"version_info": "1", "resources": [resource]});
    let file = workdir.write("eds.json", &discovery.to_string())?;
    let mut cluster = json!({"name": "shop", "lb_policy": "ROUND_ROBIN"});
    if hosts == FirstHosts::Configured {
        cluster["load_assignment"] = assignment;
    }
    let interval = format!("{}ms", interval.as_millis());
    let mut health = json!({"source": "admin", "cluster": "admin", "stale_after": "120s"});
    if hosts == FirstHosts::PolledByWorkers {
        health["poller"] = json!("worker");
        health["interval"] = json!(interval);
    }
    let [(header, value)] = SECRET;
    let filters = our_filters(
        FilterForm::Wasm,
        &json!({
            "clusters": [cluster],
            "target": "shop",
            "health": health,
            "trace": {"header": TRACE, "when": {"header": header, "value": value}},
        }),
    )?;
    let service = Port::lease()?;
    let listener = http_listener(
        "service",
        service.number(),
        &[to_cluster_by_header()],
        filters,
    );
    let poll = json!({"poll": [{"cluster": "admin", "targets": ["shop"], "interval": interval}]});
    let mut bootstrap = Bootstrap::new()
        .cluster(eds(FilterForm::Wasm, "shop", &file, Unlisted::Served))
        .listener(dropping_internal_headers(listener));
    if hosts != FirstHosts::PolledByWorkers {
        bootstrap = bootstrap.extension(poller(&poll)?);
    }
    let begun = Instant::now();
    let to = service.local();
    let requests = thread::spawn(move || first_requests(to, begun));
    let envoy = Envoy::start_with(&workdir, |node, admin| {
        bootstrap.cluster(admin_cluster(admin)).to_json(node, admin)
    })?;
    let first = requests
        .join()
        .map_err(|_| anyhow!("the requests panicked"))?;
    first.with_context(|| envoy.log().unwrap_or_default())
}

fn first_requests(to: SocketAddr, begun: Instant) -> Result<FirstRequests> {
    let mut answered = None;
    loop {
        ensure!(begun.elapsed() < LIMIT, "no request is steered");
        if let Ok(answer) = Client::new(to).get("/", &SECRET) {
            let now = begun.elapsed();
            let answered = *answered.get_or_insert(now);
            if answer.status == 200 && answer.header(TRACE).is_some() {
                let steered = now;
                return Ok(FirstRequests { answered, steered });
            }
        }
        thread::sleep(Duration::from_millis(1));
    }
}
