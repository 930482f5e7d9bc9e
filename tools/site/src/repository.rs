//! Links to files outside `docs/`: each such file gets a page under `source/`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use mdbook_driver::book::{Book, BookItem, Chapter};

use crate::codes;
use crate::markdown::{links, normal, title};

/// The folder of the pages with files of the repository.
const SOURCE: &str = "source";
/// More backticks than a file of the repository has in a row.
const FENCE: &str = "``````";

/// The files of a checkout, and which of them need a page.
pub(crate) struct Repository<'a> {
    root: &'a Path,
    /// Files with a page, and whether the page exists.
    known: BTreeSet<PathBuf>,
    missing: Vec<PathBuf>,
}

impl<'a> Repository<'a> {
    pub(crate) fn new(root: &'a Path) -> Self {
        Self {
            root,
            known: BTreeSet::new(),
            missing: Vec::new(),
        }
    }

    /// Adds the pages, also for the links of added pages.
    pub(crate) fn complete(mut self, mut book: Book) -> Result<Book> {
        book.for_each_chapter_mut(|chapter| {
            if let (Some(path), Some(source)) = (&chapter.path, &chapter.source_path) {
                let source = Path::new("docs").join(source);
                chapter.content = self.rewritten(&chapter.content, &source, path);
            }
        });
        for page in codes::pages(self.root)? {
            let content = self.rewritten(&page.content, Path::new(page.source), &page.path);
            let chapter = Chapter::new(&page.title, content, page.path, Vec::new());
            book.push_item(BookItem::Chapter(chapter));
        }
        while let Some(file) = self.missing.pop() {
            let chapter = self.page(&file)?;
            book.push_item(BookItem::Chapter(chapter));
        }
        Ok(book)
    }

    /// The text of a page with the links as the site needs them: relative to `path`, its place in the site.
    fn rewritten(&mut self, text: &str, source: &Path, path: &Path) -> String {
        let mut text = text.to_owned();
        let folder = source.parent().unwrap_or(Path::new(""));
        for link in links(&text).into_iter().rev() {
            let target = match link.path.as_str() {
                "" => Some(source.to_owned()),
                path => normal(&folder.join(path)),
            };
            // A link to nothing stays as it is, for the check of all links.
            let Some(target) = target.filter(|target| self.root.join(target).exists()) else {
                continue;
            };
            let (place, anchor) = match codes::target(&target, link.anchor.as_deref()) {
                Some(found) => found,
                None if link.path.is_empty() => continue,
                None => (self.place(&target), link.anchor),
            };
            let mut new = relative(path.parent().unwrap_or(Path::new("")), &place);
            if let Some(anchor) = anchor {
                new.push('#');
                new.push_str(&anchor);
            }
            text.replace_range(link.place, &new);
        }
        text
    }

    /// The place of a file of the repository in the site.
    fn place(&mut self, file: &Path) -> PathBuf {
        let file = match self.root.join(file) {
            path if path.join("README.md").exists() => file.join("README.md"),
            _ => file.to_owned(),
        };
        match file.strip_prefix("docs") {
            Ok(inside) if self.root.join(&file).is_file() => return indexed(inside),
            _ => {}
        }
        if self.known.insert(file.clone()) {
            self.missing.push(file.clone());
        }
        page_path(&file)
    }

    /// The page with a file or with the names in a folder.
    fn page(&mut self, file: &Path) -> Result<Chapter> {
        let shown = file.display().to_string();
        let path = page_path(file);
        let place = self.root.join(file);
        let is_markdown = file.extension().is_some_and(|ending| ending == "md");
        let content = if place.is_dir() {
            let mut text = format!("# {shown}\n\n");
            for name in names(&place)? {
                text.push_str(&format!("- [{name}]({name})\n"));
            }
            self.rewritten(&text, &file.join("README.md"), &path)
        } else {
            let text =
                fs::read_to_string(&place).with_context(|| format!("cannot read {shown}"))?;
            if is_markdown {
                self.rewritten(&text, file, &path)
            } else {
                format!("# {shown}\n\n{FENCE}\n{text}\n{FENCE}\n")
            }
        };
        let name = title(&content).unwrap_or_else(|| shown.clone());
        Ok(Chapter::new(&name, content, path, Vec::new()))
    }
}

/// The place of the page with a file: with the ending `.md`, which mdBook replaces.
fn page_path(file: &Path) -> PathBuf {
    let place = indexed(&Path::new(SOURCE).join(file));
    match place.extension() {
        Some(ending) if ending == "md" => place,
        // Dots would be taken for an ending.
        _ => {
            let name = place
                .file_name()
                .and_then(|name| name.to_str())
                .unwrap_or_default()
                .replace('.', "-");
            place.with_file_name(format!("{name}.md"))
        }
    }
}

/// The page of a README is the index of its folder.
fn indexed(file: &Path) -> PathBuf {
    if file.ends_with("README.md") {
        file.with_file_name("index.md")
    } else {
        file.to_owned()
    }
}

fn names(folder: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    let names = entries
        .iter()
        .filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.collect();
    names.sort();
    Ok(names)
}

/// The path from a folder to a file, with slashes. Both are relative to the same folder.
fn relative(folder: &Path, to: &Path) -> String {
    let common = folder
        .components()
        .zip(to.components())
        .take_while(|(a, b)| a == b)
        .count();
    let up = folder.components().skip(common).map(|_| "..".to_owned());
    let down = to
        .components()
        .skip(common)
        .map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_pages() {
        let place = |file: &str| page_path(Path::new(file)).display().to_string();
        assert_eq!(
            place("envoy-config/demo/README.md"),
            "source/envoy-config/demo/index.md"
        );
        assert_eq!(place("cli/src/lib.rs"), "source/cli/src/lib-rs.md");
        assert_eq!(place("DESIGN.md"), "source/DESIGN.md");
    }

    #[test]
    fn relative_paths() {
        let path = |from: &str, to: &str| relative(Path::new(from), Path::new(to));
        assert_eq!(path("", "a.md"), "a.md");
        assert_eq!(path("a/b", "a/c/d.md"), "../c/d.md");
        assert_eq!(path("a", "a/b.md"), "b.md");
    }
}
