//! A child process that ends with the value that owns it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use crate::eventually;

/// Lines of the log in an error.
const LOG_END: usize = 12;

/// A process with its log. Dropping it ends the process by its id, also when a test fails.
#[derive(Debug)]
pub struct Process {
    name: String,
    child: Child,
    log: PathBuf,
}

impl Process {
    /// Starts a command without input; standard output and standard error go to the log.
    ///
    /// # Errors
    /// When the log cannot be written or the program does not start.
    pub fn start(name: &str, command: &mut Command, log: &Path) -> Result<Self> {
        let output = create(log)?;
        command
            .stdin(Stdio::null())
            .stdout(output.try_clone()?)
            .stderr(output);
        Self::spawn(name, command, log)
    }

    /// Starts a command with pipes for standard input and output; standard error goes to the log.
    ///
    /// # Errors
    /// When the log cannot be written or the program does not start.
    pub fn start_piped(name: &str, command: &mut Command, log: &Path) -> Result<Self> {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(create(log)?);
        Self::spawn(name, command, log)
    }

    fn spawn(name: &str, command: &mut Command, log: &Path) -> Result<Self> {
        let child = command.spawn().with_context(|| {
            let program = command.get_program();
            format!("cannot start {}", program.to_string_lossy())
        })?;
        Ok(Self {
            name: name.to_owned(),
            child,
            log: log.to_path_buf(),
        })
    }

    /// Waits until `ready` finds something, for at most `limit`.
    ///
    /// # Errors
    /// When the process ends first, `ready` fails or the time is over, with the end of the log.
    pub fn wait_until_ready<T>(
        &mut self,
        limit: Duration,
        mut ready: impl FnMut() -> Result<Option<T>>,
    ) -> Result<T> {
        let what = format!("readiness of {}", self.name);
        let found = eventually(&what, limit, || {
            self.check_alive()?;
            ready()
        });
        found.with_context(|| self.log_end())
    }

    /// The process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The child, to take its pipes or to wait for its end.
    pub const fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// An error with the end of the log if the process has ended by itself.
    ///
    /// # Errors
    /// When it has, or its state is unknown.
    pub fn check_alive(&mut self) -> Result<()> {
        if let Some(status) = self.child.try_wait()? {
            bail!("{} ended ({status}):\n{}", self.name, self.log_end());
        }
        Ok(())
    }

    /// Everything that was logged.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn log(&self) -> Result<String> {
        let bytes =
            fs::read(&self.log).with_context(|| format!("cannot read the log of {}", self.name))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The last lines of the log.
    #[must_use]
    pub fn log_end(&self) -> String {
        log_end(&self.log().unwrap_or_default())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Nothing has to be finished.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// The exit code of a tool; an error is printed.
pub fn exit_code(result: Result<ExitCode>) -> ExitCode {
    result.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

/// The last lines of a log, as errors show them.
#[must_use]
pub fn log_end(log: &str) -> String {
    let lines: Vec<&str> = log.lines().collect();
    let from = lines.len().saturating_sub(LOG_END);
    lines.get(from..).unwrap_or_default().join("\n")
}

fn create(log: &Path) -> Result<File> {
    File::create(log).with_context(|| format!("cannot write {}", log.display()))
}
