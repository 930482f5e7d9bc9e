//! The text next to the picture: it follows the scenario, and the scenario follows it.

use anyhow::{Context as _, Result, ensure};
use fantoccini::key::Key;
use serde_json::json;
use spillgate_e2e::Workdir;
use spillgate_e2e::playground::{Playground, cell, test};

/// The start scenario: ten hosts in P0, five of them healthy.
const START: [&str; 2] = ["P0 takes 70 %", "P1 takes 30 %"];
/// What the page says once picture and text agree.
const SAME: &str = "The picture shows this text";
/// The selected text, without the focus.
const SELECTED: &str = "const area = document.querySelector('[data-test=text]');
    return area.value.slice(area.selectionStart, area.selectionEnd);";
/// Replaces a part of the text by typing, with the caret after it.
const TYPE: &str = "const area = document.querySelector('[data-test=text]');
    const start = area.value.indexOf(arguments[0]);
    if (start < 0) throw new Error(`no ${arguments[0]}`);
    area.focus();
    area.setSelectionRange(start, start + arguments[0].length);
    document.execCommand('insertText', false, arguments[1]);";

/// A cluster whose hosts come from a control plane.
const UNKNOWN_HOSTS: &str = "\
name: shop
type: EDS
eds_cluster_config: {eds_config: {ads: {}}}
";

/// The page with the open text.
fn open(name: &str) -> Result<(Workdir, Playground)> {
    let workdir = Workdir::new(name)?;
    let page = Playground::open(&workdir)?;
    page.wait_for_headline(&START)?;
    page.click("text-toggle")?;
    page.wait_for_text("text-summary", SAME)?;
    Ok((workdir, page))
}

fn text(page: &Playground) -> Result<String> {
    let text = page.browser.property(&test("text"), "value")?;
    text.context("the text has no value")
}

fn wait_for_text(page: &Playground, what: &str, is: impl Fn(&str) -> bool) -> Result<()> {
    page.browser.wait_for(what, |_| {
        let text = text(page)?;
        Ok(is(&text).then_some(()).ok_or(text))
    })
}

fn replace(page: &Playground, old: &str, new: &str) -> Result<()> {
    page.browser
        .script(TYPE, vec![json!(old), json!(new)])
        .map(drop)
}

fn wait_for_selection(page: &Playground, what: &str, is: impl Fn(&str) -> bool) -> Result<()> {
    page.browser.wait_for(what, |browser| {
        let selected = browser.script(SELECTED, vec![])?;
        let selected = selected.as_str().unwrap_or_default();
        Ok(is(selected).then_some(()).ok_or(selected.to_owned()))
    })
}

#[test]
fn an_edit_of_the_text_changes_the_picture_as_one_step() -> Result<()> {
    let (_workdir, page) = open("page_text_edit")?;
    let before = text(&page)?;
    ensure!(before.contains("name: shop") && before.contains("health_status: UNHEALTHY"));
    page.browser.screenshot("text")?;
    // The first unhealthy host of P0 is healthy again: 6 of 10 hosts, times 1.4.
    replace(&page, "UNHEALTHY", "DEGRADED")?;
    page.browser.wait_for("a degraded host", |_| {
        let health = page.health("P0/1")?;
        Ok((health == "degraded").then_some(()).ok_or(health))
    })?;
    replace(&page, "DEGRADED", "HEALTHY")?;
    page.wait_for_headline(&["P0 takes 84 %", "P1 takes 16 %"])?;
    page.wait_for_text("text-summary", SAME)?;
    // A comment changes nothing, and stays as long as nothing else changes.
    replace(&page, "name: shop", "name: shop # edited here")?;
    page.wait_for_text("text-summary", SAME)?;
    ensure!(text(&page)?.contains("# edited here"));
    page.click("undo")?;
    page.browser.wait_for("a degraded host", |_| {
        let health = page.health("P0/1")?;
        Ok((health == "degraded").then_some(()).ok_or(health))
    })?;
    page.click("undo")?;
    page.wait_for_headline(&START)?;
    let kept = before.replacen("name: shop", "name: shop # edited here", 1);
    wait_for_text(&page, "the text with the comment", |text| text == kept)?;
    page.finish()
}

