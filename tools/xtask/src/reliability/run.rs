//! Lists the checks, or runs the full form of some.

use std::ffi::OsString;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use spillgate_testkit::FIGURE;

use super::ReliabilityOptions;
use super::check::{CheckNeed, CheckProgram, CheckTest, LongCheck, TestBuild};
use super::checks::CHECKS;
use super::document::{self, RecordedResults};
use super::last_result::{LastResult, TestedCommit};
use crate::project::Project;
use crate::{bench, build, differential, process, toolchain};

/// Lists the checks, or runs those that are named.
pub fn run(project: &Project, options: &ReliabilityOptions) -> Result<()> {
    if options.names.is_empty() {
        return list(project);
    }
    let comparison = |name: &str| {
        let mut checks = CHECKS.iter().filter(|check| check.name == name);
        checks.any(|check| matches!(check.program, CheckProgram::Comparison(..)))
    };
    if !options.arguments.is_empty() && !options.names.iter().all(|name| comparison(name)) {
        bail!(
            "options such as --seed are those of `diff` and `health-over-time`; run the other checks without them"
        );
    }
    let named = options.names.iter().map(|name| {
        let found = CHECKS.iter().find(|check| check.name == *name);
        found.with_context(|| format!("unknown check `{name}`, expected one of {}", names()))
    });
    // All names are checked before the first hour begins.
    for check in named.collect::<Result<Vec<_>>>()? {
        // The commit may change while the check runs.
        let tested = TestedCommit::now(&project.root)?;
        let figures = full(project, check, &options.arguments).with_context(|| check.name)?;
        let result = LastResult::new(tested, figures)?;
        println!(
            "| {} | cargo xtask reliability {} | {} | {result} |",
            check.name, check.name, check.full
        );
        if options.record {
            document::record(&project.root, check.name, &result)?;
        }
    }
    Ok(())
}

fn names() -> String {
    let names: Vec<&str> = CHECKS.iter().map(|check| check.name).collect();
    names.join(", ")
}

fn list(project: &Project) -> Result<()> {
    let results = RecordedResults::read(&project.root)?;
    for check in CHECKS {
        println!("{}: {}", check.name, check.shows);
        println!("  with every test run: {}", check.short);
        println!("  in full: {} ({})", check.full, check.takes);
        println!("  last full result: {}", results.shown(check.name));
    }
    println!("\n`cargo xtask reliability NAME...` runs the full form of each.");
    Ok(())
}

/// Runs the full form: its figures.
fn full(project: &Project, check: &LongCheck, arguments: &[OsString]) -> Result<Vec<String>> {
    let mut command = match &check.program {
        CheckProgram::Test(test) => test_command(project, test)?,
        CheckProgram::Measurement(name) => bench::in_envoy(project, name)?,
        CheckProgram::Versions(name) => {
            let older = toolchain::older_envoys(&project.cache())?;
            let mut command = bench::in_envoy(project, name)?;
            command.env("SPILLGATE_OLDER_ENVOYS", std::env::join_paths(older)?);
            command
        }
        CheckProgram::Comparison(name, words) => {
            let mut command = differential::command(project, name)?;
            command.args(*words).args(arguments);
            command
        }
        CheckProgram::Command(words) => {
            // The toolchain that the user asked for applies to the command too.
            let mut command = Command::new(process::this_program()?);
            command.current_dir(&project.root).args(*words);
            command
        }
    };
    let (mut figures, mut passed) = (Vec::new(), 0);
    let (mut last, mut form) = (String::new(), None);
    process::lines_of(command.stdin(Stdio::null()), |line| {
        println!("{line}");
        // The test's name may be in front of the first line that it prints.
        form = FORMS.iter().find(|form| line.contains(form.case)).or(form);
        if let Some((_, figure)) = line.split_once(FIGURE) {
            let form = form.map_or("", |form| form.label);
            figures.push(format!("{form}{figure}"));
        }
        if !line.trim().is_empty() {
            line.trim().clone_into(&mut last);
        }
        passed += passed_tests(line);
    })?;
    match &check.program {
        CheckProgram::Test(test) if passed == 0 => {
            bail!("{} has no test {}", test.binary, test.test);
        }
        CheckProgram::Test(_) if figures.is_empty() => figures.push(match passed {
            1 => "passed".to_owned(),
            _ => format!("{passed} tests passed"),
        }),
        CheckProgram::Command(_) if figures.is_empty() => figures.push(last),
        _ => {}
    }
    Ok(figures)
}

/// A form of the filter in the name of a test with a parameter.
struct TestForm {
    case: &'static str,
    label: &'static str,
}

/// Both forms.
const FORMS: [TestForm; 2] = [
    TestForm {
        case: "::form_1_Wasm",
        label: "Wasm: ",
    },
    TestForm {
        case: "::form_2_Native",
        label: "native: ",
    },
];

/// The number of passed tests in the last line of a test program.
fn passed_tests(line: &str) -> u32 {
    let result = line.trim().strip_prefix("test result: ok. ");
    let passed = result.and_then(|result| result.split_once(" passed"));
    passed
        .and_then(|(count, _)| count.parse().ok())
        .unwrap_or(0)
}

fn test_command(project: &Project, test: &CheckTest) -> Result<Command> {
    let environment = prepare(project, test.needs)?;
    let mut command = project.cargo();
    command.args(["test", "--quiet"]);
    match test.build {
        TestBuild::Debug => {}
        TestBuild::Optimized => {
            command.args(["--profile", "fuzz"]);
        }
        TestBuild::Sanitized(sanitizer) => {
            command.args(["--profile", "fuzz"]);
            sanitizer.compile(project, &mut command)?;
        }
    }
    command.args(["--package", &format!("spillgate-{}", test.package)]);
    command.args(["--test", test.binary, "--", "--nocapture"]);
    if test.needs.contains(&CheckNeed::Envoy) {
        // The forms of the filter run one after the other, so that neither takes time from the other.
        command.arg("--test-threads=1");
    }
    if !test.test.is_empty() {
        command.args(["--exact", test.test]);
        command.args(FORMS.map(|form| format!("{}{}", test.test, form.case)));
    }
    command.env("SPILLGATE_FULL", "1");
    command.envs(environment);
    Ok(command)
}

/// Builds or finds what a test needs: its environment.
fn prepare(
    project: &Project,
    needs: &[CheckNeed],
) -> Result<Vec<(&'static str, std::path::PathBuf)>> {
    let mut environment = Vec::new();
    for need in needs {
        match need {
            CheckNeed::Filter => {
                environment.push(("SPILLGATE_FILTER_WASM", build::filter(project)?));
                environment.push(("SPILLGATE_MODULE", build::module(project)?));
            }
            CheckNeed::Envoy => {
                environment.push(("ENVOY", toolchain::envoy(&project.cache())?));
            }
            CheckNeed::Twin => {
                build::twin(project)?;
                environment.push(("SPILLGATE_TWIN_WASM", project.twin_wasm()));
            }
            CheckNeed::Browser => {
                build::page(project)?;
                let browser = toolchain::browser()?;
                environment.push(("SPILLGATE_WWW", project.www()));
                environment.push(("CHROMIUM", browser.chromium));
                environment.push(("CHROMEDRIVER", browser.chromedriver));
            }
        }
    }
    if environment.iter().any(|(_, path)| !path.exists()) {
        bail!("not built: {environment:?}");
    }
    Ok(environment)
}
