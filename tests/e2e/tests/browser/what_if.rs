//! The What-if screen: import a configuration, lose hosts, add expectations, copy the command.

use anyhow::{Context as _, Result, ensure};
use fantoccini::key::Key;
use serde_json::json;
use spillgate_e2e::playground::{Playground, test};
use spillgate_e2e::{Workdir, run_copied};

/// Ten hosts in zone a, then six in zone b and four in zone c: the file of docs/what-if.md.
const ZONES: &str = include_str!("../../../../envoy-config/zones/envoy.yaml");

fn open(workdir: &Workdir) -> Result<Playground> {
    let page = Playground::open(workdir)?;
    page.import(ZONES)?;
    page.click("screen-what-if")?;
    Ok(page)
}

#[test]
fn losses_expectations_and_the_command_of_an_import() -> Result<()> {
    let workdir = Workdir::new("page_what_if")?;
    let page = open(&workdir)?;
    // The screen starts with 40 % of the largest zone, and has the text of the command.
    let first = "Spillover: P0 takes 84 % of the traffic, P1 takes 16 %.";
    page.wait_for_text("what-if-losses", "If zone a loses 4 of 10 hosts")?;
    page.wait_for_text("what-if-headline", first)?;
    page.wait_for_text("what-if-reason", "P0: 6 of 10 hosts × 1.4 = 84 %.")?;
    page.wait_for_text("before-P0", "100 %")?;
    page.wait_for_text("after-P0", "84 %")?;
    page.wait_for_text("what-if-facts", "after losing 3 hosts: P0 spills over")?;
    page.wait_for_text("what-if-facts", "1.4 times its load")?;
    page.browser.screenshot("what-if")?;

    // Keys only: the slider moves by one percent, rounded to whole hosts.
    let right = String::from(char::from(Key::Right)).repeat(5);
    page.browser.press(&test("loss"), &right)?;
    page.wait_for_text("what-if-losses", "zone a loses 5 of 10 hosts")?;
    page.enter("loss-number", 100)?;
    page.wait_for_text("what-if-headline", "P1 takes 100 %")?;
    page.choose("loss-of", "priority=1")?;
    page.wait_for_text("what-if-losses", "P1 loses 10 of 10 hosts")?;
    page.choose("loss-of", "zone=a")?;
    page.enter("loss-number", 40)?;
    page.wait_for_text("what-if-headline", first)?;

    // The suggested expectation holds; a typed one fails, and a third one is invalid.
    page.click("expectation-add")?;
    page.wait_for_text("expectation", "load(P0) >= 80")?;
    page.wait_for_text("expectation", "ok: 84.0")?;
    page.browser
        .paste(&test("expectation-text"), "overload <= 1.2")?;
    page.click("expectation-add")?;
    let second = format!("li:nth-child(2){}", test("expectation"));
    page.browser.wait_for("a failed expectation", |browser| {
        let text = browser.text(&second)?;
        Ok(text.contains("failed: 1.4").then_some(()).ok_or(text))
    })?;
    page.browser
        .paste(&test("expectation-text"), "load(P7) > 1")?;
    page.click("expectation-add")?;
    page.wait_for_text("expectation-message", "expected one of P0, P1")?;
    let command = page.shown("command")?;
    ensure!(
        command
            == "spillgate what-if envoy.yaml --cluster shop --lose zone=a:40% \
                --expect 'load(P0) >= 80' --expect 'overload <= 1.2'",
        "{command}"
    );
    // The command has the same results: the first expectation holds, the second fails.
    let done = run_copied(&workdir, &command, ZONES)?;
    ensure!(done.negative, "no expectation fails: {}", done.output);
    for row in ["load(P0) >= 80 84 ok", "overload <= 1.2 1.4 FAILED"] {
        let is_row = |line: &str| line.split_whitespace().eq(row.split(' '));
        let found = done.output.lines().any(is_row);
        ensure!(found, "no {row:?} in {}", done.output);
    }
    // The other screen keeps the input.
    page.click("screen-build")?;
    page.wait_for_headline(&["P0 takes 100 %"])?;
    page.click("screen-what-if")?;
    page.wait_for_text("what-if-headline", first)?;
    page.finish()
}

/// The cell of a zone and a loss.
fn cell(zone: usize, step: usize) -> String {
    format!(
        "{} tr:nth-child({zone}) td:nth-child({}) button",
        test("matrix"),
        step + 1
    )
}

