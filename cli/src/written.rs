//! Writes files that commands create.

use std::{
    fs::{self, File, Metadata, OpenOptions},
    hash::{BuildHasher as _, Hasher as _, RandomState},
    io::{self, Write as _},
    path::Path,
};

/// The permissions of a file that did not exist.
#[derive(Debug, Clone, Copy)]
pub(crate) enum NewFile<'a> {
    /// Only the user can read it.
    Private,
    /// Those of the file that it is made of, or the usual ones if that is no file.
    Like(&'a Path),
}

/// Where a text went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WrittenTo {
    /// A regular file.
    File,
    /// A device, a pipe, or an open file of this process such as `/dev/stdout`.
    Stream,
}

/// Writes a text to a file, a device or a pipe.
///
/// A regular file is replaced by a new one, so that an error leaves it as it is. Neither is written through a link
/// of someone else: the new one must not exist, and a link at `path` is replaced. An existing file keeps its
/// permissions.
pub(crate) fn replace_file(path: &Path, text: &str, new: NewFile<'_>) -> io::Result<WrittenTo> {
    let existing = fs::symlink_metadata(path).ok();
    if let Some(mut stream) = stream(path, existing.as_ref())? {
        stream.write_all(text.as_bytes())?;
        return Ok(WrittenTo::Stream);
    }
    // The permissions of a link's target say nothing about this file.
    let own = existing.filter(Metadata::is_file);
    let like = own.or_else(|| match new {
        NewFile::Private => None,
        NewFile::Like(source) => fs::metadata(source).ok().filter(Metadata::is_file),
    });
    let mut unfinished = path.as_os_str().to_owned();
    let number = RandomState::new().build_hasher().finish();
    unfinished.push(format!(".{number:016x}.new"));
    let is_private = like.is_some() || matches!(new, NewFile::Private);
    let mut file = created(Path::new(&unfinished), is_private)?;
    let written = like
        .map_or(Ok(()), |like| file.set_permissions(like.permissions()))
        .and_then(|()| file.write_all(text.as_bytes()))
        .and_then(|()| fs::rename(&unfinished, path));
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&unfinished);
    }
    written.map(|()| WrittenTo::File)
}

/// A new file. Others cannot read a private one at any time.
fn created(path: &Path, is_private: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if is_private {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    options.open(path)
}

/// What a path names, if a file cannot replace it: a device, a pipe, or a link of the system to one or to an open
/// file, such as `/dev/stdout` and the `/dev/fd/63` of a shell.
fn stream(path: &Path, existing: Option<&Metadata>) -> io::Result<Option<File>> {
    let Some(existing) = existing.filter(|file| !file.is_file() && !file.is_dir()) else {
        return Ok(None);
    };
    if existing.is_symlink() && !is_of_system(path) {
        return Ok(None);
    }
    let stream = OpenOptions::new().append(true).open(path)?;
    // Someone else can have put a link in its place.
    if !existing.is_symlink() && stream.metadata()?.is_file() {
        return Err(io::Error::other("the file has changed meanwhile"));
    }
    Ok(Some(stream))
}

/// Whether a path is in a folder in which only the system puts links.
fn is_of_system(path: &Path) -> bool {
    let folder = path.parent().map(fs::canonicalize);
    folder.is_some_and(|folder| {
        folder.is_ok_and(|folder| folder == Path::new("/dev") || folder.starts_with("/proc"))
    })
}
