//! `cargo xtask tokens`: many forged tokens, all of which must be refused.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use lexopt::prelude::*;
use spillgate_testkit::fuzz::{Forged, Forger};

/// The tokens of one batch of a thread.
const BATCH: u64 = 10_000;

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
    let next = AtomicU64::new(0);
    let started = Instant::now();
    let work = || {
        let mut sum = Forged::default();
        loop {
            let from = next.fetch_add(BATCH, Ordering::Relaxed);
            if from >= options.count {
                return sum;
            }
            let to = options.count.min(from + BATCH);
            let forged = forger.attempt(options.seed, from..to);
            sum.tried += forged.tried;
            sum.accepted += forged.accepted;
        }
    };
    let all = thread::scope(|scope| {
        let threads: Vec<_> = (0..options.threads).map(|_| scope.spawn(work)).collect();
        let sums = threads.into_iter().map(|thread| thread.join());
        sums.collect::<Result<Vec<_>, _>>()
    });
    let Ok(all) = all else {
        return ExitCode::FAILURE;
    };
    let tried: u64 = all.iter().map(|forged| forged.tried).sum();
    let accepted: u64 = all.iter().map(|forged| forged.accepted).sum();
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
