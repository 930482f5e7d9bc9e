//! The server of the playground.

use std::{
    io,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::{
    answer::Answer,
    files::PageFiles,
    listener::{HttpListener, Respond},
    live::LiveSource,
    request::RequestHead,
};

/// A running server of the playground. It serves until the program ends.
#[derive(Debug)]
pub struct PageServer {
    listener: HttpListener,
    is_gone: Arc<AtomicBool>,
}

/// What all connections share.
struct ServedPage {
    files: PageFiles,
    live: Option<Box<dyn LiveSource>>,
    is_gone: Arc<AtomicBool>,
}

impl PageServer {
    /// Starts to serve at an address of this machine; port 0 is a free one. With `live`, the playground reads
    /// that Envoy.
    ///
    /// # Errors
    /// If the address is not one of this machine's loopback addresses, or is in use.
    pub fn start(
        address: SocketAddr,
        files: PageFiles,
        live: Option<Box<dyn LiveSource>>,
    ) -> io::Result<Self> {
        if !address.ip().is_loopback() {
            let what = "not an address of this machine alone";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        let is_gone = Arc::new(AtomicBool::new(false));
        let page = ServedPage {
            files,
            live,
            is_gone: Arc::clone(&is_gone),
        };
        let listener = HttpListener::start(address, page)?;
        Ok(Self { listener, is_gone })
    }

    /// The URL of the playground.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("http://{}/", self.listener.address())
    }

    /// Closes every connection from now on without a response, as if there was no network.
    pub fn go_away(&self) {
        self.is_gone.store(true, Ordering::Relaxed);
    }
}

impl Respond for ServedPage {
    fn respond(&self, request: &RequestHead, address: SocketAddr) -> Option<Answer> {
        if self.is_gone.load(Ordering::Relaxed) {
            return None;
        }
        let live = self.live.as_deref();
        let answer = Answer::to(request, address.port(), &self.files, live);
        Some(answer.announcing(live.is_some()))
    }
}
