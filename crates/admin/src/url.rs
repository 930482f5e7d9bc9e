//! The address of an admin interface.

use std::{fmt, path::PathBuf, str::FromStr};

use spillgate_config::{Diagnostic, node::quote};
use ureq::http::{Uri, uri::Authority};

/// Where the admin interface listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdminAddress {
    /// A host and a port, such as `127.0.0.1:9901`.
    Tcp(String),
    /// The path of a Unix socket.
    Unix(PathBuf),
}

/// The URL of an admin interface: `http://HOST:PORT`, `HOST:PORT`, `unix:PATH` or `unix:///PATH`.
///
/// It contains no credentials and no path, so that it can be printed.
///
/// # Examples
/// ```
/// use spillgate_admin::{AdminAddress, AdminUrl};
///
/// let url: AdminUrl = "unix:///run/envoy/admin.sock".parse()?;
/// assert_eq!(url.address(), &AdminAddress::Unix("/run/envoy/admin.sock".into()));
/// assert_eq!("http://127.0.0.1:9901/".parse::<AdminUrl>()?.to_string(), "http://127.0.0.1:9901");
/// let fault = "https://127.0.0.1:9901".parse::<AdminUrl>().unwrap_err();
/// assert_eq!(fault.code, "admin/url");
/// # Ok::<(), Box<spillgate_config::Diagnostic>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdminUrl {
    address: AdminAddress,
}

const FORMS: &str = "http://HOST:PORT or unix:PATH";

impl AdminUrl {
    /// The address.
    #[must_use]
    pub const fn address(&self) -> &AdminAddress {
        &self.address
    }
}

impl FromStr for AdminUrl {
    type Err = Box<Diagnostic>;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fault = |what: &str| {
            let fault = Diagnostic::error("admin/url", what).expected(FORMS);
            Box::new(match without_secrets(text) {
                Some(shown) => fault.found(quote(shown)),
                None => fault,
            })
        };
        if let Some(path) = text.strip_prefix("unix:") {
            // `unix:///run/x` has an empty host before the path.
            let path = match path.strip_prefix("//") {
                Some(path) if !path.starts_with('/') => {
                    return Err(fault("a Unix socket has no host; use unix:///PATH"));
                }
                Some(path) => path,
                None => path,
            };
            if path.is_empty() {
                return Err(fault("path of the Unix socket is missing"));
            }
            if cfg!(not(unix)) {
                return Err(fault("Unix sockets are not supported on this system"));
            }
            let address = AdminAddress::Unix(path.into());
            return Ok(Self { address });
        }
        let (uri, authority) = http_uri(text).map_err(fault)?;
        if authority.port_u16().is_none_or(|port| port == 0) {
            return Err(fault("port is missing"));
        }
        if uri.query().is_some() || !matches!(uri.path(), "" | "/") {
            return Err(fault(
                "path is not supported; the command chooses the paths",
            ));
        }
        let address = AdminAddress::Tcp(authority.to_string());
        Ok(Self { address })
    }
}

/// What a message may repeat of a URL: its part before a query, which can contain a token; nothing if it can contain a
/// password.
pub(crate) fn without_secrets(url: &str) -> Option<&str> {
    if has_user(url) {
        return None;
    }
    url.split(['?', '#']).next()
}

/// Whether a URL can contain a user and a password, also with an encoded `@`.
fn has_user(url: &str) -> bool {
    url.contains('@') || url.contains("%40")
}

/// The parts of an http URL without user and password, or the problem with it.
pub(crate) fn http_uri(text: &str) -> Result<(Uri, Authority), &'static str> {
    if has_user(text) {
        return Err("user and password are not supported");
    }
    let uri = if text.contains("://") {
        text.parse::<Uri>()
    } else {
        format!("http://{text}").parse()
    };
    let uri = uri.map_err(|_| "invalid URL")?;
    match uri.scheme_str() {
        Some("http") => {}
        Some("https") => {
            return Err(
                "TLS is not supported; use `kubectl port-forward` or `ssh -L` and the local http URL",
            );
        }
        _ => return Err("unknown scheme"),
    }
    let authority = uri.authority().cloned().ok_or("host is missing")?;
    Ok((uri, authority))
}

impl fmt::Display for AdminUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.address {
            AdminAddress::Tcp(authority) => write!(f, "http://{authority}"),
            AdminAddress::Unix(path) => write!(f, "unix:{}", path.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_have_one_spelling() {
        for (text, printed) in [
            ("http://localhost:15000", "http://localhost:15000"),
            ("http://[::1]:9901/", "http://[::1]:9901"),
            ("localhost:9901", "http://localhost:9901"),
            ("127.0.0.1:9901/", "http://127.0.0.1:9901"),
            ("unix:admin.sock", "unix:admin.sock"),
            ("unix:/run/a", "unix:/run/a"),
            ("unix:///run/a", "unix:/run/a"),
        ] {
            assert_eq!(text.parse::<AdminUrl>().unwrap().to_string(), printed);
        }
    }

    #[test]
    fn other_urls_are_refused_with_the_reason() {
        for (text, reason) in [
            ("https://127.0.0.1:9901", "TLS is not supported"),
            ("localhost", "port is missing"),
            ("localhost:9901/stats", "path is not supported"),
            ("ftp://127.0.0.1:9901", "unknown scheme"),
            ("http://127.0.0.1", "port is missing"),
            ("http://127.0.0.1:0", "port is missing"),
            ("http://127.0.0.1:99999", "port is missing"),
            (
                "http://127.0.0.1:9901/quitquitquit",
                "path is not supported",
            ),
            ("http://127.0.0.1:9901?x", "path is not supported"),
            ("unix:", "path of the Unix socket is missing"),
            ("unix://host/a", "a Unix socket has no host"),
            ("http://a b:1", "invalid URL"),
        ] {
            let fault = text.parse::<AdminUrl>().unwrap_err();
            assert!(fault.message.contains(reason), "{text}: {fault}");
        }
    }

    #[test]
    fn the_error_does_not_repeat_a_password_or_a_query() {
        for text in [
            "http://me:secret@127.0.0.1:9901",
            "https://me:secret@127.0.0.1:9901",
            "me:secret@127.0.0.1:9901",
            "http://me:secret@127.0.0.1:9901/ x",
            "http://me%3Asecret%40127.0.0.1:9901",
            "http://127.0.0.1/?token=secret",
            "http://127.0.0.1:9901?token=secret",
            "https://127.0.0.1:9901/x?token=secret",
        ] {
            let fault = text.parse::<AdminUrl>().unwrap_err();
            assert!(!fault.to_string().contains("secret"), "{fault}");
        }
    }
}
