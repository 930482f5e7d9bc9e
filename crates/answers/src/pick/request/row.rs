//! One row: its fields and their defaults.

use spillgate_config::{
    Diagnostic, nearest,
    node::{Entry, Node, NodeValue},
};
use spillgate_core::visible::quoted;

use super::{
    CountField, GivenConnection, LOCAL, MAXIMUM_ATTEMPT, PathField, PickRequest, RequestRow, SOURCE,
};

/// All fields of a row.
const FIELDS: [&str; 16] = [
    "i",
    "path",
    "headers",
    "method",
    "host",
    "source",
    "local",
    "session",
    "attempt",
    "tried",
    "active",
    "since_healthy",
    "count",
    "sni",
    "alpn",
    "key",
];

/// Reads one row and collects its errors.
pub(super) struct RowReader<'h> {
    /// The default of the field `host`.
    pub(super) host: &'h str,
    /// Whether the field `count` is allowed.
    pub(super) count: CountField,
    /// Whether the field `path` is required.
    pub(super) path: PathField,
    /// The errors so far.
    pub(super) faults: Vec<Diagnostic>,
}

impl RowReader<'_> {
    /// The row with its defaults; `None` if a required value is unusable.
    pub(super) fn row(&mut self, node: &Node<'_>) -> Option<RequestRow> {
        let NodeValue::Map(entries) = &node.value else {
            let expected = "an object such as {\"i\": 0, \"path\": \"/\"}";
            self.wrong_type("", node, expected);
            return None;
        };
        for entry in entries {
            self.check_name(entry);
        }
        let i = node.get("i").and_then(|node| self.number_or_name(node));
        let path = node.get("path").and_then(|node| self.text("path", node));
        let mut required = vec![("i", node.get("i"))];
        if self.path == PathField::Required {
            required.push(("path", node.get("path")));
        }
        for (name, have) in required {
            if have.is_none() {
                self.faults.push(
                    Diagnostic::error("request/missing", format!("missing field \"{name}\""))
                        .at("", node.position),
                );
            }
        }
        let mut headers = vec![
            (":method".into(), self.text_or(node, "method", "GET")),
            (":authority".into(), self.text_or(node, "host", self.host)),
            (":path".into(), path.unwrap_or_default()),
        ];
        let source = self.address_or(node, "source", SOURCE);
        let local = self.address_or(node, "local", LOCAL);
        let sni = node.get("sni").and_then(|node| self.text("sni", node));
        let given = GivenConnection {
            source: node.get("source").is_some(),
            local: node.get("local").is_some(),
            application_protocols: node
                .get("alpn")
                .map(|n| self.texts("alpn", n))
                .unwrap_or_default(),
            key: node.get("key").and_then(|node| self.text("key", node)),
            ..GivenConnection::default()
        };
        let given = given.with_sni(sni);
        if let Some(node) = node.get("headers") {
            self.headers(node, &mut headers);
        }
        let session = node.get("session").filter(|n| n.value != NodeValue::Null);
        let client = session.and_then(|node| self.text("session", node));
        let tried = node.get("tried").map(|node| self.tried(node));
        let active = node.get("active").map(|node| self.active(node));
        let since = node
            .get("since_healthy")
            .map(|node| self.since_healthy(node));
        let attempt = node
            .get("attempt")
            .map(|node| self.whole("attempt", node, MAXIMUM_ATTEMPT));
        let count = node
            .get("count")
            .map(|node| self.whole("count", node, u32::MAX));
        if let (Some(session), Some(Some(2..))) = (session, count) {
            // The response to the first request decides about the second one.
            self.faults.push(
                Diagnostic::error("request/type", "a row with a session is one request")
                    .at("session", session.position)
                    .expected("no \"count\", or \"count\": 1"),
            );
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
                since_healthy: since.unwrap_or_default(),
                given,
            },
            count: count.unwrap_or(Some(1))?.into(),
            session: client,
        })
    }

    /// Adds an error for an unknown field.
    fn check_name(&mut self, entry: &Entry<'_>) {
        let name = &*entry.key.name;
        let known =
            FIELDS.contains(&name) && (name != "count" || self.count == CountField::Accepted);
        if !known {
            let fields = FIELDS.iter().copied().filter(|field| *field != "count");
            self.faults.push(
                Diagnostic::error("request/unknown-field", "unknown field")
                    .at("", entry.key.position)
                    .found(quoted(name))
                    .suggest(nearest(name, fields)),
            );
        }
    }
}
