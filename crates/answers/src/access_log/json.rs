//! JSON lines, with the keys of Istio's and Envoy Gateway's default formats.
//!
//! Names of headers are keys, too: `:authority` and `authority` are the same, and so are `x-request-id` and
//! `x_request_id`. Other keys have no meaning.

use spillgate_config::{
    Diagnostic,
    node::{Entry, Node, NodeValue, read_json},
};

use super::{AccessLogLine, LogFormat, ResponseFlag, fault, shown, text::present};

/// The keys of the most important values, for errors.
const KEYS: &str =
    "keys such as method, path, authority, response_code, response_flags, upstream_host";

/// Reads a line.
pub(super) fn read(line: &str) -> Result<AccessLogLine, Vec<Diagnostic>> {
    let document = read_json(line).map_err(|fault| vec![fault])?;
    let mut found = AccessLogLine::empty(LogFormat::Json);
    let (mut known, mut faults) = (false, Vec::new());
    for root in &document.roots {
        let NodeValue::Map(entries) = &root.value else {
            continue;
        };
        for entry in entries {
            match found.take(entry) {
                Ok(taken) => known |= taken,
                Err(fault) => faults.push(*fault),
            }
        }
        if !known && faults.is_empty() {
            let none = fault("no key of an access log", root.position);
            faults.push(none.expected(KEYS));
        }
    }
    if faults.is_empty() {
        Ok(found)
    } else {
        Err(faults)
    }
}

impl AccessLogLine {
    /// Takes a value over; `false` if its key has no meaning.
    fn take(&mut self, entry: &Entry<'_>) -> Result<bool, Box<Diagnostic>> {
        let key = entry.key.name.to_ascii_lowercase().replace('-', "_");
        let value = &entry.node;
        let slot = match key.trim_start_matches(':') {
            "method" => &mut self.method,
            "x_envoy_original_path" | "x_envoy_origin_path" => &mut self.path,
            "path" => {
                // The path before a rewrite takes precedence.
                let path = text_of(value)?;
                self.path = self.path.take().or(path);
                return Ok(true);
            }
            "authority" => &mut self.authority,
            "x_envoy_original_host" => &mut self.original_host,
            "x_forwarded_for" => &mut self.forwarded_for,
            "user_agent" => &mut self.user_agent,
            "request_id" | "x_request_id" => &mut self.request_id,
            "upstream_host" => &mut self.host,
            "upstream_cluster" | "upstream_cluster_raw" => &mut self.cluster,
            "route_name" => &mut self.route,
            "requested_server_name" => &mut self.server_name,
            "downstream_remote_address" => {
                self.source = text_of(value)?.and_then(|text| text.parse().ok());
                return Ok(true);
            }
            "downstream_local_address" => {
                self.local = text_of(value)?.and_then(|text| text.parse().ok());
                return Ok(true);
            }
            "response_code" => {
                self.status = status_of(value)?;
                return Ok(true);
            }
            "response_flags" | "response_flags_long" => {
                self.flags = flags_of(value)?;
                return Ok(true);
            }
            "upstream_request_attempt_count" => {
                self.attempts = count_of(value)?;
                return Ok(true);
            }
            _ => return Ok(false),
        };
        let text = text_of(value)?;
        if text.is_some() {
            *slot = text;
        }
        Ok(true)
    }
}

/// A text; `None` for `-` and null.
fn text_of(node: &Node<'_>) -> Result<Option<String>, Box<Diagnostic>> {
    match &node.value {
        NodeValue::String(text) => Ok(present(text)),
        NodeValue::Null => Ok(None),
        _ => Err(wrong(node, "a string or null")),
    }
}

/// A whole number, as such or in quotes.
fn count_of(node: &Node<'_>) -> Result<Option<u32>, Box<Diagnostic>> {
    let expected = "a whole number, \"-\" or null";
    match &node.value {
        NodeValue::Int(number) => match u32::try_from(*number) {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(wrong(node, expected)),
        },
        NodeValue::String(text) => match present(text).map(|text| text.parse()) {
            None => Ok(None),
            Some(Ok(number)) => Ok(Some(number)),
            Some(Err(_)) => Err(wrong(node, expected)),
        },
        NodeValue::Null => Ok(None),
        _ => Err(wrong(node, expected)),
    }
}

fn status_of(node: &Node<'_>) -> Result<Option<u16>, Box<Diagnostic>> {
    match count_of(node)?.unwrap_or(0) {
        0 => Ok(None),
        status @ 100..=599 => Ok(u16::try_from(status).ok()),
        _ => Err(wrong(node, "0 or 100 to 599")),
    }
}

fn flags_of(node: &Node<'_>) -> Result<Vec<&'static ResponseFlag>, Box<Diagnostic>> {
    let text = text_of(node)?.unwrap_or_default();
    if text.is_empty() {
        return Ok(Vec::new());
    }
    ResponseFlag::list(&text).map_err(|(_, name)| {
        let unknown = fault("unknown response flag", node.position).found(shown(name));
        Box::new(unknown.expected("flags of Envoy such as UH or UF,URX"))
    })
}

fn wrong(node: &Node<'_>, expected: &str) -> Box<Diagnostic> {
    let found = match &node.value {
        NodeValue::String(text) => shown(text),
        _ => node.describe(),
    };
    let fault = fault("wrong value", node.position);
    Box::new(fault.found(found).expected(expected))
}
