//! The chromedriver process.

use std::process::Command;
use std::time::Duration;

use anyhow::Result;
use spillgate_testkit::Process;

use crate::{Client, Need, Port, Workdir, needed};

/// From start to readiness.
const START_LIMIT: Duration = Duration::from_secs(30);

/// A chromedriver that ends on drop.
#[derive(Debug)]
pub(super) struct Driver {
    _process: Process,
    port: Port,
}

impl Driver {
    /// Starts one; its log is kept in `workdir`.
    pub(super) fn start(workdir: &Workdir) -> Result<Self> {
        let port = Port::lease()?;
        let mut command = Command::new(needed(Need::Chromedriver)?);
        command.arg(format!("--port={}", port.number()));
        let log = workdir.path().join("chromedriver.log");
        let mut process = Process::start("chromedriver", &mut command, &log)?;
        process.wait_until_ready(START_LIMIT, || {
            let status = Client::new(port.local()).get("/status", &[]);
            Ok(status.ok().filter(|s| s.status == 200).map(drop))
        })?;
        Ok(Self {
            _process: process,
            port,
        })
    }

    /// Its address.
    pub(super) fn url(&self) -> String {
        format!("http://{}", self.port.local())
    }
}
