//! The chromedriver process.

use std::fs::File;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use crate::{Client, Need, Port, Workdir, eventually, needed};

/// From start to readiness.
const START_LIMIT: Duration = Duration::from_secs(30);

/// A chromedriver that ends on drop.
#[derive(Debug)]
pub(super) struct Driver {
    child: Child,
    port: Port,
}

impl Driver {
    /// Starts one; its log is kept in `workdir`.
    pub(super) fn start(workdir: &Workdir) -> Result<Self> {
        let program = needed(Need::Chromedriver)?;
        let port = Port::lease()?;
        let log = File::create(workdir.path().join("chromedriver.log"))?;
        let child = Command::new(&program)
            .arg(format!("--port={}", port.number()))
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let mut driver = Self { child, port };
        eventually("readiness of chromedriver", START_LIMIT, || {
            if let Some(status) = driver.child.try_wait()? {
                bail!("chromedriver ended ({status}), see its log");
            }
            let status = Client::new(driver.port.local()).get("/status", &[]);
            Ok(status.ok().filter(|s| s.status == 200).map(drop))
        })?;
        Ok(driver)
    }

    /// Where it listens.
    pub(super) fn url(&self) -> String {
        format!("http://{}", self.port.local())
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
