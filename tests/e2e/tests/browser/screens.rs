//! The screens of the playground: one state, one link, and the history of the browser.

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use spillgate_e2e::Workdir;
use spillgate_e2e::playground::{Playground, test};
use spillgate_scenario::link;

/// A policy of Kuma that prefers the local zone, then zone-1, and two hosts in each of three zones.
const MESH: &str = concat!(
    include_str!("../../../../docs/mesh/examples/ordered-zones.yaml"),
    "\n---\n",
    include_str!("../../../../docs/mesh/examples/three-zones.yaml"),
);

/// Waits until the address has a text.
fn wait_for_address(page: &Playground, is: impl Fn(&str) -> bool) -> Result<String> {
    page.browser.wait_for("the address", |browser| {
        let address = browser.url()?;
        Ok(is(&address).then_some(()).ok_or(address))
    })?;
    page.browser.url()
}

fn parts(address: &str) -> usize {
    let fragment = address.split_once('#').map_or("", |(_, after)| after);
    fragment.split('.').filter(|part| !part.is_empty()).count()
}

#[test]
fn a_link_opens_the_screen_with_its_input() -> Result<()> {
    let workdir = Workdir::new("page_screens_link")?;
    let page = Playground::open(&workdir)?;
    page.click("screen-what-if")?;
    page.choose("loss-of", "priority=1")?;
    page.enter("loss-number", 70)?;
    page.wait_for_text("what-if-losses", "P1 loses")?;
    page.click("expectation-add")?;
    page.wait_for_text("expectation", "load(P0)")?;
    let headline = page.shown("what-if-losses")?;
    let address = wait_for_address(&page, |address| {
        let fragment = address.split_once('#').map_or("", |(_, after)| after);
        let view = link::read_view(fragment).unwrap_or_default();
        view.iter().any(|(_, input)| input.contains("load(P0)"))
    })?;
    // Another tab shows the same, also after a reload.
    page.browser.open_in_new_tab(&address)?;
    page.wait_for_text("what-if-losses", &headline)?;
    page.wait_for_text("expectation", "load(P0)")?;
    page.browser.reload()?;
    page.wait_for_text("what-if-losses", &headline)?;
    page.finish()
}

#[test]
fn the_back_button_returns_to_the_previous_screen_and_keeps_the_edits() -> Result<()> {
    let workdir = Workdir::new("page_screens_back")?;
    let page = Playground::open(&workdir)?;
    page.click("screen-what-if")?;
    page.wait_for_text("what-if-losses", "loses")?;
    page.click("screen-trace")?;
    page.browser.text(&test("trace-headline"))?;
    page.browser.script("history.back();", vec![])?;
    page.wait_for_text("what-if-losses", "loses")?;
    page.browser.script("history.back();", vec![])?;
    page.wait_for_headline(&["P0 takes 70 %"])?;
    let before = page.browser.url()?;
    page.enter("healthy-P0-number", 9)?;
    page.wait_for_headline(&["P0 takes 100 %"])?;
    // A write of the address ends a traversal that is in progress.
    wait_for_address(&page, |address| address != before)?;
    page.browser.script("history.forward();", vec![])?;
    page.wait_for_text("what-if-losses", "loses")?;
    page.browser.script("history.back();", vec![])?;
    page.wait_for_headline(&["P0 takes 100 %"])?;
    page.finish()
}

#[test]
fn the_skip_link_and_other_fragments_change_nothing() -> Result<()> {
    let workdir = Workdir::new("page_screens_skip")?;
    let page = Playground::open(&workdir)?;
    page.enter("healthy-P0-number", 9)?;
    page.wait_for_headline(&["P0 takes 100 %"])?;
    let address = wait_for_address(&page, |address| parts(address) == 2)?;
    let skip = "document.querySelector('.skip').click(); return document.activeElement.id;";
    let focused = page.browser.script(skip, vec![])?;
    ensure!(focused == json!("answer"), "the focus is on {focused}");
    ensure!(
        page.browser.url()? == address,
        "the skip link changes the address"
    );
    page.browser.script("location.hash = '#answer';", vec![])?;
    // The playground writes its address after the next edit.
    page.enter("healthy-P0-number", 8)?;
    wait_for_address(&page, |address| {
        parts(address) == 2 && !address.ends_with("#answer")
    })?;
    ensure!(
        !page.browser.has(&test("notice"))?,
        "an anchor is no bad link"
    );
    page.finish()
}

