//! The module of the custom element: from a link to the full result, with its sentences and its markup.
//! It needs no rendering, so its time is an upper limit for that of the engine.

use anyhow::{Context as _, Result, anyhow, ensure};
use serde_json::{Value, json};
use spillgate_core::model::{Cluster, Endpoint, PlainCluster, Priority};
use spillgate_scenario::{EditedScenario, PriorityAt, link};

use super::PageTime;
use crate::playground::Playground;

const PRIORITIES: usize = 3;
const RUNS: usize = 60;

/// Milliseconds of each answer: from a link to loads, shares, sentences, picture, table and link.
const ANSWER: &str = "const [request, runs] = arguments;
    return (async () => {
        const module = await (await fetch('embed.wasm')).arrayBuffer();
        const {exports} = (await WebAssembly.instantiate(module, {})).instance;
        const text = new TextEncoder().encode(request);
        const times = [];
        let answer = '';
        for (let run = 0; run < runs; run += 1) {
            // It may enlarge the memory, which replaces the buffer.
            const place = exports.request_place(text.length);
            new Uint8Array(exports.memory.buffer, place, text.length).set(text);
            const start = performance.now();
            const length = exports.answer_request();
            times.push(performance.now() - start);
            const bytes = new Uint8Array(exports.memory.buffer, exports.answer_place(), length);
            answer = new TextDecoder().decode(bytes);
        }
        return [times, answer];
    })();";

pub(super) fn run(page: &Playground, take: &mut impl FnMut(PageTime)) -> Result<()> {
    page.browser.open(page.origin())?;
    for hosts in [1000, 3000] {
        let link = link::write(&scenario(hosts)?);
        let request = format!("state {link}\nprefix a\n");
        let found = page
            .browser
            .script(ANSWER, vec![json!(request), json!(RUNS)])?;
        let answer: Value = serde_json::from_str(found[1].as_str().context("no answer")?)?;
        let headline = answer["headline"].as_str().unwrap_or_default();
        ensure!(headline.contains("P0 takes 100"), "{headline:?}");
        let times = found[0].as_array().context("no times")?;
        let times: Option<Vec<f64>> = times.iter().map(Value::as_f64).collect();
        let name = format!("custom element, from a link with {hosts} hosts to its markup");
        take(PageTime::median(&name, times.context("not a time")?, None));
    }
    Ok(())
}

/// A cluster with that many hosts in three priorities.
fn scenario(hosts: usize) -> Result<EditedScenario> {
    let priorities = (0..PRIORITIES).map(|priority| {
        let at = PriorityAt {
            cluster: 0,
            priority,
        };
        let hosts = 0..(priority..hosts).step_by(PRIORITIES).len();
        let endpoints = hosts.map(|host| Endpoint::new(link::address(at, host)));
        Priority::single_locality(endpoints.collect())
    });
    let shop = PlainCluster {
        priorities: priorities.collect(),
        ..PlainCluster::default()
    };
    EditedScenario::new(vec![Cluster::plain("shop", shop)], 0).map_err(|error| anyhow!("{error}"))
}
