//! Host health from the admin, and requests while the admin's answers are too large, missing or
//! nonsense.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use rstest::rstest;
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_e2e::config::{
    Bootstrap, KEY_HEADER, SERVED_HEADER, Unlisted, admin_cluster, dropping_internal_headers, eds,
    hash_policy, http_listener, our_filters, to_chosen_cluster,
};
use spillgate_e2e::polls::{FirstHosts, start};
use spillgate_e2e::{Client, Envoy, Port, StandIn, Upstream, Workdir, eventually};

/// Far more than a poll and a tick take.
const LIMIT: Duration = Duration::from_secs(20);
/// More than the 32 MiB that Envoy takes as one answer.
const TOO_MANY: usize = 45_000;
/// Stage and version of three hosts among which these make no difference.
const PLAIN: [[&str; 2]; 3] = [["prod", "v1"]; 3];
const EDS_FILE: &str = "eds.json";

const DECISIONS: &str = "spillgate.decisions.";
const POLLS: &str = "spillgate.health.polls";
const FAILURES: &str = "spillgate.health.poll_failures";
const REBUILDS: &str = "spillgate.health.rebuilds";
const STALE_DECISIONS: &str = "spillgate.health.stale_decisions";
const STALE: &str = "spillgate.health.cluster.shop.stale";
/// What the log says once a minute when answers fail, and once when they are good again.
const WARNING: &str = "poll of shop through admin failed";
const RELIEF: &str = "poll of shop through admin succeeded again";

#[test]
fn more_hosts_than_an_answer_holds() -> Result<()> {
    let workdir = Workdir::new("filter_hosts_too_many")?;
    let site = Site::open(&workdir, "127.8.0", &PLAIN, &[json!({})], None)?;
    site.give(&[1, 2], &[])?;
    site.serves("two hosts", &[1, 2])?;
    let before = site.settled()?;

    // Nothing listens at the addresses of the others: a request sent there fails.
    let address = |host: usize| format!("127.30.{}.{}", host / 250, host % 250 + 1);
    let port = site.port.number();
    let others = (2..TOO_MANY).map(|host| endpoint(&address(host), port, PLAIN[0]));
    site.give(&[1, 2], &others.collect::<Vec<_>>())?;
    eventually("all hosts in Envoy", LIMIT, || {
        let total = site.envoy.stat("cluster.shop.membership_total")?;
        Ok((total == TOO_MANY as u64).then_some(()))
    })?;
    let answer = site.envoy.admin("/clusters?filter=%5Eshop%24")?.len();
    ensure!(answer > 32 << 20, "{answer} bytes are not too many");
    site.fails_more()?;
    let known = site.addresses(&[1, 2]);
    let served = site.served(0, 40, &[])?;
    ensure!(served == known, "{served:?}, not {known:?}");
    let now = site.counts()?;
    ensure!(now.rebuilds == before.rebuilds, "what was no news is taken");
    ensure!(now.warnings == 1, "{}", site.envoy.log()?);

    site.give(&[1, 2, 3], &[])?;
    site.serves("few hosts again", &[1, 2, 3])?;
    site.succeeds()?;
    let after = site.counts()?;
    ensure!(after.warnings == 1 && after.reliefs == 1, "{after:?}");
    println!("{answer} bytes of {TOO_MANY} hosts: {before:?}, then {now:?}, then {after:?}");
    Ok(())
}

