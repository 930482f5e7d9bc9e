//! The instructions that a filter adds to a request, counted by callgrind in the whole Envoy. They repeat
//! within a fraction of a percent, whatever else the machine does.
//!
//! The program `ENVOY` must be an Envoy under callgrind that writes to `SPILLGATE_CALLGRIND`; `cargo xtask
//! bench` starts it so. Wasm is left out: its machine code is made during the run.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context as _, Result, ensure};

use super::modules::ModuleTask;
use super::run::Stage;
use super::sample::Driver;
use super::summary::FilterCost;
use super::variants::Variant;

/// The variable with the file to which callgrind adds its numbers.
const OUTPUT: &str = "SPILLGATE_CALLGRIND";
/// Requests before anything counts.
const WARM_UP: usize = 300;
/// Requests of a count.
const REQUESTS: usize = 200;
/// Counts of each variant.
const COUNTS: usize = 3;

/// Counts the variants without Wasm: a line each, in instructions a request.
///
/// # Errors
/// When Envoy does not start under callgrind, or a request is not answered with 200.
pub fn instructions() -> Result<Vec<FilterCost>> {
    let output = env::var_os(OUTPUT).with_context(|| format!("{OUTPUT} is not set"))?;
    let mut variants = vec![
        Variant::Nothing,
        Variant::Control,
        Variant::Native,
        Variant::Subset,
    ];
    variants.extend(ModuleTask::ALL.map(Variant::Module));
    let stage = Stage::start(&variants)?;
    let mut callgrind = Callgrind {
        process: stage.envoy.id(),
        output: output.into(),
        dumps: 0,
    };
    let mut drivers = stage
        .listeners
        .iter()
        .map(|(_, port)| Driver::connect(port.local()))
        .collect::<Result<Vec<_>>>()?;
    for driver in &mut drivers {
        driver.drive(&stage.requests, WARM_UP)?;
    }
    let mut counted = vec![Vec::new(); variants.len()];
    callgrind.control(&["-i", "on"])?;
    for driver in &mut drivers {
        // The first requests after the start make code for the instrumentation.
        driver.drive(&stage.requests, REQUESTS)?;
    }
    for _ in 0..COUNTS {
        for (driver, counts) in drivers.iter_mut().zip(&mut counted) {
            callgrind.control(&["-z"])?;
            driver.drive(&stage.requests, REQUESTS)?;
            counts.push(callgrind.count()? as f64 / REQUESTS as f64);
        }
    }
    rows(&variants, counted)
}

/// What each variant adds to the first one. Its lowest count is the exact one: what Envoy does between
/// requests only adds to a count.
fn rows(variants: &[Variant], counted: Vec<Vec<f64>>) -> Result<Vec<FilterCost>> {
    let mut all = variants.iter().copied().zip(counted);
    let (first, without) = all.next().context("nothing was counted")?;
    let without = FilterCost::new(first.name(), without);
    let added: Vec<(Variant, FilterCost)> = all
        .map(|(variant, counts)| {
            let added = counts.iter().map(|count| count - without.low).collect();
            (variant, FilterCost::new(variant.name(), added))
        })
        .collect();
    let peer_of = |variant: Variant| {
        let mut peers = added.iter();
        let found = peers.find(|(peer, _)| *peer == variant.native_peer());
        found.map(|(_, cost)| cost.median)
    };
    let mut rows = vec![without];
    for (variant, cost) in &added {
        let mut row = cost.clone();
        if let Variant::Module(task) = variant {
            let peer = peer_of(*variant).context("the native chain was not counted")?;
            ensure!(peer > 0.0, "the native chain adds {peer} instructions");
            row.ratio = Some(row.median / peer);
            row.limit = Some(task.most_instructions());
        }
        rows.push(row);
    }
    Ok(rows)
}

/// An Envoy under callgrind.
struct Callgrind {
    process: u32,
    output: PathBuf,
    /// The files that it has written.
    dumps: u32,
}

impl Callgrind {
    fn control(&self, words: &[&str]) -> Result<()> {
        let mut command = Command::new("callgrind_control");
        let done = command
            .args(words)
            .arg(self.process.to_string())
            .output()
            .context("callgrind_control did not run")?;
        let text = String::from_utf8_lossy(&done.stdout);
        ensure!(done.status.success(), "callgrind_control {words:?}: {text}");
        Ok(())
    }

    /// The instructions since the counters were set to zero.
    fn count(&mut self) -> Result<u64> {
        self.control(&["-d"])?;
        self.dumps += 1;
        let mut file = self.output.clone().into_os_string();
        file.push(format!(".{}", self.dumps));
        total(Path::new(&file))
    }
}

/// The total in callgrind's file: `totals: 12345`, otherwise `summary: 12345`.
fn total(file: &Path) -> Result<u64> {
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let number = |key: &str| {
        let mut lines = text.lines().filter_map(|line| line.strip_prefix(key));
        lines.next()?.split_whitespace().next()?.parse().ok()
    };
    let total = number("totals:").or_else(|| number("summary:"));
    total.with_context(|| format!("{} has no total", file.display()))
}
