//! The font of the playground: the part of Inter that the playground needs, from the npm registry.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, ensure};

use super::npm;
use crate::{files, process};

/// The packages with the hashes of their archives, which npm compares: the font, HarfBuzz's subsetter
/// and the compression of woff2, the last two as WebAssembly.
const LOCK: &str = include_str!("package-lock.json");
/// What `LOCK` locks.
const PACKAGE: &str = r#"{"dependencies": {"@fontsource-variable/inter": "5.3.0", "harfbuzzjs": "0.4.15", "wawoff2": "2.0.1"}}"#;
/// Writes the subset.
const SCRIPT: &str = include_str!("subset.mjs");
/// The variable font with Latin letters.
const FONT: &str = "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2";
const LICENSE: &str = "node_modules/@fontsource-variable/inter/LICENSE";
/// The characters of the playground's texts that are not ASCII. Names in other scripts come from a font of
/// the visitor.
const FURTHER: &str = "\u{a0}\u{b7}\u{d7}\u{f7}\u{2013}\u{2026}\u{2212}\u{2193}";
/// For 4 MB.
const DOWNLOAD_LIMIT: Duration = Duration::from_secs(180);
const SUBSET_LIMIT: Duration = Duration::from_secs(60);

/// The font and its license.
pub struct FontFiles {
    /// The font, woff2.
    pub font: PathBuf,
    /// The SIL Open Font License.
    pub license: PathBuf,
}

/// The font: the one in the cache, or a fresh download.
///
/// A build without npm or without network is a build without the font, so npm is not installed here.
pub fn font(cache: &Path) -> Result<FontFiles> {
    let home = cache.join(format!("font-{:016x}", key()));
    let files = FontFiles {
        font: home.join("inter.woff2"),
        license: home.join("LICENSE"),
    };
    if !files.font.is_file() {
        println!("  installing the font Inter from the npm registry (4 MB)");
        install(&home).context("the font is not installed")?;
    }
    Ok(files)
}

/// Differs for each version of the packages, the script and the characters.
fn key() -> u64 {
    let mut hasher = DefaultHasher::new();
    (LOCK, PACKAGE, SCRIPT, FURTHER).hash(&mut hasher);
    hasher.finish()
}

fn install(home: &Path) -> Result<()> {
    for program in ["npm", "node"] {
        ensure!(process::on_path(program).is_some(), "{program} is missing");
    }
    files::install_dir(home, |staging| {
        npm::install(staging, PACKAGE, LOCK, DOWNLOAD_LIMIT)?;
        files::write_atomically(&staging.join("subset.mjs"), SCRIPT)?;
        let ascii: String = (' '..='~').collect();
        let mut node = process::command("node", ["subset.mjs", FONT, "inter.woff2"]);
        node.arg(ascii + FURTHER).current_dir(staging);
        process::run_within(&mut node, SUBSET_LIMIT)
            .map_err(|_| anyhow!("the subset cannot be made (messages are above)"))?;
        let license = files::read(&staging.join(LICENSE))?;
        files::write_atomically(&staging.join("LICENSE"), license)
    })
}
