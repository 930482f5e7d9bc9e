//! The Trace screen step by step: the walk, the lines of the import, the command, and scenario files.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use spillgate_e2e::playground::{Playground, test};
use spillgate_e2e::{Workdir, run_copied};

/// Subsets with a ring, a random choice and a schedule.
const CLUSTERS: &str = include_str!("../../../../playground/src/view/screens/trace/clusters.yaml");

/// The Enter key.
const ENTER: &str = "\u{e007}";

fn open(workdir: &Workdir, cluster: &str) -> Result<Playground> {
    let page = Playground::open(workdir)?;
    page.import(CLUSTERS)?;
    page.choose("cluster", cluster)?;
    page.click("screen-trace")?;
    page.wait_for_text("trace-headline", "The request")?;
    Ok(page)
}

/// The number of the marked step in the list; 0 without any.
fn current(page: &Playground) -> Result<u64> {
    let script = "const steps = [...document.querySelectorAll('[data-test=trace-steps] > li')];
        return steps.findIndex((step) => step.getAttribute('aria-current') === 'step') + 1;";
    let at = page.browser.script(script, vec![])?;
    at.as_u64().context("no number")
}

/// Waits until the address has a setting, because the playground writes it a moment later.
fn wait_for_address(page: &Playground, is: impl Fn(&(String, String)) -> bool) -> Result<()> {
    page.browser.wait_for("the address", |browser| {
        let address = browser.url()?;
        let fragment = address.split_once('#').map_or("", |(_, after)| after);
        let view = spillgate_scenario::link::read_view(fragment).unwrap_or_default();
        Ok(view.iter().any(&is).then_some(()).ok_or(address))
    })
}

fn wait_for_step(page: &Playground, at: u64) -> Result<()> {
    page.browser.wait_for("a step", |_| {
        let found = current(page)?;
        Ok((found == at).then_some(()).ok_or(format!("step {found}")))
    })
}

#[test]
fn the_steps_are_walked_by_keyboard() -> Result<()> {
    let workdir = Workdir::new("page_trace_walk")?;
    let page = open(&workdir, "0")?;
    let steps = page
        .browser
        .count(&format!("{} > li", test("trace-steps")))? as u64;
    ensure!(steps > 3 && current(&page)? == 0, "{steps} steps");
    let press = |name: &str| page.browser.press(&test(name), ENTER);
    press("trace-next")?;
    wait_for_step(&page, 1)?;
    page.wait_for_text("trace-current", &format!("Step 1 of {steps}"))?;
    page.wait_for_text("trace-status", &format!("Step 1 of {steps}, route"))?;
    // The keys of the playground, from anywhere outside of a field.
    page.browser.press(&test("trace-next"), "]")?;
    wait_for_step(&page, 2)?;
    page.browser.press(&test("trace-next"), "[")?;
    wait_for_step(&page, 1)?;
    press(&format!("trace-path-{steps}"))?;
    wait_for_step(&page, steps)?;
    let marked = page
        .browser
        .count(".at-step [data-test=inspector-ring], .at-step [data-test=inspector-queue]")?;
    ensure!(marked == 1, "the inspector of the host is marked");
    // A link has the step.
    let asked = format!("step={steps}\n");
    wait_for_address(&page, |(_, input)| input.contains(&asked))?;
    page.browser.reload()?;
    page.wait_for_text("trace-headline", "The request")?;
    wait_for_step(&page, steps)?;
    page.browser.screenshot("trace-walk")?;
    press("trace-all")?;
    wait_for_step(&page, 0)?;
    page.finish()
}

