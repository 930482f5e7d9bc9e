//! A server for the built page. Pages of other origins may load its files, as those of a release. A file with
//! the additional ending `br` is the compressed form of another one.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use anyhow::{Result, ensure};

/// As strict as a server of the page can be: no inline script or style, nothing from elsewhere.
const SECURITY_POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; \
     worker-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'";

/// Serves a folder at a port of 127.0.0.1 until the test process ends.
#[derive(Debug)]
pub struct StaticFiles {
    address: SocketAddr,
    is_gone: Arc<AtomicBool>,
}

impl StaticFiles {
    /// Starts to serve.
    ///
    /// # Errors
    /// When there is no page in it, or no port.
    pub fn serve(folder: &Path) -> Result<Self> {
        ensure!(
            folder.join("index.html").is_file(),
            "{} has no index.html: the page was not built to its end",
            folder.display()
        );
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let folder: Arc<Path> = folder.into();
        let is_gone = Arc::new(AtomicBool::new(false));
        let gone = Arc::clone(&is_gone);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if gone.load(Ordering::Relaxed) {
                    continue;
                }
                let folder = Arc::clone(&folder);
                // A client that goes away in the middle is no concern of ours.
                thread::spawn(move || answer(&stream, &folder).ok());
            }
        });
        Ok(Self { address, is_gone })
    }

    /// Closes every connection from now on without an answer, as if there was no network.
    pub fn go_away(&self) {
        self.is_gone.store(true, Ordering::Relaxed);
    }

    /// The address of the page; every file's address begins with it.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("http://{}/", self.address)
    }
}

fn answer(stream: &TcpStream, folder: &Path) -> Result<()> {
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let (mut line, mut brotli) = (String::new(), false);
    while reader.read_line(&mut line)? > 2 {
        let header = line.to_ascii_lowercase();
        brotli |= header.starts_with("accept-encoding:") && header.contains("br");
        line.clear();
    }
    let mut words = first.split(' ');
    let (method, target) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    let path = (method == "GET").then(|| file(folder, target)).flatten();
    let packed = path
        .as_ref()
        .filter(|_| brotli)
        .and_then(|path| fs::read(compressed(path)).ok());
    let encoding = match &packed {
        Some(_) => "content-encoding: br\r\n",
        None => "",
    };
    let file = path.and_then(|path| Some((kind(&path), packed.or_else(|| fs::read(path).ok())?)));
    let (status, kind, body) = match file {
        Some((kind, body)) => ("200 OK", kind, body),
        None => ("404 Not Found", "text/plain", b"not found\n".to_vec()),
    };
    let mut stream = stream;
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\n{encoding}content-length: {}\r\n\
         content-security-policy: {SECURITY_POLICY}\r\nx-content-type-options: nosniff\r\n\
         access-control-allow-origin: *\r\ncache-control: no-cache\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(&body)?;
    Ok(())
}

/// The compressed form of a file.
pub(crate) fn compressed(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".br");
    name.into()
}

/// The file of a request target; none outside the folder.
fn file(folder: &Path, target: &str) -> Option<PathBuf> {
    let path = target.split(['?', '#']).next()?.strip_prefix('/')?;
    let path = if path.is_empty() { "index.html" } else { path };
    let inside = Path::new(path)
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    inside.then(|| folder.join(path))
}

fn kind(path: &Path) -> &'static str {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript",
        Some("css") => "text/css",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}