#[test]
fn cells_of_the_matrix_and_the_sweep_set_the_loss() -> Result<()> {
    let workdir = Workdir::new("page_what_if_matrix")?;
    let page = open(&workdir)?;
    let name = |zone, step| page.browser.attribute(&cell(zone, step), "aria-label");
    let words = name(1, 4)?.context("no words")?.replace('\u{a0}', " ");
    ensure!(
        words == "zone a loses 40 %, 4 hosts: 16 % of the requests move to other priorities",
        "{words}"
    );
    ensure!(page.browser.text(&cell(1, 4))? == "16");
    let pressed = |zone, step| -> Result<bool> {
        let pressed = page.browser.attribute(&cell(zone, step), "aria-pressed")?;
        Ok(pressed.as_deref() == Some("true"))
    };
    ensure!(pressed(1, 4)?, "the cell of the question is not marked");
    page.browser.click(&cell(1, 8))?;
    page.wait_for_text("what-if-losses", "zone a loses 8 of 10 hosts")?;
    ensure!(pressed(1, 8)? && !pressed(1, 4)?);
    // The arrow keys go from cell to cell; the cell of the question is the only one in the tab order.
    let down = String::from(char::from(Key::Down));
    page.browser.press(&cell(1, 8), &down)?;
    page.wait_for_text("what-if-losses", "zone b loses 5 of 6 hosts")?;
    let stops = format!("{} [tabindex=\"0\"]", test("matrix"));
    ensure!(page.browser.count(&stops)? == 1);
    let focused = page
        .browser
        .script("return document.activeElement.ariaLabel;", vec![])?;
    let focused = focused.as_str().unwrap_or_default().replace('\u{a0}', " ");
    ensure!(focused.starts_with("zone b loses 80 %"), "{focused}");
    // A drag in the sweep sets the number of lost hosts.
    page.choose("loss-of", "zone=a")?;
    let drag = "const field = document.querySelector(arguments[0]);
        field.value = 7;
        field.dispatchEvent(new Event('input', {bubbles: true}));";
    page.browser.script(drag, vec![json!(test("sweep-drag"))])?;
    page.wait_for_text("what-if-losses", "zone a loses 7 of 10 hosts")?;
    // The table and the name of the picture have the figures of every loss.
    page.browser.click("details.as-table > summary")?;
    page.wait_for_text("sweep-table", "P0")?;
    let rows = page
        .browser
        .count(&format!("{} tbody tr", test("sweep-table")))?;
    ensure!(rows == 9, "{rows} rows: 0 to 2, and 3 to 10 lost hosts");
    let spoken = page
        .browser
        .attribute(".sweep svg", "aria-label")?
        .unwrap_or_default()
        .replace('\u{a0}', " ");
    ensure!(
        spoken.contains("0 to 2 hosts lost: P0 100 %; 3 hosts lost: P0 98 %, P1 2 %"),
        "{spoken}"
    );
    page.finish()
}

#[test]
fn several_losses_add_up_in_hosts_and_in_percent() -> Result<()> {
    let workdir = Workdir::new("page_what_if_several")?;
    let page = open(&workdir)?;
    // The same loss in hosts.
    page.choose("loss-unit", "hosts")?;
    page.wait_for_text("loss-count", "4 of 10 hosts")?;
    page.choose("loss-of", "priority=0")?;
    page.enter("loss-number", 3)?;
    page.wait_for_text("what-if-losses", "P0 loses 3 of 10 hosts")?;
    page.wait_for_text("after-P0", "98 %")?;
    page.click("loss-add")?;
    page.browser
        .wait_for("the focus on the new loss", |browser| {
            let focused = browser.script("return document.activeElement.id;", vec![])?;
            Ok((focused == "loss-of-2")
                .then_some(())
                .ok_or(focused.to_string()))
        })?;
    page.choose("loss-of-2", "zone=b")?;
    page.choose("loss-unit-2", "percent")?;
    page.enter("loss-number-2", 100)?;
    page.wait_for_text(
        "what-if-losses",
        "If P0 loses 3 of 10 hosts and zone b loses 6 of 6 hosts (9 hosts in all)",
    )?;
    // Both states are pictures, whose names are their headlines.
    let picture = |which: &str| -> Result<String> {
        let figure = format!("{} svg", test(which));
        let name = page.browser.attribute(&figure, "aria-label")?;
        Ok(name.unwrap_or_default().replace('\u{a0}', " "))
    };
    ensure!(
        picture("before")?.contains("P0 takes 100 %"),
        "{}",
        picture("before")?
    );
    let after = page.shown("what-if-headline")?;
    ensure!(
        picture("after")?.starts_with(&after),
        "{after}: {}",
        picture("after")?
    );
    // The sweep changes the latest loss, in addition to the other one.
    page.wait_for_text("what-if-facts", "panic")?;
    let caption = page.browser.text(".sweep figcaption")?;
    ensure!(
        caption.contains("zone b loses 0 to 6 hosts, in addition to the other losses"),
        "{caption}"
    );
    let command = page.shown("command")?;
    ensure!(
        command
            == "spillgate what-if envoy.yaml --cluster shop --lose priority=0:3 --lose zone=b:100%",
        "{command}"
    );
    let done = run_copied(&workdir, &command, ZONES)?;
    ensure!(
        done.output.contains("loses 9 of 20 hosts"),
        "{}",
        done.output
    );
    page.click("loss-remove-2")?;
    page.wait_for_text("what-if-losses", "If P0 loses 3 of 10 hosts:")?;
    page.finish()
}

