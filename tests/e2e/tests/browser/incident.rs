//! The Incident screen: the answers of the command, a dragged event, changed settings, the shown moment in Build, a reload.

use anyhow::{Result, ensure};
use serde_json::json;
use spillgate_e2e::playground::{Playground, test};
use spillgate_e2e::{Workdir, run_copied};

use crate::written_input::wait_for_input;

/// Two zones with health checks and outlier detection, and a route with retries.
const CONFIG: &str = include_str!("incident.yaml");

/// The file names of screenshots, by width and color scheme.
const LOOKS: [(&str, u32, &str); 3] = [
    ("incident-light", 1_440, "light"),
    ("incident-dark", 1_440, "dark"),
    ("incident-phone", 390, "light"),
];

fn open(page: &Playground) -> Result<()> {
    page.import(CONFIG)?;
    page.click("screen-what-if")?;
    page.click("part-incident")?;
    page.wait_for_text("incident-headline", "Envoy notices 2 failing hosts within")
}

#[test]
fn the_answers_are_those_of_the_command() -> Result<()> {
    let workdir = Workdir::new("page_incident")?;
    let page = Playground::open(&workdir)?;
    open(&page)?;
    page.enter("incident-rps", 200)?;
    page.choose("incident-kind-0", "errors")?;
    page.enter("incident-amount-0", 80)?;
    page.wait_for_text(
        "incident-command",
        "--errors 'zone=a:80%@10s..70s' --rps 200",
    )?;
    page.wait_for_text("incident-answers", "by consecutive_5xx")?;
    let command = page.shown("incident-command")?;
    let done = run_copied(&workdir, &command, CONFIG)?;
    let headline = page.shown("incident-headline")?;
    let first = done.output.lines().next().unwrap_or_default();
    ensure!(first == format!("shop: {headline}"), "{first}; {headline}");
    for sentence in page.shown("incident-answers")?.lines() {
        let sentence = sentence.trim();
        ensure!(
            done.output.contains(sentence),
            "{sentence}: {}",
            done.output
        );
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
    ensure!(wider == 0, "the playground is {wider} pixels too wide");
    page.finish()
}

/// Presses at a share of the width of the first event's row, moves to another one, and releases.
const DRAG: &str = "
    const row = document.querySelector('[data-test=incident-script] svg.row');
    const { left, width, top } = row.getBoundingClientRect();
    const send = (kind, share) => row.dispatchEvent(new PointerEvent(kind, {
      bubbles: true, cancelable: true, pointerId: 1, clientX: left + share * width, clientY: top + 5 }));
    const [from, to] = arguments;
    send('pointerdown', from);
    await new Promise(requestAnimationFrame);
    send('pointermove', to);
    await new Promise(requestAnimationFrame);
    send('pointerup', to);";

#[test]
fn a_dragged_event_and_changed_settings_survive_a_reload() -> Result<()> {
    let workdir = Workdir::new("page_incident_reload")?;
    let page = Playground::open(&workdir)?;
    open(&page)?;
    // From 10 s to 70 s of 190 s: its end moves to 95 s.
    let drag = format!("return (async (...arguments) => {{{DRAG}}})(...arguments);");
    page.browser
        .script(&drag, vec![json!(70.0 / 190.0), json!(0.502)])?;
    page.wait_for_text("incident-command", "--fail 'zone=a@10s..95s'")?;
    page.browser
        .paste(&test("incident-health_checks-interval"), "20s")?;
    page.browser
        .press(&test("incident-health_checks-interval"), "\u{e007}")?;
    page.wait_for_text("incident-times", "20s")?;
    wait_for_input(&page, "incident", "c:health_checks:interval:20s")?;
    page.browser.reload()?;
    page.wait_for_text("incident-times", "20s")?;
    let note = page.browser.text(".incident .same-report")?;
    ensure!(note.contains("No command has this answer"), "{note}");
    page.click("incident-settings-reset")?;
    page.wait_for_text("incident-command", "--fail 'zone=a@10s..95s'")?;
    page.finish()
}

#[test]
fn the_shown_moment_opens_in_build() -> Result<()> {
    let workdir = Workdir::new("page_incident_moment")?;
    let page = Playground::open(&workdir)?;
    open(&page)?;
    page.enter("incident-time-number", 50)?;
    page.wait_for_text("incident-moment", "At 50 s: 2 of 4 hosts are usable")?;
    page.click("incident-open")?;
    // Zone a has failed its checks.
    let health = page.health("P0/0")?;
    ensure!(health == "unhealthy", "{health}");
    let health = page.health("P0/2")?;
    ensure!(health == "healthy", "{health}");
    page.finish()
}

#[test]
fn clusters_without_health_checks_have_an_example() -> Result<()> {
    let workdir = Workdir::new("page_incident_example")?;
    let page = Playground::open(&workdir)?;
    page.click("screen-what-if")?;
    page.click("part-incident")?;
    page.wait_for_text("incident-doubts", "example")?;
    page.wait_for_text("incident-headline", "Envoy notices")?;
    page.choose("incident-health_checks", "off")?;
    page.wait_for_text("incident-headline", "does not notice")?;
    page.choose("incident-health_checks", "on")?;
    page.wait_for_text("incident-headline", "Envoy notices")?;
    page.finish()
}
