//! The Live screen on servers without Envoy.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use serde_json::json;
use spillgate_e2e::Workdir;
use spillgate_e2e::playground::{Playground, test};

const CLUSTERS: &str = include_str!("../live/clusters.json");
const STATS: &str = include_str!("../live/stats.txt");

/// Makes a copy of the playground serve what the demo's Envoy does.
fn serve_live(www: &Path) -> Result<()> {
    fs::create_dir(www.join("live"))?;
    fs::write(www.join("live/clusters"), CLUSTERS)?;
    fs::write(www.join("live/stats"), STATS)?;
    Ok(())
}

/// The same response with other counters.
fn counted(from: &str, to: &str) -> String {
    CLUSTERS.replace(
        &format!("\"value\": \"{from}\""),
        &format!("\"value\": \"{to}\""),
    )
}

#[test]
fn a_page_without_live_says_what_it_needs() -> Result<()> {
    let workdir = Workdir::new("live_absent")?;
    let page = Playground::open(&workdir)?;
    ensure!(!page.browser.has(&test("following"))?, "nothing to follow");
    ensure!(
        page.browser.console()?.is_empty(),
        "no request before the screen opens"
    );
    page.click("screen-live")?;
    page.wait_for_text("live-message", "HTTP 404")?;
    page.wait_for_text("live-snippet", "prefix_rewrite: /clusters")?;
    page.click("live-copy")?;
    page.wait_for_text("live-copied", "C")?;
    page.browser.screenshot("live-absent")?;
    let console = page.browser.console()?;
    ensure!(console.len() == 1, "one failed request: {console:#?}");
    page.click("live-retry")?;
    page.wait_for_text("live-message", "HTTP 404")?;
    let size = json!({"width": 320, "height": 640, "deviceScaleFactor": 2, "mobile": true});
    page.browser
        .devtools("Emulation.setDeviceMetricsOverride", size)?;
    page.wait_until_it_fits_a_phone()?;
    page.browser.screenshot("live-absent-phone").map(drop)
}

#[test]
fn the_page_in_a_file_sends_no_request() -> Result<()> {
    let workdir = Workdir::new("live_file")?;
    let page = Playground::open_file(&workdir)?;
    page.click("screen-live")?;
    page.wait_for_text("live-message", "This page is a file")?;
    page.finish()
}

#[test]
fn the_screen_works_by_keyboard_on_a_phone_and_in_dark_colors() -> Result<()> {
    let workdir = Workdir::new("live_looks")?;
    let mut www = PathBuf::new();
    let page = Playground::open_changed(&workdir, |folder| {
        www = folder.to_owned();
        serve_live(folder)
    })?;
    page.browser.press("body", "6")?;
    page.wait_for_text("live-headline", "no requests to compare yet")?;
    fs::write(www.join("live/clusters"), counted("140", "240"))?;
    page.wait_for_text("live-headline", "shop: ")?;
    page.wait_for_text("live-requests-shop-primary/P0", "500")?;
    // 500 requests to the primary cluster and none to the other: the prediction is 70 %.
    page.wait_for_text("live-headline", "the prediction is 70.0 %")?;
    page.wait_for_text("live-verdict-shop-primary/P0", "\u{25b2} differs")?;
    page.browser.screenshot("live-differs")?;
    let dark = json!({"features": [{"name": "prefers-color-scheme", "value": "dark"}]});
    page.browser.devtools("Emulation.setEmulatedMedia", dark)?;
    page.browser.screenshot("live-dark")?;
    let size = json!({"width": 320, "height": 640, "deviceScaleFactor": 2, "mobile": true});
    page.browser
        .devtools("Emulation.setDeviceMetricsOverride", size)?;
    page.wait_until_it_fits_a_phone()?;
    page.browser.screenshot("live-phone")?;
    page.browser
        .devtools("Emulation.clearDeviceMetricsOverride", json!({}))?;
    // Another cluster has Envoy's default settings.
    page.choose("live-cluster", "admin")?;
    page.wait_for_text("live-headline", "admin: ")?;
    page.finish()
}

#[test]
fn counters_that_start_again_are_not_negative_requests() -> Result<()> {
    let workdir = Workdir::new("live_reset")?;
    let mut www = PathBuf::new();
    let page = Playground::open_changed(&workdir, |folder| {
        www = folder.to_owned();
        serve_live(folder)
    })?;
    page.click("screen-live")?;
    page.choose("live-every", "1")?;
    page.wait_for_text("live-headline", "no requests to compare yet")?;
    fs::write(www.join("live/clusters"), counted("140", "3"))?;
    page.wait_for_text("live-window", "since Envoy's counters started again")?;
    page.wait_for_text("live-requests-shop-primary/P0", "0")?;
    page.finish()
}

#[test]
fn a_paused_screen_reads_on_demand() -> Result<()> {
    let workdir = Workdir::new("live_pause")?;
    let mut www = PathBuf::new();
    let page = Playground::open_changed(&workdir, |folder| {
        www = folder.to_owned();
        serve_live(folder)
    })?;
    page.click("screen-live")?;
    page.wait_for_text("live-age", "The data are")?;
    page.click("live-pause")?;
    page.wait_for_text("live-age", "Paused")?;
    fs::write(www.join("live/clusters"), counted("140", "141"))?;
    page.wait_for_text("live-requests-shop-primary/P0", "0")?;
    page.click("live-read")?;
    page.wait_for_text("live-requests-shop-primary/P0", "5")?;
    page.finish()
}
