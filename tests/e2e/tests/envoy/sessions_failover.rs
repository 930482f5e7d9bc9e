//! A thousand sessions while the primary cluster of an aggregate fails and comes back: ours, and
//! those of Envoy's own filter through an aggregate of the same hosts.

use anyhow::{Result, ensure};
use rstest::rstest;
use serde_json::json;
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_e2e::config::{Bootstrap, aggregate, http_listener, native, to_cluster};
use spillgate_e2e::sessions::{
    EdsHosts, Gateway, Visitor, addresses, begun, kept, native_sessions, opened, round, settled,
    sticky,
};
use spillgate_e2e::{Client, Port, Upstream, Workdir, fresh_secret};

const SESSIONS: usize = 1_000;
/// Hosts of each cluster.
const HOSTS: usize = 4;

#[rstest]
fn only_sessions_of_failed_hosts_move_and_none_returns(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let workdir = Workdir::in_form("sessions_failover", form)?;
    let mut site = Site::open(&workdir)?;
    let mut ours = Clients::begin(&site.gateway.service)?;
    let mut native = Clients::begin(&site.native)?;
    let mut figures = Vec::new();
    let mut look = |what, failed: &[String]| -> Result<()> {
        let (stayed, moved) = ours.visit(failed)?;
        let (native_stayed, _) = native.visit(failed)?;
        figures.push((what, stayed, moved, native_stayed));
        Ok(())
    };

    look("nothing happens", &[])?;
    let half = site.primary[..HOSTS / 2].to_vec();
    site.fail(&half)?;
    look("half of the primary cluster fails", &half)?;
    let all = site.primary.clone();
    site.fail(&all)?;
    look("all of it fails", &all)?;
    site.come_back()?;
    look("it comes back", &[])?;

    println!("{SESSIONS} sessions; served by the host of the last visit:");
    for (what, stayed, moved, native) in &figures {
        println!("{what}: ours {stayed}, moved from failed hosts {moved}; Envoy's own {native}");
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
    let envoy = &site.gateway.envoy;
    let moves = envoy.total("spillgate.sessions.moved.")?;
    ensure!(
        moves as usize == ours.moved,
        "{moves} moves are counted, not {}",
        ours.moved
    );
    envoy.check_zero(&["spillgate.sessions.refused"])
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

    /// How many stay on their host, and how many left a failed one.
    fn visit(&mut self, failed: &[String]) -> Result<(usize, usize)> {
        let before = std::mem::replace(
            &mut self.hosts,
            round(&mut self.client, &mut self.visitors)?,
        );
        let had_to_move = before.iter().filter(|host| failed.contains(host)).count();
        self.moved += had_to_move;
        Ok((kept(&before, &self.hosts), had_to_move))
    }
}

/// Two members of an aggregate at 127.8.0.x and 127.8.1.x, twice: ours, and Envoy's own.
struct Site<'w> {
    gateway: Gateway,
    eds: EdsHosts<'w>,
    _secondary: EdsHosts<'w>,
    primary: Vec<String>,
    hosts: Vec<Upstream>,
    native: Port,
    _port: Port,
}

impl<'w> Site<'w> {
    fn open(workdir: &'w Workdir) -> Result<Self> {
        let (native_port, port) = (Port::lease()?, Port::lease()?);
        let primary = addresses("127.8.0", &port, HOSTS);
        let secondary = addresses("127.8.1", &port, HOSTS);
        let eds = EdsHosts::new(workdir, "primary", &primary)?;
        let eds_secondary = EdsHosts::new(workdir, "secondary", &secondary)?;
        let shop = native(&aggregate("shop", &["primary", "secondary"]))?;
        let key = fresh_secret()?;
        let filter = json!({
            "clusters": [shop],
            "target": "shop",
            "affinity": sticky(&[(1, &key)]),
        });
        let members = ["native-primary", "native-secondary"];
        let bootstrap = Bootstrap::new()
            .listener(http_listener(
                "native",
                native_port.number(),
                &[to_cluster("/", "native")],
                vec![native_sessions("session")],
            ))
            .cluster(shop)
            .cluster(eds.native(members[0]))
            .cluster(eds_secondary.native(members[1]))
            .cluster(native(&aggregate("native", &members))?);
        let hosts = opened(primary.iter().chain(&secondary))?;
        Ok(Self {
            gateway: Gateway::polling(workdir, &[&eds, &eds_secondary], filter, bootstrap)?,
            eds,
            _secondary: eds_secondary,
            primary,
            hosts,
            native: native_port,
            _port: port,
        })
    }

    /// Hosts of the primary cluster become unhealthy, and end once no new session begins there.
    fn fail(&mut self, failed: &[String]) -> Result<()> {
        self.eds.set(failed, "UNHEALTHY")?;
        let alive = match failed.len() {
            // The secondary cluster takes what half of the primary one cannot.
            HOSTS => HOSTS,
            less => 2 * HOSTS - less,
        };
        for port in [&self.gateway.service, &self.native] {
            let mut client = Client::new(port.local());
            let is_alive = |host: &str| !failed.iter().any(|failed| failed == host);
            settled(&mut client, "leaving the failed", alive, is_alive)?;
        }
        for host in &mut self.hosts {
            if failed.contains(&host.address().to_string()) {
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
        for port in [&self.gateway.service, &self.native] {
            let mut client = Client::new(port.local());
            let is_primary = |host: &str| primary.iter().any(|primary| primary == host);
            settled(&mut client, "the primary cluster", HOSTS, is_primary)?;
        }
        Ok(())
    }
}
