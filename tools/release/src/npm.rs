//! The npm package of the custom element `<spillgate-split>`.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use crate::archive::{ArchiveFile, ArchiveFiles, read_tar_gz, tar_gz};
use crate::artifact::Artifact;
use crate::parts::{Parts, ReleaseId};

/// The files of the playground that the element and its frame load.
const WWW: [&str; 6] = [
    "embed.js",
    "embed.wasm",
    "embed-sweep.wasm",
    "embed.html",
    "embed-frame.js",
    "embed-page.css",
];
/// The folder of the files in the archive.
const ROOT: &str = "package";
const MANIFEST: &str = "package.json";

/// The package, as `npm publish` uploads it.
pub(crate) fn package(parts: &Parts, id: &ReleaseId) -> Result<Artifact> {
    let mut files = ArchiveFiles::new();
    let mut add = |name: &str, bytes: Vec<u8>| {
        files.insert(format!("{ROOT}/{name}"), ArchiveFile::data(bytes));
    };
    for (name, bytes) in parts.tree("npm")? {
        add(&name, bytes);
    }
    for name in WWW {
        add(name, parts.bytes(&format!("www/{name}"))?);
    }
    add("LICENSE", parts.bytes("LICENSE")?);
    add(MANIFEST, manifest(parts, id)?);
    Ok(Artifact::new(
        file_name(id),
        "the npm package of the custom element (docs/embedding.md)",
        tar_gz(&files, id.time)?,
    ))
}

/// The name of the package's file.
pub(crate) fn file_name(id: &ReleaseId) -> String {
    format!("spillgate-embed-{}.tgz", id.version)
}

/// Checks that the package has exactly the files that its manifest lists, and those that npm adds.
pub(crate) fn check(bytes: &[u8], id: &ReleaseId) -> Result<()> {
    let files = read_tar_gz(bytes)?;
    let manifest = files.get(&format!("{ROOT}/{MANIFEST}"));
    let manifest: Value = serde_json::from_slice(&manifest.context("no package.json")?.bytes)?;
    ensure!(manifest["version"] == *id.version, "another version");
    let listed = manifest["files"].as_array().context("no list of files")?;
    let listed = listed.iter().filter_map(Value::as_str);
    let expected: BTreeSet<String> = listed
        .chain([MANIFEST, "README.md", "LICENSE"])
        .map(|name| format!("{ROOT}/{name}"))
        .collect();
    let found: BTreeSet<String> = files.into_keys().collect();
    ensure!(found == expected, "files {found:?}, expected {expected:?}");
    Ok(())
}

/// The package.json of the sources, with the version.
fn manifest(parts: &Parts, id: &ReleaseId) -> Result<Vec<u8>> {
    let text = parts.text(&format!("npm/{MANIFEST}"))?;
    let mut manifest: Value = serde_json::from_str(&text).context("npm/package.json")?;
    ensure!(
        manifest["version"] == "0.0.0",
        "npm/package.json: the version must be 0.0.0; the release replaces it"
    );
    manifest["version"] = json!(id.version);
    let mut text = serde_json::to_string_pretty(&manifest)?;
    text.push('\n');
    Ok(text.into_bytes())
}