#[test]
fn the_command_contains_the_edits() -> Result<()> {
    let workdir = Workdir::new("page_what_if_link")?;
    let page = open(&workdir)?;
    page.click("screen-build")?;
    page.enter("healthy-P0-number", 5)?;
    page.wait_for_headline(&["P0 takes 70 %"])?;
    page.click("screen-what-if")?;
    // Five hosts of zone a are usable: three are left.
    page.enter("loss-number", 40)?;
    page.wait_for_text("what-if-losses", "zone a loses 2 of 5 usable hosts")?;
    page.wait_for_text("what-if-headline", "P0 takes 42 %")?;
    page.browser
        .paste(&test("expectation-text"), "load(P0) = 42")?;
    page.click("expectation-add")?;
    page.wait_for_text("expectation", "ok: 42.0")?;
    let command = page.shown("command")?;
    ensure!(command.starts_with("spillgate link decode 1"), "{command}");
    let done = run_copied(&workdir, &command, ZONES)?;
    ensure!(!done.negative, "an expectation fails: {}", done.output);
    // The command follows the choice to include addresses.
    page.click("share")?;
    page.click("share-addresses")?;
    page.browser.click("dialog [aria-label=Close]")?;
    page.browser.wait_for("a command with addresses", |_| {
        let now = page.shown("command")?;
        Ok((now != command).then_some(()).ok_or(now))
    })?;
    page.finish()
}

#[test]
fn the_screen_fits_a_phone_and_has_a_dark_scheme() -> Result<()> {
    let workdir = Workdir::new("page_what_if_phone")?;
    let page = open(&workdir)?;
    page.wait_for_text("matrix", "a")?;
    let dark = json!({"features": [{"name": "prefers-color-scheme", "value": "dark"}]});
    page.browser.devtools("Emulation.setEmulatedMedia", dark)?;
    page.browser.screenshot("what-if-dark")?;
    let size = json!({"width": 320, "height": 640, "deviceScaleFactor": 2, "mobile": true});
    page.browser
        .devtools("Emulation.setDeviceMetricsOverride", size)?;
    page.wait_until_it_fits_a_phone()?;
    page.browser.screenshot("what-if-phone")?;
    // Members of an aggregate with their names, several expectations, a command with a link, panic mode.
    for (preset, zone) in [("shop", "zone=a"), ("panic", "priority=0")] {
        page.click("screen-build")?;
        page.choose("preset", preset)?;
        page.browser.script("scrollTo(0, 0);", vec![])?;
        page.click("screen-what-if")?;
        page.choose("loss-of", zone)?;
        page.enter("loss-number", 90)?;
        page.wait_for_text("what-if-losses", "loses")?;
        page.click("expectation-add")?;
        page.wait_for_text("expectation", ":")?;
        page.wait_until_it_fits_a_phone()?;
        page.browser
            .screenshot(&format!("what-if-{preset}-phone"))?;
    }
    page.browser
        .devtools("Emulation.clearDeviceMetricsOverride", json!({}))?;
    page.browser.screenshot("what-if-panic")?;
    page.finish()
}
