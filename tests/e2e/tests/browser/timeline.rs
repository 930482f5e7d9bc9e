//! The Timeline of What-if: documented scenarios, the shown time, clicked faults, links and commands.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use spillgate_e2e::playground::{Playground, test};
use spillgate_e2e::{Workdir, spillgate};
use spillgate_scenario::link;
use spillgate_testkit::repository;

fn open(workdir: &Workdir) -> Result<Playground> {
    let page = Playground::open(workdir)?;
    show_timeline(&page)?;
    Ok(page)
}

fn show_timeline(page: &Playground) -> Result<()> {
    page.click("screen-what-if")?;
    page.click("part-timeline")?;
    page.wait_for_text("timeline-headline", "At ")
}

/// The rows of the table of phases: from and name, then seven numbers.
fn shown_phases(page: &Playground) -> Result<Value> {
    page.browser.script(
        "const rows = document.querySelectorAll('[data-test=timeline-phases] tr');
        return [...rows].map((row) => [...row.cells].slice(1).map((cell) => cell.textContent));",
        vec![],
    )
}

/// The same rows, as the command prints them.
fn simulated_phases(scenario: &Path, seed: u64) -> Result<Value> {
    let words = [
        "simulate".into(),
        scenario.as_os_str().to_owned(),
        "--seed".into(),
        seed.to_string().into(),
        "--format".into(),
        "json".into(),
    ];
    let answer: Value = serde_json::from_str(&spillgate(words)?.output)?;
    let phases = answer["phases"].as_array().context("no phases")?;
    let number = |value: &Value| match value.as_object() {
        Some(counts) => counts.values().filter_map(Value::as_u64).sum::<u64>(),
        None => value.as_u64().unwrap_or_default(),
    };
    let row = |phase: &Value| {
        let name = match phase["name"].as_str() {
            Some("") | None => "start",
            Some(name) => name,
        };
        let columns = [
            "requests", "kept", "moved", "new", "failed", "refused", "hostile",
        ];
        let numbers = columns.map(|column| number(&phase[column]).to_string());
        let row = [name.to_owned()].into_iter().chain(numbers);
        row.collect::<Vec<_>>()
    };
    Ok(json!(phases.iter().map(row).collect::<Vec<_>>()))
}

/// Waits until the playground shows the phases of the command.
fn wait_for_phases(page: &Playground, scenario: &Path, seed: u64) -> Result<()> {
    let expected = simulated_phases(scenario, seed)?;
    page.browser.wait_for(&format!("{scenario:?}"), |_| {
        let found = shown_phases(page)?;
        Ok((found == expected)
            .then_some(())
            .ok_or(format!("{found}, expected {expected}")))
    })
}

#[test]
fn documented_scenarios_have_the_figures_of_the_command() -> Result<()> {
    let workdir = Workdir::new("page_timeline_scenarios")?;
    let page = open(&workdir)?;
    let folder = repository().join("docs/scenarios");
    let mut names = Vec::new();
    for file in fs::read_dir(&folder)? {
        let path = file?.path();
        let name = path.file_stem().context("no name")?;
        names.push(name.to_string_lossy().into_owned());
    }
    ensure!(names.len() >= 6, "{names:?}");
    for name in &names {
        page.choose("timeline-source", name)?;
        let file = folder.join(format!("{name}.yaml"));
        wait_for_phases(&page, &file, 1)?;
        page.enter("timeline-seed", 77)?;
        wait_for_phases(&page, &file, 77)?;
        let command = format!("spillgate simulate docs/scenarios/{name}.yaml --seed 77");
        page.wait_for_text("timeline-command", &command)?;
        if name == "rotation" {
            page.wait_for_text("timeline-broken", "Rule broken at")?;
        }
        for picture in ["load", "heat", "sessions"] {
            let picture = test(&format!("timeline-{picture}"));
            let caption = page.browser.text(&format!("{picture} figcaption"))?;
            let label = page
                .browser
                .attribute(&format!("{picture} [role=img]"), "aria-label")?
                .unwrap_or_default();
            ensure!(
                [&caption, &label]
                    .iter()
                    .all(|text| text.contains(|c: char| c.is_ascii_digit())),
                "{name}: {caption}: {label}"
            );
            ensure!(
                page.browser.count(&format!("{picture} tbody tr"))? > 0,
                "{name}: no table"
            );
        }
    }
    page.finish()
}