#[test]
fn a_mesh_has_a_matrix_and_a_point_of_view_for_each_zone() -> Result<()> {
    let workdir = Workdir::new("page_screens_zones")?;
    let page = Playground::open(&workdir)?;
    page.import(MESH)?;
    page.click("screen-what-if")?;
    page.wait_for_text("zones-matrix", "zone-1")?;
    // The initial loss follows the point of view; a chosen one stays.
    page.choose("loss-of", "zone=zone-3")?;
    page.choose("loss-of", "zone=zone-1")?;
    page.enter("loss-number", 100)?;
    page.wait_for_text("what-if-losses", "zone-1 loses 2 of 2 hosts")?;
    // The requests of every proxy move, with the change.
    let row = |zone: usize| format!("{} tr:nth-child({zone})", test("zones-matrix"));
    page.browser.wait_for("the moved requests", |browser| {
        let text = browser.property(&row(1), "textContent")?;
        let text = text.unwrap_or_default();
        let moved = text.contains("zone-1 to zone-3: 100.0") && text.contains("+100");
        Ok(moved.then_some(()).ok_or(text))
    })?;
    page.wait_for_text("zones-losses", "zone-2")?;
    page.browser.screenshot("zones")?;
    let dark = json!({"features": [{"name": "prefers-color-scheme", "value": "dark"}]});
    page.browser.devtools("Emulation.setEmulatedMedia", dark)?;
    page.browser.screenshot("zones-dark")?;
    let size = json!({"width": 320, "height": 640, "deviceScaleFactor": 2, "mobile": true});
    page.browser
        .devtools("Emulation.setDeviceMetricsOverride", size)?;
    page.wait_until_it_fits_a_phone()?;
    page.browser.screenshot("zones-phone")?;
    page.browser
        .devtools("Emulation.clearDeviceMetricsOverride", json!({}))?;
    // A row shows the losses of its proxies, with the same question.
    page.click("zones-show-zone-2")?;
    page.browser.wait_for("the other cluster", |browser| {
        let shown = browser.property("[data-test=cluster] option:checked", "textContent")?;
        let is_shown = shown.as_deref().is_some_and(|name| name.contains("zone-2"));
        Ok(is_shown.then_some(()).ok_or(format!("{shown:?}")))
    })?;
    page.wait_for_text("what-if-losses", "zone-1 loses 2 of 2 hosts")?;
    page.finish()
}

#[test]
fn links_and_the_key_of_zones_open_what_if_with_the_loss() -> Result<()> {
    let workdir = Workdir::new("page_screens_old_zones")?;
    let page = Playground::open(&workdir)?;
    let scenario = spillgate_scenario::preset("shop").context("no preset")?;
    let view = vec![
        ("screen".to_owned(), "zones".to_owned()),
        ("zones".to_owned(), "b:100%\n".to_owned()),
    ];
    let address = page.browser.url()?;
    let address = address.split('#').next().unwrap_or_default();
    let link = link::with_view(link::write(&scenario), &view);
    page.browser.open("about:blank")?;
    page.browser.open(&format!("{address}#{link}"))?;
    page.wait_for_text("what-if-losses", "zone b loses 1 of 1 usable host")?;
    page.click("screen-build")?;
    page.wait_for_headline(&["Spillover"])?;
    page.browser.press("body", "4")?;
    page.wait_for_text("what-if-losses", "zone b loses 1 of 1 usable host")?;
    page.finish()
}

/// A policy whose shares depend on what hosts report.
const REPORTED_WEIGHTS: &str = "\
name: shop
load_balancing_policy:
  policies:
  - typed_extension_config:
      name: weights
      typed_config:
        \"@type\": type.googleapis.com/envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin
load_assignment:
  cluster_name: shop
  endpoints:
  - lb_endpoints:
    - {endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}
    - {endpoint: {address: {socket_address: {address: 10.0.0.2, port_value: 80}}}}
";

#[test]
fn every_screen_with_figures_of_an_import_states_its_limits() -> Result<()> {
    let workdir = Workdir::new("page_screen_limits")?;
    let page = Playground::open(&workdir)?;
    page.import(REPORTED_WEIGHTS)?;
    page.wait_for_text("limit", "weights that hosts report")?;
    for screen in [
        "part-incident",
        "part-timeline",
        "part-fleet",
        "part-what-if",
        "screen-trace",
    ] {
        if screen.starts_with("part") {
            page.click("screen-what-if")?;
        }
        page.click(screen)?;
        page.wait_for_text("limit", "weights that hosts report")?;
        page.click("screen-learn")?;
        page.browser
            .wait_for("a lesson without the limit", |browser| {
                let shown = browser.has(&test("limit"))?;
                Ok((!shown).then_some(()).ok_or("it is there".to_owned()))
            })?;
    }
    page.finish()
}
