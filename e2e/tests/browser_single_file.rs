//! The page in a single file, opened from the disk: no server, and both modules in it.

use anyhow::Result;
use spillgate_e2e::Workdir;
use spillgate_e2e::playground::Playground;

/// Ten hosts in zone a, of which two fifths are lost first: the file of docs/what-if.md.
const ZONES: &str = include_str!("../../envoy-config/zones/envoy.yaml");

#[test]
fn a_page_from_the_disk_reads_and_answers() -> Result<()> {
    let workdir = Workdir::new("page_file")?;
    let page = Playground::open_file(&workdir)?;
    page.wait_for_headline(&["P0 takes 70 %"])?;
    page.import(ZONES)?;
    page.wait_for_headline(&["P0 takes 100 %"])?;
    page.click("screen-what-if")?;
    page.browser.wait_for("the answer", |_| {
        let said = page.shown("what-if-headline")?;
        let answered = said.contains("P0 takes 84 %, P1 takes 16 %");
        Ok(answered.then_some(()).ok_or(said))
    })?;
    // The page requests nothing: the file contains everything.
    page.finish()
}
