//! The build: mdBook's pages, then what this crate adds to them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use mdbook_driver::MDBook;
use mdbook_html::HtmlHandlebars;
use mdbook_renderer::{RenderContext, Renderer as _};

use crate::folder::files;
use crate::navigation::Navigation;
use crate::page::ApiLink;
use crate::repository::Repository;
use crate::{image, links, page, versions};

/// Files of mdBook's own theme, by the beginning of their names. Ours does not load them.
const UNUSED: [&str; 11] = [
    ".nojekyll",
    "ayu-highlight",
    "clipboard",
    "css/chrome",
    "css/variables",
    "favicon",
    "highlight",
    "mark-",
    "searcher",
    "toc",
    "tomorrow-night",
];

/// What was built.
#[derive(Debug)]
pub struct BuiltSite {
    /// The number of its pages.
    pub pages: usize,
    /// The links to other sites. Nothing checks them.
    pub external: BTreeSet<String>,
}

/// Builds the site of a checkout into a folder, which is replaced.
///
/// # Errors
/// If a page cannot be read, or with all broken links.
pub fn build(repository: &Path, folder: &Path, api: ApiLink) -> Result<BuiltSite> {
    let source = MDBook::load(repository.join("tools/site"))?;
    let renderer = HtmlHandlebars::new();
    let (book, _) = source.preprocess_book(&renderer)?;
    let navigation = Navigation::of(&book);
    let book = Repository::new(repository).complete(book)?;
    let context = RenderContext::new(&source.root, book, source.config.clone(), folder);
    renderer.render(&context)?;

    let files = files(folder)?;
    let mut pages = 0;
    for file in &files {
        let name = file.to_str().context("a file without a name in UTF-8")?;
        let path = folder.join(file);
        if UNUSED.iter().any(|unused| name.starts_with(unused)) {
            fs::remove_file(&path).with_context(|| format!("cannot remove {name}"))?;
        } else if name.ends_with(".html") {
            let html = fs::read_to_string(&path)?;
            let html = page::finish(name, &html, &navigation, api);
            let below = path.parent().unwrap_or(folder);
            fs::write(&path, image::sized(&html, below))?;
            pages += 1;
        }
    }
    versions::write(folder)?;
    let found = links::check(folder)?;
    ensure!(
        found.broken.is_empty(),
        "broken links in the documentation site:\n  {}",
        found.broken.join("\n  ")
    );
    Ok(BuiltSite {
        pages,
        external: found.external,
    })
}
