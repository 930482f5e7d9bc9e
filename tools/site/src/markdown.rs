//! Links in Markdown, and whether those between files of the repository lead somewhere.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, Result};
use mdbook_markdown::pulldown_cmark::{Event, LinkType, Tag, TagEnd};
use mdbook_markdown::{MarkdownOptions, new_cmark_parser};

/// A link or an image.
pub(crate) struct MarkdownLink {
    /// The place of its target in the text.
    pub(crate) place: Range<usize>,
    /// The part before `#`; empty in a link within the page.
    pub(crate) path: String,
    /// The part after `#`.
    pub(crate) anchor: Option<String>,
}

/// The links of a text to other files or to its own headings, in order.
pub(crate) fn links(text: &str) -> Vec<MarkdownLink> {
    let parser = new_cmark_parser(text, &MarkdownOptions::default()).into_offset_iter();
    let targets = parser.filter_map(|(event, range)| match event {
        Event::Start(
            Tag::Link {
                link_type,
                dest_url,
                ..
            }
            | Tag::Image {
                link_type,
                dest_url,
                ..
            },
        ) if link_type != LinkType::Email => Some((dest_url, range)),
        _ => None,
    });
    let inside = targets.filter(|(target, _)| !is_external(target));
    let links = inside.filter_map(|(target, range)| {
        // The text of a link may contain its target, so the target is the last one.
        let start = range.start + text.get(range)?.rfind(&*target)?;
        let (path, anchor) = match target.split_once('#') {
            Some((path, anchor)) => (path, Some(anchor.to_owned())),
            None => (&*target, None),
        };
        Some(MarkdownLink {
            place: start..start + target.len(),
            path: path.to_owned(),
            anchor,
        })
    });
    links.collect()
}

/// Whether a target has a scheme, as in `https:` or `mailto:`.
pub(crate) fn is_external(target: &str) -> bool {
    let scheme = target.split_once(':').map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| scheme.chars().all(|c| c.is_ascii_alphabetic()))
}

/// The first heading of a text.
pub(crate) fn title(text: &str) -> Option<String> {
    headings(text).into_iter().next()
}

/// A path without `.` and `..`; nothing for a path outside the repository.
pub(crate) fn normal(path: &Path) -> Option<PathBuf> {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => normal.push(name),
            Component::ParentDir if normal.pop() => {}
            Component::CurDir => {}
            _ => return None,
        }
    }
    Some(normal)
}

/// The links in the Markdown files of a checkout that lead to no file or no heading.
///
/// # Errors
/// If a file cannot be read.
pub fn broken_links(repository: &Path) -> Result<Vec<String>> {
    let mut broken = Vec::new();
    for file in markdown_files(repository)? {
        let text = read(repository, &file)?;
        let folder = file.parent().unwrap_or(Path::new(""));
        for link in links(&text) {
            let target = match link.path.as_str() {
                "" => Some(file.clone()),
                path => normal(&folder.join(path)),
            };
            let fault = match target {
                Some(target) if repository.join(&target).exists() => {
                    missing_heading(repository, &target, link.anchor)?
                }
                _ => Some(format!("{} does not exist", link.path)),
            };
            let line = text[..link.place.start].matches('\n').count() + 1;
            broken.extend(fault.map(|fault| format!("{}:{line}: {fault}", file.display())));
        }
    }
    Ok(broken)
}

/// The fault of a link to an existing file, if its anchor is no heading there.
fn missing_heading(
    repository: &Path,
    target: &Path,
    anchor: Option<String>,
) -> Result<Option<String>> {
    let is_page = target.extension().is_some_and(|ending| ending == "md");
    let Some(anchor) = anchor.filter(|_| is_page) else {
        return Ok(None);
    };
    let has_it = ids(&read(repository, target)?).contains(&anchor);
    Ok((!has_it).then(|| format!("{} has no heading #{anchor}", target.display())))
}

/// The Markdown files of a checkout, without what is built or downloaded.
fn markdown_files(repository: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(repository.join(&folder))? {
            let entry = entry?;
            let name = entry.file_name();
            let is_ours = !name.to_string_lossy().starts_with('.')
                && !["target", "dist", "node_modules"]
                    .iter()
                    .any(|built| name == *built);
            let path = folder.join(&name);
            let kind = entry.file_type()?;
            let is_markdown = path.extension().is_some_and(|ending| ending == "md");
            if kind.is_dir() {
                folders.extend(is_ours.then_some(path));
            } else if kind.is_file() && is_markdown {
                // A symbolic link leads to a page with a place of its own.
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn read(repository: &Path, file: &Path) -> Result<String> {
    let path = repository.join(file);
    fs::read_to_string(path).with_context(|| format!("cannot read {}", file.display()))
}

fn headings(text: &str) -> Vec<String> {
    let mut headings = Vec::new();
    let mut heading: Option<String> = None;
    for event in new_cmark_parser(text, &MarkdownOptions::default()) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => headings.extend(heading.take()),
            Event::Text(part) | Event::Code(part) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&part);
                }
            }
            _ => {}
        }
    }
    headings
}

/// The anchors of the headings, as GitHub and mdBook derive them, and the ids in HTML.
fn ids(text: &str) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for heading in headings(text) {
        let words = heading.chars().filter_map(|c| match c {
            c if c.is_alphanumeric() || "-_".contains(c) => Some(c.to_ascii_lowercase()),
            c if c.is_whitespace() => Some('-'),
            _ => None,
        });
        let id: String = words.collect();
        let same = (1..).map(|number| format!("{id}-{number}"));
        let unique = std::iter::once(id.clone())
            .chain(same)
            .find(|id| !ids.contains(id));
        ids.extend(unique);
    }
    let explicit = text.split("id=\"").skip(1);
    ids.extend(explicit.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())));
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_has_the_place_of_its_target() {
        let text =
            "[a.md](a.md#b), `[no](no.md)`, ![x](i.png), [y](https://y/z), <z@y.org>, [t](#t)";
        let found = links(text);
        let found = found
            .iter()
            .map(|link| (&text[link.place.clone()], link.anchor.as_deref()));
        let expected = [("a.md#b", Some("b")), ("i.png", None), ("#t", Some("t"))];
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn headings_have_the_anchors_of_github() {
        let found = ids("# `split`: the share\n## A\n## A\n<a id=\"own\"></a>\n");
        let expected = ["a", "a-1", "own", "split-the-share"].map(str::to_owned);
        assert_eq!(found, BTreeSet::from(expected));
    }

    #[test]
    fn a_path_outside_the_repository_is_refused() {
        assert_eq!(normal(Path::new("docs/../a/./b")), Some("a/b".into()));
        assert_eq!(normal(Path::new("docs/../../a")), None);
    }
}
