//! Packs all files of a release.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::artifact::Artifact;
use crate::parts::{Parts, ReleaseId};
use crate::{command, debian, filter, listing, module, npm, oci, page, provenance, sbom, sums};

/// Packs the parts into `folder`, which must be empty or missing.
///
/// # Errors
/// When a part is missing or a file cannot be written.
pub fn pack(parts: &Parts, id: &ReleaseId, folder: &Path) -> Result<()> {
    let mut files = command::archives(parts, id).context("the command")?;
    files.push(debian::package(parts, id).context("the Debian package")?);
    let wasm = filter::filter(parts)?;
    files.extend(image(&wasm.bytes, id).context("the image")?);
    files.push(wasm);
    files.push(module::module(parts).context("the dynamic module")?);
    files.extend(page::pages(parts, id).context("the page")?);
    files.push(npm::package(parts, id).context("the npm package")?);
    files.push(sbom::sbom(parts, id).context("the bill of materials")?);
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files.push(provenance::statement(&files, parts, id).context("the provenance")?);
    files.sort_by(|one, other| one.path.cmp(&other.path));
    let lists = listing::listings(&files, parts, id)?;
    files.extend(lists);
    let of = |one: &'_ Artifact| -> Result<()> {
        let path = folder.join(&one.path);
        let parent = path.parent().context("a file without a folder")?;
        fs::create_dir_all(parent)?;
        fs::write(&path, &one.bytes).with_context(|| format!("cannot write {}", path.display()))
    };
    let lines = sums::sums(files.iter().map(|one| (&*one.path, &*one.bytes)));
    files.push(Artifact::new(sums::FILE, "sums", lines.into_bytes()));
    files.iter().try_for_each(of)
}

/// The files of the image layout.
fn image(module: &[u8], id: &ReleaseId) -> Result<Vec<Artifact>> {
    let files = oci::layout(oci::FilterImage { module, id })?;
    let purpose = |path: &str| match path {
        "index.json" => "the Wasm filter as an image for Istio and Envoy Gateway, in both forms",
        _ => "a part of the filter's image",
    };
    let file = |(path, bytes): (String, Vec<u8>)| {
        let purpose = purpose(&path);
        Artifact::new(format!("{}/{path}", crate::check::OCI), purpose, bytes)
    };
    Ok(files.into_iter().map(file).collect())
}
