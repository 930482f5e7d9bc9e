//! The rows of `requests.jsonl`, and the settings of `meta.json`.

use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use spillgate_answers::input::read_text;

/// The default host of requests.
pub(super) const HOST: &str = "oracle.test";

/// A request. A row with other fields, such as the client address, cannot be replayed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    /// The id of the row.
    pub(super) i: Value,
    /// The path with its query.
    pub(super) path: String,
    /// The headers of the request.
    #[serde(default)]
    pub(super) headers: Vec<(String, String)>,
    /// The authority of the request.
    #[serde(default = "host")]
    pub(super) host: String,
    /// The method of the request.
    #[serde(default = "method")]
    pub(super) method: String,
    /// The client that keeps cookies and session headers.
    pub(super) session: Option<String>,
    /// The number of equal requests.
    #[serde(default = "one")]
    pub(super) count: u64,
}

/// The settings of a scenario.
#[derive(Debug, Default)]
pub(super) struct Meta {
    /// Whether all rows are deterministic, except those marked as unstable.
    pub(super) is_certain: bool,
    /// The response headers that a session keeps, in addition to cookies.
    pub(super) keep_response_headers: Vec<String>,
}

/// Reads the rows; the first error names its line.
pub(super) fn read_rows(text: &str) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        if !text.trim().is_empty() {
            let row = serde_json::from_str(text);
            rows.push(row.map_err(|error| format!("requests.jsonl:{line}: {error}"))?);
        }
    }
    Ok(rows)
}

/// Reads `meta.json`; a missing file means the default settings.
pub(super) fn read_meta(folder: &Path) -> Meta {
    let meta = read_text(&folder.join("meta.json")).ok();
    let meta: Option<Value> = meta.and_then(|meta| serde_json::from_str(&meta.text).ok());
    let Some(meta) = meta else {
        return Meta::default();
    };
    let kind = meta.get("kind").and_then(Value::as_str);
    let kept = meta.get("keep_response_headers").and_then(Value::as_array);
    Meta {
        is_certain: matches!(kind, Some("deterministic" | "sequence")),
        keep_response_headers: kept
            .into_iter()
            .flatten()
            .filter_map(|name| Some(name.as_str()?.to_ascii_lowercase()))
            .collect(),
    }
}

/// The default host.
fn host() -> String {
    HOST.into()
}

/// The default method.
fn method() -> String {
    "GET".into()
}

/// The default count.
const fn one() -> u64 {
    1
}
