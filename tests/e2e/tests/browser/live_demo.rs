//! The Live screen and the playground of the demo, served by the real Envoy.

use anyhow::{Context as _, Result, ensure};
use spillgate_e2e::demo;
use spillgate_e2e::playground::{Playground, test};
use spillgate_e2e::{Workdir, eventually};
use spillgate_observe::{Agreement, ObservedShare};
use spillgate_testkit::demo::RunningDemo;
use std::time::Duration;

/// Half of the primary cluster's hosts.
const HALF: [&str; 5] = [
    "127.0.1.1",
    "127.0.1.2",
    "127.0.1.3",
    "127.0.1.4",
    "127.0.1.5",
];
const PRIMARY: &str = "shop-primary/P0";
const SECONDARY: &str = "shop-secondary/P0";

/// A number of the playground.
fn number(page: &Playground, name: &str) -> Result<u64> {
    let text = page.shown(name)?;
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    digits
        .parse()
        .with_context(|| format!("{name} is {text:?}"))
}

/// Waits until the filter decides with the failed hosts.
fn wait_for_failover(demo: &RunningDemo) -> Result<()> {
    let before = |name: &str| -> Result<u64> {
        let stats = demo
            .envoy
            .stats(&format!("spillgate.decisions.cluster.{name}."))?;
        Ok(stats.iter().map(|(_, count)| count).sum())
    };
    let first = before("shop-secondary")?;
    let mut users = 0..;
    eventually(
        "a request that spills over",
        Duration::from_secs(20),
        || {
            let user = users.next().unwrap_or_default();
            demo.send(user..user + 1)?;
            Ok((before("shop-secondary")? > first).then_some(()))
        },
    )
}

#[test]
fn predicted_and_observed_shares_of_the_demo_are_compared() -> Result<()> {
    let workdir = Workdir::new("live_shares")?;
    let mut demo = demo::start(&workdir)?;
    demo.fail(&HALF)?;
    wait_for_failover(&demo)?;
    let page = Playground::at(&workdir, demo.origin())?;
    page.click("screen-live")?;
    page.choose("live-every", "1")?;
    page.choose("live-span", "300")?;
    page.wait_for_text(&format!("live-hosts-{PRIMARY}"), "5 of 10")?;
    page.wait_for_text("live-headline", "no requests to compare yet")?;
    demo.send(0..1_500)?;
    page.browser.wait_for("all requests", |_| {
        let counted = [PRIMARY, SECONDARY].map(|id| number(&page, &format!("live-requests-{id}")));
        let [Ok(primary), Ok(secondary)] = counted else {
            return Ok(Err("no numbers".into()));
        };
        let sum = primary + secondary;
        Ok((sum >= 1_500).then_some(()).ok_or(sum.to_string()))
    })?;
    page.browser.screenshot("live")?;
    // Each shown figure follows from the others.
    let counts = [PRIMARY, SECONDARY].map(|id| number(&page, &format!("live-requests-{id}")));
    let [primary, secondary] = counts;
    let (primary, secondary) = (primary?, secondary?);
    ensure!(
        primary + secondary == 1_500,
        "{primary} and {secondary} requests"
    );
    let observed = ObservedShare {
        count: primary,
        total: 1_500,
    };
    let share = observed.share().unwrap_or_default() * 100.0;
    ensure!(
        (share - 70.0).abs() < 6.0,
        "{share} %: five standard deviations"
    );
    let predicted = page.shown(&format!("live-predicted-{PRIMARY}"))?;
    ensure!(predicted == "70.0 %", "predicted {predicted}");
    let shown = page.shown(&format!("live-observed-{PRIMARY}"))?;
    ensure!(
        shown == format!("{share:.1} %"),
        "{shown}, expected {share}"
    );
    let verdict = page.shown(&format!("live-verdict-{PRIMARY}"))?;
    let expected = match observed.agreement(0.7) {
        Agreement::Inside => "fits",
        _ => "differs",
    };
    ensure!(
        verdict.ends_with(expected),
        "{verdict}, expected {expected}"
    );
    // The counters of the filter agree with those of the hosts.
    let decided = number(&page, "live-decisions-count-shop-primary/0//chosen")?;
    ensure!(
        decided == primary,
        "{decided} decisions, {primary} requests"
    );
    // Hosts on demand; those that failed get nothing.
    page.browser.click("[data-test=\"live-hosts\"] summary")?;
    let port = demo.ports.hosts;
    let failed = page.shown(&format!("live-host-predicted-127.0.1.1:{port}"))?;
    ensure!(failed == "0.0 %", "a failed host: {failed}");
    let health = page.shown(&format!("live-host-health-127.0.1.1:{port}"))?;
    ensure!(health == "unhealthy", "{health}");
    page.browser.screenshot("live-hosts")?;
    page.finish()
}

