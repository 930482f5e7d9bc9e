//! The Envoys that an argument or a line of a file names.

use std::net::SocketAddr;

use spillgate_admin::AdminUrl;
use spillgate_config::{Diagnostic, node::quote};

/// The forms of a target, for errors.
pub(crate) const FORMS: &str = "[NAME=]http://HOST:PORT, unix:PATH or dns:HOST:PORT";

/// One or more Envoys, as written: `[NAME=]URL`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetSpec {
    /// Where it is written, such as `targets.txt:3`. Messages use it instead of the address.
    pub place: String,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its address.
    pub address: TargetAddress,
}

/// Where admin interfaces listen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TargetAddress {
    /// One interface.
    Url(AdminUrl),
    /// All addresses of a name: `HOST:PORT`.
    Dns(String),
}

/// One Envoy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvoyTarget {
    /// The label of its metrics: its name, or else its address.
    pub label: String,
    /// Its admin interface.
    pub url: AdminUrl,
    /// Where it is written.
    pub place: String,
}

impl TargetSpec {
    /// Reads `[NAME=]URL`. A name has letters, digits, `.`, `_` and `-`.
    ///
    /// # Errors
    /// An invalid URL.
    pub(crate) fn new(place: String, text: &str) -> Result<Self, Box<Diagnostic>> {
        let is_name = |text: &str| {
            let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
            !text.is_empty() && text.bytes().all(is_part)
        };
        let parts = text.split_once('=').filter(|(name, _)| is_name(name));
        let (name, url) = parts.map_or((None, text), |(name, url)| (Some(name.to_owned()), url));
        let address = match url.strip_prefix("dns:") {
            None => TargetAddress::Url(
                url.parse()
                    .map_err(|fault: Box<Diagnostic>| Box::new(fault.expected(FORMS)))?,
            ),
            Some(host) => {
                let named = host.rsplit_once(':').filter(|(host, port)| {
                    !host.is_empty() && port.parse().is_ok_and(|port: u16| port > 0)
                });
                // The same rules as for other hosts, without a path and without a user.
                if named.is_none() || host.parse::<AdminUrl>().is_err() {
                    let fault = Diagnostic::error("exporter/target", "invalid name of hosts");
                    // A user can have a password.
                    let fault = if host.contains(['@', '%']) {
                        fault
                    } else {
                        fault.found(quote(host))
                    };
                    return Err(Box::new(fault.expected(FORMS)));
                }
                TargetAddress::Dns(host.to_owned())
            }
        };
        Ok(Self {
            place,
            name,
            address,
        })
    }

    /// Its Envoys: one for a URL, and one for each address of a name.
    #[must_use]
    pub fn targets(&self, addresses: &[SocketAddr]) -> Vec<EnvoyTarget> {
        let target = |label: String, url: AdminUrl| EnvoyTarget {
            label,
            url,
            place: self.place.clone(),
        };
        match &self.address {
            TargetAddress::Url(url) => vec![target(self.label(), url.clone())],
            TargetAddress::Dns(_) => {
                let of = |address: &SocketAddr| {
                    let label = match &self.name {
                        Some(name) => format!("{name}/{address}"),
                        None => address.to_string(),
                    };
                    Some(target(label, format!("http://{address}").parse().ok()?))
                };
                addresses.iter().filter_map(of).collect()
            }
        }
    }

    /// The name, or else the address without `http://`.
    pub(crate) fn label(&self) -> String {
        self.name.clone().unwrap_or_else(|| match &self.address {
            TargetAddress::Url(url) => {
                let url = url.to_string();
                url.strip_prefix("http://")
                    .map_or(url.clone(), str::to_owned)
            }
            TargetAddress::Dns(host) => host.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> Result<TargetSpec, Box<Diagnostic>> {
        TargetSpec::new("here".into(), text)
    }

    #[test]
    fn a_target_is_named_by_its_name_or_its_address() {
        for (text, label) in [
            ("http://10.0.0.1:9901", "10.0.0.1:9901"),
            ("10.0.0.1:9901", "10.0.0.1:9901"),
            ("edge-1=http://10.0.0.1:9901/", "edge-1"),
            ("unix:/run/a=b.sock", "unix:/run/a=b.sock"),
        ] {
            let targets = spec(text).unwrap().targets(&[]);
            assert_eq!(targets.len(), 1, "{text}");
            assert_eq!(targets[0].label, label);
        }
    }

    #[test]
    fn a_name_of_hosts_has_a_target_for_each_address() {
        let addresses = ["10.0.0.1:9901", "[::1]:9901"].map(|text| text.parse().unwrap());
        let labels = |text: &str| {
            let targets = spec(text).unwrap().targets(&addresses).into_iter();
            targets.map(|target| target.label).collect::<Vec<_>>()
        };
        assert_eq!(
            labels("dns:envoys.example:9901"),
            ["10.0.0.1:9901", "[::1]:9901"]
        );
        assert_eq!(
            labels("edge=dns:envoys:9901"),
            ["edge/10.0.0.1:9901", "edge/[::1]:9901"]
        );
    }

    #[test]
    fn other_texts_are_faults() {
        for text in [
            "",
            "=",
            "a b=http://x:1",
            "http://x",
            "dns:x",
            "dns::1",
            "dns:x:0",
            "dns:x:1/y",
            "https://x:1",
        ] {
            assert!(spec(text).is_err(), "{text}");
        }
        for text in [
            "http://me:secret@x:1",
            "dns:me:secret@x:1",
            "dns:me:secret@",
        ] {
            let fault = spec(text).unwrap_err();
            assert!(!format!("{fault:?}").contains("secret"), "{text}");
        }
    }
}
