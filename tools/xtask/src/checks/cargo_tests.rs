//! Tests that cargo builds: run by cargo-nextest where it is installed, else by `cargo test`.

use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, Read};
use std::num::NonZero;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context as _, Result};

use super::TestGroup;
use super::report::CheckReport;
use crate::process;
use crate::project::Project;

/// The packages whose tests are built together: always the same ones, so that features, and with them the
/// dependencies that were built before, stay the same from group to group. `xtask` is built alone, as it was
/// to run these tests, so its libraries, which are large, are not built again.
pub(super) const TESTED: [&str; 3] = ["--workspace", "--exclude", "xtask"];

/// Runs groups of tests; their environment has the paths of built files and tools.
pub struct Tests<'a> {
    project: &'a Project,
    nextest: bool,
    environment: Vec<(&'static str, OsString)>,
}

/// The summary of a test program.
#[derive(Default, PartialEq, Eq, Debug)]
struct Counts {
    passed: usize,
    failed: usize,
}

impl<'a> Tests<'a> {
    pub fn new(project: &'a Project) -> Self {
        let mut probe = project.cargo();
        let nextest = process::output(probe.args(["nextest", "--version"])).is_ok();
        let mut tests = Self {
            project,
            nextest,
            environment: Vec::new(),
        };
        tests.set("SPILLGATE_FILTER_WASM", &project.filter_wasm());
        tests.set("SPILLGATE_MODULE", &project.dynamic_module());
        tests.set("SPILLGATE_FAULTY_MODULE", &project.faulty_module());
        tests.set("SPILLGATE_TWIN_WASM", &project.twin_wasm());
        tests.set("SPILLGATE_WWW", &project.www());
        tests.set("SPILLGATE_DOCS", &project.docs());
        tests.set("SPILLGATE_PAGE_FILE", &project.page_file());
        tests
    }

    /// Passes the path of something to all further tests.
    pub fn set(&mut self, name: &'static str, path: &Path) {
        self.environment.push((name, path.into()));
    }

    /// Builds the programs of all groups.
    pub fn build(&self) -> Result<()> {
        let mut command = if self.nextest {
            self.cargo(&["nextest", "run", "--no-run"])
        } else {
            self.cargo(&["test", "--no-run"])
        };
        process::run(command.args(TESTED))
    }

    /// Runs one group.
    pub fn run(&mut self, group: TestGroup, report: &mut CheckReport) -> Result<()> {
        let name = format!("{group:?} tests");
        if group == TestGroup::Unit {
            let mut command = self.cargo(&["test", "--quiet", "--no-fail-fast"]);
            command.args(["--package", "xtask"]);
            count(&mut command, &name, cargo_test_counts, report)?;
        }
        if self.nextest {
            let mut command = self.cargo(&["nextest", "run", "--no-fail-fast"]);
            command.args(TESTED);
            let settings = self.project.root.join(".cargo/nextest.toml");
            command.arg("--config-file").arg(settings);
            command.args(["--color", "never", "--status-level", "fail", "-E"]);
            command.arg(group.nextest_filter());
            if group == TestGroup::Envoy {
                // Half of their time, these tests wait: for answers, polls and checks.
                let cores = thread::available_parallelism().map_or(1, NonZero::get);
                command.args(["--test-threads", &(2 * cores).to_string()]);
            }
            return count(&mut command, &name, nextest_counts, report);
        }
        for arguments in group.cargo_test_arguments() {
            let mut command = self.cargo(&["test", "--quiet", "--no-fail-fast"]);
            count(command.args(arguments), &name, cargo_test_counts, report)?;
        }
        Ok(())
    }

    /// The examples in the documentation, which nextest does not run.
    pub fn run_doc_tests(&mut self, report: &mut CheckReport) -> Result<()> {
        let mut command = self.cargo(&["test", "--quiet", "--doc", "--no-fail-fast"]);
        count(command.args(TESTED), "doc tests", cargo_test_counts, report)
    }

    fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = self.project.cargo();
        command.args(arguments);
        for (name, value) in &self.environment {
            command.env(name, value);
        }
        command
    }
}

/// Runs `command`, shows its output, and adds the result of `counts` for it to the report.
fn count(
    command: &mut Command,
    name: &str,
    counts: fn(&str) -> Option<Counts>,
    report: &mut CheckReport,
) -> Result<()> {
    let text = process::shown(command);
    println!("  $ {text}");
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start `{text}`"))?;
    let stdout = child
        .stdout
        .take()
        .map(|pipe| thread::spawn(move || relay(pipe, counts)));
    let stderr = child
        .stderr
        .take()
        .map(|pipe| thread::spawn(move || relay(pipe, counts)));
    let mut total = Counts::default();
    for relay in [stdout, stderr].into_iter().flatten() {
        let part = relay.join().unwrap_or_default();
        total.passed += part.passed;
        total.failed += part.failed;
    }
    let status = child.wait()?;
    if !status.success() && total.failed == 0 {
        // It did not come as far as to count: a test that does not compile, or no test at all.
        report.check(name, Err(anyhow::anyhow!("`{text}` failed ({status})")));
    }
    println!("  {name}: {} passed, {} failed", total.passed, total.failed);
    report.add(name, total.passed, total.failed);
    Ok(())
}

fn relay(pipe: impl Read, counts: fn(&str) -> Option<Counts>) -> Counts {
    let mut total = Counts::default();
    for line in BufReader::new(pipe).lines().map_while(Result::ok) {
        if let Some(part) = counts(&line) {
            total.passed += part.passed;
            total.failed += part.failed;
        }
        println!("{line}");
    }
    total
}

/// `Summary [ 0.1s] 5 tests run: 3 passed (1 slow), 1 failed, 1 timed out, 9 skipped`. What is
/// skipped there belongs to another group.
fn nextest_counts(line: &str) -> Option<Counts> {
    let (head, tail) = line.split_once(" run: ")?;
    if !head.trim_start().starts_with("Summary") {
        return None;
    }
    Some(Counts {
        passed: number_before(tail, "passed"),
        failed: number_before(tail, "failed")
            + number_before(tail, "timed out")
            + number_before(tail, "exec failed"),
    })
}

/// `test result: ok. 3 passed; 0 failed; 0 ignored; ...`
fn cargo_test_counts(line: &str) -> Option<Counts> {
    let (_, tail) = line.split_once("test result: ")?;
    Some(Counts {
        passed: number_before(tail, "passed"),
        failed: number_before(tail, "failed"),
    })
}

fn number_before(text: &str, word: &str) -> usize {
    let parts = text.split([',', ';', '.']);
    let number = parts.filter_map(|part| {
        let (number, rest) = part.trim().split_once(' ')?;
        let same = rest == word || rest.starts_with(&format!("{word} ("));
        same.then(|| number.parse::<usize>().ok())?
    });
    number.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_are_read() {
        let line = "     Summary [   1.2s] 5 tests run: 3 passed (1 slow), 1 failed, 1 timed out, 9 skipped";
        let counts = |passed, failed| Some(Counts { passed, failed });
        assert_eq!(nextest_counts(line), counts(3, 2));
        assert_eq!(
            nextest_counts("     Summary [   0.4s] 18/18 tests run: 18 passed, 0 skipped"),
            counts(18, 0)
        );
        assert_eq!(nextest_counts("test foo run: 3 passed"), None);
        let line = "test result: FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s";
        assert_eq!(cargo_test_counts(line), counts(12, 3));
    }
}
