//! A rolling drain of every host under load: no request fails, every session stays until its
//! host is removed, and no new session begins at a draining host.

use std::time::Duration;

use anyhow::{Result, ensure};
use rstest::rstest;
use serde_json::json;
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_e2e::config::Bootstrap;
use spillgate_e2e::sessions::{
    EdsHosts, Gateway, Rush, Visits, addresses, begun, opened, settled, sticky,
};
use spillgate_e2e::{Port, Upstream, Workdir, amount, eventually, figure, fresh_secret};

const LIMIT: Duration = Duration::from_secs(30);

struct Scale {
    sessions: usize,
    hosts: usize,
    connections: usize,
    /// Rounds of all sessions while a host drains.
    rounds: usize,
}

#[rstest]
fn hosts_are_drained_one_by_one_without_a_loss(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let short = Scale {
        sessions: 200,
        hosts: 4,
        connections: 4,
        rounds: 2,
    };
    let full = Scale {
        sessions: 2_000,
        hosts: 8,
        connections: 16,
        rounds: 20,
    };
    let scale = amount(short, full);
    let workdir = Workdir::in_form("sessions_drain", form)?;
    let mut site = Site::open(&workdir, &scale)?;
    let crowd = begun(&mut site.gateway.client(), scale.sessions)?;
    let load = Rush::start(site.gateway.service.local(), crowd, scale.connections);
    let mut requests = 0;
    for drained in 0..scale.hosts {
        let host = site.addresses[drained].clone();
        let before = settle(&load, &host, "joining")?;
        ensure!(before.served.contains_key(&host), "{host} has no session");

        site.eds.set(std::slice::from_ref(&host), "DRAINING")?;
        site.without(&host)?;
        // Requests from before the drain are complete.
        load.a_round()?;
        let on_the_way = load.take();
        ensure!(
            on_the_way.moves.is_empty(),
            "{host}: {:?}",
            on_the_way.moves
        );
        for _ in 0..scale.rounds {
            load.a_round()?;
        }
        let draining = load.take();
        let staying = draining.served.get(&host).copied().unwrap_or(0);
        ensure!(staying > 0, "{host}: no session stays while it drains");
        ensure!(
            !draining.begun.contains_key(&host),
            "{host}: {:?}",
            draining.begun
        );
        ensure!(draining.moves.is_empty(), "{host}: {:?}", draining.moves);

        site.eds.remove(&host)?;
        let gone = settle(&load, &host, "leaving")?;
        let elsewhere = gone.moves.keys().any(|(from, _)| *from != host);
        ensure!(!elsewhere, "{host}: others moved too: {:?}", gone.moves);
        let moved: u64 = gone.moves.values().sum();
        ensure!(moved > 0, "{host}: no session moved");
        // The process ends once it gets no more requests.
        site.hosts[drained].kill();
        load.a_round()?;
        let after = load.take();
        println!(
            "{host}: {staying} requests of its sessions while it drained, {} new sessions \
             elsewhere; {moved} sessions moved when it had gone",
            draining.begun.values().sum::<u64>()
        );
        for part in [&before, &on_the_way, &draining, &gone, &after] {
            ensure!(part.failed == 0, "{host}: {:?}", part.failures);
            requests += part.requests;
        }
        ensure!(after.moves.is_empty(), "{host}: {:?}", after.moves);
        site.hosts[drained].revive()?;
        site.eds.set(&[host], "HEALTHY")?;
    }
    let (_, rest) = load.stop()?;
    ensure!(rest.failed == 0, "{:?}", rest.failures);
    figure(format_args!(
        "{} requests of {} sessions over {} connections, 0 failed; {} hosts drained",
        requests + rest.requests,
        scale.sessions,
        scale.connections,
        scale.hosts
    ));
    site.gateway.envoy.check_filter()?;
    site.gateway
        .envoy
        .check_zero(&["spillgate.sessions.refused"])
}

/// What comes while new sessions begin to come to a host, or all sessions leave it; with a whole
/// round after that.
fn settle(load: &Rush, host: &str, what: &str) -> Result<Visits> {
    let joins = what == "joining";
    let mut all = Visits::default();
    eventually(&format!("{host}: {what}"), LIMIT, || {
        load.a_round()?;
        let part = load.take();
        let reached = if joins {
            part.begun.contains_key(host)
        } else {
            !part.served.contains_key(host)
        };
        all.absorb(part);
        Ok(reached.then_some(()))
    })?;
    load.a_round()?;
    all.absorb(load.take());
    Ok(all)
}

/// One cluster of hosts at 127.10.0.x.
struct Site<'w> {
    gateway: Gateway,
    eds: EdsHosts<'w>,
    addresses: Vec<String>,
    hosts: Vec<Upstream>,
    _port: Port,
}

impl<'w> Site<'w> {
    fn open(workdir: &'w Workdir, scale: &Scale) -> Result<Self> {
        let port = Port::lease()?;
        let addresses = addresses("127.10.0", &port, scale.hosts);
        let eds = EdsHosts::new(workdir, "shop", &addresses)?;
        let key = fresh_secret()?;
        let mut affinity = sticky(&[(1, &key)]);
        affinity["override_host_status"] = json!(["UNKNOWN", "HEALTHY", "DEGRADED", "DRAINING"]);
        let filter = json!({"target": "shop", "affinity": affinity});
        let hosts = opened(&addresses)?;
        Ok(Self {
            gateway: Gateway::polling(workdir, &[&eds], filter, Bootstrap::new())?,
            eds,
            addresses,
            hosts,
            _port: port,
        })
    }

    /// Waits until new clients come to all hosts but this one.
    fn without(&self, host: &str) -> Result<()> {
        let mut client = self.gateway.client();
        let others = self.addresses.len() - 1;
        settled(&mut client, "a drain", others, |other| other != host)
    }
}
