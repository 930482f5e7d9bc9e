//! `--root`: the files that a configuration names, below a folder.

use spillgate_core::visible::quoted;
use std::{
    collections::BTreeSet,
    fs,
    path::{Component, Path, PathBuf},
};

use spillgate_answers::input::{Faults, name_of, read_text};
use spillgate_config::{
    Diagnostic, NamedText,
    envoy::{FileReference, referenced_files, refused_file},
};

/// The files that texts name and that are not among `known`, with the files that these name.
///
/// # Errors
/// Every file that is missing below the folder or unreadable.
pub(crate) fn named_files<'t>(
    root: &Path,
    known: impl IntoIterator<Item = &'t NamedText>,
) -> Result<Vec<NamedText>, Faults> {
    let mut read = BTreeSet::new();
    let mut names = Vec::new();
    for text in known {
        read.extend(fs::canonicalize(&text.name));
        names.push((text.name.clone(), referenced_files(&text.source())));
    }
    let mut texts: Vec<NamedText> = Vec::new();
    let mut faults = Faults::default();
    while let Some((file, references)) = names.pop() {
        for reference in references {
            match below(root, &reference.path) {
                None => faults.push(&file, &missing(root, &reference)),
                // A path that cannot be resolved cannot be read either, which is reported.
                Some(path) if fs::canonicalize(&path).is_ok_and(|path| !read.insert(path)) => {}
                Some(path) => match read_text(&path) {
                    Ok(text) => {
                        if let Some(fault) = refused_file(&text.source(), reference.resource) {
                            faults.push(&text.name, &fault);
                            continue;
                        }
                        names.push((text.name.clone(), referenced_files(&text.source())));
                        texts.push(text);
                    }
                    Err(wrong) => faults.extend(wrong),
                },
            }
        }
    }
    if faults.is_empty() {
        Ok(texts)
    } else {
        Err(faults)
    }
}

/// The file below a folder whose path ends with the longest part of `path`: files of `/etc/envoy` can
/// be in `ROOT/etc/envoy`, or in ROOT itself.
fn below(root: &Path, path: &str) -> Option<PathBuf> {
    let parts: Vec<_> = Path::new(path)
        .components()
        .filter(|part| matches!(part, Component::Normal(_)))
        .collect();
    let ends = (0..parts.len()).map(|from| parts.iter().skip(from).collect::<PathBuf>());
    let file = ends.map(|end| root.join(end)).find(|file| file.is_file())?;
    // Links within the folder are possible, as in a mounted ConfigMap; links out of it are not followed.
    let (root, found) = (fs::canonicalize(root).ok()?, fs::canonicalize(&file).ok()?);
    found.starts_with(root).then_some(file)
}

fn missing(root: &Path, reference: &FileReference) -> Diagnostic {
    let message = format!("file not found below --root {}", name_of(root));
    Diagnostic::error("input/named-file", message)
        .at("", reference.position)
        .found(quoted(&reference.path))
}
