//! The files of a folder.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use spillgate_config::Diagnostic;

use crate::input::{Faults, name_of};

/// Maximum number of files below a folder.
const MAXIMUM_FILES: usize = 10_000;

/// The extensions of the files that are read.
const EXTENSIONS: [&str; 7] = [
    "yaml",
    "yml",
    "json",
    "textproto",
    "pbtxt",
    "pb_text",
    "txtpb",
];

/// All YAML and JSON files below a folder, sorted by path. Hidden files and folders are skipped, and so
/// are links to folders, which can form cycles. Kubernetes mounts the files of a `ConfigMap` as links.
///
/// # Errors
/// If a folder is unreadable, or there are no such files or more than 10,000.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<PathBuf>, Faults> {
    let mut found = Vec::new();
    visit(folder, &mut found)?;
    found.sort();
    let fault = match found.len() {
        0 => Diagnostic::error("input/no-files", "the folder has no files to read")
            .expected("files *.yaml, *.yml, *.json or *.textproto"),
        count if count > MAXIMUM_FILES => {
            let message = format!("the folder has more than {MAXIMUM_FILES} files");
            Diagnostic::error("input/too-many", message).expected("a smaller folder")
        }
        _ => return Ok(found),
    };
    Err(Faults::one(&name_of(folder), &fault))
}

fn visit(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), Faults> {
    let unreadable = |path: &Path, error: &io::Error| {
        let message = format!("cannot read folder: {error}");
        Faults::one(
            &name_of(path),
            &Diagnostic::error("input/unreadable", message),
        )
    };
    let entries = fs::read_dir(folder).map_err(|error| unreadable(folder, &error))?;
    for entry in entries {
        let entry = entry.map_err(|error| unreadable(folder, &error))?;
        let path = entry.path();
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        let kind = entry.file_type();
        if kind.is_ok_and(|kind| kind.is_dir()) {
            visit(&path, found)?;
        } else if has_extension(&path) && path.is_file() {
            found.push(path);
        }
        if found.len() > MAXIMUM_FILES {
            break;
        }
    }
    Ok(())
}

fn has_extension(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    EXTENSIONS
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known))
}
