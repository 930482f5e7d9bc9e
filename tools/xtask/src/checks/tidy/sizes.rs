//! Limits on the sizes of what ships. Page figures are brotli sizes, as a server sends them.
//!
//! Of the filter, the SDK takes 20,000 bytes, polls of many clusters 25,000, the comparison of the
//! host that responds 4,000, retries in the next step or cluster 6,000, checks of restrictions
//! without effect 5,000; live health and subsets with their chain took it from 374 kB to 505 kB,
//! sessions to 601 kB. Each worker's VM compiles it once. A class for each field of Envoy's
//! messages, with the effect of those that are not modeled, is a quarter of the reader: a page
//! without it would print wrong figures without a warning.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use super::super::report::CheckReport;
use crate::build::{self, FileUse};
use crate::files;
use crate::project::Project;

// Upper limits in bytes, for modules that went through wasm-opt. They are the same for both toolchains:
// a visitor downloads whichever module was built. rustup's prebuilt standard library is compiled for
// speed, so that its modules are 3 to 7 % larger than Debian's.

/// The filter as Envoy loads it; a part of 8 kB keeps secrets out of its messages.
const FILTER: usize = 645_000;
/// The playground's module, compressed: with the loss model that What-if uses too, what a reload keeps of an import, and the
/// links of comparisons.
const PAGE_MODULE: usize = 251_000;
/// A module of readers, which the playground fetches at the first import of its formats, compressed: with the engine, for
/// the state of each imported cluster. The first visit does not wait for them.
const READER: usize = 388_000;
/// The module that reads and runs scenario files, which a click on Sessions fetches, compressed.
const SIMULATION: usize = 283_500;
/// The module that compares two imports on Compare, compressed: with the engine, regular expressions, the table of Envoy's
/// messages, and the proofs for routes that are written in another way.
const COMPARISON: usize = 500_000;
/// What a click downloads of the playground: a group of parts, with the code that it shares with other groups, compressed.
const GROUP: usize = 187_500;
/// The module of the custom element, which other sites load, compressed.
const EMBED: usize = 91_000;
/// The same with sweeps.
const EMBED_SWEEP: usize = 103_000;
/// The script of a module, compressed.
const PAGE_SCRIPT: usize = 12_000;
/// Everything that a first visit loads, compressed: all but the modules that are loaded on demand.
const FIRST_LOAD: usize = 298_300;

/// One check a limit.
pub fn sizes(project: &Project, report: &mut CheckReport) -> Result<()> {
    let www = project.www();
    let filter = || Ok(files::read_bytes(&project.filter_wasm())?.len());
    let page = || brotli(&www.join(build::PAGE.file()));
    let script = || brotli(&www.join("playground.js"));
    let all = || first_load(&www);

    // The name under which a module goes through wasm-opt, and what it is in the output.
    let mut check = |module: Option<&str>, what: &str, size: &dyn Fn() -> Result<usize>, limit| {
        if module.is_some_and(|module| !build::is_optimized(project, module)) {
            let reason = "the limit is for modules that went through wasm-opt; install binaryen";
            report.skip(&format!("the size of {what}"), reason);
            return;
        }
        let result = within(what, size(), limit);
        report.check(&format!("{what} is small enough"), result);
    };
    check(Some("filter"), "the filter", &filter, FILTER);
    let page_module = "the page's module, compressed,";
    check(Some("playground"), page_module, &page, PAGE_MODULE);
    for reader in build::READERS {
        let what = format!("{}, compressed,", reader.file);
        let size = || brotli(&www.join(reader.file));
        let limit = match reader.feature {
            "simulation" => SIMULATION,
            "comparison" => COMPARISON,
            _ => READER,
        };
        check(Some(reader.feature), &what, &size, limit);
    }
    for (embed, limit) in [(build::EMBED, EMBED), (build::EMBED_SWEEP, EMBED_SWEEP)] {
        let what = format!("{}, compressed,", embed.file);
        let size = || brotli(&www.join(embed.file));
        check(Some(embed.name), &what, &size, limit);
    }
    let groups = build::groups(&www)?;
    for (group, files) in &groups {
        let what = format!("the group {group}, compressed,");
        let size = || files.iter().map(|file| brotli(&www.join(file))).sum();
        check(Some(&format!("group-{group}")), &what, &size, GROUP);
    }
    let embed_script = || brotli(&www.join("embed.js"));
    let name = "the script of the custom element, compressed,";
    check(None, name, &embed_script, PAGE_SCRIPT);
    check(None, "the page's script, compressed,", &script, PAGE_SCRIPT);
    for file in build::FILTER_FILES
        .into_iter()
        .filter(|file| file.ends_with(".js"))
    {
        let what = format!("{file}, compressed,");
        check(None, &what, &|| brotli(&www.join(file)), PAGE_SCRIPT);
    }
    let first_load = "the page's first load, compressed,";
    check(Some("playground"), first_load, &all, FIRST_LOAD);
    if !www.join(build::FONT).is_file() {
        let reason = "the page was built without it; npm and its registry are needed";
        report.skip("the size of the page's font", reason);
    }
    Ok(())
}

fn within(what: &str, size: Result<usize>, limit: usize) -> Result<()> {
    let size = size?;
    let percent = size as f64 / limit as f64 * 100.0;
    println!("  {what} has {size} bytes, {percent:.1} % of its limit");
    ensure!(size <= limit, "{size} bytes, at most {limit}");
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
        } else if build::file_use(&path) == FileUse::First {
            brotli(&path)?
        } else {
            0
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
