//! The first load of the playground and of the documentation site as Lighthouse rates them, on its simulated phone and on a
//! desktop.

use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use crate::playground::Playground;
use crate::{Need, StaticFiles, Workdir, needed, site};

/// The runs for each device.
const RUNS: usize = 3;
/// Chromium as in the tests.
const FLAGS: &str = "--headless --no-sandbox --disable-gpu --disable-background-networking \
     --disable-sync --no-first-run";

/// What the playground has to reach.
#[derive(Debug, Clone, Copy)]
enum Target {
    Least(f64),
    Most(f64),
}

/// A figure of a report.
struct Figure {
    name: &'static str,
    /// Its place in the report.
    place: &'static str,
    /// From the unit of the report to that of the name.
    factor: f64,
    target: Target,
}

/// Points out of 100.
const fn points(name: &'static str, place: &'static str, least: f64) -> Figure {
    Figure {
        name,
        place,
        factor: 100.0,
        target: Target::Least(least),
    }
}

/// A measured value.
const fn measured(name: &'static str, place: &'static str, factor: f64, most: f64) -> Figure {
    Figure {
        name,
        place,
        factor,
        target: Target::Most(most),
    }
}

const PERFORMANCE: &str = "/categories/performance/score";
const ACCESSIBILITY: &str = "/categories/accessibility/score";
const BEST_PRACTICES: &str = "/categories/best-practices/score";
const SEO: &str = "/categories/seo/score";
const BLOCKING: &str = "/audits/total-blocking-time/numericValue";
const SHIFT: &str = "/audits/cumulative-layout-shift/numericValue";
const TRANSFER: &str = "/audits/total-byte-weight/numericValue";

/// What the documentation site has to reach on a desktop.
const SITE_FIGURES: [Figure; 4] = [
    points("performance, points", PERFORMANCE, 95.0),
    points("accessibility, points", ACCESSIBILITY, 95.0),
    points("best practices, points", BEST_PRACTICES, 95.0),
    points("search engines, points", SEO, 95.0),
];

/// A home page, and a page with a scenario.
const SITE_PAGES: [(&str, &str); 2] = [
    ("documentation, home", "docs/index.html"),
    ("documentation, concept", "docs/concepts/priorities.html"),
];

const FIGURES: [Figure; 7] = [
    points("performance, points", PERFORMANCE, 95.0),
    points("accessibility, points", ACCESSIBILITY, 100.0),
    points("best practices, points", BEST_PRACTICES, 100.0),
    points("search engines, points", SEO, 90.0),
    measured("total blocking time, ms", BLOCKING, 1.0, 100.0),
    measured("layout shift", SHIFT, 1.0, 0.0),
    measured("transfer, kB", TRANSFER, 0.001, 260.0),
];

/// Rates the playground and the documentation site; `take` gets a line of JSON for each figure.
///
/// # Errors
/// If they were not built, or Lighthouse fails.
pub fn run(mut take: impl FnMut(Value)) -> Result<()> {
    let workdir = Workdir::new("lighthouse")?;
    let server = StaticFiles::serve(&Playground::compressed_copy(&workdir)?)?;
    let desktop = ["--preset=desktop"];
    for (device, options) in [("phone", [].as_slice()), ("desktop", &desktop)] {
        rate(device, &server.origin(), options, &FIGURES, &mut take)?;
    }
    let server = StaticFiles::serve(&site::with_page(&workdir)?)?;
    for (name, page) in SITE_PAGES {
        let address = format!("{}{page}", server.origin());
        rate(name, &address, &desktop, &SITE_FIGURES, &mut take)?;
    }
    Ok(())
}

/// Rates one address several times; `take` gets the figures.
fn rate(
    name: &str,
    address: &str,
    options: &[&str],
    figures: &[Figure],
    take: &mut impl FnMut(Value),
) -> Result<()> {
    let reports = (0..RUNS)
        .map(|_| report(address, options))
        .collect::<Result<Vec<_>>>()?;
    for figure in figures {
        let (place, factor) = (figure.place, figure.factor);
        let values = reports.iter().map(|report| {
            let value = report.pointer(place).and_then(Value::as_f64);
            value.map(|value| value * factor).context(place)
        });
        let mut values = values.collect::<Result<Vec<_>>>()?;
        values.sort_by(f64::total_cmp);
        let mut line = json!({
            "name": format!("{name}: {}", figure.name),
            "median_value": values.get(RUNS / 2),
            "low_value": values.first(),
            "high_value": values.last(),
            "runs": RUNS,
        });
        match figure.target {
            Target::Least(least) => line["least_value"] = least.into(),
            Target::Most(most) => line["limit_value"] = most.into(),
        }
        take(line);
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
