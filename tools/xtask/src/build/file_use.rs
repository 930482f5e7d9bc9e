//! When the playground loads a file of its folder.

use std::path::Path;

use super::{EMBED, EMBED_SWEEP, FILTER_FILES, GROUP, READERS};

/// The custom element. The Share dialog shows a preview of it.
const ELEMENT: &str = "embed.js";

/// Who loads a file of the playground's folder, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileUse {
    /// Every visit of the playground.
    First,
    /// The playground, when the user needs it.
    OnDemand,
    /// Only other pages, or people.
    Other,
}

/// When the playground loads this file.
pub fn file_use(path: &Path) -> FileUse {
    let name = path
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    let is_reader = READERS.iter().any(|reader| name == reader.file);
    let is_group = name.starts_with(GROUP);
    let is_preview = [ELEMENT, EMBED.file, EMBED_SWEEP.file].contains(&name);
    if is_reader || is_group || is_preview || FILTER_FILES.contains(&name) {
        FileUse::OnDemand
    } else if name.starts_with("embed") || name.ends_with(".txt") {
        FileUse::Other
    } else {
        FileUse::First
    }
}
