//! From a text to its clusters.

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::PageTime;
use crate::playground::{Playground, test};

const RUNS: usize = 9;

/// Milliseconds from the input event until as many clusters are on the screen, and those of the longest time
/// in which the playground did not answer.
const READ: &str = "const [text, clusters] = arguments;
    const area = document.querySelector('[data-test=import-text]');
    const shown = () => document.querySelectorAll('[data-test=import-cluster] input').length;
    area.value = text;
    area.scrollHeight;
    const start = performance.now();
    area.dispatchEvent(new Event('input', {bubbles: true}));
    return (async () => {
        let [before, blocked] = [start, 0];
        while (shown() !== clusters) {
            await new Promise((done) => setTimeout(done));
            const now = performance.now();
            [before, blocked] = [now, Math.max(blocked, now - before)];
        }
        document.body.getBoundingClientRect();
        return [performance.now() - start, blocked];
    })();";

pub(super) fn run(page: &Playground, take: &mut impl FnMut(PageTime)) -> Result<()> {
    page.browser.open(page.origin())?;
    page.paste_configuration("{}")?;
    page.browser.wait_for("the reader", |_| {
        let said = page.shown("import-summary")?;
        Ok(said.contains("error").then_some(()).ok_or(said))
    })?;
    // The limits of reading, and of the longest time in which the playground does not answer.
    for (name, text, clusters, limit, blocked_limit) in [
        ("130 kB of JSON", config_dump(16)?, 16, 50.0, 50.0),
        ("123 kB of YAML", yaml(123_000), 1, 50.0, 50.0),
        ("5 MB of YAML", yaml(5_000_000), 1, 2000.0, 1000.0),
    ] {
        let (mut times, mut blocked) = (Vec::new(), Vec::new());
        for _ in 0..RUNS {
            read(page, "", 0)?;
            let [time, longest] = read(page, &text, clusters)?;
            times.push(time);
            blocked.push(longest);
        }
        take(PageTime::median(
            &format!("{name}, read"),
            times,
            Some(limit),
        ));
        take(PageTime::median(
            &format!("{name}, page blocked"),
            blocked,
            Some(blocked_limit),
        ));
    }
    page.browser.click(&test("import-apply"))?;
    Ok(())
}

fn read(page: &Playground, text: &str, clusters: usize) -> Result<[f64; 2]> {
    let times = page
        .browser
        .script(READ, vec![json!(text), json!(clusters)])?;
    let time = |index: usize| times[index].as_f64().context("no time");
    Ok([time(0)?, time(1)?])
}

/// A cluster of about as many bytes, with metadata at each host.
fn yaml(bytes: usize) -> String {
    let mut text = "name: shop\ntype: STATIC\nload_assignment:\n  cluster_name: shop\n  endpoints:\n  - lb_endpoints:\n".to_owned();
    let mut host = 0;
    while text.len() < bytes {
        text += &format!(
            "    - endpoint:\n        address: {{socket_address: {{address: 10.0.{}.{}, port_value: 8080}}}}\n      \
             metadata: {{filter_metadata: {{envoy.lb: {{stage: prod, version: '1.{}', owner: team-{}}}, build: {{id: {host}, branch: main, \
             commit: 0123456789abcdef0123456789abcdef01234567}}}}}}\n",
            host >> 8,
            host & 255,
            host % 7,
            host % 11
        );
        host += 1;
    }
    text
}

/// A dump of as many clusters, formatted like Envoy's.
fn config_dump(clusters: usize) -> Result<String> {
    let host = |cluster: usize, host: usize| {
        json!({
            "endpoint": {
                "address": {"socket_address": {"address": format!("10.{cluster}.0.{host}"), "port_value": 8080}},
                "health_check_config": {},
            },
            "health_status": if host.is_multiple_of(4) { "UNHEALTHY" } else { "HEALTHY" },
            "metadata": {"filter_metadata": {"envoy.lb": {"stage": "prod", "version": "1.2"}}},
            "load_balancing_weight": 1,
        })
    };
    let cluster = |number: usize| {
        let name = format!("service-{number}");
        let hosts: Vec<Value> = (1..=10).map(|each| host(number, each)).collect();
        json!({
            "cluster": {
                "@type": "type.googleapis.com/envoy.config.cluster.v3.Cluster",
                "name": name,
                "type": "STATIC",
                "connect_timeout": "0.250s",
                "lb_policy": "LEAST_REQUEST",
                "load_assignment": {
                    "cluster_name": name,
                    "endpoints": [{"locality": {"zone": "a"}, "lb_endpoints": hosts}],
                },
            },
            "last_updated": "2026-01-01T00:00:00.000Z",
        })
    };
    let dump = json!({"configs": [{
        "@type": "type.googleapis.com/envoy.admin.v3.ClustersConfigDump",
        "version_info": "",
        "static_clusters": (0..clusters).map(cluster).collect::<Vec<_>>(),
    }]});
    Ok(serde_json::to_string_pretty(&dump)?)
}
