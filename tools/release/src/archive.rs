//! Archives that depend on nothing but their content: sorted entries, one time, root as the owner.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read as _, Write as _};

use anyhow::{Context as _, Result};
use flate2::{Compression, GzBuilder, read::GzDecoder};
use tar::{Builder, EntryType, Header};

/// A file of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ArchiveFile {
    /// The content.
    pub(crate) bytes: Vec<u8>,
    /// Whether it is a program.
    pub(crate) executable: bool,
}

impl ArchiveFile {
    /// A file that is read.
    pub(crate) fn data(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        Self {
            bytes,
            executable: false,
        }
    }

    /// A file that is run.
    pub(crate) fn program(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        Self {
            bytes,
            executable: true,
        }
    }

    const fn mode(&self) -> u32 {
        if self.executable { 0o755 } else { 0o644 }
    }
}

/// The files of an archive by their paths.
pub(crate) type ArchiveFiles = BTreeMap<String, ArchiveFile>;

/// A tar archive of these files. `time` is in seconds since 1970.
pub(crate) fn tar(files: &ArchiveFiles, time: u64) -> Result<Vec<u8>> {
    let mut builder = Builder::new(Vec::new());
    append_files(&mut builder, files, time)?;
    Ok(builder.into_inner()?)
}

/// The same with entries for the folders, which dpkg requires and npm would list as a file.
pub(crate) fn tar_with_folders(files: &ArchiveFiles, time: u64) -> Result<Vec<u8>> {
    let mut builder = Builder::new(Vec::new());
    for folder in folders(files) {
        let mut header = header(EntryType::Directory, 0o755, time)?;
        header.set_size(0);
        builder.append_data(&mut header, format!("{folder}/"), &[][..])?;
    }
    append_files(&mut builder, files, time)?;
    Ok(builder.into_inner()?)
}

fn append_files(builder: &mut Builder<Vec<u8>>, files: &ArchiveFiles, time: u64) -> Result<()> {
    for (path, file) in files {
        let mut header = header(EntryType::Regular, file.mode(), time)?;
        header.set_size(file.bytes.len().try_into()?);
        builder.append_data(&mut header, path, &*file.bytes)?;
    }
    Ok(())
}

/// [`tar`], compressed by [`gzip`].
pub(crate) fn tar_gz(files: &ArchiveFiles, time: u64) -> Result<Vec<u8>> {
    gzip(&tar(files, time)?)
}

/// Compresses bytes, without a time or a file name.
pub(crate) fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    // 255: unknown operating system, so that all systems write the same header.
    let mut writer = GzBuilder::new()
        .operating_system(255)
        .write(Vec::new(), Compression::best());
    writer.write_all(bytes)?;
    Ok(writer.finish()?)
}

/// Reads the bytes of [`gzip`].
pub(crate) fn gunzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut content = Vec::new();
    GzDecoder::new(bytes)
        .read_to_end(&mut content)
        .context("not valid gzip")?;
    Ok(content)
}

/// The files of a compressed tar archive, without its folders. A leading `./` of a path is dropped.
pub(crate) fn read_tar_gz(bytes: &[u8]) -> Result<ArchiveFiles> {
    let bytes = gunzip(bytes)?;
    let mut archive = tar::Archive::new(&*bytes);
    let mut files = ArchiveFiles::new();
    for entry in archive.entries().context("not a tar archive")? {
        let mut entry = entry.context("damaged tar archive")?;
        if entry.header().entry_type() == EntryType::Directory {
            continue;
        }
        let path = entry.path()?.to_string_lossy().into_owned();
        let executable = entry.header().mode()? & 0o100 != 0;
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes)?;
        let path = path.strip_prefix("./").unwrap_or(&path).to_owned();
        files.insert(path, ArchiveFile { bytes, executable });
    }
    Ok(files)
}

fn header(kind: EntryType, mode: u32, time: u64) -> Result<Header> {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_mode(mode);
    header.set_mtime(time);
    header.set_uid(0);
    header.set_gid(0);
    header.set_username("root")?;
    header.set_groupname("root")?;
    Ok(header)
}

/// All folders of the paths, outer folders first.
fn folders(files: &ArchiveFiles) -> BTreeSet<&str> {
    let mut folders = BTreeSet::new();
    for path in files.keys() {
        let ends = path.match_indices('/').filter(|(end, _)| *end > 0);
        folders.extend(ends.filter_map(|(end, _)| path.get(..end)));
    }
    folders.remove(".");
    folders
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn an_archive_reads_back_and_has_one_form() {
        let files = ArchiveFiles::from([
            ("b/c/program".to_owned(), ArchiveFile::program("run")),
            ("a".to_owned(), ArchiveFile::data("text")),
        ]);
        let packed = tar_gz(&files, 1_000).unwrap();
        assert_eq!(read_tar_gz(&packed).unwrap(), files);
        assert_eq!(packed, tar_gz(&files, 1_000).unwrap());
        assert_ne!(packed, tar_gz(&files, 1_001).unwrap());
    }

    #[test]
    fn entries_have_one_time_and_owner_and_folders_come_first() {
        let file = ArchiveFile::data("x");
        let files = ArchiveFiles::from([("usr/bin/x".to_owned(), file)]);
        let bytes = tar_with_folders(&files, 7).unwrap();
        let mut archive = tar::Archive::new(&*bytes);
        let seen: Vec<String> = archive
            .entries()
            .unwrap()
            .map(|entry| {
                let entry = entry.unwrap();
                let header = entry.header();
                let (time, owner) = (header.mtime().unwrap(), header.uid().unwrap());
                format!("{} {time} {owner}", entry.path().unwrap().display())
            })
            .collect();
        assert_eq!(seen, ["usr/ 7 0", "usr/bin/ 7 0", "usr/bin/x 7 0"]);
    }

    #[test]
    fn compressed_bytes_have_no_time_and_no_name() {
        let packed = gzip(b"text").unwrap();
        // Flags (no name), four bytes of time, and the operating system.
        assert_eq!(packed.get(3..8).unwrap(), [0, 0, 0, 0, 0]);
        assert_eq!(packed.get(9).unwrap(), &255);
        assert!(gunzip(b"text").is_err());
    }
}
