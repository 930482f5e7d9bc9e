//! The links of the built site: files, anchors and images within it must exist.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use anyhow::Result;
use regex::Regex;

use crate::folder::files;
use crate::markdown::{is_external, normal};

/// The folder for the documentation of the libraries, which another build writes.
const API: &str = "api";

#[allow(clippy::expect_used, reason = "a constant; the tests use it")]
static TAG: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("<[a-z][^<>]*>").expect("a valid expression"));
#[allow(clippy::expect_used, reason = "a constant; the tests use it")]
static TARGET: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(" (?:href|src|data-[a-z]+-address)=\"([^\"]*)\"").expect("a valid expression")
});
#[allow(clippy::expect_used, reason = "a constant; the tests use it")]
static ID: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(" id=\"([^\"]+)\"").expect("a valid expression"));

/// The links of the site.
#[derive(Default)]
pub(crate) struct SiteLinks {
    /// Those to nothing, with their pages.
    pub(crate) broken: Vec<String>,
    /// Those to other sites.
    pub(crate) external: BTreeSet<String>,
}

/// Checks the links of all pages of a built site.
pub(crate) fn check(site: &Path) -> Result<SiteLinks> {
    let files: BTreeSet<PathBuf> = files(site)?.into_iter().collect();
    let mut pages = BTreeMap::new();
    for file in &files {
        if file.extension().is_some_and(|ending| ending == "html") {
            pages.insert(file.clone(), fs::read_to_string(site.join(file))?);
        }
    }
    let ids: BTreeMap<&PathBuf, BTreeSet<&str>> = pages
        .iter()
        .map(|(file, html)| (file, values(&ID, html).collect()))
        .collect();

    let mut found = SiteLinks::default();
    for (file, html) in &pages {
        let folder = file.parent().unwrap_or(Path::new(""));
        for target in values(&TARGET, html) {
            if is_external(target) {
                found.external.insert(target.to_owned());
                continue;
            }
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let place = match path {
                "" => Some(file.clone()),
                path => normal(&folder.join(path)),
            };
            let is_of_other_build = match &place {
                None => to_parent(folder, path),
                Some(place) => place.starts_with(API),
            };
            let exists = place.is_some_and(|place| {
                let has_anchor = || ids.get(&place).is_some_and(|ids| ids.contains(anchor));
                files.contains(&place) && (anchor.is_empty() || has_anchor())
            });
            if !exists && !is_of_other_build {
                found.broken.push(format!("{}: {target}", file.display()));
            }
        }
    }
    Ok(found)
}

/// Whether a link leads to the folder that contains the site, which has the page and its files, and not further.
fn to_parent(folder: &Path, path: &str) -> bool {
    normal(&Path::new("site").join(folder).join(path)).is_some()
}

/// The values of an attribute in the tags of a page. Code on a page has attributes too, but no tags.
fn values<'a>(attribute: &'static Regex, html: &'a str) -> impl Iterator<Item = &'a str> {
    let tags = TAG.find_iter(html).map(|tag| tag.as_str());
    let found = tags.flat_map(|tag| attribute.captures_iter(tag));
    found.map(|found| found.extract::<1>().1[0])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn broken_links_are_found() {
        let site = std::env::temp_dir().join(format!("spillgate-links-{}", std::process::id()));
        fs::create_dir_all(site.join("a")).unwrap();
        let page = "<h1 id=\"top\"></h1><a href=\"#top\"><a href=\"#no\"><a href=\"b.html#x\">\
             <a href=\"b.html#y\"><img src=\"../i.png\"><a href=\"../../embed.js\">\
             <a href=\"../../../e\"><a href=\"https://x.org/\">\
             <code>&lt;img src=\"none.png\"></code>";
        fs::write(site.join("a/a.html"), page).unwrap();
        fs::write(site.join("a/b.html"), "<p id=\"x\">").unwrap();
        let found = check(&site).unwrap();
        fs::remove_dir_all(&site).unwrap();
        let expected = ["#no", "b.html#y", "../i.png", "../../../e"];
        assert_eq!(
            found.broken,
            expected.map(|link| format!("a/a.html: {link}"))
        );
        assert_eq!(
            found.external,
            BTreeSet::from(["https://x.org/".to_owned()])
        );
    }
}
