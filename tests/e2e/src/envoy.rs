//! One Envoy process.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use spillgate_config::filter::FilterForm;
use spillgate_testkit::{Client, EnvoyProcess, EnvoyStart, HotRestart, MODULES_FOLDER, Port};

use crate::config::Bootstrap;
use crate::{Need, Workdir, eventually, needed};

/// The filter's own messages in the log, and no time for draining.
const ARGUMENTS: [&str; 4] = [
    "--component-log-level",
    "wasm:info,dynamic_modules:info,misc:error",
    "--drain-time-s",
    "0",
];
/// The same for an Envoy that is restarted: the old process asks clients to close their connections
/// at once, and ends after two seconds.
const RESTARTABLE: [&str; 8] = [
    "--component-log-level",
    "wasm:info,dynamic_modules:info,misc:error",
    "--drain-time-s",
    "1",
    "--drain-strategy",
    "immediate",
    "--parent-shutdown-time-s",
    "2",
];
/// Far longer than the old process of a hot restart takes to end.
const OLD_PROCESS_ENDS: Duration = Duration::from_secs(30);
/// Far longer than Envoy takes to write its logs and to end.
const ENDS: Duration = Duration::from_secs(60);

/// How an Envoy differs from those of the other tests.
#[derive(Debug, Clone, Copy)]
pub struct EnvoyOptions<'a> {
    /// The number of workers.
    pub workers: u32,
    /// Further environment variables.
    pub variables: &'a [(&'a str, &'a str)],
    /// Another binary.
    pub program: Option<&'a Path>,
    /// Further arguments.
    pub arguments: &'a [&'a str],
}

impl Default for EnvoyOptions<'_> {
    fn default() -> Self {
        Self {
            workers: 1,
            variables: &[],
            program: None,
            arguments: &[],
        }
    }
}

/// How an Envoy is started.
struct Launch<'a> {
    program: Option<&'a Path>,
    arguments: &'a [&'a str],
    variables: &'a [(&'a str, &'a str)],
    /// Its place in a sequence of hot restarts, by its admin port.
    restart: fn(u16) -> HotRestart,
}

/// An Envoy that ends with this value.
#[derive(Debug)]
pub struct Envoy {
    envoy: EnvoyProcess,
    /// The process before it, which ends by itself.
    old: Option<EnvoyProcess>,
    /// The folder of the dynamic module, if the filter is one.
    modules: Option<String>,
    admin: Port,
    config: PathBuf,
    folder: PathBuf,
    node: String,
    epoch: u32,
}

/// Distinguishes the Envoys of one test process.
static STARTED: AtomicU32 = AtomicU32::new(0);

impl Envoy {
    /// Starts Envoy with that configuration and waits until it is ready to serve.
    ///
    /// The configuration and the log are kept in `workdir`.
    ///
    /// # Errors
    /// When `ENVOY` is not set, when Envoy refuses the configuration, or when it is not ready in
    /// time; the end of its log is part of the message.
    pub fn start(workdir: &Workdir, bootstrap: &Bootstrap) -> Result<Self> {
        Self::start_with(workdir, |node, admin| bootstrap.to_json(node, admin))
    }

    /// Like [`Envoy::start`], with a configuration made for a node id and an admin port.
    ///
    /// # Errors
    /// As [`Envoy::start`], and when there is no such configuration.
    pub fn start_with(
        workdir: &Workdir,
        configuration: impl FnOnce(&str, u16) -> Result<String>,
    ) -> Result<Self> {
        Self::with_workers(workdir, 1, configuration)
    }

    /// Like [`Envoy::start_with`], with that many workers instead of one.
    ///
    /// # Errors
    /// As [`Envoy::start_with`].
    pub fn with_workers(
        workdir: &Workdir,
        workers: u32,
        configuration: impl FnOnce(&str, u16) -> Result<String>,
    ) -> Result<Self> {
        let options = EnvoyOptions {
            workers,
            ..EnvoyOptions::default()
        };
        Self::start_as(workdir, options, configuration)
    }

