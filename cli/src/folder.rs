//! The files of a folder.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use spillgate_answers::input::{Faults, name_of};
use spillgate_config::Diagnostic;

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
/// are links to folders, which can form cycles. Kubernetes mounts the files of a `ConfigMap` as links within
/// the folder. Links out of it are errors: someone else can have put them there, and errors quote files.
///
/// # Errors
/// If a folder is unreadable, a file is a link out of the folder, or there are no such files or more than
/// 10,000.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<PathBuf>, Faults> {
    let mut found = Vec::new();
    visit(folder, &mut found)?;
    found.sort();
    check_links(folder, &found)?;
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

/// Rejects links out of a folder.
fn check_links(folder: &Path, files: &[PathBuf]) -> Result<(), Faults> {
    let mut faults = Faults::default();
    let real = fs::canonicalize(folder);
    let is_outside = |path: &Path| {
        let (Ok(folder), Ok(file)) = (&real, fs::canonicalize(path)) else {
            return true;
        };
        !file.starts_with(folder)
    };
    for path in files {
        if path.is_symlink() && is_outside(path) {
            let fault = Diagnostic::error("input/unreadable", "cannot read file")
                .found("a link out of the folder")
                .expected("a link to a file of the folder, or the file as CONFIG");
            faults.push(&name_of(path), &fault);
        }
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults)
    }
}

pub(crate) fn has_extension(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    EXTENSIONS
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known))
}
