//! The Compare screen: two imports, a link of `spillgate link encode --diff`, the user's edits, many clusters.

use std::fs;

use anyhow::{Context as _, Result, ensure};
use fantoccini::key::Key;
use serde_json::json;
use spillgate_core::model::ClusterKind;
use spillgate_e2e::playground::{Playground, test};
use spillgate_e2e::{Workdir, run_copied, spillgate};
use spillgate_scenario::link;

/// Both sides of the manual's example.
const OLD: &str = include_str!("../../../../cli/tests/cli/examples/envoy.yaml");
const NEW: &str = include_str!("../../../../cli/tests/cli/examples/changed.yaml");

/// Imports both sides.
fn compared(page: &Playground, old: &str, new: &str) -> Result<()> {
    page.import(old)?;
    page.click("screen-what-if")?;
    page.click("part-compare")?;
    page.wait_for_text("compare-headline", "Both sides are the same scenario.")?;
    page.click("compare-keep")?;
    page.wait_for_text("compare-old", "the kept import")?;
    page.click("compare-import")?;
    page.browser.paste(&test("import-text"), new)?;
    page.apply_import()?;
    page.wait_for_text("compare-new", "the import")
}

/// The file names of screenshots, by width and color scheme.
const LOOKS: [(&str, u32, &str); 3] = [
    ("compare-light", 1_440, "light"),
    ("compare-dark", 1_440, "dark"),
    ("compare-phone", 390, "light"),
];

#[test]
fn two_imports_have_the_report_of_the_command() -> Result<()> {
    let workdir = Workdir::new("page_compare")?;
    let page = Playground::open(&workdir)?;
    compared(&page, OLD, NEW)?;
    let headline = "1 cluster changes, 1 route changes; proved equal: 1 cluster and 0 listeners.";
    page.wait_for_text("compare-headline", headline)?;
    page.wait_for_text(
        "compare-routes",
        "90 % cluster shop, 10 % cluster shop-canary",
    )?;
    page.wait_for_text("compare-routes", "Example: GET")?;
    page.wait_for_text("compare-effect", "53.4 % of the keys move.")?;
    page.wait_for_text("compare-rows", "53.4 % move, 53.4 % avoidable")?;
    page.wait_for_text(
        "compare-priorities-sentence",
        "At least 33.3 % of the requests move",
    )?;
    // The table has the figures of the picture.
    page.browser
        .click(&format!("{} summary", test("compare-priorities")))?;
    page.wait_for_text("compare-priorities-table", "P1")?;
    let command = page.shown("compare-command")?;
    ensure!(command == "spillgate diff old.yaml new.yaml", "{command}");
    let folder = workdir.path();
    let (old, new) = (folder.join("old.yaml"), folder.join("new.yaml"));
    fs::write(&old, OLD)?;
    fs::write(&new, NEW)?;
    let done = spillgate(["diff".into(), old.into_os_string(), new.into_os_string()])?;
    for row in ["53.4 % of the keys move", "53.4 % move, 53.4 % avoidable"] {
        ensure!(done.output.contains(row), "no {row} in {}", done.output);
    }
    for (name, width, scheme) in LOOKS {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        page.browser
            .devtools("Emulation.setEmulatedMedia", json!({"features": features}))?;
        let size =
            json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500});
        page.browser
            .devtools("Emulation.setDeviceMetricsOverride", size)?;
        page.browser.screenshot(name)?;
    }
    let wide =
        "return document.documentElement.scrollWidth - document.documentElement.clientWidth;";
    let wider = page.browser.script(wide, vec![])?;
    ensure!(wider == 0, "the page is {wider} pixels too wide");
    page.finish()
}

/// The panic threshold of the first cluster of the old side in an address.
fn old_threshold(address: &str) -> Option<u32> {
    let (_, fragment) = address.split_once('#')?;
    let old = link::old_side::<()>(&link::read_view(fragment).ok()?).ok()??;
    match &old.scenario.clusters().first()?.kind {
        ClusterKind::Plain(plain) => Some(plain.panic_threshold.percent()),
        _ => None,
    }
}

#[test]
fn exchanged_sides_edits_and_a_reload() -> Result<()> {
    let workdir = Workdir::new("page_compare_sides")?;
    let page = Playground::open(&workdir)?;
    compared(&page, OLD, NEW)?;
    page.wait_for_text("compare-rows", "70 % \u{2192} 100 %")?;
    page.click("compare-swap")?;
    page.wait_for_text("compare-rows", "100 % \u{2192} 70 %")?;
    // The browser keeps both sides.
    page.browser.wait_for("the written address", |browser| {
        let url = browser.url()?;
        Ok((old_threshold(&url) == Some(70)).then_some(()).ok_or(url))
    })?;
    page.browser.reload()?;
    page.wait_for_text("compare-rows", "100 % \u{2192} 70 %")?;
    page.wait_for_text("compare-old", "the kept import")?;
    // Without the kept side, the edits of the import are compared.
    page.click("compare-forget")?;
    page.wait_for_text("compare-headline", "Both sides are the same scenario.")?;
    page.click("screen-build")?;
    page.click_host("P0/0")?;
    page.click("screen-what-if")?;
    page.click("part-compare")?;
    page.wait_for_text("compare-old", "the import before your edits")?;
    page.wait_for_text("compare-headline", "1 cluster changes")?;
    page.finish()
}

