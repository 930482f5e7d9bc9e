//! The address of a Prometheus server.

use std::{fmt, str::FromStr};

use spillgate_config::{Diagnostic, node::quote};

use crate::url::{http_uri, without_secrets};

/// The URL of a Prometheus server: `http://HOST:PORT`, also with the path in front of `/api/v1`.
///
/// It contains no credentials, so that it can be printed.
///
/// # Examples
/// ```
/// use spillgate_admin::PrometheusUrl;
///
/// let url: PrometheusUrl = "http://127.0.0.1:9090/prometheus/".parse()?;
/// assert_eq!(url.to_string(), "http://127.0.0.1:9090/prometheus");
/// assert_eq!("https://metrics".parse::<PrometheusUrl>().unwrap_err().code, "prometheus/url");
/// # Ok::<(), Box<spillgate_config::Diagnostic>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrometheusUrl {
    text: String,
}

impl FromStr for PrometheusUrl {
    type Err = Box<Diagnostic>;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fault = |what: &str| {
            let fault = Diagnostic::error("prometheus/url", what).expected("http://HOST:PORT");
            Box::new(match without_secrets(text) {
                Some(shown) => fault.found(quote(shown)),
                None => fault,
            })
        };
        let (uri, authority) = http_uri(text).map_err(fault)?;
        if uri.query().is_some() {
            return Err(fault("query is not supported; use --query"));
        }
        let prefix = uri.path().trim_end_matches('/');
        Ok(Self {
            text: format!("http://{authority}{prefix}"),
        })
    }
}

impl fmt::Display for PrometheusUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_have_one_spelling() {
        for (text, printed) in [
            ("127.0.0.1:9090", "http://127.0.0.1:9090"),
            ("http://prometheus/", "http://prometheus"),
            ("http://[::1]:9090/a/b/", "http://[::1]:9090/a/b"),
        ] {
            assert_eq!(text.parse::<PrometheusUrl>().unwrap().to_string(), printed);
        }
    }

    #[test]
    fn other_urls_are_refused_without_their_secrets() {
        for (text, reason) in [
            ("https://prometheus:9090", "TLS is not supported"),
            ("ftp://prometheus:9090", "unknown scheme"),
            ("http://p:9090/api/v1/query?query=up", "use --query"),
            ("http://me:secret@p:9090", "user and password"),
            ("me:secret@p:9090/ x", "user and password"),
            ("http://me%3Asecret%40p", "user and password"),
            ("http://p:9090/?token=secret", "use --query"),
            ("https://p:9090/?token=secret", "TLS is not supported"),
            ("http://a b:1", "invalid URL"),
        ] {
            let fault = text.parse::<PrometheusUrl>().unwrap_err();
            assert!(fault.message.contains(reason), "{text}: {fault}");
            assert!(!fault.to_string().contains("secret"), "{fault}");
        }
    }
}
