//! All hosts of a cluster fail at once, and nothing has noticed yet: retries reach the next cluster.

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use rstest::rstest;
use serde_json::{Value, json};
use spillgate_answers::{
    pick::{Answerer, PickOutput, PickRequest},
    steered::SteeringFilters,
};
use spillgate_config::envoy::{Format, read};
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_config::steered::{envoy_model, steering_configs};
use spillgate_core::snapshot::Snapshot;
use spillgate_e2e::config::{
    Bootstrap, SERVED_HEADER, Unlisted, composite, dropping_internal_headers, http_listener,
    our_filters, steer_cluster, to_chosen_cluster,
};
use spillgate_e2e::{Client, Envoy, Port, Upstream, Workdir, figure, fresh_secret};

/// Requests after the failure.
const MANY: usize = 100;
/// The request header that selects a tenant.
const TENANT: &str = "x-tenant";
/// The request header with the key.
const KEY: &str = "x-key";
/// The header of session tokens.
const SESSION: &str = "x-session";
/// The tenants of each cluster's hosts.
const TENANTS: [&str; 3] = ["a", "a", "b"];
/// The clusters, in the order of the target.
const CLUSTERS: [&str; 2] = ["primary", "secondary"];

/// How the filter gets its clusters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Aggregate,
    Weighted,
}

/// Where retries go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Retries {
    OneCluster,
    NextCluster,
    /// The same, and the key of a request determines its hosts.
    ByKey,
}

#[rstest]
fn one_retry_reaches_the_next_cluster(
    #[values(Wasm, DynamicModule)] form: FilterForm,
    #[values(Target::Aggregate, Target::Weighted)] target: Target,
) -> Result<()> {
    let mut failed = Vec::new();
    for retries in [Retries::OneCluster, Retries::NextCluster] {
        let workdir = Workdir::in_form(&format!("dead_{target:?}_{retries:?}"), form)?;
        let mut site = Site::open(&workdir, target, retries)?;
        for host in &mut site.hosts[..TENANTS.len()] {
            host.kill();
        }
        let mut refused = 0;
        for _ in 0..MANY {
            match site.client.get("/", &[(TENANT, "a")])?.status {
                200 => {}
                503 => refused += 1,
                other => bail!("{other}"),
            }
        }
        site.check_tenants()?;
        site.envoy.check_filter()?;
        failed.push(refused);
    }
    figure(format_args!(
        "{form:?}, {target:?}: {} of {MANY} fail in one cluster, {} with the next cluster",
        failed[0], failed[1]
    ));
    // Half of a split goes to the dead cluster.
    ensure!(failed[0] > MANY / 4, "{failed:?}");
    ensure!(failed[1] <= 1, "{failed:?}");
    Ok(())
}

#[rstest]
fn a_session_moves_to_the_host_of_the_retry_and_stays_there(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let workdir = Workdir::in_form("dead_sessions", form)?;
    let mut site = Site::open(&workdir, Target::Aggregate, Retries::NextCluster)?;
    let mut tokens = Vec::new();
    for _ in 0..MANY {
        let (host, token) = site.visit(None)?;
        ensure!(host.starts_with("127.43.0."), "{host}");
        tokens.push(token);
    }
    for host in &mut site.hosts[..TENANTS.len()] {
        host.kill();
    }
    let mut homes = Vec::new();
    for token in &mut tokens {
        let (host, moved) = site.visit(Some(token))?;
        ensure!(host.starts_with("127.43.1."), "{host}");
        ensure!(moved != *token, "the token of a failed host is kept");
        *token = moved;
        homes.push(host);
    }
    for (token, home) in tokens.iter().zip(&homes) {
        let (host, _) = site.visit(Some(token))?;
        ensure!(host == *home, "{home} became {host}");
    }
    site.check_tenants()?;
    site.envoy.check_filter()
}

