//! The Learn screen: all lessons by keyboard, with the engine's figures.

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};
use spillgate_config::envoy::{Format, read};
use spillgate_core::model::Metadata;
use spillgate_core::route::RouteAction;
use spillgate_e2e::Workdir;
use spillgate_e2e::playground::{Playground, test};
use spillgate_scenario::{EditedScenario, ScenarioOutcome, decimal, whole};

/// The lessons with a table of priorities; the others list zones or hosts.
const WITH_PRIORITIES: [usize; 6] = [1, 2, 3, 4, 5, 7];

/// Waits until the address bar has a text in the input of the screen.
fn wait_for_link(page: &Playground, words: &str) -> Result<()> {
    page.browser.wait_for("the link", |browser| {
        let address = browser.url()?;
        let fragment = address.split_once('#').map_or("", |(_, after)| after);
        let view = spillgate_scenario::link::read_view(fragment).unwrap_or_default();
        let has = view.iter().any(|(_, input)| input.contains(words));
        Ok(has.then_some(()).ok_or(address))
    })
}

/// Presses a key wherever the focus is.
fn key(page: &Playground, key: &str, code: u32) -> Result<()> {
    key_with(page, key, code, 0)
}

/// The same with modifiers: 8 is Shift.
fn key_with(page: &Playground, key: &str, code: u32, modifiers: u32) -> Result<()> {
    let text = match key {
        "Enter" => "\r",
        one if one.len() == 1 => one,
        _ => "",
    };
    for kind in ["keyDown", "keyUp"] {
        let event = json!({
            "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text,
            "modifiers": modifiers,
        });
        page.browser.devtools("Input.dispatchKeyEvent", event)?;
    }
    Ok(())
}

fn focused(page: &Playground) -> Result<Value> {
    let script = "return document.activeElement?.dataset.test ?? null;";
    page.browser.script(script, vec![])
}

/// Presses Tab until the element with that `data-test` has the focus.
fn tab_to(page: &Playground, name: &str) -> Result<()> {
    tab(page, name, 0)
}

/// The same with Shift+Tab.
fn tab_back_to(page: &Playground, name: &str) -> Result<()> {
    tab(page, name, 8)
}

fn tab(page: &Playground, name: &str, modifiers: u32) -> Result<()> {
    for _ in 0..80 {
        if focused(page)? == json!(name) {
            return Ok(());
        }
        key_with(page, "Tab", 9, modifiers)?;
    }
    bail!(
        "Tab does not reach {name}; the focus is on {}",
        focused(page)?
    )
}

/// Chooses an option, checks it, and returns whether it is right.
fn answer_by_keyboard(page: &Playground, option: usize) -> Result<bool> {
    tab_to(page, "lesson-option-1")?;
    key(page, " ", 32)?;
    for _ in 1..option {
        key(page, "ArrowDown", 40)?;
    }
    let chosen = focused(page)?;
    ensure!(
        chosen == json!(format!("lesson-option-{option}")),
        "{chosen}"
    );
    ensure!(
        !page.browser.has(&test("lesson-caption"))?,
        "the result is shown before the answer"
    );
    tab_to(page, "lesson-check")?;
    key(page, "Enter", 13)?;
    let verdict = page.shown("lesson-verdict")?;
    ensure!(
        focused(page)? == json!("lesson-verdict"),
        "the focus is lost"
    );
    Ok(verdict.contains("Right."))
}

