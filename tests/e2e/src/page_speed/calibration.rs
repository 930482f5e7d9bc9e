//! The speed of the machine.

use anyhow::{Context as _, Result};

use super::PageTime;
use crate::playground::Playground;

/// Milliseconds for twenty million steps of arithmetic.
const LOOP: &str = "const start = performance.now();
    let sum = 0;
    for (let step = 0; step < 2e7; step += 1) sum = (sum * 31 + step) | 0;
    return performance.now() - start + (sum === 0.5 ? 1 : 0);";
const RUNS: usize = 9;

/// The median of several loops.
pub(super) fn figure(page: &Playground, name: &str) -> Result<PageTime> {
    let time = || {
        let time = page.browser.script(LOOP, vec![])?;
        time.as_f64().context("no time")
    };
    let times: Result<Vec<f64>> = (0..RUNS).map(|_| time()).collect();
    Ok(PageTime::median(name, times?, None))
}
