//! From an input to the laid out result.

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::PageTime;
use crate::playground::{Playground, test};

/// The most inputs of a figure.
const INPUTS: usize = 60;

/// Milliseconds of each input: the slider steps up, and the playground is laid out after each step.
const SLIDE: &str = "const [selector, result, inputs] = arguments;
    const slider = document.querySelector(selector);
    const number = document.querySelector(result);
    const least = Number(slider.min || 0), most = Number(slider.max);
    const times = [];
    const turn = () => new Promise((done) => {
        const channel = new MessageChannel();
        channel.port1.onmessage = done;
        channel.port2.postMessage(0);
    });
    const pause = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return (async () => {
        for (let input = 0; input < inputs; input += 1) {
            const share = (input % 20) / 20;
            const value = Math.round(least + (most - least) * (0.2 + 0.6 * share));
            const start = performance.now();
            slider.value = String(value);
            slider.dispatchEvent(new Event('input', {bubbles: true}));
            // Yew renders in a microtask, or in a later task while effects of the previous input wait.
            await Promise.resolve();
            while (number.value !== String(value)) await turn();
            document.body.getBoundingClientRect();
            times.push(performance.now() - start);
            await pause();
        }
        return times;
    })();";

pub(super) fn run(page: &Playground, take: &mut impl FnMut(PageTime)) -> Result<()> {
    for (hosts, limit) in [(1000, 16.0), (5000, 33.0)] {
        page.browser.open(page.origin())?;
        page.import(&configuration(hosts))?;
        let name = format!("slider of healthy hosts, {hosts} hosts, 95 %");
        let times = slide(page, "healthy-P0")?;
        take(PageTime::p95(&name, times, Some(limit)));
        page.click("screen-what-if")?;
        page.browser.text(&test("loss"))?;
        let name = format!("slider of the loss, {hosts} hosts, 95 %");
        let times = slide(page, "loss")?;
        take(PageTime::p95(&name, times, (hosts == 1000).then_some(16.0)));
    }
    Ok(())
}

fn slide(page: &Playground, slider: &str) -> Result<Vec<f64>> {
    // Its number field shows when the playground is rendered.
    let number = format!("{slider}-number");
    let arguments = vec![json!(test(slider)), json!(test(&number)), json!(INPUTS)];
    let times = page.browser.script(SLIDE, arguments)?;
    let times = times.as_array().context("no times")?;
    let times: Option<Vec<f64>> = times.iter().map(Value::as_f64).collect();
    times.context("not a time")
}

/// A cluster with that many hosts in three priorities of two zones each.
pub(super) fn configuration(hosts: usize) -> String {
    let mut text =
        "name: shop\ntype: STATIC\nload_assignment:\n  cluster_name: shop\n  endpoints:\n"
            .to_owned();
    let places = 6;
    for place in 0..places {
        text += &format!(
            "  - priority: {}\n    locality: {{zone: zone-{place}}}\n    lb_endpoints:\n",
            place / 2
        );
        for host in (place..hosts).step_by(places) {
            text += &format!(
                "    - endpoint: {{address: {{socket_address: {{address: 10.{place}.{}.{}, port_value: 80}}}}}}\n",
                host >> 8,
                host & 255
            );
        }
    }
    text
}
