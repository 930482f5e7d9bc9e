//! Rows of a request list: one JSON object a line.

use std::net::SocketAddr;

use serde_json::{Number, Value as Json};
use spillgate_config::{
    Diagnostic, Position, nearest,
    node::{Entry, Node, NodeValue, read_json},
};

/// A request as routes and hash policies see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PickRequest {
    /// Names in lower case, `:method`, `:authority` and `:path` before the others.
    pub headers: Vec<(String, String)>,
    /// The client's end of the connection, `ip:port`.
    pub source: String,
    /// The proxy's end of the connection, `ip:port`.
    pub local: String,
    /// Which try this is, 0 for the first, 1000 at most.
    pub attempt: u32,
    /// The hosts that earlier tries went to, `ip:port`, in their order.
    pub tried: Vec<String>,
    /// How many requests hosts are busy with; none for those that are not named.
    pub active: Vec<(String, u32)>,
}

/// A row of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestRow {
    /// The row's own number or name, as it stands there.
    pub i: Json,
    /// The request.
    pub request: PickRequest,
    /// How many equal requests the row stands for; 1 but in recorded scenarios.
    pub count: u64,
    /// The client that sends it, which keeps the cookies and session headers of earlier answers.
    pub session: Option<String>,
}

/// Faults beyond this many are only counted: a file of nonsense must not become a far larger report.
const MAXIMUM_FAULTS: usize = 1000;

/// No request is tried more often; what earlier tries did is gone through one by one.
pub(crate) const MAXIMUM_ATTEMPT: u32 = 1000;

/// The client's end of the connection, where nothing else is said.
pub(crate) const SOURCE: &str = "127.0.0.1:40000";
/// The proxy's end of the connection, where nothing else is said.
pub(crate) const LOCAL: &str = "127.0.0.1:10000";

const FIELDS: [&str; 12] = [
    "i", "path", "headers", "method", "host", "source", "local", "session", "attempt", "tried",
    "active", "count",
];

/// Reads all rows; empty lines are passed over. `host` stands for a missing `host`, and `counts`
/// says whether rows may have a `count`.
///
/// # Errors
/// Every fault of every row; those of further rows are counted once there are a thousand.
pub fn read_requests(
    text: &str,
    host: &str,
    counts: bool,
) -> Result<Vec<RequestRow>, Vec<Diagnostic>> {
    let mut rows = Vec::new();
    let mut faults = Vec::new();
    let mut hidden = 0_usize;
    for (line, text) in (1..).zip(text.lines()) {
        if text.trim().is_empty() {
            continue;
        }
        let mut reader = RowReader {
            host,
            counts,
            faults: Vec::new(),
        };
        match read_json(text) {
            Ok(document) => {
                for fault in &document.repeated {
                    reader.faults.push(fault.clone());
                }
                rows.extend(document.roots.first().and_then(|node| reader.row(node)));
            }
            Err(fault) => reader.faults.push(fault),
        }
        // A row is read as a text of its own, so its faults are all in line 1.
        reader.faults.sort_by_key(|fault| fault.position);
        if faults.len() >= MAXIMUM_FAULTS {
            hidden += reader.faults.len();
            continue;
        }
        faults.extend(reader.faults.into_iter().map(|mut fault| {
            fault.position = fault.position.map(|at| Position { line, ..at });
            fault
        }));
    }
    if hidden > 0 {
        let more = format!("{hidden} further faults are not listed");
        faults.push(Diagnostic::error("request/more", more));
    }
    if faults.is_empty() {
        Ok(rows)
    } else {
        Err(faults)
    }
}

struct RowReader<'h> {
    host: &'h str,
    counts: bool,
    faults: Vec<Diagnostic>,
}