#[test]
fn time_can_be_stepped_scrubbed_and_played() -> Result<()> {
    let workdir = Workdir::new("page_timeline_time")?;
    let page = open(&workdir)?;
    page.choose("timeline-source", "failover")?;
    page.wait_for_text("timeline-headline", "At 64 s")?;
    page.wait_for_text("timeline-headline", "secondary P0 takes 100 %")?;
    page.click("timeline-back")?;
    page.wait_for_text("timeline-headline", "At 62 s")?;
    page.click("timeline-step")?;
    page.click("timeline-step")?;
    page.wait_for_text("timeline-headline", "At 66 s")?;
    page.click("timeline-next")?;
    page.wait_for_text("timeline-headline", "At 122 s")?;
    page.enter("timeline-time-number", 30)?;
    page.wait_for_text("timeline-headline", "At 30 s: primary P0 takes 100 %")?;
    // The arrow keys move the slider by an interval.
    page.browser.press(&test("timeline-time"), "\u{e014}")?;
    page.wait_for_text("timeline-headline", "At 32 s")?;
    // A click on a picture shows its time.
    let click = "const picture = document.querySelector('[data-test=timeline-load] [role=img]');
        const area = picture.getBoundingClientRect();
        picture.dispatchEvent(new MouseEvent('click',
            {bubbles: true, clientX: area.left + area.width * 0.4999, clientY: area.top + 5}));";
    page.browser.script(click, vec![])?;
    page.wait_for_text("timeline-headline", "At 120 s")?;
    // Playback stops at the end.
    page.enter("timeline-time-number", 230)?;
    page.wait_for_text("timeline-headline", "At 230 s")?;
    page.choose("timeline-speed", "200")?;
    page.click("timeline-play")?;
    page.browser.wait_for("the end", |_| {
        let (shown, button) = (
            page.shown("timeline-headline")?,
            page.shown("timeline-play")?,
        );
        let ends = shown.starts_with("At 24") && button == "Play";
        Ok(ends.then_some(()).ok_or(format!("{shown} {button}")))
    })?;
    page.finish()
}

#[test]
fn a_clicked_fault_is_in_the_link_and_in_the_command() -> Result<()> {
    let workdir = Workdir::new("page_timeline_click")?;
    let page = open(&workdir)?;
    page.choose("timeline-source", "failover")?;
    page.wait_for_text("timeline-headline", "At 64 s")?;
    page.enter("timeline-seed", 7)?;
    page.wait_for_text("timeline-command", "--seed 7")?;
    page.wait_for_answers()?;
    page.enter("timeline-time-number", 90)?;
    page.wait_for_text("timeline-headline", "At 90 s")?;
    page.click("timeline-host-10.0.1.2:80")?;
    page.wait_for_text("timeline-phases", "host=10.0.1.2:80 UNHEALTHY")?;
    let row = |words: &str| {
        let label = page
            .browser
            .attribute("[data-test=timeline-heat] svg:nth-of-type(5)", "aria-label")?
            .unwrap_or_default()
            .replace('\u{a0}', " ");
        ensure!(label.contains(words), "{label}");
        Ok(())
    };
    row("10.0.1.2:80")?;
    row("unhealthy from 90 s")?;
    // The name of the row now restores the host.
    page.click("timeline-step")?;
    page.wait_for_text("timeline-headline", "At 92 s")?;
    page.click("timeline-host-10.0.1.2:80")?;
    page.wait_for_text("timeline-phases", "host=10.0.1.2:80 HEALTHY")?;
    // Buttons change a whole cluster.
    page.choose("timeline-hosts", "cluster=secondary")?;
    page.enter("timeline-time-number", 150)?;
    page.wait_for_text("timeline-headline", "At 150 s")?;
    page.click("timeline-fail")?;
    page.wait_for_text("timeline-phases", "cluster=secondary UNHEALTHY")?;
    let phases = shown_phases(&page)?;
    let headline = page.shown("timeline-headline")?;

    let command = page
        .browser
        .property(&test("timeline-command"), "textContent")?
        .context("no command")?;
    let file = workdir.path().join("scenario.yaml");
    fs::write(&file, scenario_of(&command)?)?;
    ensure!(simulated_phases(&file, 7)? == phases, "{command}");

    let address = wait_for_view(&page, "cluster=secondary")?;
    page.browser.open_in_new_tab(&address)?;
    page.wait_for_text("timeline-headline", &headline)?;
    ensure!(
        shown_phases(&page)? == phases,
        "the link gives other figures"
    );
    page.click("timeline-undo")?;
    page.browser
        .wait_for("the phases without the last event", |_| {
            let found = shown_phases(&page)?;
            let count = found.as_array().map_or(0, Vec::len);
            let before = phases.as_array().map_or(0, Vec::len);
            Ok((count + 1 == before).then_some(()).ok_or(found.to_string()))
        })?;
    page.finish()
}

