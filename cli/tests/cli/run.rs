//! Runs the command and compares its output with golden files.

use std::{
    fs,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use spillgate_testkit::repository;

/// The result of a run.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// Checks that the output has a text.
    #[track_caller]
    pub(crate) fn assert_output_has(&self, text: &str) {
        assert!(self.stdout.contains(text), "{text}: {}", self.stdout);
    }

    /// Checks that standard error has a text.
    #[track_caller]
    pub(crate) fn assert_error_has(&self, text: &str) {
        assert!(self.stderr.contains(text), "{text}: {}", self.stderr);
    }

    /// Checks how the output starts.
    #[track_caller]
    pub(crate) fn assert_output_starts(&self, text: &str) {
        assert!(self.stdout.starts_with(text), "{text}: {}", self.stdout);
    }
}

/// Runs the command in the fixtures folder. Errors and warnings are one line each.
pub(crate) fn spillgate(args: &[&str]) -> Ran {
    spillgate_with(args, b"")
}

/// Runs the command with a text on standard input.
pub(crate) fn spillgate_with(args: &[&str], stdin: &[u8]) -> Ran {
    spillgate_in(&[], args, stdin)
}

/// Runs the command with environment variables and a text on standard input.
pub(crate) fn spillgate_in(variables: &[(&str, &str)], args: &[&str], stdin: &[u8]) -> Ran {
    run(&fixtures(), variables, args, stdin)
}

/// Runs the command in another folder.
pub(crate) fn spillgate_at(folder: &Path, args: &[&str], stdin: &[u8]) -> Ran {
    run(folder, &[], args, stdin)
}

/// Runs `adopt` in a folder.
pub(crate) fn adopt_at(folder: &Path, args: &[&str]) -> Ran {
    spillgate_at(folder, &[&["adopt"], args].concat(), b"")
}

/// Errors and warnings with the lines of the input.
pub(crate) const FULL: [(&str, &str); 1] = [("SPILLGATE_MESSAGES", "full")];

fn run(folder: &Path, variables: &[(&str, &str)], args: &[&str], stdin: &[u8]) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_spillgate"))
        .args(args)
        .env("SPILLGATE_MESSAGES", "short")
        .envs(variables.iter().copied())
        .current_dir(folder)
        .env_remove("NO_COLOR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command with wrong arguments does not read its input.
    let _ = child.stdin.take().unwrap().write_all(stdin);
    let output = child.wait_with_output().unwrap();
    Ran {
        status: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/fixtures")
}

pub(crate) fn fixture(name: &str) -> String {
    fs::read_to_string(fixtures().join(name)).unwrap()
}

/// The project's vectors.
pub(crate) fn vectors() -> PathBuf {
    repository().join("vectors")
}

/// A new folder for the files of a test, which has its own of that name: tests run side by side.
pub(crate) fn scratch(name: &str) -> PathBuf {
    let mut test = DefaultHasher::new();
    std::thread::current().name().hash(&mut test);
    // A number, not the test's name: the path of a socket has at most 107 bytes.
    let folder = format!("{:016x}/{name}", test.finish());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Compares a text with a golden file. `SPILLGATE_GOLDEN=write` updates the file.
#[track_caller]
pub(crate) fn assert_golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/cli/golden")
        .join(name);
    if std::env::var_os("SPILLGATE_GOLDEN").is_some_and(|value| value == "write") {
        fs::write(&path, text).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap();
    assert!(kept == text, "{} differs; now:\n{text}", path.display());
}
