//! The Debian package of the command: an `ar` archive of a version, control files and files.

use std::collections::BTreeMap;
use std::io::Read as _;

use anyhow::{Context as _, Result, ensure};
use md5::{Digest as _, Md5};

use crate::archive::{ArchiveFile, ArchiveFiles, gzip, read_tar_gz, tar_with_folders};
use crate::artifact::Artifact;
use crate::command::PROGRAM;
use crate::glibc::newest_needed;
use crate::parts::{Parts, ReleaseId};

/// The target whose command the package has.
const TARGET: &str = "x86_64-unknown-linux-gnu";
/// Where the shells of Debian look for completions, by the names in the parts.
const COMPLETIONS: [(&str, &str); 3] = [
    (
        "spillgate.bash",
        "usr/share/bash-completion/completions/spillgate",
    ),
    ("_spillgate", "usr/share/zsh/vendor-completions/_spillgate"),
    (
        "spillgate.fish",
        "usr/share/fish/vendor_completions.d/spillgate.fish",
    ),
];

/// The package.
pub(crate) fn package(parts: &Parts, id: &ReleaseId) -> Result<Artifact> {
    let program = parts.bytes(&format!("commands/{TARGET}/{PROGRAM}"))?;
    let files = files(parts, id, &program)?;
    let control = control(id, &program, &files)?;
    let archive = |files: ArchiveFiles| {
        let relative = files
            .into_iter()
            .map(|(path, file)| (format!("./{path}"), file));
        gzip(&tar_with_folders(&relative.collect(), id.time)?)
    };
    let mut package = ar::Builder::new(Vec::new());
    for (name, bytes) in [
        ("debian-binary", b"2.0\n".to_vec()),
        ("control.tar.gz", archive(control)?),
        ("data.tar.gz", archive(files)?),
    ] {
        let mut header = ar::Header::new(name.into(), bytes.len().try_into()?);
        header.set_mode(0o100_644);
        header.set_mtime(id.time);
        package.append(&header, &*bytes)?;
    }
    Ok(Artifact::new(
        file_name(id),
        "the command as a package for Debian and its relatives",
        package.into_inner()?,
    ))
}

/// The name of the package's file.
pub(crate) fn file_name(id: &ReleaseId) -> String {
    format!("spillgate_{}-1_amd64.deb", id.version)
}

/// Checks the structure, the version, and the sums of the installed files.
pub(crate) fn check(bytes: &[u8], parts: &Parts, id: &ReleaseId) -> Result<()> {
    let members = read(bytes)?;
    let names: Vec<&str> = members.iter().map(|(name, _)| &**name).collect();
    ensure!(
        names == ["debian-binary", "control.tar.gz", "data.tar.gz"],
        "unexpected members {names:?}"
    );
    let members: BTreeMap<String, Vec<u8>> = members.into_iter().collect();
    ensure!(members["debian-binary"] == b"2.0\n", "unknown format");
    let control = read_tar_gz(&members["control.tar.gz"])?;
    let text = |name: &str| {
        let file = control.get(name).with_context(|| format!("no {name}"))?;
        Ok::<_, anyhow::Error>(String::from_utf8_lossy(&file.bytes).into_owned())
    };
    let version = format!("Version: {}-1\n", id.version);
    ensure!(text("control")?.contains(&version), "another version");
    let files = read_tar_gz(&members["data.tar.gz"])?;
    ensure!(text("md5sums")? == sums(&files), "sums of other files");
    let program = ArchiveFile::program(parts.bytes(&format!("commands/{TARGET}/{PROGRAM}"))?);
    let installed = files.get(&format!("usr/bin/{PROGRAM}"));
    ensure!(
        installed == Some(&program),
        "other program than the built one"
    );
    Ok(())
}

/// The members of an `ar` archive in their order.
fn read(bytes: &[u8]) -> Result<Vec<(String, Vec<u8>)>> {
    let mut archive = ar::Archive::new(bytes);
    let mut members = Vec::new();
    while let Some(member) = archive.next_entry() {
        let mut member = member.context("not an ar archive")?;
        let name = String::from_utf8_lossy(member.header().identifier()).into_owned();
        let mut bytes = Vec::new();
        member.read_to_end(&mut bytes)?;
        members.push((name, bytes));
    }
    Ok(members)
}

/// The installed files.
fn files(parts: &Parts, id: &ReleaseId, program: &[u8]) -> Result<ArchiveFiles> {
    let mut files = ArchiveFiles::new();
    let mut add = |path: String, file| files.insert(path, file);
    add(format!("usr/bin/{PROGRAM}"), ArchiveFile::program(program));
    for (name, path) in COMPLETIONS {
        let script = parts.bytes(&format!("completions/{name}"))?;
        add(path.to_owned(), ArchiveFile::data(script));
    }
    for (name, page) in parts.tree("man")? {
        let path = format!("usr/share/man/man1/{name}.gz");
        add(path, ArchiveFile::data(gzip(&page)?));
    }
    let docs = format!("usr/share/doc/{PROGRAM}");
    let copyright = format!("{docs}/copyright");
    add(copyright, ArchiveFile::data(COPYRIGHT));
    let changes = format!(
        "spillgate ({}-1) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- {MAINTAINER}  {}\n",
        id.version,
        id.mail_date()?
    );
    let changes = ArchiveFile::data(gzip(changes.as_bytes())?);
    add(format!("{docs}/changelog.Debian.gz"), changes);
    Ok(files)
}

/// The project has no mailbox; the name says so.
const MAINTAINER: &str = "Spillgate contributors <contributors@spillgate.invalid>";
const COPYRIGHT: &str = "\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: spillgate

Files: *
Copyright: Spillgate contributors
License: Apache-2.0
 The full text is in /usr/share/common-licenses/Apache-2.0.
";

fn control(id: &ReleaseId, program: &[u8], files: &ArchiveFiles) -> Result<ArchiveFiles> {
    let size: usize = files
        .values()
        .map(|file| file.bytes.len().div_ceil(1024))
        .sum();
    let depends = match newest_needed(program) {
        Some((major, minor)) => format!("Depends: libc6 (>= {major}.{minor}), libgcc-s1\n"),
        None => String::new(),
    };
    let text = format!(
        "Package: spillgate\n\
         Version: {}-1\n\
         Section: net\n\
         Priority: optional\n\
         Architecture: amd64\n\
         Maintainer: {MAINTAINER}\n\
         Installed-Size: {size}\n\
         {depends}\
         Description: predicts where Envoy sends requests\n \
         The command spillgate reads configurations of the Envoy proxy and reproduces\n \
         its load-balancing decisions: the share of each host, the host of a request,\n \
         settings with unintended effects, and the effect of losing hosts.\n",
        id.version
    );
    let sums = sums(files);
    Ok(ArchiveFiles::from([
        ("control".to_owned(), ArchiveFile::data(text)),
        ("md5sums".to_owned(), ArchiveFile::data(sums)),
    ]))
}

/// The lines of `md5sums`, which `dpkg --verify` reads.
fn sums(files: &ArchiveFiles) -> String {
    let line = |(path, file): (&String, &ArchiveFile)| {
        let sum = Md5::digest(&file.bytes);
        let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{sum}  {path}\n")
    };
    files.iter().map(line).collect()
}
