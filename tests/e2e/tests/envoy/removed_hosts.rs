//! When hosts that EDS removes leave, and how they come back: as `spillgate incident` says.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use rstest::rstest;
use serde_json::{Value, json};
use spillgate_e2e::config::{Bootstrap, http_listener};
use spillgate_e2e::{Envoy, Port, Upstream, Workdir, eventually, spillgate};

/// Far more than a change takes.
const LIMIT: Duration = Duration::from_secs(30);
const HOSTS: &str = "hosts.json";

/// Hosts in the host set, and healthy ones.
type Members = (u64, u64);

/// Lets EDS have these hosts.
fn discover(workdir: &Workdir, hosts: &[&Upstream]) -> Result<()> {
    let endpoints = hosts.iter().map(|host| {
        json!({"endpoint": {"address": {"socket_address": {
            "address": host.address().ip().to_string(), "port_value": host.address().port(),
        }}}})
    });
    let resource = json!({
        "@type": "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment",
        "cluster_name": "shop",
        "endpoints": [{"lb_endpoints": endpoints.collect::<Value>()}],
    });
    let text = json!({"version_info": hosts.len().to_string(), "resources": [resource]});
    workdir.write(HOSTS, &text.to_string())?;
    Ok(())
}

fn open(workdir: &Workdir, leave_at_once: bool) -> Result<Envoy> {
    let service = Port::lease()?;
    let cluster = json!({
        "name": "shop",
        "type": "EDS",
        "connect_timeout": "1s",
        "eds_cluster_config": {"eds_config": {
            "resource_api_version": "V3",
            "path_config_source": {"path": workdir.path().join(HOSTS)},
        }},
        "ignore_health_on_host_removal": leave_at_once,
        "health_checks": [{
            "timeout": "5s", "interval": "0.1s", "no_traffic_interval": "0.1s",
            "unhealthy_threshold": 2, "healthy_threshold": 1, "tcp_health_check": {},
        }],
    });
    let route = json!({"match": {"prefix": "/"}, "route": {"cluster": "shop"}});
    let listener = http_listener("service", service.number(), &[route], Vec::new());
    Envoy::start(
        workdir,
        &Bootstrap::new().listener(listener).cluster(cluster),
    )
}

/// The members at these seconds, when a host is removed from 10 to 40 s and refuses connections from 20 to 30 s.
fn predicted(
    workdir: &Workdir,
    envoy: &Envoy,
    host: &Upstream,
    at: &[f64],
) -> Result<Vec<Members>> {
    let script = json!({"until": "60s", "events": [
        {"remove": format!("host={}", host.address()), "from": "10s", "to": "40s"},
        {"fail": format!("host={}", host.address()), "from": "20s", "to": "30s"},
    ]});
    let script_file = workdir.write("script.json", &script.to_string())?;
    let path = |path: &std::path::Path| path.to_str().map(str::to_owned).context("no text");
    let words = [
        "incident".to_owned(),
        path(envoy.config())?,
        path(&workdir.path().join(HOSTS))?,
        path(&script_file)?,
        "--format".to_owned(),
        "json".to_owned(),
    ];
    let done = spillgate(words)?;
    let answer: Value = serde_json::from_str(&done.output)?;
    let rows = answer["clusters"][0]["timeline"].as_array();
    let rows = rows.context("no timeline")?;
    let members = at.iter().map(|at| {
        let mut before = rows.iter().rev();
        let row = before.find(|row| row["from"].as_f64().is_some_and(|from| from <= *at));
        let row = row.context("no row")?;
        let count = |name: &str| row[name].as_u64().context("no count");
        Ok((count("hosts")?, count("healthy")?))
    });
    members.collect()
}

/// Waits for an update of EDS and further checks of all hosts, and returns the members then.
fn settled(envoy: &Envoy, updates: u64) -> Result<Members> {
    let stat = |name: &str| envoy.stat(&format!("cluster.shop.{name}"));
    eventually("the update", LIMIT, || {
        Ok((stat("update_success")? >= updates).then_some(()))
    })?;
    let attempts = stat("health_check.attempt")?;
    eventually("further checks", LIMIT, || {
        Ok((stat("health_check.attempt")? >= attempts + 8).then_some(()))
    })?;
    Ok((stat("membership_total")?, stat("membership_healthy")?))
}

#[rstest]
#[case::once_their_checks_fail(false)]
#[case::at_once(true)]
fn removed_hosts_leave(#[case] at_once: bool) -> Result<()> {
    let workdir = Workdir::new(&format!("removed_hosts_{at_once}"))?;
    let stays = Upstream::open(&Port::lease()?.local().to_string())?;
    let mut removed = Upstream::open(&Port::lease()?.local().to_string())?;
    discover(&workdir, &[&stays, &removed])?;
    let envoy = open(&workdir, at_once)?;
    let expected = predicted(&workdir, &envoy, &removed, &[9.9, 19.9, 29.9, 39.9, 59.9])?;
    let mut seen = vec![settled(&envoy, 1)?];
    discover(&workdir, &[&stays])?;
    seen.push(settled(&envoy, 2)?);
    removed.kill();
    seen.push(settled(&envoy, 2)?);
    removed.revive()?;
    seen.push(settled(&envoy, 2)?);
    discover(&workdir, &[&stays, &removed])?;
    seen.push(settled(&envoy, 3)?);
    ensure!(seen == expected, "{seen:?}, expected {expected:?}");
    ensure!(seen[1].0 == if at_once { 1 } else { 2 }, "{seen:?}");
    Ok(())
}
