//! The Fleet screen: callers per zone, the loss of each zone, the command with the same result, a reload.

use anyhow::{Context as _, Result, ensure};
use fantoccini::key::Key;
use serde_json::json;
use spillgate_e2e::playground::{Playground, test};
use spillgate_e2e::{Workdir, run_copied};

use crate::written_input::wait_for_input;

/// The example of docs/how-to/fleet.md.
const FLEET: &str = include_str!("../../../../cli/tests/cli/examples/fleet.yaml");

/// The file names of screenshots, by width and color scheme.
const LOOKS: [(&str, u32, &str); 3] = [
    ("fleet-light", 1_440, "light"),
    ("fleet-dark", 1_440, "dark"),
    ("fleet-phone", 390, "light"),
];

/// Opens the screen with the callers of the manual.
fn open(page: &Playground) -> Result<()> {
    page.import(FLEET)?;
    page.click("screen-what-if")?;
    page.click("part-fleet")?;
    page.choose("cluster", "0")?;
    page.wait_for_text("fleet-headline", "Capacity not known")?;
    page.enter("fleet-callers-a-number", 40)?;
    page.enter("fleet-callers-c-number", 0)?;
    page.enter("fleet-capacity", 100)?;
    page.wait_for_text(
        "fleet-headline",
        "Not safe: Zone c gets 240 % of its capacity if a fails.",
    )
}

#[test]
fn callers_of_each_zone_have_the_loads_of_the_command() -> Result<()> {
    let workdir = Workdir::new("page_fleet")?;
    let page = Playground::open(&workdir)?;
    open(&page)?;
    let senders = "50 callers send 500.0 requests per second to shop (9 hosts).";
    page.wait_for_text("fleet-senders", senders)?;
    page.wait_for_text("fleet-senders", "Zone-aware routing counts these callers.")?;
    for sentence in [
        "If a fails, zone c gets 240 % of its capacity.",
        "If b fails, zone c gets 150 % of its capacity.",
        "If c fails, no host gets more than 71.4 % of its capacity.",
    ] {
        page.wait_for_text("fleet-losses", sentence)?;
    }
    page.wait_for_text("fleet-zones", "285.7")?;
    page.wait_for_text("fleet-priorities", "shop P1")?;
    page.wait_for_text("fleet-hosts", "10.0.2.1:80")?;
    page.wait_for_text("fleet-imbalance", "1.00 times")?;
    page.wait_for_text("fleet-status", "Zone c gets 240 %")?;
    for zone in 0..3 {
        page.enter(&format!("fleet-bytes-{zone}"), 20_000)?;
    }
    page.browser.paste(&test("fleet-price"), "0.01")?;
    page.wait_for_text("fleet-traffic", "0.08")?;
    let command = page.shown("fleet-command")?;
    ensure!(
        command
            == "spillgate fleet envoy.yaml --cluster shop --callers a=40,b=10,c=0 --rps 10 \
                --bytes 20000 --capacity 100rps --cost cross-zone=0.01",
        "{command}"
    );
    let done = run_copied(&workdir, &command, FLEET)?;
    let first = done.output.lines().next().unwrap_or_default();
    ensure!(
        first == "zone c gets 240 % of its capacity if a fails",
        "{first}"
    );
    // Keys only: the slider moves by one caller.
    let right = String::from(char::from(Key::Right)).repeat(5);
    page.browser.press(&test("fleet-callers-c"), &right)?;
    page.wait_for_text("fleet-senders", "55 callers send 550.0")?;
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
    ensure!(wider == 0, "the playground is {wider} pixels too wide");
    page.finish()
}

#[test]
fn a_reload_keeps_the_callers_and_other_choices_have_no_command() -> Result<()> {
    let workdir = Workdir::new("page_fleet_reload")?;
    let page = Playground::open(&workdir)?;
    open(&page)?;
    page.choose("fleet-lost", "move")?;
    page.wait_for_text("fleet-senders", "the others send their requests")?;
    wait_for_input(&page, "fleet", "lost_move")?;
    page.browser.reload()?;
    page.wait_for_text("fleet-senders", "50 callers send 500.0")?;
    page.wait_for_text("fleet-senders", "the others send their requests")?;
    let command = page.shown("fleet-command")?;
    ensure!(command.ends_with("--lost-callers move"), "{command}");
    page.choose("fleet-local", "off")?;
    page.wait_for_text("fleet-senders", "Zone-aware routing is off")?;
    let note = page.browser.text(".fleet .same-report")?;
    ensure!(note.contains("No command has this result"), "{note}");
    let value = page
        .browser
        .attribute(&test("fleet-callers-a"), "aria-label")?;
    let name = value.context("the slider has no name")?;
    ensure!(name == "Callers in zone a", "{name}");
    page.finish()
}
