//! Requests to one of the two Envoys.

use std::{thread, time::Duration};

use super::{
    hosts::{HOST_HEADER, KIND_HEADER},
    kinds::RequestKind,
};
use spillgate_admin::local::{LocalEnvoy, PlainClient, PlainHeaders, SessionJar, check_interrupt};

/// A running Envoy and its client.
#[derive(Debug)]
pub(super) struct CheckRun {
    pub(super) envoy: LocalEnvoy,
    client: PlainClient,
    /// All requests of the steered kinds.
    pub(super) sent: u64,
}

/// The result of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) status: u16,
    /// The host that answered; `None` if Envoy did.
    pub(super) host: Option<usize>,
}

impl CheckRun {
    /// The requests go to a listener.
    pub(super) fn new(envoy: LocalEnvoy, listener: &str) -> Result<Self, String> {
        let client = PlainClient::new(envoy.listener(listener)?);
        Ok(Self {
            envoy,
            client,
            sent: 0,
        })
    }

    /// Sends a request of a kind, with further headers.
    pub(super) fn send(
        &mut self,
        (index, kind): (usize, &RequestKind),
        number: usize,
        further: &PlainHeaders,
    ) -> Result<(Answer, PlainHeaders), String> {
        check_interrupt()?;
        let (path, mut headers) = kind.numbered(number);
        headers.extend(further.iter().cloned());
        headers.push((KIND_HEADER.into(), index.to_string()));
        let answer = self
            .client
            .ask(&kind.request.method, &path, &kind.request.host, &headers)
            .map_err(|error| {
                let log = self.envoy.last_log_lines();
                format!("request to Envoy: {error}{log}")
            })?;
        self.sent += 1;
        let host = answer
            .header(HOST_HEADER)
            .and_then(|host| host.parse().ok());
        Ok((
            Answer {
                status: answer.status,
                host,
            },
            answer.headers,
        ))
    }

    /// Sends requests of a kind, and counts them by host; the last count is of requests without a host.
    pub(super) fn count(
        &mut self,
        kind: (usize, &RequestKind),
        requests: usize,
        further: &PlainHeaders,
        hosts: usize,
    ) -> Result<Vec<u64>, String> {
        let mut counts = vec![0; hosts + 1];
        for number in 0..requests {
            let (answer, _) = self.send(kind, number, further)?;
            let at = answer.host.unwrap_or(hosts).min(hosts);
            if let Some(count) = counts.get_mut(at) {
                *count += 1;
            }
        }
        Ok(counts)
    }
}

/// A client with a session.
#[derive(Debug)]
pub(super) struct SessionClient {
    pub(super) kind: usize,
    number: usize,
    jar: SessionJar,
    pub(super) last: Answer,
}

impl SessionClient {
    /// Begins a session.
    pub(super) fn begin(
        run: &mut CheckRun,
        kind: (usize, &RequestKind),
        number: usize,
        keep: &[String],
    ) -> Result<Self, String> {
        let mut client = Self {
            kind: kind.0,
            number,
            jar: SessionJar::default(),
            last: Answer {
                status: 0,
                host: None,
            },
        };
        client.visit(run, kind.1, keep)?;
        Ok(client)
    }

    /// Sends a further request of the session, and returns the previous result and the new one.
    pub(super) fn visit(
        &mut self,
        run: &mut CheckRun,
        kind: &RequestKind,
        keep: &[String],
    ) -> Result<(Answer, Answer), String> {
        let headers = self.jar.with_own(&Vec::new());
        let (answer, response) = run.send((self.kind, kind), self.number, &headers)?;
        self.jar.learn(&response, keep);
        Ok((std::mem::replace(&mut self.last, answer), answer))
    }
}

/// Waits, and ends early with an error if the user asks to stop.
pub(super) fn pause(time: Duration) -> Result<(), String> {
    const STEP: Duration = Duration::from_millis(50);
    let mut left = time;
    while !left.is_zero() {
        check_interrupt()?;
        let step = left.min(STEP);
        thread::sleep(step);
        left -= step;
    }
    Ok(())
}
