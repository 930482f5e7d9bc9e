//! A thousand sessions while the primary cluster of an aggregate fails and comes back: ours, and
//! those of Envoy's own filter through an aggregate of the same hosts.

use anyhow::{Result, ensure};
use serde_json::json;
use spillgate_e2e::config::{
    Bootstrap, admin_cluster, aggregate, dropping_internal_headers, http_listener, native, poller,
    to_cluster, to_cluster_by_header,
};
use spillgate_e2e::sessions::{
    EdsHosts, Visitor, begun, kept, native_sessions, our_filters, round, settled, sticky,
};
use spillgate_e2e::{
    Client, Envoy, Need, Port, Upstream, Workdir, eventually, fresh_secret, needed,
};
use std::time::Duration;

const SESSIONS: usize = 1_000;
/// Hosts of each cluster.
const HOSTS: usize = 4;
const LIMIT: Duration = Duration::from_secs(30);

#[test]
fn only_sessions_of_dead_hosts_move_and_nobody_returns() -> Result<()> {
    let workdir = Workdir::new("sessions_failover")?;
    let mut site = Site::open(&workdir)?;
    let mut ours = Clients::begin(&site.service)?;
    let mut native = Clients::begin(&site.native)?;
    let mut figures = Vec::new();
    let mut look = |what, dead: &[String]| -> Result<()> {
        let (stayed, moved) = ours.visit(dead)?;
        let (native_stayed, _) = native.visit(dead)?;
        figures.push((what, stayed, moved, native_stayed));
        Ok(())
    };

    look("nothing happens", &[])?;
    let half = site.primary[..HOSTS / 2].to_vec();
    site.fail(&half)?;
    look("half of the primary cluster dies", &half)?;
    let all = site.primary.clone();
    site.fail(&all)?;
    look("all of it dies", &all)?;
    site.come_back()?;
    look("it comes back", &[])?;

    println!("{SESSIONS} sessions; served by the host of the last visit:");
    for (what, stayed, moved, native) in &figures {
        println!("{what}: ours {stayed}, moved from dead hosts {moved}; Envoy's own {native}");
    }
    for (what, stayed, moved, native) in figures {
        ensure!(
            stayed + moved == SESSIONS,
            "{what}: a session left a host that serves"
        );
        ensure!(
            native < SESSIONS / 2,
            "{what}: {native} of Envoy's own are kept"
        );
    }
    // Each that moved was counted so.
    let moves: u64 = site
        .envoy
        .stats("wasmcustom.spillgate.sessions.moved.")?
        .iter()
        .map(|(_, count)| count)
        .sum();
    ensure!(
        moves as usize == ours.moved,
        "{moves} moves are counted, not {}",
        ours.moved
    );
    let refused = site.envoy.stats("wasmcustom.spillgate.sessions.refused")?;
    ensure!(refused.is_empty(), "{refused:?}");
    Ok(())
}

/// Clients of one listener, and where each was served last.
struct Clients {
    client: Client,
    visitors: Vec<Visitor>,
    hosts: Vec<String>,
    moved: usize,
}

impl Clients {
    fn begin(port: &Port) -> Result<Self> {
        let mut client = Client::new(port.local());
        let (visitors, hosts) = begun(&mut client, SESSIONS)?;
        Ok(Self {
            client,
            visitors,
            hosts,
            moved: 0,
        })
    }

    /// How many are served by their host of before, and how many left one that is dead.
    fn visit(&mut self, dead: &[String]) -> Result<(usize, usize)> {
        let before = std::mem::replace(
            &mut self.hosts,
            round(&mut self.client, &mut self.visitors)?,
        );
        let had_to_move = before.iter().filter(|host| dead.contains(host)).count();
        self.moved += had_to_move;
        Ok((kept(&before, &self.hosts), had_to_move))
    }
}

/// Two members of an aggregate at 127.8.0.x and 127.8.1.x, twice: ours, and Envoy's own.
struct Site<'w> {
    envoy: Envoy,
    eds: EdsHosts<'w>,
    _secondary: EdsHosts<'w>,
    primary: Vec<String>,
    hosts: Vec<Upstream>,
    service: Port,
    native: Port,
    _port: Port,
}