#[test]
fn an_admin_that_does_not_answer() -> Result<()> {
    let workdir = Workdir::new("filter_hosts_no_admin")?;
    let port = Port::lease()?;
    let stand_in = StandIn::open(port.local())?;
    // The one and the other of two listeners.
    let on_stale = ["keep", "pass_through"].map(|on_stale| {
        json!({
            "clusters": [{"name": "shop", "lb_policy": "MAGLEV"}],
            "hash_policy": hash_policy(),
            "health": {
                "source": "admin", "cluster": "admin", "interval": "0.1s",
                "stale_after": "1s", "on_stale": on_stale,
            },
        })
    });
    let mut site = Site::open(&workdir, "127.8.1", &PLAIN, &on_stale, Some(stand_in))?;
    let (keep, pass) = (0, 1);
    let key = [(KEY_HEADER, "user-1")];
    let steered = site.steers_alike(&key)?;
    let before = site.settled()?;
    ensure!(site.envoy.stat(STALE)? == 0);

    site.substitute()?.server.kill();
    site.fails_more()?;
    eventually("staleness", LIMIT, || {
        Ok((site.envoy.stat(STALE)? == 1).then_some(()))
    })?;
    // The two have one gauge, so the other one may have been first.
    eventually("doubt", LIMIT, || {
        site.served(keep, 1, &key)?;
        Ok((site.envoy.stat(STALE_DECISIONS)? > 0).then_some(()))
    })?;
    eventually("Envoy's own choice", LIMIT, || {
        // Envoy chooses at random without the filter.
        Ok((site.served(pass, 60, &key)?.len() > 1).then_some(()))
    })?;
    let doubted = site.envoy.stat(STALE_DECISIONS)?;
    let kept = site.served(keep, 40, &key)?;
    ensure!(kept == steered, "kept {kept:?}, not {steered:?}");
    let doubted = site.envoy.stat(STALE_DECISIONS)? - doubted;
    ensure!(doubted == 40, "{doubted} of 40 decisions are called stale");
    let decided = site.decided()?;
    let passed = site.served(pass, 60, &key)?;
    ensure!(passed.len() > 1, "passed through to {passed:?} alone");
    ensure!(
        site.decided()? == decided,
        "the filter still makes decisions"
    );
    ensure!(site.envoy.stat(STALE)? == 1);
    // The configuration that passes requests through removes the stale hosts, in the worker's VM and
    // in that of the main thread, each at a tick of its own.
    let now = eventually("the removal in both VMs", LIMIT, || {
        let now = site.counts()?;
        Ok((now.rebuilds >= before.rebuilds + 2).then_some(now))
    })?;
    ensure!(now.warnings == 1, "{}", site.envoy.log()?);
    ensure!(now.rebuilds == before.rebuilds + 2, "{before:?}, {now:?}");

    site.substitute()?.server.revive()?;
    eventually("news again", LIMIT, || {
        Ok((site.envoy.stat(STALE)? == 0).then_some(()))
    })?;
    let again = site.steers_alike(&key)?;
    ensure!(again == steered, "{again:?}, not {steered:?}");
    site.succeeds()?;
    println!("{before:?}, then {now:?}, then {:?}", site.counts()?);
    Ok(())
}