#[test]
fn a_change_of_the_picture_writes_the_text() -> Result<()> {
    let (_workdir, page) = open("page_text_follow")?;
    let before = text(&page)?;
    ensure!(!before.contains("overprovisioning_factor"));
    page.enter("overprovisioning-number", 200)?;
    wait_for_text(&page, "the factor", |text| {
        text.contains("overprovisioning_factor: 200")
    })?;
    page.click("undo")?;
    wait_for_text(&page, "the first text", |text| text == before)?;
    // A click on a host marks all of its lines.
    page.click_host("P0/0")?;
    page.browser.wait_for("marked lines", |browser| {
        let lines = browser.attribute(&test("text-mark"), "data-lines")?;
        let lines = lines.unwrap_or_default();
        let (first, last) = lines.split_once('-').unwrap_or_default();
        let (first, last): (usize, usize) = (first.parse()?, last.parse()?);
        let text = text(&page)?;
        let marked: Vec<&str> = text
            .lines()
            .skip(first - 1)
            .take(last + 1 - first)
            .collect();
        let marked = marked.join("\n");
        let is = marked.contains("endpoint:")
            && marked.contains("198.18.0.1")
            && marked.contains("health_status: UNHEALTHY")
            && !marked.contains("198.18.0.2");
        Ok(is.then_some(()).ok_or(marked))
    })?;
    page.finish()
}

#[test]
fn a_change_of_the_picture_keeps_the_lines_of_the_user() -> Result<()> {
    let (_workdir, page) = open("page_text_own_lines")?;
    let own = "lb_policy: MAGLEV\n    connect_timeout: 2s # slow";
    replace(&page, "lb_policy: MAGLEV", own)?;
    page.wait_for_text("text-summary", SAME)?;
    page.enter("overprovisioning-number", 200)?;
    wait_for_text(&page, "the factor", |text| {
        text.contains("overprovisioning_factor: 200")
    })?;
    page.wait_for_text("text-summary", SAME)?;
    ensure!(text(&page)?.contains(own), "{}", text(&page)?);
    // The panel says what is not kept.
    ensure!(page.browser.text("#text-help")?.contains("connect_timeout"));
    page.click("text-toggle")?;
    page.click_host("P0/0")?;
    page.click("text-toggle")?;
    wait_for_text(
        &page,
        "the lines after a change without the panel",
        |text| text.contains(own),
    )?;
    page.wait_for_text("text-summary", SAME)?;
    page.click("undo")?;
    page.click("undo")?;
    page.wait_for_headline(&START)?;
    wait_for_text(&page, "no factor", |text| {
        !text.contains("overprovisioning_factor")
    })?;
    ensure!(text(&page)?.contains(own));
    page.finish()
}

#[test]
fn a_click_within_the_pause_of_typing_stays() -> Result<()> {
    let (_workdir, page) = open("page_text_click")?;
    // In one task, so that the click is within the pause.
    let edit = format!("{TYPE} document.querySelector(arguments[2]).click();");
    let words = ["lb_policy: MAGLEV", "lb_policy: RANDOM", &cell("P0/0")];
    let words = words.map(|word| json!(word));
    page.browser.script(&edit, words.into())?;
    wait_for_text(&page, "both changes", |text| {
        text.contains("lb_policy: RANDOM")
    })?;
    page.wait_for_headline(&["P0 takes 56 %"])?;
    page.wait_for_text("text-summary", SAME)?;
    page.wait_for_headline(&["P0 takes 56 %"])?;
    ensure!(text(&page)?.contains("lb_policy: RANDOM"));
    page.finish()
}

#[test]
fn a_figure_selects_its_lines_and_a_caret_its_figure() -> Result<()> {
    let (_workdir, page) = open("page_text_lines")?;
    page.click("share-host-P0/2")?;
    wait_for_selection(&page, "the lines of the host", |selected| {
        selected.contains("198.18.0.3") && !selected.contains("198.18.0.4")
    })?;
    page.click("load-P1")?;
    wait_for_selection(&page, "the lines of P1", |selected| {
        selected.contains("priority: 1")
            && selected.contains("198.18.1.1")
            && !selected.contains("198.18.0.")
    })?;
    page.click("share-zone-P0/1")?;
    wait_for_selection(&page, "the lines of a zone", |selected| {
        selected.contains("zone: b") && !selected.contains("zone: a")
    })?;
    page.browser.screenshot("text-lines")?;
    // The caret goes to a host by keys.
    let place = "const area = document.querySelector('[data-test=text]');
        area.focus();
        const at = area.value.indexOf('198.18.0.5');
        area.setSelectionRange(at, at);";
    page.browser.script(place, vec![])?;
    let right = String::from(char::from(Key::Right));
    page.browser.press(&test("text"), &right)?;
    page.browser.wait_for("the explanation", |browser| {
        let label = browser.text(&format!("{} .node span", test("why")))?;
        Ok((label == "share(198.18.0.5:8080)")
            .then_some(())
            .ok_or(label))
    })?;
    // Tab leaves the text.
    let tab = String::from(char::from(Key::Tab));
    page.browser.press(&test("text"), &tab)?;
    let focus = "return document.activeElement.dataset.test ?? '';";
    ensure!(page.browser.script(focus, vec![])? != "text");
    page.finish()
}

