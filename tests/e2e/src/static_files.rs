//! A server for a folder with the built page.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use spillgate_serve::{PageFiles, PageServer};

/// Serves a folder at a port of 127.0.0.1 until the test process ends.
#[derive(Debug)]
pub struct StaticFiles(PageServer);

impl StaticFiles {
    /// Starts to serve.
    ///
    /// # Errors
    /// When there is no page in it, or no port.
    pub fn serve(folder: &Path) -> Result<Self> {
        let files = PageFiles::Folder(folder.into());
        ensure!(
            files.has_page(),
            "{} has no index.html: the page was not built to its end",
            folder.display()
        );
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        Ok(Self(PageServer::start(address, files, None)?))
    }

    /// Closes every connection from now on without an answer, as if there was no network.
    pub fn go_away(&self) {
        self.0.go_away();
    }

    /// The address of the playground; every file's address begins with it.
    #[must_use]
    pub fn origin(&self) -> String {
        self.0.origin()
    }
}

/// The compressed form of a file.
pub(crate) fn compressed(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".br");
    name.into()
}