impl<'w> Site<'w> {
    fn open(workdir: &'w Workdir) -> Result<Self> {
        let (service, own, port) = (Port::lease()?, Port::lease()?, Port::lease()?);
        let at = |network: u8| -> Vec<String> {
            let number = port.number();
            (1..=HOSTS)
                .map(|host| format!("127.8.{network}.{host}:{number}"))
                .collect()
        };
        let (primary, secondary) = (at(0), at(1));
        let eds = EdsHosts::new(workdir, "primary", &primary)?;
        let eds_secondary = EdsHosts::new(workdir, "secondary", &secondary)?;
        let key = fresh_secret()?;
        let filters = our_filters(&json!({
            "clusters": [
                {"name": "primary", "lb_policy": "ROUND_ROBIN"},
                {"name": "secondary", "lb_policy": "ROUND_ROBIN"},
                native(&aggregate("shop", &["primary", "secondary"]))?,
            ],
            "target": "shop",
            "health": {"source": "admin", "cluster": "admin"},
            "affinity": sticky(&[(1, &key)]),
            "tick": "0.05s",
        }))?;
        let listener = http_listener(
            "service",
            service.number(),
            &[to_cluster_by_header()],
            filters,
        );
        let beside = http_listener(
            "native",
            own.number(),
            &[to_cluster("/", "native")],
            vec![native_sessions("session")],
        );
        let poll = json!({"poll": [{
            "cluster": "admin", "targets": ["primary", "secondary"], "interval": "0.1s",
        }]});
        let bootstrap = Bootstrap::new()
            .listener(dropping_internal_headers(listener))
            .listener(beside)
            .cluster(eds.steered())
            .cluster(eds_secondary.steered())
            .cluster(native(&aggregate("shop", &["primary", "secondary"]))?)
            .cluster(eds.native("native-primary"))
            .cluster(eds_secondary.native("native-secondary"))
            .cluster(native(&aggregate(
                "native",
                &["native-primary", "native-secondary"],
            ))?)
            .extension(poller(&needed(Need::FilterWasm)?, &poll));
        let hosts = primary.iter().chain(&secondary);
        let hosts = hosts
            .map(|host| Upstream::open(host))
            .collect::<Result<_>>()?;
        let envoy = Envoy::start_with(workdir, |node, admin| {
            bootstrap.cluster(admin_cluster(admin)).to_json(node, admin)
        })?;
        let site = Self {
            envoy,
            eds,
            _secondary: eds_secondary,
            primary,
            hosts,
            service,
            native: own,
            _port: port,
        };
        eventually("a decision", LIMIT, || {
            Visitor::default().visit(&mut Client::new(site.service.local()))?;
            let decided = site.envoy.stats("wasmcustom.spillgate.decisions.")?;
            Ok((!decided.is_empty()).then_some(()))
        })?;
        Ok(site)
    }

    /// Hosts of the primary cluster are told to be ill, and die once nobody new is sent there.
    fn fail(&mut self, dead: &[String]) -> Result<()> {
        self.eds.set(dead, "UNHEALTHY")?;
        let alive = match dead.len() {
            // The secondary cluster takes what half of the primary one cannot.
            HOSTS => HOSTS,
            less => 2 * HOSTS - less,
        };
        for port in [&self.service, &self.native] {
            let mut client = Client::new(port.local());
            let is_alive = |host: &str| !dead.iter().any(|dead| dead == host);
            settled(&mut client, "leaving the dead", alive, is_alive)?;
        }
        for host in &mut self.hosts {
            if dead.contains(&host.address().to_string()) {
                host.kill();
            }
        }
        Ok(())
    }

    fn come_back(&mut self) -> Result<()> {
        for host in &mut self.hosts {
            host.revive()?;
        }
        let primary = self.primary.clone();
        self.eds.set(&primary, "HEALTHY")?;
        for port in [&self.service, &self.native] {
            let mut client = Client::new(port.local());
            let is_primary = |host: &str| primary.iter().any(|primary| primary == host);
            settled(&mut client, "the primary cluster", HOSTS, is_primary)?;
        }
        Ok(())
    }
}
