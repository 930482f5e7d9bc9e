//! Both forms of the filter in one Envoy, with the same keys: requests with sessions and criteria reach the
//! same host, whichever form began the session.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_core::draw::{Draw as _, SplitMix64};
use spillgate_e2e::config::{
    Bootstrap, KEY_HEADER, SERVED_HEADER, Unlisted, hash_policy, http_listener, our_filters,
    steer_cluster, to_cluster, to_cluster_by_header,
};
use spillgate_e2e::sessions::{COOKIE, Visitor, addresses, opened, sticky};
use spillgate_e2e::{Client, Envoy, Port, Workdir, amount, figure, fresh_secret};

/// The request header with the version, and what the hosts have. The last version has no host that serves,
/// because no panic threshold lets unhealthy hosts serve.
const VERSION_HEADER: &str = "x-version";
const HOSTS: [(&str, &str); 9] = [
    ("v1", "HEALTHY"),
    ("v1", "HEALTHY"),
    ("v1", "DEGRADED"),
    ("v1", "UNHEALTHY"),
    ("v2", "HEALTHY"),
    ("v2", "HEALTHY"),
    ("v2", "UNHEALTHY"),
    ("v3", "UNHEALTHY"),
    ("v3", "UNHEALTHY"),
];
/// Different users.
const USERS: u64 = 300;

/// What a form answers: the status and the host.
type Answer = (u16, Option<String>);

#[test]
fn both_forms_lead_each_request_to_the_same_host() -> Result<()> {
    let requests = amount(2_000, 10_000);
    let workdir = Workdir::in_form("sessions_forms", DynamicModule)?;
    let (by_wasm, by_module, hosts) = (Port::lease()?, Port::lease()?, Port::lease()?);
    let addresses = addresses("127.31.0", &hosts, HOSTS.len());
    let _hosts = opened(&addresses)?;
    let key = fresh_secret()?;
    let mut bootstrap = Bootstrap::new();
    for (form, port) in [(Wasm, &by_wasm), (DynamicModule, &by_module)] {
        let name = cluster_name(form);
        let mut in_envoy = cluster(name, &addresses)?;
        steer_cluster(&mut in_envoy, form, Unlisted::Refused);
        let route = match form {
            Wasm => to_cluster_by_header(),
            DynamicModule => to_cluster("/", name),
        };
        let filters = our_filters(form, &configuration(form, &addresses, &key)?)?;
        bootstrap = bootstrap
            .listener(http_listener(name, port.number(), &[route], filters))
            .cluster(in_envoy);
    }
    let envoy = Envoy::start(&workdir, &bootstrap)?;

    let mut draws = SplitMix64::new(17);
    let mut clients = [Client::new(by_wasm.local()), Client::new(by_module.local())];
    // By user and version: the last token, and the form that issued it.
    let mut sessions: BTreeMap<(u64, u64), Visitor> = BTreeMap::new();
    let (mut with_session, mut without_host) = (0, 0);
    for _ in 0..requests {
        let user = draws.draw() % USERS;
        // 0: without criteria.
        let version = draws.draw() % 4;
        let session = sessions.get(&(user, draws.draw() % 4)).cloned();
        with_session += usize::from(session.is_some());
        let mut issued = Vec::new();
        let mut answers = Vec::new();
        for client in &mut clients {
            let mut visitor = session.clone().unwrap_or_default();
            answers.push(visit(client, &mut visitor, user, version)?);
            issued.push(visitor);
        }
        let [wasm, module] = [&answers[0], &answers[1]];
        ensure!(
            wasm == module,
            "user {user}, version {version}: {wasm:?}, {module:?}"
        );
        without_host += usize::from(wasm.1.is_none());
        let issuer = usize::from(draws.draw().is_multiple_of(2));
        sessions.insert((user, version), issued.swap_remove(issuer));
    }
    ensure!(with_session > requests / 2, "{with_session} with a session");
    ensure!(without_host > 0, "every request had a host");
    for form in [Wasm, DynamicModule] {
        let prefix = format!("spillgate.decisions.cluster.{}.", cluster_name(form));
        let decided = envoy.total(&prefix)?;
        ensure!(decided == requests as u64, "{form:?}: {decided} decisions");
    }
    figure(format_args!(
        "{requests} requests, {with_session} with a session of either form, {without_host} without a host: \
         both forms answered all of them in the same way"
    ));
    Ok(())
}

fn visit(client: &mut Client, visitor: &mut Visitor, user: u64, version: u64) -> Result<Answer> {
    let user = format!("user-{user}");
    let version = format!("v{version}");
    let cookie = visitor
        .cookie(COOKIE)
        .map(|token| format!("{COOKIE}={token}"));
    let mut headers = vec![(KEY_HEADER, &*user)];
    if version != "v0" {
        headers.push((VERSION_HEADER, &version));
    }
    if let Some(cookie) = &cookie {
        headers.push(("cookie", cookie));
    }
    let answer = client.get("/", &headers)?;
    visitor.keep(&answer);
    Ok((
        answer.status,
        answer.header(SERVED_HEADER).map(str::to_owned),
    ))
}

const fn cluster_name(form: FilterForm) -> &'static str {
    match form {
        Wasm => "wasm",
        DynamicModule => "module",
    }
}

fn configuration(form: FilterForm, addresses: &[String], key: &str) -> Result<Value> {
    let mut own = cluster(cluster_name(form), addresses)?;
    own["lb_policy"] = json!("MAGLEV");
    own["lb_subset_config"] = json!({
        "fallback_policy": "ANY_ENDPOINT",
        "subset_selectors": [{"keys": ["version"]}],
    });
    let mut affinity = sticky(&[(1, key)]);
    // The clusters of both forms have different names.
    affinity["scope"] = json!("shop");
    affinity["cookie"]["secure"] = json!(false);
    Ok(json!({
        "clusters": [own],
        "target": cluster_name(form),
        "hash_policy": hash_policy(),
        "criteria": [{"key": "version", "header": VERSION_HEADER}],
        "affinity": affinity,
    }))
}

/// The hosts with their versions.
fn cluster(name: &str, addresses: &[String]) -> Result<Value> {
    let mut endpoints = Vec::new();
    for (address, (version, status)) in addresses.iter().zip(HOSTS) {
        let (ip, port) = address.rsplit_once(':').context("no port")?;
        let port: u16 = port.parse()?;
        endpoints.push(json!({
            "endpoint": {"address": {"socket_address": {"address": ip, "port_value": port}}},
            "health_status": status,
            "metadata": {"filter_metadata": {"envoy.lb": {"version": version}}},
        }));
    }
    Ok(json!({
        "name": name,
        "type": "STATIC",
        "connect_timeout": "2s",
        "common_lb_config": {"healthy_panic_threshold": {"value": 0}},
        "load_assignment": {"cluster_name": name, "endpoints": [{"lb_endpoints": endpoints}]},
    }))
}
