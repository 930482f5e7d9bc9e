//! From navigation to the first effect of the playground: first visits, with nothing stored, and repeated ones.

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::PageTime;
use crate::playground::Playground;

/// The mark that the playground sets, in milliseconds after the start of the navigation.
const INTERACTIVE: &str =
    "return performance.getEntriesByName('spillgate-interactive')[0]?.startTime;";
const VISITS: usize = 11;

/// A visitor's machine and network.
struct Visitor {
    name: &'static str,
    /// How many times slower its processor is.
    cpu: f64,
    /// Bytes per second and milliseconds per round trip of its network; the loopback without.
    network: Option<(f64, f64)>,
    /// Whether the service worker and the cache of an earlier visit answer.
    returns: bool,
    limit: f64,
}

/// 1.6 Mbit/s and 150 ms.
const SLOW: Option<(f64, f64)> = Some((200_000.0, 150.0));

const VISITORS: [Visitor; 4] = [
    Visitor {
        name: "interactive",
        cpu: 1.0,
        network: None,
        returns: false,
        limit: 250.0,
    },
    Visitor {
        name: "interactive, processor 4 times slower",
        cpu: 4.0,
        network: None,
        returns: false,
        limit: 1200.0,
    },
    Visitor {
        name: "interactive, processor 6 times slower, 1.6 Mbit/s and 150 ms",
        cpu: 6.0,
        network: SLOW,
        returns: false,
        limit: 2400.0,
    },
    Visitor {
        name: "the same, a repeated visit",
        cpu: 6.0,
        network: SLOW,
        returns: true,
        limit: 900.0,
    },
];

pub(super) fn run(page: &Playground, take: &mut impl FnMut(PageTime)) -> Result<()> {
    page.browser.devtools("Network.enable", json!({}))?;
    for visitor in VISITORS {
        slow_down(page, visitor.cpu, visitor.network)?;
        let times: Result<Vec<f64>> = (0..VISITS).map(|_| visit(page, visitor.returns)).collect();
        slow_down(page, 1.0, None)?;
        take(PageTime::median(visitor.name, times?, Some(visitor.limit)));
    }
    Ok(())
}

fn visit(page: &Playground, returns: bool) -> Result<f64> {
    if returns {
        page.browser.open("about:blank")?;
    } else {
        page.forget()?;
    }
    page.browser.open(page.origin())?;
    page.headline()?;
    let time = page.browser.script(INTERACTIVE, vec![])?;
    time.as_f64().context("the page sets no mark")
}

fn slow_down(page: &Playground, cpu: f64, network: Option<(f64, f64)>) -> Result<Value> {
    let (throughput, latency) = network.unwrap_or((-1.0, 0.0));
    let conditions = json!({
        "offline": false,
        "latency": latency,
        "downloadThroughput": throughput,
        "uploadThroughput": throughput,
    });
    page.browser
        .devtools("Network.emulateNetworkConditions", conditions)?;
    page.browser
        .devtools("Emulation.setCPUThrottlingRate", json!({"rate": cpu}))
}
