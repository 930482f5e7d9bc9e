//! Opens every file of a packed release as its user would, and compares it with the parts.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::oci::{ImageForm, pull};
use crate::parts::{Parts, ReleaseId, files_below};
use crate::{command, debian, filter, listing, module, npm, page, provenance, sbom, sums};

/// The folder of the image layout.
pub(crate) const OCI: &str = "oci";

/// Checks all files of a release, except signatures. Returns the names of those that it opened.
///
/// # Errors
/// The first file that is missing or wrong, with the reason.
pub fn check(folder: &Path, parts: &Parts, id: &ReleaseId) -> Result<Vec<String>> {
    let mut files = files_below(folder)?;
    files.retain(|path, _| !path.starts_with(sums::SIGNATURES));
    let file = |name: &str| files.get(name).with_context(|| format!("no {name}"));
    let mut opened = vec![sums::FILE.to_owned()];
    sums::check(&files)?;

    let mut check = |name: &str, result: Result<()>| {
        opened.push(name.to_owned());
        result.with_context(|| name.to_owned())
    };
    for target in parts.targets()? {
        let name = format!("spillgate-{}-{target}.tar.gz", id.version);
        check(&name, command::check(file(&name)?, parts, &target, id))?;
    }
    let name = debian::file_name(id);
    check(&name, debian::check(file(&name)?, parts, id))?;
    let wasm = file(filter::FILE)?;
    check(filter::FILE, filter::check(wasm, id))?;
    for form in [ImageForm::Compat, ImageForm::Artifact] {
        let tag = form.tag(&id.version);
        let pulled = pull(&folder.join(OCI), &tag);
        let same = pulled.and_then(|module| {
            ensure!(module == *wasm, "another module");
            Ok(())
        });
        check(&format!("{OCI}:{tag}"), same)?;
    }
    let is_module = |name: &&String| name.starts_with("libspillgate-");
    let name = files.keys().find(is_module).context("no dynamic module")?;
    check(name, module::check(name, file(name)?))?;
    let name = format!("spillgate-{}-www.tar.gz", id.version);
    let single = "playground.html";
    check(&name, page::check(file(&name)?, file(single)?, parts, id))?;
    let name = npm::file_name(id);
    check(&name, npm::check(file(&name)?, id))?;
    let name = sbom::file_name(id);
    check(&name, sbom::check(file(&name)?, id))?;
    let name = provenance::file_name(id);
    let lists = [listing::MANIFEST, listing::README, sums::FILE, &name];
    let others = files
        .iter()
        .filter(|(path, _)| !lists.contains(&&***path))
        .map(|(path, bytes)| (&**path, &**bytes));
    check(&name, provenance::check(file(&name)?, others, id))?;
    let manifest: Value = serde_json::from_slice(file(listing::MANIFEST)?)?;
    let listed = manifest["files"]
        .as_array()
        .context("manifest.json: no files")?;
    for path in files.keys() {
        let known = [listing::MANIFEST, listing::README, sums::FILE].contains(&&**path)
            || listed.iter().any(|one| one["path"] == **path);
        ensure!(known, "manifest.json does not list {path}");
    }
    opened.push(listing::MANIFEST.to_owned());
    Ok(opened)
}
