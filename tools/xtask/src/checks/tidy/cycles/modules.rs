//! The modules of a crate, and which of them a path leads to.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr as _;

use anyhow::{Result, anyhow};
use proc_macro2::TokenStream;

use super::mentions::{FoundMentions, Mention};
use crate::text_files::TextFile;

/// Re-exports of re-exports that are followed.
const DEPTH: usize = 16;

/// The modules outside test code, by their paths; the crate's root is the empty path.
pub struct Modules {
    root: String,
    files: BTreeMap<Vec<String>, String>,
    found: FoundMentions,
    imports: BTreeMap<Vec<String>, BTreeMap<String, Vec<String>>>,
    globs: BTreeMap<Vec<String>, Vec<Vec<String>>>,
    items: BTreeSet<(Vec<String>, String)>,
}

impl Modules {
    /// The file of the root module: that of the library, else that of the program.
    pub fn root(name: &str, files: &[TextFile]) -> Option<String> {
        let paths = ["lib.rs", "main.rs"].map(|file| format!("{name}/src/{file}"));
        let exists = |path: &String| files.iter().any(|file| file.path == *path);
        paths.into_iter().find(exists)
    }

    /// Reads the sources of the crate in the folder `name`.
    pub fn read(name: &str, files: &[TextFile]) -> Result<Self> {
        let root = Self::root(name, files).unwrap_or_default();
        let mut modules = BTreeMap::new();
        let mut found = FoundMentions::default();
        for file in files {
            let Some(path) = module_path(name, &root, &file.path) else {
                continue;
            };
            let tokens = TokenStream::from_str(&file.text)
                .map_err(|error| anyhow!("{}: {error}", file.path))?;
            found.read(&path, tokens);
            modules.insert(path, file.path.clone());
        }
        let inline = found.inline.iter().map(|path| {
            let outer = (0..path.len())
                .rev()
                .find_map(|end| modules.get(&path[..end]));
            (path.clone(), outer.cloned().unwrap_or_default())
        });
        let inline: Vec<_> = inline.collect();
        modules.extend(inline);
        modules.retain(|path, _| !is_below(path, &found.tests));
        let mut read = Self {
            root,
            files: modules,
            imports: BTreeMap::new(),
            globs: BTreeMap::new(),
            items: BTreeSet::new(),
            found,
        };
        read.index();
        Ok(read)
    }

    fn index(&mut self) {
        self.items.extend(self.found.items.drain(..));
        for import in self.found.imports.drain(..) {
            if import.name == "*" {
                let globs = self.globs.entry(import.module).or_default();
                globs.push(import.path);
            } else {
                let names = self.imports.entry(import.module).or_default();
                names.insert(import.name, import.path);
            }
        }
    }

    /// Every path of the crate that may lead to another module.
    pub fn mentions(&self) -> impl Iterator<Item = &Mention> {
        let from_here =
            |mention: &&Mention| self.files.contains_key(&mention.module) && self.counts(mention);
        self.found.mentions.iter().filter(from_here)
    }

    /// A path from the crate's root or an ancestor counts, and one through an imported module; not
    /// one through an imported item, whose import counts already.
    fn counts(&self, mention: &Mention) -> bool {
        match mention.path.first().map(String::as_str) {
            Some("crate" | "super" | "self") => true,
            Some(first) => {
                let import = self.imports.get(&mention.module);
                let path = import.and_then(|names| names.get(first));
                path.is_some() && {
                    let first = [first.to_owned()];
                    self.lead(&mention.module, &first, DEPTH)
                        .is_some_and(|(_, is_module)| is_module)
                }
            }
            None => false,
        }
    }

    /// The file that has the module.
    pub fn file(&self, module: &[String]) -> &str {
        self.files.get(module).unwrap_or(&self.root)
    }

    /// The module that `path`, written in `module`, names or that defines the item it names.
    pub fn resolve(&self, module: &[String], path: &[String]) -> Option<Vec<String>> {
        Some(self.lead(module, path, DEPTH)?.0)
    }

    /// A module, and whether the whole path led to it; otherwise its end is an item of it.
    fn lead(
        &self,
        module: &[String],
        path: &[String],
        depth: usize,
    ) -> Option<(Vec<String>, bool)> {
        let depth = depth.checked_sub(1)?;
        let (first, rest) = path.split_first()?;
        let (mut at, mut is_module) = match first.as_str() {
            "crate" => (Vec::new(), true),
            "self" => (module.to_vec(), true),
            "super" => (module.split_last()?.1.to_vec(), true),
            // The first segment of a path is known in the module, or names another crate.
            _ => self.known(module, first, depth)?,
        };
        for segment in rest {
            if !is_module {
                break;
            }
            if segment == "super" {
                at.pop()?;
                continue;
            }
            match self.known(&at, segment, depth) {
                Some(next) => (at, is_module) = next,
                None => is_module = false,
            }
        }
        Some((at, is_module))
    }

    /// What a name means in a module: a child, an import, or an item of its own.
    fn known(&self, module: &[String], name: &str, depth: usize) -> Option<(Vec<String>, bool)> {
        let mut child = module.to_vec();
        child.push(name.to_owned());
        if self.files.contains_key(&child) {
            return Some((child, true));
        }
        if self.items.contains(&(module.to_vec(), name.to_owned())) {
            return Some((module.to_vec(), false));
        }
        if let Some(path) = self.imports.get(module).and_then(|names| names.get(name)) {
            // An import of its own name, such as `use alloc::alloc`, leads to another crate.
            let is_own = path.first().is_some_and(|first| first == name);
            return if is_own {
                None
            } else {
                self.lead(module, path, depth)
            };
        }
        let globs = self.globs.get(module).into_iter().flatten();
        globs
            .filter_map(|path| self.lead(module, path, depth))
            .filter(|(target, is_module)| *is_module && *target != module)
            .find_map(|(target, _)| self.known(&target, name, depth.checked_sub(1)?))
    }
}

/// The module that a file holds, if the file belongs to the root's tree.
fn module_path(name: &str, root: &str, file: &str) -> Option<Vec<String>> {
    let path = file.strip_prefix(name)?.strip_prefix("/src/")?;
    let path = path.strip_suffix(".rs")?;
    if file == root {
        return Some(Vec::new());
    }
    if path == "main" || path == "lib" || path.starts_with("bin/") {
        return None;
    }
    let path = path.strip_suffix("/mod").unwrap_or(path);
    Some(path.split('/').map(str::to_owned).collect())
}

/// Whether a path is one of `modules` or inside one.
fn is_below(path: &[String], modules: &[Vec<String>]) -> bool {
    modules.iter().any(|module| path.starts_with(module))
}
