//! The single-file page, opened from the disk: it contains both modules and needs no server.

use anyhow::Result;
use spillgate_e2e::Workdir;
use spillgate_e2e::playground::Playground;

/// Ten hosts in zone a, of which 40 % are lost at first: the file of docs/what-if.md.
const ZONES: &str = include_str!("../../envoy-config/zones/envoy.yaml");

#[test]
fn a_page_from_the_disk_imports_and_computes() -> Result<()> {
    let workdir = Workdir::new("page_file")?;
    let page = Playground::open_file(&workdir)?;
    page.wait_for_headline(&["P0 takes 70 %"])?;
    page.import(ZONES)?;
    page.wait_for_headline(&["P0 takes 100 %"])?;
    page.click("screen-what-if")?;
    page.browser.wait_for("the result", |_| {
        let said = page.shown("what-if-headline")?;
        let found = said.contains("P0 takes 84 %, P1 takes 16 %");
        Ok(found.then_some(()).ok_or(said))
    })?;
    // The page makes no requests: the file contains everything.
    page.finish()
}
