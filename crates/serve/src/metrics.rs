//! A server of metrics: one text at one path.

use std::{io, net::SocketAddr};

use crate::{
    answer::Answer,
    listener::{HttpListener, Respond},
    request::RequestHead,
};

/// The path.
const PATH: &str = "/metrics";

/// What a server of metrics publishes.
pub trait MetricsSource: Send + Sync + 'static {
    /// The type of the text, for the header `content-type`.
    const CONTENT_TYPE: &'static str;

    /// The present text; `None` if it cannot be written, which is an error of the server.
    fn text(&self) -> Option<String>;
}

/// A running server of metrics.
#[derive(Debug)]
pub struct MetricsServer(HttpListener);

struct Published<S>(S);

impl MetricsServer {
    /// Starts to serve; port 0 is a free one.
    ///
    /// # Errors
    /// If the address is not one of this machine, or is in use.
    pub fn start(address: SocketAddr, source: impl MetricsSource) -> io::Result<Self> {
        HttpListener::start(address, Published(source)).map(Self)
    }

    /// The URL of the metrics.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}{PATH}", self.0.address())
    }

    /// Accepts no further connection, and waits for the responses to those that are open.
    pub fn stop(self) {
        self.0.stop();
    }
}

impl<S: MetricsSource> Respond for Published<S> {
    fn respond(&self, request: &RequestHead, address: SocketAddr) -> Option<Answer> {
        // At a loopback address, a foreign name that resolves to it must read nothing. At another one, anyone who
        // reaches it may read it by whatever name.
        if address.ip().is_loopback() && !request.is_local(address.port()) {
            return Some(Answer::not_local());
        }
        if request.method != "GET" && request.method != "HEAD" {
            return Some(Answer::not_allowed());
        }
        if request.path() != PATH {
            return Some(Answer::not_found());
        }
        Some(match self.0.text() {
            Some(text) => Answer::text((200, "OK"), text).of_type(S::CONTENT_TYPE),
            None => Answer::text((500, "Internal Server Error"), "no metrics\n"),
        })
    }
}
