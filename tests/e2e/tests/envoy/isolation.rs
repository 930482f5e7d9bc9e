//! Which hosts serve a request after the filter's host list: with isolation none, with availability
//! any host of the cluster. Both are choices of Envoy's cluster, not of the filter.

use std::collections::BTreeSet;
use std::fs;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use serde_json::{Value, json};
use spillgate_answers::{
    pick::{Answerer, PickOutput, PickRequest},
    steered::SteeringFilters,
};
use spillgate_config::envoy::{Format, read};
use spillgate_config::steered::steering_configs;
use spillgate_core::snapshot::Snapshot;
use spillgate_e2e::config::{
    Bootstrap, CLUSTER_HEADER, HOST_HEADER, SERVED_HEADER, any_host, dropping_internal_headers,
    host_list_to_metadata, host_session, http_listener, no_host, override_host, round_robin, wasm,
};
use spillgate_e2e::sessions::{Visitor, sticky};
use spillgate_e2e::{
    Client, Envoy, Guest, HttpResponse, Need, Port, Responder, Upstream, Workdir, documents,
    eventually, fresh_secret, needed,
};
use spillgate_testkit::repository;

/// Far longer than Envoy needs to notice that a VM failed.
const LIMIT: Duration = Duration::from_secs(20);
/// Enough requests to reach every host that Envoy may choose.
const MANY: usize = 30;
/// The hosts with their tenants. The first host of each list answers 503 at `/failing`: tenant a has
/// no other host, tenant b has.
const TENANTS: [&str; 5] = ["a", "b", "b", "c", "c"];
/// The request header that selects a tenant.
const TENANT: &str = "x-tenant";

/// A host of tenant a answers `/failing` with 503.
#[derive(Debug)]
struct Failing(SocketAddr);

impl Responder for Failing {
    fn answer(&self, path: &str, _: bool) -> Vec<u8> {
        let status = if path == "/failing" { 503 } else { 200 };
        let address = self.0;
        format!("HTTP/1.1 {status} x\r\n{SERVED_HEADER}: {address}\r\ncontent-length: 0\r\n\r\n")
            .into_bytes()
    }
}

/// How the filter selects hosts.
fn by_chain() -> Value {
    json!({
        "criteria": [{"key": "tenant", "header": TENANT}],
        "subset_chain": [{"keys": ["tenant"]}],
    })
}

fn in_session_mode() -> Value {
    let mut settings = by_chain();
    settings["output"] = json!({"mode": "stateful_session"});
    settings
}

/// An Envoy with the filter. The clusters `shop` and `any` have the same hosts; `any` has no
/// `override_host`.
struct Site {
    envoy: Envoy,
    client: Client,
    hosts: Vec<Upstream>,
    _ports: [Port; 2],
}

impl Site {
    /// `policy` is that of `shop`, `settings` are those of the filter.
    fn open(workdir: &Workdir, policy: &Value, settings: Value) -> Result<Self> {
        let filter = |assignment: &Value| filter(settings, assignment);
        Self::with_filter(workdir, policy, filter)
    }

    fn with_filter(
        workdir: &Workdir,
        policy: &Value,
        filter: impl FnOnce(&Value) -> Result<Vec<Value>>,
    ) -> Result<Self> {
        let (service, port) = (Port::lease()?, Port::lease()?);
        let assignment = assignment(port.number());
        let listener = http_listener("service", service.number(), &routes(), filter(&assignment)?);
        let cluster = |name: &str, policy: &Value| {
            json!({
                "name": name,
                "type": "STATIC",
                "connect_timeout": "2s",
                "load_balancing_policy": policy,
                "load_assignment": assignment,
            })
        };
        let bootstrap = Bootstrap::new()
            .listener(dropping_internal_headers(listener))
            .cluster(cluster("shop", policy))
            .cluster(cluster("any", &any_host()));
        let hosts = (1..=TENANTS.len()).map(|host| {
            let address = format!("127.15.0.{host}:{}", port.number()).parse()?;
            // The first host of tenant a, and the first one of tenant b.
            match host {
                1 | 2 => Upstream::answering(address, Arc::new(Failing(address))),
                _ => Upstream::open(&address.to_string()),
            }
        });
        let hosts = hosts.collect::<Result<Vec<_>>>()?;
        Ok(Self {
            envoy: Envoy::start(workdir, &bootstrap)?,
            client: Client::new(service.local()),
            hosts,
            _ports: [service, port],
        })
    }

