//! Other programs: run to the end, with a time limit, or for their output.

use std::env;
use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

/// The command as a user would type it, without its environment.
pub fn shown(command: &Command) -> String {
    let words = [command.get_program()]
        .into_iter()
        .chain(command.get_args())
        .map(|word| quoted(&word.to_string_lossy()));
    words.collect::<Vec<_>>().join(" ")
}

/// A word as a shell reads it back, where it is more than one to the shell. `spillgate_explain::shell_word` has the
/// complete rules, for words of others: here they would be one more crate to build before any project command can run.
fn quoted(word: &str) -> String {
    if word.contains([' ', '\'']) {
        format!("'{}'", word.replace('\'', "'\\''"))
    } else {
        word.to_owned()
    }
}

/// Runs `command` with its output shown; anything but success is an error that names it.
pub fn run(command: &mut Command) -> Result<()> {
    let text = shown(command);
    println!("  $ {text}");
    let status = command
        .status()
        .with_context(|| format!("cannot start `{text}`"))?;
    succeeded(status, &text)
}

/// Like [`run`], but the program's exit status becomes the caller's.
pub fn pass_on(command: &mut Command) -> Result<ExitCode> {
    let text = shown(command);
    println!("  $ {text}");
    let status = command
        .status()
        .with_context(|| format!("cannot start `{text}`"))?;
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Runs a program and passes on its output, line by line.
pub fn lines_of(command: &mut Command, mut take: impl FnMut(&str)) -> Result<()> {
    let text = shown(command);
    println!("  $ {text}");
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start `{text}`"))?;
    let stdout = child.stdout.take().context("no output")?;
    for line in BufReader::new(stdout).lines() {
        take(&line?);
    }
    succeeded(child.wait()?, &text)
}

/// Like [`run`], but ends the program (by its process id) when it takes longer than `limit`.
pub fn run_within(command: &mut Command, limit: Duration) -> Result<()> {
    let text = shown(command);
    println!("  $ {text}");
    let mut child = command
        .stdin(Stdio::null())
        .spawn()
        .with_context(|| format!("cannot start `{text}`"))?;
    match wait_within(&mut child, limit)? {
        Some(status) => succeeded(status, &text),
        None => {
            child.kill().ok();
            child.wait().ok();
            bail!("`{text}` did not end within {} s", limit.as_secs())
        }
    }
}

/// What `command` prints to standard output, trimmed.
pub fn output(command: &mut Command) -> Result<String> {
    let text = shown(command);
    let output = command
        .stderr(Stdio::piped())
        .output()
        .with_context(|| format!("cannot start `{text}`"))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        bail!("`{text}` failed: {}", stderr.trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Waits for the end of `child`, at most `limit`; `None` when it still runs then.
pub fn wait_within(child: &mut Child, limit: Duration) -> Result<Option<ExitStatus>> {
    let deadline = Instant::now() + limit;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= deadline {
            return Ok(None);
        }
        sleep(Duration::from_millis(20));
    }
}

/// The file that an environment variable names, unless it is empty.
pub fn named(variable: &str) -> Option<PathBuf> {
    env::var_os(variable)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
}

/// The first executable called `name` in the folders of PATH.
pub fn on_path(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?)
        .map(|dir| dir.join(name))
        .find(|file| is_executable(file))
}

/// The file of this program. When a build has replaced it since it was started, the system adds a
/// mark to the name; the new file is the same program.
pub fn this_program() -> Result<PathBuf> {
    let path = env::current_exe().context("cannot find the file of this program")?;
    let text = path.to_string_lossy();
    Ok(text
        .strip_suffix(" (deleted)")
        .map(PathBuf::from)
        .unwrap_or(path.clone()))
}

/// A cargo command in the checkout, with the toolchain that runs this program.
pub fn cargo(root: &Path) -> Command {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root);
    without_cargo_env(&mut command);
    command
}

/// Takes away what `cargo run` set for this program and what would confuse another cargo.
pub fn without_cargo_env(command: &mut Command) {
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
}

fn is_executable(file: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        file.metadata()
            .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    {
        file.is_file()
    }
}

fn succeeded(status: ExitStatus, text: &str) -> Result<()> {
    if !status.success() {
        bail!("`{text}` failed ({status})");
    }
    Ok(())
}

/// A command for `program` with `arguments`.
pub fn command<A: AsRef<OsStr>>(
    program: impl AsRef<OsStr>,
    arguments: impl IntoIterator<Item = A>,
) -> Command {
    let mut command = Command::new(program);
    command.args(arguments);
    command
}
