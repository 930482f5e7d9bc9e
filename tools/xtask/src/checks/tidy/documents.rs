//! Documents about the code: their paths must exist, and a reader must have the time to read them.

use anyhow::Result;

use crate::files;
use crate::project::Project;

/// Made by builds, so not there in a fresh checkout.
const MADE: [&str; 3] = ["target/", "dist/", ".tools/"];

/// Documents that are read before the code, with their limits in bytes: what concerns one part is in the
/// module doc of its code.
const READ_FIRST: [(&str, usize); 2] = [("ARCHITECTURE.md", 14_000), ("DESIGN.md", 25_000)];

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
