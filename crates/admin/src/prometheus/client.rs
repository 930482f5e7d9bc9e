//! Requests to a Prometheus server.

use std::io;

use spillgate_config::{Diagnostic, node::decode};
use ureq::{
    Agent, Error,
    unversioned::{resolver::DefaultResolver, transport::TcpConnector},
};

use super::{PrometheusAnswer, PrometheusUrl, answer};
use crate::{
    AdminLimits,
    client::{read_body, settings},
};

/// A client of a Prometheus server.
#[derive(Debug)]
pub struct PrometheusClient {
    url: PrometheusUrl,
    limits: AdminLimits,
    agent: Agent,
}

impl PrometheusClient {
    /// A client. It connects with the first query.
    #[must_use]
    pub fn new(url: PrometheusUrl, limits: AdminLimits) -> Self {
        let parts = (TcpConnector::default(), DefaultResolver::default());
        let agent = Agent::with_parts(settings(&limits), parts.0, parts.1);
        Self { url, limits, agent }
    }

    /// The URL of queries, for errors and warnings.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}/api/v1/query", self.url)
    }

    /// The present values of the series that a query selects.
    ///
    /// # Errors
    /// If the server does not answer in time, states an error, or sends another result than an instant vector.
    pub fn query(&self, query: &str) -> Result<PrometheusAnswer, Box<Diagnostic>> {
        let failed = |error| failed(error, &self.limits);
        let request = self.agent.get(self.name()).query("query", query);
        let mut response = request.call().map_err(failed)?;
        let status = response.status().as_u16();
        let body = read_body(&mut response, &self.limits).map_err(failed)?;
        answer::read(status, decode(&body)?)
    }
}

/// A failed request.
fn failed(error: Error, limits: &AdminLimits) -> Box<Diagnostic> {
    let incomplete = |error: &dyn std::fmt::Display| {
        let what = format!("response is incomplete or not HTTP/1.1: {error}");
        Diagnostic::error("prometheus/response", what)
    };
    Box::new(match error {
        Error::Timeout(_) => {
            let what = "Prometheus did not answer in time; use a cheaper query";
            let fault = Diagnostic::error("prometheus/timeout", what);
            fault.found(format!("no response in {:?}", limits.time))
        }
        Error::BodyExceedsLimit(bytes) => {
            let what = "response exceeds the size limit; use a query with one series for each zone";
            Diagnostic::error("input/too-large", what).found(format!("more than {bytes} bytes"))
        }
        Error::HostNotFound => Diagnostic::error("prometheus/unreachable", "unknown host"),
        Error::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => incomplete(&error),
        Error::Io(error) => no_connection(&error),
        Error::Protocol(error) => incomplete(&error),
        other => no_connection(&other),
    })
}

fn no_connection(error: &dyn std::fmt::Display) -> Diagnostic {
    Diagnostic::error("prometheus/unreachable", format!("cannot connect: {error}"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use spillgate_testkit::{CannedServer, canned_response};

    use super::*;

    fn client(url: &str, time: Duration) -> PrometheusClient {
        let limits = AdminLimits {
            time,
            bytes: 10_000,
        };
        PrometheusClient::new(url.parse().unwrap(), limits)
    }

    #[test]
    fn the_query_is_sent_encoded_below_the_path() {
        const BODY: &str = r#"{"status":"success","data":{"resultType":"vector","result":[]}}"#;
        let server = CannedServer::tcp(|_| canned_response("200 OK", "", BODY)).unwrap();
        let client = client(&format!("{}/p/", server.url), Duration::from_secs(10));
        assert!(
            client
                .query("count by (zone) (up{a=\"&b\"})")
                .unwrap()
                .samples
                .is_empty()
        );
        let sent = server.requests().concat();
        let query = sent.strip_prefix("GET /p/api/v1/query?query=").unwrap();
        assert!(!query.contains([' ', '&', '"', '{']), "{query}");
        assert!(query.contains("%26b"), "{query}");
    }

    #[test]
    fn failures_of_the_connection_are_errors() {
        let silent = CannedServer::tcp(|_| {
            std::thread::park();
            Vec::new()
        });
        let large = CannedServer::tcp(|_| canned_response("200 OK", "", &"x".repeat(20_000)));
        let cut = CannedServer::tcp(|_| b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{".to_vec());
        let denied = CannedServer::tcp(|_| canned_response("401 Unauthorized", "", "login"));
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let closed = format!("http://{}", port.local_addr().unwrap());
        drop(port);
        for (url, milliseconds, code) in [
            (silent.unwrap().url, 200, "prometheus/timeout"),
            (large.unwrap().url, 10_000, "input/too-large"),
            (cut.unwrap().url, 10_000, "prometheus/response"),
            (denied.unwrap().url, 10_000, "prometheus/status"),
            (closed, 10_000, "prometheus/unreachable"),
        ] {
            let client = client(&url, Duration::from_millis(milliseconds));
            let fault = client.query("up").unwrap_err();
            assert_eq!(fault.code, code, "{fault}");
        }
    }
}
