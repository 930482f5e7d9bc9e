//! The Trace screen: the steps of one request, many requests, and the inspectors.

use std::fs;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use spillgate_e2e::playground::{Playground, test};
use spillgate_e2e::{Workdir, spillgate};

/// Subsets with a ring, a random choice and a schedule.
const CLUSTERS: &str = include_str!("../../../../playground/src/view/screens/trace/clusters.yaml");

fn open(workdir: &Workdir, cluster: &str) -> Result<Playground> {
    let page = Playground::open(workdir)?;
    page.import(CLUSTERS)?;
    show(&page, cluster)?;
    page.click("screen-trace")?;
    page.wait_for_text("trace-headline", "The request")?;
    Ok(page)
}

/// Shows a cluster of the import, by its index in the list.
fn show(page: &Playground, cluster: &str) -> Result<()> {
    let names = ["shop", "stock", "cart"];
    let index = names
        .iter()
        .position(|name| *name == cluster)
        .context("no such cluster")?;
    page.choose("cluster", &index.to_string())
}

#[test]
fn the_steps_are_those_of_the_command() -> Result<()> {
    let workdir = Workdir::new("page_trace_steps")?;
    let file = workdir.path().join("envoy.yaml");
    fs::write(&file, CLUSTERS)?;
    let page = open(&workdir, "shop")?;
    for cluster in ["shop", "stock", "cart"] {
        if cluster != "shop" {
            page.click("screen-build")?;
            show(&page, cluster)?;
            page.click("screen-trace")?;
        }
        for seed in [7, 4_000_000_000_usize] {
            page.enter("trace-seed", seed)?;
            let seed = seed.to_string();
            let words = [
                "explain",
                "--cluster",
                cluster,
                "--seed",
                &seed,
                "--format",
                "json",
            ]
            .into_iter()
            .map(Into::into);
            let done = spillgate(words.chain([file.clone().into_os_string()]))?;
            let answer: Value = serde_json::from_str(&done.output)?;
            let endpoint = answer["endpoint"].as_str().context("no host")?;
            page.wait_for_text("trace-headline", endpoint)?;
            let steps = answer["steps"].as_array().context("no steps")?;
            for step in steps {
                let name = step["step"].as_str().context("a step without a name")?;
                let what = step["what"].as_str().context("a step without a sentence")?;
                page.wait_for_text(&format!("trace-step-{name}"), what)?;
            }
            let shown = page
                .browser
                .count(&format!("{} > li", test("trace-steps")))?;
            ensure!(shown == steps.len(), "{shown} steps, expected {steps:?}");
        }
    }
    page.finish()
}

#[test]
fn criteria_sessions_and_a_thousand_requests_are_in_the_link() -> Result<()> {
    let workdir = Workdir::new("page_trace_link")?;
    let page = open(&workdir, "shop")?;
    page.choose("trace-criterion-stage", "prod")?;
    page.choose("trace-criterion-version", "2")?;
    page.wait_for_text("trace-step-criteria", "stage=prod, version=2")?;
    page.wait_for_text("trace-headline", "10.0.0.1:80")?;
    // The session keeps its host although the criteria change.
    page.click("trace-keep")?;
    page.wait_for_text("trace-step-session", "10.0.0.1:80 keeps its session")?;
    page.choose("trace-mode", "many")?;
    page.wait_for_text("trace-headline", "1000 requests reach 1 host")?;
    page.choose("trace-session", "none")?;
    page.choose("trace-criterion-version", "1")?;
    page.wait_for_text("trace-headline", "1000 requests reach 2 hosts")?;
    let counts = ["10.0.0.2:80", "10.0.0.3:80"].map(|host| {
        let count = page.shown(&format!("trace-count-{host}"))?;
        count.parse::<u32>().context("no number")
    });
    let [first, second] = counts;
    let (first, second) = (first?, second?);
    ensure!(first + second == 1_000, "{first} + {second}");
    // A key makes the choice deterministic.
    page.browser.paste(&test("trace-key"), "ann")?;
    page.wait_for_text("trace-headline", "1000 requests reach 1 host")?;
    let headline = page.shown("trace-headline")?;
    page.browser.wait_for("the address", |browser| {
        let address = browser.url()?;
        let fragment = address.split_once('#').map_or("", |(_, after)| after);
        let view = spillgate_scenario::link::read_view(fragment).unwrap_or_default();
        let has = view.iter().any(|(_, input)| input.contains("key=ann"));
        Ok(has.then_some(()).ok_or(address))
    })?;
    page.browser.reload()?;
    page.wait_for_text("trace-headline", &headline)?;
    ensure!(
        page.browser
            .property(&test("trace-key"), "value")?
            .as_deref()
            == Some("ann"),
        "the key is lost"
    );
    page.finish()
}

