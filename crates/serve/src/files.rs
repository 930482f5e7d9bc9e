//! The files of the playground.
//!
//! A file with the additional ending `br` is the compressed form of another one.

use std::{
    borrow::Cow,
    fs,
    path::{Component, Path, PathBuf},
};

/// A file in the program: its path in the folder of the playground, and its bytes.
pub type EmbeddedFile = (&'static str, &'static [u8]);

/// Where the files are.
#[derive(Debug, Clone)]
pub enum PageFiles {
    /// A folder.
    Folder(PathBuf),
    /// A table in the program.
    Embedded(&'static [EmbeddedFile]),
}

impl PageFiles {
    /// Whether the first page is there.
    #[must_use]
    pub fn has_page(&self) -> bool {
        self.read(INDEX).is_some()
    }

    /// A file by the path of a request, without its query: its name and its bytes. Nothing outside of the
    /// folder has a path.
    pub(crate) fn find(&self, path: &str) -> Option<(String, Cow<'static, [u8]>)> {
        let path = path.strip_prefix('/')?;
        let name = match path.strip_suffix('/').unwrap_or(path) {
            "" => INDEX.to_owned(),
            folder if path.ends_with('/') => format!("{folder}/{INDEX}"),
            file => file.to_owned(),
        };
        let bytes = self.read(&name)?;
        Some((name, bytes))
    }

    /// The compressed form of a file.
    pub(crate) fn compressed(&self, name: &str) -> Option<Cow<'static, [u8]>> {
        self.read(&format!("{name}.br"))
    }

    fn read(&self, name: &str) -> Option<Cow<'static, [u8]>> {
        match self {
            Self::Folder(folder) => {
                let mut parts = Path::new(name).components();
                let inside = parts.all(|part| matches!(part, Component::Normal(_)));
                let bytes = inside.then(|| fs::read(folder.join(name)));
                bytes?.ok().map(Cow::Owned)
            }
            Self::Embedded(files) => {
                let (_, bytes) = files.iter().find(|(have, _)| *have == name)?;
                Some(Cow::Borrowed(*bytes))
            }
        }
    }
}

/// The first page.
const INDEX: &str = "index.html";

/// The content type of a file.
pub(crate) fn content_type(name: &str) -> &'static str {
    let ending = Path::new(name).extension();
    match ending.and_then(|ending| ending.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript",
        Some("css") => "text/css",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("png") => "image/png",
        Some("gif") => "image/gif",
        Some("woff2") => "font/woff2",
        Some("txt" | "yaml") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
