//! The Build screen: fail hosts, undo, import, share.

use anyhow::{Context as _, Result, anyhow, ensure};
use fantoccini::key::Key;
use serde_json::json;
use spillgate_core::model::{Cluster, ClusterKind};
use spillgate_e2e::Workdir;
use spillgate_e2e::playground::{Playground, test};
use spillgate_scenario::{EditedScenario, link, preset};

/// The start scenario: ten hosts in P0, five of them healthy.
const START: [&str; 2] = ["P0 takes 70 %", "P1 takes 30 %"];

#[test]
fn a_click_or_a_key_fails_and_restores_hosts() -> Result<()> {
    let workdir = Workdir::new("page_hosts")?;
    let page = Playground::open(&workdir)?;
    page.wait_for_headline(&START)?;

    // 4 of 10 hosts are healthy, times 1.4.
    page.click_host("P0/0")?;
    page.wait_for_headline(&["P0 takes 56 %", "P1 takes 44 %"])?;
    ensure!(page.health("P0/0")? != "healthy");
    page.click("undo")?;
    page.wait_for_headline(&START)?;
    ensure!(page.health("P0/0")? == "healthy");

    // The same with keys only: fail, degrade, restore, move on, restore the neighbor.
    page.press_on_host("P0/0", "u")?;
    page.wait_for_headline(&["P0 takes 56 %"])?;
    ensure!(page.health("P0/0")? == "unhealthy");
    page.press_on_host("P0/0", "d")?;
    page.browser.wait_for("a degraded host", |_| {
        let health = page.health("P0/0")?;
        Ok((health == "degraded").then_some(()).ok_or(health))
    })?;
    page.press_on_host("P0/0", "h")?;
    page.wait_for_headline(&START)?;
    let right = String::from(char::from(Key::Right));
    page.press_on_host("P0/0", &right)?;
    page.browser
        .wait_for("the focus on the next host", |browser| {
            let focused = browser.script("return document.activeElement.dataset.host", vec![])?;
            Ok((focused == "P0/1").then_some(()).ok_or(focused.to_string()))
        })?;
    page.press_on_host("P0/1", "h")?;
    page.wait_for_headline(&["P0 takes 84 %", "P1 takes 16 %"])?;

    // Ctrl+Z undoes the last step, wherever the focus is.
    let control_z = format!("{}z", char::from(Key::Control));
    page.browser.press("body", &control_z)?;
    page.wait_for_headline(&START)?;
    page.finish()
}

#[test]
fn every_figure_of_a_priority_is_explained() -> Result<()> {
    let workdir = Workdir::new("page_figures_explained")?;
    let page = Playground::open(&workdir)?;
    page.wait_for_headline(&START)?;
    for (figure, first) in [
        ("availability-P0", "availability(P0)"),
        ("panic-P0", "panic mode(P0)"),
        ("load-P0", "load(P0)"),
        ("per-host-P0", "share(198.18.0.1:8080)"),
    ] {
        page.click(figure)?;
        page.browser.wait_for(first, |browser| {
            let label = browser.text(&format!("{} .node span", test("why")))?;
            Ok((label == first).then_some(()).ok_or(label))
        })?;
        let shown = page.shown("why-value")?;
        let value = shown.trim_end_matches(" %");
        let in_table = page.shown(figure)?;
        ensure!(in_table.starts_with(value), "{in_table}, not {value}");
    }
    // The words of the table have explanations, on click and on touch.
    let is_open = "return document.querySelector('#term-panic').matches(':popover-open');";
    ensure!(page.browser.script(is_open, vec![])? == false);
    page.browser.click("[popovertarget=term-panic]")?;
    ensure!(page.browser.script(is_open, vec![])? == true);
    let text = page.browser.text("#term-panic")?;
    ensure!(text.contains("Envoy ignores health"), "{text}");
    page.finish()
}