/// `pick` predicts the hosts of later attempts.
#[rstest]
fn later_attempts_reach_the_predicted_hosts(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let workdir = Workdir::in_form("dead_predicted", form)?;
    let mut site = Site::open(&workdir, Target::Aggregate, Retries::ByKey)?;
    let dump = site.envoy.admin("/config_dump?include_eds")?;
    let config = read(&dump, Format::Json).map_err(|faults| anyhow!("{faults:?}"))?;
    let mut listeners = config.listeners.iter();
    let listener = listeners.find(|listener| listener.name == "service");
    let listener = listener.context("the listener with the filter")?;
    let model = envoy_model(&config);
    let snapshot = Snapshot::build(&model);
    let filters = SteeringFilters::new(steering_configs(listener), &model);
    let mut answerer = Answerer::new(&snapshot, &listener.routes).steered_by(filters);
    let mut predicted = |key: &str, attempt: u32, tried: &[String]| {
        let headers = [
            (":method", "GET"),
            (":authority", "a"),
            (":path", "/"),
            (TENANT, "a"),
            (KEY, key),
        ];
        let answer = answerer.answer(&PickRequest {
            headers: headers
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
            attempt,
            tried: tried.to_vec(),
            ..PickRequest::plain()
        });
        match answer {
            PickOutput::Determined { outcome, .. } => Ok(outcome.endpoint),
            other => Err(anyhow!("{key}, attempt {attempt}: {other:?}")),
        }
    };
    // All hosts of the first cluster, and one of the second.
    for host in &mut site.hosts[..=TENANTS.len()] {
        host.kill();
    }
    let dead = |host: &str| host.starts_with("127.43.0.") || host.starts_with("127.43.1.1:");
    let mut attempts = [0; 3];
    for number in 0..MANY {
        let key = format!("user-{number}");
        let mut tried = Vec::new();
        let expected = loop {
            let host = predicted(&key, u32::try_from(tried.len())?, &tried)?;
            if !dead(&host) || tried.len() == 2 {
                break host;
            }
            tried.push(host);
        };
        attempts[tried.len()] += 1;
        let response = site.client.get("/", &[(TENANT, "a"), (KEY, &key)])?;
        ensure!(response.status == 200, "{key}: {}", response.status);
        let served = response.header(SERVED_HEADER).unwrap_or_default();
        ensure!(
            expected.starts_with(served),
            "{key}: {served}, not {expected}"
        );
    }
    ensure!(attempts[1] > 0 && attempts[2] > 0, "{attempts:?}");
    site.check_tenants()?;
    site.envoy.check_filter()
}

/// An Envoy with a filter that does not learn of failures.
struct Site {
    envoy: Envoy,
    client: Client,
    /// Those of the first cluster, then those of the second one.
    hosts: Vec<Upstream>,
    _ports: [Port; 2],
}

impl Site {
    fn open(workdir: &Workdir, target: Target, retries: Retries) -> Result<Self> {
        let (service, port) = (Port::lease()?, Port::lease()?);
        let form = workdir.form();
        let mut route = to_chosen_cluster(form);
        route["route"]["retry_policy"] = json!({
            "retry_on": "connect-failure",
            "num_retries": if retries == Retries::ByKey { 2 } else { 1 },
            "refresh_cluster_on_retry": form == DynamicModule,
        });
        let filters = our_filters(form, &configuration(port.number(), target, retries)?)?;
        let listener = http_listener("service", service.number(), &[route], filters);
        let mut bootstrap = Bootstrap::new().listener(dropping_internal_headers(listener));
        for number in 0..CLUSTERS.len() {
            let mut cluster = cluster(number, port.number());
            steer_cluster(&mut cluster, form, Unlisted::Refused);
            bootstrap = bootstrap.cluster(cluster);
            if form == Wasm {
                bootstrap = bootstrap.cluster(in_order([number, 1 - number]));
            }
        }
        let hosts = (0..CLUSTERS.len())
            .flat_map(|cluster| (0..TENANTS.len()).map(move |host| (cluster, host)))
            .map(|(cluster, host)| {
                Upstream::open(&format!("{}:{}", address(cluster, host), port.number()))
            });
        Ok(Self {
            hosts: hosts.collect::<Result<_>>()?,
            envoy: Envoy::start(workdir, &bootstrap)?,
            client: Client::new(service.local()),
            _ports: [service, port],
        })
    }

