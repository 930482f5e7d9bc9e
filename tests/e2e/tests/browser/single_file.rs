//! The single-file page, opened from the disk: it contains both modules and needs no server.

use anyhow::{Result, ensure};
use spillgate_e2e::Workdir;
use spillgate_e2e::playground::Playground;

/// Ten hosts in zone a, of which 40 % are lost at first: the file of docs/what-if.md.
const ZONES: &str = include_str!("../../../../envoy-config/zones/envoy.yaml");

/// Counts the workers that answer.
const COUNT_WORKERS: &str = "const Real = globalThis.Worker;
    globalThis.workers = 0;
    globalThis.Worker = class extends Real {
        constructor(address) {
            super(address);
            this.addEventListener('message', () => (globalThis.workers += 1), {once: true});
        }
    };";

#[test]
fn a_page_from_the_disk_imports_and_computes() -> Result<()> {
    let workdir = Workdir::new("page_file")?;
    let page = Playground::open_file(&workdir)?;
    page.wait_for_headline(&["P0 takes 70 %"])?;
    page.browser.script(COUNT_WORKERS, vec![])?;
    page.import(ZONES)?;
    let workers = page.browser.script("return globalThis.workers;", vec![])?;
    ensure!(workers == 1, "{workers} workers read the text");
    page.wait_for_headline(&["P0 takes 100 %"])?;
    page.click("screen-what-if")?;
    page.browser.wait_for("the result", |_| {
        let said = page.shown("what-if-headline")?;
        let found = said.contains("P0 takes 84 % of the traffic, P1 takes 16 %");
        Ok(found.then_some(()).ok_or(said))
    })?;
    page.click("part-timeline")?;
    page.browser.wait_for("the run", |_| {
        let said = page.shown("timeline-headline")?;
        Ok(said.contains("takes").then_some(()).ok_or(said))
    })?;
    // The playground makes no requests: the file contains everything.
    page.finish()
}