#[test]
fn on_a_phone_the_explanation_is_a_sheet() -> Result<()> {
    let workdir = Workdir::new("page_sheet")?;
    let page = Playground::open(&workdir)?;
    let size = json!({"width": 360, "height": 640, "deviceScaleFactor": 2, "mobile": true});
    page.browser
        .devtools("Emulation.setDeviceMetricsOverride", size)?;
    page.browser.text(&test("why-toggle"))?;
    let place = "const sheet = document.querySelector('.why');
        const content = sheet.querySelector('.why-content');
        return {open: !content.hidden, below: sheet.getBoundingClientRect().bottom - innerHeight};";
    let closed = page.browser.script(place, vec![])?;
    ensure!(closed["open"] == false, "{closed}");
    let scroll = "document.querySelector(arguments[0]).scrollIntoView({block: 'center'});";
    page.browser.script(scroll, vec![json!(test("load-P0"))])?;
    page.click("load-P0")?;
    page.browser.wait_for("an open sheet", |browser| {
        let found = browser.script(place, vec![])?;
        let in_sight = found["below"].as_f64().is_some_and(|below| below < 1.0);
        Ok((found["open"] == true && in_sight)
            .then_some(())
            .ok_or(found.to_string()))
    })?;
    page.browser.screenshot("sheet-phone")?;
    page.click("why-toggle")?;
    let closed = page.browser.script(place, vec![])?;
    ensure!(closed["open"] == false, "{closed}");
    page.finish()
}

/// The third line has a policy that does not exist, the sixth a weight of 0.
const BROKEN: &str = "static_resources:
  clusters:
  - {name: shop, lb_policy: MAGLEF, load_assignment: {cluster_name: shop, endpoints: [
     {lb_endpoints: [
      {endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}},
      {load_balancing_weight: 0, endpoint: {address: {socket_address: {address: 10.0.0.2, port_value: 80}}}}]}]}}
";

#[test]
fn faults_of_a_configuration_have_line_and_column() -> Result<()> {
    let workdir = Workdir::new("page_import")?;
    let page = Playground::open(&workdir)?;
    let before = page.headline()?;
    page.paste_configuration(BROKEN)?;
    let faults = test("import-fault");
    page.browser.wait_for("both faults", |browser| {
        let count = browser.count(&faults)?;
        Ok((count == 2).then_some(()).ok_or(format!("{count} faults")))
    })?;
    // A fault has the position of its value.
    for (number, value) in [(1, "MAGLEF"), (2, "0, endpoint")] {
        let text = page
            .browser
            .text(&format!("li:nth-child({number}){faults}"))?;
        let at = BROKEN.find(value).context("the text has changed")?;
        let line = BROKEN[..at].matches('\n').count() + 1;
        let column = at - BROKEN[..at].rfind('\n').unwrap_or(0);
        ensure!(
            text.contains(&format!("{line}:{column}")),
            "not {line}:{column} in {text}"
        );
        ensure!(
            text.contains(value.split(',').next().unwrap_or(value)),
            "{text}"
        );
    }
    ensure!(
        page.browser
            .attribute(&test("import-apply"), "disabled")?
            .is_some(),
        "a configuration with errors can be imported"
    );

    // A truncated text is one fault with its position.
    let (cut, _) = BROKEN.split_at(BROKEN.len() - 20);
    page.browser.paste(&test("import-text"), cut)?;
    page.browser.wait_for("one fault", |browser| {
        let count = browser.count(&faults)?;
        Ok((count == 1).then_some(()).ok_or(format!("{count} faults")))
    })?;
    ensure!(page.browser.text(&faults)?.contains(':'));

    // The fixed text can be imported.
    let fixed = BROKEN
        .replace("MAGLEF", "MAGLEV")
        .replace("weight: 0", "weight: 3");
    page.browser.paste(&test("import-text"), &fixed)?;
    ensure!(
        page.headline()? == before,
        "it was imported without a click"
    );
    page.apply_import()?;
    page.wait_for_headline(&["P0 takes 100 %"])?;
    ensure!(page.shown("hosts-P0")? == "2");
    page.click("undo")?;
    page.browser.wait_for("the state before the import", |_| {
        let headline = page.headline()?;
        Ok((headline == before).then_some(()).ok_or(headline))
    })?;
    page.finish()
}