#[test]
fn steps_play_only_after_the_user_starts_them() -> Result<()> {
    let workdir = Workdir::new("page_trace_play")?;
    let page = open(&workdir, "1")?;
    wait_for_address(&page, |(name, value)| name == "screen" && value == "trace")?;
    let reduced = json!({"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]});
    page.browser
        .devtools("Emulation.setEmulatedMedia", reduced)?;
    page.browser.reload()?;
    page.wait_for_text("trace-headline", "The request")?;
    let pace = page.browser.property(&test("trace-pace"), "value")?;
    ensure!(pace.as_deref() == Some("4000"), "{pace:?}");
    ensure!(current(&page)? == 0, "nothing moves at first");
    page.choose("trace-pace", "1000")?;
    page.browser.press(&test("trace-play"), ENTER)?;
    wait_for_step(&page, 1)?;
    page.wait_for_text("trace-play", "Pause")?;
    let steps = page
        .browser
        .count(&format!("{} > li", test("trace-steps")))? as u64;
    wait_for_step(&page, steps)?;
    page.wait_for_text("trace-play", "Play")?;
    page.finish()
}

#[test]
fn each_step_has_the_line_of_the_command_and_opens_the_import_there() -> Result<()> {
    let workdir = Workdir::new("page_trace_lines")?;
    let page = open(&workdir, "0")?;
    page.choose("trace-criterion-stage", "prod")?;
    page.wait_for_text("trace-step-criteria", "stage=prod")?;
    let command = page.shown("trace-command")? + " --format json";
    let done = run_copied(&workdir, &command, CLUSTERS)?;
    let answer: Value = serde_json::from_str(&done.output)?;
    let steps = answer["steps"].as_array().context("no steps")?;
    for step in steps {
        let name = step["step"].as_str().context("no name")?;
        let at = &step["at"];
        // The criteria of the request are not in the configuration.
        if at.is_null() {
            let place = test(&format!("trace-place-{name}"));
            ensure!(!page.browser.has(&place)?, "{name} has a line");
            continue;
        }
        let place = format!("line {}, column {}", at["line"], at["column"]);
        page.wait_for_text(&format!("trace-step-{name}"), &place)?;
    }
    page.wait_for_text("trace-step-host", "10.0.0.")?;
    page.browser.press(&test("trace-place-host"), ENTER)?;
    page.browser.wait_for("the import dialog", |browser| {
        Ok(browser
            .has("dialog.import")?
            .then_some(())
            .ok_or_else(|| "no dialog".to_owned()))
    })?;
    page.browser.wait_for("the caret", |browser| {
        let script = "const area = document.querySelector('dialog.import textarea');
            return area.value.slice(0, area.selectionStart).split('\\n').length;";
        let line = browser.script(script, vec![])?;
        let expected = &steps.last().context("no step")?["at"]["line"];
        Ok((line == *expected)
            .then_some(())
            .ok_or(format!("{line}, expected {expected}")))
    })?;
    page.browser.press("dialog.import textarea", "\u{e00c}")?;
    // An edit of the settings removes the lines; one of the health of a host does not.
    page.click("screen-build")?;
    page.enter("healthy-P0-number", 3)?;
    page.click("screen-trace")?;
    page.wait_for_text("trace-step-host", "line ")?;
    page.finish()
}

#[test]
fn the_command_has_the_decision_of_the_screen() -> Result<()> {
    let workdir = Workdir::new("page_trace_command")?;
    let page = open(&workdir, "0")?;
    let check = |host: &str| -> Result<()> {
        page.wait_for_text("trace-headline", host)?;
        let headline = page.shown("trace-headline")?;
        let command = page.shown("trace-command")? + " --format json";
        let done = run_copied(&workdir, &command, CLUSTERS)?;
        let answer: Value = serde_json::from_str(&done.output)?;
        let endpoint = answer["endpoint"].as_str().context("no host")?;
        ensure!(
            headline.contains(endpoint),
            "{headline}, but {command} chooses {endpoint}"
        );
        Ok(())
    };
    check("10.0.0.")?;
    page.enter("trace-seed", 12)?;
    page.choose("trace-criterion-stage", "prod")?;
    page.browser.paste(&test("trace-key"), "ann's key")?;
    page.wait_for_text("trace-command", "--hash-key")?;
    check("10.0.0.")?;
    page.choose("trace-criterion-version", "2")?;
    page.wait_for_text("trace-command", "version=2")?;
    check("10.0.0.1:80")?;
    page.click("trace-keep")?;
    page.wait_for_text("trace-command", "--session-host 10.0.0.1:80")?;
    page.choose("trace-criterion-version", "1")?;
    check("10.0.0.1:80")?;
    page.choose("trace-session", "spillgate")?;
    page.wait_for_text("trace-no-command", "configuration and keys")?;
    // An edited scenario is a link, without addresses unless the user includes them.
    page.click("screen-build")?;
    page.choose("cluster", "1")?;
    page.enter("healthy-P0-number", 2)?;
    page.click("screen-trace")?;
    page.choose("trace-session", "none")?;
    page.wait_for_text("trace-command", "spillgate link decode 1")?;
    page.browser.paste(&test("trace-active"), "10.0.1.1:80=4")?;
    page.wait_for_text("trace-command", "--active 198.18.")?;
    page.click("share")?;
    page.click("share-addresses")?;
    page.browser.click("dialog [aria-label=Close]")?;
    page.wait_for_text("trace-command", "--active 10.0.1.1:80=4")?;
    page.wait_for_text("trace-command", "--cluster stock")?;
    check("10.0.1.")?;
    page.finish()
}

#[test]
fn scenario_files_open_their_screen() -> Result<()> {
    let workdir = Workdir::new("page_trace_scenario")?;
    let page = Playground::open(&workdir)?;
    let question = "node: {metadata: {spillgate: {cluster: stock, lose: [], expect: [], view: \
                    {screen: trace, trace: \"seed=12\\n\"}}}}\n";
    page.import(&format!("{question}{CLUSTERS}"))?;
    page.wait_for_text("trace-headline", "10.0.1.")?;
    let seed = page.browser.property(&test("trace-seed"), "value")?;
    ensure!(seed.as_deref() == Some("12"), "{seed:?}");
    // The Back button returns to the first screen.
    page.browser.script("history.back();", vec![])?;
    page.wait_for_headline(&["P0 takes"])?;
    page.click("import")?;
    page.browser.paste(
        "dialog.import textarea",
        include_str!("../../../../docs/scenarios/failover.yaml"),
    )?;
    page.apply_import()?;
    page.wait_for_text("timeline-phases", "cluster=primary UNHEALTHY")?;
    page.finish()
}

#[test]
fn the_walk_fits_a_phone_and_has_all_schemes() -> Result<()> {
    let workdir = Workdir::new("page_trace_walk_phone")?;
    let page = open(&workdir, "0")?;
    page.click("trace-path-3")?;
    wait_for_step(&page, 3)?;
    let media = |features: Value| {
        let features = json!({"features": features});
        page.browser
            .devtools("Emulation.setEmulatedMedia", features)
    };
    page.browser.screenshot("trace-walk-light")?;
    media(json!([{"name": "prefers-color-scheme", "value": "dark"}]))?;
    page.browser.screenshot("trace-walk-dark")?;
    media(json!([{"name": "forced-colors", "value": "active"}]))?;
    page.browser.screenshot("trace-walk-forced-colors")?;
    media(json!([]))?;
    let size = json!({"width": 320, "height": 640, "deviceScaleFactor": 2, "mobile": true});
    page.browser
        .devtools("Emulation.setDeviceMetricsOverride", size)?;
    page.wait_until_it_fits_a_phone()?;
    page.browser.screenshot("trace-walk-phone")?;
    page.finish()
}
