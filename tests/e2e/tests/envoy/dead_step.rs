//! All hosts of a chain step are down, before health checks notice: with `retry: next_step`, one retry reaches the
//! next step, and no request leaves the keys of the last step.

use anyhow::{Context as _, Result, ensure};
use rstest::rstest;
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_e2e::config::{
    Bootstrap, SERVED_HEADER, Unlisted, http_listener, our_filters, steer_cluster,
    to_chosen_cluster,
};
use spillgate_e2e::{Client, Envoy, HttpResponse, Port, Upstream, Workdir, figure, fresh_secret};

const TENANT: &str = "x-tenant";
const VERSION: &str = "x-version";
const SESSION: &str = "x-session";
/// Requests of each kind.
const MANY: usize = 100;
/// The hosts: tenant and version. The first two fail.
const HOSTS: [(&str, &str); 7] = [
    ("a", "1"),
    ("a", "1"),
    ("a", "2"),
    ("a", "2"),
    ("a", "3"),
    ("b", "1"),
    ("b", "2"),
];
/// The hosts of the failing step, of its tenant, and of the other tenant.
const DEAD: usize = 2;
const OTHERS: usize = 5;

struct Site {
    envoy: Envoy,
    client: Client,
    hosts: Vec<Upstream>,
    _ports: [Port; 2],
}

impl Site {
    fn open(workdir: &Workdir, first: Value) -> Result<Self> {
        let form = workdir.form();
        let (service, port) = (Port::lease()?, Port::lease()?);
        let address = |host: usize| format!("127.43.0.{}", host + 1);
        let endpoint = |(host, (tenant, version)): (usize, &(&str, &str))| {
            json!({
                "endpoint": {"address": {"socket_address":
                    {"address": address(host), "port_value": port.number()}}},
                "metadata": {"filter_metadata": {"envoy.lb": {"tenant": tenant, "version": version}}},
            })
        };
        let endpoints: Vec<Value> = HOSTS.iter().enumerate().map(endpoint).collect();
        let assignment =
            json!({"cluster_name": "shop", "endpoints": [{"lb_endpoints": endpoints}]});
        let filter = json!({
            "clusters": [{
                "name": "shop",
                "lb_policy": "ROUND_ROBIN",
                "load_assignment": assignment,
            }],
            "target": "shop",
            "criteria": [{"key": "tenant", "header": TENANT}, {"key": "version", "header": VERSION}],
            "subset_chain": [first, {"keys": ["tenant"]}],
            "affinity": {
                "header": {"name": SESSION},
                "keys": [{"id": 1, "secret": fresh_secret()?}],
            },
        });
        let mut cluster = json!({
            "name": "shop",
            "type": "STATIC",
            "connect_timeout": "2s",
            "load_assignment": assignment,
        });
        steer_cluster(&mut cluster, form, Unlisted::Refused);
        let mut route = to_chosen_cluster(form);
        route["route"]["retry_policy"] =
            json!({"retry_on": "5xx,connect-failure", "num_retries": 1});
        let filters = our_filters(form, &filter)?;
        let listener = http_listener("service", service.number(), &[route], filters);
        let mut bootstrap = Bootstrap::new().listener(listener).cluster(cluster);
        if form == DynamicModule {
            bootstrap = bootstrap.observing(DynamicModule, &Value::Null)?;
        }
        let hosts = (0..HOSTS.len())
            .map(|host| Upstream::open(&format!("{}:{}", address(host), port.number())));
        Ok(Self {
            hosts: hosts.collect::<Result<_>>()?,
            envoy: Envoy::start(workdir, &bootstrap)?,
            client: Client::new(service.local()),
            _ports: [service, port],
        })
    }

    /// A request of tenant a to version 1, with a session.
    fn ask(&mut self, session: &str) -> Result<HttpResponse> {
        let headers = [(TENANT, "a"), (VERSION, "1"), (SESSION, session)];
        self.client.get("/", &headers)
    }

    /// The place of the host that answered.
    fn host_of(answer: &HttpResponse) -> Result<usize> {
        let address = answer.header(SERVED_HEADER).context("no host")?;
        let (ip, _) = address.rsplit_once(':').context("no port")?;
        let number = ip.rsplit('.').next().context("no number")?;
        Ok(number.parse::<usize>()? - 1)
    }

    /// Fails the hosts of the first step, and asks with new sessions: how many got no host.
    fn refused(&mut self) -> Result<usize> {
        for host in &mut self.hosts[..DEAD] {
            host.kill();
        }
        let mut refused = 0;
        for _ in 0..MANY {
            let answer = self.ask("")?;
            match answer.status {
                200 => {
                    let host = Self::host_of(&answer)?;
                    ensure!((DEAD..OTHERS).contains(&host), "host {host}");
                }
                503 => refused += 1,
                other => anyhow::bail!("{other} {:?}", answer.headers),
            }
        }
        Ok(refused)
    }

    fn check(&self) -> Result<()> {
        let others: Vec<u64> = self.hosts[OTHERS..]
            .iter()
            .map(Upstream::requests)
            .collect();
        ensure!(
            others.iter().all(|count| *count == 0),
            "other tenants: {others:?}"
        );
        self.envoy
            .check_zero(&["spillgate.decisions.not_followed"])?;
        self.envoy.check_filter()
    }
}

#[rstest]
fn by_default_a_retry_stays_in_the_dead_step(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let workdir = Workdir::in_form("dead_step_same", form)?;
    let mut site = Site::open(&workdir, json!({"keys": ["tenant", "version"]}))?;
    let refused = site.refused()?;
    ensure!(refused == MANY, "{refused} of {MANY} were refused");
    site.check()?;
    figure(format_args!(
        "a dead step, one retry: {refused} of {MANY} requests got 503"
    ));
    Ok(())
}

#[rstest]
fn a_retry_leaves_the_dead_step_with_its_session(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let workdir = Workdir::in_form("dead_step_next", form)?;
    let first = json!({"keys": ["tenant", "version"], "retry": "next_step"});
    let mut site = Site::open(&workdir, first)?;
    let mut tokens = Vec::new();
    for _ in 0..MANY {
        let answer = site.ask("")?;
        ensure!(Site::host_of(&answer)? < DEAD, "{:?}", answer.headers);
        tokens.push(answer.header(SESSION).context("no token")?.to_owned());
    }
    let refused = site.refused()?;
    ensure!(refused <= MANY / 100, "{refused} of {MANY} were refused");
    let mut hosts = [0; HOSTS.len()];
    for token in &mut tokens {
        let answer = site.ask(token)?;
        let host = Site::host_of(&answer)?;
        ensure!((DEAD..OTHERS).contains(&host), "host {host}");
        hosts[host] += 1;
        *token = answer.header(SESSION).context("no token")?.to_owned();
    }
    let used = hosts.iter().filter(|count| **count > 0).count();
    ensure!(used == OTHERS - DEAD, "retries reach {hosts:?}");
    let moved = site.envoy.stat("spillgate.sessions.moved.reason.retry")?;
    ensure!(moved as usize == MANY, "{moved} moves by a retry");
    ensure!(site.envoy.stat("spillgate.sessions.kept")? == 0);
    // The new host keeps them.
    for token in &tokens {
        ensure!(site.ask(token)?.status == 200);
    }
    let kept = site.envoy.stat("spillgate.sessions.kept")?;
    ensure!(kept as usize == MANY, "{kept} are kept");
    site.check()?;
    figure(format_args!(
        "a dead step, one retry, retry: next_step: {refused} of {MANY} requests got 503, {moved} sessions moved, 0 \
         requests at another tenant"
    ));
    Ok(())
}