#[test]
fn a_broken_text_names_its_line_and_keeps_the_picture() -> Result<()> {
    let (_workdir, page) = open("page_text_broken")?;
    replace(&page, "lb_policy: MAGLEV", "lb_policy: MAGLEF")?;
    page.wait_for_text("text-fault", "MAGLEF")?;
    let fault = page.browser.text(&test("text-fault"))?;
    ensure!(fault.contains("error"), "{fault}");
    let typed = text(&page)?;
    let line = typed.lines().position(|line| line.contains("MAGLEF"));
    let line = line.context("no such line")? + 1;
    ensure!(fault.contains(&format!("{line}:")), "not {line} in {fault}");
    page.wait_for_text("text-summary", "The picture keeps the earlier scenario")?;
    page.wait_for_headline(&START)?;
    page.browser.screenshot("text-broken")?;

    // A click on the fault moves the caret there.
    page.browser
        .script("document.activeElement.blur();", vec![])?;
    page.browser
        .click(&format!("{} button.go", test("text-fault")))?;
    let caret = "const area = document.querySelector('[data-test=text]');
        return document.activeElement === area
            ? area.value.slice(0, area.selectionStart).split('\\n').length : 0;";
    page.browser.wait_for("the caret", |browser| {
        let at = browser.script(caret, vec![])?;
        Ok((at == json!(line)).then_some(()).ok_or(at.to_string()))
    })?;

    // A change elsewhere and its undo change only the lines of the host.
    let unhealthy = typed.matches("UNHEALTHY").count();
    page.click_host("P0/0")?;
    page.wait_for_headline(&["P0 takes 56 %"])?;
    wait_for_text(&page, "one more unhealthy host", |text| {
        text.contains("MAGLEF") && text.matches("UNHEALTHY").count() == unhealthy + 1
    })?;
    page.click("undo")?;
    page.wait_for_headline(&START)?;
    wait_for_text(&page, "the typed text", |text| text == typed)?;

    // Neither a closed panel nor another screen loses it.
    page.click("text-toggle")?;
    page.click("text-toggle")?;
    page.wait_for_text("text-fault", "MAGLEF")?;
    ensure!(text(&page)? == typed);
    page.click("screen-what-if")?;
    page.click("screen-build")?;
    page.wait_for_text("text-fault", "MAGLEF")?;
    ensure!(text(&page)? == typed);

    // Neither does the picture follow a text whose hosts are unknown; an import shows it with this limit.
    replace(&page, &typed, UNKNOWN_HOSTS)?;
    page.wait_for_text("text-fault", "the hosts of shop are unknown")?;
    page.wait_for_headline(&START)?;
    ensure!(page.browser.has(&test("text-import"))?);

    page.click("text-again")?;
    wait_for_text(&page, "the text of the scenario", |text| {
        text.contains("lb_policy: MAGLEV")
    })?;
    page.wait_for_text("text-summary", SAME)?;
    page.finish()
}

/// The width of the page beyond the window.
const WIDER: &str = "const width = document.documentElement.clientWidth;
    return Math.max(0, document.documentElement.scrollWidth - width);";

#[test]
fn the_text_fits_every_window() -> Result<()> {
    let (_workdir, page) = open("page_text_looks")?;
    let looks: [(u32, &str); 6] = [
        (1_440, "light"),
        (1_440, "dark"),
        (1_000, "light"),
        (1_920, "light"),
        (390, "light"),
        (320, "dark"),
    ];
    let mut faults: Vec<String> = Vec::new();
    for (width, scheme) in looks {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        page.browser
            .devtools("Emulation.setEmulatedMedia", json!({"features": features}))?;
        let size =
            json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 700});
        page.browser
            .devtools("Emulation.setDeviceMetricsOverride", size)?;
        page.browser.screenshot(&format!("text-{width}-{scheme}"))?;
        let wider = page.browser.script(WIDER, vec![])?;
        if wider != 0 {
            faults.push(format!("{width}: {wider}"));
        }
        // To the right of the picture, or below it.
        let order = "const top = (css) => document.querySelector(css).getBoundingClientRect();
            const [text, figure] = [top('[data-test=text-panel]'), top('[data-test=spillway]')];
            return text.left >= figure.right ? 'right' : text.top >= figure.bottom ? 'below' : 'over';";
        let order = page.browser.script(order, vec![])?;
        let expected = if width > 1_160 { "right" } else { "below" };
        if order != expected {
            faults.push(format!("{width}: the text is not {expected}, but {order}"));
        }
    }
    ensure!(faults.is_empty(), "{faults:#?}");
    page.finish()
}
