//! The steered service while all hosts are well.

use anyhow::{Context as _, Result, ensure};

use super::Check;
use super::probe::{Probe, USERS};
use crate::HttpResponse;

pub(super) const CHECKS: [Check; 7] = [
    (
        "all requests go to hosts of shop-primary, and to each of them",
        all_hosts_are_used,
    ),
    ("a user stays on one host", users_stay),
    (
        "no header of ours reaches an upstream",
        upstreams_see_nothing,
    ),
    (
        "forged headers choose nothing",
        forged_headers_choose_nothing,
    ),
    ("clients see no header of ours", clients_see_nothing),
    (
        "the trace header, for requests with the secret, names the host that answered",
        trace_is_true,
    ),
    (
        "decisions are counted by cluster, priority and reason",
        decisions_are_counted,
    ),
];

fn all_hosts_are_used(probe: &mut Probe<'_>) -> Result<()> {
    let served = probe.sample(USERS)?;
    for (user, host) in &served {
        let cluster = probe.cluster_of(host)?;
        ensure!(
            cluster == "shop-primary",
            "{user} was served by {host} of {cluster}"
        );
    }
    for host in probe.hosts_of("shop-primary") {
        ensure!(
            served.values().any(|seen| *seen == host),
            "{host} served none of {USERS} users"
        );
    }
    Ok(())
}

fn users_stay(probe: &mut Probe<'_>) -> Result<()> {
    let first = probe.sample(USERS)?;
    for _ in 0..2 {
        let again = probe.sample(USERS)?;
        let moved = first
            .iter()
            .zip(&again)
            .find(|(before, after)| before != after);
        ensure!(
            moved.is_none(),
            "(user, host) was {:?}, then {:?}",
            moved.map(|m| m.0),
            moved.map(|m| m.1)
        );
    }
    Ok(())
}

fn upstreams_see_nothing(probe: &mut Probe<'_>) -> Result<()> {
    for more in [&[][..], &[("x-spillgate-debug", "demo-trace-secret")]] {
        for user in 0..20 {
            let user = format!("user-{user}");
            saw_only_the_user(&probe.ask(&user, more)?, &user)?;
        }
    }
    Ok(())
}

/// The user's own header shows that the upstream reports what it gets.
fn saw_only_the_user(answer: &HttpResponse, user: &str) -> Result<()> {
    let saw = answer
        .header("x-upstream-saw")
        .context("no x-upstream-saw")?;
    let expected = format!("user={user} host= cluster= trace=");
    ensure!(
        saw == expected,
        "the upstream saw `{saw}`, expected `{expected}`"
    );
    Ok(())
}

fn forged_headers_choose_nothing(probe: &mut Probe<'_>) -> Result<()> {
    let secondary = probe.hosts_of("shop-secondary");
    let target = secondary.first().context("shop-secondary has no hosts")?;
    let forged = [
        ("x-spillgate-host", target.as_str()),
        ("X-Spillgate-Host", target.as_str()),
        ("x-spillgate-cluster", "shop-secondary"),
        ("x-spillgate-cluster", "admin"),
        ("x-spillgate-trace", "forged"),
    ];
    for user in 0..20 {
        let user = format!("user-{user}");
        let honest = probe.served_by(&user)?;
        let answer = probe.ask(&user, &forged)?;
        let host = answer.header("x-served-by").context("no x-served-by")?;
        ensure!(
            host == honest,
            "{user}: {honest} without forged headers, {host} with them"
        );
        saw_only_the_user(&answer, &user)?;
    }
    Ok(())
}

fn clients_see_nothing(probe: &mut Probe<'_>) -> Result<()> {
    for more in [&[][..], &[("x-spillgate-debug", "wrong")]] {
        let answer = probe.ask("ada", more)?;
        let ours = answer
            .headers
            .iter()
            .find(|(name, _)| name.starts_with("x-spillgate"));
        ensure!(ours.is_none(), "the answer carries {ours:?}");
    }
    Ok(())
}

fn trace_is_true(probe: &mut Probe<'_>) -> Result<()> {
    for user in 0..20 {
        let answer = probe.ask(
            &format!("user-{user}"),
            &[("x-spillgate-debug", "demo-trace-secret")],
        )?;
        let trace = answer
            .header("x-spillgate-trace")
            .context("no x-spillgate-trace")?;
        let trace: serde_json::Value =
            serde_json::from_str(trace).context("the trace is not JSON")?;
        let host = answer.header("x-served-by").context("no x-served-by")?;
        ensure!(
            trace["endpoint"] == host,
            "{host} answered, but the trace names {}",
            trace["endpoint"]
        );
    }
    Ok(())
}

fn decisions_are_counted(probe: &mut Probe<'_>) -> Result<()> {
    let name = probe.demo.form.decisions("shop-primary", "0", "chosen");
    let count = || -> Result<u64> {
        let stats = probe.admin().get("/stats/prometheus", &[])?.text();
        let line = stats.lines().find_map(|line| line.strip_prefix(&name));
        let count = line.with_context(|| format!("no {name} in /stats/prometheus"))?;
        Ok(count.trim().parse()?)
    };
    let before = count()?;
    probe.sample(10)?;
    let after = count()?;
    ensure!(
        after == before + 10,
        "10 requests took the counter from {before} to {after}"
    );
    Ok(())
}
