//! Which requests circuit breakers refuse while a host of three does not answer: as `spillgate incident` says.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};

use anyhow::{Context as _, Result, bail, ensure};
use rstest::rstest;
use serde_json::{Value, json};
use spillgate_e2e::config::{Bootstrap, http_listener};
use spillgate_e2e::{Envoy, Port, Workdir, figure, spillgate};

const REQUESTS: usize = 90;
/// The host that does not answer is the first one.
const HOSTS: usize = 3;

/// The requests of a test, one after the other.
#[derive(Debug, Default)]
struct Outcomes {
    /// Connections of the requests that wait.
    waiting: Vec<TcpStream>,
    answered: usize,
    refused: usize,
}

/// A request whose answer can be late.
fn send(to: SocketAddr) -> Result<TcpStream> {
    let mut stream = TcpStream::connect(to)?;
    stream.write_all(b"GET / HTTP/1.1\r\nhost: shop\r\nconnection: close\r\n\r\n")?;
    stream.set_nonblocking(true)?;
    Ok(stream)
}

/// The status of an answer; `None` before it arrives.
fn status(stream: &mut TcpStream) -> Result<Option<u16>> {
    let mut start = [0; 64];
    match stream.read(&mut start) {
        Ok(length) => {
            let text = String::from_utf8_lossy(start.get(..length).unwrap_or_default());
            let word = text.split(' ').nth(1).context("no status")?;
            Ok(Some(word.parse()?))
        }
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(None),
        Err(error) => Err(error.into()),
    }
}

impl Outcomes {
    fn add(&mut self, envoy: &Envoy, to: SocketAddr) -> Result<()> {
        let mut stream = send(to)?;
        loop {
            match status(&mut stream)? {
                Some(200) => self.answered += 1,
                Some(503) => self.refused += 1,
                Some(other) => bail!("status {other}"),
                None => {
                    let mut waiting = envoy.stat("http.host0.downstream_rq_active")?;
                    // Hosts that answered have a connection, on which no request waits.
                    if self.answered >= HOSTS {
                        waiting += envoy.stat("cluster.shop.upstream_rq_pending_active")?;
                    }
                    if waiting as usize <= self.waiting.len() {
                        continue;
                    }
                    self.waiting.push(stream);
                }
            }
            return Ok(());
        }
    }
}

/// An Envoy whose first host does not answer.
fn open(
    workdir: &Workdir,
    http: &str,
    thresholds: Value,
    service: u16,
    hosts: &[Port],
) -> Result<Envoy> {
    let answer = json!({"match": {"prefix": "/"}, "direct_response": {"status": 200}});
    let late = json!({"name": "envoy.filters.http.fault", "typed_config": {
        "@type": "type.googleapis.com/envoy.extensions.filters.http.fault.v3.HTTPFault",
        "delay": {"fixed_delay": "3600s", "percentage": {"numerator": 100}},
    }});
    let mut bootstrap = Bootstrap::new();
    for (index, port) in hosts.iter().enumerate() {
        let filters = if index == 0 {
            vec![late.clone()]
        } else {
            Vec::new()
        };
        let name = format!("host{index}");
        let routes = std::slice::from_ref(&answer);
        bootstrap = bootstrap.listener(http_listener(&name, port.number(), routes, filters));
    }
    let endpoints = hosts.iter().map(|port| {
        json!({"endpoint": {"address": {"socket_address":
            {"address": "127.0.0.1", "port_value": port.number()}}}})
    });
    let route = json!({
        "match": {"prefix": "/"},
        "route": {"cluster": "shop", "timeout": "0s"},
    });
    let cluster = json!({
        "name": "shop",
        "type": "STATIC",
        "connect_timeout": "2s",
        "circuit_breakers": {"thresholds": [thresholds]},
        "typed_extension_protocol_options": {
            "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": {
                "@type": "type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions",
                "explicit_http_config": {(http): {}},
            },
        },
        "load_assignment": {
            "cluster_name": "shop",
            "endpoints": [{"lb_endpoints": endpoints.collect::<Value>()}],
        },
    });
    let listener = http_listener("service", service, &[route], Vec::new());
    Envoy::start(workdir, &bootstrap.listener(listener).cluster(cluster))
}

/// What `spillgate incident` says of one request per second: those that wait and those that are refused.
fn predicted(envoy: &Envoy, silent: &Port) -> Result<(f64, f64)> {
    let config = envoy.config().to_str().context("no text")?;
    let event = format!("host=127.0.0.1:{}@0s..", silent.number());
    let until = format!("{REQUESTS}s");
    let done = spillgate([
        "incident",
        config,
        "--cluster",
        "shop",
        "--timeout",
        &event,
        "--rps",
        "1",
        "--until",
        &until,
        "--format",
        "json",
    ])?;
    let answer: Value = serde_json::from_str(&done.output)?;
    let mean = |name: &str| answer["clusters"][0][name]["mean"].as_f64();
    let refused = mean("refused").context("no figure")?;
    Ok((mean("failed").context("no figure")? - refused, refused))
}

#[rstest]
#[case::shared_connections("http2_protocol_options", json!({"max_requests": 10}))]
#[case::fewer_requests_than_connections("http_protocol_options", json!({"max_requests": 10}))]
#[case::fewer_connections("http_protocol_options", json!({"max_connections": 8, "max_pending_requests": 4}))]
#[case::equal_limits("http_protocol_options",
    json!({"max_connections": 9, "max_pending_requests": 5, "max_requests": 9}))]
#[case::no_limit_is_reached("http_protocol_options", json!({}))]
fn circuit_breakers_refuse_what_is_predicted(
    #[case] http: &str,
    #[case] thresholds: Value,
) -> Result<()> {
    let workdir = Workdir::new("circuit_breakers")?;
    let service = Port::lease()?;
    let hosts = (0..HOSTS)
        .map(|_| Port::lease())
        .collect::<Result<Vec<_>>>()?;
    let envoy = open(&workdir, http, thresholds.clone(), service.number(), &hosts)?;
    let silent = hosts.first().context("no host")?;
    let mut outcomes = Outcomes::default();
    for _ in 0..REQUESTS {
        outcomes.add(&envoy, service.local())?;
    }
    let (waiting, refused) = (outcomes.waiting.len() as f64, outcomes.refused as f64);
    let expected = predicted(&envoy, silent)?;
    figure(format!(
        "{thresholds}: {waiting} wait and {refused} are refused, predicted {expected:?}"
    ));
    // A turn of the hosts is not complete.
    let most = HOSTS as f64;
    ensure!(
        (waiting - expected.0).abs() <= 0.01,
        "{waiting} {expected:?}"
    );
    ensure!(
        (refused - expected.1).abs() <= most,
        "{refused} {expected:?}"
    );
    Ok(())
}
