//! Wiring by which Envoy does not use the host list: the filter notices. Retries and failed hosts are no such fault.

use anyhow::{Result, bail, ensure};
use rstest::rstest;
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_e2e::config::{
    Bootstrap, SAW_TOO_MUCH, Unlisted, any_host, http_listener, our_filters, override_host,
    policy_of_module_with, steer_cluster, to_chosen_cluster,
};
use spillgate_e2e::{Client, Envoy, Port, Upstream, Workdir};

const MANY: u64 = 40;
/// At least 50 of their requests are watched.
const ROUNDS: u64 = 25;
const HOSTS: usize = 6;
const COUNTER: &str = "spillgate.decisions.not_followed.reason";

struct Site {
    envoy: Envoy,
    client: Client,
    hosts: Vec<Upstream>,
    _ports: [Port; 2],
}

/// A site whose filters and cluster `change` may damage.
fn site(workdir: &Workdir, change: impl FnOnce(&mut Vec<Value>, &mut Value)) -> Result<Site> {
    let form = workdir.form();
    let (service, port) = (Port::lease()?, Port::lease()?);
    let address = |host: usize| format!("127.44.0.{}", host + 1);
    let endpoints: Vec<Value> = (0..HOSTS)
        .map(|host| {
            json!({"endpoint": {"address": {"socket_address":
                {"address": address(host), "port_value": port.number()}}}})
        })
        .collect();
    let assignment = json!({"cluster_name": "shop", "endpoints": [{"lb_endpoints": endpoints}]});
    let filter = json!({
        "clusters": [{"name": "shop", "lb_policy": "RANDOM", "load_assignment": assignment}],
        "target": "shop",
        "output": {"candidates": 2},
    });
    let mut cluster = json!({
        "name": "shop",
        "type": "STATIC",
        "connect_timeout": "2s",
        "load_assignment": assignment,
    });
    steer_cluster(&mut cluster, form, Unlisted::Served);
    let mut filters = our_filters(form, &filter)?;
    change(&mut filters, &mut cluster);
    let mut route = to_chosen_cluster(form);
    route["route"]["retry_policy"] = json!({"retry_on": "5xx,connect-failure", "num_retries": 3});
    let listener = http_listener("service", service.number(), &[route], filters);
    let mut bootstrap = Bootstrap::new().listener(listener).cluster(cluster);
    if form == DynamicModule {
        bootstrap = bootstrap.observing(DynamicModule, &Value::Null)?;
    }
    let hosts =
        (0..HOSTS).map(|host| Upstream::open(&format!("{}:{}", address(host), port.number())));
    Ok(Site {
        hosts: hosts.collect::<Result<_>>()?,
        envoy: Envoy::start(workdir, &bootstrap)?,
        client: Client::new(service.local()),
        _ports: [service, port],
    })
}

impl Site {
    fn ask(&mut self, status: u16) -> Result<()> {
        for _ in 0..MANY {
            let answer = self.client.get("/", &[])?;
            ensure!(
                answer.status == status,
                "{} {:?}",
                answer.status,
                answer.headers
            );
        }
        Ok(())
    }

    /// Asks until a request is served by a host outside of its list and is noticed. By chance a host of the list
    /// serves one request of three, and the first watched ones may be such requests.
    fn ask_until_noticed(&mut self, status: u16) -> Result<u64> {
        for _ in 0..ROUNDS {
            self.ask(status)?;
            let noticed = self.count("other_host")?;
            if noticed > 0 {
                return Ok(noticed);
            }
        }
        bail!("nothing is noticed in {ROUNDS} times {MANY} requests")
    }

    fn count(&self, reason: &str) -> Result<u64> {
        self.envoy.stat(&format!("{COUNTER}.{reason}"))
    }

    fn messages(&self) -> Result<usize> {
        let log = self.envoy.log()?;
        Ok(log
            .matches("spillgate: a decision had no effect: of 127.44.")
            .count())
    }
}

#[rstest]
fn a_right_site_counts_nothing_while_hosts_fail(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let workdir = Workdir::in_form("not_followed_right", form)?;
    let mut site = site(&workdir, |_, _| {})?;
    site.ask(200)?;
    // Some retries leave the list of two hosts.
    for host in &mut site.hosts[1..4] {
        host.kill();
    }
    let before = site.envoy.stat("cluster.shop.upstream_rq_retry")?;
    for _ in 0..MANY {
        site.client.get("/", &[])?;
    }
    ensure!(site.envoy.stat("cluster.shop.upstream_rq_retry")? > before);
    site.envoy.check_zero(&[COUNTER])?;
    ensure!(site.messages()? == 0);
    site.envoy.check_filter()
}

#[rstest]
fn hosts_outside_of_the_list_are_noticed(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let workdir = Workdir::in_form("not_followed_other", form)?;
    let mut site = site(&workdir, |filters, cluster| match form {
        // `header_to_metadata`
        Wasm => filters.truncate(1),
        // `override_host` is missing around the policy.
        DynamicModule => {
            cluster["load_balancing_policy"] = policy_of_module_with(Unlisted::Served);
        }
    })?;
    let status = match form {
        // Without it, the list reaches the hosts.
        Wasm => SAW_TOO_MUCH,
        DynamicModule => 200,
    };
    let before = site.ask_until_noticed(status)?;
    // From here on, every request is watched.
    site.ask(status)?;
    let found = site.count("other_host")? - before;
    // Two of the six hosts are in a list.
    ensure!((MANY / 4..MANY).contains(&found), "{found} of {MANY}");
    ensure!(site.count("no_host")? == 0);
    ensure!(site.messages()? == 1, "{}", site.envoy.log()?);
    site.envoy.check_filter()
}

#[rstest]
fn requests_without_a_host_are_noticed(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let workdir = Workdir::in_form("not_followed_none", form)?;
    let mut site = site(&workdir, |filters, cluster| {
        steer_cluster(cluster, form, Unlisted::Refused);
        match form {
            Wasm => filters.truncate(1),
            DynamicModule => {
                cluster["load_balancing_policy"] = policy_of_module_with(Unlisted::Refused);
            }
        }
    })?;
    site.ask(503)?;
    ensure!(
        site.count("no_host")? == MANY,
        "{:?}",
        site.envoy.stats(COUNTER)?
    );
    ensure!(site.count("other_host")? == 0);
    ensure!(site.messages()? == 1, "{}", site.envoy.log()?);
    site.envoy.check_filter()
}

/// `override_host` reads another key.
#[test]
fn another_key_is_noticed() -> Result<()> {
    let workdir = Workdir::in_form("not_followed_key", Wasm)?;
    let mut site = site(&workdir, |_, cluster| {
        let mut policy = override_host(&any_host());
        let sources = &mut policy["policies"][0]["typed_extension_config"]["typed_config"]["override_host_sources"];
        sources[0]["metadata"]["path"][0]["key"] = json!("hosts");
        cluster["load_balancing_policy"] = policy;
    })?;
    site.ask_until_noticed(200)?;
    site.envoy.check_filter()
}