impl RowReader<'_> {
    fn row(&mut self, node: &Node<'_>) -> Option<RequestRow> {
        let NodeValue::Map(entries) = &node.value else {
            self.wrong(
                "",
                node,
                "a row is an object",
                "{\"i\": 0, \"path\": \"/\"}",
            );
            return None;
        };
        for entry in entries {
            self.check_name(entry);
        }
        let i = node.get("i").and_then(|node| self.number_or_name(node));
        let path = node.get("path").and_then(|node| self.text("path", node));
        for (name, have) in [("i", node.get("i")), ("path", node.get("path"))] {
            if have.is_none() {
                self.fault(
                    Diagnostic::error("request/missing", format!("the row has no \"{name}\""))
                        .at("", node.position),
                );
            }
        }
        let method = self.text_or(node, "method", "GET");
        let host = self.text_or(node, "host", self.host);
        let source = self.address_or(node, "source", SOURCE);
        let local = self.address_or(node, "local", LOCAL);
        let mut headers = vec![
            (":method".into(), method),
            (":authority".into(), host),
            (":path".into(), path.unwrap_or_default()),
        ];
        if let Some(node) = node.get("headers") {
            self.headers(node, &mut headers);
        }
        let session = node.get("session").filter(|n| n.value != NodeValue::Null);
        let client = session.and_then(|node| self.text("session", node));
        let tried = node.get("tried").map(|node| self.tried(node));
        let active = node.get("active").map(|node| self.active(node));
        let attempt = node.get("attempt");
        let attempt = attempt.map(|node| self.whole("attempt", node, MAXIMUM_ATTEMPT));
        let count = node.get("count");
        let count = count.map(|node| self.whole("count", node, u32::MAX));
        if let (Some(session), Some(Some(2..))) = (session, count) {
            // What comes back with the first answer decides about the second request.
            let what = "a row of a session is one request";
            self.wrong("session", session, what, "no \"count\" beside it");
        }
        Some(RequestRow {
            i: i?,
            request: PickRequest {
                headers,
                source,
                local,
                attempt: attempt.unwrap_or(Some(0))?,
                tried: tried.unwrap_or_default(),
                active: active.unwrap_or_default(),
            },
            count: count.unwrap_or(Some(1))?.into(),
            session: client,
        })
    }

    fn check_name(&mut self, entry: &Entry<'_>) {
        let name = &*entry.key.name;
        let known = FIELDS.contains(&name) && (name != "count" || self.counts);
        if !known {
            let fields = FIELDS.iter().copied().filter(|field| *field != "count");
            self.fault(
                Diagnostic::error("request/unknown-field", "a row has no such field")
                    .at("", entry.key.position)
                    .found(format!("{name:?}"))
                    .suggest(nearest(name, fields)),
            );
        }
    }

    fn number_or_name(&mut self, node: &Node<'_>) -> Option<Json> {
        match &node.value {
            NodeValue::Int(i) => Some(Json::Number((*i).into())),
            NodeValue::Uint(i) => Some(Json::Number((*i).into())),
            NodeValue::String(i) => Some(Json::String(i.to_string())),
            NodeValue::Decimal(text) => {
                let number = text.parse().ok().and_then(Number::from_f64);
                number.map(Json::Number)
            }
            _ => {
                self.wrong("i", node, "not a row's number", "a number or a text");
                None
            }
        }
    }

    fn text(&mut self, name: &str, node: &Node<'_>) -> Option<String> {
        match &node.value {
            NodeValue::String(text) => Some(text.to_string()),
            _ => {
                self.wrong(name, node, "not a text", "a text");
                None
            }
        }
    }

    fn text_or(&mut self, row: &Node<'_>, name: &str, default: &str) -> String {
        row.get(name)
            .and_then(|node| self.text(name, node))
            .unwrap_or_else(|| default.into())
    }

    fn whole(&mut self, name: &str, node: &Node<'_>, maximum: u32) -> Option<u32> {
        let number = match node.value {
            NodeValue::Int(number) => u32::try_from(number).ok(),
            _ => None,
        };
        let number = number.filter(|number| *number <= maximum);
        if number.is_none() {
            let expected = format!("a whole number from 0 to {maximum}");
            self.wrong(name, node, "not a count", &expected);
        }
        number
    }

    /// An address in the spelling that Envoy prints.
    fn address(&mut self, name: &str, node: &Node<'_>) -> Option<String> {
        let text = self.text(name, node)?;
        match text.parse::<SocketAddr>() {
            Ok(address) => Some(address.to_string()),
            Err(_) => {
                self.wrong(name, node, "not an address", "\"ip:port\"");
                None
            }
        }
    }

    fn address_or(&mut self, row: &Node<'_>, name: &str, default: &str) -> String {
        row.get(name)
            .and_then(|node| self.address(name, node))
            .unwrap_or_else(|| default.into())
    }

    fn tried(&mut self, node: &Node<'_>) -> Vec<String> {
        match &node.value {
            NodeValue::Null => Vec::new(),
            NodeValue::List(hosts) => {
                let hosts = hosts.iter();
                hosts
                    .filter_map(|host| self.address("tried", host))
                    .collect()
            }
            _ => {
                self.wrong("tried", node, "not a list of hosts", "[\"ip:port\"]");
                Vec::new()
            }
        }
    }

    fn active(&mut self, node: &Node<'_>) -> Vec<(String, u32)> {
        let entries = match &node.value {
            NodeValue::Null => &[],
            NodeValue::Map(entries) => entries.as_slice(),
            _ => {
                let expected = "{\"ip:port\": requests}";
                self.wrong("active", node, "not an object of hosts", expected);
                &[]
            }
        };
        let mut active = Vec::new();
        for Entry { key, node } in entries {
            let count = self.whole("active", node, u32::MAX);
            let Ok(address) = key.name.parse::<SocketAddr>() else {
                self.fault(
                    Diagnostic::error("request/type", "not an address")
                        .at("active", key.position)
                        .found(format!("{:?}", key.name))
                        .expected("\"ip:port\""),
                );
                continue;
            };
            active.extend(count.map(|count| (address.to_string(), count)));
        }
        active
    }

    fn headers(&mut self, node: &Node<'_>, headers: &mut Vec<(String, String)>) {
        let expected = "a list of [name, value]";
        let NodeValue::List(pairs) = &node.value else {
            self.wrong("headers", node, "not a list of headers", expected);
            return;
        };
        for pair in pairs {
            match &pair.value {
                NodeValue::List(parts) => match parts.as_slice() {
                    [
                        Node {
                            value: NodeValue::String(name),
                            ..
                        },
                        Node {
                            value: NodeValue::String(value),
                            ..
                        },
                    ] => {
                        // White space around a value never arrives (RFC 9110 5.5).
                        let value = value.trim_matches([' ', '\t']);
                        headers.push((name.to_ascii_lowercase(), value.to_string()));
                    }
                    _ => self.wrong("headers", pair, "not a header", "[name, value]"),
                },
                _ => self.wrong("headers", pair, "not a header", "[name, value]"),
            }
        }
    }

    fn wrong(&mut self, name: &str, node: &Node<'_>, what: &str, expected: &str) {
        self.fault(
            Diagnostic::error("request/type", what)
                .at(name, node.position)
                .found(node.describe())
                .expected(expected),
        );
    }

    fn fault(&mut self, fault: Diagnostic) {
        self.faults.push(fault);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_defaults() {
        let rows = read_requests("\n{\"i\":7,\"path\":\"/a?b\"}\n", "localhost", false).unwrap();
        assert_eq!(
            rows,
            [RequestRow {
                i: 7.into(),
                request: PickRequest {
                    headers: [
                        (":method", "GET"),
                        (":authority", "localhost"),
                        (":path", "/a?b")
                    ]
                    .map(|(name, value)| (name.into(), value.into()))
                    .into(),
                    source: SOURCE.into(),
                    local: LOCAL.into(),
                    attempt: 0,
                    tried: Vec::new(),
                    active: Vec::new(),
                },
                count: 1,
                session: None,
            }]
        );
    }

    #[test]
    fn header_values_are_trimmed_as_on_the_wire() {
        let row = r#"{"i":0,"path":"/","headers":[["X-Key"," \ta b\t "],["x-empty","  "]]}"#;
        let rows = read_requests(row, "localhost", false).unwrap();
        let headers = &rows[0].request.headers;
        assert!(
            headers.contains(&("x-key".into(), "a b".into())),
            "{headers:?}"
        );
        assert!(
            headers.contains(&("x-empty".into(), String::new())),
            "{headers:?}"
        );
    }

    #[test]
    fn connections_and_hosts_are_read() {
        let text = concat!(
            "{\"i\":0,\"path\":\"/\",\"source\":\"[2001:DB8::1]:7\",\"local\":\"1.2.3.4:5\",",
            "\"attempt\":2,\"tried\":[\"10.0.0.1:80\"],\"active\":{\"10.0.0.2:80\":3}}",
        );
        let rows = read_requests(text, "localhost", false).unwrap();
        let request = &rows[0].request;
        assert_eq!(request.source, "[2001:db8::1]:7");
        assert_eq!(request.local, "1.2.3.4:5");
        assert_eq!(request.attempt, 2);
        assert_eq!(request.tried, ["10.0.0.1:80"]);
        assert_eq!(request.active, [("10.0.0.2:80".into(), 3)]);
    }

    #[test]
    fn every_fault_of_every_row_has_its_place() {
        let text = concat!(
            "{\"i\":0,\"path\":7,\"metod\":\"GET\"}\n",
            "[]\n",
            "{\"path\":\"/\",\"headers\":[[\"a\"]],\"source\":\"x\"}\n",
            "{\"i\":3,\"path\":\"/\",\"session\":[\"u1\"],\"attempt\":-1}\n",
            "{\"i\":4,\"path\":\"/\",\"tried\":[],\"active\":{},\"count\":2}\n",
            "{\"i\":5\n",
            "{\"i\":6,\"path\":\"/\",\"tried\":[\"a\"],\"active\":{\"b\":1,\"1.2.3.4:5\":-1}}\n",
            "{\"i\":7,\"path\":\"/\",\"tried\":\"1.2.3.4:5\",\"active\":[]}\n",
            "{\"i\":8,\"path\":\"/\",\"attempt\":1001}\n",
        );
        let faults = read_requests(text, "localhost", false).unwrap_err();
        let places: Vec<(u32, u32, &str)> = faults
            .iter()
            .map(|fault| {
                let at = fault.position.unwrap();
                (at.line, at.column, fault.code)
            })
            .collect();
        assert_eq!(
            places,
            [
                (1, 15, "request/type"),
                (1, 17, "request/unknown-field"),
                (2, 1, "request/type"),
                (3, 1, "request/missing"),
                (3, 24, "request/type"),
                (3, 40, "request/type"),
                (4, 29, "request/type"),
                (4, 46, "request/type"),
                (5, 42, "request/unknown-field"),
                (6, 7, "config/truncated"),
                (7, 28, "request/type"),
                (7, 43, "request/type"),
                (7, 61, "request/type"),
                (8, 27, "request/type"),
                (8, 48, "request/type"),
                (9, 29, "request/type"),
            ],
            "{faults:#?}"
        );
        assert!(faults[1].to_string().contains("did you mean method?"));
    }
}
