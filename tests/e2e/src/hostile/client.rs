//! A client that sends any request, valid or not, over HTTP/1.1 or HTTP/2.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context as _, Result};
use h2::client::SendRequest;
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

use super::{Hostile, Version};
use crate::{Client, HttpResponse};

/// The longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// A client of one address, with one active request.
#[derive(Debug)]
pub enum HttpClient {
    /// HTTP/1.1.
    Http1(Client),
    /// HTTP/2.
    Http2(Box<Http2>),
}

impl HttpClient {
    /// Connects with the first request.
    ///
    /// # Errors
    /// When there is no runtime for HTTP/2.
    pub fn new(to: SocketAddr, version: Version) -> Result<Self> {
        Ok(match version {
            Version::Http1 => Self::Http1(Client::new(to)),
            Version::Http2 => Self::Http2(Box::new(Http2 {
                to,
                runtime: Builder::new_current_thread().enable_all().build()?,
                open: None,
            })),
        })
    }

    /// Sends a request as it is.
    ///
    /// # Errors
    /// When there is no whole answer: over HTTP/2 that is also how a request is refused.
    pub fn send(&mut self, request: &Hostile) -> Result<HttpResponse> {
        match self {
            Self::Http1(client) => {
                let mut bytes = b"GET / HTTP/1.1\r\nhost: shop.example\r\n".to_vec();
                for (name, value) in &request.headers {
                    bytes.extend_from_slice(name.as_bytes());
                    bytes.extend_from_slice(b": ");
                    bytes.extend_from_slice(value);
                    bytes.extend_from_slice(b"\r\n");
                }
                bytes.extend_from_slice(b"\r\n");
                client.raw(&bytes)
            }
            Self::Http2(client) => client.send(request),
        }
    }
}

/// A client of HTTP/2.
#[derive(Debug)]
pub struct Http2 {
    to: SocketAddr,
    runtime: Runtime,
    open: Option<SendRequest<&'static [u8]>>,
}

impl Http2 {
    fn send(&mut self, request: &Hostile) -> Result<HttpResponse> {
        let mut message = http::Request::get("http://shop.example/").body(())?;
        for (name, value) in &request.headers {
            let name = http::HeaderName::from_bytes(name.as_bytes())?;
            let value = http::HeaderValue::from_bytes(value)?;
            message.headers_mut().append(name, value);
        }
        let open = self.open.take();
        let to = self.to;
        let answer = async { timeout(PATIENCE, exchange(to, open, message)).await };
        let (response, open) = self.runtime.block_on(answer).context("no answer")??;
        self.open = Some(open);
        Ok(response)
    }
}

async fn exchange(
    to: SocketAddr,
    open: Option<SendRequest<&'static [u8]>>,
    message: http::Request<()>,
) -> Result<(HttpResponse, SendRequest<&'static [u8]>)> {
    let sender = match open {
        Some(sender) => sender,
        None => {
            let stream = TcpStream::connect(to).await?;
            stream.set_nodelay(true)?;
            let (sender, connection) = h2::client::Builder::new().handshake(stream).await?;
            tokio::spawn(connection);
            sender
        }
    };
    let mut sender = sender.ready().await?;
    let (answer, _) = sender.send_request(message, true)?;
    let (head, mut body) = answer.await?.into_parts();
    let mut bytes = Vec::new();
    while let Some(chunk) = body.data().await {
        let chunk = chunk?;
        body.flow_control().release_capacity(chunk.len())?;
        bytes.extend_from_slice(&chunk);
    }
    let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let headers = head
        .headers
        .iter()
        .map(|(name, value)| (name.as_str().to_owned(), text(value)))
        .collect();
    let response = HttpResponse {
        status: head.status.as_u16(),
        headers,
        body: bytes,
    };
    Ok((response, sender))
}
