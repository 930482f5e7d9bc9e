//! An address that changes its owner: EDS gives the host of one tenant to another one, in place or
//! after an absence that no poll sees.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use rstest::rstest;
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_e2e::config::{
    Bootstrap, SERVED_HEADER, Unlisted, admin_cluster, dropping_internal_headers, eds,
    http_listener, our_filters, to_chosen_cluster,
};
use spillgate_e2e::{Client, Envoy, Port, Upstream, Workdir, eventually};

/// Far more than a poll and a tick take.
const LIMIT: Duration = Duration::from_secs(30);
/// Requests that make the counters of a host higher than those of its successor.
const MANY: usize = 1_500;
const EDS_FILE: &str = "eds.json";
const POLLS: &str = "spillgate.health.polls";
const TENANT: &str = "x-tenant";

/// How the address gets to its new owner.
#[derive(Debug, Clone, Copy)]
enum Change {
    /// In one update.
    InPlace,
    /// In two updates, between which the address is absent.
    AfterAbsence,
}

/// What polls Envoy's admin, and how often it asks for metadata.
#[derive(Debug, Clone, Copy)]
enum Polling {
    /// The shared poller with its defaults.
    Shared,
    /// Workers with their defaults.
    Workers,
    /// The shared poller, with metadata once a minute.
    Rarely,
}

impl Polling {
    fn poll(self) -> Value {
        let mut poll = json!({"cluster": "admin", "targets": ["shop"]});
        if matches!(self, Self::Rarely) {
            poll["metadata_interval"] = json!("60s");
        }
        json!({"poll": [poll]})
    }

    fn poller(self) -> &'static str {
        match self {
            Self::Shared | Self::Rarely => "shared",
            Self::Workers => "worker",
        }
    }
}

#[rstest]
#[case(Wasm, Polling::Shared, Change::InPlace)]
#[case(Wasm, Polling::Shared, Change::AfterAbsence)]
#[case(Wasm, Polling::Workers, Change::InPlace)]
#[case(Wasm, Polling::Workers, Change::AfterAbsence)]
// The counters of the host begin again.
#[case(Wasm, Polling::Rarely, Change::AfterAbsence)]
#[case(DynamicModule, Polling::Shared, Change::InPlace)]
#[case(DynamicModule, Polling::Shared, Change::AfterAbsence)]
fn an_address_does_not_serve_its_former_owner(
    #[case] form: FilterForm,
    #[case] polling: Polling,
    #[case] change: Change,
) -> Result<()> {
    let name = format!("owner_{form:?}_{polling:?}_{change:?}");
    let workdir = Workdir::in_form(&name, form)?;
    let mut site = Site::open(&workdir, polling)?;
    eventually("both tenants", LIMIT, || {
        let served = [site.host_of("a")?, site.host_of("c")?];
        Ok((served == [Some(1), Some(2)]).then_some(()))
    })?;
    // More than the new owner's host gets in a few polls, so that its counters are lower.
    for _ in 0..MANY {
        ensure!(site.host_of("a")? == Some(1));
    }
    // The present counters are known to the poller.
    site.polls_more(4)?;

    if matches!(change, Change::AfterAbsence) {
        site.give(&[(2, "c")])?;
    }
    site.give(&[(1, "c"), (2, "c")])?;
    let (began, polls) = (Instant::now(), site.envoy.stat(POLLS)?);
    let mut reached = 0;
    while let Some(host) = site.host_of("a")? {
        ensure!(host == 1, "a tenant has no host, but {host} serves it");
        ensure!(
            began.elapsed() < LIMIT,
            "{reached} requests reached another owner's host"
        );
        reached += 1;
        std::thread::sleep(Duration::from_millis(5));
    }
    let (window, polls) = (began.elapsed(), site.envoy.stat(POLLS)? - polls);
    println!("{name}: {reached} requests in {window:?}, {polls} polls");
    match form {
        DynamicModule => ensure!(
            reached == 0,
            "{reached} requests reached another owner's host"
        ),
        // The polls of one interval and of the next one. Workers do not poll exactly together.
        Wasm => ensure!(
            polls
                <= if matches!(polling, Polling::Workers) {
                    12
                } else {
                    4
                }
        ),
    }
    // From then on, none.
    let polls = site.envoy.stat(POLLS)?;
    let until = Instant::now() + Duration::from_secs(3);
    while Instant::now() < until {
        ensure!(site.host_of("a")?.is_none(), "reached again");
        std::thread::sleep(Duration::from_millis(5));
    }
    ensure!(form == DynamicModule || site.envoy.stat(POLLS)? > polls);
    eventually("both hosts of the new owner", LIMIT, || {
        let served = [site.host_of("c")?, site.host_of("c")?];
        let both = served.contains(&Some(1)) && served.contains(&Some(2));
        Ok(both.then_some(()))
    })
}

