//! The performance ledgers: the instructions of fixed work and the fuel of requests, as recorded in
//! the repository. Neither depends on the load of the machine, so the checks are not timed tests.
//!
//! A count of more than 5 % above the recorded one fails. Counts depend on the compiler and, outside
//! of WebAssembly, on the C library and the processor: where these differ from the recorded ones,
//! the counts are printed and not compared.

mod comparison;
mod file;

use std::env::consts::{ARCH, OS};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::report::CheckReport;
use crate::bench::{Callgrind, Peers, Program};
use crate::project::Project;
use crate::{files, process, toolchain};
use comparison::compare;
use file::{Ledger, LedgerEntry};

/// If set, the ledgers are written instead of compared.
const WRITE: &str = "SPILLGATE_WRITE_LEDGER";

/// Counts the instructions of all work in `tests/bench/benches/instructions/`.
pub fn instructions(project: &Project, report: &mut CheckReport) {
    let name = "instructions are within the ledger";
    let valgrind = match toolchain::valgrind() {
        Ok(valgrind) => valgrind,
        Err(error) => return report.skip(name, &format!("{error:#}")),
    };
    let checked = counted(project, valgrind).and_then(|counts| {
        let found = Ledger {
            machine: native(project)?,
            counts,
        };
        check(&project.root.join("tests/bench/instructions.txt"), &found)
    });
    report.check(name, checked);
}

fn counted(project: &Project, valgrind: PathBuf) -> Result<Vec<LedgerEntry>> {
    let program = Program::instructions(project, Peers::Without)?;
    let callgrind = Callgrind::new(valgrind, &program);
    let names = callgrind.names()?;
    let count = |name: String| {
        let count = callgrind.count(&name, None)?;
        Ok(LedgerEntry { count, name })
    };
    names.into_iter().map(count).collect()
}

/// Where the tests of the filter write the fuel that requests burn.
pub fn fuel_report(project: &Project) -> PathBuf {
    project.out().join("fuel.txt")
}

/// Compares the fuel that the tests of the filter have reported.
pub fn fuel(project: &Project, report: &mut CheckReport) {
    let counts = fs::read_to_string(fuel_report(project))
        .context("the tests of the filter reported no fuel")
        .and_then(|text| file::counts(&text));
    let checked = counts.and_then(|counts| {
        let found = Ledger {
            machine: wasm(project)?,
            counts,
        };
        check(&project.root.join("filter/tests/fuel.txt"), &found)
    });
    report.check("the fuel of requests is within the ledger", checked);
}

fn check(path: &Path, found: &Ledger) -> Result<()> {
    if std::env::var_os(WRITE).is_some() {
        let text = fs::read_to_string(path).unwrap_or_default();
        files::write_atomically(path, found.text(&text))?;
        println!("  wrote {}", path.display());
        return Ok(());
    }
    let text = fs::read_to_string(path)
        .with_context(|| format!("cannot read {}; {WRITE}=1 writes it", path.display()))?;
    let recorded = Ledger::read(&text).with_context(|| format!("{}", path.display()))?;
    let comparison = compare(&recorded.counts, &found.counts);
    print!("{}", comparison.table);
    if recorded.machine != found.machine {
        println!(
            "  NOT COMPARED: recorded with {}, this is {}",
            recorded.machine, found.machine
        );
        return Ok(());
    }
    if comparison.faults.is_empty() {
        return Ok(());
    }
    bail!(
        "{}; if this is intended, {WRITE}=1 records it",
        comparison.faults.join("; ")
    )
}

/// Everything but our code that instruction counts depend on.
fn native(project: &Project) -> Result<String> {
    let path = project.toolchain()?.path().name();
    let rustc = toolchain::active_version()?;
    let libc = process::output(Command::new("ldd").arg("--version")).unwrap_or_default();
    let libc = libc.lines().next().and_then(|line| line.rsplit(' ').next());
    let libc = libc.unwrap_or("unknown");
    Ok(format!(
        "{path}, {rustc}, {ARCH} {OS}, libc {libc}, {}",
        processor_features()
    ))
}

/// The processor features that libraries select code by.
fn processor_features() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        let avx2 = std::arch::is_x86_feature_detected!("avx2");
        match (avx2, std::arch::is_x86_feature_detected!("aes")) {
            (true, true) => "with avx2 and aes",
            (true, false) => "with avx2",
            (false, true) => "with aes",
            (false, false) => "without avx2 and aes",
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        "features unknown"
    }
}

/// Everything but our code that fuel depends on: the compiler and the optimizer of the module.
fn wasm(project: &Project) -> Result<String> {
    let toolchain = project.toolchain()?;
    let optimizer = project
        .wasm_opt()
        .map_or("no wasm-opt", |found| found.version.as_str());
    Ok(format!(
        "{}, {}, {optimizer}",
        toolchain.path().name(),
        toolchain.rustc()
    ))
}
