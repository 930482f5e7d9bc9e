//! The code of a screen, which is loaded on first use: missing, of another build, and loaded later.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use spillgate_e2e::playground::{Playground, test};
use spillgate_e2e::{Browser, StaticFiles, Workdir};

/// The file of a group of parts.
fn group(www: &Path, name: &str) -> Result<PathBuf> {
    let start = format!("group_{name}_");
    for entry in fs::read_dir(www)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(&start) {
            return Ok(entry.path());
        }
    }
    anyhow::bail!("no {start} in {}", www.display())
}

/// Opens the playground, then the screen, and returns the message.
fn refused(origin: &str, browser: &Browser) -> Result<()> {
    browser.open(origin)?;
    browser.text(&test("headline"))?;
    browser.click(&test("screen-trace"))?;
    browser.wait_for("a message about the missing code", |browser| {
        let text = browser.text(&test("module-message"))?;
        Ok(text
            .contains("a file of the page is missing, or from another version")
            .then_some(())
            .ok_or(text))
    })?;
    ensure!(!browser.has(&test("trace-headline"))?);
    Ok(())
}

#[test]
fn a_screen_whose_code_is_missing_says_so_and_loads_later() -> Result<()> {
    let workdir = Workdir::new("groups_missing")?;
    let www = Playground::copy(&workdir)?;
    let file = group(&www, "trace")?;
    let away = file.with_extension("away");
    fs::rename(&file, &away)?;
    let origin = StaticFiles::serve(&www)?.origin();
    let browser = Browser::start(&workdir)?;
    refused(&origin, &browser)?;
    // The first screen still works.
    browser.click(&test("screen-build"))?;
    browser.text(&test("headline"))?;
    browser.click(&test("screen-trace"))?;
    browser.text(&test("module-again"))?;
    fs::rename(&away, &file)?;
    browser.click(&test("module-again"))?;
    browser.text(&test("trace-headline"))?;
    Ok(())
}

#[test]
fn code_of_another_build_is_not_linked() -> Result<()> {
    let workdir = Workdir::new("groups_other")?;
    let www = Playground::copy(&workdir)?;
    let file = group(&www, "trace")?;
    let stem = file.file_stem().and_then(|stem| stem.to_str());
    let hash = stem
        .and_then(|stem| stem.rsplit_once('_'))
        .context("no hash")?
        .1;
    let mut bytes = fs::read(&file)?;
    let import = format!("memory_{hash}");
    let at = bytes
        .windows(import.len())
        .position(|part| part == import.as_bytes())
        .context("the group does not import the memory of its build")?;
    let last = at + import.len() - 1;
    bytes[last] = if bytes[last] == b'0' { b'1' } else { b'0' };
    fs::write(&file, bytes)?;
    let origin = StaticFiles::serve(&www)?.origin();
    let browser = Browser::start(&workdir)?;
    refused(&origin, &browser)
}

/// Whether all of the message is in the window, and nothing covers it.
const IN_SIGHT: &str = "const message = document.querySelector('[data-test=module-message]');
    if (!message) return 'no message';
    const { top, bottom, left, right } = message.getBoundingClientRect();
    const inside = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth && bottom > top;
    const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return inside && message.contains(found);";

#[test]
fn a_dialog_whose_code_is_missing_says_so_in_its_place() -> Result<()> {
    let workdir = Workdir::new("groups_dialog")?;
    let www = Playground::copy(&workdir)?;
    let file = group(&www, "dialogs")?;
    let away = file.with_extension("away");
    fs::rename(&file, &away)?;
    let origin = StaticFiles::serve(&www)?.origin();
    let browser = Browser::start(&workdir)?;
    browser.open(&origin)?;
    browser.text(&test("headline"))?;
    for (name, width, height) in [
        ("dialog-missing", 1280, 900),
        ("dialog-missing-phone", 320, 640),
    ] {
        let size =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        browser.devtools("Emulation.setDeviceMetricsOverride", size)?;
        browser.click(&test("import"))?;
        browser.text(&test("module-again"))?;
        let seen = browser.script(IN_SIGHT, vec![])?;
        ensure!(seen == true, "{name}: {seen}");
        browser.screenshot(name)?;
        browser.click(&test("module-close"))?;
        browser.wait_for("the end of the message", |browser| {
            let has = browser.has(&test("module-message"))?;
            Ok((!has).then_some(()).ok_or_else(|| "it is shown".into()))
        })?;
    }
    browser.click(&test("import"))?;
    browser.text(&test("module-again"))?;
    fs::rename(&away, &file)?;
    browser.click(&test("module-again"))?;
    browser.text("#import-help")?;
    Ok(())
}
