//! Two Envoys that share nothing but a key, behind a third that splits at random: every session is
//! at one host, also when it has to move.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use spillgate_e2e::config::{
    Bootstrap, admin_cluster, dropping_internal_headers, http_listener, poller, to_cluster,
    to_cluster_by_header,
};
use spillgate_e2e::sessions::{
    EdsHosts, Visitor, begun, kept, our_filters, round, settled, sticky,
};
use spillgate_e2e::{
    Client, Envoy, Need, Port, Upstream, Workdir, eventually, fresh_secret, full, needed,
};

const HOSTS: usize = 5;
const LIMIT: Duration = Duration::from_secs(30);

#[test]
fn a_session_is_at_one_host_whichever_gateway_is_asked() -> Result<()> {
    let (sessions, rounds) = if full() { (1_000, 20) } else { (300, 4) };
    let workdir = Workdir::new("sessions_gateways")?;
    let port = Port::lease()?;
    let addresses: Vec<String> = (1..=HOSTS)
        .map(|host| format!("127.11.0.{host}:{}", port.number()))
        .collect();
    let hosts = addresses.iter();
    let mut hosts = hosts
        .map(|host| Upstream::open(host))
        .collect::<Result<Vec<_>>>()?;
    let mut eds = EdsHosts::new(&workdir, "shop", &addresses)?;
    let key = fresh_secret()?;
    let gateways = [
        Gateway::open(&workdir, &eds, &key)?,
        Gateway::open(&workdir, &eds, &key)?,
    ];
    let front = Port::lease()?;
    let listener = http_listener(
        "front",
        front.number(),
        &[to_cluster("/", "gateways")],
        vec![],
    );
    let bootstrap = Bootstrap::new()
        .listener(listener)
        .cluster(split(&gateways));
    let _front = Envoy::start(&workdir, &bootstrap)?;

    let mut client = Client::new(front.local());
    let (mut visitors, first) = begun(&mut client, sessions)?;
    for _ in 0..rounds {
        let now = round(&mut client, &mut visitors)?;
        ensure!(now == first, "{} of {sessions} kept", kept(&first, &now));
    }
    let asked: Vec<u64> = gateways
        .iter()
        .map(|gateway| gateway.envoy.stat("wasmcustom.spillgate.sessions.kept"))
        .collect::<Result<_>>()?;
    ensure!(
        asked.iter().sum::<u64>() == (sessions * rounds) as u64,
        "{asked:?}"
    );
    ensure!(asked.iter().all(|count| *count > 0), "{asked:?}");

    // A host dies; both know it before anybody who had a session there comes again.
    let dead = addresses.first().context("no hosts")?.clone();
    eds.set(std::slice::from_ref(&dead), "UNHEALTHY")?;
    for gateway in &gateways {
        let mut client = Client::new(gateway.port.local());
        settled(&mut client, "leaving the dead", HOSTS - 1, |host| {
            host != dead
        })?;
    }
    hosts.remove(0).kill();
    let mut agreed = 0;
    for (visitor, host) in visitors.iter().zip(&first) {
        let mut chosen = Vec::new();
        for gateway in &gateways {
            // The same token twice: nobody has told the other gateway anything.
            let mut twin = visitor.clone();
            chosen.push(twin.visit(&mut Client::new(gateway.port.local()))?);
        }
        ensure!(chosen[0] == chosen[1], "from {host} to {chosen:?}");
        ensure!(
            (chosen[0] == *host) == (*host != dead),
            "from {host} to {chosen:?}"
        );
        agreed += usize::from(*host == dead);
    }
    let second = round(&mut client, &mut visitors)?;
    ensure!(kept(&first, &second) == sessions - agreed);
    for _ in 0..rounds {
        let now = round(&mut client, &mut visitors)?;
        ensure!(now == second, "{} of {sessions} kept", kept(&second, &now));
    }
    println!(
        "{sessions} sessions, {} requests at random to two Envoys ({asked:?} in the first rounds): \
         all at one host each; {agreed} had to move, both chose the same host for each",
        sessions * (2 * rounds + 2)
    );
    Ok(())
}

/// An Envoy with the filter, a poller and a view of the hosts of its own.
struct Gateway {
    envoy: Envoy,
    port: Port,
}

impl Gateway {
    fn open(workdir: &Workdir, eds: &EdsHosts<'_>, key: &str) -> Result<Self> {
        let port = Port::lease()?;
        let mut affinity = sticky(&[(1, key)]);
        // Clients come by the front and, here, also around it.
        affinity["scope"] = json!("shop");
        let filters = our_filters(&json!({
            "clusters": [{"name": "shop", "lb_policy": "ROUND_ROBIN"}],
            "target": "shop",
            "health": {"source": "admin", "cluster": "admin"},
            "affinity": affinity,
            "tick": "0.05s",
        }))?;
        let listener = http_listener("service", port.number(), &[to_cluster_by_header()], filters);
        let poll = json!({"poll": [{"cluster": "admin", "targets": ["shop"], "interval": "0.1s"}]});
        let bootstrap = Bootstrap::new()
            .listener(dropping_internal_headers(listener))
            .cluster(eds.steered())
            .extension(poller(&needed(Need::FilterWasm)?, &poll));
        let envoy = Envoy::start_with(workdir, |node, admin| {
            bootstrap.cluster(admin_cluster(admin)).to_json(node, admin)
        })?;
        eventually("a decision", LIMIT, || {
            Visitor::default().visit(&mut Client::new(port.local()))?;
            let decided = envoy.stats("wasmcustom.spillgate.decisions.")?;
            Ok((!decided.is_empty()).then_some(()))
        })?;
        Ok(Self { envoy, port })
    }
}

/// The cluster of both gateways, asked at random.
fn split(gateways: &[Gateway]) -> Value {
    let endpoint = |gateway: &Gateway| {
        json!({"endpoint": {"address": {"socket_address": {
            "address": "127.0.0.1", "port_value": gateway.port.number(),
        }}}})
    };
    let endpoints: Vec<Value> = gateways.iter().map(endpoint).collect();
    json!({
        "name": "gateways",
        "type": "STATIC",
        "connect_timeout": "2s",
        "lb_policy": "RANDOM",
        "load_assignment": {"cluster_name": "gateways", "endpoints": [{"lb_endpoints": endpoints}]},
    })
}
