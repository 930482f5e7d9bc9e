//! `cargo xtask demo`: one Envoy with the filter in one of its forms, two clusters of hosts and the playground.
//!
//! [`run`] serves it until Ctrl-C or checks it; [`hosts`] fails and restores its hosts from another
//! terminal.

mod serve;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use spillgate_testkit::demo::{
    DemoChange, DemoFiles, DemoForm, DemoPorts, DemoState, RunningDemo, check, summary,
};

use crate::build::{self, PageBuild, SiteContent};
use crate::project::Project;
use crate::{interrupt, toolchain};

/// The options of `cargo xtask demo`.
#[derive(Default)]
pub struct DemoOptions {
    pub ports: DemoPorts,
    pub check: bool,
    pub form: DemoForm,
    /// Where the state files are; `None` is the usual place.
    pub state: Option<PathBuf>,
}

/// `cargo xtask demo kill`, `heal` and `hosts`.
pub struct DemoHosts {
    pub state: Option<PathBuf>,
    /// Without one, the hosts are only listed.
    pub change: Option<DemoChange>,
    pub names: Vec<String>,
}

/// Starts the demo as soon as Envoy, the filter and the first screen are there, and builds the rest while it runs;
/// then serves or checks.
pub fn run(project: &Project, options: &DemoOptions) -> Result<ExitCode> {
    // Both can fail at once, so they come before the build, which takes minutes.
    if !options.check {
        options.ports.check_free()?;
    }
    let envoy = toolchain::envoy(&project.cache())?;
    let page = PageBuild::first_screen(project, || match options.form {
        DemoForm::Wasm => Ok(()),
        DemoForm::Native => build::module(project).map(drop),
    })?;
    page.lay()?;
    interrupt::catch()?;
    let files = DemoFiles {
        envoy,
        www: project.www(),
        docs: project.docs(),
        filter: project.filter_wasm(),
        module: project.dynamic_module(),
    };
    let rest = || {
        page.rest(|| build::site(project, &project.docs(), SiteContent::Pages))
            .map(drop)
    };
    if options.check {
        let dir = format!("demo-check-{}", std::process::id());
        return run_checks(&files, options.form, &project.out().join(dir), rest);
    }
    let dir = folder(project, options.state.as_ref());
    println!("starting {}", files.envoy.display());
    let demo = RunningDemo::start(&files, options.form, &options.ports, &dir)?;
    serve::run(demo, rest)?;
    Ok(ExitCode::SUCCESS)
}

/// Makes a change and prints the clusters after it.
pub fn hosts(project: &Project, command: &DemoHosts) -> Result<()> {
    let mut state = DemoState::load(&folder(project, command.state.as_ref()))?;
    if let Some(change) = command.change {
        state.apply(change, &command.names)?;
    }
    print!("{}", summary(&state.hosts()?));
    Ok(())
}

/// Checks a demo of its own and prints the results; the exit code is 0 if all are good.
fn run_checks(
    files: &DemoFiles,
    form: DemoForm,
    dir: &Path,
    rest: impl FnOnce() -> Result<()>,
) -> Result<ExitCode> {
    let envoy = files.envoy.display();
    println!("starting the demo ({}) with {envoy}", form.name());
    let mut demo = RunningDemo::on_free_ports(files, form, dir)?;
    rest()?;
    println!("checking the demo");
    let outcomes = check(&mut demo, |one| {
        match &one.fault {
            None => println!("  ok    {}", one.name),
            Some(fault) => println!("  FAIL  {}: {fault}", one.name),
        }
        interrupt::check()
    })?;
    let failed = outcomes.iter().filter(|one| one.fault.is_some()).count();
    if failed > 0 {
        let log = demo.envoy.process.log_end();
        println!("  Envoy's log ends with:\n{log}");
    }
    drop(demo);
    std::fs::remove_dir_all(dir).ok();
    println!("demo: {} passed, {failed} failed", outcomes.len() - failed);
    Ok(match failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

fn folder(project: &Project, state: Option<&PathBuf>) -> PathBuf {
    state.cloned().unwrap_or_else(|| project.out().join("demo"))
}
