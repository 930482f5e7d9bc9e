//! A priority loses and regains its hosts in small steps: only sessions of failed hosts move, and
//! new sessions follow the load of the priorities.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use rstest::rstest;
use serde_json::json;
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_core::load::{PriorityHealth, priority_load};
use spillgate_core::model::PanicThreshold;
use spillgate_e2e::config::{Bootstrap, aggregate, native};
use spillgate_e2e::sessions::{
    EdsHosts, Gateway, Visitor, addresses, begun, kept, opened, round, sticky,
};
use spillgate_e2e::{Client, Port, Upstream, Workdir, amount, eventually, figure, fresh_secret};

/// Far more than a poll and a tick take.
const LIMIT: Duration = Duration::from_secs(30);
/// Hosts of each cluster: one of them is 5 %.
const HOSTS: usize = 20;
/// New sessions that are looked at. A host has at least 4 % of them: all miss it by chance once in a
/// hundred thousand times.
const LOOKED_AT: usize = 300;
/// The most that the share of new sessions may be off, in percent of all: five standard deviations
/// of the short form.
const TOLERANCE: f64 = 12.5;

/// How many sessions, and how many hosts change in a step.
#[derive(Clone, Copy)]
struct Scale {
    sessions: usize,
    hosts: usize,
    /// New sessions after each step.
    new: usize,
}

#[rstest]
fn failover_and_failback_in_small_steps(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let short = Scale {
        sessions: 200,
        hosts: 5,
        new: 400,
    };
    let full = Scale {
        sessions: 1_000,
        hosts: 1,
        new: 2_000,
    };
    let scale = amount(short, full);
    let workdir = Workdir::in_form("sessions_steps", form)?;
    let mut site = Site::open(&workdir)?;
    let mut client = site.gateway.client();
    let (mut visitors, mut hosts) = begun(&mut client, scale.sessions)?;
    let (mut steps, mut moved, mut requests) = (0, 0, 0);
    // All hosts fail, then all come back; the last step of each ends at 0 % and at 100 %.
    for (status, way) in [("UNHEALTHY", "failing"), ("HEALTHY", "returning")] {
        for group in site.primary.clone().chunks(scale.hosts) {
            site.change(group, status, way)?;
            steps += 1;
            let now = site.visit(&mut client, &mut visitors, &mut hosts)?;
            moved += now;
            requests += scale.sessions;
            site.new_sessions(&mut client, scale.new)?;
        }
    }
    let counted = site.gateway.envoy.total("spillgate.sessions.moved.")?;
    ensure!(
        counted as usize == moved,
        "{counted} moves are counted, not {moved}"
    );
    ensure!(moved >= scale.sessions, "only {moved} sessions had to move");
    site.gateway.envoy.check_filter()?;
    figure(format_args!(
        "{steps} steps of {} %: {requests} requests of {} sessions, {moved} moved from failed hosts, \
         0 others",
        100 * scale.hosts / HOSTS,
        scale.sessions
    ));
    Ok(())
}

/// Two members of an aggregate at 127.26.0.x and 127.26.1.x.
struct Site<'w> {
    gateway: Gateway,
    eds: EdsHosts<'w>,
    _secondary: EdsHosts<'w>,
    primary: Vec<String>,
    failed: Vec<String>,
    _hosts: Vec<Upstream>,
    _port: Port,
}

impl<'w> Site<'w> {
    fn open(workdir: &'w Workdir) -> Result<Self> {
        let port = Port::lease()?;
        let primary = addresses("127.26.0", &port, HOSTS);
        let secondary = addresses("127.26.1", &port, HOSTS);
        let eds = EdsHosts::new(workdir, "primary", &primary)?;
        let second = EdsHosts::new(workdir, "secondary", &secondary)?;
        let shop = native(&aggregate("shop", &["primary", "secondary"]))?;
        let key = fresh_secret()?;
        let filter = json!({
            "clusters": [shop], "target": "shop", "affinity": sticky(&[(1, &key)]),
        });
        // Envoy sends requests before the first poll to this cluster.
        let bootstrap = Bootstrap::new().cluster(shop);
        let hosts = opened(primary.iter().chain(&secondary))?;
        Ok(Self {
            // In panic mode, a member cluster would use its failed hosts.
            gateway: Gateway::polling_at(
                PanicThreshold::OFF,
                workdir,
                &[&eds, &second],
                filter,
                bootstrap,
            )?,
            eds,
            _secondary: second,
            primary,
            failed: Vec::new(),
            _hosts: hosts,
            _port: port,
        })
    }

    /// Changes the health of some hosts, and waits until new sessions follow.
    fn change(&mut self, hosts: &[String], status: &'static str, way: &str) -> Result<()> {
        self.eds.set(hosts, status)?;
        let returns = status == "HEALTHY";
        if returns {
            self.failed.retain(|failed| !hosts.contains(failed));
        } else {
            self.failed.extend_from_slice(hosts);
        }
        let what = format!("{} of {HOSTS} hosts failed, {way}", self.failed.len());
        eventually(&what, LIMIT, || {
            let (_, served) = begun(&mut self.gateway.client(), LOOKED_AT)?;
            let stale = served.iter().any(|host| self.failed.contains(host));
            let all = hosts.iter().all(|host| served.contains(host));
            Ok((!stale && (!returns || all)).then_some(()))
        })
    }

    /// A request of every session: how many left a failed host. No other may move.
    fn visit(
        &self,
        client: &mut Client,
        visitors: &mut [Visitor],
        hosts: &mut Vec<String>,
    ) -> Result<usize> {
        let before = std::mem::replace(hosts, round(client, visitors)?);
        let had_to = before
            .iter()
            .filter(|host| self.failed.contains(host))
            .count();
        let stayed = kept(&before, hosts);
        ensure!(
            stayed + had_to == before.len(),
            "{} failed hosts: {stayed} of {} stayed, {had_to} had to move",
            self.failed.len(),
            before.len()
        );
        let wrong = hosts.iter().find(|host| self.failed.contains(host));
        ensure!(wrong.is_none(), "a failed host serves: {wrong:?}");
        Ok(had_to)
    }

    /// New sessions are spread as the loads of the priorities say.
    fn new_sessions(&self, client: &mut Client, count: usize) -> Result<()> {
        let (_, hosts) = begun(client, count)?;
        let in_primary = hosts
            .iter()
            .filter(|host| self.primary.contains(host))
            .count();
        let share = 100.0 * in_primary as f64 / count as f64;
        let health = |failed: usize| PriorityHealth {
            hosts: HOSTS as u32,
            healthy: (HOSTS - failed) as u32,
            ..PriorityHealth::default()
        };
        let load = priority_load(&[health(self.failed.len()), health(0)], PanicThreshold::OFF);
        let expected = *load.healthy.first().context("no load")?;
        ensure!(
            (share - f64::from(expected)).abs() <= TOLERANCE,
            "{} failed hosts: the primary cluster serves {share:.1} %, not {expected} %",
            self.failed.len()
        );
        Ok(())
    }
}