    fn get(&mut self, path: &str, tenant: &str) -> Result<HttpResponse> {
        self.client.get(path, &[(TENANT, tenant)])
    }

    /// Checks that many requests to `/failing` get 503 from Envoy, and that only the first host was
    /// asked, once for each.
    fn refuses_without_others(&mut self) -> Result<()> {
        for request in 1..=MANY as u64 {
            refused(&self.get("/failing", "a")?)?;
            let asked = self.asked();
            ensure!(
                asked == [request, 0, 0, 0, 0],
                "request {request}: {asked:?}"
            );
        }
        Ok(())
    }

    /// The tenants of the hosts that serve many requests.
    fn tenants(&mut self, path: &str, tenant: &str) -> Result<BTreeSet<&'static str>> {
        let mut tenants = BTreeSet::new();
        for _ in 0..MANY {
            let answer = self.get(path, tenant)?;
            ensure!(answer.status == 200, "{} {}", answer.status, answer.text());
            let served = answer.header(SERVED_HEADER).context("no host served")?;
            let mut hosts = self.hosts.iter();
            let at = hosts.position(|host| host.address().to_string() == served);
            tenants.insert(TENANTS[at.context("an unknown host")?]);
        }
        Ok(tenants)
    }

    /// Requests by host since the beginning.
    fn asked(&self) -> Vec<u64> {
        self.hosts.iter().map(Upstream::requests).collect()
    }
}

/// `/off` disables the filter, `/off-any` too, with a cluster for such requests.
fn routes() -> [Value; 4] {
    let off = json!({"spillgate": {
        "@type": "type.googleapis.com/envoy.config.route.v3.FilterConfig", "disabled": true}});
    // Upstreams must see neither header.
    let hidden = json!([HOST_HEADER, CLUSTER_HEADER]);
    let route = |cluster: &str| {
        json!({
            "cluster": cluster,
            "retry_policy": {"retry_on": "5xx", "num_retries": 2},
        })
    };
    [
        json!({"match": {"path": "/off"}, "typed_per_filter_config": off, "route": route("shop")}),
        json!({"match": {"path": "/off-any"}, "typed_per_filter_config": off, "route": route("any")}),
        json!({
            "match": {"path": "/once"},
            "request_headers_to_remove": hidden,
            "route": {"cluster": "shop"},
        }),
        json!({
            "match": {"prefix": "/"},
            "request_headers_to_remove": hidden,
            "route": route("shop"),
        }),
    ]
}

fn assignment(port: u16) -> Value {
    let host = |(host, tenant): (usize, &&str)| {
        let address = format!("127.15.0.{}", host + 1);
        json!({
            "endpoint": {"address": {"socket_address": {"address": address, "port_value": port}}},
            "metadata": {"filter_metadata": {"envoy.lb": {"tenant": tenant}}},
        })
    };
    let hosts: Vec<Value> = TENANTS.iter().enumerate().map(host).collect();
    json!({"cluster_name": "shop", "endpoints": [{"lb_endpoints": hosts}]})
}

/// The filter with these settings, and the filter that hands its host list to Envoy.
fn filter(mut settings: Value, assignment: &Value) -> Result<Vec<Value>> {
    settings["clusters"] =
        json!([{"name": "shop", "lb_policy": "ROUND_ROBIN", "load_assignment": assignment}]);
    settings["target"] = json!("shop");
    let module = needed(Need::FilterWasm)?;
    let ours = json!({
        "name": "spillgate",
        "typed_config": wasm(&module, "spillgate", "FAIL_RELOAD", &settings.to_string()),
    });
    if settings["output"]["mode"] != "stateful_session" {
        return Ok(vec![ours, host_list_to_metadata()]);
    }
    Ok(vec![ours, host_session()])
}

