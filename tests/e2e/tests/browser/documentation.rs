//! The documentation site in a browser: its scenarios are alive, its search finds pages, and nothing of it needs more
//! than its own origin.

use std::fs;

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use spillgate_e2e::site::with_page;
use spillgate_e2e::{Browser, StaticFiles, Workdir};

/// The pages with scenarios, and the beginning of the sentence that each scenario shows.
const SCENARIOS: [(&str, &str); 6] = [
    ("priorities", "P0 takes 70 % of the traffic, P1 takes 30 %."),
    ("panic-mode", "Panic: all traffic goes to 20 hosts"),
    ("aggregates", "shop-primary takes 84 %"),
    ("subsets", "Overload: hosts available for 70 %"),
    ("localities", "P0 takes 100 %"),
    ("sessions", "P0 takes 70 % of the traffic, P1 takes 30 %."),
];

fn text(browser: &Browser, script: &str) -> Result<String> {
    let found = browser.script(script, vec![])?;
    Ok(found.as_str().unwrap_or_default().replace('\u{a0}', " "))
}

fn wait_for(browser: &Browser, what: &str, script: &str, words: &str) -> Result<()> {
    browser.wait_for(what, |browser| {
        let text = text(browser, script)?;
        Ok(text.contains(words).then_some(()).ok_or(text))
    })
}

#[test]
fn the_scenarios_of_the_documentation_show_their_figures() -> Result<()> {
    let workdir = Workdir::new("documentation_scenarios")?;
    let origin = StaticFiles::serve(&with_page(&workdir)?)?.origin();
    let mut browser = Browser::start(&workdir)?;
    let headline = "return document.querySelector('spillgate-split').shadowRoot
        ?.querySelector('.headline')?.textContent ?? '';";
    for (page, words) in SCENARIOS {
        browser.open(&format!("{origin}docs/concepts/{page}.html"))?;
        // A scenario loads when it becomes visible.
        let scroll = "document.querySelector('spillgate-split').scrollIntoView();";
        browser.script(scroll, vec![])?;
        wait_for(&browser, page, headline, words)?;
    }
    let slide = "const root = document.querySelector('spillgate-split').shadowRoot;
        const slider = root.querySelector('input[type=range]');
        slider.value = arguments[0];
        slider.dispatchEvent(new Event('input', {bubbles: true}));";
    browser.script(slide, vec![json!(10)])?;
    wait_for(
        &browser,
        "all hosts are healthy",
        headline,
        "P0 takes 100 %",
    )?;
    browser.check_silence(&origin)
}

#[test]
fn the_search_of_the_documentation_finds_pages_below_every_folder() -> Result<()> {
    let workdir = Workdir::new("documentation_search")?;
    let origin = StaticFiles::serve(&with_page(&workdir)?)?.origin();
    let mut browser = Browser::start(&workdir)?;
    let results = "return document.getElementById('search-results').textContent;";
    for page in ["index.html", "concepts/priorities.html"] {
        browser.open(&format!("{origin}docs/{page}"))?;
        browser.paste("#search", "overprovisioning factor")?;
        wait_for(&browser, "the results", results, "Priorities and spillover")?;
        let first = browser.script(
            "return document.querySelector('#search-results a').href;",
            vec![],
        )?;
        let address = first.as_str().unwrap_or_default().to_owned();
        ensure!(address.starts_with(&format!("{origin}docs/")), "{address}");
        browser.open(&address)?;
        let title = browser.script("return document.querySelector('h1')?.textContent;", vec![])?;
        ensure!(title != Value::Null, "{address} has no title");
    }
    browser.open(&format!("{origin}docs/index.html"))?;
    browser.paste("#search", "xyzzy")?;
    wait_for(&browser, "no result", results, "No page contains")?;
    browser.check_silence(&origin)
}

/// A version is a folder next to the first one, and all pages read one list.
#[test]
fn the_documentation_leads_to_its_other_versions() -> Result<()> {
    let workdir = Workdir::new("documentation_versions")?;
    let folder = with_page(&workdir)?;
    let list = r#"[{"name": "main", "folder": "docs"}, {"name": "0.1", "folder": "docs-0.1"}]"#;
    fs::write(folder.join("docs/versions.json"), list)?;
    fs::create_dir(folder.join("docs-0.1"))?;
    fs::write(folder.join("docs-0.1/index.html"), "<h1>Old</h1>")?;
    let origin = StaticFiles::serve(&folder)?.origin();
    let browser = Browser::start(&workdir)?;
    browser.open(&format!("{origin}docs/concepts/priorities.html"))?;
    let names = "return [...document.querySelectorAll('.version option')].map((one) => one.textContent).join();";
    wait_for(&browser, "the versions", names, "main,0.1")?;
    browser.script(
        "const list = document.querySelector('.version select'); \
         list.value = 'docs-0.1'; list.dispatchEvent(new Event('change'));",
        vec![],
    )?;
    let heading = "return document.querySelector('h1').textContent;";
    wait_for(&browser, "the other version", heading, "Old")
}
