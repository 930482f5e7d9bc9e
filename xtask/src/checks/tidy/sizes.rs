//! How large what ships may be. Page figures are brotli sizes, as a server sends them.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use super::super::report::Report;
use crate::project::Project;
use crate::{build, files};

/// Bytes of the filter as Envoy loads it.
const FILTER: usize = 400_000;
/// Bytes of the page's module, of its script, and of the whole first load, compressed.
const PAGE_MODULE: usize = 220_000;
const PAGE_SCRIPT: usize = 12_000;
const PAGE_ALL: usize = 260_000;

/// One check a limit.
pub fn sizes(project: &Project, report: &mut Report) -> Result<()> {
    let filter = files::read_bytes(&project.filter_wasm()).map(|bytes| bytes.len());
    if filter.is_ok() && !build::is_optimised(project, "filter") {
        report.skip(
            "the filter's size",
            "it did not go through wasm-opt; install binaryen",
        );
    } else {
        let result = within("spillgate.wasm", filter, FILTER);
        report.check("the filter is small enough", result);
    }
    let www = project.www();
    let module = brotli(&www.join("playground_bg.wasm"));
    report.check(
        "the page's module is small enough",
        within("playground_bg.wasm, brotli", module, PAGE_MODULE),
    );
    let script = brotli(&www.join("playground.js"));
    report.check(
        "the page's script is small enough",
        within("playground.js, brotli", script, PAGE_SCRIPT),
    );
    let all = everything(&www);
    report.check(
        "the page's first load is small enough",
        within("all of www/, brotli", all, PAGE_ALL),
    );
    Ok(())
}

fn within(what: &str, size: Result<usize>, limit: usize) -> Result<()> {
    let size = size?;
    println!("  {what}: {size} bytes of {limit}");
    ensure!(size <= limit, "{what}: {size} bytes, at most {limit}");
    Ok(())
}

/// The sum over all files, folder by folder.
fn everything(dir: &Path) -> Result<usize> {
    let mut sum = 0;
    let entries = fs::read_dir(dir).with_context(|| format!("cannot read {}", dir.display()))?;
    for entry in entries {
        let path: PathBuf = entry?.path();
        sum += if path.is_dir() {
            everything(&path)?
        } else {
            brotli(&path)?
        };
    }
    Ok(sum)
}

/// The size of a file at brotli's best quality.
fn brotli(path: &Path) -> Result<usize> {
    let bytes = files::read_bytes(path)?;
    let mut packed = Vec::new();
    let mut writer = brotli::CompressorWriter::new(&mut packed, 1 << 16, 11, 22);
    writer.write_all(&bytes)?;
    drop(writer);
    Ok(packed.len())
}
