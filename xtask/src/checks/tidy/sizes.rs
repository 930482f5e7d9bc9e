//! How large what ships may be. Page figures are brotli sizes, as a server sends them.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use super::super::report::Report;
use crate::project::Project;
use crate::toolchain::{WasmStd, wasm_std};
use crate::{build, files};

/// Bytes of the filter as Envoy loads it.
const FILTER: usize = 620_000;
/// Bytes of the page's module, of its script, and of the whole first load, compressed: all but
/// what is fetched later.
const PAGE_MODULE: usize = 220_000;
const PAGE_SCRIPT: usize = 12_000;
const PAGE_ALL: usize = 260_000;
/// Bytes of the readers' module, which is fetched once somebody imports, compressed.
const READER: usize = 220_000;

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
    // A ready-made standard library is larger than one that is built for size.
    let ready_made = matches!(wasm_std(), Ok(WasmStd::Active));
    for (name, file, what, limit) in [
        (
            "the page's module",
            "playground_bg.wasm",
            "playground",
            PAGE_MODULE,
        ),
        ("the readers' module", build::READER, "reader", READER),
    ] {
        let size = brotli(&www.join(file));
        if size.is_ok() && ready_made {
            report.skip(
                &format!("{name}'s size"),
                "its standard library was ready-made, not built for size",
            );
        } else if size.is_ok() && !build::is_optimised(project, what) {
            report.skip(
                &format!("{name}'s size"),
                "it did not go through wasm-opt; install binaryen",
            );
        } else {
            let result = within(&format!("{file}, brotli"), size, limit);
            report.check(&format!("{name} is small enough"), result);
        }
    }
    let script = brotli(&www.join("playground.js"));
    report.check(
        "the page's script is small enough",
        within("playground.js, brotli", script, PAGE_SCRIPT),
    );
    if ready_made {
        report.skip(
            "the size of the page's first load",
            "the standard library in it was ready-made, not built for size",
        );
    } else {
        let result = within("the first load, brotli", first_load(&www), PAGE_ALL);
        report.check("the page's first load is small enough", result);
    }
    Ok(())
}

fn within(what: &str, size: Result<usize>, limit: usize) -> Result<()> {
    let size = size?;
    println!("  {what}: {size} bytes of {limit}");
    ensure!(size <= limit, "{what}: {size} bytes, at most {limit}");
    Ok(())
}

/// The sum over all files that every visit needs, folder by folder.
fn first_load(dir: &Path) -> Result<usize> {
    let mut sum = 0;
    let entries = fs::read_dir(dir).with_context(|| format!("cannot read {}", dir.display()))?;
    for entry in entries {
        let path: PathBuf = entry?.path();
        sum += if path.is_dir() {
            first_load(&path)?
        } else if path.ends_with(build::READER) {
            0
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
