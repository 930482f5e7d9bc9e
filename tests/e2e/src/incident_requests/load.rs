//! Requests at a constant rate, whether or not earlier ones are answered: streams of HTTP/2 connections.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use h2::client::SendRequest;
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::sessions::Sessions;

/// Longer than any request takes, with its retries.
const PATIENCE: Duration = Duration::from_secs(10);

/// The requests of a trial.
#[derive(Clone)]
pub(super) struct OpenLoad {
    pub(super) to: SocketAddr,
    pub(super) path: String,
    pub(super) rps: u32,
    pub(super) connections: usize,
    pub(super) sessions: Sessions,
    pub(super) lasts: Duration,
}

impl OpenLoad {
    /// When each request is sent, since the start.
    pub(super) fn times(rps: u32, lasts: Duration) -> impl Iterator<Item = Duration> {
        let gap = Duration::from_secs(1) / rps.max(1);
        let times = (0..).map(move |number| gap / 2 + gap * number);
        times.take_while(move |at| *at < lasts)
    }

    /// Sends all of it from a time on, and waits for the answers, which Envoy's log has. Returns how many requests have no
    /// answer, because their connection ended.
    ///
    /// # Errors
    /// When Envoy cannot be reached, or a request does not end.
    pub(super) fn send(&self, start: Instant) -> Result<usize> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(self.send_all(start))
    }

    async fn send_all(&self, start: Instant) -> Result<usize> {
        let mut connections = Vec::new();
        for _ in 0..self.connections {
            connections.push(connect(self.to).await?);
        }
        let (mut open, mut unanswered) = (JoinSet::new(), 0);
        let mut turns = connections.iter().cycle();
        for due in Self::times(self.rps, self.lasts) {
            sleep(due.saturating_sub(start.elapsed())).await;
            let sender = turns.next().context("no connection")?.clone();
            let uri = format!("http://trial{}", self.path);
            let mut request = http::Request::get(uri);
            let session = self.sessions.any();
            if let Some((_, cookie)) = &session {
                request = request.header(http::header::COOKIE, cookie);
            }
            let request = request.body(())?;
            let client = session.map(|(client, _)| client);
            open.spawn(exchange(sender, request, self.sessions.clone(), client));
            while let Some(ended) = open.try_join_next() {
                unanswered += usize::from(!matches!(ended, Ok(Ok(()))));
            }
        }
        let rest = async {
            let mut unanswered = 0;
            while let Some(ended) = open.join_next().await {
                unanswered += usize::from(!matches!(ended, Ok(Ok(()))));
            }
            unanswered
        };
        let rest = timeout(PATIENCE, rest).await;
        Ok(unanswered + rest.context("requests do not end")?)
    }
}

async fn connect(to: SocketAddr) -> Result<SendRequest<&'static [u8]>> {
    let stream = TcpStream::connect(to).await?;
    stream.set_nodelay(true)?;
    let (sender, connection) = h2::client::Builder::new().handshake(stream).await?;
    tokio::spawn(connection);
    Ok(sender)
}

async fn exchange(
    sender: SendRequest<&'static [u8]>,
    request: http::Request<()>,
    sessions: Sessions,
    client: Option<usize>,
) -> Result<()> {
    let mut sender = sender.ready().await?;
    let (answer, _) = sender.send_request(request, true)?;
    let answer = answer.await?;
    let cookie = answer.headers().get(http::header::SET_COOKIE);
    if let (Some(client), Some(cookie)) = (client, cookie) {
        sessions.set(client, cookie.to_str()?);
    }
    let mut body = answer.into_body();
    while let Some(chunk) = body.data().await {
        body.flow_control().release_capacity(chunk?.len())?;
    }
    Ok(())
}
