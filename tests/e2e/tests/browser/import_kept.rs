//! What the import dialog keeps: texts that are not imported, imports after a reload, and its end in
//! sight.

use anyhow::{Result, ensure};
use fantoccini::key::Key;
use serde_json::json;
use spillgate_e2e::Workdir;
use spillgate_e2e::playground::{BOOTSTRAP, Playground, test};

fn is_open(page: &Playground, expected: bool) -> Result<()> {
    page.browser.wait_for("the dialog", |browser| {
        let open = browser.has("dialog[open]")?;
        Ok((open == expected)
            .then_some(())
            .ok_or(format!("open: {open}")))
    })
}

#[test]
fn a_text_is_discarded_only_after_a_question() -> Result<()> {
    let workdir = Workdir::new("page_unsaved")?;
    let page = Playground::open(&workdir)?;
    let (text, question) = (test("import-text"), test("import-unsaved"));
    let escape = String::from(char::from(Key::Escape));
    let asks = |expected: bool| {
        page.browser.wait_for("the question", |browser| {
            let asks = browser.has(&question)?;
            Ok((asks == expected).then_some(()).ok_or(format!("{asks}")))
        })
    };
    // Without a text there is nothing to ask.
    page.click("import")?;
    page.browser.press(&text, &escape)?;
    is_open(&page, false)?;

    page.paste_configuration(BOOTSTRAP)?;
    page.browser.press(&text, &escape)?;
    asks(true)?;
    page.browser.screenshot("import-unsaved")?;
    page.browser.wait_for("the focus", |browser| {
        let focused = browser.script("return document.activeElement.textContent;", vec![])?;
        Ok((focused == "Keep editing")
            .then_some(())
            .ok_or(format!("at {focused}")))
    })?;
    // Escape also answers the question: the text stays, however often it is pressed.
    for expected in [false, true, false] {
        let keys = json!({"type": "keyDown", "key": "Escape", "code": "Escape", "windowsVirtualKeyCode": 27});
        page.browser.devtools("Input.dispatchKeyEvent", keys)?;
        asks(expected)?;
    }
    is_open(&page, true)?;
    let kept = page.browser.property(&text, "value")?;
    ensure!(kept.as_deref() == Some(BOOTSTRAP), "{kept:?}");
    page.browser.click("dialog [aria-label=Close]")?;
    page.click("import-keep")?;
    asks(false)?;
    page.browser.click("dialog [aria-label=Close]")?;
    page.click("import-discard")?;
    is_open(&page, false)?;

    // An imported text is kept, so the dialog closes at once.
    page.import(BOOTSTRAP)?;
    page.click("import")?;
    page.browser.press(&text, &escape)?;
    is_open(&page, false)?;
    // A browser may close a dialog by itself; then it opens again and asks.
    page.paste_configuration("changed")?;
    page.browser
        .script("document.querySelector('dialog').close();", vec![])?;
    asks(true)?;
    is_open(&page, true)?;
    page.finish()
}

/// Whether the browser keeps the state that the address bar has.
const KEPT: &str = "return location.hash.length > 1
    && sessionStorage.getItem('spillgate.shown') === location.hash.slice(1)
    && sessionStorage.getItem('spillgate.config') !== null;";

fn wait_until_kept(page: &Playground) -> Result<()> {
    page.browser.wait_for("the kept import", |browser| {
        let kept = browser.script(KEPT, vec![])?;
        Ok((kept == true).then_some(()).ok_or(kept.to_string()))
    })
}

#[test]
fn a_reload_keeps_the_import_its_edits_and_its_findings() -> Result<()> {
    let workdir = Workdir::new("page_reload")?;
    let page = Playground::open(&workdir)?;
    page.import(BOOTSTRAP)?;
    page.wait_for_headline(&["P0 takes 70 %"])?;
    let finding = page.shown("finding")?;
    wait_until_kept(&page)?;
    // The link has no addresses, but the tab keeps them.
    page.browser.reload()?;
    page.wait_for_headline(&["P0 takes 70 %"])?;
    ensure!(page.shown("finding")? == finding);
    let table = page.shown("share-host-P0/0")?;
    ensure!(!table.is_empty());
    let body = page.browser.text("body")?;
    ensure!(body.contains("10.0.0.1:80"), "without addresses: {body}");

    // No host of P0 is left.
    let before = page.browser.url()?;
    page.click_host("P0/0")?;
    page.wait_for_headline(&["P1 takes 100 %"])?;
    // The playground writes its address some time after an edit; until then, it keeps the state before it.
    page.browser
        .wait_for("the address of the edit", |browser| {
            let now = browser.url()?;
            Ok((now != before).then_some(()).ok_or(now))
        })?;
    wait_until_kept(&page)?;
    page.browser.reload()?;
    page.wait_for_headline(&["P1 takes 100 %"])?;
    page.click("import")?;
    let kept = page.browser.property(&test("import-text"), "value")?;
    ensure!(kept.as_deref() == Some(BOOTSTRAP), "{kept:?}");
    page.finish()
}