/// The request was answered by Envoy itself, because no host was left.
fn refused(answer: &HttpResponse) -> Result<()> {
    let text = answer.text();
    ensure!(
        answer.status == 503 && text == "no healthy upstream",
        "{} {text} {:?}",
        answer.status,
        answer.headers
    );
    Ok(())
}

#[test]
fn with_availability_a_retry_leaves_the_subset() -> Result<()> {
    let workdir = Workdir::new("isolation_open")?;
    let mut site = Site::open(&workdir, &override_host(&any_host()), by_chain())?;
    // Two retries reach another tenant in 24 of 25 requests.
    let mut left = 0;
    for _ in 0..MANY {
        left += u64::from(site.get("/failing", "a")?.status == 200);
    }
    ensure!(left > 0, "every retry stayed: {:?}", site.asked());
    let others: u64 = site.asked()[2..].iter().sum();
    ensure!(others == left, "{left} answers, {:?}", site.asked());
    Ok(())
}

#[test]
fn with_isolation_a_retry_beyond_the_list_gets_503() -> Result<()> {
    let workdir = Workdir::new("isolation_list")?;
    let mut site = Site::open(&workdir, &override_host(&no_host()), by_chain())?;
    site.refuses_without_others()?;
    // Retries within the list work as before: the second host of tenant b answers.
    let second = site.hosts[2].address().to_string();
    for _ in 0..MANY {
        let answer = site.get("/failing", "b")?;
        ensure!(
            answer.status == 200,
            "{} {:?}",
            answer.status,
            answer.headers
        );
        let served = answer.header(SERVED_HEADER);
        ensure!(served == Some(&*second), "{served:?}");
    }
    let failed = site.hosts[1].requests();
    ensure!(failed > 0, "the first host of tenant b was never asked");
    // Further tenants are served by their own hosts, and only by those.
    for tenant in ["a", "b", "c"] {
        let tenants = site.tenants("/", tenant)?;
        ensure!(tenants == [tenant].into(), "{tenant}: {tenants:?}");
    }
    // A tenant without hosts is refused by the filter itself.
    refused(&site.get("/", "d")?)?;
    site.envoy.check_filter()
}

#[test]
fn without_a_chain_criteria_are_isolated_too() -> Result<()> {
    let workdir = Workdir::new("isolation_criteria")?;
    let settings = json!({"criteria": [{"key": "tenant", "header": TENANT}]});
    let subsets =
        json!({"fallback_policy": "NO_FALLBACK", "subset_selectors": [{"keys": ["tenant"]}]});
    let with_subsets = |assignment: &Value| {
        let mut filters = filter(settings, assignment)?;
        let text = filters[0]
            .pointer_mut("/typed_config/config/configuration/value")
            .context("no configuration")?;
        let mut configuration: Value = serde_json::from_str(text.as_str().unwrap_or_default())?;
        configuration["clusters"][0]["lb_subset_config"] = subsets;
        *text = json!(configuration.to_string());
        Ok(filters)
    };
    let mut site = Site::with_filter(&workdir, &override_host(&no_host()), with_subsets)?;
    refused(&site.get("/failing", "a")?)?;
    ensure!(site.asked() == [1, 0, 0, 0, 0], "{:?}", site.asked());
    let tenants = site.tenants("/failing", "b")?;
    ensure!(tenants == ["b"].into(), "{tenants:?}");
    Ok(())
}

