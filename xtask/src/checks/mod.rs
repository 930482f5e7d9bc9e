//! `cargo xtask test`: every test of the project, in groups, with one summary.
//!
//! A group that fails does not keep the others from running; what could not run is named with its
//! reason, never left out silently.

mod cargo_tests;
mod conformance;
mod group;
mod no_std;
mod report;
mod tidy;

use std::process::ExitCode;

use anyhow::Result;

pub use group::Group;
use report::Report;

use crate::project::Project;
use crate::{build, demo, dist, interrupt, toolchain};
use cargo_tests::Tests;

/// Runs the groups named, or all of them.
pub fn run(project: &Project, only: &[Group]) -> Result<ExitCode> {
    interrupt::catch()?;
    let wanted = |group: Group| only.is_empty() || only.contains(&group);
    let mut report = Report::default();

    if wanted(Group::Tidy) {
        report.section("tidy: sources")?;
        tidy::sources(project, &mut report)?;
    }
    let mut tests = Tests::new(project);
    let needs_modules = [Group::Filter, Group::Envoy, Group::Browser, Group::Tidy];
    if needs_modules.into_iter().any(wanted) {
        report.section("build")?;
        // Later groups name what they miss, should this fail.
        report.check("the filter is built", build::filter(project).map(drop));
        report.check("the page is built", build::page(project).map(drop));
    }
    if wanted(Group::Filter) {
        report.check("the commands are built", build::twin(project));
    }
    if wanted(Group::Tidy) {
        report.section("tidy: sizes")?;
        tidy::sizes(project, &mut report)?;
    }
    if wanted(Group::Unit) {
        report.section("unit")?;
        tests.run(Group::Unit, &mut report)?;
        tests.run_doc_tests(&mut report)?;
    }
    if wanted(Group::Vectors) {
        report.section("vectors")?;
        conformance::run(project, &mut report)?;
    }
    if wanted(Group::Filter) {
        report.section("filter in the test host")?;
        tests.run(Group::Filter, &mut report)?;
    }
    if wanted(Group::Envoy) {
        report.section("filter in Envoy")?;
        with_envoy(project, &mut tests, &mut report)?;
    }
    if wanted(Group::Browser) {
        report.section("page in a browser")?;
        with_browser(project, &mut tests, &mut report)?;
    }
    if wanted(Group::Grpc) {
        report.section("gRPC's own client")?;
        match toolchain::grpc_peer(project) {
            Ok(packages) => {
                tests.set("SPILLGATE_GRPC_PACKAGES", &packages);
                tests.run(Group::Grpc, &mut report)?;
            }
            Err(error) => report.skip("tests with gRPC's own client", &format!("{error:#}")),
        }
    }
    if wanted(Group::NoStd) {
        report.section("no-std")?;
        no_std::run(project, &mut report);
    }
    Ok(report.finish())
}

fn with_envoy(project: &Project, tests: &mut Tests<'_>, report: &mut Report) -> Result<()> {
    let envoy = match toolchain::envoy(project) {
        Ok(envoy) => envoy,
        Err(error) => {
            report.skip("tests with Envoy, and demo --check", &format!("{error:#}"));
            return Ok(());
        }
    };
    tests.set("ENVOY", &envoy);
    tests.run(Group::Envoy, report)?;
    match demo::check(project, &envoy) {
        Ok(outcomes) => {
            for one in outcomes {
                report.count(&format!("demo --check: {}", one.name), one.fault);
            }
        }
        Err(error) => report.count("demo --check", Some(format!("{error:#}"))),
    }
    Ok(())
}

fn with_browser(project: &Project, tests: &mut Tests<'_>, report: &mut Report) -> Result<()> {
    match toolchain::browser() {
        Ok(browser) => {
            let file = dist::page_file(project).map(drop);
            report.check("the page in a single file is built", file);
            tests.set("CHROMIUM", &browser.chromium);
            tests.set("CHROMEDRIVER", &browser.chromedriver);
            tests.run(Group::Browser, report)
        }
        Err(error) => {
            report.skip("tests with a browser", &format!("{error:#}"));
            Ok(())
        }
    }
}