    /// Like [`Envoy::start_with`], with these options.
    ///
    /// # Errors
    /// As [`Envoy::start_with`].
    pub fn start_as(
        workdir: &Workdir,
        options: EnvoyOptions<'_>,
        configuration: impl FnOnce(&str, u16) -> Result<String>,
    ) -> Result<Self> {
        let arguments = ["--concurrency", &options.workers.to_string()];
        let arguments = [&arguments[..], &ARGUMENTS, options.arguments].concat();
        let launch = Launch {
            program: options.program,
            arguments: &arguments,
            variables: options.variables,
            restart: |_| HotRestart::Disabled,
        };
        Self::open(workdir, launch, configuration)
    }

    /// Like [`Envoy::start_with`], for [`Envoy::hot_restart`].
    ///
    /// # Errors
    /// As [`Envoy::start_with`].
    pub fn restartable(
        workdir: &Workdir,
        configuration: impl FnOnce(&str, u16) -> Result<String>,
    ) -> Result<Self> {
        let arguments = [&["--concurrency", "1"], &RESTARTABLE[..]].concat();
        let launch = Launch {
            program: None,
            arguments: &arguments,
            variables: &[],
            restart: |admin| epoch(admin, 0),
        };
        Self::open(workdir, launch, configuration)
    }

    /// Like [`Envoy::start_with`], with these environment variables.
    ///
    /// # Errors
    /// As [`Envoy::start_with`].
    pub fn start_in(
        workdir: &Workdir,
        variables: &[(&str, &str)],
        configuration: impl FnOnce(&str, u16) -> Result<String>,
    ) -> Result<Self> {
        let options = EnvoyOptions {
            variables,
            ..EnvoyOptions::default()
        };
        Self::start_as(workdir, options, configuration)
    }

    fn open(
        workdir: &Workdir,
        launch: Launch<'_>,
        configuration: impl FnOnce(&str, u16) -> Result<String>,
    ) -> Result<Self> {
        let program = match launch.program {
            Some(program) => program.to_owned(),
            None => needed(Need::Envoy)?,
        };
        let admin = Port::lease()?;
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let node = format!("e2e-{}-{number}", std::process::id());
        let config = workdir.write(
            &format!("envoy-{number}.json"),
            &configuration(&node, admin.number())?,
        )?;
        let log = workdir.path().join(format!("envoy-{number}.log"));
        let modules = modules_folder(workdir.form())?;
        // The variables of a test come last, so that it can replace the module.
        let variables = [&variable(modules.as_deref())[..], launch.variables].concat();
        let envoy = EnvoyProcess::start(EnvoyStart {
            program: &program,
            arguments: launch.arguments,
            variables: &variables,
            config: &config,
            log: &log,
            admin: admin.local(),
            folder: Some(workdir.path()),
            node: Some(&node),
            restart: (launch.restart)(admin.number()),
        })?;
        Ok(Self {
            envoy,
            old: None,
            modules,
            admin,
            config,
            folder: workdir.path().to_owned(),
            node,
            epoch: 0,
        })
    }

    /// Lets a new process take over, and waits until it serves; the old one ends in the background.
    /// The Envoy must be a [`restartable`](Self::restartable) one.
    ///
    /// # Errors
    /// When the new process does not start, or the one before the old one has not ended.
    pub fn hot_restart(&mut self) -> Result<()> {
        if let Some(mut old) = self.old.take() {
            eventually("the end of the old process", OLD_PROCESS_ENDS, || {
                let ended = old.process.child().try_wait()?;
                Ok(ended.map(drop))
            })?;
        }
        self.epoch += 1;
        let program = needed(Need::Envoy)?;
        let log = format!("{}-{}.log", self.node, self.epoch);
        let arguments = [&["--concurrency", "1"], &RESTARTABLE[..]].concat();
        let new = EnvoyProcess::start(EnvoyStart {
            program: &program,
            arguments: &arguments,
            config: &self.config,
            log: &self.folder.join(log),
            admin: self.admin.local(),
            folder: Some(&self.folder),
            node: Some(&self.node),
            restart: epoch(self.admin.number(), self.epoch),
            variables: &variable(self.modules.as_deref()),
        })?;
        self.old = Some(std::mem::replace(&mut self.envoy, new));
        Ok(())
    }