#[test]
fn in_session_mode_the_clusters_own_policy_decides_about_retries() -> Result<()> {
    let workdir = Workdir::new("isolation_session_open")?;
    let mut site = Site::open(&workdir, &any_host(), in_session_mode())?;
    let mut left = 0;
    for _ in 0..MANY {
        left += u64::from(site.get("/failing", "a")?.status == 200);
    }
    ensure!(left > 0, "every retry stayed: {:?}", site.asked());
    drop(site);

    let workdir = Workdir::new("isolation_session")?;
    let mut site = Site::open(&workdir, &no_host(), in_session_mode())?;
    site.refuses_without_others()?;
    for tenant in ["a", "b", "c"] {
        let tenants = site.tenants("/", tenant)?;
        ensure!(tenants == [tenant].into(), "{tenant}: {tenants:?}");
    }
    // Its list has one host, so a retry never finds another one, not even in the subset.
    let before = site.hosts[1].requests() + site.hosts[2].requests();
    let mut refusals = 0;
    for _ in 0..MANY {
        let answer = site.get("/failing", "b")?;
        if answer.status != 200 {
            refused(&answer)?;
            refusals += 1;
        }
    }
    let asked = site.hosts[1].requests() + site.hosts[2].requests() - before;
    ensure!(asked == MANY as u64 && refusals > 0, "{asked}, {refusals}");
    site.envoy.check_filter()
}

#[test]
fn a_route_without_the_filter_has_neither_isolation_nor_sessions() -> Result<()> {
    let workdir = Workdir::new("isolation_disabled")?;
    let mut settings = by_chain();
    settings["affinity"] = sticky(&[(1, &fresh_secret()?)]);
    settings["affinity"]["cookie"]["secure"] = json!(false);
    let mut site = Site::open(&workdir, &override_host(&no_host()), settings)?;
    // A session of tenant b.
    let begun = site.get("/", "b")?;
    let cookie = begun.header("set-cookie").context("no session")?.to_owned();
    let cookie = cookie.split(';').next().unwrap_or_default();
    let host = begun.header(SERVED_HEADER).context("no host")?.to_owned();
    let with_session = |site: &mut Site, path| {
        let answer = site
            .client
            .get(path, &[(TENANT, "b"), ("cookie", cookie)])?;
        Ok::<_, anyhow::Error>(answer)
    };
    for _ in 0..MANY {
        let answer = with_session(&mut site, "/")?;
        ensure!(answer.header(SERVED_HEADER) == Some(&*host));
    }
    // The cluster without override_host serves with all hosts: other tenants, no session.
    // Envoy chooses at random, so one of the hosts may come late.
    let mut served = BTreeSet::new();
    for _ in 0..10 * MANY {
        if served.len() == TENANTS.len() {
            break;
        }
        let answer = with_session(&mut site, "/off-any")?;
        ensure!(answer.status == 200, "{}", answer.status);
        ensure!(answer.header("set-cookie").is_none(), "a session began");
        served.extend(answer.header(SERVED_HEADER).map(str::to_owned));
    }
    ensure!(served.len() == TENANTS.len(), "{served:?}");
    // The isolated cluster serves no such request.
    refused(&with_session(&mut site, "/off")?)
}

/// The answer of `spillgate pick` from the dump of that Envoy: the host, or the status without one.
fn picked(envoy: &Envoy, tenant: &str, tried: &[&str]) -> Result<Result<String, u16>> {
    let dump = envoy.admin("/config_dump?include_eds")?;
    let config = read(&dump, Format::Json).map_err(|faults| anyhow!("{faults:?}"))?;
    let mut listeners = config.listeners.iter();
    let listener = listeners
        .find(|listener| listener.name == "service")
        .context("the listener with the filter")?;
    let snapshot = Snapshot::build(&config.model);
    let filters = SteeringFilters::new(steering_configs(listener), &config.model);
    let mut answerer = Answerer::new(&snapshot, &listener.routes).steered_by(filters);
    let headers = [
        (":method", "GET"),
        (":authority", "shop.example"),
        (":path", "/failing"),
        (TENANT, tenant),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()));
    let answer = answerer.answer(&PickRequest {
        headers: headers.into(),
        attempt: u32::try_from(tried.len())?,
        tried: tried.iter().map(|&host| host.to_owned()).collect(),
        ..PickRequest::plain()
    });
    match answer {
        PickOutput::Determined { outcome, .. } => Ok(Ok(outcome.endpoint)),
        PickOutput::NoHost { status, .. } => Ok(Err(status)),
        other => bail!("{other:?}"),
    }
}

