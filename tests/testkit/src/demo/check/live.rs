//! The part of the admin that the playground may read, and all that it may not.

use anyhow::{Result, ensure};

use super::Check;
use super::probe::Probe;

pub(super) const CHECKS: [Check; 4] = [
    (
        "the page can read /live/clusters, and of /live/stats only the filter's counters",
        readable,
    ),
    (
        "the page is announced /live/ and the address of the service",
        announced,
    ),
    (
        "every other method and path of the admin is refused below /live/",
        refused,
    ),
    (
        "the admin itself refuses what could change Envoy",
        admin_is_limited,
    ),
];

fn readable(probe: &mut Probe<'_>) -> Result<()> {
    let answer = probe.page().get("/live/clusters?format=json", &[])?;
    ensure!(
        answer.status == 200,
        "/live/clusters?format=json: {}",
        answer.status
    );
    let clusters: serde_json::Value = serde_json::from_str(&answer.text())?;
    let names = clusters["cluster_statuses"]
        .as_array()
        .into_iter()
        .flatten();
    let found =
        names.filter(|one| one["name"] == "shop-primary" || one["name"] == "shop-secondary");
    ensure!(
        found.count() == 2,
        "/live/clusters does not list both clusters"
    );
    let answer = probe.page().get("/live/stats", &[])?;
    ensure!(answer.status == 200, "/live/stats: {}", answer.status);
    let text = answer.text();
    let prefix = probe.demo.form.stats_prefix();
    let decisions = format!("{prefix}decisions.cluster.shop-primary.");
    for name in [&decisions, "server.uptime: "] {
        ensure!(text.contains(name), "/live/stats has no {name}");
    }
    let allowed = [prefix, "server.uptime: "];
    let others = text
        .lines()
        .find(|line| !allowed.iter().any(|name| line.starts_with(name)));
    ensure!(others.is_none(), "/live/stats has other lines: {others:?}");
    Ok(())
}

fn announced(probe: &mut Probe<'_>) -> Result<()> {
    let answer = probe.page().get("/", &[])?;
    let expected = format!("spillgate-live;desc=\"http://{}/\"", probe.demo.service());
    let found = answer.header("server-timing").unwrap_or_default();
    ensure!(
        found == expected,
        "server-timing is {found}, expected {expected}"
    );
    Ok(())
}

fn refused(probe: &mut Probe<'_>) -> Result<()> {
    let paths = [
        "/live/clusters?format=json",
        "/live/stats",
        "/live/quitquitquit",
        "/live/logging?level=debug",
        "/live/healthcheck/fail",
    ];
    for path in paths {
        for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
            let answer = probe.page().send(method, path, &[], b"")?;
            ensure!(answer.status == 403, "{method} {path}: {}", answer.status);
        }
    }
    for path in [
        "/live/",
        "/live/clusters",
        "/live/config_dump",
        "/live/quitquitquit",
        "/live/logging",
        "/live/certs",
        "/live/stats/../quitquitquit",
        "/live/stats?filter=cluster.shop-primary",
        "/live/stats?",
        "/live/clusters?format=text",
        "/live/server_info",
        "/live/stats/prometheus",
    ] {
        let answer = probe.page().get(path, &[])?;
        ensure!(answer.status == 403, "GET {path}: {}", answer.status);
    }
    let rebound = [("host", "evil.example")];
    let answer = probe
        .page()
        .send("GET", "/live/clusters?format=json", &rebound, b"")?;
    ensure!(
        answer.status != 200,
        "another host name reads /live/clusters"
    );
    Ok(())
}

fn admin_is_limited(probe: &mut Probe<'_>) -> Result<()> {
    for path in [
        "/quitquitquit",
        "/healthcheck/fail",
        "/logging?level=off",
        "/drain_listeners",
    ] {
        let answer = probe.admin().send("POST", path, &[], b"")?;
        ensure!(answer.status == 403, "POST {path}: {}", answer.status);
    }
    Ok(())
}