    /// Whether the old process of a hot restart has ended.
    ///
    /// # Errors
    /// When the system does not tell.
    pub fn old_process_has_ended(&mut self) -> Result<bool> {
        let Some(old) = &mut self.old else {
            return Ok(true);
        };
        Ok(old.process.child().try_wait()?.is_some())
    }

    /// Its process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.envoy.process.id()
    }

    /// Whether the process has not ended by itself.
    pub fn is_alive(&mut self) -> bool {
        self.envoy.process.check_alive().is_ok()
    }

    /// Ends it, so that its logs are complete.
    ///
    /// # Errors
    /// When it does not end.
    pub fn end(&mut self) -> Result<()> {
        Client::new(self.admin_address())
            .send("POST", "/quitquitquit", &[], b"")
            .context("Envoy does not end")?;
        eventually("the end of Envoy", ENDS, || {
            Ok((!self.is_alive()).then_some(()))
        })
    }

    /// Where its admin listens.
    #[must_use]
    pub const fn admin_address(&self) -> SocketAddr {
        self.envoy.admin_address()
    }

    /// The configuration as Envoy reads it.
    #[must_use]
    pub fn config(&self) -> &Path {
        &self.config
    }

    /// All that was logged so far.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn log(&self) -> Result<String> {
        self.envoy.process.log()
    }

    /// GET from the admin.
    ///
    /// # Errors
    /// When it does not answer with 200.
    pub fn admin(&self, path: &str) -> Result<String> {
        self.envoy.get(path)
    }

    /// All counters and gauges whose names begin with `prefix`. Those of our filter begin with
    /// `spillgate.`; in `/stats` each form has a prefix of its own.
    ///
    /// # Errors
    /// When the admin does not answer.
    pub fn stats(&self, prefix: &str) -> Result<Vec<(String, u64)>> {
        self.envoy.stats(prefix)
    }

    /// The sum of all counters whose names begin with `prefix`.
    ///
    /// # Errors
    /// When the admin does not answer.
    pub fn total(&self, prefix: &str) -> Result<u64> {
        let found = self.stats(prefix)?;
        Ok(found.iter().map(|(_, count)| count).sum())
    }

    /// Checks that all counters whose names begin with one of these prefixes are 0.
    ///
    /// # Errors
    /// When one is not, or the admin does not answer.
    pub fn check_zero(&self, prefixes: &[&str]) -> Result<()> {
        for prefix in prefixes {
            let found = self.stats(prefix)?;
            ensure!(found.iter().all(|(_, count)| *count == 0), "{found:?}");
        }
        Ok(())
    }

    /// Checks that no VM of the filter failed, that no hook of the module panicked, and that Envoy refused
    /// none of their calls.
    ///
    /// # Errors
    /// When one did, or the admin does not answer.
    pub fn check_filter(&self) -> Result<()> {
        ensure!(
            !self.log()?.contains("spillgate: internal error"),
            "a hook panicked; see the log"
        );
        self.check_zero(&["wasm.spillgate.vm_reload", "spillgate.host_failures"])
    }

    /// A counter or gauge; 0 as long as Envoy does not have it.
    ///
    /// # Errors
    /// When the admin does not answer.
    pub fn stat(&self, name: &str) -> Result<u64> {
        let found = self.stats(name)?.into_iter().find(|(have, _)| have == name);
        Ok(found.map_or(0, |(_, value)| value))
    }
}

/// The folder in which Envoy finds the dynamic module.
fn modules_folder(form: FilterForm) -> Result<Option<String>> {
    if form == FilterForm::Wasm {
        return Ok(None);
    }
    let module = needed(Need::Module)?;
    let folder = module.parent().and_then(Path::to_str);
    Ok(Some(folder.context("no folder")?.to_owned()))
}

fn variable(modules: Option<&str>) -> Vec<(&str, &str)> {
    let folder = modules.map(|folder| (MODULES_FOLDER, folder));
    folder.into_iter().collect()
}

/// One of the successive processes at an admin port. No other process on this machine has the port.
fn epoch(admin: u16, epoch: u32) -> HotRestart {
    HotRestart::Epoch {
        base_id: admin.into(),
        epoch,
    }
}
