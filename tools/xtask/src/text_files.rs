//! The text files of the repository.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

/// Built, downloaded, or recorded from elsewhere.
const SKIPPED: [&str; 7] = [
    ".git",
    ".tools",
    "target",
    "dist",
    "node_modules",
    "vectors",
    "proptest-regressions",
];
const TEXT: [&str; 11] = [
    "rs", "toml", "md", "yaml", "yml", "json", "html", "css", "js", "sh", "svg",
];

/// A file with its path relative to the repository.
pub struct TextFile {
    pub path: String,
    pub text: String,
}

/// All of them, by path.
pub fn text_files(root: &Path) -> Result<Vec<TextFile>> {
    let mut files = Vec::new();
    collect(root, root, &mut files)?;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn collect(root: &Path, dir: &Path, files: &mut Vec<TextFile>) -> Result<()> {
    let entries = fs::read_dir(dir).with_context(|| format!("cannot read {}", dir.display()))?;
    for entry in entries {
        let entry = entry?;
        let path = entry.path();
        let name = entry.file_name();
        if entry.file_type()?.is_dir() {
            if !SKIPPED.iter().any(|skipped| name == *skipped) {
                collect(root, &path, files)?;
            }
            continue;
        }
        let extension = path.extension().and_then(|extension| extension.to_str());
        if extension.is_some_and(|extension| TEXT.contains(&extension)) {
            let text = fs::read_to_string(&path)
                .with_context(|| format!("cannot read {} as text", path.display()))?;
            let path = path
                .strip_prefix(root)
                .unwrap_or(&path)
                .display()
                .to_string();
            files.push(TextFile { path, text });
        }
    }
    Ok(())
}
