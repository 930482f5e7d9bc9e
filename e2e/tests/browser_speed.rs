//! How soon the page can be used.

use anyhow::{Context as _, Result, ensure};
use spillgate_e2e::Workdir;
use spillgate_e2e::playground::Playground;

/// From navigation to the first effect of the page, in milliseconds.
const INTERACTIVE: &str =
    "return performance.getEntriesByName('spillgate-interactive')[0]?.startTime;";
/// On an idle machine with two cores it is about half of this.
const LIMIT: f64 = 400.0;

#[test]
fn the_page_is_interactive_soon() -> Result<()> {
    let workdir = Workdir::new("page_speed")?;
    let page = Playground::open(&workdir)?;
    let mut times = Vec::new();
    for _ in 0..7 {
        page.browser.open("about:blank")?;
        page.browser
            .devtools("Network.clearBrowserCache", serde_json::json!({}))?;
        page.browser.open(&page.origin())?;
        page.headline()?;
        let time = page.browser.script(INTERACTIVE, vec![])?;
        times.push(time.as_f64().context("the page did not say when")?);
    }
    times.sort_by(f64::total_cmp);
    let median = times[times.len() / 2];
    println!("interactive after {median:.0} ms, the median of {times:.0?}");
    ensure!(median <= LIMIT, "interactive after {median} ms: {times:?}");
    page.finish()
}