#[test]
fn the_engine_predicts_each_attempt() -> Result<()> {
    for (name, policy, settings, second) in [
        ("list", override_host(&no_host()), by_chain(), true),
        ("session", no_host(), in_session_mode(), false),
    ] {
        let workdir = Workdir::new(&format!("isolation_engine_{name}"))?;
        let site = Site::open(&workdir, &policy, settings)?;
        let host = |at: usize| site.hosts[at].address().to_string();
        let [a, b, b2] = [host(0), host(1), host(2)];
        // The same as in the tests of Envoy itself.
        ensure!(picked(&site.envoy, "a", &[])? == Ok(a.clone()));
        ensure!(picked(&site.envoy, "a", &[&a])? == Err(503));
        let retried = picked(&site.envoy, "b", &[&b])?;
        ensure!(retried == if second { Ok(b2.clone()) } else { Err(503) });
        ensure!(picked(&site.envoy, "b", &[&b, &b2])? == Err(503));
    }
    Ok(())
}

/// The YAML blocks of a page that contain a text.
fn blocks(page: &str, with: &str) -> Result<Vec<Value>> {
    let path = repository().join("docs").join(page);
    let text = fs::read_to_string(path)?;
    let blocks = text
        .split("```yaml\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next());
    let found = blocks.filter(|block| block.contains(with));
    found.map(|block| Ok(documents(block)?.remove(0))).collect()
}

#[test]
fn the_manual_has_the_policies_of_these_tests() -> Result<()> {
    let whole = blocks("operations.md", "override_host_sources")?;
    let policies = [override_host(&no_host()), override_host(&round_robin())]
        .map(|policy| json!({"load_balancing_policy": policy}));
    ensure!(whole == policies, "{whole:#?}");
    Ok(())
}

/// A filter that traps on demand, in place of ours.
fn failing_open(workdir: &Workdir) -> Result<Vec<Value>> {
    let module = Guest::Trapping.write(workdir, "trapping.wasm")?;
    let guest = json!({
        "name": "spillgate",
        "typed_config": wasm(&module, "trapping", "FAIL_OPEN", ""),
    });
    Ok(vec![guest, host_list_to_metadata()])
}

#[test]
fn after_a_failure_with_fail_open_the_cluster_decides() -> Result<()> {
    let workdir = Workdir::new("isolation_fail_open")?;
    let policy = override_host(&any_host());
    let mut site = Site::with_filter(&workdir, &policy, |_| failing_open(&workdir))?;
    fail(&mut site)?;
    // Requests of tenant a reach the hosts of all tenants.
    let tenants = site.tenants("/", "a")?;
    ensure!(tenants == ["a", "b", "c"].into(), "{tenants:?}");
    // Sessions do not exist: no cookie is set, none is read.
    let mut visitor = Visitor::with_cookie("spillgate", "a-token");
    let mut served = BTreeSet::new();
    for _ in 0..MANY {
        served.insert(visitor.visit(&mut site.client)?);
    }
    ensure!(served.len() == TENANTS.len(), "{served:?}");
    ensure!(visitor.cookie("spillgate") == Some("a-token"));
    drop(site);

    let workdir = Workdir::new("isolation_fail_open_isolated")?;
    let policy = override_host(&no_host());
    let mut site = Site::with_filter(&workdir, &policy, |_| failing_open(&workdir))?;
    fail(&mut site)?;
    let before = site.asked();
    refused(&site.get("/", "a")?)?;
    ensure!(site.asked() == before, "{before:?} {:?}", site.asked());
    // The route to the cluster without override_host still serves.
    ensure!(site.get("/off-any", "a")?.status == 200);
    Ok(())
}

/// Lets the filter fail, and waits until Envoy bypasses it.
fn fail(site: &mut Site) -> Result<()> {
    let trap = [("x-trap", "1")];
    ensure!(site.client.get("/", &trap)?.status == 503);
    eventually("the bypass", LIMIT, || {
        let answer = site.client.get("/off-any", &trap)?;
        Ok((answer.status == 200).then_some(()))
    })
}