/// The scenario file in a command, as a shell prints it.
fn scenario_of(command: &str) -> Result<String> {
    let printed = command.find("printf ").context("no scenario")?;
    let printed = command.get(printed..).unwrap_or_default();
    let (printed, _) = printed
        .rsplit_once(" | spillgate simulate")
        .context("no end")?;
    let output = Command::new("bash").args(["-c", printed]).output()?;
    Ok(String::from_utf8(output.stdout)?)
}

/// Waits until the address has the input of the screen. Returns the address.
fn wait_for_view(page: &Playground, words: &str) -> Result<String> {
    page.browser.wait_for("the address", |browser| {
        let address = browser.url()?;
        let fragment = address.split_once('#').map_or("", |(_, after)| after);
        let view = link::read_view(fragment).unwrap_or_default();
        let has = view.iter().any(|(_, input)| input.contains(words));
        Ok(has.then_some(()).ok_or(address))
    })?;
    page.browser.url()
}

#[test]
fn the_clusters_of_the_page_are_simulated() -> Result<()> {
    let workdir = Workdir::new("page_timeline_own")?;
    let page = Playground::open(&workdir)?;
    for preset in ["documented", "aggregate"] {
        page.click("screen-build")?;
        page.choose("preset", preset)?;
        show_timeline(&page)?;
        page.wait_for_text("timeline-world", "A simulation of the Spillgate filter")?;
        page.wait_for_text("timeline-about", "recover at 75 s")?;
        page.browser.wait_for("the run", |_| {
            let message = page.shown("timeline-message")?;
            Ok(message.is_empty().then_some(()).ok_or(message))
        })?;
        let command = page
            .browser
            .property(&test("timeline-command"), "textContent")?
            .context("no command")?;
        let (decode, _) = command.split_once(" && ").context("no first command")?;
        let code = decode
            .strip_prefix("spillgate link decode ")
            .and_then(|rest| rest.strip_suffix(" > envoy.yaml"))
            .context("no link")?;
        let decoded = spillgate(["link", "decode", code])?;
        fs::write(workdir.path().join("envoy.yaml"), decoded.output)?;
        let file = workdir.path().join("scenario.yaml");
        fs::write(&file, scenario_of(&command)?)?;
        wait_for_phases(&page, &file, 1)?;
    }
    // A cluster without hosts.
    page.click("screen-build")?;
    page.import("name: shop\ntype: EDS\n")?;
    show_timeline(&page)?;
    page.browser.wait_for("another scenario", |browser| {
        let source = browser.property(&test("timeline-source"), "value")?;
        Ok((source.as_deref() == Some("failover"))
            .then_some(())
            .ok_or(format!("{source:?}")))
    })?;
    page.wait_for_text("timeline-instead", "Hosts unknown")?;
    page.wait_for_text("timeline-instead", "documented scenario")?;
    page.finish()
}

