//! Header values with commands (`%REQ(x-user)%`), Envoy's substitution format.

use alloc::{string::String, vec::Vec};
use core::net::SocketAddr;

use super::{Connection, Headers};

/// A value that is made for each request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeaderFormat(pub Vec<FormatPart>);

/// A part of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FormatPart {
    /// A fixed text.
    Text(String),
    /// The first value of a request header (`%REQ(name?otherwise):limit%`).
    Header {
        /// The lower-case name.
        name: String,
        /// The header that is used without the first one.
        otherwise: Option<String>,
        /// The maximum length in bytes.
        limit: Option<usize>,
    },
    /// An address of the connection.
    Address(FormatAddress, AddressPart),
    /// The name of the route (`%ROUTE_NAME%`).
    RouteName,
    /// A command that the engine does not model, as it is written.
    Unmodeled(String),
}

/// Which address a command writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormatAddress {
    /// The client, also from a header (`DOWNSTREAM_REMOTE_ADDRESS`).
    Remote,
    /// The client's end of the connection (`DOWNSTREAM_DIRECT_REMOTE_ADDRESS`).
    DirectRemote,
    /// The proxy's end of the connection (`DOWNSTREAM_LOCAL_ADDRESS`).
    Local,
}

/// Which part of an address a command writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressPart {
    /// Address and port.
    Whole,
    /// The address (`_WITHOUT_PORT`).
    WithoutPort,
    /// The port.
    Port,
}

/// The text of a missing value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MissingValue {
    /// Nothing.
    Omitted,
    /// `-`.
    Dash,
}

/// What a value depends on.
pub(super) struct FormatInput<'a, H> {
    pub(super) headers: &'a H,
    pub(super) connection: &'a Connection<'a>,
    pub(super) route_name: &'a str,
}

impl HeaderFormat {
    /// A fixed text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self(Vec::from([FormatPart::Text(text.into())]))
    }

    /// Whether it is a text that no request changes.
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        !self.0.is_empty()
            && self
                .0
                .iter()
                .all(|part| matches!(part, FormatPart::Text(_)))
    }

    /// Whether the value can contain the name of the route.
    #[must_use]
    pub fn reads_route_name(&self) -> bool {
        let reads =
            |part: &FormatPart| matches!(part, FormatPart::RouteName | FormatPart::Unmodeled(_));
        self.0.iter().any(reads)
    }

    /// The first command that the engine does not model.
    #[must_use]
    pub fn unmodeled(&self) -> Option<&str> {
        self.0.iter().find_map(|part| match part {
            FormatPart::Unmodeled(command) => Some(command.as_str()),
            _ => None,
        })
    }

    /// The value for a request; `None` if a command is not modeled.
    pub(super) fn value<H: Headers>(
        &self,
        input: &FormatInput<'_, H>,
        missing: MissingValue,
    ) -> Option<Vec<u8>> {
        let mut value = Vec::new();
        for part in &self.0 {
            let before = value.len();
            part.write(input, &mut value)?;
            if missing == MissingValue::Dash && value.len() == before {
                value.push(b'-');
            }
        }
        Some(value)
    }
}

impl FormatPart {
    fn write<H: Headers>(&self, input: &FormatInput<'_, H>, to: &mut Vec<u8>) -> Option<()> {
        match self {
            Self::Text(text) => to.extend_from_slice(text.as_bytes()),
            Self::Header {
                name,
                otherwise,
                limit,
            } => {
                let second = || input.headers.first(otherwise.as_deref()?);
                let found = input
                    .headers
                    .first(name)
                    .or_else(second)
                    .unwrap_or_default();
                let end = limit.unwrap_or(found.len()).min(found.len());
                to.extend_from_slice(found.get(..end)?);
            }
            Self::Address(of, part) => to.extend_from_slice(of.text(*part, input).as_bytes()),
            Self::RouteName => to.extend_from_slice(input.route_name.as_bytes()),
            Self::Unmodeled(_) => return None,
        }
        Some(())
    }
}

impl FormatAddress {
    fn text<H>(self, part: AddressPart, input: &FormatInput<'_, H>) -> String {
        let connection = input.connection;
        let of = |text: &str| text.parse::<SocketAddr>().ok();
        let address = match (self, connection.client) {
            // A client from a header has no port.
            (Self::Remote, Some(client)) => Some(SocketAddr::new(client, 0)),
            (Self::Remote | Self::DirectRemote, _) => of(connection.remote),
            (Self::Local, _) => of(connection.local),
        };
        let Some(address) = address else {
            return String::new();
        };
        match part {
            AddressPart::Whole => alloc::format!("{address}"),
            AddressPart::WithoutPort => alloc::format!("{}", address.ip()),
            AddressPart::Port => alloc::format!("{}", address.port()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::HeaderList;
    use super::*;

    fn header(name: &str, otherwise: Option<&str>, limit: Option<usize>) -> FormatPart {
        FormatPart::Header {
            name: name.into(),
            otherwise: otherwise.map(String::from),
            limit,
        }
    }

    fn written(parts: &[FormatPart], missing: MissingValue) -> Option<String> {
        let input = FormatInput {
            headers: &HeaderList(&[("x-a", "12345"), ("x-a", "2")]),
            connection: &Connection {
                remote: "127.0.0.1:40000",
                local: "127.9.23.2:80",
                client: "::1".parse().ok(),
                filter_state: &[],
                ..Connection::default()
            },
            route_name: "r",
        };
        let value = HeaderFormat(parts.to_vec()).value(&input, missing)?;
        Some(String::from_utf8(value).unwrap())
    }

    #[test]
    fn only_a_text_without_commands_is_fixed() {
        let text = || FormatPart::Text("a".into());
        let fixed = |parts: &[FormatPart]| HeaderFormat(parts.to_vec()).is_fixed();
        assert!(fixed(&[text()]) && fixed(&[text(), text()]));
        assert!(!fixed(&[FormatPart::RouteName]));
        assert!(!fixed(&[text(), FormatPart::RouteName]));
        assert!(!fixed(&[]), "a header without a value");
    }

    /// Values that Envoy 1.40 wrote.
    #[test]
    fn values_are_those_of_envoy() {
        let text = |text: &str| FormatPart::Text(text.into());
        let of = |parts: &[FormatPart]| written(parts, MissingValue::Omitted).unwrap();
        assert_eq!(of(&[header("x-no", Some("x-a"), Some(2))]), "12");
        assert_eq!(
            of(&[text("p"), header("x-no", None, None), text("q")]),
            "pq"
        );
        let remote = |part| FormatPart::Address(FormatAddress::Remote, part);
        assert_eq!(of(&[remote(AddressPart::Whole)]), "[::1]:0");
        assert_eq!(of(&[remote(AddressPart::WithoutPort)]), "::1");
        let direct = FormatAddress::DirectRemote;
        let port = FormatPart::Address(direct, AddressPart::Port);
        assert_eq!(of(&[port]), "40000");
        let local = FormatPart::Address(FormatAddress::Local, AddressPart::WithoutPort);
        assert_eq!(of(&[local, FormatPart::RouteName]), "127.9.23.2r");
        let dash = written(&[header("x-no", None, None)], MissingValue::Dash);
        assert_eq!(dash.as_deref(), Some("-"));
        let unmodeled = FormatPart::Unmodeled("%START_TIME%".into());
        assert_eq!(written(&[text("a"), unmodeled], MissingValue::Dash), None);
    }
}