#[test]
fn an_admin_that_talks_nonsense() -> Result<()> {
    let workdir = Workdir::new("filter_hosts_nonsense")?;
    let port = Port::lease()?;
    let stand_in = StandIn::open(port.local())?;
    let site = Site::open(&workdir, "127.8.2", &PLAIN, &[json!({})], Some(stand_in))?;
    site.give(&[1, 2], &[])?;
    site.serves("two hosts", &[1, 2])?;
    let before = site.settled()?;
    let third = &site.hosts[2].address();
    let flags = |cluster: &str, value: &str| format!("{cluster}::{third}::health_flags::{value}\n");
    let whole = site.envoy.admin("/clusters?filter=%5Eshop%24")?;
    // In the middle of the name of a figure.
    let half = whole.split_once("health_fl").context("no health")?.0;
    let nonsense: [(&str, u16, Vec<u8>); 9] = [
        ("nothing", 200, Vec::new()),
        ("a page", 200, b"<html><body>hello</body></html>".into()),
        ("bytes that are no text", 200, vec![0xff; 100_000]),
        ("JSON", 200, br#"{"cluster_statuses": []}"#.into()),
        ("another cluster", 200, flags("shoq", "healthy").into()),
        ("a longer name", 200, flags("shop2", "healthy").into()),
        ("an unknown health", 200, flags("shop", "fine").into()),
        ("half a line", 200, half.into()),
        ("a refusal", 403, flags("shop", "healthy").into()),
    ];
    let stand_in = site.stand_in.as_ref().context("the site has no stand-in")?;
    for (what, status, body) in &nonsense {
        stand_in.answer_with(*status, body);
        site.fails_more().with_context(|| (*what).to_owned())?;
        let (served, known) = (site.served(0, 20, &[])?, site.addresses(&[1, 2]));
        ensure!(served == known, "{what}: {served:?}, not {known:?}");
    }
    let now = site.counts()?;
    ensure!(now.rebuilds == before.rebuilds, "nonsense is taken");
    ensure!(now.warnings == 1, "{}", site.envoy.log()?);

    site.give(&[2, 3], &[])?;
    stand_in.pass_on_to(site.envoy.admin_address());
    site.serves("sense again", &[2, 3])?;
    site.succeeds()?;
    let after = site.counts()?;
    ensure!(
        after.warnings == 1 && after.reliefs == 1,
        "{}",
        site.envoy.log()?
    );
    println!("{before:?}, then {now:?}, then {after:?}");
    Ok(())
}

#[rstest]
fn a_subset_without_hosts_gives_way_to_the_next_step(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let workdir = Workdir::in_form("filter_hosts_subset", form)?;
    let chain = json!({
        "criteria": [{"key": "stage", "value": "prod"}, {"key": "version", "header": "x-version"}],
        "subset_chain": [{"keys": ["stage", "version"]}, {"keys": ["stage"]}, {"any": true}],
    });
    let labels = [
        ["prod", "v1"],
        ["prod", "v1"],
        ["prod", "v2"],
        ["test", "v2"],
    ];
    let site = Site::open(&workdir, "127.8.3", &labels, &[chain], None)?;
    let v2 = [("x-version", "v2")];
    // The hosts that are there, the step of the chain that serves, and its hosts.
    let stages: [(&str, &[usize], usize, &[usize]); 5] = [
        ("a host of the version", &[1, 2, 3, 4], 0, &[3]),
        ("none of the version", &[1, 2, 4], 1, &[1, 2]),
        ("none of the stage", &[4], 2, &[4]),
        ("the stage again", &[1, 4], 1, &[1]),
        ("the version again", &[1, 3, 4], 0, &[3]),
    ];
    for (what, there, step, serving) in stages {
        site.give(there, &[])?;
        let decisions = format!("{DECISIONS}cluster.shop.priority.0.step.{step}.reason.chosen");
        site.serves_by(&decisions, what, &v2, serving)?;
    }
    ensure!(site.counts()?.warnings == 0, "{}", site.envoy.log()?);
    Ok(())
}

#[test]
fn tenants_are_isolated_before_the_first_poll() -> Result<()> {
    let workdir = Workdir::new("filter_hosts_unknown")?;
    let port = Port::lease()?;
    let stand_in = StandIn::open(port.local())?;
    let tenants = json!({
        "clusters": [{"name": "shop", "lb_policy": "ROUND_ROBIN"}],
        "criteria": [{"key": "stage", "header": "x-tenant"}],
        "subset_chain": [{"keys": ["stage"]}],
    });
    let labels = [["a", "v1"], ["b", "v1"]];
    let hosts = [1, 2];
    let site = Site::begin(
        &workdir,
        "127.8.4",
        &labels,
        &[tenants],
        (Some(stand_in), |_: &StandIn, _| ()),
    )?;
    let mut client = Client::new(site.services[0].local());
    for _ in 0..40 {
        let answer = client.get("/", &[("x-tenant", "a")])?;
        ensure!(answer.status == 503 && answer.text() == "upstream hosts unknown");
        ensure!(
            answer.header(SERVED_HEADER).is_none(),
            "a host has answered"
        );
    }
    ensure!(site.envoy.stat("spillgate.hosts_unknown")? == 40);
    let stand_in = site.stand_in.as_ref().context("the site has no stand-in")?;
    stand_in.pass_on_to(site.envoy.admin_address());
    for (tenant, host) in ["a", "b"].into_iter().zip(hosts) {
        let decisions = format!("{DECISIONS}cluster.shop.priority.0.step.0.reason.chosen");
        let headers = [("x-tenant", tenant)];
        eventually("the tenant's host", LIMIT, || {
            let answer = client.get("/", &headers)?;
            let served: BTreeSet<String> = answer
                .header(SERVED_HEADER)
                .map(str::to_owned)
                .into_iter()
                .collect();
            ensure!(
                served.is_empty() || served == site.addresses(&[host]),
                "{served:?}"
            );
            Ok((answer.status == 200).then_some(()))
        })?;
        site.serves_by(&decisions, tenant, &headers, &[host])?;
    }
    Ok(())
}

#[test]
fn the_first_poll_does_not_wait_for_the_interval() -> Result<()> {
    // More than the test waits for the first steered request.
    let interval = Duration::from_secs(60);
    for hosts in [
        FirstHosts::Polled,
        FirstHosts::PolledByWorkers,
        FirstHosts::Configured,
    ] {
        let first = start(hosts, interval)?;
        println!("{hosts:?}: {first:?}");
    }
    Ok(())
}

/// An Envoy with a poller, and the cluster `shop`, whose hosts are in a file. Envoy draws a host
/// where the filter names none.
struct Site<'w> {
    workdir: &'w Workdir,
    envoy: Envoy,
    /// One for each configuration of the filter.
    services: Vec<Port>,
    hosts: Vec<Upstream>,
    /// The same as endpoints in Envoy.
    endpoints: Vec<Value>,
    port: Port,
    stand_in: Option<StandIn>,
}

/// What was counted and logged so far.
#[derive(Debug)]
struct Counts {
    polls: u64,
    failures: u64,
    rebuilds: u64,
    warnings: usize,
    reliefs: usize,
}

