//! `cargo xtask test`: every test of the project, in groups, with one summary.
//!
//! A group that fails does not keep the others from running; what could not run is named with its
//! reason, never left out silently.

mod cargo_tests;
mod conformance;
mod group;
mod ledger;
mod no_std;
mod report;
mod table;
mod tidy;

use std::process::ExitCode;

use anyhow::Result;

pub use group::TestGroup;
use report::CheckReport;

use crate::project::Project;
use crate::{build, dist, interrupt, toolchain};
use cargo_tests::Tests;

/// Runs the groups named, or all of them.
pub fn run(project: &Project, only: &[TestGroup]) -> Result<ExitCode> {
    interrupt::catch()?;
    let wanted = |group: TestGroup| only.is_empty() || only.contains(&group);
    let mut report = CheckReport::new();

    if wanted(TestGroup::Tidy) {
        report.section("tidy: sources")?;
        tidy::sources(project, &mut report)?;
    }
    let mut tests = Tests::new(project);
    let needed = NeededModules {
        filter: wanted(TestGroup::Filter),
        all: [
            TestGroup::Envoy,
            TestGroup::BrowserTools,
            TestGroup::Accessibility,
            TestGroup::Engines,
            TestGroup::Tidy,
        ]
        .into_iter()
        .any(wanted),
        twin: wanted(TestGroup::Twin) || wanted(TestGroup::BrowserTools),
        faulty: wanted(TestGroup::Envoy),
    };
    let mut built = true;
    if needed.filter || needed.all || needed.twin {
        report.section("build")?;
        let programs = TestGroup::OF_PROGRAMS.into_iter().any(wanted);
        built = build_all(project, needed, programs.then_some(&tests), &mut report)?;
    }
    if wanted(TestGroup::Tidy) && built {
        report.section("tidy: sizes")?;
        tidy::sizes(project, &mut report)?;
        tidy::hostcalls(project, &mut report);
    }
    if wanted(TestGroup::Unit) {
        report.section("unit")?;
        tests.run(TestGroup::Unit, &mut report)?;
        tests.run_doc_tests(&mut report)?;
    }
    if wanted(TestGroup::Vectors) {
        report.section("vectors")?;
        conformance::run(project, &mut report)?;
    }
    if wanted(TestGroup::Twin) && built {
        report.section("commands for WebAssembly")?;
        tests.run(TestGroup::Twin, &mut report)?;
    }
    if wanted(TestGroup::Filter) && built {
        report.section("filter in the test host")?;
        tests.set("SPILLGATE_FUEL_REPORT", &ledger::fuel_report(project));
        tests.run(TestGroup::Filter, &mut report)?;
        ledger::fuel(project, &mut report);
    }
    if wanted(TestGroup::Envoy) && built {
        report.section("filter in Envoy")?;
        with_envoy(project, &mut tests, &mut report)?;
    }
    if (wanted(TestGroup::BrowserTools) || wanted(TestGroup::Accessibility)) && built {
        report.section("page in a browser")?;
        with_browser(project, &wanted, &mut tests, &mut report)?;
    }
    if wanted(TestGroup::Engines) && built {
        report.section("page in Firefox and WebKit")?;
        match toolchain::engines(&project.cache()) {
            Ok(tools) => {
                tests.set("FIREFOX", &tools.firefox);
                tests.set("GECKODRIVER", &tools.geckodriver);
                tests.set("WEBKITDRIVER", &tools.webkit_driver);
                tests.set("XVFB", &tools.xvfb);
                tests.run(TestGroup::Engines, &mut report)?;
            }
            Err(error) => report.skip("tests with Firefox and WebKit", &format!("{error:#}")),
        }
    }
    if wanted(TestGroup::Grpc) {
        report.section("gRPC's own client")?;
        match toolchain::grpc_peer(&project.cache()) {
            Ok(packages) => {
                tests.set("SPILLGATE_GRPC_PACKAGES", &packages);
                tests.run(TestGroup::Grpc, &mut report)?;
            }
            Err(error) => report.skip("tests with gRPC's own client", &format!("{error:#}")),
        }
    }
    if wanted(TestGroup::Prometheus) {
        report.section("alerts in Prometheus")?;
        with_prometheus(project, &mut tests, &mut report)?;
    }
    if wanted(TestGroup::NoStd) {
        report.section("no-std")?;
        no_std::run(project, &mut report);
    }
    if wanted(TestGroup::Ledger) {
        report.section("performance ledger")?;
        ledger::instructions(project, &mut report);
    }
    Ok(report.finish())
}

