//! Results and times, over all sections.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;

use super::table::{self, SectionRow};
use crate::interrupt;

/// Collects results; [`CheckReport::finish`] prints them.
pub struct CheckReport {
    sections: Vec<Section>,
    failures: Vec<String>,
    skips: Vec<String>,
}

/// A part of the tests with a heading of its own. It includes the building of its test programs.
struct Section {
    name: String,
    started: Instant,
    passed: usize,
    failed: usize,
    skipped: usize,
}

impl Section {
    fn start(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            started: Instant::now(),
            passed: 0,
            failed: 0,
            skipped: 0,
        }
    }
}

impl CheckReport {
    /// Starts the clock.
    pub fn new() -> Self {
        Self {
            sections: vec![Section::start("preparation")],
            failures: Vec::new(),
            skips: Vec::new(),
        }
    }

    /// Prints which section begins; an error when the user asked to stop before it.
    pub fn section(&mut self, name: &str) -> Result<()> {
        interrupt::check()?;
        let first = self.sections.first().map(|first| first.started.elapsed());
        println!("\n=== {name} ({} s)", first.unwrap_or_default().as_secs());
        self.sections.push(Section::start(name));
        Ok(())
    }

    /// One check by its fault, if it has one.
    pub fn count(&mut self, name: &str, fault: Option<String>) {
        match fault {
            None => self.add(name, 1, 0),
            Some(fault) => {
                self.current(|section| section.failed += 1);
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
        self.current(|section| {
            section.passed += passed;
            section.failed += failed;
        });
        if failed > 0 {
            self.failures
                .push(format!("{name}: {failed} failed, see above"));
        }
    }

    /// Something that could not run, and why.
    pub fn skip(&mut self, name: &str, reason: &str) {
        println!("  SKIP  {name}: {reason}");
        self.current(|section| section.skipped += 1);
        self.skips.push(format!("{name}: {reason}"));
    }

    /// Prints the times, failures, skips and, as the last line, the totals.
    pub fn finish(self) -> ExitCode {
        let rows = self.rows();
        let total = table::total(&rows);
        println!("\n{}", table::text(&rows));
        for failure in &self.failures {
            println!("failed: {failure}");
        }
        for skip in &self.skips {
            println!("skipped: {}", skip.replace('\n', " "));
        }
        println!(
            "{} passed, {} failed, {} skipped",
            total.passed, total.failed, total.skipped
        );
        match total.failed {
            0 => ExitCode::SUCCESS,
            _ => ExitCode::FAILURE,
        }
    }

    fn current(&mut self, change: impl FnOnce(&mut Section)) {
        if let Some(section) = self.sections.last_mut() {
            change(section);
        }
    }

    /// A section lasts until the next one starts.
    fn rows(&self) -> Vec<SectionRow> {
        let ends = self
            .sections
            .iter()
            .skip(1)
            .map(|next| next.started)
            .chain([Instant::now()]);
        let rows = self
            .sections
            .iter()
            .zip(ends)
            .map(|(section, end)| SectionRow {
                name: section.name.clone(),
                time: end - section.started,
                passed: section.passed,
                failed: section.failed,
                skipped: section.skipped,
            });
        rows.collect()
    }
}
