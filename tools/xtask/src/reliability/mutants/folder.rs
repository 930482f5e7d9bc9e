//! `target/mutants/`: the copy of the sources, and cargo-mutants in it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::list::{Mutant, read_list};
use super::outcomes::{JudgedBy, Outcomes, hash_of};
use crate::project::Project;
use crate::toolchain::CARGO_MUTANTS;
use crate::{files, process};

/// The test of `spillgate-conformance` that runs the reference data.
const VECTORS: &str = "the_engine_passes_every_vector";

/// The folder, and the program that works in it.
pub struct MutantsFolder {
    home: PathBuf,
    program: PathBuf,
}

impl MutantsFolder {
    /// The folder of a checkout; installs cargo-mutants if necessary.
    pub fn of(project: &Project) -> Result<Self> {
        let home = project.target.join("mutants");
        fs::create_dir_all(&home)?;
        Ok(Self {
            home,
            program: CARGO_MUTANTS.find_or_install(&project.cache())?,
        })
    }

    /// The file with the outcomes of all runs.
    pub fn outcomes(&self) -> PathBuf {
        self.home.join("outcomes.json")
    }

    fn sources(&self) -> PathBuf {
        self.home.join("sources")
    }

    /// The hash of a file of the copy.
    pub fn hash(&self, file: &str) -> Option<String> {
        hash_of(&self.sources().join(file))
    }

    /// Makes the copy equal to the checkout. Files that are equal keep their times, so that cargo builds
    /// only what changed; a change that was left behind by an interrupted run goes away.
    pub fn copy_sources(&self, root: &Path) -> Result<()> {
        let mut git = Command::new("git");
        git.current_dir(root)
            .args(["ls-files", "--cached", "--others", "--exclude-standard"]);
        let listed = process::output(&mut git)?;
        let listed: BTreeSet<&Path> = listed.lines().map(Path::new).collect();
        let sources = self.sources();
        fs::create_dir_all(&sources)?;
        remove_others(&sources, &sources, &listed)?;
        for file in listed {
            let from = root.join(file);
            // Git lists a deleted file until the deletion is committed.
            if !from.is_file() {
                continue;
            }
            let (to, bytes) = (sources.join(file), files::read_bytes(&from)?);
            if fs::read(&to).is_ok_and(|present| present == bytes) {
                continue;
            }
            fs::create_dir_all(to.parent().context("a file without a folder")?)?;
            files::copy(&from, &to)?;
        }
        Ok(())
    }

    /// The changes of a package; with a difference, those in its lines.
    pub fn list(&self, package: &str, difference: Option<&Path>) -> Result<Vec<Mutant>> {
        let mut command = self.command(package);
        command.args(["--list", "--json"]);
        if let Some(difference) = difference {
            command.arg("--in-diff").arg(difference);
        }
        let text = process::output(&mut command)?;
        // It prints nothing where the difference has no line of the package.
        if text.is_empty() {
            return Ok(Vec::new());
        }
        read_list(&text)
    }

    /// Writes the lines that differ from a commit.
    pub fn write_difference(&self, root: &Path, commit: &str) -> Result<PathBuf> {
        let mut git = Command::new("git");
        git.current_dir(root).args(["diff", commit, "--", "*.rs"]);
        // A difference ends with a line end.
        let text = process::output(&mut git)? + "\n";
        let path = self.home.join("changed.diff");
        files::write_atomically(&path, text)?;
        Ok(path)
    }