#[test]
fn the_page_shows_its_own_names_and_the_command_those_of_the_link() -> Result<()> {
    let workdir = Workdir::new("page_timeline_names")?;
    let page = Playground::open(&workdir)?;
    page.import(include_str!("../../../../envoy-config/zones/envoy.yaml"))?;
    show_timeline(&page)?;
    page.click("timeline-host-10.0.0.1:8080")?;
    page.wait_for_text("timeline-phases", "host=10.0.0.1:8080")?;
    let script = page.browser.property(&test("timeline-script"), "value")?;
    let script = script.context("no script")?;
    ensure!(
        script.contains("target: \"shop\"") && script.contains("host=10.0.0.1:8080"),
        "{script}"
    );
    let command = page.shown("timeline-command")?;
    ensure!(
        command.contains("target: \"c1\"") && command.contains("host=198.18.0.1:8080"),
        "{command}"
    );
    ensure!(!command.contains("10.0.0."), "{command}");
    page.finish()
}

#[test]
fn faults_of_the_script_are_listed_and_the_pictures_stay() -> Result<()> {
    let workdir = Workdir::new("page_timeline_faults")?;
    let page = open(&workdir)?;
    page.browser.paste(
        &test("timeline-script"),
        "config: page\ntarget: shop\nstep: 9\n",
    )?;
    page.wait_for_text("timeline-fault", "3:1 config/unknown-field")?;
    page.wait_for_text("timeline-message", "The script has errors")?;
    page.click("timeline-reset")?;
    page.wait_for_text("timeline-headline", "At ")?;
    page.browser
        .paste(&test("timeline-script"), "drawn: true\nsteps: 100001\n")?;
    page.wait_for_text("timeline-fault", "page/too-large")?;
    page.browser
        .paste(&test("timeline-script"), "drawn: true\nsteps: 300\n")?;
    page.wait_for_text("timeline-headline", "At ")?;
    let disabled = page.browser.property(&test("timeline-fail"), "disabled")?;
    ensure!(
        disabled.as_deref() == Some("true"),
        "a random world has its own events"
    );
    page.finish()
}

#[test]
fn the_screen_fits_a_phone_and_has_all_schemes() -> Result<()> {
    let workdir = Workdir::new("page_timeline_looks")?;
    let page = open(&workdir)?;
    page.choose("timeline-source", "failover")?;
    page.wait_for_text("timeline-headline", "At 64 s")?;
    page.browser.screenshot("timeline")?;
    let media = |features: Value| {
        let features = json!({"features": features});
        page.browser
            .devtools("Emulation.setEmulatedMedia", features)
    };
    media(json!([{"name": "prefers-color-scheme", "value": "dark"}]))?;
    page.browser.screenshot("timeline-dark")?;
    media(json!([{"name": "forced-colors", "value": "active"}]))?;
    page.browser.screenshot("timeline-forced-colors")?;
    media(json!([{"name": "prefers-reduced-motion", "value": "reduce"}]))?;
    page.click("timeline-step")?;
    page.browser.wait_for("no playback", |browser| {
        let has = browser.has(&test("timeline-play"))?;
        Ok((!has).then_some(()).ok_or("a play button".into()))
    })?;
    media(json!([]))?;
    let size = json!({"width": 320, "height": 640, "deviceScaleFactor": 2, "mobile": true});
    page.browser
        .devtools("Emulation.setDeviceMetricsOverride", size)?;
    for source in [
        "failover",
        "rolling-drain",
        "hot-host",
        "rotation",
        "everything",
    ] {
        page.choose("timeline-source", source)?;
        page.browser.wait_for("the run", |_| {
            let message = page.shown("timeline-message")?;
            Ok(message.is_empty().then_some(()).ok_or(message))
        })?;
        page.wait_until_it_fits_a_phone()?;
        page.browser
            .screenshot(&format!("timeline-{source}-phone"))?;
    }
    page.finish()
}
