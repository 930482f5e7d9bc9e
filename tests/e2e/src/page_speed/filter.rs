//! The first run of the shipped filter of a visit: the playground fetches and compiles it, and writes its configuration.

use anyhow::{Context as _, Result};

use super::{PageTime, inputs::configuration};
use crate::playground::{Playground, test};

const RUNS: usize = 7;

/// Milliseconds from the click until the result is on the screen, and those of the longest time in which the playground
/// did not answer.
const FIRST_RUN: &str = "const find = (name) => document.querySelector(`[data-test=${name}]`);
    const start = performance.now();
    let [before, blocked] = [start, 0];
    find('trace-filter').click();
    return (async () => {
        while (find('filter')?.getAttribute('aria-busy') !== 'false') {
            await new Promise((done) => setTimeout(done));
            const now = performance.now();
            [before, blocked] = [now, Math.max(blocked, now - before)];
            if (now - start > 30000) throw new Error('no result');
        }
        document.body.getBoundingClientRect();
        return [performance.now() - start, Math.max(blocked, performance.now() - before)];
    })();";

pub(super) fn run(page: &Playground, take: &mut impl FnMut(PageTime)) -> Result<()> {
    for hosts in [10, 1000] {
        let (mut times, mut blocked) = (Vec::new(), Vec::new());
        for _ in 0..RUNS {
            // A new document has no compiled filter.
            page.browser.open("about:blank")?;
            page.browser.open(page.origin())?;
            page.import(&configuration(hosts))?;
            page.click("screen-trace")?;
            page.browser.text(&test("trace-filter"))?;
            let found = page.browser.script(FIRST_RUN, vec![])?;
            times.push(found[0].as_f64().context("no time")?);
            blocked.push(found[1].as_f64().context("no time")?);
        }
        let name = format!("first run of the shipped filter, {hosts} hosts");
        take(PageTime::median(&name, times, None));
        take(PageTime::median(
            &format!("{name}, page blocked"),
            blocked,
            Some(50.0),
        ));
    }
    Ok(())
}