/// The modules that tests load.
#[derive(Clone, Copy)]
struct NeededModules {
    /// The Wasm filter.
    filter: bool,
    /// Everything that ships, with the filter.
    all: bool,
    /// The command as WebAssembly, for tests only.
    twin: bool,
    /// The dynamic module with deliberate panics, for tests only.
    faulty: bool,
}

/// Builds what the tests load, and meanwhile the tests: a module keeps one core busy. After a failure of a module,
/// the tests that would load it are skipped: they would find none, or one from an earlier build.
fn build_all(
    project: &Project,
    needed: NeededModules,
    tests: Option<&Tests<'_>>,
    report: &mut CheckReport,
) -> Result<bool> {
    let (modules, programs) = build::side_by_side(
        || Ok(build_modules(project, needed)),
        || Ok(tests.map(Tests::build)),
    )?;
    if let Some(programs) = programs {
        report.check("the tests are built", programs);
    }
    let built = modules.is_ok();
    report.check("the modules are built", modules);
    if !built {
        let reason = "the build failed, see the failure";
        report.skip(
            "tests of the built filter and page, and their sizes",
            reason,
        );
    }
    Ok(built)
}

fn build_modules(project: &Project, needed: NeededModules) -> Result<()> {
    project.toolchain()?;
    if needed.all {
        build::everything(project)?;
    } else if needed.filter {
        build::filter(project)?;
    }
    if needed.twin {
        build::twin(project)?;
    }
    if needed.faulty {
        build::faulty_module(project)?;
    }
    Ok(())
}

fn with_envoy(project: &Project, tests: &mut Tests<'_>, report: &mut CheckReport) -> Result<()> {
    let envoy = match toolchain::envoy(&project.cache()) {
        Ok(envoy) => envoy,
        Err(error) => {
            report.skip("tests with Envoy", &format!("{error:#}"));
            return Ok(());
        }
    };
    tests.set("ENVOY", &envoy);
    // Without it, its tests fail.
    let previous = toolchain::previous_envoy(&project.cache());
    if let Ok(previous) = &previous {
        tests.set("SPILLGATE_PREVIOUS_ENVOY", previous);
    }
    report.check("the previous version of Envoy is there", previous.map(drop));
    tests.run(TestGroup::Envoy, report)?;
    Ok(())
}

/// The end-to-end test needs Envoy, too. Without it, that test fails.
fn with_prometheus(
    project: &Project,
    tests: &mut Tests<'_>,
    report: &mut CheckReport,
) -> Result<()> {
    let tools = match toolchain::prometheus() {
        Ok(tools) => tools,
        Err(error) => {
            report.skip("tests with Prometheus", &format!("{error:#}"));
            return Ok(());
        }
    };
    tests.set("PROMETHEUS", &tools.prometheus);
    tests.set("PROMTOOL", &tools.promtool);
    let envoy = toolchain::envoy(&project.cache());
    if let Ok(envoy) = &envoy {
        tests.set("ENVOY", envoy);
    }
    report.check("Envoy is there for Prometheus", envoy.map(drop));
    tests.run(TestGroup::Prometheus, report)
}

fn with_browser(
    project: &Project,
    wanted: &dyn Fn(TestGroup) -> bool,
    tests: &mut Tests<'_>,
    report: &mut CheckReport,
) -> Result<()> {
    let browser = match toolchain::browser() {
        Ok(browser) => browser,
        Err(error) => {
            report.skip("tests with a browser", &format!("{error:#}"));
            return Ok(());
        }
    };
    tests.set("CHROMIUM", &browser.chromium);
    tests.set("CHROMEDRIVER", &browser.chromedriver);
    if wanted(TestGroup::BrowserTools) {
        // The Live screen shows a running Envoy. Without one, its tests fail.
        let envoy = toolchain::envoy(&project.cache());
        if let Ok(envoy) = &envoy {
            tests.set("ENVOY", envoy);
        }
        report.check("Envoy is there for the Live screen", envoy.map(drop));
        let file = dist::page_file(project).map(drop);
        report.check("the playground in a single file is built", file);
        tests.run(TestGroup::BrowserTools, report)?;
    }
    if wanted(TestGroup::Accessibility) {
        match toolchain::AXE.file(&project.cache()) {
            Ok(axe) => {
                tests.set("SPILLGATE_AXE", &axe);
                tests.run(TestGroup::Accessibility, report)?;
            }
            Err(error) => report.skip("tests of accessibility", &format!("{error:#}")),
        }
    }
    Ok(())
}
