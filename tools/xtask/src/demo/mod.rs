//! The demo: one Envoy with the filter in one of its forms, two clusters of hosts and the page.
//!
//! [`run`] serves it until Ctrl-C or checks it; [`change`] fails and restores its hosts from another
//! terminal.

mod change;
mod check;
mod form;
mod instance;
mod ports;
mod serve;
mod state;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;

pub use change::{Change, change};
pub use check::CheckOutcome;
pub use form::DemoForm;
pub use ports::DemoPorts;

use crate::project::Project;
use crate::{build, interrupt, toolchain};

/// The options of `cargo xtask demo`.
#[derive(Default)]
pub struct DemoOptions {
    pub ports: DemoPorts,
    pub check: bool,
    pub form: DemoForm,
    /// Where the state files are; `None` is the usual place.
    pub state: Option<PathBuf>,
}

/// Builds everything, then serves or checks.
pub fn run(project: &Project, options: &DemoOptions) -> Result<ExitCode> {
    // Both can fail at once, so they come before the build, which takes minutes.
    if !options.check {
        options.ports.check_free()?;
    }
    let envoy = toolchain::envoy(&project.cache())?;
    build::everything(project)?;
    interrupt::catch()?;
    if options.check {
        return check::run(project, &envoy, options.form);
    }
    let state = options
        .state
        .clone()
        .unwrap_or_else(|| project.demo_state());
    serve::run(project, &envoy, options, &state)?;
    Ok(ExitCode::SUCCESS)
}

/// The checks of `demo --check` on what was built before, for the tests.
pub fn check(project: &Project, envoy: &Path, form: DemoForm) -> Result<Vec<CheckOutcome>> {
    check::all(project, envoy, form)
}
