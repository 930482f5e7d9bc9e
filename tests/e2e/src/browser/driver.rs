//! The process of a driver.

use std::time::Duration;

use anyhow::Result;
use spillgate_testkit::Process;

use super::display::Display;
use super::engine::Engine;
use crate::{Client, Port, Workdir};

/// From start to readiness.
const START_LIMIT: Duration = Duration::from_secs(30);

/// A driver of a browser that ends on drop.
#[derive(Debug)]
pub(super) struct Driver {
    _process: Process,
    /// Ends after the driver, and with it a browser that still runs there.
    _display: Option<Display>,
    port: Port,
}

impl Driver {
    /// Starts one; its log is kept in `workdir`.
    pub(super) fn start(engine: Engine, workdir: &Workdir) -> Result<Self> {
        let port = Port::lease()?;
        let mut command = engine.driver(&port, workdir)?;
        let display = engine.needs_display().then(|| Display::start(workdir));
        let display = display.transpose()?;
        if let Some(display) = &display {
            command.env("DISPLAY", display.name());
        }
        let name = engine.driver_name();
        let log = workdir.path().join(format!("{name}.log"));
        let mut process = Process::start(name, &mut command, &log)?;
        process.wait_until_ready(START_LIMIT, || {
            let status = Client::new(port.local()).get("/status", &[]);
            Ok(status.ok().filter(|s| s.status == 200).map(drop))
        })?;
        Ok(Self {
            _process: process,
            _display: display,
            port,
        })
    }

    /// Its address.
    pub(super) fn url(&self) -> String {
        format!("http://{}", self.port.local())
    }
}
