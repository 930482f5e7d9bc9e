//! An X server without a screen.

use std::fs;
use std::process::Command;
use std::time::Duration;

use anyhow::Result;
use spillgate_testkit::Process;

use super::engine::WINDOW;
use crate::{Need, Workdir, needed};

/// From start to readiness.
const START_LIMIT: Duration = Duration::from_secs(30);

/// An Xvfb that ends on drop.
#[derive(Debug)]
pub(super) struct Display {
    _process: Process,
    name: String,
}

impl Display {
    /// Starts one; its log is kept in `workdir`.
    pub(super) fn start(workdir: &Workdir) -> Result<Self> {
        let (width, height) = WINDOW;
        let mut command = Command::new(needed(Need::Xvfb)?);
        command.args(["-displayfd", "1", "-nolisten", "tcp", "-screen", "0"]);
        command.arg(format!("{width}x{height}x24"));
        let log = workdir.path().join("xvfb.log");
        let mut process = Process::start("Xvfb", &mut command, &log)?;
        // It prints the number of a free display as soon as it accepts clients.
        let number = process.wait_until_ready(START_LIMIT, || {
            let printed = fs::read_to_string(&log)?;
            let mut lines = printed.split_inclusive('\n');
            Ok(lines.find_map(|line| line.strip_suffix('\n')?.parse::<u32>().ok()))
        })?;
        Ok(Self {
            _process: process,
            name: format!(":{number}"),
        })
    }

    /// Its name, as in `DISPLAY`.
    pub(super) fn name(&self) -> &str {
        &self.name
    }
}