    /// Tries the changes of `pending`, a part of `all`, and takes over the outcomes.
    pub fn run(
        &self,
        package: &str,
        step: JudgedBy,
        all: &[Mutant],
        pending: &BTreeSet<&str>,
        outcomes: &mut Outcomes,
    ) -> Result<()> {
        let output = self.output(package, step);
        let lists = output.join("mutants.out");
        files::fresh_dir(&output)?;
        fs::create_dir_all(&lists)?;
        // cargo-mutants leaves out what it thinks that it tried: an exact list, which its regular
        // expressions are not for all kinds of changes.
        let others = all.iter().filter(|it| !pending.contains(it.name.as_str()));
        let others: String = others.map(|it| format!("{}\n", it.name)).collect();
        files::write_atomically(&lists.join("previously_caught.txt"), others)?;

        let mut command = self.command(package);
        // At random: what an interrupted run tried is a random sample as well.
        command.args(["--in-place", "--iterate", "--shuffle", "--colors=never"]);
        command.arg("--output");
        command.arg(&output);
        match step {
            JudgedBy::Own => {
                command.arg(format!("--test-package=spillgate-{package}"));
                // Examples in the documentation take longest and check least.
                command.args(["--cargo-test-arg=--lib", "--cargo-test-arg=--tests"]);
            }
            JudgedBy::Vectors => {
                // cargo-mutants tries unchanged code with the tests of the changed package only.
                self.pass_vectors()?;
                command.args(["--baseline=skip", "--timeout=180"]);
                command.args(["--test-package=spillgate-conformance", "--"]);
                command.args(["--test=conformance", VECTORS]);
            }
        }
        let text = process::shown(&command);
        println!("  $ {text}");
        let status = command.status()?;
        self.collect(package, step, outcomes)?;
        // 2: a change was missed; 3: one did not end.
        match status.code() {
            Some(0 | 2 | 3) => Ok(()),
            Some(4) => bail!("the tests fail without a change: see {}", output.display()),
            _ => bail!("`{text}` failed ({status}); the outcomes so far are kept"),
        }
    }

    /// An error unless the reference data agree with the unchanged code.
    fn pass_vectors(&self) -> Result<()> {
        let mut cargo = process::cargo(&self.sources());
        cargo.args(["test", "--quiet", "--profile=mutants", "--all-features"]);
        cargo.args([
            "--package=spillgate-conformance",
            "--test=conformance",
            VECTORS,
        ]);
        // As cargo-mutants builds.
        cargo.env("CARGO_ENCODED_RUSTFLAGS", "--cap-lints=warn");
        process::run(self.build_in_home(&mut cargo))
    }

    /// Takes over what an interrupted run left.
    pub fn collect(&self, package: &str, step: JudgedBy, outcomes: &mut Outcomes) -> Result<()> {
        let output = self.output(package, step);
        let written = output.join("mutants.out/outcomes.json");
        if written.is_file() {
            outcomes.take(&files::read(&written)?, step, |file| self.hash(file))?;
            fs::remove_file(written)?;
        }
        Ok(())
    }

    fn output(&self, package: &str, step: JudgedBy) -> PathBuf {
        let step = match step {
            JudgedBy::Own => "own",
            JudgedBy::Vectors => "vectors",
        };
        self.home.join(format!("{package}-{step}"))
    }

    fn command(&self, package: &str) -> Command {
        let mut command = process::command(&self.program, ["mutants"]);
        command
            .current_dir(self.sources())
            .arg(format!("--package=spillgate-{package}"));
        self.build_in_home(&mut command);
        command
    }

    /// What a command builds with cargo is in this folder.
    fn build_in_home<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        process::without_cargo_env(command);
        command
            .env("CARGO_TARGET_DIR", self.home.join("compiled"))
            // The profile says it; an environment variable would decide.
            .env("CARGO_INCREMENTAL", "1")
    }
}

/// Removes files of the copy that the checkout does not have.
fn remove_others(sources: &Path, folder: &Path, listed: &BTreeSet<&Path>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            remove_others(sources, &path, listed)?;
        } else if !listed.contains(path.strip_prefix(sources)?) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without a test of this name, every change would pass.
    #[test]
    fn the_test_of_the_reference_data_exists() -> Result<()> {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let tests = package.join("../../tests/conformance/tests/conformance.rs");
        let text = fs::read_to_string(tests)?;
        assert!(text.contains(&format!("#[test]\nfn {VECTORS}() {{")));
        Ok(())
    }
}
