//! Keys and the palette: the playground without a mouse.

use anyhow::{Result, ensure};
use fantoccini::key::Key;
use spillgate_e2e::Workdir;
use spillgate_e2e::playground::{Playground, test};

fn wait_until(page: &Playground, what: &str, script: &str) -> Result<()> {
    page.browser.wait_for(what, |browser| {
        let found = browser.script(script, vec![])?;
        Ok((found == true).then_some(()).ok_or(found.to_string()))
    })
}

#[test]
fn letters_choose_screens_and_open_dialogs() -> Result<()> {
    let workdir = Workdir::new("page_keys")?;
    let page = Playground::open(&workdir)?;
    page.wait_for_headline(&["P0 takes 70 %"])?;
    let escape = String::from(char::from(Key::Escape));
    page.browser.press("body", "2")?;
    page.browser.text(&test("what-if-headline"))?;
    page.browser.press("body", "1")?;
    page.browser.text(&test("headline"))?;
    page.browser.press("body", "i")?;
    // In a field, letters are text.
    page.browser.press(&test("import-text"), "s1")?;
    let text = page.browser.property(&test("import-text"), "value")?;
    ensure!(text.as_deref() == Some("s1"), "{text:?}");
    page.browser.press(&test("import-text"), &escape)?;
    page.click("import-discard")?;
    wait_until(
        &page,
        "a closed dialog",
        "return !document.querySelector('dialog');",
    )?;
    page.browser.press("body", "s")?;
    page.browser.text(&test("share-copy"))?;
    page.browser.press(&test("share-copy"), &escape)?;
    wait_until(
        &page,
        "a closed dialog",
        "return !document.querySelector('dialog');",
    )?;
    page.browser.press("body", "w")?;
    wait_until(
        &page,
        "the explanation",
        "return document.activeElement.id === 'why';",
    )?;
    // A number field gets its digits.
    page.enter("healthy-P0-number", 2)?;
    page.wait_for_headline(&["P0 takes 28 %"])?;
    page.finish()
}

#[test]
fn letters_can_be_turned_off() -> Result<()> {
    let workdir = Workdir::new("page_keys_off")?;
    let page = Playground::open(&workdir)?;
    page.browser.press("body", "?")?;
    let listed = page.browser.text("#commands")?;
    ensure!(
        listed.contains("Find a command, host or scenario"),
        "{listed}"
    );
    page.click("letter-keys")?;
    let escape = String::from(char::from(Key::Escape));
    page.browser.press(&test("letter-keys"), &escape)?;
    wait_until(
        &page,
        "a closed dialog",
        "return !document.querySelector('dialog');",
    )?;
    page.browser.press("body", "2")?;
    // Ctrl+K still works, and shows that the playground has seen the key before it.
    let control_k = format!("{}k", char::from(Key::Control));
    page.browser.press("body", &control_k)?;
    page.browser.press(&test("palette-text"), &escape)?;
    wait_until(
        &page,
        "a closed dialog",
        "return !document.querySelector('dialog');",
    )?;
    ensure!(
        page.browser.has(&test("headline"))?,
        "the letter chose a screen"
    );
    page.browser.reload()?;
    page.browser.text(&test("headline"))?;
    page.click("keys-open")?;
    let checked = page.browser.property(&test("letter-keys"), "checked")?;
    ensure!(checked.as_deref() == Some("false"), "{checked:?}");
    page.finish()
}

#[test]
fn the_palette_fails_a_zone_and_explains_a_figure() -> Result<()> {
    let workdir = Workdir::new("page_palette")?;
    let page = Playground::open(&workdir)?;
    page.wait_for_headline(&["P0 takes 70 %"])?;
    let enter = String::from(char::from(Key::Return));
    page.browser.press("body", "/")?;
    page.browser.press(&test("palette-text"), "fail zone b")?;
    page.browser.wait_for("one command", |browser| {
        let text = browser.text(&test("palette-option"))?;
        Ok((text == "Fail zone b of P0").then_some(()).ok_or(text))
    })?;
    page.browser.screenshot("palette")?;
    page.browser.press(&test("palette-text"), &enter)?;
    page.wait_for_headline(&["P0 takes 14 %", "P1 takes 86 %"])?;
    // From another screen it returns to the figure.
    page.browser.press("body", "2")?;
    page.browser.text(&test("what-if-headline"))?;
    page.browser.press("body", "/")?;
    page.browser
        .press(&test("palette-text"), "availability p0")?;
    page.browser.press(&test("palette-text"), &enter)?;
    page.browser.wait_for("the explanation", |_| {
        let value = page.shown("why-value")?;
        Ok((value == "14 %").then_some(()).ok_or(value))
    })?;
    page.click("undo")?;
    page.wait_for_headline(&["P0 takes 70 %"])?;
    page.finish()
}