/// The figures of the lesson, and those that the engine computes from the configuration next to them.
fn compare_figures(page: &Playground, lesson: usize) -> Result<()> {
    let permissions = json!({"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]});
    page.browser
        .devtools("Browser.grantPermissions", permissions)?;
    page.browser
        .script("return navigator.clipboard.writeText('');", vec![])?;
    let copy = "document.querySelector('[data-test=lesson-copy]').click();";
    page.browser.script(copy, vec![])?;
    page.browser
        .wait_for("the copied configuration", |browser| {
            let text = browser.script("return navigator.clipboard.readText();", vec![])?;
            let copied = text
                .as_str()
                .is_some_and(|text| text.contains("static_resources"));
            Ok(copied.then_some(()).ok_or(text.to_string()))
        })?;
    let yaml = page
        .browser
        .script("return navigator.clipboard.readText();", vec![])?;
    let yaml = yaml.as_str().context("no configuration")?;
    let config =
        read(yaml, Format::Yaml).map_err(|faults| anyhow::anyhow!("{faults:?}\n{yaml}"))?;
    let clusters = config.model.clusters().to_vec();
    let scenario = EditedScenario::new(clusters, 0).map_err(|error| anyhow::anyhow!("{error}"))?;
    let outcome = ScenarioOutcome::of(&scenario);
    let shown = |name: &str| page.shown(name);
    if WITH_PRIORITIES.contains(&lesson) {
        for row in outcome.priorities() {
            let id = outcome.id(row);
            let load = shown(&format!("lesson-load-{id}"))?;
            let expected = whole(row.row.load()).replace('\u{a0}', " ");
            ensure!(
                load == expected,
                "lesson {lesson}, {id}: {load}, not {expected}"
            );
        }
        return Ok(());
    }
    if lesson == 6 {
        for zone in &outcome.priorities()[0].localities {
            let share = shown(&format!("lesson-share-zone {}", zone.locality.zone))?;
            let expected = decimal(zone.share).replace('\u{a0}', " ");
            ensure!(
                share == expected,
                "zone {}: {share}, not {expected}",
                zone.locality.zone
            );
        }
        return Ok(());
    }
    let listener = config.listeners.first().context("no listener")?;
    let route = &listener.routes.virtual_hosts[0].routes[0];
    let criteria = match &route.action {
        RouteAction::Forward(forward) => forward.criteria.clone(),
        _ => Metadata::EMPTY,
    };
    let snapshot = &outcome.snapshot;
    let cluster = snapshot.cluster_id("shop").context("no cluster")?;
    let found = snapshot.distribution_for(cluster, &criteria, None);
    for share in &found.shares {
        let name = format!("lesson-share-host{}", share.host + 1);
        let expected = decimal(share.share).replace('\u{a0}', " ");
        let is = shown(&name)?;
        ensure!(is == expected, "{name}: {is}, not {expected}");
    }
    Ok(())
}

#[test]
fn all_lessons_are_answered_by_keyboard() -> Result<()> {
    let workdir = Workdir::new("page_learn_keyboard")?;
    let page = Playground::open(&workdir)?;
    tab_to(&page, "screen-learn")?;
    key(&page, "Enter", 13)?;
    page.wait_for_text("lesson-progress", "0 of 9 answered")?;
    let mut right = 0;
    for lesson in 1..=9 {
        let script = "return document.querySelector('[data-test=lesson]').textContent;";
        let title = page.browser.script(script, vec![])?;
        // The third option is right in some lessons and wrong in others.
        right += usize::from(answer_by_keyboard(&page, 3)?);
        page.wait_for_text("lesson-progress", &format!("{lesson} of 9 answered"))?;
        compare_figures(&page, lesson).with_context(|| format!("at {title}"))?;
        if lesson == 3 {
            page.browser.screenshot("learn-answered")?;
        }
        key(&page, "]", 221)?;
        page.browser.wait_for("the next step", |browser| {
            let shown = browser.script(script, vec![])?;
            Ok((shown != title).then_some(()).ok_or(shown.to_string()))
        })?;
        ensure!(
            focused(&page)? == json!("lesson"),
            "the heading has no focus"
        );
    }
    ensure!((1..9).contains(&right), "{right} answers are right");
    page.wait_for_text("lesson", "Now predict your own")?;
    // A reload keeps the step and the progress.
    wait_for_link(&page, "sandbox")?;
    page.browser.reload()?;
    page.wait_for_text("lesson", "Now predict your own")?;
    page.wait_for_text("lesson-progress", "9 of 9 answered")?;
    key(&page, "[", 219)?;
    page.wait_for_text("lesson", "Session affinity")?;
    let verdict = page.shown("lesson-verdict")?;
    ensure!(verdict.contains("Right."), "the answer is lost: {verdict}");
    // The scenario is one step, which undo reverts.
    tab_back_to(&page, "lesson-4")?;
    key(&page, "Enter", 13)?;
    page.wait_for_text("lesson", "all together")?;
    tab_to(&page, "lesson-open")?;
    key(&page, "Enter", 13)?;
    page.wait_for_headline(&["Overload", "70 % of the traffic"])?;
    page.wait_for_text("reason", "P0 takes 40 %, P1 takes 60 %.")?;
    ensure!(page.loads(&["P0", "P1", "P2"])? == [40, 60, 0]);
    page.click("undo")?;
    page.wait_for_headline(&["P0 takes 70 %"])?;
    page.browser.script("history.back();", vec![])?;
    page.wait_for_text("lesson", "all together")?;
    page.click("lesson-reset")?;
    page.wait_for_text("lesson-progress", "0 of 9 answered")?;
    ensure!(
        page.browser.has(&test("lesson-check"))?,
        "the answer is still shown"
    );
    page.browser.reload()?;
    page.wait_for_text("lesson-progress", "0 of 9 answered")?;
    page.finish()
}

#[test]
fn a_link_opens_a_lesson_with_its_answer_and_its_controls() -> Result<()> {
    let workdir = Workdir::new("page_learn_link")?;
    let page = Playground::open(&workdir)?;
    page.click("screen-learn")?;
    page.click("lesson-2")?;
    page.wait_for_text("lesson", "Spillover")?;
    page.click("lesson-option-1")?;
    page.click("lesson-check")?;
    page.wait_for_text("lesson-verdict", "Wrong. You left out the factor.")?;
    wrong_looks_wrong(&page)?;
    page.wait_for_text("lesson-explanation", "50 % × 1.4 = 70 %")?;
    page.enter("lesson-value-1-number", 71)?;
    page.wait_for_text("lesson-caption", "P0 takes 99 %")?;
    let current = format!("th[aria-current] {}", test("lesson-row-3"));
    ensure!(page.browser.count(&current)? == 1, "the row is not marked");
    compare_figures(&page, 2)?;
    // A row sets the controls; the figure of its load has a formula.
    page.click("lesson-row-5")?;
    page.wait_for_text("lesson-caption", "P0 takes 35 %")?;
    page.click("lesson-load-P1")?;
    ensure!(page.browser.has(".lesson-figure .tree")?, "no formula");
    let address = page.browser.wait_for("the link", |browser| {
        let address = browser.url()?;
        let fragment = address.split_once('#').map_or("", |(_, after)| after);
        let view = spillgate_scenario::link::read_view(fragment).unwrap_or_default();
        let has = view
            .iter()
            .any(|(_, input)| input.contains("values=25,140"));
        Ok(has.then_some(()).ok_or(address))
    });
    address?;
    let address = page.browser.url()?;
    // Without storage, the screen works, and says that it forgets.
    let refuse =
        "Object.defineProperty(window, 'localStorage', {get() { throw new Error('no'); }});";
    let refuse = json!({"source": refuse});
    page.browser
        .devtools("Page.addScriptToEvaluateOnNewDocument", refuse)?;
    page.browser.open("about:blank")?;
    page.browser.open(&address)?;
    page.wait_for_text("lesson-caption", "P0 takes 35 %")?;
    page.wait_for_text("lesson-verdict", "Wrong.")?;
    page.wait_for_text("lesson-progress", "0 of 9 answered")?;
    page.click("lesson-next")?;
    page.wait_for_text("lesson", "When does spillover start?")?;
    page.click("lesson-option-2")?;
    page.click("lesson-check")?;
    page.wait_for_text("lesson-verdict", "Right.")?;
    // The figure is at the state that the question asks for: the first spillover.
    page.wait_for_text(
        "lesson-caption",
        "P0 takes 99 % of the traffic, P1 takes 1 %",
    )?;
    page.wait_for_text("lesson-progress", "1 of 9 answered")?;
    let text = page.browser.text("main.learn")?;
    ensure!(text.contains("cannot keep your progress"), "{text}");
    page.finish()
}

/// A wrong answer has a mark, a word and the color of faults.
fn wrong_looks_wrong(page: &Playground) -> Result<()> {
    let looks = "const wrong = document.querySelector('.lesson-question li.wrong');
        const verdict = document.querySelector('[data-test=lesson-verdict]');
        const color = (element) => getComputedStyle(element).color;
        const probe = document.createElement('i');
        probe.style.color = 'var(--alarm)';
        document.body.append(probe);
        const alarm = color(probe);
        probe.remove();
        return {text: wrong.textContent, colors: [color(wrong), color(verdict)].every((one) => one === alarm)};";
    let found = page.browser.script(looks, vec![])?;
    let text = found["text"].as_str().unwrap_or_default();
    ensure!(
        text.starts_with('\u{2717}') && text.ends_with("your answer, wrong"),
        "{found}"
    );
    ensure!(found["colors"] == true, "{found}");
    Ok(())
}

/// The width of the playground beyond the window, and the elements outside of it that do not scroll.
const OVERFLOW: &str = "const width = document.documentElement.clientWidth;
    const out = [...document.querySelectorAll('main *')]
        .filter((e) => !e.closest('.scroll, pre') && e.getBoundingClientRect().right > width + 1 && e.checkVisibility())
        .map((e) => `${e.tagName}.${e.getAttribute('class')} ${e.dataset.test ?? ''}`);
    return {wider: document.documentElement.scrollWidth - width, width, out: out.slice(0, 8)};";

#[test]
fn the_lessons_fit_a_phone_and_have_all_schemes() -> Result<()> {
    let workdir = Workdir::new("page_learn_looks")?;
    let page = Playground::open(&workdir)?;
    page.click("screen-learn")?;
    page.wait_for_text("lesson-progress", "0 of 9 answered")?;
    page.browser.screenshot("learn")?;
    let media = |features: Value| {
        let features = json!({"features": features});
        page.browser
            .devtools("Emulation.setEmulatedMedia", features)
    };
    for lesson in 1..=9 {
        page.click(&format!("lesson-{lesson}"))?;
        page.click("lesson-option-2")?;
        page.click("lesson-check")?;
        page.wait_for_text("lesson-progress", &format!("{lesson} of 9 answered"))?;
        page.browser.screenshot(&format!("learn-{lesson}"))?;
    }
    media(json!([{"name": "prefers-color-scheme", "value": "dark"}]))?;
    for lesson in [5, 8] {
        page.click(&format!("lesson-{lesson}"))?;
        page.browser.screenshot(&format!("learn-{lesson}-dark"))?;
    }
    media(json!([{"name": "forced-colors", "value": "active"}]))?;
    page.browser.screenshot("learn-forced-colors")?;
    media(json!([]))?;
    let size = json!({"width": 320, "height": 640, "deviceScaleFactor": 2, "mobile": true});
    page.browser
        .devtools("Emulation.setDeviceMetricsOverride", size)?;
    for step in 1..=10 {
        page.click(&format!("lesson-{step}"))?;
        page.browser.wait_for("a step of 320 pixels", |browser| {
            let found = browser.script(OVERFLOW, vec![])?;
            let fits = found["wider"] == 0 && found["width"] == 320 && found["out"] == json!([]);
            Ok(fits.then_some(()).ok_or(format!("step {step}: {found}")))
        })?;
        if [4, 7, 8, 10].contains(&step) {
            page.browser.screenshot(&format!("learn-{step}-phone"))?;
        }
    }
    page.click("lesson-1")?;
    page.click("lesson-again")?;
    page.browser.screenshot("learn-phone")?;
    page.finish()
}
