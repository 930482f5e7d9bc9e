//! The playground: as a folder for a web server, and in a single file.

use anyhow::{Result, ensure};

use crate::archive::{ArchiveFile, ArchiveFiles, read_tar_gz, tar_gz};
use crate::artifact::Artifact;
use crate::parts::{Parts, ReleaseId};

/// The playground in its two forms.
pub(crate) fn pages(parts: &Parts, id: &ReleaseId) -> Result<Vec<Artifact>> {
    let file = |(name, bytes)| (format!("www/{name}"), ArchiveFile::data(bytes));
    let files: ArchiveFiles = parts.tree("www")?.into_iter().map(file).collect();
    Ok(vec![
        Artifact::new(
            format!("spillgate-{}-www.tar.gz", id.version),
            "the playground for a web server: static files, the widget included",
            tar_gz(&files, id.time)?,
        ),
        Artifact::new(
            "playground.html",
            "the playground in a single file, which opens without a server",
            parts.bytes("playground.html")?,
        ),
    ])
}

/// Checks that the archive has all files of the playground, and both forms name the commit.
pub(crate) fn check(archive: &[u8], single: &[u8], parts: &Parts, id: &ReleaseId) -> Result<()> {
    let files = read_tar_gz(archive)?;
    for (name, bytes) in parts.tree("www")? {
        let found = files.get(&format!("www/{name}")).map(|file| &file.bytes);
        ensure!(found == Some(&bytes), "{name} is missing or different");
    }
    let index = files.get("www/index.html").map(|file| &*file.bytes);
    for (form, html) in [
        ("www/index.html", index.unwrap_or_default()),
        ("playground.html", single),
    ] {
        let html = String::from_utf8_lossy(html);
        ensure!(html.contains("<div id=\"app\">"), "{form}: not the page");
        let commit = format!("name=\"spillgate-commit\" content=\"{}\"", id.commit);
        ensure!(html.contains(&commit), "{form}: another commit");
    }
    Ok(())
}
