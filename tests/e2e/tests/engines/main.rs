//! The playground in Firefox and WebKit: every screen, an import, an input, a link, and a reload without a network.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use fantoccini::key::Key;
use rstest::rstest;
use spillgate_e2e::Engine::{self, Firefox, WebKit};
use spillgate_e2e::playground::{BOOTSTRAP, Playground, test};
use spillgate_e2e::recorded::{check_faultless, copy};
use spillgate_e2e::{Browser, StaticFiles, Workdir};
use spillgate_scenario::{link, preset};

/// The playground in a browser, and its server.
struct Visit {
    page: Playground,
    server: StaticFiles,
    /// The names of the files that its service worker stores.
    stored: Vec<String>,
    /// Of its screenshots.
    name: String,
    _workdir: Workdir,
}

impl Visit {
    fn open(engine: Engine, what: &str) -> Result<Self> {
        let name = format!("engines_{engine:?}_{what}").to_lowercase();
        let workdir = Workdir::new(&name)?;
        let folder = copy(&workdir)?;
        let server = StaticFiles::serve(&folder)?;
        let browser = Browser::with(engine, &workdir)?;
        Ok(Self {
            page: Playground::in_browser(browser, server.origin())?,
            server,
            stored: files_to_store(&folder)?,
            name,
            _workdir: workdir,
        })
    }

    /// Clicks, and waits until the element of that `data-test` has the text.
    fn show(&self, clicked: &str, shown: &str, words: &str) -> Result<()> {
        self.page.click(clicked)?;
        self.page.wait_for_text(shown, words)?;
        let name = format!("{}_{clicked}", self.name);
        self.page.browser.screenshot_of_window(&name).map(drop)
    }

    /// Loads the playground again as a user does: Firefox's driver would ask the server for everything.
    fn reload(&self) -> Result<()> {
        let reload = "document.body.dataset.test = 'old'; location.reload();";
        self.page.browser.script(reload, vec![])?;
        self.page.browser.wait_for("the new page", |browser| {
            let is_old = browser.has(&test("old"))?;
            Ok((!is_old).then_some(()).ok_or("the old page".into()))
        })
    }

    fn finish(&self) -> Result<()> {
        check_faultless(&self.page.browser)
    }
}

/// The names of the files in the service worker, in order.
fn files_to_store(folder: &Path) -> Result<Vec<String>> {
    let worker = fs::read_to_string(folder.join("service-worker.js"))?;
    let files = worker
        .lines()
        .find_map(|line| line.strip_prefix("const FILES = "));
    let files = files.context("the service worker has no files")?;
    let files: BTreeMap<String, String> = serde_json::from_str(files.trim_end_matches(';'))?;
    Ok(files.into_keys().collect())
}

#[rstest]
fn every_screen_works(#[values(Firefox, WebKit)] engine: Engine) -> Result<()> {
    let visit = Visit::open(engine, "screens")?;
    let page = &visit.page;
    page.browser.press(&test("healthy-P0"), &Key::Right)?;
    page.wait_for_headline(&["P0 takes 84 %", "P1 takes 16 %"])?;
    visit.show(
        "screen-what-if",
        "what-if-losses",
        "zone a loses 1 of 2 usable hosts",
    )?;
    visit.show("part-incident", "incident-headline", "Envoy notices")?;
    visit.show("part-timeline", "timeline-headline", "At ")?;
    visit.show("part-compare", "compare-headline", "1 cluster changes")?;
    visit.show("part-fleet", "fleet-senders", "callers send")?;
    visit.show("screen-trace", "trace-headline", "in P0")?;
    visit.show("trace-filter", "filter-sentence", "the same decision")?;
    visit.show("screen-learn", "lesson", "Healthy, degraded")?;
    page.click("lesson-option-3")?;
    visit.show("lesson-check", "lesson-verdict", "Right.")?;
    visit.show("screen-live", "live-message", "HTTP 404")?;
    visit.show("screen-build", "headline", "P0 takes 84 %")?;
    visit.finish()
}

#[rstest]
fn an_import_and_a_link_open(#[values(Firefox, WebKit)] engine: Engine) -> Result<()> {
    let visit = Visit::open(engine, "import")?;
    let page = &visit.page;
    page.click("import")?;
    // A line break alone is no key in WebKit.
    let keys = BOOTSTRAP.replace('\n', &Key::Enter);
    page.browser.press(&test("import-text"), &keys)?;
    page.apply_import()?;
    page.wait_for_headline(&["P0 takes 70 %"])?;
    page.browser.screenshot_of_window(&visit.name)?;
    let scenario = preset("two-priorities").context("no preset")?;
    page.browser.open("about:blank")?;
    let address = format!("{}#{}", page.origin(), link::write(&scenario));
    page.browser.open(&address)?;
    page.wait_for_headline(&["P0 takes 100 %"])?;
    visit.finish()
}

#[rstest]
fn a_reload_needs_no_network(#[values(Firefox, WebKit)] engine: Engine) -> Result<()> {
    let visit = Visit::open(engine, "offline")?;
    let page = &visit.page;
    // From the first input on, everything is stored.
    page.click("screen-trace")?;
    page.wait_for_stored("all files", |files| files == visit.stored)?;
    visit.server.go_away();
    visit.reload()?;
    page.wait_for_text("trace-headline", "in P0")?;
    visit.show(
        "screen-what-if",
        "what-if-losses",
        "zone b loses 2 of 4 usable hosts",
    )?;
    visit.finish()
}
