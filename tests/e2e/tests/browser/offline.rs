//! The playground without a network: the service worker has the files of the version that was loaded.

use std::fs;

use anyhow::{Result, ensure};
use serde_json::json;
use spillgate_e2e::playground::{Playground, test};
use spillgate_e2e::{StaticFiles, Workdir};

/// Ten hosts in zone a, of which 40 % are lost at first: the file of docs/what-if.md.
const ZONES: &str = include_str!("../../../../envoy-config/zones/envoy.yaml");
/// The screens whose modules are loaded on demand, and an element that each one shows.
const SCREENS: [(&str, &str); 4] = [
    ("screen-what-if", "what-if-headline"),
    ("screen-trace", "trace-headline"),
    ("screen-learn", "lesson"),
    ("screen-live", "live-headline"),
];
/// Whether the service worker answers to this page.
const IS_KEPT: &str = "return !!navigator.serviceWorker.controller;";

fn wait_for_worker(page: &Playground) -> Result<()> {
    page.browser.wait_for("a service worker", |browser| {
        let kept = browser.script(IS_KEPT, vec![])?;
        Ok((kept == true).then_some(()).ok_or(kept.to_string()))
    })
}

#[test]
fn after_the_first_load_the_page_needs_no_network() -> Result<()> {
    let workdir = Workdir::new("page_offline")?;
    let folder = Playground::copy(&workdir)?;
    let server = StaticFiles::serve(&folder)?;
    let page = Playground::at(&workdir, server.origin())?;
    page.wait_for_stored("the files of a first visit", |files| {
        files.iter().any(|file| file == "playground_bg.wasm")
    })?;
    let early = page.stored()?;
    ensure!(!early.iter().any(|file| file.starts_with("group_")));
    wait_for_worker(&page)?;

    // From the first input on, the rest is stored.
    page.browser.press("body", "?")?;
    let mut all = Vec::new();
    for file in fs::read_dir(&folder)? {
        let name = file?.file_name().to_string_lossy().into_owned();
        let is_elsewhere = name.ends_with(".txt")
            || name == "service-worker.js"
            || (name.starts_with("embed") && !name.ends_with(".wasm") && name != "embed.js");
        if !is_elsewhere {
            all.push(name);
        }
    }
    all.sort();
    page.wait_for_stored("all files", |files| files == all)?;

    server.go_away();
    page.browser.reload()?;
    page.wait_for_headline(&["P0 takes 70 %"])?;
    page.import(ZONES)?;
    page.wait_for_headline(&["P0 takes 100 %"])?;
    for (screen, shown) in SCREENS {
        page.click(screen)?;
        page.browser.wait_for(screen, |browser| {
            let has = browser.has(&test(shown))?;
            Ok(has.then_some(()).ok_or(String::from("not shown")))
        })?;
    }
    Ok(())
}

#[test]
fn a_new_version_replaces_the_stored_one() -> Result<()> {
    let workdir = Workdir::new("page_version")?;
    let folder = Playground::copy(&workdir)?;
    let server = StaticFiles::serve(&folder)?;
    let page = Playground::at(&workdir, server.origin())?;
    page.wait_for_stored("the page and its style", |files| {
        ["index.html", "style.css"]
            .map(str::to_owned)
            .iter()
            .all(|file| files.contains(file))
    })?;
    wait_for_worker(&page)?;

    // A style sheet alone changes nothing: the stored one is of the version that the playground names.
    let size = "return getComputedStyle(document.body).fontSize;";
    let before = page.browser.script(size, vec![])?;
    let style = folder.join("style.css");
    let changed = fs::read_to_string(&style)? + "\nbody { font-size: 77px !important; }\n";
    fs::write(&style, changed)?;
    page.browser.reload()?;
    page.wait_for_headline(&["P0 takes 70 %"])?;
    ensure!(page.browser.script(size, vec![])? == before);

    let html = folder.join("index.html");
    let text = fs::read_to_string(&html)?;
    let stated = "name=\"spillgate-version\" content=\"";
    ensure!(text.contains(stated), "the page does not name its version");
    fs::write(&html, text.replace(stated, &format!("{stated}0")))?;
    page.browser.reload()?;
    page.wait_for_headline(&["P0 takes 70 %"])?;
    ensure!(page.browser.script(size, vec![])? == json!("77px"));
    ensure!(page.stored()?.is_empty(), "{:?}", page.stored()?);
    Ok(())
}

#[test]
fn pages_that_embed_a_scenario_load_their_files_from_the_network() -> Result<()> {
    let workdir = Workdir::new("page_offline_embed")?;
    let folder = Playground::copy(&workdir)?;
    let server = StaticFiles::serve(&folder)?;
    let page = Playground::at(&workdir, server.origin())?;
    wait_for_worker(&page)?;
    page.browser.press("body", "?")?;
    page.wait_for_stored("the custom element", |files| {
        files.contains(&"embed.js".into())
    })?;
    let script = folder.join("embed.js");
    let changed = fs::read_to_string(&script)? + "\nglobalThis.isFresh = true;\n";
    fs::write(&script, changed)?;
    page.browser
        .open(&format!("{}embed.html", server.origin()))?;
    page.browser.wait_for("the changed script", |browser| {
        let fresh = browser.script("return !!globalThis.isFresh;", vec![])?;
        Ok((fresh == true).then_some(()).ok_or(fresh.to_string()))
    })
}
