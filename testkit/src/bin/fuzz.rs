//! `cargo xtask fuzz`: many cases of every target, without libFuzzer.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use lexopt::prelude::*;
use spillgate_testkit::fuzz::{FuzzTarget, TARGETS, bytes_of, run};

/// More memory means that something keeps its input.
const MEMORY_LIMIT_KB: u64 = 512 * 1024;

struct Options {
    executions: u64,
    seed: u64,
    targets: Vec<&'static FuzzTarget>,
    findings: PathBuf,
    /// A case to print instead.
    show: Option<u64>,
    /// The bytes of a case to print and run instead.
    file: Option<PathBuf>,
}

fn main() -> ExitCode {
    match options() {
        Ok(options) => fuzz(&options),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn options() -> Result<Options, lexopt::Error> {
    let mut options = Options {
        executions: 100_000,
        seed: 1,
        targets: Vec::new(),
        findings: PathBuf::from("target/fuzz-findings"),
        show: None,
        file: None,
    };
    let mut parser = lexopt::Parser::from_env();
    while let Some(argument) = parser.next()? {
        match argument {
            Long("executions") => options.executions = parser.value()?.parse()?,
            Long("seed") => options.seed = parser.value()?.parse()?,
            Long("show") => options.show = Some(parser.value()?.parse()?),
            Long("file") => options.file = Some(parser.value()?.into()),
            Long("findings") => options.findings = parser.value()?.into(),
            Long("target") => {
                let name = parser.value()?.string()?;
                let found = TARGETS.iter().find(|target| target.name == name);
                options.targets.push(found.ok_or("no such target")?);
            }
            other => return Err(other.unexpected()),
        }
    }
    if options.targets.is_empty() {
        options.targets = TARGETS.iter().collect();
    }
    Ok(options)
}

fn fuzz(options: &Options) -> ExitCode {
    if let Some(number) = options.show {
        let bytes = bytes_of(options.seed, number);
        for target in &options.targets {
            print!("{}", target.text(&bytes).unwrap_or_default());
        }
        return ExitCode::SUCCESS;
    }
    if let Some(file) = &options.file {
        return again(file, &options.targets);
    }
    let each = options.executions.div_ceil(options.targets.len() as u64);
    let current: Arc<Mutex<(String, Vec<u8>)>> = Arc::default();
    keep_what_panics(&current, options.findings.clone());
    for target in &options.targets {
        if let Ok(mut current) = current.lock() {
            current.0 = target.name.to_owned();
        }
        let ran = run(target, options.seed, 0..each, |bytes| {
            if let Ok(mut current) = current.lock() {
                current.1.clear();
                current.1.extend_from_slice(bytes);
            }
        });
        println!(
            "{:12} {:>10} cases in {:6.1} s, the longest (number {}) {:.1} ms, {} kB at most",
            target.name,
            ran.cases,
            ran.took.as_secs_f64(),
            ran.slowest,
            ran.longest.as_secs_f64() * 1e3,
            most_memory_kb()
        );
    }
    let memory = most_memory_kb();
    if memory > MEMORY_LIMIT_KB {
        eprintln!("error: {memory} kB of memory, expected at most {MEMORY_LIMIT_KB}");
        return ExitCode::FAILURE;
    }
    println!(
        "{} executions, 0 panics",
        each * options.targets.len() as u64
    );
    ExitCode::SUCCESS
}

/// Runs the case of a finding.
fn again(file: &Path, targets: &[&FuzzTarget]) -> ExitCode {
    let bytes = match fs::read(file) {
        Ok(bytes) => bytes,
        Err(error) => {
            eprintln!("error: {}: {error}", file.display());
            return ExitCode::from(2);
        }
    };
    for target in targets {
        println!("{}: {:?}", target.name, target.text(&bytes));
        target.run(&bytes);
    }
    ExitCode::SUCCESS
}

/// A panic leaves the bytes of its case in a file, which libFuzzer's targets read too.
fn keep_what_panics(current: &Arc<Mutex<(String, Vec<u8>)>>, findings: PathBuf) {
    let current = Arc::clone(current);
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        usual(info);
        let Ok(current) = current.lock() else {
            return;
        };
        let (name, bytes) = &*current;
        let file = findings.join(format!("{name}.bin"));
        let kept = fs::create_dir_all(&findings).and_then(|()| fs::write(&file, bytes));
        eprintln!("bytes of the case: {} ({kept:?})", file.display());
    }));
}

/// The most memory that the process had at any time; 0 where the system does not report it.
fn most_memory_kb() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}