/// Whether the browser keeps the scenario that the address bar has, although not its text.
const STATE_KEPT: &str = "return location.hash.length > 1
    && sessionStorage.getItem('spillgate.shown') === location.hash.slice(1)
    && sessionStorage.getItem('spillgate.config') === null;";

/// Takes the scenario's room in the browser's storage.
const FILL: &str = "sessionStorage.removeItem('spillgate.scenario');
    for (let text = 'x'.repeat(1 << 22), at = 0; text; ) {
        try { sessionStorage.setItem(`filler-${at++}`, text); } catch { text = text.slice(0, text.length >> 1); }
    }";

#[test]
fn an_import_that_is_too_large_keeps_its_names_and_says_what_is_lost() -> Result<()> {
    let workdir = Workdir::new("page_reload_large")?;
    let page = Playground::open(&workdir)?;
    let comment = format!("# {}\n", "comment ".repeat(100)).repeat(8_000);
    page.import(&[BOOTSTRAP, &comment].concat())?;
    page.wait_for_headline(&["P0 takes 70 %"])?;
    page.wait_for_text("notice", "no room for the imported text")?;
    page.browser.screenshot("import-not-kept")?;
    page.browser.wait_for("the kept scenario", |browser| {
        let kept = browser.script(STATE_KEPT, vec![])?;
        Ok((kept == true).then_some(()).ok_or(kept.to_string()))
    })?;
    for _ in 0..2 {
        page.browser.reload()?;
        page.wait_for_headline(&["P0 takes 70 %"])?;
        page.wait_for_text("notice", "Import it again to see its lines")?;
        let body = page.browser.text("body")?;
        ensure!(body.contains("10.0.0.1:80"), "without addresses: {body}");
    }

    // Without room for the scenario, the playground says that its names are generated.
    page.browser.script(FILL, vec![])?;
    page.browser.reload()?;
    page.wait_for_text("notice", "to see its names and addresses")?;
    page.finish()
}

/// 60 clusters, each with findings.
fn many() -> String {
    let mut text = String::from("static_resources:\n  clusters:\n");
    let (_, cluster) = BOOTSTRAP.split_once("clusters:\n").unwrap_or_default();
    for number in 0..60 {
        text += &cluster.replace("shop", &format!("shop-{number}"));
    }
    text
}

/// The place of the choice and of the button.
const IN_SIGHT: &str =
    "const box = (name) => document.querySelector(`[data-test=${name}]`).getBoundingClientRect();
    const inside = (rect) => rect.top >= 0 && rect.bottom <= innerHeight && rect.left >= 0
        && rect.right <= innerWidth && rect.height > 0;
    return [inside(box('import-cluster')), inside(box('import-apply')),
        document.querySelector('dialog').scrollTop];";

#[test]
fn the_choice_of_a_cluster_is_always_in_sight() -> Result<()> {
    let workdir = Workdir::new("page_choice")?;
    let page = Playground::open(&workdir)?;
    page.paste_configuration(&many())?;
    page.browser.text(&test("import-cluster"))?;
    for (name, width, height) in [("import", 1280, 900), ("import-phone", 320, 640)] {
        let size =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        page.browser
            .devtools("Emulation.setDeviceMetricsOverride", size)?;
        let seen = page.browser.script(IN_SIGHT, vec![])?;
        ensure!(
            seen[0] == true && seen[1] == true && seen[2] == 0,
            "{name}: {seen}"
        );
        page.browser.screenshot(name)?;
    }
    page.finish()
}

#[test]
fn the_example_is_imported() -> Result<()> {
    let workdir = Workdir::new("page_example")?;
    let page = Playground::open(&workdir)?;
    page.click("import")?;
    page.click("import-example")?;
    page.browser.text(&test("import-cluster"))?;
    ensure!(!page.browser.has(&test("import-example"))?);
    page.browser.screenshot("import-example")?;
    page.apply_import()?;
    page.wait_for_headline(&["P0 takes 87 %", "P1 takes 13 %"])?;
    page.finish()
}