/// With the metadata that are polled together with the hosts, new hosts cost hardly a request.
/// Otherwise the hosts are unknown for one response and one tick.
#[rstest]
fn added_hosts_cost_few_requests(
    #[values(Polling::Shared, Polling::Rarely)] polling: Polling,
) -> Result<()> {
    let workdir = Workdir::new(&format!("owner_scale_up_{polling:?}"))?;
    let mut site = Site::open(&workdir, polling)?;
    eventually("the tenant", LIMIT, || {
        Ok((site.host_of("a")? == Some(1)).then_some(()))
    })?;
    let (mut refused, mut longest, changes) = (0, Duration::ZERO, 6);
    for change in 0..changes {
        match change % 2 {
            0 => site.give(&[(1, "a"), (2, "c"), (3, "c")])?,
            _ => site.give(&[(1, "a"), (2, "c")])?,
        }
        // Until every worker has seen the next two polls.
        let until = Instant::now() + Duration::from_millis(2_300);
        let mut since = None;
        while Instant::now() < until {
            if site.host_of("a")?.is_some() {
                since = None;
            } else {
                refused += 1;
                let since = *since.get_or_insert_with(Instant::now);
                longest = longest.max(since.elapsed());
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        ensure!(
            site.host_of("a")? == Some(1),
            "the tenant is unknown for long"
        );
    }
    println!("{polling:?}, {changes} changes: {refused} requests refused, for {longest:?} at most");
    Ok(())
}

/// An Envoy whose cluster `shop` has its hosts from a file.
struct Site<'w> {
    workdir: &'w Workdir,
    envoy: Envoy,
    client: Client,
    hosts: Vec<Upstream>,
    ports: [Port; 2],
}

impl<'w> Site<'w> {
    /// Hosts 1 and 2 belong to the tenants a and c.
    fn open(workdir: &'w Workdir, polling: Polling) -> Result<Self> {
        let (service, port) = (Port::lease()?, Port::lease()?);
        let hosts = (1..=3)
            .map(|host| Upstream::open(&format!("127.46.0.{host}:{}", port.number())))
            .collect::<Result<Vec<_>>>()?;
        let first = discovery(port.number(), &[(1, "a"), (2, "c")]);
        let file = workdir.write(EDS_FILE, &first)?;
        let form = workdir.form();
        let mut bootstrap = Bootstrap::new().cluster(eds(form, "shop", &file, Unlisted::Refused));
        if !matches!(polling, Polling::Workers) {
            bootstrap = bootstrap.observing(form, &polling.poll())?;
        }
        let filters = our_filters(
            form,
            &json!({
                "clusters": [{"name": "shop", "lb_policy": "ROUND_ROBIN"}],
                "target": "shop",
                "criteria": [{"key": "tenant", "header": TENANT}],
                "subset_chain": [{"keys": ["tenant"]}],
                "health": {"source": "admin", "cluster": "admin", "poller": polling.poller()},
            }),
        )?;
        let routes = [to_chosen_cluster(form)];
        let listener = http_listener("service", service.number(), &routes, filters);
        let bootstrap = bootstrap.listener(dropping_internal_headers(listener));
        let envoy = Envoy::start_with(workdir, |node, admin| {
            bootstrap.cluster(admin_cluster(admin)).to_json(node, admin)
        })?;
        Ok(Self {
            workdir,
            envoy,
            client: Client::new(service.local()),
            hosts,
            ports: [service, port],
        })
    }

    /// Gives Envoy these hosts with their owners, and waits until it has them.
    fn give(&self, hosts: &[(usize, &str)]) -> Result<()> {
        let updates = || self.envoy.stat("cluster.shop.update_success");
        let before = updates()?;
        let [_, port] = &self.ports;
        self.workdir
            .write(EDS_FILE, &discovery(port.number(), hosts))?;
        eventually("the hosts in Envoy", LIMIT, || {
            Ok((updates()? > before).then_some(()))
        })
    }

    /// The number of the host that serves a request of this tenant; `None` for 503.
    fn host_of(&mut self, tenant: &str) -> Result<Option<usize>> {
        let answer = self.client.get("/", &[(TENANT, tenant)])?;
        if answer.status == 503 {
            return Ok(None);
        }
        let served = answer.header(SERVED_HEADER).context("no host served")?;
        let mut hosts = self.hosts.iter();
        let at = hosts.position(|host| host.address().to_string() == served);
        Ok(Some(at.context("an unknown host")? + 1))
    }

    /// Waits for polls, if something polls.
    fn polls_more(&self, count: u64) -> Result<()> {
        if self.workdir.form() == DynamicModule {
            return Ok(());
        }
        let until = self.envoy.stat(POLLS)? + count;
        eventually("polls", LIMIT, || {
            Ok((self.envoy.stat(POLLS)? >= until).then_some(()))
        })
    }
}

fn discovery(port: u16, hosts: &[(usize, &str)]) -> String {
    let endpoints = hosts.iter().map(|(host, tenant)| {
        let address = format!("127.46.0.{host}");
        json!({
            "endpoint": {"address": {"socket_address": {"address": address, "port_value": port}}},
            "metadata": {"filter_metadata": {"envoy.lb": {"tenant": tenant}}},
        })
    });
    let endpoints: Vec<Value> = endpoints.collect();
    let resource = json!({
        "@type": "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment",
        "cluster_name": "shop",
        "endpoints": [{"lb_endpoints": endpoints}],
    });
    json!({"version_info": "1", "resources": [resource]}).to_string()
}
