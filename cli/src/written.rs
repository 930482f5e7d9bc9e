//! Writes files that commands create.

use std::{
    fs::{self, File},
    hash::{BuildHasher as _, Hasher as _, RandomState},
    io::{self, Write as _},
    path::Path,
};

/// Writes a new file first, so that an error leaves an existing file as it is. Neither file is written through a
/// link of someone else: the new one must not exist, and a link at `path` is replaced. An existing file keeps its
/// permissions; another one has those of `source`, the file that it is made of.
pub(crate) fn replace_file(path: &Path, text: &str, source: Option<&Path>) -> io::Result<()> {
    let mut new = path.as_os_str().to_owned();
    let number = RandomState::new().build_hasher().finish();
    new.push(format!(".{number:016x}.new"));
    let mut file = File::create_new(&new)?;
    let is_file = |file: &fs::Metadata| file.is_file();
    // The permissions of a link's target say nothing about this file.
    let own = fs::symlink_metadata(path).ok().filter(is_file);
    let source = source.and_then(|source| fs::metadata(source).ok().filter(is_file));
    let written = match own.or(source) {
        Some(like) => file.set_permissions(like.permissions()),
        None => Ok(()),
    };
    let written = written.and_then(|()| file.write_all(text.as_bytes()));
    let written = written.and_then(|()| fs::rename(&new, path));
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&new);
    }
    written
}