#[test]
fn inspectors_show_what_the_host_is_chosen_from() -> Result<()> {
    let workdir = Workdir::new("page_trace_inspectors")?;
    let page = open(&workdir, "shop")?;
    page.browser.paste(&test("trace-key"), "ann")?;
    page.wait_for_text("trace-steps", "with a request hash")?;
    let headline = page.shown("trace-headline")?;
    let host = headline.split(' ').nth(4).context("no host")?.to_owned();
    page.wait_for_text("inspector-ring", &format!("the next entry is of {host}"))?;
    page.wait_for_text("inspector-subsets", "the request uses a fallback")?;
    // Another host is selected by keyboard, in the table.
    let ring = test("inspector-ring");
    page.browser.press(&format!("{ring} summary"), "\u{e007}")?;
    let other = ["10.0.0.1:80", "10.0.0.2:80", "10.0.0.3:80"];
    let other = other
        .into_iter()
        .find(|other| *other != host)
        .context("no other host")?;
    let button = format!("{ring} [aria-label=\"Select {other}\"]");
    page.browser.press(&button, "\u{e007}")?;
    page.wait_for_text("inspector-ring", &format!("{other} has"))?;
    ensure!(
        page.shown("trace-headline")? == headline,
        "the request is the same"
    );
    // A click on the strip selects the host of the request again.
    let script =
        "const cell = document.querySelector('[data-test=inspector-ring] .strip .of-request');
        cell.parentElement.dispatchEvent(new MouseEvent('click', {bubbles: true}));";
    page.browser.script(script, vec![])?;
    page.wait_for_text("inspector-ring", &format!("{host} has"))?;
    // A picture has the sentence of its caption.
    let caption = page.browser.text(&format!("{ring} figcaption"))?;
    let label = page
        .browser
        .attribute(&format!("{ring} .ring"), "aria-label")?
        .unwrap_or_default()
        .replace('\u{a0}', " ");
    ensure!(
        label == caption.replace('\u{a0}', " "),
        "{label}, {caption}"
    );

    page.click("screen-build")?;
    show(&page, "stock")?;
    page.click("screen-trace")?;
    page.browser
        .paste(&test("trace-active"), "10.0.1.1:80=9, 10.0.1.2:80=5")?;
    page.wait_for_text("inspector-samples", "The random choices are")?;
    page.wait_for_text("samples", "serves the request")?;
    page.click("screen-build")?;
    show(&page, "cart")?;
    page.click("screen-trace")?;
    page.wait_for_text("inspector-queue", "EDF queue")?;
    page.click("screen-build")?;
    page.choose("preset", "documented")?;
    page.click("screen-trace")?;
    page.wait_for_text("inspector-maglev", "modulo 65")?;
    page.finish()
}

#[test]
fn a_change_moves_keys_and_sessions() -> Result<()> {
    let workdir = Workdir::new("page_trace_moved")?;
    let page = Playground::open(&workdir)?;
    page.click("screen-trace")?;
    page.choose("trace-loss", "zone=a")?;
    // Zone a has one of five healthy hosts of P0, which takes 70 %.
    page.wait_for_text("trace-moved", "The loss of zone a (1 usable host) moves")?;
    page.wait_for_text("moved-envoy", "14 %")?;
    page.wait_for_text("moved-spillgate", "14 %")?;
    let keys = page.shown("moved-keys")?;
    let keys: f64 = keys.trim_end_matches(" %").parse()?;
    // Its share of the other keys, and those that P0 no longer takes.
    let expected = 14.0 + 56.0 / 5.0;
    ensure!((keys - expected).abs() < 1.5, "{keys} % of the keys");
    page.browser.screenshot("trace-moved")?;
    // The latest change, which the user makes on the first screen.
    page.choose("trace-loss", "")?;
    page.wait_for_text("trace-loss", "latest change")?;
    page.click("screen-build")?;
    page.enter("healthy-P0-number", 4)?;
    page.wait_for_headline(&["P0 takes 56 %"])?;
    page.click("screen-trace")?;
    page.wait_for_text("trace-moved", "The latest change moves")?;
    page.wait_for_text("moved-envoy", "14 %")?;
    page.finish()
}

#[test]
fn the_screen_fits_a_phone_and_has_all_schemes() -> Result<()> {
    let workdir = Workdir::new("page_trace_phone")?;
    let page = open(&workdir, "shop")?;
    page.browser.screenshot("trace")?;
    let media = |features: Value| {
        let features = json!({"features": features});
        page.browser
            .devtools("Emulation.setEmulatedMedia", features)
    };
    media(json!([{"name": "prefers-color-scheme", "value": "dark"}]))?;
    page.browser.screenshot("trace-dark")?;
    media(json!([{"name": "forced-colors", "value": "active"}]))?;
    page.browser.screenshot("trace-forced-colors")?;
    media(json!([]))?;
    let size = json!({"width": 320, "height": 640, "deviceScaleFactor": 2, "mobile": true});
    page.browser
        .devtools("Emulation.setDeviceMetricsOverride", size)?;
    for cluster in ["shop", "stock", "cart"] {
        page.click("screen-build")?;
        show(&page, cluster)?;
        page.browser.script("scrollTo(0, 0);", vec![])?;
        page.click("screen-trace")?;
        page.wait_for_text("trace-headline", "The request")?;
        page.wait_until_it_fits_a_phone()?;
        page.browser.screenshot(&format!("trace-{cluster}-phone"))?;
        page.choose("trace-mode", "many")?;
        page.wait_for_text("trace-headline", "1000 requests")?;
        page.wait_until_it_fits_a_phone()?;
        page.browser
            .screenshot(&format!("trace-{cluster}-many-phone"))?;
        page.choose("trace-mode", "one")?;
    }
    page.finish()
}
