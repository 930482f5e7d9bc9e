//! The version of the built page, and what its service worker stores for visits without a network.
//!
//! The files of a first visit are stored at once, those of the screens after the first input: a
//! visitor who only looks downloads no more than before. The service worker answers with stored
//! files first. Only the page itself comes from the network, which shows whether the server has
//! another version: then the stored files are dropped. File names without hashes stay stable for
//! other sites that load the custom element. Pages that embed a scenario, and a page that follows a
//! running Envoy, use no service worker.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use sha2::{Digest as _, Sha256};

use super::{FileUse, file_use};
use crate::files;

/// The playground, which names its version.
const PAGE: &str = "index.html";
const PAGE_VERSION: &str = "name=\"spillgate-version\" content=\"\"";
const PAGE_COMMIT: &str = "name=\"spillgate-commit\" content=\"\"";
/// The service worker. The browser stores it by itself.
const WORKER: &str = "service-worker.js";

/// Writes the version into page and service worker, and the names and hashes of its files into the service
/// worker: the version. It is a hash, and changes with every file that the playground loads. The playground also names
/// the commit, which is empty outside of a release.
pub fn seal(www: &Path, commit: &str) -> Result<String> {
    let mut hashes = BTreeMap::new();
    let mut first = Vec::new();
    for entry in fs::read_dir(www).with_context(|| format!("cannot read {}", www.display()))? {
        let path = entry?.path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .context("a file without a name in UTF-8")?
            .to_owned();
        let when = file_use(&path);
        if name == WORKER || when == FileUse::Other {
            continue;
        }
        if when == FileUse::First {
            first.push(name.clone());
        }
        hashes.insert(name, hash(&files::read_bytes(&path)?));
    }
    first.sort();

    let mut version = hash(serde_json::to_string(&hashes)?.as_bytes());
    version.truncate(16);
    let stated = PAGE_VERSION.replace("\"\"", &format!("\"{version}\""));
    let built = PAGE_COMMIT.replace("\"\"", &format!("\"{commit}\""));
    let named = [(PAGE_VERSION, &*stated), (PAGE_COMMIT, &*built)];
    fill(&www.join(PAGE), &named)?;
    let page = files::read_bytes(&www.join(PAGE))?;
    hashes.insert(PAGE.into(), hash(&page));
    let constants = [
        ("VERSION = \"\"", format!("VERSION = \"{version}\"")),
        (
            "FIRST = []",
            format!("FIRST = {}", serde_json::to_string(&first)?),
        ),
        (
            "FILES = {}",
            format!("FILES = {}", serde_json::to_string(&hashes)?),
        ),
    ];
    let constants: Vec<(&str, &str)> = constants.iter().map(|(from, to)| (*from, &**to)).collect();
    fill(&www.join(WORKER), &constants)?;
    Ok(version)
}

/// Replaces texts that each occur once in a file.
fn fill(path: &Path, replacements: &[(&str, &str)]) -> Result<()> {
    let mut text = files::read(path)?;
    for (from, to) in replacements {
        let found = text.matches(from).count();
        let path = path.display();
        ensure!(
            found == 1,
            "{path} contains `{from}` {found} times, expected once"
        );
        text = text.replace(from, to);
    }
    files::write_atomically(path, text)
}

fn hash(bytes: &[u8]) -> String {
    let hash = Sha256::digest(bytes);
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_version_changes_with_every_file_that_the_page_loads() {
        let www = std::env::temp_dir().join(format!("spillgate-offline-{}", std::process::id()));
        let versions = [
            [
                ("style.css", "a"),
                ("reader.wasm", "b"),
                ("embed.html", "c"),
            ],
            [
                ("style.css", "A"),
                ("reader.wasm", "b"),
                ("embed.html", "c"),
            ],
            [
                ("style.css", "a"),
                ("reader.wasm", "B"),
                ("embed.html", "c"),
            ],
            [
                ("style.css", "a"),
                ("reader.wasm", "b"),
                ("embed.html", "C"),
            ],
        ]
        .map(|contents| {
            files::fresh_dir(&www).unwrap();
            fs::write(
                www.join(PAGE),
                format!("<meta {PAGE_VERSION}><meta {PAGE_COMMIT}>"),
            )
            .unwrap();
            let worker = "const VERSION = \"\";\nconst FIRST = [];\nconst FILES = {};\n";
            fs::write(www.join(WORKER), worker).unwrap();
            for (name, content) in contents {
                fs::write(www.join(name), content).unwrap();
            }
            let version = seal(&www, "abc").unwrap();
            let page = files::read(&www.join(PAGE)).unwrap();
            assert!(
                page.contains(&version) && page.contains("\"abc\""),
                "{page}"
            );
            let worker = files::read(&www.join(WORKER)).unwrap();
            assert!(
                worker.contains("FIRST = [\"index.html\",\"style.css\"]"),
                "{worker}"
            );
            assert!(worker.contains("\"reader.wasm\":\""), "{worker}");
            assert!(!worker.contains("embed.html"), "{worker}");
            version
        });
        fs::remove_dir_all(&www).unwrap();
        let [start, style, reader, other] = versions;
        assert!(start != style && start != reader && style != reader);
        assert_eq!(start, other);
    }
}
