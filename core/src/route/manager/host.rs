//! The host of a request without its port or its last dot.

use core::net::SocketAddr;

use super::{ChangedHeaders, ConnectionManager, Headers};

/// Which port of the host is removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PortStripping {
    /// No port.
    #[default]
    Never,
    /// The port of the listener (`strip_matching_host_port`).
    Matching,
    /// Any port (`strip_any_host_port`).
    Any,
}

impl ConnectionManager {
    /// Changes the host of a request to `local`.
    pub(super) fn change_host<H: Headers>(&self, headers: &mut ChangedHeaders<'_, H>, local: &str) {
        let Some(host) = headers.first(":authority") else {
            return;
        };
        let (name, port) = split(host);
        let number = port.and_then(|port| core::str::from_utf8(port).ok()?.parse::<u32>().ok());
        let of_listener = || {
            local
                .parse::<SocketAddr>()
                .ok()
                .map(|local| u32::from(local.port()))
        };
        let port = port.filter(|_| match self.strip_port {
            PortStripping::Never => true,
            PortStripping::Matching => number.is_none() || number != of_listener(),
            PortStripping::Any => number.is_none(),
        });
        let name = if self.strip_trailing_host_dot {
            name.strip_suffix(b".").unwrap_or(name)
        } else {
            name
        };
        let mut new = name.to_vec();
        if let Some(port) = port {
            new.push(b':');
            new.extend_from_slice(port);
        }
        if new != host {
            headers.set(":authority", new);
        }
    }
}

/// The name and the port of a host. An IPv6 address is in brackets.
fn split(host: &[u8]) -> (&[u8], Option<&[u8]>) {
    let end_of_address = host.iter().rposition(|&byte| byte == b']').unwrap_or(0);
    match host.iter().rposition(|&byte| byte == b':') {
        Some(at) if at >= end_of_address => {
            let port = host.get(at.saturating_add(1)..).unwrap_or_default();
            (host.get(..at).unwrap_or_default(), Some(port))
        }
        _ => (host, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::HeaderList;

    /// Hosts that Envoy 1.40 forwarded from port 10000.
    #[test]
    fn ports_and_dots_are_stripped() {
        use PortStripping::*;
        for (strip_port, strip_trailing_host_dot, sent, expected) in [
            (Never, false, "a.example:80", "a.example:80"),
            (Matching, false, "a.example:10000", "a.example"),
            (Matching, false, "a.example:80", "a.example:80"),
            (Matching, true, "a.example.:10000", "a.example"),
            (Matching, true, "a.example.:80", "a.example:80"),
            (Any, false, "a.example:443", "a.example"),
            (Any, false, "a.example.:80", "a.example."),
            (Any, true, "a.example.:80", "a.example"),
            (Any, false, "[::1]:80", "[::1]"),
            (Any, false, "a.example:99999", "a.example"),
            (Any, false, "a.example:+80", "a.example"),
            (Any, false, "a.example:4294967376", "a.example:4294967376"),
            (Any, false, "a.example:80:80", "a.example:80"),
            (Any, false, "a.example:", "a.example:"),
            (Any, false, "[::1]", "[::1]"),
            (Never, true, "a.example.", "a.example"),
            (Never, true, "a.example.:80", "a.example:80"),
        ] {
            let manager = ConnectionManager {
                strip_port,
                strip_trailing_host_dot,
                ..ConnectionManager::default()
            };
            let sent = [(":authority", sent)];
            let sent = HeaderList(&sent);
            let mut headers = ChangedHeaders::new(&sent);
            manager.change_host(&mut headers, "127.0.0.1:10000");
            let found = headers.first(":authority").unwrap();
            assert_eq!(found, expected.as_bytes(), "{manager:?}");
        }
    }
}
