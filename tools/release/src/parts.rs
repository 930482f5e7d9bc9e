//! The built parts, as `cargo xtask release` lays them into one folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use time::OffsetDateTime;
use time::format_description::well_known::{Rfc2822, Rfc3339};

/// What a release is built from.
#[derive(Debug, Clone)]
pub struct ReleaseId {
    /// The version, such as `1.2.3`.
    pub version: String,
    /// The commit.
    pub commit: String,
    /// The time of the commit in seconds since 1970.
    pub time: u64,
}

impl ReleaseId {
    /// The time as in a mail, for Debian's changelog.
    pub(crate) fn mail_date(&self) -> Result<String> {
        Ok(self.date()?.format(&Rfc2822)?)
    }

    /// The time as in RFC 3339.
    pub(crate) fn rfc3339(&self) -> Result<String> {
        Ok(self.date()?.format(&Rfc3339)?)
    }

    fn date(&self) -> Result<OffsetDateTime> {
        let time = i64::try_from(self.time)?;
        OffsetDateTime::from_unix_timestamp(time).context("the time of the commit is out of range")
    }
}

/// The folder with the parts:
///
/// ```text
/// commands/TARGET/spillgate   the command for each target
/// completions/                its completions by shell
/// man/                        its manual pages
/// spillgate.wasm              the filter
/// libspillgate.so             the dynamic module
/// www/                        the playground
/// playground.html             the playground in a single file
/// npm/                        files of the npm package in addition to those in www/
/// LICENSE, README.md
/// metadata.json               the output of `cargo metadata`
/// Cargo.lock
/// tools.txt                   the output of `rustc -vV`, and the toolchain for WebAssembly
/// missing.json                targets without a command: {"TARGET": "reason"}
/// ```
#[derive(Debug, Clone)]
pub struct Parts {
    folder: PathBuf,
}

impl Parts {
    /// The parts in this folder.
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        let folder = folder.to_owned();
        Self { folder }
    }

    pub(crate) fn bytes(&self, path: &str) -> Result<Vec<u8>> {
        let path = self.folder.join(path);
        fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
    }

    pub(crate) fn text(&self, path: &str) -> Result<String> {
        String::from_utf8(self.bytes(path)?).with_context(|| format!("{path}: not UTF-8"))
    }

    /// All files below a folder, by their paths in it.
    pub(crate) fn tree(&self, folder: &str) -> Result<BTreeMap<String, Vec<u8>>> {
        let files = files_below(&self.folder.join(folder))?;
        ensure!(!files.is_empty(), "{folder}: no files");
        Ok(files)
    }

    /// The targets with a command.
    pub(crate) fn targets(&self) -> Result<Vec<String>> {
        let programs = self.tree("commands")?;
        let targets = programs.keys().filter_map(|path| path.split_once('/'));
        Ok(targets.map(|(target, _)| target.to_owned()).collect())
    }
}

/// All files below a folder, by their paths in it with `/`.
pub(crate) fn files_below(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    collect(folder, "", &mut files)?;
    Ok(files)
}

fn collect(folder: &Path, prefix: &str, into: &mut BTreeMap<String, Vec<u8>>) -> Result<()> {
    let cannot_read = || format!("cannot read {}", folder.display());
    for entry in fs::read_dir(folder).with_context(cannot_read)? {
        let entry = entry.with_context(cannot_read)?;
        let name = entry.file_name();
        let name = name.to_str().context("a file name is not UTF-8")?;
        let path = entry.path();
        if path.is_dir() {
            collect(&path, &format!("{prefix}{name}/"), into)?;
        } else {
            let bytes =
                fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            into.insert(format!("{prefix}{name}"), bytes);
        }
    }
    Ok(())
}
