//! What the release contains: `manifest.json` for programs, `README.md` for people.

use anyhow::{Context as _, Result};
use serde_json::{Map, Value, json};

use crate::artifact::Artifact;
use crate::hash::sha256_hex;
use crate::parts::{Parts, ReleaseId};

/// The list for programs.
pub(crate) const MANIFEST: &str = "manifest.json";
/// The list for people.
pub(crate) const README: &str = "README.md";

/// Both lists of these files.
pub(crate) fn listings(
    artifacts: &[Artifact],
    parts: &Parts,
    id: &ReleaseId,
) -> Result<[Artifact; 2]> {
    let missing: Map<String, Value> = serde_json::from_str(&parts.text("missing.json")?)
        .context("missing.json: not an object")?;
    let files: Vec<Value> = artifacts
        .iter()
        .map(|one| {
            json!({
                "path": one.path,
                "purpose": one.purpose,
                "size": one.bytes.len(),
                "sha256": sha256_hex(&one.bytes),
            })
        })
        .collect();
    let manifest = json!({
        "version": id.version,
        "commit": id.commit,
        "time": id.rfc3339()?,
        "files": files,
        "missing": missing,
    });
    let manifest = format!("{}\n", serde_json::to_string_pretty(&manifest)?);
    let readme = readme(artifacts, &missing, id);
    Ok([
        Artifact::new(MANIFEST, "this list for programs", manifest.into_bytes()),
        Artifact::new(README, "this list", readme.into_bytes()),
    ])
}

fn readme(artifacts: &[Artifact], missing: &Map<String, Value>, id: &ReleaseId) -> String {
    let ReleaseId {
        version, commit, ..
    } = id;
    let mut text = format!("# Spillgate {version}\n\nBuilt from commit {commit}.\n\n");
    text += "| file | use |\n|---|---|\n";
    for one in artifacts
        .iter()
        .filter(|one| !one.path.starts_with(OCI_BLOBS))
    {
        text += &format!("| `{}` | {} |\n", one.path, one.purpose);
    }
    text += "| `manifest.json` | this list for programs, with sizes and sums |\n\
             | `SHA256SUMS` | check the files: `sha256sum --check SHA256SUMS` |\n\
             | `signatures/` | signatures of `SHA256SUMS` and of the provenance, if the publisher added them |\n";
    for (target, reason) in missing {
        let reason = reason.as_str().unwrap_or_default();
        text += &format!("\nNot in this release: the command for {target} ({reason}).\n");
    }
    text += &format!(
        "\nCopy the filter's image to your registry, in the form that Istio and Envoy Gateway pull:\n\n\
         ```sh\n\
         skopeo copy oci:oci:{version} docker://REGISTRY/spillgate:{version}\n\
         ```\n\n\
         The tag `{version}-artifact` is the same module as an OCI artifact.\n"
    );
    text
}

/// The blobs of the image are not files that a reader picks.
const OCI_BLOBS: &str = "oci/blobs/";