#[test]
fn a_link_opens_the_shared_scenario() -> Result<()> {
    let workdir = Workdir::new("page_link")?;
    let page = Playground::open(&workdir)?;
    page.choose("preset", "shop")?;
    page.browser.wait_for("the shop", |browser| {
        Ok(browser
            .has(&test("share-cluster-shop-primary"))?
            .then_some(())
            .ok_or(page.headline()?))
    })?;
    page.click_host("shop-primary/P0/2")?;
    page.enter("overprovisioning-shop-primary-number", 130)?;
    let state = |page: &Playground| -> Result<Vec<String>> {
        Ok(vec![
            page.headline()?,
            page.shown("reason")?,
            page.shown("load-shop-primary/P0")?,
            page.health("shop-primary/P0/2")?,
        ])
    };
    page.wait_for_headline(&["shop-primary takes 65 %", "shop-secondary takes 35 %"])?;
    let shared = state(&page)?;
    page.click("share")?;
    let link = page
        .browser
        .property(&test("share-link"), "value")?
        .context("there is no link")?;
    ensure!(link.starts_with(&format!("{}#", page.origin())), "{link}");

    // Opened in a new tab, and reloaded.
    page.browser.open_in_new_tab(&link)?;
    ensure!(
        state(&page)? == shared,
        "{link} shows {:?}, not {shared:?}",
        state(&page)?
    );
    page.browser.reload()?;
    ensure!(
        state(&page)? == shared,
        "after a reload it shows {:?}",
        state(&page)?
    );
    // Edits update the link in the address bar.
    page.click_host("shop-secondary/P0/0")?;
    page.browser.wait_for("another link", |browser| {
        let url = browser.url()?;
        Ok((url != link && url.contains('#')).then_some(()).ok_or(url))
    })?;
    let edited = state(&page)?;
    page.browser.reload()?;
    ensure!(
        state(&page)? == edited,
        "after a reload it shows {:?}",
        state(&page)?
    );

    // A truncated link is reported, and the playground shows the start scenario.
    for keep in [
        link.len() - 1,
        link.len() - 7,
        link.len() / 2 + page.origin().len() / 2,
    ] {
        page.browser.open("about:blank")?;
        page.browser.open(&link[..keep])?;
        let notice = page.shown("notice")?;
        ensure!(notice.contains("Cannot open this link"), "{notice}");
        page.wait_for_headline(&START)?;
        ensure!(
            page.browser.url()? == link[..keep],
            "the link is gone from the address bar"
        );
    }
    page.finish()
}

/// A link to the shop, whose aggregate names its members this often.
fn repeated_shop(times: usize) -> Result<String> {
    let shop = preset("shop").context("no shop")?;
    let clusters = shop.clusters().iter().map(|cluster| {
        let mut cluster = Cluster::clone(cluster);
        if let ClusterKind::Aggregate(aggregate) = &mut cluster.kind {
            let members = std::iter::repeat_n(aggregate.members.clone(), times);
            aggregate.members = members.flatten().collect();
        }
        cluster
    });
    let scenario =
        EditedScenario::new(clusters.collect(), shop.root()).map_err(|error| anyhow!("{error}"))?;
    Ok(link::write(&scenario))
}

#[test]
fn a_large_link_is_computed_after_a_click() -> Result<()> {
    let workdir = Workdir::new("page_large_link")?;
    let page = Playground::open(&workdir)?;
    let elements = || page.browser.count("*");
    let start = elements()?;
    for (times, is_large) in [(2, false), (60, true)] {
        let address = format!("{}#{}", page.origin(), repeated_shop(times)?);
        page.browser.open("about:blank")?;
        page.browser.open(&address)?;
        let rows = || page.browser.count("[data-test^='load-']");
        if is_large {
            let notice = page.shown("notice")?;
            ensure!(notice.contains("This link is large"), "{notice}");
            page.wait_for_headline(&START)?;
            ensure!(elements()? < 2 * start, "{} elements", elements()?);
            ensure!(page.browser.url()? == address, "another address");
            page.click("compute-anyway")?;
        }
        page.browser.wait_for("all priorities", |_| {
            let rows = rows()?;
            Ok((rows >= 2 * times).then_some(()).ok_or(rows.to_string()))
        })?;
        ensure!(!page.browser.has(&test("notice"))?, "the message stays");
    }
    page.finish()
}
