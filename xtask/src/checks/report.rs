//! What passed, failed and was skipped, over all groups.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;

use crate::interrupt;

/// Collects results; [`Report::finish`] prints them.
#[derive(Default)]
pub struct Report {
    passed: usize,
    failures: Vec<String>,
    failed: usize,
    skips: Vec<String>,
    started: Option<Instant>,
}

impl Report {
    /// Says which group begins; an error when the user asked to stop before it.
    pub fn section(&mut self, name: &str) -> Result<()> {
        interrupt::check()?;
        let started = self.started.get_or_insert_with(Instant::now);
        println!("\n=== {name} ({} s)", started.elapsed().as_secs());
        Ok(())
    }

    /// One check by its fault, if it has one.
    pub fn count(&mut self, name: &str, fault: Option<String>) {
        match fault {
            None => self.passed += 1,
            Some(fault) => {
                self.failed += 1;
                self.failures.push(format!("{name}: {fault}"));
            }
        }
    }

    /// One check by its result, printed.
    pub fn check(&mut self, name: &str, result: Result<()>) {
        let fault = result.err().map(|error| format!("{error:#}"));
        match &fault {
            None => println!("  ok    {name}"),
            Some(fault) => println!("  FAIL  {name}: {fault}"),
        }
        self.count(name, fault);
    }

    /// Results of a program that counts for itself.
    pub fn add(&mut self, name: &str, passed: usize, failed: usize) {
        self.passed += passed;
        self.failed += failed;
        if failed > 0 {
            self.failures
                .push(format!("{name}: {failed} failed, see above"));
        }
    }

    /// Something that could not run, and why.
    pub fn skip(&mut self, name: &str, reason: &str) {
        println!("  SKIP  {name}: {reason}");
        self.skips.push(format!("{name}: {reason}"));
    }

    /// Prints failures, skips and, as the last line, the totals.
    pub fn finish(self) -> ExitCode {
        println!();
        for failure in &self.failures {
            println!("failed: {failure}");
        }
        for skip in &self.skips {
            println!("skipped: {}", skip.replace('\n', " "));
        }
        println!(
            "{} passed, {} failed, {} skipped",
            self.passed,
            self.failed,
            self.skips.len()
        );
        if self.failed == 0 {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }
}
