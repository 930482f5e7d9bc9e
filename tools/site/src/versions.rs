//! The versions of the site. Each is a folder next to the playground; `versions.json` in the folder of the first one
//! lists all of them, and every page of every version reads this one file.

use std::fs;
use std::path::Path;

use anyhow::Result;

/// The first version: the site of this checkout.
const MAIN: SiteVersion = SiteVersion {
    name: "main",
    folder: "docs",
};

/// A version of the site.
struct SiteVersion {
    /// Its name on the pages.
    name: &'static str,
    /// Its folder in that of the playground.
    folder: &'static str,
}

/// The name of a version on a page; `root` is the way to the site's root. With several versions, the script
/// of the theme makes a list of it.
pub(crate) fn chooser(root: &str) -> String {
    let SiteVersion { name, folder } = MAIN;
    format!(
        "<span class=\"version\" data-versions-address=\"{root}../{folder}/versions.json\" data-root=\"{root}\">{name}</span>"
    )
}

/// Writes the list into the site.
pub(crate) fn write(site: &Path) -> Result<()> {
    let SiteVersion { name, folder } = MAIN;
    let list = format!("[{{\"name\": \"{name}\", \"folder\": \"{folder}\"}}]\n");
    Ok(fs::write(site.join("versions.json"), list)?)
}