#[test]
fn a_link_of_the_command_opens_the_comparison() -> Result<()> {
    let workdir = Workdir::new("page_compare_link")?;
    let page = Playground::open(&workdir)?;
    let folder = workdir.path();
    let (old, new) = (folder.join("old.yaml"), folder.join("new.yaml"));
    fs::write(&old, OLD)?;
    fs::write(&new, NEW)?;
    let words = ["link", "encode", "--include-addresses", "--diff"].map(Into::into);
    let words = words
        .into_iter()
        .chain([old.into_os_string(), new.into_os_string()]);
    let address = spillgate(words)?.output;
    let open = |address: &str| {
        page.browser
            .open(&format!("{}{}", page.origin(), address.trim()))
    };
    open(&address)?;
    page.wait_for_text("compare-headline", "1 cluster changes")?;
    page.wait_for_text("compare-rows", "53.4 % move, 53.4 % avoidable")?;
    // The command of the screen has both links, and the same report.
    let command = page.shown("compare-command")?;
    let done = run_copied(&workdir, &command, OLD)?;
    ensure!(
        done.output.contains("53.4 % move, 53.4 % avoidable"),
        "{}",
        done.output
    );
    // A damaged old side opens nothing.
    let broken = link::with_view(
        address
            .trim()
            .trim_start_matches('#')
            .rsplit_once('.')
            .context("no view")?
            .0
            .into(),
        &[("old".into(), "1g.AAAA".into())],
    );
    open(&format!("#{broken}"))?;
    page.wait_for_text("notice", "the old side of the comparison: ")?;
    page.finish()
}

#[test]
fn requests_of_imports_have_criteria_and_sessions_and_lint_findings_are_compared() -> Result<()> {
    const STAGED: &str = include_str!("compare_staged.yaml");
    let workdir = Workdir::new("page_compare_staged")?;
    let page = Playground::open(&workdir)?;
    let (before, last) = STAGED.rsplit_once("stage: prod").context("no host")?;
    // Another host of another stage.
    let new = format!("{before}stage: test{last}").replace("10.0.0.2", "10.0.0.3");
    compared(&page, STAGED, &new)?;
    page.wait_for_text(
        "compare-rows",
        "50 % are lost: their hosts are gone or unusable",
    )?;
    page.wait_for_text("compare-new-findings", "affinity-crosses-subset")?;
    page.finish()
}

/// Clusters with one host each; those in `failed` have a failed one.
fn many(failed: &[usize]) -> String {
    let clusters = (0..60).map(|number| {
        let health = if failed.contains(&number) { "UNHEALTHY" } else { "HEALTHY" };
        format!(
            "  - name: service-{number}\n    common_lb_config: {{healthy_panic_threshold: {{value: 0}}}}\n    \
             load_assignment:\n      cluster_name: service-{number}\n      endpoints:\n      - lb_endpoints:\n        \
             - endpoint: {{address: {{socket_address: {{address: 10.0.0.{number}, port_value: 80}}}}}}\n          \
             health_status: {health}\n"
        )
    });
    let clusters: String = clusters.collect();
    format!("static_resources:\n  clusters:\n{clusters}")
}

#[test]
fn the_worst_of_many_clusters_is_first_and_others_are_found() -> Result<()> {
    let workdir = Workdir::new("page_compare_many")?;
    let page = Playground::open(&workdir)?;
    compared(&page, &many(&[]), &many(&[41]))?;
    page.wait_for_text(
        "compare-headline",
        "1 cluster changes; proved equal: 59 clusters and 0 listeners.",
    )?;
    page.wait_for_text("compare-cluster-name", "service-41")?;
    page.wait_for_text("compare-effect", "100 % more of the requests find no host.")?;
    page.wait_for_text("compare-more", "and 48 more; search for a name")?;
    page.browser.paste(&test("compare-search"), "service-7")?;
    page.wait_for_text("compare-clusters", "service-7")?;
    // Keys alone choose it.
    let found = format!("li:first-child {}", test("compare-cluster"));
    page.browser
        .press(&found, &String::from(char::from(Key::Enter)))?;
    page.wait_for_text("compare-cluster-name", "service-7")?;
    page.wait_for_text("compare-effect", "No request differs (proved).")?;
    let current = page.browser.attribute(&found, "aria-current")?;
    ensure!(current.as_deref() == Some("true"), "{current:?}");
    page.browser.paste(&test("compare-search"), "nothing")?;
    page.wait_for_text(
        "compare-more",
        "No cluster has this text in its name, its localities or its policy.",
    )?;
    page.finish()
}