impl<'w> Site<'w> {
    /// Begins with hosts of these labels at `network`.1 and so on, and waits until the filter knows
    /// them.
    fn open(
        workdir: &'w Workdir,
        network: &str,
        labels: &[[&str; 2]],
        configurations: &[Value],
        stand_in: Option<StandIn>,
    ) -> Result<Self> {
        let passes_on = |stand_in: &StandIn, admin| stand_in.pass_on_to(admin);
        let site = Self::begin(
            workdir,
            network,
            labels,
            configurations,
            (stand_in, passes_on),
        )?;
        // A poll before Envoy had read the file found no host.
        eventually("the first news", LIMIT, || {
            for service in &site.services {
                let before = site.decided()?;
                let answer = Client::new(service.local()).get("/", &[])?;
                if answer.status != 200 || site.decided()? == before {
                    return Ok(None);
                }
            }
            Ok(Some(()))
        })?;
        Ok(site)
    }

    /// The same without waiting; the stand-in begins with this.
    fn begin(
        workdir: &'w Workdir,
        network: &str,
        labels: &[[&str; 2]],
        configurations: &[Value],
        (stand_in, begins): (Option<StandIn>, impl Fn(&StandIn, SocketAddr)),
    ) -> Result<Self> {
        let port = Port::lease()?;
        let (mut hosts, mut endpoints) = (Vec::new(), Vec::new());
        for (labels, host) in labels.iter().zip(1..) {
            let ip = format!("{network}.{host}");
            hosts.push(Upstream::open(&format!("{ip}:{}", port.number()))?);
            endpoints.push(endpoint(&ip, port.number(), *labels));
        }
        let eds_file = workdir.write(EDS_FILE, &discovery(&endpoints))?;
        let mut poll = json!({"cluster": "admin", "targets": ["shop"], "interval": "0.1s"});
        // Other requests may pass through while the admin does not answer.
        let mut unlisted = Unlisted::Served;
        if configurations.iter().any(|c| c.get("criteria").is_some()) {
            poll["metadata_interval"] = json!("0.1s");
            unlisted = Unlisted::Refused;
        }
        let mut bootstrap = Bootstrap::new()
            .cluster(eds(workdir.form(), "shop", &eds_file, unlisted))
            .observing(workdir.form(), &json!({"poll": [poll]}))?;
        let mut services = Vec::new();
        for (number, configuration) in configurations.iter().enumerate() {
            let service = Port::lease()?;
            let filters = our_filters(workdir.form(), &with_defaults(configuration))?;
            let name = format!("service-{number}");
            let routes = [to_chosen_cluster(workdir.form())];
            let listener = http_listener(&name, service.number(), &routes, filters);
            bootstrap = bootstrap.listener(dropping_internal_headers(listener));
            services.push(service);
        }
        let envoy = Envoy::start_with(workdir, |node, admin| {
            let asked = stand_in.as_ref().map_or(admin, |stand_in| {
                begins(stand_in, SocketAddr::from(([127, 0, 0, 1], admin)));
                stand_in.server.address().port()
            });
            bootstrap.cluster(admin_cluster(asked)).to_json(node, admin)
        })?;
        Ok(Self {
            workdir,
            envoy,
            services,
            hosts,
            endpoints,
            port,
            stand_in,
        })
    }

    fn substitute(&mut self) -> Result<&mut StandIn> {
        self.stand_in.as_mut().context("the site has no stand-in")
    }

    fn addresses(&self, hosts: &[usize]) -> BTreeSet<String> {
        let addresses = hosts.iter().map(|host| self.hosts[host - 1].address());
        addresses.map(|address| address.to_string()).collect()
    }

    /// Gives Envoy these hosts, and others.
    fn give(&self, hosts: &[usize], others: &[Value]) -> Result<()> {
        let hosts = hosts.iter().map(|host| &self.endpoints[host - 1]);
        let endpoints: Vec<Value> = hosts.chain(others).cloned().collect();
        self.workdir.write(EDS_FILE, &discovery(&endpoints))?;
        Ok(())
    }

    /// Who serves that many requests, all of which must be served.
    fn served(
        &self,
        service: usize,
        count: usize,
        headers: &[(&str, &str)],
    ) -> Result<BTreeSet<String>> {
        let mut client = Client::new(self.services[service].local());
        let mut served = BTreeSet::new();
        for _ in 0..count {
            let answer = client.get("/", headers)?;
            let host = answer.header(SERVED_HEADER);
            ensure!(answer.status == 200, "{} {}", answer.status, answer.text());
            served.insert(host.context("no host has answered")?.to_owned());
        }
        Ok(served)
    }

