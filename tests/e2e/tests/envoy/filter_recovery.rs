//! A dead poller, a slow admin and one that breaks off, a hot restart, and a bad first
//! configuration: the filter steers again without help.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm;
use spillgate_e2e::config::{
    Bootstrap, KEY_HEADER, SERVED_HEADER, admin_cluster, our_filters, poller, poller_of,
};
use spillgate_e2e::sessions::{EdsHosts, Rush, addresses, begun, opened, session_listener, sticky};
use spillgate_e2e::shop::Shop;
use spillgate_e2e::{
    Client, Envoy, Guest, Port, StandIn, Upstream, Workdir, eventually, fresh_secret,
};

/// Far more than a change takes.
const LIMIT: Duration = Duration::from_secs(40);
const DECISIONS: &str = "spillgate.decisions.";
const POLLS: &str = "spillgate.health.polls";
const FAILURES: &str = "spillgate.health.poll_failures";
const STANDBY_POLLS: &str = "spillgate.health.standby_polls";
const STALE: &str = "spillgate.health.cluster.shop.stale";

#[test]
fn envoy_offers_a_monotonic_clock() -> Result<()> {
    let workdir = Workdir::new("filter_recovery_clock")?;
    let module = Guest::Clock.write(&workdir, "clock.wasm")?;
    let bootstrap = Bootstrap::new().extension(poller_of(&module, &json!({})));
    let envoy = Envoy::start(&workdir, &bootstrap)?;
    let clock = || {
        eventually("the clock", LIMIT, || {
            let clock = envoy.stat("clock")?;
            Ok((clock > 0).then_some(clock))
        })
    };
    let first = (clock()?, Instant::now());
    let later = eventually("three seconds", LIMIT, || {
        let now = clock()?;
        Ok((now >= first.0 + 3_000).then_some(now))
    })?;
    let elapsed = u64::try_from(first.1.elapsed().as_millis())?;
    let advanced = later - first.0;
    // The gauge is up to a tick old, and the machine may be busy.
    ensure!(advanced <= elapsed + 1_000, "{advanced} ms in {elapsed} ms");
    // In milliseconds since the Unix epoch, that was in 2001.
    ensure!(later < 1_000_000_000_000, "{later} is wall time");
    Ok(())
}

#[test]
fn workers_replace_a_poller_that_traps() -> Result<()> {
    const INTERVAL: Duration = Duration::from_secs(2);
    let workdir = Workdir::new("filter_recovery_dead_poller")?;
    let module = Guest::TrappingOnTick.write(&workdir, "trapping.wasm")?;
    let mut filter = shop_filter();
    filter["health"]["interval"] = json!("2s");
    let extension = poller_of(&module, &json!({}));
    let mut site = Site::start(&workdir, "127.14.0", &filter, extension, |bootstrap| {
        with_admin(&workdir, bootstrap)
    })?;
    let start = Instant::now();
    site.serves("the first hosts", &[1, 2])?;
    let started = start.elapsed();
    ensure!(started < INTERVAL * 5, "{started:?} until the first health");

    let failed = [site.setup.addresses[0].clone()];
    site.setup.eds.set(&failed, "UNHEALTHY")?;
    let start = Instant::now();
    site.serves("the other host", &[2])?;
    let changed = start.elapsed();
    ensure!(changed < INTERVAL * 5, "{changed:?} until a change");
    let counts = site.envoy.stats("spillgate.health.")?;
    let count = |name: &str| {
        let mut counts = counts.iter();
        counts
            .find(|(have, _)| have == name)
            .map_or(0, |(_, count)| *count)
    };
    let polls = count(STANDBY_POLLS);
    ensure!(polls >= 2 && polls == count(POLLS), "{counts:?}");
    // One line of each VM with the filter: the worker's and the main thread's.
    let warning = "spillgate: the poller of admin is silent; workers poll instead";
    let warnings = site.envoy.log()?.matches(warning).count();
    ensure!((1..=2).contains(&warnings), "{}", site.envoy.log()?);
    println!("first health after {started:?}, a change after {changed:?}, {polls} polls");
    Ok(())
}

#[test]
fn an_admin_that_takes_five_seconds() -> Result<()> {
    let workdir = Workdir::new("filter_recovery_slow_admin")?;
    let mut site = Site::with_own_admin(&workdir, "127.14.1")?;
    site.serves("both hosts", &[1, 2])?;
    site.own_admin()?.take(Duration::from_secs(5));
    let before = site.envoy.stat(FAILURES)?;
    let failed = [site.setup.addresses[0].clone()];
    for (status, serving) in [("UNHEALTHY", &[2][..]), ("HEALTHY", &[1, 2])] {
        site.setup.eds.set(&failed, status)?;
        site.serves(status, serving)?;
    }
    ensure!(
        site.envoy.stat(FAILURES)? == before,
        "{}",
        site.envoy.log()?
    );
    ensure!(site.envoy.stat(STANDBY_POLLS)? == 0, "the poller is alive");
    ensure!(site.envoy.stat(STALE)? == 0);
    Ok(())
}

