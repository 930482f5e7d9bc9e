//! The values of a row's fields: their types and ranges.

use spillgate_core::visible::quoted;
use std::{net::SocketAddr, time::Duration};

use serde_json::{Number, Value as Json};
use spillgate_config::{
    Diagnostic, Position,
    node::{Entry, Node, NodeValue},
};
use spillgate_core::route::field_value;

use super::row::RowReader;
use crate::time_of::time_of;

/// The expected form of an address.
const ADDRESS: &str = "\"IP:PORT\"";

impl RowReader<'_> {
    /// The id of a row.
    pub(super) fn number_or_name(&mut self, node: &Node<'_>) -> Option<Json> {
        match &node.value {
            NodeValue::Int(i) => Some(Json::Number((*i).into())),
            NodeValue::Uint(i) => Some(Json::Number((*i).into())),
            NodeValue::String(i) => Some(Json::String(i.to_string())),
            NodeValue::Decimal(text) => {
                let number = text.parse().ok().and_then(Number::from_f64);
                number.map(Json::Number)
            }
            _ => {
                self.wrong_type("i", node, "a number or a string");
                None
            }
        }
    }

    /// A string.
    pub(super) fn text(&mut self, name: &str, node: &Node<'_>) -> Option<String> {
        match &node.value {
            NodeValue::String(text) => Some(text.to_string()),
            _ => {
                self.wrong_type(name, node, "a string");
                None
            }
        }
    }

    /// A string with a default.
    pub(super) fn text_or(&mut self, row: &Node<'_>, name: &str, default: &str) -> String {
        row.get(name)
            .and_then(|node| self.text(name, node))
            .unwrap_or_else(|| default.into())
    }

    /// A whole number from 0 to `maximum`.
    pub(super) fn whole(&mut self, name: &str, node: &Node<'_>, maximum: u32) -> Option<u32> {
        let number = match node.value {
            NodeValue::Int(number) => u32::try_from(number).ok(),
            _ => None,
        };
        let number = number.filter(|number| *number <= maximum);
        if number.is_none() {
            let expected = format!("a whole number from 0 to {maximum}");
            self.invalid(
                "invalid number",
                name,
                node.position,
                node.describe(),
                &expected,
            );
        }
        number
    }

    /// An address, written as Envoy writes it.
    fn address(&mut self, name: &str, node: &Node<'_>) -> Option<String> {
        let text = self.text(name, node)?;
        match text.parse::<SocketAddr>() {
            Ok(address) => Some(address.to_string()),
            Err(_) => {
                self.invalid(
                    "invalid address",
                    name,
                    node.position,
                    node.describe(),
                    ADDRESS,
                );
                None
            }
        }
    }

    /// An address with a default.
    pub(super) fn address_or(&mut self, row: &Node<'_>, name: &str, default: &str) -> String {
        row.get(name)
            .and_then(|node| self.address(name, node))
            .unwrap_or_else(|| default.into())
    }

    /// The hosts that earlier attempts used.
    pub(super) fn tried(&mut self, node: &Node<'_>) -> Vec<String> {
        match &node.value {
            NodeValue::Null => Vec::new(),
            NodeValue::List(hosts) => {
                let hosts = hosts.iter();
                hosts
                    .filter_map(|host| self.address("tried", host))
                    .collect()
            }
            _ => {
                self.wrong_type("tried", node, "a list such as [\"IP:PORT\"]");
                Vec::new()
            }
        }
    }

    /// A list of strings.
    pub(super) fn texts(&mut self, name: &str, node: &Node<'_>) -> Vec<String> {
        match &node.value {
            NodeValue::List(texts) => {
                let texts = texts.iter();
                texts.filter_map(|text| self.text(name, text)).collect()
            }
            _ => {
                self.wrong_type(name, node, "a list of strings");
                Vec::new()
            }
        }
    }

    /// The number of active requests by host.
    pub(super) fn active(&mut self, node: &Node<'_>) -> Vec<(String, u32)> {
        let expected = "an object such as {\"IP:PORT\": 3}";
        self.by_host("active", node, expected, |row, node| {
            row.whole("active", node, u32::MAX)
        })
    }

    /// The time since hosts became healthy, by host.
    pub(super) fn since_healthy(&mut self, node: &Node<'_>) -> Vec<(String, Duration)> {
        let name = "since_healthy";
        let expected = "an object such as {\"IP:PORT\": \"15s\"}";
        self.by_host(name, node, expected, |row, node| {
            let text = row.text(name, node)?;
            let time = time_of(&text);
            if time.is_none() {
                let found = node.describe();
                row.invalid("invalid duration", name, node.position, found, "\"15s\"");
            }
            time
        })
    }

    /// The values of an object by host.
    fn by_host<T>(
        &mut self,
        name: &str,
        node: &Node<'_>,
        expected: &str,
        mut read: impl FnMut(&mut Self, &Node<'_>) -> Option<T>,
    ) -> Vec<(String, T)> {
        let entries = match &node.value {
            NodeValue::Null => &[],
            NodeValue::Map(entries) => entries.as_slice(),
            _ => {
                self.wrong_type(name, node, expected);
                &[]
            }
        };
        let mut values = Vec::new();
        for Entry { key, node } in entries {
            let value = read(self, node);
            let Ok(address) = key.name.parse::<SocketAddr>() else {
                let found = quoted(&key.name);
                self.invalid("invalid address", name, key.position, found, ADDRESS);
                continue;
            };
            values.extend(value.map(|value| (address.to_string(), value)));
        }
        values
    }

    /// Appends the headers of a row.
    pub(super) fn headers(&mut self, node: &Node<'_>, headers: &mut Vec<(String, String)>) {
        let NodeValue::List(pairs) = &node.value else {
            self.wrong_type("headers", node, "a list of [name, value]");
            return;
        };
        for pair in pairs {
            let parts = match &pair.value {
                NodeValue::List(parts) => parts.as_slice(),
                _ => &[],
            };
            match parts {
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
                    let value = field_value(value).to_owned();
                    super::add_sent(headers, name.to_ascii_lowercase(), value);
                }
                _ => self.wrong_type("headers", pair, "[name, value], both strings"),
            }
        }
    }

    /// Adds the error of a value with another type than expected.
    pub(super) fn wrong_type(&mut self, name: &str, node: &Node<'_>, expected: &str) {
        self.invalid("wrong type", name, node.position, node.describe(), expected);
    }

    /// Adds the error of an invalid value.
    fn invalid(
        &mut self,
        problem: &str,
        name: &str,
        position: Position,
        found: String,
        expected: &str,
    ) {
        self.faults.push(
            Diagnostic::error("request/type", problem)
                .at(name, position)
                .found(found)
                .expected(expected),
        );
    }
}
