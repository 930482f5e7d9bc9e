//! The first load of the page as Lighthouse rates it, on its simulated phone and on a desktop.

use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use crate::playground::Playground;
use crate::{Need, StaticFiles, Workdir, needed};

/// The runs for each device.
const RUNS: usize = 3;
/// Chromium as in the tests.
const FLAGS: &str = "--headless --no-sandbox --disable-gpu --disable-background-networking \
     --disable-sync --no-first-run";
/// What the page has to reach.
#[derive(Debug, Clone, Copy)]
enum Target {
    Least(f64),
    Most(f64),
}

/// A figure of a report: its name, its place, its factor and its target.
type Figure = (&'static str, &'static str, f64, Target);

const FIGURES: [Figure; 7] = [
    (
        "performance, points",
        "/categories/performance/score",
        100.0,
        Target::Least(95.0),
    ),
    (
        "accessibility, points",
        "/categories/accessibility/score",
        100.0,
        Target::Least(100.0),
    ),
    (
        "best practices, points",
        "/categories/best-practices/score",
        100.0,
        Target::Least(100.0),
    ),
    (
        "search engines, points",
        "/categories/seo/score",
        100.0,
        Target::Least(90.0),
    ),
    (
        "total blocking time, ms",
        "/audits/total-blocking-time/numericValue",
        1.0,
        Target::Most(100.0),
    ),
    (
        "layout shift",
        "/audits/cumulative-layout-shift/numericValue",
        1.0,
        Target::Most(0.0),
    ),
    (
        "transfer, kB",
        "/audits/total-byte-weight/numericValue",
        0.001,
        Target::Most(260.0),
    ),
];

/// Rates the page; `take` gets a line of JSON for each figure.
///
/// # Errors
/// If the page was not built, or Lighthouse fails.
pub fn run(mut take: impl FnMut(Value)) -> Result<()> {
    let workdir = Workdir::new("lighthouse")?;
    let server = StaticFiles::serve(&Playground::compressed_copy(&workdir)?)?;
    for (device, options) in [("phone", [].as_slice()), ("desktop", &["--preset=desktop"])] {
        let reports = (0..RUNS).map(|_| report(&server.origin(), options));
        let reports = reports.collect::<Result<Vec<_>>>()?;
        for (name, place, factor, target) in FIGURES {
            let values = reports.iter().map(|report| {
                let value = report.pointer(place).and_then(Value::as_f64);
                value.map(|value| value * factor).context(place)
            });
            let mut values = values.collect::<Result<Vec<_>>>()?;
            values.sort_by(f64::total_cmp);
            let mut line = json!({
                "name": format!("{device}: {name}"),
                "median_value": values.get(RUNS / 2),
                "low_value": values.first(),
                "high_value": values.last(),
                "runs": RUNS,
            });
            match target {
                Target::Least(least) => line["least_value"] = least.into(),
                Target::Most(most) => line["limit_value"] = most.into(),
            }
            take(line);
        }
    }
    Ok(())
}

/// The report of one run.
fn report(address: &str, options: &[&str]) -> Result<Value> {
    let mut node = Command::new("node");
    node.arg(needed(Need::Lighthouse)?).arg(address);
    node.args(["--quiet", "--output=json", "--output-path=stdout"]);
    node.args(["--only-categories=performance,accessibility,best-practices,seo"]);
    node.arg(format!("--chrome-flags={FLAGS}")).args(options);
    node.env("CHROME_PATH", needed(Need::Chromium)?);
    let done = node.output().context("node does not start")?;
    let errors = String::from_utf8_lossy(&done.stderr);
    ensure!(done.status.success(), "Lighthouse failed: {errors}");
    let report: Value = serde_json::from_slice(&done.stdout).context("Lighthouse's report")?;
    let fault = report.pointer("/runtimeError/message");
    ensure!(fault.is_none(), "Lighthouse failed: {fault:?}");
    Ok(report)
}
