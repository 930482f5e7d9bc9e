//! Cycles between modules: among the direct children of a folder, none may need another that needs
//! it. A reader who opens one child must not have to open all of them.
//!
//! A child needs another if a path outside test code, or an import's alias of a module, leads from
//! one to the other. Paths between a module and its ancestors do not count.

mod graph;
mod mentions;
mod modules;

use anyhow::Result;

use crate::text_files::TextFile;
use graph::Graph;
use modules::Modules;

/// Every cycle of the workspace's crates, with the files and lines of its edges.
pub fn cycles(files: &[TextFile]) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for name in crates(files) {
        found.extend(cycles_of(name, files)?);
    }
    Ok(found)
}

/// The folders that have a manifest and a library or a program.
fn crates(files: &[TextFile]) -> impl Iterator<Item = &str> {
    let named = files
        .iter()
        .filter_map(|file| file.path.strip_suffix("/Cargo.toml"));
    named.filter(|name| Modules::root(name, files).is_some())
}

fn cycles_of(name: &str, files: &[TextFile]) -> Result<Vec<String>> {
    let modules = Modules::read(name, files)?;
    let mut graph = Graph::default();
    for mention in modules.mentions() {
        if let Some(target) = modules.resolve(&mention.module, &mention.path) {
            let place = format!("{}:{}", modules.file(&mention.module), mention.line);
            graph.add(&mention.module, &target, place);
        }
    }
    Ok(graph.cycles(&format!("{name}/src")))
}

#[cfg(test)]
mod tests;
