//! The outputs that other filters of Envoy take up. The host list is in every other test,
//! `subset_headers` in a scenario.

use anyhow::{Result, anyhow, ensure};
use serde_json::json;
use spillgate_core::model::{MaglevConfig, Model, Policy};
use spillgate_e2e::config::{
    Bootstrap, CLUSTER_HEADER, HOST_HEADER, KEY_HEADER, SERVED_HEADER, assignment, hash_policy,
    host_session, http_listener, native, plain, priority, to_cluster, wasm,
};
use spillgate_e2e::{Client, Envoy, Need, Port, ReferenceEngine, Workdir, needed};

/// `127.0.8.3:1` in base64: no host of the cluster.
const FORGED: &str = "MTI3LjAuOC4zOjE=";

#[test]
fn a_session_header_brings_each_key_to_its_host_and_no_further() -> Result<()> {
    let workdir = Workdir::new("filter_session")?;
    let (service, port) = (Port::lease()?, Port::lease()?);
    let of = |policy| {
        Ok::<_, anyhow::Error>(plain(
            "shop",
            policy,
            vec![priority("127.0.8", port.number(), "hhh")?],
        ))
    };
    // Envoy itself takes turns, so that only the filter can bring a key to one host.
    let (hashed, turns) = (
        of(Policy::Maglev(MaglevConfig::default()))?,
        of(Policy::RoundRobin)?,
    );
    let configuration = json!({
        "clusters": [{"name": "shop", "lb_policy": "MAGLEV", "load_assignment": assignment(&hashed)?}],
        "target": "shop",
        "hash_policy": hash_policy(),
        "output": {"mode": "stateful_session"},
    });
    let filter = json!({
        "name": "spillgate",
        "typed_config": wasm(&needed(Need::FilterWasm)?, "session", "FAIL_RELOAD", &configuration.to_string()),
    });
    let mut route = to_cluster("/", "shop");
    route["request_headers_to_remove"] = json!([HOST_HEADER, CLUSTER_HEADER]);
    let listener = http_listener(
        "service",
        service.number(),
        &[route],
        vec![filter, host_session()],
    );
    let bootstrap = Bootstrap::new()
        .listener(listener)
        .cluster(native(&turns)?)
        .hosts_of(&turns);
    let _envoy = Envoy::start(&workdir, &bootstrap)?;
    let model = Model::new(vec![hashed]).map_err(|faults| anyhow!("{faults:?}"))?;
    let engine = ReferenceEngine::new(&model);
    let mut client = Client::new(service.local());
    for number in 0..60 {
        let key = format!("user-{number}");
        for _ in 0..2 {
            let answer = client.get("/", &[(KEY_HEADER, &key), (HOST_HEADER, FORGED)])?;
            // A host that sees the header answers otherwise.
            ensure!(answer.status == 200, "{key}: {}", answer.status);
            ensure!(
                answer.header(HOST_HEADER).is_none(),
                "clients see the session"
            );
            let (served, expected) = (answer.header(SERVED_HEADER), engine.pick("shop", &key)?);
            ensure!(served == expected, "{key}: {served:?}, not {expected:?}");
        }
    }
    Ok(())
}
