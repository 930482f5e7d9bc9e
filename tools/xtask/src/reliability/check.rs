//! A long check, as data.

use super::sanitizer::Sanitizer;

/// A check with a short and a full form.
#[derive(Debug)]
pub struct LongCheck {
    /// Its name for the command.
    pub name: &'static str,
    /// The property that it shows.
    pub shows: &'static str,
    /// The amount that `cargo xtask test` runs.
    pub short: &'static str,
    /// The amount of the full form.
    pub full: &'static str,
    /// The rough duration of the full form on two processors, with the build.
    pub takes: &'static str,
    /// How to run the full form.
    pub program: CheckProgram,
}

/// The program of a check.
#[derive(Debug)]
pub enum CheckProgram {
    /// A test, with `SPILLGATE_FULL` set.
    Test(CheckTest),
    /// A program of the end-to-end tests that measures in the real Envoy.
    Measurement(&'static str),
    /// The same, with older versions of Envoy, too.
    Versions(&'static str),
    /// A program of the end-to-end tests that compares with the real Envoy, with its arguments.
    Comparison(&'static str, &'static [&'static str]),
    /// Another command of `cargo xtask`, with its arguments.
    Command(&'static [&'static str]),
}

/// A test of this workspace.
#[derive(Debug)]
pub struct CheckTest {
    /// The package without its prefix `spillgate-`.
    pub package: &'static str,
    /// The name of the test program.
    pub binary: &'static str,
    /// The path of the test in its program; empty: all its tests.
    pub test: &'static str,
    /// How it is compiled.
    pub build: TestBuild,
    /// Its requirements.
    pub needs: &'static [CheckNeed],
}

/// How a test is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestBuild {
    /// As `cargo xtask test` does.
    Debug,
    /// Optimized, with overflow checks and debug assertions.
    Optimized,
    /// Optimized, with a sanitizer too.
    Sanitized(Sanitizer),
}

/// Something that a test needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckNeed {
    /// The filter as it ships.
    Filter,
    /// The Envoy binary.
    Envoy,
    /// The commands' functions as WebAssembly.
    Twin,
    /// The page as it ships, and a browser.
    Browser,
}