#[test]
fn an_admin_that_breaks_off() -> Result<()> {
    let workdir = Workdir::new("filter_recovery_half_answers")?;
    let mut site = Site::with_own_admin(&workdir, "127.14.2")?;
    site.serves("both hosts", &[1, 2])?;
    site.own_admin()?.break_off();
    let failed = [site.setup.addresses[0].clone()];
    site.setup.eds.set(&failed, "UNHEALTHY")?;
    let before = site.envoy.stat(FAILURES)?;
    eventually("failures", LIMIT, || {
        Ok((site.envoy.stat(FAILURES)? >= before + 5).then_some(()))
    })?;
    let served = site.served()?;
    ensure!(
        served == site.named(&[1, 2]),
        "half an answer is used: {served:?}"
    );
    ensure!(site.envoy.stat(STANDBY_POLLS)? == 0, "the poller is alive");
    site.own_admin()?.finish();
    site.serves("whole answers again", &[2])?;
    let log = site.envoy.log()?;
    ensure!(
        log.matches("poll of shop through admin failed").count() == 1,
        "{log}"
    );
    Ok(())
}

#[test]
fn sessions_and_health_outlive_a_hot_restart() -> Result<()> {
    let workdir = Workdir::new("filter_recovery_hot_restart")?;
    let secret = fresh_secret()?;
    let mut filter = shop_filter();
    filter["affinity"] = sticky(&[(1, &secret)]);
    // With its hosts in the configuration, the new Envoy keeps sessions from its first request on.
    let setup = Setup::new(&workdir, "127.14.3")?;
    filter["clusters"][0]["load_assignment"] = setup.eds.assignment()?;
    let poll = json!({"poll": [{"cluster": "admin", "targets": ["shop"], "interval": "0.2s"}]});
    let mut site = Site::of(setup, &filter, poller(&poll)?, |bootstrap| {
        Envoy::restartable(&workdir, |node, admin| {
            bootstrap.cluster(admin_cluster(admin)).to_json(node, admin)
        })
    })?;
    site.serves("both hosts", &[1, 2])?;
    let crowd = begun(&mut Client::new(site.setup.service.local()), 40)?;
    let load = Rush::start(site.setup.service.local(), crowd, 4);
    load.a_round()?;

    site.envoy.hot_restart()?;
    eventually("the end of the old Envoy", LIMIT, || {
        load.a_round()?;
        let ended = site.envoy.old_process_has_ended()?;
        Ok(ended.then_some(()))
    })?;
    load.a_round()?;
    let visits = load.take();
    ensure!(visits.failed == 0, "{:?}", visits.failures);
    ensure!(visits.moves.is_empty(), "{:?}", visits.moves);
    // The new Envoy follows health on its own.
    let failed = [site.setup.addresses[0].clone()];
    site.setup.eds.set(&failed, "UNHEALTHY")?;
    eventually("one host", LIMIT, || {
        load.a_round()?;
        let visits = load.take();
        ensure!(visits.failed == 0, "{:?}", visits.failures);
        Ok((!visits.served.contains_key(&failed[0])).then_some(()))
    })?;
    let (_, rest) = load.stop()?;
    ensure!(rest.failed == 0, "{:?}", rest.failures);
    ensure!(site.envoy.stat("spillgate.sessions.kept")? > 0);
    ensure!(site.envoy.stat("server.hot_restart_epoch")? == 1);
    site.envoy.check_filter()?;
    println!("{} requests during the restart, 0 failed", visits.requests);
    Ok(())
}

#[test]
fn a_good_configuration_after_a_bad_first_one() -> Result<()> {
    let workdir = Workdir::new("filter_recovery_bad_first")?;
    let mut shop = Shop::open_with(&workdir, "hhh", "hhh", |_| "{\"target\": 1}".to_owned())?;
    let failures = "extension_config_discovery.http_filter.spillgate.config_fail";
    eventually("the refusal", LIMIT, || {
        Ok((shop.envoy.stat(failures)? > 0).then_some(()))
    })?;
    let mut client = Client::new(shop.service());
    let status = client.get("/", &[(KEY_HEADER, "user-1")])?.status;
    ensure!(status == 500, "without a filter: {status}");
    let good = shop.configuration("hhh", "hhh")?.to_string();
    shop.delivery.give(&good)?;
    eventually("the first decision", LIMIT, || {
        let status = client.get("/", &[(KEY_HEADER, "user-1")])?.status;
        Ok((status == 200).then_some(()))
    })?;
    let engine = shop.engine("hhh", "hhh")?;
    for user in 0..50 {
        let key = format!("user-{user}");
        let visit = shop.visit(&key, &[])?;
        ensure!(
            engine.pick("primary", &key)? == Some(&visit.host),
            "{key}: {}",
            visit.host
        );
    }
    shop.envoy.check_filter()
}