    /// The host and the token of a request of tenant `a`, which must be served. The client keeps its token
    /// if it gets none.
    fn visit(&mut self, token: Option<&str>) -> Result<(String, String)> {
        let mut headers = vec![(TENANT, "a")];
        headers.extend(token.map(|token| (SESSION, token)));
        let response = self.client.get("/", &headers)?;
        ensure!(
            response.status == 200,
            "{} {:?}",
            response.status,
            response.headers
        );
        let host = response.header(SERVED_HEADER).unwrap_or_default();
        let token = response.header(SESSION).or(token).unwrap_or_default();
        Ok((host.to_owned(), token.to_owned()))
    }

    /// No host of another tenant got a request.
    fn check_tenants(&self) -> Result<()> {
        for (number, host) in self.hosts.iter().enumerate() {
            let tenant = TENANTS[number % TENANTS.len()];
            ensure!(tenant == "a" || host.requests() == 0, "{number}: {tenant}");
        }
        Ok(())
    }
}

fn address(cluster: usize, host: usize) -> String {
    format!("127.43.{cluster}.{}", host + 1)
}

/// A cluster as the filter's configuration has it.
fn cluster(number: usize, port: u16) -> Value {
    let hosts = TENANTS.iter().enumerate().map(|(host, tenant)| {
        json!({
            "endpoint": {"address": {"socket_address": {
                "address": address(number, host), "port_value": port,
            }}},
            "metadata": {"filter_metadata": {"envoy.lb": {"tenant": tenant}}},
        })
    });
    let hosts: Vec<Value> = hosts.collect();
    json!({
        "name": CLUSTERS[number],
        "type": "STATIC",
        "connect_timeout": "2s",
        "lb_policy": "RANDOM",
        "load_assignment": {
            "cluster_name": CLUSTERS[number],
            "endpoints": [{"lb_endpoints": hosts}],
        },
    })
}

/// The cluster of requests whose second attempt goes to the second one of `members`.
fn in_order(members: [usize; 2]) -> Value {
    let [first, second] = members.map(|member| CLUSTERS[member]);
    composite(&format!("{first},{second}"), &[first, second, second])
}

fn configuration(port: u16, target: Target, retries: Retries) -> Result<Value> {
    let mut clusters: Vec<Value> = (0..CLUSTERS.len())
        .map(|number| cluster(number, port))
        .collect();
    clusters.push(json!({
        "name": "shop",
        "lb_policy": "CLUSTER_PROVIDED",
        "cluster_type": {
            "name": "envoy.clusters.aggregate",
            "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig",
                "clusters": CLUSTERS,
            },
        },
    }));
    let secret = fresh_secret()?;
    let mut configuration = json!({
        "clusters": clusters,
        "criteria": [{"key": "tenant", "header": TENANT}],
        "subset_chain": [{"keys": ["tenant"]}],
        "affinity": {"header": {"name": SESSION}, "keys": [{"id": 1, "secret": secret}]},
        "output": {"candidates": 2},
    });
    match target {
        Target::Aggregate => configuration["target"] = json!("shop"),
        Target::Weighted => {
            let halves = CLUSTERS.map(|name| json!({"cluster": name, "weight": 50}));
            configuration["weighted"] = json!(halves);
        }
    }
    if retries != Retries::OneCluster {
        configuration["output"]["attempts_per_cluster"] = json!(1);
    }
    if let (Retries::ByKey, Some(fields)) = (retries, configuration.as_object_mut()) {
        fields.remove("affinity");
        let policy = json!([{"header": {"header_name": KEY}}]);
        fields.insert("hash_policy".to_owned(), policy);
        for cluster in 0..CLUSTERS.len() {
            configuration["clusters"][cluster]["lb_policy"] = json!("MAGLEV");
        }
    }
    Ok(configuration)
}
