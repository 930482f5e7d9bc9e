//! The Incident screen: the answers of the command, a dragged event, changed settings, the shown moment in Build, a reload.

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use spillgate_e2e::playground::{Playground, test};
use spillgate_e2e::{Workdir, run_copied};

use crate::written_input::wait_for_input;

/// Two zones with health checks and outlier detection, and a route with retries.
const CONFIG: &str = include_str!("incident.yaml");

/// The same with sessions.
const SESSIONS: &str = include_str!("../../../../cli/tests/cli/examples/sessions.yaml");

/// The file names of screenshots, by width and color scheme.
const LOOKS: [(&str, u32, &str); 3] = [
    ("incident-light", 1_440, "light"),
    ("incident-dark", 1_440, "dark"),
    ("incident-phone", 390, "light"),
];

/// The pixels by which the table of changes is wider and higher than its place.
const CUT_OFF: &str = "
    const place = document.querySelector('[data-test=incident-changes]').parentElement;
    return [place.scrollWidth - place.clientWidth, place.scrollHeight - place.clientHeight];";

fn show(page: &Playground) -> Result<()> {
    page.click("screen-what-if")?;
    page.click("part-incident")
}

fn open(page: &Playground) -> Result<()> {
    page.import(CONFIG)?;
    show(page)?;
    page.wait_for_text("incident-headline", "Envoy notices 2 failing hosts within")
}

#[test]
fn the_answers_are_those_of_the_command() -> Result<()> {
    let workdir = Workdir::new("page_incident")?;
    let page = Playground::open(&workdir)?;
    open(&page)?;
    page.enter("incident-rps", 200)?;
    page.enter("incident-service-time", 20)?;
    page.choose("incident-kind-0", "errors")?;
    page.enter("incident-amount-0", 80)?;
    page.wait_for_text(
        "incident-command",
        "--errors 'zone=a:80%@10s..70s' --rps 200 --service-time 20ms",
    )?;
    page.wait_for_answers()?;
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
        let cut = page.browser.script(CUT_OFF, vec![])?;
        ensure!(cut == json!([0, 0]), "{name}: the table lacks {cut} pixels");
    }
    let wide =
        "return document.documentElement.scrollWidth - document.documentElement.clientWidth;";
    let wider = page.browser.script(wide, vec![])?;
    ensure!(wider == 0, "the playground is {wider} pixels too wide");
    page.finish()
}

#[test]
fn sessions_move_as_in_the_command() -> Result<()> {
    let workdir = Workdir::new("page_incident_sessions")?;
    let page = Playground::open(&workdir)?;
    page.import(SESSIONS)?;
    show(&page)?;
    page.wait_for_text(
        "incident-doubts",
        "I don't know how many clients have a session",
    )?;
    page.enter("incident-sessions", 500)?;
    page.wait_for_text("incident-command", "--sessions 500")?;
    page.wait_for_answers()?;
    page.wait_for_text(
        "incident-answers",
        "Sessions of 500 clients move to another host",
    )?;
    let command = page.shown("incident-command")?;
    let done = run_copied(&workdir, &command, SESSIONS)?;
    for sentence in page.shown("incident-answers")?.lines() {
        let sentence = sentence.trim();
        ensure!(
            done.output.contains(sentence),
            "{sentence}: {}",
            done.output
        );
    }
    page.browser.screenshot("incident-sessions")?;
    page.finish()
}

/// Keeps, after each change of the screen, whether it is busy and its command.
const OBSERVE: &str = "
    const screen = document.querySelector('main.incident');
    const command = () => document.querySelector('[data-test=incident-command]').textContent;
    window.observed = [];
    new MutationObserver(() => observed.push([screen.getAttribute('aria-busy'), command()]))
      .observe(screen, { attributes: true, characterData: true, childList: true, subtree: true });";