#[test]
fn a_change_of_health_starts_the_comparison_again() -> Result<()> {
    let workdir = Workdir::new("live_change")?;
    let mut demo = demo::start(&workdir)?;
    let page = Playground::at(&workdir, demo.origin())?;
    page.click("screen-live")?;
    page.choose("live-every", "1")?;
    page.wait_for_text(&format!("live-predicted-{PRIMARY}"), "100.0 %")?;
    demo.send(0..100)?;
    page.wait_for_text(&format!("live-requests-{PRIMARY}"), "10")?;
    demo.fail(&["127.0.1.1"])?;
    page.wait_for_text("live-window", "since hosts or health changed")?;
    page.wait_for_text(&format!("live-hosts-{PRIMARY}"), "9 of 10")?;
    page.finish()
}

#[test]
fn the_first_screen_follows_the_demo_until_the_user_edits_it() -> Result<()> {
    let workdir = Workdir::new("live_follow")?;
    let mut demo = demo::start(&workdir)?;
    let page = Playground::at(&workdir, demo.origin())?;
    page.wait_for_text("following", "follows Envoy")?;
    page.wait_for_headline(&["shop-primary", "100 %"])?;
    let address = format!("127.0.1.1:{}", demo.ports.hosts);
    page.browser.wait_for("the address of a host", |browser| {
        let text = browser.script("return document.body.textContent;", vec![])?;
        let has = text.as_str().is_some_and(|text| text.contains(&address));
        Ok(has.then_some(()).ok_or("no such address".into()))
    })?;
    demo.fail(&HALF)?;
    page.wait_for_headline(&["70 %"])?;
    ensure!(!page.browser.url()?.contains('#'), "a reload follows again");
    page.browser.screenshot("following")?;
    // An edit ends it, and the playground says so.
    page.enter("healthy-shop-primary/P0-number", 8)?;
    page.wait_for_text("following", "does not follow")?;
    demo.fail(&[])?;
    page.click("screen-live")?;
    page.wait_for_text(&format!("live-hosts-{PRIMARY}"), "10 of 10")?;
    page.click("screen-build")?;
    let count = page
        .browser
        .property(&test("healthy-shop-primary/P0-number"), "value")?;
    ensure!(count.as_deref() == Some("8"), "{count:?}: the edit is lost");
    page.click("follow")?;
    page.wait_for_text("following", "This page follows Envoy")?;
    page.wait_for_headline(&["shop-primary", "100 %"])?;
    page.finish()
}

#[test]
fn a_frozen_state_is_one_step_that_no_longer_follows() -> Result<()> {
    let workdir = Workdir::new("live_freeze")?;
    let mut demo = demo::start(&workdir)?;
    demo.fail(&HALF)?;
    let page = Playground::at(&workdir, demo.origin())?;
    page.wait_for_headline(&["70 %"])?;
    page.click("screen-live")?;
    page.wait_for_text(&format!("live-hosts-{PRIMARY}"), "5 of 10")?;
    page.click("live-freeze")?;
    page.wait_for_headline(&["70 %"])?;
    page.wait_for_text("following", "does not follow")?;
    demo.fail(&[])?;
    page.click("screen-live")?;
    page.wait_for_text(&format!("live-hosts-{PRIMARY}"), "10 of 10")?;
    page.click("screen-build")?;
    page.wait_for_headline(&["70 %"])?;
    let undo = format!("{}:not([disabled])", test("undo"));
    page.browser.click(&undo)?;
    page.browser.wait_for("the end of the history", |browser| {
        let has_more = browser.has(&undo)?;
        Ok((!has_more).then_some(()).ok_or("another step".into()))
    })?;
    page.finish()
}

#[test]
fn the_data_stay_with_their_age_when_envoy_stops() -> Result<()> {
    let workdir = Workdir::new("live_stopped")?;
    let demo = demo::start(&workdir)?;
    let page = Playground::at(&workdir, demo.origin())?;
    page.click("screen-live")?;
    page.choose("live-every", "1")?;
    page.wait_for_text(&format!("live-hosts-{PRIMARY}"), "10 of 10")?;
    page.wait_for_text("live-age", "The data are")?;
    drop(demo);
    page.wait_for_text("live-age", "Cannot read Envoy")?;
    // The second failure doubles the pause.
    page.wait_for_text("live-age", "Next attempt in 4 seconds")?;
    page.wait_for_text(&format!("live-hosts-{PRIMARY}"), "10 of 10")?;
    page.browser.screenshot("stopped")?;
    page.click("live-pause")?;
    page.wait_for_text("live-pause", "Continue")
}
