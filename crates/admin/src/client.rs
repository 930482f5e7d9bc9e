//! Requests to one admin interface.

use spillgate_config::{Diagnostic, NamedText, node::decode};
use ureq::{
    Agent, Body, Error,
    config::{Config, RedirectAuthHeaders},
    http::{Response, header::LOCATION},
    unversioned::{resolver::DefaultResolver, transport::TcpConnector},
};

use crate::{AdminAddress, AdminLimits, AdminPath, AdminUrl, fault};

/// The settings of all requests: they go to the named address and nowhere else.
pub(crate) fn settings(limits: &AdminLimits) -> Config {
    Config::builder()
        .proxy(None)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .redirect_auth_headers(RedirectAuthHeaders::Never)
        .http_status_as_error(false)
        .timeout_global(Some(limits.time))
        .timeout_connect(Some(limits.connect()))
        .user_agent(concat!("spillgate/", env!("CARGO_PKG_VERSION")))
        .build()
}

/// The body of a response, up to the limit.
pub(crate) fn read_body(
    response: &mut Response<Body>,
    limits: &AdminLimits,
) -> Result<Vec<u8>, Error> {
    let body = response.body_mut().with_config();
    body.limit(limits.bytes as u64).read_to_vec()
}

/// A client of one admin interface. It keeps its connection between requests.
#[derive(Debug)]
pub struct AdminClient {
    url: AdminUrl,
    limits: AdminLimits,
    agent: Agent,
}

impl AdminClient {
    /// A client. It connects with the first request.
    #[must_use]
    pub fn new(url: AdminUrl, limits: AdminLimits) -> Self {
        let config = settings(&limits);
        let resolver = DefaultResolver::default();
        let agent = match url.address() {
            AdminAddress::Tcp(_) => Agent::with_parts(config, TcpConnector::default(), resolver),
            #[cfg(unix)]
            AdminAddress::Unix(path) => {
                let connector = crate::unix::UnixConnector::new(path);
                Agent::with_parts(config, connector, resolver)
            }
            // `AdminUrl` refuses this address on other systems.
            #[cfg(not(unix))]
            AdminAddress::Unix(_) => Agent::with_parts(config, TcpConnector::default(), resolver),
        };
        Self { url, limits, agent }
    }

    /// The interface.
    #[must_use]
    pub const fn url(&self) -> &AdminUrl {
        &self.url
    }

    /// The full URL of a path, for errors and warnings.
    #[must_use]
    pub fn name_of(&self, path: AdminPath) -> String {
        format!("{}{}", self.url, path.text())
    }

    /// Sends a GET request and returns the response.
    ///
    /// # Errors
    /// If Envoy does not answer in time, answers with another status than 200, or sends a response that is too
    /// large, incomplete, not UTF-8 or not from the admin interface.
    pub fn get(&self, path: AdminPath) -> Result<NamedText, Box<Diagnostic>> {
        let failed = |error| fault::failed(error, &self.limits);
        let authority = match self.url.address() {
            AdminAddress::Tcp(authority) => authority,
            // The connector ignores the address. A literal one needs no name resolution.
            AdminAddress::Unix(_) => "127.0.0.1:80",
        };
        let url = format!("http://{authority}{}", path.text());
        let mut response = self.agent.get(url).call().map_err(failed)?;
        if response.status() != 200 {
            let location = response
                .headers()
                .get(LOCATION)
                .and_then(|value| value.to_str().ok());
            return Err(fault::refused(response.status(), location));
        }
        let body = read_body(&mut response, &self.limits).map_err(failed)?;
        let text = decode(&body)?;
        if !path.fits(text) {
            return Err(fault::foreign(path, text));
        }
        Ok(NamedText {
            name: self.name_of(path),
            text: text.into(),
        })
    }
}