/// An Envoy with the cluster `shop` of two hosts, whose health the filter follows.
struct Site<'w> {
    envoy: Envoy,
    setup: Setup<'w>,
    stand_in: Option<StandIn>,
}

/// The parts of a site that outlive its Envoy.
struct Setup<'w> {
    service: Port,
    eds: EdsHosts<'w>,
    addresses: Vec<String>,
    _hosts: Vec<Upstream>,
    _port: Port,
}

impl<'w> Setup<'w> {
    /// Two hosts at `network`.1 and 2.
    fn new(workdir: &'w Workdir, network: &str) -> Result<Self> {
        let (service, port) = (Port::lease()?, Port::lease()?);
        let addresses = addresses(network, &port, 2);
        Ok(Self {
            service,
            eds: EdsHosts::new(workdir, "shop", &addresses)?,
            _hosts: opened(&addresses)?,
            addresses,
            _port: port,
        })
    }

    fn bootstrap(&self, filter: &Value, extension: Value) -> Result<Bootstrap> {
        let listener = session_listener(
            FilterForm::Wasm,
            &self.service,
            our_filters(FilterForm::Wasm, filter)?,
        );
        let bootstrap = Bootstrap::new().listener(listener).extension(extension);
        Ok(bootstrap.cluster(self.eds.available()))
    }
}

impl<'w> Site<'w> {
    /// Polls every half second through a server in place of the admin.
    fn with_own_admin(workdir: &'w Workdir, network: &str) -> Result<Self> {
        let port = Port::lease()?;
        let stand_in = StandIn::open(port.local())?;
        let poll = json!({"poll": [{"cluster": "admin", "targets": ["shop"], "interval": "0.5s"}]});
        let mut site = Self::start(
            workdir,
            network,
            &shop_filter(),
            poller(&poll)?,
            |bootstrap| {
                Envoy::start_with(workdir, |node, admin| {
                    stand_in.pass_on_to(SocketAddr::from(([127, 0, 0, 1], admin)));
                    let port = stand_in.server.address().port();
                    bootstrap.cluster(admin_cluster(port)).to_json(node, admin)
                })
            },
        )?;
        site.stand_in = Some(stand_in);
        Ok(site)
    }

    /// Two hosts at `network`.1 and 2, behind the Envoy that `launch` starts.
    fn start(
        workdir: &'w Workdir,
        network: &str,
        filter: &Value,
        extension: Value,
        launch: impl FnOnce(Bootstrap) -> Result<Envoy>,
    ) -> Result<Self> {
        Self::of(Setup::new(workdir, network)?, filter, extension, launch)
    }

    fn of(
        setup: Setup<'w>,
        filter: &Value,
        extension: Value,
        launch: impl FnOnce(Bootstrap) -> Result<Envoy>,
    ) -> Result<Self> {
        let envoy = launch(setup.bootstrap(filter, extension)?)?;
        Ok(Self {
            envoy,
            setup,
            stand_in: None,
        })
    }

    fn own_admin(&self) -> Result<&StandIn> {
        self.stand_in
            .as_ref()
            .context("the site uses the admin itself")
    }

    fn named(&self, hosts: &[usize]) -> BTreeSet<String> {
        let hosts = hosts.iter();
        hosts
            .map(|host| self.setup.addresses[host - 1].clone())
            .collect()
    }

    /// The hosts of forty requests, all of which must be served.
    fn served(&self) -> Result<BTreeSet<String>> {
        let mut client = Client::new(self.setup.service.local());
        let mut served = BTreeSet::new();
        for _ in 0..40 {
            let answer = client.get("/", &[])?;
            ensure!(answer.status == 200, "{} {}", answer.status, answer.text());
            served.extend(answer.header(SERVED_HEADER).map(str::to_owned));
        }
        Ok(served)
    }

    /// Waits until just these hosts serve, by decisions of the filter.
    fn serves(&self, what: &str, hosts: &[usize]) -> Result<()> {
        let expected = self.named(hosts);
        eventually(what, LIMIT, || {
            let decided = self.envoy.total(DECISIONS)?;
            let served = self.served()?;
            let all = self.envoy.total(DECISIONS)? == decided + 40;
            Ok((all && served == expected).then_some(()))
        })
    }
}

fn with_admin(workdir: &Workdir, bootstrap: Bootstrap) -> Result<Envoy> {
    Envoy::start_with(workdir, |node, admin| {
        bootstrap.cluster(admin_cluster(admin)).to_json(node, admin)
    })
}

/// Round robin over the hosts that the admin reports.
fn shop_filter() -> Value {
    json!({
        "clusters": [{"name": "shop", "lb_policy": "ROUND_ROBIN",
            "common_lb_config": {"healthy_panic_threshold": {"value": 0}}}],
        "target": "shop",
        "health": {"source": "admin", "cluster": "admin"},
        "tick": "0.05s",
    })
}