#[test]
fn the_answer_to_an_earlier_question_is_busy() -> Result<()> {
    let workdir = Workdir::new("page_incident_busy")?;
    let page = Playground::open(&workdir)?;
    open(&page)?;
    page.wait_for_answers()?;
    page.browser.script(OBSERVE, vec![])?;
    page.enter("incident-rps", 300)?;
    page.wait_for_text("incident-command", "--rps 300")?;
    page.wait_for_answers()?;
    let observed = page.browser.script("return observed;", vec![])?;
    let observed = observed.as_array().context("no list")?;
    let new = observed.iter().filter(|seen| {
        let command = seen[1].as_str();
        command.is_some_and(|command| command.contains("--rps 300"))
    });
    let mut busy: Vec<_> = new.map(|seen| &seen[0]).collect();
    busy.dedup();
    // The new command is first next to the earlier answer.
    ensure!(busy == [&json!("true"), &json!("false")], "{observed:?}");
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
    page.wait_for_text(
        "incident-moment",
        "At 50 s: Envoy considers 2 of 4 hosts usable",
    )?;
    // Any time, not only those of the slider.
    page.browser
        .paste(&test("incident-time-number"), "10.201")?;
    page.wait_for_text("incident-moment", "At 10.201 s: Envoy considers ")?;
    wait_for_input(&page, "incident", "at10201")?;
    page.enter("incident-time-number", 50)?;
    page.wait_for_text("incident-moment", "At 50 s: ")?;
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
    show(&page)?;
    page.wait_for_text(
        "incident-doubts",
        "no imported configuration with health checks",
    )?;
    page.wait_for_text("incident-headline", "Envoy notices")?;
    page.choose("incident-health_checks", "off")?;
    page.wait_for_text("incident-headline", "does not notice")?;
    page.choose("incident-health_checks", "on")?;
    page.wait_for_text("incident-headline", "Envoy notices")?;
    page.finish()
}

/// Whether the answers are marked as those to an earlier question.
const IS_OLD: &str = "return document.querySelector('main.incident').classList.contains('old');";

#[test]
fn faults_are_at_their_fields_and_the_last_answers_are_marked() -> Result<()> {
    let workdir = Workdir::new("page_incident_faults")?;
    let page = Playground::open(&workdir)?;
    open(&page)?;
    let set = |name: &str, value: &str| {
        page.browser.paste(&test(name), value)?;
        page.browser.press(&test(name), "\u{e007}")
    };
    let before = "the answers, pictures and tables are those before it";
    for (name, value, fault) in [
        ("health_checks-interval", "0s", "a time of at least 1ms"),
        ("health_checks-interval", "abc", "not a time"),
        (
            "outlier_detection-max_ejection_percent",
            "150",
            "expected a number from 0 to 100",
        ),
    ] {
        set(&format!("incident-{name}"), value)?;
        page.wait_for_text(&format!("incident-{name}-about"), fault)?;
        page.wait_for_text("incident-fault", before)?;
        let is_old = page.browser.script(IS_OLD, vec![])?;
        ensure!(is_old == true, "{name} {value}");
    }
    page.browser.screenshot("incident-faults")?;
    // No field has a value of the last answers after a reload, and the changes can be removed.
    wait_for_input(
        &page,
        "incident",
        "c:outlier_detection:max_ejection_percent:150",
    )?;
    page.browser.reload()?;
    page.wait_for_text("incident-fault", "expected a number from 0 to 100")?;
    page.click("incident-settings-reset")?;
    page.wait_for_text("incident-headline", "Envoy notices 2 failing hosts within")?;
    page.enter("incident-until", 5)?;
    page.wait_for_text("incident-fault", before)?;
    let fault = page.browser.text(".event-row [role=alert]")?;
    let expected =
        "the event is after the simulated time: found \"10s..70s\", expected a start before 5s";
    ensure!(fault.starts_with(expected), "{fault}");
    ensure!(
        !page.browser.has(&test("incident-command"))?,
        "a command that fails"
    );
    page.enter("incident-until", 100)?;
    page.wait_for_text("incident-command", "--until 100s")?;
    let is_old = page.browser.script(IS_OLD, vec![])?;
    ensure!(is_old == false, "the answers are new");
    page.finish()
}
