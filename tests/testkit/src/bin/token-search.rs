//! `cargo xtask tokens`: many forged tokens, all of which must be refused.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use lexopt::prelude::*;
use spillgate_testkit::{fuzz::Forger, in_parallel};

struct Options {
    count: u64,
    seed: u64,
    threads: usize,
}

fn main() -> ExitCode {
    match options() {
        Ok(options) => search(&options),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn options() -> Result<Options, lexopt::Error> {
    let mut options = Options {
        count: 1_000_000,
        seed: 1,
        threads: thread::available_parallelism().map_or(1, Into::into),
    };
    let mut parser = lexopt::Parser::from_env();
    while let Some(argument) = parser.next()? {
        match argument {
            Long("count") => options.count = parser.value()?.parse()?,
            Long("seed") => options.seed = parser.value()?.parse()?,
            Long("threads") => options.threads = parser.value()?.parse()?,
            other => return Err(other.unexpected()),
        }
    }
    if options.threads == 0 || options.count == 0 {
        return Err("--count and --threads begin at 1".into());
    }
    Ok(options)
}

fn search(options: &Options) -> ExitCode {
    let forger = Forger::new(options.seed);
    let started = Instant::now();
    let tried = AtomicU64::new(0);
    let accepted = in_parallel(options.threads, options.count, |range| {
        let forged = forger.attempt(options.seed, range);
        tried.fetch_add(forged.tried, Ordering::Relaxed);
        forged.accepted
    });
    let tried = tried.into_inner();
    let took = started.elapsed().as_secs_f64();
    println!(
        "{tried} forged tokens, {accepted} accepted, in {took:.1} s with {} threads ({:.0} a second)",
        options.threads,
        tried as f64 / took
    );
    if accepted == 0 && tried == options.count {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