    /// The hosts of forty requests; `None` if one is refused. That happens between the moment when
    /// a host leaves and the next poll: no host of the list is left, and no other may serve.
    fn served_or_refused(&self, headers: &[(&str, &str)]) -> Result<Option<BTreeSet<String>>> {
        let mut client = Client::new(self.services[0].local());
        let mut served = BTreeSet::new();
        for _ in 0..40 {
            let answer = client.get("/", headers)?;
            if answer.status == 503 {
                return Ok(None);
            }
            let host = answer.header(SERVED_HEADER);
            ensure!(answer.status == 200, "{} {}", answer.status, answer.text());
            served.insert(host.context("no host has answered")?.to_owned());
        }
        Ok(Some(served))
    }

    /// Waits until just these hosts serve, and the filter has chosen them.
    fn serves(&self, what: &str, hosts: &[usize]) -> Result<()> {
        self.serves_by(DECISIONS, what, &[], hosts)
    }

    /// The same, and all decisions are counted under names that begin so.
    fn serves_by(
        &self,
        decisions: &str,
        what: &str,
        headers: &[(&str, &str)],
        hosts: &[usize],
    ) -> Result<()> {
        let expected = self.addresses(hosts);
        eventually(what, LIMIT, || {
            let decided = self.envoy.total(decisions)?;
            let Some(served) = self.served_or_refused(headers)? else {
                return Ok(None);
            };
            let all = self.envoy.total(decisions)? == decided + 40;
            Ok((all && served == expected).then_some(()))
        })
    }

    /// Waits until all services send these requests to one host and returns it.
    fn steers_alike(&self, headers: &[(&str, &str)]) -> Result<BTreeSet<String>> {
        eventually("one host", LIMIT, || {
            let mut served = BTreeSet::new();
            for service in 0..self.services.len() {
                served.extend(self.served(service, 30, headers)?);
            }
            Ok((served.len() == 1).then_some(served))
        })
    }

    /// Waits for polls that fail.
    fn fails_more(&self) -> Result<()> {
        let until = self.envoy.stat(FAILURES)? + 3;
        eventually("failures", LIMIT, || {
            Ok((self.envoy.stat(FAILURES)? >= until).then_some(()))
        })
    }

    /// Waits for polls none of which fails.
    fn succeeds(&self) -> Result<()> {
        let before = self.counts()?;
        eventually("polls", LIMIT, || {
            Ok((self.envoy.stat(POLLS)? >= before.polls + 4).then_some(()))
        })?;
        let failures = self.envoy.stat(FAILURES)? - before.failures;
        ensure!(failures == 0, "{failures} polls fail still");
        Ok(())
    }

    /// The counts when all VMs, that of the main thread too, have seen the last poll.
    fn settled(&self) -> Result<Counts> {
        self.succeeds()?;
        self.counts()
    }

    /// Requests for which the filter has chosen a host.
    fn decided(&self) -> Result<u64> {
        self.envoy.total(DECISIONS)
    }

    fn counts(&self) -> Result<Counts> {
        let log = self.envoy.log()?;
        Ok(Counts {
            polls: self.envoy.stat(POLLS)?,
            failures: self.envoy.stat(FAILURES)?,
            rebuilds: self.envoy.stat(REBUILDS)?,
            warnings: log.matches(WARNING).count(),
            reliefs: log.matches(RELIEF).count(),
        })
    }
}

/// Adds the defaults of every filter here.
fn with_defaults(configuration: &Value) -> Value {
    let mut whole = json!({
        "clusters": [{"name": "shop", "lb_policy": "ROUND_ROBIN"}],
        "target": "shop",
        "health": {"source": "admin", "cluster": "admin"},
        "tick": "0.05s",
    });
    for (field, value) in configuration.as_object().into_iter().flatten() {
        whole[field] = value.clone();
    }
    whole
}

fn endpoint(ip: &str, port: u16, [stage, version]: [&str; 2]) -> Value {
    json!({
        "endpoint": {"address": {"socket_address": {"address": ip, "port_value": port}}},
        "metadata": {"filter_metadata": {"envoy.lb": {"stage": stage, "version": version}}},
    })
}

/// The file from which Envoy has the hosts.
fn discovery(endpoints: &[Value]) -> String {
    let resource = json!({
        "@type": "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment",
        "cluster_name": "shop",
        "endpoints": [{"lb_endpoints": endpoints}],
    });
    json!({"version_info": "1", "resources": [resource]}).to_string()
}
