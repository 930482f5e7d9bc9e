//! Which response a request gets.

use std::borrow::Cow;

use crate::{
    files::{PageFiles, content_type},
    live::{LivePath, LiveSource},
    request::RequestHead,
};

/// As in the demo: no inline script or style, nothing from elsewhere.
const SECURITY_POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; \
     worker-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'";

/// A response.
#[derive(Debug)]
pub(crate) struct Answer {
    status: (u16, &'static str),
    content_type: &'static str,
    body: Cow<'static, [u8]>,
    /// Whether the body is compressed with Brotli.
    brotli: bool,
    /// Whether pages of other origins may load it. Never for what is known of an Envoy.
    shared: bool,
    /// Whether the playground may read `/live/`.
    announces: bool,
}

impl Answer {
    /// The response to a request for a server at this port.
    pub(crate) fn to(
        request: &RequestHead,
        port: u16,
        files: &PageFiles,
        live: Option<&dyn LiveSource>,
    ) -> Self {
        if !request.is_local(port) {
            return Self::not_local();
        }
        let is_get = request.method == "GET";
        let path = request.path();
        if let Some(live) = live
            && path.starts_with("/live")
        {
            let named = LivePath::ALL
                .iter()
                .find(|path| path.text() == request.target);
            return match named.filter(|_| is_get) {
                Some(path) => Self::live(*path, live),
                None => Self::text(
                    (403, "Forbidden"),
                    "only GET of /live/clusters?format=json and /live/stats\n",
                ),
            };
        }
        if !is_get && request.method != "HEAD" {
            return Self::not_allowed();
        }
        let Some((name, body)) = files.find(path) else {
            return Self::not_found();
        };
        let compressed = request.brotli.then(|| files.compressed(&name)).flatten();
        Self {
            status: (200, "OK"),
            content_type: content_type(&name),
            brotli: compressed.is_some(),
            body: compressed.unwrap_or(body),
            shared: true,
            announces: false,
        }
    }

    fn live(path: LivePath, live: &dyn LiveSource) -> Self {
        match live.read(path) {
            Ok(text) => Self::text((200, "OK"), text).of_type(path.content_type()),
            Err(fault) => Self::text((502, "Bad Gateway"), fault + "\n"),
        }
    }

    /// The response to a request by another host name than that of this machine.
    pub(crate) fn not_local() -> Self {
        Self::text((403, "Forbidden"), "only requests for this machine\n")
    }

    /// The response to another method.
    pub(crate) fn not_allowed() -> Self {
        Self::text((405, "Method Not Allowed"), "only GET and HEAD\n")
    }

    /// The response to an unknown path.
    pub(crate) fn not_found() -> Self {
        Self::text((404, "Not Found"), "not found\n")
    }

    /// With another content type.
    pub(crate) fn of_type(self, content_type: &'static str) -> Self {
        Self {
            content_type,
            ..self
        }
    }

    /// With or without the note that the playground may read `/live/`.
    pub(crate) fn announcing(self, announces: bool) -> Self {
        Self { announces, ..self }
    }

    /// A text that pages of other origins cannot load.
    pub(crate) fn text(status: (u16, &'static str), text: impl Into<String>) -> Self {
        Self {
            status,
            content_type: "text/plain; charset=utf-8",
            body: Cow::Owned(text.into().into_bytes()),
            brotli: false,
            shared: false,
            announces: false,
        }
    }

    /// The head of the response.
    pub(crate) fn head(&self) -> String {
        let (code, reason) = self.status;
        let mut head = format!(
            "HTTP/1.1 {code} {reason}\r\ncontent-type: {}\r\ncontent-length: {}\r\n\
             content-security-policy: {SECURITY_POLICY}\r\nx-content-type-options: nosniff\r\n\
             referrer-policy: no-referrer\r\ncache-control: no-cache\r\nconnection: close\r\n",
            self.content_type,
            self.body.len()
        );
        let others = [
            (self.brotli, "content-encoding: br\r\n"),
            (self.shared, "access-control-allow-origin: *\r\n"),
            (self.announces, "server-timing: spillgate-live\r\n"),
        ];
        for (is_there, header) in others {
            if is_there {
                head.push_str(header);
            }
        }
        head + "\r\n"
    }

    /// The body of the response.
    pub(crate) fn body(&self) -> &[u8] {
        &self.body
    }
}
