//! What a newcomer sees first: few entries at the top, documents that are short and whose paths exist.

use std::fs;
use std::path::Path;

use anyhow::Result;

use crate::files;
use crate::project::Project;

/// Made by builds, so not there in a fresh checkout.
const MADE: [&str; 3] = ["target/", "dist/", ".tools/"];

/// Documents that are read before the code, with their limits in bytes: what concerns one part is in the
/// module doc of its code.
const READ_FIRST: [(&str, usize); 2] = [("ARCHITECTURE.md", 14_000), ("DESIGN.md", 25_000)];

/// Files and folders at the top of a checkout.
const TOP_ENTRIES: usize = 28;
/// Not in a checkout.
const OTHER_ENTRIES: [&str; 4] = [".git", ".tools", "dist", "target"];

/// The entries at the top, if they are more than a reader can take in.
pub fn too_many_entries(root: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !OTHER_ENTRIES.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names.sort();
    let count = names.len();
    Ok((count > TOP_ENTRIES)
        .then(|| format!("{count}, at most {TOP_ENTRIES}: {}", names.join(" ")))
        .into_iter()
        .collect())
}

/// Documents above their limit.
pub fn too_long(project: &Project) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for (name, limit) in READ_FIRST {
        let size = files::read(&project.root.join(name))?.len();
        if size > limit {
            found.push(format!(
                "{name}: {size} bytes, at most {limit}; move what concerns one part to its module doc"
            ));
        }
    }
    Ok(found)
}

/// Paths in backticks in ARCHITECTURE.md that do not exist.
pub fn stale_paths(project: &Project) -> Result<Vec<String>> {
    let text = files::read(&project.root.join("ARCHITECTURE.md"))?;
    let stale = paths(&text).filter(|path| !project.root.join(path).exists());
    Ok(stale.map(str::to_owned).collect())
}

/// What is written in backticks and looks like a path of the repository.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .flat_map(|line| line.split('`').skip(1).step_by(2))
        .filter(|word| is_path(word))
}

fn is_path(word: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    let file = [
        ".rs", ".md", ".toml", ".yaml", ".json", ".html", ".css", ".js",
    ]
    .iter()
    .any(|extension| word.ends_with(extension));
    word.chars().all(plain)
        && !word.starts_with(['/', '.'])
        && !MADE.iter().any(|made| word.starts_with(made))
        && (word.ends_with('/') || (file && word.contains('/')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_distinguished_from_other_code() {
        let text = "`core/src/lib.rs` and `core/`, not `decide()`, `a.rs`, `target/x/`, `src/*.rs`, `no_std`, `GET /x/`";
        assert_eq!(
            paths(text).collect::<Vec<_>>(),
            ["core/src/lib.rs", "core/"]
        );
    }
}
