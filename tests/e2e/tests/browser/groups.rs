//! The code of a screen, which is loaded on first use: missing, of another build, and loaded later.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use spillgate_e2e::playground::{Playground, test};
use spillgate_e2e::{Browser, StaticFiles, Workdir};

/// The file of the screen Trace.
fn group(www: &Path) -> Result<PathBuf> {
    for entry in fs::read_dir(www)? {
        let entry = entry?;
        if entry
            .file_name()
            .to_string_lossy()
            .starts_with("group_trace_")
        {
            return Ok(entry.path());
        }
    }
    anyhow::bail!("no group_trace_ in {}", www.display())
}

/// Opens the page, then the screen, and returns the message.
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
    let file = group(&www)?;
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
    let file = group(&www)?;
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
